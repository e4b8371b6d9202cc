package outline

import (
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

// linker finds links in a text.
type linker struct {
	// b is the text, and dir the folder of its file.
	b   *protocol.Buffer
	dir string
	// page returns the URL of the page about a rule. isInside reports whether a file may be opened.
	page     func(id string) string
	isInside func(path string) bool
	// left is the remaining number of file names to look up.
	left int
}

// Links returns links to the files that a file names, for which isInside is true, and to the pages of the
// rules.
func Links(b *protocol.Buffer, path string, page func(id string) string, isInside func(path string) bool) []protocol.DocumentLink {
	all := []protocol.DocumentLink{}
	l := &linker{b: b, dir: filepath.Dir(path), page: page, isInside: isInside, left: mostLinks}
	each(Symbols(b, path), func(in *Symbol) {
		if in.Name == function.AcceptAnnotation || in.Name == "severity" {
			all = append(all, l.rules(in.Range)...)
		} else {
			all = append(all, l.files(in)...)
		}
	})
	return all
}

// rules returns links to the pages of the rules that a part of the text names.
func (l *linker) rules(part protocol.Range) []protocol.DocumentLink {
	var all []protocol.DocumentLink
	b := l.b
	from := b.Offset(part.Start)
	for _, at := range ruleID.FindAllStringIndex(b.Text[from:b.Offset(part.End)], -1) {
		if id := b.Text[from+at[0] : from+at[1]]; rule.Of(id).ID != "" {
			all = append(all, protocol.DocumentLink{Range: b.Span(from+at[0], from+at[1]), Target: l.page(id)})
		}
	}
	return all
}

// files returns links to the existing files that the value of a key names.
func (l *linker) files(of *Symbol) []protocol.DocumentLink {
	nodes := []*yaml.Node{of.node}
	if of.node.Kind == yaml.SequenceNode {
		nodes = of.node.Content
	}
	var all []protocol.DocumentLink
	for _, n := range nodes {
		text := values.Text(n)
		if len(text) > 200 || !strings.ContainsAny(text, "./") || !fileName.MatchString(text) || l.left == 0 {
			continue
		}
		l.left--
		name := filepath.Join(l.dir, filepath.FromSlash(text))
		if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || !l.isInside(name) {
			continue
		}
		if at, ok := of.place(values.At(n)); ok {
			all = append(all, protocol.DocumentLink{Range: l.b.Token(at), Target: protocol.URIOf(name)})
		}
	}
	return all
}
