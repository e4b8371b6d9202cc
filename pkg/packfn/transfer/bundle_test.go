package transfer_test

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

const (
	annotated = "annotations:\n  operators.operatorframework.io.bundle.package.v1: shop\n"
	csv       = "apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: shop-operator.v1.0.0\nspec:\n  version: 1.0.0\n  customresourcedefinitions:\n    owned: [{name: shops.example.com, version: v1, kind: Shop}]\n"
	needs     = "dependencies:   \n- type: olm.package\n  value: {packageName: bank, version: '>=1.0.0'}\n"
)

// imported imports what a folder has, and returns the files by their paths.
func imported(t *testing.T, path, to string, options transfer.Options) (map[string]string, *transfer.Plan, error) {
	t.Helper()
	var err error
	if options.Bundles, options.Catalogs, err = transfer.Bundles(path); err != nil {
		t.Fatal(err)
	}
	plan, err := transfer.Import(to, nil, options)
	if err != nil {
		return nil, nil, err
	}
	all := map[string]string{}
	for _, change := range plan.Changes {
		name, _ := filepath.Rel(to, change.Path)
		all[name] = string(change.Text)
		if err := errors.Join(os.MkdirAll(filepath.Dir(change.Path), 0o755), os.WriteFile(change.Path, change.Text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return all, plan, nil
}

// A bundle that was imported is one bundle of the package, with the package of its annotations.
func TestImportBundle(t *testing.T) {
	dir := files(t, map[string]string{"b/metadata/annotations.yaml": annotated, "b/metadata/dependencies.yaml": needs, "b/manifests/csv.yaml": csv, "b/manifests/crd.yaml": "kind: CustomResourceDefinition\n"})
	to := filepath.Join(dir, "package")
	written, _, err := imported(t, filepath.Join(dir, "b"), to, transfer.Options{Kptfile: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"Kptfile", "shop-operator.v1.0.0/manifests/shop-operator.v1.0.0.yaml", "shop-operator.v1.0.0/metadata/shop-operator.v1.0.0.yaml"}
	if got := slices.Sorted(maps.Keys(written)); !slices.Equal(got, want) {
		t.Fatalf("got %q", got)
	}
	if text := written[want[2]]; !strings.Contains(text, "  dependencies.yaml: |\n    dependencies:\n    - type: olm.package\n") || !strings.Contains(text, `local-config: "true"`) {
		t.Errorf("got\n%s", text)
	}
	r, err := check.Run([]string{to}, check.Options{Functions: suite.All(), Root: to})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Rule != "requirement/unsatisfied" || r.Findings[0].File != want[2] || r.Findings[0].Line != 14 {
		t.Errorf("%v, %+v", err, r)
	}
	// A second import changes nothing.
	if again, _, err := imported(t, filepath.Join(dir, "b"), to, transfer.Options{}); err != nil || len(again) != 0 {
		t.Errorf("again: %v, %q", err, again)
	}
	if err := os.WriteFile(filepath.Join(dir, "b/metadata/dependencies.yaml"), []byte("dependencies: []\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := imported(t, filepath.Join(dir, "b"), to, transfer.Options{}); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("changed: %v", err)
	}
	if again, _, err := imported(t, filepath.Join(dir, "b"), to, transfer.Options{Force: true}); err != nil || len(again) != 1 {
		t.Errorf("forced: %v, %q", err, again)
	}
}

func TestImportBundles(t *testing.T) {
	for name, tc := range map[string]struct {
		files map[string]string
		names map[string]string
		want  []string
		note  string
		err   string
	}{
		"below a folder": {files: map[string]string{"x/a/metadata/annotations.yaml": annotated, "x/a/manifests/csv.yaml": csv, "x/b/metadata/annotations.yaml": annotated, "x/b/manifests/csv.yaml": strings.Replace(csv, "1.0.0", "1.1.0", 2)},
			want: []string{"shop-operator.v1.0.0/manifests/shop-operator.v1.0.0.yaml", "shop-operator.v1.0.0/metadata/shop-operator.v1.0.0.yaml", "shop-operator.v1.1.0/manifests/shop-operator.v1.1.0.yaml", "shop-operator.v1.1.0/metadata/shop-operator.v1.1.0.yaml"}},
		"of one name": {files: map[string]string{"x/a/metadata/annotations.yaml": annotated, "x/a/manifests/csv.yaml": csv, "x/b/metadata/annotations.yaml": annotated, "x/b/manifests/csv.yaml": csv}, err: "--name NEW="},
		"with a name": {files: map[string]string{"x/metadata/annotations.yaml": annotated, "x/manifests/csv.yaml": csv}, names: map[string]string{"x": "shop"}, want: []string{"shop/manifests/shop.yaml", "shop/metadata/shop.yaml"}},
		"a half":      {files: map[string]string{"x/metadata/annotations.yaml": annotated}, err: "has no ClusterServiceVersion"},
		"a catalog": {files: map[string]string{"x/shop.json": `{"schema": "olm.package", "name": "shop"} {"schema": "olm.bundle", "name": "shop.v1.0.0", "package": "shop"}
{"schema": "olm.bundle", "name": "shop.v1.1.0", "package": "shop"}`}, want: []string{"shop.yaml"}, note: "several versions of shop"},
		"a catalog without bundles":   {files: map[string]string{"x/shop.yaml": "schema: olm.package\nname: shop\n"}, err: "no document of the schema olm.bundle"},
		"a catalog that is no YAML":   {files: map[string]string{"x/shop.yaml": "schema: olm.bundle\n---\na: [\n"}, err: "the document at line 3"},
		"packs, and no bundle":        {files: map[string]string{"x/pack.json": "{}"}},
		"an archive is one of a pack": {files: map[string]string{"x/a-1.0.0.tar.gz": ""}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := files(t, tc.files)
			names := map[string]string{}
			for from, name := range tc.names {
				names[filepath.Join(dir, from)] = name
			}
			written, plan, err := imported(t, filepath.Join(dir, "x"), filepath.Join(dir, "to"), transfer.Options{Names: names})
			if tc.err != "" {
				if err == nil || !strings.Contains(err.Error(), tc.err) {
					t.Errorf("got %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := slices.Sorted(maps.Keys(written)); !slices.Equal(got, tc.want) {
				t.Errorf("got %q", got)
			}
			if all := strings.Join(plan.Notes, "\n"); !strings.Contains(all, tc.note) {
				t.Errorf("notes: %s", all)
			}
		})
	}
}
