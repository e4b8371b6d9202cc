package preset

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "preset")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// evaluate runs the function over documents, and returns these as they leave and the
// facts of the findings.
func evaluate(t *testing.T, config, documents string) (output string, facts []string) {
	t.Helper()
	output, outcome := functiontest.RunList(t, Function(), functiontest.List(config, documents))
	return functiontest.Documents(output), functiontest.Facts(outcome.Findings)
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

const vault = `apiVersion: v1
kind: ConfigMap
metadata:
  name: vault-1
data:
  pack.json: '{"name": "vault", "version": "1.0.0"}'
  presets.yaml: |
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

// recorded adds a record to the pack vault.
func recorded(documents string, entries ...string) string {
	return strings.Replace(documents, "  name: vault-1\n", "  name: vault-1\n  annotations:\n    packs.kpt.dev/applied-presets: '"+Record(entries).String()+"'\n", 1)
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
	if after, facts := evaluate(t, config, again); after != again || !slices.Equal(facts, []string{overridden, applied}) {
		t.Errorf("a third run finds %v, and leaves\n%s", facts, after)
	}
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
				items = recorded(items, tc.record...)
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

// Values that macros were resolved to count as their sources.
func TestSources(t *testing.T) {
	const host = "{{ .spectro.system.cluster.name }}"
	items := strings.Replace(vault, "        replicas: 3\n", "        replicas: 3\n        host: '"+host+"'\n        hosts: ['"+host+"', b]\n", 1)
	const values = "  values.yaml: |\n    host: 'eu-1' # ours # kpt-macro: " + host + "\n    hosts: ['eu-1', b] # kpt-macro: [\"" + host + "\",\"b\"]\n    region: eu # kpt-macro: {{ .spectro.system.cloud.region }}\n    replicas: 1 # kpt-macro: {{ .spectro.var.R }}\n"
	output, facts := evaluate(t, asked("vault ha"), recorded(items+values, "size:ha"))
	want := recorded(items+strings.Replace(values, "    replicas: 1 # kpt-macro: {{ .spectro.var.R }}\n", "    # three of them\n    replicas: 3\n", 1), "size:ha")
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("%q -want +got:\n%s", facts, diff)
	}
	// A literal takes the place of a source, and a source that of a literal.
	output, facts = evaluate(t, asked("vault ha"), recorded(strings.Replace(items, "'"+host+"'\n", "x\n", 1)+strings.Replace(values, ", b] # kpt-macro: [\""+host+"\",\"b\"]", ", c]", 1), "size:ha"))
	want = strings.NewReplacer("host: 'eu-1' # ours # kpt-macro: "+host, "host: x # ours", "['eu-1', b] # kpt-macro: [\""+host+"\",\"b\"]", "['"+host+"', b]").Replace(want)
	want = strings.Replace(want, "        host: '"+host+"'\n", "        host: x\n", 1)
	if diff := cmp.Diff(want, output); diff != "" {
		t.Errorf("%q -want +got:\n%s", facts, diff)
	}
}

// Messages name paths, never what is there.
func TestMessagesHaveNoValues(t *testing.T) {
	const secret = "hunter2"
	presets := strings.NewReplacer("standalone", "token", "replicas: 3", "password: "+secret+"3\n        list: ["+secret+"]", "{replicas: 9}", "{password: "+secret+"4}").Replace(vault)
	for _, own := range []string{"password: " + secret, "password: &p " + secret + "\n    b: *p", "password: {{ " + secret, "password: " + secret + "\n    password: " + secret, "- " + secret, "password: *" + secret} {
		for _, items := range []string{presets, recorded(presets, "size"), recorded(presets, ":many")} {
			_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(asked("vault ha|vault many"), items+"  values.yaml: |\n    "+own+"\n    token: "+secret+"\n"+"---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, values: {password: "+secret+"}}\n"))
			if len(outcome.Findings) == 0 || strings.Contains(strings.Join(functiontest.Messages(outcome), "\n"), secret) {
				t.Errorf("got %q", functiontest.Messages(outcome))
			}
		}
	}
}

// So many presets of one pack are an error, before any is looked for; the other packs get
// theirs.
func TestTooManyPresets(t *testing.T) {
	const values = "  values.yaml: |\n    replicas: 0\n"
	data := func(entries string) string {
		return "{apiVersion: v1, kind: ConfigMap, metadata: {name: function-input}, data: {" + entries + "}}"
	}
	consul := strings.ReplaceAll(vault, "vault", "consul") + values
	most, more := strings.Repeat("ha,", MaxPresets-1)+"ha", strings.Repeat("ha,", MaxPresets)+"ha"
	if _, facts := evaluate(t, data("vault: '"+most+"'"), vault+values); strings.HasPrefix(facts[0], "error") {
		t.Errorf("%d presets: %s", MaxPresets, facts[0])
	}
	_, facts := evaluate(t, data("vault: '"+more+"', consul: nothing"), vault+values+"---\n"+consul)
	if len(facts) != 2 || !strings.Contains(facts[0]+facts[1], `101 presets for the pack \"vault\"`) || !strings.Contains(facts[0]+facts[1], "preset/unknown") {
		t.Errorf("got %q", facts)
	}
}
