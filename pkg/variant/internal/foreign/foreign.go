// Package foreign reads resources of kinds that belong to others, as
// PackageVariants and PackageVariantSets do: the fields that are known have to be
// of their types, those that are not known stay, and all that is wrong is told at
// once, with its path.
//
// Null counts as absent, but not in a list and in a mapping of texts. Aliases and
// merge keys are followed. Numbers and booleans are not taken for text, since YAML
// has already changed some (1.30 is 1.3). What is wrong reads as absent.
//
// The strict reader of package function is for kinds of our own: it fills structs,
// refuses fields that it does not know, and takes no merge keys.
package foreign

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Problem is one thing that is wrong with a resource.
type Problem struct {
	Rule          string
	Warning       bool
	Path, Message string
	Position      values.Position
}

// Reader collects what is wrong, under two rules: Invalid for all but forms that
// stand for another one, which are told by Alias.
type Reader struct {
	Invalid, Alias string
	Problems       []Problem
}

// Field is a value with the path that leads to it; its node is nil when it is
// absent.
type Field struct {
	Node   *yaml.Node
	Path   string
	reader *Reader
	// null is what is told of null, "" where it counts as absent.
	null string
}

// Root begins to read at a node, which is at path.
func (r *Reader) Root(n *yaml.Node, path string) Field {
	return Field{Node: values.Resolve(n), Path: path, reader: r}
}

// Tell adds a problem of the field, which is filled where it is empty.
func (f Field) Tell(p Problem) {
	p.Rule = cmp.Or(p.Rule, f.reader.Invalid)
	p.Path = cmp.Or(p.Path, f.Path)
	p.Position = cmp.Or(p.Position, values.At(f.Node))
	f.reader.Problems = append(f.reader.Problems, p)
}

// Fail tells an error.
func (f Field) Fail(format string, args ...any) {
	f.Tell(Problem{Message: fmt.Sprintf(format, args...)})
}

// Alias warns that the field is a form that stands for another one.
func (f Field) Alias(message string) {
	f.Tell(Problem{Rule: f.reader.Alias, Warning: true, Message: message})
}

// Duplicates tells all keys that stand twice in a field and below it.
func (f Field) Duplicates() {
	for _, d := range values.Of(f.Node).Duplicates() {
		path := cmp.Or(d.Path, `""`) // a key without a name
		f.Tell(Problem{Path: Join(f.Path, path), Position: d.Second, Message: "the key stands twice; remove one, so that it is certain which one counts"})
	}
}

// Given reports whether there is a value.
func (f Field) Given() bool { return !values.IsNull(f.Node) }

// At returns a field of a mapping.
func (f Field) At(name string) Field {
	return Field{Node: values.Field(f.Node, name), Path: Join(f.Path, name), reader: f.reader}
}

// is reports whether a field is of a kind, and tells when it is not, which its
// absence is no reason for.
func (f Field) is(kind yaml.Kind, want string) bool {
	switch {
	case f.Given() && f.Node.Kind != kind:
		f.Fail("got %s, want %s", function.KindOf(f.Node), want)
	case f.Given():
		return true
	case f.null != "":
		f.Fail("%s", f.null)
	}
	return false
}

// Mapping reports whether a field is a mapping, and tells when it is something
// else. want names what is wanted: `a mapping with name`.
func (f Field) Mapping(want string) bool { return f.is(yaml.MappingNode, want) }

// RequiredMapping is Mapping that tells too when the field is absent.
func (f Field) RequiredMapping(want string) bool {
	f.null = cmp.Or(f.null, "is required: want "+want)
	return f.Mapping(want)
}

// Others returns the fields of a mapping but those of the names, key and value in
// turn.
func (f Field) Others(names ...string) []*yaml.Node {
	var others []*yaml.Node
	for i := 0; f.Node != nil && f.Node.Kind == yaml.MappingNode && i < len(f.Node.Content); i += 2 {
		if key := values.Resolve(f.Node.Content[i]); key.ShortTag() != "!!merge" && !slices.Contains(names, key.Value) {
			others = append(others, key, f.Node.Content[i+1])
		}
	}
	return others
}

// Known warns of all fields of a mapping but those of the names.
func (f Field) Known(names ...string) { f.unknown(names, false, true) }

// Only is Known with errors: for mappings that mean something else, and not only
// less, without one of their fields, as selectors do.
func (f Field) Only(names ...string) { f.unknown(names, false, false) }

// Misspelt warns of those fields that are most probably one of the names, which
// is not given. Others may be of a newer version, and are left alone.
func (f Field) Misspelt(names ...string) { f.unknown(names, true, true) }

func (f Field) unknown(names []string, likeOnly, warning bool) {
	others := f.Others(names...)
	if others == nil {
		return
	}
	free := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return f.At(name).Node != nil })
	for i := 0; i < len(others); i += 2 {
		name := others[i].Value
		hint := nearest.Hint(name, free)
		if likeOnly && hint == "" {
			continue
		}
		f.Tell(Problem{
			Warning: warning, Path: Join(f.Path, name), Position: values.At(others[i]),
			Message: fmt.Sprintf("unknown field, which has no effect; known are %s%s", strings.Join(names, ", "), hint),
		})
	}
}

// Optional returns a text, nil when there is none, which is not the same as empty.
func (f Field) Optional() *string {
	switch {
	case !f.is(yaml.ScalarNode, "text"):
		return nil
	case f.Node.ShortTag() != "!!str":
		f.Fail("got %s, want text: put it in quotes", function.KindOf(f.Node))
		return nil
	}
	return &f.Node.Value
}

// Text returns a text, "" when there is none.
func (f Field) Text() string {
	if text := f.Optional(); text != nil {
		return *text
	}
	return ""
}

// RequiredText is Text that tells too when the field is absent or empty.
func (f Field) RequiredText() string {
	f.null = cmp.Or(f.null, "is required")
	text := f.Optional()
	if text == nil {
		return ""
	}
	if *text == "" {
		f.Fail("is empty; fill it")
	}
	return *text
}

// Revision is Text that takes a whole number too, which newer versions of Porch
// write, and reports whether it is one.
func (f Field) Revision() (text string, isNumber bool) {
	if f.Given() && f.Node.Kind == yaml.ScalarNode && f.Node.ShortTag() == "!!int" {
		return f.Node.Value, true
	}
	return f.Text(), false
}

// List returns the elements of a list, nil when it is absent or none. An element
// that is null is told when it is read.
func (f Field) List(want string) []Field {
	if !f.is(yaml.SequenceNode, want) {
		return nil
	}
	all := make([]Field, len(f.Node.Content))
	for i, n := range f.Node.Content {
		all[i] = Field{values.Resolve(n), fmt.Sprintf("%s[%d]", f.Path, i), f.reader, "got nothing: fill the entry or remove it"}
	}
	return all
}

// ListOrOne is List for a field in which a single mapping stands for a list of
// one.
func (f Field) ListOrOne(want string) []Field {
	if f.Node == nil || f.Node.Kind != yaml.MappingNode {
		return f.List(want)
	}
	f.Alias("got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only")
	return []Field{f}
}

// Texts returns the elements of a list of texts, nil when it is absent or none;
// one that is no text is "", since paths count them.
func (f Field) Texts() []string {
	elements := f.List("a list of texts")
	if elements == nil {
		return nil
	}
	all := make([]string, len(elements))
	for i, element := range elements {
		all[i] = element.Text()
	}
	return all
}

// TextMap returns a mapping of texts, nil when it is absent or none.
func (f Field) TextMap() map[string]string {
	if !f.Mapping("a mapping of texts") {
		return nil
	}
	for i := 0; i < len(f.Node.Content); i += 2 {
		if key := values.Resolve(f.Node.Content[i]); key.Kind != yaml.ScalarNode {
			f.Fail("a key is %s, want text", function.KindOf(key))
		}
	}
	all := map[string]string{}
	for _, e := range Entries(f.Node) {
		value := Field{values.Resolve(e.Value), Join(f.Path, e.Key), f.reader, `got nothing, want text: write "" for an empty one`}
		if text := value.Optional(); text != nil {
			all[e.Key] = *text
		}
	}
	return all
}

// Join is the path of a key below a path.
func Join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}
