package fleet

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/patch"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// Patches are what changes in the packages of a fleet.
type Patches struct {
	// Groups are equal changes, those of the most packages first.
	Groups []Patch
	// New are packages that did not exist before, Gone those that no longer exist, and
	// Unknown those that could not be rendered. Same is the number of packages without
	// a change.
	New, Gone, Unknown []string
	Same               int
	// isMasked says that the values were masked when the changes were written.
	isMasked bool
}

// Lists returns the packages without a change to show.
func (p *Patches) Lists() []namedList {
	return []namedList{{"new", p.New}, {"gone", p.Gone}, {"not rendered", p.Unknown}}
}

// IsMasked reports whether values were masked before the preview was merged.
func (p *Preview) IsMasked() bool { return p.Patches != nil && p.Patches.isMasked }

// Patch is a change of one or several packages.
type Patch struct {
	// Packages are the names of the packages.
	Packages []string
	// Files are the changed files of the first package.
	Files []FilePatch
	// NamesDiffer says that the changes of the packages are equal but for the name of
	// the cluster in them.
	NamesDiffer bool

	// key is what the changes of the packages have in common, and raw what the first of
	// them has in addition.
	key, raw digest
	// others are equal changes of other shards.
	others []*Patch
}

// FilePatch is the change of a file.
type FilePatch struct {
	Path string
	// Text is the unified difference, with all values; "" if they were not asked for in the run
	// of a shard. Record is the difference as a record may have it, of a shard.
	Text   string
	Record string `json:",omitempty"`

	old, new []byte
	known    *shown.Known
}

// comparePackage returns the changed files of a package, and what is equal in packages
// with the same change: the lines that come and go, with and without the cluster's name.
func comparePackage(row *Row, before map[string][]byte) (files []FilePatch, key, raw digest) {
	var lines strings.Builder
	var known *shown.Known
	compare := func(name string, old, new []byte) {
		if bytes.Equal(old, new) {
			return
		}
		text := patch.Of(name, old, new)
		files = append(files, FilePatch{Path: name, Text: text, old: old, new: new, known: known})
		fmt.Fprintf(&lines, "%s\x00", name)
		for line := range strings.Lines(text) {
			if line[0] == '+' || line[0] == '-' || !strings.HasPrefix(text, "---") {
				lines.WriteString(line)
			}
		}
	}
	all := row.Files
	known = shown.KnownOf(func(yield func(string, []byte) bool) {
		for _, file := range all {
			if !yield(file.Path, file.Text) {
				return
			}
		}
	})
	for _, file := range row.Files {
		compare(file.Path, before[file.Path], file.Text)
		delete(before, file.Path)
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		compare(name, before[name], nil)
	}
	text := lines.String()
	return files, digestOf(strings.ReplaceAll(text, row.Repo, "\x01")), digestOf(text)
}

// Show returns the difference as an audience may see it. One of a shard is as it was written.
func (f *FilePatch) Show(audience diag.Audience) string {
	switch {
	case f.old == nil && f.new == nil && (audience != diag.All || f.Text == ""):
		return f.Record
	case f.old == nil && f.new == nil:
		return f.Text
	}
	return patch.Shown(f.Text, f.Path, f.old, f.new, f.known, audience)
}

// inShard returns the change as a shard has it.
func (f *FilePatch) inShard(values bool) FilePatch {
	out := FilePatch{Path: f.Path, Record: f.Show(diag.Record)}
	if values {
		out.Text = f.Text
	}
	return out
}

// otherFiles returns the files of a package that are not among those that kpt reads.
func otherFiles(dir string, read []*kptpackage.File) ([]render.File, error) {
	known := map[string]bool{}
	for _, file := range read {
		known[file.Path] = true
	}
	var files []render.File
	err := eachFile(dir, func(name string, read func() ([]byte, error)) error {
		if known[name] {
			return nil
		}
		text, err := read()
		files = append(files, render.File{Path: name, Text: text})
		return err
	})
	return files, err
}

// write prints the changes for people.
func (p *Patches) write(w io.Writer, cluster string, audience diag.Audience) error {
	var failures []error
	print := func(format string, args ...any) {
		_, err := fmt.Fprintf(w, format, args...)
		failures = append(failures, err)
	}
	all := p.Same + len(p.New) + len(p.Unknown)
	for i := range p.Groups {
		all += len(p.Groups[i].Packages)
	}
	masked := false
	for i := range p.Groups {
		group := &p.Groups[i]
		what := "a change in"
		if len(group.Packages) > 1 {
			what = "the same change in"
		}
		print("%s %s of %s: %s\n", what, number(len(group.Packages)), plural(all, cluster), diag.OneLine(some(group.Packages, fewNames)))
		if group.NamesDiffer {
			print("(but for the name of the %s; this is %s)\n", cluster, diag.OneLine(group.Packages[0]))
		}
		text := group.show(audience)
		print("%s\n", diag.ShownLines(text))
		masked = masked || audience != diag.All && strings.Contains(text, shown.Hidden)
	}
	if masked {
		print("%s\n\n", masking)
	}
	for _, list := range p.Lists() {
		if len(list.Names) > 0 {
			print("%s: %s: %s\n", list.Title, plural(len(list.Names), cluster), diag.OneLine(some(list.Names, 20)))
		}
	}
	if p.Same > 0 {
		print("no change in %s\n", plural(p.Same, cluster))
	}
	return errors.Join(failures...)
}

// masking says once below masked changes how to see their values.
const masking = "Values that may be secrets are masked (" + shown.Hidden + "); packfn fleet --show-values shows them."

// some lists a few names, and counts the others.
func some(names []string, most int) string {
	return someOf(names[:min(len(names), most)], len(names))
}

// someOf lists names, and counts the others of all.
func someOf(names []string, all int) string {
	text := strings.Join(names, ", ")
	if more := all - len(names); more > 0 {
		text += fmt.Sprintf(" and %s more", number(more))
	}
	return text
}

// number writes a number with commas: 1,000.
func number(n int) string {
	digits := fmt.Sprint(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return number(n) + " " + noun + "s"
}

// pathOf returns the path of a file of a package in the folder of a fleet.
func pathOf(row *Row, file string) string { return path.Join(row.Repo, row.Package, file) }
