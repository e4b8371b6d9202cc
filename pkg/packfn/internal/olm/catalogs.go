package olm

import (
	"fmt"
	"iter"

	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/internal/documents"
)

// CatalogFile is a catalog with the lines where its documents begin.
type CatalogFile struct {
	Catalog
	// Shown is the path as reports show it.
	Shown string
	lines []int
}

// Line returns the line where a document of the catalog begins, or 0 if it was not read. The first document is 0.
func (f *CatalogFile) Line(document int) int {
	if document < len(f.lines) {
		return f.lines[document]
	}
	return 0
}

// Documents yields the documents of catalogs, up to [MaxDocuments]. fault gets what cannot be read.
func Documents(catalogs []*CatalogFile, fault func(path string, err error)) iter.Seq[dependency.CatalogDocument] {
	return func(yield func(dependency.CatalogDocument) bool) {
		count := 0
		for _, f := range catalogs {
			if count > MaxDocuments {
				return
			}
			in, err := f.Open()
			if err != nil {
				fault(f.Path, err)
				continue
			}
			for d := range documents.Each(in) {
				f.lines = append(f.lines, d.First())
				if count++; count > MaxDocuments {
					fault(f.Path, fmt.Errorf("the catalogs have more than the limit of %d documents, and the rest is not checked; check fewer of them at a time", MaxDocuments))
					break
				}
				if !yield(dependency.CatalogDocument{Document: d, File: f.Shown, Index: len(f.lines) - 1, Reread: f.Reread}) {
					break
				}
			}
			in.Close()
		}
	}
}
