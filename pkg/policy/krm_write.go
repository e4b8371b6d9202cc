package policy

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotation of selections of this function, and its value.
const (
	generatedBy = "ocf.capact.io/generated-by"
	generator   = rule.SelectImplementations
)

// folder is the directory for new selections in the package.
const folder = "implementationselections/"

// write updates the ImplementationSelections of the package: it edits existing ones, adds new ones,
// and removes selections of earlier runs that no reference asks for any more. It changes neither
// the selections of others, nor selections that could not be made.
func (p *processor) write(tasks []task, made map[string]*Selection) {
	asked, written := map[string]bool{}, map[string]bool{}
	for _, t := range tasks {
		asked[t.name] = true
	}
	// Any doubt makes the requested selections uncertain.
	isComplete := len(p.doubts) == 0 && !slices.ContainsFunc(tasks, func(t task) bool { return made[t.name] == nil })
	for _, item := range p.existing {
		name := item.Name()
		if item.Annotation(generatedBy) != generator {
			if asked[name] {
				f := diag.Say("a selection needs the name %q, but the resource of this name is not from %s", name, generator).
					Do("rename it, or annotate it with " + generatedBy + ": " + generator + " to let the function overwrite it")
				p.run.Report(f.About(item.Resource(), "metadata.name").Of(rule.PolicyInvalid))
				written[name] = true
			}
			continue
		}
		switch selection := made[name]; {
		case selection != nil && !written[name]:
			written[name] = true
			p.run.Guard(item.Resource(), func() { p.edit(item, selection) })
		case isComplete && (!asked[name] || written[name]):
			item.Remove()
		}
	}
	for _, t := range tasks {
		if selection := made[t.name]; selection != nil && !written[t.name] {
			written[t.name] = true
			p.add(t.name, selection)
		}
	}
}

// edit updates the spec of an existing selection, and keeps the text of the fields that are right.
func (p *processor) edit(item *list.Item, selection *Selection) {
	const action = "or remove the resource: it will be generated again"
	invalid := func(field string, f diag.Finding) {
		p.run.Report(f.Do(action).About(item.Resource(), field).Of(rule.InputInvalid))
	}
	document, err := item.Document()
	if err != nil {
		invalid("", diag.Unreadable(err))
		return
	}
	var spec yaml.Node
	if err := spec.Encode(selection.spec()); err != nil {
		panic(err) // it has only texts, numbers and values that were read
	}
	edited, err := document.Sync(values.Change{At: values.Keys("spec"), Want: &spec, Identity: subject})
	if err != nil {
		f := diag.Unreadable(err)
		invalid("spec", diag.Say("cannot be edited: %s", f.Found))
		return
	}
	if edited != document {
		item.Replace(edited)
	}
}

// selectionFile is an ImplementationSelection.
type selectionFile struct {
	// APIVersion, Kind, Metadata and Spec are in the order in which they are written.
	APIVersion string `yaml:"apiVersion"`
	Kind       string
	Metadata   struct {
		Name        string
		Annotations yaml.Node
	}
	Spec SelectionSpec
}

// add adds a new selection.
func (p *processor) add(name string, selection *Selection) {
	file := selectionFile{APIVersion: manifest.GroupVersion, Kind: selectionKind, Spec: selection.spec()}
	file.Metadata.Name = name
	file.Metadata.Annotations.Kind = yaml.MappingNode
	for _, annotation := range [][2]string{{list.LocalConfigAnnotation, "true"}, {generatedBy, generator}, {list.PathAnnotation, folder + name + ".yaml"}} {
		for _, text := range annotation {
			var n yaml.Node
			n.SetString(text)
			file.Metadata.Annotations.Content = append(file.Metadata.Annotations.Content, &n)
		}
	}
	text, err := values.Print(file)
	if err != nil {
		panic(err) // what YAML makes can be written
	}
	p.run.Add(string(text))
}

// subject identifies an element of a list: by its first field and, of rejections, the
// element that was tried.
func subject(n *yaml.Node) string {
	n = values.Resolve(n)
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		return values.Text(n)
	}
	for _, key := range []string{"implementation", "name", "output"} {
		if text := values.Text(values.Field(n, key)); text != "" {
			return text + " " + values.Text(values.Field(n, "oneOf"))
		}
	}
	return values.Text(values.Field(n, "code")) + " " + values.Text(values.Field(n, "detail"))
}
