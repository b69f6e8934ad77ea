// Package gnmi talks to one device: it dials, asks what the device can do,
// reads, writes, and drives the commit-confirmed extension.
//
// It holds the rules that keep a push honest. TLS is verified and at least
// version 1.2 unless the caller says otherwise. Reading is retried, writing
// never: an answer that does not come says nothing about what the device did,
// so Set reports it as lost and the caller reads back. Passwords travel as
// metadata, never in a message, and are taken out of whatever a device says.
package gnmi
