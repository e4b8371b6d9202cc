package list

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// leftToParser are the hostile lists that the text reader must not take. All
// others it has to take: standing aside costs bytes and time.
var leftToParser = []string{
	"flow items", "flow items key", "json", "flow item that goes on", "line behind a flow item",
	"flow comment behind a colon", "flow comment behind a question", "flow tags",
	"empty item", "null item", "empty last", "scalar item", "nested dashes",
	"block scalar and a line left of it", "block scalar at the end", "block scalar and blanks", "block scalar below its key", "block scalar behind a tab",
	"quoted over lines", "quoted over lines at column 0", "quoted over lines, escaped break",
	"quoted over lines behind a tab", "quoted over lines as an item", "quoted over lines and a key behind", "quoted over lines without an end",
	"quoted over lines in a list, in the column of the dash", "quoted over lines and more behind", "quoted over lines below its key",
	"quoted over lines in the column of the key", "quoted over lines and a sign behind", "quoted over lines in flow style",
	"quoted over lines, a marker", "quoted over lines in a plain scalar, open",
	"kind escaped", "kind explicit", "kind of an anchor's name", "anchor of an item",
	"tabs", "crlf", "carriage return", "line separators", "line separators in a block",
	"byte order mark", "byte order mark inside", "not UTF-8",
	"document start", "document start with content", "document behind", "document end", "directive",
	"version by a merge key", "version with a tag", "version over lines",
	"key twice", "key quoted", "merge at the top", "anchor of the list",
	"truncated in a key", "truncated in quotes", "truncated behind a dash",
	"keys left of the item", "items left of the items", "hash without a blank", "keys with signs", "second document in an item",
	// The items tell split nothing, but readByText:
	"anchors across items", "anchors into results", "broken last item", "flow alias behind a colon", "anchor that holds itself",
	"key with a tab", "empty key with an anchor", "comment that moves", "comment that moves in flow",
}

func TestSplitTakesOrLeaves(t *testing.T) {
	for _, name := range leftToParser {
		if _, known := hostileLists[name]; !known {
			t.Errorf("no list %q", name)
		}
	}
	for name, text := range hostileLists {
		t.Run(name, func(t *testing.T) {
			_, taken := readByText([]byte(text))
			if want := !slices.Contains(leftToParser, name); taken != want {
				t.Errorf("taken by the text reader: %v, want %v", taken, want)
			}
		})
	}
}

// Characters that the parser refuses, or takes for line breaks, are left to it.
func TestSplitLeavesCharacters(t *testing.T) {
	for characters, want := range map[string]bool{"\u0080\u009f\u2028\u2029\ufdd0\ufdef\ufeff\ufffe\uffff": false, "\u00a0\u2027\u202a\ufdcf\ufdf0\ufefe\ufffd\U00010000": true} {
		for _, c := range characters {
			if _, taken := split([]byte(listStart + oneItem + "  a: b" + string(c) + "c\n")); taken != want {
				t.Errorf("%U: taken by the text reader: %v, want %v", c, taken, want)
			}
		}
	}
}

// The lists that clients send must be taken: whatever they hold leaves as it
// came.
func TestSplitTakesClientLists(t *testing.T) {
	for name, text := range clientLists(t) {
		t.Run(name, func(t *testing.T) {
			if _, ok := readByText(text); !ok {
				t.Fatal("read by the parser")
			}
		})
	}
}

func TestSplitSpans(t *testing.T) {
	tests := []struct {
		name     string
		input    string
		items    []string
		sections []string
	}{
		{
			name: "in the column of the key",
			input: `kind: L
items:
- a: b
  c: d
- e: f
`,
			items: []string{`- a: b
  c: d
`, "- e: f\n"},
			sections: []string{"kind", "items"},
		},
		{
			name: "comments belong to the item above",
			input: `items: # x
# y
- a: b
# z

- e: f
# end
kind: L
# behind
`,
			items: []string{
				`- a: b
# z

`,
				`- e: f
# end
`,
			},
			sections: []string{"items", "kind"},
		},
		{
			name: "indented by four",
			input: `items:
    - a: b
      c:
      - d

    - e: f
results:
- g
- h
`,
			items: []string{`    - a: b
      c:
      - d

`, "    - e: f\n"},
			sections: []string{"items", "results"},
		},
		{
			name: "wide dashes and dashes alone",
			input: `items:
-   a: b
    c: d
-

  e: f
- # g
     h: i`,
			items: []string{
				`-   a: b
    c: d
`,
				`-

  e: f
`,
				`- # g
     h: i`,
			},
			sections: []string{"items"},
		},
		{
			name: "block scalars",
			input: `items:
- a: |
   - b
  c: >2
       d
    - e
# f
- g: |


- h: i
`,
			items: []string{`- a: |
   - b
  c: >2
       d
    - e
# f
`, "- g: |\n\n\n", "- h: i\n"},
			sections: []string{"items"},
		},
		{
			name: "quoted scalars over lines",
			input: `items:
- a: 'b

   - c
     # d'
  e: "f
   - g"
# h
- i: j
`,
			items: []string{`- a: 'b

   - c
     # d'
  e: "f
   - g"
# h
`, "- i: j\n"},
			sections: []string{"items"},
		},
		{
			name: "flow items",
			input: `items:
- {a: b}
# c
- {"d":"e"} # f
`,
			items: []string{`- {a: b}
# c
`, "- {\"d\":\"e\"} # f\n"},
			sections: []string{"items"},
		},
		{
			name: "an empty list",
			input: `kind: L
items: []
# a
results: []
`,
			sections: []string{"kind", "items", "results"},
		},
		{
			name: "plain scalars over lines",
			input: `items:
- a: b
    - c
    d
  e: f
- g: h
`,
			items: []string{`- a: b
    - c
    d
  e: f
`, "- g: h\n"},
			sections: []string{"items"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			found, ok := split([]byte(test.input))
			if !ok {
				t.Fatal("not taken")
			}
			var items, sections []string
			for _, s := range found.items {
				items = append(items, string(s.text))
			}
			text := ""
			for _, s := range found.sections {
				sections = append(sections, s.key)
				text += test.input[s.start:s.end]
			}
			if diff := cmp.Diff(test.items, items); diff != "" {
				t.Errorf("items (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.sections, sections); diff != "" {
				t.Errorf("sections (-want +got):\n%s", diff)
			}
			if !strings.HasSuffix(test.input, text) {
				t.Errorf("the sections are not the end of the input: %q", text)
			}
		})
	}
}

func TestSplitSeesReferences(t *testing.T) {
	input := listStart + `- a: &a b
  c: *a
- a: b
- a: !!str b
- a: [&a b]
- {"a":*a}
`
	found, ok := split([]byte(input))
	if !ok {
		t.Fatal("not taken")
	}
	var got []bool
	for _, s := range found.items {
		got = append(got, s.refers)
	}
	if want := []bool{true, false, true, true, true}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
