package render

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// A cluster gets what kpt live apply takes. The stream is in the order of the files.
func TestDeployable(t *testing.T) {
	local := func(name, value string) string {
		return named + name + "\n  annotations: {config.kubernetes.io/local-config: \"" + value + "\"}\n"
	}
	files := map[string]string{
		"Kptfile": head, "kustomization.yaml": "resources: []\n", "b.yaml": named + "b0\n---\n" + local("local", "true") + "---\n" + local("empty", "") + "---\n" + local("b1", "false"),
		"a.yaml": named + "a",
	}
	tree := load(t, files)
	items := tree.Items()
	slices.Reverse(items)
	kept, err := tree.Deployable(items)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(named+"a\n---\n"+named+"b0\n---\n"+local("b1", "false"), string(tree.Stream(kept))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if kept[0].Name() != "b1" {
		t.Error("the stream changes the order of the items")
	}
	for text, want := range map[string]string{
		"kind: A\nmetadata: {name: a}\n": "pkg/c.yaml: resource 2: the resource has no apiVersion",
		"apiVersion: v1\nkind: [\n":      "pkg/c.yaml: resource 2: ",
	} {
		files["c.yaml"] = named + "c\n---\n" + text
		tree := load(t, files)
		if kept, err := tree.Deployable(tree.Items()); err == nil || kept != nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
}

// A cluster gets no functionConfigs, but for those of which the user says that it does.
func TestDeployableConfigs(t *testing.T) {
	pipeline := func(config string) string {
		return head + "pipeline: {mutators: [{exec: other, " + config + "}]}\n"
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"Kptfile": pipeline("configPath: ./c.yaml"), "c.yaml": named + "c", "d.yaml": "apiVersion: fn.kpt.dev/v1\nkind: A\nmetadata: {name: f}\n",
		"sub/Kptfile": pipeline("configRef: {kind: ConfigMap, name: d}"), "sub/c.yaml": named + "c0", "sub/d.yaml": named + "d0\n---\n" + named + "d",
		"sub/last/Kptfile": pipeline("configPath: c.yaml"), "sub/last/c.yaml": named + "c1\n  annotations: {config.kubernetes.io/local-config: \"false\"}\n",
	} {
		if err := os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Load(p)
	if err != nil {
		t.Fatal(err)
	}
	kept, err := tree.Deployable(tree.Items())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, item := range kept {
		names = append(names, item.Name())
	}
	if slices.Sort(names); !slices.Equal(names, []string{"c0", "c1", "d0"}) {
		t.Errorf("got %q", names)
	}
}

func TestLoadOfNoPackage(t *testing.T) {
	if tree, err := Load(&kptpackage.Package{Dir: "pkg"}); err == nil || tree != nil || err.Error() != "pkg is not a package: it has no Kptfile" {
		t.Errorf("got %v", err)
	}
}
