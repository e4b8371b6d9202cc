package workspace

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
)

// Deployable returns the items that kpt live apply would apply to a cluster. It leaves out
// Kptfiles, kustomize files, items with the local-config annotation, and functionConfigs unless
// their annotation is "false". It returns an error if an item cannot be read.
func (t *Package) Deployable(items []*list.Item) ([]*list.Item, error) {
	steps, _ := t.Steps(nil) // a render reports the faults
	isConfig := pipeline.Configs(steps)
	var deployable []*list.Item
	for _, item := range items {
		if item.IsKustomization() || path.Base(item.Resource().File) == kptpackage.KptfileName {
			continue
		}
		annotations, err := item.Annotations()
		if err == nil && item.Fault() != "" {
			err = errors.New(item.Fault())
		}
		if err != nil {
			return nil, t.faultOf(item, err.Error())
		}
		if local, ok := annotations[list.LocalConfigAnnotation]; local == "false" || !ok && !isConfig(item, PathOf(item)) {
			deployable = append(deployable, item)
		}
	}
	return deployable, nil
}

// Stream returns items as documents of one text, in the order of their files.
func (t *Package) Stream(items []*list.Item) []byte {
	items = slices.Clone(items)
	slices.SortStableFunc(items, func(a, b *list.Item) int {
		return cmp.Or(cmp.Compare(PathOf(a), PathOf(b)), cmp.Compare(a.Resource().Index, b.Resource().Index))
	})
	var out []byte
	for i, item := range items {
		if i > 0 {
			out = append(out, "---\n"...)
		}
		if out = append(out, item.Text()...); !bytes.HasSuffix(out, []byte("\n")) {
			out = append(out, '\n')
		}
	}
	return out
}
