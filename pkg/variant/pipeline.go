package variant

import (
	"fmt"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/values"
)

// isEmpty reports whether the pipeline has no functions.
func (p *Pipeline) isEmpty() bool { return len(p.Mutators)+len(p.Validators) == 0 }

// functionName is the name that a function of a PackageVariant gets in the
// Kptfile: `PackageVariant.<pv>.<name or nothing>.<index>`.
func functionName(packageVariant, name string, index int) string {
	return fmt.Sprintf("PackageVariant.%s.%s.%d", packageVariant, name, index)
}

// Owns reports whether a name of a function in a Kptfile is one that the
// PackageVariant gave: its own prefix, a name without dots or none, a dot and a
// number. So `a` owns nothing of `ab`, nor of `a.b`.
func Owns(packageVariant, name string) bool {
	rest, ok := strings.CutPrefix(name, "PackageVariant."+packageVariant+".")
	if !ok {
		return false
	}
	_, index, _ := strings.Cut(rest, ".")
	_, err := strconv.Atoi(index) // as Porch
	return err == nil
}

// ApplyPipeline inserts the functions of the PackageVariant before the functions of the Kptfile d,
// and removes the functions that it inserted earlier. Others stay, in order and with their
// comments. Lists that become empty are removed.
//
// The findings explain why the Kptfile cannot be edited. In this case, d is returned as it is.
func (v *PackageVariant) ApplyPipeline(d *values.Document) (*values.Document, []diag.Finding) {
	changes, findings := v.pipelineChanges(d)
	return change(d, changes, findings)
}

// pipelineChanges are the changes of [PackageVariant.ApplyPipeline].
func (v *PackageVariant) pipelineChanges(d *values.Document) (changes []values.Change, findings []diag.Finding) {
	if n := values.Field(d.Root(), "pipeline"); !values.IsNull(n) && n.Kind != yaml.MappingNode {
		return nil, wrongType("pipeline", n, "a map with mutators and validators")
	}
	for _, list := range []struct {
		key       string
		functions []PipelineFunction
	}{{"mutators", v.Spec.Pipeline.Mutators}, {"validators", v.Spec.Pipeline.Validators}} {
		var own []*yaml.Node
		for i, f := range list.functions {
			f.Name = functionName(v.Name, f.Name, i)
			own = append(own, f.node())
		}
		steps := values.Keys("pipeline", list.key)
		if n := values.Follow(d.Root(), steps); !values.IsNull(n) && n.Kind != yaml.SequenceNode {
			findings = append(findings, wrongType("pipeline."+list.key, n, "a list of functions")...)
			continue
		}
		changes = append(changes, v.listChanges(d, steps, own)...)
	}
	return changes, findings
}

// listChanges make the list at steps begin with own, and remove what else the
// PackageVariant owns there.
func (v *PackageVariant) listChanges(d *values.Document, steps []values.Step, own []*yaml.Node) []values.Change {
	list := values.Follow(d.Root(), steps)
	want := node.List(own...)
	if !values.IsNull(list) {
		for _, n := range list.Content {
			if !Owns(v.Name, nameOf(n)) {
				want.Content = append(want.Content, values.Resolve(n))
			}
		}
	}
	switch {
	case len(want.Content) > 0:
		return []values.Change{{At: steps, Want: want, Identity: v.identity}}
	case values.IsNull(list) || len(list.Content) == 0:
		return nil
	}
	return []values.Change{{At: steps}}
}

func nameOf(function *yaml.Node) string { return values.Text(values.Field(function, "name")) }

// identity identifies the functions of a list. Functions of the PackageVariant are identified by
// their names, and others, which do not change, by their whole content.
func (v *PackageVariant) identity(function *yaml.Node) string {
	if name := nameOf(function); Owns(v.Name, name) {
		return name
	}
	text, _ := values.JSON(function)
	return "=" + text
}

// node is the function as an element of a Kptfile, without fields that are empty.
func (f *PipelineFunction) node() *yaml.Node {
	n := mapOf(textField{"image", f.Image}, textField{"exec", f.Exec}, textField{"configPath", f.ConfigPath})
	add(n, "configMap", f.ConfigMap.node())
	n.Content = append(n.Content, mapOf(textField{"name", f.Name}, textField{"tag", f.Tag}).Content...)
	add(n, "selectors", selectorsNode(f.Selectors))
	add(n, "exclude", selectorsNode(f.Exclude))
	return n
}

// selectorsNode returns selectors as they stand in a Kptfile.
func selectorsNode(selectors []ResourceSelector) *yaml.Node {
	all := node.List()
	for _, s := range selectors {
		n := mapOf(textField{"apiVersion", s.APIVersion}, textField{"kind", s.Kind}, textField{"name", s.Name}, textField{"namespace", s.Namespace})
		add(n, "labels", s.Labels.node())
		add(n, "annotations", s.Annotations.node())
		all.Content = append(all.Content, n)
	}
	return all
}

// node has the keys in the order of the encoder, which compares the numbers in them.
func (t Texts) node() *yaml.Node {
	n := node.Map()
	if len(t) > 1 && n.Encode(map[string]string(t)) == nil {
		return n
	}
	for key, text := range t {
		n.Content = append(n.Content, textNode(key), textNode(text))
	}
	return n
}

// mapOf is a map of the fields that have a text.
func mapOf(fields ...textField) *yaml.Node {
	n := node.Map()
	for _, f := range fields {
		if f[1] != "" {
			n.Content = append(n.Content, textNode(f[0]), textNode(f[1]))
		}
	}
	return n
}

// add adds a field to a map unless its value is an empty map or list.
func add(n *yaml.Node, name string, value *yaml.Node) {
	if len(value.Content) > 0 {
		n.Content = append(n.Content, textNode(name), value)
	}
}
