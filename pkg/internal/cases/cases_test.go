package cases

import (
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

// What a case includes is in its files, and a fault of an archive is an error.
func TestOf(t *testing.T) {
	cases, err := of(txtar.Parse([]byte(`-- part --
a: 1
-- a.yaml --
#include part
-- one/in.yaml --
#include a.yaml
b: 2
-- two/dir/in.yaml --
d: 4
-- two/in.yaml --
#include dir/in.yaml
e: 5
`)), []string{"in.yaml"})
	if err != nil || len(cases) != 2 {
		t.Fatalf("got %v, %v", cases, err)
	}
	got := []map[string]string{cases[0].Files(), cases[1].Files("dir/in.yaml")}
	want := []map[string]string{
		{"in.yaml": `a: 1
b: 2
`},
		{"in.yaml": `d: 4
e: 5
`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if more, _ := of(txtar.Parse([]byte(`-- c/in --
#include own
-- c/own --
-- c/other --
`)), nil); more[0].Text("in") != "" || more[0].unread() != "other" {
		t.Errorf("not read: %q", more[0].unread())
	}
	for text, want := range map[string]string{
		"": "there is no case",
		`-- one/other --
x
`: "the case one has no in.yaml",
		`-- one/in.yaml --
x
-- one/in.yaml --
x
`: "one/in.yaml is there twice",
		`-- one/in.yaml --
x
-- two/in.yaml --
x
-- one/in.yaml --
x
`: "the case one is there twice",
		`-- one/in.yaml --
#include a.yaml
`: "there is no file a.yaml to include",
		`-- one/in.yaml --
#include in.yaml
`: "there is no file in.yaml to include",
		`-- a.yaml --
a: 1
-- one/in.yaml --
x: 1
`: "no case includes a.yaml",
		`-- b --
#include a
-- a --
a: 1
-- one/in.yaml --
#include b
`: "b includes a, which is not before it",
		`-- a.yaml --
a: 1
-- one/a.yaml --
-- one/in.yaml --
#include a.yaml
`: "no case includes a.yaml",
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
	const start = `In words.
-- c --
c
-- one/in --
a
`
	const given = start + `-- one/want --
b
-- two/in --
d
-- two/want --
old
-- three/in --
#include c
`
	if err := os.WriteFile("testdata/all.txtar", []byte(given), 0o666); err != nil {
		t.Fatal(err)
	}
	results := map[string]string{
		"one": `a
---
c
---
b`,
		"two": "",
		"three": `b
---
c
`,
	}
	outcome := func(_ *testing.T, c *Case) string {
		if !c.Has("in") {
			t.Error("there is no file in")
		}
		return results[c.Name]
	}
	t.Setenv("UPDATE", "1")
	Table(t, "all", outcome)
	text, err := os.ReadFile("testdata/all.txtar")
	const want = start + `-- one/want --
#include in
---
c
---
b
-- two/in --
d
-- three/in --
#include c
-- three/want --
b
---
#include c
`
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

func TestSome(t *testing.T) {
	inputs := []int{1, 2, 3, 4, 5, 6, 7}
	for all, want := range map[string][]int{"": {1, 4, 7}, "1": inputs} {
		t.Setenv("TEST_ALL", all)
		if got := Some(inputs, 3); !slices.Equal(got, want) {
			t.Errorf("TEST_ALL=%s: got %v, want %v", all, got, want)
		}
	}
}
