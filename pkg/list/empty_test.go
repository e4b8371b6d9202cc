package list

import "testing"

// What has no content is not an item, whatever ends its lines; and no content is lost.
func TestEmptyDocuments(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "   ": 0, "\n  \n": 0, "# a": 0, "# a\n# b\n": 0, "# a\r# b": 0, "# é\n": 0,
		`---
# a
---
`: 0,
		"a: b": 1, "# a\ra: b": 1, "# a\u2028a: b": 1, "# a\u0085# b": 0, "é: b": 1, "[": 1,
		`# a
---
a: b
`: 1,
	} {
		if got := len(FileItems([]byte(text), "a.yaml")); got != want {
			t.Errorf("%q: got %d items, want %d", text, got, want)
		}
	}
}
