package preset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over a list, and returns the list as it leaves and
// the results, one line each: severity, resource, field, place, message.
func evaluate(t *testing.T, text string) (output string, results []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil {
			where = " " + r.ResourceRef.Kind + " " + r.ResourceRef.Name
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		if line := r.Tags["line"]; line != "" {
			where += ":" + line
		}
		results = append(results, fmt.Sprintf("%s%s | %s", r.Severity, where, r.Message))
	}
	return output, results
}

// asked makes a functionConfig: `pack preset` pairs, separated by |.
func asked(presets string) string {
	var all []string
	for pair := range strings.SplitSeq(presets, "|") {
		pack, name, _ := strings.Cut(pair, " ")
		all = append(all, fmt.Sprintf("{pack: %s, name: %q}", pack, name))
	}
	return "{apiVersion: fn.kpt.dev/v1alpha1, kind: ApplyPreset, metadata: {name: presets}, spec: {presets: [" + strings.Join(all, ", ") + "]}}"
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
  pack.json: '{"name": "vault"}'
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

const didSo = `the preset "ha" (group "size") of the pack "vault" removes standalone; sets replicas `

// P8, in every form of a pack: where the values are, their text is edited in the
// style that it has. Applied again, nothing changes.
func TestForms(t *testing.T) {
	override := func(spec string) string {
		return "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata:\n  name: more\nspec:\n  packRef: {name: vault}\n" + spec
	}
	for _, tc := range []struct{ name, items, old, new, result string }{
		{"a block of text", vault + "  values.yaml: |\n    # ours\n    replicas:   1 # why\n\n    standalone: true\n    z: 'x'\n",
			"    replicas:   1 # why\n\n    standalone: true\n", "    replicas:   3 # why\n\n", "info ConfigMap vault-1 data[values.yaml] | " + didSo + "(values.yaml) [preset/applied]"},
		{"quoted text", vault + "  values.yaml: \"replicas: 1\\nstandalone: true  \\n\"\n",
			`"replicas: 1\nstandalone: true  \n"`, `"replicas: 3\n"`, "info ConfigMap vault-1 data[values.yaml] | " + didSo + "(values.yaml) [preset/applied]"},
		{"typed text", typed + "  values: |\n    replicas: 1\n    standalone: true\n",
			"    replicas: 1\n    standalone: true\n", "    replicas: 3\n", "info Pack vault spec.values | " + didSo + "(spec.values) [preset/applied]"},
		{"a mapping", typed + "  values: # ours\n    replicas: 1\n    # about it\n    standalone: true\n  version: 1.0.0\n",
			"    replicas: 1\n    # about it\n    standalone: true\n", "    replicas: 3\n", "info Pack vault spec.values | " + didSo + "(spec.values) [preset/applied]"},
		{"a mapping in one line", typed + "  values: {replicas: 1, standalone: true, z: 1}\n",
			"{replicas: 1, standalone: true, z: 1}", "{replicas: 3, z: 1}", "info Pack vault spec.values | " + didSo + "(spec.values) [preset/applied]"},
		{"no values in a ConfigMap", vault + "  x: y\n",
			"  x: y\n", "  x: y\n  values.yaml: |\n    # three of them\n    replicas: 3\n", `info ConfigMap vault-1 data[values.yaml] | the preset "ha" (group "size") of the pack "vault" adds replicas (values.yaml) [preset/applied]`},
		{"no values in a Pack", typed + "  version: 1.0.0\n",
			"  version: 1.0.0\n", "  version: 1.0.0\n  values:\n    # three of them\n    replicas: 3\n", `info Pack vault spec.values | the preset "ha" (group "size") of the pack "vault" adds replicas (spec.values) [preset/applied]`},
		{"empty text", vault + "  values.yaml: \"\"\n",
			`values.yaml: ""`, "values.yaml: |\n    # three of them\n    replicas: 3", `info ConfigMap vault-1 data[values.yaml] | the preset "ha" (group "size") of the pack "vault" adds replicas (values.yaml) [preset/applied]`},
		{"null in a Pack", typed + "  values:\n",
			"  values:\n", "  values:\n    # three of them\n    replicas: 3\n", `info Pack vault spec.values | the preset "ha" (group "size") of the pack "vault" adds replicas (spec.values) [preset/applied]`},
		{"an override", vault + "  values.yaml: |\n    standalone: true\n" + override("  values: |\n    replicas: 2\n"),
			"    replicas: 2\n", "    replicas: 3\n    standalone: null\n", "info PackValues more spec.values | " + didSo + "(spec.values) [preset/applied]"},
		{"an override that stands alone", vault + "  values.yaml: |\n    standalone: true\n" + override("  strategy: replace\n  values:\n    replicas: 2\n"),
			"replicas: 2\n", "replicas: 3\n", `info PackValues more spec.values | the preset "ha" (group "size") of the pack "vault" sets replicas (spec.values) [preset/applied]`},
		{"the last of several overrides", vault + override("  scope: cluster\n  values: {replicas: 2}\n") + strings.Replace(override("  values: {replicas: 1}\n"), "more", "more-2", 1),
			"{replicas: 2}", "{replicas: 3}", `info PackValues more spec.values | the preset "ha" (group "size") of the pack "vault" sets replicas (spec.values) [preset/applied]`},
		{"an override in a ConfigMap", vault + "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: more\n  annotations:\n    packs.kpt.dev/values-of: vault\ndata:\n  values.yaml: |\n    replicas: 2\n",
			"    replicas: 2\n", "    replicas: 3\n", `info ConfigMap more data[values.yaml] | the preset "ha" (group "size") of the pack "vault" sets replicas (values.yaml) [preset/applied]`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			input := functiontest.List(asked("vault ha"), tc.items)
			output, results := evaluate(t, input)
			if strings.Count(tc.items, tc.old) != 1 {
				t.Fatalf("%q is not once in\n%s", tc.old, tc.items)
			}
			if diff := cmp.Diff(strings.Replace(tc.items, tc.old, tc.new, 1), functiontest.Documents(output)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if diff := cmp.Diff([]string{tc.result}, results); diff != "" {
				t.Errorf("results -want +got:\n%s", diff)
			}
			again, results := evaluate(t, output)
			if again != output || len(results) != 1 || !strings.Contains(results[0], "changes nothing: the values are as it has them") {
				t.Errorf("again: %q\n%s", results, cmp.Diff(output, again))
			}
		})
	}
}

// Of several presets each is told with what it changes, the last one that names
// a path where several do.
func TestAppliedBySeveral(t *testing.T) {
	items := vault + "    - {name: more, remove: [old.b], add: {y: 1}}\n  values.yaml: |\n    replicas: 1\n    standalone: true\n    old: {a: 1, b: 2}\n"
	_, results := evaluate(t, functiontest.List(asked("vault ha|vault many|vault more"), items))
	if diff := cmp.Diff([]string{
		`info ConfigMap vault-1 data[values.yaml] | the preset "ha" (group "size") of the pack "vault" removes standalone; leaves replicas to the later preset "many" (values.yaml) [preset/applied]`,
		`info ConfigMap vault-1 data[values.yaml] | the preset "many" of the pack "vault" sets replicas (values.yaml) [preset/applied]`,
		`info ConfigMap vault-1 data[values.yaml] | the preset "more" of the pack "vault" removes old.b; adds y (values.yaml) [preset/applied]`,
		`warning ConfigMap vault-1 data[presets.yaml]:9 | replicas: the presets "ha" (group "size") and "many" set it to different values, and the last one counts; apply one of them, or set it by an override (presets.yaml line 9) [preset/path-conflict]`,
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// What is wrong is told in one run, and then nothing is written.
func TestFaults(t *testing.T) {
	const values = "  values.yaml: |\n    replicas: 1\n"
	const config = "fn.kpt.dev/v1alpha1, kind: ApplyPreset, metadata: {name: presets}, "
	consul := strings.NewReplacer("vault", "consul").Replace(vault + values)
	for _, tc := range []struct {
		name, config, items string
		want                []string
	}{
		{"an unknown preset", asked("vault mny|vault ha"), vault + values, []string{
			`error ApplyPreset presets spec.presets[0].name | spec.presets[0].name: pack "vault" (ConfigMap vault-1): no preset is named "mny" (did you mean "many"?): want "ha", "small" or "many" [preset/unknown]`,
		}},
		{"an unknown preset of two packs of one name", asked("vault mny"), vault + values + "---\n" + strings.Replace(vault+values, "vault-1", "vault-2", 1) + "---\n" + strings.Replace(strings.Replace(vault+values, "vault-1", "vault-3", 1), "many", "lots", 1), []string{
			`error ApplyPreset presets spec.presets[0].name | spec.presets[0].name: pack "vault" (ConfigMap vault-1, ConfigMap vault-2): no preset is named "mny" (did you mean "many"?): want "ha", "small" or "many" [preset/unknown]`,
			`error ApplyPreset presets spec.presets[0].name | spec.presets[0].name: pack "vault" (ConfigMap vault-3): no preset is named "mny": want "ha", "small" or "lots" [preset/unknown]`,
		}},
		{"two presets of a group", asked("vault ha|vault many|vault size:small"), vault + values, []string{
			`error ApplyPreset presets spec.presets[2].name | spec.presets[2].name: pack "vault" (ConfigMap vault-1): the presets "ha" and "small" are both of the group "size", of which one at most can be applied: remove one of them [preset/group-conflict]`,
			`warning ConfigMap vault-1 data[presets.yaml]:8 | replicas: the presets "many" and "small" (group "size") set it to different values, and the last one counts; apply one of them, or set it by an override (presets.yaml line 8) [preset/path-conflict]`,
			`warning ConfigMap vault-1 data[presets.yaml]:9 | replicas: the presets "ha" (group "size") and "many" set it to different values, and the last one counts; apply one of them, or set it by an override (presets.yaml line 9) [preset/path-conflict]`,
		}},
		{"two presets of a group that set one path", asked("vault ha|vault small"), vault + values, []string{
			`error ApplyPreset presets spec.presets[1].name | spec.presets[1].name: pack "vault" (ConfigMap vault-1): the presets "ha" and "small" are both of the group "size", of which one at most can be applied: remove one of them [preset/group-conflict]`,
		}},
		{"a pack that is not there", asked("vualt ha|vualt many"), vault + values, []string{
			`error ApplyPreset presets spec.presets[0].pack | spec.presets[0].pack: no pack is named "vualt" (did you mean "vault"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
			`error ApplyPreset presets spec.presets[1].pack | spec.presets[1].pack: no pack is named "vualt" (did you mean "vault"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"a pack that is not there, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {vualt: 'ha,many'}}", vault + values, []string{
			`error ConfigMap c data.vualt | data.vualt: no pack is named "vualt" (did you mean "vault"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"an option that is misspelt, in a ConfigMap", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {severty: preset/applied=off}}", vault + values, []string{
			`error ConfigMap c data.severty | data.severty: no pack is named "severty" (did you mean "severity"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`,
		}},
		{"no names", "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {vault: ' , '}}", vault + values, []string{
			`error ConfigMap c data.vault | data.vault: names no preset; write the name of one, or of several with commas between them, or remove the key [config/invalid]`,
		}},
		{"entries that lack a field", "{apiVersion: " + config + "spec: {presets: [{pack: vault}, {name: ha, pak: vault}]}}", vault + values, []string{
			`error ApplyPreset presets spec.presets[0].name | spec.presets[0].name: is required [config/invalid]`,
			`error ApplyPreset presets spec.presets[1].pack | spec.presets[1].pack: is required [config/invalid]`,
			`error ApplyPreset presets spec.presets[1].pak | spec.presets[1].pak: unknown field; known are pack, name (did you mean "pack"?) [config/invalid]`,
		}},
		{"faults of one pack do not hide those of another", asked("vault ha|vault bad|consul no"), strings.Replace(vault, "    presets:\n", "    presets:\n    - name: bad\n      remove: [a..b, c, 'x$[]']\n    - {name: worse, add: 'a: ['}\n    - {name: list, add: [1]}\n    - {name: twice, add: \"a: 1\\na: 2\"}\n    - {name: ha, group: size}\n    - {name: '', ad: 1}\n", 1) + values + "---\n" + consul, []string{
			`error ApplyPreset presets spec.presets[2].name | spec.presets[2].name: pack "consul" (ConfigMap consul-1): no preset is named "no": want "ha", "small" or "many" [preset/unknown]`,
			`error ConfigMap vault-1 data[presets.yaml]:3 | presets[0].remove[0]: path "a..b" has an empty step after "a": remove the extra dot (presets.yaml line 3) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:3 | presets[0].remove[2]: path "x$[]": step "x$[]" is not understood: write $[] as a step of its own, as in list.$[].key (presets.yaml line 3) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:4 | presets[1].add: is not YAML: line 1: did not find expected node content (presets.yaml line 4) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:5 | presets[2].add: got a list, want text or a mapping (presets.yaml line 5) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:6 | presets[3].add: the key a stands on its line 1 and again on its line 2; remove one (presets.yaml line 6) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:8 | presets[5].name: is required (presets.yaml line 8) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:8 | presets[5].ad: unknown field; known are name, displayName, group, remove, add (did you mean "add"?) (presets.yaml line 8) [preset/invalid]`,
			`error ConfigMap vault-1 data[presets.yaml]:9 | the preset "ha" (group "size") stands on line 7 and again on line 9; give one of them another name (presets.yaml line 9) [preset/invalid]`,
		}},
		{"presets that are no YAML", asked("vault ha"), strings.Replace(vault, "    presets:\n", "    presets: [\n", 1) + values, []string{
			`error ConfigMap vault-1 data[presets.yaml]:2 | presets.yaml: can not be read: line 2: did not find expected node content; no preset of the pack "vault" is applied until this is mended [preset/invalid]`,
		}},
		{"presets of a Pack", asked("vault ha|vault b"), typed + "  - {name: b, remove: ['']}\n  - name: ha\n    group: size\n  values: {}\n", []string{
			`error Pack vault spec.presets[1].remove[0] | spec.presets[1].remove[0]: the path is empty: write the keys joined by dots, as in registry.port (spec.presets) [preset/invalid]`,
			`error Pack vault spec.presets | the preset "ha" (group "size") stands twice; give one of them another name (spec.presets) [preset/invalid]`,
		}},
		{"values that are no YAML", asked("vault ha"), vault + "  values.yaml: |\n    a: {{ .x }}\n", []string{
			`error ConfigMap vault-1 data[values.yaml]:1 | values.yaml: can not be read as values: line 1, column 4: the value starts with {{ and is not quoted: put quotes around it; no preset is applied to the pack "vault" until this is mended [input/invalid]`,
		}},
		{"a key of the values twice", asked("vault ha"), vault + "  values.yaml: |\n    a: 1\n    a: 2\n", []string{
			`error ConfigMap vault-1 data[values.yaml]:2 | a: the key stands on line 1 and again on line 2; remove one, so that it is certain which one counts (values.yaml) [input/invalid]`,
		}},
		{"values with anchors", asked("vault ha"), vault + "  values.yaml: |\n    replicas: &n 1\n    other: *n\n", []string{
			`error ConfigMap vault-1 data[values.yaml]:1 | values.yaml: the presets of the pack "vault" can not be applied to it: line 1, column 11: the anchor &n is used on line 2 too, which would change with it; write the value there instead of *n [input/invalid]`,
		}},
		{"an element by its number", asked("vault x"), vault + "    - {name: x, remove: [l.0]}\n  values.yaml: |\n    l: [1]\n", []string{
			`error ConfigMap vault-1 data[presets.yaml]:10 | the preset "x" can not be applied: the path l.0 removes one element of a list by its number: the next would move up and be removed by the next run; write l.$[] for all elements, or add the list as it has to be (presets.yaml line 10) [preset/invalid]`,
		}},
		{"nothing", "", vault + values, []string{`info | no presets are configured: list them in spec.presets of an ApplyPreset (fn.kpt.dev/v1alpha1), or give them as PACK=PRESET [nothing-to-do]`}},
		{"nothing that is chosen", "{apiVersion: " + config + "spec: {packs: [consul], presets: [{pack: vault, name: ha}]}}", vault + values + "---\n" + consul, []string{
			`info | the presets are for packs that are not chosen by packs; remove them, or add their packs there [nothing-to-do]`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			input := functiontest.List(tc.config, tc.items)
			output, results := evaluate(t, input)
			if diff := cmp.Diff(tc.want, results); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if output != input {
				t.Errorf("the list changed: %s", cmp.Diff(input, output))
			}
		})
	}
}
