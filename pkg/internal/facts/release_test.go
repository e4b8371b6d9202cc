package facts_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// layerOf returns values in a document of a resource.
func layerOf(t *testing.T, name, text string) facts.Layer {
	t.Helper()
	return facts.Layer{Root: parse(t, text).Root(), Origin: diag.Whole(diag.Resource{Kind: "ConfigMap", Name: name})}
}

// releaseOf returns a release of a chart with values in documents.
func releaseOf(c *facts.Chart, name string, layers ...facts.Layer) *facts.Release {
	return &facts.Release{Name: "HelmRelease " + name, Chart: c, Layers: layers, Where: diag.Where{Origin: diag.Whole(diag.Resource{Kind: "HelmRelease", Name: name})}}
}

func linesOf(findings []diag.Finding) (lines []string) {
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("%s %s %s %s: %s", f.Level(), f.Rule.ID, f.Resource(), f.Key, f.Message()))
	}
	return lines
}

// A key is told at most once for a document, and only if no release with the document reads it; a value that a
// schema does not allow is told once, too.
func TestCheckReleases(t *testing.T) {
	web := read(t, "{name: web, reads: {port: , host: , image: {tag: }, deep: {only: }, a: {many: }, b: {many: }, c: {many: }, d: {many: }}, schema: {properties: {port: {type: integer}}, required: [host]}, defaults: {host: a}}")
	other := read(t, "{name: other, reads: {extra: }}")
	shared := layerOf(t, "shared", "{port: x, extra: 1, none: 1}")
	for name, tc := range map[string]struct {
		releases []*facts.Release
		want     []string
	}{
		"one release": {[]*facts.Release{releaseOf(web, "r", layerOf(t, "c", "{prot: 1, only: 1, many: 1, image.tag: 1, web: {port: 1}, '${a}': 1}"))}, []string{
			`warning values/inert ConfigMap c prot: no template of the chart web (HelmRelease r) reads this key. Did you mean "port"?`,
			"warning values/misplaced ConfigMap c only: no template of the chart web (HelmRelease r) reads this key at the root; the chart reads only below deep. Move the key there",
			"warning values/inert ConfigMap c many: no template of the chart web (HelmRelease r) reads this key. Correct the key, or remove it",
			"warning values/misplaced ConfigMap c image.tag: this key has dots, so no template of the chart web (HelmRelease r) reads it. Nest the keys: image, then tag (each on its own line, indented)",
			"warning values/misplaced ConfigMap c web: the chart web (HelmRelease r) reads its values at the root, and not below its name. Move the keys below web one level up",
		}},
		"releases that share a document": {[]*facts.Release{releaseOf(web, "r", shared), releaseOf(web, "s", shared), releaseOf(other, "o", shared)}, []string{
			"warning values/inert ConfigMap shared none: no template of the chart web (HelmRelease r and 2 other releases) reads this key. Correct the key, or remove it",
			"error values/chart-schema ConfigMap shared port: must be an integer, got a string (values.schema.json of the chart web; HelmRelease r)",
		}},
		"a release whose chart is not at hand": {[]*facts.Release{releaseOf(web, "r", shared), releaseOf(nil, "n", shared)}, []string{
			"error values/chart-schema ConfigMap shared port: must be an integer, got a string (values.schema.json of the chart web; HelmRelease r)",
		}},
		"a document twice": {[]*facts.Release{releaseOf(web, "r", layerOf(t, "c", "port: x"), layerOf(t, "d", "port: 1"), layerOf(t, "c", "port: x"))}, []string{
			"error values/chart-schema ConfigMap c port: must be an integer, got a string (values.schema.json of the chart web; HelmRelease r)",
		}},
		"null removes a default": {[]*facts.Release{releaseOf(web, "r", layerOf(t, "c", "host: null"))}, []string{
			`error values/chart-schema HelmRelease r : "host" is required, but missing (values.schema.json of the chart web)`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, linesOf(facts.CheckReleases(tc.releases, nil))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// Lists and texts replace maps, and a map above a list is not merged with one below it.
func TestMerged(t *testing.T) {
	for want, layers := range map[string][]string{
		"{a: {b: 2, c: 1}}": {"a: {b: 1, c: 1}", "a: {b: 2}"},
		"{a: {c: 1}}":       {"a: {b: 1}", "a: [1]", "a: {c: 1}"},
		"{a: null}":         {"a: {b: 1}", "a: null"},
		"{}":                {},
	} {
		r := &facts.Release{}
		for i, text := range layers {
			r.Layers = append(r.Layers, layerOf(t, fmt.Sprint(i), text))
		}
		if got := r.Merged(); !values.Equal(got, parse(t, want).Root()) {
			printed, _ := values.Print(got)
			t.Errorf("%q: got %s, want %s", layers, printed, want)
		}
	}
}

// All releases together have a limit, and the first release beyond it is told. A document that releases of a chart
// share is compared with the chart once.
func TestReleasesBeyondLimit(t *testing.T) {
	web := read(t, "{name: web, reads: {port: }}")
	shared := layerOf(t, "shared", "list: ["+strings.Repeat("1, ", 900_000)+"]")
	same := func(int) facts.Layer { return shared }
	own := func(i int) facts.Layer {
		return facts.Layer{Root: shared.Root, Origin: diag.Whole(diag.Resource{Kind: "ConfigMap", Name: fmt.Sprint(i)})}
	}
	unread := "warning values/inert ConfigMap "
	for _, tc := range []struct {
		layer func(int) facts.Layer
		want  []string
	}{
		{same, []string{unread + "shared list"}},
		{own, []string{"error input/invalid HelmRelease 5 ", unread + "0 list", unread + "1 list", unread + "2 list", unread + "3 list", unread + "4 list"}},
	} {
		var releases []*facts.Release
		for i := range 8 {
			releases = append(releases, releaseOf(web, fmt.Sprint(i), tc.layer(i)))
		}
		var got []string
		for _, line := range linesOf(facts.CheckReleases(releases, nil)) {
			got = append(got, line[:strings.IndexByte(line, ':')])
		}
		if !cmp.Equal(got, tc.want) {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}

// A schema that takes many steps for small values is not checked without end: each of its definitions has the
// next one twice.
func TestReleasesBeyondStepsOfSchema(t *testing.T) {
	var schema strings.Builder
	for i := range 14 {
		fmt.Fprintf(&schema, "d%d: {allOf: [{$ref: '#/definitions/d%[2]d'}, {$ref: '#/definitions/d%[2]d'}]}, ", i, i+1)
	}
	web := read(t, "{name: web, reads: '*', schema: {definitions: {"+schema.String()+"d14: {}}, anyOf: [{}, {$ref: '#/definitions/d0'}]}}")
	var releases []*facts.Release
	for i := range 100 {
		releases = append(releases, releaseOf(web, fmt.Sprint(i), layerOf(t, fmt.Sprint(i), "a: 1")))
	}
	found := facts.CheckReleases(releases, nil)
	if len(found) != 1 || found[0].Rule != rule.InputInvalid || !strings.Contains(found[0].Message(), "values.schema.json of the chart web") {
		t.Errorf("got %q", linesOf(found))
	}
}
