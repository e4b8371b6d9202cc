package transfer

import (
	"fmt"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// facts returns the chart facts of a pack as text in the layout of kpt, and the digests of its
// charts and manifests. It returns none if the pack has neither charts nor manifests, or if
// NoCharts is set.
func (im *importer) facts(p *packdir.Pack) (string, map[string]string, error) {
	if im.options.NoCharts {
		return "", nil, nil
	}
	read, digests, findings := im.charts.Facts(published(p), p.Dir)
	for i := range findings {
		im.note("%s: %s", filepath.Join(p.Dir, packdir.Metadata), findings[i].Message())
	}
	if len(read.Charts)+len(read.Manifests) == 0 {
		return "", nil, nil
	}
	text, notes, err := read.Text()
	if err != nil {
		return "", nil, fmt.Errorf("%s: what its charts and manifests read: %w", p.Dir, err)
	}
	for _, note := range notes {
		im.note("%s: %s", p.Dir, note)
	}
	return text, digests, nil
}

// renewFacts updates the chart facts of an unchanged pack in the resource that an earlier import
// wrote, and changes nothing else.
func (im *importer) renewFacts(p *packdir.Pack, before *existing, record pack.Imported) error {
	path := before.path
	document, err := im.renewed(p, before, record)
	if err != nil {
		return err
	}
	if document == before.document {
		im.note("%s: %s %s is imported already; nothing to do", path, p.Name, p.Version)
		return nil
	}
	whole, err := before.replaced([]byte(document.Text()))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	im.write(path, whole)
	im.note("%s: what the charts of %s %s read is renewed, and the record of the import; all else is as it was", path, p.Name, p.Version)
	return nil
}

// renewed returns the document of an unchanged pack with current chart facts, and with a record
// that is completed with fields which earlier versions of packfn did not write.
func (im *importer) renewed(p *packdir.Pack, before *existing, record pack.Imported) (*values.Document, error) {
	if record.Data == "" && record.Values == "" {
		addValues(&record, p)
	}
	text, digests, err := im.facts(p)
	if err != nil {
		return nil, err
	}
	if digests != nil {
		record.Charts = digests
	}
	document, err := before.withFacts(text, record)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", before.path, err)
	}
	return document, nil
}

// withFacts returns the document of a pack with the text of chart facts and a record. If text is
// "", the facts stay as they are.
func (e *existing) withFacts(text string, record pack.Imported) (*values.Document, error) {
	field := values.Keys("data", facts.FileName)
	if e.item.Is(pack.GroupVersion, "Pack") {
		field = values.Keys("spec", documentFields[facts.FileName])
	}
	document, err := e.document, error(nil)
	if n := values.Follow(document.Root(), field); text != "" && !isSame(n, text) {
		document, err = document.Set(field, values.Of(layout.Styled(text, yaml.LiteralStyle)))
	}
	if err != nil {
		return nil, err
	}
	if n := values.Field(document.Root(), "metadata", "annotations", pack.ImportedAnnotation); n.Value != record.String() {
		return document.ReplaceScalars(values.ScalarEdit{Node: n, Text: record.String()})
	}
	return document, nil
}

// isSame reports whether a node, which is a string or a mapping, has the same content as a text.
func isSame(n *yaml.Node, text string) bool {
	if n == nil || n.Value == text {
		return n != nil
	}
	if n.Kind == yaml.ScalarNode {
		have, err := values.Parse(n.Value)
		if err != nil {
			return false
		}
		n = have.Root()
	}
	want, err := values.Parse(text)
	return err == nil && n != nil && values.Equal(n, want.Root())
}
