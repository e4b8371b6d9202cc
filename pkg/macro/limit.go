package macro

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// The limits of an evaluation. What exceeds them is a macro/invalid problem.
const (
	// MaxResult is the size of the largest value, in bytes: a text, or all that
	// a list or map holds. It is also what the macros of one text may come to.
	MaxResult = 1 << 20
	// MaxElements is the largest number of elements in a list or map, those in
	// the lists and maps that it holds included.
	MaxElements = 10_000
	// MaxDepth is the deepest nesting of lists and maps in a value.
	MaxDepth = 100
	// MaxCalls is the largest number of functions that an action calls.
	MaxCalls = 10_000
	// MaxWork is what the functions of an action may read and write, in bytes.
	// A regular expression counts its instructions for every byte it reads.
	MaxWork = 16 << 20
	// MaxTotalWork is the same for all actions that a Resolver evaluates.
	MaxTotalWork = 256 << 20
	// MaxTotalResult is what all macros that a Resolver replaces may come to,
	// in bytes.
	MaxTotalResult = 64 << 20
	// MaxPattern is the length of the longest regular expression, in bytes.
	MaxPattern = 4096
	// MaxInstructions is the size of the largest regular expression once its
	// repetitions are written out.
	MaxInstructions = 10_000
)

// tooLarge is what functions say that would make more than MaxResult.
const tooLarge = "would make more than 1 MiB"

// tooMany is what functions say that would make more than MaxElements.
const tooMany = "would make more than 10,000 elements"

// measure is the size of a value: the bytes of its texts, and its elements.
type measure struct {
	bytes, elements int
}

// cost is what reading or writing a value of this size counts as work.
func (m measure) cost() int { return m.bytes + 16*m.elements }

// measured returns the size of a value, or what is wrong with it.
func measured(v any) (m measure, reason string) {
	reason = m.add(v, 0)
	return m, reason
}

func (m *measure) add(v any, depth int) (reason string) {
	switch v := v.(type) {
	case string:
		return m.text(len(v))
	case nil, bool, int, int64, float64:
		return ""
	case []string:
		for _, s := range v {
			if reason := m.text(len(s)); reason != "" {
				return reason
			}
		}
		return m.more(len(v))
	case []int:
		return m.more(len(v))
	case []any:
		if reason := m.nested(len(v), depth); reason != "" {
			return reason
		}
		for _, element := range v {
			if reason := m.add(element, depth+1); reason != "" {
				return reason
			}
		}
		return ""
	case map[string]any:
		if reason := m.nested(len(v), depth); reason != "" {
			return reason
		}
		for _, key := range slices.Sorted(maps.Keys(v)) { // so that the reason is the same each time
			if reason := m.text(len(key)); reason != "" {
				return reason
			}
			if reason := m.add(v[key], depth+1); reason != "" {
				return reason
			}
		}
		return ""
	case Version:
		return m.text(len(v.Original))
	}
	return m.reflected(reflect.ValueOf(v), depth)
}

// reflected measures the lists and maps of the types that few functions return.
func (m *measure) reflected(v reflect.Value, depth int) (reason string) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		if reason := m.nested(v.Len(), depth); reason != "" {
			return reason
		}
		for i := range v.Len() {
			if reason := m.add(v.Index(i).Interface(), depth+1); reason != "" {
				return reason
			}
		}
	case reflect.Map:
		if reason := m.nested(v.Len(), depth); reason != "" {
			return reason
		}
		for entries := v.MapRange(); entries.Next(); {
			if reason := m.add(entries.Key().Interface(), depth+1); reason != "" {
				return reason
			}
			if reason := m.add(entries.Value().Interface(), depth+1); reason != "" {
				return reason
			}
		}
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Struct, reflect.UnsafePointer:
		// Printing one would show where it stands in memory, which differs
		// from run to run. No allowed function returns one.
		return "returns what macros can not hold"
	}
	return ""
}

func (m *measure) text(n int) string {
	if m.bytes += n; m.bytes > MaxResult {
		return "makes more than 1 MiB"
	}
	return ""
}

func (m *measure) more(n int) string {
	if m.elements += n; m.elements > MaxElements {
		return "makes more than 10,000 elements"
	}
	return ""
}

func (m *measure) nested(n, depth int) string {
	if depth >= MaxDepth {
		return fmt.Sprintf("makes lists and maps nested more than %d deep", MaxDepth)
	}
	return m.more(n)
}

// budget is the work that is left for an action and for the whole run.
type budget struct {
	calls int
	work  int
	total *int
}

// spend takes work from the budget, and says so when there is not enough.
func (b *budget) spend(work int) string {
	if work < 0 || work > b.work {
		return "needs more work than an action may do: shorten its texts or use fewer functions"
	}
	if work > *b.total {
		return "needs more work than is left for all macros of this run"
	}
	b.work -= work
	*b.total -= work
	return ""
}

// left returns the work that can still be spent.
func (b *budget) left() int { return min(b.work, *b.total) }

// product multiplies sizes; what would overflow is larger than any limit.
func product(a, b int) int {
	const most = 1 << 40
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > most/b {
		return most
	}
	return a * b
}
