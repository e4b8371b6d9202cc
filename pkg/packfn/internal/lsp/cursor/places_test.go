package cursor

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// testdata/places.txt has texts, the keys that are found in each line, and what is at each of its
// columns. The lines of a text begin with a bar, and the answers below them with two spaces;
// UPDATE=1 writes them. Ends of lines with CRLF change nothing.
func TestPlaces(t *testing.T) {
	const name = "testdata/places.txt"
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out, text strings.Builder
	flush := func() {
		out.WriteString(places(text.String()))
		windows := places(crlf(text.String()))
		if diff := cmp.Diff(places(text.String()), windows); diff != "" {
			t.Errorf("with CRLF: -want +got:\n%s", diff)
		}
		text.Reset()
	}
	for line := range strings.Lines(string(want)) {
		if rest, ok := strings.CutPrefix(line, "|"); ok {
			text.WriteString(rest)
		} else if !strings.HasPrefix(line, "  ") {
			flush()
			out.WriteString(line)
		}
	}
	flush()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(name, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("-want +got, UPDATE=1 writes it:\n%s", diff)
	}
}

// places describes the lines of a text.
func places(text string) string {
	var out strings.Builder
	start := 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		fmt.Fprintf(&out, "|%s\n", line)
		Entries(text, func(e Entry) {
			if e.From >= start && e.From <= start+len(line) {
				fmt.Fprintf(&out, "  key %s = %q\n", show(e.Path), e.Scalar(text))
			}
		})
		from, before := 0, ""
		for column := range len(line) + 2 {
			now := ""
			if column <= len(line) {
				now = describe(At(text, start+column))
			}
			if now != before && column > 0 {
				fmt.Fprintf(&out, "  %d-%d %s\n", from, column-1, before)
				from = column
			}
			before = now
		}
		start = lineEnd(text, start)
	}
	return out.String()
}

// describe shows a context on one line: the path, whether a key or a value is there, the word,
// and the same of a text in it.
func describe(c Context) string {
	out := strings.TrimSpace(show(c.Path) + " ")
	for _, is := range []struct {
		name string
		set  bool
	}{{"key", c.AtKey}, {"value", c.AtValue}, {"flow", c.InFlow}, {"colon", c.HasColon}} {
		if is.set {
			out += " " + is.name
		}
	}
	if c.Word() != "" || c.Quote != 0 {
		out += fmt.Sprintf(" %c%s%c", max(c.Quote, '`'), strings.ReplaceAll(c.Word(), "\r", ""), max(c.Quote, '`'))
	}
	out = strings.ReplaceAll(out, "\n", "⏎")
	if e := c.Embedded(); e != nil && (c.Quote == 0 || strings.ContainsAny(e.Text, ":\n")) {
		inner := At(e.Text, e.Offset)
		out += fmt.Sprintf(" → %s", describe(inner))
		at := e.Outer(inner.From)
		if is, _, _ := strings.Cut(strings.ReplaceAll(c.text[at:at+len(inner.Word())], "\r", "\n"), "\n"); is != inner.Word() {
			out += fmt.Sprintf(" at %q", is)
		}
	}
	return out
}
