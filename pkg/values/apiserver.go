package values

import (
	"bytes"
	"encoding/json"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.yaml.in/yaml/v3"
)

// APIServerText returns the text of a plain scalar after kubectl has sent it to an API server as
// JSON, and reports whether it is a string there. kubectl, kustomize and Helm read YAML 1.1:
//
//	version: 1.30     # the number 1.3
//	name: on          # the boolean true
//	mode: 0123        # the number 83
//	revision: 3       # the number 3
//	version: 1.31.2   # a string
//
// The text is "" for a number that JSON does not have, such as .inf: kubectl rejects it.
// Everything else than a plain scalar is a string with its own text, and so is a null, which
// stands for an absent field.
func APIServerText(n *yaml.Node) (text string, isString bool) {
	if n == nil || n.Kind != yaml.ScalarNode || n.Style != 0 {
		return Source(n), true
	}
	switch value := readByAPIServer(n.Value).(type) {
	case string, nil:
		return n.Value, true
	default:
		written, _ := json.Marshal(value) // an error for .inf and .nan
		return string(written), false
	}
}

// APIServerKey is [APIServerText] for a key of a map, which JSON always has as a string.
func APIServerKey(key *yaml.Node) string {
	if key == nil || key.Kind != yaml.ScalarNode || key.Style != 0 {
		return Source(key)
	}
	switch value := readByAPIServer(key.Value).(type) {
	case float64:
		const precision = 32 // of sigs.k8s.io/yaml
		written := strconv.FormatFloat(value, 'g', -1, precision)
		if math.IsInf(value, 0) || math.IsNaN(value) { // +Inf, -Inf, NaN
			written = strings.ToLower(strings.Replace(strings.TrimPrefix(written, "+"), "Inf", ".inf", 1))
			written = strings.Replace(written, "nan", ".nan", 1)
		}
		return written
	case bool, int64, uint64:
		written, _ := json.Marshal(value) // no error
		return string(written)
	}
	return key.Value
}

// readByAPIServer returns the value that sigs.k8s.io/yaml reads from a plain scalar: a string, a
// bool, an int64, a uint64, a float64 or nil.
func readByAPIServer(text string) any {
	if text == "" {
		return nil
	}
	if is, ok := wordOf(text); ok {
		return is
	}
	switch c := text[0]; {
	case c == '~' || c == 'n' || c == 'N':
		if readsAs(text) == nullTag {
			return nil
		}
	case c == '.' || c == '+' || c == '-' || c >= '0' && c <= '9':
		if value := numberOf(text); value != nil {
			return value
		}
	}
	return text
}

// wordOf returns the boolean that a word is in YAML 1.1. It reports false for any other text.
func wordOf(text string) (is, ok bool) {
	switch text {
	case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON":
		return true, true
	case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF":
		return false, true
	}
	return false, false
}

// floatElsewhere matches the floats of sigs.k8s.io/yaml that do not begin with a point.
var floatElsewhere = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
})

// numberOf returns the number that sigs.k8s.io/yaml reads from a plain scalar, or nil if it reads
// no number. It takes dates for strings, and knows no numbers to the base 60.
func numberOf(text string) any {
	if word := strings.ToLower(text); strings.HasSuffix(word, ".inf") && readsAs(text) == floatTag {
		return math.Inf(1 - 2*strings.Count(word, "-"))
	} else if word == ".nan" && readsAs(text) == floatTag {
		return math.NaN()
	}
	if text[0] == '.' {
		if value, err := strconv.ParseFloat(text, 64); err == nil {
			return value
		}
		return nil
	}
	const digits = "0123456789"
	if rest := strings.TrimLeft(text, digits); len(text)-len(rest) == len("2006") && strings.HasPrefix(rest, "-") && isDate(text) {
		return nil
	}
	plain := strings.ReplaceAll(text, "_", "")
	if value, err := strconv.ParseInt(plain, 0, 64); err == nil {
		return value
	}
	if value, err := strconv.ParseUint(plain, 0, 64); err == nil {
		return value
	}
	if floatElsewhere().MatchString(plain) {
		if value, err := strconv.ParseFloat(plain, 64); err == nil {
			return value
		}
	}
	return nil
}

// isDate reports whether a text is a date for sigs.k8s.io/yaml.
func isDate(text string) bool {
	for _, format := range []string{"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00", "2006-1-2 15:4:5.999999999", "2006-1-2"} {
		if _, err := time.Parse(format, text); err == nil {
			return true
		}
	}
	return false
}

// MayDifferInAPIServer reports whether a YAML text may have a scalar whose text is another one after
// an API server has read it, see [APIServerText], or a number with a fraction, which is often meant as a
// version. False is certain. It saves parsing the text.
func MayDifferInAPIServer(text []byte) bool {
	const separators = " \t\r\n,[]{}:\"'"
	for len(text) > 0 {
		end := bytes.IndexAny(text, separators)
		if end < 0 {
			end = len(text)
		}
		if word := text[:end]; len(word) > 0 && mayDiffer(word[0]) {
			n := &yaml.Node{Kind: yaml.ScalarNode, Value: string(word)}
			other, isString := APIServerText(n)
			if other != n.Value || APIServerKey(n) != n.Value || !isString && bytes.IndexByte(word, '.') >= 0 {
				return true
			}
		}
		text = text[min(end+1, len(text)):]
	}
	return false
}

// mayDiffer reports whether a scalar that begins with a character may be no string.
func mayDiffer(c byte) bool {
	return c >= '0' && c <= '9' || bytes.IndexByte([]byte(".+-yYnNtTfFoO"), c) >= 0
}

// AsAPIServer returns a tree as an API server has it: plain scalars, and keys, that it reads as another
// text than the one that is written have that text. They stay at their places.
func AsAPIServer(n *yaml.Node) *yaml.Node {
	return asAPIServer(n, map[*yaml.Node]*yaml.Node{})
}

// asAPIServer is [AsAPIServer]. anchored are the nodes with anchors that were read before.
func asAPIServer(n *yaml.Node, anchored map[*yaml.Node]*yaml.Node) *yaml.Node {
	if n == nil {
		return nil
	}
	read := *n
	if n.Anchor != "" {
		anchored[n] = &read
	}
	switch n.Kind {
	case yaml.AliasNode:
		read.Alias = anchored[n.Alias]
	case yaml.ScalarNode:
		switch text, isString := APIServerText(n); {
		case isString && (n.ShortTag() == intTag || n.ShortTag() == floatTag) && n.Style == 0: // 0o+1
			read.Tag, read.Style = strTag, yaml.DoubleQuotedStyle
		case !isString && text != "" && text != n.Value:
			read.Value, read.Tag = text, readsAs(text)
		}
	default:
		read.Content = make([]*yaml.Node, len(n.Content))
		for i, child := range n.Content {
			read.Content[i] = asAPIServer(child, anchored)
			if text := APIServerKey(child); n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind == yaml.ScalarNode {
				if text != child.Value {
					key := *child // an alias of it is still a value
					key.Value, key.Tag, key.Style = text, strTag, yaml.DoubleQuotedStyle
					read.Content[i] = &key
				}
			}
		}
	}
	return &read
}
