package pack

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const profile = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterProfile\nmetadata: {name: edge}\nspec:\n  packs:\n"

func packNamed(name, spec string) string {
	return "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec: " + spec + "\n"
}

// A profile has its packs by the names of their resources.
func TestProfile(t *testing.T) {
	const vault, consul = "  - {name: vault, packRef: {name: vault}}\n", "  - {name: consul, packRef: {name: other}}\n"
	for _, tc := range []struct {
		name, documents string
		of              string // the packs of the profile
		faults          []string
	}{
		{"both", profile + vault + consul + packNamed("vault", "{}") + packNamed("other", "{name: consul}"), "vault consul", nil},
		{"two of one name", profile + vault + packNamed("vault", "{version: 1.0.0}") + packNamed("vault", "{version: 2.0.0}"), "vault1.0.0", nil},
		{"one is missing", profile + vault + consul + packNamed("vault", "{}"), "vault -", []string{
			`error input/invalid ClusterProfile/edge spec.packs[1].packRef.name no="resource of a pack named \"other\"" want=vault`,
		}},
		{"one that cannot be read", profile + vault + consul + packNamed("vault", "{}") + packNamed("other", "[]"), "vault -", []string{
			`error input/invalid Pack/other spec got="a list" want="a map"`,
		}},
		{"no name", profile + "  - {name: vault}\n" + packNamed("vault", "{}"), "-", []string{"error input/invalid ClusterProfile/edge spec.packs[0].packRef missing="}},
		{"a fault of it", profile + vault + "  type: clusters\n" + packNamed("vault", "{}"), "vault", []string{
			`error input/invalid ClusterProfile/edge spec.type got="\"clusters\"" want="cluster, infra, add-on or system" near=cluster`,
		}},
		{"no spec", strings.TrimSuffix(profile, "spec:\n  packs:\n"), "none", []string{"error input/invalid ClusterProfile/edge spec missing="}},
		{"a name twice", strings.Replace(profile, "{name: edge}", "{name: edge, name: edge}", 1) + vault + packNamed("vault", "{}"), "vault", []string{
			"error input/invalid ClusterProfile/edge metadata.name duplicate-of=3:14",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := load(t, "", tc.documents)
			of := []string{"none"}
			for _, one := range p.Set.Profiles {
				of = nil
				for _, pack := range one.Of {
					if pack == nil {
						of = append(of, "-")
						continue
					}
					of = append(of, pack.Name+pack.Version)
					if !one.Has(pack) || one.Has(&Pack{}) {
						t.Errorf("%s: not its own", pack.Name)
					}
				}
			}
			if diff := cmp.Diff(tc.of, strings.Join(of, " ")) + cmp.Diff(tc.faults, p.Faults); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Packs of one name are apart if one profile has both.
func TestAreApart(t *testing.T) {
	p := load(t, "", profile+"  - {name: a, packRef: {name: x}}\n  - {name: a, packRef: {name: y}}\n"+
		packNamed("x", "{name: a}")+packNamed("y", "{name: a}")+packNamed("z", "{name: a}"))
	x, y, z := p.Set.Packs[0].Resource, p.Set.Packs[1].Resource, p.Set.Packs[2].Resource
	if !p.Set.AreApart(x, y) || p.Set.AreApart(x, z) || p.Set.AreApart(z, y) {
		t.Errorf("got %v, %v and %v", p.Set.AreApart(x, y), p.Set.AreApart(x, z), p.Set.AreApart(z, y))
	}
}

func TestHasValuesOfProfile(t *testing.T) {
	for imported, want := range map[string]bool{`{"values": "abc"}`: true, `{"values": ""}`: false, `{"other": "abc"}`: false, "": false, `{"values": "abc", "values": 5}`: false} {
		p := load(t, "", "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a, annotations: {packs.kpt.dev/imported: '"+imported+"'}}\nspec: {}\n")
		if got := p.Set.Packs[0].HasValuesOfProfile(); got != want {
			t.Errorf("%s: got %v", imported, got)
		}
	}
}

func TestVariableValue(t *testing.T) {
	options := []VariableOption{{Value: "a", Label: "A"}, {Value: "b", Label: "B", Default: true}}
	for text, want := range map[string]string{"": "b", "A": "a", "a": "a", "c": "c"} {
		if got := (&ProfileVariable{DefaultValue: text, Options: options}).Value(); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
	if got := (&ProfileVariable{Options: options[:1]}).Value(); got != "" {
		t.Errorf("got %q", got)
	}
}
