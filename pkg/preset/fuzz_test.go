package preset

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// plain reports whether a tree has none of what the model does not know:
// anchors, tags, and keys that are not text or are duplicates.
func plain(d *values.Document) bool {
	var walk func(n *yaml.Node) bool
	walk = func(n *yaml.Node) bool {
		if n.Anchor != "" || n.Kind == yaml.AliasNode || n.Style&yaml.TaggedStyle != 0 || n.Tag == "!!merge" {
			return false
		}
		for i, child := range n.Content {
			if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind != yaml.ScalarNode || !walk(child) {
				return false
			}
		}
		return true
	}
	return len(d.Duplicates()) == 0 && (d.Root() == nil || walk(d.Root()))
}

// keptLines returns the lines of the top-level keys that a preset does not name,
// one text for each key: what an application must leave as it is.
func keptLines(d *values.Document, p pack.Preset) []string {
	root := d.Root()
	if root == nil || root.Style&yaml.FlowStyle != 0 {
		return nil
	}
	lines := strings.Split(d.Text(), "\n")
	for _, line := range lines {
		if strings.HasPrefix(strings.TrimLeft(line, " "), "?") {
			return nil // where such an entry ends its nodes do not say
		}
	}
	var kept []string
	for i := 0; i+1 < len(root.Content); i += 2 {
		key := root.Content[i]
		named := p.Add != nil && values.Field(p.Add.Root(), key.Value) != nil
		for _, path := range p.Remove {
			named = named || path.String() == key.Value || strings.HasPrefix(path.String(), key.Value+".")
		}
		if first, last := key.Line-1, lastLine(root.Content[i+1]); !named && last <= len(lines) && first < last {
			kept = append(kept, strings.TrimRight(strings.Join(lines[first:last], "\n"), "\r"))
		}
	}
	return kept
}

// Nothing that is applied to anything panics. The outcome is the model's, comes
// out the same the second time, and leaves alone what is not named.
func FuzzApply(f *testing.F) {
	for _, seed := range [][3]string{
		{
			`a:
  b: 1 # one
  c: [1, 2]
# d
d: 'x'
`,
			`a: {b: 2}
e: |
  text
`,
			"a.c",
		},
		{
			`l:
- a: 1
  b: {c.d: 2}
- x
`,
			`# new
l.m: null
`,
			"l.$[].b.c.d",
		},
		{"# spectrocloud.com/enabled-presets: g:x\n", "{}", "a"},
		{`a.b: 1
a: {b: {c: 2}}
`, "a: 5", "a.b"},
		{`m: &m {k: 1}
a:
  <<: *m
`, "a: {k: 2}", "a.k"},
		{
			`---
a: >-
  folded

  text
b:
`,
			`b: {c: {}}
a:
- 1
`,
			"$[]",
		},
		{"? [k]\n: v\n!t a: !!str 5\n", "a: 0x10", "0"},
		{"? \n! a: r #", "a: x10", "0"},
		{`0:
 !
`, ":1:", "1"},
		{`b: >#
 c`, "a: {b: 2}\n", "c.a"},
		{"0:", "?", "b"},
		{strings.ReplaceAll(`a: 1
b:
  - {c: 1}
`, "\n", "\r\n"), "b: []", "b.0.c"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, text, add, path string) {
		d, err := values.Parse(text)
		if err != nil || len(text) > 2000 || len(add) > 2000 {
			return
		}
		p := pack.Preset{Name: "it", Group: "g"}
		if p.Add, err = values.Parse(add); err != nil || p.Add.Root() != nil && p.Add.Root().Kind != yaml.MappingNode {
			return
		}
		if parsed, err := values.ParsePath(path); err == nil {
			p.Remove = append(p.Remove, parsed)
		}
		got, err := Apply(d, p)
		// A key that is introduced by a question mark may be refused.
		known := plain(d) && plain(p.Add) && !strings.Contains(text+add, "?")
		if err != nil {
			if known && errors.Is(err, errUnwritten) {
				t.Fatalf("%q + %q - %s: %v", text, add, path, err)
			}
			return
		}
		again, err := Apply(got, p)
		if err != nil {
			t.Fatalf("%q + %q - %s became %q, and again: %v", text, add, path, got.Text(), err)
		}
		if again.Text() != got.Text() {
			t.Fatalf("%q + %q - %s became %q, and again %q", text, add, path, got.Text(), again.Text())
		}
		if !known {
			return
		}
		want := orEmpty(modelApply(modelValue(d.Root()), p))
		if diff := cmp.Diff(want, orEmpty(modelValue(got.Root()))); diff != "" {
			t.Fatalf("%q + %q - %s became %q\n-model +got:\n%s", text, add, path, got.Text(), diff)
		}
		if !strings.HasSuffix(text, "\n") {
			return // a block at the end may need another chomping to keep its value
		}
		rest := got.Text()
		for _, lines := range keptLines(d, p) {
			before, after, found := strings.Cut(rest, lines)
			if !found {
				t.Fatalf("%q + %q - %s became %q, without %q in its place", text, add, path, got.Text(), lines)
			}
			_, rest = before, after
		}
	})
}

// A record of presets is read as it is written, or has a finding.
func FuzzRecord(f *testing.F) {
	for _, text := range []string{`[":x","g:y"]`, `[":x@0123456789ab@1.0.0"]`, `["x"]`, `[1]`, "{}", "null", "", "[\":\\ud800\"]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		record, faults := ParseRecord(text)
		if len(faults) > 0 {
			if record != nil || faults[0].Message() == "" {
				t.Errorf("%q: got %v, %v", text, record, faults)
			}
			return
		}
		if again, faults := ParseRecord(record.String()); len(faults) > 0 || again.String() != record.String() {
			t.Errorf("%q is %q, %v", text, record.String(), faults)
		}
	})
}
