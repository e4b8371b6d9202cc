package lsp

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/fix"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/rewrite"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// The kinds of code actions.
const (
	kindFix    = "quickfix"
	kindFixAll = "source.fixAll"
	kindPreset = "refactor.rewrite"
)

// written returns the result of a run without mutators.
func (s *Server) written(unit string, r *result) *result {
	if !r.mutated {
		return r
	}
	if r.written == nil {
		written, texts := &result{findings: r.findings, texts: r.texts}, maps.Clone(r.texts)
		s.unlocked(func() {
			if report, err := s.check(unit, texts, scope{}); err == nil { // otherwise keep the findings of the previous run
				written.findings = report.Findings
			}
		})
		r.written = written
	}
	return r.written
}

// asked is a request for code actions, and collects the answer.
type asked struct {
	*Server
	*protocol.DocumentParams
	// path is the path of the file, and unit the unit that it is checked in.
	path, unit string
	// last is the result of the last run.
	last *result
	// actions are the actions so far, which are the answer.
	actions []protocol.CodeAction
}

// wants reports whether the client requests actions of a kind.
func (a *asked) wants(kind string) bool {
	return len(a.Context.Only) == 0 || slices.ContainsFunc(a.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
}

// offer adds an action that replaces the texts of files, unless no text changes.
func (a *asked) offer(action protocol.CodeAction, texts map[string][]byte) {
	e := protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{}}
	for path, text := range texts {
		uri := protocol.URIOf(path)
		if path == a.path {
			uri = a.TextDocument.URI // the URI in the client's spelling
		}
		if edits := a.results.textOf(a.last, path).Differences(string(text)); len(edits) > 0 {
			e.Changes[uri] = edits
		}
	}
	if len(e.Changes) > 0 {
		action.Edit = e
		a.actions = append(a.actions, action)
	}
}

// codeActions returns the edits of packfn fix, each one separately and all of the file together,
// and the edits that the user has to choose: proposed values, moving a misplaced key, accepting a
// finding, and presets.
func (s *Server) codeActions(ctx context.Context, p *protocol.DocumentParams) ([]protocol.CodeAction, error) {
	if err := s.schedule.settled(ctx); err != nil {
		return nil, err
	}
	a := &asked{Server: s, DocumentParams: p, path: protocol.PathOf(p.TextDocument.URI), actions: []protocol.CodeAction{}}
	a.unit = s.results.runOf(a.path)
	if a.last = s.results.found[a.unit]; a.last == nil {
		return a.actions, nil
	}
	if a.wants(kindFix) {
		written := s.written(a.unit, a.last)
		for _, f := range s.results.findingsAt(written, a.path, p.Range) {
			if !f.Accepted {
				a.fix(f, s.diagnostic(written, f))
			}
		}
		a.accept()
	}
	if a.wants(kindPreset) {
		a.presets()
	}
	if a.wants(kindFixAll) && slices.ContainsFunc(s.written(a.unit, a.last).findings, func(f report.Finding) bool { return f.Path == a.path && len(f.Fix()) > 0 && !f.Accepted }) {
		if err := a.fixAll(); err != nil {
			return nil, err
		}
	}
	return a.actions, nil
}

// fix offers the edits that resolve a finding.
func (a *asked) fix(f *report.Finding, of protocol.Diagnostic) {
	action := protocol.CodeAction{Kind: kindFix, Diagnostics: []protocol.Diagnostic{of}, IsPreferred: len(f.Fix()) > 0}
	if len(f.Edits) == 0 {
		if after := rewrite.Proposed(f, a.results.textOf(a.last, a.path).Text); after != "" {
			action.Title = fmt.Sprintf("Write %v", f.Proposed)
			a.offer(action, map[string][]byte{a.path: []byte(after)})
		}
	} else {
		action.Title = "Write " + f.Edits[0].New
		b := a.results.textOf(a.last, a.path)
		var all []protocol.TextEdit
		for _, e := range f.Edits {
			all = append(all, b.Edit(e))
		}
		action.Edit = protocol.WorkspaceEdit{Changes: map[string][]protocol.TextEdit{a.TextDocument.URI: all}}
		a.actions = append(a.actions, action)
	}
	if len(f.Fix()) == 0 {
		for _, to := range rewrite.Moves(f, a.results.textOf(a.last, a.path).Text) {
			action.Title = "Put it below " + to.Below
			a.offer(action, map[string][]byte{a.path: []byte(to.Text)})
		}
	}
}

// fixAll offers all changes that packfn fix makes in the file.
func (a *asked) fixAll() error {
	options, err := a.checkOptions(a.unit, a.last.texts, scope{})
	if err != nil {
		return err
	}
	var plan *fix.Plan
	a.unlocked(func() { plan, err = fix.New([]string{a.unit}, options) })
	if err != nil {
		return err
	}
	for _, change := range plan.Changes {
		if change.Path == a.path {
			a.offer(protocol.CodeAction{Title: "Fix all that packfn can fix in this file", Kind: kindFixAll}, map[string][]byte{change.Path: change.Text})
		}
	}
	return nil
}
