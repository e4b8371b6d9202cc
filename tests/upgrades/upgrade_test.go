package upgrades

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/cli"
	"github.com/krm-packs/functions/tests/e2e"
)

// The programs: the pinned kpt, and the one that upgrades as Porch does.
var kptProgram, porchProgram string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		root, err := filepath.Abs("../..")
		if err == nil {
			err = e2e.Watch(root)
		}
		tools, toolsErr := e2e.BuildTools(root)
		upgrade, upgradeErr := e2e.Build(root, "porch", filepath.Join(root, "tests/porch"), "./upgrade")
		if err = errors.Join(err, toolsErr, upgradeErr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		kptProgram, porchProgram = filepath.Join(tools, "kpt"), filepath.Join(upgrade, "upgrade")
		return m.Run()
	}())
}

// environment keeps git and kpt from what the user configured.
func environment(dir string) []string {
	return append(os.Environ(), "HOME="+dir, "KPT_CACHE_DIR="+filepath.Join(dir, "cache"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com",
		"GIT_AUTHOR_DATE=2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-01-01T00:00:00Z")
}

// command runs a program in a folder, and returns what it prints to standard output.
func command(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.CommandContext(t.Context(), name, args...)
	c.Dir, c.Env = dir, env
	var stdout, stderr strings.Builder
	c.Stdout, c.Stderr = &stdout, &stderr
	if err := c.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, stdout.String(), stderr.String())
	}
	return stdout.String()
}

// packfn runs a command of packfn in this process, and returns what it prints to standard output.
func packfn(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	if exit := cli.Main(cli.Program{Functions: suite.All(), Docs: functions.Docs}, args, strings.NewReader(""), &stdout, &stderr); exit != 0 {
		t.Fatalf("packfn %s: exit %d\n%s%s", strings.Join(args, " "), exit, stdout.String(), stderr.String())
	}
	return stdout.String()
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func copyDir(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// render renders packages and returns the findings of each, without those that say that a
// preset is applied.
func render(t *testing.T, cases []*upgradeCase) map[*upgradeCase][]string {
	t.Helper()
	args := []string{"render", "--format", "json"}
	for _, c := range cases {
		args = append(args, c.dir)
	}
	var report struct {
		Findings []struct{ Rule, Severity, File, Field, Key string }
	}
	if err := json.Unmarshal([]byte(packfn(t, args...)), &report); err != nil {
		t.Fatal(err)
	}
	found := map[*upgradeCase][]string{}
	for _, f := range report.Findings {
		at := slices.IndexFunc(cases, func(c *upgradeCase) bool { return strings.Contains(f.File, filepath.Base(c.dir)+"/") })
		if at < 0 || f.Rule == "preset/applied" {
			continue
		}
		key := f.Key
		if rest, ok := strings.CutPrefix(f.Field, "spec.values."); ok {
			key = rest
		}
		found[cases[at]] = append(found[cases[at]], strings.TrimSpace(strings.TrimPrefix(f.Rule, "preset/")+"("+f.Severity+") "+key))
	}
	return found
}

// valuesOf reads the values of a package, in one line.
func valuesOf(t *testing.T, dir string) string {
	t.Helper()
	var resource struct {
		Data map[string]string
		Spec struct{ Values yaml.Node }
	}
	err := yaml.Unmarshal([]byte(readFile(t, filepath.Join(dir, "cache.yaml"))), &resource)
	text := []byte(resource.Data["values.yaml"])
	if resource.Spec.Values.Kind == yaml.ScalarNode {
		text = []byte(resource.Spec.Values.Value)
	} else if resource.Data == nil {
		text, err = yaml.Marshal(&resource.Spec.Values)
	}
	var values struct {
		Server struct {
			Replicas, Memory, Name string
			Debug                  *bool
		}
		Log, Timeout, Host string
	}
	if err := errors.Join(err, yaml.Unmarshal(text, &values)); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf("replicas %s memory %s name %s log %s timeout %s", values.Server.Replicas, values.Server.Memory, values.Server.Name, values.Log, values.Timeout)
	if values.Server.Debug != nil {
		line += " debug"
	}
	return line
}

// TestUpgrades upgrades a package in every cell of the matrix by Porch, and by kpt in those
// of byKpt, and renders it twice: the second render changes nothing. The outcomes are those
// of testdata, and the same by kpt and by Porch.
func TestUpgrades(t *testing.T) {
	work := t.TempDir()
	var kpt, porch []*upgradeCase
	for _, form := range forms {
		for _, macros := range []bool{false, true} {
			kpt = append(kpt, cells(work, "kpt", form, macros)...)
			porch = append(porch, cells(work, "porch", form, macros)...)
		}
	}
	cases := slices.Clone(porch)
	for _, c := range kpt {
		if byKpt(c) {
			cases = append(cases, c)
		}
	}
	commits := clone(t, work, cases)
	edit(t, cases)
	merge(t, work, commits, cases)
	outcomes := finish(t, cases)
	for i, c := range kpt {
		other := outcomes[porch[i]]
		if !byKpt(c) {
			outcomes[c] = other
		} else if outcomes[c] != other {
			t.Errorf("%s: kpt\n%s\nPorch\n%s", c, outcomes[c], other)
		}
	}
	golden(t, "kpt.txt", kpt, outcomes)
}

// byKpt reports whether kpt upgrades a package in a cell: in each cell of upstream and edit
// once, in a form that changes from cell to cell; with TEST_ALL in all forms.
func byKpt(c *upgradeCase) bool {
	form := 2 * slices.Index(forms, c.form)
	if c.macros {
		form++
	}
	return e2e.All() || (c.upstream+c.edit)%4 == form
}

// TestUpgradesOfPacks upgrades the pack of a package in every cell by packfn upgrade.
func TestUpgradesOfPacks(t *testing.T) {
	work := t.TempDir()
	var cases []*upgradeCase
	for _, tool := range []string{"packfn upgrade --from", "packfn upgrade"} {
		for _, form := range []string{"configmap", "pack"} {
			for _, macros := range []bool{false, true} {
				cases = append(cases, cells(work, tool, form, macros)...)
			}
		}
	}
	for _, macros := range []bool{false, true} {
		write(t, filepath.Join(work, fmt.Sprint("old-", macros)), packFiles(t, macros, nil))
		for i, upstream := range upstreams {
			write(t, filepath.Join(work, fmt.Sprintf("new-%d-%t", i, macros)), packFiles(t, macros, upstream.change))
		}
	}
	for _, c := range cases {
		packfn(t, "import", filepath.Join(work, fmt.Sprint("old-", c.macros)), "--to", c.dir, "--as", c.form)
		write(t, c.dir, map[string]string{"Kptfile": kptfileText, "cluster.yaml": contextText})
	}
	render(t, cases)
	edit(t, cases)
	for _, c := range cases {
		args := []string{"upgrade", c.dir, filepath.Join(work, fmt.Sprintf("new-%d-%t", c.upstream, c.macros)), "--write"}
		if strings.HasSuffix(c.tool, "--from") {
			args = append(args, "--from", filepath.Join(work, fmt.Sprint("old-", c.macros)))
		}
		packfn(t, args...)
	}
	golden(t, "packfn.txt", cases, finish(t, cases))
}

// cells are the cells of the matrix for a tool and a form.
func cells(work, tool, form string, macros bool) []*upgradeCase {
	var cases []*upgradeCase
	for upstream := range upstreams {
		for edit := range edits {
			c := &upgradeCase{tool: tool, form: form, macros: macros, upstream: upstream, edit: edit}
			c.dir = filepath.Join(work, strings.NewReplacer(" ", "-", "--", "").Replace(fmt.Sprintf("case-%s-%s-%t-%d-%d", tool, form, macros, upstream, edit)))
			cases = append(cases, c)
		}
	}
	return cases
}

// clone makes the upstream repository, whose tags v0, v1… have the changes of upstreams
// over v, and gives each case a rendered clone of v. It returns the commits.
func clone(t *testing.T, work string, cases []*upgradeCase) []string {
	t.Helper()
	env := environment(work)
	repository := filepath.Join(work, "upstream.git")
	git := func(args ...string) string { return command(t, repository, env, "git", args...) }
	clones := map[string]*upgradeCase{}
	for _, form := range forms {
		for _, macros := range []bool{false, true} {
			name := upstreamName(form, macros)
			write(t, filepath.Join(repository, name), upstreamFiles(t, form, macros))
			clones[name] = &upgradeCase{dir: filepath.Join(work, "clone-"+name)}
		}
	}
	git("init", "--quiet", "--initial-branch=main")
	git("add", ".")
	git("commit", "--quiet", "--message=v")
	git("tag", "v")
	copyDir(t, repository, filepath.Join(work, "tree"))
	var commits []string
	for i, upstream := range upstreams {
		git("checkout", "--quiet", "--detach", "v")
		for name := range clones {
			file := filepath.Join(repository, name, "cache.yaml")
			write(t, filepath.Dir(file), map[string]string{"cache.yaml": upstream.change.apply(t, readFile(t, file))})
		}
		git("commit", "--quiet", "--all", "--message=change")
		git("tag", fmt.Sprint("v", i))
		commits = append(commits, strings.TrimSpace(git("rev-parse", "HEAD")))
		copyDir(t, repository, filepath.Join(work, fmt.Sprint("tree", i)))
	}
	var rendered []*upgradeCase
	for name, c := range clones {
		command(t, work, env, kptProgram, "pkg", "get", "file://"+repository+"/"+name+"@v", filepath.Base(c.dir))
		rendered = append(rendered, c)
	}
	render(t, rendered)
	for _, c := range cases {
		copyDir(t, clones[upstreamName(c.form, c.macros)].dir, c.dir)
	}
	return commits
}

// edit makes the edits of users.
func edit(t *testing.T, cases []*upgradeCase) {
	t.Helper()
	var rendered []*upgradeCase
	for _, c := range cases {
		file := filepath.Join(c.dir, "cache.yaml")
		write(t, c.dir, map[string]string{"cache.yaml": edits[c.edit].change.apply(t, readFile(t, file))})
		if edits[c.edit].isRendered {
			rendered = append(rendered, c)
		}
	}
	render(t, rendered)
}

// merge upgrades the packages, by kpt and by Porch.
func merge(t *testing.T, work string, commits []string, cases []*upgradeCase) {
	t.Helper()
	var porch []string
	queue := make(chan *upgradeCase)
	var kpt sync.WaitGroup
	for worker := range 4 {
		// Two runs of kpt that share a cache fetch each other's commits.
		env := append(environment(work), "KPT_CACHE_DIR="+filepath.Join(work, fmt.Sprint("cache-", worker)))
		kpt.Go(func() {
			for c := range queue {
				update := exec.CommandContext(t.Context(), kptProgram, "pkg", "update", fmt.Sprintf("%s@v%d", filepath.Base(c.dir), c.upstream))
				update.Dir, update.Env = work, env
				if out, err := update.CombinedOutput(); err != nil {
					t.Errorf("%s: %v\n%s", c, err, out)
				}
			}
		})
	}
	for _, c := range cases {
		if c.tool == "kpt" {
			queue <- c
			continue
		}
		porch = append(porch, c.dir, c.upstreamDir(filepath.Join(work, "tree")), c.upstreamDir(filepath.Join(work, fmt.Sprint("tree", c.upstream))), commits[c.upstream])
	}
	close(queue)
	kpt.Wait()
	command(t, work, environment(work), porchProgram, porch...)
}

// finish renders upgraded packages, and renders them again: neither files nor findings may
// change. It returns the values and the findings of each.
func finish(t *testing.T, cases []*upgradeCase) map[*upgradeCase]string {
	t.Helper()
	first := render(t, cases)
	before := map[*upgradeCase]string{}
	for _, c := range cases {
		before[c] = readFile(t, filepath.Join(c.dir, "cache.yaml"))
	}
	second := render(t, cases)
	outcomes := map[*upgradeCase]string{}
	for _, c := range cases {
		if diff := cmp.Diff(before[c], readFile(t, filepath.Join(c.dir, "cache.yaml"))); diff != "" {
			t.Errorf("%s: the second render changes\n%s", c, diff)
		}
		if diff := cmp.Diff(first[c], second[c]); diff != "" {
			t.Errorf("%s: the second render says\n%s", c, diff)
		}
		outcomes[c] = valuesOf(t, c.dir) + "\n"
		for _, f := range first[c] {
			outcomes[c] += "    " + f + "\n"
		}
	}
	return outcomes
}

// golden compares outcomes with a file in testdata, which UPDATE=1 writes.
func golden(t *testing.T, name string, cases []*upgradeCase, outcomes map[*upgradeCase]string) {
	t.Helper()
	var text strings.Builder
	for _, c := range cases {
		fmt.Fprintf(&text, "%s\n    %s\n", c, strings.TrimSpace(outcomes[c]))
	}
	file := filepath.Join("testdata", name)
	if os.Getenv("UPDATE") != "" && !t.Failed() {
		write(t, "testdata", map[string]string{name: text.String()})
	}
	if diff := cmp.Diff(readFile(t, file), text.String()); diff != "" {
		t.Errorf("outcomes differ from %s; look at them, and write them with UPDATE=1:\n%s", file, diff)
	}
}
