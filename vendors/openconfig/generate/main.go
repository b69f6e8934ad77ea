// Command generate writes the Go structs of the OpenConfig models that railyard
// uses, package oc, from the YANG files under RAILYARD_YANG_DIR/openconfig.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("generate: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: generate DIR, with RAILYARD_YANG_DIR set to the folder that holds openconfig/")
	}
	if err := run(os.Getenv("RAILYARD_YANG_DIR"), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(yangDir, dir string) error {
	if yangDir == "" {
		return fmt.Errorf("RAILYARD_YANG_DIR is not set; it names the folder that holds openconfig/")
	}
	files, err := generate(filepath.Join(yangDir, "openconfig"))
	if err != nil {
		// ygot's errors hold the whole schema.
		return fmt.Errorf("%.500s", err)
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.body, 0o644); err != nil {
			return err
		}
	}
	return nil
}
