package values

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Wildcard is the step that means every element of a list.
const Wildcard = "$[]"

// MaxPath is the length of the longest path, in bytes. It bounds the work that a look-up can be made
// to do.
const MaxPath = 4096

// Path is a dotted path into a value tree, as the pack constraints document
// writes them: "registry.addresses.$[].host". The zero Path has no steps and
// addresses the root.
type Path struct {
	// text is the path as it was written, and steps are its parts.
	text  string
	steps []pathStep
	plain []Step // the steps as keys; shared by every match that needs no others
}

// pathStep is the part of a path between two dots.
type pathStep struct {
	start, end int // the place of the step in text
	// wildcard is true for "$[]".
	wildcard bool
	digits   bool // may index a list
}

// ParsePath reads a dotted path. Every error names the step that is wrong and how to write it.
//
//	registry.port
//	registry.addresses.$[].host   # the host of each address
func ParsePath(s string) (Path, error) {
	if s == "" {
		return Path{}, fmt.Errorf("the path is empty: write the keys joined by dots, as in registry.port")
	}
	if len(s) > MaxPath {
		return Path{}, fmt.Errorf("the path has %d bytes, above the limit of %d", len(s), MaxPath)
	}
	if !utf8.ValidString(s) {
		return Path{}, fmt.Errorf("path %q is not UTF-8", s)
	}
	n := strings.Count(s, ".") + 1
	p := Path{text: s, steps: make([]pathStep, 0, n), plain: make([]Step, 0, n)}
	for start := 0; start <= len(s); {
		end := start + strings.IndexByte(s[start:]+".", '.')
		step := s[start:end]
		switch {
		case step == "":
			return Path{}, fmt.Errorf("path %q has an empty step after %q: remove the extra dot", s, s[:max(0, start-1)])
		case step == Wildcard:
		case strings.Contains(step, "$["):
			return Path{}, fmt.Errorf("path %q: step %q is not understood: write $[] as a step of its own, as in list.$[].key", s, step)
		}
		p.steps = append(p.steps, pathStep{start: start, end: end, wildcard: step == Wildcard, digits: isDigits(step)})
		p.plain = append(p.plain, Step{Key: step})
		start = end + 1
	}
	return p, nil
}

// isDigits reports whether a step may be the index of a list.
func isDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && len(s) < 10 // longer ones index no list
}

// String returns the path as it was written.
func (p Path) String() string { return p.text }

// Steps returns the parts between the dots, "$[]" for the wildcard.
func (p Path) Steps() []string {
	steps := make([]string, len(p.steps))
	for i := range p.steps {
		steps[i] = p.step(i)
	}
	return steps
}

func (p Path) step(i int) string { return p.text[p.steps[i].start:p.steps[i].end] }

// tail returns the text from step i on.
func (p Path) tail(i int) string { return p.text[p.steps[i].start:] }

// Step is one step of a concrete path: a key of a map, dots and all, or the
// index of a list element, from 0.
type Step struct {
	// Key is the key, if IsIndex is false.
	Key string
	// Index is the index, if IsIndex is true.
	Index int
	// IsIndex is true for an element of a list.
	IsIndex bool
}

// Keys returns the steps that lead through maps by these keys, for edits.
func Keys(keys ...string) []Step {
	steps := make([]Step, len(keys))
	for i, k := range keys {
		steps[i].Key = k
	}
	return steps
}

// Key returns the step to a key of a map.
func Key(key string) Step { return Step{Key: key} }

// Element returns the step to an element of a list, counted from 0.
func Element(index int) Step { return Step{Index: index, IsIndex: true} }

// Below returns the steps with more after them. The result shares no memory with them.
func Below(at []Step, more ...Step) []Step { return slices.Concat(at, more) }
