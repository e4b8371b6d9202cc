package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/fix"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// The kinds of code actions.
const (
	kindFix    = "quickfix"
	kindFixAll = "source.fixAll"
	kindPreset = "refactor.rewrite"
)

// written returns what the last run would find without mutators, nil for none. The caller has
// the lock.
func (s *Server) written(path string) *result {
	unit := s.runOf(path)
	r := s.found[unit]
	if r == nil || !r.mutated {
		return r
	}
	if r.written == nil {
		r.written = &result{findings: r.findings, texts: r.texts}
		if report, err := s.check(unit, r.texts, scope{}, nil); err == nil { // else as of the run before
			r.written.findings = report.Findings
		}
	}
	return r.written
}

// findingsAt returns the findings of a file whose ranges meet another. The caller has the lock.
func (s *Server) findingsAt(r *result, path string, at span) []*report.Finding {
	if r == nil {
		return nil
	}
	var all []*report.Finding
	for i := range r.findings {
		f := &r.findings[i]
		if f.Path != path || f.Line == 0 {
			continue
		}
		if of := s.rangeOf(r, f); !isBefore(of.End, at.Start) && !isBefore(at.End, of.Start) {
			all = append(all, f)
		}
	}
	return all
}

func isBefore(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// asked is a request for code actions.
type asked struct {
	*codeActionParams
	path, unit string
	// found is what the last run has found, and written that without mutators.
	found, written *result
}

// wants reports whether the client asks for actions of a kind.
func (a *asked) wants(kind string) bool {
	return len(a.Context.Only) == 0 || slices.ContainsFunc(a.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
}

// edit returns the edits that make other texts of files, by their paths. It is nil if there are
// none.
func (s *Server) edit(a *asked, texts map[string][]byte) *workspaceEdit {
	e := &workspaceEdit{map[string][]textEdit{}}
	for path, text := range texts {
		uri := uriOf(path)
		if path == a.path {
			uri = a.TextDocument.URI // as the client writes it
		}
		if edits := s.textOf(a.found, path).differences(string(text)); len(edits) > 0 {
			e.Changes[uri] = edits
		}
	}
	if len(e.Changes) == 0 {
		return nil
	}
	return e
}

// codeActions returns what packfn fix writes, each edit alone and all of the file, and the
// choices of the user: what is proposed, where a key belongs, what is accepted, and presets.
func (s *Server) codeActions(ctx context.Context, p *codeActionParams) ([]codeAction, error) {
	if err := s.settled(ctx); err != nil {
		return nil, err
	}
	all := []codeAction{}
	a := &asked{codeActionParams: p, path: pathOf(p.TextDocument.URI)}
	a.unit = s.runOf(a.path)
	if a.found = s.found[a.unit]; a.found == nil {
		return all, nil
	}
	if a.wants(kindFix) || a.wants(kindFixAll) {
		a.written = s.written(a.path)
	}
	if a.wants(kindFix) {
		for _, f := range s.findingsAt(a.written, a.path, p.Range) {
			if !f.Accepted {
				all = append(all, s.fixes(a, f)...)
			}
		}
		all = append(all, s.acceptances(a)...)
	}
	if a.wants(kindPreset) {
		all = append(all, s.presets(a)...)
	}
	if a.wants(kindFixAll) && slices.ContainsFunc(a.written.findings, func(f report.Finding) bool { return f.Path == a.path && len(f.Edits) > 0 && !f.Accepted }) {
		action, err := s.fixAll(a)
		if err != nil {
			return nil, err
		}
		if action != nil {
			all = append(all, *action)
		}
	}
	return all, nil
}

// fixes returns the actions that make a finding go away.
func (s *Server) fixes(a *asked, f *report.Finding) []codeAction {
	if len(f.Edits) == 0 {
		return append(s.proposals(a, f), s.moves(a, f)...)
	}
	b, edits := s.textOf(a.written, a.path), []textEdit{}
	for _, e := range f.Edits {
		edits = append(edits, b.edit(e))
	}
	return []codeAction{{
		Title: fmt.Sprintf("Write %s", f.Edits[0].New), Kind: kindFix, IsPreferred: true,
		Diagnostics: []diagnostic{s.diagnostic(a.written, f)}, Edit: &workspaceEdit{map[string][]textEdit{a.TextDocument.URI: edits}},
	}}
}

// edit returns the client's form of an edit.
func (b *buffer) edit(e diag.Edit) textEdit {
	end := e.At
	end.Column += e.Length
	return textEdit{span{b.position(e.At), b.position(end)}, e.New}
}

// fixAll returns the action that changes a file as packfn fix does. The caller has the lock.
func (s *Server) fixAll(a *asked) (*codeAction, error) {
	options, err := s.checkOptions(a.unit, a.found.texts, scope{})
	if err != nil {
		return nil, err
	}
	plan, err := fix.New([]string{a.unit}, options)
	if err != nil {
		return nil, err
	}
	for _, change := range plan.Changes {
		if change.Path == a.path {
			return &codeAction{Title: "Fix all that packfn can fix in this file", Kind: kindFixAll, Edit: s.edit(a, map[string][]byte{change.Path: change.Text})}, nil
		}
	}
	return nil, nil
}
