package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// keepShard removes the variants of other shards.
func (in *input) keepShard(s *preview.Shard) {
	in.variants = slices.Clip(slices.DeleteFunc(in.variants, func(v *packageVariant) bool { return !s.Has(v.Name) }))
}

// digest returns a digest of the inputs that all shards of a preview share: the options and all
// files, including the files of packages that only other shards upgrade.
func (o *Options) digest(in *input) string {
	sum := sha256.New()
	add := func(parts ...any) { fmt.Fprintf(sum, "%q\n", parts) }
	add(o.Like, o.Sets, o.Objects, o.Downstreams)
	for _, s := range []*source{in.setsOf, in.objectsOf} {
		for _, file := range slices.Sorted(maps.Keys(s.texts)) {
			add(file, len(s.texts[file]))
			sum.Write(s.texts[file])
		}
	}
	for _, u := range in.upstreams {
		add(u.Upstream, u.fault, u.commit)
		for _, file := range u.others {
			add(file.Path, file.Text)
		}
	}
	for _, v := range in.variants {
		if v.existing == nil {
			continue
		}
		files, err := kptpackage.AllFiles(v.existing.dir)
		add(v.existing.dir, err)
		for _, file := range slices.Sorted(maps.Keys(files)) {
			add(file, len(files[file]))
			sum.Write(files[file])
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
