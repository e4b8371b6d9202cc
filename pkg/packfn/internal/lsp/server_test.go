package lsp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
)

func TestSafely(t *testing.T) {
	method := New(Options{}).safely("x", func(context.Context, *jrpc2.Request) (any, error) { panic("y") })
	if _, err := method(t.Context(), nil); err == nil || !strings.HasPrefix(err.Error(), "x: packfn has failed, which is a fault of packfn: y\n") {
		t.Errorf("got %v", err)
	}
}

// While the first run takes long, a request waits for it, and ends when it is cancelled. Completion,
// hover and definitions wait for no other run.
func TestLongRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "web.yaml")
	const text = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: web}
spec:
  values:
    key: 1
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var isHeld atomic.Bool
	isHeld.Store(true)
	entered, leave := make(chan bool), make(chan bool)
	s := New(Options{Schemas: os.DirFS(t.TempDir()), Check: func(string) (check.Options, error) {
		if isHeld.Load() {
			entered <- true
			<-leave
		}
		return check.Options{}, nil
	}})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	ended := make(chan error)
	go func() { ended <- s.Serve(fromClient, toClient) }()
	client, calls := channel.LSP(fromServer, toServer), 0
	send := func(message string) {
		if err := client.Send([]byte(`{"jsonrpc":"2.0",` + message + `}`)); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(method, params string, isCancelled bool) (answer struct {
		ID     int
		Result json.RawMessage
		Error  struct{ Code int }
	}) {
		calls++
		send(fmt.Sprintf(`"id":%d,"method":%q,"params":%s`, calls, method, params))
		if isCancelled {
			send(fmt.Sprintf(`"method":"$/cancelRequest","params":{"id":%d}`, calls))
		}
		for answer.ID != calls {
			text, err := client.Recv()
			if err == nil {
				err = json.Unmarshal(text, &answer)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		return answer
	}
	ask("initialize", fmt.Sprintf(`{"rootPath":%q,"initializationOptions":{"inlayHints":{"default":true}}}`, filepath.Dir(path)), false)
	send(`"method":"initialized","params":{}`)
	<-entered
	about := fmt.Sprintf(`{"textDocument":{"uri":%q},"position":{"line":5,"character":5}}`, protocol.URIOf(path))
	for _, method := range []string{"hover", "codeAction", "completion", "definition", "references", "inlayHint"} {
		if answer := ask("textDocument/"+method, about, true); answer.Error.Code != int(protocol.ErrCancelled.Code) {
			t.Errorf("%s that is cancelled has the answer %s %d", method, answer.Result, answer.Error.Code)
		}
	}
	isHeld.Store(false)
	leave <- true
	ask("textDocument/codeAction", about, false)
	isHeld.Store(true)
	send(fmt.Sprintf(`"method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"text":%q}}`, protocol.URIOf(path), text+"# new\n"))
	<-entered
	for method, has := range map[string]string{"hover": "**key**", "completion": "items", "definition": "[", "references": "["} {
		if answer := ask("textDocument/"+method, about, false); answer.Error.Code != 0 || !strings.Contains(string(answer.Result), has) {
			t.Errorf("%s has the answer %s %d", method, answer.Result, answer.Error.Code)
		}
	}
	toServer.Close()
	leave <- true
	<-ended
}

// A client that sends no messages, or leaves, ends the server, whatever a request does.
func TestServeEnds(t *testing.T) {
	for in, want := range map[string]string{
		"":                                    protocol.ErrNoShutdown.Error(),
		"GET / HTTP/1.1\r\n":                  "the client sends a line in a header that is not a field",
		"Content-Length: 99999999999\r\n\r\n": "the client sends a message of 99999999999 bytes; packfn lsp reads at most 67108864: close large files",
	} {
		err := New(Options{}).Serve(strings.NewReader(in), &closer{})
		if _, isClient := errors.AsType[*protocol.ClientError](err); !isClient || err.Error() != want {
			t.Errorf("%q: got %v, want %s", in, err, want)
		}
	}
	s := New(Options{})
	s.mu.Lock() // of a request that never ends
	defer s.mu.Unlock()
	from, to := io.Pipe()
	go func() {
		fmt.Fprint(to, "Content-Length: 47\r\n\r\n"+`{"jsonrpc":"2.0","id":1,"method":"initialize" }`)
		to.Close()
	}()
	if err := s.Serve(from, &closer{}); err != protocol.ErrNoShutdown {
		t.Errorf("got %v", err)
	}
}

// A request that is cancelled while it waits for others has the code of the protocol.
func TestCancelled(t *testing.T) {
	s := New(Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if answer, err := s.methods()["textDocument/hover"](ctx, nil); answer != nil || err != error(protocol.ErrCancelled) || protocol.ErrCancelled.Code != -32800 {
		t.Errorf("got %v, %v", answer, err)
	}
}

// closer is what a server writes to.
type closer struct{ bytes.Buffer }

func (*closer) Close() error { return nil }
