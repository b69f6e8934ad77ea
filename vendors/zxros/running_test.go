package zxros

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// noise is what a device prints around its configuration.
var noise = regexp.MustCompile(`^(Building configuration.*|Current configuration.*|version .*|timestamp_write: .*|! device: .*|!|)$`)

// TestRunning: what a device prints says the same as our file, once its noise is
// out of the way. The sample is written by hand after the sources in doc.go.
func TestRunning(t *testing.T) {
	body, err := os.ReadFile("../../fixtures/running/zxros/leaf.txt")
	if err != nil {
		t.Fatal(err)
	}
	quiet := func(text string) []string {
		return slices.DeleteFunc(strings.Split(text, "\n"), noise.MatchString)
	}
	got, want := quiet(string(body)), quiet(render(t, leafSpine(true), 0)[config])
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
