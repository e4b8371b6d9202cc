package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/render"
)

// stream is the value of --to for the standard output.
const stream = "-"

// renderTo holds the flags for a rendered package that is not written back to its files.
type renderTo struct {
	// dir is a folder, or [stream].
	dir string
	// deployable leaves out what kpt does not apply to a cluster.
	deployable bool
}

func (r *renderTo) flags(command *cobra.Command) {
	command.Flags().StringVar(&r.dir, "to", "", "write the files of the rendered package to this folder, which must be absent or empty, or with - one stream to standard output")
	command.Flags().BoolVar(&r.deployable, "deployable", false, "leave out the Kptfile, files of kustomize, functionConfigs and local-config; needs --to")
}

// validate reports flags that do not fit together. dirs are the packages to render.
func (r *renderTo) validate(byKpt bool, dirs []string) error {
	switch {
	case r.dir == "" && r.deployable:
		return errors.New("--deployable: want --to with a folder or -")
	case r.dir == "":
		return nil
	case byKpt:
		return errors.New("--to is for packfn; give kpt its flag --output after --")
	case len(dirs) > 1:
		return fmt.Errorf("--to takes one package, got %d", len(dirs))
	case r.dir != stream && parents.IsWithin(r.dir, dirs[0]):
		return fmt.Errorf("--to: %s is in the package %s, which would have it as its content; name another folder", r.dir, dirs[0])
	}
	return nil
}

// renderTo renders a package elsewhere. If functions find errors, nothing is written.
func (c *commands) renderTo(ctx context.Context, dir string, to renderTo, o output, programs *program.Set) error {
	options, err := c.rendering(programs)
	if err != nil {
		return err
	}
	o.besides = to.dir == stream
	rendered, err := render.Package(dir, to.deployable, options)
	switch {
	case err != nil:
		return err
	case !rendered.IsRendered:
		return c.print(ctx, o, rendered.Report)
	case to.dir == stream:
		c.out.Write(rendered.Stream())
	default:
		files := rendered.Files()
		if err := c.area.WriteTree(ctx, to.dir, files); err != nil {
			return fmt.Errorf("--to: %w", err)
		}
		c.note("%s: %s, %s written", to.dir, rendered.Ran, diag.Count(len(files), "file"))
	}
	if rendered.IsEmpty() {
		c.note("%s: no resource is left", dir)
	}
	return c.print(ctx, o, rendered.Report)
}
