package packfn

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/tests/editor"
)

// wrongPort is a pack with one finding.
const wrongPort = `apiVersion: v1
kind: ConfigMap
metadata:
  name: registry
data:
  pack.json: '{"name": "registry", "version": "1.0.0", "layer": "addon"}'
  values.yaml: 'port: 70000'
  schema.yaml: |
    port: {schema: '{{ format "${number:[1-65535]}" }}'}
`

// The configuration of a workspace counts, and not that of the folder in which the editor was
// started.
func TestWorkspaceConfiguration(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "registry.yaml"), wrongPort)
	const configuration = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackfnConfig
severity:
  values/format: `
	write(t, filepath.Join(dir, "packfn.yaml"), configuration+"warning\n")
	write(t, filepath.Join(elsewhere, "packfn.yaml"), configuration+"off\n")
	c := serveEditor(t, dir, elsewhere)
	if err := c.Open("registry.yaml", wrongPort); err != nil {
		t.Fatal(err)
	}
	got := c.Diagnostics["registry.yaml"]
	if len(got) != 1 || got[0].Severity != 2 {
		t.Errorf("got %+v", got)
	}
}

// What was not checked is an information: at its line, at the resource, or at the file of its unit.
func TestEditorShowsWhatIsSkipped(t *testing.T) {
	dir := t.TempDir()
	const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
`
	requesting := strings.Replace(wrongPort, `"layer": "addon"`, `"layer": "addon", "constraints": {"resources": [{"type": "cpu", "minLimit": 500}]}`, 1)
	write(t, filepath.Join(dir, "p/Kptfile"), kptfile)
	left := filepath.Join(dir, "left") // by a program that an editor must not run
	write(t, filepath.Join(dir, "packfn.yaml"), `apiVersion: packs.kpt.dev/v1alpha1
kind: PackfnConfig
functions: {set-namespace: touch `+left+"}\n")
	write(t, filepath.Join(dir, "p/cluster.yaml"), fmt.Sprintf(clusterContext, "p"))
	write(t, filepath.Join(dir, "a/registry.yaml"), requesting)
	c := serveEditor(t, dir, dir)
	if err := errors.Join(c.Open("p/Kptfile", kptfile), c.Open("a/registry.yaml", requesting)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the program runs: %v", err)
	}
	var got []string
	for _, name := range slices.Sorted(maps.Keys(c.Diagnostics)) {
		for _, d := range c.Diagnostics[name] {
			if strings.HasPrefix(d.Code, "skipped/") {
				got = append(got, fmt.Sprintf("%s:%d severity %d %s: %.40s", name, d.Range.Start.Line+1, d.Severity, d.Code, d.Message))
			}
		}
	}
	want := []string{
		"a/registry.yaml:1 severity 3 skipped/facts: not checked: no ClusterContext is among ",
		"p/Kptfile:6 severity 3 skipped/function: not checked: pipeline.mutators[0]: set-n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Charts are rendered when a file is saved, if the configuration says so. What that finds stays
// while the user types.
func TestTemplatesAtSave(t *testing.T) {
	dir := repositoryWithConfig(t, `sources: [packs]
checks:
  template: true
`)
	const name = "packs/web-1.0.0/values.yaml"
	write(t, filepath.Join(dir, "packs/web-1.0.0/charts/c/templates/b.yaml"), `# {{ required "set a" .Values.a }}`)
	before := tree(t, dir)[name]
	c := serveEditor(t, dir, dir)
	fails := func() (has bool) {
		for _, all := range c.Diagnostics {
			has = has || slices.ContainsFunc(all, func(d editor.Diagnostic) bool { return d.Code == "values/chart-fails" })
		}
		return has
	}
	if err := c.Open(name, before); err != nil || fails() {
		t.Errorf("after the file is opened: %+v, %v", c.Diagnostics, err)
	}
	if err := errors.Join(c.Save(name), c.Until(fails)); err != nil {
		t.Fatal(err)
	}
	mended := before + "    a: 1\n"
	if err := c.Change(name, mended); err != nil || !fails() {
		t.Errorf("while it is changed: %+v, %v", c.Diagnostics, err)
	}
	write(t, filepath.Join(dir, name), mended)
	if err := errors.Join(c.Save(name), c.Until(func() bool { return !fails() })); err != nil {
		t.Error(err)
	}
}

// While a chart is rendered, which may take long, other files are checked, and the server ends with
// the client.
func TestRenderingHoldsNothing(t *testing.T) {
	dir := repositoryWithConfig(t, `sources: [packs]
checks:
  template: true
`)
	started := filepath.Join(t.TempDir(), "started")
	write(t, filepath.Join(dir, "new/registry.yaml"), wrongPort)
	p := suiteProgram()
	p.Self = []string{"/bin/sh", "-c", "echo > " + started + "; exec sleep 3600"}
	c := serveLSP(t, p)
	if err := errors.Join(c.Initialize(dir), c.Save("packs/web-1.0.0/values.yaml")); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(started); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	isShown := func() bool {
		return slices.ContainsFunc(c.Diagnostics["new/registry.yaml"], func(d editor.Diagnostic) bool { return strings.Contains(d.Message, "80000") })
	}
	if err := errors.Join(c.Open("new/registry.yaml", strings.ReplaceAll(wrongPort, "70000", "80000")), c.Until(isShown)); err != nil {
		t.Error(err)
	}
}

// A buffer that is too large is not checked, and says so. It counts again when it is smaller.
func TestLargeBuffer(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.yaml"), wrongPort)
	c := serveEditor(t, dir, dir)
	large := wrongPort + strings.Repeat("#\n", 2<<20)
	err := c.Open("a.yaml", large)
	want := []editor.Diagnostic{{Severity: 2, Message: fmt.Sprintf("the buffer has %d bytes; packfn lsp reads buffers of at most 4194304: split the file, or run packfn check", len(large))}}
	if got := c.Diagnostics["a.yaml"]; err != nil || !cmp.Equal(want, got) {
		t.Errorf("got %+v, %v", got, err)
	}
	var symbols []any
	if err := c.At("textDocument/documentSymbol", "a.yaml", 0, 0, &symbols); err != nil || len(symbols) > 0 {
		t.Errorf("got %v, %v", symbols, err)
	}
	isChecked := func() bool {
		return slices.ContainsFunc(c.Diagnostics["a.yaml"], func(d editor.Diagnostic) bool { return d.Code == "values/format" })
	}
	if err := errors.Join(c.Change("a.yaml", wrongPort), c.Until(isChecked)); err != nil {
		t.Errorf("after the text is deleted: %v", err)
	}
}

// An answer with as many completions as it may have says that there are more.
func TestManyCompletions(t *testing.T) {
	dir := t.TempDir()
	pack := `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata: {name: web}
spec:
  values:
`
	for i := range 501 {
		pack += fmt.Sprintf("    key%d: 1\n", i)
	}
	write(t, filepath.Join(dir, "web.yaml"), pack)
	c := serveEditor(t, dir, dir)
	var list struct {
		IsIncomplete bool
		Items        []any
	}
	err := c.Open("site.yaml", `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
spec:
  packRef: {name: web}
  values:
    `)
	if err := errors.Join(err, c.At("textDocument/completion", "site.yaml", 5, 4, &list)); err != nil || len(list.Items) != 500 || !list.IsIncomplete {
		t.Errorf("got %d, %t, %v", len(list.Items), list.IsIncomplete, err)
	}
}

// Whatever edits make of the files of an example, all requests have an answer, which has no secret;
// completions change the line that they are asked for, names of symbols are in their ranges; and the
// findings are those of the same bytes on disk.
func TestAnyBuffer(t *testing.T) {
	const secret, token = "hunter2", "8672309"
	pieces := []string{
		"\n", "\r\n  ", "  ", "{{ .spectro.", "mode: ", "😀", "\"", "'", ": ", "#", "---\n", "- ", "{", "}", "]", "|\n", "\npassword: " + secret, "\ntoken: " + token, "\t",
		"&a ", "*a", "<<: *a\n", "? ", "\x00", "!!map ", "presets.yaml: |\n", "\ufeff",
	}
	dirs, err := filepath.Glob(filepath.Join(root, "examples/*-failing"))
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	random := rand.New(rand.NewPCG(3, 7))
	for n, dir := range dirs {
		files := tree(t, dir)
		maps.DeleteFunc(files, func(name, _ string) bool { return strings.Contains(name, "/") })
		s := newSession(t, files)
		s.start([]string{`{"initializationOptions": {"inlayHints": {"default": true, "effective": true}}}`, `{"capabilities": {"general": {"positionEncodings": ["utf-8"]}}}`}[n%2])
		for _, name := range slices.Sorted(maps.Keys(s.files)) {
			s.open(name, s.files[name])
			for range 4 {
				b := s.buffers[name]
				at := random.IntN(len(b.text) + 1)
				from, to := b.place(at), b.place(min(len(b.text), at+random.IntN(2)*random.IntN(30)))
				s.replace(name, textEdit{editor.Span{Start: from, End: to}, pieces[random.IntN(len(pieces))]})
				place := s.buffers[name].place(s.buffers[name].offset(from))
				for _, method := range aboutFiles {
					params := s.document(name, nil)
					params["position"], params["range"] = place, editor.Span{Start: place, End: s.buffers[name].place(len(s.buffers[name].text))}
					var answer json.RawMessage
					if err := s.Call("textDocument/"+method, params, &answer); err != nil || strings.Contains(string(answer), secret) || strings.Contains(string(answer), token) {
						t.Fatalf("%s at %v of %s\n%q\nhas the answer %s %v", method, place, name, s.buffers[name].text, answer, err)
					}
					checkAnswer(t, method, answer, place)
				}
			}
		}
		got := s.diagnostics()
		for name, b := range s.buffers {
			write(t, filepath.Join(s.dir, name), b.text)
			s.do("close", name)
		}
		if diff := cmp.Diff(s.diagnostics(), got); diff != "" {
			t.Errorf("%s: -files +buffers:\n%s", dir, diff)
		}
	}
}

// checkAnswer checks the completions at a place, and symbols.
func checkAnswer(t *testing.T, method string, text json.RawMessage, at editor.Position) {
	t.Helper()
	isBefore := func(a, b editor.Position) bool {
		return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
	}
	switch method {
	case "completion":
		var list struct{ Items []answer }
		if err := json.Unmarshal(text, &list); err != nil {
			t.Fatal(err)
		}
		for _, item := range list.Items {
			if of := item.TextEdit.Range; of.Start.Line != at.Line || of.End.Line != at.Line || isBefore(at, of.Start) || isBefore(of.End, at) || strings.ContainsAny(item.TextEdit.NewText, "\r\n") {
				t.Errorf("%q changes %v, not the line at %v", item.Label, of, at)
			}
		}
	case "documentSymbol":
		var all []symbol
		if err := json.Unmarshal(text, &all); err != nil {
			t.Fatal(err)
		}
		for _, of := range all {
			if isBefore(of.SelectionRange.Start, of.Range.Start) || isBefore(of.Range.End, of.SelectionRange.End) {
				t.Errorf("the name of %s is not in its range", of.Name)
			}
			children, _ := json.Marshal(of.Children)
			checkAnswer(t, method, children, at)
		}
	}
}

// serveEditor starts packfn lsp in a folder, for a workspace. It ends with the test.
func serveEditor(t *testing.T, workspace, in string) *editor.Client {
	t.Helper()
	t.Chdir(in)
	c := serveLSP(t, suiteProgram())
	if err := c.Initialize(workspace); err != nil {
		t.Fatal(err)
	}
	return c
}

// serveLSP starts packfn lsp in this process. It ends with the test.
func serveLSP(t *testing.T, p cli.Program) *editor.Client {
	t.Helper()
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	var stderr bytes.Buffer
	ended := make(chan int, 1)
	go func() { ended <- cli.Main(p, []string{"lsp"}, fromClient, toClient, &stderr) }()
	c := editor.New(fromServer, toServer)
	t.Cleanup(func() {
		if err := c.Leave(); err != nil {
			t.Error(err)
		}
		if exit := <-ended; exit != 0 || stderr.Len() > 0 {
			t.Errorf("packfn lsp ends with %d:\n%s", exit, &stderr)
		}
		toClient.Close()
	})
	return c
}
