package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
)

// slim drops from the JSON schema what ygot does not read at run time and what
// comes out in another order each time, and compresses the rest. The bytes
// depend on the schema alone.
func slim(schema []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(schema))
	dec.UseNumber() // ranges do not fit a float64
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	drop(tree)
	body, err := json.Marshal(tree)
	if err != nil {
		return nil, err
	}
	return compress(body)
}

func compress(body []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(body); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func drop(v any) {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "Augmented")
		delete(v, "Description")
		for _, child := range v {
			drop(child)
		}
	case []any:
		for _, child := range v {
			drop(child)
		}
	}
}
