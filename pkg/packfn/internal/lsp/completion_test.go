package lsp

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/values"
)

var requests = []string{"textDocument/completion", "textDocument/hover", "textDocument/definition", "textDocument/references"}

// In any text every request has an answer at any place: completions change one line at the
// place, and no answer has a secret.
func TestAnyPlace(t *testing.T) {
	const secret = "hunter2"
	dirs, err := filepath.Glob("../../../../examples/*-failing")
	if err != nil || len(dirs) == 0 {
		t.Fatal("no examples", err)
	}
	pieces := []string{"\n", "\r\n  ", "  ", "{{ .spectro.", "mode: ", "😀", "\"", "'", ": ", "#", "---\n", "- ", "{", "]", "|\n", "password: " + secret, "token: 8672309", "\t"}
	random := rand.New(rand.NewPCG(3, 7))
	for _, dir := range dirs {
		files := map[string]string{}
		for _, name := range readDir(t, dir) {
			files["p/"+name] = read(t, filepath.Join(dir, name))
		}
		files["p/secret.yaml"] = strings.ReplaceAll(schemaPack, "mode: fast", "password: "+secret)
		c := launch(t, files)
		c.isBroken = true
		var result json.RawMessage
		c.initialize(map[string]any{}, &result)
		for n, name := range slices.Sorted(maps.Keys(files)) {
			b := newBuffer(files[name], utf16Encoding)
			c.open(name, b.text)
			for range 4 {
				at := random.IntN(len(b.text) + 1)
				of := span{b.place(at), b.place(at)}
				text := pieces[random.IntN(len(pieces))]
				c.change(name, n, map[string]any{"range": of, "text": text})
				b = b.change(&of, text)
				at = b.offset(of.Start) + random.IntN(len(text)+1)
				for _, method := range requests {
					place := b.place(b.offset(b.place(at))) // not in the end of a line
					answer := c.ask(method, map[string]any{"textDocument": map[string]any{"uri": c.uri(name)}, "position": place})
					if answer.Error != nil || strings.Contains(string(answer.Result), secret) || strings.Contains(string(answer.Result), "8672309") {
						t.Fatalf("%s at %v of %s\n%s\nhas the answer %s %v", method, place, name, b.text, answer.Result, answer.Error)
					}
					if method == "textDocument/completion" {
						checkCompletions(t, b, place, answer.Result)
					}
				}
			}
		}
	}
}

func checkCompletions(t *testing.T, b *buffer, at position, answer json.RawMessage) {
	t.Helper()
	var list completionList
	if err := json.Unmarshal(answer, &list); err != nil {
		t.Fatal(err)
	}
	for _, item := range list.Items {
		if of := item.TextEdit.Range; of.Start.Line != at.Line || of.End.Line != at.Line || isBefore(at, of.Start) || isBefore(of.End, at) || strings.ContainsAny(item.TextEdit.NewText, "\r\n") {
			t.Fatalf("%q changes %v of %q, not the line at %v, in\n%s", item.Label, of, b.line(at.Line), at, b.text)
		}
	}
}

func readDir(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.Type().IsRegular() {
			names = append(names, entry.Name())
		}
	}
	return names
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Completion and hover wait for the first run, and for no other.
func TestNoWait(t *testing.T) {
	c := launch(t, map[string]string{"platform/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: platform\n", "platform/registry.yaml": schemaPack, "platform/site.yaml": override})
	c.isBroken = true // the folder is removed while the run waits
	var isHeld atomic.Bool
	held := make(chan bool)
	c.server.options.Check = func(string) (check.Options, error) {
		if isHeld.Load() {
			<-held
		}
		return check.Options{Functions: suite.All()}, nil
	}
	defer close(held)
	var result json.RawMessage
	c.initialize(map[string]any{}, &result)
	c.settle()
	isHeld.Store(true)
	c.open("platform/site.yaml", strings.Replace(override, "regstry", "registry", 1))
	params := map[string]any{"textDocument": map[string]any{"uri": c.uri("platform/site.yaml")}, "position": position{11, 8}}
	for _, method := range requests { // while the run waits
		if answer := c.ask(method, params); answer.Error != nil || len(answer.Result) < len(`{}xxxxx`) {
			t.Errorf("%s has the answer %s %v", method, answer.Result, answer.Error)
		}
	} // What is known of the older text is at its places.
	params["position"] = position{8, 12}
	if answer := c.ask("textDocument/hover", params); strings.Contains(string(answer.Result), "input/invalid") {
		t.Errorf("a finding of the older text is shown: %s", answer.Result)
	}
}

// An answer with as many completions as it may have says that there are more.
func TestManyCompletions(t *testing.T) {
	pack := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: web}\nspec:\n  values:\n"
	for i := range maxCompletions + 1 {
		pack += fmt.Sprintf("    key%d: 1\n", i)
	}
	c := launch(t, map[string]string{"web.yaml": pack})
	c.initialize(map[string]any{}, &struct{}{})
	var list completionList
	c.open("site.yaml", "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nspec:\n  packRef: {name: web}\n  values:\n    ")
	c.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": c.uri("site.yaml")}, "position": position{5, 4}}, &list)
	if len(list.Items) != maxCompletions || !list.IsIncomplete {
		t.Errorf("got %d, %t", len(list.Items), list.IsIncomplete)
	}
}

func TestReaders(t *testing.T) {
	read := func(keys ...string) *facts.Tree {
		t := &facts.Tree{Keys: map[string]*facts.Tree{}}
		for _, key := range keys {
			t.Keys[key] = &facts.Tree{}
		}
		return t
	}
	whole := read("all", facts.Any)
	whole.Keys["all"].Whole = true
	p := &facts.Pack{
		Charts: map[string]*facts.Chart{"web": {
			Name: "nginx", Version: "1.2.0", Reads: whole,
			Subcharts: map[string]*facts.Chart{"db": {Reads: read("port")}},
		}},
		Manifests: map[string]*facts.Tree{"vip": read("address")},
	}
	for path, want := range map[string]string{
		"charts.web.all.a.b": "the chart nginx 1.2.0", "charts.web.x": "the chart nginx 1.2.0", "charts.web.x.y": "", "charts.web.db.port": "the chart db", "charts.web.db.host": "", "charts.web.db": "the chart nginx 1.2.0",
		"manifests.vip.address": "the manifest vip", "manifests.vip.port": "", "charts.other.x": "", "other.web.all": "", "charts.web": "",
	} {
		if got := strings.Join(readersOf(p, values.Keys(strings.Split(path, ".")...)), ", "); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}
