package lsp

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/fix"
	"github.com/krm-packs/functions/pkg/packfn/report"
)

// The kinds of code actions.
const (
	kindFix    = "quickfix"
	kindFixAll = "source.fixAll"
)

// written returns what the last run would find without mutators, nil for none. The caller has
// the lock.
func (s *Server) written(path string) *result {
	unit := s.runOf(path)
	r := s.found[unit]
	if r == nil {
		return nil
	}
	if r.written == nil {
		findings, err := s.check(unit, r.texts, false)
		if err != nil { // as of the run before
			findings = r.findings
		}
		r.written = &result{findings: findings, texts: r.texts}
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

// runOf returns the unit of the last run that judged a file.
func (s *Server) runOf(path string) string {
	best := ""
	for unit := range s.found {
		if within(path, unit) && len(unit) > len(best) {
			best = unit
		}
	}
	return best
}

func isBefore(a, b position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

// codeActions returns what packfn fix writes: each edit alone, and all of the file.
func (s *Server) codeActions(_ context.Context, p *codeActionParams) ([]codeAction, error) {
	path := pathOf(p.TextDocument.URI)
	wants := func(kind string) bool {
		return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool { return kind == only || strings.HasPrefix(kind, only+".") })
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled()
	all := []codeAction{}
	r := s.written(path)
	for _, f := range s.findingsAt(r, path, p.Range) {
		if len(f.Edits) == 0 || f.Accepted || !wants(kindFix) {
			continue
		}
		b, edits := s.textOf(r, path), []textEdit{}
		for _, e := range f.Edits {
			end := e.At
			end.Column += e.Length
			edits = append(edits, textEdit{span{b.position(e.At), b.position(end)}, e.New})
		}
		all = append(all, codeAction{
			Title: fmt.Sprintf("Write %s", f.Edits[0].New), Kind: kindFix, IsPreferred: true,
			Diagnostics: []diagnostic{s.diagnostic(r, f)}, Edit: &workspaceEdit{map[string][]textEdit{p.TextDocument.URI: edits}},
		})
	}
	if wants(kindFixAll) && r != nil && slices.ContainsFunc(r.findings, func(f report.Finding) bool { return f.Path == path && len(f.Edits) > 0 && !f.Accepted }) {
		action, err := s.fixAll(path, p.TextDocument.URI)
		if err != nil {
			return nil, err
		}
		if action != nil {
			all = append(all, *action)
		}
	}
	return all, nil
}

// fixAll returns the action that changes a file as packfn fix does. The caller has the lock.
func (s *Server) fixAll(path, uri string) (*codeAction, error) {
	unit := s.runOf(path)
	r := s.found[unit]
	options, err := s.checkOptions(unit, r.texts)
	if err != nil {
		return nil, err
	}
	options.Rendered = false
	plan, err := fix.New([]string{unit}, options)
	if err != nil {
		return nil, err
	}
	for _, change := range plan.Changes {
		if change.Path != path {
			continue
		}
		before, after := s.textOf(r, path), string(change.Text)
		edit := before.difference(after)
		return &codeAction{Title: "Fix all that packfn can fix in this file", Kind: kindFixAll, Edit: &workspaceEdit{map[string][]textEdit{uri: {edit}}}}, nil
	}
	return nil, nil
}

// difference returns the edit that makes another text of this one. What both have at their
// beginning and their end stays.
func (b *buffer) difference(after string) textEdit {
	from := 0
	for from < min(len(b.text), len(after)) && b.text[from] == after[from] {
		from++
	}
	for from > 0 && !isBoundary(b.text, from) {
		from--
	}
	end := 0
	for end < min(len(b.text), len(after))-from && b.text[len(b.text)-1-end] == after[len(after)-1-end] {
		end++
	}
	for end > 0 && !isBoundary(b.text, len(b.text)-end) {
		end--
	}
	return textEdit{span{b.place(from), b.place(len(b.text) - end)}, after[from : len(after)-end]}
}

// isBoundary reports whether an offset is between two characters of the client's: not in the
// bytes of one, and not in the end of a line.
func isBoundary(text string, at int) bool {
	return at == len(text) || text[at]&0xc0 != 0x80 && !(text[at] == '\n' && at > 0 && text[at-1] == '\r')
}
