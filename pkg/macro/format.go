package macro

import (
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
)

// maxWidth is the largest width and precision that fmt honors.
const maxWidth = 1_000_000

// checkFormat checks a call of printf: it finds the verbs of the format as fmt does,
// and adds up the bytes that they can make.
func checkFormat(c *call) *diag.Finding {
	format := c.text(0)
	f := formatSize{args: c.results[1:]}
	for i := strings.IndexByte(format, '%'); i >= 0 && i < len(format); {
		i = f.verb(format, i+1)
		next := strings.IndexByte(format[i:], '%')
		if next < 0 {
			break
		}
		i += next
	}
	if f.address {
		return refuseGot("the verb %p", "a verb that does not print an address", "does not support the verb %%p, which prints an address")
	}
	return bounded(len(format) + f.total())
}

// formatSize adds up the bytes that a format can make.
type formatSize struct {
	// args are the arguments of printf.
	args []result
	// verbs is the number of verbs.
	verbs   int
	width   int  // of all verbs, including precision
	indexed bool // a verb names its argument, so one can be printed many times
	escapes bool // a verb writes a byte as several
	floats  bool // a verb writes numbers out in full
	// address is true for the verb p, which may print an address of memory.
	address bool
}

// verb reads one verb, whose flags start at byte i, and returns its end.
func (f *formatSize) verb(format string, i int) int {
	f.verbs++
	number := 0
	add := func() {
		f.width += number
		number = 0
	}
	for i < len(format) {
		r, width := utf8.DecodeRuneInString(format[i:])
		i += width
		switch {
		case r >= '0' && r <= '9':
			number = min(10*number+int(r-'0'), maxWidth)
		case r == '*':
			f.width += f.largest()
		case r == '.':
			add()
		case r == '[':
			f.indexed = true
			add()
		case r == ']':
			number = 0 // the index of an argument
		case strings.ContainsRune("+- ", r):
		case r == '#':
			f.escapes = true
		default:
			add()
			f.escapes = f.escapes || strings.ContainsRune("xXqU", r)
			f.floats = f.floats || r == 'f' || r == 'F'
			f.address = f.address || r == 'p'
			return i
		}
	}
	add()
	return i
}

// largest returns the largest width that an argument can give to a `*`.
func (f *formatSize) largest() int {
	most := 0
	for _, arg := range f.args {
		switch n := arg.value.(type) {
		case int:
			most = max(most, min(max(n, -max(n, -maxWidth)), maxWidth))
		case int64:
			most = max(most, maxWidth)
		}
	}
	return most
}

// total returns the largest number of bytes that the call can make.
func (f *formatSize) total() int {
	perByte, perElement := 1, 40
	if f.escapes {
		perByte = 6
	}
	if f.floats {
		perElement = 360
	}
	all, most, elements := 0, 0, 1
	for _, arg := range f.args {
		size := product(perByte, arg.size.bytes) + product(perElement, arg.size.elements+1)
		all += size
		most = max(most, size)
		elements = max(elements, arg.size.elements+1)
	}
	if f.indexed {
		all = product(f.verbs, most)
	}
	return 24*f.verbs + all + product(f.width, elements) // a width counts for each element
}
