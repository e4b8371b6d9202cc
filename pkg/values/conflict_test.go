package values

import (
	"strings"
	"testing"
)

// A conflict that git has left is named at its first line. A text without all three markers has none.
func TestConflict(t *testing.T) {
	yaml := `a: 1
<<<<<<< HEAD
b: 2
||||||| base
b: 1
=======
b: 3
>>>>>>> main
`
	for text, want := range map[string]string{
		yaml:       "line 2, column 1: git could not merge this line and the 6 below it: choose a side",
		crlf(yaml): "line 2, column 1: git could not merge this line and the 6",
		strings.Replace(yaml, "=======\n", "", 1):         "a key has no colon",
		strings.Replace(yaml, ">>>>>>> main\n", "", 1):    "a key has no colon",
		strings.Replace(yaml, "<<<<<<< ", "<<<<<<<x ", 1): "a key has no colon",
		"<<<<<<<\n" + yaml: "line 3, column 1: git could not merge this line and the 6",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v", text, err)
		}
	}
	json := `{
<<<<<<< HEAD
"a": 1
=======
"a": 2
>>>>>>> main
}
`
	if _, _, err := ReadJSON(json); err == nil || !strings.Contains(err.Error(), "line 2, column 1: git could not merge this line and the 4 below it") {
		t.Errorf("JSON: got %v", err)
	}
	if _, err := Parse(`a: |
  <<<<<<< HEAD
  =======
  >>>>>>> main
`); err != nil {
		t.Errorf("in a text: %v", err)
	}
	if HasConflict(`a: <<<<<<<
=======
>>>>>>>
`) {
		t.Error("a value is a marker")
	}
}
