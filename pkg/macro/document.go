package macro

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/template"
	"github.com/krm-packs/functions/pkg/values"
)

// Document resolves the macros of all values of a document. It leaves keys, comments
// (rule M3), and scalars without macros alone.
//
// The findings have the path of the value as their key, the document's origin, and the
// position in the document: exact where the document writes the text as it is decoded,
// otherwise that of the macro or of the scalar. edits is for ReplaceScalars to write,
// and empty when a macro cannot be resolved. A resolved scalar is a string and keeps its
// style; ReplaceScalars quotes a plain one that would read as something else (rule M4).
// An anchor that shares a scalar shares the resolved one, too.
func (r *Resolver) Document(d *values.Document) (edits []values.ScalarEdit, findings []diag.Finding) {
	edits = r.resolveDocument(d, func(f diag.Finding) { findings = append(findings, f) })
	return edits, findings
}

// resolveDocument is Document that keeps no findings: a short text can have very many.
func (r *Resolver) resolveDocument(d *values.Document, found func(diag.Finding)) (edits []values.ScalarEdit) {
	if d.Root() == nil || !mayHaveMacros(d.Text()) {
		return nil
	}
	hasFailed := false
	var w walker
	w.key = func(n *yaml.Node) {
		if macro := template.Macro(n.Value); macro != "" {
			f := diag.Say("a macro in a key is not resolved").Do("write the key as it is to be").Of(rule.MacroSuspicious)
			found(f.In(d.Origin(), w.at(n.Value), values.At(n)))
		}
	}
	w.scalar = func(n *yaml.Node) {
		resolved := r.resolve(n.Value)
		hasFailed = hasFailed || resolved.failed
		if len(resolved.findings) > 0 {
			path := w.at("")
			source := newSource(d, n)
			for _, f := range resolved.findings {
				if !f.silent {
					found(f.In(d.Origin(), path, source.position(n.Value, f.offset)))
				}
			}
		}
		if resolved.text == n.Value {
			return
		}
		tag := "!!str"
		if n.Style&yaml.TaggedStyle != 0 {
			tag = values.KeepTag // the document has the tag
		}
		edits = append(edits, values.ScalarEdit{Node: n, Text: resolved.text, Replaced: resolved.replaced, Tag: tag, Shared: true})
	}
	w.walk(d.Root())
	if hasFailed {
		return nil
	}
	return edits
}

// mayHaveMacros reports whether the values of a document can have macros, or texts that nearly
// are macros. Most documents have neither, and need no walk. An escape, which begins with a
// backslash, can write any character.
func mayHaveMacros(text string) bool {
	return strings.Contains(text, "{{") || strings.Contains(text, `\`) ||
		slices.ContainsFunc(kinds, func(kind string) bool { return strings.Contains(text, "."+kind+".") })
}

// walker visits the keys and scalars of a document in its order. It does not follow aliases,
// because it visits the values that they refer to.
type walker struct {
	key, scalar func(n *yaml.Node)

	path []string // of the current value
}

func (w *walker) walk(n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			w.key(n.Content[i])
			w.below("."+n.Content[i].Value, n.Content[i+1])
		}
	case yaml.SequenceNode:
		for i, element := range n.Content {
			w.below(bracketed(i), element)
		}
	case yaml.ScalarNode:
		w.scalar(n)
	}
}

func (w *walker) below(step string, n *yaml.Node) {
	w.path = append(w.path, step)
	w.walk(n)
	w.path = w.path[:len(w.path)-1]
}

// at returns the path of the current value, or of a key below it.
func (w *walker) at(key string) string {
	return diag.Join(strings.TrimPrefix(strings.Join(w.path, ""), "."), key)
}
