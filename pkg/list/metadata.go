package list

import (
	"bytes"
	"maps"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Metadata returns the item's labels and annotations, as they are written: what
// selects resources. The item is parsed only when its text leaves a doubt, and
// then the error is that of its document.
func (i *Item) Metadata() (labels, annotations map[string]string, err error) {
	if i.parsed == nil && i.edited == "" {
		labels, one := textsOf(i.labels)
		annotations, other := textsOf(i.annotations)
		if one && other {
			return labels, annotations, nil
		}
	}
	document, err := i.Document()
	if err != nil {
		return nil, nil, err
	}
	root := document.Root()
	return Texts(values.Field(root, "metadata", "labels")), Texts(values.Field(root, "metadata", "annotations")), nil
}

// Annotations returns the item's annotations, as [Item.Metadata] does.
func (i *Item) Annotations() (map[string]string, error) {
	if i.parsed != nil {
		return i.parsed, nil
	}
	_, annotations, err := i.Metadata()
	return annotations, err
}

// AnnotationNames returns the names of the item's annotations but some. It parses less than
// [Item.Annotations].
func (i *Item) AnnotationNames(leaveOut map[string]bool) (names []string, err error) {
	if i.parsed == nil && i.edited == "" {
		if entries(i.annotations, func(c line) (plain, ok bool) {
			if !leaveOut[string(c.key)] {
				names = append(names, string(c.key))
			}
			return false, true
		}) {
			return names, nil
		}
	}
	annotations, err := i.Annotations()
	return slices.Collect(maps.Keys(annotations)), err
}

// Texts returns the scalars of a mapping, as they are written, by their keys: how
// labels and annotations are read. Null is "". Merge keys are followed.
func Texts(mapping *yaml.Node) map[string]string {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil
	}
	found := make(map[string]string, len(mapping.Content)/2)
	for at := 0; at+1 < len(mapping.Content); at += 2 {
		key, value := values.Resolve(mapping.Content[at]), values.Resolve(mapping.Content[at+1])
		if key.ShortTag() == "!!merge" {
			return mergedTexts(mapping)
		}
		if value.Kind == yaml.ScalarNode {
			found[key.Value] = values.Text(value)
		}
	}
	return found
}

// Shared keeps equal labels and annotations once: a map of one entry takes 300 bytes. The
// zero value is ready to use.
type Shared struct{ all map[string]map[string]string }

// mostShared bounds what is remembered, for texts that all differ.
const mostShared = 1 << 10

// Texts returns the texts, or others that are equal to them. They must not be changed.
func (s *Shared) Texts(texts map[string]string) map[string]string {
	var key []byte
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		key = strconv.AppendQuote(strconv.AppendQuote(key, name), texts[name])
	}
	if known, ok := s.all[string(key)]; ok && (known == nil) == (texts == nil) {
		return known
	}
	if s.all == nil || len(s.all) >= mostShared {
		s.all = map[string]map[string]string{}
	}
	s.all[string(key)] = texts
	return texts
}

// mergedTexts leaves merge keys, which are rare here, to the parser.
func mergedTexts(mapping *yaml.Node) map[string]string {
	var nodes map[string]yaml.Node
	if mapping.Decode(&nodes) != nil {
		return nil
	}
	found := make(map[string]string, len(nodes))
	for key := range nodes {
		n := nodes[key]
		if value := values.Resolve(&n); value.Kind == yaml.ScalarNode {
			found[key] = values.Text(value)
		}
	}
	return found
}

// textsOf reads the entries of the labels or annotations from their text. It is not
// ok when only the parser can tell.
func textsOf(block []byte) (found map[string]string, ok bool) {
	ok = entries(block, func(c line) (plain, ok bool) {
		value, plain, ok := scalarText(c)
		if _, duplicate := found[string(c.key)]; !ok || duplicate || plain && !isStringWord(value) {
			return false, false
		}
		if found == nil {
			found = map[string]string{}
		}
		found[string(c.key)] = value
		return plain, true
	})
	return found, ok
}

// textsAt finds annotations in the text of all. It is not ok when only the parser can tell.
func textsAt(block []byte, keys ...string) (texts []string, ok bool) {
	texts = make([]string, len(keys))
	// A key that is nowhere in the text is absent, unless it is escaped, an alias or merged,
	// or the text is that of unread.
	isThere := func(key string) bool { return bytes.Contains(block, []byte(key)) }
	if !slices.ContainsFunc(keys, isThere) && !bytes.ContainsAny(block, `\*<?`) {
		return texts, true
	}
	ok = entries(block, func(c line) (plain, ok bool) {
		at := slices.Index(keys, string(c.key))
		if at < 0 {
			return false, true
		}
		text, plain, ok := scalarText(c)
		if !ok || texts[at] != "" || plain && isNullWord(text) {
			return false, false
		}
		texts[at] = text
		return plain, true
	})
	return texts, ok
}

// entries passes the `key: value` lines of a mapping to visit, which reports
// whether it took a plain value, and whether it understood the line. entries
// reports false when it, or visit, does not understand a line.
func entries(block []byte, visit func(line) (plain, ok bool)) bool {
	column, plain := -1, false
	for len(block) > 0 {
		var text []byte
		text, block, _ = bytes.Cut(block, []byte("\n"))
		indent := indentOf(text)
		if indent < 0 {
			continue
		}
		if column < 0 {
			column = indent
		}
		if indent > column {
			if plain {
				return false // the value goes on
			}
			continue
		}
		c := classify(text, indent)
		if indent < column || c.kind != lineKey || c.dashes > 0 || string(c.key) == "<<" {
			return false
		}
		var ok bool
		if plain, ok = visit(c); !ok {
			return false
		}
	}
	return true
}
