// Package ibsubnet is what one InfiniBand subnet of a designed fabric consists
// of, whichever subnet manager runs it: its switches and ports, their numbers
// and names, the lists of GUIDs in the order that routing wants them, who is in
// which partition, the topology file that cables are checked against, and what
// is wrong with any of it.
package ibsubnet
