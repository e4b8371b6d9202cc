package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/breaking"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
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

// fleetManifests renders the manifests of packages with changed files, before and after the
// change. It adds the findings about these changes to the preview, and returns the differences, grouped like the changes
// of files.
func (c *commands) fleetManifests(ctx context.Context, p *fleet.Preview, d *deployment, run fleetRun) (text string, err error) {
	rows := map[string]int{}
	for i := range p.Rows {
		rows[p.Rows[i].Name()] = i
	}
	var changed []int
	var files []staging.Change
	for i := range p.Patches.Groups {
		for _, name := range p.Patches.Groups[i].Packages {
			changed = append(changed, rows[name])
			for _, file := range p.Rows[rows[name]].Files {
				files = append(files, staging.Change{Path: filepath.Join(filepath.FromSlash(name), filepath.FromSlash(file.Path)), Text: file.Text})
			}
		}
	}
	temporary, err := os.MkdirTemp("", "packfn-")
	if err != nil {
		return "", err
	}
	defer func() { err = cmp.Or(err, os.RemoveAll(temporary)) }()
	after := filepath.Join(temporary, "after")
	if err := c.area.WriteTree(ctx, after, files); err != nil {
		return "", err
	}
	deployer, err := c.deployer(&d.templating)
	if err != nil {
		return "", err
	}
	defer deployer.Renderer.Close()
	d.options.Template, d.options.Shared = deployer, &check.Shared{}
	found := map[int][]report.Finding{}
	var groups []*manifestGroup
	known := map[string]*manifestGroup{}
	for i, at := range changed {
		c.bar.set(i, len(changed))
		row := &p.Rows[at]
		before, next := filepath.Join(run.against, filepath.FromSlash(row.Name())), filepath.Join(after, filepath.FromSlash(row.Name()))
		compared, err := check.Compare("packfn fleet --template", check.Deployment{Paths: []string{before}, Options: d.options}, check.Deployment{Paths: []string{next}, Options: d.options})
		if err != nil {
			return "", fmt.Errorf("--template: %w", err)
		}
		found[at] = compared.Report.All()
		for j := range found[at] {
			inUpstream(&found[at][j], next, row, d.options.Display)
		}
		changes := deploy.Diff(compared.Before, compared.After, run.show)
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

// inUpstream moves a finding about a file of a rendered package, which is in the folder dir for a moment, to the file of
// the upstream package that it is a copy of.
func inUpstream(f *report.Finding, dir string, row *fleet.Row, display func(string) string) {
	name, err := filepath.Rel(dir, f.Path)
	if f.Path == "" || err != nil || !filepath.IsLocal(name) {
		return
	}
	f.Path = row.InUpstream(filepath.ToSlash(name))
	text, err := folder.ReadText(f.Path)
	if err != nil { // the variant adds it
		f.Path, f.File, f.Line = "", row.Name()+"/"+filepath.ToSlash(name), 0
		return
	}
	f.File, f.Column = display(f.Path), 0
	f.Line = breaking.LineIn(text, &breaking.Object{ID: breaking.ID{Kind: f.Resource.Kind, Name: f.Resource.Name}}, strings.FieldsFunc(f.Field, func(r rune) bool { return r == '.' || r == '[' }))
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
		fmt.Fprintf(out, "no manifest changes in %s: %s\n", diag.Count(len(g.packages), "package"), diag.OneLine(names))
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

// validateTemplate rejects what does not go together with --template of a fleet.
func (r *fleetRun) validateTemplate(command *cobra.Command) error {
	for _, name := range []string{"charts", "source", "kube-version", "api-versions", "timeout"} {
		if command.Flags().Changed(name) && !r.template {
			return fmt.Errorf("--%s is only for --template", name)
		}
	}
	switch {
	case !r.template:
		return nil
	case r.against == "":
		return errors.New("--template needs --against with the folder of an earlier run")
	}
	return nil
}
