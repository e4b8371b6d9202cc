package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// folderOf returns a folder with programs and other files.
func folderOf(t *testing.T, programs ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range programs {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The program for an image is found by its name, its registry and its tag: what names more wins.
func TestFind(t *testing.T) {
	dir := folderOf(t, "any", "tag", "range", "flag", "own", "config")
	if err := os.WriteFile(filepath.Join(dir, "text"), []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	const catalog, before = "ghcr.io/kptdev/krm-functions-catalog/", "gcr.io/kpt-fn/"
	for name, tc := range map[string]struct {
		entries map[string]string
		flags   []string
		image   string
		tag     string
		want    string // the program with its arguments, or an error
	}{
		"a name is for the catalog":          {map[string]string{"set-namespace": "./any"}, nil, catalog + "set-namespace:v0.4.1", "", "any"},
		"and for the one before":             {map[string]string{"set-namespace": "./any"}, nil, before + "set-namespace:v0.4.1", "", "any"},
		"an image without a registry":        {map[string]string{catalog + "set-namespace": "./any"}, nil, "set-namespace:v0.4.1", "", "any"},
		"and not for another registry":       {map[string]string{"set-namespace": "./any"}, nil, "example.com/set-namespace:v0.4.1", "", ""},
		"another registry":                   {map[string]string{"example.com/own/fn": "./own --strict 'a b'"}, nil, "example.com/own/fn@sha256:" + strings.Repeat("a", 64), "", "own --strict a b"},
		"a tag wins":                         {map[string]string{"fn": "./any", "fn:v0.4.1": "./tag"}, nil, catalog + "fn:v0.4.1", "", "tag"},
		"a range wins":                       {map[string]string{"fn": "./any", "fn:~0.4.0": "./range"}, nil, catalog + "fn:v0.4.1", "", "range"},
		"the field tag":                      {map[string]string{"fn": "./any", "fn:v0.4.1": "./tag"}, nil, catalog + "fn:v0.3.0", "~0.4", "tag"},
		"a flag wins":                        {map[string]string{"fn:v0.4.1": "./tag"}, []string{"fn=" + filepath.Join(dir, "flag")}, catalog + "fn:v0.4.1", "", "flag"},
		"no other tag fits":                  {map[string]string{"fn:v0.4.1": "./tag", "fn:v0.5.0": "./range"}, nil, catalog + "fn:v0.3.0", "", "no program is named for fn:v0.3.0, only for v0.4.1 and v0.5.0"},
		"two ranges fit":                     {map[string]string{"fn:~0.4.0": "./tag", "fn:^0.4.1": "./range"}, nil, catalog + "fn:v0.4.1", "", "two programs fit fn: "},
		"two ranges for one program":         {map[string]string{"fn:~0.4.0": "./tag", "fn:^0.4.1": "./tag"}, nil, catalog + "fn:v0.4.1", "", "tag"},
		"a folder":                           {map[string]string{"fn": "."}, nil, catalog + "fn", "", "is a folder, not a program"},
		"a folder with a slash":              {map[string]string{"fn": "./"}, nil, catalog + "fn", "", "is a folder, not a program"},
		"no file":                            {map[string]string{"fn": "./none"}, nil, catalog + "fn", "", "none: no such file or directory"},
		"not executable":                     {map[string]string{"fn": "./text"}, nil, catalog + "fn", "", "text: permission denied"},
		"not on PATH":                        {map[string]string{"fn": "no-such-program"}, nil, catalog + "fn", "", "no-such-program: executable file not found in $PATH"},
		"a wrong program of another is fine": {map[string]string{"fn": "./any", "other": "./none"}, nil, catalog + "fn", "", "any"},
	} {
		var s Set
		for image, command := range tc.entries {
			if err := s.Add(image, command, dir, image); err != nil {
				t.Fatal(err)
			}
		}
		for _, flag := range tc.flags {
			if err := s.AddFlag(flag); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.Find(&kptpackage.Function{Image: tc.image, Tag: tc.tag})
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case p != nil:
			got = filepath.Base(strings.Join(p.Command, " "))
		}
		if err == nil && got != tc.want || err != nil && (tc.want == "" || !strings.Contains(got, tc.want)) {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// A wrong entry is an error.
func TestBadEntries(t *testing.T) {
	var s Set
	for flag, want := range map[string]string{
		"a": `must be IMAGE[:TAG]=PROGRAM, got "a"`, "=b": `must be IMAGE[:TAG]=PROGRAM, got "=b"`, "a=": `must be IMAGE[:TAG]=PROGRAM, got "a="`, "a=b 'c": "--function a=b 'c: ",
	} {
		if err := s.AddFlag(flag); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v", flag, err)
		}
	}
	if err := s.Add("a", " ", "", "functions[a]"); err == nil || err.Error() != "functions[a]: no program is named" {
		t.Errorf("got %v", err)
	}
}

// Nothing runs unless the user allows it.
func TestFor(t *testing.T) {
	dir := folderOf(t, "fn")
	var none *Set
	if p, err := none.For(&kptpackage.Function{Exec: "sh"}); p != nil || err != nil {
		t.Errorf("no set: got %v, %v", p, err)
	}
	for _, f := range []kptpackage.Function{{Exec: filepath.Join(dir, "fn") + " --a"}, {Image: "fn"}} {
		var s Set
		if err := s.Add("fn", "./fn", dir, "fn"); err != nil {
			t.Fatal(err)
		}
		want := "--allow-exec runs " + filepath.Join(dir, "fn")
		if f.Exec != "" { // whether it is there or not
			want = "--allow-exec runs it"
		}
		if p, err := s.For(&f); p != nil || err == nil || err.Error() != want {
			t.Errorf("%+v: got %v, %v", f, p, err)
		}
		s.Allowed = true
		if p, err := s.For(&f); err != nil || p == nil || p.Command[0] != filepath.Join(dir, "fn") {
			t.Errorf("%+v: got %v, %v", f, p, err)
		}
	}
	if p, err := new(Set).For(&kptpackage.Function{Image: "other"}); p != nil || err != nil {
		t.Errorf("another function: got %v, %v", p, err)
	}
}

// FunctionConfigs of Porch name programs, which other entries precede.
func TestAddFunctionConfigs(t *testing.T) {
	dir := folderOf(t, "bin/set-namespace", "bin/set-labels", "own")
	file := filepath.Join(dir, "functions.yaml")
	text := `apiVersion: config.porch.kpt.dev/v1alpha1
kind: FunctionConfig
metadata: {name: set-namespace}
spec:
  image: set-namespace
  prefixes: ["", example.com/fns]
  binaryExecutor: {path: set-namespace, tags: [v0.4.1]}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: FunctionConfig
metadata: {name: set-labels}
spec: {goExecutor: {id: set-labels}}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: FunctionConfig
metadata: {name: pod}
spec: {image: pod, podExecutor: {tags: [v1]}}
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var s Set
	if err := s.AddFunctionConfigs(file, filepath.Join(dir, "bin")); err != nil {
		t.Fatal(err)
	}
	for image, want := range map[string]string{
		"ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1": "bin/set-namespace", "example.com/fns/set-namespace:v0.4.1": "bin/set-namespace",
		"set-labels:v9": "bin/set-labels", "pod:v1": "", "example.com/fns/set-namespace:v0.4.2": "error",
	} {
		p, err := s.Find(&kptpackage.Function{Image: image})
		got := ""
		if p != nil {
			got, _ = filepath.Rel(dir, p.Command[0])
		}
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%s: got %q, %v", image, got, err)
		}
	}
	if err := s.Add("set-labels", "./own", dir, "functions"); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Find(&kptpackage.Function{Image: "set-labels"}); err != nil || filepath.Base(p.Command[0]) != "own" {
		t.Errorf("got %v, %v", p, err)
	}
	for name, want := range map[string]string{"none.yaml": "no such file", "own": "no FunctionConfig of Porch is here"} {
		if err := s.AddFunctionConfigs(filepath.Join(dir, name), dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
