package helm

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/v2/loader"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// override changes the values of a package, so that they are not those of the pack directory.
const override = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: site
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packRef: {name: NAME}
  values:
    pack: {namespace: exported}
    charts:
      registry:
        replicas: 7
        image: {tag: "1.10", pullPolicy: null}
`

// With the values of packfn export --as helm Helm makes what packfn template prints.
func TestExport(t *testing.T) {
	common.DefaultCapabilities.APIVersions = engine.APIVersions(helm.APIs(kubernetes))
	d := &deploy.Deployer{Renderer: &helm.Renderer{Timeout: 10 * time.Minute}, Cluster: deploy.Cluster{Kubernetes: kubernetes}}
	defer d.Renderer.Close()
	charts, documentsOf, random := 0, 0, 0
	for _, dir := range packs(t) {
		to := t.TempDir()
		plan, err := transfer.Import(to, []string{dir}, transfer.Options{})
		if err != nil {
			t.Logf("%s: %v", dir, err)
			continue
		}
		write := func(name, text string) {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, change := range plan.Changes {
			write(change.Path, string(change.Text))
		}
		write(filepath.Join(to, "Kptfile"), `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`)
		got := map[string]string{} // the documents of packfn template
		var name string
		_, err = check.Deploy([]string{to}, check.Options{Functions: suite.All(), Library: check.Library{Charts: []string{dir}}, Template: d}, func(out *deploy.Rendered) { name = out.Pack.Name })
		if err == nil && name != "" {
			write(filepath.Join(to, "site.yaml"), strings.Replace(override, "NAME", name, 1))
			_, err = check.Deploy([]string{to}, check.Options{Functions: suite.All(), Library: check.Library{Charts: []string{dir}}, Template: d}, func(out *deploy.Rendered) {
				for _, m := range out.Manifests {
					got[m.Source] += strings.TrimSpace(m.Text) + "\n"
				}
			})
		}
		p, readErr := kptpackage.Read(to)
		if err != nil || readErr != nil {
			t.Errorf("%s: %v, %v", dir, err, readErr)
			continue
		}
		exported, _, err := transfer.Helm(p, suite.All())
		if err != nil {
			t.Logf("%s: %v", dir, err)
			continue
		}
		for _, one := range exported {
			for _, row := range rows(one) {
				archive := find(t, dir, row[1])
				if archive == "" {
					continue // too large for the corpus
				}
				run := func() map[string]string {
					c, err := loader.Load(archive)
					if err != nil {
						return nil
					}
					given, err := loader.LoadValues(bytes.NewReader(fileOf(one, row[0])))
					if err != nil {
						t.Fatal(err)
					}
					text, _ := helmTemplate(c, given, row[4], row[5])
					all := map[string]string{}
					for _, document := range documents(text) {
						source, text, _ := strings.Cut(document, "\n")
						all[source] += text + "\n"
					}
					return all
				}
				want, again := run(), run()
				if len(want) > 0 {
					charts++
				}
				for _, source := range slices.Sorted(maps.Keys(want)) {
					switch {
					case got[source] == want[source]:
						documentsOf++
					case want[source] != again[source]:
						random++
					default:
						t.Errorf("%s: %s: got\n%s\nHelm has\n%s", dir, source, got[source], want[source])
					}
				}
			}
		}
	}
	t.Logf("%d charts: %d templates are equal, %d are random in Helm", charts, documentsOf, random)
	if documentsOf == 0 {
		t.Error("nothing was compared")
	}
}

// rows are the charts in the README of an exported pack.
func rows(e transfer.Exported) (all [][]string) {
	for line := range strings.Lines(string(fileOf(e, "README.md"))) {
		if cells := strings.Split(strings.Trim(line, "| \n"), " | "); len(cells) == 6 && strings.HasSuffix(cells[0], "/values.yaml") {
			all = append(all, cells)
		}
	}
	return all
}

func fileOf(e transfer.Exported, name string) []byte {
	for _, f := range e.Files {
		if f.Name == name {
			return f.Text
		}
	}
	return nil
}

// find returns the chart of a name in the directory of a pack, "" if it is not there.
func find(t *testing.T, dir, name string) string {
	t.Helper()
	charts, err := filepath.Glob(filepath.Join(dir, "charts/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range charts {
		if c, err := loader.Load(path); err == nil && c.Name() == name {
			return path
		}
	}
	return ""
}
