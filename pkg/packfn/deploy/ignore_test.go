package deploy

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The files that remain are those that Helm reads.
func TestIncluded(t *testing.T) {
	all := []string{".helmignore", "Chart.yaml", "a.txt", "b.txt", "docs/a.txt", "docs/deep/b.txt", "templates/.hidden", "templates/a.yaml", "templates/sub/.kept"}
	for ignore, want := range map[string]string{
		"":                        "templates/.hidden",
		"# a.txt\n\n  \n":         "templates/.hidden",
		" b.txt \n":               "b.txt docs/deep/b.txt templates/.hidden",
		"/b.txt":                  "b.txt templates/.hidden",
		"docs":                    "docs/a.txt docs/deep/b.txt templates/.hidden",
		"docs/":                   "docs/a.txt docs/deep/b.txt templates/.hidden",
		"a.txt/":                  "templates/.hidden",
		"docs/*.txt":              "docs/a.txt templates/.hidden",
		"docs/deep":               "docs/deep/b.txt templates/.hidden",
		"deep":                    "docs/deep/b.txt templates/.hidden",
		"[":                       "templates/.hidden",
		"*.txt":                   "a.txt b.txt docs/a.txt docs/deep/b.txt templates/.hidden",
		"!*.txt":                  ".helmignore Chart.yaml docs/a.txt docs/deep/b.txt templates/.hidden templates/a.yaml templates/sub/.kept",
		"!docs/":                  ".helmignore Chart.yaml a.txt b.txt docs/a.txt docs/deep/b.txt templates/.hidden templates/a.yaml templates/sub/.kept",
		"!a.txt/":                 ".helmignore Chart.yaml a.txt b.txt docs/a.txt docs/deep/b.txt templates/.hidden templates/a.yaml templates/sub/.kept",
		"b.txt\n!*t*\nChart.yaml": ".helmignore Chart.yaml b.txt docs/a.txt docs/deep/b.txt templates/.hidden templates/a.yaml templates/sub/.kept",
	} {
		files := map[string][]byte{}
		for _, name := range all {
			files[name] = nil
		}
		files[".helmignore"] = []byte(ignore)
		kept := included(files)
		gone := slices.DeleteFunc(slices.Clone(all), func(name string) bool { _, ok := kept[name]; return ok })
		if got := strings.Join(gone, " "); got != want {
			t.Errorf("%q: ignored are %s; want %s", ignore, got, want)
		}
		if len(gone)+len(kept) != len(all) {
			t.Errorf("%q: kept are %q", ignore, slices.Sorted(maps.Keys(kept)))
		}
	}
	if included(nil) != nil {
		t.Error("an archive has no files")
	}
}
