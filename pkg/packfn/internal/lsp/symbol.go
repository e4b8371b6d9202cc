package lsp

import (
	"context"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// symbols returns the outline of a file.
func (s *Server) symbols(_ context.Context, p *documentParams) ([]*symbol, error) {
	path := pathOf(p.TextDocument.URI)
	return symbolsOf(s.current(path), path), nil
}

// foldingRange is a range of lines that an editor can fold.
type foldingRange struct {
	StartLine int `json:"startLine"`
	EndLine   int `json:"endLine"`
}

// folding returns the ranges of the resources, embedded texts and mappings of a file that span
// several lines.
func (s *Server) folding(_ context.Context, p *documentParams) ([]foldingRange, error) {
	all, path := []foldingRange{}, pathOf(p.TextDocument.URI)
	each(symbolsOf(s.current(path), path), func(of *symbol) {
		if of.Range.End.Line > of.Range.Start.Line {
			all = append(all, foldingRange{of.Range.Start.Line, of.Range.End.Line})
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
func (s *Server) current(path string) *buffer {
	if of := s.buffers[path]; of != nil {
		return of.buffer
	}
	text, _ := folder.ReadText(path) // empty if the file was deleted
	return newBuffer(string(text), s.encoding)
}
