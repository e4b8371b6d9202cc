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

const portSchema = `  schema.yaml: |
    port: {schema: '{{ format "${number:[1-65535]}" }}'}
    list.$[]: {schema: '{{ required | format "${string:/^[a-z]+$/}" }}'}
`

const profileHead = `---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterProfile
metadata: {name: edge}
spec:
  name: Edge
`

const oneWeb = profileHead + "  type: add-on\n  packs: [{name: web, layer: addon, packRef: {name: web}}]\n"

// context is a ClusterContext with variables.
func context(name, variables string) string {
	return "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: " + name + "}\nspec:\n  variables: {" + variables + "}\n"
}

// A finding about a profile is at the value of its field.
func TestPlacesInProfiles(t *testing.T) {
	profile := strings.TrimPrefix(oneWeb, "---\n") + "  variables:\n  - {name: port}\n  - {name: port}\n"
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", profilePack("web", "web", "    port: '{{ .spectro.var.port }}'\n", "")+"---\n"+profile))
	var got []string
	for _, f := range outcome.Findings {
		got = append(got, f.Path()+" "+f.Position.String())
	}
	// The item of the list is indented by two.
	if diff := cmp.Diff([]string{"spec.variables[1].name line 10, column 14"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestProfile(t *testing.T) {
	const portMacro = "    port: '{{ .spectro.var.port }}'\n"
	web := profilePack("web", "web", portMacro, portSchema)
	for _, tc := range []krmCase{
		{
			name: "a macro of a variable is checked with its default",
			items: profilePack("web", "web", "    port: '{{ .spectro.var.port }}'\n    list:\n    - '{{.spectro.var.word}}'\n    - '{{.spectro.var.empty}}'\n    - |-\n      {{- .spectro.var.bad -}}\n    - a{{.spectro.var.bad}}\n", portSchema) +
				oneWeb + `
  variables:
  - {name: port, defaultValue: not-a-number}
  - {name: word, defaultValue: word}
  - {name: empty}
  - {name: bad, defaultValue: BAD}
`,
		},
		{name: "the value of the cluster comes first", items: web + oneWeb + "  variables: [{name: port, defaultValue: not-a-number}]\n" + context("c", "port: 80")},
		{name: "and is at fault", items: web + oneWeb + "  variables: [{name: port, format: number, defaultValue: '80'}]\n" + context("c", "port: 80a")},
		{name: "no profile", items: web + context("c", "port: 80a")},
		{name: "two clusters", items: web + oneWeb + "  variables: [{name: port, required: true, defaultValue: not-a-number}]\n" + context("c", "port: 80a") + context("d", "port: 80")},
		{name: "a sensitive value", items: web + oneWeb + "  variables: [{name: port, isSensitive: true, defaultValue: '123456'}]\n"},
		{name: "the label of an option in a cluster", items: web + oneWeb + "  variables: [{name: port, options: [{value: '80', label: web}, {value: '0', label: none}]}]\n" + context("c", "port: none")},
		{name: "another function's macro", items: profilePack("web", "web", "    port: '{{ .spectro.var.port | default \"a\" }}'\n", portSchema) + oneWeb + "  variables: [{name: port, defaultValue: a}]\n"},
		{name: "an override has the macro", items: profilePack("web", "web", "    port: 80\n", portSchema) + oneWeb + "  variables: [{name: port, defaultValue: a}]\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec: {packRef: {name: web}, values: {port: '{{ .spectro.var.port }}'}}\n"},
		{
			name: "values that violate the definition",
			items: profilePack("web", "web", "    a: '{{.spectro.var.a}}{{.spectro.var.b}}{{.spectro.var.c}}{{.spectro.var.d}}{{.spectro.var.e}}{{.spectro.var.f}}{{.spectro.var.g}}{{.spectro.var.h}}{{.spectro.var.i}}{{.spectro.var.j}}{{.spectro.var.k}}{{.spectro.var.l}}{{.spectro.var.m}}'\n", "") + oneWeb + `
  variables:
  - {name: a, format: number, defaultValue: x1}
  - {name: b, format: boolean, defaultValue: "1"}
  - {name: c, format: version, defaultValue: v1.2.3}
  - {name: d, format: ipv4, defaultValue: 10.0.0.1/8}
  - {name: e, format: ipv4cidr, defaultValue: 10.0.0.1}
  - {name: f, format: ipv6, defaultValue: 10.0.0.1}
  - {name: g, format: base64, defaultValue: "a b"}
  - {name: h, format: string, defaultValue: abc, regex: '^\d+$'}
  - {name: i, regex: '*.*', defaultValue: x}
  - {name: j, inputType: dropdown, defaultValue: smal, options: [{value: small}, {value: large, label: Large}]}
  - {name: k, required: true}
  - {name: l, isSensitive: true, format: number, defaultValue: hunter2}
  - {name: m, isSensitive: true, format: number, required: true, defaultValue: "********"}
`,
		},
		{
			name: "values that do not",
			items: profilePack("web", "web", "    a: '{{.spectro.var.a}}{{.spectro.var.b}}{{.spectro.var.c}}{{.spectro.var.d}}{{.spectro.var.e}}{{.spectro.var.f}}{{.spectro.var.g}}{{.spectro.var.h}}{{.spectro.var.i}}{{.spectro.var.j}}{{.spectro.var.k}}'\n", "") + oneWeb + `
  variables:
  - {name: a, format: number, defaultValue: "-1.5"}
  - {name: b, format: boolean, defaultValue: "true"}
  - {name: c, format: version, defaultValue: 1.2.3}
  - {name: d, format: ipv4, defaultValue: 10.0.0.1}
  - {name: e, format: ipv4cidr, defaultValue: 10.0.0.0/16}
  - {name: f, format: ipv6, defaultValue: "fe80::1"}
  - {name: g, format: base64, defaultValue: "YWI="}
  - {name: h, format: string, defaultValue: "12", regex: '\d+'}
  - {name: i, inputType: dropdown, defaultValue: Large, options: [{value: small}, {value: large, label: Large}]}
  - {name: j, inputType: dropdown, required: true, options: [{value: small}, {value: large, default: true}]}
  - {name: k, defaultValue: '{{ .spectro.macro.x }}', format: number}
`,
		},
		{name: "a definition that is there twice, one that no pack uses, and a macro without one", items: web + oneWeb + "  variables: [{name: prot}, {name: prot}, {name: other}]\n"},
		{name: "macros in manifests", items: profilePack("web", "web", "    a: 1\n", "") + profileHead + `
  packs:
  - name: web
    packRef: {name: web}
    manifests: [{name: m, content: "kind: A\nx: {{ .spectro.var.port }}{{ .spectro.var.prt }}\n"}]
  variables: [{name: port}]
`},
		{name: "a macro on a line of a block", items: profilePack("web", "web", "    a:\n    - text: |\n        one\n        {{ .spectro.var.x }}\n", "") + oneWeb},
		{name: "the reference of a pack", items: web + profileHead + "  packs: [{name: web, packRef: {name: wep}}]\n  variables: [{name: port}]\n"},
		{name: "a pack that is not there", items: profileHead + "  packs: [{name: web, packRef: {name: something-else}}]\n  variables: [{name: port}]\n"},
		{name: "a layer that is not known", items: "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec: {version: 1.0.0}\n" + profileHead + "  type: infra\n  packs: [{name: web, packRef: {name: web}}]\n"},
		{name: "a macro that trims", items: profilePack("web", "web", "    port: ' {{- .spectro.var.port -}} '\n    list: [a]\n", portSchema) + oneWeb + "  variables: [{name: port, defaultValue: '80'}]\n"},
		{name: "whitespace around a macro", items: profilePack("web", "web", "    port: ' {{ .spectro.var.port }}'\n    list: [a]\n", portSchema) + oneWeb + "  variables: [{name: port, defaultValue: '80'}]\n"},
		{name: "an address with a zone", items: profilePack("web", "web", "    a: '{{ .spectro.var.a }}'\n", "") + oneWeb + "  variables: [{name: a, format: ipv6, defaultValue: 'fe80::1%eth0'}]\n"},
		{name: "a prefix of IPv6", items: profilePack("web", "web", "    a: '{{ .spectro.var.a }}'\n", "") + oneWeb + "  variables: [{name: a, format: ipv4cidr, defaultValue: 'fd00::/8'}]\n"},
		{name: "packs of one name", items: profilePack("a", "dns", "    pack: {spectrocloud.com/display-name: one}\n", "") + profilePack("b", "dns", "    pack: {spectrocloud.com/display-name: two}\n", "") + profilePack("c", "dns", "    pack: {spectrocloud.com/display-name: one}\n", "") +
			profileHead + "  packs: [{name: dns, packRef: {name: a}}, {name: dns, packRef: {name: b}}, {name: dns, packRef: {name: c}}, {name: dns, layer: csi, packRef: {name: a}}]\n"},
		{name: "missing layers", items: web + profileHead + "  type: infra\n  packs: [{name: web, packRef: {name: web}, layer: k8s}, {name: web, packRef: {name: web}}]\n  variables: [{name: port}]\n"},
		{name: "an unknown type, and fields of others", items: profileHead + "  type: add-no\n  new: {a: 1}\n  variabels: []\n"},
		{name: "read-only values of a profile", items: strings.Replace(profilePack("web", "web", "    version: 2.0.0\n", "  schema.yaml: |\n    version: {schema: '{{ readonly }}'}\n"), "name: web}", "name: web, annotations: {packs.kpt.dev/imported: '{\"version\":\"1\",\"sha256\":{},\"values\":\"ab\"}'}}", 1)},
	} {
		tc.want = wantProfile[tc.name]
		tc.run(t)
	}
}

// The baseline of a tool finds what a profile changed.
func TestProfileBaseline(t *testing.T) {
	items := strings.Replace(profilePack("web", "web", "    version: 2.0.0\n    same: 1\n", "  schema.yaml: |\n    version: {schema: '{{ readonly }}'}\n    same: {schema: '{{ readonly }}'}\n"),
		"name: web}", "name: web, annotations: {packs.kpt.dev/imported: '{\"version\":\"1\",\"sha256\":{},\"values\":\"ab\"}'}}", 1)
	own, err := values.Parse("version: 1.0.0\nsame: 1\n")
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
		items := profilePack("web", "web", "    key: "+string(text)+"\n    use: '{{ .spectro.var.x }}'\n", "  schema.yaml: |\n    key: {schema: '{{ required | format \""+format+"\" }}'}\n") + more
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

// wantProfile are the findings by the names of the cases.
var wantProfile = map[string][]string{
	"a macro of a variable is checked with its default": {
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="a string of 12 characters from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
		`info values/deferred ConfigMap/web data[values.yaml] key=list[1] at=4:3 pack=web`,
		`error values/format ConfigMap/web data[values.yaml] key=list[2] at=5:3 got="a string of 3 characters from the variable \"bad\"" want="a string that matches /^[a-z]+$/" pack=web variable=bad`,
		`info values/deferred ConfigMap/web data[values.yaml] key=list[3] at=7:3 pack=web`,
	},
	"the value of the cluster comes first": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
	},
	"and is at fault": {
		`error profile/variable ClusterContext/c spec.variables.port got="a string of 3 characters for the variable \"port\"" want="a decimal number"`,
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="a string of 3 characters from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
	},
	"no profile": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="a string of 3 characters from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
	},
	"a sensitive value": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="a different value (hidden) from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
	},
	"the label of an option in a cluster": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="0 from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
	},
	"a pack that is not there": {
		`error input/invalid ClusterProfile/edge spec.packs[0].packRef.name no="resource of a pack named \"something-else\""`,
	},
	"whitespace around a macro": {
		`error values/format ConfigMap/web data[values.yaml] key=port at=1:7 got="a string of 3 characters with whitespace around it from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
	},
	"a prefix of IPv6": {
		`error profile/variable ClusterProfile/edge spec.variables[0].defaultValue got="a string of 8 characters for the variable \"a\"" want="an IPv4 address with a prefix length (such as 10.0.0.0/16)"`,
	},
	"an address with a zone": {
		`error profile/variable ClusterProfile/edge spec.variables[0].defaultValue got="a string of 12 characters for the variable \"a\"" want="an IPv6 address"`,
	},
	"two clusters": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`info values/deferred ConfigMap/web data[values.yaml] key=port at=1:7 pack=web`,
	},
	"another function's macro": {
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`info values/deferred ConfigMap/web data[values.yaml] key=port at=1:7 pack=web`,
	},
	"an override has the macro": {
		`error values/format PackValues/over spec.values.port key=port got="a string of 1 character from the variable \"port\"" want="a number from 1 to 65535" pack=web variable=port`,
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
	},
	"values that violate the definition": {
		`error profile/variable ClusterProfile/edge spec.variables[0].defaultValue got="a string of 2 characters for the variable \"a\"" want="a decimal number"`,
		`error profile/variable ClusterProfile/edge spec.variables[1].defaultValue got="a string of 1 character for the variable \"b\"" want="true or false in lower case"`,
		`error profile/variable ClusterProfile/edge spec.variables[2].defaultValue got="a string of 6 characters for the variable \"c\"" want="a semantic version (such as 1.2.3)" propose=1.2.3`,
		`error profile/variable ClusterProfile/edge spec.variables[3].defaultValue got="a string of 10 characters for the variable \"d\"" want="an IPv4 address" propose=10.0.0.1`,
		`error profile/variable ClusterProfile/edge spec.variables[4].defaultValue got="a string of 8 characters for the variable \"e\"" want="an IPv4 address with a prefix length (such as 10.0.0.0/16)"`,
		`error profile/variable ClusterProfile/edge spec.variables[5].defaultValue got="a string of 8 characters for the variable \"f\"" want="an IPv6 address"`,
		`error profile/variable ClusterProfile/edge spec.variables[6].defaultValue got="a string of 3 characters for the variable \"g\"" want="a string in base64"`,
		`error profile/variable ClusterProfile/edge spec.variables[7].defaultValue got="a string of 3 characters for the variable \"h\"" want="a string that matches /^\\d+$/"`,
		"error profile/variable ClusterProfile/edge spec.variables[8].regex got=\"a regex that cannot be read: missing argument to repetition operator: `*`\" want=\"a regular expression (RE2)\"",
		`error profile/variable ClusterProfile/edge spec.variables[9].defaultValue got="a string of 4 characters for the variable \"j\"" want="small or large" near=small`,
		`error profile/variable ClusterProfile/edge spec.variables[10].name`,
		`error profile/variable ClusterProfile/edge spec.variables[11].defaultValue got="a different value (hidden) for the variable \"l\"" want="a decimal number"`,
	},
	"a definition that is there twice, one that no pack uses, and a macro without one": {
		`info profile/variable ClusterProfile/edge spec.variables[0].name`,
		`error profile/variable ClusterProfile/edge spec.variables[1].name`,
		`info profile/variable ClusterProfile/edge spec.variables[2].name`,
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`error profile/variable ConfigMap/web data[values.yaml] key=port at=1:7 no="variable named \"port\"" want="other or prot" near=prot pack=web`,
		`info values/deferred ConfigMap/web data[values.yaml] key=port at=1:7 pack=web`,
	},
	"macros in manifests": {
		`error profile/variable ClusterProfile/edge spec.packs[0].manifests[0].content no="variable named \"prt\", on line 2 of the manifest" want=port near=port`,
	},
	"a macro on a line of a block": {
		`error profile/variable ConfigMap/web data[values.yaml] key=a[0].text at=4:0 no="variable named \"x\"" pack=web`,
	},
	"the reference of a pack": {
		`error input/invalid ClusterProfile/edge spec.packs[0].packRef.name no="resource of a pack named \"wep\"" want=web near=web`,
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`info values/deferred ConfigMap/web data[values.yaml] key=port at=1:7 pack=web`,
	},
	"packs of one name": {
		`error profile/duplicate ClusterProfile/edge spec.packs[2].name`,
	},
	"missing layers": {
		`warning profile/layer ClusterProfile/edge spec.packs`,
		`error values/required ConfigMap/web data[values.yaml] key=list missing= pack=web`,
		`info values/deferred ConfigMap/web data[values.yaml] key=port at=1:7 pack=web`,
	},
	"an unknown type, and fields of others": {
		`error input/invalid ClusterProfile/edge spec.type got="\"add-no\"" want="cluster, infra, add-on or system" near=add-on`,
		`error input/invalid ClusterProfile/edge spec.variabels unknown="field \"variabels\"" want="variables, labels, name, version, packs and 4 more" near=variables`,
	},
	"read-only values of a profile": {
		`info values/no-baseline ConfigMap/web data[schema.yaml] key=version at=1:1 pack=web`,
	},
}
