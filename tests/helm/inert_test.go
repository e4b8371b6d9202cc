package helm

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// A key that is reported as inert changes no output of Helm, whatever its value is, with all
// switches on, all off, and any.
func TestInert(t *testing.T) {
	claims, renders, outputs := 0, 0, 0
	all := append(made(t), corpus(t)...)
	for i, s := range all {
		if i > len(charts) && i%runs(6, 1) != 0 {
			continue
		}
		c, err := s.load()
		if err != nil {
			continue
		}
		random := rand.New(rand.NewPCG(1, uint64(i)))
		known := defaults(c)
		given := mapOf(t, s.given)
		chance := func(n int) bool { return i < len(charts) || random.IntN(n) == 0 }
		addSlips(chance, given, known, 0)
		paths := s.inert(t, given)
		claims += len(paths)
		if len(paths) == 0 {
			continue
		}
		for _, path := range paths {
			set(given, path, nil)
		}
		for name, choose := range switches {
			switched := clone(given)
			toggle(switched, known, func() bool { return choose(random) })
			before, err := s.render(clone(switched))
			if err != nil {
				continue
			}
			renders++
			outputs += len(before)
			for range runs(2, 6) {
				changed := clone(switched)
				for _, path := range paths {
					set(changed, path, replacement(random))
				}
				after, err := s.render(clone(changed))
				if renders++; err == nil && maps.Equal(before, after) {
					continue
				}
				for _, path := range paths { // which of them is it?
					one := clone(switched)
					set(one, path, at(changed, path))
					if after, err := s.render(one); err != nil || !maps.Equal(before, after) {
						t.Errorf("%s %s: %s is read: %v %s", s.name, []string{"all on", "all off", "any"}[name], strings.Join(path, "."), err, difference(before, after))
						break
					}
				}
			}
		}
	}
	t.Logf("%d keys are inert; Helm rendered %d times, with %d outputs", claims, renders, outputs)
	if claims == 0 || outputs == 0 {
		t.Error("nothing is compared")
	}
}

// switches choose the values of booleans: all on, all off, any.
var switches = []func(*rand.Rand) bool{
	func(*rand.Rand) bool { return true }, func(*rand.Rand) bool { return false }, func(random *rand.Rand) bool { return random.IntN(2) == 0 },
}

// inert returns the paths of the keys that no template reads.
func (s *subject) inert(t *testing.T, given map[string]any) (paths [][]string) {
	t.Helper()
	text := textOf(t, given)
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range travelled(t, s).Inert(document.Root(), []string{text}) {
		paths = append(paths, key.Path)
	}
	return paths
}

// addSlips adds keys that are nearly those of a chart, also below mappings that only the
// chart has.
func addSlips(chance func(n int) bool, given, known map[string]any, depth int) {
	if depth > 0 && chance(2) {
		given["slip"] = "slip"
	}
	for _, key := range slices.Sorted(maps.Keys(known)) {
		if chance(4) {
			if _, isThere := known[key+"x"]; !isThere {
				given[key+"x"] = "slip"
			}
		}
		below, isMap := known[key].(map[string]any)
		if !isMap || depth == 6 || !chance(2) {
			continue
		}
		if _, isThere := given[key]; !isThere {
			given[key] = map[string]any{}
		}
		if next, isMap := given[key].(map[string]any); isMap {
			addSlips(chance, next, below, depth+1)
		}
	}
}

// toggle sets all booleans of a chart.
func toggle(given, known map[string]any, choose func() bool) {
	for _, key := range slices.Sorted(maps.Keys(known)) {
		value, isThere := given[key]
		if !isThere {
			value = known[key]
		}
		switch value := value.(type) {
		case bool:
			given[key] = choose()
		case map[string]any:
			below, _ := known[key].(map[string]any)
			if !isThere {
				value = map[string]any{}
			}
			if toggle(value, below, choose); len(value) > 0 {
				given[key] = value
			}
		}
	}
}

// at returns the value at a path.
func at(given map[string]any, path []string) any {
	for _, key := range path[:len(path)-1] {
		given = given[key].(map[string]any)
	}
	return given[path[len(path)-1]]
}

// set sets the value at a path. nil removes it.
func set(given map[string]any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		given = given[key].(map[string]any)
	}
	if given[path[len(path)-1]] = value; value == nil {
		delete(given, path[len(path)-1])
	}
}

func clone(given map[string]any) map[string]any {
	copied := map[string]any{}
	for key, value := range given {
		if m, isMap := value.(map[string]any); isMap {
			value = clone(m)
		}
		copied[key] = value
	}
	return copied
}

// difference names the first file that differs.
func difference(before, after map[string]string) string {
	for _, file := range slices.Sorted(maps.Keys(before)) {
		if before[file] != after[file] {
			return file
		}
	}
	return "other files"
}
