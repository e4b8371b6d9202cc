package transfer

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/chart/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packdir"
	"github.com/krm-packs/functions/pkg/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// chartsFolder is the folder of a pack directory that has its charts.
const chartsFolder = "charts"

// hasCharts reports whether what the charts of a pack read is to travel with it.
func (im *importer) hasCharts(p *packdir.Pack) bool {
	return !im.options.NoCharts && slices.Contains(p.Left, chartsFolder)
}

// facts returns what the charts of a pack read, as kpt lays it out, and the digests of the
// charts.
func (im *importer) facts(p *packdir.Pack) (string, map[string]string, error) {
	of := &pack.Pack{Name: p.Name}
	if text := p.File(packdir.Metadata); text != nil {
		of.Metadata = pack.File(packdir.Metadata, string(text))
	}
	if text := p.File("values.yaml"); text != nil {
		of.Values = pack.File("values.yaml", string(text))
	}
	read, digests, findings := im.charts.Facts(of, p.Dir)
	for i := range findings {
		im.note("%s: %s", filepath.Join(p.Dir, packdir.Metadata), findings[i].Message())
	}
	text, notes, err := read.Text()
	if err != nil {
		return "", nil, fmt.Errorf("%s: what its charts read: %w", p.Dir, err)
	}
	for _, note := range notes {
		im.note("%s: %s", p.Dir, note)
	}
	return text, digests, nil
}

// renewFacts adds what the charts of an unchanged pack read to the resource that an earlier
// import wrote, or renews it, and changes nothing else.
func (im *importer) renewFacts(p *packdir.Pack, before *existing, path string, record Record) error {
	if !im.hasCharts(p) {
		im.note("%s: %s %s is imported already; nothing to do", path, p.Name, p.Version)
		return nil
	}
	text, digests, err := im.facts(p)
	if err != nil {
		return err
	}
	field := values.Keys("data", facts.FileName)
	if before.item.Is(pack.GroupVersion, "Pack") {
		field = values.Keys("spec", documentFields[facts.FileName])
	}
	record.Charts = digests
	document := before.document
	if n := values.Follow(document.Root(), field); n == nil || n.Value != text {
		if document, err = document.Set(field, values.Of(styled(text, yaml.LiteralStyle))); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if n := values.Follow(document.Root(), values.Keys("metadata", "annotations", ImportedAnnotation)); n.Value != record.String() {
		if document, err = document.ReplaceScalars(values.ScalarEdit{Node: n, Text: record.String()}); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	if document == before.document {
		im.note("%s: %s %s is imported already; nothing to do", path, p.Name, p.Version)
		return nil
	}
	whole, err := replaceDocument(before, []byte(document.Text()))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if bytes.Equal(whole, before.file.Text) {
		return nil
	}
	im.plan.Changes = append(im.plan.Changes, staging.Change{In: im.to, Path: path, Text: whole})
	im.note("%s: what the charts of %s %s read is renewed; all else is as it was", path, p.Name, p.Version)
	return nil
}
