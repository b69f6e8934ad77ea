package outdir

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

const formatVersion = "1.0"

// manifest is the list of all files of an output directory. It has no times, so
// that the same cluster gives the same manifest.
type manifest struct {
	FormatVersion   string   `json:"format_version"`
	RailyardVersion string   `json:"railyard_version"`
	ClusterSHA256   string   `json:"cluster_sha256"`
	Files           []*entry `json:"files"` // sorted by path
}

// entry is one file of a manifest.
type entry struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Secret bool   `json:"secret,omitempty"` // mode 0600
}

// encode writes one file a line, so that a text diff of two manifests is short.
func (m manifest) encode() []byte {
	var b bytes.Buffer
	text := func(v any) []byte {
		out, _ := json.Marshal(v) // strings and numbers always marshal
		return out
	}
	fmt.Fprintf(&b, "{\n  \"format_version\": %s,\n  \"railyard_version\": %s,\n  \"cluster_sha256\": %s,\n  \"files\": [",
		text(formatVersion), text(m.RailyardVersion), text(m.ClusterSHA256))
	sep := "\n    "
	for _, e := range m.Files {
		b.WriteString(sep)
		b.Write(text(e))
		sep = ",\n    "
	}
	if len(m.Files) > 0 {
		b.WriteString("\n  ")
	}
	b.WriteString("]\n}\n")
	return b.Bytes()
}

// decode reads a manifest that may be damaged, foreign or hostile: no path in it
// is believed before it was checked.
func decode(body []byte) (*manifest, error) {
	var m manifest
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("not a manifest: %w", err)
	}
	if m.FormatVersion == "" {
		return nil, errors.New("not a manifest: no format_version")
	}
	if major, _, _ := strings.Cut(m.FormatVersion, "."); major != "1" {
		return nil, fmt.Errorf("format_version %q is not one this railyard reads", m.FormatVersion)
	}
	seen := make(map[string]bool, len(m.Files))
	for _, e := range m.Files {
		switch {
		case e == nil:
			return nil, errors.New("an empty entry in files")
		case checkPath(e.Path) != nil:
			return nil, fmt.Errorf("a path that railyard does not write: %q", e.Path)
		case seen[e.Path]:
			return nil, fmt.Errorf("%s is listed twice", e.Path)
		case e.Size < 0 || !isDigest(e.SHA256):
			return nil, fmt.Errorf("%s has no usable size and sha256", e.Path)
		}
		seen[e.Path] = true
	}
	return &m, nil
}

func isDigest(s string) bool {
	raw, err := hex.DecodeString(s)
	return err == nil && len(raw) == 32 && s == strings.ToLower(s)
}
