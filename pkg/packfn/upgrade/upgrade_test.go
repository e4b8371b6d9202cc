package upgrade_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/staging"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
	"github.com/krm-packs/functions/pkg/packfn/upgrade"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "packfn/upgrade")) }

// scenario is a pack in two versions, and a package. Files have the names of pack
// directories; those of the package are beside the imported pack, which edit changes.
type scenario struct {
	older, newer, pkg map[string]string
	edit              []string
	withoutFrom       bool
	discard           bool
	sources           *packdir.Sources
}

// run returns the findings of an upgrade: severity, rule, file, line and message.
func (s scenario) run(t *testing.T) (*upgrade.Plan, []string) {
	t.Helper()
	dir := t.TempDir()
	older, newer, pkg := filepath.Join(dir, "older"), filepath.Join(dir, "newer"), filepath.Join(dir, "pkg")
	for at, version := range map[string]string{older: "1.0.0", newer: "2.0.0"} {
		files := map[string]string{"pack.json": `{"name": "p", "version": "` + version + `"}`}
		own := s.older
		if at == newer {
			own = s.newer
		}
		for name, text := range own {
			files[name] = text
		}
		for name, text := range files {
			if err := writeFile(filepath.Join(at, name), text); err != nil {
				t.Fatal(err)
			}
		}
	}
	var area staging.Area
	plan, err := transfer.Import(pkg, []string{older}, transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plan.Changes[0].Text = []byte(strings.NewReplacer(s.edit...).Replace(string(plan.Changes[0].Text)))
	if err := area.Write(t.Context(), plan.Changes); err != nil {
		t.Fatal(err)
	}
	for name, text := range s.pkg {
		if err := writeFile(filepath.Join(pkg, name), text); err != nil {
			t.Fatal(err)
		}
	}
	options := upgrade.Options{From: older, Sources: s.sources, DiscardEdits: s.discard, Check: check.Options{Functions: suite.All(), Root: pkg}}
	if s.withoutFrom {
		options.From = ""
	}
	up, err := upgrade.New(pkg, []string{newer}, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range up.Report.Findings {
		functiontest.Note(f.Rule, f.Message)
	}
	var found []string
	for _, f := range up.Report.Findings {
		message := f.Message
		for _, source := range []string{" (values.yaml", " (spec.values"} {
			message, _, _ = strings.Cut(message, source)
		}
		found = append(found, strings.Join([]string{string(f.Severity), strings.TrimPrefix(f.Rule, "upgrade/"), f.File, message}, " | "))
	}
	slices.Sort(found)
	return up, found
}

func override(rest string) map[string]string {
	return map[string]string{"over.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: over}\nspec:\n  packRef: {name: p}\n" + rest}
}

// A changed default is reported where it counts.
func TestChangedDefaults(t *testing.T) {
	values := func(text string) map[string]string { return map[string]string{"values.yaml": text} }
	for _, tc := range []struct {
		name string
		s    scenario
		want []string
	}{
		{"nobody sets it", scenario{older: values("a: 1\n"), newer: values("a: 2\n")}, []string{"info | changed-default | p.yaml | a: the default changes: 1 → 2"}},
		{"it is set", scenario{older: values("a: 1\n"), newer: values("a: 2\n"), pkg: override("  values: {a: 3}\n")}, nil},
		{"it is set to null", scenario{older: values("a: 1\n"), newer: values("a: 2\n"), pkg: override("  values: {a: null}\n")}, nil},
		{"what it is in is set", scenario{older: values("a: {x: 1}\n"), newer: values("a: {x: 2}\n"), pkg: override("  values: {a: text}\n")}, nil},
		{"an empty map sets nothing", scenario{older: values("a: {x: 1}\n"), newer: values("a: {x: 2}\n"), pkg: override("  values: {a: {}}\n")}, []string{"info | changed-default | p.yaml | a.x: the default changes: 1 → 2"}},
		{"a neighbor is set", scenario{older: values("a: {x: 1}\n"), newer: values("a: {x: 2}\n"), pkg: override("  values: {a: {y: 1}}\n")}, []string{"info | changed-default | p.yaml | a.x: the default changes: 1 → 2"}},
		{"all values are replaced", scenario{older: values("a: 1\n"), newer: values("a: 2\nb: 1\n"), pkg: override("  strategy: replace\n  values: {b: 1}\n")}, nil},
		{"it is edited", scenario{older: values("a: 1\n"), newer: values("a: 2\n"), edit: []string{"a: 1", "a: 5"}}, nil},
		{"it is removed", scenario{older: values("a: 1\nb: 1\n"), newer: values("a: 2\nb: 1\n"), edit: []string{"    a: 1\n", ""}}, nil},
		{"the record says that nothing is edited", scenario{older: values("a: 1\n"), newer: values("a: 2\n"), withoutFrom: true}, []string{"info | changed-default | p.yaml | a: the default changes: 1 → 2"}},
		{"nothing is known of edits", scenario{older: values("a: 1\n"), newer: values("a: 2\n"), edit: []string{"a: 1", "a: 5"}, withoutFrom: true, discard: true}, []string{"info | changed-default | p.yaml | a: the value changes: 5 → 2; the default is another one, or you edited it"}},
		{"a map becomes text", scenario{older: values("a: {x: 1}\n"), newer: values("a: text\n")}, []string{"info | changed-default | p.yaml | a: the default changes: a map → •••"}},
		{"a number becomes a map", scenario{older: values("a: 1\n"), newer: values("a: {x: 1}\n")}, []string{"info | changed-default | p.yaml | a: the default changes: 1 → a map"}},
		{"a list changes", scenario{older: values("a: [1]\n"), newer: values("a: [2]\n")}, []string{"info | changed-default | p.yaml | a: the default changes: a list of 1 → another list of 1"}},
		{"a list grows", scenario{older: values("a: [1]\n"), newer: values("a: [1, 2]\n")}, []string{"info | changed-default | p.yaml | a: the default changes: a list of 1 → a list of 2"}},
		{"a value goes", scenario{older: values("a: 1\n"), newer: values("a:\n")}, []string{"info | changed-default | p.yaml | a: the default changes: 1 → null"}},
		{"secrets change", scenario{older: values("password: a\n"), newer: values("password: b\n")}, []string{"info | changed-default | p.yaml | password: the default changes: ••• → •••"}},
		{"a key goes", scenario{older: values("a: 1\nb: 1\n"), newer: values("b: 1\n")}, nil},
		{"there were no values", scenario{newer: values("a: 2\n")}, []string{"info | added | p.yaml | p 2.0.0 adds a: 2"}},
		{"there are no values now", scenario{older: values("a: 2\n")}, nil},
		{"the user has the new key", scenario{older: values("a: 1\n"), newer: values("a: 1\nb: 2\nc: 3\n"), edit: []string{"a: 1", "a: 1\n    b: 5"}}, []string{"info | added | p.yaml | p 2.0.0 adds c: 3"}},
		{"an override has the new key", scenario{older: values("a: 1\n"), newer: values("a: 1\nb: 2\n"), pkg: override("  values: {b: 3}\n")}, nil},
		{"many keys are new", scenario{older: values("a: 1\n"), newer: values("a: 1\nb: 1\nc: 1\nd: 1\ne: 1\nf: 1\ng: {x: {y: 1, z: []}, w: {}}\nh: [1]\ni: 1\nj: 1\n")},
			[]string{"info | added | p.yaml | p 2.0.0 adds b: 1, c: 1, d: 1, e: 1, f: 1 and 4 more"}},
		{"mappings and lists are new", scenario{older: values("a: 1\n"), newer: values("a: 1\nf: {}\ng: {x: {y: 1, z: []}, w: {}}\nh: [1]\n")},
			[]string{"info | added | p.yaml | p 2.0.0 adds f: {}, g (3 values) and h: a list of 1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, got := tc.s.run(t)
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// The current value of a changed default is shown if it is a scalar that is not a secret.
func TestCurrentValues(t *testing.T) {
	up, _ := scenario{older: map[string]string{"values.yaml": "n: 1\nl: [1]\npassword: a\n"}, newer: map[string]string{"values.yaml": "n: 2\nl: [2]\npassword: b\n"}}.run(t)
	got := map[string]any{}
	for _, f := range up.Report.Findings {
		got[f.Key] = f.Current
	}
	if diff := gocmp.Diff(map[string]any{"n": "1", "l": nil, "password": nil}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Without the older version nothing is written if values were edited, or may have been.
func TestEdited(t *testing.T) {
	const presets = "presets:\n- {name: x, group: g, add: 'b: {c: 2}'}\n- {name: y, remove: [d], add: 'e: 2'}\n"
	files := func(values string) map[string]string {
		return map[string]string{"values.yaml": values, "presets.yaml": presets}
	}
	const before = "a: 1\nb:\n  c: 1\nd: 1\ne: 1\n"
	record := func(names string) []string {
		return []string{"annotations:\n", "annotations:\n    packs.kpt.dev/applied-presets: '[" + names + "]'\n"}
	}
	sources := &packdir.Sources{}
	for _, tc := range []struct {
		name      string
		s         scenario
		isUnknown bool
		has       string // in what is written
	}{
		{"nothing was edited", scenario{edit: nil}, false, "a: 2"},
		{"only comments", scenario{edit: []string{"a: 1", "a:  1 # ours"}}, false, "a: 2"},
		{"a value", scenario{edit: []string{"a: 1", "a: 5"}}, true, ""},
		{"a value, in spite of sources", scenario{edit: []string{"a: 1", "a: 5"}, sources: sources}, true, ""},
		{"a value, and the edits are dropped", scenario{edit: []string{"a: 1", "a: 5"}, discard: true}, false, "a: 2"},
		{"a key", scenario{edit: []string{"    a: 1\n", "    a: 1\n    mine: 1\n"}}, true, ""},
		{"values of a preset", scenario{edit: append(record(`"g:x"`), "c: 1", "c: 2")}, false, "a: 2\n    b:\n      c: 2\n"},
		{"values of a preset, edited", scenario{edit: append(record(`"g:x"`), "c: 1", "c: 5")}, false, "a: 2\n    b:\n      c: 2\n"},
		{"values of a preset that is not applied", scenario{edit: append(record(`"g:x"`), "c: 1", "c: 2", "e: 1", "e: 3")}, true, ""},
		{"values that a preset would remove", scenario{edit: append(record(`"g:x"`), "c: 1", "c: 2", "d: 1", "d: 3")}, true, ""},
		{"values of a preset, without a record", scenario{edit: []string{"c: 1", "c: 2"}}, true, ""},
		{"other values beside those of a preset", scenario{edit: append(record(`"g:x"`), "c: 1", "c: 2", "a: 1", "a: 5")}, true, ""},
		{"the result of a macro", scenario{edit: []string{"a: 1", "a: 5 # kpt-macro: {{ .spectro.var.A }}"}}, true, ""},
		{"the import recorded nothing", scenario{edit: []string{`"data":"`, `"dta":"`}}, true, ""},
		{"the import recorded nothing, and no value changes", scenario{edit: []string{`"data":"`, `"dta":"`}, newer: files(before)}, false, "a: 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if tc.s.older, tc.s.withoutFrom = files(before), true; tc.s.newer == nil {
				tc.s.newer = files(strings.Replace(before, "a: 1", "a: 2", 1))
			}
			up, found := tc.s.run(t)
			isFound := slices.ContainsFunc(found, func(f string) bool { return strings.HasPrefix(f, "error | edited | p.yaml | ") })
			if isFound != tc.isUnknown || (up.Lost > 0) != tc.isUnknown || (len(up.Changes) == 0) != tc.isUnknown {
				t.Fatalf("%d lost, %d changes: %q", up.Lost, len(up.Changes), found)
			}
			if !tc.isUnknown && !strings.Contains(string(up.Changes[0].Text), tc.has) {
				t.Errorf("got\n%s", up.Changes[0].Text)
			}
			if isNoted := strings.Contains(strings.Join(up.Notes, "\n"), "look like old defaults, and are dropped"); isNoted != tc.s.discard {
				t.Errorf("notes %q", up.Notes)
			}
		})
	}
}

// Values that macros were resolved to keep their results, if the newer version has the same macro.
func TestResultsOfMacros(t *testing.T) {
	const name, v = "{{ .spectro.system.cluster.name }}", "{{ .spectro.var.V }}"
	const older = "a: '" + name + "' # theirs\nb: '" + name + ".b'\nc: 1\nl:\n- '" + name + "'\n- x\nf: ['" + v + "', y]\n"
	rendered := []string{"a: '" + name + "' # theirs", "a: 'eu-1' # theirs # kpt-macro: " + name, "b: '" + name + ".b'", "b: 'eu-1.b' # ours # kpt-macro: " + name + ".b",
		"- '" + name + "'", "- 'eu-1' # kpt-macro: " + name, "['" + v + "', y]", "['v', y] # kpt-macro: [\"" + v + "\",\"y\"]", "c: 1", "c: '5' # kpt-macro: " + v}
	s := scenario{older: map[string]string{"values.yaml": older}, edit: rendered, newer: map[string]string{
		"values.yaml": "a: \"" + name + "\" # theirs, v2\nb: '" + name + ".c'\nc: 2\nl:\n- z\n- '" + name + "'\nf: ['" + v + "', z]\n",
	}}
	up, found := s.run(t)
	if len(up.Changes) != 1 {
		t.Fatal(found)
	}
	_, got, _ := strings.Cut(string(up.Changes[0].Text), "values.yaml: |\n")
	want := "a: \"eu-1\" # theirs, v2 # kpt-macro: " + name + "\nb: '" + name + ".c'\nc: \"5\" # kpt-macro: " + v + "\nl:\n- z\n- 'eu-1' # kpt-macro: " + name + "\nf: ['v', z] # kpt-macro: [\"" + v + "\",\"z\"]\n"
	if diff := gocmp.Diff(want, strings.ReplaceAll("\n"+got, "\n    ", "\n")[1:]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Edits of a text do not survive the upgrades of others, which a note says.
func TestNoteOfEdits(t *testing.T) {
	up, _ := scenario{older: map[string]string{"values.yaml": "a: 1\nb: 1\n"}, newer: map[string]string{"values.yaml": "a: 2\nb: 1\n"}, edit: []string{"b: 1", "b: 5"}}.run(t)
	if got := strings.Join(up.Notes, "\n"); !strings.Contains(got, "the values of p are edited (b): kpt pkg update and Porch take the text of the newer version as a whole") {
		t.Errorf("got %s", got)
	}
}

// A value without a key in the newer version is reported where the user sets it.
func TestOrphans(t *testing.T) {
	values := func(text string) map[string]string { return map[string]string{"values.yaml": text} }
	for _, tc := range []struct {
		name string
		s    scenario
		want []string
	}{
		{"an override", scenario{older: values("a: 1\nb: 1\n"), newer: values("b: 1\n"), pkg: override("  values: |\n    a: 2\n")}, []string{"warning | orphaned-value | over.yaml | a: p 2.0.0 has no such key"}},
		{"an edit", scenario{older: values("a: 1\nb: 1\n"), newer: values("b: 1\n"), edit: []string{"a: 1", "a: 2"}}, []string{"warning | orphaned-value | p.yaml | a: p 2.0.0 has no such key"}},
		{"a removed key", scenario{older: values("a: 1\nb: 1\n"), newer: values("b: 1\n"), edit: []string{"    a: 1\n", ""}}, nil},
		{"a key that no version has", scenario{older: values("b: 1\n"), newer: values("b: 1\n"), pkg: override("  values: |\n    a: 2\n")}, nil},
		{"what held it is gone", scenario{older: values("a: {}\nb: 1\n"), newer: values("b: 1\n"), pkg: override("  values: |\n    a: {x: 1}\n")}, []string{"warning | orphaned-value | over.yaml | a.x: p 2.0.0 has no such key"}},
		{"a key of the user's own", scenario{older: values("b: 1\n"), newer: values("b: 1\n"), edit: []string{"b: 1", "b: 1\n    c: {x: 1}"}, pkg: override("  values: |\n    c: {x: 2}\n")}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			up, got := tc.s.run(t)
			if diff := gocmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, f := range up.Report.Findings {
				if f.Line < 7 {
					t.Errorf("%s:%d is not the line of the value", f.File, f.Line)
				}
			}
		})
	}
}

// The message of a value without a key has the new name, and says that an edit is kept.
func TestOrphansWithNewNames(t *testing.T) {
	up, _ := scenario{older: map[string]string{"values.yaml": "hostname: a\n"}, newer: map[string]string{"values.yaml": "hostName: a\n"},
		pkg: override("  values: |\n    hostname: b\n"), edit: []string{"hostname: a", "hostname: c"}}.run(t)
	var got []string
	for _, f := range up.Report.Findings {
		if f.Rule == "upgrade/orphaned-value" {
			_, end, _ := strings.Cut(f.Message, "; ")
			got = append(got, f.File+": "+end)
		}
	}
	want := []string{"over.yaml: ", "p.yaml: "}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Requirements, presets and rules of the schema are compared, and what the checks find is
// reported once.
func TestConsequences(t *testing.T) {
	pack := func(version, dependencies string) string {
		return `{"name": "p", "version": "` + version + `", "constraints": {"dependencies": [` + dependencies + `]}}`
	}
	const dns, web = `{"packName": "dns", "minVersion": "1.0", "type": "required"}`, `{"packName": "web", "type": "required"}`
	webPack := map[string]string{"web.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec: {version: 1.0.0}\n"}
	for _, tc := range []struct {
		name string
		s    scenario
		want []string
	}{
		{"an error that was there", scenario{older: map[string]string{"pack.json": pack("1.0.0", dns)}, newer: map[string]string{"pack.json": pack("2.0.0", dns)}}, nil},
		{"at another index", scenario{older: map[string]string{"pack.json": pack("1.0.0", dns)}, newer: map[string]string{"pack.json": pack("2.0.0", web+", "+dns)}, pkg: webPack},
			[]string{"info | requirement | p.yaml | p 2.0.0 requires web (required), and 1.0.0 does not (pack.json). The package meets it"}},
		{"a new one", scenario{older: map[string]string{"pack.json": pack("1.0.0", dns)}, newer: map[string]string{"pack.json": pack("2.0.0", dns+", "+web)}},
			[]string{`error | requirement | p.yaml | constraints.dependencies[1].packName: `}},
		{"the bounds of an upgrade", scenario{older: map[string]string{"pack.json": pack("1.0.0", `{"packName": "p", "maxVersion": "1.5", "type": "upgrade"}`)}},
			[]string{"error | requirement | p.yaml | version: the installed \"p\" 1.0.0 can be upgraded only to 1.5 or older, but the package has 2.0.0"}},
		{"bounds of later upgrades", scenario{newer: map[string]string{"pack.json": pack("2.0.0", `{"packName": "p", "maxVersion": "1.5", "type": "upgrade"}`)}}, nil},
		{"a warning", scenario{newer: map[string]string{"schema.yaml": "a: {schema: '{{ format \"${input}\" }}'}\n"}, pkg: override("  values: {a: x}\n")},
			[]string{"info | added | p.yaml | the schema of p 2.0.0 adds a (", `warning | format | p.yaml | a: unknown type "input"`}},
		{"a value is required", scenario{newer: map[string]string{"schema.yaml": "a: {schema: '{{ required }}'}\n"}, pkg: override("  values: {a: ''}\n")},
			[]string{"error | newly-required | over.yaml | ", "info | added | p.yaml | the schema of p 2.0.0 adds a (required; values.yaml)"}},
		{"pools that are large enough", scenario{newer: map[string]string{"pack.json": `{"name": "p", "version": "2.0.0", "constraints": {"resources": [{"type": "cpu", "minLimit": 100}]}}`},
			pkg: map[string]string{"cluster.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {machinePools: [{name: a, role: worker, size: 1, capacity: {cpu: 4}}]}\n"}},
			[]string{"info | requirement | p.yaml | p 2.0.0 requires cpu (minLimit 100), and 1.0.0 does not (pack.json). The package meets it"}},
		{"pools that are too small", scenario{newer: map[string]string{"pack.json": `{"name": "p", "version": "2.0.0", "constraints": {"resources": [{"type": "cpu", "minLimit": 100}]}}`},
			pkg: map[string]string{"cluster.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {machinePools: [{name: a, role: worker, size: 1, capacity: {cpu: 10m}}]}\n"}},
			[]string{"error | requirement | cluster.yaml | ", "info | requirement | p.yaml | p 2.0.0 requires cpu (minLimit 100), and 1.0.0 does not (pack.json)"}},
		{"pools that are too small, and a pack that is missing", scenario{newer: map[string]string{"pack.json": `{"name": "p", "version": "2.0.0", "constraints": {"dependencies": [` + web + `], "resources": [{"type": "cpu", "minLimit": 100}]}}`},
			pkg: map[string]string{"cluster.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {machinePools: [{name: a, role: worker, size: 1, capacity: {cpu: 10m}}]}\n"}},
			[]string{"error | requirement | cluster.yaml | ", "error | requirement | p.yaml | constraints.dependencies[0].packName: ", "info | requirement | p.yaml | p 2.0.0 requires cpu (minLimit 100), and 1.0.0 does not (pack.json)"}},
		{"a demand with a warning", scenario{newer: map[string]string{"pack.json": `{"name": "p", "version": "2.0.0", "constraints": {"resources": [{"type": "memory", "minLimit": 1}]}}`},
			pkg: map[string]string{"cluster.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {machinePools: [{name: a, role: worker, size: 1, capacity: {memory: 8Gi}}]}\n"}},
			[]string{"info | requirement | p.yaml | p 2.0.0 requires memory (minLimit 1), and 1.0.0 does not (pack.json)", "warning | requirement | p.yaml | constraints.resources[0].minLimit: "}},
		{"the same demand at another index", scenario{older: map[string]string{"pack.json": `{"name": "p", "version": "1.0.0", "constraints": {"resources": [{"type": "cpu", "minLimit": 100}]}}`},
			newer: map[string]string{"pack.json": `{"name": "p", "version": "2.0.0", "constraints": {"resources": [{"type": "memory", "minLimit": 1024}, {"minLimit": 100, "type": "cpu"}]}}`}},
			[]string{"info | requirement | p.yaml | p 2.0.0 requires memory (minLimit 1024), and 1.0.0 does not (pack.json)"}},
		{"a preset", scenario{older: map[string]string{"presets.yaml": "presets:\n- {name: x, displayName: X, add: 'a: 1'}\n"},
			newer: map[string]string{"presets.yaml": "presets:\n- {name: x, displayName: X, add: 'a: 1'}\n- {name: y, group: g, displayName: Y, add: 'a: 2'}\n"}},
			[]string{`info | added | p.yaml | p 2.0.0 adds the preset "g:y"`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, got := tc.s.run(t)
			if len(got) != len(tc.want) {
				t.Fatalf("got %q, want %q", got, tc.want)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], tc.want[i]) {
					t.Errorf("got %q, want %q", got[i], tc.want[i])
				}
				if strings.Contains(tc.name, "too small") && strings.Contains(got[i], "meets it") {
					t.Errorf("got %q", got[i])
				}
			}
		})
	}
}

// New requirements are reported once: as errors if the package does not meet them, else as
// infos. Those that the version before has, too, are not news.
func TestRequirements(t *testing.T) {
	requires := func(dependencies string) map[string]string {
		return map[string]string{"pack.json": `{"name": "p", "version": "VERSION", "constraints": {"dependencies": [` + dependencies + `]}}`}
	}
	version := func(files map[string]string, version string) map[string]string {
		return map[string]string{"pack.json": strings.Replace(files["pack.json"], "VERSION", version, 1)}
	}
	const old, newer, missing = `{"packName": "q", "type": "required", "minVersion": "1.0"}`, `{"packName": "q", "type": "required", "minVersion": "2.0"}`, `{"packName": "z", "type": "required"}`
	q := func(version string) map[string]string {
		return map[string]string{"q.yaml": "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: q}\nspec: {version: " + version + "}\n"}
	}
	for _, tc := range []struct {
		name          string
		before, after string
		pkg           map[string]string
		want          []string
	}{
		{"the same", old, old, q("1.5.0"), nil},
		{"met", old, newer, q("2.5.0"), []string{"info | requirement | p.yaml | p 2.0.0 requires q 2.0 or newer (required), and 1.0.0 does not (pack.json). The package meets it"}},
		{"not met", old, newer, q("1.5.0"), []string{"error | requirement | q.yaml | "}},
		{"missing", old, old + ", " + missing, q("1.5.0"), []string{"error | requirement | p.yaml | "}},
		{"not met before either", missing, missing, nil, nil},
		{"two, and one is met", old, missing + ", " + newer, q("2.5.0"), []string{"error | requirement | p.yaml | ", "info | requirement | p.yaml | p 2.0.0 requires q 2.0 or newer (required), and 1.0.0 does not (pack.json). The package meets it"}},
	} {
		_, got := scenario{older: version(requires(tc.before), "1.0.0"), newer: version(requires(tc.after), "2.0.0"), pkg: tc.pkg}.run(t)
		for i := range got {
			if strings.HasPrefix(got[i], "error") {
				got[i] = got[i][:strings.LastIndex(got[i], " | ")+3]
			}
		}
		if diff := gocmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// New presets are named, a few of many.
func TestAddedPresets(t *testing.T) {
	presets := func(names ...string) map[string]string {
		text := "presets:\n"
		for _, name := range names {
			text += "- {name: " + name + ", displayName: " + name + ", group: g, add: 'a: 1'}\n"
		}
		return map[string]string{"presets.yaml": text}
	}
	for _, tc := range []struct {
		newer map[string]string
		want  []string
	}{
		{presets("a"), nil},
		{presets("a", "b"), []string{`info | added | p.yaml | p 2.0.0 adds the preset "g:b" (presets.yaml)`}},
		{presets("a", "b", "c"), []string{`info | added | p.yaml | p 2.0.0 adds the presets "g:b" and "g:c" (presets.yaml)`}},
		{presets("a", "b", "c", "d"), []string{`info | added | p.yaml | p 2.0.0 adds the presets "g:b", "g:c" and "g:d" (presets.yaml)`}},
	} {
		_, got := scenario{older: presets("a"), newer: tc.newer}.run(t)
		if diff := gocmp.Diff(tc.want, got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// Presets that were applied and are gone, or are others now, are reported.
func TestAppliedPresets(t *testing.T) {
	const own = "presets:\n- {name: x, displayName: X, add: 'a: 1'}\n"
	applied := func(entry string) []string {
		return []string{"annotations:\n", "annotations:\n    packs.kpt.dev/applied-presets: '[\"" + entry + "\"]'\n"}
	}
	presets := func(text string) map[string]string {
		return map[string]string{"presets.yaml": text, "values.yaml": "a: 1\nb: 1\n"}
	}
	const older = ":x@000000000000@1.0.0"
	_, got := scenario{older: presets(own), newer: presets(strings.Replace(own, "a: 1", "a: 3", 1)), edit: applied(older)}.run(t)
	want := []string{`warning | preset | p.yaml | the preset "x" is applied, and p 2.0.0 has another one of this name (presets.yaml)`, "info | changed-default | p.yaml | a: the default changes: 1 → 3"}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("another one: got %q", got)
	}
	if _, got := (scenario{older: presets(own), newer: presets(own), edit: applied(":x")}).run(t); len(got) > 0 {
		t.Errorf("the same: got %q", got)
	}
	moved := scenario{older: presets(own), newer: presets(strings.Replace(own, "displayName", "group: size, displayName", 1)), edit: applied(":x")}
	want = []string{`info | added | p.yaml | p 2.0.0 adds the preset "size:x" (presets.yaml)`, `warning | preset | p.yaml | the preset "x" is applied, and p 2.0.0 has it under another group, as "size:x": select it by this name (presets.yaml)`}
	if _, got := moved.run(t); !slices.Equal(got, want) {
		t.Errorf("another group: got %q", got)
	}
	gone := scenario{older: presets(own), newer: presets("presets:\n- {name: y, displayName: X, add: 'a: 1'}\n"), edit: applied(older)}
	want = []string{`info | added | p.yaml | p 2.0.0 adds the preset "y" (presets.yaml)`, `warning | preset | p.yaml | the preset "x" is applied, and cannot be applied to p 2.0.0 (presets.yaml)`}
	if _, got := gone.run(t); !slices.Equal(got, want) {
		t.Errorf("gone: got %q", got)
	}
}

// What cannot be planned is an error that says why.
func TestNotPlanned(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"older/pack.json": `{"name": "p", "version": "1.0.0"}`, "newer/pack.json": `{"name": "p", "version": "2.0.0"}`, "other/pack.json": `{"name": "q", "version": "2.0.0"}`,
		"bad/pack.json": `{"name": "p", "version": "2.0.0"}`, "bad/values.yaml": "a: [",
		"pkg/p.yaml":    "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: {version: 1.0.0, values: {a: 1}}\n",
		"wrong/p.yaml":  "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p}\nspec: {version: 1.0.0, values: 'a: ['}\n",
		"absent/a.yaml": "",
	} {
		if err := writeFile(filepath.Join(dir, name), text); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, tc := range []struct {
		pkg   string
		newer []string
		from  string
		want  string
	}{
		{"pkg", []string{"newer", "newer"}, at("older"), "--from is about one pack"},
		{"pkg", []string{"newer", "newer"}, "", "has two of the packs; upgrade one at a time"},
		{"pkg", []string{"other"}, "", "q"},
		{"pkg", []string{"bad"}, "", "bad: the values of p: line 1"},
		{"wrong", []string{"newer"}, "", "p.yaml: the values of p: line 1"},
		{"none", []string{"newer"}, "", "none"},
		{"pkg", []string{"nowhere"}, "", "nowhere"},
		{"pkg", []string{"newer"}, at("nowhere"), "nowhere"},
	} {
		var newer []string
		for _, name := range tc.newer {
			newer = append(newer, at(name))
		}
		_, err := upgrade.New(at(tc.pkg), newer, upgrade.Options{From: tc.from, Check: check.Options{Functions: suite.All(), Root: dir}})
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s to %s: got %v, want %s", tc.pkg, tc.newer, err, tc.want)
		}
	}
}
