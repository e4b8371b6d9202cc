package values

import (
	"strings"
	"testing"
)

// A conflict that git has left is named at its first line. A text without all three markers has none.
func TestConflict(t *testing.T) {
	yaml := "a: 1\n<<<<<<< HEAD\nb: 2\n||||||| base\nb: 1\n=======\nb: 3\n>>>>>>> main\n"
	for text, want := range map[string]string{
		yaml:                                   "line 2, column 1: git could not merge this line and the 6 below it: choose a side",
		strings.ReplaceAll(yaml, "\n", "\r\n"): "line 2, column 1: git could not merge this line and the 6",
		strings.Replace(yaml, "=======\n", "", 1):         "a key has no colon",
		strings.Replace(yaml, ">>>>>>> main\n", "", 1):    "a key has no colon",
		strings.Replace(yaml, "<<<<<<< ", "<<<<<<<x ", 1): "a key has no colon",
		"<<<<<<<\n" + yaml: "line 3, column 1: git could not merge this line and the 6",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	json := "{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> main\n}\n"
	if _, _, err := ReadJSON(json); err == nil || !strings.Contains(err.Error(), "line 2, column 1: git could not merge this line and the 4 below it") {
		t.Errorf("JSON: got %v", err)
	}
	if _, err := Parse("a: |\n  <<<<<<< HEAD\n  =======\n  >>>>>>> main\n"); err != nil {
		t.Errorf("in a text: %v", err)
	}
	if HasConflict("a: <<<<<<<\n=======\n>>>>>>>\n") {
		t.Error("a value is a marker")
	}
}
