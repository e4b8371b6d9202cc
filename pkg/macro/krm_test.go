package macro

import (
	"cmp"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "macro")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

const typedConfig = `
apiVersion: fn.kpt.dev/v1alpha1
kind: ResolveMacros
metadata: {name: resolve}
spec:
`

func packOf(name, values string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ` + name + `
data:
  pack.json: '{"name": "` + name + `"}'
  values.yaml: |
    ` +
		strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ")
}

// A case has resources, a functionConfig if there is one, and the name of the function if it is Unresolved.
// The outcome is what the function says and writes, and what a second run says if that is something else.
func TestFunctionMessages(t *testing.T) {
	cases.Table(t, "messages", func(t *testing.T, c *cases.Case) string {
		f := Function()
		if c.Has("function") {
			f = Unresolved()
		}
		input := functiontest.List(c.Text("config.yaml"), c.Text("resources.yaml"))
		output, first := functiontest.Evaluate(t, f, input)
		if !c.Has("function") { // the messages of Unresolved are in the section of packfn
			functiontest.Noted(first.Findings)
		}
		again, second := functiontest.Evaluate(t, f, output)
		if again != output {
			t.Errorf("the second run returns\n%s", again)
		}
		said, saidAgain := strings.Join(functiontest.Messages(first), "\n"), strings.Join(functiontest.Messages(second), "\n")
		if saidAgain != said {
			said += "\nthe second run says:\n" + cmp.Or(saidAgain, "nothing")
		}
		if output != input {
			said += "\nwritten:\n" + functiontest.Documents(output)
		}
		return said
	})
}

// A resource that cannot be read is an error.
func TestDeepResource(t *testing.T) {
	got := functiontest.Run(t, Function(), typedConfig+"  resources: [{kind: Pod}]", `apiVersion: v1
kind: Pod
metadata:
  name: p
spec: `+strings.Repeat("[", 1100)+strings.Repeat("]", 1100)+`
---
`+packOf("a", "x: 1"))
	if facts := functiontest.Facts(got.Findings); !slices.Equal(facts, []string{"error input/invalid Pod/p"}) {
		t.Errorf("got %q", facts)
	}
}
