package report

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// An object is written field by field. End returns the error of the first field that could not be written.
func TestJSONObject(t *testing.T) {
	write := func(w io.Writer, value any) error {
		o := NewJSONObject(w)
		o.Field("a", 1)
		o.List("none", 0, nil)
		o.List("some", 2, func(i int) any { return map[string]any{"i": i} })
		o.Field("b", value)
		return o.Close()
	}
	var b bytes.Buffer
	want := `{
  "a": 1,
  "none": [],
  "some": [
    {
      "i": 0
    },
    {
      "i": 1
    }
  ],
  "b": "<&>"
}
`
	if err := write(&b, "<&>"); err != nil || b.String() != want {
		t.Errorf("got %s, %v", b.String(), err)
	}
	for _, left := range []int{0, 10, len(want) - 1} {
		if err := write(&failing{left}, "<&>"); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("after %d bytes: got %v", left, err)
		}
	}
	if err := write(io.Discard, func() {}); err == nil {
		t.Error("a function is written")
	}
}
