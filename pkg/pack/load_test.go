package pack

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// overridesOf names the overrides of the first pack in their order.
func overridesOf(p *probe) string {
	var all []string
	for _, o := range p.Set.Packs[0].Overrides {
		text := fmt.Sprintf("%s (%s", o.Values.Resource.Name, o.Scope)
		if o.Replace {
			text += ", replace"
		}
		all = append(all, text+")")
	}
	return strings.Join(all, ", ")
}

// Overrides in both forms are in the order of scope, then of name, whatever the
// order of the list.
func TestOverrideOrder(t *testing.T) {
	items := []string{`
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: a-cluster}
spec: {packRef: {name: vault}, scope: cluster, strategy: replace, values: {a: 1}}
`, `
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: z-default}
spec: {packRef: {name: vault}, values: "a: 1"}
`, `
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: b-profile}
spec: {packRef: {name: vault}, scope: profile, strategy: merge, values: {a: 1}}
`, `
apiVersion: v1
kind: ConfigMap
metadata:
  name: c-configmap
  annotations: {packs.kpt.dev/values-of: vault}
data: {values.yaml: "a: 1"}
`, `
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: z-cluster}
spec: {packRef: {name: vault}, scope: cluster, values: {a: 1}}
`, `
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: of-another}
spec: {packRef: {name: consul}, values: {a: 1}}
`}
	const packs = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {values: {a: 0}}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec: {}
`
	const want = "b-profile (profile), c-configmap (profile), z-default (profile), a-cluster (cluster, replace), z-cluster (cluster)"
	for range items {
		items = append(items[1:], items[0])
		document := packs
		for _, item := range items {
			document += "---" + item
		}
		p := load(t, "", document)
		if diff := cmp.Diff([]string(nil), p.Faults); diff != "" {
			t.Fatalf("faults -want +got:\n%s", diff)
		}
		if got := overridesOf(p); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
}

// Overrides of one scope and name are ordered by namespace, file and index,
// so that the order of the list never counts.
func TestOverrideOrderOfEqualNames(t *testing.T) {
	override := func(namespace, path, index, value string) string {
		return `---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: same
  namespace: ` + namespace + `
  annotations:
    internal.config.kubernetes.io/path: ` + path + `
    internal.config.kubernetes.io/index: "` + index + `"
spec: {packRef: {name: vault}, values: "` + value + `"}
`
	}
	items := []string{
		override("b", "a.yaml", "0", "v: 4"), override("a", "b.yaml", "0", "v: 3"),
		override("a", "a.yaml", "2", "v: 2"), override("a", "a.yaml", "1", "v: 1"),
	}
	for range items {
		items = append(items[1:], items[0])
		p := load(t, "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {}\n"+strings.Join(items, ""))
		got := ""
		for _, o := range p.Set.Packs[0].Overrides {
			got += o.Values.Text() + " "
		}
		if got != "v: 1 v: 2 v: 3 v: 4 " {
			t.Fatalf("got %s", got)
		}
	}
}

func TestOverrideOfUnknownPack(t *testing.T) {
	p := load(t, "", `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: vault}
spec: {}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: near}
spec: {packRef: {name: valt}, values: {}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: far
  annotations: {packs.kpt.dev/values-of: prometheus}
data: {values.yaml: ""}
`)
	want := []string{
		`error input/invalid PackValues/near spec.packRef.name no="pack named \"valt\"" want=vault near=vault`,
		`error input/invalid ConfigMap/far metadata.annotations[packs.kpt.dev/values-of] no="pack named \"prometheus\"" want=vault`,
	}
	if diff := cmp.Diff(want, p.Faults); diff != "" {
		t.Errorf("faults -want +got:\n%s", diff)
	}
	if got := overridesOf(p); got != "" {
		t.Errorf("the pack got the overrides %s", got)
	}
}

const twoVaultsAndConsul = `
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: one}
spec: {name: vault, values: {a: 1}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: two}
data: {pack.json: '{"name": "vault"}'}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: consul}
spec: {}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: {a: 2}}
`

func TestOverrideOfTwoPacks(t *testing.T) {
	p := load(t, "", twoVaultsAndConsul)
	for i, want := range []int{1, 1, 0} {
		if got := len(p.Set.Packs[i].Overrides); got != want {
			t.Errorf("%s has %d overrides, want %d", p.Set.Packs[i].Resource, got, want)
		}
	}
}

func TestChoice(t *testing.T) {
	for _, tc := range []struct {
		name, config string
		chosen       string // the objects of the packs
		faults       []string
	}{
		{"all", "", "one,two,consul", nil},
		{"an empty list", "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: []}}", "one,two,consul", nil},
		{"all of a name", "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: [vault]}}", "one,two", nil},
		{"in the order of the list", "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: [consul, vault]}}", "one,two,consul", nil},
		{"never the object's name", "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: [one]}}", "", []string{
			`error config/invalid Probe/c spec.packs[0] no="pack named \"one\"" want="vault or consul"`,
		}},
		{"an unknown name", "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: [vault, cnsul]}}", "one,two", []string{
			`error config/invalid Probe/c spec.packs[1] no="pack named \"cnsul\"" want="vault or consul" near=consul`,
		}},
		{"in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {packs: 'consul, vault'}}", "one,two,consul", nil},
		{"an unknown name in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {packs: 'cnsul,vault'}}", "one,two", []string{
			`error config/invalid ConfigMap/c data.packs no="pack named \"cnsul\"" want="vault or consul" near=consul`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, tc.config, twoVaultsAndConsul)
			if diff := cmp.Diff(tc.faults, p.Faults); diff != "" {
				t.Errorf("faults -want +got:\n%s", diff)
			}
			var chosen []string
			for _, pack := range p.Set.Chosen {
				chosen = append(chosen, pack.Resource.Name)
			}
			if got := strings.Join(chosen, ","); got != tc.chosen {
				t.Errorf("got %s, want %s", got, tc.chosen)
			}
			if p.names() != "vault,vault,consul" {
				t.Errorf("the set holds %s, want all packs, chosen or not", p.names())
			}
		})
	}
}

// A pack that cannot be read may be the one that is missing.
func TestUnread(t *testing.T) {
	const broken = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: broken}\nspec: []\n---\n"
	const override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: broken}\nspec: []\n---\n"
	const fine = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: fine}\nspec: {}\n---\n"
	const last = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: last}\n"
	for name, tc := range map[string]struct {
		items string
		want  bool
	}{
		"a fine one":        {fine, false},
		"a broken Pack":     {fine + broken, true},
		"a broken override": {fine + override, false},
		"not JSON":          {fine + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {pack.json: '{'}\n---\n", true},
		"not YAML":          {fine + "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  pack.json: {{ .x }}\n---\n", true},
		"another version":   {fine + "apiVersion: packs.kpt.dev/v1\nkind: Pack\nmetadata: {name: a}\nspec: {}\n---\n", true},
	} {
		p := load(t, "", tc.items+last)
		if p.Set.Unread != tc.want {
			t.Errorf("%s: got %v", name, p.Set.Unread)
		}
		far := p.Set.NotFound("prometheus")
		if selectors := far.Unseen != ""; selectors == tc.want {
			t.Errorf("%s: the advice is %q", name, far.Action)
		}
		if near := p.Set.NotFound("fin"); near.Nearest != "fine" || near.Action != "" {
			t.Errorf("%s: got %+v", name, near)
		}
	}
}
