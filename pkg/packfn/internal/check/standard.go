package check

import (
	"bytes"
	"path"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// Standard is the path that stands for standard input, and StandardName its name in reports.
const (
	Standard     = "-"
	StandardName = "standard input"
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
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, errNoInput
	}
	first, _, _ := bytes.Cut(bytes.TrimPrefix(text, []byte("---\n")), []byte("\n---"))
	items := list.FileItems(first, StandardName)
	isList := len(items) > 0 && items[0].Kind() == "ResourceList"
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
	u := c.outside(".", []*kptpackage.File{{Path: StandardName, Package: ".", Text: text}}, nil, newRoom(), nil)
	u.isStandard, u.hasLines = true, !isList
	return u, nil
}

// origin sets the place of a finding about standard input: the file that the resource is from, if the
// resource names it, or else the line of the input.
func (u *unit) origin(out *report.Finding, f *diag.Finding) {
	out.Path, out.File = "", StandardName
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
