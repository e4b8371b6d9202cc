package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/list"
)

// secretCase is a schema and values of the pack and of an override, all for the
// key KEY, with SECRET where the values hold one.
type secretCase struct {
	rule, template, own, override string
	// digits is true if a secret of digits would break the rule too: then it must
	// not be shown. The formats number, ipv4 and version alone may show it.
	digits bool
}

var secretCases = []secretCase{
	{"values/invalid-yaml", `{{ required }}`, `KEY: x`, `KEY: *SECRET`, true},
	{"values/format", `{{ format "${number}" | hints "h" }}`, `KEY: SECRET`, ``, false},
	{"values/format", `{{ format "${number:[1-2]}" }}`, `KEY: x`, `KEY: SECRET`, false},
	{"values/format", `{{ required | format "${number:/^x/}" }}`, `KEY: "SECRET"`, ``, false},
	{"values/format", `{{ format "${ipv4}" }}`, `KEY: SECRET`, ``, false},
	{"values/format", `{{ format "${ipv4}" }}`, `KEY: 10.0.0.256/SECRET`, ``, false},
	{"values/format", `{{ format "${version}" }}`, `KEY: SECRET`, ``, false},
	{"values/format", `{{ format "${version}" }}`, `KEY: v1.2.3 xSECRET`, ``, true},
	{"values/format", `{{ format "${boolean}" }}`, `KEY: SECRET`, ``, true},
	{"values/format", `{{ format "${boolean:/^t/}" }}`, `KEY: 'SECRET'`, ``, true},
	{"values/format", `{{ format "${list:[A,B]}" }}`, `KEY: SECRET`, ``, true},
	{"values/format", `{{ format "${list:/^A/}" }}`, `KEY: SECRET`, ``, true},
	{"values/format", `{{ format "${string:/^A/}" }}`, `KEY: "SECRET"`, ``, true},
	{"values/format", `{{ format "${string:/^A/}" }}`, `KEY: " SECRET "`, ``, true},
	{"values/format", `{{ format "${string:/^A/}" }}`, `KEY: |
  SECRET
  SECRET`, ``, true},
	{"values/format", `{{ format "${string}" }}`, `KEY: !!binary SECRET`, ``, true},
	{"values/format", `{{ format "${password:/^A/}" }}`, `KEY: "SECRET"`, ``, true},
	{"values/format", `{{ format "${password}" }}`, `KEY: !!binary SECRET`, ``, true},
	{"values/format", `{{ format "${number}" }}`, `KEY: {a: SECRET}`, ``, true},
	{"values/format", `{{ format "${string}" }}`, `KEY: [SECRET]`, ``, true},
	{"values/format", `{{ format "${input}" }}`, `KEY: [SECRET]`, ``, true},
	{"values/format", `{{ format "${ipv4} - ${ipv4}" }}`, `KEY: SECRET`, ``, true},
	{"values/format", `{{ format "${ipv4} - ${ipv4}" }}`, `KEY: 10.0.0.1 - SECRET`, ``, true},
	{"values/format", `{{ format "${number}/x" }}`, `KEY: SECRET/y`, ``, true},
	{"values/format", `{{ format "${string}=${list:[a,b]}" }}`, `KEY: SECRET=SECRET`, ``, true},
	{"values/readonly", `{{ readonly }}`, `KEY: SECRET`, `KEY: x`, true},
	{"values/readonly", `{{ readonly | format "${number}" }}`, `KEY: 1`, `KEY: xSECRET`, true},
	{"values/readonly", `{{ readonly }}`, `x: 1`, `KEY: {a: SECRET}`, true},
	{"values/readonly", `{{ readonly }}`, `KEY: [SECRET]`, `KEY: [SECRET, SECRET]`, true},
	{"values/deferred", `{{ format "${number}" }}`, `KEY: "{{ .spectro.var.SECRET }}SECRET"`, ``, true},
	{"values/required", `{{ required }}`, `KEY: SECRET`, `KEY: null`, true},
	{"values/required", `{{ required }}`, `x: SECRET`, ``, true},
	{"values/duplicate-key", `{{ format "${boolean}" }}`, `KEY: SECRET
KEY: SECRET`, ``, true},
	{"values/unknown-key", `{{ format "${boolean}" }}`, "KEY: true", `other: SECRET`, true},
	{"values/key-not-in-values", `{{ format "${boolean}" }}`, "x: SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "- SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: [SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: \"SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: x", "KEY: @SECRET", true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: {{ SECRET }}", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: SECRET: SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: @SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: %SECRET", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: !SECRET!SECRET x", ``, true},
	{"values/invalid-yaml", `{{ required }}`, "KEY: \"\\ySECRET\"", ``, true},
	{"values/invalid-yaml", `{{ required }}`, `KEY: 1
---
SECRET`, ``, true},
}

// secretList makes a list of one pack, in one of the forms that hold text.
func secretList(c secretCase, form, key string) string {
	indented := func(text string) string { return strings.ReplaceAll(text, "\n", "\n      ") }
	schema := indented(fmt.Sprintf(`%s:
  schema: '%s'`, key, c.template))
	own, override := indented(c.own), indented(c.override)
	head, fields := `v1
  kind: ConfigMap
  metadata: {name: pack}
  data:
    pack.json: '{"name": "vault"}'`, []string{"schema.yaml", "values.yaml"}
	if form == "Pack" {
		head, fields = `packs.kpt.dev/v1alpha1
  kind: Pack
  metadata: {name: vault}
  spec:`, []string{"schema", "values"}
	}
	text := fmt.Sprintf(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig: %s
items:
- apiVersion: %s
    %s: |
      %s
    %s: |
      %s
`,
		spec("unknownKeys: error"), head, fields[0], schema, fields[1], own)
	if c.override != "" {
		text += `- apiVersion: packs.kpt.dev/v1alpha1
  kind: PackValues
  metadata: {name: more}
  spec:
    packRef: {name: vault}
    values: |
      ` + override + "\n"
	}
	return text
}

// Whatever is wrong with a value, nothing of the results shows it.
func TestValuesAreNotShown(t *testing.T) {
	for _, c := range secretCases {
		t.Run(c.rule+" "+c.own+" "+c.override, func(t *testing.T) { rapid.Check(t, c.check) })
	}
}

// check hides secrets of several kinds in values of several places.
func (c secretCase) check(t *rapid.T) {
	pattern, a, many, port := `[g-z][G-Z0-9]{12}z`, "a", "l", "port"
	if c.digits && rapid.Bool().Draw(t, "digits") { // a number is a secret by its key
		pattern, a, many, port = `[1-9][0-9]{13}`, "token", "tokens", "apiKey"
	}
	secret := rapid.StringMatching(pattern).Draw(t, "secret")
	key := rapid.SampledFrom([]string{a, "registry." + port, many + ".$[]", many + ".$[].name"}).Draw(t, "key")
	if c.rule == "values/invalid-yaml" || c.rule == "values/readonly" || c.rule == "values/required" {
		key = a // these texts are valid at this place only
	}
	place := func(text string) string {
		text = strings.ReplaceAll(text, "SECRET", secret)
		switch {
		case !strings.Contains(text, "KEY") || key == a:
			return strings.ReplaceAll(text, "KEY", a)
		case key == "registry."+port:
			return "registry:\n  " + strings.ReplaceAll(strings.ReplaceAll(text, "KEY", port), "\n", "\n  ")
		case key == many+".$[]":
			return many + ":\n" + strings.ReplaceAll(strings.ReplaceAll(text, "KEY: ", "- "), "\n ", "\n   ")
		default:
			return many + ":\n- " + strings.ReplaceAll(strings.ReplaceAll(text, "KEY", "name"), "\n", "\n  ")
		}
	}
	if c.rule == "values/duplicate-key" && key == many+".$[]" {
		key = a // elements have no keys
	}
	c.own, c.override = place(c.own), place(c.override)
	text := secretList(c, rapid.SampledFrom([]string{"ConfigMap", "Pack"}).Draw(t, "form"), key)
	read, err := list.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	outcome := function.Evaluate(Function(), read)
	broken := slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule.ID == c.rule })
	shown, err := json.Marshal([]any{outcome.Results(), outcome.Findings})
	if err != nil {
		t.Fatal(err)
	}
	if !broken {
		t.Fatalf("%s was not reported, so this shows nothing: %s\n%s", c.rule, shown, text)
	}
	if strings.Contains(strings.ToLower(string(shown)), strings.ToLower(secret)) {
		t.Fatalf("the results hold %s:\n%s\n%s", secret, shown, text)
	}
}
