package lsp

import (
	"encoding/json"
	"fmt"
	"strings"
)

// outline shows symbols as lines: name, kind, their range and that of the name.
func (s *session) outline(answer json.RawMessage) string {
	s.t.Helper()
	var all []*symbol
	s.parse(string(answer), &all)
	var out strings.Builder
	var show func(all []*symbol, indent string)
	show = func(all []*symbol, indent string) {
		for _, of := range all {
			fmt.Fprintf(&out, "%s%s %d %s %s\n", indent, of.Name, of.Kind, lineOf(&of.Range), lineOf(&of.SelectionRange))
			if isBefore(of.SelectionRange.Start, of.Range.Start) || isBefore(of.Range.End, of.SelectionRange.End) {
				s.t.Errorf("the name of %s is not in its range", of.Name)
			}
			show(of.Children, indent+"  ")
		}
	}
	show(all, "")
	return out.String()
}
