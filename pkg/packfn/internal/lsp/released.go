package lsp

import (
	"slices"

	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/values"
)

// kept returns the releases of a run. A release with a buffer that cannot be read, because a line is half typed,
// stays as it was in the run before.
func kept(before, now []*check.Released, texts map[string]*protocol.Buffer) []*check.Released {
	for _, old := range before {
		if !isHalf(old, texts) {
			continue
		}
		now = slices.DeleteFunc(slices.Clone(now), func(r *check.Released) bool { return r.Name == old.Name && r.File == old.File })
		now = append(now, old)
	}
	return now
}

// isHalf reports whether a file of a release is open, and cannot be read.
func isHalf(r *check.Released, texts map[string]*protocol.Buffer) bool {
	cannot := func(text string) bool {
		_, err := values.Parse(text)
		return err != nil
	}
	for i, file := range append([]string{r.File}, r.Files...) {
		b := texts[file]
		if b == nil {
			continue
		}
		if i > 0 && r.IsFile[i-1] {
			if cannot(b.Text) {
				return true
			}
			continue
		}
		items := list.FileItems([]byte(b.Text), file)
		for _, item := range items {
			document, err := item.Document()
			if err != nil {
				return true
			}
			if i > 0 && r.Layers[i-1].Origin.Embedded && item.Name() == r.Layers[i-1].Origin.Resource.Name {
				if n, _ := place.Find(document.Root(), r.Layers[i-1].Origin.Field); n != nil && cannot(n.Value) {
					return true
				}
			}
		}
	}
	return false
}
