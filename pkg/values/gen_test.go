package values

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
)

func mustParse(t rapid.TB, text string) *Document {
	t.Helper()
	d, err := Parse(text)
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return d
}

func mustPath(t rapid.TB, path string) Path {
	t.Helper()
	p, err := ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// corpus returns the files of the public packs, none when they are not there.
func corpus(t rapid.TB, name string) []string {
	t.Helper()
	dir := os.Getenv("PACK_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	files, err := filepath.Glob(filepath.Join(dir, "packs", "*", name))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Log("the corpus of public packs is absent: nothing checked against it")
	}
	return files
}

func readCorpus(t rapid.TB, file string) *Document {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Parse(string(text))
	if err != nil {
		t.Logf("%s: %v", filepath.Base(filepath.Dir(file)), err)
		return nil
	}
	return d
}

// generator writes documents in the many styles that people use.
type generator struct {
	*rapid.T
	out  strings.Builder
	step int
}

func (g *generator) chance(percent int, label string) bool {
	return rapid.IntRange(0, 99).Draw(g.T, label) < percent
}

func (g *generator) line(indent int, text string) {
	g.out.WriteString(strings.Repeat(" ", indent) + text + "\n")
}

var keyPool = []string{"a", "b", "c", "a.b", "'q r'", `"d:e"`, "long-key", "12", "x/y.z", "true"}

func (g *generator) key(used map[string]bool) string {
	for {
		k := rapid.SampledFrom(keyPool).Draw(g.T, "key")
		if used[k] {
			k = fmt.Sprintf("k%d", len(used))
		}
		if !used[k] {
			used[k] = true
			return k
		}
	}
}

func (g *generator) mapping(indent, depth int, first string) {
	used := map[string]bool{}
	n := rapid.IntRange(1, 4).Draw(g.T, "pairs")
	for i := range n {
		if i > 0 || first == "" {
			g.decoration(indent)
			g.entry(strings.Repeat(" ", indent)+g.key(used)+":", indent, depth, false)
		} else {
			g.entry(first+g.key(used)+":", indent, depth, false)
		}
	}
}

func (g *generator) decoration(indent int) {
	if g.chance(12, "blank") {
		g.out.WriteString("\n")
	}
	if g.chance(12, "comment") {
		g.line(indent, "# about: what follows")
	}
	if g.chance(5, "deep comment") {
		g.line(indent+3, "# limits: {}")
	}
}

func (g *generator) list(indent, depth int) {
	for range rapid.IntRange(1, 3).Draw(g.T, "items") {
		g.decoration(indent)
		dash := strings.Repeat(" ", indent) + "-"
		if depth > 0 && g.chance(30, "compact") {
			g.mapping(indent+2, depth-1, dash+" ")
			continue
		}
		g.entry(dash, indent, depth, true)
	}
}

func (g *generator) comment() string {
	if g.chance(15, "line comment") {
		return " # note"
	}
	return ""
}

var inlineScalars = []string{
	"x", "some words", "1", "1.30", "true", "null", "~", `"quoted"`, `"a \"b\" \\ \n c"`, "'single'", "'it''s'",
	`""`, "''", "0x10", "http://a:80/b#c", "[]", "{}", "[a, 'b', 3]", "{a: 1, b: [x, {c: }]}", "{ a: 1 }", "&anchor x", "!!str 5",
	"üñí — ✓", `"é"`, "-1", "- x", "2001-01-01", "a b\n  c", "\"a\n  b\"",
}

func (g *generator) entry(head string, indent, depth int, item bool) {
	kind := rapid.IntRange(0, 11).Draw(g.T, "kind")
	switch {
	case kind == 0:
		g.out.WriteString(head + g.comment() + "\n")
	case kind <= 2:
		style := rapid.SampledFrom([]string{"|", "|-", "|+", ">", ">-", ">+"}).Draw(g.T, "style")
		g.out.WriteString(head + " " + style + g.comment() + "\n")
		for range rapid.IntRange(1, 3).Draw(g.T, "lines") {
			g.line(indent+2, rapid.SampledFrom([]string{"text", "# no comment", "k: v", "two  words "}).Draw(g.T, "text"))
			if g.chance(20, "gap") {
				g.out.WriteString("\n")
			}
		}
		g.line(indent+2, "end")
	case kind <= 5 && depth > 0:
		g.out.WriteString(head + g.comment() + "\n")
		g.mapping(indent+g.step, depth-1, "")
	case kind <= 7 && depth > 0:
		g.out.WriteString(head + g.comment() + "\n")
		below := indent + 2
		if !item && g.chance(40, "indentless") {
			below = indent
		}
		g.list(below, depth-1)
	default:
		s := rapid.SampledFrom(inlineScalars).Draw(g.T, "scalar")
		if s == "- x" {
			s = "x"
		}
		s = strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", indent))
		s = strings.ReplaceAll(s, "&anchor", fmt.Sprintf("&a%d", g.out.Len()))
		if !strings.Contains(s, "\n") {
			s += g.comment()
		}
		g.out.WriteString(head + " " + s + "\n")
	}
}

// document draws the text of a document whose root is a map.
func document(t *rapid.T) string {
	g := &generator{T: t, step: rapid.SampledFrom([]int{2, 2, 2, 4, 3}).Draw(t, "step")}
	switch rapid.IntRange(0, 9).Draw(t, "start") {
	case 0:
		g.out.WriteString("---\n")
	case 1:
		g.out.WriteString("# header\n\n")
	case 2:
		g.out.WriteString("\ufeff# header\n")
	}
	g.mapping(0, 3, "")
	if g.chance(10, "foot") {
		g.out.WriteString("\n# foot\n")
	}
	text := g.out.String()
	if g.chance(10, "no last break") {
		text = strings.TrimRight(text, "\n")
	}
	if g.chance(10, "crlf") {
		text = crlf(text)
	}
	if _, err := Parse(text); err != nil {
		t.Fatalf("the generator wrote %q: %v", text, err)
	}
	return text
}

// visited is one value of a document with the steps to it.
type visited struct {
	steps  []Step
	node   *yaml.Node
	parent *yaml.Node
	flow   bool
}

// visit returns every value below root in document order, root included.
func visit(root *yaml.Node) []visited {
	var all []visited
	var walk func(v visited)
	walk = func(v visited) {
		all = append(all, v)
		flow := v.flow || v.node.Style&yaml.FlowStyle != 0
		switch v.node.Kind {
		case yaml.MappingNode:
			for i := 0; i+1 < len(v.node.Content); i += 2 {
				walk(visited{append(v.steps[:len(v.steps):len(v.steps)], Step{Key: v.node.Content[i].Value}), v.node.Content[i+1], v.node, flow})
			}
		case yaml.SequenceNode:
			for i, item := range v.node.Content {
				walk(visited{append(v.steps[:len(v.steps):len(v.steps)], Step{Index: i, IsIndex: true}), item, v.node, flow})
			}
		}
	}
	if root != nil {
		walk(visited{node: root})
	}
	return all
}

// plainValue decodes a tree into maps, slices and tagged texts, without any of
// the code under test. Keys are texts; the last of equal keys counts.
func plainValue(n *yaml.Node) any {
	if n == nil {
		return nil
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yaml.MappingNode:
		m := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag == "!!merge" {
				continue
			}
			m[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag == "!!merge" {
				if merged, ok := plainValue(n.Content[i+1]).(map[string]any); ok {
					for k, v := range merged {
						if _, known := m[k]; !known {
							m[k] = v
						}
					}
				}
			}
		}
		return m
	case yaml.SequenceNode:
		s := make([]any, len(n.Content))
		for i, item := range n.Content {
			s[i] = plainValue(item)
		}
		return s
	}
	if n.ShortTag() == "!!null" {
		return nil
	}
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool": // 0 is 00
		var v any
		if n.Decode(&v) == nil {
			return fmt.Sprintf("%s %v", n.ShortTag(), v)
		}
	}
	return n.ShortTag() + " " + n.Value
}

// modelMerge is Document.Merge on decoded values.
func modelMerge(below, over any) any {
	b, ok := below.(map[string]any)
	o, also := over.(map[string]any)
	if !ok || !also {
		return over
	}
	m := map[string]any{}
	for k, v := range b {
		m[k] = v
	}
	for k, v := range o {
		if old, known := m[k]; known {
			m[k] = modelMerge(old, v)
		} else {
			m[k] = v
		}
	}
	return m
}

// modelDelete removes the value at the steps from decoded values.
func modelDelete(v any, at []Step) any {
	switch c := v.(type) {
	case map[string]any:
		old, known := c[at[0].Key]
		if at[0].IsIndex || !known {
			return v
		}
		m := map[string]any{}
		for k, value := range c {
			m[k] = value
		}
		if len(at) == 1 {
			delete(m, at[0].Key)
		} else {
			m[at[0].Key] = modelDelete(old, at[1:])
		}
		return m
	case []any:
		if !at[0].IsIndex || at[0].Index >= len(c) {
			return v
		}
		s := append([]any(nil), c...)
		if len(at) == 1 {
			return append(s[:at[0].Index], s[at[0].Index+1:]...)
		}
		s[at[0].Index] = modelDelete(s[at[0].Index], at[1:])
		return s
	}
	return v
}

// hostileLines make texts that mean something else than it
// seems.
var hostileLines = []string{
	"a: |", "b: |-", "c: |+", "d: |", "- a: |", "- - b: |", "- |", "? e: |", ": |", "? |", "f: |2", "g: >", "h: >-", "i: | # c", "j: &x |", "k: !!str |",
	"l: \"x: |", "m: 'y: |", "\"", "'", "# n: |", "o: {p: |", "q: [r: |", "}", "]", "---", "...", "s: 1", "t: 1 # u: |", "v:", "- w", "-", "x", "*x", "text",
	"x", "y # z", "", "", " ", "     ", "# c", "ü: |", "end  ", "%d", "--- |", "- # c", "key: v: |", "a: |x", "b: ||",
}

// hostileText draws a text that looks like one with literals.
func hostileText(t *rapid.T) string {
	var b strings.Builder
	deep := 0
	for range rapid.IntRange(1, 14).Draw(t, "lines") {
		line := rapid.SampledFrom(hostileLines).Draw(t, "line")
		deep = max(0, deep+rapid.SampledFrom([]int{0, 0, 0, 1, 2, 2, -1, -2, -4}).Draw(t, "indent"))
		b.WriteString(strings.Repeat(" ", deep) + line + "\n")
		if strings.HasSuffix(line, "|") || strings.HasSuffix(line, "v:") {
			deep += 2
		}
	}
	return b.String()[:b.Len()-rapid.IntRange(0, 1).Draw(t, "no last break")]
}

// asLiteral indents a text as the content of a literal.
func asLiteral(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ")
}
