package values

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

// seeds are documents in all styles; what fuzzing found is in the tables.
var seeds = []string{
	"", "a: 1\n",
	`# c
a:
  b: 1 # x

  # limits
c:
- x
- y: 1
  z: |
    text
`,
	"a: {b: [1, {c: }], 'd': \"e\"}\n",
	`a: &x 1
b: *x
<<: {c: 1}
`,
	`---
a: >-
  f
  g
...
`,
	"\ufeffa: 1\r\nb: 2\r\n", "? a\n: b\n",
	`- - a
  - b
- c
`,
	`a: 1
a: 2
`,
	"a: {{ .x }}\n",
	`a:
  b: |+
    x


c: 'it''s
  two'
`,
	`a.b: {c: 1}
a:
  b.c: 2
`,
	`a: !!str 5
b: !x y
`,
	`a: |2-
    x
  y`,
	"[a: b, c]\n",
	`b: &b {x: 1}
c:
  <<: *b
  y: 2
`,
	"a: 1\u2028b: 2\u0085c: 3\n", "null\n",
	`--- |
 a
`,
	`a:


  - {}
  -
  - []
`,
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			var syntax *SyntaxError
			var limit *LimitError
			if !errors.As(err, &syntax) && !errors.As(err, &limit) {
				t.Fatalf("%q: %T %v", text, err, err)
			}
			if syntax != nil && (syntax.Line < 1 || syntax.Reason == "" || strings.HasPrefix(syntax.Reason, "yaml:")) {
				t.Fatalf("%q: %#v", text, syntax)
			}
			return
		}
		if d.Text() != text {
			t.Fatal("the text changed")
		}
		for _, v := range visit(d.Root()) {
			i := d.Lines().Offset(At(v.node))
			if isEmpty(v.node) || hasProperties(v.node) || i < len(text) && text[i] == '!' {
				continue
			}
			want := ""
			switch {
			case v.node.Kind == yaml.AliasNode:
				want = "*"
			case v.node.Style&yaml.DoubleQuotedStyle != 0:
				want = `"`
			case v.node.Style&yaml.SingleQuotedStyle != 0:
				want = "'"
			case v.node.Style&yaml.LiteralStyle != 0:
				want = "|"
			case v.node.Style&yaml.FoldedStyle != 0:
				want = ">"
			case v.node.Kind == yaml.ScalarNode && !strings.ContainsAny(v.node.Value, " \n\u2028\u2029\ufeff"):
				want = v.node.Value
			}
			if !strings.HasPrefix(text[i:], want) && !strings.Contains(text, "\ufeff") {
				t.Fatalf("%q: %v is not at %v", text, v.steps, At(v.node))
			}
		}
		if Equal(d.Root(), nil) != (d.Root() == nil) || !Equal(d.Root(), mustParse(t, text).Root()) {
			t.Fatalf("%q does not equal itself", text)
		}
		d.Duplicates()
	})
}

func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "a", "a.b", "a.$[].b", "a..b", ".", "$[]", "a.$[0]", "a$[]", "a.12.c", "ä.ö", "a b.c"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := ParsePath(s)
		if err != nil {
			return
		}
		if p.String() != s || strings.Join(p.Steps(), ".") != s {
			t.Fatalf("%q came back as %q %q", s, p, p.Steps())
		}
		for _, step := range p.Steps() {
			if step == "" || step != Wildcard && strings.Contains(step, "$[") {
				t.Fatalf("%q has the step %q", s, step)
			}
		}
	})
}

// naiveFind is Find by trying everything, without memory or short cuts. It
// reports the values that are present, and whether the search led somewhere.
func naiveFind(n *yaml.Node, steps []string) (found []*yaml.Node, ok bool) {
	for n != nil && n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if len(steps) == 0 {
		return []*yaml.Node{n}, true
	}
	switch {
	case steps[0] == Wildcard:
		if n.Kind != yaml.SequenceNode {
			return nil, false
		}
		ok = len(n.Content) == 0
		for _, item := range n.Content {
			more, some := naiveFind(item, steps[1:])
			found, ok = append(found, more...), ok || some
		}
		return found, ok
	case n.Kind == yaml.SequenceNode && isDigits(steps[0]):
		index := 0
		for _, c := range steps[0] {
			index = index*10 + int(c-'0')
		}
		if index < len(n.Content) {
			return naiveFind(n.Content[index], steps[1:])
		}
	case n.Kind == yaml.MappingNode:
		for k := 1; k <= len(steps) && steps[k-1] != Wildcard; k++ {
			if p, there := lookup(n, strings.Join(steps[:k], ".")); there {
				if found, ok := naiveFind(p.Value, steps[k:]); ok {
					return found, true
				}
			}
		}
	}
	return nil, false
}

func FuzzFind(f *testing.F) {
	for _, s := range seeds {
		for _, p := range []string{"a", "a.b", "a.b.c", "a.$[].b", "c.0", "c.$[]", "b.x", "c.x"} {
			f.Add(s, p)
		}
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		if len(path) > 40 {
			return
		}
		p, err := ParsePath(path)
		if err != nil {
			return
		}
		d, err := Parse(text)
		if err != nil {
			return
		}
		matches := Find(d.Root(), p)
		if len(matches) == 0 || !strings.Contains(path, Wildcard) && len(matches) != 1 {
			t.Fatalf("%d matches", len(matches))
		}
		var want, got []*yaml.Node
		if d.Root() != nil {
			want, _ = naiveFind(d.Root(), p.Steps())
		}
		for _, m := range matches {
			if m.State == Present {
				got = append(got, m.Node)
			}
			if (m.State == Absent) != (m.Node == nil) || pathText(m.Steps) != m.Path {
				t.Fatalf("match %+v", m)
			}
		}
		if len(want) != len(got) {
			t.Fatalf("%q in %q: want %d values, got %d", path, text, len(want), len(got))
		}
		for i := range want {
			if want[i] != got[i] {
				t.Fatalf("%q in %q: value %d differs", path, text, i)
			}
		}
		if len(d.Duplicates()) > 0 || d.Root() == nil || d.Root().Kind != yaml.MappingNode {
			return
		}
		tree := Merge(Layer{Document: mustParse(t, "{}")}, Layer{Document: d})
		for i, m := range tree.Find(p) {
			if m.State != matches[i].State || m.Path != matches[i].Path {
				t.Fatalf("in layers %+v, alone %+v", m, matches[i])
			}
		}
	})
}

func FuzzReplaceScalar(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i, newTexts[i%len(newTexts)], "")
		f.Add(s, i+1, "5", KeepTag)
	}
	f.Add("0: !", 0, "a", "") // a rejection, and of the right type
	f.Fuzz(func(t *testing.T, text string, pick int, value, tag string) {
		d, err := Parse(text)
		if err != nil || d.Root() == nil {
			return
		}
		var scalars []visited
		for _, v := range visit(d.Root()) {
			if v.node.Kind == yaml.ScalarNode {
				scalars = append(scalars, v)
			}
		}
		if len(scalars) == 0 {
			return
		}
		v := scalars[uint(pick)%uint(len(scalars))]
		edited, err := d.ReplaceScalars(ScalarEdit{Node: v.node, Text: value, Tag: tag})
		if err != nil {
			var rejected *EditError
			var limit *LimitError
			if !errors.As(err, &rejected) && !errors.As(err, &limit) {
				t.Fatalf("%q: %T %v", text, err, err)
			}
			return
		}
		i := 0
		for j, s := range scalars {
			if s.node == v.node {
				i = j
			}
		}
		if start := d.Lines().Offset(At(v.node)); !isEmpty(v.node) && text[:start] != edited.Text()[:start] {
			t.Fatalf("%q: the text before changed: %q", text, edited.Text())
		}
		now := 0
		for _, g := range visit(edited.Root()) {
			if g.node.Kind != yaml.ScalarNode {
				continue
			}
			want := scalars[now].node.Value
			if now == i {
				want = value
			}
			if g.node.Value != want && !(isNull(g.node) && want == "") {
				t.Fatalf("%q: scalar %d is %q, want %q, in %q", text, now, g.node.Value, want, edited.Text())
			}
			now++
		}
	})
}

func FuzzSetDeleteMerge(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i, sources[i%len(sources)], "key")
		f.Add(s, i/2, sources[(i+5)%len(sources)], "a.b")
	}
	f.Add("0", 0, "{0}:", "a") // a key that is a map, merged twice
	f.Fuzz(func(t *testing.T, text string, pick int, source, key string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		src, err := Parse(source)
		if err != nil {
			return
		}
		var at []Step
		if all := visit(d.Root()); len(all) > 0 {
			at = all[uint(pick)%uint(len(all))].steps
		}
		simple := len(d.Duplicates())+len(src.Duplicates()) == 0 && !strings.ContainsAny(text+source, "&*<?")
		rejection := func(err error) {
			var rejected *EditError
			var limit *LimitError
			if !errors.As(err, &rejected) && !errors.As(err, &limit) {
				t.Fatalf("%q: %T %v", text, err, err)
			}
		}
		if merged, err := d.Merge(nil, src); err != nil {
			rejection(err)
		} else if simple && src.Root() != nil {
			want := modelMerge(plainValue(d.Root()), plainValue(src.Root()))
			if diff := cmp.Diff(want, plainValue(merged.Root())); diff != "" {
				t.Fatalf("merge %q into %q: %q %s", source, text, merged.Text(), diff)
			}
			twice, err := merged.Merge(nil, src)
			if err != nil || twice.Text() != merged.Text() {
				t.Fatalf("merge %q into %q twice: %v %q", source, text, err, merged.Text())
			}
		}
		if len(at) > 0 {
			deleted, ok, err := d.Delete(at)
			switch {
			case err != nil:
				rejection(err)
			case ok && simple:
				want := modelDelete(plainValue(d.Root()), at)
				if diff := cmp.Diff(want, plainValue(deleted.Root())); diff != "" {
					t.Fatalf("delete %v from %q: %q %s", at, text, deleted.Text(), diff)
				}
			}
		}
		at = append(at[:len(at):len(at)], Step{Key: key})
		if reads(d.Root(), at) {
			return
		}
		set, err := d.Set(at, src)
		if err != nil {
			rejection(err)
			return
		}
		if got := Find(set.Root(), Path{}); !reads(set.Root(), at) && len(got) > 0 {
			t.Fatalf("set %v in %q: not there in %q", at, text, set.Text())
		}
		if _, ok, err := set.Delete(at); err != nil {
			rejection(err)
		} else if !ok {
			t.Fatalf("delete %v from %q: not there", at, set.Text())
		}
	})
}

func FuzzSync(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+1)%len(seeds)], i%2 == 0)
		f.Add(`- name: a # a
# b
- name: b
  l: [1, 2]
`, `- {name: b, l: [2]}
- name: c
`, true)
	}
	f.Fuzz(func(t *testing.T, text, wanted string, named bool) {
		if len(text)+len(wanted) > 4096 {
			return
		}
		watch := time.AfterFunc(5*time.Minute, func() { panic(fmt.Sprintf("no end in sight: %q like %q", text, wanted)) })
		defer watch.Stop()
		d, err := Parse(text)
		if err != nil {
			return
		}
		want, err := Parse(wanted)
		if err != nil || want.Root() == nil {
			return
		}
		var identity func(*yaml.Node) string
		if named {
			identity = byName
		}
		edited, err := d.Sync(Change{Want: want.Root(), Identity: identity})
		if err != nil {
			var rejected *EditError
			if !errors.As(err, &rejected) && !errors.As(err, new(*LimitError)) {
				t.Fatalf("%q like %q: %v", text, wanted, err)
			}
			return
		}
		if !Equal(edited.Root(), want.Root()) {
			t.Fatalf("%q like %q is %q", text, wanted, edited.Text())
		}
		if again, err := edited.Sync(Change{Want: want.Root(), Identity: identity}); err != nil || again != edited {
			t.Fatalf("%q: a second time: %v", edited.Text(), err)
		}
	})
}
