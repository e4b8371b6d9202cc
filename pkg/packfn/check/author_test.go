package check

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
)

// A pack directory is judged for its author.
func TestAuthor(t *testing.T) {
	good := map[string]string{
		"pack.json":   "{\"name\": \"web\", \"version\": \"1.2.0\",\n\"charts\": [\"charts/web\"],\n\"kubeManifests\": [\"manifests/a.yaml\"]}\n",
		"values.yaml": "pack:\n  content:\n    images:\n    - image: example.com/web:1.2.0\n    - image: example.com/db@sha256:" + strings.Repeat("a", 64) + "\n    - image: 'example.com/{{ .spectro.var.IMAGE }}'\ncharts:\n  web:\n    port: 1\n",
		"README.md":   "", "logo.png": "", "manifests/a.yaml": "",
		"charts/web/Chart.yaml": "name: web\n", "charts/web/values.yaml": "port: 1\n",
	}
	for _, tc := range []struct {
		name, dir string
		// changes are texts of files that become others, "" for a file that is removed.
		changes map[string][2]string
		want    []string
	}{
		{"all is there", "web-1.2.0", nil, nil},
		{"a chart that is missing", "web-1.2.0", map[string][2]string{"pack.json": {"charts/web", "charts/wbe.tgz"}}, []string{"error pack/missing-file pack.json:2"}},
		{"a manifest that is missing", "web-1.2.0", map[string][2]string{"manifests/a.yaml": {}}, []string{"error pack/missing-file pack.json:3"}},
		{"a chart that cannot be read", "web-1.2.0", map[string][2]string{"charts/web/Chart.yaml": {}}, []string{"warning values/chart-missing pack.json:2"}},
		{"a v", "web-v1.2.0", map[string][2]string{"pack.json": {"1.2.0", "v1.2.0"}}, []string{"warning pack/version pack.json:1"}},
		{"another version", "web-1.3.0-addon", nil, []string{"warning pack/version pack.json:1"}},
		{"the same version in other words", "web-v1.2-addon", nil, nil},
		{"a directory without a version", "web-2", nil, nil},
		{"the version alone", "1.3.0", nil, []string{"warning pack/version pack.json:1"}},
		{"the name of the chart", "web-1.2.0", map[string][2]string{"charts/web/Chart.yaml": {"name: web", "name: nginx"}}, []string{"warning pack/chart-name values.yaml:8"}},
		{"a misspelt image", "web-1.2.0", map[string][2]string{"values.yaml": {"- image: example.com/web", "- iamge: example.com/web"}}, []string{"warning pack/images values.yaml:4"}},
		{"misspelt images", "web-1.2.0", map[string][2]string{"values.yaml": {"images:", "imgaes:"}}, []string{"info pack/catalogue pack.json:1", "warning pack/images values.yaml:3"}},
		{"misspelt content", "web-1.2.0", map[string][2]string{"values.yaml": {"content:", "contnet:"}}, []string{"info pack/catalogue pack.json:1", "warning pack/images values.yaml:2"}},
		{"no tag", "web-1.2.0", map[string][2]string{"values.yaml": {"web:1.2.0", "web"}}, []string{"warning pack/images values.yaml:4 has no tag"}},
		{"the tag latest", "web-1.2.0", map[string][2]string{"values.yaml": {"web:1.2.0", "web:latest"}}, []string{"warning pack/images values.yaml:4 latest"}},
		{"charts that are not a list", "web-1.2.0", map[string][2]string{"pack.json": {`["charts/web"]`, `{"a": "charts/wbe"}`}}, nil},
		{"a chart outside of the directory", "web-1.2.0", map[string][2]string{"pack.json": {"charts/web", "../charts/web"}}, []string{"warning values/chart-missing pack.json:2"}},
		{"a misspelt file", "web-1.2.0", map[string][2]string{"presets.yml": {"", "a"}}, []string{"error pack/file-name pack.json:1"}},
		{"an image beside a key like it", "web-1.2.0", map[string][2]string{"values.yaml": {"- image: example.com/web:1.2.0", "- iamge: a\n      image: example.com/web:1.2.0"}}, nil},
		{"images that are not a list", "web-1.2.0", map[string][2]string{"values.yaml": {"images:\n", "images: {}\n    others:\n"}}, []string{"info pack/catalogue pack.json:1", "warning pack/images values.yaml:3"}},
		{"no values", "web-1.2.0", map[string][2]string{"values.yaml": {}}, []string{"info pack/catalogue pack.json:1"}},
		{"values that are not a map", "web-1.2.0", map[string][2]string{"values.yaml": {"pack:", "- pack\n#"}}, []string{"info pack/catalogue pack.json:1", "error values/invalid-yaml values.yaml:3"}},
		{"no README", "web-1.2.0", map[string][2]string{"README.md": {}}, []string{"info pack/catalogue pack.json:1"}},
		{"no version", "web-1.2.0", map[string][2]string{"pack.json": {`"1.2.0"`, `""`}}, nil},
		{"no image", "web-1.2.0", map[string][2]string{"values.yaml": {"example.com/web:1.2.0", "Example.com/Web"}}, []string{"warning pack/images values.yaml:4 is not the name"}},
		{"no images of a layer without images", "web-1.2.0", map[string][2]string{"pack.json": {`"version"`, `"layer": "os", "version"`}, "values.yaml": {"images:", "others:"}}, nil},
		{"no logo", "web-1.2.0", map[string][2]string{"logo.png": {}}, []string{"info pack/catalogue pack.json:1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := maps.Clone(good)
			for name, change := range tc.changes {
				if change == [2]string{} {
					delete(files, name)
					continue
				}
				files[name] = strings.Replace(files[name], change[0], change[1], 1)
			}
			dir := filepath.Join(t.TempDir(), tc.dir)
			writeFiles(t, dir, files)
			r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range r.Findings {
				if strings.HasPrefix(f.Rule, "pack/") || f.Severity != "info" {
					what := ""
					for _, words := range []string{" has no tag", " latest", " is not the name"} {
						if strings.Contains(f.Message, words) {
							what = words
						}
					}
					got = append(got, fmt.Sprintf("%s %s %s:%d%s", f.Severity, f.Rule, f.File, f.Line, what))
				}
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
