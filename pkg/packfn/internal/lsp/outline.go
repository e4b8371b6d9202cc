package lsp

import (
	"context"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/outline"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// symbols returns the outline of a file.
func (s *Server) symbols(_ context.Context, p *protocol.DocumentParams) ([]*outline.Symbol, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Symbols(s.current(path), path), nil
}

// folding returns the ranges of a file that an editor can fold.
func (s *Server) folding(_ context.Context, p *protocol.DocumentParams) ([]protocol.FoldingRange, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Foldings(s.current(path), path), nil
}

// links returns links to the files that a file names, and to the pages of the rules.
func (s *Server) links(_ context.Context, p *protocol.DocumentParams) ([]protocol.DocumentLink, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Links(s.current(path), path, s.options.RulePage, s.isInside), nil
}

// current returns the current text of a file. The caller holds the lock.
func (s *Server) current(path string) *protocol.Buffer {
	if of := s.buffers[path]; of != nil {
		return of.Buffer
	}
	text, _ := folder.ReadText(path) // empty if the file was deleted
	return protocol.NewBuffer(string(text), s.encoding)
}
