package check

import (
	"bytes"
	"path"
	"slices"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// Standard is the path that stands for standard input, and standardName its name in reports.
const (
	Standard     = "-"
	standardName = "standard input"
)

// originAnnotation is where kustomize notes the file that a resource is from, with buildMetadata:
// [originAnnotations]:
//
//	config.kubernetes.io/origin: |
//	  path: ../base/web.yaml
const originAnnotation = "config.kubernetes.io/origin"

// standardUnit returns the unit of standard input: YAML documents, or a ResourceList. It returns an
// error if that is neither.
func (c *checker) standardUnit() (*unit, error) {
	text := c.Stdin
	switch {
	case len(bytes.TrimSpace(text)) == 0:
		return nil, errNoInput
	case !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0:
		return nil, &folder.EncodingError{Name: standardName, Text: text, At: 1 + firstInvalid(text)}
	}
	isList := slices.ContainsFunc(list.FileItems(firstDocument(text), standardName), func(item *list.Item) bool { return item.Kind() == "ResourceList" })
	if isList {
		l, err := list.Read(text)
		if err != nil {
			return nil, err
		}
		var texts [][]byte
		for _, item := range l.Items {
			texts = append(texts, item.Text())
		}
		text = bytes.Join(texts, []byte("\n---\n"))
	}
	u := c.outside(".", []*kptpackage.File{{Path: standardName, Package: ".", Text: text}}, nil, newRoom(), nil)
	u.isStandard, u.hasLines = true, !isList
	return u, nil
}

// firstDocument returns the beginning of a text, up to the first separator of documents.
func firstDocument(text []byte) []byte {
	first, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("---\n")), []byte("\n---"))
	return first
}

// firstInvalid returns the index of the first byte that is not text.
func firstInvalid(text []byte) int {
	at := 0
	for at < len(text) {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size < 2 || r == 0 {
			break
		}
		at += size
	}
	return at
}

// origin sets the place of a finding about standard input: the file that the resource is from, if the
// resource names it, or else the line of the input.
func (u *unit) origin(out *report.Finding, f *diag.Finding) {
	out.Path, out.File = "", standardName
	if item := u.Item(workspace.IDOf(f.Resource())); item != nil {
		from := item.Annotation(list.PathAnnotation)
		if document, err := values.Parse(item.Annotation(originAnnotation)); err == nil && from == "" {
			from = values.Text(values.Field(document.Root(), "path"))
		}
		if from != "" {
			out.File, out.Line, out.Column, out.Edits = path.Clean(from), 0, 0, nil
			return
		}
	}
	if !u.hasLines {
		out.Line, out.Column = 0, 0
	}
	out.Edits = nil
}
