package fleet_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// The page shows what packs require, those of them that the package lacks, and of optional
// packs only those that it has.
func TestPacksOfPage(t *testing.T) {
	w := newWorld(t)
	w.write("upstream/shop.yaml", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: shop, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec:\n  version: 7.0.0\n  constraints:\n    dependencies:\n"+
		"    - {packName: vault, type: optional, minVersion: '0.1'}\n    - {packName: gone, type: required, minVersion: '2.0'}\n    - {packName: never, type: optional}\n    - {packName: bad, type: notSupported}\n")
	var done []string
	p := w.run(func(o *fleet.Options) {
		o.Graphs = true
		o.Progress = func(one, all int) { done = append(done, fmt.Sprint(one, "/", all)) }
		// The folder is drawn once for all revisions.
		o.Upstreams = append(o.Upstreams, fleet.Upstream{Repo: "blueprints", Package: "platform", Revision: "v9", Dir: w.path("upstream")})
	})
	if want := []string{"1/10", "2/10", "3/10"}; len(done) < 3 || !slices.Equal(done[:3], want) {
		t.Errorf("the progress is %q", done)
	}
	var b bytes.Buffer
	if err := p.Write(&b, fleet.Print{Format: report.HTML}); err != nil {
		t.Fatal(err)
	}
	_, page, _ := strings.Cut(b.String(), `<section id="packs"`)
	page, _, _ = strings.Cut(page, "</section>")
	if got := strings.Count(page, ">7.0.0<"); got != 2 { // in the picture and in the list
		t.Errorf("the packs are drawn %d times", got)
	}
	for text, want := range map[string]bool{
		"shop requires vault 0.1 or newer (optional)": true, "shop requires gone 2.0 or newer": true, "not in the package": true, ">7.0.0<": true,
		"never": false, "bad": false, "gone 2.0 or newer (optional)": false,
	} {
		if strings.Contains(page, text) != want {
			t.Errorf("%q: want %v, got\n%s", text, want, page)
		}
	}
}
