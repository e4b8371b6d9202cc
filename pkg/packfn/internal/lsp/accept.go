package lsp

import (
	"context"
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/rewrite"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

// reason is the placeholder that the user replaces with the reason for accepting the finding.
const reason = "say why"

// accept offers to accept the findings at the range: findings in the files as written, and
// findings in the result of the mutators.
func (a *asked) accept() {
	type what struct{ rule, field, key string }
	known := map[what]bool{}
	for _, r := range []*result{a.written(a.unit, a.last), a.last} {
		for _, f := range a.results.findingsAt(r, a.path, a.Range) {
			if is := (what{f.Rule, f.Field, f.Key}); !known[is] {
				known[is] = true
				a.acceptOne(f, a.diagnostic(r, f))
			}
		}
	}
}

// acceptOne offers to accept a finding with an annotation of its resource.
func (a *asked) acceptOne(f *report.Finding, of protocol.Diagnostic) {
	if f.Accepted || f.Severity == diag.Info || rule.Of(f.Rule).ID == "" || rule.Of(f.Rule).Fixed {
		return
	}
	after, at := rewrite.Accepted(f, a.results.textOf(a.last, a.path).Text, reason)
	if after == "" {
		return
	}
	action := protocol.CodeAction{Title: "Accept this finding… (" + f.Rule + ")", Kind: kindFix, Diagnostics: []protocol.Diagnostic{of}}
	if a.client.showsDocuments && at >= 0 {
		b := a.workspace.Buffer(after)
		action.Command = &protocol.Command{Title: "Edit the reason", Command: commandSelect, Arguments: []any{selection{a.TextDocument.URI, b.Span(at, at+len(reason)), true}}}
	}
	a.offer(action, map[string][]byte{a.path: []byte(after)})
}

// commandSelect is the command that selects a text in the client.
const commandSelect = "packfn.select"

// executeParams are the parameters of workspace/executeCommand. The only command is commandSelect,
// with one selection.
type executeParams struct {
	Command   string      `json:"command"`
	Arguments []selection `json:"arguments"`
}

// execute asks the client to select a text after the client has applied a code action.
func (s *Server) execute(_ context.Context, p *executeParams) (any, error) {
	if p.Command != commandSelect || len(p.Arguments) != 1 {
		return nil, fmt.Errorf("unknown command %q", p.Command)
	}
	s.client.show(p.Arguments[0])
	return nil, nil
}
