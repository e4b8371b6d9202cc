package check

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
)

// Texts that are read in place of files are judged, also those of Kptfiles and of pack
// directories.
func TestReplace(t *testing.T) {
	cluster := strings.Replace(contextText, "NAME", "prod", 1)
	dir := folderOf(t, map[string]string{
		"x/Kptfile": kptfileHead, "x/a.yaml": packNamed("a"), "b.yaml": packNamed("b"), "k.yaml": cluster, "l.yaml": cluster,
		"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/values.yaml": "port: 7\n", "p/schema.yaml": "port:\n  schema: '{{ format \"${number:[1-5]}\" }}'\n",
	})
	// Each of the two is a unit of its own.
	fixed := func(text string) []byte { return []byte(strings.Replace(text, "port: 7", "port: 3", 1)) }
	for _, tc := range []struct {
		name    string
		replace map[string][]byte
		want    []string
	}{
		{"nothing", nil, []string{"b.yaml", "p/values.yaml", "x/a.yaml"}},
		{"a file of a package", map[string][]byte{"x/a.yaml": fixed(packNamed("a"))}, []string{"b.yaml", "p/values.yaml"}},
		{"a file of no package", map[string][]byte{"b.yaml": fixed(packNamed("b"))}, []string{"p/values.yaml", "x/a.yaml"}},
		{"a ClusterContext among several", map[string][]byte{"k.yaml": []byte(strings.Replace(cluster, "kubernetes:", "kubernets:", 1))}, []string{"b.yaml", "k.yaml", "p/values.yaml", "x/a.yaml"}},
		{"a file of a pack directory", map[string][]byte{"p/values.yaml": []byte("port: 3\n")}, []string{"b.yaml", "x/a.yaml"}},
		{"a Kptfile", map[string][]byte{"x/Kptfile": []byte(kptfileHead + "pipeline:\n  validators:\n  - exec: validate-pack-values\n    configMap: {severity: values/format=info}\n")}, []string{"b.yaml", "p/values.yaml"}},
		{"a Kptfile that cannot be read", map[string][]byte{"x/Kptfile": []byte(kptfileHead + "pipeline: [\n")}, []string{"b.yaml", "p/values.yaml", "x/Kptfile", "x/a.yaml"}},
	} {
		replace := map[string][]byte{}
		for name, text := range tc.replace {
			replace[filepath.Join(dir, name)] = text
		}
		var got, progress []string
		r, err := runNoted([]string{dir}, Options{Functions: suite.All(), Root: dir, Replace: replace, Progress: func(done, total int) { progress = append(progress, fmt.Sprint(done, "/", total)) }})
		if err != nil {
			got = []string{below(dir, err.Error())}
		} else {
			for _, f := range r.Findings {
				if f.Severity == diag.Error {
					got = append(got, f.File)
				}
			}
			if diff := cmp.Diff([]string{"0/5", "1/5", "2/5", "3/5", "4/5"}, progress); diff != "" {
				t.Errorf("%s: progress: -want +got:\n%s", tc.name, diff)
			}
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}

// What a path names is counted once: a folder of packages is not a unit of its own.
func TestUnits(t *testing.T) {
	dir := folderOf(t, map[string]string{"x/Kptfile": kptfileHead, "y/Kptfile": kptfileHead, "a.yaml": packNamed("a"), "b.yaml": packNamed("b")})
	for _, tc := range []struct {
		paths []string
		want  string
	}{
		{[]string{"x"}, "1: "}, {[]string{"x", "y"}, "2: "}, {[]string{"a.yaml", "b.yaml"}, "1: a.yaml b.yaml"}, {[]string{"x", "a.yaml"}, "2: a.yaml"}, {[]string{"a.yaml", "x"}, "2: a.yaml"}, {[]string{"."}, "3: a.yaml b.yaml"},
		{[]string{"none"}, "stat none: no such file or directory"},
	} {
		var paths, found []string
		for _, name := range tc.paths {
			paths = append(paths, filepath.Join(dir, name))
		}
		total := 0
		r, err := runNoted(paths, Options{Functions: suite.All(), Root: dir, Progress: func(_, all int) { total = all }})
		got := ""
		if err != nil {
			got = below(dir, err.Error())
		} else {
			for _, f := range r.Findings {
				found = append(found, f.File)
			}
			got = fmt.Sprintf("%d: %s", total, strings.Join(found, " "))
		}
		if got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.paths, got, tc.want)
		}
	}
}

// A pack that cannot be read is an error for what reads packs alone.
func TestPacksThatCannotBeRead(t *testing.T) {
	for _, tc := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"a.yaml": packNamed("a") + "---\n" + packNamed("b")}, "a b"},
		{map[string]string{"a.yaml": packNamed("a") + "---\n" + strings.Replace(packNamed("b"), "version:", "vesion:", 1)}, `a.yaml: unknown field "vesion". Did you mean "version"?`},
		{map[string]string{"\xff/pack.json": "{"}, "\xff/pack.json: cannot be read: expected a key in double quotes, got the end of the document (pack.json line 1)"},
		{map[string]string{"p/pack.json": "{", "p/values.yaml": "\xff"}, "p/values.yaml: p/values.yaml is not UTF-8: byte 1 is 0xff"},
		{map[string]string{"a.txt": ""}, ".: no resource and no pack is here. Give a package, a file of resources or a pack directory"},
	} {
		dir := folderOf(t, tc.files)
		packs, err := Packs([]string{dir}, Options{Functions: suite.All(), Root: dir})
		var names []string
		for _, p := range packs {
			names = append(names, p.Name)
		}
		got := strings.Join(names, " ")
		if err != nil {
			got = below(dir, err.Error())
		}
		if got != tc.want {
			t.Errorf("got %q, want %q", got, tc.want)
		}
	}
}
