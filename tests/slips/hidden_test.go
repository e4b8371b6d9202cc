package slips

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// slip returns a slip of the name that is no other name beside it, "" if there is none.
func (n *name) slip() string {
	for _, slip := range functiontest.Misspellings(n.text) {
		if !slices.Contains(n.taken, slip) {
			return slip
		}
	}
	return ""
}

// isHead reports whether the name is a key without which a resource is none: that is told in its own words.
func (n *name) isHead() bool {
	return !n.isValue && slices.Contains([]string{"apiVersion", "kind", "metadata"}, n.text) && strings.HasSuffix(n.path, " "+n.text)
}

// used are names whose slips change what else is found.
var used = []exception{
	{` spec\.system\.`, "a misspelt fact of a ClusterContext is used as the right one, so it is not missing"},
	{` spec\.targets\.\[\]\.packageNames$`, "what the target of a set matches is unknown, so its variants are not compared with others"},
}

// TestSlipsHideNothing compares each slip with a name that nothing knows in its place: the function cannot
// read what is there either way, and must find the same. What it leaves out is exactly the name that the slip
// means.
func TestSlipsHideNothing(t *testing.T) {
	count := 0
	for _, n := range names() {
		if n.slip() == "" || n.isHead() || matches(used, n.path) != nil {
			continue
		}
		count++
		slipped, unknown := n.slipped(n.slip()), n.slipped(stranger)
		for i := range unknown.findings {
			fact := fact(unknown.findings[i])
			isHidden := !slipped.facts[fact] && !slipped.consequences[fact] && !strings.Contains(fact, stranger)
			if unknown.findings[i].Level() == diag.Error && isHidden && !n.isPlaceOf(&unknown.findings[i]) {
				t.Errorf("%s: %s hides %s", n.path, n.slip(), fact)
			}
		}
	}
	t.Logf("%d slips", count)
}

// indexes are those of elements in the path of a finding, and what parts of the path of a name that are not keys.
var indexes, parts = regexp.MustCompile(`\[\d+\]`), regexp.MustCompile(`\.(\[\]|text)`)

// isPlaceOf reports whether a finding is about the place of the name: at it, below it, or about the mapping
// that has it, such as "neither revision nor workspaceName is set".
func (n *name) isPlaceOf(f *diag.Finding) bool {
	_, resource, _ := strings.Cut(n.path, ": ")
	kind, _, _ := strings.Cut(resource, " ")
	want := parts.ReplaceAllString(resource[strings.LastIndex(resource, " ")+1:], "")
	want = strings.NewReplacer("[", ".", "]", "").Replace(want)
	got := f.Path()
	if f.Origin != nil && f.Origin.Embedded && f.Origin.Field != "spec" {
		got = diag.Join(f.Origin.Path(""), f.Key)
	}
	got = strings.NewReplacer("[", ".", "]", "").Replace(indexes.ReplaceAllString(got, ""))
	mapping := strings.TrimSuffix(strings.TrimSuffix(want, n.text), ".")
	return kind == f.Resource().Kind && (got == want || got == mapping || strings.HasPrefix(got, want+"."))
}

// isBelow reports whether one name is in what another one names: it is not read if that is misspelt.
func (n *name) isBelow(other *name) bool {
	if n.resource != other.resource {
		return false
	}
	key := beside(other.at)
	return other.isValue || len(n.at) >= len(key) && slices.Equal(n.at[:len(key)], key)
}

// TestPairsOfSlips has two slips in one list. Each is told beside the other one, unless it is not even beside
// a name that nothing knows: the function does not read that far then.
func TestPairsOfSlips(t *testing.T) {
	byStep := map[*step][]*name{}
	for _, n := range names() {
		if n.slip() != "" && matches(used, n.path) == nil {
			byStep[n.step] = append(byStep[n.step], n)
		}
	}
	count := 0
	for _, s := range steps() {
		all := byStep[s]
		alone := make([]outcome, len(all))
		for i, n := range all {
			alone[i] = n.slipped(n.slip())
		}
		for i, a := range all {
			for j := i + 1; j < len(all); j++ {
				b := all[j]
				if !isPair(i, j) || a.isBelow(b) || b.isBelow(a) {
					continue
				}
				count++
				both := s.run(with(a, a.slip(), b, b.slip()))
				if !a.isToldIn(both, alone[i]) && a.isToldIn(s.run(with(a, a.slip(), b, stranger)), alone[i]) {
					t.Errorf("%s is not told beside %s", a.path, b.path)
				}
				if !b.isToldIn(both, alone[j]) && b.isToldIn(s.run(with(a, stranger, b, b.slip())), alone[j]) {
					t.Errorf("%s is not told beside %s", b.path, a.path)
				}
			}
		}
	}
	if t.Logf("%d pairs", count); count < 1000 {
		t.Errorf("only %d pairs were tried", count)
	}
}

// isPair reports whether a test tries two names of a step: each with some others, and all with TEST_ALL.
func isPair(i, j int) bool {
	return os.Getenv("TEST_ALL") != "" || slices.Contains([]int{1, 2, 5, 13, 34}, j-i)
}

// with returns the trees with other texts for two names.
func with(a *name, textOfA string, b *name, textOfB string) map[int]*yaml.Node {
	changes := map[int][]change{}
	changes[a.resource] = append(changes[a.resource], a.change(textOfA))
	changes[b.resource] = append(changes[b.resource], b.change(textOfB))
	changed := map[int]*yaml.Node{}
	for resource, some := range changes {
		changed[resource] = edited(a.trees[resource], some...)
	}
	return changed
}

// isToldIn reports whether an outcome tells a slip of the name as one tells it that has no other.
func (n *name) isToldIn(out, alone outcome) bool {
	own := slices.DeleteFunc(alone.news(n.before), func(f diag.Finding) bool { return f.Level() == diag.Info || !namesRight(f, n.text) })
	return len(own) == 0 || slices.ContainsFunc(own, func(f diag.Finding) bool { return out.facts[fact(f)] || out.consequences[fact(f)] })
}
