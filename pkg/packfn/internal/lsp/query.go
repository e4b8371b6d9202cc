package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/language"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/rule"
)

// snapshot is the parsed state of a package, and what it was made of.
type snapshot struct {
	*language.Snapshot
	// run is the result that the texts were taken from.
	run *result
	// disk is the value of workspace.disk when the files were read.
	disk int
}

// maxSnapshots is the maximum number of packages whose parsed state is kept.
const maxSnapshots = 8

// snapshotOf returns the parsed state of the package of a file. The caller holds the lock.
func (s *Server) snapshotOf(path string) *language.Snapshot {
	dir, only := s.workspace.dirOf(path), ""
	if !s.workspace.isInside(dir) {
		only = path
	}
	key := cmp.Or(only, dir)
	before, now := s.snapshots[key], &snapshot{run: s.results.of(path), disk: s.workspace.disk}
	var texts map[string]*protocol.Buffer
	if now.run != nil {
		texts = now.run.texts
	}
	switch {
	case before == nil:
		now.Snapshot = language.Read(dir, only, texts, nil)
	case before.run == now.run:
		return before.Snapshot
	case before.disk == now.disk:
		now.Snapshot = before.With(dir, texts)
	default:
		now.Snapshot = language.Read(dir, only, texts, before.Snapshot)
	}
	if s.snapshots == nil || len(s.snapshots) >= maxSnapshots {
		s.snapshots = map[string]*snapshot{}
	}
	s.snapshots[key] = now
	return now.Snapshot
}

// queryAt returns the query about a position, or nil if the buffer is not a file. It waits
// only for the first run, because the result of an earlier run is good enough while the user
// types.
func (s *Server) queryAt(ctx context.Context, p *protocol.DocumentParams) (*language.Query, error) {
	path := protocol.PathOf(p.TextDocument.URI)
	if path == "" {
		return nil, nil
	}
	if s.results.of(path) == nil {
		if err := s.schedule.settled(ctx); err != nil {
			return nil, err
		}
	}
	return s.language.At(s.snapshotOf(path), s.results.releases(), path, p.Position), nil
}

// completion returns the texts that can be typed at a position.
func (s *Server) completion(ctx context.Context, p *protocol.DocumentParams) (*protocol.CompletionList, error) {
	q, err := s.queryAt(ctx, p)
	if q == nil {
		return &protocol.CompletionList{Items: []protocol.CompletionItem{}}, err
	}
	return q.Completion(), nil
}

// definition returns the definition of the word at a position.
func (s *Server) definition(ctx context.Context, p *protocol.DocumentParams) ([]protocol.Location, error) {
	q, err := s.queryAt(ctx, p)
	if q == nil {
		return []protocol.Location{}, err
	}
	return q.Definition(), nil
}

// references returns the uses of the macro, pack or value at a position.
func (s *Server) references(ctx context.Context, p *protocol.DocumentParams) ([]protocol.Location, error) {
	q, err := s.queryAt(ctx, p)
	if q == nil {
		return []protocol.Location{}, err
	}
	return q.References(p.Context.IncludeDeclaration), nil
}

// hover explains the text at a position: the rules of its findings, and the key, name or macro
// there.
func (s *Server) hover(ctx context.Context, p *protocol.DocumentParams) (*protocol.Hover, error) {
	q, err := s.queryAt(ctx, p)
	if q == nil {
		return nil, err
	}
	texts, at := s.explained(protocol.PathOf(p.TextDocument.URI), p.Position)
	if text, of := q.Explain(); text != "" {
		texts = append(texts, text)
		if at == nil {
			at = &of
		}
	}
	if len(texts) == 0 {
		return nil, nil
	}
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: "markdown", Value: strings.Join(texts, "\n\n---\n\n")}, Range: at}, nil
}

// explained returns the texts about the rules of the findings at a position, and the range of the
// first one. It returns none if the text is newer than the findings.
func (s *Server) explained(path string, at protocol.Position) (texts []string, of *protocol.Range) {
	r := s.results.of(path)
	if r == nil || s.results.textOf(r, path).Text != s.workspace.Text(path).Text {
		return nil, nil
	}
	for _, f := range s.results.findingsAt(r, path, protocol.Range{Start: at, End: at}) {
		if text := language.RuleText(rule.Of(f.Rule)); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if of == nil {
			found := s.results.rangeOf(r, f)
			of = &found
		}
	}
	return texts, of
}

// inlayHints returns the hints of a part of a file.
func (s *Server) inlayHints(ctx context.Context, p *protocol.DocumentParams) ([]protocol.InlayHint, error) {
	if s.client.hints == (protocol.HintOptions{}) {
		return []protocol.InlayHint{}, nil
	}
	// The positions of hints must fit the current text.
	if err := s.schedule.settled(ctx); err != nil {
		return nil, err
	}
	file := protocol.PathOf(p.TextDocument.URI)
	return s.language.Hints(s.snapshotOf(file), file, p.Range, s.client.hints), nil
}
