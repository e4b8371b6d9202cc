package lsp

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// documentLink is a range of a text that a client opens as a link.
type documentLink struct {
	Range span `json:"range"`
	// Target is a URI: of a file, or of the page of a rule.
	Target string `json:"target"`
}

// mostLinks is the maximum number of file names in a document that are looked up on disk.
const mostLinks = 500

var (
	ruleID   = regexp.MustCompile(`[a-z0-9-]+/[a-z0-9-]+|[a-z]+(?:-[a-z]+)+`)
	fileName = regexp.MustCompile(`^[\w@+-][\w@+./-]*$|^\.\.?/[\w@+./-]+$`)
)

// links returns links to the files that a file names, and to the pages of the rules.
func (s *Server) links(_ context.Context, p *documentParams) ([]documentLink, error) {
	all, path := []documentLink{}, pathOf(p.TextDocument.URI)
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
func (s *Server) rulePages(b *buffer, part span) []documentLink {
	var all []documentLink
	from := b.offset(part.Start)
	for _, at := range ruleID.FindAllStringIndex(b.text[from:b.offset(part.End)], -1) {
		if id := b.text[from+at[0] : from+at[1]]; rule.Of(id).ID != "" {
			all = append(all, documentLink{span{b.place(from + at[0]), b.place(from + at[1])}, s.options.RulePage(id)})
		}
	}
	return all
}

// fileLinks returns links to the existing files that the value of a key names.
func (s *Server) fileLinks(b *buffer, of *symbol, dir string, left *int) []documentLink {
	nodes := []*yaml.Node{of.node}
	if of.node.Kind == yaml.SequenceNode {
		nodes = of.node.Content
	}
	var all []documentLink
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
			all = append(all, documentLink{b.token(at), uriOf(name)})
		}
	}
	return all
}
