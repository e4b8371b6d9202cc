// Package olm compares pkg/constraint with the code of OLM itself. It is a module
// of its own, so that the functions do not depend on OLM's.
package olm

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/operator-framework/api/pkg/constraints"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// entry makes a property of JSON.
func entry(t *testing.T, kind, value string) constraint.Entry {
	t.Helper()
	d, err := values.Parse(fmt.Sprintf(`{"type": %q, "value": %s}`, kind, value))
	if err != nil {
		t.Fatalf("%s: %v", value, err)
	}
	return constraint.Entry{Node: d.Root(), Key: "properties[0]"}
}

// check returns the findings of a bundle alone. cluster may be nil.
func check(b *constraint.Bundle, cluster *constraint.Cluster) []diag.Finding {
	return constraint.ReadEach(slices.Values([]*constraint.Bundle{b}), cluster).Checker(constraint.Options{}).Check()
}

// invalid says why a constraint is refused here, "" when it is not.
func invalid(t *testing.T, value string) string {
	t.Helper()
	b := &constraint.Bundle{Name: "a.v1.0.0", Properties: []constraint.Entry{entry(t, "olm.constraint", value)}}
	for _, f := range check(b, nil) {
		if f.Rule == rule.ConstraintInvalid && f.Level() == diag.Error {
			return f.Message()
		}
	}
	return ""
}

// refused is whether OLM refuses a constraint: when it parses the value, or when
// it builds its predicates.
func refused(value string) bool {
	c, err := constraints.Parse(json.RawMessage(value))
	return err != nil || refusedLater(c)
}

func refusedLater(c constraints.Constraint) bool {
	switch {
	case c.GVK != nil, c.All == nil && c.Any == nil && c.Not == nil && c.Package == nil && c.Cel == nil:
		return false
	case c.Package != nil:
		_, err := semver.ParseRange(c.Package.VersionRange)
		return err != nil
	case c.Cel != nil:
		_, err := constraints.NewCelEnvironment().Validate(c.Cel.Rule)
		return err != nil
	}
	for _, compound := range []*constraints.CompoundConstraint{c.All, c.Any, c.Not} {
		if compound != nil {
			for _, child := range compound.Constraints {
				if refusedLater(child) {
					return true
				}
			}
		}
	}
	return false
}

// TestParsing: who refuses what. Every difference is one that the rules of this
// project want, and says so.
func TestParsing(t *testing.T) {
	deep := func(n int) string {
		return strings.Repeat(`{"all":{"constraints":[`, n) + `{"gvk":{"group":"g","version":"v1","kind":"K"}}` + strings.Repeat(`]}}`, n)
	}
	for _, c := range []struct {
		value      string
		difference string // "" where both agree
	}{
		{`{"gvk":{"group":"g","version":"v1","kind":"K"}}`, ""},
		{`{"gvk":{"version":"v1","kind":"Pod"}}`, ""},
		{`{"package":{"packageName":"a","versionRange":">=1.0.0"}}`, ""},
		{`{"package":{"packageName":"a","versionRange":"nonsense"}}`, ""},
		{`{"package":{"packageName":"a","versionRange":"^1.0.0"}}`, ""},
		{`{"package":{"packageName":"a","versionRange":">=1.0.0 | <0.5.0"}}`, "silently misread"},
		{`{"package":{"packageName":"a","versionRange":"1.0.0 - 2.0.0"}}`, "silently misread"},
		{`{"package":{"packageName":"a","versionRange":"!1.x"}}`, "silently misread"},
		{`{"package":{"packageName":"a","versionRange":"1.x.x"}}`, "silently misread"},
		{`{"package":{"packageName":"a","versionRange":"^1.x"}}`, "silently misread"},
		{`{"package":{"packageName":"a","versionRange":"=>1.x"}}`, "silently misread"},
		{`{"package":{"name":"a","versionRange":">=1.0.0"}}`, "name is accepted"},
		{`{"package":{"packageName":"a"}}`, ""},
		{`{"package":{"packageName":"a","version":">=1.0.0"}}`, ""},
		{`{"package":{"versionRange":">=1.0.0"}}`, "no package name"},
		{`{"cel":{"rule":"properties.exists(p, p.type == \"a\")"}}`, ""},
		{`{"cel":{"rule":""}}`, ""},
		{`{"cel":{"rule":"1 + 1"}}`, ""},
		{`{"cel":{"rule":"properties[0].value"}}`, ""},
		{`{"cel":{"rule":"unknown == 1"}}`, ""},
		{`{"cel":{"rule":"properties.exists(p, p.type.lowerAscii() == \"a\")"}}`, ""},
		{`{"cel":{"rule":"semver_compare(properties[0].value.version, \"1\") == 1"}}`, ""},
		{`{"none":{"constraints":[]}}`, ""},
		{`{"failureMessage":"x","cel":{"rule":"true"}}`, ""},
		{`{"message":"x","cel":{"rule":"true"}}`, ""},
		{`{"gvk":{"version":1,"kind":"K"}}`, ""},
		{`{"gvk":{"kind":"K"}}`, "incomplete GVK"},
		{`{"all":{"constraints":[]}}`, "no children"},
		{`{"failureMessage":"x"}`, "no type"},
		{`{"cel":{"rule":"true"},"gvk":{"version":"v1","kind":"K"}}`, "two types"},
		{`{"CEL":{"rule":"true"}}`, "other case"},
		{`{"cel":{"rule":"true"},"cel":{"rule":"false"}}`, "duplicate key"},
		{`"{\"cel\":{\"rule\":\"true\"}}"`, ""},
		{`[]`, ""},
		{`null`, "no type"},
		{deep(9), ""},
		{deep(10), "too deep"},
		{`{"failureMessage":"` + strings.Repeat("x", 60000) + `","cel":{"rule":"true"}}`, ""},
		{`{"failureMessage":"` + strings.Repeat("x", 70000) + `","cel":{"rule":"true"}}`, "64 KiB, where OLM's code has 128"},
		{`{"failureMessage":"` + strings.Repeat("x", 140000) + `","cel":{"rule":"true"}}`, ""},
	} {
		message, theirs := invalid(t, c.value), refused(c.value)
		if differ := (message != "") != theirs; differ != (c.difference != "") {
			t.Errorf("%.100s: here %q, refused by OLM: %v; known difference: %q", c.value, message, theirs, c.difference)
		}
	}
}

// TestRanges compares ranges that are made of their parts at random.
func TestRanges(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	pick := func(of ...string) string { return of[random.Intn(len(of))] }
	read := 0
	for range 20000 {
		var words []string
		for range 1 + random.Intn(4) {
			words = append(words, pick("", "=", "==", "!", "!=", ">", ">=", "<", "<=", "~", "^", "> ")+pick("1.0.0", "1.2.3", "2.0.0-rc.1", "1.x", "1.2.x", "1.x.x", "1.2", "v1.0.0", "*", "0.0.0-0"))
			if random.Intn(3) == 0 {
				words = append(words, pick("||", "|", "-", ","))
			}
		}
		text := strings.Join(words, " ")
		ours, err := constraint.ParseRange(text)
		theirs, theirErr := semver.ParseRange(text)
		if err != nil {
			if theirErr == nil && !strings.Contains(err.Error(), "would be") && !strings.Contains(err.Error(), "ignored") && !strings.Contains(err.Error(), "||") {
				t.Fatalf("%q is rejected here only, and for no known reason: %v", text, err)
			}
			continue
		}
		if theirErr != nil {
			t.Fatalf("%q is rejected by OLM only: %v", text, theirErr)
		}
		read++
		for _, number := range []string{"0.0.0-0", "0.9.0", "1.0.0-rc.1", "1.0.0", "1.1.9", "1.2.0", "1.2.3", "1.2.4", "1.3.0", "2.0.0-rc.1", "2.0.0-rc.2", "2.0.0", "3.1.0"} {
			v, err := version.Parse(number)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := ours.Accepts(v), theirs(semver.MustParse(number)); got != want {
				t.Errorf("%s in %q: got %v, OLM says %v", number, text, got, want)
			}
		}
	}
	if read < 1000 {
		t.Errorf("only %d ranges read; the generator compares too little", read)
	}
}

// TestRules compares what rules come to.
func TestRules(t *testing.T) {
	properties := []string{
		`[]`,
		`[{"type":"certified","value":true}]`,
		`[{"type":"olm.k8s","value":{"version":"1.21"}},{"type":"n","value":3}]`,
		`[{"type":"olm.k8s","value":{"version":1.30}},{"type":"s","value":"v1.2.3"},{"type":"l","value":["a",null,{"b":false}]}]`,
		`[{"type":"m","value":{"version":{"major":1}}},{"type":"e","value":""}]`,
	}
	rules := []string{
		`true`, `false`, `!false`,
		`properties.exists(p, p.type == "certified")`,
		`!properties.exists(p, p.value.version == "1.21")`,
		`properties.all(p, p.type != "")`,
		`properties.exists(p, p.type == "certified" && p.value == true)`,
		`properties.exists(p, p.type == "certified" && p.value)`,
		`properties.exists(p, p.type == "olm.k8s" && semver_compare(p.value.version, "1.20") > 0)`,
		`properties.exists(p, semver_compare(p.value, "v1.2") >= 0)`,
		`properties.exists_one(p, p.type == "n" && p.value > 2)`,
		`properties.exists(p, p.type == "n" && p.value == 3)`,
		`properties.exists(p, p.type == "n" && p.value % 2 == 1)`,
		`properties.exists(p, type(p.value) == double)`,
		`properties.exists(p, type(p.value) == int)`,
		`properties.filter(p, has(p.value.version)).size() == 1`,
		`properties.exists(p, p.type == "l" && p.value[1] == null && !p.value[2].b)`,
		`properties.map(p, p.type) == ["certified"]`,
		`properties.size() > 1`,
		`properties[1].type.startsWith("n")`,
		`semver_compare("1.0", "1") == 0`,
		`semver_compare("x", "1") == 0`,
		`semver_compare(properties, "1") == 0`,
		`!(semver_compare(properties[0].value.version, "1") == 0)`,
		`properties.exists(p, string(p.value) == "3")`,
		`properties.exists(p, p.other == 1)`,
		`properties.exists(p, p.type == "olm.package.required" && p.value.packageName == "blue" && p.value.versionRange == ">=1.0.0")`,
		`properties.exists_one(p, p.type == "olm.gvk.required" && p.value.kind == "K")`,
		`properties.all(p, p.type != "olm.label" && p.type != "olm.gvk")`,
		`properties.exists(p, p.type == "olm.label.required" && p.value.label == "l")`,
		`properties.exists(p, p.type == "olm.constraint" && p.value.failureMessage == "m" && has(p.value.cel))`,
	}
	// dependencies are those of a bundle, and the properties that OLM makes of them.
	dependencies := [][2]string{
		{`[]`, `[]`},
		{`[{"type":"olm.package","value":{"packageName":"blue","version":">=1.0.0"}}]`, `[{"type":"olm.package.required","value":{"packageName":"blue","versionRange":">=1.0.0"}}]`},
		{`[{"type":"olm.gvk","value":{"group":"g","version":"v1","kind":"K"}},{"type":"olm.label","value":{"label":"l"}},{"type":"olm.constraint","value":{"failureMessage":"m","cel":{"rule":"true"}}}]`,
			`[{"type":"olm.gvk.required","value":{"group":"g","version":"v1","kind":"K"}},{"type":"olm.label.required","value":{"label":"l"}},{"type":"olm.constraint","value":{"failureMessage":"m","cel":{"rule":"true"}}}]`},
	}
	for _, text := range rules {
		program, err := constraints.NewCelEnvironment().Validate(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		quoted, _ := json.Marshal(text)
		for _, text := range properties {
			for _, declared := range dependencies {
				// A cluster constraint is evaluated on the properties of one bundle alone;
				// every bundle has its package among them.
				const own = `[{"type":"olm.package","value":{"packageName":"a","version":"1.0.0"}}]`
				written := joined(text, own)
				var list []any
				if err := json.Unmarshal([]byte(joined(written, declared[1])), &list); err != nil {
					t.Fatal(err)
				}
				theirs, err := program.Evaluate(map[string]any{"properties": list})
				if err != nil {
					theirs = false // OLM logs it, and the bundle does not satisfy the rule
				}
				b := &constraint.Bundle{Name: "a.v1.0.0", Properties: listOf(t, "properties", written), Dependencies: listOf(t, "dependencies", declared[0])}
				cluster := &constraint.Cluster{Constraints: []constraint.Entry{entry(t, "olm.constraint", fmt.Sprintf(`{"cel":{"rule":%s}}`, quoted))}}
				ours := true
				for _, f := range check(b, cluster) {
					switch f.Rule {
					case rule.ClusterConstraintUnsatisfied:
						ours = false
					case rule.RequirementUnsatisfied: // of the dependencies, which nothing provides here
					default:
						t.Errorf("%s: %s", f.Rule.ID, f.Message())
					}
				}
				if ours != theirs {
					t.Errorf("%s on %s and dependencies %s: got %v, OLM says %v", text, written, declared[0], ours, theirs)
				}
			}
		}
	}
}

// joined returns two lists as one.
func joined(a, b string) string {
	return strings.NewReplacer("[,", "[", ",]", "]").Replace(strings.TrimSuffix(a, "]") + "," + strings.TrimPrefix(b, "["))
}

// listOf returns the entries of a list.
func listOf(t *testing.T, name, text string) []constraint.Entry {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	var out []constraint.Entry
	for i, n := range d.Root().Content {
		out = append(out, constraint.Entry{Node: n, Key: fmt.Sprintf("%s[%d]", name, i)})
	}
	return out
}
