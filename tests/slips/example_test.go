package slips

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// step is a function of an example with what it gets.
type step struct {
	example  string
	function function.Function
	// items are the resources, and trees their content. The last tree is the functionConfig,
	// nil if there is none.
	items []*list.Item
	trees []*yaml.Node
	// before is what the function does with them, and fails says that it finds errors.
	before outcome
	fails  bool
}

// config is the index of the functionConfig in the trees of a step.
func (s *step) config() int { return len(s.items) }

// outcome is what a function does with resources. It does not depend on where in a text
// something is.
type outcome struct {
	findings []diag.Finding
	facts    map[string]bool
	// consequences are the facts that are left out, because they follow from an error.
	consequences map[string]bool
	// items are the resources that were changed, with their new content, and new ones.
	items map[int]string
}

// steps returns the functions of all examples.
var steps = sync.OnceValue(func() []*step {
	kptfiles, err := filepath.Glob("../../examples/*/Kptfile")
	if err != nil || len(kptfiles) == 0 {
		panic(fmt.Sprintf("no examples: %v", err))
	}
	var all []*step
	for _, kptfile := range kptfiles {
		dir := filepath.Dir(kptfile)
		tree, err := packfntest.Load(dir)
		if err != nil {
			panic(err)
		}
		_, err = tree.Render(packfntest.RenderOptions{Functions: suite.All(), Evaluate: func(f function.Function, l *list.List) function.Outcome {
			s := &step{example: filepath.Base(dir), function: f}
			for _, item := range l.Items {
				kept := item.Next()
				kept.Keep()
				s.items = append(s.items, kept)
				document, err := item.Document()
				if err != nil {
					panic(err)
				}
				s.trees = append(s.trees, document.Root())
			}
			config := l.Config()
			s.trees = append(s.trees, config)
			out := function.Evaluate(f, l)
			s.fails = out.Failed
			all = append(all, s)
			return out
		}})
		if err != nil {
			panic(err)
		}
	}
	for _, s := range all {
		s.before = s.run(nil)
	}
	return all
})

// run runs the function over the resources with other trees in place of some, by their indexes.
func (s *step) run(changed map[int]*yaml.Node) outcome {
	l := &list.List{}
	for i, item := range s.items {
		next := item.Next()
		if tree := changed[i]; tree != nil {
			text, err := yaml.Marshal(tree)
			if err != nil {
				panic(err)
			}
			r := item.Resource()
			next = list.FileItem(text, r.File, r.Index).InPackage(r.PackagePath)
		}
		l.Items = append(l.Items, next)
	}
	config := s.trees[s.config()]
	if tree := changed[s.config()]; tree != nil {
		config = tree
	}
	if config != nil {
		l.SetConfig(config)
	}
	given := slices.Clone(l.Items)
	ran := function.Evaluate(s.function, l)
	out := outcome{findings: ran.Findings, facts: facts(ran.Findings), consequences: facts(ran.Consequences), items: map[int]string{}}
	for i, item := range given {
		if text, isEdited := item.Edited(); isEdited && changed[i] == nil {
			out.items[i] = text
		} else if isEdited {
			out.items[i] = "changed"
		} else if item.Removed() {
			out.items[i] = "removed"
		}
	}
	for i, item := range l.Items {
		if item.Added() {
			out.items[len(given)+i] = string(item.Text())
		}
	}
	return out
}

func facts(found []diag.Finding) map[string]bool {
	all := map[string]bool{}
	for i := range found {
		all[fact(found[i])] = true
	}
	return all
}

// fact is a finding without its place in a text.
func fact(f diag.Finding) string {
	f.Position, f.First = diag.Position{}, diag.Position{}
	return functiontest.Facts([]diag.Finding{f})[0]
}

// news returns the findings that another outcome does not have.
func (o outcome) news(before outcome) []diag.Finding {
	return slices.DeleteFunc(slices.Clone(o.findings), func(f diag.Finding) bool { return before.facts[fact(f)] })
}

// differs reports whether an outcome differs from another one.
func (o outcome) differs(other outcome) bool {
	return fmt.Sprint(o.facts) != fmt.Sprint(other.facts) || fmt.Sprint(o.items) != fmt.Sprint(other.items)
}

// namesRight reports whether a finding says which name is right.
func namesRight(f diag.Finding, name string) bool {
	isWord := func(text string) bool {
		return slices.ContainsFunc(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" ,\"()", r) }), func(word string) bool {
			group, kind, _ := strings.Cut(word, "/")
			return word == name || group == name || kind == name ||
				slices.Contains(strings.Split(word, "."), name) || slices.Contains(strings.Split(name, "."), word)
		})
	}
	path := cmp.Or(f.Path(), f.Key)
	isMissing := f.Kind == diag.KindMissing && (strings.HasSuffix(path, "."+name) || strings.HasSuffix(path, "["+name+"]") || path == name || strings.HasSuffix(f.Key, name))
	return isMissing || isWord(f.Nearest) || isWord(f.Accepted)
}
