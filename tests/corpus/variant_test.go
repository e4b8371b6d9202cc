package corpus

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// variant is an override that breaks one entry of a pack's schema.
type variant struct {
	key, values string
	rule        string
}

var formatType = regexp.MustCompile(`format "\$\{(\w+)`)

// variants derives overrides from the templates of a schema, which are read here
// by what they plainly say and not by the language under test.
func variants(t *testing.T, p corpusPack) []variant {
	t.Helper()
	var entries map[string]struct{ Schema string }
	if err := yaml.Unmarshal([]byte(p.files["schema.yaml"]), &entries); err != nil {
		t.Fatal(err)
	}
	var all []variant
	for key, entry := range entries {
		add := func(rule string, value any) {
			var nested = value
			steps := strings.Split(key, ".")
			for _, step := range slices.Backward(steps) {
				nested = map[string]any{step: nested}
			}
			text, err := yaml.Marshal(nested)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, variant{key, string(text), rule})
		}
		if strings.Contains(entry.Schema, "required") {
			add("values/required", nil)
			add("values/required", "")
			add("values/required", []string{})
		}
		if strings.Contains(entry.Schema, "readonly") {
			add("values/readonly", "changed")
			add("values/readonly", nil)
			add("values/readonly", map[string]string{"a": "b"})
		}
		found := formatType.FindStringSubmatch(entry.Schema)
		if found == nil {
			continue
		}
		add("values/format", map[string]string{"a": "b"})
		switch found[1] {
		case "list", "number", "boolean":
			add("values/format", "no such option")
		case "string", "password":
			add("values/format", 5)
			add("values/format", true)
			add("values/format", []string{"x"})
		case "input": // not a type: any single value goes
		default:
			t.Errorf("%s: no variant for %s", key, found[1])
		}
	}
	if len(all) == 0 && len(entries) > 0 {
		t.Error("no variants were derived")
	}
	return all
}

// An override that breaks one entry yields exactly that finding more.
func TestVariants(t *testing.T) {
	count := 0
	for _, p := range withSchema(packs(t)) {
		t.Run(p.name, func(t *testing.T) {
			for _, v := range variants(t, p) {
				count++
				want := slices.DeleteFunc(slices.Clone(failing[p.name]), func(f finding) bool { return f.Key == v.key })
				want = sorted(append(want, finding{v.rule, v.key}))
				got := check(t, listOf(t, p.configMap(), override(p.packName(t), v.values)), "error")
				if diff := cmp.Diff(want, sorted(got)); diff != "" {
					t.Errorf("%s: -want +got:\n%s", v.values, diff)
				}
			}
		})
	}
	t.Logf("%d variants", count)
}

// The one read-only value of the corpus may be said again, not changed.
func TestReadOnlyOfTekton(t *testing.T) {
	for _, p := range withSchema(packs(t)) {
		if p.packName(t) != "tekton-operator" {
			continue
		}
		const key = "charts.tekton-operator.fullnameOverride"
		for text, want := range map[string][]finding{
			"charts: {tekton-operator: {fullnameOverride: \"tekton-operator\"}}": nil,
			"charts: {tekton-operator: {other: 1}}":                              nil,
			"charts: {tekton-operator: {fullnameOverride: other}}":               {{"values/readonly", key}},
			"charts: null": {{"values/readonly", key}},
		} {
			got := check(t, listOf(t, p.configMap(), override("tekton-operator", text)), "error")
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: -want +got:\n%s", text, diff)
			}
		}
		return
	}
	t.Log("NOT TESTED: no pack tekton-operator with a schema is at hand")
}
