package list

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestSuiteInLists puts each text of the YAML test suite into a list, where it is an item,
// a field of one, and a text in one: all readers see the same, and it leaves as it came.
func TestSuiteInLists(t *testing.T) {
	text, err := os.ReadFile("../values/testdata/yaml-test-suite/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ Name, YAML string }
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) < 400 {
		t.Fatalf("%d cases", len(cases))
	}
	const head = `apiVersion: v1
  kind: A
  metadata: {name: x}
`
	taken := 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			indented := strings.ReplaceAll("\n"+strings.TrimSuffix(c.YAML, "\n"), "\n", "\n    ") + "\n"
			quoted, err := json.Marshal(c.YAML)
			if err != nil {
				t.Fatal(err)
			}
			for _, item := range []string{
				"- " + strings.TrimLeft(strings.ReplaceAll(indented, "\n    ", "\n  "), "\n "),
				"- " + head + "  spec:" + indented,
				"- " + head + `  data:
    values.yaml: |` + strings.ReplaceAll(indented, "\n", "\n  ") + "\n",
				"- " + head + "  data: {values.yaml: " + string(quoted) + "}\n",
			} {
				input := []byte(listStart + item + oneItem)
				checkReaders(t, input)
				if _, ok := readByText(input); ok {
					taken++
				}
			}
		})
	}
	if taken < 2*len(cases) {
		t.Errorf("the text reader took %d lists of %d", taken, 4*len(cases))
	}
}
