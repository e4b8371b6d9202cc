package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/parents"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

func (c *commands) exportCommand() *cobra.Command {
	var to, form, profile string
	var effective, force bool
	forms := []string{"packs", "helm", "profile"}
	command := &cobra.Command{
		Use:     "export PACKAGE --to DIR",
		Short:   "Write the packs of a package as pack directories, for Helm, or as a cluster profile",
		GroupID: "packages",
		Long: `Export writes the files of each pack to DIR/NAME. NAME is the name of the pack's resource.
After "import --exact" the files are the same byte for byte. With --effective, values.yaml
has the values that are deployed: the mutators of the package's pipelines have run
(presets, macros), and the overrides are merged. Packs and overrides that are pending
are rejected. The package is not changed.

With --as helm it writes the effective values of each chart to DIR/NAME/CHART/values.yaml, for
helm upgrade -f, Flux and Argo CD, and a README.md with the names, versions and digests of the
charts.

With --as profile it writes the ClusterProfile of the package and its packs as the JSON that
Palette imports, to the file --to or to standard output. If nothing was changed since
packfn import, the JSON is equal, as data, to what was imported.`,
		Example: "  packfn export platform --to packs\n  packfn export platform --as helm --to values\n  packfn export platform --as profile --to profile.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := readPath(args[0])
			if err != nil {
				return err
			}
			switch {
			case form == "profile":
				return c.exportProfile(cmd, p, profile, to, effective, force)
			case !slices.Contains(forms, form):
				return wrongValue("as", form, forms)
			case to == "":
				return errors.New("--to is missing: name the folder for the files of packs")
			}
			if err := outsideOfPackages(to, filepath.Join(to, "values.yaml")); err != nil {
				return err
			}
			packs, what, notes := []transfer.Exported(nil), "packs", []string(nil)
			switch {
			case form == "helm":
				what = "packs with charts"
				packs, notes, err = transfer.Helm(p, c.program.Functions)
			case effective:
				packs, err = transfer.Effective(p, c.program.Functions)
			default:
				packs, err = transfer.Packs(p)
			}
			if err != nil {
				return err
			}
			if len(packs) == 0 {
				return fmt.Errorf("%s has no %s", args[0], what)
			}
			plan, err := transfer.Export(to, packs, force)
			if err != nil {
				return err
			}
			plan.Notes = append(plan.Notes, notes...)
			return c.apply(cmd, plan)
		},
	}
	flags := command.Flags()
	flags.StringVar(&to, "to", "", "the folder for the files of packs (required), or the file for the profile")
	flags.StringVar(&form, "as", forms[0], "what to write: "+diag.OneOf(forms))
	command.RegisterFlagCompletionFunc("as", cobra.FixedCompletions(forms, cobra.ShellCompDirectiveNoFileComp))
	flags.StringVar(&profile, "profile", "", "the ClusterProfile to write, if there are several")
	flags.BoolVar(&effective, "effective", false, "write the values that result")
	flags.BoolVar(&force, "force", false, "replace files that have other content")
	return command
}

// exportProfile writes a ClusterProfile as Palette exports it.
func (c *commands) exportProfile(cmd *cobra.Command, p *kptpackage.Package, name, to string, effective, force bool) error {
	var functions []function.Function
	if effective {
		functions = c.program.Functions
	}
	text, notes, err := transfer.ExportProfile(p, name, functions)
	if err != nil {
		return err
	}
	plan := &transfer.Plan{Notes: notes}
	if kptpackage.IsRead(to) {
		if err := outsideOfPackages(to, to); err != nil {
			return err
		}
	}
	if to == "" {
		c.out.Write(text)
	} else if before, readErr := folder.ReadText(to); readErr == nil && !bytes.Equal(before, text) && !force {
		return fmt.Errorf("%s is there already with other content; use --force to replace it", to)
	} else if readErr != nil && !errors.Is(readErr, os.ErrNotExist) {
		return readErr
	} else {
		plan.Changes = []staging.Change{{Path: to, Text: text}}
		plan.Notes = append(plan.Notes, to+": a cluster profile")
	}
	return c.apply(cmd, plan)
}

// outsideOfPackages returns an error if a file to export is inside a package, because kpt would
// read the file, and rejects files that are not resources. to is the value of --to.
func outsideOfPackages(to, file string) error {
	real, err := parents.Real(file)
	if err != nil {
		return err
	}
	pkg, err := kptpackage.Around(real)
	if err != nil || pkg == "" {
		return err
	}
	if here, err := parents.Real("."); err == nil {
		if relative, err := filepath.Rel(here, pkg); err == nil {
			pkg = relative
		}
	}
	return fmt.Errorf("--to: %s is in the package %s, which would have what is exported as its resources; name another place, or one that its .krmignore names", to, pkg)
}
