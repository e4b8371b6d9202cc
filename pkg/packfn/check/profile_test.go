package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/staging"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
	"github.com/krm-packs/functions/pkg/values"
)

const (
	sourceMetadata = `{"name": "web", "version": "1.0.0", "layer": "addon", "constraints": {"dependencies": [{"packName": "kubernetes", "type": "required"}], "resources": [{"type": "cpu", "minLimit": 100}]}}`
	sourceValues   = "port: 80\nhost: a \nversion: 1.0.0\n"
	sourceSchema   = "port: {schema: '{{ required | format \"${number:[1-100]}\" }}'}\nhost: {schema: '{{ required }}'}\nversion: {schema: '{{ readonly }}'}\n"
)

// profileFiles are a profile and the source of its pack.
func profileFiles(kind, values, variables string) map[string]string {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err)
	}
	return map[string]string{
		"profile.json": `{"metadata": {"name": "Edge"}, "spec": {"template": {"type": "` + kind + `",
 "packs": [{"name": "web", "layer": "addon", "version": "1.0.0", "values": ` + string(text) + `}]},
 "variables": [` + variables + `]}}`,
		"packs/web/pack.json": sourceMetadata, "packs/web/values.yaml": sourceValues, "packs/web/schema.yaml": sourceSchema,
	}
}

// checkProfile checks profile.json, or the package that it is imported into.
func checkProfile(t *testing.T, files map[string]string, isImported, hasSources bool) (found, notes []string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	options := Options{Functions: suite.All(), Root: dir, Note: func(line string) { notes = append(notes, strings.ReplaceAll(line, dir+"/", "")) }}
	if hasSources {
		options.Sources = []string{filepath.Join(dir, "packs")}
	}
	path := filepath.Join(dir, "profile.json")
	if isImported {
		c := &checker{Options: Options{Sources: []string{filepath.Join(dir, "packs")}}}
		if err := c.openSources(); err != nil {
			t.Fatal(err)
		}
		p, err := transfer.ReadProfile(path, []byte(files["profile.json"]))
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(dir, "p")
		plan, err := transfer.Import(path, nil, transfer.Options{Profiles: []*transfer.Profile{p}, Sources: c.sources})
		if err != nil {
			t.Fatal(err)
		}
		if err := (&staging.Area{}).Write(t.Context(), plan.Changes); err != nil {
			t.Fatal(err)
		}
	}
	r, err := runNoted([]string{path}, options)
	if err != nil {
		return []string{strings.ReplaceAll(err.Error(), dir+"/", "")}, notes
	}
	for _, f := range r.Findings {
		if f.Own.Source.Text != "" && !isImported {
			t.Errorf("a line of the profile is shown: %s", f.Own.Source.Text)
		}
		found = append(found, fmt.Sprintf("%s:%d:%d %s %s %s: %s", f.File, f.Line, f.Column, f.Severity, f.Rule, f.Field, f.Message))
	}
	return found, notes
}

// where is the place of a text in a file, as a finding shows it.
func where(t *testing.T, file, text string) string {
	t.Helper()
	for i, line := range strings.Split(file, "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return fmt.Sprintf("profile.json:%d:%d", i+1, len([]rune(before))+1)
		}
	}
	t.Fatalf("no %s in %s", text, file)
	return ""
}

func TestProfile(t *testing.T) {
	files := profileFiles("add-on", "# 😀\nport: '{{ .spectro.var.port }}'\nversion: 2.0.0\n", `{"name": "port", "format": "number", "defaultValue": "101"}`)
	// JSON can write a character as a pair of surrogates.
	files["profile.json"] = strings.Replace(files["profile.json"], "😀", `\ud83d\ude00`, 1)
	at := func(text string) string { return where(t, files["profile.json"], text) }
	found, notes := checkProfile(t, files, false, true)
	want := []string{
		at(`"web"`) + ` info dependency/missing spec.template.packs[0]: constraints.dependencies[0].packName: pack "web" requires pack "kubernetes", which the package does not have (pack.json line 1). Add it, or a ClusterContext with system.kubernetes.version`,
		at(`"# \ud83d`) + ` error values/required spec.template.packs[0].values: host is required, but missing (values.yaml). Set it`,
		at(`'{{ .spectro`) + ` error values/format spec.template.packs[0].values: port: must be a number from 1 to 100, got 101 from the variable "port" (values.yaml line 2)`,
		at(`2.0.0`) + ` error values/readonly spec.template.packs[0].values: version: must be the pack's own value (the key is read-only), got "2.0.0" (values.yaml line 3). Remove it here`,
	}
	if diff := cmp.Diff(want, withoutRule(found, "resources/")) + cmp.Diff([]string(nil), notes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if found := ofRule(found, "resources/no-pool"); len(found) != 1 || !strings.Contains(found[0], " info ") {
		t.Errorf("%v", found)
	}
	// Without sources only the profile is known.
	found, notes = checkProfile(t, files, false, false)
	if len(found) != 0 || len(notes) != 1 || !strings.Contains(notes[0], "profile.json: no source has web 1.0.0") {
		t.Errorf("%v %v", found, notes)
	}
}

// The package has the findings of the profile: the source is the baseline there, too, and the import
// has recorded what it was.
func TestImportedProfile(t *testing.T) {
	files := profileFiles("cluster", "port: 81 \nversion: 2.0.0\nhost: a\n", "")
	for _, tc := range []struct {
		imported, sources bool
		want              string
	}{{false, true, "error values/readonly"}, {true, true, "error values/readonly"}, {true, false, "error values/readonly"}} {
		found, _ := checkProfile(t, files, tc.imported, tc.sources)
		if found := ofRule(found, "values/"); len(found) != 1 || !strings.Contains(found[0], tc.want) {
			t.Errorf("%+v: %v", tc, found)
		}
		if found := ofRule(found, "dependency/missing"); len(found) != 1 || !strings.Contains(found[0], "error") {
			t.Errorf("%+v: a profile of the type cluster has all packs: %v", tc, found)
		}
		if found := ofRule(found, "resources/no-pool"); tc.imported != (len(found) == 0) || !tc.imported && !strings.Contains(found[0], " info ") {
			t.Errorf("%+v: a profile has no pools, nor have files without a ClusterContext: %v", tc, found)
		}
		if found := ofRule(found, "profile/layer"); len(found) != 1 {
			t.Errorf("%+v: %v", tc, found)
		}
	}
	found, _ := checkProfile(t, profileFiles("cluster", sourceValues, ""), true, true)
	if found := ofRule(found, "values/"); len(found) != 0 {
		t.Errorf("%v", found)
	}
}

// A source with other files than those of the import is not the baseline.
func TestProfileOfAnotherSource(t *testing.T) {
	own, err := values.Parse("version: 1.0.0\n")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"pack.json": sourceMetadata, "values.yaml": own.Text()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := &checker{Options: Options{Sources: []string{dir}}}
	if err := c.openSources(); err != nil {
		t.Fatal(err)
	}
	p, err := packdir.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	record := transfer.RecordOf(p)
	if found := c.baseline(&pack.Pack{Name: "web", Imported: record.String()}); found == nil || !values.Equal(found.Root(), own.Root()) {
		t.Errorf("%v", found)
	}
	record.SHA256["values.yaml"] = "other"
	if found := c.baseline(&pack.Pack{Name: "web", Imported: record.String()}); found != nil {
		t.Errorf("%v", found)
	}
}

func TestProfileThatCannotBeRead(t *testing.T) {
	files := profileFiles("cluster", "a: 1\n", "")
	for _, tc := range []struct{ old, new, want string }{
		{`"spec": {`, `"spec": {{`, "profile.json:1:41: "},
		{`"template"`, `"templates"`, "profile.json: not a cluster profile that Palette exported: it has no spec.template"},
		{`"type": "cluster"`, `"type": "clutser"`, `profile.json:1:62: spec.template.type: must be "cluster", "infra", "add-on" or "system", got "clutser"`},
	} {
		changed := map[string]string{"profile.json": strings.Replace(files["profile.json"], tc.old, tc.new, 1)}
		if found, _ := checkProfile(t, changed, false, false); len(found) != 1 || !strings.Contains(found[0], tc.want) {
			t.Errorf("%s: %v", tc.new, found)
		}
	}
}

func TestLargeProfile(t *testing.T) {
	var packs []string
	for i := range 60 {
		packs = append(packs, fmt.Sprintf(`{"name": "pack-%d", "layer": "addon", "version": "1.0.%d", "values": "a: '{{ .spectro.var.v%d }}'\n"}`, i, i, i%7))
	}
	files := map[string]string{"profile.json": `{"metadata": {"name": "Large"}, "spec": {"template": {"packs": [` + strings.Join(packs, ",") + `]}, "variables": [{"name": "v0"}]}}`}
	found, notes := checkProfile(t, files, false, false)
	if found := ofRule(found, "profile/variable"); len(found) != 60-9 || len(notes) != 1 {
		t.Errorf("%d findings, notes %v", len(found), notes)
	}
}

func ofRule(found []string, rule string) (of []string) {
	for _, f := range found {
		if strings.Contains(f, " "+rule) {
			of = append(of, f)
		}
	}
	return of
}

func withoutRule(found []string, rule string) (without []string) {
	for _, f := range found {
		if !strings.Contains(f, " "+rule) {
			without = append(without, f)
		}
	}
	return without
}
