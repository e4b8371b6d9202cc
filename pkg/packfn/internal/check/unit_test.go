package check

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/schema"
)

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
		r, err := Run(paths, Options{Functions: []function.Function{schema.Function()}, Root: dir, Progress: func(_, all int) { total = all }})
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
		{map[string]string{"a.yaml": packNamed("a") + "---\n" + strings.Replace(packNamed("b"), "version:", "vesion:", 1)}, `a.yaml: spec.vesion: unknown field "vesion". Did you mean "version"?`},
		{map[string]string{"\xff/pack.json": "{"}, "\xff/pack.json: cannot be read: expected a key in double quotes, got the end of the document (pack.json line 1)"},
		{map[string]string{"p/pack.json": "{", "p/values.yaml": "\xff"}, "p/values.yaml: p/values.yaml is not UTF-8: byte 1 is 0xff"},
		{map[string]string{"a.txt": ""}, ".: no resource and no pack is here. Give a package, a file of resources or a pack directory"},
	} {
		dir := folderOf(t, tc.files)
		packs, err := Packs([]string{dir}, Options{Root: dir})
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
