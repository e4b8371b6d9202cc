package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/results"
)

func (c *commands) reportCommand() *cobra.Command {
	o := output{formats: report.Formats, failOn: failOn{isOfFleet: true}}
	var dir string
	var isMerged bool
	var run fleetRun
	command := &cobra.Command{
		Use:     "report FILE…",
		Short:   "Print the results that kpt saved, or the shards of a fleet, in another format",
		GroupID: "packages",
		Long: `Report reads the results that kpt saves with --results-dir, and prints them in another
format. They can be from any function. With --package it finds their lines in the files.

With --merge the files are all shards that packfn fleet --shard wrote. The report is that of
one run of packfn fleet, and so are the exit codes.`,
		Example: "  packfn report results/results.yaml --package platform --format github",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			if isMerged {
				o.formats = preview.Formats
			}
			o.failOn.isOfFleet = isMerged
			err := o.validate(cmd)
			var file *config.File
			if err == nil {
				file, err = c.noted()
			}
			if err == nil {
				err = o.failOn.read(cmd, file.FailOn)
			}
			if err != nil {
				return err
			}
			if isMerged {
				if err := excludes(cmd, "merge", "package"); err != nil {
					return err
				}
				defer heap.Shard.Set()()
				return c.mergeFleet(cmd.Context(), files, o, run)
			}
			for _, name := range []string{"all", "show-values"} {
				if cmd.Flags().Changed(name) {
					return fmt.Errorf("--%s is only for --merge", name)
				}
			}
			if dir != "" {
				if err := folder.Require(dir); err != nil {
					return fmt.Errorf("--package: %w", err)
				}
			}
			root, err := report.Root()
			if err != nil {
				return err
			}
			r, err := results.Read(files, dir, root)
			if err != nil {
				return err
			}
			return c.print(cmd.Context(), o, r)
		},
	}
	o.flags(command)
	o.detailFlags(command)
	o.failOn.flag(command, failOnUsage+"; with --merge as in packfn fleet")
	run.flags(command)
	command.Flags().BoolVar(&isMerged, "merge", false, "the files are the shards of packfn fleet")
	command.Flags().StringVar(&dir, "package", "", "the package that the results are about")
	return command
}
