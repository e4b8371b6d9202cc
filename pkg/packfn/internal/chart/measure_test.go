package chart

import (
	"fmt"
	"strings"
	"testing"
	"text/template/parse"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// measured returns the size of a parsed template.
func measured(n parse.Node) size {
	var s size
	in := func(n parse.Node, deeper int) {
		below := measured(n)
		s.nodes += below.nodes
		s.depth = max(s.depth, below.depth+deeper)
	}
	branch := func(n *parse.BranchNode) {
		s.nodes++
		in(n.Pipe, 1)
		in(n.List, 1)
		if n.ElseList != nil {
			in(n.ElseList, 1)
		}
	}
	switch n := n.(type) {
	case *parse.ListNode:
		for _, node := range n.Nodes {
			in(node, 0)
		}
	case *parse.ActionNode:
		s.nodes++
		in(n.Pipe, 0)
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.PipeNode:
		for _, command := range n.Cmds {
			for _, argument := range command.Args {
				s.nodes++
				if inner, ok := argument.(*parse.PipeNode); ok {
					in(inner, 1)
				}
			}
		}
	}
	return s
}

// A template is measured without parsing it: its parser would overflow the stack. What
// is measured is never less than what the parser makes of it, or an archive could hide
// what it costs.
func TestMeasureIsABound(t *testing.T) {
	parts := []string{
		"{{if .a}}", "{{- if (and (.b) .c) -}}", "{{else if .b}}", "{{else}}", "{{end}}", "{{ end }}", "{{range $i, $x := .l}}", "{{with (index .a (print \"(\"))}}", "{{else with .x}}",
		"{{/* {{if}} \" */}}", "{{- /* }} */ -}}", "{{ \"}}{{end}}\" }}", "{{ `}}{{end}}\"` | quote }}", "{{ '}' }}", "{{ \"\\\"}}{{end}}\" }}", "text }} ", "{{ .a.b.c | f \"x\" | g }}", "{{\tprintf \"%s\"\n.a }}",
		`{{define "d"}}`, `{{block "b" .}}`, `{{template "d" .}}`, "{", "\"", "{{$x := 1}}", "{{break}}",
	}
	parsed := 0
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 1, 12).Draw(t, "parts"), "")
		text += strings.Repeat("{{end}}", rapid.IntRange(0, 6).Draw(t, "ends"))
		trees := map[string]*parse.Tree{}
		tree := parse.New("t")
		tree.Mode = parse.SkipFuncCheck
		if _, err := tree.Parse(text, "", "", trees); err != nil {
			return
		}
		parsed++
		want := size{}
		for _, tree := range trees {
			if tree.Root != nil {
				found := measured(tree.Root)
				want.nodes += found.nodes
				want.depth = max(want.depth, found.depth)
			}
		}
		if got := measure(text); got.nodes < want.nodes || got.depth < want.depth {
			t.Fatalf("got %+v, want at least %+v of %s", got, want, text)
		}
	})
	t.Logf("%d templates were parsed", parsed)
}

// Each word, text and action counts, and what is in comments and texts does not.
func TestMeasure(t *testing.T) {
	for text, want := range map[string]size{
		"":                               {0, 0},
		"text }}":                        {0, 0},
		"{{ .a }}":                       {2, 0},
		"{{.a | f \"x y\" `z`}}":         {7, 0},
		"{{- .a -}}":                     {3, 0},
		"{{ .a":                          {1, 0},
		"{{/* {{ if .a }} */}}{{ .b }}":  {3, 0},
		"{{- /* \" */ -}}{{ .b }}":       {3, 0},
		"{{/* {{ if .a }}":               {1, 0},
		"{{ if .a }}{{ .b }}{{ end }}":   {7, 1},
		"{{ if .a }}{{ else }}{{ end }}": {7, 1},
		"{{ if .a }}{{ else if .b }}{{ if .c }}{{ end }}{{ end }}{{ if .d }}{{ end }}": {19, 3},
		"{{ range .a }}{{ with .b }}{{ end }}{{ end }}":                                {10, 2},
		"{{ define `a` }}{{ block `b` . }}{{ end }}{{ end }}":                          {13, 2},
		"{{ if (a (b)) }}{{ end }}":                                                    {6, 3},
		"{{ (a) (b) }}":                                                                {3, 1},
		"{{ \"\\\"}}\" }}{{ '}' }}{{ `\\` }}":                                          {9, 0},
		"{{ end }}{{ else if }}":                                                       {5, 0},
	} {
		if got := measure(text); got != want {
			t.Errorf("%s: got %+v, want %+v", text, got, want)
		}
	}
}

// Limits are reached by what is written, not by what archives say of it.
func TestLimitsOfTemplates(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("{{if .a}}", n) + strings.Repeat("{{end}}", n) }
	for _, tc := range []struct {
		name, want string
		files      map[string]string
	}{
		{"nested blocks", "", map[string]string{"templates/a.yaml": nested(maxBlocks)}},
		{"too many nested blocks", "templates/a.yaml: blocks are nested more than 1000 deep", map[string]string{"templates/a.yaml": nested(maxBlocks + 1)}},
		{"nested conditions", "more than 1000 deep", map[string]string{"templates/a.yaml": "{{if .a}}" + strings.Repeat("{{else if .b}}", maxBlocks) + "{{end}}"}},
		{"nested parentheses", "more than 1000 deep", map[string]string{"templates/a.yaml": "{{" + strings.Repeat("(", maxBlocks+1) + ".a" + strings.Repeat(")", maxBlocks+1) + "}}"}},
		{"ends in texts", "more than 1000 deep", map[string]string{"templates/a.yaml": strings.Repeat(`{{if "}}{{end}}"}}`, maxBlocks+1) + strings.Repeat("{{end}}", maxBlocks+1)}},
		{"words", "more than 300000 words", map[string]string{"templates/a.yaml": strings.Repeat("{{.a}}", maxNodes/4), "templates/b.yaml": strings.Repeat("{{.a}}", maxNodes/4+1)}},
		{"text", "templates of the pack's charts have more than 8 MiB", map[string]string{"templates/a.yaml": strings.Repeat("a", maxTemplates+1)}},
		{"values", "values.yaml: the values and schemas of the pack's charts have more than 2 MiB", map[string]string{"values.yaml": strings.Repeat("#", maxDocuments)}},
		{"other files", "", map[string]string{"files/a": strings.Repeat("a", maxTemplates+1)}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			files := map[string][]byte{"Chart.yaml": []byte("name: c\n")}
			for name, text := range tc.files {
				files[name] = []byte(text)
			}
			_, err := (&budget{}).chart("c", files, 0)
			if got := fmt.Sprint(err); tc.want == "" && err != nil || tc.want != "" && !strings.Contains(got, tc.want) {
				t.Errorf("got %.200s, want %s", got, tc.want)
			}
		})
	}
}

// Each limit of a pack's charts holds exactly.
func TestBudget(t *testing.T) {
	blocks := func(n int) string { return strings.Repeat("{{ if a }}", n) + strings.Repeat("{{ end }}", n) }
	words := measure("{{ a b }}").nodes
	for name, tc := range map[string]struct {
		spent      budget
		file, text string
		want       bool
	}{
		"templates":                         {budget{templates: maxTemplates - 5}, "templates/a.yaml", "12345", true},
		"templates that are too long":       {budget{templates: maxTemplates - 4}, "templates/a.yaml", "12345", false},
		"a file that is not a template":     {budget{templates: maxTemplates}, "README.md", "12345", true},
		"documents":                         {budget{documents: maxDocuments - 5}, documents[0], "12345", true},
		"documents that are too long":       {budget{documents: maxDocuments - 4}, documents[0], "12345", false},
		"words":                             {budget{nodes: maxNodes - words}, "templates/a.yaml", "{{ a b }}", true},
		"words that are too many":           {budget{nodes: maxNodes - words + 1}, "templates/a.yaml", "{{ a b }}", false},
		"blocks":                            {budget{}, "templates/a.yaml", blocks(maxBlocks), true},
		"blocks that are nested too deeply": {budget{}, "templates/a.yaml", blocks(maxBlocks + 1), false},
	} {
		before := tc.spent
		if err := tc.spent.parse(tc.file, tc.text); (err == nil) != tc.want {
			t.Errorf("%s: %v", name, err)
		}
		if before.add(budget{1, 2, 3, 4, 5}); before.files != 2 || before.bytes != 1 {
			t.Errorf("%s: %+v", name, before)
		}
	}
	for name, tc := range map[string]struct {
		spent budget
		want  bool
	}{
		"nothing":   {budget{}, false},
		"all of it": {budget{maxPacks * maxBytes, maxPacks * maxFiles, maxPacks * maxTemplates, maxPacks * maxNodes, maxPacks * maxDocuments}, false},
		"bytes":     {budget{bytes: maxPacks*maxBytes + 1}, true},
		"files":     {budget{files: maxPacks*maxFiles + 1}, true},
		"templates": {budget{templates: maxPacks*maxTemplates + 1}, true},
		"nodes":     {budget{nodes: maxPacks*maxNodes + 1}, true},
		"documents": {budget{documents: maxPacks*maxDocuments + 1}, true},
	} {
		if got := tc.spent.isSpent(); got != tc.want {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

// Paths are followed up to their limit. What is below it is read as a whole.
func TestDeepNodes(t *testing.T) {
	for name, below := range map[string]func(*node) *node{
		"a key":   func(n *node) *node { return n.child("a") },
		"any key": func(n *node) *node { return n.anyChild() },
	} {
		n := &node{}
		for i := range maxDepth {
			next := below(n)
			if next == n || n.whole {
				t.Fatalf("%s: level %d is read as a whole", name, i)
			}
			n = next
		}
		if below(n) != n || !n.whole {
			t.Errorf("%s: there is more below the last level", name)
		}
	}
}

// A text costs steps by its length. Behind the limit nothing is followed.
func TestStepsOfTexts(t *testing.T) {
	const text = "{{ .Values.a.b }}"
	for steps, want := range map[int]bool{0: false, maxSteps - len(text)/bytesOfStep: false, maxSteps - len(text)/bytesOfStep + 1: true} {
		s := newScope(&Chart{}, &node{}, &node{})
		w := &walker{steps: steps}
		w.readText(s, text)
		if w.failed != want || s.values.follow("a.b").whole == want {
			t.Errorf("after %d steps: failed %v, read %v", steps, w.failed, s.values.follow("a.b").whole)
		}
	}
}
