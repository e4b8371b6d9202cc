package schema

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// profilePack is a pack of a profile: its values, and more data.
func profilePack(resource, name, values, more string) string {
	return `---
apiVersion: v1
kind: ConfigMap
metadata: {name: ` + resource + `}
data:
  pack.json: '{"name": "` + name + `", "version": "1.0.0", "layer": "addon"}'
` + more + `  values.yaml: |
` + values
}

const profileHead = `---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterProfile
metadata: {name: edge}
spec:
  name: Edge
`

const oneWeb = profileHead + `  type: add-on
  packs: [{name: web, layer: addon, packRef: {name: web}}]
`

// context is a ClusterContext with variables.
func context(name, variables string) string {
	return `---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: ` + name + `}
spec:
  variables: {` + variables + "}\n"
}

// The baseline of a tool finds what a profile changed.
func TestProfileBaseline(t *testing.T) {
	items := strings.Replace(profilePack("web", "web", `    version: 2.0.0
    same: 1
`, `  schema.yaml: |
    version: {schema: '{{ readonly }}'}
    same: {schema: '{{ readonly }}'}
`),
		"name: web}", "name: web, annotations: {packs.kpt.dev/imported: '{\"version\":\"1\",\"sha256\":{},\"values\":\"ab\"}'}}", 1)
	own, err := values.Parse(`version: 1.0.0
same: 1
`)
	if err != nil {
		t.Fatal(err)
	}
	f := FunctionWith(func(p *pack.Pack) *values.Document { return own })
	got := functiontest.Facts(functiontest.Run(t, f, "", items).Findings)
	want := []string{`error values/readonly ConfigMap/web data[values.yaml] key=version at=1:10 got="another value" want="the pack's own value (the key is read-only)" pack=web`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A macro of a variable is checked like the quoted value itself, for each format of variables
// and of schemas.
func TestMacroIsJudgedLikeItsValue(outer *testing.T) {
	formats := []string{"${string}", "${password}", "${number}", "${number:[1-65535]}", "${boolean}", "${ipv4}", "${version}", "${list:[a,true,1.2.3]}", "${string:/^[a-z]+$/}", "${ipv4}-${ipv4}", "${string}/${string}:${version}", "${input}"}
	variables := []string{"string", "number", "boolean", "version", "ipv4", "ipv4cidr", "ipv6", "base64", ""}
	texts := []string{"true", "a", "80", "-1.5", "1e3", "0x10", "1.2.3", "v1.2.3", "10.0.0.1", "10.0.0.1-10.0.0.9", "10.0.0.0/8", "fe80::1", "a/b:1.2.3", "YWI=", "not a number", " 80", "'\"", "null", "~", "ü"}
	check := func(format, value, more string) []string {
		text, err := json.Marshal(value)
		if err != nil {
			outer.Fatal(err)
		}
		items := profilePack("web", "web", "    key: "+string(text)+"\n    use: '{{ .spectro.var.x }}'\n", `  schema.yaml: |
    key: {schema: '{{ required | format "`+format+`" }}'}
`) + more
		var facts []string
		_, outcome := functiontest.Evaluate(outer, Function(), functiontest.List("", items))
		for _, f := range outcome.Findings {
			if strings.HasPrefix(f.Rule.ID, "values/") {
				facts = append(facts, fmt.Sprint(f.Rule.ID, f.Level(), f.Key, strings.TrimSuffix(f.Found, ` from the variable "x"`), f.Accepted))
			}
		}
		return facts
	}
	rapid.Check(outer, func(t *rapid.T) {
		format := rapid.SampledFrom(formats).Draw(t, "format")
		value := rapid.OneOf(rapid.SampledFrom(texts), rapid.StringMatching(`[ -~]{1,12}`)).Filter(func(s string) bool { return !strings.Contains(s, "{{") }).Draw(t, "value")
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		definition := oneWeb + "  variables: [{name: x, format: '" + rapid.SampledFrom(variables).Draw(t, "variable") + "', defaultValue: " + string(text) + "}]\n"
		definition = strings.Replace(definition, "format: '', ", "", 1)
		if rapid.Bool().Draw(t, "in a cluster") {
			definition += context("c", "x: "+string(text))
		}
		macro := rapid.SampledFrom([]string{"{{ .spectro.var.x }}", "{{.spectro.var.x}}", "{{- .spectro.var.x -}}"}).Draw(t, "macro")
		if direct, byMacro := check(format, value, definition), check(format, macro, definition); !slices.Equal(direct, byMacro) {
			t.Fatalf("%s of %q: %v, by the macro %v", format, value, direct, byMacro)
		}
	})
}
