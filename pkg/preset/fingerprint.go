package preset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// absent is the fingerprint of a leaf that does not exist.
const absent = "-"

// digits is the length of all other fingerprints.
const digits = 8

// fingerprint returns what a leaf was, without showing its value: the first 8 hex digits
// of the SHA-256 over the canonical JSON of its path, its tag and its text. A list is one
// leaf. Of a map only its kind counts: its values are leaves of their own. Equal values
// have one fingerprint.
func fingerprint(path string, n *yaml.Node) string {
	n = values.Resolve(n)
	var of any
	switch {
	case n == nil:
		return absent
	case isMap(n):
		of = []any{path, "!!map"}
	case isList(n):
		of = []any{path, "!!seq", canonicalTree(n, values.Normal)}
	default:
		tag, text := values.Normal(n)
		of = []any{path, tag, text}
	}
	sum := sha256.Sum256(canonical(of))
	return hex.EncodeToString(sum[:])[:digits]
}

// canonicalTree returns a tree for its canonical JSON, with what scalar returns of a scalar.
func canonicalTree(n *yaml.Node, scalar func(*yaml.Node) (tag, text string)) any {
	n = values.Resolve(n)
	switch {
	case n == nil:
		return nil
	case isMap(n):
		all := map[string]any{}
		for _, e := range values.Pairs(n) {
			name, ok := e.Name()
			if !ok {
				name = string(canonical(canonicalTree(e.Key, scalar)))
			}
			all[name] = canonicalTree(e.Value, scalar)
		}
		return all
	case isList(n):
		list := []any{}
		for _, element := range n.Content {
			list = append(list, canonicalTree(element, scalar))
		}
		return list
	}
	tag, text := scalar(n)
	return [2]string{tag, text}
}

// isFingerprint reports whether a text can be a fingerprint.
func isFingerprint(text string) bool {
	return text == absent || len(text) == digits && strings.Trim(text, "0123456789abcdef") == ""
}

// maxSteps is how many keys a leaf can be below.
const maxSteps = 1000

// pathText writes the keys that lead to a leaf. Keys that would make the path ambiguous
// are in brackets: `node["store.mmap"]`.
func pathText(steps []string) string {
	var b strings.Builder
	for i, step := range steps {
		switch {
		case step == "" || strings.ContainsAny(step, `.["`):
			b.WriteByte('[')
			b.Write(canonical(step))
			b.WriteByte(']')
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

// parsePathText reads what pathText writes. It reports false for everything else.
func parsePathText(text string) ([]string, bool) {
	var steps []string
	for rest := text; rest != ""; {
		if len(steps) == maxSteps {
			return nil, false
		}
		if quoted, ok := strings.CutPrefix(rest, "["); ok {
			var step string
			d := json.NewDecoder(strings.NewReader(quoted))
			if d.Decode(&step) != nil {
				return nil, false
			}
			if rest, ok = strings.CutPrefix(quoted[d.InputOffset():], "]"); !ok {
				return nil, false
			}
			steps = append(steps, step)
			continue
		}
		if len(steps) > 0 {
			rest = strings.TrimPrefix(rest, ".")
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		steps, rest = append(steps, rest[:end]), rest[end:]
	}
	return steps, pathText(steps) == text && text != ""
}
