package history

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/tests/e2e"
)

// kpt runs the pinned kpt with the functions of the suite on PATH.
type kpt struct {
	program string
	env     []string
}

func newKpt(t *testing.T) kpt {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err == nil {
		err = e2e.Watch(root)
	}
	tools, toolsErr := e2e.BuildTools(root)
	functions, _, functionsErr := e2e.BuildFunctions(root)
	if err := errors.Join(err, toolsErr, functionsErr); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return kpt{filepath.Join(tools, "kpt"), append(os.Environ(), "HOME="+home, "KPT_CACHE_DIR="+filepath.Join(home, "cache"),
		"PATH="+functions+string(os.PathListSeparator)+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_AUTHOR_NAME=test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=test", "GIT_COMMITTER_EMAIL=test@example.com")}
}

func (k kpt) run(t tester, dir, name string, args ...string) {
	t.Helper()
	c := exec.Command(name, args...)
	c.Dir, c.Env = dir, k.env
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s %s: %v\n%s", filepath.Base(name), strings.Join(args, " "), err, out)
	}
}

// client clones, renders and upgrades packages of a git repository. Its tags are the versions.
func (k kpt) client() client {
	var repository string
	return client{
		begin: func(p *player, dir string) {
			p.Helper()
			if repository == "" {
				repository = filepath.Join(p.work, "upstream.git")
				for i := range p.history.versions {
					writeFiles(p, filepath.Join(repository, "platform"), readFiles(p, p.version("upstream", i)))
					if i == 0 {
						k.run(p, repository, "git", "init", "--quiet")
					}
					k.run(p, repository, "git", "add", ".")
					k.run(p, repository, "git", "commit", "--quiet", "--allow-empty", "--message=version")
					k.run(p, repository, "git", "tag", fmt.Sprint("v", i))
				}
			}
			k.run(p, p.work, k.program, "pkg", "get", "file://"+repository+"/platform@v0", filepath.Base(dir))
		},
		render: func(t tester, dir string) []string {
			t.Helper()
			k.run(t, filepath.Dir(dir), k.program, "fn", "render", dir, "--allow-exec", "--results-dir", filepath.Dir(dir))
			text, err := os.ReadFile(filepath.Join(filepath.Dir(dir), "results.yaml"))
			var results struct {
				Items []struct {
					Results []struct{ Message, Severity string }
				}
			}
			if err = errors.Join(err, yaml.Unmarshal(text, &results)); err != nil {
				t.Fatal(err)
			}
			var messages []string
			for _, item := range results.Items {
				for _, r := range item.Results {
					messages = append(messages, r.Severity+" "+r.Message)
				}
			}
			return messages
		},
		upgrade: func(p *player, dir string, _, to int) {
			p.Helper()
			k.run(p, p.work, k.program, "pkg", "update", fmt.Sprintf("%s@v%d", filepath.Base(dir), to))
		},
	}
}

// kptHistories is the number of histories that kpt plays. Each takes some seconds.
func kptHistories() int {
	if os.Getenv("RAPID_CHECKS") != "" {
		return 20
	}
	return 2
}

// The same by the real kpt: its clone, its render, and its merge.
func TestHistoriesOfKpt(t *testing.T) {
	k := newKpt(t)
	played := 0
	for seed := 1; played < kptHistories(); seed++ {
		h := histories.Example(seed)
		isUpgraded := slices.ContainsFunc(h.events, func(e event) bool { return e.what == "upgrade" })
		if h.byPack || !isUpgraded || played%2 == 1 && !h.isTwice {
			continue
		}
		played++
		t.Run(fmt.Sprint(seed), func(t *testing.T) { play(t, t.TempDir(), h, k.client()) })
	}
}
