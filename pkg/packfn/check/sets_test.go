package check

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
)

// goodPack is a pack without a mistake, and with constraints.
func goodPack(name, constraints string) string {
	text := strings.Replace(packNamed(name), "port: 7", "port: 3", 1)
	return strings.Replace(text, "  presets:", "  constraints: {"+constraints+"}\n  presets:", 1)
}

func requires(name, least string) string {
	return fmt.Sprintf("dependencies: [{packName: %s, minVersion: %q, maxVersion: \"\", type: required}]", name, least)
}

func overrideOf(name, pack, scope, port string) string {
	return strings.NewReplacer("name: site", "name: "+name, "name: a", "name: "+pack+"}, scope: "+scope, "}, values: {port: 8}", ", values: {port: "+port+"}").Replace(valuesText)
}

func contextWith(name, cpu string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: " + name + "}\nspec:\n  machinePools: [{name: w, role: worker, size: 1, capacity: {cpu: '" + cpu + "', memory: 4Gi, diskSize: 20Gi}}]\n"
}

// hub are files of Capact in directories of their own, with a policy that names an interface.
func hub(name string) map[string]string {
	ocf := func(kind, name, spec string) string {
		return "apiVersion: ocf.capact.io/v1alpha1\nkind: " + kind + "\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"
	}
	return map[string]string{
		"hub/interfaces/i.yaml":      ocf("Interface", "i", "{path: cap.interface.db.install, revision: 0.1.0}"),
		"hub/implementations/a.yaml": ocf("Implementation", "a", "{path: cap.implementation.a.install, revision: 0.1.0, implements: [{path: cap.interface.db.install, revision: 0.1.0}]}"),
		"policies/dev/p.yaml":        ocf("Policy", "dev", "{scope: GLOBAL, interface: {rules: [{interface: {path: cap.interface.db.install}, oneOf: [{implementationConstraints: {path: cap.implementation.a.install}}]}]}}"),
		"policies/prod/p.yaml":       ocf("Policy", "prod", "{scope: GLOBAL, interface: {rules: [{interface: {path: cap.interface.db."+name+"}, oneOf: [{implementationConstraints: {path: cap.implementation.a.install}}]}]}}"),
	}
}

func packThatRequires(name string) string {
	return `{"name": "a", "version": "1.0.0", "constraints": {"dependencies": [{"packName": "` + name + `", "minVersion": "1.0", "maxVersion": "", "type": "required"}]}}`
}

// Outside of packages, the files of a directory and of those above it belong together, with what
// they need of the others.
func TestSets(t *testing.T) {
	const cpu = "resources: [{type: cpu, minLimit: 3000}]"
	const note = "name the paths that belong together"
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string // with infos about packs that are elsewhere
		note  string   // a part of a note, "" for none
	}{
		{"packs beside a cluster", map[string]string{
			"packs/a.yaml": packNamed("a"), "clusters/prod/values.yaml": overrideOf("v", "a", "cluster", "4"), "clusters/prod/cluster.yaml": contextWith("prod", "4")}, nil, ""},
		{"packs beside a cluster, which has a mistake", map[string]string{
			"packs/a.yaml": packNamed("a"), "clusters/prod/values.yaml": overrideOf("v", "a", "cluster", "9"), "clusters/prod/cluster.yaml": contextWith("prod", "4")},
			[]string{"error values/format clusters/prod/values.yaml:4"}, ""},
		{"packs of one cluster in directories of their own", map[string]string{
			"a/a.yaml": goodPack("a", cpu), "b/b.yaml": goodPack("b", cpu), "cluster/cluster.yaml": contextWith("prod", "4")},
			[]string{"error resources/insufficient cluster/cluster.yaml:5"}, ""},
		{"packs below their cluster", map[string]string{
			"a/a.yaml": goodPack("a", cpu), "b/b.yaml": goodPack("b", cpu), "cluster.yaml": contextWith("prod", "4")},
			[]string{"error resources/insufficient cluster.yaml:5"}, ""},
		{"packs that depend on each other", map[string]string{
			"a/a.yaml": goodPack("a", requires("b", "1.0")), "b/b.yaml": goodPack("b", requires("a", "")), "c/c.yaml": goodPack("c", requires("b", "1.0"))}, nil, ""},
		{"a pack that is too old", map[string]string{
			"a/a.yaml": goodPack("a", requires("b", "2.0")), "b/b.yaml": goodPack("b", "")},
			[]string{"error dependency/below-min b/b.yaml:5"}, ""},
		{"a pack that nothing has", map[string]string{
			"a/a.yaml": goodPack("a", requires("zebra", "2.0")), "b/b.yaml": goodPack("b", "")},
			[]string{"error dependency/missing a/a.yaml:11"}, ""},
		{"a misspelt pack of another directory", map[string]string{
			"packs/vault.yaml": packNamed("vault"), "site/values.yaml": overrideOf("v", "valt", "cluster", "4")},
			[]string{"error values/format packs/vault.yaml:7", "error input/invalid site/values.yaml:4"}, ""},
		{"an override above its packs", map[string]string{
			"values.yaml": overrideOf("v", "a", "cluster", "4"), "a/a.yaml": packNamed("a"), "b/b.yaml": goodPack("b", "")}, nil, ""},
		{"an override above packs of which none is its own", map[string]string{
			"values.yaml": overrideOf("v", "zebra", "cluster", "4"), "a/a.yaml": goodPack("a", ""), "b/b.yaml": goodPack("b", "")},
			[]string{"error input/invalid values.yaml:4"}, ""},
		{"two clusters that share packs", map[string]string{
			"packs/a.yaml": packNamed("a"), "dev/values.yaml": overrideOf("v", "a", "cluster", "4"), "dev/cluster.yaml": contextWith("dev", "4"),
			"prod/values.yaml": overrideOf("v", "a", "cluster", "9"), "prod/cluster.yaml": contextWith("prod", "4")},
			[]string{"error values/format prod/values.yaml:4"}, ""},
		{"two clusters, one without values for the pack that they share", map[string]string{
			"common/a.yaml": packNamed("a"), "dev/values.yaml": overrideOf("v", "a", "cluster", "4"), "dev/cluster.yaml": contextWith("dev", "4"),
			"prod/b.yaml": goodPack("b", requires("a", "1.0")), "prod/cluster.yaml": contextWith("prod", "4")},
			[]string{"error values/format common/a.yaml:7"}, ""},
		{"a cluster without the pack of another one", map[string]string{
			"dev/a.yaml": goodPack("a", ""), "dev/values.yaml": overrideOf("v", "a", "cluster", "4"), "dev/cluster.yaml": contextWith("dev", "4"),
			"prod/values.yaml": overrideOf("v", "a", "cluster", "9"), "prod/cluster.yaml": contextWith("prod", "4")},
			[]string{"info override/elsewhere prod/values.yaml:4"}, note},
		{"a pack that two directories have", map[string]string{
			"one/a.yaml": goodPack("a", ""), "two/a.yaml": goodPack("a", ""), "site/values.yaml": overrideOf("v", "a", "cluster", "9")},
			[]string{"info override/elsewhere site/values.yaml:4"}, note},
		{"a pack in a package", map[string]string{
			"p/Kptfile": kptfileHead, "p/a.yaml": goodPack("a", ""), "site/values.yaml": overrideOf("v", "a", "cluster", "9")},
			[]string{"info override/elsewhere site/values.yaml:4"}, note},
		{"values for a pack directory", map[string]string{
			"packs/a-1.0.0/pack.json": `{"name": "a", "version": "1.0.0"}`, "packs/a-1.0.0/values.yaml": "port: 3\n", "packs/a-1.0.0/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
			"site/values.yaml": overrideOf("v", "a", "cluster", "9")},
			[]string{"error values/format site/values.yaml:4"}, ""},
		{"a pack directory with a mistake, and no values for it", map[string]string{
			"packs/a-1.0.0/pack.json": `{"name": "a", "version": "1.0.0"}`, "packs/a-1.0.0/values.yaml": "port: 9\n", "packs/a-1.0.0/schema.yaml": "port: {schema: '{{ format \"${number:[1-5]}\" }}'}\n",
			"site/b.yaml": goodPack("b", requires("a", "1.0"))},
			[]string{"error values/format packs/a-1.0.0/values.yaml:1"}, ""},
		{"pack directories that depend on each other", map[string]string{
			"packs/a-1.0.0/pack.json": packThatRequires("b"), "packs/b-1.0.0/pack.json": `{"name": "b", "version": "1.0.0"}`}, nil, ""},
		{"a pack directory that requires what nothing has", map[string]string{
			"packs/a-1.0.0/pack.json": packThatRequires("zebra"), "packs/b-1.0.0/pack.json": `{"name": "b", "version": "1.0.0"}`},
			[]string{"info dependency/missing packs/a-1.0.0/pack.json:1"}, ""},
		{"packs whose macros refer to each other", map[string]string{
			"a/a.yaml": strings.Replace(goodPack("a", ""), "port: 3", "port: '{{ .spectro.pack.b.port }}'", 1), "b/b.yaml": goodPack("b", "")}, nil, ""},
		{"no cluster", map[string]string{"a/a.yaml": goodPack("a", cpu)}, nil, "no ClusterContext is among the files of a, "},
		{"Interfaces and Implementations beside policies", hub("install"), nil, ""},
		{"a policy with a mistake beside Interfaces", hub("instal"), []string{"error policy/no-rule hub/interfaces/i.yaml:4", "warning policy/unreachable-rule policies/prod/p.yaml:4"}, ""},
	} {
		var infos []string
		options := Options{}
		found, notes := checkedWith(t, options, tc.files, func(severity, rule string) bool {
			return severity != "info" || rule == "override/elsewhere" || rule == "dependency/missing"
		})
		if !slices.Equal(found, tc.want) {
			t.Errorf("%s: got %q, want %q", tc.name, found, tc.want)
		}
		for _, line := range notes {
			if strings.Contains(line, "ClusterContext") || strings.Contains(line, note) {
				infos = append(infos, line)
			}
		}
		if tc.note == "" && infos != nil || !strings.Contains(strings.Join(infos, "\n"), tc.note) {
			t.Errorf("%s: got the notes %q", tc.name, notes)
		}
	}
}

// What only some of the sets with a file find names these, and a finding is told once.
func TestSharedFindings(t *testing.T) {
	dir := folderOf(t, map[string]string{
		"packs/a.yaml": packNamed("a"), "dev/values.yaml": overrideOf("v", "a", "cluster", "4"), "test/values.yaml": strings.Replace(overrideOf("v", "a", "cluster", "4"), "port", "prot", 1),
		"prod/values.yaml": strings.Replace(overrideOf("v", "a", "cluster", "4"), "port", "ports", 1),
	})
	r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		if f.Rule == "values/format" {
			got = append(got, f.Message[strings.LastIndex(f.Message, "("):])
		}
	}
	if want := []string{"(with prod/ and test/)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Folders that are named together are searched together.
func TestNamedFolders(t *testing.T) {
	dir := folderOf(t, map[string]string{"one/a.yaml": goodPack("a", ""), "two/a.yaml": goodPack("a", ""), "site/values.yaml": overrideOf("v", "a", "cluster", "9")})
	r, err := runNoted([]string{filepath.Join(dir, "site"), filepath.Join(dir, "two")}, Options{Functions: suite.All(), Root: dir})
	if err != nil || len(r.Findings) != 1 || r.Findings[0].Rule != "values/format" || r.Findings[0].File != "site/values.yaml" {
		t.Errorf("got %v, %v", r, err)
	}
}

// Directories that share many files cost no more than a bound.
func TestSharedDirectories(t *testing.T) {
	shared := &tree{checker: &checker{}, dir: t.TempDir(), kustomizations: kustomizations{}}
	for i := range 300 {
		shared.files = append(shared.files, &kptpackage.File{Path: fmt.Sprintf("%d.yaml", i)}, &kptpackage.File{Path: fmt.Sprintf("d/%d/a.yaml", i)})
	}
	if units := shared.units(); len(units) != 1 || len(units[0].pkg.Files) != 600 {
		t.Errorf("got %d units", len(units))
	}
}
