// Package grammar holds a configuration to the lines that documents and real
// configurations confirm: every line must match a rule of its view, with values
// in range, in an order the device accepts. Rules are data, one file per network
// OS beside its driver, each rule with its source.
//
// # A grammar file
//
//	os: comware
//	file: startup.cfg              # the file of a switch that it is for
//	syntax:
//	  indent: 1                    # blanks per level
//	  system: 1                    # blanks before lines of the first view that open no view
//	  separator: "#"               # alone on a line; at column 0 it closes all views
//	  comment: ""                  # beginning of comment lines
//	  closer: ""                   # alone on a line, closes the view opened at that column
//	defined: {vlan: ["1"]}         # names that exist before the first line
//	words: {port: "{10|25}GE1/0/<1-128>[:<1-4>]"}
//	views:
//	- view: system                 # the first view is where a file begins
//	  rules:
//	  - {form: "vlan <1-4094=vlan>", enters: vlan, source: "H3C-CMD vlan", mark: doc}
//	never:
//	- {view: "*", form: "router bgp <rest>", line: "router bgp 65001", reason: "…", source: "…"}
//
// # A form
//
// Words stand for themselves; \ before a sign takes its meaning away. [a b] may
// be missing, {a|b c} is one of several. A word may be made of such parts:
// {10|25}GE1/0/<1-128>[:<1-4>], $h$<name>. In angle brackets:
//
//	<1-4094>        a whole number within the range
//	<0.01-60>       a number with decimals within the range
//	<ip>            an IPv4 address
//	<prefix>        an IPv4 prefix, A.B.C.D/L
//	<mask>          a dotted mask
//	<name 1-31>     a word of so many characters; <name> of any
//	<text 1-80>     the rest of the line, one word at least
//	<remark 1-79>   the same without the signs [ ] < > # ? that tools and devices stumble over
//	<rest>          the rest of the line, which may be nothing
//	<csv 0-7>       numbers separated by commas, in one word
//	<list 0-63>     numbers separated by blanks
//	<spans 1-4094>  numbers and ranges: 2 to 4 10
//	<many port>     one or more words of that kind, "to" between two of them
//	<port>          a word of that kind (words:)
//
// <…=vlan> says that the line defines the value as a vlan, <…@vlan> that it needs
// one defined before it, <…~vlan> that it needs one anywhere in the file.
//
// # A rule
//
// id names a rule for others; enters is the view that follows; families are the
// hardware families it is valid for (none: all). Of order: first (the first line
// of its view), last (nothing follows), needs (these rules stand before it, in its
// view or around it), after (where these stand in its view, they stand before it),
// excludes (none of these stands in its view). column0 puts a line that opens no
// view to column 0; flat gives the lines of the view it opens its own column;
// leaves closes the view the line stands in. indent is that of the view it
// opens, where it is not the usual one. until ends text that follows the line.
//
// mark is how sure it is: doc (a vendor's document or program), field (a real
// configuration), inferred (follows from those).
package grammar
