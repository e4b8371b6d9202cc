package fleet_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
)

// Functions with exec run here, and not in Porch: one warning for each Kptfile of an
// upstream, at the first of them.
func TestExec(t *testing.T) {
	const image = "image: ghcr.io/krm-packs/"
	imagesOf := func(w world) {
		w.edit("upstream/Kptfile", "exec: ", image)
	}
	sub := func(w world) {
		imagesOf(w)
		w.write("upstream/sub/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\npipeline:\n  validators:\n  - "+image+"check-resources\n  - exec: check-dependencies\n")
	}
	for name, tc := range map[string]struct {
		change func(world)
		like   string
		want   []string
	}{
		"exec":         {want: []string{"upstream/Kptfile:13 pipeline.mutators[0].exec resolve-macros, validate-pack-values, check-dependencies and 1 more run here"}},
		"images":       {change: imagesOf},
		"a subpackage": {change: sub, want: []string{"upstream/sub/Kptfile:8 pipeline.validators[1].exec check-dependencies runs here"}},
		"like kpt":     {like: fleet.Kpt},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if tc.change != nil {
				tc.change(w)
			}
			var got []string
			for _, f := range w.run(func(o *fleet.Options) { o.Like = tc.like }).Sets.Findings {
				if f.Rule == "variant-set/not-in-porch" && strings.HasPrefix(f.Message, "exec: ") {
					message, _, _ := strings.Cut(strings.TrimPrefix(f.Message, "exec: "), ", but Porch")
					got = append(got, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Field, message))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
