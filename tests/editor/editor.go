// Package editor is a client of packfn lsp for tests: an editor without a screen. It is not safe
// for concurrent use.
//
//	c := editor.New(fromServer, toServer)
//	err := c.Initialize(dir)
//	err = c.Open("platform/site.yaml", text)
package editor

import (
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

	channel channel.Channel
	dir     string
	calls   int
	version map[string]int
	// checked are the versions of the buffers whose diagnostics came last.
	checked map[string]int
}

// Diagnostic is a finding as editors have it.
type Diagnostic struct {
	Code     string
	Severity int
	Message  string
}

// New makes a client of a server. It closes what it writes to when it leaves.
func New(from io.Reader, to io.WriteCloser) *Client {
	return &Client{channel: channel.LSP(from, to), Diagnostics: map[string][]Diagnostic{}, version: map[string]int{}, checked: map[string]int{}}
}

// Initialize opens a workspace.
func (c *Client) Initialize(dir string) error {
	c.dir = dir
	params := map[string]any{"rootUri": c.uri("."), "capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8"}}}}
	if err := c.Call("initialize", params, nil); err != nil {
		return err
	}
	return c.notify("initialized", map[string]any{})
}

// Open opens a file with a text, and waits for its diagnostics.
func (c *Client) Open(name, text string) error {
	c.version[name] = 1
	document := map[string]any{"uri": c.uri(name), "languageId": "yaml", "version": 1, "text": text}
	if err := c.notify("textDocument/didOpen", map[string]any{"textDocument": document}); err != nil {
		return err
	}
	return c.wait(name)
}

// Change replaces the text of an open file, and waits for its diagnostics.
func (c *Client) Change(name, text string) error {
	c.version[name]++
	document := map[string]any{"uri": c.uri(name), "version": c.version[name]}
	if err := c.notify("textDocument/didChange", map[string]any{"textDocument": document, "contentChanges": []any{map[string]any{"text": text}}}); err != nil {
		return err
	}
	return c.wait(name)
}

// Save says that the buffer of an open file was saved, and waits for its diagnostics. Those of its
// charts come later; see Until.
func (c *Client) Save(name string) error {
	document := map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}}
	if err := c.notify("textDocument/didSave", document); err != nil {
		return err
	}
	// The answer to a request for code actions comes when nothing is left to be checked.
	return c.Call("textDocument/codeAction", document, nil)
}

// Until reads what the server sends until something holds of the diagnostics.
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
		"textDocument": map[string]any{"uri": c.uri(name)}, "position": map[string]any{"line": line, "character": column},
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
			return fmt.Errorf("%s: %s", method, m.Error.Message)
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
	if err := c.notify("exit", nil); err != nil {
		return err
	}
	return c.channel.Close()
}

func (c *Client) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(c.dir, name))}).String()
}

func (c *Client) notify(method string, params any) error {
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
	Error  *struct{ Message string }
}

func (c *Client) receive() (m message, err error) {
	text, err := c.channel.Recv()
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil || m.Method != "textDocument/publishDiagnostics" {
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
