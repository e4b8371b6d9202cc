package lsp

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/place"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// proposals returns the action that writes what a finding proposes, or the name that was
// probably meant, where that is for the user to decide.
func (s *Server) proposals(a *asked, f *report.Finding) []codeAction {
	b := s.textOf(a.written, a.path)
	t := subjectOf(f, b.text)
	if t == nil {
		return nil
	}
	action := codeAction{Kind: kindFix, Diagnostics: []diagnostic{s.diagnostic(a.written, f)}}
	if edits := t.likely(f, b); len(edits) > 0 {
		action.Title = "Write " + f.Cause.Edits[0].New
		action.Edit = &workspaceEdit{map[string][]textEdit{a.TextDocument.URI: edits}}
		return []codeAction{action}
	}
	if f.Proposed == nil {
		return nil
	}
	action.Title = fmt.Sprintf("Write %v", f.Proposed)
	after := t.edit(func(d *values.Document) (*values.Document, error) { return t.propose(d, f) })
	if after == "" {
		return nil
	}
	if action.Edit = s.edit(a, map[string][]byte{a.path: []byte(after)}); action.Edit == nil {
		return nil
	}
	return []codeAction{action}
}

// likely returns the edits of a finding that fix does not write.
func (t *subject) likely(f *report.Finding, b *buffer) []textEdit {
	var edits []textEdit
	for _, e := range f.Cause.Edits {
		moved := *f.Cause
		moved.Position = e.At
		isPlain := !moved.Origin.Embedded || t.file.HasLine(&moved)
		if !isPlain && strings.ContainsAny(e.New, `"'\`) || t.inline {
			return nil
		}
		if e.At = t.file.At(t.index, &moved); e.At.Column == 0 {
			return nil
		}
		edits = append(edits, b.edit(e))
	}
	return edits
}

// propose writes the proposed value of a finding into its document.
func (t *subject) propose(d *values.Document, f *report.Finding) (*values.Document, error) {
	n, _ := place.Find(d.Root(), t.key)
	text, isText := f.Proposed.(string)
	if n == nil && f.Current == nil && isText { // a field that is missing
		above, name, ok := cutLast(t.key)
		parent, _ := place.Find(d.Root(), above)
		if ok && parent != nil && parent.Kind == yaml.MappingNode {
			return insert(d, parent, name, text)
		}
	}
	if n == nil || n.Kind != yaml.ScalarNode {
		return nil, &values.EditError{Reason: "the value is not there"}
	}
	edit := values.ScalarEdit{Node: n, Text: fmt.Sprint(f.Proposed), Tag: values.KeepTag}
	switch current := fmt.Sprint(f.Current); {
	case f.Current == nil && f.Rule == rule.PackVersion.ID, n.Value == current:
		if !isText {
			edit.Tag = "!!int"
		}
	case strings.Count(n.Value, current) == 1: // one of several in a text
		edit.Text = strings.Replace(n.Value, current, edit.Text, 1)
	default:
		return nil, &values.EditError{Reason: "another value is there"}
	}
	return d.ReplaceScalars(edit)
}

// cutLast cuts the last key off a path.
func cutLast(path string) (above, name string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	if i < 0 || strings.ContainsAny(path[i:], "[]") {
		return "", path, path != "" && !strings.ContainsAny(path, "[]")
	}
	return path[:i], path[i+1:], true
}

// insert adds a key with a text to a mapping of a document.
func insert(d *values.Document, parent *yaml.Node, name, text string) (*values.Document, error) {
	added, err := values.Parse(values.Quote(name) + ": " + values.Quote(text) + "\n")
	if err != nil {
		return nil, err
	}
	at := []values.Step(nil)
	if parent != d.Root() {
		at = stepsTo(d.Root(), func(n *yaml.Node) bool { return n == parent })
	}
	return d.Insert(at, values.End, added)
}
