package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
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

func TestLoadOfNoPackage(t *testing.T) {
	if tree, err := Load(&kptpackage.Package{Dir: "pkg"}); err == nil || tree != nil || err.Error() != "pkg is not a package: it has no Kptfile" {
		t.Errorf("got %v", err)
	}
}
