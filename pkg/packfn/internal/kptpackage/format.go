package kptpackage

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"unicode/utf8"

	"sigs.k8s.io/kustomize/kyaml/kio"
)

// Format returns the text of a file as kpt writes it after a function that changes
// nothing: with kpt's reader and writer. A text that it returned stays as it is.
func Format(text []byte) ([]byte, error) {
	// kpt guesses the indentation of lists from the text, so that the second result
	// may differ from the first.
	for range 4 {
		formatted, err := formatOnce(text)
		if err != nil {
			return nil, err
		}
		if bytes.Equal(formatted, text) {
			return text, nil
		}
		text = formatted
	}
	return nil, errors.New("kpt writes the file differently each time")
}

// formatOnce reads a text with kpt's reader and prints it with kpt's writer.
func formatOnce(text []byte) ([]byte, error) {
	reader := &kio.ByteReader{Reader: bytes.NewReader(text), DisableUnwrapping: true, PreserveSeqIndent: true, WrapBareSeqNode: true}
	nodes, err := reader.Read()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = kio.ByteWriter{Writer: &out}.Write(nodes)
	return out.Bytes(), err
}

var notInNames = regexp.MustCompile(`[^a-z0-9.-]+`)

// ResourceName makes the name of a resource of another name, "" if nothing of it can be one.
func ResourceName(name string) string {
	return strings.Trim(notInNames.ReplaceAllString(strings.ToLower(name), "-"), "-.")
}

// IsPrinted reports whether kpt's printer writes a character without an escape, and readers of YAML take it for a part
// of its line: U+0085, U+2028 and U+2029 are line breaks.
func IsPrinted(r rune) bool {
	switch {
	case r == '\t', r >= ' ' && r <= '~':
		return true
	case r == 0x2028, r == 0x2029:
		return false
	}
	return r >= 0xa0 && r <= 0xfffd && r != 0xfeff && utf8.ValidRune(r)
}
