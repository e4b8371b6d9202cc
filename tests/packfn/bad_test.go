package packfn

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packdir"
)

// A command that lacks arguments or flags says how it is used.
func TestUsage(t *testing.T) {
	for _, tc := range []struct{ args, want string }{
		{"upgrade a", "got 1 argument; want packfn upgrade PACKAGE PACK-DIR… [flags]. See packfn upgrade --help"},
		{"import a", `required flag(s) "to" not set; want packfn import DIR… --to PACKAGE [flags]. See packfn import --help`},
		{"list value", `unknown command "value" (did you mean "values"?); see packfn list --help`},
	} {
		if got := packfn(t, t.TempDir(), strings.Fields(tc.args)...).want(t, 2); got.stderr != "packfn: "+tc.want+"\n" {
			t.Errorf("%s: got %s", tc.args, got.stderr)
		}
	}
}

// Input that no command can use is a clear error of the file, exit 2, and nothing is
// written: not the report either.
func TestBadInput(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "half/values.yaml"), "a: 1\n")
	write(t, filepath.Join(dir, "half/schema.yaml"), "a: {}\n")
	write(t, filepath.Join(dir, "binary/a.yaml"), "a: \xff\n")
	write(t, filepath.Join(dir, "large/a.yaml"), strings.Repeat("# 3456789\n", 32<<20/10+1))
	write(t, filepath.Join(dir, "kptfile/Kptfile"), kptfileText+"pipelines: {}\n")
	write(t, filepath.Join(dir, "kptfile/a.yaml"), packResource("a: 1\n"))
	write(t, filepath.Join(dir, "results.yaml"), "apiVersion: kpt.dev/v7\nkind: FunctionResultList\n")
	write(t, filepath.Join(dir, "packs/a/pack.json"), `{"name": "a"`)
	write(t, filepath.Join(dir, "dangling/x.txt"), "")
	if err := os.Symlink("absent", filepath.Join(dir, "dangling/a.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	for _, tc := range []struct {
		path  string
		words []string
	}{
		{"absent", []string{"absent: no such file"}},
		{"binary", []string{"binary/a.yaml is not UTF-8: byte 4 is 0xff"}},
		{"binary/a.yaml", []string{"binary/a.yaml is not UTF-8: byte 4 is 0xff"}},
		{"large", []string{"large/a.yaml has 33554440 bytes", "at most 33554432"}},
		{"dangling", []string{"dangling/a.yaml is a symbolic link to nothing"}},
		{"kptfile", []string{"kptfile/Kptfile: kpt refuses the Kptfile: line 5: pipelines: unknown field"}},
	} {
		for _, args := range [][]string{{"check", "-o", "out.json", "--format", "json"}, {"fix"}, {"list", "packs"}, {"why", "a", "b"}} {
			got := packfn(t, dir, append(args, tc.path)...).want(t, 2, tc.words...)
			if got.stdout != "" || !strings.HasPrefix(got.stderr, "packfn: ") || strings.Count(got.stderr, "\n") != 1 {
				t.Errorf("%v %s printed %q and %q", args, tc.path, got.stdout, got.stderr)
			}
		}
	}
	packfn(t, dir, "render", "kptfile").want(t, 2, "kptfile/Kptfile: kpt refuses the Kptfile")
	packfn(t, dir, "export", "kptfile", "--to", "out").want(t, 2, "kptfile/Kptfile: kpt refuses the Kptfile")
	packfn(t, dir, "import", "half", "--to", "out").want(t, 2, "half holds half a pack")
	packfn(t, dir, "report", "results.yaml", "-o", "out.txt").want(t, 2, `results.yaml: FunctionResultList of the unknown version "kpt.dev/v7"`)
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("something was written:\n%s", diff[:min(len(diff), 2000)])
	}
	// A report that cannot be written is an error, too.
	packfn(t, dir, "check", testPack("cni-1.2.0"), "-o", "folder.yaml").want(t, 2, "folder.yaml is not a regular file")
	packfn(t, dir, "check", testPack("cni-1.2.0"), "-o", "results.yaml/x").want(t, 2, "results.yaml")
}

// An interrupt at any time of a write leaves all files as they were, or all changed, and
// no other files.
func TestInterruptedWrite(t *testing.T) {
	dir := t.TempDir()
	const packs = 400
	for i := range packs {
		write(t, filepath.Join(dir, fmt.Sprintf("all/p%d/pack.json", i)), fmt.Sprintf(`{"name": "p%d", "version": "1"}`, i))
	}
	started := time.Now()
	packfn(t, dir, "import", "all", "--to", "whole").want(t, 0)
	whole, long := tree(t, filepath.Join(dir, "whole")), time.Since(started)
	if len(whole) != packs {
		t.Fatalf("%d files", len(whole))
	}
	written, not := 0, 0
	for i := range 24 {
		to := fmt.Sprintf("p%d", i)
		cmd := exec.Command(program, "import", "all", "--to", to)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Stderr = dir, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(long * time.Duration(i*i) / 200)
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		got := tree(t, filepath.Join(dir, to))
		switch {
		case len(got) == 0 && cmd.ProcessState.ExitCode() != 0:
			not++
		case cmp.Equal(whole, got):
			written++
		default:
			t.Errorf("interrupted after %v: exit code %d, %d of %d files\n%s", long*time.Duration(i*i)/200, cmd.ProcessState.ExitCode(), len(got), packs, stderr.String())
		}
	}
	if not == 0 || written == 0 {
		t.Errorf("%d runs wrote, %d did not: the interrupts were all too early or too late", written, not)
	}
}

// Over all packs at hand, check reports what the four functions report one by one about
// the resource of each.
func TestCheckPacksEqualsFunctions(t *testing.T) {
	dirs := packs(t)
	total := 0
	for _, dir := range dirs {
		p, err := packdir.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, f := range suite.All() {
			if !slices.Contains(check.Names, f.Name) {
				continue
			}
			one, err := p.Item()
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range function.Evaluate(f, &list.List{Items: []*list.Item{one}}).Findings {
				if found.Rule != diag.NothingToDo {
					want = append(want, found.Rule.ID+"\n"+found.Path()+"\n"+found.Message())
				}
			}
		}
		r, err := check.Run([]string{dir}, check.Options{Functions: suite.All(), Root: root})
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		var got []string
		for _, f := range r.Findings {
			if f.Function != "check-charts" {
				got = append(got, f.Rule+"\n"+f.Field+"\n"+f.Message)
			}
			if f.File == "" || f.Line == 0 {
				t.Errorf("%s: no place: %+v", dir, f)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		total += len(got)
		if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
			t.Errorf("%s: (-functions +check):\n%s", dir, diff)
		}
	}
	if total < len(dirs)/4 {
		t.Errorf("only %d findings in %d packs", total, len(dirs))
	}
}
