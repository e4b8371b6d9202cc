package slips

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// exception is a set of names, as `FUNCTION: KIND PATH`, with the reason why it is one.
type exception struct{ names, reason string }

// free are names that users, authors and programs choose, or write: the suite does not know
// which one is right.
var free = []exception{
	{`: ConfigMap data\.values\.yaml\.|: \w+ spec\.values\.|\.add\.text\.`, "keys of values: values/… and preset/invalid check them by schema, chart and preset"},
	{`metadata\.labels\.|: Team metadata\.annotations\.`, "labels and annotations that a user's selector or expression chooses"},
	{`=Team$|=krm-platform\.bigco\.com/|=Limits$|=Route$|=net\.example\.com/|=Deployment$|=apps/`, "kinds that a user's selector or injector chooses"},
	{` spec\.variables\.|\.additionalParameters\.\[\]\.value\.`, "names that a user gives to variables and parameters"},
	{` spec\.requires\.cap\.`, "paths of Types in a hub"},
	{` spec\.action\.args`, "the content of an action, which is its runner's"},
	{`: (HelmRelease|Application) `, "fields of Flux and Argo CD, whose own schemas check them; a release that cannot be read is not checked"},
	{`: ConfigMap data\.chart-facts\.yaml`, "what packfn import writes about charts"},
	{`: Kptfile upstreamLock`, "the record that kpt writes"},
}

// silent are names that the suite reads and whose slips it does not tell.
var silent = []exception{
	{`schema\.yaml\.text\.registry\.addresses`, "a dot of a path that is left out or swapped makes other keys of it"},
	{`: Kptfile kind=Kptfile$`, "kpt rejects the Kptfile before a function runs"},
}

// matches returns the exception that a name is of, nil if it is of none.
func matches(exceptions []exception, path string) *exception {
	for i, e := range exceptions {
		if regexp.MustCompile(e.names).MatchString(path) {
			return &exceptions[i]
		}
	}
	return nil
}

// stranger is a name that nothing knows.
const stranger = "zqxjkv"

// name is a name that a function reads.
type name struct {
	*step
	resource int
	// path is `FUNCTION: KIND PATH`, and at is the way to the name: to a key, or to the value
	// of a kind or an apiVersion.
	path, text string
	at         way
	isValue    bool
	// taken are the names next to it.
	taken []string
}

// change returns the change to a slip of the name. Of an apiVersion the group slips.
func (n *name) change(slip string) change {
	return change{n.at, func(node *yaml.Node) *yaml.Node {
		out := *node
		out.Value = slip
		if _, version, isGroup := strings.Cut(node.Value, "/"); n.isValue && isGroup {
			out.Value = slip + "/" + version
		}
		return &out
	}}
}

// with returns the resource with a slip of the name.
func (n *name) with(slip string) *yaml.Node {
	return edited(n.trees[n.resource], n.change(slip))
}

// slipped is what the function does with a slip of the name.
func (n *name) slipped(slip string) outcome {
	return n.run(map[int]*yaml.Node{n.resource: n.with(slip)})
}

// names returns the names that the functions of all examples read, each once for a function.
var names = sync.OnceValue(func() []*name {
	seen := map[string]bool{}
	var found []*name
	for _, s := range steps() {
		if s.fails {
			continue
		}
		for i, tree := range s.trees {
			if tree == nil {
				continue
			}
			resource := s.function.Name + ": " + values.Text(values.Field(tree, "kind")) + " "
			if i == s.config() {
				resource += "(functionConfig) "
			}
			add := func(n *name, isRead func() bool) {
				n.step, n.resource = s, i
				// In a test, the first place of a name counts.
				if seen[n.path] || !isAll() && seen[n.path+" is free"] || matches(free, n.path) != nil {
					return
				}
				if seen[n.path+" is free"] = true; isRead() {
					seen[n.path] = true
					found = append(found, n)
				}
			}
			visit(tree, nil, nil, func(at way, names []string, key, value, in *yaml.Node) {
				path := resource + strings.Join(names, ".")
				if isHead := key.Value == "kind" || key.Value == "apiVersion"; isHead && len(names) == 1 {
					n := &name{path: path + "=" + value.Value, text: value.Value, at: beside(at), isValue: true}
					group, _, isGroup := strings.Cut(value.Value, "/")
					if key.Value == "apiVersion" {
						n.text = group
					}
					add(n, func() bool {
						return (key.Value == "kind" || isGroup) && s.run(map[int]*yaml.Node{i: n.with(stranger)}).differs(s.before)
					})
				}
				n := &name{path: path, text: key.Value, at: at}
				for k := 0; k < len(in.Content); k += 2 {
					n.taken = append(n.taken, in.Content[k].Value)
				}
				add(n, func() bool { return s.isRead(i, tree, at, value) })
			})
		}
	}
	return found
})

// beside returns the way to the value of the key at the end of a way.
func beside(key way) way { return append(slices.Clone(key[:len(key)-1]), key[len(key)-1]+1) }

// wrong are values that are wrong almost everywhere.
func wrong() []*yaml.Node {
	one := scalar(stranger)
	return []*yaml.Node{
		{Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{one, {Kind: yaml.MappingNode, Tag: "!!map", Content: []*yaml.Node{one, one}}}},
		{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{{Kind: yaml.SequenceNode, Tag: "!!seq", Content: []*yaml.Node{one}}}},
		one,
	}
}

// isRead reports whether a wrong value at a key makes a difference, which it does not make at
// any key: those of labels, for instance, are all read alike.
func (s *step) isRead(resource int, tree *yaml.Node, key way, value *yaml.Node) bool {
	atStranger := func(v *yaml.Node) outcome {
		return s.run(map[int]*yaml.Node{resource: edited(tree, change{key[:len(key)-1], func(in *yaml.Node) *yaml.Node {
			out := *in
			out.Content = append(slices.Clone(in.Content), scalar(stranger), v)
			return &out
		}})})
	}
	for _, bad := range wrong() {
		if bad.Kind == value.Kind && bad.Kind != yaml.ScalarNode {
			continue
		}
		out := s.run(map[int]*yaml.Node{resource: edited(tree, change{beside(key), func(*yaml.Node) *yaml.Node { return bad }})})
		if out.differs(s.before) && (len(atStranger(value).news(s.before)) > 0 || !atStranger(bad).differs(s.before)) {
			return true
		}
	}
	return false
}

// TestSlips misspells each name that a function reads. At least 99 of 100 slips are told with
// the right name, as an error or a warning. The exceptions above say which are not.
func TestSlips(t *testing.T) {
	read := names()
	known := map[string]bool{} // with their parents
	for _, n := range read {
		known[strings.TrimSuffix(n.path, n.text)+"|"+n.text] = true
	}
	count, told := 0, 0
	untold := map[string][]string{}
	used := map[*exception]bool{}
	for _, n := range read {
		slips := functiontest.Misspellings(n.text)
		if isAll() {
			slips = functiontest.AllMisspellings(n.text)
		}
		for _, slip := range slips {
			if slices.Contains(n.taken, slip) || known[strings.TrimSuffix(n.path, n.text)+"|"+slip] {
				continue // another name
			}
			count++
			news := n.slipped(slip).news(n.before)
			if slices.ContainsFunc(news, func(f diag.Finding) bool { return f.Level() != diag.Info && namesRight(f, n.text) }) {
				told++
			} else if e := matches(silent, n.path); e != nil {
				used[e] = true
			} else {
				untold[n.path] = append(untold[n.path], fmt.Sprintf("%s: %q", slip, functiontest.Facts(news)))
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(untold)) {
		t.Errorf("%s: the right name is not told:\n%s", path, strings.Join(untold[path], "\n"))
	}
	for i := range silent {
		if isAll() && !used[&silent[i]] {
			t.Errorf("the exception %s is not needed", silent[i].names)
		}
	}
	t.Logf("%d names, %d of %d slips are told", len(read), told, count)
	if told*100 < count*99 {
		t.Errorf("less than 99 of 100 slips are told: %d of %d", told, count)
	}
	if len(read) < 500 || count < 2500 {
		t.Errorf("only %d names with %d slips were found", len(read), count)
	}
}

// TestSlipsOfGroupAndKind misspells the group and the kind of each kind that a function reads,
// both at once.
func TestSlipsOfGroupAndKind(t *testing.T) {
	count := 0
	for _, n := range names() {
		tree := n.trees[n.resource]
		version := values.Text(values.Field(tree, "apiVersion"))
		group, rest, isGroup := strings.Cut(version, "/")
		if !n.isValue || !isGroup || n.text != values.Text(values.Field(tree, "kind")) || matches(silent, n.path) != nil {
			continue
		}
		for i, kind := range functiontest.Misspellings(n.text) {
			slips := functiontest.Misspellings(group)
			slipped := slips[i%len(slips)] + "/" + rest
			changed := edited(n.with(kind), change{nil, func(root *yaml.Node) *yaml.Node {
				out := *root
				out.Content = slices.Clone(root.Content)
				for at := 0; at < len(out.Content); at += 2 {
					if out.Content[at].Value == "apiVersion" {
						out.Content[at+1] = scalar(slipped)
					}
				}
				return &out
			}})
			count++
			news := n.run(map[int]*yaml.Node{n.resource: changed}).news(n.before)
			if !slices.ContainsFunc(news, func(f diag.Finding) bool {
				return f.Level() != diag.Info && (namesRight(f, n.text) || namesRight(f, group))
			}) {
				t.Errorf("%s: %s %s: got %q", n.path, slipped, kind, functiontest.Facts(news))
			}
		}
	}
	if t.Logf("%d slips", count); count < 50 {
		t.Errorf("only %d slips were tried", count)
	}
}

// isAll reports whether each letter slips.
func isAll() bool { return os.Getenv("SLIPS") == "all" }
