package fleet

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// manifestGroup is an equal change of the manifests of one or several packages.
type manifestGroup struct {
	// packages are the names of the packages with the change.
	packages []string
	changes  []deploy.Change
	// raw is the text of the changes of the first package. isAlike is true if the changes of the
	// other packages differ from it only in the name of the cluster.
	raw     string
	isAlike bool
}

// Manifests compares the manifests of a preview with the manifests of an earlier preview.
type Manifests struct {
	// Before is the folder of the earlier preview.
	Before string
	// Check are the options of the comparison, with the renderer of charts.
	Check check.Options
	// ShowValues unmasks values in the changes.
	ShowValues bool
	// Area writes temporary files.
	Area *staging.Area
	// Progress is called before each package.
	Progress func(done, all int)
}

// Compare renders the manifests of packages with changed files, before and after the change. It adds the findings
// about these changes to the preview, and returns the differences, grouped like the changes of files.
func (m *Manifests) Compare(ctx context.Context, p *preview.Preview) (text string, err error) {
	changed, files := changedPackages(p)
	temporary, err := os.MkdirTemp("", "packfn-")
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(temporary)) }()
	after := filepath.Join(temporary, "after")
	if err := m.Area.WriteTree(ctx, after, files); err != nil {
		return "", err
	}
	found := map[int][]report.Finding{}
	upstreams := &upstreamFiles{m.Check.Display, map[string]*breaking.Lines{}}
	var groups []*manifestGroup
	known := map[string]*manifestGroup{}
	for i, at := range changed {
		m.Progress(i, len(changed))
		row := &p.Rows[at]
		before, next := filepath.Join(m.Before, filepath.FromSlash(row.Name())), filepath.Join(after, filepath.FromSlash(row.Name()))
		compared, err := check.Compare("packfn fleet --template", check.Deployment{Paths: []string{before}, Options: m.Check},
			check.Deployment{Paths: []string{next}, Options: m.Check, Move: func(o *breaking.Object) { upstreams.move(o, next, row) }})
		if err != nil {
			return "", fmt.Errorf("--template: %w", err)
		}
		found[at] = compared.Report.All()
		for j := range found[at] { // what is no change: a chart or a package that cannot be rendered
			if f := &found[at][j]; f.Path != "" {
				if name, isIn := within(f.Path, next); isIn {
					f.Path = row.InUpstream(name)
					f.File, f.Line, f.Column = m.Check.Display(f.Path), 0, 0
				}
			}
		}
		for _, s := range compared.Report.Skipped { // its file is there only for this comparison
			p.Sets.Skip(report.Skipped{Reason: s.Reason, File: row.Name(), Message: s.Message})
		}
		changes := deploy.Diff(compared.Before, compared.After, m.ShowValues)
		raw := fmt.Sprint(changes)
		key := strings.ReplaceAll(raw, row.Repo, "\x00")
		if known[key] == nil {
			known[key] = &manifestGroup{changes: changes, raw: raw}
			groups = append(groups, known[key])
		}
		group := known[key]
		group.packages, group.isAlike = append(group.packages, row.Name()), group.isAlike || raw != group.raw
	}
	slices.SortStableFunc(groups, func(a, b *manifestGroup) int { return cmp.Compare(len(b.packages), len(a.packages)) })
	var out strings.Builder
	for _, group := range groups {
		group.write(&out)
	}
	if len(groups) == 0 {
		out.WriteString("no package changes, so no manifest does\n")
	}
	p.AddChanges(found)
	return diag.ShownLines(out.String()), nil
}

// changedPackages returns the indexes of the packages with changed files, and all files of these packages.
func changedPackages(p *preview.Preview) (changed []int, files []staging.Change) {
	rows := map[string]int{}
	for i := range p.Rows {
		rows[p.Rows[i].Name()] = i
	}
	for i := range p.Patches.Groups {
		for _, name := range p.Patches.Groups[i].Packages {
			changed = append(changed, rows[name])
			for _, file := range p.Rows[rows[name]].Files {
				files = append(files, staging.Change{Path: filepath.Join(filepath.FromSlash(name), filepath.FromSlash(file.Path)), Text: file.Text})
			}
		}
	}
	return changed, files
}

// upstreamFiles finds places in the upstream packages of a fleet.
type upstreamFiles struct {
	display func(string) string
	lines   map[string]*breaking.Lines
}

// move sets the place of an object of a rendered package, which is in the folder dir for a moment, to the file of the
// upstream package that it is a copy of.
func (u *upstreamFiles) move(o *breaking.Object, dir string, row *preview.Row) {
	name, isIn := within(o.Path, dir)
	if !isIn {
		return
	}
	o.Path = row.InUpstream(name)
	if _, known := u.lines[o.Path]; !known {
		u.lines[o.Path] = nil
		if text, err := folder.ReadText(o.Path); err == nil {
			u.lines[o.Path] = breaking.NewLines(text)
		}
	}
	lines := u.lines[o.Path]
	if lines == nil { // the variant adds it
		o.Path, o.File, o.LineOf = "", path.Join(row.Name(), name), nil
		return
	}
	o.File = u.display(o.Path)
	o.LineOf = func(path []string) int { return lines.Of(o, path) }
}

// within returns the path of a file from a folder, with slashes, and whether it is in the folder.
func within(name, dir string) (string, bool) {
	relative, err := filepath.Rel(dir, name)
	return filepath.ToSlash(relative), name != "" && err == nil && filepath.IsLocal(relative)
}

// write prints a group as the changes of files are printed.
//
//	1 change in the manifests of 3 packages: edge-1/platform, edge-2/platform, edge-3/platform
//	Deployment/registry: changed
func (g *manifestGroup) write(out *strings.Builder) {
	const most = 10
	names := strings.Join(g.packages[:min(most, len(g.packages))], ", ")
	if more := len(g.packages) - most; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	if len(g.changes) == 0 {
		fmt.Fprintf(out, "no changes in the manifests of packs and releases in %s: %s\n", diag.Count(len(g.packages), "package"), diag.OneLine(names))
		return
	}
	fmt.Fprintf(out, "%s in the manifests of %s: %s\n", diag.Count(len(g.changes), "change"), diag.Count(len(g.packages), "package"), diag.OneLine(names))
	if g.isAlike {
		fmt.Fprintf(out, "(but for the name of the cluster; this is %s)\n", diag.OneLine(g.packages[0]))
	}
	for _, change := range g.changes {
		fmt.Fprintf(out, "%s: %s\n%s\n", change.Name, change.What, change.Patch)
	}
}
