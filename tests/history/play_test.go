package history

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
	"github.com/krm-packs/functions/pkg/values"
)

// client is what a package is made, rendered and upgraded with.
type client struct {
	begin func(p *player, dir string)
	// render renders the package in a folder, and returns the messages of its functions.
	render func(t tester, dir string) []string
	// upgrade upgrades a package from a version to the next one, by their indexes.
	upgrade func(p *player, dir string, from, to int)
}

// run runs packfn in this process.
func run(stdin string, args ...string) (exit int, stdout, stderr string) {
	var out, errors strings.Builder
	exit = cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(stdin), &out, &errors)
	return exit, out.String(), errors.String()
}

// byPackfn renders by packfn render.
func byPackfn(t tester, dir string) []string {
	t.Helper()
	exit, stdout, stderr := run("", "render", dir, "--format", "json")
	var report struct {
		Findings []struct{ Rule, Severity, Message string }
	}
	if err := json.Unmarshal([]byte(stdout), &report); err != nil || exit != 0 {
		_, stdout, _ = run("", "render", dir)
		t.Fatalf("packfn render: exit code %d, %v\n%s%s\n%s", exit, err, stdout, stderr, texts(readFiles(t, dir)))
	}
	var all []string
	for _, f := range report.Findings {
		all = append(all, fmt.Sprintf("%s %s: %s", f.Severity, f.Rule, f.Message))
	}
	return all
}

var lineNumber = regexp.MustCompile(` line \d+`)

// steady are the messages of a render that the next one has, too. The numbers of lines are those
// of the text that a render gets, and the client may fold it in another way.
func steady(messages []string) []string {
	var all []string
	for _, m := range messages {
		if !strings.Contains(m, "preset/reapplied") && !strings.Contains(m, "macro/unrecorded") {
			all = append(all, lineNumber.ReplaceAllString(m, ""))
		}
	}
	return all
}

// player plays a history with two packages: one that is rendered after each event, and one
// that never is.
type player struct {
	tester
	client
	history  *history
	rendered string
	declared string
	work     string
}

func play(t tester, work string, h history, c client) {
	t.Helper()
	work, err := os.MkdirTemp(work, "")
	if err != nil {
		t.Fatal(err)
	}
	p := &player{tester: t, client: c, history: &h, work: work, rendered: filepath.Join(work, "rendered"), declared: filepath.Join(work, "declared")}
	for i, v := range h.versions {
		v.directory(t, p.version("pack", i))
		writeFiles(t, p.version("upstream", i), h.files(v))
	}
	for _, dir := range []string{p.rendered, p.declared} {
		p.begin(p, dir)
	}
	p.compare("the first render")
	at := 0
	for i, e := range h.events {
		switch e.what {
		case "set", "remove", "presets":
			p.edit(p.rendered, e)
			e.keeps = false
			p.edit(p.declared, e)
		case "upgrade":
			p.upgrade(p, p.rendered, at, at+1)
			p.upgrade(p, p.declared, at, at+1)
			at++
		}
		p.compare(fmt.Sprintf("the event %d, %s", i, e.what))
	}
}

// version is the folder of a version, as the pack or as the package that is the upstream.
func (p *player) version(of string, i int) string { return filepath.Join(p.work, fmt.Sprint(of, i)) }

// begin writes the package as it is before the first render.
func begin(p *player, dir string) {
	p.Helper()
	files := p.history.files(p.history.versions[0])
	if p.history.byPack {
		delete(files, "web.yaml")
	}
	writeFiles(p.tester, dir, files)
	if p.history.byPack {
		as := map[string]string{"files": "configmap", "text": "pack"}[p.history.form]
		if exit, _, stderr := run("", "import", p.version("pack", 0), "--to", dir, "--as", as); exit != 0 {
			p.Fatalf("import: %s", stderr)
		}
	}
}

// edit makes the edit of an event.
func (p *player) edit(dir string, e event) {
	p.Helper()
	if e.what == "presets" {
		e.at = location{"web.yaml", map[string]string{"files": "data.presets/yaml"}[p.history.form]}
		if e.at.path == "" {
			e.at.path = "spec.presets"
		}
		e.to = append(value{"|"}, strings.Split(strings.TrimSuffix(printPresets(e.presets, "  "), "\n"), "\n")...)
	}
	path := filepath.Join(dir, e.at.file)
	text, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return // the package has no such part
	}
	edited := remove(string(text), e.at.path)
	if e.what != "remove" {
		var isSet bool
		if edited, isSet = set(string(text), e.at.path, e.to, e.keeps); !isSet {
			p.Fatalf("%s has no place for %s:\n%s", path, e.at.path, text)
		}
	}
	writeFiles(p.tester, dir, map[string]string{e.at.file: edited})
}

// compare renders the package, and compares it with one that is rendered for the first time,
// and with itself after another render.
func (p *player) compare(after string) {
	p.Helper()
	before := readFiles(p.tester, p.rendered)
	first := p.render(p.tester, p.rendered)
	files := readFiles(p.tester, p.rendered)
	scratch := filepath.Join(p.work, "scratch")
	if err := os.RemoveAll(scratch); err != nil {
		p.Fatal(err)
	}
	writeFiles(p.tester, scratch, readFiles(p.tester, p.declared))
	byPackfn(p.tester, scratch)
	fresh := readFiles(p.tester, scratch)
	if diff := cmp.Diff(contents(p.tester, fresh), contents(p.tester, files)); diff != "" {
		p.Fatalf("after %s, -scratch +rendered:\n%s\ndeclared:\n%s\nbefore the render:\n%s\nafter it:\n%s", after, diff, texts(readFiles(p.tester, p.declared)), texts(before), texts(files))
	}
	second := p.render(p.tester, p.rendered)
	if diff := cmp.Diff(files, readFiles(p.tester, p.rendered)); diff != "" {
		p.Fatalf("after %s, the second render changes:\n%s", after, diff)
	}
	if diff := cmp.Diff(steady(first), steady(second)); diff != "" {
		p.Fatalf("after %s, the second render says:\n%s\n%s", after, diff, texts(files))
	}
}

func texts(files map[string]string) string {
	var b strings.Builder
	for _, name := range []string{"web.yaml", "over.yaml", "db.yaml", "thing.yaml", "sub/cache.yaml", "cluster.yaml", "first.yaml", "second.yaml"} {
		if files[name] != "" {
			fmt.Fprintf(&b, "-- %s\n%s", name, files[name])
		}
	}
	return b.String()
}

// content is what a file declares: the values, what they come from, and the presets it has.
type content struct {
	Values, Sources any
	Presets         string
}

func contents(t tester, files map[string]string) map[string]content {
	t.Helper()
	all := map[string]content{}
	for name, text := range files {
		if !slices.Contains([]string{"web.yaml", "db.yaml", "over.yaml", "thing.yaml", "sub/cache.yaml"}, name) {
			continue
		}
		d, err := values.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, text)
		}
		c := content{Presets: values.Text(values.Field(d.Root(), "metadata", "annotations", "packs.kpt.dev/applied-presets"))}
		at := values.Keys("spec", "values")
		switch {
		case name == "thing.yaml":
			at = values.Keys("spec")
		case values.Field(d.Root(), "data") != nil:
			at = values.Keys("data", "values.yaml")
		}
		if n := values.Follow(d.Root(), at); n != nil && n.Kind == yaml.ScalarNode {
			if d, err = values.Parse(values.Text(n)); err != nil {
				t.Fatalf("%s: %v\n%s", name, err, text)
			}
			at = nil
		}
		s := packfntest.Sources(d, at)
		c.Values, c.Sources = decoded(t, values.Follow(d.Root(), at)), decoded(t, s.Values())
		all[name] = c
	}
	return all
}

func decoded(t tester, n *yaml.Node) (v any) {
	t.Helper()
	if err := n.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// upgradeAll upgrades a package as Porch does.
func upgradeAll(p *player, dir string, from, to int) {
	p.Helper()
	var trees []*packfntest.Tree
	for _, one := range []string{dir, p.version("upstream", from), p.version("upstream", to)} {
		tree, err := packfntest.Load(one)
		if err != nil {
			p.Fatal(err)
		}
		trees = append(trees, tree)
	}
	merged, err := packfntest.PorchUpgrade{Old: trees[1], New: trees[2], Upstream: packfntest.Git{Repo: "https://example.com/upstream.git", Directory: "platform", Ref: "v2", Commit: strings.Repeat("0", 40)}}.Apply(trees[0])
	if err != nil {
		p.Fatal(err)
	}
	for _, file := range merged.FilesOf(merged.Items()) {
		writeFiles(p.tester, dir, map[string]string{file.Path: string(file.Text)})
	}
}

// upgradePack upgrades the pack of a package by packfn.
func upgradePack(p *player, dir string, from, to int) {
	p.Helper()
	args := []string{"upgrade", dir, p.version("pack", to), "--from", p.version("pack", from), "--write"}
	exit, stdout, stderr := run("", args...)
	if strings.Contains(stdout, "presets.yaml was edited") { // and the newer version has others
		exit, stdout, stderr = run("", append(args, "--discard-edits")...)
	}
	if text := readFiles(p.tester, dir)["web.yaml"]; !strings.Contains(text, p.history.versions[to].number) {
		p.Fatalf("packfn upgrade: exit %d\n%s%s", exit, stdout, stderr)
	}
}

// The result of a render depends on what the package declares, and not on earlier renders.
func TestHistories(t *testing.T) {
	events, work := map[string]int{}, t.TempDir()
	rapid.Check(t, func(r *rapid.T) {
		h := histories.Draw(r, "history")
		c := client{begin: begin, render: byPackfn, upgrade: upgradeAll}
		if rapid.IntRange(0, 2).Draw(r, "client") == 0 {
			c.render = byStdin
		}
		if h.byPack {
			c.upgrade = upgradePack
		}
		for _, e := range h.events {
			events[e.what]++
		}
		play(r, work, h, c)
	})
	t.Log(events)
}
