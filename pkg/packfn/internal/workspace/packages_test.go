package workspace

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// A case is a package. Each line of steps is what is done with it; without the file it is a render. The
// function add adds the resources of new.yaml, and removes those with the name gone. A file `NAME -> TARGET`
// is a link.
//
//	render [-mutators]  // what runs, what is found, and how files change
//	read                // the files, and the packages that they are in
//	deploy              // what a cluster gets
func TestPackages(t *testing.T) {
	cases.Table(t, "packages/*", func(t *testing.T, c *cases.Case) string {
		dir := t.TempDir()
		for name, text := range c.Files("steps", "new.yaml", "want") {
			name, target, isLink := strings.Cut(name, " -> ")
			path := filepath.Join(dir, "pkg", name)
			err := os.MkdirAll(filepath.Dir(path), 0o755)
			if isLink {
				err = errors.Join(err, os.Symlink(target, path), os.WriteFile(filepath.Join(filepath.Dir(path), target), []byte(named+"a\n"), 0o600))
			} else {
				err = errors.Join(err, os.WriteFile(path, []byte(text), 0o600))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		t.Chdir(dir)
		all := append(slices.Clone(functions), function.Function{Name: "add", Kind: "Add", Mutates: true, New: func() function.Processor { return &adder{c.Text("new.yaml")} }})
		var b strings.Builder
		for step := range strings.Lines(cmp.Or(c.Text("steps"), "render")) {
			step = strings.TrimSpace(step)
			if c.Has("steps") {
				fmt.Fprintln(&b, "$ "+step)
			}
			p, err := Read("pkg")
			if err == nil && step == "read" {
				for _, file := range p.Files {
					fmt.Fprintf(&b, "%s in %s\n", file.Path, file.Package)
				}
				for _, name := range slices.Sorted(maps.Keys(p.Kptfiles)) {
					fmt.Fprintln(&b, "package", name)
				}
				continue
			}
			var tree *Package
			if err == nil {
				tree, err = Load(p)
			}
			switch {
			case err != nil:
			case step == "deploy":
				err = deployed(t, &b, tree)
			case step == "render", step == "render -mutators":
				err = rendered(t, &b, tree, Options{Functions: all, Mutators: step != "render"})
			default:
				t.Fatalf("unknown step %q", step)
			}
			if _, isUnable := errors.AsType[Unable](err); isUnable {
				fmt.Fprintln(&b, "unable:", err)
			} else if err != nil {
				fmt.Fprintln(&b, "error:", err)
			}
		}
		return b.String()
	})
}

// rendered prints what a render does.
func rendered(t *testing.T, b *strings.Builder, tree *Package, o Options) error {
	result, err := tree.Render(o)
	if err != nil {
		return err
	}
	report := NewReporter(tree, func(name string) string { return name }).Report(result)
	if len(result.Runs)+len(result.Skipped) == 0 {
		fmt.Fprintln(b, "nothing runs")
	}
	for i := range result.Runs {
		fmt.Fprintf(b, "run: %s\n", result.Runs[i].Function.Name)
	}
	for _, step := range result.Skipped {
		fmt.Fprintf(b, "skipped: %s\n", step.Function.Name)
	}
	for i, one := range report.Cases {
		if i == 0 || report.Cases[i-1].Function != one.Function {
			fmt.Fprintf(b, "%s reads:\n", one.Function)
		}
		fmt.Fprintf(b, "  %s %s\n", one.File, one.Resource.String())
	}
	for _, f := range report.Findings {
		fmt.Fprintf(b, "%s %s", f.Severity, f.Rule)
		if f.File != "" {
			fmt.Fprintf(b, " %s:%d:%d", f.File, f.Line, f.Column)
		}
		if f.Resource != nil {
			fmt.Fprintf(b, " %s %s", f.Resource, f.Field)
		}
		fmt.Fprintf(b, ": %s\n", f.Message)
	}
	if result.Failed {
		fmt.Fprintln(b, "failed")
	}
	if (result.Items == nil) != result.Failed {
		t.Errorf("a render that failed (%v) has %d items", result.Failed, len(result.Items))
	}
	changes := tree.Changes(result.Items)
	if result.Failed {
		changes = nil
	}
	if !slices.IsSortedFunc(changes, func(a, b staging.Change) int { return cmp.Compare(a.Path, b.Path) }) {
		t.Errorf("the changes are not in order: %+v", changes)
	}
	for _, item := range result.Items {
		if by := result.ChangedBy(item); by != "" {
			fmt.Fprintf(b, "changed by %s: %s\n", by, item.Resource())
		}
	}
	for _, change := range changes {
		if change.In != tree.Dir {
			t.Errorf("%s may be changed in %q", change.Path, change.In)
		}
		if change.Remove {
			fmt.Fprintf(b, "%s is removed\n", change.Path)
			continue
		}
		fmt.Fprintf(b, "%s:\n  %s\n", change.Path, strings.ReplaceAll(strings.TrimSuffix(string(change.Text), "\n"), "\n", "\n  "))
	}
	return nil
}

// deployed prints what a cluster gets. The order of the items makes no difference, and stays.
func deployed(t *testing.T, b *strings.Builder, tree *Package) error {
	items := tree.Items()
	slices.Reverse(items)
	kept, err := tree.Deployable(items)
	if err != nil {
		if kept != nil {
			t.Errorf("with an error %d items are kept", len(kept))
		}
		return err
	}
	before := slices.Clone(kept)
	fmt.Fprintf(b, "  %s\n", strings.ReplaceAll(strings.TrimSuffix(string(tree.Stream(kept)), "\n"), "\n", "\n  "))
	if !slices.Equal(before, kept) {
		t.Error("the stream changes the order of the items")
	}
	return nil
}

// adder is a function that adds a resource and removes another one.
type adder struct{ text string }

func (a *adder) Config() any           { return &struct{}{} }
func (a *adder) Wants(*list.Item) bool { return true }
func (a *adder) Process(run *function.Run) {
	run.Add(a.text)
	for _, item := range run.Items() {
		if item.Name() == "gone" {
			item.Remove()
		}
	}
}
