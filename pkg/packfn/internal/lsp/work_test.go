package lsp

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
)

func (c *client) write(name, text string) {
	c.t.Helper()
	if err := os.WriteFile(filepath.Join(c.dir, name), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// A change in a file outside of packages checks these files alone, and the findings of packages
// stay.
func TestLooseFiles(t *testing.T) {
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\n"
	c := launch(t, map[string]string{
		"platform/Kptfile": kptfile, "platform/registry.yaml": schemaPack, "clean/Kptfile": strings.ReplaceAll(kptfile, "platform", "clean"),
		"loose.yaml": strings.ReplaceAll(schemaPack, "registry", "other"),
	})
	c.initialize(map[string]any{}, &struct{}{})
	const loose, packaged = "loose.yaml 12:12-12:17 1 values/format", "platform/registry.yaml 12:12-12:17 1 values/format"
	if got := c.diagnostics(); !slices.Contains(got, loose) || !slices.Contains(got, packaged) {
		t.Fatalf("at first:\n%s", strings.Join(got, "\n"))
	}
	mended := strings.ReplaceAll(strings.ReplaceAll(schemaPack, "registry", "other"), "70000", "8080")
	c.write("platform/registry.yaml", strings.ReplaceAll(schemaPack, "70000", "8080")) // which nobody tells
	c.open("loose.yaml", mended)
	if got := c.diagnostics(); slices.Contains(got, loose) || !slices.Contains(got, packaged) {
		t.Errorf("after the loose file is mended:\n%s", strings.Join(got, "\n"))
	}
	if got := c.actions("clean/Kptfile", whole); len(got) > 0 {
		t.Errorf("a package without findings has the actions %+v", got)
	}
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/registry.yaml")}})
	if got := c.diagnostics(); slices.Contains(got, packaged) {
		t.Errorf("after the package is mended:\n%s", strings.Join(got, "\n"))
	}
}

// What kpt rejects is shown, and goes when it is mended.
func TestFailure(t *testing.T) {
	c := start(t)
	c.isBroken = true
	c.diagnostics()
	const broken = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\npipeline: {mutators: 3}\n"
	c.open("platform/Kptfile", broken)
	const rejected = "platform/Kptfile 4:0-4:8 1 input/invalid"
	if got := c.diagnostics(); !slices.Contains(got, rejected) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
	if got := c.actions("platform/Kptfile", whole); len(got) > 0 {
		t.Errorf("got the actions %+v", got)
	}
	c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/Kptfile")}})
	if got := c.diagnostics(); slices.Contains(got, rejected) || len(got) < 2 {
		t.Errorf("after the buffer is closed:\n%s", strings.Join(got, "\n"))
	}
}

// A client that can is asked to tell of files that others change: what they belong to is checked
// again.
func TestWatchedFiles(t *testing.T) {
	c := launch(t, map[string]string{"platform/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\n", "platform/registry.yaml": schemaPack})
	c.initialize(map[string]any{"capabilities": map[string]any{"workspace": map[string]any{"didChangeWatchedFiles": map[string]any{"dynamicRegistration": true}}}}, &struct{}{})
	c.send(message{ID: <-c.registered, Result: []byte("null")})
	const finding = "platform/registry.yaml 12:12-12:17 1 values/format"
	if got := c.diagnostics(); !slices.Contains(got, finding) {
		t.Fatalf("at first:\n%s", strings.Join(got, "\n"))
	}
	c.write("platform/registry.yaml", strings.ReplaceAll(schemaPack, "70000", "8080"))
	c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri("platform/registry.yaml"), "type": 2}}})
	if got := c.diagnostics(); slices.Contains(got, finding) {
		t.Errorf("after the change:\n%s", strings.Join(got, "\n"))
	}
}

// A change of the configuration checks all files again.
func TestConfiguration(t *testing.T) {
	var rules atomic.Pointer[[]string]
	rules.Store(&[]string{"values/format"})
	c := launchWith(t, map[string]string{"registry.yaml": schemaPack}, func(string) (check.Options, error) {
		return check.Options{Functions: suite.All(), Only: *rules.Load()}, nil
	})
	c.initialize(map[string]any{}, &struct{}{})
	if got := c.diagnostics(); len(got) != 1 {
		t.Fatalf("at first:\n%s", strings.Join(got, "\n"))
	}
	rules.Store(&[]string{"values/required"})
	c.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": c.uri("packfn.yaml")}})
	if got := c.diagnostics(); len(got) != 0 {
		t.Errorf("after the change:\n%s", strings.Join(got, "\n"))
	}
}

// A request that waits for a run ends when it is cancelled.
func TestCancel(t *testing.T) {
	for _, method := range []string{"hover", "codeAction", "completion", "definition", "references", "inlayHint"} {
		t.Run(method, func(t *testing.T) {
			entered, leave := make(chan bool), make(chan bool)
			c := launchWith(t, map[string]string{"registry.yaml": schemaPack}, func(string) (check.Options, error) {
				entered <- true
				<-leave
				return check.Options{Functions: suite.All()}, nil
			})
			c.initialize(map[string]any{"initializationOptions": map[string]any{"inlayHints": map[string]any{"default": true}}}, &struct{}{})
			<-entered
			c.calls++
			c.send(message{ID: c.calls, Method: "textDocument/" + method, Params: map[string]any{"textDocument": map[string]any{"uri": c.uri("registry.yaml")}, "position": position{}}})
			c.notify("$/cancelRequest", map[string]any{"id": c.calls})
			if answer := <-c.answers; answer.ID != c.calls || answer.Error == nil || answer.Error.Code != int(errCancelled.Code) {
				t.Errorf("got %+v", answer)
			}
			leave <- true
			c.channel.Close()
			<-c.ended // it reads the files until then
		})
	}
}
