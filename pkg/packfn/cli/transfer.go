package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

func (c *commands) importCommand() *cobra.Command {
	var options transfer.Options
	var to, form string
	var names []string
	command := &cobra.Command{
		Use:     "import DIR… --to PACKAGE",
		Short:   "Import pack directories into a package",
		GroupID: "packages",
		Long: `Import makes one resource from each pack directory and writes it to PACKAGE/NAME.yaml, in
kpt's layout. If a directory contains pack directories, all of them are imported. DIR can also
be an archive NAME-VERSION.tar.gz, or a pack of a registry: oci://HOST/BASE/NAME:VERSION.

The resource has the files that functions read: pack.json, values.yaml, schema.yaml,
presets.yaml, properties.yaml and dependencies.yaml. Whitespace at line ends is removed
where the content stays equal: kpt writes a text that has it as one quoted line.

What the Helm charts and the manifests of the directory read is added as chart-facts.yaml.
validate-pack-values finds with it the values that no chart or manifest reads, and those that
the schema of a chart does not allow. Importing the same directory again renews it.

Faults of presets.yaml are reported with their lines. The pack is imported as it is.

Otherwise a second import of the same directory changes nothing. If the directory has changed
since, the import is an error; use packfn upgrade or --force.`,
		Example: "  packfn import packs/vault-0.6.0 packs/cni-1.2.0 --to platform --kptfile",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, dirs []string) error {
			options.Form = transfer.Form(form)
			if options.Form != transfer.ConfigMap && options.Form != transfer.Pack {
				return fmt.Errorf("--as: got %q; want configmap or pack", form)
			}
			if options.Exec {
				options.Kptfile = true
			}
			var err error
			if options.Names, err = parseNames(names); err != nil {
				return err
			}
			if dirs, err = c.pulled(cmd.Context(), dirs); err != nil {
				return err
			}
			bar := c.progress()
			options.Progress = bar.set
			plan, err := transfer.Import(to, dirs, options)
			bar.end()
			if err != nil {
				return err
			}
			return c.apply(cmd, plan)
		},
	}
	flags := command.Flags()
	flags.StringVar(&to, "to", "", "the folder of the package (required)")
	flags.StringVar(&form, "as", string(transfer.ConfigMap), "the kind of resource: configmap or pack")
	flags.BoolVar(&options.Exact, "exact", false, "keep every byte of the files")
	flags.BoolVar(&options.NoCharts, "no-charts", false, "leave out what the charts and manifests of packs read, and with it the checks of values by them")
	flags.StringSliceVar(&options.With, "with", nil, "take this text file of the directories along, too")
	flags.StringArrayVar(&names, "name", nil, "NEW=DIR: the name of the file and the resource for a directory")
	flags.BoolVar(&options.Force, "force", false, "replace packs whose directories have changed; presets are carried over")
	flags.BoolVar(&options.Kptfile, "kptfile", false, "write a Kptfile with a pipeline for the packs, if there is none")
	flags.BoolVar(&options.Exec, "exec", false, "the functions of the Kptfile are programs, not images; implies --kptfile")
	command.MarkFlagRequired("to")
	return command
}

var resourceName = regexp.MustCompile(`^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$`)

// parseNames reads the flag --name, and returns names by directory.
func parseNames(flags []string) (map[string]string, error) {
	names := map[string]string{}
	for _, flag := range flags {
		name, dir, ok := strings.Cut(flag, "=")
		if !ok || dir == "" {
			return nil, fmt.Errorf("--name %s: want NEW=DIR", flag)
		}
		if !resourceName.MatchString(name) {
			return nil, fmt.Errorf("--name %s: %q is not a name; want lower-case letters, digits, '-' and '.'", flag, name)
		}
		names[filepath.Clean(dir)] = name
	}
	return names, nil
}

func (c *commands) exportCommand() *cobra.Command {
	var to string
	var effective, force bool
	command := &cobra.Command{
		Use:     "export PACKAGE --to DIR",
		Short:   "Write the packs of a package as pack directories",
		GroupID: "packages",
		Long: `Export writes the files of each pack to DIR/NAME. NAME is the name of the pack's resource.
After "import --exact" the files are the same byte for byte. With --effective, values.yaml
has the values that are deployed: the mutators of the package's pipelines have run
(presets, macros), and the overrides are merged. Packs and overrides that wait for injection
are refused. The package is not changed.`,
		Example: "  packfn export platform --to packs",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := readPath(args[0])
			if err != nil {
				return err
			}
			c.noteOutside(p)
			packs, err := transfer.Packs(p)
			if effective {
				packs, err = transfer.Effective(p, c.program.Functions)
			}
			if err != nil {
				return err
			}
			if len(packs) == 0 {
				return fmt.Errorf("%s has no packs", args[0])
			}
			plan, err := transfer.Export(to, packs, force)
			if err != nil {
				return err
			}
			return c.apply(cmd, plan)
		},
	}
	flags := command.Flags()
	flags.StringVar(&to, "to", "", "the folder for the pack directories (required)")
	flags.BoolVar(&effective, "effective", false, "write the values that result")
	flags.BoolVar(&force, "force", false, "replace files that have other content")
	command.MarkFlagRequired("to")
	return command
}

// apply writes what a command planned, and prints its notes.
func (c *commands) apply(cmd *cobra.Command, plan *transfer.Plan) error {
	if err := c.write(cmd.Context(), plan.Changes); err != nil {
		return err
	}
	for _, note := range plan.Notes {
		c.note("%s", note)
	}
	return nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// readPath reads a package or a single file.
func readPath(path string) (*kptpackage.Package, error) {
	if isFile(path) {
		return kptpackage.ReadFile(path)
	}
	return kptpackage.Read(path)
}

// noteOutside names the symbolic links that were not followed.
func (c *commands) noteOutside(p *kptpackage.Package) {
	for _, link := range p.Outside {
		c.note("%s is a symbolic link out of the folder; it is not read", filepath.Join(p.Dir, link))
	}
}
