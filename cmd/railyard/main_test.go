package main

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"railyard": func() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// The stories of testdata run the real command, one file a story.
func TestStories(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata"})
}
