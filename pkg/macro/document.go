package macro

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Document resolves the macros of all values of a document, as its sources have them. It
// leaves keys, comments, and scalars without macros alone.
//
// The findings have the path of the value as their key, the document's origin, and the position in
// the document. The position is exact if the document contains the text as it is decoded. Otherwise
// it is the position of the macro or of the scalar. The results are for [hydration.Sources.Edits],
// and nil if a macro cannot be resolved. A value that has a source stays as it is, with an info, if
// a fact of the source is not in this run, unless [Context.Missing] is Keep. A resolved scalar is a
// string and keeps its style. A plain scalar is quoted if it would otherwise not be read as a
// string. An anchor that shares a scalar shares the resolved scalar as well.
func (r *Resolver) Document(s *hydration.Sources) (results map[*yaml.Node]hydration.Result, findings []diag.Finding) {
	results = r.resolveDocument(s, func(f diag.Finding) { findings = append(findings, f) })
	return results, findings
}

// resolveDocument is Document that keeps no findings: a short text can have very many.
func (r *Resolver) resolveDocument(s *hydration.Sources, found func(diag.Finding)) map[*yaml.Node]hydration.Result {
	d := s.Part()
	reportFaults(s, found)
	if d.Root() == nil || !mayHaveMacros(d.Text()) {
		return nil
	}
	results := map[*yaml.Node]hydration.Result{}
	hasFailed := false
	w := walker{key: keyReporter(d, found)}
	w.scalar = func(n *yaml.Node) {
		resolved := r.resolve(n.Value)
		result := s.Result(n)
		if r.stands(&resolved, result) {
			results[n] = hydration.Result{Stays: true}
			found(kept(resolved.absent).In(d.Origin(), w.at(""), values.At(n)))
			return
		}
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
		if result != nil || resolved.text != n.Value {
			results[n] = hydration.Result{Text: resolved.text}
		}
	}
	w.walk(d.Root())
	if hasFailed {
		return nil
	}
	return results
}

// waitDocument counts the macros of a document that waits for facts, see [Resolver.wrong].
func (r *Resolver) waitDocument(s *hydration.Sources, found func(diag.Finding)) (macros int) {
	d := s.Part()
	reportFaults(s, found)
	if d.Root() == nil || !mayHaveMacros(d.Text()) {
		return 0
	}
	w := walker{key: keyReporter(d, found)}
	w.scalar = func(n *yaml.Node) {
		faults := r.wrong(n.Value, &macros)
		if len(faults) == 0 {
			return
		}
		source := newSource(d, n)
		for _, f := range faults {
			found(f.In(d.Origin(), w.at(""), source.position(n.Value, f.offset)))
		}
	}
	w.walk(d.Root())
	return macros
}

// keyReporter reports the macros of keys.
func keyReporter(d *values.Document, found func(diag.Finding)) func(w *walker, n *yaml.Node) {
	return func(w *walker, n *yaml.Node) {
		if macro := template.Macro(n.Value); macro != "" {
			f := diag.Say("macros are resolved only in values, not in keys").Do("write the key without a macro").Of(rule.MacroSuspicious)
			found(f.In(d.Origin(), w.at(n.Value), values.At(n)))
		}
	}
}

// reportFaults warns of comments that have no source.
func reportFaults(s *hydration.Sources, found func(diag.Finding)) {
	for _, fault := range s.Faults {
		f := diag.Say("the comment %q has %s, so the value stays as it is", "# "+hydration.Marker, fault.Found).
			Do("write the text with the macro there, or remove the comment").Of(rule.MacroInvalid)
		f.Severity = diag.Warning
		found(f.In(s.Part().Origin(), "", fault.Position))
	}
}

// kept makes an info about a value whose source needs facts that are not in this run.
func kept(absent []string) diag.Finding {
	f := diag.Say("stays as it is, because this run does not have %s", diag.AllOf(absent)).Of(rule.MacroKept)
	f.Tags = map[string]string{"macro": strings.Join(absent, " ")}
	return f
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
	// key is called for each key, and scalar for each scalar.
	key    func(w *walker, n *yaml.Node)
	scalar func(n *yaml.Node)
	visit  func(n *yaml.Node) // nil, or called for each value

	path []string // of the current value
}

// walk visits a node and everything below it.
func (w *walker) walk(n *yaml.Node) {
	if w.visit != nil {
		w.visit(n)
	}
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			w.key(w, n.Content[i])
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

// below visits the value of a key or an element.
func (w *walker) below(step string, n *yaml.Node) {
	w.path = append(w.path, step)
	w.walk(n)
	w.path = w.path[:len(w.path)-1]
}

// pathTo returns the path of a collection below another one, and whether it is there.
func pathTo(root, n *yaml.Node) (path string, isIn bool) {
	w := walker{key: func(*walker, *yaml.Node) {}, scalar: func(*yaml.Node) {}}
	w.visit = func(below *yaml.Node) {
		if below == n {
			path, isIn = w.at(""), true
		}
	}
	if root != nil {
		w.walk(root)
	}
	return path, isIn
}

// at returns the path of the current value, or of a key below it.
func (w *walker) at(key string) string {
	return diag.Join(strings.TrimPrefix(strings.Join(w.path, ""), "."), key)
}
