package sonic

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// portsDir is where a site keeps lane maps beside its templates, each copied
// from /usr/share/sonic/device/PLATFORM/HWSKU/port_config.ini of a switch to
// sonic/ports/MODEL/HWSKU/port_config.ini. It adds a model that railyard has no
// lane map for, or replaces the one it has.
const portsDir = "sonic/ports"

// sitePlatforms reads the lane maps of an overlay into platforms.
func sitePlatforms(overlay fs.FS, platforms map[string]*platform) error {
	files, err := fs.Glob(overlay, path.Join(portsDir, "*", "*", "port_config.ini"))
	if err != nil {
		return err
	}
	var problems []error
	seen := map[string]string{}
	for _, file := range files {
		model := path.Base(path.Dir(path.Dir(file)))
		body, err := fs.ReadFile(overlay, file)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		p, err := parsePortConfig(string(body))
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", file, err))
			continue
		}
		if other := seen[model]; other != "" {
			problems = append(problems, fmt.Errorf("%s: %s is there too; keep one HwSKU for each model", file, other))
			continue
		}
		seen[model] = file
		p.Models, p.SKUs = []string{model}, []sku{{Name: path.Base(path.Dir(file))}}
		p.Source, p.Confidence = file, "declared"
		if known := platforms[model]; known != nil {
			p.Modes, p.Buffer = known.Modes, known.Buffer
		}
		platforms[model] = p
	}
	return errors.Join(problems...)
}

// Bounds of a lane map; the largest published one has 512 ports of one lane.
const (
	maxPortRows = 1024
	maxLane     = 1 << 14
)

// parsePortConfig reads a port_config.ini: a header line "# name lanes alias
// index …" and one line for each port. Rows with the same index are one cage;
// cages are numbered in the order in which they come.
func parsePortConfig(body string) (*platform, error) {
	p := &platform{rows: map[int][]portRow{}}
	var columns []string
	var problems []error
	cageOf := map[int]int{}
	lines := bufio.NewScanner(strings.NewReader(body))
	for n := 1; lines.Scan(); n++ {
		words := strings.Fields(strings.TrimSpace(lines.Text()))
		if len(words) == 0 {
			continue
		}
		if strings.HasPrefix(words[0], "#") {
			if header := headerColumns(words); header != nil {
				columns = header
			}
			continue
		}
		r, err := parsePortRow(columns, words)
		if err != nil {
			problems = append(problems, fmt.Errorf("line %d: %w", n, err))
			continue
		}
		if len(cageOf) >= maxPortRows {
			return nil, fmt.Errorf("more than %d ports", maxPortRows)
		}
		cage, known := cageOf[r.index]
		if !known {
			cage = len(cageOf) + 1
			cageOf[r.index] = cage
		}
		p.rows[cage] = append(p.rows[cage], r)
	}
	if err := lines.Err(); err != nil {
		problems = append(problems, err)
	}
	if len(p.rows) == 0 && len(problems) == 0 {
		problems = append(problems, errors.New("no ports"))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	return p, p.finish()
}

// headerColumns returns the column names of a header line, nil when the
// comment is another one.
func headerColumns(words []string) []string {
	words = slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == "#" })
	for i := range words {
		words[i] = strings.ToLower(strings.TrimPrefix(words[i], "#"))
	}
	if slices.Contains(words, "name") && slices.Contains(words, "lanes") {
		return words
	}
	return nil
}

func parsePortRow(columns, words []string) (portRow, error) {
	r := portRow{index: -1}
	if columns == nil {
		return r, errors.New("no header line \"# name lanes alias index\" before the first port")
	}
	for i, word := range words {
		if i >= len(columns) {
			break
		}
		var err error
		switch columns[i] {
		case "name":
			if n, ok := strings.CutPrefix(word, "Ethernet"); !ok || !decimal(n, maxLane) {
				return r, fmt.Errorf("port name %q is not EthernetN", word)
			}
			r.name = word
		case "lanes":
			r.lanes, err = parseLanes(word)
		case "alias":
			r.alias = word
		case "index":
			if !decimal(word, 65535) {
				return r, fmt.Errorf("index %q is not a number", word)
			}
			r.index, _ = strconv.Atoi(word)
		}
		if err != nil {
			return r, err
		}
	}
	if r.name == "" || len(r.lanes) == 0 || r.index < 0 {
		return r, errors.New("a port needs name, lanes and index")
	}
	return r, nil
}

func parseLanes(word string) ([]int, error) {
	var lanes []int
	for w := range strings.SplitSeq(word, ",") {
		if !decimal(w, maxLane) {
			return nil, fmt.Errorf("lanes %q are not numbers with commas", word)
		}
		n, _ := strconv.Atoi(w)
		lanes = append(lanes, n)
	}
	return lanes, nil
}

// finish checks the rows as a whole and fills in what the cages have in common.
func (p *platform) finish() error {
	used := map[int]string{}
	names := map[string]bool{}
	for cage := 1; cage <= len(p.rows); cage++ {
		rows := p.rows[cage]
		for i := range rows {
			if names[rows[i].name] {
				return fmt.Errorf("%s comes twice", rows[i].name)
			}
			names[rows[i].name] = true
			for _, lane := range rows[i].lanes {
				if other := used[lane]; other != "" {
					return fmt.Errorf("lane %d belongs to both %s and %s", lane, other, rows[i].name)
				}
				used[lane] = rows[i].name
			}
			if len(rows) > 1 {
				rows[i].subport = i + 1
			}
		}
		lanes := p.cageLanes(cage)
		p.First = append(p.First, lanes[0])
		p.Lanes = max(p.Lanes, len(lanes))
	}
	// Service ports at the end have fewer lanes than the cages and no place in a
	// plan; everything before them has to be alike for children to be placed.
	last := len(p.First)
	for last > 0 && len(p.cageLanes(last)) < p.Lanes {
		last--
	}
	for cage := 1; cage <= last; cage++ {
		if len(p.cageLanes(cage)) != p.Lanes {
			p.WholeOnly = true
		}
	}
	p.First = p.First[:last]
	return nil
}
