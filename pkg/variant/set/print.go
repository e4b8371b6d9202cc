package set

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
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
	p.entries(4, annotations)
	p.text(4, SetAnnotation, s.Identity())
	if s.UID != "" {
		p.write("  ownerReferences:\n  - apiVersion: " + APIVersion + "\n    kind: " + Kind + "\n")
		p.text(4, "name", s.Name)
		p.text(4, "uid", s.UID)
		p.write("    controller: true\n")
	}
	p.key(0, "spec")
	p.spec(v)
	return string(p.b)
}

func (p *Printer) spec(v *Variant) {
	u := v.Upstream
	p.key(2, "upstream")
	p.text(4, "repo", u.Repo)
	p.text(4, "package", u.Package)
	if u.revisionIsNumber {
		p.raw(4, "revision", u.Revision)
	} else {
		p.text(4, "revision", u.Revision)
	}
	p.text(4, "workspaceName", u.WorkspaceName)
	p.key(2, "downstream")
	p.text(4, "repo", v.Repo)
	p.text(4, "package", v.Package)
	p.text(2, "adoptionPolicy", v.AdoptionPolicy)
	p.text(2, "deletionPolicy", v.DeletionPolicy)
	p.mapping(2, "labels", v.Labels)
	p.mapping(2, "annotations", v.Annotations)
	if len(v.Data)+len(v.RemoveKeys) > 0 {
		p.key(2, "packageContext")
		p.mapping(4, "data", v.Data)
		if len(v.RemoveKeys) > 0 {
			p.key(4, "removeKeys")
			for _, key := range v.RemoveKeys {
				p.write("    - " + p.quote(key) + "\n")
			}
		}
	}
	if len(v.Mutators)+len(v.Validators) > 0 {
		p.key(2, "pipeline")
		p.functions("mutators", v.Mutators)
		p.functions("validators", v.Validators)
	}
	if len(v.Injectors) > 0 {
		p.key(2, "injectors")
		for _, i := range v.Injectors {
			p.element(2, func() {
				p.optional(4, "group", i.template.Group)
				p.optional(4, "version", i.template.Version)
				p.optional(4, "kind", i.template.Kind)
				p.value(4, "name", i.Name)
				p.optional(4, "point", i.template.Point)
			})
		}
	}
}

func (p *Printer) functions(name string, all []PipelineFunction) {
	if len(all) == 0 {
		return
	}
	p.key(4, name)
	for _, f := range all {
		p.element(4, func() {
			p.optional(6, "image", f.template.Image)
			p.optional(6, "exec", f.template.Exec)
			p.optional(6, "name", f.template.Name)
			p.optional(6, "configPath", f.template.ConfigPath)
			p.mapping(6, "configMap", f.ConfigMap)
			for at := 0; at+1 < len(f.template.Others); at += 2 {
				p.field(6, f.template.Others[at], f.template.Others[at+1])
			}
		})
	}
}

// element writes an element of a list whose dash stands at a column, and whose
// keys fields writes two columns behind it.
func (p *Printer) element(column int, fields func()) {
	start := len(p.b)
	if fields(); len(p.b) == start {
		p.indent(column)
		p.write("- {}\n")
		return
	}
	p.b[start+column] = '-'
}

func (p *Printer) mapping(column int, name string, entries []Entry) {
	if len(entries) == 0 {
		return
	}
	p.key(column, name)
	p.entries(column+2, entries)
}

func (p *Printer) entries(column int, entries []Entry) {
	for _, e := range entries {
		p.value(column, e.Key, e.Value)
	}
}

// text writes a field unless it is empty.
func (p *Printer) text(column int, name, text string) {
	if text != "" {
		p.value(column, name, text)
	}
}

// optional writes a field unless it is absent.
func (p *Printer) optional(column int, name string, text *string) {
	if text != nil {
		p.value(column, name, *text)
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

// field writes a field with any value, as it stands in the set but for comments.
func (p *Printer) field(column int, key, value *yaml.Node) {
	value = values.Resolve(value)
	p.indent(column)
	p.write(p.scalar(values.Resolve(key)))
	switch {
	case value.Kind == yaml.MappingNode && len(value.Content) > 0:
		p.write(":\n")
		p.node(column+2, value)
	case value.Kind == yaml.SequenceNode && len(value.Content) > 0:
		p.write(":\n")
		p.node(column, value)
	default:
		p.write(": " + p.scalar(value) + "\n")
	}
}

// node writes the lines of a mapping or a list.
func (p *Printer) node(column int, n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for at := 0; at+1 < len(n.Content); at += 2 {
			p.field(column, n.Content[at], n.Content[at+1])
		}
		return
	}
	for _, e := range n.Content {
		if e = values.Resolve(e); len(e.Content) > 0 {
			p.element(column, func() { p.node(column+2, e) })
			continue
		}
		p.indent(column)
		p.write("- " + p.scalar(e) + "\n")
	}
}

// scalar writes a scalar, or an empty mapping or list, of the type it has.
func (p *Printer) scalar(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "{}"
	case yaml.SequenceNode:
		return "[]"
	}
	switch tag := n.ShortTag(); tag {
	case "!!str":
		return p.quote(n.Value)
	case "!!null":
		return "null"
	case "!!merge", "!!bool", "!!int", "!!float", "!!timestamp":
		return n.Value
	default:
		return tag + " " + p.quote(n.Value)
	}
}

func (p *Printer) write(text string) { p.b = append(p.b, text...) }

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

func (p *Printer) indent(column int) {
	for ; column > len(blanks); column -= len(blanks) {
		p.write(blanks)
	}
	p.write(blanks[:column])
}
