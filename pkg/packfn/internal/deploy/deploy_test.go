package deploy

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/helm/engine"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/values"
)

// TestMain is also the process that renders charts.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == helm.Command {
		os.Exit(engine.Main(os.Stdin, os.Stdout))
	}
	code := functiontest.Main(m, "packfn/deploy")
	renderer.Close()
	os.Exit(code)
}

// renderer is one for all tests, because starting its process takes longer than rendering a chart.
var renderer = &helm.Renderer{Timeout: 10 * time.Minute}

// write writes files, each after its name, into a folder.
func write(t *testing.T, dir string, files ...string) {
	t.Helper()
	for i := 0; i+1 < len(files); i += 2 {
		name := filepath.Join(dir, files[i])
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(files[i+1]), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// render renders a pack directory with the chart web, which the files make.
func render(t *testing.T, cluster Cluster, files ...string) *Rendered {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "pack.json", `{"name": "shop", "version": "1.0.0", "charts": ["charts/web"]}`, "values.yaml", "", "charts/web/Chart.yaml", `apiVersion: v2
name: web
version: 1.2.3
`)
	write(t, dir, files...)
	return renderDir(t, dir, cluster)
}

func renderDir(t *testing.T, dir string, cluster Cluster) *Rendered {
	t.Helper()
	read, err := packdir.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := transfer.Load(read.Item().Text(), "pack.json")
	if err != nil {
		t.Fatal(err)
	}
	d := Deployer{Renderer: renderer, Charts: &chart.Run{}, Suffixes: true}
	out, err := d.Render(p, dir, cluster)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// noRun is a run without resources.
type noRun struct{ pack.Run }

func (noRun) Items() []*list.Item { return nil }

// What packs and the cluster bring along is known to charts.
func TestAPIs(t *testing.T) {
	var c Cluster
	document, err := values.Parse(`- {type: olm.gvk, value: {group: a.io, version: v1, kind: A}}
- {type: olm.gvk, value: {version: v2, kind: B}}
- {type: olm.gvk, value: {group: c.io, version: v3}}
- {type: olm.gvk, value: {group: d.io, kind: D}}
- {type: other, value: {group: e.io, version: v1, kind: E}}
`)
	if err != nil {
		t.Fatal(err)
	}
	c.addAPIs(document.Root().Content)
	if diff := cmp.Diff([]string{"a.io/v1", "a.io/v1/A", "v2", "v2/B", "c.io/v3"}, c.APIs); diff != "" {
		t.Error(diff)
	}
	property := "{type: olm.gvk, value: {group: a.io, version: v1, kind: A}}"
	for name, tc := range map[string]struct {
		texts []string
		want  []string
	}{
		"a list":      {[]string{"[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"a field":     {[]string{"properties: [" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"twice":       {[]string{"[{type: olm.gvk, value: {version: z}}]", "[" + property + ", " + property + "]", "[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A", "z"}},
		"no list":     {[]string{"properties: {a: 1}", "1", ""}, nil},
		"no YAML":     {[]string{"[", "[" + property + "]"}, []string{"a.io/v1", "a.io/v1/A"}},
		"no property": {nil, nil},
	} {
		packs := []*pack.Pack{{}}
		for _, text := range tc.texts {
			packs = append(packs, &pack.Pack{Properties: pack.File("properties.yaml", text)})
		}
		if diff := cmp.Diff(tc.want, ClusterOf(noRun{}, packs).APIs); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Values that are unknown are not values to render charts with.
func TestUnknownValues(t *testing.T) {
	bad := &pack.Pack{Values: pack.File("values.yaml", "a: [")}
	_, err := (&Deployer{Charts: &chart.Run{}}).Render(bad, t.TempDir(), Cluster{})
	if fault, ok := errors.AsType[*ValuesError](err); !ok || !strings.Contains(fault.Error(), "line 1") {
		t.Errorf("no YAML: got %v", err)
	}
	p := &pack.Pack{Values: pack.File("values.yaml", "a: 1")}
	if _, err := (&Deployer{Charts: &chart.Run{}}).Render(p, filepath.Join(t.TempDir(), "absent"), Cluster{}); err == nil {
		t.Error("no directory: got no error")
	}
}
