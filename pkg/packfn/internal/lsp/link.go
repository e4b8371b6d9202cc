package lsp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// mostLinks is the maximum number of file names in a document that are looked up on disk.
const mostLinks = 500

var (
	ruleID   = regexp.MustCompile(`[a-z0-9-]+/[a-z0-9-]+|[a-z]+(?:-[a-z]+)+`)
	fileName = regexp.MustCompile(`^[\w@+-][\w@+./-]*$|^\.\.?/[\w@+./-]+$`)
)

// links returns links to the files that a file names, and to the pages of the rules.
func (s *Server) links(_ context.Context, p *protocol.DocumentParams) ([]protocol.DocumentLink, error) {
	all, path := []protocol.DocumentLink{}, protocol.PathOf(p.TextDocument.URI)
	b, left := s.current(path), mostLinks
	each(symbolsOf(b, path), func(in *symbol) {
		if in.Name == function.AcceptAnnotation || in.Name == "severity" {
			all = append(all, s.rulePages(b, in.Range)...)
		} else {
			all = append(all, s.fileLinks(b, in, filepath.Dir(path), &left)...)
		}
	})
	return all, nil
}

// rulePages returns links to the pages of the rules that a part of a text names.
func (s *Server) rulePages(b *protocol.Buffer, part protocol.Range) []protocol.DocumentLink {
	var all []protocol.DocumentLink
	from := b.Offset(part.Start)
	for _, at := range ruleID.FindAllStringIndex(b.Text[from:b.Offset(part.End)], -1) {
		if id := b.Text[from+at[0] : from+at[1]]; rule.Of(id).ID != "" {
			all = append(all, protocol.DocumentLink{Range: b.Span(from+at[0], from+at[1]), Target: s.options.RulePage(id)})
		}
	}
	return all
}

// fileLinks returns links to the existing files that the value of a key names.
func (s *Server) fileLinks(b *protocol.Buffer, of *symbol, dir string, left *int) []protocol.DocumentLink {
	nodes := []*yaml.Node{of.node}
	if of.node.Kind == yaml.SequenceNode {
		nodes = of.node.Content
	}
	var all []protocol.DocumentLink
	for _, n := range nodes {
		text := values.Text(n)
		if len(text) > 200 || !strings.ContainsAny(text, "./") || !fileName.MatchString(text) || *left == 0 {
			continue
		}
		*left--
		name := filepath.Join(dir, filepath.FromSlash(text))
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || !s.isInside(name) {
			continue
		}
		if at, ok := of.place(values.At(n)); ok {
			all = append(all, protocol.DocumentLink{Range: b.Token(at), Target: protocol.URIOf(name)})
		}
	}
	return all
}
