package chart

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/krm-packs/functions/pkg/internal/facts"
)

// The files of a chart are an error, or have facts that are printed and read again.
func FuzzChart(f *testing.F) {
	f.Add(`name: web
version: 1.0.0
dependencies: [{name: db, alias: a, condition: a.b, tags: [c], import-values: [d]}]
`, "a: {b: 1}\n", `{"properties": {"a": {"$ref": "#/definitions/x"}}}`, `{{ include (printf "t%s" .Values.a) . }}{{ define "t1" }}{{ tpl .Values.b . }}{{ end }}`, "name: db\n")
	f.Add("name: web\n", "", "", `{{ semverCompare ">=1.22" .Capabilities.KubeVersion.Version }}`, "name: db\n")
	for _, piece := range pieces {
		f.Add("name: web\n", "K: 1\n", "{}", piece+`{{ define "t1" }}`+piece+"{{ end }}", "name: db\n")
	}
	f.Fuzz(func(t *testing.T, chart, values, schema, template, sub string) {
		dir := t.TempDir()
		for name, text := range map[string]string{"Chart.yaml": chart, "values.yaml": values, "values.schema.json": schema, "templates/a.yaml": template, "charts/db/Chart.yaml": sub, "charts/db/templates/a.yaml": template} {
			name = filepath.Join(dir, "web", name)
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c, err := Open(filepath.Join(dir, "web"))
		if err != nil {
			return
		}
		text, _, err := (&facts.Pack{Charts: map[string]*facts.Chart{"web": c.Facts()}}).Text()
		if err != nil {
			t.Fatalf("%q", err)
		}
		again, _, err := (&facts.Pack{Charts: map[string]*facts.Chart{"web": c.Facts()}}).Text()
		if err != nil || again != text {
			t.Errorf("got %q, then %q, %v", text, again, err)
		}
		place, file := c.Branches(semver.MustParse("1.33.1-eks-1"), semver.MustParse("1.33.1"))("templates/a.yaml"), ""
		if file, _, _ = strings.Cut(place, ":"); c.files[file] == nil && !strings.HasPrefix(file, "charts/db/") {
			t.Errorf("a branch is in %q", place)
		}
		message := Shown(template, c.Templates(), false, "•••")
		c.Locate("execution error at (web/templates/a.yaml:1:3): " + message)
		if shown := Shown("Zq7 "+template, nil, true, "•••"); strings.Contains(shown, "Zq7") {
			t.Errorf("shows %q", shown)
		}
	})
}
