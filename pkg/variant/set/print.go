package set

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// Names that mark a variant as made by a set. The label is Porch's; the
// annotation is there without a cluster too.
const (
	SetAnnotation = "packs.kpt.dev/variant-set"
	SetLabel      = Group + "/packagevariantset"
)

// Identity is how variants name their set in the annotation: by namespace, when
// it has one, and name.
func (s *Set) Identity() string {
	if s.Namespace == "" {
		return s.Name
	}
	return s.Namespace + "/" + s.Name
}

// Printer writes variants as YAML in block style.
type Printer struct {
	// b is the text of the variant that is being printed.
	b []byte
	// quoted are texts as they are written: few are used once.
	quoted map[string]string
}

// Print returns a variant as a document of YAML. annotations are added to its
// metadata, in front of the one that names the set.
func (p *Printer) Print(s *Set, v *Variant, annotations []Entry) string {
	p.b = append(p.b[:0], "apiVersion: "+VariantAPIVersion+"\nkind: "+VariantKind+"\nmetadata:\n"...)
	p.text(2, "name", v.Name)
	p.text(2, "namespace", v.Namespace)
	if s.UID != "" {
		p.key(2, "labels")
		p.text(4, SetLabel, s.UID)
	}
	p.key(2, "annotations")
	for _, a := range annotations {
		p.value(4, a.Key, a.Value)
	}
	p.text(4, SetAnnotation, s.Identity())
	if s.UID != "" {
		p.write("  ownerReferences:\n  - apiVersion: " + APIVersion + "\n    kind: " + Kind + "\n")
		p.text(4, "name", s.Name)
		p.text(4, "uid", s.UID)
		p.write("    controller: true\n")
	}
	p.key(0, "spec")
	p.fields(2, reflect.ValueOf(v.Spec))
	return string(p.b)
}

// functionOrder are the fields of a function as they are written: its name and tag come
// before its configuration.
var functionType, functionOrder = reflect.TypeFor[variant.PipelineFunction](), [...]int{0, 1, 4, 5, 2, 3, 6, 7}

// fields writes the fields of a struct that are not empty, by their tags.
func (p *Printer) fields(column int, of reflect.Value) {
	for i := range of.NumField() {
		if of.Type() == functionType {
			i = functionOrder[i]
		}
		name, option, _ := strings.Cut(of.Type().Field(i).Tag.Get("json"), ",")
		field := of.Field(i)
		if name == "" || name == "-" || option != "" && field.IsZero() {
			continue
		}
		switch v := field.Interface().(type) {
		case string:
			p.value(column, name, v)
		case *string:
			p.value(column, name, *v)
		case variant.Texts:
			p.mapping(column, name, v)
		case variant.Revision:
			if of.FieldByName("RevisionIsNumber").Bool() {
				p.raw(column, name, string(v))
			} else {
				p.value(column, name, string(v))
			}
		default:
			p.key(column, name)
			if field.Kind() == reflect.Struct {
				p.fields(column+2, field)
			} else {
				p.elements(column, field)
			}
		}
	}
}

// elements writes a list of texts or structs, with its dashes at a column.
func (p *Printer) elements(column int, list reflect.Value) {
	for i := range list.Len() {
		start := len(p.b)
		if e := list.Index(i); e.Kind() == reflect.String {
			p.indent(column)
			p.write("- " + p.quote(e.String()) + "\n")
		} else if p.fields(column+2, e); len(p.b) == start {
			p.indent(column)
			p.write("- {}\n")
		} else {
			p.b[start+column] = '-'
		}
	}
}

// mapping writes a map with its keys in order, and nothing for an empty map.
func (p *Printer) mapping(column int, name string, entries variant.Texts) {
	if len(entries) == 0 {
		return
	}
	p.key(column, name)
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		p.value(column+2, key, entries[key])
	}
}

// text writes a field unless it is empty.
func (p *Printer) text(column int, name, text string) {
	if text != "" {
		p.value(column, name, text)
	}
}

// value writes a field.
func (p *Printer) value(column int, name, text string) {
	if isLiteral(text) {
		p.literal(column, name, text)
		return
	}
	p.raw(column, name, p.quote(text))
}

// raw writes a field whose value is YAML already.
func (p *Printer) raw(column int, name, yaml string) {
	p.indent(column)
	p.write(p.quote(name))
	p.write(": ")
	p.write(yaml)
	p.write("\n")
}

// key writes a key whose value follows on other lines.
func (p *Printer) key(column int, name string) {
	p.indent(column)
	p.write(p.quote(name))
	p.write(":\n")
}

// literal writes a text of several lines as a literal block:
//
//	script: |-
//	  first line
//	  second line
func (p *Printer) literal(column int, name, text string) {
	p.indent(column)
	p.write(p.quote(name))
	body, broken := strings.CutSuffix(text, "\n")
	if broken {
		p.write(": |\n")
	} else {
		p.write(": |-\n")
	}
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			p.indent(column + 2)
			p.write(line)
		}
		p.write("\n")
	}
}

// isLiteral reports whether a text of several lines can be written as a literal
// block that every reader takes alike: printable ASCII, without blanks at the
// ends of lines or in front of the first.
func isLiteral(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") || body[0] == ' ' || body[0] == '\n' || body[len(body)-1] == '\n' || body[len(body)-1] == ' ' || strings.Contains(body, " \n") {
		return false
	}
	for i := 0; i < len(body); i++ {
		if c := body[i]; (c < ' ' && c != '\n') || c > '~' {
			return false
		}
	}
	return true
}

func (p *Printer) write(text string) { p.b = append(p.b, text...) }

// quote returns a text as YAML, quoted where it must be. It keeps up to 4,096 results.
func (p *Printer) quote(text string) string {
	if quoted, ok := p.quoted[text]; ok {
		return quoted
	}
	if p.quoted == nil || len(p.quoted) > 1<<12 {
		p.quoted = map[string]string{}
	}
	quoted := values.Quote(text)
	p.quoted[text] = quoted
	return quoted
}

const blanks = "                                                                "

// indent writes blanks up to a column.
func (p *Printer) indent(column int) {
	for ; column > len(blanks); column -= len(blanks) {
		p.write(blanks)
	}
	p.write(blanks[:column])
}
