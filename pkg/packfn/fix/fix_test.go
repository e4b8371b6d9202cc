package fix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/check"
)

// Findings about one word ask for one edit, and edits of one line do not move each other.
func TestApply(t *testing.T) {
	at := func(line, from, to int, text string) diag.Edit {
		return diag.Edit{At: diag.Position{Line: line, Column: from + 1}, Length: to - from, New: text}
	}
	const text = "a: wrker\nb: Cat, dgo\r\nc: 1"
	for name, tc := range map[string]struct {
		edits []diag.Edit
		want  string
	}{
		"none":                       {nil, text},
		"two findings with one edit": {[]diag.Edit{at(1, 3, 8, "worker"), at(1, 3, 8, "worker")}, "a: worker\nb: Cat, dgo\r\nc: 1"},
		"quotes around a value":      {diag.Edits(diag.Position{Line: 3, Column: 4}, "1", `"1"`), "a: wrker\nb: Cat, dgo\r\nc: \"1\""},
		"two edits of a line":        {[]diag.Edit{at(2, 3, 6, "Catalogue"), at(2, 8, 11, "dog")}, "a: wrker\nb: Catalogue, dog\r\nc: 1"},
		"the same place of two lines": {[]diag.Edit{at(3, 3, 4, `"1"`), at(1, 3, 8, "worker")},
			"a: worker\nb: Cat, dgo\r\nc: \"1\""},
	} {
		before := text
		if got := string(apply([]byte(text), tc.edits)); got != tc.want || before != text {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// A fix is left out if its finding stays, or an error or a warning follows from it. Findings
// that the owner accepts do not count.
func TestNew(t *testing.T) {
	const (
		head     = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n"
		override = "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: v}\nspec:\n  packref: {name: a}\n"
	)
	const configMap = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: m}\ndata:\n  pack.json: '{\"name\": \"m\", \"version\": \"1.0.0\"}'\n" +
		"  schema.yaml: |\n    mode: {schema: '{{ format \"${list:[Fast,Slow]}\" }}'}\n    port: {schema: '{{ format \"${string}\" }}'}\n"
	clusterOf := func(spec string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec:\n  " + spec + "\n"
	}
	pack := head + "  values:\n    kind: a\n    name: 5\n    host: {port: 1}\n"
	accepted := strings.Replace(pack, "{name: a}\n", "{name: a, annotations: {packs.kpt.dev/accept: \"values/format kind: right\"}}\n", 1)
	schema := func(text string) string { return "  schema:\n    " + text + "\n" }
	list := schema(`kind: {schema: '{{ format "${list:[A,B]}" }}'}`)
	for _, tc := range []struct {
		name, text  string
		only        []string
		old, become string // "" for no change
		note        string
	}{
		{"a misspelt option", pack + list, nil, "kind: a", "kind: A", ""},
		{"the name of a pack, beside which no pool is missed", strings.Replace(head, "name: a", "name: vault", 1) + "  values: {b: 1}\n  constraints: {resources: [{type: cpu, minLimit: 16}]}\n---\n" +
			strings.NewReplacer("packref", "packRef", "name: a", "name: valt").Replace(override) + "  values: {b: 2}\n", nil, "{name: valt}", "{name: vault}", ""},
		{"a name below a misspelt one", clusterOf("machinePool: [{name: w, sise: 2}]"), nil, "machinePool: [{name: w, sise: 2}]", "machinePools: [{name: w, size: 2}]", ""},
		{"a name that hides a fault", clusterOf("machinePool: [{name: w, role: [worker], sise: 2}]"), nil, "machinePool: [{name: w, role: [worker], sise: 2}]", "machinePools: [{name: w, role: [worker], size: 2}]", ""},
		{"a field with two wrong letters", pack + "---\n" + strings.Replace(override, "packref", "paccReff", 1) + "  values: {kind: b}\n", nil, "", "", ""},
		{"a kind without its last two letters", pack + "---\n" + strings.NewReplacer("PackValues", "PackValu", "packref", "packRef").Replace(override) + "  values: {kind: b}\n", nil, "", "", ""},
		{"another word for a flag", strings.Replace(pack, "kind: a", "kind: 'yes'", 1) + schema(`kind: {schema: '{{ format "${bool}" }}'}`), nil, "", "", ""},
		{"of another rule", pack + list, []string{"values/required"}, "", "", ""},
		{"of this rule, which a finding of another one needs", pack + list + "---\n" + override + "  values: {host: x}\n", []string{"input/invalid"}, "", "", "is not fixed: there would be"},
		{"an option that comes from a macro, which the next render resolves again", strings.Replace(pack, "kind: a\n", "kind: a # kpt-macro: \"{{ .spectro.var.kind }}\"\n", 1) + list, nil, "", "", ""},
		{"an option that is accepted", accepted + list, nil, "", "", ""},
		{"a text in quotes that has no letters", pack + schema(`name: {schema: '{{ format "${string:/^[a-z]+$/}" }}'}`), nil, "", "", "is not fixed: there would be"},
		{"an option in a text in quotes", configMap + `  values.yaml: "# é\nmode: fast\nport: 5\n"` + "\n", nil, "mode: fast", "mode: Fast", ""},
		{"a number in a text in quotes, which has quotes of its own", configMap + `  values.yaml: "mode: Fast\nport: 5\n"` + "\n", nil, "", "", ""},
		{"a number in a text in a block", configMap + "  values.yaml: |\n    mode: Fast\n    port: 5\n", nil, "port: 5", `port: "5"`, ""},
		{"a key and a name in one line", strings.NewReplacer("{name: v}", "{naem: v}", "packref", "packRef", "{name: a}", "{name: a}").Replace(pack + "---\n" + override + "  values: {kind: b}\n"), nil, "{naem: v}", "{name: v}", ""},
		{"a key of pack.json, which its author wrote", strings.Replace(configMap, "name\\\"", "nmae\\\"", 1) + "  values.yaml: 'mode: Fast'\n", nil, "", "", ""},
		{"a key of a constraint", pack + "  constraints: {resources: [{typ: cpu, minLimit: 16}]}\n", nil, "", "", ""},
		{"the key of the constraints", pack + "  constrains: {resources: []}\n", nil, "constrains:", "constraints:", ""},
		{"a key of a schema", pack + "  schema: {kind: {shcema: '{{ format \"${string}\" }}'}}\n", nil, "", "", ""},
		{"the name of a pack that is required, which is a choice", pack + "  constraints: {dependencies: [{packName: consull, minVersion: 1.0.0, type: required}]}\n---\n" + strings.Replace(head, "name: a", "name: consul", 1) + "  values: {a: 1}\n", nil, "", "", ""},
		{"group and kind", pack + "---\n" + strings.NewReplacer("packs.kpt.dev", "pack.kpt.dev", "PackValues", "PackValue", "packref", "packRef").Replace(override) + "  values: {kind: b}\n", nil,
			"pack.kpt.dev/v1alpha1\nkind: PackValue\n", "packs.kpt.dev/v1alpha1\nkind: PackValues\n", ""},
		{"an override that would bring a warning", pack + "---\n" + override + "  values: {host: x}\n", nil, "", "", "values/type-changed"},
		{"an override that brings an info", pack + "---\n" + override + "  values: {kind: b}\n---\n" + strings.NewReplacer("{name: v}", "{name: w}", "packref", "packRef").Replace(override) + "  values: {kind: c}\n", nil, "packref", "packRef", ""},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "a.yaml")
		if err := os.WriteFile(file, []byte(tc.text), 0o600); err != nil {
			t.Fatal(err)
		}
		plan, err := New([]string{dir}, check.Options{Functions: suite.All(), Root: dir, Only: tc.only})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, change := range plan.Changes {
			got = string(change.Text)
		}
		want := ""
		if tc.old != "" {
			want = strings.Replace(tc.text, tc.old, tc.become, 1)
		}
		isNoted := tc.note == "" && len(plan.Notes) == 0 || tc.note != "" && slices.ContainsFunc(plan.Notes, func(note string) bool { return strings.Contains(note, tc.note) })
		if got != want || !isNoted {
			t.Errorf("%s: notes %q, got\n%s\nwant\n%s", tc.name, plan.Notes, got, want)
		}
		for _, d := range plan.Diffs { // the text that a fix writes can be shown
			if masked := d.Text("a.yaml", diag.Record); !strings.ContainsAny(tc.become, "\"\n{") && !strings.Contains(tc.text, `\n`) && !strings.Contains(masked, tc.become) {
				t.Errorf("%s: got\n%s", tc.name, masked)
			}
		}
	}
}

// The functionConfigs of a pipeline are fixed where they are: in the Kptfile, or in a file.
func TestNewInPipeline(t *testing.T) {
	dir := t.TempDir()
	const wrong = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  validators:\n  - image: i/validate-pack-values:v0.1.0\n    configMap: {unknownKey: error, packs: \"vualt\"}\n" +
		"  - image: i/check-resources:v0.1.0\n    configPath: config.yaml\n"
	const config = "# ours\n---\napiVersion: fn.kpt.dev/v1alpha1\nkind: CheckResources\nmetadata: {name: c}\nspec:\n  pakcs: [vault]\n"
	files := map[string]string{
		"Kptfile": wrong, "config.yaml": config,
		"pack.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {version: 1.0.0, values: {a: 1}}\n",
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	plan, err := New([]string{dir}, check.Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, change := range plan.Changes {
		got[filepath.Base(change.Path)] = string(change.Text)
	}
	want := map[string]string{
		"Kptfile":     strings.NewReplacer("unknownKey:", "unknownKeys:", "vualt", "vault").Replace(wrong),
		"config.yaml": strings.Replace(config, "pakcs", "packs", 1),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A pattern of a policy is fixed with its wildcard.
func TestNewPattern(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../../../examples/select-implementations-backends")); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(dir, "policy.yaml")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), "path: cap.type.database.*", "path: Cap.type.database.*", 1)
	if err := os.WriteFile(name, []byte(wrong), 0o600); err != nil || wrong == string(text) {
		t.Fatal(err, wrong)
	}
	plan, err := New([]string{dir}, check.Options{Functions: suite.All(), Root: dir})
	if err != nil || len(plan.Changes) != 1 || string(plan.Changes[0].Text) != string(text) {
		t.Errorf("got %+v, %v", plan, err)
	}
}

// A difference has three lines around its changes, and changes that are near each other are
// one hunk.
func TestDiff(t *testing.T) {
	text := func(changed ...int) []byte {
		var b strings.Builder
		for i := range 20 {
			if slices.Contains(changed, i) {
				b.WriteString("changed\n")
			} else {
				b.WriteString(strings.Repeat("x", i+1) + "\n")
			}
		}
		return []byte(b.String())
	}
	for _, tc := range []struct {
		changed []int
		hunks   []string
	}{
		{[]int{0}, []string{"@@ -1,4 +1,4 @@"}},
		{[]int{19}, []string{"@@ -17,4 +17,4 @@"}},
		{[]int{5, 11}, []string{"@@ -3,13 +3,13 @@"}},
		{[]int{5, 13}, []string{"@@ -3,7 +3,7 @@", "@@ -11,7 +11,7 @@"}},
	} {
		d := Diff{Path: "a", before: text(), after: text(tc.changed...)}
		var hunks []string
		for line := range strings.Lines(d.Text("a", diag.All)) {
			if strings.HasPrefix(line, "@@") {
				hunks = append(hunks, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(hunks, tc.hunks) {
			t.Errorf("changes of %v: got %q, want %q", tc.changed, hunks, tc.hunks)
		}
	}
}

const twoOptions = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  values:
    kind: a
    host: {port: 1, name: a}
  schema:
    kind: {schema: '{{ format "${list:[A,B]}" }}'}
`

// The fixes that make something worse do not hinder those that do not.
func TestNewByHalves(t *testing.T) {
	const override = "---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: %s}\nspec:\n  packref: {name: a}\n  values: {%s}\n"
	dir := t.TempDir()
	text := twoOptions + strings.NewReplacer("%s}\nspec", "v}\nspec", "{%s}", "{host: x}").Replace(override) + strings.NewReplacer("%s}\nspec", "w}\nspec", "{%s}", "{host: {port: 2}}").Replace(override)
	write(t, dir, "a.yaml", text)
	plan, err := New([]string{dir}, check.Options{Functions: suite.All(), Root: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("kind: a\n", "kind: A\n", "packref: {name: a}\n  values: {host: {", "packRef: {name: a}\n  values: {host: {").Replace(text)
	if len(plan.Changes) != 1 || string(plan.Changes[0].Text) != want {
		t.Errorf("got %+v", plan.Changes)
	}
	if len(plan.Notes) != 1 || !strings.HasPrefix(plan.Notes[0], "a.yaml:16 is not fixed: there would be a.yaml:17: ") {
		t.Errorf("notes: %q", plan.Notes)
	}
	// What is left is what the checks find afterwards.
	if len(plan.Fixed) != 2 || plan.Left == nil || strings.Contains(plan.Left.Summary(), "2 errors") {
		t.Errorf("fixed %d, left %+v", len(plan.Fixed), plan.Left)
	}
	for _, left := range plan.Left.Findings {
		if left.Key == "kind" {
			t.Errorf("left: %s", left.Message)
		}
	}
}

// Files are in the order of their paths. A text in place of a file is what is fixed.
func TestNewOfSeveral(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"c", "a", "b"} {
		write(t, dir, name+".yaml", strings.Replace(twoOptions, "{name: a}", "{name: "+name+"}", 1))
	}
	replaced := filepath.Join(dir, "b.yaml")
	options := check.Options{Functions: suite.All(), Root: dir, Replace: map[string][]byte{replaced: []byte("# typed\n" + strings.Replace(twoOptions, "{name: a}", "{name: b}", 1))}}
	plan, err := New([]string{dir}, options)
	if err != nil || len(plan.Changes) != 3 || len(plan.Diffs) != 3 {
		t.Fatalf("got %+v, %v", plan, err)
	}
	for i, name := range []string{"a", "b", "c"} {
		change, diff := plan.Changes[i], plan.Diffs[i]
		if change.Path != filepath.Join(dir, name+".yaml") || diff.Path != change.Path {
			t.Errorf("%d: got %s, %s", i, change.Path, diff.Path)
		}
		if typed := strings.HasPrefix(string(change.Text), "# typed\n"); typed != (name == "b") || !strings.Contains(string(change.Text), "kind: A\n") {
			t.Errorf("%s: got\n%s", name, change.Text)
		}
	}
	// Values around a change are masked, unless they are to be shown.
	for audience, want := range map[diag.Audience]string{diag.All: "     host: {port: 1, name: a}\n", diag.Terminal: "     host: {port: 1, name: a}\n", diag.Record: "     host: {port: 1, name: •••}\n"} {
		if text := plan.Diffs[0].Text("a.yaml", audience); !strings.Contains(text, want) || !strings.Contains(text, "+    kind: A\n") {
			t.Errorf("for %d: got\n%s", audience, text)
		}
	}
}

func TestNewFails(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.yaml", twoOptions)
	write(t, dir, "vault-0.6.0.tar.gz", "")
	for name, tc := range map[string]struct {
		path    string
		options check.Options
		want    string
	}{
		"an unknown rule":          {dir, check.Options{Only: []string{"values/fromat"}}, `--only: unknown rule "values/fromat"`},
		"an archive":               {filepath.Join(dir, "vault-0.6.0.tar.gz"), check.Options{}, "vault-0.6.0.tar.gz is an archive, which is not written; unpack it, and fix the folder"},
		"a path that is not there": {filepath.Join(dir, "none"), check.Options{}, "no such file"},
	} {
		if plan, err := New([]string{tc.path}, tc.options); err == nil || plan != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
