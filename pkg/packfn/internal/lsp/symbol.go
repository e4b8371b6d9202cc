package lsp

import (
	"context"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// symbols returns the outline of a file.
func (s *Server) symbols(_ context.Context, p *protocol.DocumentParams) ([]*symbol, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return symbolsOf(s.current(path), path), nil
}

// folding returns the ranges of the resources, embedded texts and mappings of a file that span
// several lines.
func (s *Server) folding(_ context.Context, p *protocol.DocumentParams) ([]protocol.FoldingRange, error) {
	all, path := []protocol.FoldingRange{}, protocol.PathOf(p.TextDocument.URI)
	each(symbolsOf(s.current(path), path), func(of *symbol) {
		if of.Range.End.Line > of.Range.Start.Line {
			all = append(all, protocol.FoldingRange{StartLine: of.Range.Start.Line, EndLine: of.Range.End.Line})
		}
	})
	return all, nil
}

// each visits symbols and all of their descendants.
func each(all []*symbol, visit func(*symbol)) {
	for _, of := range all {
		visit(of)
		each(of.Children, visit)
	}
}

// current returns the current text of a file. The caller holds the lock.
func (s *Server) current(path string) *protocol.Buffer {
	if of := s.buffers[path]; of != nil {
		return of.Buffer
	}
	text, _ := folder.ReadText(path) // empty if the file was deleted
	return protocol.NewBuffer(string(text), s.encoding)
}
