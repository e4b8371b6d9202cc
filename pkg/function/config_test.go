package function

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// demoConfig has an option of each form, and keys of a ConfigMap beyond them.
type demoConfig struct {
	Options
	Mode    string            `json:"mode" enum:"strict,lenient"`
	Packs   []string          `json:"packs" enum:"a,b,c"`
	Force   bool              `json:"force"`
	Count   int64             `json:"count"`
	Labels  map[string]string `json:"labels"`
	Targets []struct {
		Name string `json:"name"`
	} `json:"targets"`
	extra map[string]string
}

func (c *demoConfig) DataKeys() []string { return nil }

func (c *demoConfig) ReadData(key, value string) (bool, error) {
	if key != "extra" && key != "extra2" {
		return false, nil
	}
	if value == "" {
		return true, errors.New("want some text")
	}
	c.extra = map[string]string{key: value}
	return true, nil
}

// runConfig runs a function with a functionConfig, indented as in a list, and
// returns what it read and the messages of its results.
func runConfig(t *testing.T, functionConfig string, process func(*Run)) (*demoConfig, []string) {
	t.Helper()
	list, err := Read([]byte(listStart + oneItem + functionConfig))
	if err != nil {
		t.Fatal(err)
	}
	config := &demoConfig{}
	out := Evaluate(demo(&stub{config: config, process: process}), list)
	var messages []string
	for _, result := range out.Results {
		messages = append(messages, string(result.Severity)+" "+result.Message)
	}
	return config, messages
}

// demo is a function around a processor.
func demo(p Processor) Function {
	return Function{
		Name: "demo", Kind: "Demo",
		Rules: []Rule{{"demo/error", Error}, {"demo/warning", Warning}, {"demo/info", Info}},
		New:   func() Processor { return p },
	}
}

const (
	typedConfig = "functionConfig:\n  apiVersion: fn.kpt.dev/v1alpha1\n  kind: Demo\n  metadata:\n    name: c\n"
	plainConfig = "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: function-input\n"
)

func TestConfigProblems(t *testing.T) {
	flat := "severity, mode, packs, force, count or labels"
	tests := []struct {
		name, config string
		want         []string
	}{
		{"none", "", nil},
		{"null", "functionConfig: null\n", nil},
		{"empty", "functionConfig: {}\n", nil},
		{"function-input", plainConfig + "  data: {}\n", nil},
		{"function-input without data", plainConfig, nil},
		{"function-input with null data", plainConfig + "  data: null\n", nil},
		{"typed without spec", typedConfig, nil},
		{"typed with null spec", typedConfig + "  spec:\n", nil},
		{"typed with data", typedConfig + "  data: {a: b}\n", []string{`data: unknown field; known are apiVersion, kind, metadata, spec`}},
		{"typed with a list as spec", typedConfig + "  spec: []\n", []string{"spec: got a list, want a mapping"}},
		{"typed with wrong types", typedConfig + "  spec:\n    count: a\n    mode: strict\n    packs: [a, d]\n", []string{
			"spec.count: got text, want a whole number",
			`spec.packs[1]: got "d", want a, b or c`,
		}},
		{"unknown field", typedConfig + "  spec:\n    pack: [a]\n", []string{`spec.pack: unknown field; known are severity, mode, packs, force, count, labels, targets (did you mean "packs"?)`}},
		{"wrong version", "functionConfig:\n  apiVersion: fn.kpt.dev/v1\n  kind: Demo\n", []string{`apiVersion: got "fn.kpt.dev/v1", want fn.kpt.dev/v1alpha1 for the kind Demo`}},
		{"wrong kind", "functionConfig:\n  apiVersion: fn.kpt.dev/v1alpha1\n  kind: Demos\n", []string{`kind: got "Demos" (fn.kpt.dev/v1alpha1), want Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1) (did you mean "Demo"?)`}},
		{"wrong version of ConfigMap", "functionConfig:\n  apiVersion: v2\n  kind: ConfigMap\n", []string{`apiVersion: got "v2", want v1 for the kind ConfigMap`}},
		{"no kind", "functionConfig:\n  spec: {}\n", []string{`kind: got "" (), want Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1)`}},
		{"unknown option", plainConfig + "  data:\n    pack: a\n", []string{"data.pack: unknown option; a ConfigMap takes " + flat + ` (did you mean "packs"?)`}},
		{"option of the typed form", plainConfig + "  data:\n    targets: a\n", []string{"data.targets: can not be given in a ConfigMap: use the kind Demo (fn.kpt.dev/v1alpha1)"}},
		{"number in data", plainConfig + "  data:\n    count: 5\n", []string{"data.count: got a number, want text: put it in quotes"}},
		{"bad texts", plainConfig + "  data:\n    count: x\n    force: 'yes'\n    labels: a\n    mode: x\n    packs: a,d\n", []string{
			`data.count: got "x", want a whole number`,
			`data.force: got "yes", want true or false`,
			`data.labels: got "a", want key=value entries, separated by commas`,
			`data.mode: got "x", want strict or lenient`,
			`data.packs: got "d", want a, b or c`,
		}},
		{"data of its own", plainConfig + "  data:\n    extra: ''\n", []string{"data.extra: want some text"}},
		{"binaryData", plainConfig + "  binaryData: {a: Yg==}\n", []string{"binaryData: unknown field; known are apiVersion, kind, metadata, data, immutable"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got := runConfig(t, test.config, nil)
			var want []string
			for _, message := range test.want {
				want = append(want, "error "+message+" [config/invalid]")
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigForms(t *testing.T) {
	want := &demoConfig{
		Options: Options{Severity: map[string]string{"demo/error": "warning", "demo/info": "off"}},
		Mode:    "lenient", Packs: []string{"a", "c"}, Force: true, Count: 7, Labels: map[string]string{"x": "y", "z": "a=b"},
	}
	t.Run("typed", func(t *testing.T) {
		got, problems := runConfig(t, typedConfig+"  spec:\n    severity: {demo/error: warning, demo/info: off}\n    mode: lenient\n    packs: [a, c]\n    force: true\n    count: 7\n    labels:\n      x: y\n      z: a=b\n", nil)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(demoConfig{})); diff != "" || problems != nil {
			t.Errorf("problems %v (-want +got):\n%s", problems, diff)
		}
	})
	t.Run("ConfigMap", func(t *testing.T) {
		want := *want
		want.extra = map[string]string{"extra": "e"}
		got, problems := runConfig(t, plainConfig+"  immutable: true\n  data:\n    severity: demo/error=warning, demo/info = off,\n    mode: lenient\n    packs: a,, c\n    force: \"true\"\n    count: \"7\"\n    labels: x=y,z=a=b\n    extra: e\n", nil)
		if diff := cmp.Diff(&want, got, cmp.AllowUnexported(demoConfig{})); diff != "" || problems != nil {
			t.Errorf("problems %v (-want +got):\n%s", problems, diff)
		}
	})
}

func TestSeverityOverrides(t *testing.T) {
	report := func(r *Run) {
		for _, rule := range []string{"demo/error", "demo/warning", "demo/info"} {
			r.Report(Finding{Rule: rule, Message: "m"})
		}
		r.Report(Finding{Rule: "demo/info", Severity: Warning, Message: "n"}) // raised by the function
	}
	tests := []struct {
		name, typed, data string
		want              []string
	}{
		{"none", "{}", "''", []string{"error m [demo/error]", "info m [demo/info]", "warning n [demo/info]", "warning m [demo/warning]"}},
		{"each", "{demo/error: info, demo/warning: error, demo/info: off}", "demo/error=info,demo/warning=error,demo/info=off", []string{"info m [demo/error]", "error m [demo/warning]"}},
		{"lowered and raised", "{demo/error: warning, demo/info: error}", "demo/error=warning,demo/info=error", []string{"warning m [demo/error]", "error m [demo/info]", "error n [demo/info]", "warning m [demo/warning]"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, typed := runConfig(t, typedConfig+"  spec:\n    severity: "+test.typed+"\n", report)
			_, plain := runConfig(t, plainConfig+"  data:\n    severity: "+test.data+"\n", report)
			if diff := cmp.Diff(test.want, typed); diff != "" {
				t.Errorf("typed (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.want, plain); diff != "" {
				t.Errorf("ConfigMap (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSeverityProblems(t *testing.T) {
	for override, want := range map[string]string{
		"demo/eror: warning":      `spec.severity.demo/eror: unknown rule "demo/eror" (did you mean "demo/error"?); the function's README lists its rules`,
		"config/invalid: warning": "spec.severity.config/invalid: the severity of config/invalid can not be changed",
		"input/invalid: off":      "spec.severity.input/invalid: the severity of input/invalid can not be changed",
		"internal/panic: info":    "spec.severity.internal/panic: the severity of internal/panic can not be changed",
		"demo/error: warn":        `spec.severity.demo/error: got "warn" for demo/error, want error, warning, info or off`,
		"demo/error: warnin":      `spec.severity.demo/error: got "warnin" for demo/error, want error, warning, info or off (did you mean "warning"?)`,
	} {
		t.Run(override, func(t *testing.T) {
			_, got := runConfig(t, typedConfig+"  spec:\n    severity: {"+override+"}\n", nil)
			if diff := cmp.Diff([]string{"error " + want + " [config/invalid]"}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("ConfigMap", func(t *testing.T) {
		_, got := runConfig(t, plainConfig+"  data:\n    severity: nothing-to-do=off,x=off\n", nil)
		want := []string{`error data.severity: unknown rule "x"; the function's README lists its rules [config/invalid]`}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// The file of the functionConfig is among the items too.
func TestConfigIsNoTarget(t *testing.T) {
	const config = "apiVersion: fn.kpt.dev/v1alpha1\n  kind: Demo\n  metadata:\n    name: c\n"
	tests := []struct {
		name, item string
		want       int
	}{
		{"itself", "- " + config + "    annotations: {a: b}\n  spec: {}\n", 0},
		{"other name", "- apiVersion: fn.kpt.dev/v1alpha1\n  kind: Demo\n  metadata:\n    name: d\n", 1},
		{"other namespace", "- " + config + "    namespace: d\n", 1},
		{"other version", "- apiVersion: fn.kpt.dev/v1\n  kind: Demo\n  metadata:\n    name: c\n", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list, err := Read([]byte(listStart + test.item + "functionConfig:\n  " + config))
			if err != nil {
				t.Fatal(err)
			}
			wanted := -1
			out := Evaluate(demo(&stub{
				wants:   func(*Item) bool { return true },
				process: func(r *Run) { wanted = len(r.Items()) },
			}), list)
			if wanted != test.want || len(out.Results) != 0 {
				t.Errorf("wanted %d, want %d; results %v", wanted, test.want, out.Results)
			}
		})
	}
}

func TestConfigProblemNamesTheResource(t *testing.T) {
	list, err := Read([]byte(listStart + oneItem + typedConfig + "    annotations:\n      config.kubernetes.io/path: fn-config.yaml\n  spec: []\n"))
	if err != nil {
		t.Fatal(err)
	}
	results := Evaluate(demo(&stub{}), list).Results
	if len(results) != 1 || results[0].ResourceRef == nil || results[0].ResourceRef.Name != "c" || results[0].File == nil || results[0].File.Path != "fn-config.yaml" || results[0].Field.Path != "spec" {
		t.Errorf("got %+v", results)
	}
}
