package transfer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

// edgeProfile has what exported profiles have: wildcards, masked values, manifests, two packs
// of one name, fields that are not known, whitespace at the ends of lines.
const edgeProfile = `{"metadata": {"name": "Edge Site", "description": "first\nsecond ", "labels": {"team": "edge", "on": "spectro__tag"}, "uid": "5e20"},
 "apiVersion": "v1", "spec": {"version": "1.2.0", "extra": [1, 1.50, null, {"a": "<&>"}],
 "template": {"type": "cluster", "cloudType": "edge-native", "edition": null, "packs": [
  {"name": "registry", "type": "spectro", "layer": "addon", "version": "2.3.0", "tag": "2.3.x",
   "values": "# a comment \npack:\n  spectrocloud.com/display-name: main\t\ncharts:\n  registry:\n    port: 5001\r\n    text: |\n      kept  \n",
   "registry": {"metadata": {"uid": "1", "name": "Public", "kind": "pack", "isPrivate": false}, "matchingRegistries": null}},
  {"name": "registry", "layer": "addon", "version": "2.3.0", "values": "pack: {spectrocloud.com/display-name: Mirror}\n", "manifests": null, "registry": {"metadata": {}}},
  {"name": "dns-1--dns", "version": "9.9.9", "values": "password: '********'", "registry": {}},
  {"name": "my-manifests", "type": "manifest", "layer": "addon", "values": "", "manifests": [{"name": "m", "content": "kind: A\n---\nkind: B  \n"}, {"name": "n", "content": "😀", "new": true}]},
  {"name": "ingress", "layer": "addon", "version": "1.11.3", "params": {"a": "b"}},
  {"name": "gone", "values": null}
 ]},
 "variables": [{"name": "port", "format": "number", "defaultValue": "5001", "required": true, "hidden": false, "options": null}, {"name": "secret", "defaultValue": "****", "isSensitive": true}]}}`

func importProfile(t testing.TB, to, text string, options transfer.Options) (*transfer.Plan, error) {
	p, err := transfer.ReadProfile("profile.json", []byte(text))
	if err != nil {
		return nil, err
	}
	if options.Sources == nil {
		if options.Sources, err = packdir.OpenSources([]string{"../../../../docs/packs"}); err != nil {
			t.Fatal(err)
		}
	}
	options.Profiles = []*transfer.Profile{p}
	plan, err := transfer.Import(to, nil, options)
	if err != nil {
		return nil, err
	}
	return plan, (&staging.Area{}).Write(context.Background(), plan.Changes)
}

func exportProfile(t testing.TB, dir string) (string, []string) {
	t.Helper()
	p, err := kptpackage.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, notes, err := transfer.ExportProfile(p, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), notes
}

func isSameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	read := func(text string) (out any) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&out); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return out
	}
	return reflect.DeepEqual(read(a), read(b))
}

func TestProfileComesBack(t *testing.T) {
	for _, options := range []transfer.Options{{}, {Exact: true}, {Form: transfer.Pack}, {Sources: &packdir.Sources{}}} {
		dir := t.TempDir()
		plan, err := importProfile(t, dir, edgeProfile, options)
		if err != nil {
			t.Fatal(err)
		}
		text, notes := exportProfile(t, dir)
		if !isSameJSON(t, edgeProfile, text) || len(notes) > 0 {
			t.Errorf("%+v: %v\n%s", options, notes, text)
		}
		for _, name := range []string{"main--registry", "mirror--registry", "dns-1--dns", "my-manifests", "ingress", "gone", "edge-site"} {
			if _, err := os.Stat(filepath.Join(dir, name+".yaml")); err != nil {
				t.Error(err)
			}
		}
		all := strings.Join(plan.Notes, "\n")
		for _, want := range []string{"no source has ", "dns 9.9.9, ", "gone; ", "masked the variable secret, line 1 of the values of dns-1--dns;"} {
			if !strings.Contains(all, want) {
				t.Errorf("no %q in\n%s", want, all)
			}
		}
		// kpt changes nothing.
		for _, change := range plan.Changes {
			if formatted, err := kptpackage.Format(change.Text); err != nil || string(formatted) != string(change.Text) {
				t.Errorf("%s: kpt lays it out differently: %v", change.Path, err)
			}
		}
		// A second import does nothing.
		if again, err := importProfile(t, dir, edgeProfile, options); err != nil || len(again.Changes) > 0 || !strings.Contains(strings.Join(again.Notes, "\n"), "nothing to do") {
			t.Errorf("again: %v %+v", err, again)
		}
		changed := strings.Replace(edgeProfile, "5001", "5002", 1)
		if _, err := importProfile(t, dir, changed, options); err == nil || !strings.Contains(err.Error(), "use --force") {
			t.Errorf("a changed profile: %v", err)
		}
		options.Force = true
		if _, err := importProfile(t, dir, changed, options); err != nil {
			t.Error(err)
		}
		if text, _ := exportProfile(t, dir); !isSameJSON(t, changed, text) {
			t.Errorf("by force:\n%s", text)
		}
	}
}

// What a user changes is in the export, and nothing else changes.
func TestProfileExportHasEdits(t *testing.T) {
	dir := t.TempDir()
	if _, err := importProfile(t, dir, edgeProfile, transfer.Options{}); err != nil {
		t.Fatal(err)
	}
	edit := func(name, old, new string) {
		t.Helper()
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil || strings.Count(string(text), old) != 1 {
			t.Fatalf("%s: %d times %q in\n%s", name, strings.Count(string(text), old), old, text)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), old, new, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("mirror--registry.yaml", "display-name: Mirror}", "display-name: Mirror, a: 1}")
	edit("ingress.yaml", "replicas: 2", "replicas: 3")
	edit("edge-site.yaml", `defaultValue: "5001"`, `defaultValue: "5002"`)
	edit("edge-site.yaml", "cloudType: edge-native", "cloudType: aws")
	var got map[string]any
	text, _ := exportProfile(t, dir)
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	spec := got["spec"].(map[string]any)
	template := spec["template"].(map[string]any)
	packs := template["packs"].([]any)
	values := func(i int) string { return fmt.Sprint(packs[i].(map[string]any)["values"]) }
	if template["cloudType"] != "aws" || spec["variables"].([]any)[0].(map[string]any)["defaultValue"] != "5002" ||
		!strings.Contains(values(1), "a: 1") || !strings.Contains(values(4), "replicas: 3") || !strings.Contains(values(0), "# a comment \n") {
		t.Error(text)
	}
}

// Any profile comes back, whatever fields it has.
func TestEveryProfileComesBack(outer *testing.T) {
	sources, err := packdir.OpenSources([]string{"../../../../docs/packs"})
	if err != nil {
		outer.Fatal(err)
	}
	texts := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "true", "1.30", "~", "- x", "a: b", "x \ny\t\r\n", "<<", "\r", "é\u2028", "{{ .spectro.var.x }}", "2001-01-01"}), rapid.String())
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		plain := []*rapid.Generator[any]{texts.AsAny(), rapid.Bool().AsAny(), rapid.IntRange(-1e9, 1e9).AsAny(), rapid.Just[any](nil), rapid.Just[any](1.5)}
		if depth > 0 {
			plain = append(plain, rapid.Custom(func(t *rapid.T) any {
				return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
			}), rapid.Custom(func(t *rapid.T) any {
				return rapid.MapOfN(rapid.StringMatching(`[a-zA-Z<~ 0-9]{1,8}`), value(depth-1), 0, 3).Draw(t, "map")
			}))
		}
		return rapid.OneOf(plain...)
	}
	extra := func(t *rapid.T, into map[string]any) map[string]any {
		for key, v := range rapid.MapOfN(rapid.StringMatching(`x[a-zA-Z. ]{6,12}`), value(2), 0, 2).Draw(t, "extra") {
			into[key] = v
		}
		return into
	}
	rapid.Check(outer, func(t *rapid.T) {
		var packs []any
		for range rapid.IntRange(0, 5).Draw(t, "packs") {
			p := extra(t, map[string]any{"name": rapid.SampledFrom([]string{"registry", "ingress", "other", "a--registry", "Ä"}).Draw(t, "name")})
			for _, field := range []string{"version", "tag"} {
				if rapid.Bool().Draw(t, field) {
					p[field] = rapid.SampledFrom([]string{"2.3.0", "2.3.x", "1.11.3", "9"}).Draw(t, field)
				}
			}
			switch rapid.IntRange(0, 3).Draw(t, "values") {
			case 0:
				p["values"] = texts.Draw(t, "values")
			case 1:
				p["values"] = "pack: {spectrocloud.com/display-name: " + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "display") + "}  \nb: 1\t\nc: |\n  x  \n"
			case 2:
				p["values"] = nil
			}
			if rapid.Bool().Draw(t, "registry") {
				p["registry"] = rapid.SampledFrom([]any{nil, map[string]any{}, map[string]any{"metadata": nil}, map[string]any{"metadata": map[string]any{}, "x": 1}, map[string]any{"metadata": map[string]any{"uid": "1", "isPrivate": true}, "matchingRegistries": []any{}}}).Draw(t, "registry")
			}
			if rapid.Bool().Draw(t, "manifests") {
				p["manifests"] = []any{map[string]any{"name": "m", "content": texts.Draw(t, "content")}}
			}
			packs = append(packs, p)
		}
		if packs == nil {
			packs = []any{}
		}
		spec := extra(t, map[string]any{"template": extra(t, map[string]any{"packs": packs})})
		if rapid.Bool().Draw(t, "variables") {
			spec["variables"] = []any{extra(t, map[string]any{"name": "v", "defaultValue": texts.Draw(t, "default")})}
		}
		text, err := json.Marshal(extra(t, map[string]any{"metadata": extra(t, map[string]any{"name": "p", "description": texts.Draw(t, "description")}), "spec": spec}))
		if err != nil {
			t.Fatal(err)
		}
		dir, err := os.MkdirTemp(outer.TempDir(), "p")
		if err != nil {
			t.Fatal(err)
		}
		form := rapid.SampledFrom([]transfer.Form{transfer.ConfigMap, transfer.Pack}).Draw(t, "form")
		if _, err := importProfile(outer, dir, string(text), transfer.Options{Sources: sources, Form: form}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if out, _ := exportProfile(outer, dir); !isSameJSON(outer, string(text), out) {
			t.Fatalf("in\n%s\nout\n%s", text, out)
		}
	})
}

func TestProfileFaults(t *testing.T) {
	replace := func(old, new string) string { return strings.Replace(edgeProfile, old, new, 1) }
	for _, tc := range []struct{ name, text, want string }{
		{"broken JSON", replace(`"metadata": {`, "\n\"metadata\": {,"), "profile.json:2:14: "},
		{"no profile", `{"spec": {}}`, "profile.json: not a cluster profile that Palette exported: it has no metadata"},
		{"a list", `[]`, "profile.json:1:1: not a cluster profile"},
		{"the answer of the API", `{"metadata": {"name": "a"}, "spec": {"published": {"packs": []}}}`, "it has no spec.template;"},
		{"an unknown type of profile", replace(`"type": "cluster"`, `"type": "clutser"`), `profile.json:3:23: spec.template.type: must be "cluster", "infra", "add-on" or "system", got "clutser". Did you mean "cluster"?`},
		{"an unknown type of pack", replace(`"type": "spectro"`, `"type": "spectre"`), `spec.template.packs[0].type: must be "spectro", "helm", "manifest" or "oci", got "spectre"`},
		{"an unknown format", replace(`"format": "number"`, `"format": "int"`), `spec.variables[0].format: must be "string", "number",`},
		{"two variables of one name", replace(`"name": "secret"`, `"name": "port"`), `spec.variables[1].name: the variable "port" is also defined in variables[0]`},
		{"a key twice", replace(`"uid": "5e20"`, `"uid": "5e20", "name": "b"`), "profile.json:1:134: metadata.name: duplicate key"},
		{"values that are not text", replace(`"values": null`, `"values": {"a": 1}`), "profile.json:11:30: spec.template.packs: the values of gone: must be a string, got a map"},
		{"a pack without a name", replace(`"name": "gone", `, ``), "profile.json:11:3: spec.template.packs: an entry is not a pack, because it has no name"},
		{"a pack without a name that has another fault", strings.Replace(replace(`"name": "gone", `, ``), `"values": null`, `"values": {"a": 1}`, 1), "profile.json:11:3: spec.template.packs: an entry is not a pack, because it has no name"},
		{"a field of a ClusterProfile", replace(`"values": null`, `"packRef": 1`), `the field "packRef" of a pack cannot be kept`},
		{"a number as a default", replace(`"defaultValue": "5001"`, `"defaultValue": 5001`), "spec.variables[0].defaultValue: must be a string, got a number. Put it in quotes"},
	} {
		dir := filepath.Join(t.TempDir(), "pkg")
		_, err := importProfile(t, dir, tc.text, transfer.Options{})
		if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", tc.name, err)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: something is written", tc.name)
		}
	}
}

// A profile of the type cluster has all packs of a cluster.
func TestProfileIsWhole(t *testing.T) {
	for kind, want := range map[string]bool{"cluster": true, "infra": false, "add-on": false} {
		p, err := transfer.ReadProfile("profile.json", []byte(strings.Replace(edgeProfile, `"type": "cluster"`, fmt.Sprintf(`"type": %q`, kind), 1)))
		if err != nil {
			t.Fatal(err)
		}
		if p.IsWhole() != want {
			t.Errorf("%s: got %v", kind, p.IsWhole())
		}
	}
}

// A pack that is there already is not replaced.
func TestProfileKeepsOthers(t *testing.T) {
	dir := t.TempDir()
	plan, err := transfer.Import(dir, []string{"../../../../docs/packs/ingress-1.11.3"}, transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := (&staging.Area{}).Write(context.Background(), plan.Changes); err != nil {
		t.Fatal(err)
	}
	for _, force := range []bool{false, true} {
		if _, err := importProfile(t, dir, edgeProfile, transfer.Options{Force: force}); err == nil || !strings.Contains(err.Error(), "ingress.yaml is there already, and no profile was imported to it") {
			t.Errorf("%v", err)
		}
	}
}

// The newer version of a pack of a profile needs the older one, for the edits.
func TestProfileUpgrade(t *testing.T) {
	const packs = "../../../../docs/packs"
	sources, err := packdir.OpenSources([]string{packs})
	if err != nil {
		t.Fatal(err)
	}
	profile := `{"metadata": {"name": "edge"}, "spec": {"template": {"packs": [{"name": "cache", "version": "1.4.0", "tag": "1.4.x", "values": "server:\n  replicas: 7\n"}]}}}`
	for _, tc := range []struct {
		imported, sources *packdir.Sources
		from, want        string
	}{
		{sources, sources, "", ""},
		{sources, nil, packs + "/cache-1.4.0", ""},
		{sources, nil, "", "name the folder with the directory of cache 1.4.0 with --source"},
		{&packdir.Sources{}, sources, "", "with --source, and import the profile again with --source and --force"},
		{sources, nil, packs + "/cache-1.5.0", "is not what"},
	} {
		dir := t.TempDir()
		if _, err := importProfile(t, dir, profile, transfer.Options{Sources: tc.imported}); err != nil {
			t.Fatal(err)
		}
		target, err := transfer.OpenTarget(dir)
		if err != nil {
			t.Fatal(err)
		}
		target.Sources = tc.sources
		n, err := target.Newer(packs+"/cache-1.5.0", tc.from)
		if tc.want != "" {
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v; want %s", err, tc.want)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if n.Base == nil || strings.Contains(string(n.Base), "replicas: 7") || !strings.Contains(string(n.After), `"values":"`) {
			t.Errorf("base %s\nafter %s", n.Base, n.After)
		}
		if err := os.WriteFile(n.Path, n.After, 0o644); err != nil {
			t.Fatal(err)
		}
		text, notes := exportProfile(t, dir)
		if !strings.Contains(text, `"version": "1.5.0"`) || !strings.Contains(text, `"tag": "1.5.0"`) || len(notes) != 1 || !strings.Contains(notes[0], "the version of cache is 1.5.0, that of its resource; the profile has 1.4.0") {
			t.Errorf("%v\n%s", notes, text)
		}
	}
}

// Whatever a profile has, it is read or refused.
func FuzzProfile(f *testing.F) {
	f.Add(edgeProfile)
	f.Add(`{"metadata": {"name": "a", "labels": []}, "spec": {"template": {"packs": [null, 1, {"name": "a", "registry": "x", "manifests": {}}]}, "variables": {}}}`)
	f.Add(`{"metadata": {"name": {}}, "spec": {"template": {"packs": {}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		transfer.IsProfile([]byte(text))
		p, err := transfer.ReadProfile("profile.json", []byte(text))
		if err != nil {
			return
		}
		items, _, err := p.Items(&packdir.Sources{}, func(string, ...any) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			if _, err := item.Document(); err != nil {
				t.Fatalf("%v\n%s", err, item.Text())
			}
		}
	})
}

// What a source has, what it lacks, and what is there already decides how a profile is imported.
func TestProfileImportNotes(t *testing.T) {
	profile := func(packs string) string {
		return `{"metadata": {"name": "edge"}, "spec": {"template": {"packs": [` + packs + `]}}}`
	}
	const cache = `{"name": "cache", "version": "1.4.0", "values": "a: 1\n"}`
	dir := t.TempDir()
	plan, err := importProfile(t, dir, profile(`{"name": "cache", "version": "7.0.0"}, {"name": "none", "tag": "3.1.0"}, {"name": "none2", "tag": "3.1.x", "layer": "addon"}, {"name": "none", "tag": "3.1.0"}, {"name": "m", "type": "manifest"}`), transfer.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(plan.Notes, "\n"); !strings.Contains(got, "no source has cache 7.0.0 (there is 1.4.0, 1.5.0), none 3.1.0, none2; ") {
		t.Errorf("got %s", got)
	}
	for name, want := range map[string]string{"none2.yaml": `"layer": "addon"`, "none.yaml": `"version": "3.1.0"`} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !strings.Contains(string(text), want) || strings.Contains(string(text), "3.1.x") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}

	for name, tc := range map[string]struct {
		change func(dir string) error
		want   string
	}{
		"a pack is gone":       {func(dir string) error { return os.Remove(filepath.Join(dir, "cache.yaml")) }, "differs from what was imported (cache): use --force"},
		"the profile is there": {func(string) error { return nil }, ""},
		"another file is there": {func(dir string) error {
			return errors.Join(os.Remove(filepath.Join(dir, "edge.yaml")), os.WriteFile(filepath.Join(dir, "edge.yaml"), []byte("# a note\n"), 0o600))
		}, "is there already"},
	} {
		dir := t.TempDir()
		if _, err := importProfile(t, dir, profile(cache), transfer.Options{}); err != nil {
			t.Fatal(err)
		}
		if err := tc.change(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := importProfile(t, dir, profile(cache), transfer.Options{}); tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// A file that is not the profile is not replaced, not even by force.
	dir = files(t, map[string]string{"edge.yaml": "# a note\n"})
	if _, err := importProfile(t, dir, profile(cache), transfer.Options{Force: true}); err == nil || !strings.Contains(err.Error(), "edge.yaml is there already, and is not the ClusterProfile; rename the file") {
		t.Errorf("a note: got %v", err)
	}
}

// The resource of a profile has a name of its own, also beside a pack of its name, and two
// imports cannot have one.
func TestNamesOfProfiles(t *testing.T) {
	profile := func(name string) string {
		return `{"metadata": {"name": "` + name + `"}, "spec": {"template": {"packs": [{"name": "cache", "version": "1.4.0", "values": "a: 1\n"}]}}}`
	}
	for name, want := range map[string]string{"edge": "edge.yaml", "cache": "cache-profile.yaml", "Edge Site": "edge-site.yaml", "!!": "profile.yaml"} {
		dir := t.TempDir()
		if _, err := importProfile(t, dir, profile(name), transfer.Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if text, err := os.ReadFile(filepath.Join(dir, want)); err != nil || !strings.Contains(string(text), "kind: ClusterProfile") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	options := transfer.Options{Sources: &packdir.Sources{}}
	for _, name := range []string{"one", "two"} {
		p, err := transfer.ReadProfile(name+".json", []byte(profile("same")))
		if err != nil {
			t.Fatal(err)
		}
		options.Profiles = append(options.Profiles, p)
	}
	if _, err := transfer.Import(t.TempDir(), nil, options); err == nil || !strings.Contains(err.Error(), "and another import have one name, cache; import them into two packages") {
		t.Errorf("two profiles: %v", err)
	}
}
