package results

import (
	"io"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// What is no list of results is an error of one line. Results can be shown in each format.
func FuzzResults(f *testing.F) {
	for _, text := range []string{
		results(`[{message: "wrong [a/b]", severity: Warning, resourceRef: {apiVersion: v1, kind: A, name: x}, field: {path: spec.a, currentValue: 1, proposedValue: {a: [2]}}, file: {path: a.yaml, index: 1}, tags: {rule: a/b, key: k, pack: p, line: "3", column: "-4", other: o}}]`),
		results(`[{message: a, severity: error, file: {path: ../a.yaml, index: -1}, tags: {line: "99999999999999999999"}}]`),
		`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: [{exec: run, exitCode: 2, stderr: "a\nb"}, null, {results: [null]}]`,
		`apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevisionResources
status: {renderStatus: {result: {items: [{results: [{message: a}]}]}}}`,
		`apiVersion: kpt.dev/v1
kind: FunctionResultList
items: &a [*a]
`,
		"{}", "- a", "", "\x00",
	} {
		f.Add(text)
	}
	// The file that results name has a line with everything that a column can point at.
	file := place.NewFile("a.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata:\n  a: \"é\u202e\ttext\"\n"))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		r := reader{dir: dir, root: dir, report: &report.Report{}, places: map[string]*place.File{"a.yaml": file}}
		if err := r.add("f", []byte(text)); err != nil {
			if strings.Contains(diag.Shown(err.Error()), "\n") {
				t.Errorf("got %v", err)
			}
			return
		}
		r.report.Finish()
		for _, format := range report.Formats {
			if err := r.report.Write(io.Discard, report.Format(format)); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}
