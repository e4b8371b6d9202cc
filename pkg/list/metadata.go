package list

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// Metadata returns the item's labels and annotations as they are written, to select resources by
// them. The item is parsed only if its text is not recognized with certainty, and only then an
// error is possible, which is the error of its document.
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

// AmbiguousMetadata returns what an API server reads otherwise of the item's metadata, see
// [decode.AmbiguousMetadata]. The item is parsed only when its text leaves a doubt.
func (i *Item) AmbiguousMetadata() iter.Seq[diag.Finding] {
	none := func(func(diag.Finding) bool) {}
	if i.parsed == nil && i.edited == "" && isString(i.name) && isString(i.namespace) && areStrings(i.labels) && areStrings(i.annotations) {
		return none
	}
	document, err := i.Document()
	if err != nil {
		return none // reported when the item is read
	}
	return func(yield func(diag.Finding) bool) {
		for f := range decode.AmbiguousMetadata(document.Root(), "") {
			name, _ := strings.CutPrefix(f.Key, "metadata.annotations.")
			if !isOfClient(name) && !yield(f) {
				return
			}
		}
	}
}

// MayBeAmbiguous reports whether the item may have a scalar that an API server reads otherwise. It saves
// parsing the item.
func (i *Item) MayBeAmbiguous() bool { return values.MayDifferInAPIServer(i.Text()) }

// isString reports whether a text is a string for an API server, also without quotes.
func isString(text string) bool {
	_, is := values.APIServerText(&yaml.Node{Kind: yaml.ScalarNode, Value: text})
	return is
}

// areStrings reports whether the labels or annotations of an item are strings for an API server. If only
// the parser can tell, it reports false.
func areStrings(block []byte) bool {
	for c := range entries(block) {
		text, isPlain, ok := scalarText(c)
		if !ok || isPlain && !isString(text) || !isString(string(c.key)) {
			return false
		}
	}
	return true
}

// Annotations returns the item's annotations, as [Item.Metadata] does.
func (i *Item) Annotations() (map[string]string, error) {
	if known := cmp.Or(i.annotated, &i.parsed); *known != nil {
		return *known, nil
	}
	_, annotations, err := i.Metadata()
	return annotations, err
}

// AnnotationNames returns the names of the item's annotations but some, also of those that are no
// texts. It parses less than [Item.Annotations].
func (i *Item) AnnotationNames(leaveOut map[string]bool) (names []string, err error) {
	if i.parsed == nil && i.edited == "" {
		isRead := true
		for c := range entries(i.annotations) {
			isRead = c.kind == lineKey
			if !leaveOut[string(c.key)] {
				names = append(names, string(c.key))
			}
		}
		if isRead {
			return names, nil
		}
	}
	names = slices.Clone(i.noTexts)
	if known := cmp.Or(i.annotated, &i.parsed); *known != nil {
		names = slices.AppendSeq(names, maps.Keys(*known))
	} else {
		document, err := i.Document()
		if err != nil {
			return nil, err
		}
		names = slices.Collect(maps.Keys(values.ByName(values.Field(document.Root(), "metadata", "annotations"))))
	}
	names = slices.DeleteFunc(names, func(name string) bool { return leaveOut[name] })
	slices.Sort(names)
	return names, nil
}

// Texts returns the scalars of a mapping, as they are written, by their keys: how
// labels and annotations are read. Null is "". Merge keys are followed.
func Texts(mapping *yaml.Node) map[string]string {
	pairs := values.Pairs(mapping)
	if pairs == nil {
		return nil
	}
	found := make(map[string]string, len(pairs))
	for _, p := range pairs {
		if name, ok := p.Name(); ok && p.Value.Kind == yaml.ScalarNode {
			found[name] = values.Text(p.Value)
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

// textsOf reads the entries of the labels or annotations from their text. It is not
// ok when only the parser can tell.
func textsOf(block []byte) (found map[string]string, ok bool) {
	for c := range entries(block) {
		text, _, ok := scalarText(c)
		if !ok {
			return nil, false
		}
		if found == nil {
			found = map[string]string{}
		}
		found[string(c.key)] = text
	}
	return found, true
}

// readTexts reads the entries of some keys. It reports false when only the parser can tell.
func readTexts(block []byte, keys, texts []string) bool {
	for c := range entries(block) {
		at := slices.Index(keys, string(c.key))
		if at < 0 && c.kind == lineKey {
			continue
		}
		text, _, ok := scalarText(c)
		if !ok {
			return false
		}
		texts[at] = text
	}
	return true
}

// entries yields the `key: value` lines of a mapping, and a line that is unsure where only
// the parser can tell what follows. A value that goes on in the next line is left out.
func entries(block []byte) iter.Seq[line] {
	return func(yield func(line) bool) {
		column, last := -1, line{}
		for text := range bytes.Lines(block) {
			text = bytes.TrimSuffix(text, []byte("\n"))
			indent := indentOf(text)
			switch {
			case indent < 0:
				continue
			case column < 0:
				column = indent
			case indent > column:
				last.value = nil
				continue
			}
			c := classify(text, indent)
			if indent < column || c.kind != lineKey || c.dashes > 0 || string(c.key) == "<<" {
				yield(line{})
				return
			}
			if last.kind == lineKey && !yield(last) {
				return
			}
			last = c
		}
		if last.kind == lineKey {
			yield(last)
		}
	}
}
