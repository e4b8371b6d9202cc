package transfer

import (
	"fmt"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/values"
)

// facts returns what the charts and manifests of a pack read, as kpt lays it out, and their
// digests. There are none if the pack has none of them, or the user leaves them out.
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

// renewFacts adds what the charts of an unchanged pack read to the resource that an earlier
// import wrote, or renews it, and changes nothing else.
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

// renewed returns the document of an unchanged pack with what its charts read, and with a record
// that has what earlier versions did not record.
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

// withFacts returns the document of a pack with what its charts read, "" for nothing, and with a
// record.
func (e *existing) withFacts(text string, record pack.Imported) (*values.Document, error) {
	field := values.Keys("data", facts.FileName)
	if e.item.Is(pack.GroupVersion, "Pack") {
		field = values.Keys("spec", documentFields[facts.FileName])
	}
	document, err := e.document, error(nil)
	if n := values.Follow(document.Root(), field); text != "" && !isSame(n, text) {
		document, err = document.Set(field, values.Of(styled(text, yaml.LiteralStyle)))
	}
	if err != nil {
		return nil, err
	}
	if n := values.Field(document.Root(), "metadata", "annotations", pack.ImportedAnnotation); n.Value != record.String() {
		return document.ReplaceScalars(values.ScalarEdit{Node: n, Text: record.String()})
	}
	return document, nil
}

// isSame reports whether a document, as its text or its mapping, has the content of a text.
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
