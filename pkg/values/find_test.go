package values

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func TestParsePath(t *testing.T) {
	for path, want := range map[string][]string{
		"a":              {"a"},
		"a.b-c.d_e":      {"a", "b-c", "d_e"},
		"a.$[].b.$[]":    {"a", "$[]", "b", "$[]"},
		"$[].a":          {"$[]", "a"},
		"nvidia.com/gpu": {"nvidia", "com/gpu"},
		"a b.ü":          {"a b", "ü"},
	} {
		p := mustPath(t, path)
		if diff := cmp.Diff(want, p.Steps()); diff != "" || p.String() != path {
			t.Errorf("%s: %s", path, diff)
		}
	}
	for path, want := range map[string]string{
		"":                        "the path is empty",
		".":                       "empty step",
		".a":                      "empty step",
		"a.":                      "remove the extra dot",
		"a..b":                    `empty step after "a"`,
		"a.$[0]":                  "write $[] as a step of its own",
		"a$[].b":                  `step "a$[]" is not understood`,
		"\xff":                    "not UTF-8",
		strings.Repeat("a", 4097): "above the limit of 4096",
	} {
		if _, err := ParsePath(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v", path, err)
		}
	}
}

func TestFind(t *testing.T) {
	const doc = `
a:
  b: {c: 1}
  list: [{h: 1}, {}, {h: 3}]
  empty: []
  nothing:
  scalar: x
  matrix: [[1, 2], [], [3]]
  objects: [{l: [{v: 1}, {}]}, {l: []}, {l: }, {}]
node.store.allow_mmap: false
deep: {nvidia.com/gpu: {limit.max: 1}}
both: {x: {y: nested}}
both.x.y: dotted
wins.not: {y: 1}
wins: {not: {z: 1}}
short: {one.two: {three: short}, one.two.three: long}
dup: 1
dup: 2
base: &base {k: from base, own: hidden}
other: &other {k: from other, more: 1}
merged: {<<: *base, own: shown}
several: {<<: [*base, *other]}
alias: *base
7: seven
w: {e.f: [{g: 1}], e: {f: [{h: 2}]}}
z: {e.f: [{g: 1}], e: {f: [{h: 2}, {h: 3}]}}
none: {e.f: , e: {f: text}}
hollow: {e.f: [], e: {f: text}}
half: {e.f: [{}, {g: {}}], e: {f: [{}, {}]}}
`
	tests := []struct{ path, want string }{
		{"a.b.c", "a.b.c=1"},
		{"a.b", "a.b={}"},
		{"a.x.y", "a.x.y Absent"},
		{"a.scalar.y", "a.scalar.y Absent"},
		{"a.nothing", "a.nothing="},
		{"a.nothing.y", "a.nothing.y Absent"},
		{"a.list.$[].h", "a.list[0].h=1, a.list[1].h Absent, a.list[2].h=3"},
		{"a.list.2.h", "a.list[2].h=3"},
		{"a.list.3.h", "a.list[3].h Absent"},
		{"a.list.x", "a.list.x Absent"},
		{"a.empty.$[].x", "a.empty EmptyList"},
		{"a.nothing.$[]", "a.nothing Absent"},
		{"a.gone.$[].x", "a.gone Absent"},
		{"a.gone.x.$[].y.$[]", "a.gone.x Absent"},
		{"a.scalar.$[].x", "a.scalar NotAList"},
		{"a.b.$[]", "a.b NotAList"},
		{"a.matrix.$[].$[]", "a.matrix[0][0]=1, a.matrix[0][1]=2, a.matrix[1] EmptyList, a.matrix[2][0]=3"},
		{"a.objects.$[].l.$[].v", "a.objects[0].l[0].v=1, a.objects[0].l[1].v Absent, a.objects[1].l EmptyList, a.objects[2].l Absent, a.objects[3].l Absent"},
		{"node.store.allow_mmap", "node.store.allow_mmap=false"},
		{"deep.nvidia.com/gpu.limit.max", "deep.nvidia.com/gpu.limit.max=1"},
		{"both.x.y", "both.x.y=nested"},
		{"wins.not.y", "wins.not.y=1"},
		{"short.one.two.three", "short.one.two.three=short"},
		{"dup", "dup=2"},
		{"merged.k", "merged.k=from base"},
		{"merged.own", "merged.own=shown"},
		{"several.k", "several.k=from base"},
		{"several.more", "several.more=1"},
		{"several.gone", "several.gone Absent"},
		{"alias.k", "alias.k=from base"},
		{"7", "7=seven"},
		{"w.e.f.$[].g", "w.e.f[0].g=1"},
		{"w.e.f.$[].h", "w.e.f[0].h=2"},
		{"z.e.f.0.g", "z.e.f[0].g=1"},
		{"z.e.f.0.h", "z.e.f[0].h=2"},
		{"z.e.f.1.h", "z.e.f[1].h=3"},
		{"none.e.f.$[].g", "none.e.f NotAList"},
		{"hollow.e.f.$[].g", "hollow.e.f EmptyList"},
		{"half.e.f.$[].g.x", "half.e.f[0].g.x Absent, half.e.f[1].g.x Absent"},
	}
	d := mustParse(t, doc)
	for _, test := range tests {
		if got := describe(Find(d.Root(), mustPath(t, test.path))); got != test.want {
			t.Errorf("%s: got %s, want %s", test.path, got, test.want)
		}
	}
	for path, want := range map[string]string{"a": "a Absent", "a.$[].b": "a Absent", "$[].a": " Absent"} {
		if got := describe(Find(nil, mustPath(t, path))); got != want {
			t.Errorf("%s in nothing: got %q, want %q", path, got, want)
		}
	}
}

// A map of many keys is searched as a small one is.
func TestFindInManyKeys(t *testing.T) {
	text := `base: &base {own: hidden, more: 1, 'a.c': 1, more: 2}
many:
  <<: *base
  own: shown
  a.b: {c: 1}
  a: {b: {d: 2}}
`
	for i := range 100 {
		text += fmt.Sprintf("  key%d: %d\n", i, i)
	}
	d := mustParse(t, text)
	many := Field(d.Root(), "many")
	index := newKeyIndex(many)
	defer func() {
		if len(d.keys().maps) != 1 {
			t.Errorf("%d indexes are kept", len(d.keys().maps))
		}
	}()
	for path, want := range map[string]string{
		"many.a.b.c": "many.a.b.c=1", "many.a.b.d": "many.a.b.d=2", "many.a.b.e": "many.a.b.e Absent", "many.a.c": "many.a.c=1",
		"many.own": "many.own=shown", "many.more": "many.more=2", "many.key99": "many.key99=99", "many.key100": "many.key100 Absent",
	} {
		if got := describe(Find(d.Root(), mustPath(t, path))); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if got := describe(d.Find(mustPath(t, path))); got != want {
			t.Errorf("of the document: got %s, want %s", got, want)
		}
		key := strings.TrimPrefix(path, "many.")
		if value := Field(many, key); value != nil {
			if p, ok := index.find(key); !ok || p.Value != value || p.Merged != (key == "more" || key == "a.c") {
				t.Errorf("%s: got %+v", key, p)
			}
		} else if p, ok := index.find(key); ok {
			t.Errorf("%s: got %+v", key, p)
		}
	}
}

func describe(matches []Match) string {
	var all []string
	for _, m := range matches {
		s := m.Path + " " + m.State.String()
		if m.State == Present {
			s = m.Path + "=" + m.Node.Value
			if len(m.Node.Content) > 0 {
				s += "{}"
			}
		}
		all = append(all, s)
	}
	return strings.Join(all, ", ")
}

func TestFindSteps(t *testing.T) {
	d := mustParse(t, `a.b:
  - c: 1
`)
	m := Find(d.Root(), mustPath(t, "a.b.$[].c"))[0]
	want := []Step{{Key: "a.b"}, {Index: 0, IsIndex: true}, {Key: "c"}}
	if diff := cmp.Diff(want, m.Steps); diff != "" {
		t.Error(diff)
	}
	if m.Key == nil || m.Key.Value != "c" {
		t.Errorf("the key is %v", m.Key)
	}
	// What is absent can be set where it is looked for.
	m = Find(d.Root(), mustPath(t, "a.b.0.x.y"))[0]
	want = []Step{{Key: "a.b"}, {Index: 0, IsIndex: true}, {Key: "x"}, {Key: "y"}}
	if diff := cmp.Diff(want, m.Steps); diff != "" || m.Key != nil {
		t.Error(diff)
	}
}

// A document can make every split of a path a candidate at every level.
func TestFindIsPolynomial(t *testing.T) {
	var b strings.Builder
	b.WriteString("written: [" + strings.Repeat("x, ", 1000) + "]\nn0: &n0 {x: 1}\n") // which allows so many aliases
	for i := 1; i < 18; i++ {
		fmt.Fprintf(&b, "n%d: &n%d {a: *n%d, a.a: *n%d}\n", i, i, i-1, max(0, i-2))
	}
	d := mustParse(t, b.String())
	m := Find(d.Root(), mustPath(t, "n17"+strings.Repeat(".a", 200)+".y"))
	if m[0].State != Absent {
		t.Errorf("got %v", m[0].State)
	}
}

func TestFindAllocations(t *testing.T) {
	d, p := mustParse(t, `a:
  b:
    c: 1
`), mustPath(t, "a.b.c")
	if n := testing.AllocsPerRun(100, func() { Find(d.Root(), p) }); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// Present and Has find what Find does, whatever lists and keys a document has.
func TestPresentAgreesWithFind(t *testing.T) {
	var draw func(t *rapid.T, depth int) string
	draw = func(t *rapid.T, depth int) string {
		var parts []string
		switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case kind == 0 || depth == 0:
			return rapid.SampledFrom([]string{"1", "null", "[]", "{}"}).Draw(t, "end")
		case kind < 4:
			for range rapid.IntRange(1, 3).Draw(t, "elements") {
				parts = append(parts, draw(t, depth-1))
			}
			return "[" + strings.Join(parts, ", ") + "]"
		}
		for _, key := range []string{"a", "b", "a.b", "0"} {
			if rapid.Bool().Draw(t, key) {
				parts = append(parts, fmt.Sprintf("%q: %s", key, draw(t, depth-1)))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	rapid.Check(t, func(t *rapid.T) {
		d, other := mustParse(t, draw(t, 6)), mustParse(t, draw(t, 6))
		tree := Merge(Layer{Document: d}, Layer{Document: other})
		for range 20 {
			steps := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "0", Wildcard, Wildcard}), 1, 5).Draw(t, "path")
			path := mustPath(t, strings.Join(steps, "."))
			checkPresent(t, d, path)
			checkPresent(t, tree, path)
		}
	})
}

type finds interface {
	Root() *yaml.Node
	Find(p Path) []Match
	Present(p Path) []Match
	Has(p Path) bool
}

// All yields what Find returns, up to where the loop ends.
func TestAll(t *testing.T) {
	tree := Merge(Layer{Document: mustParse(t, `a: [{b: 1}, {}, 2]
c: 1
`)})
	for _, path := range []string{"a.$[].b", "a.$[]", "c", "d", "a.0.b"} {
		want := tree.Find(mustPath(t, path))
		got := slices.Collect(tree.All(mustPath(t, path)))
		if diff := cmp.Diff(fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		count := 0
		for range tree.All(mustPath(t, path)) {
			if count++; count == 2 {
				break
			}
		}
		if count != min(2, len(want)) {
			t.Errorf("%s: %d matches", path, count)
		}
	}
}

func checkPresent(t rapid.TB, in finds, path Path) {
	t.Helper()
	var want []string
	has := false
	for _, m := range in.Find(path) {
		has = has || m.State != Absent || Follow(in.Root(), m.Steps) != nil
		if m.State != Absent {
			want = append(want, fmt.Sprintf("%+v", m))
		}
	}
	var got []string
	for _, m := range in.Present(path) {
		got = append(got, fmt.Sprintf("%+v", m))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || in.Has(path) != has {
		t.Fatalf("%s: got %v: %s", path, in.Has(path), diff)
	}
}
