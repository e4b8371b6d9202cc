package rewrite

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
	// text is the text of the file, and file finds positions in it.
	text string
	file *place.File
	// items are the resources of the file, or nil if the whole file is the document. index is the
	// index of the resource of the finding.
	items []*list.Item
	index int
	// field is the path of the embedded text that is the document, or "" if the document is the
	// resource.
	field string
	// key is the path in the document that the finding is about.
	key string
	// inline is true if the finding is about a functionConfig inside a Kptfile.
	inline bool
}

// subjectOf returns the document that a finding is about. It returns nil if the file does not
// contain the document, because a functionConfig may exist only in memory.
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

// edit returns the text of the file after a change of the document, or "" if the change is not
// possible.
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

// edited returns a text after a change of its document, or "" if the change is not possible.
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

// joined returns the text of a file with the current texts of its items.
func joined(text string, items []*list.Item) string {
	var texts [][]byte
	for _, one := range items {
		texts = append(texts, one.Text())
	}
	return string(list.JoinFile([]byte(text), texts))
}

// stepsTo returns the steps to the first key or value for which is returns true, or nil if there
// is none.
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
