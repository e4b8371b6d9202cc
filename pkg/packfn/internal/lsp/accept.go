package lsp

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// reason is the text that the user replaces by why the finding is accepted.
const reason = "say why"

// accept offers to accept the findings at a place: of what is written, and of what mutators make
// of it.
func (a *asked) accept() {
	type what struct{ rule, field, key string }
	known := map[what]bool{}
	for _, r := range []*result{a.written(a.unit, a.last), a.last} {
		for _, f := range a.findingsAt(r, a.path, a.Range) {
			if is := (what{f.Rule, f.Field, f.Key}); !known[is] {
				known[is] = true
				a.acceptOne(f, a.diagnostic(r, f))
			}
		}
	}
}

// acceptOne offers to accept a finding in its resource, if that can be done: functionConfigs in a
// Kptfile and pack directories have no annotations.
func (a *asked) acceptOne(f *report.Finding, of diagnostic) {
	if f.Accepted || f.Severity == diag.Info || rule.Of(f.Rule).ID == "" || rule.Of(f.Rule).Fixed {
		return
	}
	t := subjectOf(f, a.textOf(a.last, a.path).text)
	if t == nil || t.inline || t.items == nil {
		return
	}
	line := strings.TrimSpace(f.Rule + " " + cmp.Or(f.Reported.Key, f.Reported.Path()))
	if strings.ContainsAny(line, "\r\n") || strings.Contains(line, ": ") {
		return // no line of the annotation says that
	}
	item := t.items[t.index]
	text := strings.TrimRight(item.Annotation(function.AcceptAnnotation), "\n") + "\n" + line + ": " + reason
	if _, err := item.Annotate(map[string]string{function.AcceptAnnotation: strings.TrimPrefix(text, "\n")}); err != nil {
		return
	}
	after := joined(t.text, t.items)
	action := codeAction{Title: "Accept this finding… (" + f.Rule + ")", Kind: kindFix, Diagnostics: []diagnostic{of}}
	if at := strings.Index(after, line+": "+reason); a.showsDocuments && at >= 0 {
		b := newBuffer(after, a.encoding)
		at += len(line) + 2
		action.Command = &command{"Edit the reason", commandSelect, []any{selection{a.TextDocument.URI, span{b.place(at), b.place(at + len(reason))}, true}}}
	}
	a.offer(action, map[string][]byte{a.path: []byte(after)})
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
