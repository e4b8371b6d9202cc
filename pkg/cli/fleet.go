package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/check"
	"github.com/krm-packs/functions/pkg/fleet"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/report"
)

func (c *commands) fleetCommand() *cobra.Command {
	o := output{formats: fleet.Formats}
	var upstreams []string
	var out, against string
	var show bool
	options := fleet.Options{Functions: c.program.Functions, Checks: check.Names}
	command := &cobra.Command{
		Use:     "fleet --set PATH --upstream REPO/PACKAGE[@REVISION]=DIR",
		Short:   "Say what every cluster of a PackageVariantSet gets, and whether it can be deployed",
		GroupID: "packages",
		Long: `Fleet makes, renders and checks the package of each PackageVariant in memory. It does what
Porch does in a cluster, without a cluster.

--set names files or packages with PackageVariantSets and PackageVariants. Repositories and
in-cluster objects are there, too, or in --objects. --upstream names the folder of each
upstream package. A folder without REPO/PACKAGE is used for all of them.

--out writes the packages to a folder, as REPO/PACKAGE. --against compares them with
such a folder of an earlier run and shows what changes in which clusters. Values in the
changes are masked, except on a terminal and with --show-values.`,
		Example: "  packfn fleet --set clusters --upstream blueprints/platform=platform --out after --against before",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := o.validate(); err != nil {
				return err
			}
			options.Upstreams = nil
			for _, text := range upstreams {
				upstream := fleet.Upstream{Dir: text}
				if info, err := os.Stat(text); err != nil || !info.IsDir() {
					if upstream, err = fleet.ParseUpstream(text); err != nil {
						return fmt.Errorf("--upstream: %w", err)
					}
				}
				options.Upstreams = append(options.Upstreams, upstream)
			}
			root, err := check.Root()
			if err != nil {
				return err
			}
			options.Display = (&check.Options{Root: root}).Display
			options.Graphs = o.format == string(fleet.HTML)
			options.KeepFiles = out != "" || against != ""
			return c.fleet(cmd.Context(), options, o, out, against, show)
		},
	}
	flags := command.Flags()
	o.flags(command)
	flags.StringSliceVar(&options.Sets, "set", nil, "files or folders with PackageVariantSets and PackageVariants")
	flags.StringSliceVar(&options.Objects, "objects", nil, "files or folders with Repositories and in-cluster objects (default: those of --set)")
	flags.StringArrayVar(&upstreams, "upstream", nil, "folder of an upstream package: REPO/PACKAGE[@REVISION]=DIR, or DIR for all")
	flags.StringVar(&options.Like, "like", fleet.Porch, "make packages like porch, which renders each clone before it changes it, or like kpt")
	flags.StringVar(&out, "out", "", "write the packages to this folder, which must be absent or empty")
	flags.StringVar(&against, "against", "", "show what changes since the packages were written to this folder")
	flags.BoolVar(&show, "show-values", false, "do not mask values in changes")
	flags.IntVar(&options.Cores, "cores", 0, "the number of cores to use (default: all)")
	command.MarkFlagRequired("set")
	command.MarkFlagRequired("upstream")
	return command
}

func (c *commands) fleet(ctx context.Context, options fleet.Options, o output, out, against string, show bool) error {
	defer collectLess()()
	for _, upstream := range options.Upstreams {
		if isWithin(out, upstream.Dir) {
			return fmt.Errorf("--out: %s is in the package %s, which would get the packages of all clusters; name another folder", out, upstream.Dir)
		}
	}
	bar := c.progress()
	options.Progress = bar.set
	p, err := fleet.Run(ctx, options)
	bar.end()
	if err != nil {
		return err
	}
	for _, note := range p.Notes {
		c.note("%s", note)
	}
	if against != "" {
		if err := p.Compare(against); err != nil {
			return fmt.Errorf("--against: %w", err)
		}
	}
	if out != "" {
		if err := c.area.WriteTree(ctx, out, p.Files()); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if n := p.Count(fleet.Refused); n > 0 {
			c.note("%s has the packages as rendered, also %s that must not be deployed", out, count(n, "package"))
		}
	}
	how := fleet.Print{
		Format: report.Format(o.format), Version: function.Version(), Help: c.help,
		Color: o.file == "" && c.color, Values: show || o.file == "" && c.terminal,
	}
	var text bytes.Buffer
	if err := p.Write(&text, how); err != nil {
		return err
	}
	return c.deliver(ctx, o, text.Bytes(), p.IsFailed())
}

// isWithin reports whether a path is a folder or in it; "" is in none.
func isWithin(name, dir string) bool {
	absolute, err := filepath.Abs(name)
	base, baseErr := filepath.Abs(dir)
	if err != nil || baseErr != nil || name == "" {
		return false
	}
	relative, err := filepath.Rel(base, absolute)
	return err == nil && filepath.IsLocal(relative)
}
