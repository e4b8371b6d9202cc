package check

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
	packpkg "github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// A preset that is taken back is no longer recorded, and the values stay as they are.
func TestUndo(t *testing.T) {
	const pack = `apiVersion: v1
kind: ConfigMap
metadata:
  name: a # é
data:
  pack.json: '{"name": "a", "version": "1.0.0"}'
  values.yaml: |
    # spectrocloud.com/enabled-presets: G:x, Size:large
    replicas: 1
    # the hosts
    hosts: [a]
    empty: {}
  presets.yaml: |
    presets:
    - name: watched
      add: {metrics: {enabled: true, port: 9}}
    - name: large
      group: Size
      remove: [hosts]
      add: {replicas: 3, more: 1}
    - name: same
      add: {replicas: 1}
`
	for _, tc := range []struct {
		name          string
		apply         []string
		old, become   string // an edit of the user
		undo          string
		kept          []string
		removed, left string // of the original text
	}{
		{
			"adds a map", []string{"watched"}, "", "", "watched", []string{"metrics.enabled", "metrics.port"}, "empty: {}\n",
			`empty: {}
    metrics: {enabled: true, port: 9}
`,
		},
		{"changes nothing", []string{"same"}, "", "", "same", []string{"replicas"}, "", ""},
		{
			"an edit", []string{"watched"}, "port: 9", "port: 10", "watched", []string{"metrics.enabled"}, "empty: {}\n",
			`empty: {}
    metrics: {enabled: true, port: 10}
`,
		},
		{
			"replaces and removes", []string{"Size:large"}, "", "", "Size:large", []string{"replicas", "more"},
			`G:x, Size:large
    replicas: 1
    # the hosts
    hosts: [a]
    empty: {}
`,
			`G:x
    replicas: 3
    empty: {}
    more: 1
`,
		},
		{"one of two", []string{"watched", "same"}, "", "", "watched", []string{"metrics.enabled", "metrics.port"}, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "a.yaml")
			options := Options{Root: dir, Files: Files{Replace: map[string][]byte{}}}
			read := func(text string) *Pack {
				options.Replace[file] = []byte(text)
				packs, err := Packs([]string{dir}, options)
				if err != nil || len(packs) != 1 {
					t.Fatal(packs, err)
				}
				return &packs[0]
			}
			if err := os.WriteFile(file, []byte(pack), 0o600); err != nil {
				t.Fatal(err)
			}
			text := pack
			for _, name := range tc.apply {
				config, err := values.Parse(`apiVersion: v1
kind: ConfigMap
metadata: {name: c}
data: {a: "` + name + `"}
`)
				if err != nil {
					t.Fatal(err)
				}
				p := read(text)
				changed := p.Edit(func(items []*list.Item) { pipeline.Run(preset.Function(), config.Root(), items) })
				if len(p.Changed(func([]*list.Item) {})) > 0 {
					t.Error("an edit of copies changes the pack")
				}
				text = string(changed[file])
			}
			if tc.old != "" {
				text = strings.Replace(text, tc.old, tc.become, 1)
			}
			p := read(text)
			presets, _ := p.ReadPresets()
			undone := presets[slices.IndexFunc(presets, func(one packpkg.Preset) bool { return preset.FullName(one) == tc.undo })]
			kept, err := preset.Undo(p.Layers()[0], undone)
			if err != nil || !slices.Equal(kept, tc.kept) {
				t.Errorf("got %q, %v", kept, err)
			}
			got := string(p.Changed(func([]*list.Item) {})[file])
			want := strings.Replace(pack, tc.removed, tc.left, 1)
			if len(tc.apply) > 1 { // the other one stays recorded
				record, _ := preset.ParseRecord(list.FileItems([]byte(got), "a")[0].Annotation(preset.RecordAnnotation))
				if len(record) != 1 || record[0] != ":same" {
					t.Errorf("got %v", record)
				}
				return
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if _, err := preset.Undo(read(got).Layers()[0], undone); err == nil {
				t.Error("a preset that is not recorded is taken back")
			}
		})
	}
}

// Packs that can be read are there beside others that cannot.
func TestReadable(t *testing.T) {
	dir := t.TempDir()
	const text = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec: {version: 1.0.0}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: b}
spec: {verson: 1.0.0}
`
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	options := Options{Root: dir}
	packs, err := Readable([]string{dir}, options)
	if err != nil || len(packs) == 0 || packs[0].Name != "a" {
		t.Errorf("got %v, %v", packs, err)
	}
	if _, err := Packs([]string{dir}, options); err == nil {
		t.Error("Packs has no error")
	}
	// Resources that checks read are there, without a pack.
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "a.yaml"), []byte(`apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	if packs, err := Packs([]string{other}, options); err != nil || len(packs) > 0 {
		t.Errorf("no pack: got %v, %v", packs, err)
	}
}

// Texts replace the files of packages and of pack directories before the packs are read.
func TestPacksOfReplacedFiles(t *testing.T) {
	dir := folderOf(t, map[string]string{"x/Kptfile": kptfileHead, "x/a.yaml": packNamed("a"), "p/pack.json": `{"name": "p", "version": "1.0.0"}`})
	for name, tc := range map[string]struct {
		file, text, want string
	}{
		"of a package":                   {"x/a.yaml", packNamed("b"), "p, b"},
		"of a pack directory":            {"p/pack.json", strings.Replace(`{"name": "p", "version": "1.0.0"}`, `"p"`, `"q"`, 1), "q, a"},
		"a Kptfile that cannot be read":  {"x/Kptfile", "a: [\n", "x/Kptfile: cannot be read: a value is missing here: write one, or remove the comma or bracket (line 1)"},
		"a resource that cannot be read": {"x/a.yaml", strings.Replace(packNamed("a"), "spec:", "spce:", 1), `x/a.yaml: spce: unknown field "spce". Did you mean "spec"?`},
		"another file":                   {"y/a.yaml", packNamed("b"), "p, a"},
	} {
		packs, err := Packs([]string{dir}, Options{Root: dir, Files: Files{Replace: map[string][]byte{filepath.Join(dir, tc.file): []byte(tc.text)}}})
		var names []string
		for _, p := range packs {
			names = append(names, p.Name)
		}
		got := strings.Join(names, ", ")
		if err != nil {
			got = below(dir, err.Error())
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
	if _, err := Packs([]string{filepath.Join(dir, "z")}, Options{Root: dir}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there: %v", err)
	}
	if _, err := Packs([]string{dir}, Options{Root: dir, Library: Library{Sources: []string{filepath.Join(dir, "z")}}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a source that is not there: %v", err)
	}
}
