package values

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/internal/node"
)

// byName is the identity of elements that are maps.
func byName(n *yaml.Node) string { return Text(Field(n, "name")) }

func TestSync(t *testing.T) {
	tests := []struct {
		name, text string
		at         []Step
		want       string
		byPosition bool
		edited     string
	}{
		{
			name: "equal",
			text: `a: {x: 1} # c
b: 'y'
`,
			want: "{b: \"y\", a: {x: 1}}",
			edited: `a: {x: 1} # c
b: 'y'
`,
		},
		{
			name: "keys",
			text: `# head
a: 1 # one
# of b
b: 2
c:
  d: 'x' # d
  e: 5 # e
`,
			want: "{c: {d: y, f: [1]}, a: 1, g: null}",
			edited: `# head
a: 1 # one
c:
  d: 'y' # d
  f: [1]
g: null
`,
		},
		{
			name: "scalars keep their style",
			text: `a: |-
  x
b: "1"
c: 1 # n
`,
			want: "{a: \"y\\nz\", b: \"2\", c: true}",
			edited: `a: |-
  y
  z
b: "2"
c: true # n
`,
		},
		{
			name: "scalars of another type",
			text: `a: 'x' # c
b: !!str 5
c: 2024-01-01
`,
			want: "{a: 5, b: 5, c: 2024-01-02}",
			edited: `a: 5 # c
b: 5
c: 2024-01-02
`,
		},
		{name: "empty", text: "a: # c\n", want: "{a: x}", edited: "a: x # c\n"},
		{
			name: "missing",
			text: "a: 1\n",
			at:   Keys("b", "c"),
			want: "[x]",
			edited: `a: 1
b:
  c: [x]
`,
		},
		{
			name: "null",
			text: `a:
  b: 1
`,
			at:     Keys("a"),
			want:   "null",
			edited: "a: null\n",
		},
		{
			name: "nothing stays",
			text: `a:
  # c
  b: 1
`,
			want:   "{a: {c: 1}}",
			edited: "a: {c: 1}\n",
		},
		{
			name: "kinds",
			text: `a:
  b: 1
c: [1]
`,
			want: "{a: [1], c: x}",
			edited: `a: [1]
c: x
`,
		},
		{
			name: "elements by identity",
			text: `l:
  # of a
  - name: a # a
    v: 1
  # of b
  - name: b
  # of c
  - v: 3 # three
    name: c
`,
			want: "{l: [{name: new}, {name: a, v: 1}, {name: c, v: 4}, {name: last}]}",
			edited: `l:
  - {name: new}
  # of a
  - name: a # a
    v: 1
  # of c
  - v: 4 # three
    name: c
  - {name: last}
`,
		},
		{
			name: "elements that move",
			text: `- name: a # a
- name: b # b
- name: c # c
`,
			want: "[{name: b}, {name: c}, {name: a}]",
			edited: `- name: b # b
- name: c # c
- {name: a}
`,
		},
		{
			name: "duplicates",
			text: `- name: a # first
- name: a # second
- name: b
`,
			want: "[{name: a}, {name: b}]",
			edited: `- name: a # first
- name: b
`,
		},
		{
			name: "the last elements",
			text: `l:
- name: a # a
# of b
- name: b
- name: c`,
			want: "{l: [{name: a}, {name: d}]}",
			edited: `l:
- name: a # a
- {name: d}`,
		},
		{
			name: "the first elements",
			text: `l:
- - name: a
  - name: b
  - name: c # c
`,
			byPosition: true,
			want:       "{l: [[{name: c}]]}",
			edited: `l:
- - name: c # c
`,
		},
		{
			name: "elements by position",
			text: `- a # a
- b # b
- c # c
`,
			byPosition: true,
			want:       "[a, x, y, c]",
			edited: `- a # a
- x # b
- y
- c # c
`,
		},
		{
			name: "unwanted elements go first",
			text: `- a # a
- b # b
- c # c
- d # d
- e # e
`,
			byPosition: true,
			want:       "[b, d]",
			edited: `- b # b
- d # d
`,
		},
		{
			name: "equal elements",
			text: `- a # 1
- b # 2
- a # 3
- b # 4
- b # 5
`,
			byPosition: true,
			want:       "[a, b]",
			edited: `- a # 1
- b # 2
`,
		},
		{
			name: "elements without identity",
			text: `- name: a # a
- v: 1 # v
`,
			want: "[{name: a}, {v: 2}]",
			edited: `- name: a # a
- v: 2 # v
`,
		},
		{name: "flow", text: "{a: 1, b: [1, 2, 3], c: 3} # c\n", byPosition: true, want: "{b: [0, 3], d: 1}", edited: "{b: [0, 3], d: 1} # c\n"},
		{
			name: "JSON",
			text: `{
  "l": [
    {"name": "a"},
    {"name": "b", "v": 1}
  ]
}
`,
			want: "{l: [{name: c}, {name: b, v: 2}]}",
			edited: `{
  "l": [
    {"name": "c"}, {"name": "b", "v": 2}
  ]
}
`,
		},
		{
			name: "aliases are written out",
			text: `a: &x
  k: 1
b: *x # b
c: 1
`,
			want: "{a: {k: 1}, b: {k: 2}}",
			edited: `a: &x
  k: 1
b: {k: 2} # b
`,
		},
		{
			name: "merge keys",
			text: `a: &x {k: 1, l: 2}
b:
  <<: *x # m
  n: 3
`,
			want: "{a: {k: 1, l: 2}, b: {k: 1, l: 3, n: 4}}",
			edited: `a: &x {k: 1, l: 2}
b:
  <<: *x # m
  n: 4
  l: 3
`,
		},
		{
			name: "less than merge keys bring",
			text: `a: &x {k: 1, l: 2}
b:
  <<: *x
  n: 3
`,
			want: "{a: {k: 1, l: 2}, b: {k: 1}}",
			edited: `a: &x {k: 1, l: 2}
b: {k: 1}
`,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			identity := byName
			if test.byPosition {
				identity = nil
			}
			d, want := mustParse(t, test.text), mustParse(t, test.want).Root()
			if want == nil {
				want = nullNode()
			}
			edited, err := d.Sync(Change{At: test.at, Want: want, Identity: identity})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.edited, edited.Text()); diff != "" {
				t.Error(diff)
			}
			if again, err := edited.Sync(Change{At: test.at, Want: want, Identity: identity}); err != nil || again != edited {
				t.Errorf("the second time: %v\n%s", err, again.Text())
			}
		})
	}
}

func TestSyncRemoves(t *testing.T) {
	d := mustParse(t, `a: 1
b: 2 # b
`)
	edited, err := d.Sync(Change{At: Keys("b")})
	if err != nil || edited.Text() != "a: 1\n" {
		t.Errorf("got %v %v", edited, err)
	}
	if again, err := edited.Sync(Change{At: Keys("b")}); err != nil || again != edited {
		t.Errorf("got %v %v", again, err)
	}
}

func TestSyncRefuses(t *testing.T) {
	d := mustParse(t, `a: &x {k: 1}
b: *x
`)
	if _, err := d.Sync(Change{At: Keys("a"), Want: mustParse(t, "{k: 2}").Root()}); err == nil {
		t.Error("an anchor that is used elsewhere was changed")
	}
}

// TestSyncAgrees: after Sync the content is the wanted one, a second Sync changes
// nothing, and comments of what both have are kept.
func TestSyncAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		checkSync(t, d, mustParse(t, document(t)).Root(), nil)
		other := &yaml.Node{}
		if err := other.Encode(mutated(t, plainValue(d.Root()))); err != nil {
			t.Fatal(err)
		}
		checkSync(t, d, other, nil)
	})
}

// TestSyncOfSeveral: changes that are made in one edit give what they give one after the other.
func TestSyncOfSeveral(t *testing.T) {
	atOnce := 0
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		changes := make([]Change, rapid.IntRange(2, 3).Draw(t, "changes"))
		for i := range changes {
			changes[i] = Change{At: somePlace(t, d.Root()), IsWhole: rapid.Bool().Draw(t, "whole")}
			have := Follow(d.Root(), changes[i].At)
			want := &yaml.Node{}
			if err := want.Encode(mutated(t, plainValue(have))); err != nil {
				t.Fatal(err)
			}
			if changes[i].Want = want; want.Kind == yaml.MappingNode && rapid.Bool().Draw(t, "next") {
				changes[i].At = append(changes[i].At, Keys("next", fmt.Sprint(i))[rapid.IntRange(0, 1).Draw(t, "from"):]...)
			}
		}
		want, wantErr := d, error(nil)
		for _, c := range changes {
			if wantErr == nil {
				want, wantErr = want.Sync(c)
			}
		}
		if _, ok := d.syncAtOnce(changes); ok {
			atOnce++
		}
		got, err := d.Sync(changes...)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("changes %v of\n%s\n%v, want %v", changes, d.Text(), err, wantErr)
		}
		if err != nil {
			return
		}
		if !Equal(got.Root(), want.Root()) {
			t.Fatalf("changes of\n%s\n%s", d.Text(), cmp.Diff(want.Text(), got.Text()))
		}
		if comments := func(d *Document) int { return strings.Count(d.Text(), "#") }; comments(got) != comments(want) {
			t.Fatalf("comments of\n%s\n%s", d.Text(), cmp.Diff(want.Text(), got.Text()))
		}
	})
	if atOnce == 0 {
		t.Error("nothing was made in one edit")
	}
}

// somePlace is a way through the maps of a tree.
func somePlace(t *rapid.T, n *yaml.Node) (at []Step) {
	for n != nil && n.Kind == yaml.MappingNode && len(n.Content) > 0 && rapid.IntRange(0, 3).Draw(t, "deeper") > 0 {
		i := 2 * rapid.IntRange(0, len(n.Content)/2-1).Draw(t, "entry")
		at, n = append(at, Step{Key: n.Content[i].Value}), n.Content[i+1]
	}
	return at
}

func checkSync(t rapid.TB, d *Document, want *yaml.Node, identity func(*yaml.Node) string) *Document {
	t.Helper()
	if want == nil {
		want = nullNode()
	}
	edited, err := d.Sync(Change{Want: want, Identity: identity})
	if err != nil {
		t.Fatalf("make\n%s\nlike %v\n%v", d.Text(), plainValue(want), err)
	}
	if !Equal(edited.Root(), want) && !(isNull(want) && edited.Root() == nil) {
		t.Fatalf("make\n%s\nlike %v\ngot\n%s", d.Text(), plainValue(want), edited.Text())
	}
	if isNull(want) {
		return edited
	}
	again, err := edited.Sync(Change{Want: want, Identity: identity})
	if err != nil || again != edited {
		t.Fatalf("a second time\n%s\n%v", edited.Text(), err)
	}
	return edited
}

// mutated changes something of a value, at any depth.
func mutated(t *rapid.T, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			switch rapid.IntRange(0, 5).Draw(t, "key") {
			case 0:
			case 1:
				out[key] = mutated(t, v[key])
			default:
				out[key] = v[key]
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "more") == 0 {
			out["new"] = "text\nof lines\n"
		}
		return out
	case []any:
		out := []any{}
		for _, element := range v {
			switch rapid.IntRange(0, 5).Draw(t, "element") {
			case 0:
			case 1:
				out = append(out, mutated(t, element))
			case 2:
				out = append(out, map[string]any{"name": "new"}, element)
			default:
				out = append(out, element)
			}
		}
		return out
	}
	return rapid.SampledFrom([]any{"new", 7, nil, true, "a: b", []any{"x"}}).Draw(t, "scalar")
}

// TestSyncKeepsLines draws a list whose elements have lines of their own, and says
// line by line what stays.
func TestSyncKeepsLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		indent := rapid.SampledFrom([]string{"", "  "}).Draw(t, "indent")
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,2}`), 1, 6, rapid.ID).Draw(t, "names")
		lines := map[string]string{}
		var b strings.Builder
		b.WriteString(`# the list
list: # all
`)
		for _, name := range names {
			lines[name] = fmt.Sprintf("%[1]s# about %[2]s\n%[1]s- v: 'x' # v of %[2]s\n\n%[1]s  # inside\n%[1]s  name: %[2]s\n", indent, name)
			b.WriteString(lines[name])
		}
		b.WriteString(`# at the end
end: 1`)
		d := mustParse(t, b.String())
		wanted := rapid.SliceOfNDistinct(rapid.SampledFrom(append([]string{"n1", "n2", "n3"}, names...)), 1, 6, rapid.ID).Filter(func(wanted []string) bool {
			return slices.ContainsFunc(wanted, func(name string) bool { return lines[name] != "" })
		}).Draw(t, "wanted")
		list := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		for _, name := range wanted {
			list.Content = append(list.Content, node.Map(node.Text("name"), node.Text(name), node.Text("v"), node.Text("x")))
		}
		edited := checkSync(t, d, node.Map(node.Text("end"), mustParse(t, "1").Root(), node.Text("list"), list), byName)
		got := edited.Text()
		if !strings.HasPrefix(got, "# the list\nlist: # all\n") || !strings.HasSuffix(got, "# at the end\nend: 1") {
			t.Fatalf("got\n%s", got)
		}
		// What is in both in the same order stays; at least one does.
		if sorted := slices.Equal(slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !slices.Contains(wanted, n) }),
			slices.DeleteFunc(slices.Clone(wanted), func(n string) bool { return lines[n] == "" })); sorted {
			for _, name := range wanted {
				if !strings.Contains(got, lines[name]) {
					t.Fatalf("%s changed:\n%s", name, cmp.Diff(d.Text(), got))
				}
			}
		}
		for name, line := range lines {
			if !slices.Contains(wanted, name) && strings.Contains(got, line) {
				t.Fatalf("%s stayed:\n%s", name, got)
			}
		}
	})
}

func TestInsert(t *testing.T) {
	tests := []struct {
		name, text string
		at         []Step
		index      int
		src        string
		edited     string
	}{
		{
			"first",
			`l:
# of a
- a # a
- b
`,
			Keys("l"), 0,
			`# of x
- x # x
- y: |
    t
`,
			`l:
# of x
- x # x
- y: |
    t
# of a
- a # a
- b
`,
		},
		{
			"below a key with a comment",
			`l: # all

  # of a
  - a
`,
			Keys("l"), 0, "[x]",
			`l: # all
  - x

  # of a
  - a
`,
		},
		{
			"below an anchor",
			`l: &l # all
  - a
`,
			Keys("l"), 0, "[x]",
			`l: &l # all
  - x
  - a
`,
		},
		{
			"middle",
			`- a # a
  # deeper
# of b
- b
`,
			nil, 1,
			`- - x
  - y
`,
			`- a # a
  # deeper
- - x
  - y
# of b
- b
`,
		},
		{
			"last",
			`- a
- b`,
			nil, 2, "[x]",
			`- a
- b
- x`,
		},
		{
			"after a dash",
			`- - a
  - b
`,
			[]Step{Element(0)}, 0, "[x, y]",
			`- - x
  - y
  - a
  - b
`,
		},
		{"line breaks", crlf(`- a
- b
`), nil, 1, "[x]", crlf(`- a
- x
- b
`)},
		{"end", "- a # a\n", nil, End, "[x]", `- a # a
- x
`},
		{"flow", "l: [a, b]\n", Keys("l"), 1, "- x: 1\n", "l: [a, {x: 1}, b]\n"},
		{"flow first", "l: [a, b]\n", Keys("l"), 0, "[x, y]", "l: [x, y, a, b]\n"},
		{"flow last", "l: [a, b,]\n", Keys("l"), 2, "[x]", "l: [a, b, x,]\n"},
		{
			"pairs",
			`# file

# of a
a: 1
b: 2
`,
			nil, 0,
			`# of x
x: 3 # x
`,
			`# file

# of x
x: 3 # x
# of a
a: 1
b: 2
`,
		},
		{
			"pairs in the middle",
			`m:
  a: 1
  b: 2
`,
			Keys("m"), 1, "{x: 3, y: 4}",
			`m:
  a: 1
  x: 3
  y: 4
  b: 2
`,
		},
		{"JSON", `{"l": ["a"]}`, Keys("l"), 0, "[b]", `{"l": ["b", "a"]}`},
		{"where nothing is", "a: 1\n", Keys("l"), 0, "- x # x\n", `a: 1
l:
  - x # x
`},
		{"into an empty list", "l: []\n", Keys("l"), 0, "- x\n", `l:
  - x
`},
		{"nothing", "l: [1]\n", Keys("l"), 7, "[]", "l: [1]\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			edited, err := mustParse(t, test.text).Insert(test.at, test.index, mustParse(t, test.src))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.edited, edited.Text()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInsertRefuses(t *testing.T) {
	for _, test := range []struct {
		name, text string
		at         []Step
		index      int
		src        string
		line       int
	}{
		{"another kind", `a: 1
l: {b: 1}
`, Keys("l"), 0, "[x]", 2},
		{"a scalar", "a: 1\n", Keys("a"), 0, "[x]", 1},
		{"after the end", "l: [a]\n", Keys("l"), 2, "[x]", 1},
		{"before the start", "l: [a]\n", Keys("l"), -2, "[x]", 1},
		{"a known key", "a: 1\n", nil, 0, "{a: 2}", 1},
		{"an alias", `a: &x [1]
b: *x
`, Keys("b"), 0, "[x]", 2},
		{"a number that JSON does not have", `{"l": ["a"]}`, Keys("l"), 0, "[.inf]", 1},
		{"an anchor", `a: &x [1]
b: *x
`, Keys("a"), 0, "[x]", 1},
		{"a merge key", `a: &x {l: [1]}
b: {<<: *x}
`, Keys("b", "l"), 0, "[x]", 1},
	} {
		_, err := mustParse(t, test.text).Insert(test.at, test.index, mustParse(t, test.src))
		if e, ok := err.(*EditError); !ok || e.Line != test.line {
			t.Errorf("%s: got %v", test.name, err)
		}
	}
}

// TestInsertAnywhere: what is inserted is there, and deleting it gives the text back.
func TestInsertAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mustParse(t, document(t))
		v := rapid.SampledFrom(visit(d.Root())).Filter(func(v visited) bool { return len(v.node.Content) > 0 }).Draw(t, "node")
		index := rapid.IntRange(0, entries(v.node)).Draw(t, "index")
		src, last := mustParse(t, "- inserted: x # c\n"), Element(index)
		if v.node.Kind == yaml.MappingNode {
			src, last = mustParse(t, "inserted: x # c\n"), Key("inserted")
		}
		edited, err := d.Insert(v.steps, index, src)
		if err != nil {
			t.Fatalf("%v in\n%s\n%v", v.steps, d.Text(), err)
		}
		n := Follow(edited.Root(), v.steps)
		if entries(n) != entries(v.node)+1 || !Equal(entryValue(n, index), entryValue(src.Root(), 0)) {
			t.Fatalf("%v in\n%s\ngot\n%s", v.steps, d.Text(), edited.Text())
		}
		deleted, _, err := edited.Delete(Below(v.steps, last))
		if err != nil {
			t.Fatal(err)
		}
		if !Equal(deleted.Root(), d.Root()) {
			t.Fatalf("%v in\n%s\nand deleted\n%s", v.steps, d.Text(), deleted.Text())
		}
	})
}
