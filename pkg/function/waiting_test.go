package function

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
)

// While the content of the functionConfig is still to be injected, the function does
// nothing, and says so by its rule about waiting.
func TestConfigWaits(t *testing.T) {
	const (
		point = `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
  annotations: {kpt.dev/config-injection: required}
spec: {example: x}
`
		kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`
		tried = kptfile + "status: {conditions: [{type: config.injection.Demo.c, status: \"False\"}]}\n"
		field = " Demo/c metadata.annotations[kpt.dev/config-injection]: "
	)
	for _, tc := range []struct {
		name, config string
		items        []string
		waiting      diag.Rule
		want         string // of the first finding
		isRun        bool
	}{
		{"it waits", point, []string{kptfile}, demoInfo, "demo/info" + field + "is pending: Porch has not injected its content yet, so demo does nothing", false},
		{"a function without a rule", point, []string{kptfile}, diag.Rule{}, "nothing-to-do" + field + "is pending: Porch has not injected its content yet, so demo does nothing", false},
		{"it is also among the items", point, []string{kptfile, point}, demoInfo, "demo/info" + field + "is pending: Porch has not injected its content yet, so demo does nothing", false},
		{"it is injected", strings.Replace(point, "{kpt.dev", "{kpt.dev/injected-resource: x, kpt.dev", 1), []string{kptfile}, demoInfo, "config/invalid", true},
		{"no point", strings.Replace(point, "config-injection", "note", 1), []string{kptfile}, demoInfo, "config/invalid", true},
		{"nothing was found to inject", point, []string{tried}, demoInfo, "config/invalid", true},
		{"the Kptfile is hidden", point, nil, demoInfo, "config/invalid", true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			isRun := false
			f := demo(&stub{process: func(*Run) { isRun = true }})
			f.Waiting = tc.waiting
			text := `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
` + indent(tc.config) + "items:\n"
			for _, item := range tc.items {
				text += "- " + strings.TrimPrefix(indent(item), "  ")
			}
			if len(tc.items) == 0 {
				text = strings.Replace(text, "items:\n", "items: []\n", 1)
			}
			l, err := list.Read([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			outcome := Evaluate(f, l)
			if len(outcome.Findings) == 0 {
				t.Fatal("nothing is found")
			}
			first := &outcome.Findings[0]
			got := first.Rule.ID
			if !tc.isRun {
				got = first.Rule.ID + " " + first.Origin.Resource.Kind + "/" + first.Origin.Resource.Name + " " + first.Path() + ": " + first.Message()
			}
			if got != tc.want || outcome.Failed != tc.isRun {
				t.Errorf("got %s, failed %v; want %s", got, outcome.Failed, tc.want)
			}
			if isRun != tc.isRun {
				t.Errorf("it runs: %v", isRun)
			}
		})
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ") + "\n"
}
