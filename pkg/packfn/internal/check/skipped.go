package check

import (
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// skipped is a file or a folder that is not checked. The path is empty if why is an error that
// contains it.
type skipped struct{ path, why string }

const (
	excluded     = "it is excluded"
	ignoredByGit = "git ignores it"
	ignoredByOPM = ".indexignore names it, so opm does not read it"
)

// misplaced is a file with a known form, which packfn would read in another location.
type misplaced struct {
	path string
	*form
}

// noteMisplaced adds a note for each known form with the files that no check reads, and the
// advice for them.
func (c *checker) noteMisplaced() {
	paths := map[*form][]string{}
	for _, one := range c.misplaced {
		if c.tree.isGenerating[one.path] {
			continue
		}
		if one.form == macroValues && len(c.told) > 0 { // a module may read it
			c.skipped = append(c.skipped, skipped{one.path, "it has no resource that packfn reads"})
			continue
		}
		paths[one.form] = append(paths[one.form], c.Display(one.path))
	}
	for _, is := range append(pointers(forms), macroValues) {
		if len(paths[is]) > 0 {
			c.note("not checked: %s: %s; %s", diag.SomeOf(paths[is]), is.what, is.door)
		}
	}
}

func pointers(forms []form) (all []*form) {
	for i := range forms {
		all = append(all, &forms[i])
	}
	return all
}

// noteSkipped adds notes about the files that are not checked: each file if Verbose is set,
// otherwise their number.
func (c *checker) noteSkipped() {
	var unread Unread
	c.skipped = slices.DeleteFunc(c.skipped, func(one skipped) bool { return c.tree.isGenerating[one.path] })
	for _, one := range c.skipped {
		switch one.why {
		case excluded:
			unread.Excluded++
		case ignoredByGit:
			unread.Ignored++
		case ignoredByOPM:
			unread.NotInCatalog++
		default:
			unread.Files++
		}
		switch {
		case !c.Verbose:
		case one.path == "":
			c.note("%s; it is not checked", one.why)
		default:
			c.note("%s is not checked: %s", c.Display(one.path), one.why)
		}
	}
	if what := unread.String(); what != "" && !c.Verbose {
		c.note("not checked: %s; --verbose lists them", what)
	}
}

// Unread counts the files that a walk skips.
type Unread struct {
	// Files is the number of files outside of packages without a resource. Excluded and Ignored
	// are the numbers of paths that the user excludes, and that git ignores. A directory counts
	// as one path.
	Files, Excluded, Ignored int
	// NotInCatalog is the number of files of catalogs that .indexignore names.
	NotInCatalog int
}

// String returns the counts for a note, or "" if all of them are 0.
func (u Unread) String() string {
	var what []string
	if u.Files > 0 {
		what = append(what, diag.Count(u.Files, "file")+" outside of packages without a resource that packfn reads")
	}
	if u.Excluded > 0 {
		what = append(what, diag.Count(u.Excluded, "excluded path"))
	}
	if u.Ignored > 0 {
		what = append(what, diag.Count(u.Ignored, "path")+" that git ignores")
	}
	if u.NotInCatalog > 0 {
		what = append(what, diag.Count(u.NotInCatalog, "file")+" that .indexignore names")
	}
	return strings.Join(what, ", ")
}
