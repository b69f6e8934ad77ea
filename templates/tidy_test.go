package templates

import "testing"

func TestTidy(t *testing.T) {
	if got := string(Tidy([]byte("a  \n\n   \n b\t\r\n\nc"))); got != "a\n b\nc\n" {
		t.Errorf("%q", got)
	}
}
