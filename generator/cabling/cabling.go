// Package cabling writes what people rack, plug and order by: the cable list, the
// address list, the bill of materials, and a workbook with all of them.
//
// Names in these lists were chosen by users and may begin like a formula. A text
// that a spreadsheet would run (it begins with =, +, -, @, a tab or a carriage
// return) gets an apostrophe in front, in the CSV files as in the workbook.
package cabling

import (
	"io"

	"railyard/generator/fabric"
)

// CSV writes the cable list, one link a line, in the fabric's order: by plane,
// host links by leaf and port, then fabric links by lower switch and port. Lines
// end in LF and not, as RFC 4180 has it, in CRLF: all readers take it, and
// version control shows no false differences.
//
// The columns are
//
//	label          unique; the name of the switch at the lower end of a fabric link, or
//	               at the switch end of a host link, and its panel port. It does not
//	               change when the cluster grows, so it can be printed on cable flags
//	cable          number of the physical cable; the links of one twin-port or splitter
//	               cable share it
//	kind           host or fabric
//	a_device …     the lower end: server below leaf, leaf below spine, spine below core;
//	               a_port is the device's own name of the port, a_panel the number
//	               printed on the front panel, with the lane of a split port (12/1)
//	b_device …     the upper end
//	speed_gbps     of the link
//	length_m       as declared
//	type           dac, aoc, …; empty where the cluster file leaves it open
//	plane          from 0
//	rail           of a host link, from 0
func CSV(w io.Writer, f *fabric.Fabric) error { return writeCSV(w, cables(f)) }

// Addressing writes the address list: one line for each address that a device of
// the fabric has, switches first, in the fabric's order. Lines end in LF.
//
// The columns are
//
//	device, interface    who has the address. Links and hosts carry the device's own port
//	                     name; loopback, management and vlan100 are the same for all
//	                     vendors, however these call them
//	address              without a length
//	prefix_length        of the subnet it lives in
//	peer_device …        the other end of a link or of a host's cable
//	vlan                 of a gateway or host
//	subnet               the network with its length
//	gateway              of a host or a management address
//	asn                  of the switch
//	purpose              loopback, management, gateway (of hosts), link (switch to switch), host
//
// Unnumbered links have no address and are not listed.
func Addressing(w io.Writer, f *fabric.Fabric) error { return writeCSV(w, addresses(f)) }
