package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/creachadair/jrpc2/channel"
	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/build"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
)

// client is an editor. It reads what the server sends in its order, which the client of jrpc2
// does not.
type client struct {
	t       *testing.T
	channel channel.Channel
	server  *Server
	dir     string
	ended   chan error
	calls   int
	answers chan message
	// selected is what the client was asked to select.
	selected chan selection
	// isBroken says that the server may log that it cannot run the checks, and hasLeft that the
	// test is over.
	isBroken bool
	hasLeft  atomic.Bool
	// workspace is the folder in that of the client, "" for the same.
	workspace string

	// registered are the ids of requests for abilities.
	registered chan int

	mu    sync.Mutex
	shown map[string][]diagnostic
	// logged counts the lines of the log.
	logged int
}

type message struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  any             `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *struct {
		Code    int
		Message string
	} `json:"error,omitempty"`
}

const schemaPack = `apiVersion: v1
kind: ConfigMap
metadata:
  name: registry
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  pack.json: |
    {"name": "registry", "version": "1.0.0", "layer": "addon"}
  values.yaml: |
    registry:
      mode: fast
      port: 70000
  schema.yaml: |
    registry.mode:
      schema: '{{ required | format "${list:[small,fast]}" }}'
    registry.port:
      schema: '{{ required | format "${number:[1-65535]}" }}'
`

const override = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: site
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packRef:
    name: regstry
  values:
    registry:
      mode: "Small"
`

func start(t *testing.T, encodings ...string) *client {
	t.Helper()
	c := launch(t, map[string]string{
		"platform/Kptfile":       "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\npipeline:\n  mutators:\n    - exec: resolve-macros\n",
		"platform/registry.yaml": schemaPack, "platform/site.yaml": override, "workflow.yaml": "on: push\n",
	})
	var result struct {
		Capabilities struct{ PositionEncoding string }
	}
	c.initialize(map[string]any{"capabilities": map[string]any{"general": map[string]any{"positionEncodings": encodings}}}, &result)
	if want := utf16Encoding; len(encodings) == 0 && result.Capabilities.PositionEncoding != want {
		t.Errorf("the encoding is %s", result.Capabilities.PositionEncoding)
	}
	return c
}

// launch starts a server for a workspace with files.
func launch(t *testing.T, files map[string]string) *client {
	t.Helper()
	return launchWith(t, files, func(string) (check.Options, error) { return check.Options{Functions: suite.All(), Rendered: true}, nil })
}

func launchWith(t *testing.T, files map[string]string, options func(folder string) (check.Options, error)) *client {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	c := &client{t: t, dir: dir, ended: make(chan error, 1), shown: map[string][]diagnostic{}, registered: make(chan int, 1)}
	c.server = New(Options{
		Functions: suite.All(), Check: options, Schemas: build.Schemas(), Version: "v1.2.3", RulePage: func(id string) string { return "https://example.com/" + id },
	})
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	go func() {
		c.ended <- c.server.Serve(fromClient, toClient)
		toClient.Close()
	}()
	c.channel, c.answers, c.selected = channel.LSP(fromServer, toServer), make(chan message, 1), make(chan selection, 1)
	go c.read()
	t.Cleanup(func() {
		c.hasLeft.Store(true)
		c.channel.Close()
	})
	return c
}

// initialize introduces the client, whose workspace is its folder.
func (c *client) initialize(params map[string]any, result any) {
	c.t.Helper()
	params["rootUri"] = uriOf(c.dir)
	c.introduce(params, result)
}

// introduce introduces the client with the workspace of the parameters.
func (c *client) introduce(params map[string]any, result any) {
	c.t.Helper()
	c.call("initialize", params, result)
	c.notify("initialized", map[string]any{})
}

func (c *client) read() {
	defer close(c.answers)
	for {
		text, err := c.channel.Recv()
		if err != nil {
			return
		}
		var m message
		var p publishDiagnostics
		m.Params = &p
		if err := json.Unmarshal(text, &m); err != nil {
			c.t.Errorf("%v: %s", err, text)
		}
		switch m.Method {
		case "":
			c.answers <- m
		case "client/registerCapability":
			c.registered <- m.ID
		case "window/showDocument":
			var selected struct{ Params selection }
			if err := json.Unmarshal(text, &selected); err != nil {
				c.t.Error(err)
			}
			c.selected <- selected.Params
		case "window/logMessage": // a package that cannot be read
			if !c.isBroken && !c.hasLeft.Load() {
				c.t.Errorf("the server sends %s", text)
			}
			c.mu.Lock()
			c.logged++
			c.mu.Unlock()
		case "textDocument/publishDiagnostics":
			c.mu.Lock()
			c.shown[pathOf(p.URI)] = p.Diagnostics
			c.mu.Unlock()
		default:
			c.t.Errorf("the server sends %s", text)
		}
	}
}

func (c *client) send(m message) {
	c.t.Helper()
	m.JSONRPC = "2.0"
	text, err := json.Marshal(m)
	if err == nil {
		err = c.channel.Send(text)
	}
	if err != nil {
		c.t.Fatalf("%s: %v", m.Method, err)
	}
}

// ask returns the answer to a request.
func (c *client) ask(method string, params any) message {
	c.t.Helper()
	c.calls++
	c.send(message{ID: c.calls, Method: method, Params: params})
	answer, ok := <-c.answers
	if !ok || answer.ID != c.calls {
		c.t.Fatalf("%s has the answer %+v", method, answer)
	}
	return answer
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	answer := c.ask(method, params)
	if answer.Error != nil {
		c.t.Fatalf("%s: %s", method, answer.Error.Message)
	}
	if err := json.Unmarshal(answer.Result, result); err != nil {
		c.t.Fatalf("%s: %v: %s", method, err, answer.Result)
	}
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	c.send(message{Method: method, Params: params})
}

func (c *client) uri(name string) string { return uriOf(filepath.Join(c.dir, name)) }

func (c *client) open(name, text string) {
	c.t.Helper()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "version": 1, "text": text}})
}

func (c *client) change(name string, version int, changes ...map[string]any) {
	c.t.Helper()
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "version": version}, "contentChanges": changes})
}

// diagnostics are those of all files, when nothing is left to be checked: `platform/a.yaml
// 2:4-2:9 error rule`.
func (c *client) diagnostics() []string {
	c.t.Helper()
	c.settle()
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := []string{}
	for path, all := range c.shown {
		name, _ := filepath.Rel(c.dir, path)
		for _, d := range all {
			r := d.Range
			lines = append(lines, fmt.Sprintf("%s %d:%d-%d:%d %d %s", filepath.ToSlash(name), r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, d.Severity, d.Code)+strings.Repeat(" deprecated", len(d.Tags)))
		}
	}
	slices.Sort(lines)
	return lines
}

// settle waits until nothing is left to be checked.
func (c *client) settle() {
	c.t.Helper()
	var actions []codeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(filepath.Join(c.workspace, "none"))}, "range": span{}}, &actions)
}

func (c *client) actions(name string, at span, only ...string) []codeAction {
	c.t.Helper()
	var actions []codeAction
	c.call("textDocument/codeAction", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "range": at, "context": map[string]any{"only": only}}, &actions)
	return actions
}

// applied returns a text with the edits of an action.
func (c *client) applied(name, text string, a codeAction) string {
	b := newBuffer(text, utf16Encoding)
	edits := a.Edit.Changes[c.uri(name)]
	for _, e := range slices.Backward(edits) {
		b = b.change(&e.Range, e.NewText)
	}
	return b.text
}

var whole = span{End: position{Line: 1000}}

// A client sees the findings of the workspace at their exact places, and those of its buffers
// after each change; what is mended goes.
func TestDiagnostics(t *testing.T) {
	c := start(t)
	want := []string{
		"platform/registry.yaml 12:12-12:17 1 values/format",
		"platform/site.yaml 8:4-8:8 1 input/invalid",
	}
	first := c.diagnostics()
	for _, line := range want {
		if !slices.Contains(first, line) {
			t.Errorf("no %s in\n%s", line, strings.Join(first, "\n"))
		}
	}
	c.open("platform/registry.yaml", schemaPack)
	c.change("platform/registry.yaml", 2, map[string]any{"range": span{position{12, 12}, position{12, 17}}, "text": "8080"})
	if got := c.diagnostics(); slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) {
		t.Errorf("after the port is mended:\n%s", strings.Join(got, "\n"))
	}
	c.change("platform/registry.yaml", 3, map[string]any{"text": "{{ not: yaml"})
	if got := c.diagnostics(); !strings.Contains(strings.Join(got, "\n"), "platform/registry.yaml 0:") {
		t.Errorf("a buffer that cannot be parsed:\n%s", strings.Join(got, "\n"))
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/registry.yaml")}})
	if diff := cmp.Diff(first, c.diagnostics()); diff != "" {
		t.Errorf("after the buffer is closed: -want +got:\n%s", diff)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.shown[filepath.Join(c.dir, "platform/registry.yaml")] {
		if d.Code == "values/format" && (d.CodeDescription.Href != "https://example.com/values/format" || d.Source != "packfn" || !strings.Contains(d.Message, "70000")) {
			t.Errorf("got %+v", d)
		}
	}
}

// Each fix is offered at its finding, and all together, as packfn fix writes them.
func TestCodeActions(t *testing.T) {
	c := start(t)
	c.open("platform/site.yaml", override)
	at := span{position{8, 12}, position{8, 12}}
	actions := c.actions("platform/site.yaml", at, kindFix)
	if len(actions) != 1 || actions[0].Title != "Write registry" || actions[0].Kind != kindFix || len(actions[0].Diagnostics) != 1 {
		t.Fatalf("got %+v", actions)
	}
	if got, want := c.applied("platform/site.yaml", override, actions[0]), strings.Replace(override, "regstry", "registry", 1); got != want {
		t.Errorf("the fix makes\n%s", got)
	}
	if actions := c.actions("platform/site.yaml", span{}, kindFix); len(actions) > 0 {
		t.Errorf("elsewhere: %+v", actions)
	}
	if actions := c.actions("platform/site.yaml", at, "refactor"); len(actions) > 0 {
		t.Errorf("of another kind: %+v", actions)
	}
	mended := strings.Replace(override, "regstry", "registry", 1)
	for _, end := range []string{"\n", "\r\n"} {
		text := strings.ReplaceAll(mended, "\n", end)
		c.change("platform/site.yaml", 2, map[string]any{"text": text})
		all := c.actions("platform/site.yaml", whole, "source")
		if len(all) != 1 || all[0].Kind != kindFixAll {
			t.Fatalf("got %+v", all)
		}
		if got, want := c.applied("platform/site.yaml", text, all[0]), strings.Replace(text, `"Small"`, `"small"`, 1); got != want {
			t.Errorf("with %q: -want +got:\n%s", end, cmp.Diff(want, got))
		}
	}
}

func TestHover(t *testing.T) {
	c := start(t)
	var h *hover
	c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/registry.yaml")}, "position": position{12, 14}}, &h)
	if h == nil || !strings.Contains(h.Contents.Value, "**values/format**") || h.Range == nil {
		t.Errorf("got %+v", h)
	}
	var none *hover
	c.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/registry.yaml")}, "position": position{0, 0}}, &none)
	if none != nil {
		t.Errorf("got %+v", none)
	}
}

// After any edits the diagnostics are those of the same bytes on disk.
func TestEditsEqualFiles(t *testing.T) {
	pieces := []string{"\n", "\r\n", "  ", "regstry", "mode: ", "😀", "ä", "\"", "'", "{{ .spectro.var.X }}", ": ", "#", "---\n", "port: x\n", "}", "&a", "\t", "\x00"}
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 1))
		encoding := []string{utf16Encoding, utf8Encoding}[seed%2]
		c := start(t, encoding)
		name := []string{"platform/site.yaml", "platform/registry.yaml"}[seed/2%2]
		b := newBuffer([]string{override, schemaPack}[seed/2%2], encoding)
		c.open(name, b.text)
		for n := range 6 {
			var changes []map[string]any
			for range 1 + random.IntN(3) {
				from := b.place(random.IntN(len(b.text) + 1))
				to := from
				if random.IntN(2) == 0 {
					to.Character += random.IntN(12)
				}
				part := span{from, to}
				if len(b.lines) > 2 && random.IntN(4) == 0 {
					part.End = position{from.Line + random.IntN(3), random.IntN(9)}
				}
				if isBefore(part.End, part.Start) {
					part.End = part.Start
				}
				text := pieces[random.IntN(len(pieces))]
				changes = append(changes, map[string]any{"range": part, "text": text})
				b = b.change(&part, text)
			}
			c.change(name, n+2, changes...)
		}
		got := c.diagnostics()
		c.server.mu.Lock()
		held := c.server.buffers[filepath.Join(c.dir, name)].text
		c.server.mu.Unlock()
		if held != b.text {
			t.Fatalf("seed %d: the server holds\n%q\nwant\n%q", seed, held, b.text)
		}
		if err := os.WriteFile(filepath.Join(c.dir, name), []byte(b.text), 0o600); err != nil {
			t.Fatal(err)
		}
		c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
		if diff := cmp.Diff(c.diagnostics(), got); diff != "" {
			t.Errorf("seed %d: -files +buffers:\n%s\n%q", seed, diff, b.text)
		}
	}
}

// The server ends with the client, and knows whether it was asked to.
func TestLifeCycle(t *testing.T) {
	c := start(t)
	var nothing any
	c.call("shutdown", nil, &nothing)
	c.notify("exit", nil)
	if err := <-c.ended; err != nil {
		t.Errorf("after a shutdown: %v", err)
	}
	c = start(t)
	c.channel.Close()
	if err := <-c.ended; !errors.Is(err, ErrNoShutdown) {
		t.Errorf("a client that leaves: %v", err)
	}
	c = start(t)
	if answer := c.ask("textDocument/rename", map[string]any{}); answer.Error == nil {
		t.Errorf("an unknown method has the answer %+v", answer)
	}
	if answer := c.ask("textDocument/hover", []int{1}); answer.Error == nil {
		t.Errorf("wrong parameters have the answer %+v", answer)
	}
	c.notify("textDocument/didChange", map[string]any{"textDocument": map[string]any{"uri": "untitled:1", "version": 1}})
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "untitled:1", "text": "a: b"}})
	c.notify("$/cancelRequest", map[string]any{"id": 1})
	if got := c.diagnostics(); len(got) == 0 {
		t.Error("the server has no findings any more")
	}
}

// A client names its workspace in the way of its version of the protocol. The newest way counts.
func TestWorkspaceFolders(t *testing.T) {
	const one, other = "one/registry.yaml 12:12-12:17 1 values/format", "other/registry.yaml 12:12-12:17 1 values/format"
	for _, tc := range []struct {
		name   string
		params func(c *client) map[string]any
		want   []string
	}{
		{"folders", func(c *client) map[string]any {
			return map[string]any{"workspaceFolders": []any{map[string]any{"uri": c.uri("one")}, map[string]any{"uri": c.uri("other")}}}
		}, []string{one, other}},
		{"folders and the older ways", func(c *client) map[string]any {
			return map[string]any{"workspaceFolders": []any{map[string]any{"uri": c.uri("one")}}, "rootUri": c.uri("other"), "rootPath": filepath.Join(c.dir, "other")}
		}, []string{one}},
		{"a URI and a path", func(c *client) map[string]any {
			return map[string]any{"rootUri": c.uri("one"), "rootPath": filepath.Join(c.dir, "other")}
		}, []string{one}},
		{"a path", func(c *client) map[string]any { return map[string]any{"rootPath": filepath.Join(c.dir, "other")} }, []string{other}},
		{"not a folder of files", func(c *client) map[string]any {
			return map[string]any{"workspaceFolders": []any{map[string]any{"uri": "git:/one"}, map[string]any{"uri": c.uri("other")}}}
		}, []string{other}},
		{"nothing", func(*client) map[string]any { return map[string]any{} }, []string{}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := launchWith(t, map[string]string{"one/registry.yaml": schemaPack, "other/registry.yaml": schemaPack}, func(string) (check.Options, error) {
				return check.Options{Functions: suite.All(), Only: []string{"values/format"}}, nil
			})
			c.introduce(tc.params(c), &struct{}{})
			if len(tc.want) > 0 {
				c.workspace, _, _ = strings.Cut(tc.want[0], "/")
			}
			if diff := cmp.Diff(tc.want, c.diagnostics()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for _, method := range requests { // in a file that may be outside
				params := map[string]any{"textDocument": map[string]any{"uri": c.uri("other/registry.yaml")}, "position": position{3, 3}}
				if answer := c.ask(method, params); answer.Error != nil {
					t.Errorf("%s: %s", method, answer.Error.Message)
				}
			}
		})
	}
}

func TestBuffer(t *testing.T) {
	const text = "a: 😀b\r\nä\rc\n"
	for _, tc := range []struct {
		encoding string
		at       position
		want     int
	}{
		{utf16Encoding, position{0, 3}, 3}, {utf16Encoding, position{0, 5}, 7}, {utf16Encoding, position{0, 4}, 3}, {utf8Encoding, position{0, 7}, 7}, {utf8Encoding, position{0, 5}, 3},
		{utf16Encoding, position{0, 99}, 8}, {utf16Encoding, position{1, 1}, 12}, {utf8Encoding, position{1, 2}, 12}, {utf16Encoding, position{2, 0}, 13},
		{utf16Encoding, position{3, 0}, 15}, {utf16Encoding, position{9, 9}, 15}, {utf16Encoding, position{-1, 0}, 0},
	} {
		b := newBuffer(text, tc.encoding)
		if got := b.offset(tc.at); got != tc.want {
			t.Errorf("%s %v: got %d, want %d", tc.encoding, tc.at, got, tc.want)
		}
	}
	// YAML has more ends of lines than editors.
	if got, want := newBuffer("a: \"x\u2028 y\"\nbc: 1\n", utf16Encoding).token(diag.Position{Line: 3, Column: 1}), (span{position{1, 0}, position{1, 2}}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	for line, want := range map[string]int{
		`plain: x`: 5, `plain`: 5, `"a: b" # c`: 6, `'it''s' x`: 7, `"a\"b", c`: 6, `a # b`: 1, `a, b]`: 1, `]`: 1, `"open`: 5, ``: 0, `http://x/#y  `: 11, `key:`: 3,
	} {
		if got := tokenLength(line); got != want {
			t.Errorf("%q: got %d, want %d", line, got, want)
		}
	}
	for _, tc := range [][3]string{{"aäb", "aöb", "ö"}, {"a\r\nb", "a\nb", "\n"}, {"abc", "abc", ""}, {"aa", "aaa", "a"}, {"x😀y", "x😁y", "😁"}} {
		b := newBuffer(tc[0], utf16Encoding)
		edit := b.replace(0, len(b.text), tc[1])
		if got := b.change(&edit.Range, edit.NewText).text; got != tc[1] || edit.NewText != tc[2] {
			t.Errorf("%q to %q: got %+v, which makes %q", tc[0], tc[1], edit, got)
		}
	}
	if got := pathOf(uriOf("/a b/ü#?.yaml")); got != "/a b/ü#?.yaml" {
		t.Errorf("got %s", got)
	}
	if pathOf("untitled:1") != "" {
		t.Error("a buffer without a file has a path")
	}
}
