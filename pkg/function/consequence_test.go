package function

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// A finding is left out if what it misses is exactly what a mistake means, and only then.
func TestConsequences(t *testing.T) {
	one := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	two := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "two"}
	text := &diag.Origin{Resource: one, Field: "data[a.json]", Name: "a.json", Embedded: true}
	unknown := func(noun, name, near string) diag.Finding {
		return diag.Unknown(noun, name, []string{near}).Of(rule.InputInvalid)
	}
	field := unknown("field", "pols", "pools").About(one, "spec.pols")
	key := unknown("field", "nmae", "name").In(text, "a.nmae", diag.Position{Line: 1, Column: 1})
	kind := unknown("kind", "ConfgMap", "ConfigMap").About(one, "kind")
	version := func(nearest string) diag.Finding {
		f := diag.Unknown("apiVersion", "v2", nil).About(one, "apiVersion").Of(rule.InputInvalid)
		f.Nearest = nearest
		return f
	}
	broken := diag.Unreadable(errors.New("no end")).About(one, "").Of(rule.InputInvalid)
	faulty := without("ConfigMap a", diag.Say("not a fact").About(one, "spec.a").Of(rule.InputInvalid))
	missing := func(path string) diag.Finding { return diag.Missing("").About(one, path).Of(demoError) }
	ref := func(noun, name string) diag.Finding {
		return diag.NotFound(noun, name, nil).About(two, "spec.ref").Of(demoError)
	}
	facts := func(name string) diag.Finding { return without(name, diag.Say("unknown").About(two, "").Of(demoError)) }
	as := func(r diag.Rule, s diag.Severity, f diag.Finding) diag.Finding {
		f.Severity = s
		return f.Of(r)
	}
	for name, tc := range map[string]struct {
		found []diag.Finding
		told  string // the indexes of those that are told
	}{
		"missing in the place of the name":     {[]diag.Finding{field, missing("spec.pools")}, "0"},
		"missing in its place in a text":       {[]diag.Finding{key, diag.Missing("").In(text, "a.name", diag.Position{}).Of(demoError)}, "0"},
		"the order does not matter":            {[]diag.Finding{missing("spec.pools"), field}, "1"},
		"empty in its place":                   {[]diag.Finding{field, diag.Missing("empty").About(one, "spec.pools").Of(demoError)}, "0 1"},
		"missing beside it":                    {[]diag.Finding{field, missing("spec.size")}, "0 1"},
		"missing in another resource":          {[]diag.Finding{field, diag.Missing("").About(two, "spec.pools").Of(demoError)}, "0 1"},
		"missing in a text of the resource":    {[]diag.Finding{field, diag.Missing("").In(text, "spec.pools", diag.Position{}).Of(demoError)}, "0 1"},
		"the name by another rule":             {[]diag.Finding{field, diag.Unknown("field", "pols", nil).About(one, "spec.pols").Of(demoError)}, "0"},
		"the name among others":                {[]diag.Finding{field, unknown("field", "pols", "polls").About(one, "spec.pols")}, "0"},
		"the resource of a misspelt kind":      {[]diag.Finding{kind, ref("configMap", "one")}, "0"},
		"the resource that cannot be parsed":   {[]diag.Finding{broken, ref("configMap", "one")}, "0"},
		"the resource of a misspelt version":   {[]diag.Finding{version("v1"), ref("configMap", "one")}, "0"},
		"a version without a candidate":        {[]diag.Finding{version(""), ref("configMap", "one")}, "0 1"},
		"a text in it that cannot be parsed":   {[]diag.Finding{diag.Unreadable(errors.New("no end")).In(text, "", diag.Position{}).Of(rule.InputInvalid), ref("configMap", "one")}, "0 1"},
		"facts of the misspelt kind":           {[]diag.Finding{kind, facts("ConfigMap")}, "0"},
		"facts of another kind":                {[]diag.Finding{kind, facts("Pack")}, "0 1"},
		"a fact that has a fault":              {[]diag.Finding{faulty, facts("ConfigMap a")}, "0"},
		"a fact beside the one with it":        {[]diag.Finding{faulty, facts("ConfigMap b")}, "0 1"},
		"facts that are absent twice":          {[]diag.Finding{facts("ConfigMap"), without("ConfigMap", diag.Say("unknown").About(one, "").Of(demoError))}, "0 1"},
		"another kind of that name":            {[]diag.Finding{kind, ref("pack", "one")}, "0 1"},
		"another name of that kind":            {[]diag.Finding{kind, ref("configMap", "vault")}, "0 1"},
		"that name with a condition":           {[]diag.Finding{kind, ref("configMap", "one").Saying("none").Want("")}, "0"},
		"a name that the mistake is beside of": {[]diag.Finding{field, ref("pack", "vault")}, "0 1"},
		"a name that is misspelt, too":         {[]diag.Finding{kind, diag.NotFound("configMap", "oone", []string{"one"}).About(two, "spec.ref").Of(demoError)}, "0 1"},
		"that name, but misspelt":              {[]diag.Finding{kind, diag.NotFound("configMap", "one", []string{"ones"}).About(two, "spec.ref").Of(demoError)}, "0 1"},
		"the name, which is unknown itself":    {[]diag.Finding{field, diag.Unknown("field", "pools", nil).About(one, "spec.pools").Of(demoError)}, "0 1"},
		"what may be there, unseen":            {[]diag.Finding{field, diag.Say("nothing").IfUnseen(diag.ItExists).About(two, "").Of(demoError)}, "0 1"},
		"an ordinary finding at the place":     {[]diag.Finding{field, diag.Say("wrong").About(one, "spec.pools").Of(demoError)}, "0 1"},
		"a mistake that is a warning":          {[]diag.Finding{as(demoWarning, "", field), missing("spec.pools")}, "0 1"},
		"a mistake without a candidate":        {[]diag.Finding{diag.Unknown("field", "xyz", []string{"pools"}).About(one, "spec.xyz").Of(rule.InputInvalid), missing("spec.pools")}, "0 1"},
	} {
		outcome := Evaluate(demo(&stub{process: func(r *Run) { r.Report(tc.found...) }}), readList(t, listStart+oneItem+"  spec: {pols: [vault]}\n"+twoItem))
		if got := indexes(tc.found, outcome.Findings); got != tc.told {
			t.Errorf("%s: -want +got:\n%s", name, cmp.Diff(tc.told, got))
		}
		if got := len(outcome.All()); got != len(tc.found) {
			t.Errorf("%s: %d findings with the consequences, of %d", name, got, len(tc.found))
		}
	}
}

// without returns a finding that misses facts of a kind, or one of them.
func without(facts string, f diag.Finding) diag.Finding {
	f.Without = facts
	return f
}

// indexes lists which findings are among others.
func indexes(found, among []diag.Finding) string {
	var at []string
	for i := range found {
		for _, got := range among {
			if got.Path() == found[i].Path() && got.Key == found[i].Key && got.Rule == found[i].Rule && got.Found == found[i].Found && got.Resource() == found[i].Resource() && got.Accepted == found[i].Accepted {
				at = append(at, fmt.Sprint(i))
			}
		}
	}
	return strings.Join(at, " ")
}

// What the user says of a mistake decides first: what follows from one that is no error is told.
func TestConsequencesOfWhatIsNoError(t *testing.T) {
	one := diag.Resource{APIVersion: "v1", Kind: "ConfigMap", Name: "one"}
	found := []diag.Finding{
		diag.Unknown("field", "pols", []string{"pools"}).About(one, "spec.pols").Of(demoError),
		diag.Missing("").About(one, "spec.pools").Of(rule.InputInvalid),
	}
	process := &stub{process: func(r *Run) { r.Report(found...) }}
	accepting := strings.Replace(oneItem, "name: one", `name: one
    annotations: {packs.kpt.dev/accept: 'demo/error spec.pols: as agreed'}`, 1)
	for name, tc := range map[string]struct {
		config, items string
		told          int
	}{
		"an error":             {"", oneItem, 1},
		"a warning":            {"demo/error=warning", oneItem, 2},
		"off":                  {"demo/error=off", oneItem, 1},
		"accepted, so an info": {"", accepting, 2},
	} {
		l := readList(t, listStart+tc.items)
		if tc.config != "" {
			l = readList(t, listStart+tc.items+`functionConfig:
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: c}
  data: {severity: `+tc.config+"}\n")
		}
		outcome := Evaluate(demo(process), l)
		if len(outcome.Findings) != tc.told || !outcome.Failed {
			t.Errorf("%s: got %d findings, failed: %v", name, len(outcome.Findings), outcome.Failed)
		}
	}
}

// A mistake in a resource without a kind means nothing, so nothing follows from it.
func TestMeansNothing(t *testing.T) {
	l := readList(t, listStart+`- apiVersion: v1
  metadata: {name: one}
`)
	found := []diag.Finding{
		diag.Unreadable(errors.New("no end")).About(l.Items[0].Resource(), "").Of(rule.InputInvalid),
		diag.Say("wrong").About(l.Items[0].Resource(), "spec").Of(demoError),
	}
	for i := range found {
		found[i].Severity = found[i].Level()
	}
	if tie(l, found); found[1].Follows != nil {
		t.Error("a finding that misses nothing follows from it")
	}
}

// A Pack has its name in its spec, if there is one. The name of its kind can be in the apiVersion that was meant.
func TestMeant(t *testing.T) {
	f := diag.Unknown("kind", "Packs", []string{"Pack"}).At("kind", diag.Position{})
	version := diag.Unknown("apiVersion", "packs.kpt.dev/v1alpha1", nil).At("apiVersion", diag.Position{})
	version.Nearest = "packs.kpt.dev/v1alpha1 Pack"
	for spec, want := range map[string]string{
		"": "one",
		`spec:
  name: vault
`: "vault",
	} {
		item := list.FileItem([]byte(`apiVersion: packs.kpt.dev/v1alpha1
kind: Packs
metadata:
  name: one
`+spec), "a.yaml", 0)
		for _, f := range []*diag.Finding{&f, &version} {
			if got := meant(item, f); got != (subject{kind: "pack", name: want}) {
				t.Errorf("%q and a mistake in %s: got %v", spec, f.Key, got)
			}
		}
	}
}
