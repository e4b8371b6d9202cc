package inventory

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/values"
)

// maxDescription is the number of lines of a comment of values.yaml that a starter repeats. Public
// packs have comments of a hundred lines, with examples.
const maxDescription = 5

// field is a key of a starter: a value, or the keys below it.
type field struct {
	name string
	// key is the name as it is printed, see keyOf.
	key string
	// below are the keys of a map, and byName the same by their names. A value has none.
	below  []*field
	byName map[string]*field
	// value is the default, or nil if the pack has none.
	value *yaml.Node
	// comments are lines of text, without the `#`.
	comments []string
	// isOpen is true if the users must set the value, or a value below it.
	isOpen bool
}

// Starter returns a PackValues with the values of a pack that its users set: the values that the schema
// has and does not mark as read-only, and the values that values.yaml explains by a comment. If there are none,
// or isAll is true, it has all values. Each is in a comment, with its default and what is known of it. A value
// that is required and that neither the pack nor an override sets is a placeholder:
//
//	spec:
//	  packRef:
//	    name: registry
//	  values: |
//	    registry:
//	    #   # Clients pull from this port.
//	    #   # number in [5000-5005]
//	    #   port: 5000
//	      # required
//	      hostname: CHANGE_ME
//
// open are the keys of the placeholders.
func Starter(p *pack.Pack, name string, isAll bool) (text string, open []string, err error) {
	all, err := Values(p)
	if err != nil {
		return "", nil, err
	}
	entries, err := EntriesOf(p)
	if err != nil {
		return "", nil, err
	}
	document, err := mapping(p.Values)
	if err != nil {
		return "", nil, err
	}
	s := starter{entries: entries, lines: document.Lines(), values: map[string]*Value{}}
	s.effective, _ = p.Effective()
	for i := range all {
		s.values[all[i].Key] = &all[i]
	}
	root, commented := &field{}, values.WithComments(document.Root())
	for s.isAll = isAll; ; s.isAll = true {
		s.add(root, commented, "", false)
		for i := range all {
			s.addAbsent(root, &all[i])
		}
		if len(root.below) > 0 || s.isAll {
			break
		}
	}
	if len(root.below) == 0 {
		return "", nil, fmt.Errorf("the pack %s has no values", p.Name)
	}
	return s.resource(p, name, root), s.open, nil
}

// starter makes the fields of a PackValues.
type starter struct {
	entries   Entries
	lines     *values.Lines
	values    map[string]*Value
	effective *pack.Effective
	isAll     bool
	open      []string
}

// add adds the keys of a map of the pack's own values. isExplained is true if the comment of the map is about them:
//
//	# Where clients connect.
//	address: {host: "", port: 80}
func (s *starter) add(to *field, n *yaml.Node, path string, isExplained bool) {
	for _, pair := range values.Pairs(n) {
		name, ok := pair.Name()
		if !ok || len(name) > values.MaxKey {
			continue
		}
		key, one := diag.Join(path, name), &field{name: name, key: keyOf(pair.Key), comments: s.comments(pair)}
		isExplained := isExplained || len(one.comments) > 0 || pair.Value.LineComment != ""
		if v := s.values[key]; v != nil {
			if v.isReadOnly() || !s.isAll && v.Entry == nil && !isExplained {
				continue
			}
			s.describe(one, v, pair.Value)
		} else if s.add(one, pair.Value, key, isExplained && pair.Value.Style&yaml.FlowStyle != 0); len(one.below) == 0 {
			continue
		}
		to.add(one)
	}
}

// addAbsent adds a key of the schema that the pack's own values do not have.
func (s *starter) addAbsent(root *field, v *Value) {
	if v.Node != nil || v.Entry == nil || v.isReadOnly() {
		return
	}
	steps := v.Entry.Path.Steps()
	if slices.ContainsFunc(steps, func(step string) bool { return len(step) > values.MaxKey }) {
		return
	}
	if i := slices.Index(steps, values.Wildcard); i >= 0 { // the elements of a list, which is one value
		steps = steps[:i]
	}
	at := root
	var passed []*field
	for i, step := range steps {
		next := at.byName[step]
		switch {
		case next != nil && (len(next.below) == 0 || i == len(steps)-1): // a value of the pack, or the same list
			return
		case next == nil:
			next = &field{name: step, key: values.Quote(step)}
			at.add(next)
		}
		passed, at = append(passed, at), next
	}
	if len(steps) == 0 {
		return
	}
	if own := s.values[strings.Join(steps, ".")]; own != nil { // a list without such elements
		v = &Value{own.Key, own.Node, v.Entry, own.Presets}
	}
	s.describe(at, v, v.Node)
	for _, above := range passed {
		above.isOpen = above.isOpen || at.isOpen
	}
}

// comments returns the first lines of the comment above a key.
func (s *starter) comments(pair values.Pair) []string {
	all := description(pair, s.lines)
	if len(all) > maxDescription {
		all = append(all[:maxDescription:maxDescription], "…")
	}
	return all
}

// add adds a key.
func (f *field) add(below *field) {
	if f.byName == nil {
		f.byName = map[string]*field{}
	}
	f.below, f.byName[below.name], f.isOpen = append(f.below, below), below, f.isOpen || below.isOpen
}

// describe adds a value, with its comments, to its field, and what is known of it.
func (s *starter) describe(to *field, v *Value, value *yaml.Node) {
	to.value = value
	var known []string
	if accepted := Accepted(v.Entry); accepted != "" {
		known = append(known, accepted)
	}
	if len(known) > 0 && v.Entry.Key != v.Key {
		known[0] = v.Entry.Key + ": " + known[0]
	}
	if len(v.Presets) > 0 {
		known = append(known, "presets that set it: "+strings.Join(v.Presets, ", "))
	}
	if v.Entry != nil {
		for _, hint := range v.Entry.Template.Hints {
			isSame := func(text string) bool { return strings.EqualFold(strings.TrimRight(text, "."), hint) }
			if !slices.ContainsFunc(to.comments, isSame) {
				to.comments = append(to.comments, hint)
			}
		}
	}
	if len(known) > 0 {
		to.comments = append(to.comments, strings.Join(known, "; "))
	}
	if v.Entry != nil && v.Entry.Template.Required && !s.isSet(v) {
		to.value, to.isOpen = node.Text(Unknown), true
		s.open = append(s.open, v.Key)
	} else if to.value != nil {
		to.value = s.visible(to.value, v.Key)
	}
}

// isSet reports whether a value is in the effective values of the pack, and not empty.
func (s *starter) isSet(v *Value) bool {
	if s.effective == nil || slices.Contains(v.Entry.Path.Steps(), values.Wildcard) {
		return true // the findings of a check are about faults and elements of lists
	}
	for _, m := range s.effective.Tree.Find(v.Entry.Path) {
		n := values.Resolve(m.Node)
		if m.State == values.Present && !values.IsNull(n) && (n.Kind == yaml.ScalarNode && n.Value != "" || len(n.Content) > 0) {
			return true
		}
	}
	return false
}

// visible returns a value with placeholders for its parts that may be secrets, or for which kpt would quote the text.
// It has no aliases and anchors, because what they refer to may be left out.
func (s *starter) visible(n *yaml.Node, path string) *yaml.Node {
	n = values.Resolve(n)
	own := *n
	own.Anchor = ""
	switch n.Kind {
	case yaml.SequenceNode:
		own.Content = nil
		for i, child := range n.Content {
			own.Content = append(own.Content, s.visible(child, fmt.Sprintf("%s[%d]", path, i)))
		}
	case yaml.MappingNode:
		own.Content = nil
		for _, pair := range values.Pairs(n) {
			name, ok := pair.Name()
			if !ok {
				return node.Text(Unknown)
			}
			key := *values.Resolve(pair.Key)
			key.Anchor = ""
			own.Content = append(own.Content, &key, s.visible(pair.Value, diag.Join(path, name)))
		}
	default:
		if s.entries.Show(path, n, diag.Terminal) == shown.Hidden || n.Value != printed(n.Value) {
			return node.Text(Unknown)
		}
	}
	return &own
}

// isReadOnly reports whether users must not set a value.
func (v *Value) isReadOnly() bool { return v.Entry != nil && v.Entry.Template.ReadOnly }

// printed returns a text without the characters for which kpt quotes a text of several lines.
func printed(text string) string {
	return strings.Map(func(r rune) rune {
		if !kptpackage.IsPrinted(r) && r != '\n' {
			return -1
		}
		return r
	}, text)
}

// resource prints the PackValues.
func (s *starter) resource(p *pack.Pack, name string, root *field) string {
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n    %s: \"true\"\nspec:\n  packRef:\n    name: %s\n",
		pack.GroupVersion, pack.PackValuesKind, values.Quote(name), list.LocalConfigAnnotation, values.Quote(p.Name))
	fmt.Fprintf(&b, "  # Values of %s. To set one, remove the # before it, and before the keys above it.\n  values: |\n", strings.TrimSpace(printed(diag.OneLine(p.Name+" "+p.Version))))
	for _, one := range root.below {
		one.write(&b, "")
	}
	return b.String()
}

// write writes a field, in comments if users need not set it.
func (f *field) write(b *strings.Builder, indent string) {
	line := func(text string) {
		mark := "# "
		if f.isOpen {
			mark = ""
		}
		b.WriteString(strings.TrimRight("    "+mark+indent+printed(text), " ") + "\n")
	}
	for _, text := range f.comments {
		line("# " + diag.OneLine(text))
	}
	if len(f.below) > 0 {
		line(f.key + ":")
		for _, one := range f.below {
			one.write(b, indent+"  ")
		}
		return
	}
	value := f.value
	if value == nil {
		value = &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	}
	for text := range strings.SplitSeq(yamlOf(f.key, value), "\n") {
		line(text)
	}
}

// keyOf prints a key of the pack's own values on one line. It stays without quotes if it has none there, because some
// readers take on, or 1.30, without quotes for another key than "on" or "1.30".
func keyOf(key *yaml.Node) string {
	key = values.Resolve(key)
	if key.Style == 0 && key.Value != "" && key.Value == printed(key.Value) {
		return key.Value
	}
	return values.Quote(key.Value)
}

// yamlOf prints a key with its value.
func yamlOf(key string, value *yaml.Node) string {
	return key + strings.TrimRight(strings.TrimPrefix(encode(node.Map(node.Text("k"), value)), "k"), "\n")
}
