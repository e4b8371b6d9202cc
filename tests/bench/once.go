package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/krm-packs/functions/tests/bench/generate"
)

// once is a run of packfn in a folder that is measured once, because it takes long.
type once struct {
	folder string
	write  func(dir string) error
	args   []string
	do     sync.Once
	spent  sample
	err    error
}

// measure runs packfn unless it was measured before.
func (o *once) measure(programs string) (sample, error) {
	o.do.Do(func() {
		at := filepath.Join(programs, o.folder)
		if o.err = o.write(at); o.err == nil {
			o.spent, o.err = packfn(programs, at, o.args...)
		}
	})
	return o.spent, o.err
}

// cpuRow and memoryRow compare what the run spent with a limit.
func (o *once) cpuRow(name string, bar float64) row {
	return row{name: "limit: CPU of " + name + ", once", bar: bar, shown: seconds(bar), programs: []program{packfnProgram, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		least, err := run{program: empty}.measure(b.dir)
		if err != nil {
			return figures{}, err
		}
		s, err := o.measure(b.dir)
		return figures{measured: seconds(s.cpu.Seconds()), baseline: seconds(least.cpu.Seconds()), ratio: s.cpu.Seconds(), unit: "s"}, err
	}}
}

func (o *once) memoryRow(name string, bar float64) row {
	return row{name: "limit: memory of " + name + ", once", bar: bar, shown: fmt.Sprintf("%g MB", bar), programs: []program{packfnProgram, empty}, figures: func(b *bench, _ measurements) (figures, error) {
		least, err := run{program: empty}.measure(b.dir)
		if err != nil {
			return figures{}, err
		}
		s, err := o.measure(b.dir)
		return figures{measured: megabytes(float64(s.peak) / 1e6), baseline: megabytes(float64(least.peak) / 1e6), ratio: float64(s.peak) / 1e6, unit: "MB"}, err
	}}
}

// wholeFleet is the preview of a fleet by one process.
func wholeFleet(clusters int) []row {
	o := &once{folder: "whole-fleet", args: []string{"fleet", "--set", "set", "--upstream", "upstream", "--format", "json", "--output", "fleet.json"}}
	o.write = func(dir string) error { return (&shards{clusters: clusters}).write(dir) }
	name := fmt.Sprintf("packfn fleet, %d clusters", clusters)
	return []row{o.cpuRow(name, 25), o.memoryRow(name, 500)}
}

// sharingSets compares what a set of files costs among many and among half as many, of which
// each takes the packs of one base.
func sharingSets(sets int) row {
	name := fmt.Sprintf("growth: packfn check, %d to %d sets that share a base", sets/2, sets)
	few, many, least := repository(sets/2), repository(sets), repository(1)
	return row{name: name, bar: 1.2, programs: []program{packfnProgram}, figures: func(b *bench, _ measurements) (figures, error) {
		var cpu [3]float64
		for i, o := range []*once{least, few, many} {
			s, err := o.measure(b.dir)
			if err != nil {
				return figures{}, err
			}
			cpu[i] = s.cpu.Seconds()
		}
		// Of one run on a busy machine anything may come.
		less, more := max(cpu[1]-cpu[0], 1e-9)/float64(sets/2-1), max(cpu[2]-cpu[0], 1e-9)/float64(sets-1)
		return figures{measured: seconds(more) + "/item", baseline: seconds(less) + "/item", ratio: more / less}, nil
	}}
}

// basePacks is the number of packs in the base of a repository.
const basePacks = 5

// repository is the check of a repository with a base, and with kustomizations that use it.
func repository(sets int) *once {
	return &once{folder: fmt.Sprintf("repository-%d", sets), args: []string{"check", "."}, write: func(dir string) error {
		files := map[string]string{}
		var base strings.Builder
		base.WriteString("resources:\n")
		for n := range basePacks {
			files["base/"+packFile(n)] = packText(n)
			fmt.Fprintf(&base, "  - %s\n", packFile(n))
		}
		files["base/kustomization.yaml"] = base.String()
		for n := range sets {
			at := fmt.Sprintf("clusters/c%04d/", n)
			files[at+"kustomization.yaml"] = `resources:
  - ../../base
  - site.yaml
`
			files[at+"site.yaml"] = overrideText(n)
		}
		return writeFiles(dir, files)
	}}
}

// writeFiles writes files below a folder.
func writeFiles(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// filesOfApp is the number of files in a directory of a monorepo.
const filesOfApp = 5

// monorepo is the check of a repository of directories that are each an environment: a pack with an
// override, and files that no check reads.
func monorepo(files int) row {
	o := &once{folder: "monorepo", args: []string{"check", "."}, write: func(dir string) error {
		all := map[string]string{}
		for n := range files / filesOfApp {
			at := fmt.Sprintf("app-%04d/", n)
			all[at+"pack.yaml"], all[at+"site.yaml"] = packText(0), overrideText(n)
			all[at+"deployment.yaml"] = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 1
`
			all[at+"dashboard.json"] = `{"title": "web", "panels": []}`
			all[at+"README.md"] = "# An app\n"
		}
		return writeFiles(dir, all)
	}}
	return o.cpuRow(fmt.Sprintf("packfn check, a repository of %d files", files), 3)
}

// notes is a long value: the values of large packs have certificates and scripts, and a document
// has at most a million nodes.
var notes = strings.Repeat("text of a script that a pack brings ", 400)

// largePackFiles are the files of a pack with large values.
func largePackFiles(megabytesOfText int) map[string]string {
	var values, schema strings.Builder
	for n := 0; values.Len() < megabytesOfText<<20; n++ {
		fmt.Fprintf(&values, `part%06d:
  notes: %s
`, n, strings.TrimSpace(notes))
		for line := range strings.Lines(generate.Values(n)) {
			if line != "\n" {
				values.WriteString("  " + line)
			}
		}
	}
	fmt.Fprintf(&schema, `part000000.%s.replicas:
  schema: '{{ format "${number:[1-9]}" }}'
`, generate.Components[0])
	return map[string]string{"pack.json": `{"name": "large", "version": "1.0.0", "layer": "addon"}`, "values.yaml": values.String(), "schema.yaml": schema.String()}
}

// largePack compares the memory of packfn over one pack with the text of the pack: of its commands,
// and of the server while the schema of the pack is edited.
func largePack(megabytesOfText int) []row {
	write := func(dir string) error {
		return writeFiles(filepath.Join(dir, "pack"), largePackFiles(megabytesOfText))
	}
	memory := func(name string, measure func(b *bench) (sample, error)) row {
		name = fmt.Sprintf("memory: packfn %s, a pack of %d MiB, once", name, megabytesOfText)
		return row{name: name, bar: 35, programs: []program{packfnProgram}, figures: func(b *bench, _ measurements) (figures, error) {
			s, err := measure(b)
			peak, text := float64(s.peak)/1e6, float64(megabytesOfText<<20)/1e6
			return figures{measured: megabytes(peak), baseline: megabytes(text), ratio: peak / text}, err
		}}
	}
	var rows []row
	for _, command := range []struct {
		name string
		args []string
	}{{"import", []string{"import", "pack", "--to", "imported"}}, {"check", []string{"check", "pack"}}} {
		o := &once{folder: "large-pack-" + command.name, write: write, args: command.args}
		rows = append(rows, memory(command.name, func(b *bench) (sample, error) { return o.measure(b.dir) }))
	}
	schema := largePackFiles(0)["schema.yaml"]
	edited := &editing{name: "large-pack-lsp", write: write, file: "pack/schema.yaml", text: func(n int) string { return fmt.Sprintf("%s# change %d\n", schema, n) }}
	return append(rows, memory("lsp", func(b *bench) (sample, error) { return edited.session(b.dir, []step{edited.change}) }))
}
