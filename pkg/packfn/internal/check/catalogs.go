package check

import (
	"fmt"
	"iter"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
)

// catalogFile is a catalog with the lines where its documents begin.
type catalogFile struct {
	olm.Catalog
	// shown is the path as reports show it, and lines are the lines where the documents begin.
	shown string
	lines []int
}

// catalog adds a catalog.
func (b *candidates) catalog(name string) *catalogFile {
	f := &catalogFile{Catalog: olm.Catalog{Path: name, Text: b.Replace[name]}, shown: b.Display(name)}
	b.catalogs = append(b.catalogs, f)
	return f
}

// documents yields the documents of the catalogs.
func (b *candidates) documents() iter.Seq[dependency.CatalogDocument] {
	return func(yield func(dependency.CatalogDocument) bool) {
		count := 0
		for _, f := range b.catalogs {
			if count > olm.MaxDocuments {
				return
			}
			in, err := f.Open()
			if err != nil {
				b.fault(f.Path, err)
				continue
			}
			for d := range documents.Each(in) {
				f.lines = append(f.lines, d.First())
				if count++; count > olm.MaxDocuments {
					b.fault(f.Path, fmt.Errorf("the catalogs have more than the limit of %d documents, and the rest is not checked; check fewer of them at a time", olm.MaxDocuments))
					break
				}
				if !yield(dependency.CatalogDocument{Document: d, File: f.shown, Index: len(f.lines) - 1, Reread: f.Reread}) {
					break
				}
			}
			in.Close()
		}
	}
}
