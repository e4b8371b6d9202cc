package fix

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/ruleset"
	"github.com/krm-packs/functions/pkg/schema"
)

// Findings about one word ask for one edit, and edits of one line do not move each other.
func TestApply(t *testing.T) {
	at := func(line, from, to int, text string) diag.Edit {
		return diag.Edit{At: diag.Position{Line: line, Column: from + 1}, Length: to - from, New: text}
	}
	const text = "a: wrker\nb: Cat, dgo\r\nc: 1"
	for name, tc := range map[string]struct {
		edits []diag.Edit
		want  string
	}{
		"none":                       {nil, text},
		"two findings with one edit": {[]diag.Edit{at(1, 3, 8, "worker"), at(1, 3, 8, "worker")}, "a: worker\nb: Cat, dgo\r\nc: 1"},
		"quotes around a value":      {diag.Mistake{Text: "1"}.Edits(diag.Position{Line: 3, Column: 4}, `"1"`), "a: wrker\nb: Cat, dgo\r\nc: \"1\""},
		"two edits of a line":        {[]diag.Edit{at(2, 3, 6, "Catalogue"), at(2, 8, 11, "dog")}, "a: wrker\nb: Catalogue, dog\r\nc: 1"},
		"the same place of two lines": {[]diag.Edit{at(3, 3, 4, `"1"`), at(1, 3, 8, "worker")},
			"a: worker\nb: Cat, dgo\r\nc: \"1\""},
	} {
		before := text
		if got := string(apply([]byte(text), tc.edits)); got != tc.want || before != text {
			t.Errorf("%s: got %q, want %q", name, got, tc.want)
		}
	}
}

// A difference has three lines around its changes, and changes that are near each other are
// one hunk.
func TestDiff(t *testing.T) {
	text := func(changed ...int) []byte {
		var b strings.Builder
		for i := range 20 {
			if slices.Contains(changed, i) {
				b.WriteString("changed\n")
			} else {
				b.WriteString(strings.Repeat("x", i+1) + "\n")
			}
		}
		return []byte(b.String())
	}
	for _, tc := range []struct {
		changed []int
		hunks   []string
	}{
		{[]int{0}, []string{"@@ -1,4 +1,4 @@"}},
		{[]int{19}, []string{"@@ -17,4 +17,4 @@"}},
		{[]int{5, 11}, []string{"@@ -3,13 +3,13 @@"}},
		{[]int{5, 13}, []string{"@@ -3,7 +3,7 @@", "@@ -11,7 +11,7 @@"}},
	} {
		d := Diff{Path: "a", before: text(), after: text(tc.changed...)}
		var hunks []string
		for line := range strings.Lines(d.Text("a", diag.All)) {
			if strings.HasPrefix(line, "@@") {
				hunks = append(hunks, strings.TrimSpace(line))
			}
		}
		if !slices.Equal(hunks, tc.hunks) {
			t.Errorf("changes of %v: got %q, want %q", tc.changed, hunks, tc.hunks)
		}
	}
}

const twoOptions = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: a}
spec:
  version: 1.0.0
  values:
    kind: a
    host: {port: 1, name: a}
  schema:
    kind: {schema: '{{ format "${list:[A,B]}" }}'}
`

// Files are in the order of their paths. A text in place of a file is what is fixed.
func TestNewOfSeveral(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"c", "a", "b"} {
		write(t, dir, name+".yaml", strings.Replace(twoOptions, "{name: a}", "{name: "+name+"}", 1))
	}
	replaced := filepath.Join(dir, "b.yaml")
	options := check.Options{Functions: []function.Function{schema.Function()}, Root: dir, Files: check.Files{Replace: map[string][]byte{replaced: []byte("# typed\n" + strings.Replace(twoOptions, "{name: a}", "{name: b}", 1))}}}
	plan, err := New([]string{dir}, options)
	if err != nil || len(plan.Changes) != 3 || len(plan.Diffs) != 3 {
		t.Fatalf("got %+v, %v", plan, err)
	}
	for i, name := range []string{"a", "b", "c"} {
		change, diff := plan.Changes[i], plan.Diffs[i]
		if change.Path != filepath.Join(dir, name+".yaml") || diff.Path != change.Path {
			t.Errorf("%d: got %s, %s", i, change.Path, diff.Path)
		}
		if typed := strings.HasPrefix(string(change.Text), "# typed\n"); typed != (name == "b") || !strings.Contains(string(change.Text), "kind: A\n") {
			t.Errorf("%s: got\n%s", name, change.Text)
		}
	}
	// Values around a change are masked, unless they are to be shown.
	for audience, want := range map[diag.Audience]string{diag.All: "     host: {port: 1, name: a}\n", diag.Terminal: "     host: {port: 1, name: a}\n", diag.Record: "     host: {port: 1, name: •••}\n"} {
		if text := plan.Diffs[0].Text("a.yaml", audience); !strings.Contains(text, want) || !strings.Contains(text, "+    kind: A\n") {
			t.Errorf("for %d: got\n%s", audience, text)
		}
	}
}

func TestNewFails(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.yaml", twoOptions)
	write(t, dir, "vault-0.6.0.tar.gz", "")
	for name, tc := range map[string]struct {
		path    string
		options check.Options
		want    string
	}{
		"an unknown rule":          {dir, check.Options{Rules: ruleset.Rules{Only: []string{"values/fromat"}}}, `--only: unknown rule "values/fromat"`},
		"an archive":               {filepath.Join(dir, "vault-0.6.0.tar.gz"), check.Options{}, "vault-0.6.0.tar.gz is an archive, which is not written; unpack it, and fix the folder"},
		"a path that is not there": {filepath.Join(dir, "none"), check.Options{}, "no such file"},
	} {
		if plan, err := New([]string{tc.path}, tc.options); err == nil || plan != nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
