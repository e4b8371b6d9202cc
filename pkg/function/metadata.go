package function

import (
	"bytes"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Metadata returns the item's labels and annotations, as they are written: what
// selects resources. The item is parsed only when its text leaves a doubt, and
// the error is that of its document then.
func (i *Item) Metadata() (labels, annotations map[string]string, err error) {
	if i.parsed == nil && i.edited == "" && !i.document && flowText(i.text) == nil {
		if found, ok := lookAtMetadata(i.text); ok {
			return found["labels"], found["annotations"], nil
		}
	}
	document, err := i.Document()
	if err != nil {
		return nil, nil, err
	}
	metadata := field(document.Root(), "metadata")
	return scalarTexts(field(metadata, "labels")), scalarTexts(field(metadata, "annotations")), nil
}

// scalarTexts are the scalars of a mapping by their keys.
func scalarTexts(mapping *yaml.Node) map[string]string {
	if mapping == nil || mapping.Kind != yaml.MappingNode || len(mapping.Content) == 0 {
		return nil
	}
	found := make(map[string]string, len(mapping.Content)/2)
	for at := 0; at+1 < len(mapping.Content); at += 2 {
		if value := values.Resolve(mapping.Content[at+1]); value.Kind == yaml.ScalarNode {
			found[mapping.Content[at].Value] = value.Value
		}
	}
	return found
}

// lookAtMetadata reads the texts of the mappings in an item's metadata from the
// lines of a block style item. It is not ok when only the parser can tell.
func lookAtMetadata(item []byte) (found map[string]map[string]string, ok bool) {
	found = map[string]map[string]string{}
	// The columns of the item's keys, of those of metadata, and of the entries of
	// the mapping under way, and of the key whose plain value came last, which a
	// deeper line would continue; -1 while they are not known.
	keys, under, entries, scalar := -1, -1, -1, -1
	var into map[string]string
	inside := false
	for len(item) > 0 {
		var text []byte
		text, item, _ = bytes.Cut(item, []byte("\n"))
		indent := len(text) - len(bytes.TrimLeft(text, " "))
		if indent == len(text) || text[indent] == '#' {
			continue
		}
		if keys >= 0 && indent > keys && !inside {
			continue
		}
		c := classify(text, indent)
		switch {
		case keys < 0 || indent <= keys: // a key of the item
			if inside {
				return found, true
			}
			if keys < 0 && c.kind == lineNothing {
				continue
			}
			if keys < 0 {
				keys = c.column
			} else if c.dashes > 0 {
				continue // a list in the column of its key
			}
			if c.kind != lineKey {
				return nil, false
			}
			if inside = string(c.key) == "metadata"; inside && (len(c.value) > 0 || c.block || c.refers) {
				return nil, false
			}
		case under < 0 || indent <= under: // a key of metadata
			if under < 0 {
				under = indent
			}
			entries, scalar, into = -1, -1, nil
			if c.dashes > 0 {
				continue // a list in the column of its key
			}
			if c.kind != lineKey || indent < under {
				return nil, false
			}
			key := string(c.key)
			if key != "labels" && key != "annotations" {
				continue
			}
			if found[key] != nil || len(c.value) > 0 || c.block || c.refers {
				return nil, false
			}
			into = map[string]string{}
			found[key] = into
		case into == nil: // below a key of metadata that nobody asks for
		default: // an entry
			if scalar >= 0 && indent > scalar {
				return nil, false // a plain value that goes on
			}
			if entries < 0 {
				entries = indent
			}
			value, plain, known := scalarText(c)
			if indent != entries || c.dashes > 0 || !known || (plain && !isStringWord(value)) {
				return nil, false
			}
			if _, twice := into[string(c.key)]; twice {
				return nil, false
			}
			into[string(c.key)] = value
			if scalar = -1; plain {
				scalar = indent
			}
		}
	}
	return found, true
}
