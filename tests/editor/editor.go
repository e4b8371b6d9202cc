// Package editor is a client of packfn lsp for tests: an editor without a screen. It is not safe
// for concurrent use.
//
//	c := editor.New(fromServer, toServer)
//	err := c.Initialize(dir)
//	err = c.Open("platform/site.yaml", text)
package editor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"

	"github.com/creachadair/jrpc2/channel"
)

// Client speaks with one server about one workspace.
type Client struct {
	// Diagnostics are the ones that the server has published, by the paths in the workspace.
	Diagnostics map[string][]Diagnostic
	// Told are the parameters of what else the server has sent, by the methods. Each of its requests
	// has the answer null.
	Told map[string][]json.RawMessage

	channel channel.Channel
	// received are the messages of the server, which does not wait for the client to read them.
	received chan []byte
	dir      string
	calls    int
	version  map[string]int
	// checked are the versions of the buffers whose diagnostics came last.
	checked map[string]int
}

// Diagnostic is a finding as editors have it.
type Diagnostic struct {
	Range    Span
	Code     string
	Severity int
	Message  string
	Tags     []int
}

// Span is a part of a text.
type Span struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Position is a place in a text, from 0.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// New makes a client of a server. It closes what it writes to when it leaves.
func New(from io.Reader, to io.WriteCloser) *Client {
	c := &Client{
		Diagnostics: map[string][]Diagnostic{}, Told: map[string][]json.RawMessage{}, channel: channel.LSP(from, to), received: make(chan []byte, 1<<10),
		version: map[string]int{}, checked: map[string]int{},
	}
	go func() {
		defer close(c.received)
		for {
			text, err := c.channel.Recv()
			if err != nil {
				return
			}
			c.received <- bytes.Clone(text) // the channel uses it again
		}
	}()
	return c
}

// Initialize opens a workspace.
func (c *Client) Initialize(dir string) error {
	return c.Introduce(dir, map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8"}}}}, nil)
}

// Introduce opens a workspace with parameters, which name it unless it is all of a folder.
func (c *Client) Introduce(dir string, params map[string]any, result any) error {
	c.dir = dir
	if params["workspaceFolders"] == nil && params["rootPath"] == nil && params["rootUri"] == nil {
		params["rootUri"] = c.URI(".")
	}
	if err := c.Call("initialize", params, result); err != nil {
		return err
	}
	return c.Notify("initialized", map[string]any{})
}

// Open opens a file with a text, and waits for its diagnostics.
func (c *Client) Open(name, text string) error {
	c.version[name] = 1
	document := map[string]any{"uri": c.URI(name), "languageId": "yaml", "version": 1, "text": text}
	if err := c.Notify("textDocument/didOpen", map[string]any{"textDocument": document}); err != nil {
		return err
	}
	return c.wait(name)
}

// Change replaces the text of an open file, and waits for its diagnostics.
func (c *Client) Change(name, text string) error {
	c.version[name]++
	document := map[string]any{"uri": c.URI(name), "version": c.version[name]}
	if err := c.Notify("textDocument/didChange", map[string]any{"textDocument": document, "contentChanges": []any{map[string]any{"text": text}}}); err != nil {
		return err
	}
	return c.wait(name)
}

// Save notifies the server that the buffer of an open file was saved, and waits for its
// diagnostics. The diagnostics of its charts come later; see Until.
func (c *Client) Save(name string) error {
	document := map[string]any{"textDocument": map[string]any{"uri": c.URI(name)}}
	if err := c.Notify("textDocument/didSave", document); err != nil {
		return err
	}
	// The answer to a request for code actions comes when nothing is left to be checked.
	return c.Call("textDocument/codeAction", document, nil)
}

// Until reads what the server sends until something holds of it.
func (c *Client) Until(holds func() bool) error {
	for !holds() {
		if _, err := c.receive(); err != nil {
			return err
		}
	}
	return nil
}

// At sends a request about a place, lines and columns from 0, and reads the answer.
func (c *Client) At(method, name string, line, column int, result any) error {
	return c.Call(method, map[string]any{
		"textDocument": map[string]any{"uri": c.URI(name)}, "position": map[string]any{"line": line, "character": column},
	}, result)
}

// Call sends a request and reads the answer.
func (c *Client) Call(method string, params, result any) error {
	c.calls++
	if err := c.send(map[string]any{"id": c.calls, "method": method, "params": params}); err != nil {
		return err
	}
	for {
		m, err := c.receive()
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		if m.Method != "" || m.ID != c.calls {
			continue
		}
		if m.Error != nil {
			return fmt.Errorf("%s: %w", method, m.Error)
		}
		if result == nil {
			return nil
		}
		return json.Unmarshal(m.Result, result)
	}
}

// Leave ends the server.
func (c *Client) Leave() error {
	if err := c.Call("shutdown", nil, nil); err != nil {
		return err
	}
	if err := c.Notify("exit", nil); err != nil {
		return err
	}
	return c.channel.Close()
}

// URI returns the URI of a file of the workspace.
func (c *Client) URI(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.dir, name))}).String()
}

// Notify sends what has no answer.
func (c *Client) Notify(method string, params any) error {
	return c.send(map[string]any{"method": method, "params": params})
}

func (c *Client) send(m map[string]any) error {
	m["jsonrpc"] = "2.0"
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return c.channel.Send(text)
}

// wait reads until the diagnostics of the buffer of a file as it is have come.
func (c *Client) wait(name string) error {
	for c.checked[name] != c.version[name] {
		if _, err := c.receive(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error
}

// Error is what a request has in place of a result.
type Error struct{ Message string }

func (e *Error) Error() string { return e.Message }

func (c *Client) receive() (m message, err error) {
	text, isOpen := <-c.received
	if !isOpen {
		return m, io.EOF
	}
	err = json.Unmarshal(text, &m)
	if err != nil || m.Method == "" {
		return m, err
	}
	if m.Method != "textDocument/publishDiagnostics" {
		c.Told[m.Method] = append(c.Told[m.Method], m.Params)
		if m.ID != 0 {
			err = c.send(map[string]any{"id": m.ID, "result": nil})
		}
		return m, err
	}
	var p struct {
		URI         string
		Version     int
		Diagnostics []Diagnostic
	}
	if err := json.Unmarshal(m.Params, &p); err != nil {
		return m, err
	}
	at, err := url.Parse(p.URI)
	if err != nil {
		return m, err
	}
	name, err := filepath.Rel(c.dir, filepath.FromSlash(at.Path))
	name = filepath.ToSlash(name)
	c.Diagnostics[name], c.checked[name] = p.Diagnostics, p.Version
	return m, err
}
