package folder

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/krm-packs/functions/pkg/values"
)

// A stream is read as a file is: whole, of a bounded size, and only if it is text.
func TestReadStream(t *testing.T) {
	many := func(n int) io.Reader { return io.LimitReader(spaces{}, int64(n)) }
	failure := errors.New("the pipe is broken")
	for name, tc := range map[string]struct {
		in   io.Reader
		size int
		want string
	}{
		"a text":       {strings.NewReader("a: 1\n"), 5, ""},
		"nothing":      {strings.NewReader(""), 0, ""},
		"the largest":  {many(values.MaxBytes), values.MaxBytes, ""},
		"a larger one": {many(values.MaxBytes + 1), 0, "standard input has more than 33554432 bytes, which are the most that the functions read: split it"},
		"without end":  {spaces{}, 0, "standard input has more than 33554432 bytes, which are the most that the functions read: split it"},
		"no text":      {strings.NewReader("a: \xff\n"), 0, "standard input is not UTF-8: byte 4 is 0xff"},
		"a fault":      {iotest.ErrReader(failure), 0, failure.Error()},
	} {
		text, err := ReadStream("standard input", tc.in)
		if got := errorText(err); got != tc.want || err == nil && len(text) != tc.size {
			t.Errorf("%s: got %d bytes, %s", name, len(text), got)
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// spaces is a stream of spaces without end.
type spaces struct{}

func (spaces) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}
