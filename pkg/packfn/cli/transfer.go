package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
	"github.com/krm-packs/functions/pkg/packfn/internal/sources"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
)

func (c *commands) importCommand() *cobra.Command {
	var options transfer.Options
	var to, form, profile string
	var names, given, scope []string
	command := &cobra.Command{
		Use:     "import PATH… --to PACKAGE",
		Short:   "Import pack directories, cluster profiles, bundles of OLM and Capact manifests into a package",
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
since, the import is an error; use packfn upgrade or --force.

With --as facts, PATH is a Helm chart, a folder or an archive. What it reads becomes a ConfigMap, by
which validate-pack-values checks the Helm releases of the package.

A cluster profile that Palette exported, profile.json, becomes a ClusterProfile and one
resource for each of its packs, with the values of the profile. The rest of a pack comes from
the pack directories below --source, by name and version. packfn export --as profile is the
way back.

A profile in Terraform, a folder or a file *.tf in it, is imported as far as it is constant:
variables with values, locals, functions of texts, and the values of packs that --source has.
What is not constant is named with its place, and its pack is left out.

A bundle directory of OLM becomes a ConfigMap of its metadata and its ClusterServiceVersion, in
PACKAGE/NAME. The bundles of a file-based catalog become one ConfigMap. Bundles in a package are
those that are installed.

Capact's own files become resources for select-implementations: manifests (OCF), policies as
Capact's documentation writes them, and TypeInstances as capact typeinstance get -o yaml prints
them, without their values. A policy has the scope GLOBAL unless --scope says another one.`,
		Example: "  packfn import packs/vault-0.6.0 packs/cni-1.2.0 --to platform --kptfile\n  packfn import profile.json --source packs --to platform",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			switch options.Form = transfer.Form(form); options.Form {
			case transfer.ConfigMap, transfer.Pack:
			case transfer.ChartFacts:
				plan, err := transfer.ImportCharts(to, paths, options.Force)
				if err != nil {
					return err
				}
				return c.apply(cmd, plan)
			default:
				return wrongValue("as", form, []string{"configmap", "pack", "facts"})
			}
			if options.Exec {
				options.Kptfile = true
			}
			var err error
			if options.Names, err = parseNames(names); err != nil {
				return err
			}
			profiles, dirs := []string(nil), []string(nil)
			policies, err := scopes(scope)
			if err == nil {
				profiles, dirs, err = options.Take(paths, policies, registry.Is, c.note)
			}
			if err == nil && len(profiles) > 0 {
				var found *sources.Sources
				if found, err = c.configuredSources(cmd, given); err == nil {
					options.Sources, err = found.Open(cmd.Context(), c.note)
				}
			}
			if err == nil {
				err = options.ReadProfiles(profiles, profile, c.evaluator(), c.note)
			}
			if err == nil {
				dirs, err = c.pulled(cmd.Context(), dirs)
			}
			if err != nil {
				return err
			}
			options.Progress = c.bar.Set
			plan, err := transfer.Import(to, dirs, options)
			if err != nil {
				return err
			}
			return c.apply(cmd, plan)
		},
	}
	flags := command.Flags()
	flags.StringVar(&to, "to", "", "the folder of the package (required)")
	flags.StringVar(&form, "as", string(transfer.ConfigMap), "the kind of resource: configmap or pack; or facts: PATH is a Helm chart, and what it reads is written")
	flags.BoolVar(&options.Exact, "exact", false, "keep every byte of the files")
	flags.BoolVar(&options.NoCharts, "no-charts", false, "leave out what the charts and manifests of packs read, and with it the checks of values by them")
	listFlag(flags, &options.With, "with", "take this text file of the directories along, too")
	flags.StringArrayVar(&given, "source", nil, "take the packs of profiles from the pack directories below this folder")
	addScope(command, &scope)
	flags.StringVar(&profile, "profile", "", "the label of the profile's resource, if a Terraform folder has several")
	flags.StringArrayVar(&names, "name", nil, "NEW=DIR: the name of the file and the resource for a directory")
	flags.BoolVar(&options.Force, "force", false, "replace packs whose directories have changed; their presets are applied again")
	flags.BoolVar(&options.DiscardEdits, "discard-edits", false, "with --force: drop your edits of the packs' values, and of other files that changed")
	flags.BoolVar(&options.Kptfile, "kptfile", false, "write a Kptfile with a pipeline for the packs, if there is none")
	flags.BoolVar(&options.Exec, "exec", false, "the functions of the Kptfile are programs, not images; implies --kptfile")
	command.MarkFlagRequired("to")
	return command
}

// parseNames reads the flag --name, and returns names by directory.
func parseNames(flags []string) (map[string]string, error) {
	names := map[string]string{}
	for _, flag := range flags {
		name, dir, ok := strings.Cut(flag, "=")
		if !ok || dir == "" {
			return nil, fmt.Errorf("--name %s: want NEW=DIR", flag)
		}
		if err := checkName(name); err != nil {
			return nil, fmt.Errorf("--name %s: %w", flag, err)
		}
		names[filepath.Clean(dir)] = name
	}
	return names, nil
}

// apply writes the changes of a plan, and prints its notes.
func (c *commands) apply(cmd *cobra.Command, plan *transfer.Plan) error {
	if err := c.area.Write(cmd.Context(), plan.Changes); err != nil {
		return err
	}
	c.noteAll(plan.Notes)
	return nil
}

// isFile reports whether a path exists and is not a folder.
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
