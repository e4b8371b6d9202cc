package decode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// flatForm has options of every type, and keys beyond them.
type flatForm struct {
	common
	Mode    string            `json:"mode" enum:"strict,lenient"`
	Packs   []string          `json:"packs" enum:"a,b,c"`
	Force   bool              `json:"force"`
	Count   int64             `json:"count"`
	Labels  map[string]string `json:"labels"`
	Size    *int64            `json:"size"`
	Targets []target          `json:"targets"`
	Secret  string            `json:"secret" flat:"-"`

	variables map[string]string
}

func (f *flatForm) DataKeys(unknown string) (forms []string, meant string) {
	if name, ok := strings.CutPrefix(unknown, "var."); ok {
		meant = "variables." + name
	}
	return []string{"variables.NAME"}, meant
}

func (f *flatForm) ReadData(key, value string) (bool, error) {
	name, ok := strings.CutPrefix(key, "variables.")
	if !ok {
		return false, nil
	}
	if value == "" {
		return true, errors.New("the variable is empty")
	}
	if f.variables == nil {
		f.variables = map[string]string{}
	}
	f.variables[name] = value
	return true, nil
}

func TestFlat(t *testing.T) {
	var got flatForm
	findings := decode.Flat(map[string]string{
		"severity": "r/a=error, r/b = off,", "mode": "lenient", "packs": "a,, c", "force": "true", "count": "7", "labels": "x=y,z=a=b", "variables.A": "1", "variables.B": "2",
	}, "data", &got, "Demo")
	if len(findings) > 0 {
		t.Errorf("got %q", functiontest.Facts(findings))
	}
	want := flatForm{
		common: common{map[string]string{"r/a": "error", "r/b": "off"}},
		Mode:   "lenient", Packs: []string{"a", "c"}, Force: true, Count: 7,
		Labels: map[string]string{"x": "y", "z": "a=b"}, variables: map[string]string{"A": "1", "B": "2"},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(flatForm{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestFlatFaults(t *testing.T) {
	const options = `want="severity, mode, packs, force, count, labels or variables.NAME"`
	for _, test := range []struct {
		key, value, want string
	}{
		{"mode", "lax", `got="\"lax\"" want="strict or lenient"`},
		{"mode", "strickt", `got="\"strickt\"" want="strict or lenient" near=strict`},
		{"mode", "", `got="\"\"" want="strict or lenient"`},
		{"packs", "a,d", `got="\"d\"" want="a, b or c"`},
		{"force", "yes", `got="\"yes\"" want="true or false"`},
		{"force", "True", `got="\"True\"" want="true or false"`},
		{"count", "1.5", `got="\"1.5\"" want="an integer"`},
		{"count", "9223372036854775808", `got="\"9223372036854775808\"" want="an integer"`},
		{"labels", "a=b,c", `got="\"c\"" want="key=value entries with commas between them"`},
		{"pack", "a", `unknown="option \"pack\"" ` + options + ` near=packs`},
		{"zzzzzz", "a", `unknown="option \"zzzzzz\"" ` + options},
		{"var.packs", "a", `unknown="option \"var.packs\"" ` + options + ` near=variables.packs`},
		{"secret", "a", ""},
		{"variables.A", "", ""},
		{"targets", "a", ""},
		{"size", "1", ""},
	} {
		var out flatForm
		findings := decode.Flat(map[string]string{test.key: test.value}, "data", &out, "Demo (fn.kpt.dev/v1alpha1)")
		want := strings.TrimSpace("error config/invalid data." + test.key + " " + test.want)
		for i := range findings {
			findings[i] = findings[i].Of(rule.ConfigInvalid)
		}
		if diff := cmp.Diff([]string{want}, functiontest.Facts(findings)); diff != "" {
			t.Errorf("%s=%s (-want +got):\n%s", test.key, test.value, diff)
		}
		if test.key == "size" && findings[0].Action != "use the kind Demo (fn.kpt.dev/v1alpha1)" {
			t.Errorf("%s: got the action %q", test.key, findings[0].Action)
		}
	}
}

// Without keys of its own a struct has its fields only. All faults are found, in the
// order of the keys.
func TestFlatWithoutDataReader(t *testing.T) {
	var out struct {
		A string `json:"a"`
		B int64  `json:"b"`
	}
	var keys []string
	for _, f := range decode.Flat(map[string]string{"d": "1", "b": "x", "a": "y", "c": "2"}, "data", &out, "Demo") {
		keys = append(keys, f.Key)
	}
	if got := strings.Join(keys, " "); got != "data.b data.c data.d" || out.A != "y" {
		t.Errorf("got %s, and filled %+v", got, out)
	}
}
