package engine

import (
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v4/pkg/chart/loader/archive"

	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// The files that remain are those that Helm reads.
func TestFilesOf(t *testing.T) {
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
		kept, err := filesOf(&helm.Job{Files: files})
		gone := slices.DeleteFunc(slices.Clone(all), func(name string) bool {
			return slices.ContainsFunc(kept, func(f *archive.BufferedFile) bool { return f.Name == name })
		})
		if got := strings.Join(gone, " "); got != want || err != nil || len(gone)+len(kept) != len(all) {
			t.Errorf("%q: ignored are %s of %d, %v; want %s", ignore, got, len(gone)+len(kept), err, want)
		}
	}
	for _, ignore := range []string{"[", "a/**"} { // Helm refuses the chart
		if result := renderJob(job("", ".helmignore", ignore)); len(result.Failures) != 1 || result.Failures[0].Kind != helm.Chart || !strings.Contains(result.Failures[0].Message, ".helmignore: ") {
			t.Errorf("%q: got %+v", ignore, result)
		}
	}
}
