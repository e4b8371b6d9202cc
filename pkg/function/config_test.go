package function_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "function")) }

// demoConfig has an option of each form, and keys of a ConfigMap beyond them.
type demoConfig struct {
	function.Options
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

func (c *demoConfig) DataKeys(string) (forms []string, meant string) { return nil, "" }

func (c *demoConfig) ReadData(key, value string) (bool, error) {
	if key != "extra" && key != "extra2" {
		return false, nil
	}
	if value == "" {
		return true, errors.New("the value is empty")
	}
	c.extra = map[string]string{key: value}
	return true, nil
}

// processor reads a demoConfig, wants all items, and does what a test asks for.
type processor struct {
	config   demoConfig
	resource *list.Item
	process  func(*function.Run)
	wants    func(*list.Item) bool
}

func (p *processor) Config() any                  { return &p.config }
func (p *processor) Wants(item *list.Item) bool   { return p.wants == nil || p.wants(item) }
func (p *processor) ReadResource(item *list.Item) { p.resource = item }
func (p *processor) Process(r *function.Run) {
	if p.process != nil {
		p.process(r)
	}
}

func (p *processor) function() function.Function {
	return function.Function{
		Name: "demo", Kind: "Demo",
		Rules: []diag.Rule{{ID: "demo/error", Severity: diag.Error}, {ID: "demo/warning", Severity: diag.Warning}, {ID: "demo/info", Severity: diag.Info}},
		New:   func() function.Processor { return p },
	}
}

const (
	typedConfig = `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
`
	plainConfig = `apiVersion: v1
kind: ConfigMap
metadata:
  name: function-input
`
	oneResource = `apiVersion: v1
kind: ConfigMap
metadata:
  name: one
`
)

// runConfig runs the function with a functionConfig, and returns what it read and the
// facts of its findings.
func runConfig(t *testing.T, config string, process func(*function.Run)) (demoConfig, []string) {
	t.Helper()
	p := &processor{process: process}
	out := functiontest.Run(t, p.function(), config, oneResource)
	return p.config, functiontest.Facts(out.Findings)
}

func TestConfigFaults(t *testing.T) {
	const options, fields = `want="severity, mode, packs, force, count or labels"`, `want="severity, mode, packs, force, count, labels or targets"`
	tests := []struct {
		name, config string
		want         []string // without rule and resource
	}{
		{"none", "", nil},
		{"null", "null", nil},
		{"empty", "{}", nil},
		{"function-input", plainConfig + "data: {}\n", nil},
		{"function-input without data", plainConfig, nil},
		{"function-input with null data", plainConfig + "data: null\n", nil},
		{"typed without spec", typedConfig, nil},
		{"typed with null spec", typedConfig + "spec:\n", nil},
		{"typed with data", typedConfig + "data: {a: b}\n", []string{`data unknown="field \"data\"" want="apiVersion, kind, metadata or spec"`}},
		{"typed with a list as spec", typedConfig + "spec: []\n", []string{`spec got="a list" want="a map"`}},
		{
			"typed with wrong types",
			typedConfig + `spec:
  count: a
  mode: strict
  packs: [a, d]
`,
			[]string{
				`spec.count got="a string" want="an integer"`,
				`spec.packs[1] got="\"d\"" want="a, b or c"`,
			},
		},
		{
			"unknown field",
			typedConfig + `spec:
  pack: [a]
`,
			[]string{`spec.pack unknown="field \"pack\"" ` + fields + ` near=packs`},
		},
		{
			"duplicate field",
			typedConfig + `spec:
  mode: strict
  mode: lenient
`,
			[]string{`spec.mode duplicate-of=9:5`},
		},
		{
			"wrong version",
			`apiVersion: fn.kpt.dev/v1
kind: Demo
metadata: {name: c}
`,
			[]string{`apiVersion got="\"fn.kpt.dev/v1\"" want="fn.kpt.dev/v1alpha1 for the kind Demo"`},
		},
		{
			"wrong kind",
			`apiVersion: fn.kpt.dev/v1alpha1
kind: Demos
metadata: {name: c}
`,
			[]string{`kind got="\"Demos\"" want="Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1)" near=Demo`},
		},
		{
			"wrong version of ConfigMap",
			`apiVersion: v2
kind: ConfigMap
metadata: {name: c}
`,
			[]string{`apiVersion got="\"v2\"" want="v1 for the kind ConfigMap"`},
		},
		{
			"no kind",
			`metadata: {name: c}
spec: {}
`,
			[]string{`kind got="\"\"" want="Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1)"`},
		},
		{
			"a misspelt key of its version",
			`apiVersoin: fn.kpt.dev/v1alpha1
kind: Demo
metadata: {name: c}
`,
			[]string{`apiVersoin unknown="field \"apiVersoin\"" near=apiVersion`},
		},
		{
			"a misspelt key of its kind",
			`apiVersion: fn.kpt.dev/v1alpha1
kidn: Demo
metadata: {name: c}
`,
			[]string{`kidn unknown="field \"kidn\"" near=kind`},
		},
		{
			"a misspelt key beside another kind",
			`apiVersion: fn.kpt.dev/v1alpha1
kind: Demos
metdata: {name: c}
`,
			[]string{`kind got="\"Demos\"" want="Demo (fn.kpt.dev/v1alpha1) or ConfigMap (v1)" near=Demo`, `metdata unknown="field \"metdata\"" near=metadata`},
		},
		{
			"unknown option",
			plainConfig + `data:
  pack: a
`,
			[]string{`data.pack unknown="option \"pack\"" ` + options + ` near=packs`},
		},
		{
			"option of the typed form",
			plainConfig + `data:
  targets: a
`,
			[]string{"data.targets"},
		},
		{
			"number in data",
			plainConfig + `data:
  count: 5
`,
			[]string{`data.count got="a number" want="a string"`},
		},
		{
			"bad texts",
			plainConfig + `data:
  count: x
  force: 'yes'
  labels: a
  mode: x
  packs: a,d
`,
			[]string{
				`data.count got="\"x\"" want="an integer"`,
				`data.force got="\"yes\"" want="true or false"`,
				`data.labels got="\"a\"" want="key=value entries with commas between them"`,
				`data.mode got="\"x\"" want="strict or lenient"`,
				`data.packs got="\"d\"" want="a, b or c"`,
			},
		},
		{
			"key of its own",
			plainConfig + `data:
  extra: ''
`,
			[]string{"data.extra"},
		},
		{"binaryData", plainConfig + "binaryData: {a: Yg==}\n", []string{`binaryData unknown="field \"binaryData\"" want="apiVersion, kind, metadata, data or immutable"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, got := runConfig(t, test.config, nil)
			for i, fact := range got {
				rest, ok := strings.CutPrefix(fact, "error config/invalid ")
				if !ok {
					t.Errorf("not a fault of the configuration: %s", fact)
				}
				_, got[i], _ = strings.Cut(rest, " ") // the functionConfig, as TestConfigFaultNamesTheResource says
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestConfigFaultNamesTheResource(t *testing.T) {
	_, got := runConfig(t, `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
  namespace: n
  annotations:
    config.kubernetes.io/path: fn-config.yaml
spec: []
`, func(r *function.Run) {
		faults, config := r.Faults(), r.ConfigOrigin().Resource
		if !faults.IsHidden(config, "spec.mode") || faults.IsHidden(config, "data") || faults.IsHidden(diag.Resource{}, "spec.mode") {
			t.Error("the fault is not at the spec")
		}
	})
	want := []string{`error config/invalid Demo/n/c fn-config.yaml#0 spec got="a list" want="a map"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestConfigForms(t *testing.T) {
	want := demoConfig{
		Options: function.Options{Severity: map[string]string{"demo/error": "warning", "demo/info": "off"}},
		Mode:    "lenient", Packs: []string{"a", "c"}, Force: true, Count: 7, Labels: map[string]string{"x": "y", "z": "a=b"},
	}
	t.Run("typed", func(t *testing.T) {
		got, faults := runConfig(t, typedConfig+`spec:
  severity: {demo/error: warning, demo/info: off}
  mode: lenient
  packs: [a, c]
  force: true
  count: 7
  labels:
    x: y
    z: a=b
`, nil)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(demoConfig{})); diff != "" || faults != nil {
			t.Errorf("faults %v (-want +got):\n%s", faults, diff)
		}
	})
	t.Run("ConfigMap", func(t *testing.T) {
		want := want
		want.extra = map[string]string{"extra": "e"}
		got, faults := runConfig(t, plainConfig+`immutable: true
data:
  severity: demo/error=warning, demo/info = off,
  mode: lenient
  packs: a,, c
  force: "true"
  count: "7"
  labels: x=y,z=a=b
  extra: e
`, nil)
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(demoConfig{})); diff != "" || faults != nil {
			t.Errorf("faults %v (-want +got):\n%s", faults, diff)
		}
	})
	t.Run("beside faults", func(t *testing.T) {
		got, faults := runConfig(t, typedConfig+"spec: {mode: lax, count: 7}\n", nil)
		if got.Count != 7 || got.Mode != "" || len(faults) != 1 {
			t.Errorf("got %+v, faults %v", got, faults)
		}
	})
}

func TestConfigPath(t *testing.T) {
	for config, want := range map[string]string{"": "spec.packs -", typedConfig: "spec.packs Demo c", plainConfig: "data.packs ConfigMap function-input"} {
		runConfig(t, config, func(r *function.Run) {
			got := r.ConfigPath("packs") + " -"
			if o := r.ConfigOrigin(); o != nil {
				got = r.ConfigPath("packs") + " " + o.Resource.String()
			}
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

func TestSeverityOverrides(t *testing.T) {
	report := func(r *function.Run) {
		raised := diag.Say("n").Of(diag.Rule{ID: "demo/info", Severity: diag.Info})
		raised.Severity = diag.Warning
		r.Report(raised)
		for _, rule := range []diag.Rule{{ID: "demo/error", Severity: diag.Error}, {ID: "demo/warning", Severity: diag.Warning}, {ID: "demo/info", Severity: diag.Info}} {
			r.Report(diag.Say("m").Of(rule))
		}
	}
	tests := []struct {
		name, typed, data string
		want              []string
	}{
		{"none", "{}", "''", []string{"error demo/error", "info demo/info", "warning demo/info", "warning demo/warning"}},
		{"each", "{demo/error: info, demo/warning: error, demo/info: off}", "demo/error=info,demo/warning=error,demo/info=off", []string{"info demo/error", "error demo/warning"}},
		{"lowered and raised", "{demo/error: warning, demo/info: error}", "demo/error=warning,demo/info=error", []string{"warning demo/error", "error demo/info", "error demo/info", "warning demo/warning"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, config := range []string{
				typedConfig + `spec:
  severity: ` + test.typed + "\n",
				plainConfig + `data:
  severity: ` + test.data + "\n",
			} {
				p := &processor{process: report}
				_, out := functiontest.Evaluate(t, p.function(), functiontest.List(config, oneResource)) // its messages are the test's own
				if diff := cmp.Diff(test.want, functiontest.Facts(out.Findings)); diff != "" {
					t.Errorf("%s(-want +got):\n%s", config, diff)
				}
			}
		})
	}
}

func TestSeverityFaults(t *testing.T) {
	const known = `want="accept/unused, accepted, demo/error, demo/info, demo/warning, input/ambiguous-scalar or nothing-to-do"`
	for override, want := range map[string]string{
		"demo/eror: warning":      `spec.severity.demo/eror unknown="rule \"demo/eror\"" ` + known + ` near=demo/error`,
		"config/invalid: warning": "spec.severity.config/invalid",
		"input/invalid: off":      "spec.severity.input/invalid",
		"internal/panic: info":    "spec.severity.internal/panic",
		"demo/error: warn":        `spec.severity.demo/error got="\"warn\" for demo/error" want="error, warning, info or off" near=warning`,
		"demo/error: warnin":      `spec.severity.demo/error got="\"warnin\" for demo/error" want="error, warning, info or off" near=warning`,
	} {
		t.Run(override, func(t *testing.T) {
			_, got := runConfig(t, typedConfig+`spec:
  severity: {`+override+"}\n", nil)
			if diff := cmp.Diff([]string{"error config/invalid Demo/c " + want}, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
	t.Run("ConfigMap", func(t *testing.T) {
		_, got := runConfig(t, plainConfig+`data:
  severity: nothing-to-do=off,x=off
`, nil)
		if diff := cmp.Diff([]string{`error config/invalid ConfigMap/function-input data.severity unknown="rule \"x\"" ` + known}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// Clients send the file of the functionConfig among the items: it is nothing to work
// on.
func TestConfigIsNotWanted(t *testing.T) {
	for config, want := range map[string]int{typedConfig: 1, strings.Replace(typedConfig, "name: c", "name: d", 1): 2} {
		p, wanted := &processor{}, 0
		p.process = func(r *function.Run) { wanted = len(r.Items()) }
		out := functiontest.Run(t, p.function(), config, oneResource+"---\n"+typedConfig+"spec: {}\n")
		if wanted != want || len(out.Findings) > 0 {
			t.Errorf("wanted %d, want %d; findings %v", wanted, want, functiontest.Facts(out.Findings))
		}
	}
}

// A function can take a resource of another group as its functionConfig.
func TestAccepts(t *testing.T) {
	const set = `apiVersion: example.com/v2
kind: Set
metadata:
  name: s
spec: {a: [b]}
`
	run := func(config string) (*processor, []string) {
		p := &processor{}
		f := p.function()
		f.Accepts = []function.TypeMeta{{APIVersion: "example.com/v2", Kind: "Set"}}
		return p, functiontest.Facts(functiontest.Run(t, f, config, oneResource).Findings)
	}
	p, faults := run(set)
	if len(faults) > 0 || p.resource == nil {
		t.Fatal(faults)
	}
	document, err := p.resource.Document()
	if err != nil || document.Text() != set || p.resource.Resource().String() != "Set s" {
		t.Errorf("got %v, %v", p.resource.Resource(), err)
	}
	for config, want := range map[string]string{
		strings.Replace(set, "v2", "v1", 1):    `error config/invalid Set/s apiVersion got="\"example.com/v1\"" want="example.com/v2 for the kind Set"`,
		strings.Replace(set, "Set", "Sett", 1): `error config/invalid Sett/s kind got="\"Sett\"" want="Demo (fn.kpt.dev/v1alpha1), Set (example.com/v2) or ConfigMap (v1)" near=Set`,
	} {
		if _, got := run(config); !cmp.Equal([]string{want}, got) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// What the harness finds about items.
func TestItems(t *testing.T) {
	tests := []struct {
		name, item string
		wanted     int
		want       []string
	}{
		{"wanted", oneResource, 1, nil},
		{"without apiVersion", `kind: A
metadata:
  name: a
`, 0, []string{"error input/invalid A/a"}},
		{"without kind", `apiVersion: v1
metadata:
  name: a
`, 0, []string{"error input/invalid a"}},
		{"without both", "a: b\n", 0, []string{"error input/invalid"}},
		{
			"without a name",
			`apiVersion: v1
kind: A
`,
			0, []string{"error input/invalid A metadata.name missing="},
		},
		{
			"a head that cannot be read",
			`apiVersion: v1
kind: {{ .kind }}
---
` + oneResource,
			1, []string{"error input/invalid"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p, wanted := &processor{}, -1
			p.process = func(r *function.Run) { wanted = len(r.Items()) }
			out := functiontest.Run(t, p.function(), "", test.item)
			got := functiontest.Facts(out.Findings)
			if diff := cmp.Diff(test.want, got); diff != "" || wanted != test.wanted || out.Failed != (test.want != nil) {
				t.Errorf("wanted %d, failed %v (-want +got):\n%s", wanted, out.Failed, diff)
			}
		})
	}
	// Faults of items that are not wanted are ignored.
	for _, item := range []string{
		`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources: []
`,
		`apiVersion: v1
kind: A
metadata:
  name: a
x:
  y: z
 b: c
---
` + oneResource,
	} {
		p := unwanting{&processor{}}
		f := p.function()
		f.New = func() function.Processor { return p }
		text := functiontest.List("", item)
		if output, out := functiontest.Evaluate(t, f, text); len(out.Findings) > 0 || output != text {
			t.Errorf("got %v, and the list\n%s", functiontest.Facts(out.Findings), output)
		}
	}
}

// unwanting is a processor that wants no item.
type unwanting struct{ *processor }

func (unwanting) Wants(*list.Item) bool { return false }
