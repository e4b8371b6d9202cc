package macro

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// Every macro of the public packs resolves when all names are supplied, and nothing
// else in their values changes: other templates, comments, layout.
func TestCorpus(t *testing.T) {
	files := functiontest.Corpus(t, "packs/*/values.yaml")
	context := Context{System: map[string]string{}, Variables: map[string]string{"NGC_API_KEY": "RESOLVED"}, Missing: Error}
	for _, name := range pack.SystemNames() {
		context.System[name] = "RESOLVED"
	}
	text := `awsAccountNumber: RESOLVED
charts: {wordpress: {wordpressUsername: RESOLVED, wordpressPassword: RESOLVED}}
`
	packs := []Pack{{Name: "karpenter", Values: tree(t, text)}, {Name: "wordpress-chart", Values: tree(t, text)}}
	read, resolved, foreign := 0, 0, 0
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		d, err := values.Parse(string(text))
		if err != nil {
			t.Logf("%s is not YAML: %v", name, err)
			continue
		}
		read++
		sources := hydration.Read(d, nil, hydration.Edited)
		results, findings := NewResolver(context, packs).Document(sources)
		edits := sources.Edits(results, hydration.Bare)
		resolved += len(results)
		for _, fact := range functiontest.Facts(findings) {
			t.Errorf("%s: %s", name, fact)
		}
		out, err := d.Rewrite(edits.Scalars, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(results) == 0 && out.Text() != string(text) {
			t.Errorf("%s changed without macros", name)
		}
		before, after := strings.Split(string(text), "\n"), strings.Split(out.Text(), "\n")
		if len(before) != len(after) {
			t.Errorf("%s: %d lines became %d", name, len(before), len(after))
			continue
		}
		for i, line := range before {
			if line != after[i] && !template.HasMacro(line) {
				t.Errorf("%s, line %d: %q became %q", name, i+1, line, after[i])
			}
			if line == after[i] && template.HasMacro(line) && !strings.Contains(line, "#") {
				t.Errorf("%s, line %d still holds a macro: %q", name, i+1, line)
			}
		}
		var others [2][]string
		for i, text := range []string{string(text), out.Text()} {
			for _, a := range template.Actions(text) {
				if !a.Macro {
					others[i] = append(others[i], text[a.Start:a.End])
				}
			}
		}
		foreign += len(others[0])
		if diff := cmp.Diff(others[0], others[1]); diff != "" {
			t.Errorf("%s: other templates changed:\n%s", name, diff)
		}
		if diff := cmp.Diff(comments(d.Root()), comments(out.Root())); diff != "" {
			t.Errorf("%s: comments changed:\n%s", name, diff)
		}
	}
	if resolved == 0 || foreign == 0 {
		t.Errorf("the corpus has %d values with macros and %d other templates: nothing was tested", resolved, foreign)
	}
	t.Logf("%d of %d values files: %d values resolved, %d other actions unchanged", read, len(files), resolved, foreign)
}

func comments(n *yaml.Node) []string {
	if n == nil {
		return nil
	}
	all := []string{n.HeadComment, n.LineComment, n.FootComment}
	for _, child := range n.Content {
		all = append(all, comments(child)...)
	}
	return all
}
