package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
)

// fleetManifests adds the findings about changes of rendered manifests to a preview, and returns these changes.
func (c *commands) fleetManifests(ctx context.Context, p *preview.Preview, d *deployment, run fleetRun) (string, error) {
	deployer, err := c.deployer(&d.templating)
	if err != nil {
		return "", err
	}
	defer deployer.Renderer.Close()
	d.options.Template, d.options.Shared = deployer, &check.Shared{}
	manifests := fleet.Manifests{Before: run.against, Check: d.options, ShowValues: run.show, Area: c.area, Progress: c.bar.Set}
	return manifests.Compare(ctx, p)
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
