package list

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

func TestReadersAgree(t *testing.T) {
	for name, text := range seeds(t) {
		t.Run(name, func(t *testing.T) { checkReaders(t, text) })
	}
}

// Lists that are right, in the ways in which people and clients write them. The
// text reader has to take nearly all of them: the test says how many it took.
func TestReadersAgreeOnGeneratedLists(t *testing.T) {
	taken, all := 0, 0
	draws.Same(t, func(t *rapid.T) {
		input := generatedList(t)
		checkReaders(t, []byte(input))
		all++
		if _, ok := readByText([]byte(input)); ok {
			taken++
		}
	})
	if taken*4 < all {
		t.Errorf("the text reader took %d of %d lists", taken, all)
	}
}

// Lists that were right before a few lines or bytes of them were changed.
func TestReadersAgreeOnMutations(t *testing.T) {
	lists := seeds(t)
	// It takes too long to compare what nested aliases expand to.
	maps.DeleteFunc(lists, func(_ string, text []byte) bool { return bytes.Count(text, []byte("*")) > 20 })
	names := slices.Sorted(maps.Keys(lists))
	rapid.Check(t, func(t *rapid.T) {
		text := string(lists[rapid.SampledFrom(names).Draw(t, "list")])
		for range rapid.IntRange(1, 4).Draw(t, "mutations") {
			text = mutate(t, text)
		}
		checkReaders(t, []byte(text))
	})
}

// The order of items never changes, whichever reader reads them.
func TestOrderOfItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching("[a-z]{1,5}"), 2, 8, rapid.ID).Draw(t, "names")
		start := rapid.SampledFrom([]string{"", "---\n"}).Draw(t, "start")
		input := start + listStart
		for n, name := range names {
			input += fmt.Sprintf(`- apiVersion: v%d
  kind: %s
  metadata:
    name: %s
`, 9-n, strings.ToUpper(name)+"A", name)
		}
		list, err := Read([]byte(input))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, item := range list.Items {
			got = append(got, item.Name())
		}
		if !slices.Equal(got, names) {
			t.Fatalf("got %v, want %v", got, names)
		}
	})
}

// texts are scalars that mislead when they are written plainly.
var texts = []string{
	"a", "a b", "- a", "apiVersion: v1", "items:", "'", "\"", "it's", "a # b", "#", "", " ", "yes", "1.30", "007", "null", "~",
	"{{ .x }}", "[a", "{a", "&a", "*a", "!a", "|", ">", "%a", "@a", "`a`", "---", "...", "a: b: c", "?", "? a", "- ", ":", "a:", "-1", "\t", "a\tb",
	"é", "\u4e2d", "12:30", "http://a.b/c#d", "2026-01-02", "9223372036854775807", "0x1F", "a,b", "]", "}",
}

// generatedList writes a list of a few items.
func generatedList(t *rapid.T) string {
	indent := strings.Repeat(" ", rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "indent"))
	var items strings.Builder
	for n := range rapid.IntRange(0, 4).Draw(t, "items") {
		dash := rapid.SampledFrom([]string{"- ", "-   ", "-\n"}).Draw(t, "dash")
		column := indent + strings.Repeat(" ", len(dash))
		lines := []string{
			"apiVersion: " + rapid.SampledFrom([]string{"v1", "'v1'", "\"apps/v1\"", "1"}).Draw(t, "apiVersion"),
			"kind: " + rapid.SampledFrom([]string{"ConfigMap", "'A'", "\"B\" # c", "No", "5"}).Draw(t, "kind"),
			fmt.Sprintf(`metadata:
  name: n%d
  annotations:
    a/b: %s`, n, generatedScalar(t, 2)),
		}
		for range rapid.IntRange(0, 3).Draw(t, "fields") {
			lines = append(lines, fmt.Sprintf("field%d: %s", len(lines), generatedValue(t, 1)))
		}
		lines = rapid.Permutation(lines).Draw(t, "lines")
		body := strings.ReplaceAll(strings.Join(lines, "\n"), "\n", "\n"+column)
		if dash == "-\n" {
			body = column + body
		}
		fmt.Fprintf(&items, "%s%s%s\n", indent, dash, body)
		items.WriteString(rapid.SampledFrom([]string{"", "", "# comment\n", "\n", "  # indented\n"}).Draw(t, "between"))
	}
	sections := []string{"apiVersion: config.kubernetes.io/v1\n", "kind: ResourceList\n"}
	if items.Len() > 0 {
		sections = append(sections, "items:\n"+items.String())
	}
	if rapid.Bool().Draw(t, "config") {
		sections = append(sections, `functionConfig:
  apiVersion: v1
  kind: ConfigMap
  data: `+strings.ReplaceAll(generatedValue(t, 1), "\n", "\n  ")+"\n")
	}
	if rapid.Bool().Draw(t, "results") {
		sections = append(sections, `results:
- message: m
  severity: info
- {message: n}
`)
	}
	return strings.Join(rapid.Permutation(sections).Draw(t, "sections"), "")
}

// generatedValue writes the value of a key, whose lines below are
// indented from the key's column.
func generatedValue(t *rapid.T, depth int) string {
	switch kind := rapid.IntRange(0, 9).Draw(t, "value"); {
	case kind == 0:
		return "{a: b, \"c\":[1, 'd']}"
	case kind == 1:
		return "[]"
	case kind == 2:
		header := rapid.SampledFrom([]string{"|", "|-", ">", "|+", ">-", "|2", "|1-"}).Draw(t, "header")
		blanks := strings.Repeat(" ", 2)
		if strings.Contains(header, "1") {
			blanks = " "
		}
		out := header
		for range rapid.IntRange(1, 3).Draw(t, "block") {
			out += "\n" + blanks + strings.TrimRight(strings.ReplaceAll(rapid.SampledFrom(texts).Draw(t, "text"), "\t", " "), " ") + "."
		}
		return out
	case kind <= 4 && depth < 3:
		out := ""
		for n := range rapid.IntRange(1, 3).Draw(t, "keys") {
			out += fmt.Sprintf("\n  k%d: %s", n, strings.ReplaceAll(generatedValue(t, depth+1), "\n", "\n  "))
		}
		return out
	case kind <= 6 && depth < 3:
		out := ""
		for range rapid.IntRange(1, 3).Draw(t, "elements") {
			out += "\n- " + generatedScalar(t, depth)
		}
		return out
	default:
		return generatedScalar(t, depth)
	}
}

// generatedScalar writes a scalar, quoted unless it needs no quotes.
func generatedScalar(t *rapid.T, depth int) string {
	text := rapid.SampledFrom(texts).Draw(t, "text")
	comment := rapid.SampledFrom([]string{"", "", " # c: 'd"}).Draw(t, "comment")
	switch rapid.IntRange(0, 5).Draw(t, "style") {
	case 0:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'" + comment
	case 1:
		return fmt.Sprintf("%q", text) + comment
	case 2:
		// Over two lines, the second deeper than the key.
		return "plain\n" + strings.Repeat("  ", depth+1) + "- goes on"
	case 3, 4:
		return generatedQuoted(t, depth) + comment
	default:
		return rapid.SampledFrom([]string{"a", "1.30", "yes", "a#b", "~", "!!str a", "-1"}).Draw(t, "plain") + comment
	}
}

// generatedQuoted writes a quoted scalar over some lines, which look like
// anything. Now and then they are not indented deep enough.
func generatedQuoted(t *rapid.T, depth int) string {
	quote := rapid.SampledFrom([]string{"'", "\""}).Draw(t, "quote")
	out := quote
	for range rapid.IntRange(1, 4).Draw(t, "quoted lines") {
		text := rapid.SampledFrom(texts).Draw(t, "text")
		if quote == "'" {
			text = strings.ReplaceAll(text, "'", "''")
		} else {
			text = strings.Trim(fmt.Sprintf("%q", text), "\"") + rapid.SampledFrom([]string{"", "", "\\", " ", "\\\\"}).Draw(t, "end")
		}
		indent := 2*(depth+1) + rapid.SampledFrom([]int{0, 0, 1, 3, -1, -2}).Draw(t, "deeper")
		out += rapid.SampledFrom([]string{"", "", "\n"}).Draw(t, "blank") + text + "\n" + strings.Repeat(" ", indent)
	}
	return out + rapid.SampledFrom([]string{"", "a", "a: b"}).Draw(t, "last") + quote
}

// mutate changes a line or a few bytes.
func mutate(t *rapid.T, text string) string {
	lines := strings.SplitAfter(text, "\n")
	at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
	line := lines[at]
	switch rapid.IntRange(0, 7).Draw(t, "mutation") {
	case 0:
		lines = slices.Delete(lines, at, at+1)
	case 1:
		lines = slices.Insert(lines, at, line)
	case 2:
		other := rapid.IntRange(0, len(lines)-1).Draw(t, "other")
		lines[at], lines[other] = lines[other], line
	case 3:
		lines[at] = strings.Repeat(" ", rapid.IntRange(0, 6).Draw(t, "blanks")) + strings.TrimLeft(line, " ")
	case 4:
		lines = slices.Insert(lines, at, rapid.SampledFrom([]string{
			"- apiVersion: v1\n", "  kind: X\n", "    a: |\n", "     b\n", "# c\n", "  # d\n", "\n", "  a: \"b\n", "c\"\n", "  'e\n", "f'\n", "  a: {b: c,\n", "d: e}\n", "    g\"\n", "    h'\n", "    - 'i\n",
			"-\n", "  ? a\n", "  : b\n", "---\n", "...\n", "items:\n", "  - - a\n", "\t\n", "  a: &a b\n", "  c: *a\n", "  <<: *a\n", "  a: >1\n", "kind: X\n", "results:\n", "      \n",
		}).Draw(t, "new line"))
	case 5:
		lines = lines[:at]
	default:
		n := rapid.IntRange(0, len(line)).Draw(t, "byte")
		end := min(len(line), n+rapid.IntRange(0, 2).Draw(t, "removed"))
		piece := rapid.SampledFrom([]string{
			"", " ", "  ", "\t", "\n", "\r\n", ":", ": ", "#", " #", "-", "- ", "'", "\"", "|", ">", "{", "}", "[", "]", ",", "&a ", "*a", "!", "?", "%", "@", "\\", "\u2028", "\u0085", "\ufeff", "\xff",
		}).Draw(t, "piece")
		lines[at] = line[:n] + piece + line[end:]
	}
	return strings.Join(lines, "")
}
