package lsp

import (
	"context"

	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/outline"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

// symbols returns the outline of a file.
func (s *Server) symbols(_ context.Context, p *protocol.DocumentParams) ([]*outline.Symbol, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Symbols(s.workspace.Text(path), path), nil
}

// folding returns the ranges of a file that an editor can fold.
func (s *Server) folding(_ context.Context, p *protocol.DocumentParams) ([]protocol.FoldingRange, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Foldings(s.workspace.Text(path), path), nil
}

// links returns links to the files that a file names, and to the pages of the rules.
func (s *Server) links(_ context.Context, p *protocol.DocumentParams) ([]protocol.DocumentLink, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	return outline.Links(s.workspace.Text(path), path, s.options.RulePage, s.workspace.isInside), nil
}
