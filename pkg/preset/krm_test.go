package preset

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "preset")) }

// evaluate runs the function over documents, and returns these as they leave and the
// facts of the findings.
func evaluate(t *testing.T, config, documents string) (output string, facts []string) {
	t.Helper()
	functiontest.Run(t, Function(), config, documents) // for the golden list
	return evaluateUnnoted(t, config, documents)
}

// evaluateUnnoted is evaluate for inputs whose messages are not in the golden list.
func evaluateUnnoted(t *testing.T, config, documents string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	return functiontest.Documents(output), functiontest.Facts(outcome.Findings)
}

// checkSteady runs the function once more over what it returned: neither documents nor
// results may change.
func checkSteady(t *testing.T, config, documents string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	again, second := functiontest.Evaluate(t, Function(), functiontest.List(config, functiontest.Documents(output)))
	if diff := cmp.Diff(output, again); diff != "" {
		t.Errorf("the second run changes documents:\n%s", diff)
	}
	if diff := cmp.Diff(functiontest.Messages(outcome), functiontest.Messages(second)); diff != "" {
		t.Errorf("the second run changes results:\n%s", diff)
	}
}

// asked makes a functionConfig: `pack preset` pairs, separated by |, with an optional
// third word, the override to edit.
func asked(presets string, fields ...string) string {
	var all []string
	for pair := range strings.SplitSeq(presets, "|") {
		pack, name, _ := strings.Cut(pair, " ")
		name, into, _ := strings.Cut(name, " > ")
		if into != "" {
			into = ", into: " + into
		}
		all = append(all, fmt.Sprintf("{pack: %s, name: %q%s}", pack, name, into))
	}
	spec := append(fields, "presets: ["+strings.Join(all, ", ")+"]")
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ApplyPreset, metadata: {name: presets}, spec: {" + strings.Join(spec, ", ") + "}}"
}

const vaultPresets = `  presets.yaml: |
    presets:
    - name: ha
      group: size
      remove: ["standalone"]
      add: |
        # three of them
        replicas: 3
    - {name: small, group: size, add: {replicas: 1}}
    - {name: many, add: {replicas: 9}}
`

const vault = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault-1
data:
  pack.json: '{"name": "vault", "version": "1.0.0"}'
` + vaultPresets

const typed = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: vault
spec:
  presets:
  - name: ha
    group: size
    remove: [standalone]
    add:
      # three of them
      replicas: 3
`

// recorded adds a record to a resource, the one of a name, in documents.
func recorded(documents, name string, entries ...string) string {
	record := Record(entries).String()
	head, rest, _ := strings.Cut(documents, "  name: "+name+"\n")
	head += "  name: " + name + "\n"
	if annotations := "  annotations:\n"; strings.HasPrefix(rest, annotations) {
		lines := strings.SplitAfterN(rest, "\n", 3)
		return head + lines[0] + lines[1] + "    packs.kpt.dev/applied-presets: '" + record + "'\n" + lines[2]
	}
	return head + "  annotations:\n    packs.kpt.dev/applied-presets: '" + record + "'\n" + rest
}

func override(spec string) string {
	return "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: more\nspec:\n  packRef: {name: vault}\n" + spec
}

// P8, in every form of a pack: the values that count first are edited in the style that
// they have, and the preset is recorded there. The second run changes nothing.
func TestForms(t *testing.T) {
	const replaced = "    replicas: 1\n    standalone: true\n"
	const replacing = "    # three of them\n    replicas: 3\n"
	const configMap, pack, values = "ConfigMap/vault-1 data[values.yaml]", "Pack/vault spec.values", "PackValues/more spec.values"
	const inConfigMap = "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n  annotations:\n    packs.kpt.dev/values-of: vault\ndata:\n  values.yaml: |\n    replicas: 2\n"
	intoMore := asked("vault ha > more")
	for _, tc := range []struct{ name, config, items, old, new, resource, where string }{
		{"a block of text", "", vault + "  values.yaml: |\n    # ours\n    replicas:   1 # why\n\n    standalone: true\n    z: 'x'\n",
			"    replicas:   1 # why\n\n    standalone: true\n", "    # three of them\n    replicas:   3 # why\n\n", "vault-1", configMap},
		{"quoted text", "", vault + "  values.yaml: \"replicas: 1\\nstandalone: true  \\n\"\n", `"replicas: 1\nstandalone: true  \n"`, `"# three of them\nreplicas: 3\n"`, "vault-1", configMap},
		{"typed text", "", typed + "  values: |\n" + replaced, replaced, replacing, "vault", pack},
		{"a map", "", typed + "  values: # ours\n    replicas: 1\n    # about it\n    standalone: true\n  version: 1.0.0\n", "    replicas: 1\n    # about it\n    standalone: true\n", replacing, "vault", pack},
		{"a map in one line", "", typed + "  values: {replicas: 1, standalone: true, z: 1}\n", "{replicas: 1, standalone: true, z: 1}", "{replicas: 3, z: 1}", "vault", pack},
		{"no values in a ConfigMap", "", vault + "  x: y\n", "  x: y\n", "  x: y\n  values.yaml: |\n    # three of them\n    replicas: 3\n", "vault-1", configMap},
		{"no values in a Pack", "", typed + "  version: 1.0.0\n", "  version: 1.0.0\n", "  version: 1.0.0\n  values:\n    # three of them\n    replicas: 3\n", "vault", pack},
		{"empty text", "", vault + "  values.yaml: \"\"\n", `values.yaml: ""`, "values.yaml: |\n    # three of them\n    replicas: 3", "vault-1", configMap},
		{"null in a Pack", "", typed + "  values:\n", "  values:\n", "  values:\n    # three of them\n    replicas: 3\n", "vault", pack},
		{"values that are so already", "", vault + "  values.yaml: |\n    replicas: 3 # ours\n", "replicas: 3 # ours", "replicas: 3 # ours", "vault-1", configMap},
		{"below an override", "", vault + "  values.yaml: |\n" + replaced + override("  values:\n    z: 1\n"), replaced, replacing, "vault-1", configMap},
		{"an override that replaces the values", "", vault + "  values.yaml: |\n    standalone: true\n" + override("  strategy: replace\n  values:\n    replicas: 2\n"), "    replicas: 2\n", replacing, "more", values},
		{"an override that is named", intoMore, vault + "  values.yaml: |\n    standalone: true\n" + override("  values: |\n    replicas: 2\n"), "    replicas: 2\n", replacing + "    standalone: null\n", "more", values},
		{"an override that is named and replaces the values", intoMore, vault + override("  strategy: replace\n  values:\n    replicas: 2\n"), "    replicas: 2\n", replacing, "more", values},
		{"an override in a ConfigMap that is named", intoMore, vault + inConfigMap, "    replicas: 2\n", replacing, "more", "ConfigMap/more data[values.yaml]"},
		{"the last of the overrides that replace the values", "", vault + override("  scope: cluster\n  strategy: replace\n  values: {replicas: 2}\n") + strings.Replace(override("  strategy: replace\n  values: {replicas: 1}\n"), "more", "more-2", 1), "{replicas: 2}", "{replicas: 3}", "more", values},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.config == "" {
				tc.config = asked("vault ha")
			}
			if strings.Count(tc.items, tc.old) != 1 {
				t.Fatalf("%q is not once in\n%s", tc.old, tc.items)
			}
			want := recorded(strings.Replace(tc.items, tc.old, tc.new, 1), tc.resource, "size:ha")
			output, facts := evaluate(t, tc.config, tc.items)
			if diff := cmp.Diff(want, output); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff([]string{"info preset/applied " + tc.where + " pack=vault group=size preset=ha"}, facts); diff != "" {
				t.Errorf("results -want +got:\n%s", diff)
			}
			checkSteady(t, tc.config, tc.items)
		})
	}
}

// An info says what a preset does, and neither what this run changed nor what the values
// hold.
func TestAppliedSaysWhatIs(t *testing.T) {
	presets := strings.Replace(vault, "- {name: many", "- {name: more, remove: [a, y.z, b, a], add: {b: {c: {d: 1}, e: []}, f: {}, 'g.h': [1]}}\n    - {name: none}\n    - {name: many", 1)
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(asked("vault ha|vault more|vault none"), presets))
	var got []string
	for i := range outcome.Findings {
		got = append(got, outcome.Findings[i].Message())
	}
	for i, want := range [][]string{{`"ha" (group "size")`, "sets replicas", "removes standalone"}, {`"more"`, "sets b.c.d, b.e, f and g.h", "removes a and y.z"}, {`"none"`, "changes nothing"}} {
		for _, part := range want {
			if !strings.Contains(got[i], part) {
				t.Errorf("got %q, want %q in it", got[i], part)
			}
		}
	}
	var many strings.Builder
	for i := range 100 {
		fmt.Fprintf(&many, "k%d: 1, ", i)
	}
	_, outcome = functiontest.Evaluate(t, Function(), functiontest.List(asked("vault many"), strings.Replace(vault, "replicas: 9", many.String(), 1)))
	if got := outcome.Findings[0].Message(); !strings.Contains(got, "sets k0, k1, k2, k3, k4 and 95 more") {
		t.Errorf("got %q", got)
	}
}

const shop = `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
data:
  pack.json: '{"name": "shop", "version": "1.0.0"}'
  values.yaml: |
    replicas: 2
    bucket: ""
  presets.yaml: |
    presets:
    - name: enable-api
      group: mode
      add: |
        replicas: 1
        db:
          password: REPLACE_ME
        bucket: ""
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: shop-prod
spec:
  packRef:
    name: shop
  scope: cluster
  values: |
    db: {user: me}
    bucket: metrics # ours
`

// A preset holds at every run: what a user edits is set again, and the run that does it says
// so. Overrides are not written.
func TestHolds(t *testing.T) {
	config := asked("shop enable-api")
	output, facts := evaluate(t, config, shop)
	const overridden = "info preset/overridden PackValues/shop-prod spec.values key=bucket at=2:9 pack=shop group=mode preset=enable-api"
	const applied = "info preset/applied ConfigMap/shop data[values.yaml] pack=shop group=mode preset=enable-api"
	if diff := cmp.Diff([]string{overridden, applied}, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if _, got, _ := strings.Cut(output, "---\n"); !strings.HasSuffix(shop, got) {
		t.Errorf("the override changed:\n%s", got)
	}
	edited := strings.NewReplacer("    replicas: 1\n    bucket", "    replicas: 3 # mine\n    bucket", "  password: REPLACE_ME\n  presets", "  password: hunter2 # mine\n  presets").Replace(output)
	if strings.Count(edited, "# mine") != 2 {
		t.Fatalf("not edited:\n%s", edited)
	}
	again, facts := evaluate(t, config, edited)
	if want := strings.NewReplacer("replicas: 3", "replicas: 1", "hunter2 # mine", "REPLACE_ME # mine").Replace(edited); again != want {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, again))
	}
	if diff := cmp.Diff([]string{overridden, applied, "info preset/reapplied ConfigMap/shop data[values.yaml] pack=shop group=mode preset=enable-api"}, facts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, edited))
	if got := outcome.Findings[2].Message(); !strings.Contains(got, "replicas and db.password") || strings.Contains(got, "hunter2") {
		t.Errorf("got %q", got)
	}
	checkSteady(t, config, again)
}

// Values that a preset sets again are named, unless another preset sets them, too.
func TestReapplied(t *testing.T) {
	const values = "  values.yaml: |\n    replicas: 9\n"
	for _, tc := range []struct {
		name, config string
		record       []string
		items        string
		want         string // of the finding
	}{
		{"not recorded", asked("vault ha"), nil, vault + values, ""},
		{"edited", asked("vault ha"), []string{"size:ha"}, vault + strings.Replace(values, "9", "8", 1), `preset "ha" (group "size") sets replicas again`},
		{"set by another preset of the record", asked("vault ha"), []string{"size:ha", ":many"}, vault + values, ""},
		{"set by a preset before it", asked("vault many|vault ha"), []string{"size:ha", ":many"}, vault + values, ""},
		{"set by the same preset, by the last one", asked("vault ha|vault many"), []string{"size:ha", ":many"}, vault + strings.Replace(values, "9", "8", 1), `preset "many" sets replicas again`},
		{"removed again", asked("vault ha"), []string{"size:ha"}, vault + "  values.yaml: |\n    replicas: 3\n    standalone: {x: 1}\n", `preset "ha" (group "size") sets standalone again`},
		{"another preset of the group", asked("vault ha"), []string{"size:small"}, strings.Replace(vault, "add: {replicas: 1}", "add: {replicas: 1, a: {b: 1}, c: 1}", 1) + "  values.yaml: |\n    replicas: 1\n    a: {b: 1}\n    c: 2\n", `preset "ha" (group "size") takes the place of "small" (group "size") of its group, and leaves what only that one set: a.b`},
		{"a preset of the group that the pack does not have", asked("vault ha"), []string{"size:large"}, vault + values, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			items := tc.items
			if tc.record != nil {
				items = recorded(items, "vault-1", tc.record...)
			}
			output, outcome := functiontest.RunList(t, Function(), functiontest.List(tc.config, items))
			var got string
			for _, f := range outcome.Findings {
				if f.Rule == rule.PresetReapplied {
					got += f.Message()
				}
			}
			if (got == "") != (tc.want == "") || !strings.HasPrefix(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if _, outcome = functiontest.Evaluate(t, Function(), functiontest.List(tc.config, functiontest.Documents(output))); strings.Contains(strings.Join(functiontest.Facts(outcome.Findings), ""), "reapplied") {
				t.Error("the next run says it again")
			}
		})
	}
}

// Annotations of earlier versions are brought up to date, also where no preset is selected.
func TestOlderAnnotations(t *testing.T) {
	const values = "  values.yaml: |\n    replicas: 3\n"
	const leaves = "    packs.kpt.dev/preset-leaves: '{\"size:ha@0123456789ab@1.0.0\":{\"leaves\":{}}}'\n"
	older := func(items, name string, entries ...string) string {
		items = recorded(items, name, entries...)
		return strings.Replace(items, "  annotations:\n", "  annotations:\n"+leaves, 1)
	}
	for _, config := range []string{asked("vault ha"), asked("other x")} {
		items := older(vault+values, "vault-1", ":many@0123456789ab@0.9.0", "size:ha@0123456789ab@1.0.0", ":odd@name", "size:ha") + "---\n" + strings.NewReplacer("vault", "other", "many", "x").Replace(vault)
		output, facts := evaluate(t, config, items)
		if strings.Contains(output, "preset-leaves") || !strings.Contains(output, `applied-presets: '[":many","size:ha",":odd@name"]'`) {
			t.Errorf("%q\n%s", facts, output)
		}
	}
}

// Values that macros were resolved to count as their sources.
func TestSources(t *testing.T) {
	const host = "{{ .spectro.system.cluster.name }}"
	items := strings.Replace(vault, "        replicas: 3\n", "        replicas: 3\n        host: '"+host+"'\n        hosts: ['"+host+"', b]\n", 1)
	const values = "  values.yaml: |\n    host: 'eu-1' # ours # kpt-macro: " + host + "\n    hosts: ['eu-1', b] # kpt-macro: [\"" + host + "\",\"b\"]\n    region: eu # kpt-macro: {{ .spectro.system.cloud.region }}\n    replicas: 1 # kpt-macro: {{ .spectro.var.R }}\n"
	output, facts := evaluate(t, asked("vault ha"), recorded(items+values, "vault-1", "size:ha"))
	want := recorded(items+strings.Replace(values, "    replicas: 1 # kpt-macro: {{ .spectro.var.R }}\n", "    # three of them\n    replicas: 3\n", 1), "vault-1", "size:ha")
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("%q -want +got:\n%s", facts, diff)
	}
	// A literal takes the place of a source, and a source that of a literal.
	output, facts = evaluate(t, asked("vault ha"), recorded(strings.Replace(items, "'"+host+"'\n", "x\n", 1)+strings.Replace(values, ", b] # kpt-macro: [\""+host+"\",\"b\"]", ", c]", 1), "vault-1", "size:ha"))
	want = strings.NewReplacer("host: 'eu-1' # ours # kpt-macro: "+host, "host: x # ours", "['eu-1', b] # kpt-macro: [\""+host+"\",\"b\"]", "['"+host+"', b]").Replace(want)
	want = strings.Replace(want, "        host: '"+host+"'\n", "        host: x\n", 1)
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("%q -want +got:\n%s", facts, diff)
	}
}

// A record that cannot be read prevents every write.
func TestUnreadableRecord(t *testing.T) {
	items := strings.Replace(vault, "name: vault-1\n", "name: vault-1\n  annotations:\n    packs.kpt.dev/applied-presets: ha\n", 1)
	output, facts := evaluate(t, asked("vault ha"), items)
	want := []string{`error preset/invalid ConfigMap/vault-1 metadata.annotations[packs.kpt.dev/applied-presets] got="a string that is not a JSON list of strings" want="a JSON list of \"GROUP:NAME\""`}
	if diff := cmp.Diff(want, facts); diff != "" || output != items {
		t.Errorf("%s", diff)
	}
}

// What the user's overrides set, or set although the preset removes it, is a warning.
func TestOverridden(t *testing.T) {
	items := strings.Replace(vault, "- {name: many", "- {name: more, remove: [gone, b.gone, 'l.$[].x', 'null'], add: {a: 1, b: {c: 2, d: 3}, same: 1.5}}\n    - {name: many", 1)
	config := asked("vault ha|vault more")
	_, facts := evaluate(t, config, items+override("  values:\n    b: {c: 5, gone: 1}\n    same: 1.50\n    gone: 1\n    l: [{y: 1}, {x: 1}]\n    \"null\": null\n    other: 1\n"))
	var got []string
	for _, fact := range facts {
		if after, ok := strings.CutPrefix(fact, "info preset/overridden PackValues/more spec.values."); ok {
			got = append(got, after)
		}
	}
	want := []string{"b.c key=b.c pack=vault preset=more", "b.gone key=b.gone pack=vault preset=more", "gone key=gone pack=vault preset=more", "l.$[].x key=l.$[].x pack=vault preset=more"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Below the one that is edited, and that itself, nothing overrides.
	_, facts = evaluate(t, asked("vault ha > more"), vault+"  values.yaml: |\n    replicas: 7\n"+override("  values: {replicas: 2}\n")+strings.Replace(override("  scope: cluster\n  values: {replicas: 8}\n"), "more", "top", 1))
	if len(facts) != 2 || !strings.HasPrefix(facts[1], "info preset/overridden PackValues/top ") {
		t.Errorf("got %q", facts)
	}
}

// One pack may have presets in several places.
func TestIntoSeveral(t *testing.T) {
	items := vault + "  values.yaml: |\n    replicas: 1\n" + override("  values:\n    z: 1\n")
	output, facts := evaluate(t, asked("vault ha|vault many > more|vault ha > more"), items)
	want := recorded(recorded(items, "vault-1", "size:ha"), "more", ":many", "size:ha")
	want = strings.Replace(want, "    replicas: 1\n---", "    # three of them\n    replicas: 3\n---", 1) + "    # three of them\n    replicas: 3\n"
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("%q\n-want +got:\n%s", facts, diff)
	}
}

// With any error nothing is written, and nothing is said to be applied.
func TestFaults(t *testing.T) {
	const values = "  values.yaml: |\n    replicas: 1\n"
	const config = "fn.kpt.dev/v1alpha1, kind: ApplyPreset, metadata: {name: presets}, "
	const list = `want="size:ha, size:small or many"`
	consul := strings.ReplaceAll(vault+values, "vault", "consul")
	for _, tc := range []struct {
		name, config, items string
		want                []string
	}{
		{"an unknown preset", asked("vault mny|vault ha"), vault + values, []string{
			`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"mny\"" ` + list + ` near=many now=mny propose=many pack=vault`,
		}},
		{"an unknown preset of several packs of one name", asked("vault mny"), vault + values + "---\n" + strings.Replace(vault+values, "vault-1", "vault-2", 1) + "---\n" + strings.Replace(strings.Replace(vault+values, "vault-1", "vault-3", 1), "many", "lots", 1), []string{
			`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"mny\"" want="size:ha, size:small or lots" pack=vault`,
			`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"mny\"" ` + list + ` near=many now=mny propose=many pack=vault`,
		}},
		{"an unknown preset of a pack without presets", asked("vault ha"), strings.Replace(vault, vaultPresets, values, 1), []string{
			`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"ha\"" pack=vault`,
		}},
		{"presets in a file of another name", asked("vault ha"), strings.Replace(vault, "presets.yaml", "preset.yaml", 1) + values, []string{
			`error input/invalid ConfigMap/vault-1 data[preset.yaml] unknown="file \"preset.yaml\"" near=presets.yaml`,
		}},
		{"presets in a field of another name", asked("vault ha"), strings.Replace(typed, "  presets:", "  preset:", 1), []string{
			`error input/invalid Pack/vault spec.preset key=preset unknown="field \"preset\"" near=presets`,
		}},
		{"an unknown preset beside one with faults", asked("vault haa"), strings.Replace(vault, vaultPresets, "  presets.yaml: |\n    presets:\n    - {name: ha, add: {a: 1, a: 2, b: 1, b: 2}}\n", 1) + values, []string{
			`error preset/unknown ApplyPreset/presets spec.presets[0].name unknown="preset \"haa\"" want=ha near=ha now=haa propose=ha pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[0].add.a at=2:26 duplicate-of=2:20 pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[0].add.b at=2:38 duplicate-of=2:32 pack=vault`,
		}},
		{"two presets of a group", asked("vault ha|vault many|vault size:small"), vault + values, []string{
			`error preset/group-conflict ApplyPreset/presets spec.presets[2].name pack=vault group=size preset=small`,
			`warning preset/path-conflict ConfigMap/vault-1 data[presets.yaml] key=replicas at=8:3 pack=vault group=size preset=small`,
			`warning preset/path-conflict ConfigMap/vault-1 data[presets.yaml] key=replicas at=9:3 pack=vault preset=many`,
		}},
		{"two presets of a group, into two overrides", asked("vault ha|vault small > more"), vault + values + override("  values: {}\n"), []string{
			`error preset/group-conflict ApplyPreset/presets spec.presets[1].name pack=vault group=size preset=small`,
		}},
		{"a pack that does not exist", asked("vualt ha|vualt many"), vault + values, []string{
			`error config/invalid ApplyPreset/presets spec.presets[0].pack no="pack named \"vualt\"" want=vault near=vault`,
			`error config/invalid ApplyPreset/presets spec.presets[1].pack no="pack named \"vualt\"" want=vault near=vault`,
		}},
		{"a pack that does not exist, in a ConfigMap", data("vualt: 'ha,many'"), vault + values, []string{
			`error config/invalid ConfigMap/function-input data.vualt no="pack named \"vualt\"" want=vault near=vault`,
		}},
		{"an option that is misspelt, in a ConfigMap", data("severty: preset/applied=off"), vault + values, []string{
			`error config/invalid ConfigMap/function-input data.severty no="pack named \"severty\"" want=vault near=severity`,
		}},
		{"no names", data("vault: ' , '"), vault + values, []string{`error config/invalid ConfigMap/function-input data.vault`}},
		{"entries without a field", "{apiVersion: " + config + "spec: {presets: [{pack: vault}, {name: ha, pak: vault}]}}", vault + values, []string{
			`error config/invalid ApplyPreset/presets spec.presets[0].name missing=`,
			`error config/invalid ApplyPreset/presets spec.presets[1].pak unknown="field \"pak\"" want="pack, name or into" near=pack`,
		}},
		{"a field of earlier versions", asked("vault ha", "mode: always"), vault + values, []string{
			`error config/invalid ApplyPreset/presets spec.mode unknown="field \"mode\"" want="severity, packs or presets"`,
		}},
		{"an override that does not exist", asked("vault ha > mroe|vault many > nope"), vault + values + override("  values: {}\n"), []string{
			`error config/invalid ApplyPreset/presets spec.presets[0].into no="PackValues of the pack \"vault\" named \"mroe\"" want=more near=more`,
			`error config/invalid ApplyPreset/presets spec.presets[1].into no="PackValues of the pack \"vault\" named \"nope\"" want=more`,
		}},
		{"an override that does not count", asked("vault ha > more"), vault + values + override("  values: {}\n") + strings.Replace(override("  strategy: replace\n  scope: cluster\n  values: {}\n"), "more", "alone", 1), []string{
			`error config/invalid ApplyPreset/presets spec.presets[0].into`,
		}},
		{"two overrides of one name", asked("vault ha > more"), vault + values + override("  values: {}\n") + strings.Replace(override("  values: {}\n"), "more", "more\n  namespace: other", 1), []string{
			`error config/invalid ApplyPreset/presets spec.presets[0].into got="the name of 2 overrides of the pack \"vault\"" want="the name of one"`,
		}},
		{"faults of one pack do not hide those of another", asked("vault ha|vault bad|consul no"), strings.Replace(vault, "    presets:\n", "    presets:\n    - name: bad\n      remove: [a..b, c, 'x$[]']\n    - {name: worse, add: 'a: ['}\n    - {name: list, add: [1]}\n    - {name: twice, add: \"a: 1\\na: 2\"}\n    - {name: ha, group: size}\n    - {name: '', ad: 1}\n", 1) + values + "---\n" + consul, []string{
			`error preset/unknown ApplyPreset/presets spec.presets[2].name unknown="preset \"no\"" ` + list + ` pack=consul`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[0].remove[0] at=3:12 pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[0].remove[2] at=3:21 pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[1].add at=4:23 pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[2].add at=5:21 got="a list" want="a string or a map" pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[3].add.a at=6:29 duplicate-of=6:23 pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[5].name at=8:10 missing=empty pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] key=presets[5].ad at=8:14 unknown="field \"ad\"" want="name, displayName, group, remove or add" near=add pack=vault`,
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] at=9:3 pack=vault group=size preset=ha`,
		}},
		{"presets that are not YAML", asked("vault ha"), strings.Replace(vault, "    presets:\n", "    presets: [\n", 1) + values, []string{
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] at=2:0 pack=vault`,
		}},
		{"presets of a Pack", asked("vault ha|vault b"), typed + "  - {name: b, remove: ['']}\n  - name: ha\n    group: size\n  values: {}\n", []string{
			`error preset/invalid Pack/vault spec.presets[1].remove[0] key=[1].remove[0] pack=vault`,
			`error preset/invalid Pack/vault spec.presets pack=vault group=size preset=ha`,
		}},
		{"values that are not YAML", asked("vault ha"), vault + "  values.yaml: |\n    a: {{ .x }}\n", []string{
			`error input/invalid ConfigMap/vault-1 data[values.yaml] at=1:4 pack=vault`,
		}},
		{"an override that is not YAML", asked("vault ha"), vault + values + override("  values: |\n    a: {{ .x }}\n"), []string{
			`error input/invalid PackValues/more spec.values at=1:4 pack=vault`,
		}},
		{"a key of the values twice", asked("vault ha"), vault + "  values.yaml: |\n    a: 1\n    a: 2\n", []string{
			`error values/duplicate-key ConfigMap/vault-1 data[values.yaml] key=a at=2:1 duplicate-of=1:1 pack=vault`,
		}},
		{"values with anchors", asked("vault ha"), vault + "  values.yaml: |\n    replicas: &n 1\n    other: *n\n", []string{
			`error input/invalid ConfigMap/vault-1 data[values.yaml] at=1:11 pack=vault`,
		}},
		{"an element by its number", asked("vault x"), vault + "    - {name: x, remove: [l.0]}\n  values.yaml: |\n    l: [1]\n", []string{
			`error preset/invalid ConfigMap/vault-1 data[presets.yaml] at=10:3 pack=vault preset=x`,
		}},
		{"an error in another pack", asked("vault ha|consul none"), vault + values + "---\n" + consul, []string{
			`error preset/unknown ApplyPreset/presets spec.presets[1].name unknown="preset \"none\"" ` + list + ` pack=consul`,
		}},
		{"nothing", "", vault + values, []string{`info nothing-to-do`}},
		{"nothing that is chosen", "{apiVersion: " + config + "spec: {packs: [consul], presets: [{pack: vault, name: ha}]}}", vault + values + "---\n" + consul, []string{`info nothing-to-do ApplyPreset/presets spec.presets[0].pack`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, facts := evaluate(t, tc.config, tc.items)
			if diff := cmp.Diff(tc.want, facts); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if output != tc.items {
				t.Errorf("the documents changed: %s", cmp.Diff(tc.items, output))
			}
		})
	}
}

// Messages name paths, never what is there.
func TestMessagesHaveNoValues(t *testing.T) {
	const secret = "hunter2"
	presets := strings.NewReplacer("standalone", "token", "replicas: 3", "password: "+secret+"3\n        list: ["+secret+"]", "{replicas: 9}", "{password: "+secret+"4}").Replace(vault)
	for _, own := range []string{"password: " + secret, "password: &p " + secret + "\n    b: *p", "password: {{ " + secret, "password: " + secret + "\n    password: " + secret, "- " + secret, "password: *" + secret} {
		for _, items := range []string{presets, recorded(presets, "vault-1", "size"), recorded(presets, "vault-1", ":many")} {
			_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(asked("vault ha|vault many"), items+"  values.yaml: |\n    "+own+"\n    token: "+secret+"\n"+override("  values: {password: "+secret+"}\n")))
			if len(outcome.Findings) == 0 || strings.Contains(strings.Join(functiontest.Messages(outcome), "\n"), secret) {
				t.Errorf("got %q", functiontest.Messages(outcome))
			}
		}
	}
}

// The message about two presets of one name names both lines once.
func TestMessageOfDuplicates(t *testing.T) {
	for items, want := range map[string]string{
		strings.Replace(vault, "- {name: many, ", "- {name: ha, group: size, ", 1): `duplicate preset "ha" (group "size") on lines 2 and 9 of presets.yaml. Rename one`,
		typed + "  - {name: ha, group: size, add: {x: 1}}\n":                       `duplicate preset "ha" (group "size"). Rename one`,
	} {
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(asked("vault ha"), items))
		var got []string
		for _, f := range outcome.Findings {
			if f.Rule == rule.PresetInvalid && strings.Contains(f.Found, "duplicate") {
				got = append(got, f.Message())
			}
		}
		if diff := cmp.Diff([]string{want}, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}
