package transfer

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/hydration"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// publicPacks is the folder of the packs in the documents.
const publicPacks = "../../../../docs/packs"

// A case is a folder with a package in pkg, and steps, one in a line. The outcome has for each step what it
// says, and the files that it writes or changes, so that a step without any changes nothing. Of a step
// that begins with @ the outcome is left out; it must not fail. $PACKS is the folder of the packs in the
// documents, and $TESTDATA the folder of the archives.
//
//	import [-as FORM] [-no-charts] [-exact] [-force] [-kptfile] [-with FILE] [-source DIR] [-profile FILE] DIR...
//	newer [-source DIR] DIR [FROM]  // replaces the pack of a directory
//	export [-force] [-bare] DIR     // exports the packs
//	profile FILE                    // exports the profile
//	edit FILE OLD -> NEW            // OLD must be there once; \n is an end of line
//	copy FROM TO
//	append FROM TO                  // with --- between them
//	remove FILE
func TestScripts(t *testing.T) {
	packs, err := filepath.Abs(publicPacks)
	testdata, err2 := filepath.Abs("testdata")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	names := strings.NewReplacer("$PACKS", packs, "$TESTDATA", testdata)
	cases.Table(t, "scripts/*", func(t *testing.T, c *cases.Case) string {
		dir := files(t, c.Files("steps", "want"))
		t.Chdir(dir)
		var b strings.Builder
		for line := range strings.Lines(c.Text("steps")) {
			line, isQuiet := strings.CutPrefix(strings.TrimSpace(line), "@")
			before := tree(t)
			name, rest, _ := strings.Cut(names.Replace(line), " ")
			notes, err := steps[name](t, rest)
			switch {
			case isQuiet && err != nil:
				t.Fatalf("%s: %v", line, err)
			case isQuiet:
				continue
			case err != nil:
				notes = append(notes, "error: "+err.Error())
			}
			fmt.Fprintln(&b, "$ "+line)
			for _, note := range notes {
				fmt.Fprintln(&b, note)
			}
			b.WriteString(changes(before, tree(t)))
		}
		text := strings.NewReplacer(packs, "$PACKS", dir+"/", "").Replace(b.String())
		return digest.ReplaceAllString(text, "$1")
	})
}

// digest is one that is printed with its first digits.
var digest = regexp.MustCompile(`\b([0-9a-f]{8})[0-9a-f]{56}\b`)

var steps = map[string]func(t *testing.T, arguments string) (notes []string, err error){
	"import": func(t *testing.T, arguments string) ([]string, error) {
		var options Options
		var sources, profiles []string
		set := flag.NewFlagSet("import", flag.PanicOnError)
		add := func(to *[]string) func(string) error {
			return func(value string) error { *to = append(*to, value); return nil }
		}
		set.StringVar((*string)(&options.Form), "as", "", "")
		set.BoolVar(&options.NoCharts, "no-charts", false, "")
		set.BoolVar(&options.Exact, "exact", false, "")
		set.BoolVar(&options.Force, "force", false, "")
		set.BoolVar(&options.Kptfile, "kptfile", false, "")
		set.Func("with", "", add(&options.With))
		set.Func("source", "", add(&sources))
		set.Func("profile", "", add(&profiles))
		_ = set.Parse(strings.Fields(arguments))
		options.Exec = options.Kptfile
		for _, file := range profiles {
			p, err := palette.Read(file, []byte(tree(t)[file]))
			if err != nil {
				return nil, err
			}
			options.Profiles = append(options.Profiles, p)
		}
		options.Sources = opened(t, sources...)
		plan, err := Import("pkg", set.Args(), options)
		return done(t, plan, err)
	},
	"newer": func(t *testing.T, arguments string) ([]string, error) {
		var sources []string
		set := flag.NewFlagSet("newer", flag.PanicOnError)
		set.Func("source", "", func(value string) error { sources = append(sources, value); return nil })
		_ = set.Parse(strings.Fields(arguments))
		target, err := OpenTarget("pkg")
		if err != nil {
			return nil, err
		}
		if len(sources) > 0 {
			target.Sources = opened(t, sources...)
		}
		n, err := target.Newer(set.Arg(0), set.Arg(1))
		if err != nil {
			return nil, err
		}
		whole, err := n.File(n.After)
		if err != nil {
			t.Fatal(err)
		}
		notes := n.Notes
		if n.IsSame {
			notes = append(notes, "the package has this version already")
		}
		if n.IsUnedited {
			notes = append(notes, "the values are not edited")
		}
		if n.Base != nil {
			notes = append(notes, "from the older version to the newer one:\n"+strings.TrimSuffix(hunks(string(n.Base), string(n.After)), "\n"))
		}
		return notes, os.WriteFile(n.Path, whole, 0o644)
	},
	"export": func(t *testing.T, arguments string) ([]string, error) {
		set := flag.NewFlagSet("export", flag.PanicOnError)
		force, isBare := set.Bool("force", false, ""), set.Bool("bare", false, "")
		_ = set.Parse(strings.Fields(arguments))
		p, err := kptpackage.Read("pkg")
		if err != nil {
			t.Fatal(err)
		}
		all, err := Packs(p)
		if *isBare {
			all, err = exportAll(p.Dir, itemsOf(p), (*hydration.Sources).Bare, func(*Exported, *list.Item) error { return nil })
		}
		if err != nil {
			return nil, err
		}
		plan, err := Export(set.Arg(0), all, *force)
		return done(t, plan, err)
	},
	"profile": func(t *testing.T, file string) ([]string, error) {
		text, notes := exportProfile(t, "pkg")
		return notes, os.WriteFile(file, []byte(text), 0o644)
	},
	"edit": func(t *testing.T, arguments string) ([]string, error) {
		file, edit, _ := strings.Cut(arguments, " ")
		old, new, ok := strings.Cut(strings.ReplaceAll(edit, `\n`, "\n"), " -> ")
		text := tree(t)[file]
		if found := strings.Count(text, old); !ok || found != 1 {
			t.Fatalf("%s: %d times %q in\n%s", file, found, old, text)
		}
		return nil, os.WriteFile(file, []byte(strings.Replace(text, old, new, 1)), 0o644)
	},
	"copy": func(t *testing.T, arguments string) ([]string, error) {
		from, to, _ := strings.Cut(arguments, " ")
		text, err := os.ReadFile(from)
		return nil, errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, text, 0o644))
	},
	"append": func(t *testing.T, arguments string) ([]string, error) {
		from, to, _ := strings.Cut(arguments, " ")
		all := tree(t)
		return nil, os.WriteFile(to, []byte(all[to]+"---\n"+all[from]), 0o644)
	},
	"remove": func(_ *testing.T, file string) ([]string, error) { return nil, os.Remove(file) },
}

func opened(t testing.TB, dirs ...string) *packdir.Sources {
	t.Helper()
	sources, err := packdir.OpenSources(dirs)
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

// done writes what a plan has.
func done(t *testing.T, plan *Plan, err error) ([]string, error) {
	if err != nil {
		return nil, err
	}
	if err := (&staging.Area{}).Write(t.Context(), plan.Changes); err != nil {
		t.Fatal(err)
	}
	return plan.Notes, nil
}

// files writes files by their names into a new folder.
func files(t *testing.T, all map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range all {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns the files of the working directory.
func tree(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		all[filepath.ToSlash(path)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// changes prints what is different in a tree, new files as a whole.
func changes(before, after map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(after)) {
		old, isOld := before[name]
		switch text := after[name]; {
		case !isOld:
			text = "  " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  ")
			fmt.Fprintf(&b, "new file %s:\n%s\n", name, strings.ReplaceAll(text, "\n  \n", "\n\n"))
			if !strings.HasSuffix(after[name], "\n") {
				b.WriteString("  (without an end of line)\n")
			}
		case text != old:
			fmt.Fprintf(&b, "changed file %s:\n%s", name, hunks(old, text))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, ok := after[name]; !ok {
			fmt.Fprintf(&b, "removed file %s\n", name)
		}
	}
	return b.String()
}

// hunks are the lines that are different.
func hunks(old, new string) string {
	var b strings.Builder
	lines := strings.SplitAfter(string(diff.Diff("", []byte(old), "", []byte(new))), "\n")
	for _, line := range lines[min(len(lines), 3):] {
		if !strings.HasPrefix(line, " ") {
			b.WriteString(line)
		}
	}
	return b.String()
}
