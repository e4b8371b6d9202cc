package values

import "github.com/krm-packs/functions/pkg/diag"

// Where returns the reason without its place, and the place (see [diag.Unreadable]).
func (e *SyntaxError) Where() (string, diag.Position) { return e.Reason, e.Position }

// Where returns the reason without its place, and the place (see [diag.Unreadable]).
func (e *EditError) Where() (string, diag.Position) { return e.Reason, e.Position }
