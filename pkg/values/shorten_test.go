package values

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

// checkShort reads a text whole and shortened and says whether it could be
// shortened. Where it cannot, Parse reads it whole, errors included.
func checkShort(t rapid.TB, text string, atLeast int) bool {
	t.Helper()
	got, ok := readShort(text, atLeast)
	if !ok {
		return false
	}
	want, err := readNodes(text)
	if err != nil {
		t.Fatalf("%q fails as a whole only: %v", text, err)
	}
	if !reflect.DeepEqual(want, got) {
		t.Fatalf("%q reads otherwise when it is shortened:\n%s", text, cmp.Diff(want, got))
	}
	return true
}

// What is no literal on its own is read whole; so is what reading the whole
// text complains about.
func TestShorten(t *testing.T) {
	tests := map[string]bool{
		"a: |\n  b\n":                            true,
		"a: |-\n  b\n":                           true,
		"a: |+\n  b\n\n\n":                       true,
		"a: |\n  b":                              true,
		"a: |\n  b\n\n\n  c\n   d\n\nb: 1\n":     true,
		"a: |\n  b\n     \n \n  c\n":             true,
		"a: |\n  b\n     \n \n":                  true,
		"a: |+\n  b\n     \n \n":                 true,
		"a: |\n  b\n# c\nb: 1 # d\n":             true,
		"a: |\n  b\n\n  # c\n\n# d\n\nb: 1\n":    true,
		"a: |\n  b\n\n # c\n":                    true,
		"- a: |\n    b\n  c: |-\n    d\n- e\n":   true,
		"a:\n- |\n  b\n":                         false, // not the value of a map
		"a: |\n  b: |\n    c: |\n   d\n":         true,
		"ü: |\n  ü\n\"ö\": |\n  ä\n":             true,
		"a: &x 1\nb: *x\nc: |\n  d\n":            true,
		"a: |\n  b\n...\n":                       true,
		"---\n---\na: |\n  b\n":                  true,
		"# head\n\n? a: |\n    b\n: c: |\n    d": true,
		"a: |\n b\n\x00":                         false,
		"a: |\n \tb\n":                           false,
		"a: |\n\n  b\n":                          false, // the first line is blank
		"a: |\n    \n  b\n":                      false,
		"a: |\n":                                 false,
		"a: |\nb: 1\n":                           false,
		"a: |2\n  b\n":                           false,
		"a: |-1\n  b\n":                          false,
		"a: | # c\n  b\n":                        false,
		"a: | \n  b\n":                           false,
		"a: &x |\n  b\n":                         false,
		"a: !!str |\n  b\n":                      false,
		"a: >\n  b: |\n    c\n":                  false,
		"a: \"x: |\n  b\"\n":                     false,
		"a: 'x: |\n  b'\n":                       false,
		"a: x\n  y: |\n   b\n":                   false,
		"a: {b: |\n  c}\n":                       false,
		"a: [b: |\n  c]\n":                       false,
		"a: 1 # b: |\n  # c\n":                   false,
		"# a: |\n  b\n":                          false,
		"a:\n  b: |\n c\n":                       false,
		"a:\n  b: |\n  c\n":                      false,
		"a: |\n  b\n c\n":                        false, // an error
		"a: |\n  b\nc: [\n":                      false,
		"a: |\n  b\nc: *d\n":                     false,
		"a: |\r\n  b\r\n":                        false,
		"\ufeffa: |\n  b\n":                      false,
		"a: |\n  b\u2028c\n":                     false,
		"a: |\n  b\u0085c\n":                     false,
		"a: |\n  b\xff\n":                        false,
		"a: |\n  b\n---\nc: |\n  d\n":            false, // a second document
		"a: b: |\n  c\n":                         false,
		"a: \"\n b: |\n  c\n \"\nd: |\n  e\n":    false, // one that is none makes the whole doubtful
	}
	for text, want := range tests {
		if got := checkShort(t, text, 1); got != want {
			t.Errorf("%q: shortened: %v, want %v", text, got, want)
		}
	}
	large := strings.Repeat("a line that is long enough\n", 50)
	for text := range tests {
		text = strings.ReplaceAll(text, "b\n", "b"+strings.ReplaceAll("\n"+large, "\n", "\n    ")+"\n")
		_, want := readDocument(text)
		_, got := Parse(text)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %v, want %v", text, got, want)
		}
		checkShort(t, text, worthShortening)
	}
	d := mustParse(t, "a: |\n"+strings.ReplaceAll("\n"+large, "\n", "\n  ")[1:]+"\nb: 1\n")
	if got := Find(d.Root(), mustPath(t, "a"))[0].Node.Value; got != large {
		t.Errorf("got %q", got)
	}
}

func TestShortenHostile(t *testing.T) {
	shortened := 0
	draws.Same(t, func(t *rapid.T) {
		if checkShort(t, hostileText(t), 1) {
			shortened++
		}
	})
	if shortened == 0 {
		t.Error("nothing was shortened")
	}
}

func TestShortenGenerated(t *testing.T) {
	shortened := 0
	draws.Same(t, func(t *rapid.T) {
		text := document(t)
		text = strings.ReplaceAll(text, "# note", "")
		text = strings.ReplaceAll(text, "| \n", "|\n")
		if checkShort(t, text, 1) {
			shortened++
		}
		// What is large is moved across the ends of the parser's buffers.
		wide := strings.Repeat("w", rapid.IntRange(0, 2000).Draw(t, "width"))
		checkShort(t, strings.ReplaceAll(strings.ReplaceAll(text, "text\n", "text"+wide+"\n"), "k: v\n", wide+"ü: v\n"), 1)
	})
	if shortened == 0 {
		t.Error("nothing was shortened")
	}
}

// A values file is a literal in the resource that carries it.
func TestShortenCorpus(t *testing.T) {
	shortened := 0
	for _, file := range corpus(t, "*.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		carried := "kind: ConfigMap\ndata:\n  # c\n  values.yaml: |\n" + asLiteral(string(text)) + "\n# foot\n"
		for _, text := range []string{string(text), carried, strings.ReplaceAll(carried, "|", "|+")} {
			for _, atLeast := range []int{1, worthShortening} {
				if checkShort(t, text, atLeast) {
					shortened++
				}
			}
		}
	}
	t.Logf("%d texts of the corpus shortened", shortened)
}

func FuzzParseBlocks(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
		f.Add("kind: ConfigMap\ndata:\n  values.yaml: |\n" + asLiteral(s) + "\n  presets.yaml: |-\n" + asLiteral(s))
	}
	for i := range hostileLines {
		f.Add(strings.Join(hostileLines[i:min(len(hostileLines), i+4)], "\n  "))
	}
	f.Fuzz(func(t *testing.T, text string) {
		checkShort(t, text, 1)
		checkShort(t, text, 20)
	})
}

// BenchmarkParseLiteral reads a resource that carries a values file.
func BenchmarkParseLiteral(b *testing.B) {
	for _, size := range []int{1 << 10, 10 << 10, 1 << 20} {
		values := strings.Repeat(benchText(), size/len(benchText())+1)[:size]
		text := "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: pack\ndata:\n  values.yaml: |\n" + asLiteral(values) + "\n"
		b.Run(fmt.Sprintf("size=%d/whole", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := readDocument(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("size=%d/short", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
