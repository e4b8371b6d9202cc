package results

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// results is a list with the results of one function.
func results(all string) string {
	return `apiVersion: kpt.dev/v1
kind: FunctionResultList
items:
- image: example.com/fn/check:v1
  pkg: sub
  results: ` + all + "\n"
}

func TestRead(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []report.Finding
	}{
		"no items": {`apiVersion: kpt.dev/v1alpha2
kind: FunctionResultList
`, nil},
		"all fields": {results(`[{message: "wrong [a/b]", severity: Warning, resourceRef: {apiVersion: v1, kind: A, namespace: n, name: x}, field: {path: spec.a, currentValue: 1, proposedValue: 2}, file: {path: a.yaml, index: 1}, tags: {rule: a/b, key: k, pack: p, line: "3", column: "4", other: o}}]`),
			[]report.Finding{{Rule: "a/b", Severity: diag.Warning, Function: "check", Message: "wrong", Target: report.Target{Resource: &report.Resource{APIVersion: "v1", Kind: "A", Namespace: "n", Name: "x"}, Field: "spec.a", Key: "k", Pack: "p"}, Current: 1, Proposed: 2, Location: report.Location{File: "sub/a.yaml"}, Tags: map[string]string{"other": "o"}}}},
		"a message":           {results(`[{message: "a\nb"}]`), []report.Finding{{Rule: "check", Severity: diag.Info, Function: "check", Message: "a b"}}},
		"an unknown severity": {results(`[{message: a, severity: fatal}]`), []report.Finding{{Rule: "check", Severity: diag.Error, Function: "check", Message: "a"}}},
		"an error":            {results(`[{message: a, severity: error}]`), []report.Finding{{Rule: "check", Severity: diag.Error, Function: "check", Message: "a"}}},
		"an information":      {results(`[{message: a, severity: info}]`), []report.Finding{{Rule: "check", Severity: diag.Info, Function: "check", Message: "a"}}},
		"an accepted finding": {results(`[{message: a, tags: {rule: accepted}}]`), []report.Finding{{Rule: "accepted", Severity: diag.Info, Function: "check", Message: "a", Accepted: true}}},
		"a kind alone":        {results(`[{message: a, resourceRef: {kind: A}}]`), []report.Finding{{Rule: "check", Severity: diag.Info, Function: "check", Message: "a", Target: report.Target{Resource: &report.Resource{Kind: "A"}}}}},
		"a name alone":        {results(`[{message: a, resourceRef: {name: x}}]`), []report.Finding{{Rule: "check", Severity: diag.Info, Function: "check", Message: "a", Target: report.Target{Resource: &report.Resource{Name: "x"}}}}},
		"a namespace alone":   {results(`[{message: a, resourceRef: {namespace: x}}]`), []report.Finding{{Rule: "check", Severity: diag.Info, Function: "check", Message: "a"}}},
		"no name of a function": {
			`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: [{results: [{message: a}]}]`,
			[]report.Finding{{Rule: "result", Severity: diag.Info, Message: "a"}},
		},
		"a failure": {
			`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: [{exec: /bin/run -x, exitCode: 2, stderr: "a\nb"}]`,
			[]report.Finding{{Rule: "function/failed", Severity: diag.Error, Function: "run", Message: "run failed with exit code 2: a b"}},
		},
		"a failure without a name": {
			`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: [{exitCode: 2, stderr: a}]`,
			[]report.Finding{{Rule: "function/failed", Severity: diag.Error, Message: "a function failed with exit code 2: a"}},
		},
		"a failure with results": {
			`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: [{exec: run, exitCode: 1, results: [{message: a}]}]`,
			[]report.Finding{{Rule: "run", Severity: diag.Info, Function: "run", Message: "a"}},
		},
		"of Porch": {
			`apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevisionResources
status: {renderStatus: {result: {items: [{exec: run, results: [{message: a}]}]}}}`,
			[]report.Finding{{Rule: "run", Severity: diag.Info, Function: "run", Message: "a"}},
		},
		"of Porch, before it was rendered": {`apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevisionResources
`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			// Without a package, files have the paths in the list, wherever it is read.
			r, err := Read([]string{write(t, filepath.Join(t.TempDir(), "results.yaml"), tc.text)}, "", t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Findings {
				if r.Findings[i].Fingerprint == "" {
					t.Error("the report is not finished")
				}
				if at := r.Findings[i].Near; filepath.Base(at.File) != "results.yaml" || at.Line == 0 {
					t.Errorf("the result is at %v", at)
				}
				r.Findings[i].Fingerprint, r.Findings[i].Near = "", report.Place{}
			}
			if diff := cmp.Diff(tc.want, r.Findings); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadFaults(t *testing.T) {
	for name, tc := range map[string]struct{ text, want string }{
		"no YAML": {"a: [", "results.yaml: "},
		"nothing": {"", "must be a FunctionResultList"},
		"a list":  {"[a]", "results that kpt saves, got a list"},
		"another kind": {`apiVersion: kpt.dev/v1
kind: A
`, `, got "A"`},
		"another version": {`apiVersion: kpt.dev/v2
kind: FunctionResultList
`, `the unknown version "kpt.dev/v2"`},
		"a version of Porch": {`apiVersion: kpt.dev/v1
kind: PackageRevisionResources
`, `the unknown version "kpt.dev/v1"`},
		"a shard": {"\x1f\x8b", "results.yaml: is not UTF-8: byte 2 is 0x8b; if it is a shard of packfn fleet, add --merge"},
		"wrong fields": {`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: {a: 1}`, "not a FunctionResultList"},
	} {
		_, err := Read([]string{write(t, filepath.Join(t.TempDir(), "results.yaml"), tc.text)}, "", "")
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := Read([]string{filepath.Join(t.TempDir(), "absent.yaml")}, "", ""); err == nil || strings.Count(err.Error(), "absent.yaml") != 1 {
		t.Errorf("no file: got %v", err)
	}
}

// With the package at hand, findings have the lines of its files.
func TestLocate(t *testing.T) {
	root := t.TempDir()
	write(t, filepath.Join(root, "p/a.yaml"), `kind: A
spec:
  text: |
    one: 1
    two: 2
---
kind: B
spec:
  a: b
`)
	write(t, filepath.Join(filepath.Dir(root), "secret.yaml"), "a: 1\n")
	type at struct {
		file         string
		line, column int
	}
	for name, tc := range map[string]struct {
		result string
		want   at
	}{
		"a field":             {"field: {path: spec.a}, file: {path: a.yaml, index: 1}", at{"p/a.yaml", 9, 3}},
		"a line of a text":    {"field: {path: spec.text}, file: {path: a.yaml}, tags: {line: '2', column: '1', key: two}", at{"p/a.yaml", 5, 5}},
		"a resource":          {"file: {path: a.yaml, index: 1}", at{"p/a.yaml", 7, 1}},
		"a file that is gone": {"file: {path: gone.yaml}", at{file: "p/gone.yaml"}},
		"a file outside":      {"file: {path: ../secret.yaml}", at{file: "secret.yaml"}},
	} {
		r, err := Read([]string{write(t, filepath.Join(t.TempDir(), "results.yaml"), results("[{message: a, "+tc.result+"}, {message: b, "+tc.result+"}]"))}, filepath.Join(root, "p"), root)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			if got := (at{f.File, f.Line, f.Column}); got != tc.want {
				t.Errorf("%s: got %+v, want %+v", name, got, tc.want)
			}
		}
	}
	if r, err := Read([]string{write(t, filepath.Join(t.TempDir(), "results.yaml"), results("[{message: a, file: {path: a.yaml}}]"))}, filepath.Join(root, "absent"), root); err != nil || len(r.Findings) != 1 || r.Findings[0].Line != 0 {
		t.Errorf("no package: got %+v, %v", r, err)
	}
}
