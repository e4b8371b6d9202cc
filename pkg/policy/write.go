package policy

import (
	"bytes"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotation that selections of this function bear, and its value.
const (
	generatedBy = "ocf.capact.io/generated-by"
	generator   = "select-implementations"
)

// folder is where new selections are stored in the package.
const folder = "implementationselections/"

// write brings the ImplementationSelections of the list to what was selected:
// those that are there are edited, others are added, and those of earlier runs
// that nothing asks for any more are removed. What other people made is left
// alone. Selections that could not be made stay as they are.
func (s *selector) write(tasks []task, made map[string]*Selection) {
	asked, written := map[string]bool{}, map[string]bool{}
	for _, t := range tasks {
		asked[t.name] = true
	}
	certain := complete(tasks, made)
	for _, item := range s.existing {
		name := item.Name()
		if item.Annotation(generatedBy) != generator {
			if asked[name] {
				s.run.ReportLegacy(invalid(item.Resource(), "metadata.name", "%q is to be the name of a selection, but this one was not made by %s; rename it, or annotate it with %s: %s to have it overwritten", name, generator, generatedBy, generator))
				written[name] = true
			}
			continue
		}
		switch selection := made[name]; {
		case selection != nil && !written[name]:
			written[name] = true
			s.run.Guard(item.Resource(), func() { s.edit(item, selection) })
		case certain && (!asked[name] || written[name]):
			item.Remove()
		}
	}
	for _, t := range tasks {
		if selection := made[t.name]; selection != nil && !written[t.name] {
			written[t.name] = true
			s.add(t.name, selection)
		}
	}
}

// complete reports whether all selections could be made, so that it is certain what
// is asked for.
func complete(tasks []task, made map[string]*Selection) bool {
	return !slices.ContainsFunc(tasks, func(t task) bool { return made[t.name] == nil })
}

// edit makes the spec of a selection that is there what it has to be, and keeps
// the text of what is right.
func (s *selector) edit(item *function.Item, selection *Selection) {
	document, err := item.Document()
	if err != nil {
		s.run.LegacyInvalid(item.Resource(), "", fmt.Sprintf("%s can not be read: %v; remove it, and it is made anew", item.Resource(), err))
		return
	}
	edited, err := hold(document, values.Keys("spec"), selection.YAML())
	if err != nil {
		s.run.LegacyInvalid(item.Resource(), "spec", fmt.Sprintf("%s can not be edited: %v; remove it, and it is made anew", item.Resource(), err))
		return
	}
	if edited != document {
		item.Replace(edited)
	}
}

// add makes a new selection.
func (s *selector) add(name string, selection *Selection) {
	var text bytes.Buffer
	fmt.Fprintf(&text, "apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n    config.kubernetes.io/local-config: \"true\"\n    %s: %s\n    %s: %s%s.yaml\n",
		GroupVersion, selectionKind, quoted(name), generatedBy, generator, function.PathAnnotation, folder, name)
	spec := &mapping{}
	spec.add("spec", selection.YAML())
	err := encode(&text, spec.node())
	if err == nil {
		_, err = s.run.Add(text.String())
	}
	if err != nil {
		panic(err) // what YAML makes can be written
	}
}

// quoted is a name as YAML text.
func quoted(name string) string {
	var text bytes.Buffer
	if encode(&text, textNode(name)) != nil {
		return fmt.Sprintf("%q", name)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

func encode(to *bytes.Buffer, n *yaml.Node) error {
	encoder := yaml.NewEncoder(to)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(n); err != nil {
		return err
	}
	return encoder.Close()
}

// hold returns the document with what is at the steps made equal to want: the
// document itself when it is. Of mappings and lists only what differs is changed,
// so that comments stay.
func hold(d *values.Document, at []values.Step, want *yaml.Node) (*values.Document, error) {
	have := find(d.Root(), at)
	switch {
	case have != nil && values.Equal(have, want):
		return d, nil
	case have != nil && have.Kind == yaml.MappingNode && want.Kind == yaml.MappingNode && len(have.Content) > 0:
		return holdMapping(d, at, have, want)
	case have != nil && have.Kind == yaml.SequenceNode && want.Kind == yaml.SequenceNode && len(have.Content) > 0:
		return holdList(d, at, have, want)
	}
	return set(d, at, want)
}

func set(d *values.Document, at []values.Step, want *yaml.Node) (*values.Document, error) {
	var text bytes.Buffer
	if err := encode(&text, want); err != nil {
		return nil, err
	}
	source, err := values.Parse(text.String())
	if err != nil {
		return nil, err
	}
	return d.Set(at, source)
}

// find returns what is at the steps, nil when there is nothing.
func find(n *yaml.Node, at []values.Step) *yaml.Node {
	for _, step := range at {
		switch n = values.Resolve(n); {
		case n == nil:
			return nil
		case step.IsIndex && n.Kind == yaml.SequenceNode && step.Index < len(n.Content):
			n = n.Content[step.Index]
		case !step.IsIndex:
			n = values.Field(n, step.Key)
		default:
			return nil
		}
	}
	return values.Resolve(n)
}

func holdMapping(d *values.Document, at []values.Step, have, want *yaml.Node) (*values.Document, error) {
	var err error
	for _, p := range pairs(have) {
		if key := values.Resolve(p.key); values.Field(want, key.Value) == nil {
			if d, _, err = d.Delete(below(at, values.Step{Key: key.Value})); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range pairs(want) {
		if d, err = hold(d, below(at, values.Step{Key: p.key.Value}), p.value); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// holdList keeps the elements that are still wanted, by what they are about, and
// adds new ones behind them. Where that does not give the right order the list is
// written anew.
func holdList(d *values.Document, at []values.Step, have, want *yaml.Node) (*values.Document, error) {
	var kept []string
	var gone []int
	wanted := map[string]bool{}
	for _, n := range want.Content {
		wanted[subject(n)] = true
	}
	for i, n := range have.Content {
		if key := subject(n); wanted[key] {
			kept = append(kept, key)
			wanted[key] = false // the next one like it is too many
		} else {
			gone = append(gone, i)
		}
	}
	for i, key := range kept {
		if i >= len(want.Content) || subject(want.Content[i]) != key {
			return set(d, at, want)
		}
	}
	if len(kept) == 0 {
		return set(d, at, want)
	}
	var err error
	for i := len(gone) - 1; i >= 0; i-- {
		if d, _, err = d.Delete(below(at, values.Step{Index: gone[i], IsIndex: true})); err != nil {
			return nil, err
		}
	}
	for i, n := range want.Content {
		if d, err = hold(d, below(at, values.Step{Index: i, IsIndex: true}), n); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// subject is what an element of a list is about: its first field and, of
// rejections, the element that was tried.
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

// below is a step further; at is not changed.
func below(at []values.Step, step values.Step) []values.Step {
	return append(at[:len(at):len(at)], step)
}
