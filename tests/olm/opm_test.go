package olm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/operator-framework/operator-registry/alpha/declcfg"
	registryapi "github.com/operator-framework/operator-registry/pkg/api"
	"github.com/operator-framework/operator-registry/pkg/image"
	"github.com/operator-framework/operator-registry/pkg/registry"
	"github.com/sirupsen/logrus"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) {
	logrus.SetOutput(io.Discard) // opm says there what it leaves out
	os.Exit(m.Run())
}

// opmDirectory returns the properties of a bundle directory in a catalog that opm makes of it.
// Without those that only clients read, these are what OLM gets.
func opmDirectory(t *testing.T, dir string) (all []property) {
	t.Helper()
	in, err := registry.NewImageInput(image.SimpleReference(""), dir)
	if err != nil {
		t.Fatalf("opm: %v", err)
	}
	_, properties, err := registry.ObjectsAndPropertiesFromBundle(in.Bundle)
	if err != nil {
		t.Fatalf("opm: %v", err)
	}
	for _, p := range properties {
		if p.Type != "olm.bundle.object" {
			all = append(all, decoded(t, p.Type, string(p.Value)))
		}
	}
	return all
}

// opmCatalog returns the properties that opm serves to OLM of the bundles of a catalog, a folder, by
// the names of the bundles.
func opmCatalog(t *testing.T, dir string) map[string][]property {
	t.Helper()
	config, err := declcfg.LoadFS(context.Background(), os.DirFS(dir))
	if err != nil {
		t.Fatalf("opm: %v", err)
	}
	model, err := declcfg.ConvertToModel(*config)
	if err != nil {
		t.Fatalf("opm: %v", err)
	}
	all := map[string][]property{}
	for _, of := range model {
		for _, channel := range of.Channels {
			for name, b := range channel.Bundles {
				served, err := registryapi.ConvertModelBundleToAPIBundle(*b)
				if err != nil {
					t.Fatalf("opm: %v", err)
				}
				all[name] = nil
				for _, p := range served.Properties {
					all[name] = append(all[name], decoded(t, p.Type, p.Value))
				}
			}
		}
	}
	return all
}

func decoded(t *testing.T, kind, value string) property {
	t.Helper()
	p := property{Type: kind}
	if err := json.Unmarshal([]byte(value), &p.Value); err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return p
}

// compare reports how the properties that rules see here differ from wanted ones: in a cluster that
// requires exactly these of each bundle. JSON is also an expression of CEL.
func compare(t *testing.T, want []property, items []*list.Item, catalog string, defined []constraint.GVK) string {
	t.Helper()
	var known, each []string
	for _, p := range want {
		is := fmt.Sprintf("p.type == %s && p.value == %s", text(p.Type), text(p.Value))
		known = append(known, "("+is+")")
		each = append(each, "properties.exists(p, "+is+")")
	}
	conditions := []object{{"cel": object{"rule": strings.Join(append(each, "properties.all(p, "+strings.Join(known, " || ")+")"), " && ")}}}
	for _, p := range want { // what is indexed must be the same
		value, _ := p.Value.(object)
		switch p.Type {
		case "olm.gvk":
			conditions = append(conditions, object{"gvk": object{"group": value["group"], "version": value["version"], "kind": value["kind"]}})
		case "olm.package":
			version, _, _ := strings.Cut(fmt.Sprint(value["version"]), "+") // ranges have no build metadata
			conditions = append(conditions, object{"package": object{"packageName": value["packageName"], "versionRange": version}})
		}
	}
	cluster := object{"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "ClusterContext", "metadata": object{"name": "c"}, "spec": object{
		"constraints": []property{{"olm.constraint", object{"all": object{"constraints": conditions}}}}}}
	with := dependency.With{Candidates: &dependency.Candidates{
		Candidates: constraint.Candidates{Elsewhere: diag.Error},
		Defined:    func(diag.Resource) []constraint.GVK { return defined },
		Catalogs: func(yield func(dependency.CatalogDocument) bool) {
			for i, d := range documents.Of(catalog) {
				if !yield(dependency.CatalogDocument{Document: d, File: "catalog", Index: i}) {
					return
				}
			}
		},
	}}
	l := &list.List{Items: append(items, list.FileItem([]byte(text(cluster)), "cluster.yaml", 0))}
	for _, f := range function.Evaluate(dependency.FunctionWith(with), l).Findings {
		switch f.Rule {
		case rule.ClusterConstraintUnsatisfied:
			return f.Message()
		case rule.ClusterConstraintInvalid, rule.InputInvalid:
			t.Errorf("%s: %s", f.Rule.ID, f.Message())
		}
	}
	return ""
}

// write writes files below a new folder.
func write(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// compareDirectory compares the properties of a bundle directory with those that opm reads, except
// for known differences.
func compareDirectory(t *testing.T, dir string, differs differences) string {
	t.Helper()
	read := olm.ReadBundle(dir, nil)
	items, err := read.Items("dir")
	if err != nil || len(read.Faults) > 0 {
		t.Fatalf("%v, %v", err, read.Faults)
	}
	return compare(t, differs.apply(t, opmDirectory(t, dir)), items, "", read.Defined)
}

// differences are properties that only one of both reads.
type differences struct{ OPM, Packfn []property }

func (d differences) apply(t *testing.T, all []property) []property {
	t.Helper()
	for _, p := range d.OPM {
		at := slices.IndexFunc(all, func(other property) bool { return text(other) == text(p) })
		if at < 0 {
			t.Errorf("opm does not read %s", text(p))
			continue
		}
		all = slices.Delete(all, at, at+1)
	}
	return append(all, d.Packfn...)
}

// A case is a bundle directory or a catalog. Both readers give the same properties, but for those in
// differs.json.
func TestProperties(t *testing.T) {
	cases.Run(t, "testdata/bundles.txtar", func(t *testing.T, c *cases.Case) {
		var differs differences
		if c.Has("differs.json") {
			if err := json.Unmarshal([]byte(c.Text("differs.json")), &differs); err != nil {
				t.Fatal(err)
			}
		}
		files := c.Files("differs.json")
		dir := write(t, files)
		if !c.Has("catalog.yaml") {
			if message := compareDirectory(t, dir, differs); message != "" {
				t.Error(message)
			}
			return
		}
		for name, want := range opmCatalog(t, dir) {
			if message := compare(t, want, nil, only(t, files["catalog.yaml"], name), nil); message != "" {
				t.Error(message)
			}
		}
	})
}

// only returns the document of a catalog that is a bundle of a name.
func only(t *testing.T, catalog, name string) string {
	t.Helper()
	for _, d := range documents.Of(catalog) {
		if strings.Contains(d.Text, "olm.bundle") && strings.Contains(d.Text, name) {
			return d.Text
		}
	}
	t.Fatalf("the catalog has no bundle %s", name)
	return ""
}

// manifests returns the CustomResourceDefinitions of a bundle, which opm asks for, with one version
// that the bundle does not own.
func (b *bundle) manifests() map[string]string {
	files := map[string]string{}
	for _, kind := range b.kinds {
		plural := strings.ToLower(kind) + "s"
		files["manifests/"+plural+".yaml"] = text(object{
			"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": object{"name": plural + ".g.example.com"},
			"spec": object{"group": "g.example.com", "scope": "Namespaced", "names": object{"plural": plural, "kind": kind}, "versions": []object{
				{"name": "v1", "served": true, "storage": true}, {"name": "v2", "served": false, "storage": false}}}})
	}
	return files
}

// Bundle directories and catalogs that are made at random have the same properties.
func TestPropertiesOfRandomBundles(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	compared := map[string]int{}
	for n := range 60 {
		b := drawn(random, "a", []string{"0.9.0", "1.0.0", "2.0.0-rc.1"}[random.Intn(3)])
		dir := t.TempDir()
		b.directory(t, dir)
		for name, content := range b.manifests() {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		var differs differences
		for _, d := range b.dependencies {
			if d.Type == "olm.label" {
				if isOwn := slices.ContainsFunc(b.own, func(p property) bool { return text(p) == text(d) }); !isOwn {
					differs.OPM = append(differs.OPM, d)
				}
				differs.Packfn = append(differs.Packfn, property{"olm.label.required", d.Value})
			}
			compared[d.Type]++
		}
		if message := compareDirectory(t, dir, differs); message != "" {
			t.Fatalf("directory %d: %s", n, message)
		}
		catalog := strings.Join([]string{
			text(object{"schema": "olm.package", "name": "a", "defaultChannel": "stable"}),
			text(object{"schema": "olm.channel", "package": "a", "name": "stable", "entries": []object{{"name": b.String()}}}),
			text(object{"schema": "olm.bundle", "name": b.String(), "package": "a", "image": "registry.example.com/a:1", "properties": b.properties()}),
		}, "\n")
		all := opmCatalog(t, write(t, map[string]string{"catalog.json": catalog}))
		if names := slices.Collect(maps.Keys(all)); len(names) != 1 {
			t.Fatalf("opm reads the bundles %q", names)
		}
		if message := compare(t, all[b.String()], nil, catalog, nil); message != "" {
			t.Fatalf("catalog %d: %s", n, message)
		}
	}
	for _, kind := range []string{"olm.package", "olm.gvk", "olm.label", "olm.constraint"} {
		if compared[kind] < 5 {
			t.Errorf("only %d dependencies are of the type %s", compared[kind], kind)
		}
	}
}
