package template

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestActions(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []Action
	}{
		{"none", "plain { text }", nil},
		{"macro", "{{ .spectro.var.X }}", []Action{{0, 20, ".spectro.var.X", true}}},
		{"tight", "a{{.spectro.var.X}}b", []Action{{1, 19, ".spectro.var.X", true}}},
		{"trim markers", "{{- .spectro.var.X -}}", []Action{{0, 22, ".spectro.var.X", true}}},
		{"a hyphen is not a trim marker", "{{-.spectro.x}}", []Action{{0, 15, "-.spectro.x", true}}},
		{"nor at the end", "{{ .spectro.x-}}", []Action{{0, 16, ".spectro.x-", true}}},
		{"a raw string that ends in a backslash", "{{ `}}\\` }}", []Action{{0, 11, "`}}\\`", false}}},
		{"a raw string with lines", "{{ `a\n}}` }}", []Action{{0, 12, "`a\n}}`", false}}},
		{"a field of what parentheses return", "{{ (f .x).spectro.y }}", []Action{{0, 22, "(f .x).spectro.y", false}}},
		{"helm", "{{ .Values.spectro.x }}", []Action{{0, 23, ".Values.spectro.x", false}}},
		{"a name that ends in a capital letter", "{{ .Values.AZ.spectro.x }}", []Action{{0, 26, ".Values.AZ.spectro.x", false}}},
		{"root variable", "{{ $.spectro.var.X }}", []Action{{0, 21, "$.spectro.var.X", true}}},
		{"in parentheses", "{{ (.spectro.var.X) }}", []Action{{0, 22, "(.spectro.var.X)", true}}},
		{"in a string", `{{ ".spectro.var.X" }}`, []Action{{0, 22, `".spectro.var.X"`, false}}},
		{"in a raw string", "{{ `{{ .spectro.var.X }}` }}", []Action{{0, 28, "`{{ .spectro.var.X }}`", false}}},
		{"in a comment", "{{/* .spectro.var.X }} */}}", []Action{{0, 27, "/* .spectro.var.X }} */", false}}},
		{"braces in a string", `{{ .spectro.var.X | default "}}" }}`, []Action{{0, 35, `.spectro.var.X | default "}}"`, true}}},
		{"escaped quote", `{{ "\"}}" }}`, []Action{{0, 12, `"\"}}"`, false}}},
		{"jinja's quotes", `{{ x | default('y') }}{{ .spectro.var.X }}`, []Action{
			{0, 22, `x | default('y')`, false}, {22, 42, ".spectro.var.X", true},
		}},
		{"an apostrophe", `{{ it's }}{{ .spectro.var.X }} it's`, []Action{
			{0, 10, "it's", false}, {10, 30, ".spectro.var.X", true},
		}},
		{"a quote that never closes", "{{ a\" }}\n{{ .spectro.var.X }}", []Action{
			{0, 8, `a"`, false}, {9, 29, ".spectro.var.X", true},
		}},
		{"unclosed", "{{ .spectro.var.X", nil},
		{"unclosed, then another", "{{ .spectro.var.X {{ .spectro.var.Y }}", []Action{
			{0, 38, ".spectro.var.X {{ .spectro.var.Y", true},
		}},
		{"unclosed comment", "{{/* .spectro.x }}", []Action{{0, 18, "/* .spectro.x", false}}},
		{"trimmed comment", "{{- /* }} .spectro.x */ -}}", []Action{{0, 27, "/* }} .spectro.x */", false}}},
		{"all ends in a string", `{{ .spectro.x | f "}} y"`, []Action{{0, 21, `.spectro.x | f "`, false}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, Actions(tc.text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMacro(t *testing.T) {
	for _, tc := range []struct{ text, want string }{
		{"", ""},
		{"host.spectro.example", ""},
		{"{{ .Values.spectro.x }}", ""},
		{"v{{ .spectro.var.X }}.{{ .spectro.var.Y }}", "{{ .spectro.var.X }}"},
		{"{{ include `x` }} {{.spectro.system.cluster.name}}", "{{.spectro.system.cluster.name}}"},
	} {
		if got := Macro(tc.text); got != tc.want {
			t.Errorf("Macro(%q) = %q, want %q", tc.text, got, tc.want)
		}
		if got := HasMacro(tc.text); got != (tc.want != "") {
			t.Errorf("HasMacro(%q) = %v", tc.text, got)
		}
	}
}

func TestUnclosed(t *testing.T) {
	for text, want := range map[string]int{
		"":                                       -1,
		"{{ .spectro.var.X }}":                   -1,
		"{{ .Values.x":                           -1,
		"{{ .spectro.var.X":                      0,
		"x {{ .spectro.var.X }":                  2,
		"{{ .spectro.var.X }} {{ .spectro.var.Y": 21,
		"{{ .spectro.var.X }} .spectro. {{ x":    -1,
	} {
		if got := Unclosed(text, 0); got != want {
			t.Errorf("Unclosed(%q) = %d, want %d", text, got, want)
		}
	}
}

func FuzzActions(f *testing.F) {
	for _, seed := range []string{"{{ .spectro.var.X }}", "{{`{{`}}", `{{ "\"}}" }}`, "{{/* */}}", "{{ it's }}", "{{- x -}}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at := 0
		for _, a := range Actions(text) {
			if a.Start < at || a.End > len(text) {
				t.Fatalf("action %+v overlaps or leaves the text %q", a, text)
			}
			if whole := text[a.Start:a.End]; !strings.HasPrefix(whole, "{{") || !strings.HasSuffix(whole, "}}") || !strings.Contains(whole, a.Code) {
				t.Fatalf("action %+v is not in braces: %q", a, whole)
			}
			if a.Macro && !strings.Contains(a.Code, ".spectro.") {
				t.Fatalf("macro %+v reads nothing", a)
			}
			at = a.End
		}
	})
}

// A trim marker needs whitespace on its inner side.
func TestTrim(t *testing.T) {
	for code, want := range map[string]string{
		"": "", "-": "-", " ": "", "- ": "", " -": "", "- -": "", "- a -": "a", "-a-": "-a-", "-\ta": "a", " a -": "a",
		`a
-`: "a",
	} {
		if got := trim(code); got != want {
			t.Errorf("%q: got %q, want %q", code, got, want)
		}
	}
}
