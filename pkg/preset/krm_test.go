package preset

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
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
	return strings.Replace(documents, "  name: vault-1\n", `  name: vault-1
  annotations:
    packs.kpt.dev/applied-presets: '`+Record(entries).String()+"'\n", 1)
}

// Messages name paths, never what is there.
func TestMessagesHaveNoValues(t *testing.T) {
	const secret = "hunter2"
	presets := strings.NewReplacer("standalone", "token", "replicas: 3", "password: "+secret+"3\n        list: ["+secret+"]", "{replicas: 9}", "{password: "+secret+"4}").Replace(vault)
	for _, own := range []string{"password: " + secret, "password: &p " + secret + "\n    b: *p", "password: {{ " + secret, "password: " + secret + "\n    password: " + secret, "- " + secret, "password: *" + secret} {
		for _, items := range []string{presets, recorded(presets, "size:ha"), recorded(presets, ":many")} {
			_, outcome := functiontest.Evaluate(t, Function(), functiontest.List(asked("vault ha|vault many"), items+"  values.yaml: |\n    "+own+`
    token: `+secret+`
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: vault}, values: {password: `+secret+"}}\n"))
			if len(outcome.Findings) == 0 || strings.Contains(strings.Join(functiontest.Messages(outcome), "\n"), secret) {
				t.Errorf("got %q", functiontest.Messages(outcome))
			}
		}
	}
}

// So many presets of one pack are an error, before any is looked for; the other packs get
// theirs.
func TestTooManyPresets(t *testing.T) {
	const values = `  values.yaml: |
    replicas: 0
`
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
