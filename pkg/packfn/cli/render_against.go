package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
)

// against holds the flags for the comparison of a package with another version of it.
type against struct {
	// what is a folder, or a revision of git.
	what string
	// template also compares what charts deploy, and show unmasks values.
	template, show bool
	deployment     deployment
}

func (a *against) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.StringVar(&a.what, "against", "", "compare what the package deploys with a folder, or a revision of git ("+render.RevisionPrefix+"NAME if a folder has the name), and write nothing")
	flags.BoolVar(&a.template, "template", false, "with --against: also render the charts of packs and releases")
	showValues(command, &a.show)
	a.deployment.templating.flags(command)
	listFlag(flags, &a.deployment.options.Charts, "charts", "with --template: a folder with the charts of packs and releases, before and after")
	flags.StringArrayVar(&a.deployment.source, "source", nil, "with --template: look in this folder for the charts of packs and releases")
}

// validate rejects flags that do not go together. byKpt and to are other flags of the command, and dirs its arguments.
func (a *against) validate(command *cobra.Command, byKpt bool, to renderTo, dirs []string) error {
	if a.what == "" {
		if command.Flags().Changed("against") {
			return errors.New("--against: the value is empty; give one, or leave the flag out")
		}
		for _, name := range []string{"template", "charts", "source", "kube-version", "api-versions", "timeout", "show-values"} {
			if command.Flags().Changed(name) {
				return fmt.Errorf("--%s is only for --against", name)
			}
		}
		return nil
	}
	for _, name := range []string{"charts", "source", "api-versions", "timeout"} {
		if command.Flags().Changed(name) && !a.template {
			return fmt.Errorf("--%s is only for --template", name)
		}
	}
	switch {
	case byKpt:
		return errors.New("--against is for packfn, and not for --kpt")
	case to.dir != "":
		return errors.New("--against writes nothing; remove --to")
	case len(dirs) > 1:
		return fmt.Errorf("--against takes one package, got %d", len(dirs))
	}
	return nil
}

// renderAgainst compares what a package deploys with what another version of it deploys.
func (c *commands) renderAgainst(ctx context.Context, dir string, a *against, o output) error {
	if !kptpackage.IsPackage(dir) {
		return fmt.Errorf("--against: %s has no Kptfile; name the folder of the package", dir)
	}
	before, done, err := render.Earlier(ctx, c.area, dir, a.what, a.template)
	if err != nil {
		return fmt.Errorf("--against: %w", err)
	}
	defer done()
	before.Options = a.deployment.options
	compared, err := c.compare("packfn render --against", &a.deployment, before, check.Deployment{Paths: []string{dir}, Options: a.deployment.options}, a.template)
	if err != nil {
		return err
	}
	r := compared.Report
	r.Counts, r.In = true, dir
	o.appendix = manifestChanges(append(compared.Before, compared.ResourcesBefore), append(compared.After, compared.ResourcesAfter), a.show)
	o.isPrivate = a.show
	return c.print(ctx, o, r)
}
