package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// aboutFiles are the requests about a file.
var aboutFiles = []string{"documentSymbol", "foldingRange", "documentLink", "inlayHint", "codeAction", "hover", "completion", "definition", "references"}

// answers are those to all requests about a file by its URI, without those that are empty.
func (c *client) answersAbout(uri string, at position) string {
	c.t.Helper()
	var all []string
	for _, method := range aboutFiles {
		answer := c.ask("textDocument/"+method, map[string]any{"textDocument": map[string]any{"uri": uri}, "position": at, "range": whole})
		if answer.Error != nil {
			c.t.Errorf("%s about %s: %s", method, uri, answer.Error.Message)
		}
		if text := string(answer.Result); !slices.Contains([]string{"[]", "null", `{"isIncomplete":false,"items":[]}`}, text) {
			all = append(all, method+" "+text)
		}
	}
	return strings.Join(all, "\n")
}

// Requests about what is no file have an answer, also if the workspace is the root of the file
// system, whose files are not searched.
func TestRoot(t *testing.T) {
	for _, folder := range []string{"file:///", "file:", "file:x", "x", "", "/"} {
		c := launchWith(t, map[string]string{"registry.yaml": schemaPack}, func(folder string) (check.Options, error) {
			if folder == "/" {
				return check.Options{}, errors.New("the root is checked")
			}
			return check.Options{Functions: suite.All()}, nil
		})
		params := map[string]any{"workspaceFolders": []any{map[string]any{"uri": folder}}, "initializationOptions": map[string]any{"inlayHints": map[string]any{"default": true}}}
		if folder == "/" {
			params["workspaceFolders"], params["rootPath"] = nil, folder
		}
		c.introduce(params, &struct{}{})
		for _, uri := range []string{"file:///", "file:", "file:x", "file://", "file:/", "file:///..", "", "x", "untitled:1"} {
			c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "version": 1, "text": "a: b\n"}})
			c.answersAbout(uri, position{0, 1})
			c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uri}})
			c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
			if got := c.answersAbout(uri, position{0, 1}); got != "" {
				t.Errorf("%q in the workspace %q: %s", uri, folder, got)
			}
		}
	}
}

// Only files of the workspace and open ones are read, by whatever name.
func TestOutside(t *testing.T) {
	const secret = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: secret\ndata:\n  pack.json: '{\"name\": \"secret\", \"version\": \"1.0.0\"}'\n  values.yaml: 'a: b'\n"
	c := launch(t, map[string]string{
		"in/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: in\n", "in/registry.yaml": schemaPack,
		"out/secret.yaml": secret, "out/open.yaml": override, "package/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: package\n", "package/registry.yaml": schemaPack, "package/site.yaml": override,
	})
	c.isBroken = true
	c.workspace = "in"
	if err := errors.Join(os.Symlink("../out/secret.yaml", filepath.Join(c.dir, "in/link.yaml")), os.Symlink("../out", filepath.Join(c.dir, "in/dir"))); err != nil {
		t.Fatal(err)
	}
	c.introduce(map[string]any{"rootUri": c.uri("in"), "initializationOptions": map[string]any{"inlayHints": map[string]any{"default": true}}}, &struct{}{})
	at := position{3, 10}
	if got := c.answersAbout(c.uri("in/registry.yaml"), at); !strings.Contains(got, "documentSymbol") || !strings.Contains(got, "foldingRange") {
		t.Errorf("of the workspace:\n%s", got)
	}
	outside := []string{"out/secret.yaml", "in/link.yaml", "in/dir/secret.yaml", "in/../out/secret.yaml", "package/registry.yaml"}
	for _, name := range outside {
		c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
		if got := c.answersAbout("file://"+c.dir+"/"+name, at); got != "" {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if got := c.answersAbout("file:///etc/passwd", at); got != "" {
		t.Errorf("got %s", got)
	}
	for _, line := range c.diagnostics() {
		if !strings.HasPrefix(line, "in/registry.yaml ") {
			t.Errorf("got %s", line)
		}
	}
	// An open file is read, and with it the package that it is in, not the folder.
	c.open("out/open.yaml", override)
	if got := c.answersAbout(c.uri("out/open.yaml"), position{8, 10}); !strings.Contains(got, "documentSymbol") || strings.Contains(got, "secret") {
		t.Errorf("an open file outside:\n%s", got)
	}
	c.open("package/site.yaml", override)
	if got := c.answersAbout(c.uri("package/site.yaml"), position{8, 10}); !strings.Contains(got, `"label":"registry"`) {
		t.Errorf("an open file of a package outside:\n%s", got)
	}
	if got := c.answersAbout(c.uri("package/registry.yaml"), at); !strings.Contains(got, "documentSymbol") {
		t.Errorf("a file beside it:\n%s", got)
	}
	opened := c.diagnostics()
	for _, want := range []string{"package/registry.yaml 12:12-12:17 1 values/format", "package/site.yaml 8:10-8:17 1 input/invalid"} {
		if !slices.Contains(opened, want) {
			t.Errorf("no %s in\n%s", want, strings.Join(opened, "\n"))
		}
	}
	for _, name := range []string{"out/open.yaml", "package/site.yaml"} {
		c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}})
	}
	for _, line := range c.diagnostics() {
		if !strings.HasPrefix(line, "in/registry.yaml ") {
			t.Errorf("after the files are closed: %s", line)
		}
	}
}

// A buffer that is too large is not checked, and says so. It counts again when it is smaller.
func TestLargeBuffer(t *testing.T) {
	c := start(t)
	large := schemaPack + strings.Repeat("#\n", maxBuffer/2)
	c.open("platform/registry.yaml", large)
	if got := c.diagnostics(); !slices.Contains(got, "platform/registry.yaml 0:0-0:0 2 ") || slices.ContainsFunc(got, func(line string) bool { return strings.HasSuffix(line, "values/format") }) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	c.mu.Lock()
	shown := c.shown[filepath.Join(c.dir, "platform/registry.yaml")]
	c.mu.Unlock()
	if want := fmt.Sprintf("the buffer has %d bytes; packfn lsp reads buffers of at most 4194304: split the file, or run packfn check", len(large)); len(shown) != 1 || shown[0].Message != want {
		t.Errorf("got %+v, want %s", shown, want)
	}
	if got := c.answersAbout(c.uri("platform/registry.yaml"), position{3, 10}); got != "" {
		t.Errorf("got %s", got)
	}
	lines := strings.Count(schemaPack, "\n")
	c.change("platform/registry.yaml", 2, map[string]any{"range": span{position{lines, 0}, position{lines + maxBuffer, 0}}, "text": ""})
	if got := c.diagnostics(); !slices.Contains(got, "platform/registry.yaml 12:12-12:17 1 values/format") || slices.Contains(got, "platform/registry.yaml 0:0-0:0 2 ") {
		t.Errorf("after the text is deleted:\n%s", strings.Join(got, "\n"))
	}
}

// While a chart is rendered, which may take long, other files are checked, and the server ends with
// the client.
func TestRenderingHoldsNothing(t *testing.T) {
	started := filepath.Join(t.TempDir(), "started")
	c := launchWith(t, map[string]string{
		"web/pack.json": `{"name": "web", "version": "1.0.0", "layer": "addon", "charts": ["charts/web"]}`, "web/values.yaml": "charts:\n  web:\n    a: 1\n", "web/schema.yaml": "",
		"web/charts/web/Chart.yaml": "apiVersion: v2\nname: web\nversion: 1.0.0\n", "web/charts/web/values.yaml": "a: 1\n", "web/charts/web/templates/a.yaml": "a: {{ .Values.a }}\n",
		"registry.yaml": schemaPack,
	}, func(string) (check.Options, error) {
		return check.Options{Functions: suite.All(), Template: &deploy.Deployer{
			Charts: &chart.Run{}, Renderer: &helm.Renderer{Program: []string{"/bin/sh", "-c", "echo > " + started + "; exec sleep 3600"}, Timeout: time.Hour},
		}}, nil
	})
	c.initialize(map[string]any{}, &struct{}{})
	c.diagnostics()
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("web/values.yaml")}})
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	c.open("registry.yaml", strings.ReplaceAll(schemaPack, "70000", "800000"))
	if got := c.diagnostics(); !slices.Contains(got, "registry.yaml 12:12-12:18 1 values/format") {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	var nothing json.RawMessage
	c.call("shutdown", nil, &nothing)
	c.notify("exit", nil)
	if err := <-c.ended; err != nil {
		t.Errorf("got %v", err)
	}
}
