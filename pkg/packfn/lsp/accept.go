package lsp

import (
	"context"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// reason is the text that the user replaces by why the finding is accepted.
const reason = "say why"

// acceptances returns the actions that accept the findings at a place: of what is written, and
// of what mutators make of it.
func (s *Server) acceptances(a *asked) []codeAction {
	var all []codeAction
	type what struct{ rule, field, key string }
	known := map[what]bool{}
	for _, r := range []*result{a.written, a.found} {
		for _, f := range s.findingsAt(r, a.path, a.Range) {
			is := what{f.Rule, f.Field, f.Key}
			if known[is] {
				continue
			}
			known[is] = true
			if action := s.accept(a, r, f); action != nil {
				all = append(all, *action)
			}
		}
	}
	return all
}

// accept returns the action that accepts a finding in its resource, nil if that cannot be
// done: functionConfigs in a Kptfile and pack directories have no annotations.
func (s *Server) accept(a *asked, r *result, f *report.Finding) *codeAction {
	if f.Accepted || f.Severity == diag.Info || rule.Of(f.Rule).ID == "" || rule.Of(f.Rule).Fixed {
		return nil
	}
	t := subjectOf(f, s.textOf(a.found, a.path).text)
	if t == nil || t.inline || t.resource() == nil {
		return nil
	}
	key := f.Cause.Key
	if key == "" {
		key = f.Cause.Path()
	}
	line := f.Rule
	if key != "" {
		line += " " + key
	}
	if strings.ContainsAny(line, "\r\n") || strings.Contains(line, ": ") {
		return nil // no line of the annotation says that
	}
	item := t.resource()
	text := strings.TrimRight(item.Annotation(function.AcceptAnnotation), "\n")
	if text != "" {
		text += "\n"
	}
	if _, err := item.Annotate(map[string]string{function.AcceptAnnotation: text + line + ": " + reason}); err != nil {
		return nil
	}
	after := joined(t.text, t.items)
	edit := s.edit(a, map[string][]byte{a.path: []byte(after)})
	if edit == nil {
		return nil
	}
	action := &codeAction{
		Title: "Accept this finding… (" + f.Rule + ")", Kind: kindFix,
		Diagnostics: []diagnostic{s.diagnostic(r, f)}, Edit: edit,
	}
	if at := strings.Index(after, line+": "+reason); s.showsDocuments && at >= 0 {
		b := newBuffer(after, s.encoding)
		at += len(line) + 2
		action.Command = &command{"Edit the reason", commandSelect, []any{selection{a.TextDocument.URI, span{b.place(at), b.place(at + len(reason))}, true}}}
	}
	return action
}

// commandSelect selects a text in the client.
const commandSelect = "packfn.select"

// selection is what a client is asked to select.
type selection struct {
	URI       string `json:"uri"`
	Selection span   `json:"selection"`
	TakeFocus bool   `json:"takeFocus"`
}

type executeParams struct {
	Command   string      `json:"command"`
	Arguments []selection `json:"arguments"`
}

// execute asks the client to select a text, after it has applied an action.
func (s *Server) execute(_ context.Context, p *executeParams) (any, error) {
	if p.Command != commandSelect || len(p.Arguments) != 1 {
		return nil, fmt.Errorf("unknown command %q", p.Command)
	}
	// The answer comes when this request is done, or never.
	go func() { _, _ = s.rpc.Callback(s.ctx, "window/showDocument", p.Arguments[0]) }()
	return nil, nil
}
