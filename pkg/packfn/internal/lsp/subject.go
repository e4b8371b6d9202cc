package lsp

import (
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/values"
)

// subject is the document that a finding is about, in the text of its file.
type subject struct {
	text string
	file *place.File
	// items are the resources of the file, nil if all of it is the document; index is that of
	// the resource at fault.
	items []*list.Item
	index int
	// field is the path of the text in the resource that is the document, "" for the resource.
	field string
	// key is the path of what the finding is about in the document.
	key string
	// inline says that a Kptfile holds the functionConfig at fault.
	inline bool
}

// subjectOf returns the document that a finding is about. It is nil if the file has none: a
// functionConfig may be in memory only.
func subjectOf(f *report.Finding, text string) *subject {
	c := f.Reported
	if c.Origin == nil {
		return nil
	}
	t := &subject{text: text, key: c.Path()}
	if c.Origin.Embedded {
		t.field, t.key = c.Origin.Field, c.Key
	}
	if t.field == "data["+filepath.Base(f.Path)+"]" && packdir.Is(filepath.Dir(f.Path)) {
		t.field, t.file = "", place.NewText(f.Path, []byte(text))
		return t
	}
	t.items, t.file = list.FileItems([]byte(text), f.Path), place.NewFile(f.Path, []byte(text))
	resource := c.Resource()
	isIt := func(one *list.Item) bool {
		of := one.Resource()
		return of.APIVersion == resource.APIVersion && of.Kind == resource.Kind && of.Namespace == resource.Namespace && of.Name == resource.Name
	}
	t.index = resource.Index
	if resource.File == "" {
		if t.index = slices.IndexFunc(t.items, isIt); t.index < 0 { // in the Kptfile
			t.index, t.field, t.key, t.inline = 0, "", f.Field, true
			return t
		}
	}
	if t.index >= len(t.items) || !isIt(t.items[t.index]) {
		return nil
	}
	return t
}

// edit returns the text of the file with the document changed. It is "" if that cannot be
// done.
func (t *subject) edit(change func(*values.Document) (*values.Document, error)) string {
	if t.items == nil {
		return edited(t.text, change)
	}
	document, err := t.items[t.index].Document()
	if err != nil {
		return ""
	}
	if n, _ := place.Find(document.Root(), t.field); t.field == "" {
		document, err = change(document)
	} else if text := edited(values.Text(n), change); text != "" {
		document, err = document.ReplaceScalars(values.ScalarEdit{Node: n, Text: text})
	} else {
		return ""
	}
	if err != nil {
		return ""
	}
	t.items[t.index].Replace(document)
	return joined(t.text, t.items)
}

// edited returns a text with its document changed.
func edited(text string, change func(*values.Document) (*values.Document, error)) string {
	document, err := values.Parse(text)
	if err == nil {
		document, err = change(document)
	}
	if err != nil {
		return ""
	}
	return document.Text()
}

// joined returns the text of a file with its items as they are now.
func joined(text string, items []*list.Item) string {
	var texts [][]byte
	for _, one := range items {
		texts = append(texts, one.Text())
	}
	return string(list.JoinFile([]byte(text), texts))
}

// stepsTo returns the steps to the first key or value that is meant, nil if there is none.
func stepsTo(n *yaml.Node, is func(*yaml.Node) bool, steps ...values.Step) []values.Step {
	for i, child := range n.Content {
		step := values.Element(i)
		if n.Kind == yaml.MappingNode {
			step = values.Keys(n.Content[i-i%2].Value)[0]
		}
		here := append(slices.Clone(steps), step)
		if is(child) {
			return here
		}
		if found := stepsTo(child, is, here...); found != nil {
			return found
		}
	}
	return nil
}
