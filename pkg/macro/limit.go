package macro

import (
	"reflect"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
)

// The limits of an evaluation. Exceeding one is an error of rule.MacroInvalid.
const (
	// MaxResult is the size of the largest value, in bytes: of a text, or of all
	// texts in a list or map. It also bounds what all macros of one text make.
	MaxResult = 1 << 20
	// MaxElements is the largest number of elements in a list or map, including the elements of
	// nested lists and maps.
	MaxElements = 10_000
	// MaxDepth is the deepest nesting of lists and maps in a value.
	MaxDepth = 100
	// MaxCalls is the largest number of functions that an action calls.
	MaxCalls = 10_000
	// MaxWork bounds what the functions of an action read and write, in bytes. A
	// regular expression counts its instructions for every byte that it reads.
	// What is left of the meter of the run bounds all actions together.
	MaxWork = 16 << 20
	// MaxPattern is the length of the longest regular expression, in bytes.
	MaxPattern = 4096
	// MaxInstructions is the size of the largest regular expression, with its
	// repetitions written out.
	MaxInstructions = 10_000
)

// refuse returns the reason why a call cannot be made: a clause that starts with its verb, because
// the name of the function precedes it.
func refuse(format string, args ...any) *diag.Finding {
	f := diag.Say(format, args...)
	return &f
}

// refuseGot returns the finding about an argument that cannot be used, with the accepted arguments:
// as facts, and in a clause that starts with its verb. It never contains the argument's value.
func refuseGot(found, accepted, format string, args ...any) *diag.Finding {
	f := diag.Got(found, accepted).Saying(format, args...)
	return &f
}

func tooLarge() *diag.Finding { return refuse("produces more than 1 MiB") }
func tooMany() *diag.Finding  { return refuse("produces more than 10000 elements") }
func tooDeep() *diag.Finding  { return refuse("produces lists and maps nested more than 100 deep") }

// measure is the size of a value: the bytes of its texts, its elements, and the depth
// of its lists and maps.
type measure struct {
	// bytes counts texts, elements the entries of lists and maps, and depth the levels of nesting.
	bytes, elements, depth int
	// address reports whether the value contains a memory address, which differs from run to run.
	address bool
}

// cost is the work of reading or writing a value of this size.
func (m measure) cost() int { return m.bytes + 16*m.elements }

// measured returns the size of a value, or what is wrong with it.
func measured(v any) (m measure, reason *diag.Finding) {
	m.add(v, 0)
	switch {
	case m.elements > MaxElements:
		reason = tooMany()
	case m.depth > MaxDepth:
		reason = tooDeep()
	case m.bytes > MaxResult:
		reason = tooLarge()
	case m.address: // no allowed function returns one
		reason = refuse("returns a value that macros cannot hold")
	}
	return m, reason
}

// add adds a value at a depth.
func (m *measure) add(v any, depth int) {
	switch v := v.(type) {
	case string:
		m.bytes += len(v)
	case nil, bool, int, int64, float64:
	case []string:
		m.elements += len(v)
		for _, s := range v {
			m.bytes += len(s)
		}
	case []int:
		m.elements += len(v)
	case Version:
		m.bytes += len(v.Original)
	default:
		m.addReflected(reflect.ValueOf(v), depth+1)
	}
}

// addReflected adds the elements of a list or map, until one is too many.
func (m *measure) addReflected(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
		m.elements += v.Len()
		if m.depth = max(m.depth, depth); depth > MaxDepth {
			return
		}
		for key, element := range v.Seq2() {
			if m.elements > MaxElements {
				return
			}
			if v.Kind() == reflect.Map {
				m.add(key.Interface(), depth)
			}
			m.add(element.Interface(), depth)
		}
	case reflect.Pointer, reflect.Func, reflect.Chan, reflect.Struct, reflect.UnsafePointer:
		m.address = true
	}
}

// budget is the work that is left for an action and for the whole run.
type budget struct {
	// calls is the number of calls that an action may still make, work its work, and run the budget of
	// all actions.
	calls int
	work  int
	run   *meter.Meter
}

// spend takes work from the budget. It returns what is wrong when there is not enough.
func (b *budget) spend(work int) *diag.Finding {
	if work < 0 || work > b.work {
		reason := refuse("needs more work than a macro may do")
		reason.Action = "shorten its strings or use fewer functions"
		return reason
	}
	if !b.run.Charge(work) {
		return refuse("needs more work than is left for all macros of this run")
	}
	b.work -= work
	return nil
}

// left returns the work that can still be spent.
func (b *budget) left() int { return min(b.work, b.run.Left()) }

// product multiplies sizes. A product that overflows is larger than any limit.
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
