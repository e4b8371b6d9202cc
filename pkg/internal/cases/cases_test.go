package cases

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// What a case includes is in its files, and a fault of an archive is an error.
func TestOf(t *testing.T) {
	cases, err := of(txtar.Parse([]byte("-- part --\na: 1\n-- a.yaml --\n#include part\n-- one/in.yaml --\n#include a.yaml\nb: 2\n-- two/dir/in.yaml --\nd: 4\n-- two/in.yaml --\n#include dir/in.yaml\ne: 5\n")), []string{"in.yaml"})
	if err != nil || len(cases) != 2 {
		t.Fatalf("got %v, %v", cases, err)
	}
	got := []map[string]string{cases[0].Files(), cases[1].Files("dir/in.yaml")}
	want := []map[string]string{{"in.yaml": "a: 1\nb: 2\n"}, {"in.yaml": "d: 4\ne: 5\n"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if more, _ := of(txtar.Parse([]byte("-- c/in --\n#include own\n-- c/own --\n-- c/other --\n")), nil); more[0].Text("in") != "" || more[0].unread() != "other" {
		t.Errorf("not read: %q", more[0].unread())
	}
	for text, want := range map[string]string{
		"":                     "there is no case",
		"-- one/other --\nx\n": "the case one has no in.yaml",
		"-- one/in.yaml --\nx\n-- one/in.yaml --\nx\n":                               "one/in.yaml is there twice",
		"-- one/in.yaml --\nx\n-- two/in.yaml --\nx\n-- one/in.yaml --\nx\n":         "the case one is there twice",
		"-- one/in.yaml --\n#include a.yaml\n":                                       "there is no file a.yaml to include",
		"-- one/in.yaml --\n#include in.yaml\n":                                      "there is no file in.yaml to include",
		"-- a.yaml --\na: 1\n-- one/in.yaml --\nx: 1\n":                              "no case includes a.yaml",
		"-- b --\n#include a\n-- a --\na: 1\n-- one/in.yaml --\n#include b\n":        "b includes a, which is not before it",
		"-- a.yaml --\na: 1\n-- one/a.yaml --\n-- one/in.yaml --\n#include a.yaml\n": "no case includes a.yaml",
	} {
		if _, err := of(txtar.Parse([]byte(text)), []string{"in.yaml"}); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// What a test finds is compared, and with UPDATE=1 written.
func TestTable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	const start = "In words.\n-- c --\nc\n-- one/in --\na\n"
	const given = start + "-- one/want --\nb\n-- two/in --\nd\n-- two/want --\nold\n-- three/in --\n#include c\n"
	if err := os.WriteFile("testdata/all.txtar", []byte(given), 0o666); err != nil {
		t.Fatal(err)
	}
	results := map[string]string{"one": "a\n---\nc\n---\nb", "two": "", "three": "b\n---\nc\n"}
	outcome := func(_ *testing.T, c *Case) string {
		if !c.Has("in") {
			t.Error("there is no file in")
		}
		return results[c.Name]
	}
	t.Setenv("UPDATE", "1")
	Table(t, "all", outcome)
	text, err := os.ReadFile("testdata/all.txtar")
	const want = start + "-- one/want --\n#include in\n---\nc\n---\nb\n-- two/in --\nd\n-- three/in --\n#include c\n-- three/want --\nb\n---\n#include c\n"
	if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
		t.Fatalf("%v: -want +got:\n%s", err, diff)
	}
	t.Setenv("UPDATE", "")
	Table(t, "all", outcome)
	archive, err := txtar.ParseFile("testdata/all.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := of(archive, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := new(testing.T)
	if cases[0].Compare(other, "want", "b\n"); !other.Failed() {
		t.Error("a text that the case does not have passes")
	}
}
