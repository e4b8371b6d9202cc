package protocol

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/creachadair/jrpc2"
)

// closer is what a server writes to.
type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }

func TestReadFrame(t *testing.T) {
	for in, want := range map[string]string{
		"Content-Length: 2\r\n\r\n{}":                        "{}",
		"content-length:2\n\n{}":                             "{}",
		"Content-Type: x\r\nContent-Length: 0\r\n\r\nabc":    "",
		"Content-Length: 1\r\nContent-Length: 3\r\n\r\nabcd": "abc",
		"":                                 "EOF",
		"Content-Le":                       "the client has left in the middle of a message",
		"Content-Length: 3\r\n\r\nab":      "the client has left in the middle of a message",
		"\r\n{}":                           "the client sends a message without Content-Length",
		"{}\r\n":                           "the client sends a line in a header that is not a field",
		"Content-Length: -1\r\n\r\n{}":     "the client sends a Content-Length that is not a number",
		"Content-Length: x\r\n\r\n{}":      "the client sends a Content-Length that is not a number",
		"Content-Length: 67108865\r\n\r\n": "the client sends a message of 67108865 bytes; packfn lsp reads at most 67108864: close large files",
		"Content-Length: 9223372036854775807\r\n\r\n":                             "the client sends a message of 9223372036854775807 bytes; packfn lsp reads at most 67108864: close large files",
		"Content-Length: 1" + strings.Repeat("0", 99) + "\r\n\r\n":                "the client sends a message of 1" + strings.Repeat("0", 29) + " bytes; packfn lsp reads at most 67108864: close large files",
		"A: " + strings.Repeat("a", maxHeader):                                    "the client sends a header of more than 4096 bytes",
		strings.Repeat("A: a\r\n", maxHeader/6) + "Content-Length: 2\r\n\r\n{}":   "the client sends a header of more than 4096 bytes",
		"Content-Length: 2\r\n" + strings.Repeat("A: a\r\n", 600) + "\r\n" + "{}": "{}",
	} {
		got, err := readFrame(bufio.NewReader(strings.NewReader(in)))
		if text := string(got); text != want && fmt.Sprint(err) != want || err != nil && got != nil {
			t.Errorf("%q: got %q, %v; want %s", in[:min(len(in), 60)], text, err, want)
		}
	}
}

// offered notes the largest buffer that it is to fill.
type offered struct {
	io.Reader
	most int
}

func (o *offered) Read(p []byte) (int, error) {
	o.most = max(o.most, len(p))
	return o.Reader.Read(p)
}

// A header alone takes no memory, and messages are read after each other.
func TestReadFrames(t *testing.T) {
	in := &offered{Reader: strings.NewReader("Content-Length: 67108864\r\n\r\n{")}
	if _, err := readFrame(bufio.NewReader(in)); err == nil {
		t.Error("a message without its end is read")
	}
	if in.most > 1<<20 {
		t.Errorf("a header takes %d bytes", in.most)
	}
	var sent closer
	f := NewFrames(&sent, &sent)
	long := strings.Repeat("é", 1<<20)
	for _, text := range []string{"{}", "", long, "a"} {
		if err := f.Send([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{"{}", "", long, "a"} {
		if got, err := f.Recv(); err != nil || string(got) != want {
			t.Errorf("got %d bytes, %v; want %d", len(got), err, len(want))
		}
	}
	for range 3 {
		if _, err := f.Recv(); err != io.EOF {
			t.Errorf("at the end: %v", err)
		}
	}
	if err := <-f.Ended; err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

func FuzzFrame(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}Content-Length: 3\n\nabc"))
	f.Add([]byte("Content-Type: x\r\nContent-Length: 99999999999999999999\r\n\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		for {
			content, err := readFrame(r)
			if err != nil {
				if _, isClient := errors.AsType[*ClientError](err); !isClient && err != io.EOF {
					t.Errorf("got %v", err)
				}
				return
			}
			if !bytes.Contains(in, content) {
				t.Errorf("got %q", content)
			}
			var sent closer
			if err := NewFrames(nil, &sent).Send(content); err != nil {
				t.Fatal(err)
			}
			if again, err := readFrame(bufio.NewReader(&sent)); err != nil || !bytes.Equal(again, content) {
				t.Errorf("%q is %q, %v", content, again, err)
			}
		}
	})
}

// A request that is cancelled before it begins has this code, too, which the library answers.
func TestCancelledEarly(t *testing.T) {
	var sent closer
	frames := &Frames{out: &sent}
	answer, err := json.Marshal(map[string]any{"error": &jrpc2.Error{Code: jrpc2.Cancelled, Message: `"error":{"code":-32097,`}})
	if err != nil {
		t.Fatal(err)
	}
	if err := frames.Send(answer); err != nil {
		t.Fatal(err)
	}
	if text := sent.String(); !strings.Contains(text, `{"error":{"code":-32800,`) || !strings.Contains(text, `\"error\":{\"code\":-32097,`) {
		t.Errorf("sent %s", text)
	}
}
