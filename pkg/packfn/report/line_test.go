package report

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

// A line is shown only where all of it may be.
func TestSource(t *testing.T) {
	const secret = "Zq7Hunter2xW"
	for _, tc := range []struct {
		kind, field, name, key string
		line                   string
		shown                  bool
	}{
		{"PackValues", "", "", "spec.packRef.name", "    name: vaultt", true},
		{"PackValues", "", "", "spec.packRef.name", `    "name": "vaultt",`, true},
		{"PackValues", "", "", "spec.packRef.name", "  packRef: {name: vaultt}", false},
		{"PackValues", "", "", "spec.packRef.name", "spec: {packRef: {name: vaultt}, values: {token: " + secret + "}}", false},
		{"PackValues", "", "", "spec.packRef.name", "    name: vaultt # " + secret, false},
		{"PackValues", "", "", "spec.packRef.name", `  name: vaultt, token: ` + secret + `}`, false},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "spec: {variables: {TOKEN: " + secret + "}, machinePools: [{role: workr}]}", false},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "  - role: workr", true},
		{"ClusterContext", "", "", "spec.machinePools[0].role", "  token: " + secret, false},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  - name: workers", true},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  token: " + secret, false},
		{"ClusterContext", "", "", "spec.machinePools[0]", "  - {name: workers, token: " + secret + "}", false},
		{"Secret", "", "", "", "apiVersion: v1", true},
		{"PackValues", "", "", "spec", "kind: PackValues", true},
		{"PackValues", "", "", "spec.values", "kind: PackValues", false},
		{"Secret", "", "", "data", "token: " + secret, false},
		{"Secret", "", "", "", "{apiVersion: v1, kind: Secret, data: {token: " + secret + "}}", false},
		{"Kptfile", "", "", "pipeline.validators[0].image", "  - image: validate-valeus", true},
		{"Kptfile", "", "", "pipeline.validators[0].image", "  - exec: f --token " + secret, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `{"data":{"values.yaml":"token: ` + secret + `\n","pack.json":"{}"}}`, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `  pack.json: "{}", values.yaml: "token: ` + secret + `"`, false},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `  pack.json: "{\"layer\": \"x\"}"`, true},
		{"ConfigMap", "data[pack.json]", "pack.json", "layer", `    {"name": "vault", "layer": "x"}`, true},
		{"ConfigMap", "data[pack.json]", "pack.json", "", `data: {values.yaml: "token: ` + secret + `"}`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].name", `    - name: ha`, true},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].group", `  presets.yaml: "presets:\n- name: ha\n  group: 1\n  add: {token: ` + secret + `}\n"`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].group", `  presets.yaml: 'presets: [{group: 1, add: {token: ` + secret + `}}]'`, false},
		{"ConfigMap", "data[presets.yaml]", "presets.yaml", "presets[0].remove[1]", `      - server.` + "ha", true},
		{"Pack", "spec.version", "spec.version", "", "  version: one", true},
		{"Pack", "spec.version", "spec.version", "", "  name: one", false},
	} {
		isPrivate := tc.kind == "Secret" || tc.key == "spec.values" || tc.key == "spec" || strings.Contains(tc.key, "data")
		cause := diag.Say("x").In(&diag.Origin{Resource: diag.Resource{Kind: tc.kind}, Field: tc.field, Name: tc.name, Embedded: strings.HasPrefix(tc.field, "data["), Public: tc.name == "pack.json"}, tc.key, diag.Position{})
		cause.Public = !isPrivate
		f := Finding{Cause: &cause}
		f.SetSource(tc.line)
		if (f.Source == tc.line) != tc.shown || strings.Contains(f.Source, secret) {
			t.Errorf("%s %s: %s: got %s", tc.name, tc.key, tc.line, f.Source)
		}
	}
}

// The text of a document without values is shown from its first line on. A finding about the
// document as a whole has no line.
func TestSourceOfDocument(t *testing.T) {
	const line = `  pack.json: "{\"layer\": x}"`
	for at, want := range map[int]string{0: "  pack.json: " + Hidden, 1: line, 2: line} {
		cause := diag.Say("x").In(&diag.Origin{Field: "data[pack.json]", Name: "pack.json", Embedded: true, Public: true}, "", diag.Position{Line: at})
		cause.Public = true
		f := Finding{Cause: &cause}
		f.SetSource(line)
		if f.Source != want {
			t.Errorf("line %d: got %s, want %s", at, f.Source, want)
		}
	}
}

// A line that may hold a secret shows what the message shows, and nothing else.
func TestSourceOfValue(t *testing.T) {
	got := func(edit func(*diag.Finding)) *diag.Finding {
		f := diag.Got("Fsat", "Fast or Slow").In(&diag.Origin{Field: "data[values.yaml]", Embedded: true}, "mode", diag.Position{Line: 1})
		edit(&f)
		return &f
	}
	for name, tc := range map[string]struct {
		cause *diag.Finding
		line  string
		want  string
	}{
		"what was found":             {got(func(*diag.Finding) {}), "mode: Fsat", "mode: Fsat"},
		"another value":              {got(func(*diag.Finding) {}), "mode: hunter2", "mode: " + Hidden},
		"the text of a kind":         {got(func(f *diag.Finding) { f.Found, f.Text = "a text", "hunter" }), "mode: hunter", "mode: hunter"},
		"a kind with a text":         {got(func(f *diag.Finding) { f.Found, f.Text = "text", "hunter" }), "mode: text", "mode: " + Hidden},
		"the current value":          {got(func(f *diag.Finding) { f.Found, f.Current = "a number", 70000 }), "port: 70000", "port: 70000"},
		"no current value":           {got(func(f *diag.Finding) { f.Found = "a number" }), "port: <nil>", "port: " + Hidden},
		"what a sentence has said":   {got(func(f *diag.Finding) { f.Kind, f.Found = diag.KindUnreadable, "hunter" }), "mode: hunter", "mode: " + Hidden},
		"an empty line":              {got(func(*diag.Finding) {}), "  ", "  "},
		"a current value and a text": {got(func(f *diag.Finding) { f.Text, f.Current = "x", "Fast" }), "mode: Fast", "mode: Fast"},
	} {
		f := Of("x", tc.cause)
		if f.SetSource(tc.line); f.Source != tc.want || f.Key != "mode" {
			t.Errorf("%s: got %q of %s, want %q", name, f.Source, f.Key, tc.want)
		}
	}
	// A key in a resource is the end of its field.
	resource := diag.Got("1", "a text").In(&diag.Origin{Field: "spec"}, "name", diag.Position{})
	if f := Of("x", &resource); f.Key != "" {
		t.Errorf("a finding in a resource has the key %s", f.Key)
	}
}

func TestLastStep(t *testing.T) {
	for path, want := range map[string]string{"name": "name", "presets[1].name": "name", "data[pack.json]": "pack.json", "[a.b]": "a.b", "a[0][1]": "a", "[0]": "", "a]": "a]"} {
		if got := lastStep(path); got != want {
			t.Errorf("%s: got %q", path, got)
		}
	}
}

// A long line breaks between words, at the width of the terminal and not before.
func TestWrap(t *testing.T) {
	word := strings.Repeat("x", 19)
	for _, tc := range []struct {
		line  string
		width int
		want  string
	}{
		{word + " " + word, 40, word + " " + word},
		{word + " " + word + "y", 40, word + " " + word + "y"},
		{word + " " + word + "yz", 40, word + "\n      " + word + "yz"},
		{word + " " + word + " a " + word, 40, word + " " + word + "\n      a " + word},
		{word + " " + word + " " + word + " " + "123456789012345", 41, word + " " + word + "\n      " + word + " 123456789012345"},
		{word + " " + word + " " + word + " " + "1234567890123456", 41, word + " " + word + "\n      " + word + "\n      1234567890123456"},
		{word + " " + word + "yz", 39, word + " " + word + "yz"},
		{strings.Repeat("é", 40), 40, strings.Repeat("é", 40)},
		{"a.yaml " + strings.Repeat("é", 50), 40, "a.yaml " + strings.Repeat("é", 50)},
		{"ab.yaml " + strings.Repeat("é", 50), 40, "ab.yaml\n      " + strings.Repeat("é", 50)},
		{"a " + strings.Repeat("é", 50), 40, "a " + strings.Repeat("é", 50)},
	} {
		if got := wrap(tc.line, tc.width); got != tc.want {
			t.Errorf("%q at %d: got %q, want %q", tc.line, tc.width, got, tc.want)
		}
	}
}
