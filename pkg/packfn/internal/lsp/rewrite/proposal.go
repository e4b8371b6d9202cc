package rewrite

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Proposed returns the text of a file with the value that a finding proposes, or "" if that is not possible.
func Proposed(f *report.Finding, text string) string {
	t := subjectOf(f, text)
	if t == nil || f.Proposed == nil {
		return ""
	}
	return t.edit(func(d *values.Document) (*values.Document, error) { return t.propose(d, f) })
}

// propose writes the proposed value of a finding into its document.
func (t *subject) propose(d *values.Document, f *report.Finding) (*values.Document, error) {
	n, _ := place.Find(d.Root(), t.key)
	text, isText := f.Proposed.(string)
	if n == nil && f.Current == nil && isText { // the field is missing
		i := strings.LastIndexByte(t.key, '.')
		above, name := t.key[:max(i, 0)], t.key[i+1:]
		if parent, _ := place.Find(d.Root(), above); parent != nil && parent.Kind == yaml.MappingNode && !strings.ContainsAny(name, "[]") {
			added, err := values.Parse(values.Quote(text))
			if err != nil {
				return nil, err
			}
			return d.Set(append(stepsTo(d.Root(), func(n *yaml.Node) bool { return n == parent }), values.Key(name)), added)
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
	case strings.Count(n.Value, current) == 1: // one of several words in a string
		edit.Text = strings.Replace(n.Value, current, edit.Text, 1)
	default:
		return nil, &values.EditError{Reason: "another value is there"}
	}
	return d.ReplaceScalars(edit)
}
