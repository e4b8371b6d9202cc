package capacity

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

var repeated = regexp.MustCompile(`@(\d+)\((.*?)\)@`)

// A line is a type and a text, which may be in quotes, where @N(TEXT)@ stands for N times the text. The outcome is the
// amount with the words for it and its negative, or why there is none; and what is proposed for a request and for a node.
func TestQuantities(t *testing.T) {
	cases.Table(t, "quantities", func(t *testing.T, c *cases.Case) string {
		var b strings.Builder
		for line := range strings.Lines(c.Text("quantities")) {
			line = strings.TrimSuffix(line, "\n")
			of, text, _ := strings.Cut(line, " ")
			if quoted, err := strconv.Unquote(text); err == nil {
				text = quoted
			}
			text = repeated.ReplaceAllStringFunc(text, func(found string) string {
				n, _ := strconv.Atoi(repeated.FindStringSubmatch(found)[1])
				return strings.Repeat(repeated.FindStringSubmatch(found)[2], n)
			})
			b.WriteString(line + ": ")
			if of == "number" {
				number, fault := parseNumber(text)
				b.WriteString(readText("", number, fault) + "\n")
				continue
			}
			if kilobytes := allocated(func() { parseQuantity(text) }) >> 10; kilobytes > 64 {
				t.Errorf("%s takes %d KB", line, kilobytes)
			}
			a, fault := parseQuantity(text)
			b.WriteString(readText(Type(strings.Trim(of, "-")), a, fault))
			for i, place := range []string{"a request", "a node"} {
				if _, f := Type(strings.Trim(of, "-")).read(text, i == 1); f != nil && f.Nearest != "" {
					fmt.Fprintf(&b, "; of %s %s", place, f.Nearest)
				}
			}
			b.WriteString("\n")
		}
		return b.String()
	})
}

func readText(of Type, a Amount, fault *quantityFault) string {
	switch {
	case fault != nil && fault.proposal != "":
		return fault.found + ", near " + fault.proposal
	case fault != nil:
		return fault.found
	case of == "":
		return "is read"
	}
	return fmt.Sprintf("%s, %s, %s", of.Text(a), of.words(a), of.words(Amount{}.sub(a)))
}
