package porch

import (
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/values"
)

// load makes a package of files.
func load(t *testing.T, files map[string]string) *workspace.Package {
	t.Helper()
	p := &kptpackage.Package{Dir: "pkg", Kptfiles: map[string]*kptpackage.Kptfile{}}
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if path.Base(name) == "Kptfile" {
			kptfile, err := kptpackage.ParseKptfile([]byte(files[name]))
			if err != nil {
				t.Fatal(err)
			}
			p.Kptfiles[path.Dir(name)] = kptfile
		}
	}
	for _, name := range names {
		pkg := "."
		for dir := range p.Kptfiles {
			if strings.HasPrefix(name, dir+"/") {
				pkg = dir
			}
		}
		p.Files = append(p.Files, &kptpackage.File{Path: name, Package: pkg, Text: []byte(files[name])})
	}
	tree, err := workspace.Load(p)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// texts are the files of a package.
func texts(tree *workspace.Package) map[string]string {
	all := map[string]string{}
	for _, file := range tree.FilesOf(tree.Items()) {
		all[file.Path] = string(file.Text)
	}
	return all
}

const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: up
`

func configMap(name, data string) string {
	return `apiVersion: v1
kind: ConfigMap
metadata:
  name: ` + name + `
data:
  a: ` + data + "\n"
}

// What is written into a clone leaves all other lines as they are.
func TestClone(t *testing.T) {
	git := Git{Repo: "https://example.com/r.git", Directory: "up", Ref: "up/v1"}
	for _, tc := range []struct {
		name, before, after string
	}{
		{
			"block",
			`apiVersion: v1
kind: ConfigMap
metadata:
  name: a # the name
  namespace: n
data: {}
`,
			`apiVersion: v1
kind: ConfigMap
metadata: # kpt-merge: n/a
  name: a # the name
  namespace: n
  annotations:
    internal.kpt.dev/upstream-identifier: "|ConfigMap|n|a"
data: {}
`,
		},
		{
			"comment",
			`apiVersion: v1
kind: ConfigMap
metadata: # mine
  name: a
`,
			`apiVersion: v1
kind: ConfigMap
metadata: # kpt-merge: /a
  name: a
  annotations:
    internal.kpt.dev/upstream-identifier: "|ConfigMap|default|a"
`,
		},
		{
			"a copy of a copy",
			`apiVersion: apps/v1
kind: Deployment
metadata: # kpt-merge: n/first
  name: second
  annotations:
    internal.kpt.dev/upstream-identifier: apps|Deployment|n|first
`,
			`apiVersion: apps/v1
kind: Deployment
metadata: # kpt-merge: n/first
  name: second
  annotations:
    internal.kpt.dev/upstream-identifier: apps|Deployment|n|first
`,
		},
		{"two", configMap("a", "1") + "---\n" + configMap("b", "2"), ""},
	} {
		tree, err := Clone{Package: "on", Upstream: git}.Apply(load(t, map[string]string{"Kptfile": kptfile, "a.yaml": tc.before}))
		if err != nil {
			t.Fatal(err)
		}
		got := texts(tree)["a.yaml"]
		if tc.after != "" && got != tc.after {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got, tc.after)
		}
		again, err := Clone{Package: "on", Upstream: git}.Apply(tree)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(texts(tree), texts(again)); diff != "" {
			t.Errorf("%s: again: %s", tc.name, diff)
		}
		if strings.Contains(texts(tree)["Kptfile"], "commit") {
			t.Error("an unknown commit is written")
		}
	}
}

// A known commit is the commit in the upstream lock.
func TestCloneOfCommit(t *testing.T) {
	tree, err := Clone{Package: "on", Upstream: Git{Repo: "r", Directory: "up", Ref: "up/v1", Commit: "abc"}}.Apply(load(t, map[string]string{"Kptfile": kptfile}))
	if err != nil {
		t.Fatal(err)
	}
	d, err := values.Parse(texts(tree)["Kptfile"])
	if err != nil {
		t.Fatal(err)
	}
	commit := func(field string) string { return values.Text(values.Field(d.Root(), field, "git", "commit")) }
	if commit("upstreamLock") != "abc" || commit("upstream") != "" {
		t.Errorf("got %q and %q", commit("upstreamLock"), commit("upstream"))
	}
}

// Each package gets a context of its own, where it had one before or in a new file.
func TestContexts(t *testing.T) {
	tree, err := Clone{Package: "on", IsDeployment: true}.Apply(load(t, map[string]string{
		"Kptfile": kptfile, "package-context.yaml": "# old\n" + configMap("kptfile.kpt.dev", "1") + "---\n" + configMap("z", "1"), "other.yaml": configMap("kptfile.kpt.dev", "2") + "---\n" + configMap("b", "3"),
		"sub/Kptfile": strings.Replace(kptfile, "up", "sub", 1), "sub/package-context.yaml": configMap("b", "4"),
	}))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, item := range tree.Items() {
		if item.Name() == contextName {
			d, err := item.Document()
			if err != nil {
				t.Fatal(err)
			}
			got[workspace.PathOf(item)], _ = values.JSON(values.Field(d.Root(), "data"))
		}
	}
	want := map[string]string{
		"package-context.yaml":     `{"name":"on","package-path":"on"}`,
		"sub/package-context.yaml": `{"name":"sub","package-path":"on"}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if text := texts(tree)["package-context.yaml"]; strings.Index(text, contextName) > strings.Index(text, "name: z\n") {
		t.Errorf("the context is not in the place of the old one:\n%s", text)
	}
}

// upgrade merges, and returns the files without the marks of a copy.
func upgrade(t *testing.T, old, updated, local map[string]string) (map[string]string, error) {
	t.Helper()
	tree, err := Upgrade{Old: load(t, old), New: load(t, updated), Upstream: Git{Repo: "r", Directory: "up", Ref: "up/v2"}}.Apply(load(t, local))
	if err != nil {
		return nil, err
	}
	all := texts(tree)
	for name, text := range all {
		var kept []string
		for line := range strings.Lines(text) {
			if !strings.Contains(line, identifier) && line != "  annotations:\n" {
				line, _, _ = strings.Cut(line, " # "+mergePrefix)
				kept = append(kept, strings.TrimSuffix(line, "\n"))
			}
		}
		all[name] = strings.Join(kept, "\n") + "\n"
	}
	return all, nil
}

// Subpackages are added, kept and left as Porch does.
func TestUpgradeSubpackages(t *testing.T) {
	sub := func(files map[string]string, name, data string) map[string]string {
		files = maps.Clone(files)
		files[name+"/Kptfile"], files[name+"/a.yaml"] = strings.Replace(kptfile, "up", name, 1), configMap("a", data)
		return files
	}
	foreign := func(files map[string]string) map[string]string {
		files["sub/Kptfile"] += "upstream: {type: git, git: {repo: other, directory: x, ref: v1}}\n"
		return files
	}
	base := map[string]string{"Kptfile": kptfile}
	for _, tc := range []struct {
		name                string
		old, updated, local map[string]string
		want                string // of sub/a.yaml
	}{
		{"added upstream", base, sub(base, "sub", "1"), base, "1"},
		{"added here", base, base, sub(base, "sub", "1"), "1"},
		{"removed here", sub(base, "sub", "1"), sub(base, "sub", "2"), base, ""},
		{"removed upstream", sub(base, "sub", "1"), base, sub(base, "sub", "1"), ""},
		{"removed upstream, changed here", sub(base, "sub", "1"), base, sub(base, "sub", "2"), "2"},
		{"changed upstream", sub(base, "sub", "1"), sub(base, "sub", "2"), sub(base, "sub", "1"), "2"},
		{"changed on both sides", sub(base, "sub", "1"), sub(base, "sub", "2"), sub(base, "sub", "3"), "2"},
		{"of another upstream", sub(base, "sub", "1"), sub(base, "sub", "2"), foreign(sub(base, "sub", "1")), "1"},
		{"of another upstream in the old one", foreign(sub(base, "sub", "1")), sub(base, "sub", "2"), sub(base, "sub", "1"), "1"},
		{"of another upstream, added on both sides", base, sub(base, "sub", "1"), foreign(sub(base, "sub", "3")), "3"},
		{"added on both sides", base, sub(base, "sub", "1"), sub(base, "sub", "1"), "error"},
	} {
		got, err := upgrade(t, tc.old, tc.updated, tc.local)
		switch {
		case tc.want == "error":
			if err == nil || err.Error() != "the subpackage sub was added upstream and in the package, which Porch does not merge" {
				t.Errorf("%s: got %v", tc.name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", tc.name, err)
		case tc.want == "" && got["sub/a.yaml"] != "" || tc.want != "" && got["sub/a.yaml"] != configMap("a", tc.want):
			t.Errorf("%s: got\n%s", tc.name, got["sub/a.yaml"])
		case (tc.want == "") != (got["sub/Kptfile"] == ""):
			t.Errorf("%s: got the Kptfile\n%s", tc.name, got["sub/Kptfile"])
		}
	}
}

// Functions without a name are merged by their programs, as long as none has a name. The
// documents that are merged stay as they are: others read them too.
func TestUpgradePipeline(t *testing.T) {
	values.KeepRecent(1<<20, 0)
	defer values.KeepRecent(0, 0)
	with := func(functions string) map[string]string {
		return map[string]string{"Kptfile": kptfile + `pipeline:
  mutators: ` + functions + "\n"}
	}
	for _, tc := range []struct{ old, updated, local, want string }{
		{`[{image: "a:v1"}]`, `[{image: "a:v2"}]`, `[{image: "a:v1"}, {image: "b:v1"}]`, `[{image: "a:v2"}, {image: "b:v1"}]`},
		{`[{exec: a}]`, `[{exec: a}, {exec: c}]`, `[{exec: a, configMap: {x: "1"}}]`, `[{exec: a, configMap: {x: "1"}}, {exec: c}]`},
		{`[{exec: a}]`, `[{exec: a}]`, `[{exec: b}]`, `[{exec: b}]`},
		{`[{exec: a}]`, `[{exec: a}, {exec: c}]`, `[{exec: a}, {exec: b}, {exec: a}]`, `[{exec: a}, {exec: c}]`},
		{`[{image: "a:v1"}]`, `[{image: "a:v2"}]`, `[{image: "b:v1", name: own}, {image: "a:v1"}]`, `[{image: "a:v2"}]`},
		{`[{image: "a:v1", name: x}]`, `[{image: "b:v1", name: x}]`, `[{image: "a:v1", name: x}, {exec: c, name: _own}]`, `[{image: "b:v1", name: x}, {exec: c, name: _own}]`},
		{`[{exec: a}]`, `[]`, `[{exec: a}, {exec: b}]`, `[{exec: b}]`},
	} {
		got, err := upgrade(t, with(tc.old), with(tc.updated), with(tc.local))
		if err != nil {
			t.Fatal(err)
		}
		for _, functions := range []string{tc.old, tc.updated, tc.local} {
			kept, err := values.Parse(with(functions)["Kptfile"])
			if err != nil {
				t.Fatal(err)
			}
			var fresh yaml.Node
			if err := yaml.Unmarshal([]byte(kept.Text()), &fresh); err != nil || !values.Equal(kept.Root(), fresh.Content[0]) {
				t.Errorf("%s has changed: %v", functions, err)
			}
		}
		read := func(text string) string {
			d, err := values.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			out, _ := values.JSON(values.Field(d.Root(), "pipeline", "mutators"))
			return out
		}
		if diff := cmp.Diff(read(with(tc.want)["Kptfile"]), read(got["Kptfile"])); diff != "" {
			t.Errorf("%s + %s: %s", tc.updated, tc.local, diff)
		}
	}
}

// A resource that is gone upstream stays if the package has changed it. Of JSON, which has no
// comments to keep, the package has its own or the newer one as a whole.
func TestUpgradeResources(t *testing.T) {
	json := func(a, b string) string {
		return `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "` + a + `", "b": "` + b + `"}}` + "\n"
	}
	for _, tc := range []struct{ name, file, old, updated, local, want string }{
		{"gone upstream", "a.yaml", configMap("a", "1"), "", configMap("a", "1"), ""},
		{"gone upstream, changed here", "a.yaml", configMap("a", "1"), "", configMap("a", "2"), configMap("a", "2")},
		{"gone here", "a.yaml", configMap("a", "1"), configMap("a", "2"), "", ""},
		{"new upstream", "a.yaml", "", configMap("a", "1"), "", configMap("a", "1")},
		{"new on both sides", "a.yaml", "", configMap("a", "1"), configMap("a", "2"), configMap("a", "1")},
		{"the same on both sides", "a.yaml", "", configMap("a", "1"), "# mine\n" + configMap("a", "1"), "# mine\n" + configMap("a", "1")},
		{"JSON, gone upstream", "a.json", json("1", "1"), "", json("1", "1"), ""},
		{"JSON, changed upstream", "a.json", json("1", "1"), json("2", "1"), json("1", "1"), json("2", "1")},
		{"JSON, changed on both sides", "a.json", json("1", "1"), json("2", "1"), json("1", "2"), json("1", "2")},
	} {
		with := func(text string) map[string]string {
			files := map[string]string{"Kptfile": kptfile}
			if text != "" {
				files[tc.file] = text
			}
			return files
		}
		got, err := upgrade(t, with(tc.old), with(tc.updated), with(tc.local))
		if err != nil {
			t.Fatal(err)
		}
		if got[tc.file] != tc.want {
			t.Errorf("%s: got\n%s\nwant\n%s", tc.name, got[tc.file], tc.want)
		}
	}
}

// Of the metadata of a Kptfile labels and annotations are merged. The name is the package's.
func TestUpgradeKptfile(t *testing.T) {
	with := func(name, more, label string) map[string]string {
		return map[string]string{"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: ` + name + "\n" + more + `  labels:
    a: ` + label + `
info:
  description: ` + label + `
status:
  conditions:
  - {type: a, status: ` + label + `}
inventory:
  name: ` + label + "\n"}
	}
	got, err := upgrade(t, with("up", "", "old"), with("newer", "  namespace: newer\n", "new"), with("mine", "", "old"))
	if err != nil {
		t.Fatal(err)
	}
	d, err := values.Parse(got["Kptfile"])
	if err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{
		"metadata": `{"labels":{"a":"new"},"name":"mine"}`, "info": `{"description":"new"}`,
		"status": `{"conditions":[{"status":"new","type":"a"}]}`, "inventory": `{"name":"new"}`,
	} {
		if got, _ := values.JSON(values.Field(d.Root(), field)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// A pipeline that has no functions left has no list of them, and a field that is gone upstream
// goes.
func TestUpgradeRemoves(t *testing.T) {
	with := func(rest string) map[string]string { return map[string]string{"Kptfile": kptfile + rest} }
	for name, tc := range map[string]struct{ old, updated, local, want string }{
		"the last function":  {"pipeline: {mutators: [{exec: a}], validators: [{exec: b}]}\n", "pipeline: {mutators: [], validators: [{exec: b}]}\n", "pipeline: {mutators: [{exec: a}], validators: [{exec: b}]}\n", `{"validators":[{"exec":"b"}]}`},
		"the last validator": {"pipeline: {mutators: [{exec: b}], validators: [{exec: a}]}\n", "pipeline: {mutators: [{exec: b}], validators: []}\n", "pipeline: {mutators: [{exec: b}], validators: [{exec: a}]}\n", `{"mutators":[{"exec":"b"}]}`},
		"all":                {"pipeline: {mutators: [{exec: a}]}\n", "", "pipeline: {mutators: [{exec: a}]}\n", "{}"},
		"of the package":     {"", "", "pipeline: {mutators: [{exec: a}]}\n", `{"mutators":[{"exec":"a"}]}`},
		"validators":         {"pipeline: {validators: [{image: 'a:v1'}]}\n", "pipeline: {validators: [{image: 'a:v2'}]}\n", "pipeline: {validators: [{image: 'a:v1'}, {exec: b}]}\n", `{"validators":[{"image":"a:v2"},{"exec":"b"}]}`},
	} {
		got, err := upgrade(t, with(tc.old), with(tc.updated), with(tc.local))
		if err != nil {
			t.Fatal(err)
		}
		d, err := values.Parse(got["Kptfile"])
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		if n := values.Field(d.Root(), "pipeline"); n != nil {
			text, _ = values.JSON(n)
		}
		if text != tc.want {
			t.Errorf("%s: got %s, want %s", name, text, tc.want)
		}
	}
}

// Resources that are added to a file come after those that it has, each in its place.
func TestUpgradeAddsToFiles(t *testing.T) {
	with := func(texts ...string) map[string]string {
		return map[string]string{"Kptfile": kptfile, "a.yaml": strings.Join(texts, "---\n")}
	}
	one, two, three, own := configMap("a", "1"), configMap("b", "1"), configMap("c", "1"), configMap("own", "1")
	got, err := upgrade(t, with(one), with(one, two, three), with(one, own))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join([]string{one, own, two, three}, "---\n"); got["a.yaml"] != want {
		t.Errorf("got\n%s\nwant\n%s", got["a.yaml"], want)
	}
}

// A resource that is twice in a file cannot be merged.
func TestUpgradeDuplicates(t *testing.T) {
	base := map[string]string{"Kptfile": kptfile, "a.yaml": configMap("a", "1") + "---\n" + configMap("a", "2")}
	if _, err := upgrade(t, base, base, base); err == nil || !strings.Contains(err.Error(), "a.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestMergeFiles(t *testing.T) {
	got := MergeFiles(
		map[string]string{"same": "1", "theirs": "1", "ours": "1", "gone": "1", "kept": "1", "deleted": "1"},
		map[string]string{"same": "1", "theirs": "2", "ours": "2", "deleted": "1", "new": "1"},
		map[string]string{"same": "1", "theirs": "1", "ours": "3", "gone": "1", "kept": "2", "own": "1"})
	want := map[string]string{"same": "1", "theirs": "2", "ours": "3", "kept": "2", "own": "1", "new": "1", "deleted": "1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The comment of a merge is in the line of the metadata, in block form.
func TestWithComment(t *testing.T) {
	for text, want := range map[string]struct{ text, origin string }{
		`kind: A
metadata:
  name: a
`: {`kind: A
metadata: # kpt-merge: n/a
  name: a
`, "n/a"},
		"metadata:  \r\n  name: a\r\n": {"metadata: # kpt-merge: n/a\r\n  name: a\r\n", "n/a"},
		`metadata: # mine
  name: a
`: {`metadata: # kpt-merge: n/a
  name: a
`, "n/a"},
		"metadata: # kpt-merge: m/first \n  name: a\n": {"metadata: # kpt-merge: m/first \n  name: a\n", "m/first"},
		"metadata: {name: a} # kpt-merge: m/first\n":   {"metadata: {name: a} # kpt-merge: m/first\n", "n/a"},
		`metadata: {name: a}
metadata:
`: {`metadata: {name: a}
metadata:
`, "n/a"},
		"  metadata:\n": {"  metadata:\n", "n/a"},
		"metadata:":     {"metadata: # kpt-merge: n/a", "n/a"},
	} {
		if got, origin := withComment(text, "n/a"); got != want.text || origin != want.origin {
			t.Errorf("%q: got %q, %q", text, got, origin)
		}
	}
}

// Files that kpt does not read are marked as others are, if Porch reads them.
func TestIdentifyFile(t *testing.T) {
	file := workspace.File{Path: "sub/a.yml", Text: []byte(configMap("a", "1") + "---\n" + configMap("b", "1"))}
	got, err := IdentifyFile(file)
	if err != nil || strings.Count(string(got.Text), "# kpt-merge: ") != 2 || got.Path != file.Path {
		t.Errorf("got %s, %v", got.Text, err)
	}
	for name, text := range map[string]string{"a.txt": configMap("a", "1"), "a.json": configMap("a", "1"), "a.yaml": "kind: A\n"} {
		if got, err := IdentifyFile(workspace.File{Path: name, Text: []byte(text)}); err != nil || string(got.Text) != text {
			t.Errorf("%s: got %s, %v", name, got.Text, err)
		}
	}
	if _, err := IdentifyFile(workspace.File{Path: "a.yaml", Text: []byte("a: [")}); err == nil || !strings.HasPrefix(err.Error(), "a.yaml: ") {
		t.Errorf("got %v", err)
	}
}
