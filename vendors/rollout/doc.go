// Package rollout changes many devices, never more than asked and never half
// done unseen.
//
// A push reads every switch, shows what differs, asks, and then goes in waves
// that redundancy allows, a canary of each tier first. On one switch it reads
// again, keeps what is needed to go back, sends, reads back over a new
// connection, and compares BGP sessions and LLDP neighbours with what they were.
// Only when a whole wave holds is it confirmed; when one switch of it fails, the
// wave goes back and the push stops.
//
// What a device answers is believed only as far as reading back bears it out:
// an error does not prove that nothing changed, and OK does not prove that
// something did.
//
// A device whose answer was lost may still be at work on it. It is watched for as
// long as a change may take, looked at once more at the end of the run, and
// reported as uncertain, with the journal left open, where it never showed what it
// did. A commit that waits to be confirmed is given more time for as long as its
// wave takes and the device answers.
//
// The journal knows of a send before it goes out. Whatever happens, each switch
// that may have been touched is in the report, with where it stands.
package rollout
