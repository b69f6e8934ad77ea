package advise

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"railyard/generator/strict"
)

// maxPriceBytes is the size up to which a price list is read: 4 MiB.
const maxPriceBytes = 4 << 20

// Prices is a price list as a user gave it.
type Prices struct {
	Currency string // ISO 4217 code, "" when the list names none
	name     string
	items    []priced
	index    map[string]int
}

// priced is one line. The price is in ten-thousandths of the currency.
type priced struct {
	item  string
	price int64
	line  int
}

var (
	priceForm    = regexp.MustCompile(`^([0-9]{1,9})(?:\.([0-9]{1,4}))?$`)
	currencyForm = regexp.MustCompile(`^[A-Z]{3}$`)
	classForm    = regexp.MustCompile(`^(?:(?:roce|infiniband)-)?(?:cable-(?:dac|acc|aec|aoc|multimode|singlemode|open)-(?:[0-9]{1,2}x)?[0-9]{1,4}G(?:-[0-9.]{1,9}m)?|optic-[0-9]{1,4}G(?:-multimode|-singlemode)?)$`)
	itemForm     = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._+-]{0,99}$`)
)

// ReadPrices reads lines of item,price[,currency]; a first line "item,price" and
// lines that begin with # are skipped. Prices are plain decimals (12500 or
// 12500.50), zero to 999999999.9999; a list has one currency. The name stands in
// positions; it is not opened. The error is strict.Problems.
func ReadPrices(name string, r io.Reader) (*Prices, error) {
	p := &priceReader{list: &Prices{name: name, index: map[string]int{}}}
	body, err := io.ReadAll(io.LimitReader(r, maxPriceBytes+1))
	switch {
	case err != nil:
		return nil, strict.Problems{{Position: strict.Position{File: name}, Message: fmt.Sprintf("cannot be read: %v", err)}}
	case len(body) > maxPriceBytes:
		return nil, strict.Problems{{Position: strict.Position{File: name}, Message: "larger than 4 MiB", Remedy: "list the items of this cluster only"}}
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff"))
	for i, line := range bytes.Split(body, []byte("\n")) {
		if at := notText(line); at >= 0 {
			p.fail(i+1, at+1, "save it as CSV in UTF-8; a spreadsheet file has to be exported", "not text")
			return nil, p.report.Problems()
		}
	}
	p.read(body)
	if problems := p.report.Problems(); len(problems) > 0 {
		return nil, problems
	}
	if len(p.list.items) == 0 {
		return nil, strict.Problems{{Position: strict.Position{File: name}, Message: "has no prices", Remedy: "write lines like nvidia-qm9700,12500.00,EUR"}}
	}
	return p.list, nil
}

// notText is the offset of the first byte that is no text, -1 without one.
func notText(line []byte) int {
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		if r == utf8.RuneError && n <= 1 || r < ' ' && r != '\t' && r != '\r' || r == 0x7f {
			return i
		}
		i += n
	}
	return -1
}

type priceReader struct {
	list   *Prices
	report strict.Report
	money  int // line that set the currency
}

func (p *priceReader) fail(line, column int, remedy, format string, args ...any) {
	p.report.Add(strict.Problem{Position: strict.Position{File: p.list.name, Line: line, Column: column}, Message: fmt.Sprintf(format, args...), Remedy: remedy})
}

func (p *priceReader) read(body []byte) {
	r := csv.NewReader(bytes.NewReader(body))
	r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace, r.ReuseRecord = '#', -1, true, true
	for first := true; ; first = false {
		record, err := r.Read()
		var parse *csv.ParseError
		switch {
		case errors.Is(err, io.EOF):
			return
		case errors.As(err, &parse):
			p.fail(parse.Line, parse.Column, "write lines like nvidia-qm9700,12500.00,EUR", "not valid CSV: %v", parse.Err)
			return
		case err != nil:
			p.fail(0, 0, "", "cannot be read: %v", err)
			return
		}
		if first && strings.EqualFold(strings.TrimSpace(record[0]), "item") {
			continue
		}
		columns := [3]int{}
		for i := range record[:min(len(record), 3)] {
			_, columns[i] = r.FieldPos(i)
		}
		line, _ := r.FieldPos(0)
		p.add(record, line, columns)
	}
}

func (p *priceReader) add(record []string, line int, columns [3]int) {
	for i := range record {
		record[i] = strings.TrimSpace(record[i])
	}
	switch {
	case len(record) == 1 && strings.ContainsAny(record[0], ";\t"):
		p.fail(line, columns[0], "separate the fields by commas", "one field only")
		return
	case len(record) < 2 || len(record) > 3:
		p.fail(line, columns[0], "write item,price or item,price,currency; no thousands separators", "%d fields in a line", len(record))
		return
	case !itemForm.MatchString(record[0]):
		p.fail(line, columns[0], "write a catalog id or a class such as cable-dac-400G or optic-400G", "%s is not an item", quoted(record[0]))
		return
	}
	m := priceForm.FindStringSubmatch(record[1])
	if m == nil {
		p.fail(line, columns[1], "write a plain number like 12500.50, without sign, currency or separators", "%s is not a price", quoted(record[1]))
		return
	}
	if len(record) == 3 && !p.currency(record[2], line, columns[2]) {
		return
	}
	if i, twice := p.list.index[record[0]]; twice {
		p.fail(line, columns[0], "remove one of the two", "%s stands in line %d already", quoted(record[0]), p.list.items[i].line)
		return
	}
	whole, _ := strconv.ParseInt(m[1], 10, 64) // nine digits always fit
	part, _ := strconv.ParseInt((m[2] + "0000")[:4], 10, 64)
	item := strings.Clone(record[0])
	p.list.index[item] = len(p.list.items)
	p.list.items = append(p.list.items, priced{item, whole*10000 + part, line})
}

func (p *priceReader) currency(code string, line, column int) bool {
	switch {
	case code == "":
	case !currencyForm.MatchString(code):
		p.fail(line, column, "write its three letters, like EUR or CNY; no thousands separators in prices", "%s is not a currency", quoted(code))
		return false
	case p.money == 0:
		p.list.Currency, p.money = code, line
	case code != p.list.Currency:
		p.fail(line, column, "convert the prices: a list has one currency", "%s, but line %d has %s", code, p.money, p.list.Currency)
		return false
	}
	return true
}

func quoted(s string) string {
	if r := []rune(s); len(r) > 60 {
		s = string(r[:60]) + "…"
	}
	return strconv.Quote(s)
}

// amount writes ten-thousandths as a decimal with two places, or four where
// they are needed.
func amount(v *big.Int) string {
	whole, part := new(big.Int).QuoRem(v, big.NewInt(10000), new(big.Int))
	text := fmt.Sprintf("%04d", part.Int64())
	return whole.String() + "." + strings.TrimSuffix(text, "00")
}
