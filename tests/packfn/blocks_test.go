package packfn

import (
	_ "embed"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// blocks have the shapes of all examples in the documents that the functions implement: a header with
// a title, the name of the file, and what is said of it if the user names it, if a walk finds it, and
// in a package. The last one also holds for those that are not there.
//
//go:embed testdata/blocks.txt
var blocks string

// An example of a document, pasted into a file as it is, is read, or a line says what it is. Never are
// there only 0 errors.
func TestBlocks(t *testing.T) {
	all := strings.Split("\n"+blocks, "\n=== ")[1:]
	if len(all) != 63 {
		t.Errorf("got %d blocks", len(all))
	}
	for _, block := range all {
		head, text, _ := strings.Cut(block, "\n")
		fields := strings.Split(head, " | ")
		title, file, wants := fields[0], fields[1], strings.Split(fields[2], " ; ")
		dir := t.TempDir()
		for name, text := range map[string]string{
			"a/README.md": "# A folder\n",
			"a/" + file:   text + "\n",
			"p/Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
`,
			"p/" + file: text + "\n",
		} {
			write(t, filepath.Join(dir, name), text)
		}
		for i, path := range []string{"a/" + file, "a", "p"} {
			var lines []string
			r, err := packfntest.Check([]string{filepath.Join(dir, path)}, packfntest.CheckOptions{Functions: suite.All(), Root: dir})
			if err != nil {
				t.Errorf("%s: %s: %v", title, path, err)
				continue
			}
			lines = append(lines, r.Nothing)
			for _, s := range r.Skipped {
				lines = append(lines, s.Message)
			}
			for _, f := range r.Findings {
				noteMessage(f)
				lines = append(lines, f.Message)
			}
			want := wants[min(i, len(wants)-1)]
			if kind, isRead := strings.CutPrefix(want, "read "); isRead && reads(r, kind) {
				continue
			}
			if !slices.ContainsFunc(lines, func(line string) bool { return strings.Contains(line, want) }) {
				t.Errorf("%s: %s: want %q, got %q", title, path, want, lines)
			}
		}
	}
}

// reads reports whether a report has a check of a resource of a kind, or a finding about one.
func reads(r *packfntest.Report, kind string) bool {
	return slices.ContainsFunc(r.Cases, func(one packfntest.Case) bool { return one.Resource.Kind == kind }) ||
		slices.ContainsFunc(r.Findings, func(f packfntest.Finding) bool { return f.Resource != nil && f.Resource.Kind == kind })
}
