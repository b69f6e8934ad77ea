package advise

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"railyard/generator/cluster"
	"railyard/generator/fabric"
	"railyard/generator/strict"
)

// PriceList says what became of the user's price list.
type PriceList struct {
	File     string        `json:"file"`
	Currency string        `json:"currency"` // "" not named
	Unknown  []UnknownItem `json:"unknown"`  // neither in the catalog nor a class
	Unused   []string      `json:"unused"`   // known, but in neither design
	Saving   string        `json:"saving"`   // of one design over the other, by these prices; "" unless both have a total
}

// UnknownItem is a line of the price list that means nothing here.
type UnknownItem struct {
	Item string `json:"item"`
	Line int    `json:"line"`
	Near string `json:"near,omitempty"` // what it may have been meant to be
}

// Cost is a design at the user's prices. Amounts are decimals as text.
type Cost struct {
	Lines   []CostLine  `json:"lines"`
	Missing []CountItem `json:"missing"`         // needed, without a price
	Priced  string      `json:"priced"`          // sum of the lines
	Total   string      `json:"total,omitempty"` // only where nothing is missing

	sum *big.Int
}

// CostLine is one priced item.
type CostLine struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
	Price string `json:"price"`
	Sum   string `json:"sum"`
}

// CountItem is one item and how many of it.
type CountItem struct {
	Item  string `json:"item"`
	Count int    `json:"count"`
}

// NeverPriced is what no total of railyard's contains.
func NeverPriced() []string {
	return []string{"servers and accelerators", "power and cooling", "installation", "licences and support", "management network", "spare parts"}
}

// need is one item of a design: the names under which the list may have it, the
// most special first. The last is the one to ask for.
type need struct {
	names []string
	count int
}

// needs lists what of a design has a price.
func needs(c *cluster.Cluster, d *Design) []need {
	var list []need
	add := func(count int, names ...string) {
		for i := range list {
			if slices.Equal(list[i].names, names) {
				list[i].count += count
				return
			}
		}
		list = append(list, need{names, count})
	}
	for _, s := range d.Switches {
		add(s.Count, s.Model)
	}
	for _, n := range d.NICs {
		if !n.Integrated {
			add(n.Count, or(n.Model, "nic-not-declared"))
		}
	}
	for i := range d.Cables {
		k := &d.Cables[i]
		speed := strconv.Itoa(k.SpeedGbps) + "G"
		if k.Links > 1 {
			speed = fmt.Sprintf("%dx%s", k.Links, speed)
		}
		class := "cable-" + or(k.Type, "open") + "-" + speed
		names := []string{class + "-" + strconv.FormatFloat(k.LengthM, 'f', -1, 64) + "m", d.Technology + "-" + class}
		if !pluggable(k.Type) && k.Links == 1 {
			names = append(names, optics(c.Catalog, k.SpeedGbps, k.Type, k.LengthM)...)
		}
		add(k.Count, append(names, class)...)
	}
	for _, o := range d.Transceivers.Classes {
		class := fmt.Sprintf("optic-%dG", o.SpeedGbps)
		names := append([]string{d.Technology + "-" + class, class + "-" + o.Type}, optics(c.Catalog, o.SpeedGbps, o.Type, o.LengthM)...)
		add(o.LinkEnds, append(names, class)...)
	}
	return list
}

// price puts the user's prices on both designs.
func (a *Advice) price(c *cluster.Cluster, p *Prices) {
	if p == nil {
		return
	}
	list := &PriceList{File: p.name, Currency: p.Currency, Unknown: []UnknownItem{}, Unused: []string{}}
	a.PriceList = list
	used, known := map[string]bool{}, map[string]bool{}
	for _, id := range c.Catalog.IDs() {
		known[id] = true
	}
	for i := range a.Designs {
		d := &a.Designs[i]
		if !d.Possible {
			continue
		}
		wanted := needs(c, d)
		for _, n := range wanted {
			for _, name := range n.names {
				known[name] = true
			}
		}
		d.Cost = p.cost(wanted, used)
	}
	var ids []string
	for id := range known {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, it := range p.items {
		switch {
		case used[it.item]:
		case known[it.item] || classForm.MatchString(it.item):
			list.Unused = append(list.Unused, it.item)
		default:
			list.Unknown = append(list.Unknown, UnknownItem{it.item, it.line, strict.Nearest(it.item, ids)})
		}
	}
	list.Saving = a.saving()
}

func (p *Prices) cost(wanted []need, used map[string]bool) *Cost {
	c := &Cost{Lines: []CostLine{}, Missing: []CountItem{}, sum: new(big.Int)}
	for _, n := range wanted {
		at := -1
		for _, name := range n.names {
			if i, ok := p.index[name]; ok {
				at = i
				break
			}
		}
		if at < 0 {
			c.Missing = addCount(c.Missing, n.names[len(n.names)-1], n.count)
			continue
		}
		it := &p.items[at]
		used[it.item] = true
		c.add(it, n.count)
	}
	c.Priced = amount(c.sum)
	if len(c.Missing) == 0 {
		c.Total = c.Priced
	}
	return c
}

// add puts one more need on its item's line.
func (c *Cost) add(it *priced, count int) {
	c.sum.Add(c.sum, times(it.price, count))
	for i := range c.Lines {
		if l := &c.Lines[i]; l.Item == it.item {
			l.Count += count
			l.Sum = amount(times(it.price, l.Count))
			return
		}
	}
	c.Lines = append(c.Lines, CostLine{it.item, count, amount(big.NewInt(it.price)), amount(times(it.price, count))})
}

func times(price int64, count int) *big.Int {
	return new(big.Int).Mul(big.NewInt(price), big.NewInt(int64(count)))
}

func addCount(list []CountItem, item string, count int) []CountItem {
	for i := range list {
		if list[i].Item == item {
			list[i].Count += count
			return list
		}
	}
	return append(list, CountItem{item, count})
}

// saving compares the two totals, in tenths of a percent of the dearer one.
func (a *Advice) saving() string {
	x, y := a.Designs[0].Cost, a.Designs[1].Cost
	if x == nil || y == nil || x.Total == "" || y.Total == "" {
		return ""
	}
	cheap, dear, which := x.sum, y.sum, &a.Designs[0]
	if cheap.Cmp(dear) > 0 {
		cheap, dear, which = dear, cheap, &a.Designs[1]
	}
	if cheap.Cmp(dear) == 0 {
		return "both cost the same by these prices"
	}
	permille := new(big.Int).Mul(new(big.Int).Sub(dear, cheap), big.NewInt(2000))
	permille.Add(permille, dear).Quo(permille, new(big.Int).Mul(dear, big.NewInt(2))) // half up
	return fmt.Sprintf("%s is %d.%d %% cheaper by these prices", title(fabric.Technology(which.Technology)), permille.Int64()/10, permille.Int64()%10)
}

// Published is a comparison that somebody published. It is never computed from
// the cluster.
type Published struct {
	Statement  string `json:"statement"`
	Source     string `json:"source"`
	Confidence string `json:"confidence"`
}

func published() []Published {
	source := "one vendor case (BaiRui Data) in an " + article("2.2")
	return []Published{
		{"a RoCE design was about 36 % cheaper than InfiniBand at 100G", source, "field"},
		{"a RoCE design was about 14.3 % cheaper than InfiniBand at 400G", source, "field"},
	}
}
