package preview

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// save writes what --to writes.
func save(t *testing.T, dir string, p *Preview) {
	t.Helper()
	for _, file := range p.Files("v1") {
		name := filepath.Join(dir, file.Path)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, file.Text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Outcomes are compared with those that the folder records. A package that is new or
// cannot be computed is one that is refused.
func TestCompareOutcomes(t *testing.T) {
	dir := t.TempDir()
	before := made(Deployable, Refused, Refused, RefusedAtClone, Deployable, Failed)
	save(t, dir, before)
	after := made(Refused, Deployable, RefusedAtUpgrade, RefusedAtClone, Deployable, Deployable, Refused, Failed)
	if err := after.Compare(dir, diag.Record); err != nil {
		t.Fatal(err)
	}
	want := &Verdicts{NewlyRefused: []string{"c-000/p", "c-006/p", "c-007/p"}, NoLongerRefused: []string{"c-001/p", "c-005/p"}, RefusedAsBefore: []string{"c-002/p", "c-003/p"}}
	if diff := cmp.Diff(want, after.Patches.Outcomes, cmp.AllowUnexported(Verdicts{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if !after.IsWorse() {
		t.Error("it is not worse")
	}
	for _, format := range Formats {
		text := printed(t, after, Print{Format: report.Format(format)})
		if format == "junit" || format == "sarif" {
			continue
		}
		for _, words := range []string{"ewly", "onger", "s before"} {
			if format == "json" {
				words = strings.ReplaceAll(words, "s b", "sB")
			}
			if !strings.Contains(text, words) {
				t.Errorf("%s has no %q", format, words)
			}
		}
	}
	same := made(Deployable, Refused)
	if err := same.Compare(dir, diag.Record); err != nil || same.IsWorse() {
		t.Errorf("the same again is worse: %+v, %v", same.Patches.Outcomes, err)
	}
	same.Sets.Findings = []report.Finding{finding(diag.Warning, "variant-set/unmatched", "expand-variant-set")}
	if err := same.Compare(dir, diag.Record); err != nil || same.IsWorse() {
		t.Errorf("a new warning of a set is worse: %v", err)
	}
	// A new error of a set may hide packages.
	same.Sets.Findings = []report.Finding{finding(diag.Error, "variant-set/invalid", "expand-variant-set")}
	if err := same.Compare(dir, diag.Record); err != nil || !same.IsWorse() {
		t.Errorf("a new error of a set is not worse: %v", err)
	}
	other := t.TempDir()
	save(t, other, same)
	if err := same.Compare(other, diag.Record); err != nil || same.IsWorse() {
		t.Errorf("an error of a set that was there is worse: %v", err)
	}
}

// A package that cannot be computed this time is not gone.
func TestCompareFailed(t *testing.T) {
	dir := t.TempDir()
	save(t, dir, made(Deployable, Deployable, Deployable))
	after := made(Deployable, Failed)
	after.Rows[1].Files = nil
	for i := range after.Rows {
		after.Made = append(after.Made, after.Rows[i].Name())
	}
	if err := after.Compare(dir, diag.Record); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"c-002/p"}, {"c-001/p"}, nil}, [][]string{after.Patches.Gone, after.Patches.Unknown, after.Patches.New}); diff != "" || after.Patches.Same != 1 {
		t.Errorf("%d are the same, gone, unknown and new (-want +got):\n%s", after.Patches.Same, diff)
	}
}

// Changes that many packages share come first. Changes of equally many packages are
// ordered by the name of their first package. The patch is the patch of the first
// package, and NamesDiffer is true if the changes of two packages differ in names.
func TestGroupChanges(t *testing.T) {
	p := made(deployable(6)...)
	p.earlier = &earlier{}
	for i, s := range []struct{ key, raw, patch string }{{"b", "", "1"}, {"c", "", "2"}, {"a", "x", "3"}, {"a", "x", "4"}, {"d", "x", "5"}, {"d", "y", "6"}} {
		p.Rows[i].since = &since{Is: isChanged, Raw: digestOf(s.raw), change: &change{digestOf(s.key), []fileChange{{Text: s.patch}}}}
	}
	p.groupChanges()
	var got []string
	for _, g := range p.Patches.Groups {
		got = append(got, fmt.Sprintf("%v %s %v", g.Packages, g.Patch, g.NamesDiffer))
	}
	if diff := cmp.Diff([]string{"[c-002/p c-003/p] 3 false", "[c-004/p c-005/p] 5 true", "[c-000/p] 1 false", "[c-001/p] 2 false"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A fault that a package has twice is about one package.
func TestGroupOfRepeated(t *testing.T) {
	p := &Preview{Sets: &report.Report{}, Rows: []Row{
		{Repo: "a", Found: []*Found{of(diag.Error, "e", "f"), of(diag.Error, "e", "f")}}, {Repo: "b", Found: []*Found{of(diag.Error, "e", "f")}},
	}}
	p.Group()
	if len(p.Groups) != 1 || !slices.Equal(p.Groups[0].Packages, []int{0, 1}) || !slices.Equal(p.Rows[0].Findings, []int{0}) {
		t.Errorf("got %+v, %v", p.Groups, p.Rows[0].Findings)
	}
}

// The record is of no kind that kpt reads, and packages are the only other files.
func TestRecordIsNoResource(t *testing.T) {
	p := made(Refused)
	files := p.Files("v1")
	if len(files) != 2 || files[0].Path != recordName || filepath.Ext(recordName[1:]) != "" {
		t.Errorf("got %+v", files)
	}
}

// A folder whose record is missing, partial or faulty gives no outcomes.
func TestReadRecord(t *testing.T) {
	shard := func(index, of int) string {
		return `{"format": "` + recordFormat + `", "shard": {"index": ` + string(rune('0'+index)) + `, "of": ` + string(rune('0'+of)) + `}, "refused": {}}`
	}
	for name, tc := range map[string]struct {
		files map[string]string
		want  string
	}{
		"none":          {nil, errNoRecord.Error()},
		"no JSON":       {map[string]string{recordName: "refused: {}"}, "not a record"},
		"other format":  {map[string]string{recordName: `{"format": "x/v9"}`}, "x/v9"},
		"part of it":    {map[string]string{recordName + "-1-of-3": shard(1, 3), recordName + "-3-of-3": shard(3, 3)}, "no shard 2/3"},
		"other parts":   {map[string]string{recordName + "-1-of-1": shard(1, 1), recordName + "-2-of-2": shard(2, 2)}, "is not one of"},
		"twice":         {map[string]string{recordName + "-1-of-1": shard(1, 1), recordName + "-01-of-1": shard(1, 1)}, "twice"},
		"all and parts": {map[string]string{recordName + "-1-of-1": shard(1, 1), recordName: `{"format": "` + recordFormat + `"}`}, errNoRecord.Error()},
		"all parts":     {map[string]string{recordName + "-1-of-2": shard(1, 2), recordName + "-2-of-2": shard(2, 2)}, ""},
		"all":           {map[string]string{recordName: `{"format": "` + recordFormat + `"}`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range tc.files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := readRecord(dir)
			if err == nil && tc.want != "" || err != nil && (tc.want == "" || !strings.Contains(err.Error(), tc.want)) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
		})
	}
	dir := t.TempDir()
	if err := os.Symlink("/dev/zero", filepath.Join(dir, recordName)); err != nil {
		t.Fatal(err)
	}
	if _, err := readRecord(dir); err == nil || errors.Is(err, errNoRecord) {
		t.Errorf("a link is read: %v", err)
	}
	// Without a record, the files are compared nevertheless.
	p := made(Refused)
	if err := p.Compare(t.TempDir(), diag.Record); err != nil || p.Patches == nil || p.Patches.Outcomes != nil || len(p.Notes) != 1 {
		t.Errorf("%v, %+v, %q", err, p.Patches, p.Notes)
	}
}

// Shards that were compared with other folders are not of one preview.
func TestComparedWithOthers(t *testing.T) {
	compared := func(before *Preview, change func(dir string)) string {
		dir := t.TempDir()
		save(t, dir, before)
		change(dir)
		p := shardOf(1, 2)
		if err := p.Compare(dir, diag.Record); err != nil {
			t.Fatal(err)
		}
		return p.Inputs
	}
	same := func(string) {}
	one := compared(made(Deployable), same)
	if again := compared(made(Refused), same); again != one {
		t.Errorf("got %q and %q for folders of the same packages", one, again)
	}
	for name, other := range map[string]string{
		"more packages": compared(made(Deployable, Deployable), same),
		"no record": compared(made(Deployable), func(dir string) {
			if err := os.Remove(filepath.Join(dir, recordName)); err != nil {
				t.Fatal(err)
			}
		}),
	} {
		if other == one {
			t.Errorf("%s: the inputs are the same", name)
		}
	}
}
