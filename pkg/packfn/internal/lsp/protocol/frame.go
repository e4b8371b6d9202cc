package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/creachadair/jrpc2"
)

// Limits of a message from the client.
const (
	// maxFrame is the maximum length of its content.
	maxFrame = 64 << 20
	// maxHeader is the maximum length of its header with all fields.
	maxHeader = 4 << 10
)

// ClientError is a violation of the protocol by the client that ends the server.
// reason is the rest of a sentence that begins with "the client".
type ClientError struct{ reason string }

func (e *ClientError) Error() string { return "the client " + e.reason }

// ErrNoShutdown is returned if the client ends the connection without a shutdown request.
var ErrNoShutdown error = &ClientError{"has left without a shutdown"}

// ErrCancelled is the error that the protocol defines for a cancelled request.
var ErrCancelled = &jrpc2.Error{Code: -32800, Message: "the request is cancelled"}

// Frames reads and writes messages in the base protocol of LSP. The implementation in jrpc2 is
// not used, because it allocates as much memory as a header declares. A message has a header with
// its length:
//
//	Content-Length: 52
//
//
//	{"jsonrpc":"2.0","method":"initialized","params":{}}
type Frames struct {
	// in and out are the connection to the client.
	in  *bufio.Reader
	out io.WriteCloser
	// Ended receives the error of the first message that could not be read. It is [io.EOF] if the
	// client has closed the connection.
	Ended chan error
}

func NewFrames(in io.Reader, out io.WriteCloser) *Frames {
	return &Frames{bufio.NewReader(in), out, make(chan error, 1)}
}

// cancelledEarly is the part of the library's answer to a request that is cancelled before it
// begins; cancelled is its replacement. It cannot occur in a string of a message, because quotes
// in strings are escaped.
var cancelledEarly, cancelled = fmt.Appendf(nil, `"error":{"code":%d,`, jrpc2.Cancelled), fmt.Appendf(nil, `"error":{"code":%d,`, ErrCancelled.Code)

// Send writes a message. It gives cancelled requests the error code of the protocol.
func (f *Frames) Send(content []byte) error {
	content = bytes.Replace(content, cancelledEarly, cancelled, 1)
	_, err := f.out.Write(append(fmt.Appendf(make([]byte, 0, len(content)+64), "Content-Length: %d\r\n\r\n", len(content)), content...))
	return err
}

// Recv reads a message.
func (f *Frames) Recv() ([]byte, error) {
	content, err := readFrame(f.in)
	if err != nil {
		select {
		case f.Ended <- err:
		default: // an error was sent already
		}
	}
	return content, err
}

// Close closes the output.
func (f *Frames) Close() error { return f.out.Close() }

// readFrame reads a message. The error is [io.EOF] if there are no more messages, a [ClientError]
// for a message that violates the protocol or a limit, or an error of the reader. The buffer
// grows with the content that arrives, so a header alone does not allocate memory.
//
//	Content-Length: 52
//
//	{"jsonrpc":"2.0","method":"initialized","params":{}}
func readFrame(in *bufio.Reader) ([]byte, error) {
	length, err := readHeader(in)
	if err != nil {
		return nil, err
	}
	content := make([]byte, 0, min(length, 1<<16))
	for len(content) < length {
		if len(content) == cap(content) {
			content = append(make([]byte, 0, min(length, 2*cap(content))), content...)
		}
		n, err := in.Read(content[len(content):min(length, cap(content))])
		if content = content[:len(content)+n]; err != nil && len(content) < length {
			return nil, endOf(err)
		}
	}
	return content, nil
}

// readHeader reads the header of a message, and returns the length of its content. Other fields
// are ignored, because there is only one type of content.
func readHeader(in *bufio.Reader) (length int, err error) {
	length = -1
	for size := 0; ; {
		var line []byte
		for len(line) == 0 || line[len(line)-1] != '\n' {
			c, err := in.ReadByte()
			if err != nil && size == 0 {
				return 0, err
			}
			if err != nil {
				return 0, endOf(err)
			}
			if size++; size > maxHeader {
				return 0, &ClientError{fmt.Sprintf("sends a header of more than %d bytes", maxHeader)}
			}
			line = append(line, c)
		}
		name, value, ok := strings.Cut(strings.TrimRight(string(line), "\r\n"), ":")
		switch {
		case name == "" && !ok && length < 0:
			return 0, &ClientError{"sends a message without Content-Length"}
		case name == "" && !ok:
			return length, nil
		case !ok:
			return 0, &ClientError{"sends a line in a header that is not a field"}
		case strings.EqualFold(name, "Content-Length"):
			if length, err = lengthOf(strings.TrimSpace(value)); err != nil {
				return 0, err
			}
		}
	}
}

// lengthOf reads the value of Content-Length. It returns a [ClientError] if the value is not a number,
// or more than maxFrame.
func lengthOf(text string) (int, error) {
	length, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrSyntax):
		return 0, &ClientError{"sends a Content-Length that is not a number"}
	case err != nil || length > maxFrame:
		return 0, &ClientError{fmt.Sprintf("sends a message of %s bytes; packfn lsp reads at most %d: close large files", text[:min(len(text), 30)], maxFrame)}
	}
	return int(length), nil
}

// endOf returns the error of a message that is cut off.
func endOf(err error) error {
	if errors.Is(err, io.EOF) {
		return &ClientError{"has left in the middle of a message"}
	}
	return err
}
