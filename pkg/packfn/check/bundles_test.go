package check

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/values"
)

// bundleDir returns the files of a bundle directory with some dependencies.
func bundleDir(dir, name, version, dependencies string) map[string]string {
	files := map[string]string{
		dir + "/metadata/annotations.yaml":                         "annotations:\n  operators.operatorframework.io.bundle.package.v1: " + name + "\n",
		dir + "/manifests/" + name + ".clusterserviceversion.yaml": serviceVersion(name, version, ""),
		dir + "/manifests/crd.yaml":                                "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n",
		dir + "/tests/config.yaml":                                 "kind: Configuration\n",
	}
	if dependencies != "" {
		files[dir+"/metadata/dependencies.yaml"] = "dependencies:\n" + dependencies
	}
	return files
}

func serviceVersion(name, version, spec string) string {
	return fmt.Sprintf("apiVersion: operators.coreos.com/v1alpha1\nkind: ClusterServiceVersion\nmetadata:\n  name: %s.v%s\nspec:\n  version: %s\n%s", name, version, version, spec)
}

// requiring is a dependency on a package.
func requiring(name, versions string) string {
	return fmt.Sprintf("- type: olm.package\n  value: {packageName: %s, version: '%s'}\n", name, versions)
}

// catalogBundle is a bundle of a catalog in YAML.
func catalogBundle(name, version, properties string) string {
	return fmt.Sprintf("---\nschema: olm.bundle\nname: %s.v%s\npackage: %s\nproperties:\n- type: olm.package\n  value: {packageName: %s, version: %s}\n%s", name, version, name, name, version, properties)
}

func merged(all ...map[string]string) map[string]string {
	files := map[string]string{}
	for _, some := range all {
		maps.Copy(files, some)
	}
	return files
}

// checkedBundles returns what a check of paths in a folder finds, as `file:line severity rule`, and its
// notes.
func checkedBundles(t *testing.T, dir string, options Options, paths ...string) (found, notes []string) {
	t.Helper()
	options.Functions, options.Root = suite.All(), dir
	options.Note = func(note string) { notes = append(notes, below(dir, note)) }
	for i := range options.Catalogs {
		options.Catalogs[i] = filepath.Join(dir, options.Catalogs[i])
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for i := range paths {
		paths[i] = filepath.Join(dir, paths[i])
	}
	r, err := runNoted(paths, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		found = append(found, fmt.Sprintf("%s:%d %s %s", f.File, f.Line, f.Severity, f.Rule))
	}
	return found, notes
}

const (
	needsAPI = "  customresourcedefinitions:\n    required: [{name: greens.example.com, version: v1, kind: Green}]\n"
	ownsAPI  = "  customresourcedefinitions:\n    owned: [{name: greens.example.com, version: v1beta1, kind: Green}]\n"
	ownsIt   = "  customresourcedefinitions:\n    owned: [{name: greens.example.com, version: v1, kind: Green}]\n"
	cluster  = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: %s}\nspec:\n  system: {kubernetes: {version: 1.20.0}}\n  properties: [{type: gpu, value: {count: 4}}]\n  constraints: [{type: olm.constraint, value: {cel: {rule: 'properties.exists(p, p.type == \"certified\")'}}}]\n"
)

// constraintOf is a property with a constraint.
func constraintOf(text string) string { return "- type: olm.constraint\n  value: " + text + "\n" }

func TestBundles(t *testing.T) {
	certified := "- {type: certified, value: true}\n"
	for name, tc := range map[string]struct {
		files   map[string]string
		options Options
		paths   []string
		want    []string
		// notes is what a note has, "" for no note.
		notes string
	}{
		"a bundle directory, nothing of the name": {files: bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")),
			want: []string{"red/metadata/dependencies.yaml:3 info requirement/elsewhere"}, notes: `package "blue"; name the catalog that has it with --catalog`},
		"by its name": {files: bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")), paths: []string{"red"},
			want: []string{"red/metadata/dependencies.yaml:3 info requirement/elsewhere"}, notes: `package "blue"`},
		"as deployed": {files: bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")), options: Options{AsDeployed: true},
			want: []string{"red/metadata/dependencies.yaml:3 error requirement/elsewhere"}},
		"with a catalog that has it not": {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")), map[string]string{"c.yaml": catalogBundle("green", "1.0.0", requiring("grey", "1.0.0"))}),
			options: Options{Catalogs: []string{"c.yaml"}}, paths: []string{"red"}, want: []string{"red/metadata/dependencies.yaml:3 error requirement/elsewhere"}},
		"with a catalog that has it": {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")), map[string]string{"c.yaml": catalogBundle("blue", "1.0.0", "")}),
			options: Options{Catalogs: []string{"c.yaml"}}, paths: []string{"red"}},
		"with a catalog of directories": {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.0.0")+requiring("teal", "1.0.0")), bundleDir("c/blue", "blue", "1.0.0", requiring("grey", "1.0.0")), map[string]string{"c/teal.yaml": serviceVersion("teal", "1.0.0", "")}),
			options: Options{Catalogs: []string{"c"}}, paths: []string{"red"}},
		"none of the versions fits": {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", ">=2.0.0")), bundleDir("b1", "blue", "1.0.0", ""), bundleDir("b2", "blue", "1.1.0", "")),
			want: []string{"red/metadata/dependencies.yaml:3 error requirement/unsatisfied"}},
		"one of the versions fits": {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", ">=1.1.0")), bundleDir("b1", "blue", "1.0.0", ""), bundleDir("b2", "blue", "1.1.0", ""))},
		"an API in another version": {files: map[string]string{"a.yaml": serviceVersion("red", "1.0.0", needsAPI), "b.yaml": serviceVersion("green", "1.0.0", ownsAPI)},
			want: []string{"a.yaml:8 error requirement/unsatisfied"}},
		"an API of nothing":                     {files: map[string]string{"a.yaml": serviceVersion("red", "1.0.0", needsAPI)}, want: []string{"a.yaml:8 info requirement/elsewhere"}, notes: "API example.com/v1 Green"},
		"versions of one operator":              {files: map[string]string{"a.yaml": serviceVersion("green", "1.0.0", ownsIt), "b.yaml": serviceVersion("green", "1.1.0", ownsIt), "c.yaml": serviceVersion("red", "1.0.0", needsAPI)}},
		"a ConfigMap outside of packages":       {files: map[string]string{"a.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  catalog.yaml: |\n    schema: olm.bundle\n    name: red.v1.0.0\n    dependencies:\n    " + strings.ReplaceAll(requiring("blue", "1.0.0"), "\n", "\n    ")}, want: []string{"a.yaml:10 info requirement/elsewhere"}, notes: `"blue"`},
		"a catalog in YAML":                     {files: map[string]string{"c/x.yaml": "schema: olm.package\nname: red\n" + catalogBundle("red", "1.0.0", "- type: olm.package.required\n  value: {packageName: blue, versionRange: '>=2.0.0'}\n") + catalogBundle("blue", "1.0.0", "")}, want: []string{"c/x.yaml:11 error requirement/unsatisfied"}},
		"a catalog in JSON, by its name":        {files: map[string]string{"c.json": "{\"schema\": \"olm.package\", \"name\": \"red\"}\n{\n \"schema\": \"olm.bundle\",\n \"name\": \"red.v1.0.0\",\n \"properties\": [\n  {\"type\": \"olm.gvk.required\",\n   \"value\": {\"group\": \"g\", \"version\": \"v1\", \"kind\": \"K\"}}]}\n"}, paths: []string{"c.json"}, want: []string{"c.json:7 info requirement/elsewhere"}, notes: "API g/v1 K"},
		"a catalog without bundles":             {files: map[string]string{"c.yaml": "schema: olm.channel\nname: stable\n"}, notes: "without a document of the schema olm.bundle"},
		"what a catalog has besides":            {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", "") + "---\nname: x\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\nb: [\n---\nschema: olm.bundel\nname: blue.v1.0.0\n"}, want: []string{"c.yaml:9 error input/invalid", "c.yaml:11 error input/invalid", "c.yaml:15 error input/invalid", "c.yaml:17 error input/invalid"}},
		"hidden in a package":                   {files: merged(bundleDir("p/red", "red", "1.0.0", requiring("blue", "1.0.0")), map[string]string{"p/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n", "p/.krmignore": "red\n"}), want: []string{"p/red/metadata/dependencies.yaml:3 info requirement/elsewhere"}, notes: `"blue"`},
		"no annotations":                        {files: map[string]string{"red/metadata/dependencies.yaml": "dependencies:\n" + requiring("blue", "1.0.0"), "red/manifests/a.yaml": serviceVersion("red", "1.0.0", "")}, want: []string{"red/metadata/dependencies.yaml:1 error input/invalid", "red/metadata/dependencies.yaml:3 info requirement/elsewhere"}, notes: `"blue"`},
		"no ClusterServiceVersion":              {files: map[string]string{"red/metadata/annotations.yaml": "annotations:\n  operators.operatorframework.io.bundle.package.v1: red\n"}, want: []string{"red/metadata/annotations.yaml:1 error input/invalid"}},
		"two of them":                           {files: merged(bundleDir("red", "red", "1.0.0", ""), map[string]string{"red/manifests/z.yaml": "---\n" + serviceVersion("blue", "1.0.0", "")}), want: []string{"red/manifests/z.yaml:2 error input/invalid"}},
		"a part of it is broken":                {files: merged(bundleDir("red", "red", "1.0.0", requiring("blue", "1.0.0")), map[string]string{"red/metadata/properties.yaml": "properties: [\n"}), want: []string{"red/metadata/dependencies.yaml:3 info requirement/elsewhere", "red/metadata/properties.yaml:1 error input/invalid"}, notes: `"blue"`},
		"the older spelling":                    {files: bundleDir("red", "red", "1.0.0", "- type: olm.constraint\n  value:\n    evaluator: {id: cel}\n    rule: 'true'\n"), want: []string{"red/metadata/dependencies.yaml:4 error constraint/invalid"}},
		"a part that must be there":             {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", constraintOf("{any: {constraints: [{package: {packageName: blue, versionRange: '>=2.0.0'}}, {package: {packageName: teal, versionRange: '1.0.0'}}]}}")) + catalogBundle("blue", "1.0.0", "")}, want: []string{"c.yaml:9 info requirement/elsewhere"}, notes: `"teal"`},
		"all parts must be there":               {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", constraintOf("{all: {constraints: [{package: {packageName: blue, versionRange: '>=2.0.0'}}, {package: {packageName: teal, versionRange: '1.0.0'}}]}}")) + catalogBundle("blue", "1.0.0", "")}, want: []string{"c.yaml:9 error constraint/unsatisfied"}},
		"not what others are":                   {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", constraintOf("{all: {constraints: [{package: {packageName: blue, versionRange: '>=1.0.0'}}, {not: {constraints: [{package: {packageName: teal, versionRange: '>=1.0.0'}}]}}]}}")) + catalogBundle("blue", "1.0.0", "") + catalogBundle("teal", "1.0.0", "")}},
		"not what the bundle is":                {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", certified+constraintOf("{all: {constraints: [{not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == \"certified\")'}}]}}]}}"))}, want: []string{"c.yaml:10 error constraint/unsatisfied"}},
		"not what the cluster has":              {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", certified+constraintOf("{all: {constraints: [{not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == \"gpu\")'}}]}}]}}")), "k.yaml": fmt.Sprintf(cluster, "a")}, want: []string{"c.yaml:10 warning constraint/scope-differs", "c.yaml:10 error constraint/unsatisfied"}},
		"what the cluster has":                  {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", certified+constraintOf("{cel: {rule: 'properties.exists(p, p.type == \"gpu\" && p.value.count > 3)'}}")), "k.yaml": fmt.Sprintf(cluster, "a")}},
		"too little of it":                      {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", certified+constraintOf("{cel: {rule: 'properties.exists(p, p.type == \"gpu\" && p.value.count > 4)'}}")), "k.yaml": fmt.Sprintf(cluster, "a")}, want: []string{"c.yaml:10 error constraint/unsatisfied"}},
		"the cluster takes one":                 {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", certified) + catalogBundle("red", "2.0.0", ""), "k.yaml": fmt.Sprintf(cluster, "a")}},
		"the cluster takes none":                {files: map[string]string{"c.yaml": catalogBundle("red", "2.0.0", "") + catalogBundle("red", "1.0.0", "") + catalogBundle("blue", "1.0.0", certified), "k.yaml": fmt.Sprintf(cluster, "a")}, want: []string{"c.yaml:2 error cluster-constraint/unsatisfied"}},
		"several clusters":                      {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", ""), "k.yaml": fmt.Sprintf(cluster, "a"), "l.yaml": fmt.Sprintf(cluster, "b")}},
		"too new for the cluster":               {files: map[string]string{"a.yaml": serviceVersion("red", "1.0.0", "  minKubeVersion: 1.22.0\n"), "b.yaml": serviceVersion("red", "1.1.0", "  minKubeVersion: 1.22.0\n"), "k.yaml": strings.SplitAfter(fmt.Sprintf(cluster, "a"), "1.20.0}}\n")[0]}, want: []string{"b.yaml:7 error requirement/unsatisfied"}},
		"one is not too new":                    {files: map[string]string{"a.yaml": serviceVersion("red", "1.0.0", ""), "b.yaml": serviceVersion("red", "1.1.0", "  minKubeVersion: 1.22.0\n"), "k.yaml": strings.SplitAfter(fmt.Sprintf(cluster, "a"), "1.20.0}}\n")[0]}},
		"packs and bundles":                     {files: map[string]string{"a.yaml": serviceVersion("red", "1.0.0", needsAPI), "p.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec:\n  version: 1.0.0\n  dependencies:\n  - {type: olm.package, value: {packageName: red, version: '>=1.0.0'}}\n  - {type: olm.package, value: {packageName: grey, version: '>=1.0.0'}}\n"}, want: []string{"a.yaml:8 info requirement/elsewhere", "p.yaml:8 error requirement/unsatisfied"}, notes: "API example.com/v1 Green"},
		"a pack and a bundle of another folder": {files: map[string]string{"a/a.yaml": serviceVersion("red", "1.0.0", ""), "b/p.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: red}\nspec:\n  version: 1.0.0\n  dependencies:\n  - {type: olm.package, value: {packageName: red, version: '>=1.0.0'}}\n  - {type: olm.package, value: {packageName: teal, version: '>=1.0.0'}}\n", "teal/metadata/annotations.yaml": "annotations:\n  operators.operatorframework.io.bundle.package.v1: teal\n", "teal/manifests/csv.yaml": serviceVersion("teal", "1.0.0", "")}},
		"only the prerelease":                   {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", "- {type: olm.package.required, value: {packageName: blue, versionRange: '>=1.0.0-0'}}\n") + catalogBundle("blue", "1.0.0-rc.1", "")}, want: []string{"c.yaml:8 info constraint/prerelease"}},
		"several, but no single one":            {files: map[string]string{"c.yaml": catalogBundle("red", "1.0.0", constraintOf("{all: {constraints: [{package: {packageName: blue, versionRange: '1.0.0'}}, {package: {packageName: teal, versionRange: '1.0.0'}}]}}")) + catalogBundle("blue", "1.0.0", "") + catalogBundle("teal", "1.0.0", "")}, want: []string{"c.yaml:9 warning constraint/scope-differs"}},
		"a package proposes of the catalog":     {files: map[string]string{"p/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n", "p/a.yaml": serviceVersion("red", "1.0.0", needsAPI), "c.yaml": catalogBundle("green", "1.0.0", "- {type: olm.gvk, value: {group: example.com, version: v1, kind: Green}}\n")}, options: Options{Catalogs: []string{"c.yaml"}}, paths: []string{"p"}, want: []string{"p/a.yaml:8 error requirement/unsatisfied"}},
	} {
		t.Run(name, func(t *testing.T) {
			found, notes := checkedBundles(t, folderOf(t, tc.files), tc.options, tc.paths...)
			if diff := cmp.Diff(tc.want, found); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			all := strings.Join(notes, "\n")
			if has := strings.Contains(all, "catalog"); has != (tc.notes != "") || !strings.Contains(all, tc.notes) {
				t.Errorf("notes: %q", notes)
			}
		})
	}
}

// The files of a bundle directory that no .krmignore hides are told with what to do.
func TestBundleInPackage(t *testing.T) {
	dir := folderOf(t, merged(bundleDir("red", "red", "1.0.0", requiring("blue", "1.0.0")), map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n", "c.yaml": catalogBundle("blue", "1.0.0", "")}))
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	doors := map[string]string{"red/metadata/annotations.yaml": bundleDoor[1:], "red/metadata/dependencies.yaml": bundleDoor[1:], "c.yaml": "packfn import FILE"}
	for _, f := range r.Findings {
		if door := doors[f.File]; door != "" && strings.Contains(f.Message, door) {
			delete(doors, f.File)
		}
	}
	if len(doors) > 0 {
		t.Errorf("not told: %v\n%+v", doors, r.Findings)
	}
}

// A bundle directory is a case of a report.
func TestCaseOfBundle(t *testing.T) {
	dir := folderOf(t, bundleDir("red", "red", "1.0.0", ""))
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil || len(r.Cases) != 1 || r.Cases[0].File != "red/manifests/red.clusterserviceversion.yaml" {
		t.Errorf("%v, %+v", err, r)
	}
}

// A catalog that is too large to be read as a whole is read, and a document that is too large by
// itself is a finding.
func TestLargeCatalog(t *testing.T) {
	dir := t.TempDir()
	large := "- {type: picture, value: " + strings.Repeat("x", values.MaxBytes) + "}\n"
	text := catalogBundle("blue", "1.0.0", "") + catalogBundle("teal", "1.0.0", large) + catalogBundle("red", "1.0.0", "- type: olm.package.required\n  value: {packageName: blue, versionRange: '>=2.0.0'}\n")
	if err := os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found, _ := checkedBundles(t, dir, Options{})
	if diff := cmp.Diff([]string{"c.yaml:8 error input/invalid", "c.yaml:24 error requirement/unsatisfied"}, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A rule sees a large property of a catalog, which is read again for it.
func TestLargeProperty(t *testing.T) {
	const rule = "{cel: {rule: 'properties.exists(p, p.type == \"large\" && p.value.name == \"%s\" && size(p.value.text) > 5000)'}}"
	large := "- {type: large, value: {name: blue, text: " + strings.Repeat("x", 6000) + "}}\n"
	for name, want := range map[string][]string{"blue": nil, "teal": {"c.yaml:10 error constraint/unsatisfied"}} {
		dir := folderOf(t, map[string]string{"c.yaml": catalogBundle("red", "1.0.0", large+constraintOf(fmt.Sprintf(rule, name)))})
		found, _ := checkedBundles(t, dir, Options{})
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// The texts of an editor replace those on disk.
func TestReplacedBundle(t *testing.T) {
	dir := folderOf(t, merged(bundleDir("red", "red", "1.0.0", requiring("blue", "1.0.0")), map[string]string{"c.yaml": catalogBundle("teal", "1.0.0", "")}))
	found, _ := checkedBundles(t, dir, Options{Replace: map[string][]byte{
		filepath.Join(dir, "red/metadata/dependencies.yaml"): []byte("dependencies: []\n"),
		filepath.Join(dir, "c.yaml"):                         []byte(catalogBundle("teal", "1.0.0", "- {type: olm.package.required, value: {packageName: red, versionRange: '>1.0.0'}}\n")),
	}})
	if diff := cmp.Diff([]string{"c.yaml:8 error requirement/unsatisfied"}, found); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A catalog without a bundle is probably the wrong path.
func TestNoCatalog(t *testing.T) {
	dir := folderOf(t, merged(bundleDir("red", "red", "1.0.0", ""), map[string]string{"c/a.yaml": "a: 1\n"}))
	if _, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, Catalogs: []string{filepath.Join(dir, "c")}}); err == nil || !strings.Contains(err.Error(), "has no bundle of OLM") {
		t.Errorf("got %v", err)
	}
}
