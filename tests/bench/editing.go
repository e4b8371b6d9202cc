package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/tests/bench/generate"
	"github.com/krm-packs/functions/tests/editor"
)

// repeated is how often an editor does what is measured.
const repeated = 20

// editing is a workspace in an editor.
type editing struct {
	// name is the folder, and write writes its files.
	name  string
	write func(dir string) error
	// file is the one that is open, and text what it holds after n changes.
	file string
	text func(n int) string
}

// session opens the file in the real server, repeats steps, and leaves. It returns what the
// server spent.
func (e *editing) session(programs string, steps []step) (sample, error) {
	dir, err := filepath.Abs(filepath.Join(programs, e.name))
	if err != nil {
		return sample{}, err
	}
	if _, err := os.Stat(dir); err != nil {
		if err := e.write(dir); err != nil {
			return sample{}, err
		}
	}
	path, err := filepath.Abs(packfnProgram.file(programs))
	if err != nil {
		return sample{}, err
	}
	command := exec.Command(path, "lsp")
	command.Dir, command.Env = dir, []string{}
	fromClient, toServer := io.Pipe()
	fromServer, toClient := io.Pipe()
	command.Stdin, command.Stdout = fromClient, toClient
	ended := make(chan error, 1)
	go func() {
		c := editor.New(fromServer, toServer)
		err := c.Initialize(dir)
		if err == nil {
			err = c.Open(e.file, e.text(0))
		}
		for n := range repeated {
			for _, do := range steps {
				if err == nil {
					err = do(c, n+1)
				}
			}
		}
		if err == nil {
			err = c.Leave()
		}
		toServer.Close() // the server ends also after an error
		if err != nil {
			fromServer.Close()
		}
		ended <- err
		// What the server still tells when it has been asked to leave is no fault.
		io.Copy(io.Discard, fromServer)
	}()
	s, err := measured(programs, command, "packfn lsp in "+e.name)
	toClient.Close()
	return s, cmp.Or(<-ended, err)
}

// step is what an editor does for the n-th time.
type step func(c *editor.Client, n int) error

// cpuRow compares the CPU time of a step after other steps with a limit. The time is the
// difference between a session with many steps of both kinds, and a session with only the other
// steps.
func (e *editing) cpuRow(what string, bar float64, step step, others ...step) row {
	name := fmt.Sprintf("limit: CPU of packfn lsp, %s", what)
	return row{name: name, bar: bar, shown: seconds(bar), programs: []program{packfnProgram, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		less, more := 0.0, 0.0
		for range b.runs {
			without, err := e.session(b.dir, others)
			if err != nil {
				return figures{}, err
			}
			with, err := e.session(b.dir, append(slices.Clip(others), step))
			if err != nil {
				return figures{}, err
			}
			less, more = less+without.cpu.Seconds()/float64(b.runs), more+with.cpu.Seconds()/float64(b.runs)
		}
		one := max((more-less)/repeated, 1e-9) // of one run on a busy machine anything may come
		return figures{measured: seconds(one), baseline: seconds(less), ratio: one, unit: "s"}, nil
	}}
}

// memoryRow compares the memory of a session with a limit.
func (e *editing) memoryRow(what string, bar float64) row {
	name := fmt.Sprintf("limit: memory of packfn lsp, %s", what)
	return row{name: name, bar: bar, shown: fmt.Sprintf("%g MB", bar), programs: []program{packfnProgram, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		least, err := run{program: empty}.measure(b.dir)
		if err != nil {
			return figures{}, err
		}
		s, err := e.session(b.dir, []step{e.change})
		peak := float64(s.peak) / 1e6
		return figures{measured: megabytes(peak), baseline: megabytes(float64(least.peak) / 1e6), ratio: peak, unit: "MB"}, err
	}}
}

// editingRows are the figures of the editor: of a package of packs, each of 13 KB, and of a
// workspace of packages.
func editingRows(packs, packages int) []row {
	one := editing{name: "editing-packs", write: func(dir string) error { return writePackage(dir, packs) }, file: "site.yaml", text: overrideText}
	pack := one
	pack.file, pack.text = packFile(0), func(n int) string { return fmt.Sprintf("%s# change %d\n", packText(0), n) }
	many := editing{name: "editing-packages", file: "package-0000/site.yaml", text: overrideText, write: func(dir string) error {
		for n := range packages {
			if err := writePackage(filepath.Join(dir, fmt.Sprintf("package-%04d", n)), 1); err != nil {
				return err
			}
		}
		return nil
	}}
	in := fmt.Sprintf(" in a package of %d packs", packs)
	line := strings.Count(overrideText(0), "\n") - 1
	return []row{
		pack.cpuRow("a change of a pack"+in, 0.05, pack.change),
		one.cpuRow("a change of an override"+in, 0.05, one.change),
		one.cpuRow("a completion after a change"+in, 0.01, one.ask("textDocument/completion", line, 6), one.change),
		one.cpuRow("a hover after a change"+in, 0.01, one.ask("textDocument/hover", line, 8), one.change),
		many.memoryRow(fmt.Sprintf("%d packages", packages), 150),
	}
}

// change is the step that changes the file.
func (e *editing) change(c *editor.Client, n int) error { return c.Change(e.file, e.text(n)) }

// ask is a request that must have an answer.
func (e *editing) ask(method string, line, column int) step {
	return func(c *editor.Client, _ int) error {
		var answer any
		err := c.At(method, e.file, line, column, &answer)
		if err == nil && answer == nil {
			err = fmt.Errorf("%s: no answer", method)
		}
		return err
	}
}

// overrideText is an override of the first pack. Its last line sets a key, differently each time.
func overrideText(n int) string {
	return fmt.Sprintf(`apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: site
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  packRef:
    name: pack-0000
  values:
    %s:
      replicas: %d
`, generate.Components[0], 2+n%7)
}

func packFile(n int) string { return fmt.Sprintf("pack-%04d.yaml", n) }

// packText is the pack of a number, in its resource.
func packText(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `apiVersion: v1
kind: ConfigMap
metadata:
  name: pack-%04[1]d
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  pack.json: |
    {"name": "pack-%04[1]d", "version": "1.4.0", "layer": "addon"}
`, n)
	for _, file := range []struct{ name, text string }{{"values.yaml", generate.Values(n)}, {"schema.yaml", generate.Schema(n % generate.Schemas)}} {
		fmt.Fprintf(&b, "  %s: |\n", file.name)
		for line := range strings.Lines(file.text) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

// writePackage writes a package of packs with an override.
func writePackage(dir string, packs int) error {
	files := map[string]string{
		"Kptfile": `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: ` + filepath.Base(dir) + `
pipeline:
  mutators:
    - exec: apply-preset
    - exec: resolve-macros
`,
		"site.yaml": overrideText(0),
	}
	for n := range packs {
		files[packFile(n)] = packText(n)
	}
	return writeFiles(dir, files)
}
