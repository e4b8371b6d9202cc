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
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// manifestGroup is an equal change of the manifests of one or several packages.
type manifestGroup struct {
	packages []string
	changes  []deploy.Change
	// raw is the text of the changes of the first package. isAlike is true if the changes of the
	// other packages differ from it only in the name of the cluster.
	raw     string
	isAlike bool
}

// fleetManifests renders the manifests of packages with changed files, before and after the
// change, and returns the differences, grouped like the changes of files, and below them the charts
// that are left out, if there are any. The error is errFindings then.
func (c *commands) fleetManifests(ctx context.Context, p *fleet.Preview, d *deployment, run fleetRun) (text string, err error) {
	rows := map[string]*fleet.Row{}
	for i := range p.Rows {
		rows[p.Rows[i].Name()] = &p.Rows[i]
	}
	var changed []*fleet.Row
	var files []staging.Change
	for i := range p.Patches.Groups {
		for _, name := range p.Patches.Groups[i].Packages {
			row := rows[name]
			changed = append(changed, row)
			for _, file := range row.Files {
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
	d.options.Template = deployer
	var left []string
	isLeft := map[string]bool{}
	rendered := func(dir string, row *fleet.Row) (all []*deploy.Rendered, err error) {
		r, err := check.Deploy([]string{filepath.Join(dir, filepath.FromSlash(row.Name()))}, d.options, func(one *deploy.Rendered) { all = append(all, one) })
		if err != nil {
			return nil, fmt.Errorf("--template: %w", err)
		}
		for _, f := range r.Findings {
			if line := strings.ReplaceAll(f.Message, row.Repo, "CLUSTER"); !isLeft[line] { // once for all clusters
				isLeft[line] = true
				left = append(left, row.Name()+": "+diag.OneLine(f.Message))
			}
		}
		return all, nil
	}
	var groups []*manifestGroup
	known := map[string]*manifestGroup{}
	for i, row := range changed {
		c.bar.set(i, len(changed))
		before, err := rendered(run.against, row)
		if err != nil {
			return "", err
		}
		next, err := rendered(after, row)
		if err != nil {
			return "", err
		}
		changes := deploy.Diff(before, next, run.show)
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
	if len(left) > 0 {
		err = errFindings
		fmt.Fprintf(&out, "\nNot rendered\n  %s\n", strings.Join(left, "\n  "))
	}
	return diag.ShownLines(out.String()), err
}

// write prints a group as the changes of files are printed.
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
func (r *fleetRun) validateTemplate(command *cobra.Command, o *output) error {
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
	case o.file != "" || o.format != string(report.Table):
		return errors.New("--template: the differences follow the table; remove --format and --output")
	}
	return nil
}
