package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/folder"
	"github.com/krm-packs/functions/pkg/packfn/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/packdir"
	"github.com/krm-packs/functions/pkg/packfn/staging"
	"github.com/krm-packs/functions/pkg/packfn/terraform"
	"github.com/krm-packs/functions/pkg/packfn/transfer"
)

func (c *commands) importCommand() *cobra.Command {
	var options transfer.Options
	var to, form, profile string
	var names, given []string
	command := &cobra.Command{
		Use:     "import PATH… --to PACKAGE",
		Short:   "Import pack directories and cluster profiles into a package",
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

A cluster profile that Palette exported, profile.json, becomes a ClusterProfile and one
resource for each of its packs, with the values of the profile. The rest of a pack comes from
the pack directories below --source, by name and version. packfn export --as profile is the
way back.

A profile in Terraform, main.tf, is imported as far as it is constant: literals, heredocs,
locals and file(). What is not constant is named with its place, and its pack is left out.`,
		Example: "  packfn import packs/vault-0.6.0 packs/cni-1.2.0 --to platform --kptfile\n  packfn import profile.json --source packs --to platform",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
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
			dirs, err := c.readProfiles(paths, profile, &options)
			if err == nil && len(options.Profiles) > 0 {
				var found *sources
				if found, err = c.configuredSources(cmd, given); err == nil {
					options.Sources, err = c.openSources(cmd.Context(), found)
				}
			}
			if err == nil {
				dirs, err = c.pulled(cmd.Context(), dirs)
			}
			if err != nil {
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
	flags.StringArrayVar(&given, "source", nil, "take the packs of profiles from the pack directories below this folder")
	flags.StringVar(&profile, "profile", "", "the label of the profile's resource, if a Terraform file has several")
	flags.StringArrayVar(&names, "name", nil, "NEW=DIR: the name of the file and the resource for a directory")
	flags.BoolVar(&options.Force, "force", false, "replace packs whose directories have changed; presets are carried over")
	flags.BoolVar(&options.Kptfile, "kptfile", false, "write a Kptfile with a pipeline for the packs, if there is none")
	flags.BoolVar(&options.Exec, "exec", false, "the functions of the Kptfile are programs, not images; implies --kptfile")
	command.MarkFlagRequired("to")
	return command
}

// openSources finds the packs of sources. Those of registries are pulled when they are asked
// for; one that cannot be got is in no source, and a note says why.
func (c *commands) openSources(ctx context.Context, found *sources) (*packdir.Sources, error) {
	sources, err := packdir.OpenSources(found.folders)
	if err != nil || len(found.registries) == 0 {
		return sources, err
	}
	client, err := registryClient()
	sources.Archive = func(name, version string) string {
		var failures []error
		for _, base := range found.registries {
			r := base.Below(name, version)
			archive, ok := client.Cached(r)
			if ok {
				return archive
			}
			archive, err := client.Pull(ctx, r)
			if err == nil {
				return archive
			}
			failures = append(failures, err)
		}
		c.note("%s", errors.Join(failures...))
		return ""
	}
	return sources, err
}

// readProfiles reads the cluster profiles among paths, and returns the others. label names
// the profile of a Terraform file.
func (c *commands) readProfiles(paths []string, label string, options *transfer.Options) (dirs []string, err error) {
	var failures []error
	var notes []string
	for _, path := range paths {
		if ext := filepath.Ext(path); !isFile(path) || ext != ".json" && ext != ".tf" {
			dirs = append(dirs, path)
			continue
		}
		text, err := folder.ReadText(path)
		var profile *transfer.Profile
		switch {
		case err != nil:
		case filepath.Ext(path) == ".tf":
			var read *terraform.Profile
			if read, err = terraform.Read(path, text, label); err == nil {
				notes = append(notes, read.Notes...)
				profile, err = transfer.NewProfile(path, nil, read.Document)
			}
		default:
			profile, err = transfer.ReadProfile(path, text)
		}
		failures = append(failures, err)
		options.Profiles = append(options.Profiles, profile)
	}
	if err := errors.Join(failures...); err != nil {
		return nil, err
	}
	c.noteAll(notes)
	return dirs, nil
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
	var to, form, profile string
	var effective, force bool
	command := &cobra.Command{
		Use:     "export PACKAGE --to DIR",
		Short:   "Write the packs of a package as pack directories, or as a cluster profile",
		GroupID: "packages",
		Long: `Export writes the files of each pack to DIR/NAME. NAME is the name of the pack's resource.
After "import --exact" the files are the same byte for byte. With --effective, values.yaml
has the values that are deployed: the mutators of the package's pipelines have run
(presets, macros), and the overrides are merged. Packs and overrides that wait for injection
are refused. The package is not changed.

With --as profile it writes the ClusterProfile of the package and its packs as the JSON that
Palette imports, to the file --to or to standard output. If nothing was changed since
packfn import, the JSON is equal, as data, to what was imported.`,
		Example: "  packfn export platform --to packs\n  packfn export platform --as profile --to profile.json",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := readPath(args[0])
			if err != nil {
				return err
			}
			c.noteOutside(p)
			switch {
			case form == "profile":
				return c.exportProfile(cmd, p, profile, to, effective, force)
			case form != "packs":
				return fmt.Errorf("--as: got %q; want packs or profile", form)
			case to == "":
				return errors.New("--to is missing: name the folder for the pack directories")
			}
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
	flags.StringVar(&to, "to", "", "the folder for the pack directories (required), or the file for the profile")
	flags.StringVar(&form, "as", "packs", "what to write: packs or profile")
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

// apply writes what a command planned, and prints its notes.
func (c *commands) apply(cmd *cobra.Command, plan *transfer.Plan) error {
	if err := c.area.Write(cmd.Context(), plan.Changes); err != nil {
		return err
	}
	c.noteAll(plan.Notes)
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
