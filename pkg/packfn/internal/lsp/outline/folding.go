package outline

import "github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"

// Foldings returns the ranges of the resources, embedded texts and mappings of a file that span
// several lines.
func Foldings(b *protocol.Buffer, path string) []protocol.FoldingRange {
	all := []protocol.FoldingRange{}
	each(Symbols(b, path), func(of *Symbol) {
		if of.Range.End.Line > of.Range.Start.Line {
			all = append(all, protocol.FoldingRange{StartLine: of.Range.Start.Line, EndLine: of.Range.End.Line})
		}
	})
	return all
}

// each visits symbols and all of their descendants.
func each(all []*Symbol, visit func(*Symbol)) {
	for _, of := range all {
		visit(of)
		each(of.Children, visit)
	}
}
