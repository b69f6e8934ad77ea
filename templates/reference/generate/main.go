// Command generate writes the tables of templates/README.md. It runs in the folder
// templates: go generate ./templates.
package main

import (
	"fmt"
	"os"

	"railyard/templates/reference"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		return err
	}
	if readme, err = reference.Fill(readme, ".."); err != nil {
		return err
	}
	return os.WriteFile("README.md", readme, 0o644)
}
