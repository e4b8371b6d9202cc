package set

import (
	"maps"
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
	p.spec(&v.Spec)
	return string(p.b)
}

func (p *Printer) spec(s *variant.Spec) {
	p.key(2, "upstream")
	p.text(4, "repo", s.Upstream.Repo)
	p.text(4, "package", s.Upstream.Package)
	if s.Upstream.RevisionIsNumber {
		p.raw(4, "revision", string(s.Upstream.Revision))
	} else {
		p.text(4, "revision", string(s.Upstream.Revision))
	}
	p.text(4, "workspaceName", s.Upstream.WorkspaceName)
	p.key(2, "downstream")
	p.text(4, "repo", s.Downstream.Repo)
	p.text(4, "package", s.Downstream.Package)
	p.text(2, "adoptionPolicy", s.AdoptionPolicy)
	p.text(2, "deletionPolicy", s.DeletionPolicy)
	p.mapping(2, "labels", s.Labels)
	p.mapping(2, "annotations", s.Annotations)
	if c := &s.PackageContext; !c.IsEmpty() {
		p.key(2, "packageContext")
		p.mapping(4, "data", c.Data)
		if len(c.RemoveKeys) > 0 {
			p.key(4, "removeKeys")
			for _, key := range c.RemoveKeys {
				p.write("    - " + p.quote(key) + "\n")
			}
		}
	}
	if !s.Pipeline.IsEmpty() {
		p.key(2, "pipeline")
		p.functions("mutators", s.Pipeline.Mutators)
		p.functions("validators", s.Pipeline.Validators)
	}
	elements(p, 2, "injectors", s.Injectors, func(i *variant.Injector) {
		p.optional(4, "group", i.Group)
		p.optional(4, "version", i.Version)
		p.optional(4, "kind", i.Kind)
		p.value(4, "name", i.Name)
		p.optional(4, "point", i.Point)
	})
}

func (p *Printer) functions(name string, all []variant.PipelineFunction) {
	elements(p, 4, name, all, func(f *variant.PipelineFunction) {
		p.text(6, "image", f.Image)
		p.text(6, "exec", f.Exec)
		p.text(6, "name", f.Name)
		p.text(6, "tag", f.Tag)
		p.text(6, "configPath", f.ConfigPath)
		p.mapping(6, "configMap", f.ConfigMap)
		p.selectors("selectors", f.Selectors)
		p.selectors("exclude", f.Exclude)
	})
}

func (p *Printer) selectors(name string, all []variant.ResourceSelector) {
	elements(p, 6, name, all, func(s *variant.ResourceSelector) {
		p.text(8, "apiVersion", s.APIVersion)
		p.text(8, "kind", s.Kind)
		p.text(8, "name", s.Name)
		p.text(8, "namespace", s.Namespace)
		p.mapping(8, "labels", s.Labels)
		p.mapping(8, "annotations", s.Annotations)
	})
}

// elements writes a list of mappings unless it is empty. Its dashes are at the column of
// its name; fields writes the keys of an element two columns after it.
func elements[T any](p *Printer, column int, name string, all []T, fields func(*T)) {
	if len(all) == 0 {
		return
	}
	p.key(column, name)
	for i := range all {
		start := len(p.b)
		if fields(&all[i]); len(p.b) == start {
			p.indent(column)
			p.write("- {}\n")
			continue
		}
		p.b[start+column] = '-'
	}
}

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
