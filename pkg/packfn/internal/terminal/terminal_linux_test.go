package terminal

import (
	"bytes"
	"io"
	"os"
	"testing"

	"github.com/creack/pty"
)

// open returns a terminal of a width. What is written to it comes out of the other end.
func open(t *testing.T, columns uint16) (in, out *os.File) {
	t.Helper()
	out, in, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(in, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		t.Fatal(err)
	}
	return in, out
}

func TestIsTerminal(t *testing.T) {
	in, _ := open(t, 77)
	if !Is(in) || Width(in) != 77 {
		t.Errorf("a terminal: %v, width %d", Is(in), Width(in))
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	closed, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, out := range map[string]io.Writer{"no file": &bytes.Buffer{}, "a file": file, "the null device": null, "a closed file": closed} {
		if Is(out) || Width(out) != 0 {
			t.Errorf("%s: %v, width %d", name, Is(out), Width(out))
		}
	}
}
