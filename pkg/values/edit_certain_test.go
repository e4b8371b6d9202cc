package values

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// certainTexts are texts that many styles can hold as they are, and some that
// only seem so.
var certainTexts = []string{
	"x", "a/b:1.2@sha256:0", "5", "007", "0x1F", "1.5", "true", "null", "no", "two words", "a #b", "a#b", "a:", "a: b", "http://x", "x--", "it's", "\\", "ü",
	"a\n", "a\nb\n", "a\n\n  b", "a\n   \nb\n",
	`# a
b: |
  c
`,
	"a \n", "\na\n", " a\n", "a\n\n", "---\n",
	`a
---
b
`,
	"a\tb\n", "ä\u00a0\n", "{a}\n", "a\r\nb\n", "",
	strings.Repeat("long ", 300) + "end", strings.Repeat("line\n", 300),
}

// checkCertain makes the edits and reports whether they are made without reading
// the result. If so, it is read here, and has to pass.
func checkCertain(t rapid.TB, d *Document, edits ...ScalarEdit) bool {
	t.Helper()
	targets, _, err := d.locate(edits, nil)
	if err != nil {
		return false
	}
	l := d.layout()
	var splices []splice
	for i := range edits {
		target := targets[edits[i].Node]
		made, err := l.replaceScalar(target, false)
		if err != nil {
			return false
		}
		for _, s := range made {
			if !l.certain(target, s) {
				return false
			}
		}
		splices = append(splices, made...)
	}
	if len(splices) == 0 {
		return false
	}
	read, err := d.finish(splices, d.Root(), wanted(targets))
	if err != nil {
		t.Fatalf("%q is not certain in\n%q: %v", edits[0].Text, d.Text(), err)
	}
	unread, err := d.ReplaceScalars(edits...)
	if err != nil || unread.Text() != read.Text() || !reflect.DeepEqual(unread.nodes(), read.nodes()) {
		t.Fatalf("%q in\n%q: got %v, want\n%s", edits[0].Text, d.Text(), err, read.Text())
	}
	if was, is := comments(d), comments(unread); !reflect.DeepEqual(was, is) {
		t.Fatalf("%q in\n%q: the comments were %q, are %q", edits[0].Text, d.Text(), was, is)
	}
	return true
}

// comments returns the comments of all nodes, in order: an edit that is certain leaves
// the parser in the same state, so they have to stay where they are.
func comments(d *Document) []string {
	var all []string
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		all = append(all, n.HeadComment, n.LineComment, n.FootComment)
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(d.nodes().doc)
	return all
}

func scalarsOf(d *Document) []*yaml.Node {
	var all []*yaml.Node
	for _, v := range visit(d.Root()) {
		if v.node.Kind == yaml.ScalarNode {
			all = append(all, v.node)
		}
	}
	return all
}

func TestCertain(t *testing.T) {
	tests := []struct {
		text, value, tag string
		want             bool
	}{
		{"a: b\n", "c", "", true},
		{"a: b", "c", "", true},
		{"a: b # x\n", "c", "", true},
		{`a:
  b # x
`, "registry:5000/c:1.2", "", true},
		{`- b
- c
`, "two words", "", true},
		{"a: 5\n", "6", "!!int", true},
		{"a: 5\n", "c", "", true},
		{"a: 5\n", "6", KeepTag, true},
		{"a: true\n", "false", KeepTag, true},
		{"a: 5\n", "null", "!!null", false},
		{"a: b\n", "6", "", false}, // written in quotes
		{"a: b\n", "c:", "", false},
		{"a: b\n", "c #", "", false},
		{"a: b\n", "-c", "", false},
		{`a: b
  c
`, "d", "", false},
		{"a:\n", "d", "", false},
		{"b\n", "d", "", false},
		{"{a: b}\n", "c", "", false},
		{"a: [b]\n", "c", "", false},
		{"a: &x b\n", "c", "", false},
		{"a: !!str b\n", "c", "", false},
		{"a: ! b\n", "c", "", false},
		{"a: \"b\"\n", "c: '", "", false},
		{"a: \"b\"\n", "c: # {", "", true},
		{"a: 'b' # x\n", "c: 5", "", true},
		{"a: 'b'\n", "it's", "", false},
		{`a: "b
  c"
`, "d", "", false},
		{`a: |
  b
`, "c\n", "", true},
		{`a: |
  b
`, "c", "", true},
		{`a: |
  b`, "c\n", "", true},
		{`a: |
  b`, "c", "", false},
		{"a: |-\n  b\n  \n\nc: d\n", `c

 - d
e`, "", true},
		{`a: |-
  b
c: d
`, "c\n", "", true},
		{`a: | # x
  b

# y
c: d
`, "c\n", "", true},
		{`a: |+
  b
`, "c\n", "", false},
		{`a: |2
  b
`, "c\n", "", false},
		{`a: >
  b
`, "c\n", "", false},
		{`a: |

  b
`, "c\n", "", false},
		{"a: |\n  b \n", "c\n", "", false},
		{`a: |
  b
`, " c\n", "", false},
		{`a: |
  b
`, "c\n\n", "", false},
		{`a: |
  b
`, "c \n", "", false},
		{`a: |
  b
`, "c\td\n", "", false},
		{"a: |\r\n  b\r\n", "c\n", "", false},
		{"a: |\n  b\rc: d\n", "c\n", "", false},
		{"a: |\n  b\u0085c: d\n", "c\n", "", false},
	}
	for _, test := range tests {
		d := mustParse(t, test.text)
		if got := checkCertain(t, d, ScalarEdit{Node: scalarsOf(d)[0], Text: test.value, Tag: test.tag}); got != test.want {
			t.Errorf("%q in %q: certain: %v, want %v", test.value, test.text, got, test.want)
		}
	}
}

func TestCertainGenerated(t *testing.T) {
	certain := 0
	draws.Same(t, func(t *rapid.T) {
		text := hostileText(t)
		if rapid.Bool().Draw(t, "usual") {
			text = document(t)
		}
		d, err := Parse(text)
		if err != nil {
			return
		}
		var edits []ScalarEdit
		for _, n := range scalarsOf(d) {
			e := ScalarEdit{Node: n, Text: rapid.SampledFrom(certainTexts).Draw(t, "text"), Tag: rapid.SampledFrom([]string{"", "", KeepTag, intTag}).Draw(t, "tag")}
			if checkCertain(t, d, e) {
				edits = append(edits, e)
				certain++
			}
		}
		if len(edits) > 1 && !checkCertain(t, d, edits...) {
			t.Fatalf("all of %v are certain, but not together", edits)
		}
	})
	if certain == 0 {
		t.Error("nothing was certain")
	}
}

func TestCertainCorpus(t *testing.T) {
	certain, all := 0, 0
	for _, file := range corpus(t, "values.yaml") {
		d := readCorpus(t, file)
		if d == nil || d.Root() == nil || len(d.Text()) > 50_000 {
			continue
		}
		var edits []ScalarEdit
		for i, n := range scalarsOf(d) {
			edits = append(edits, ScalarEdit{Node: n, Text: certainTexts[i%len(certainTexts)], Tag: KeepTag, Shared: true})
		}
		for i, e := range edits {
			if i%40 == 0 {
				all++
				if checkCertain(t, d, e) {
					certain++
				}
			}
		}
	}
	t.Logf("%d of %d edits of the corpus are certain", certain, all)
}

// The nodes of an unread document may be asked for by several at once.
func TestUnreadConcurrently(t *testing.T) {
	d := mustParse(t, `a: b
c: 5
`)
	edited, err := d.ReplaceScalars(ScalarEdit{Node: scalarsOf(d)[0], Text: "x"})
	if err != nil {
		t.Fatal(err)
	}
	roots := make([]*yaml.Node, 8)
	var wait sync.WaitGroup
	for i := range roots {
		wait.Go(func() { roots[i] = edited.Root() })
	}
	wait.Wait()
	for _, root := range roots {
		if root == nil || root != roots[0] {
			t.Fatalf("roots %v", roots)
		}
	}
}

func FuzzCertainEdit(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, i, certainTexts[i%len(certainTexts)], "")
		f.Add(`data:
  a: b # c
  values.yaml: |
`+asLiteral(s)+`
  d: "e"
`, i, certainTexts[(i+9)%len(certainTexts)], "")
	}
	for i, value := range certainTexts {
		f.Add(`a: 5 # x
b: |
  c

  # d

# e

f: 'g'
h:
- i
`, i, value, KeepTag)
	}
	f.Fuzz(func(t *testing.T, text string, pick int, value, tag string) {
		d, err := Parse(text)
		if err != nil || d.Root() == nil {
			return
		}
		if all := scalarsOf(d); len(all) > 0 {
			checkCertain(t, d, ScalarEdit{Node: all[uint(pick)%uint(len(all))], Text: value, Tag: tag, Shared: true})
		}
	})
}

// BenchmarkReplaceOne replaces one scalar: of a small resource, and the literal
// that is most of a larger one. Reading the result is counted on its own.
func BenchmarkReplaceOne(b *testing.B) {
	deployment := `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  template:
    spec:
      containers:
`
	for i := range 5 {
		deployment += fmt.Sprintf(`      - name: container-%d
        image: registry.example.com/group/image-%d:1.2.3
        env:
        - name: LEVEL
          value: "debug" # how much
        ports:
        - containerPort: %d
`, i, i, 8080+i)
	}
	values := strings.TrimRight(strings.Repeat(benchText(), 10<<10/len(benchText())+1)[:10<<10], " \n")
	literal := `apiVersion: v1
kind: ConfigMap
data:
  values.yaml: |
` + asLiteral(values) + "\n"
	for _, bench := range []struct{ name, text, path, value string }{
		{"deployment", deployment, "spec.template.spec.containers.2.image", "registry.example.com/group/other:2.0.0"},
		{"literal", literal, "data.values.yaml", strings.ReplaceAll(values, "text", "words") + "\n"},
	} {
		d := mustParse(b, bench.text)
		edit := ScalarEdit{Node: Find(d.Root(), mustPath(b, bench.path))[0].Node, Text: bench.value}
		for _, read := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/read=%v", bench.name, read), func(b *testing.B) {
				b.SetBytes(int64(len(bench.text)))
				for b.Loop() {
					edited, err := d.ReplaceScalars(edit)
					if err != nil {
						b.Fatal(err)
					}
					if read {
						edited.Root()
					}
				}
			})
		}
	}
}
