// Package openconfig writes a designed switch as an OpenConfig document: the
// instance data of RFC 7951 that a gNMI target takes as JSON_IETF.
//
// OpenConfig models no priority flow control, and no device takes all of what
// it does model. What a document cannot carry comes back as gaps, each with
// what to use instead, so that nothing is left out in silence.
//
// Package oc holds the models as Go structs, made by ygot out of
// openconfig/public v5.9.0:
//
//	RAILYARD_YANG_DIR=<folder that holds openconfig/> go generate ./vendors/openconfig
package openconfig

//go:generate go run ./generate oc
