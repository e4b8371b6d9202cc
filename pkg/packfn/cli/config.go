package cli

import (
	"cmp"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sources"
)

// noConfig is the value of --config for no configuration.
const noConfig = "none"

// configuration reads the configuration in effect: the file that --config names, or else the
// nearest file in a folder or its parents, up to the root of the git repository. An empty dir
// means the working directory.
func (c *commands) configuration(dir string) (*config.File, error) {
	root, err := report.RootOf(dir)
	switch {
	case err != nil:
		return nil, err
	case c.config == noConfig:
		return &config.File{}, nil
	case c.config != "":
		file, err := config.Read(c.config, root)
		if err != nil {
			return nil, fmt.Errorf("--config: %w", err)
		}
		return file, nil
	}
	return config.Find(cmp.Or(dir, "."), root)
}

// noted is [commands.configuration] of the working directory for commands without a report of a check, which
// has files with almost its name.
func (c *commands) noted() (*config.File, error) {
	file, err := c.configuration("")
	if err != nil {
		return nil, err
	}
	for _, name := range file.Unused {
		c.note("%s is not used, because the configuration of packfn is %s; rename it", name, config.Name)
	}
	return file, nil
}

// checkFlags are the flags of a command that checks, which win over the configuration.
type checkFlags struct {
	// dir is the folder where the search for the configuration starts. "" means the working
	// directory.
	dir string
	// exclude, source and scope are the flags of these names.
	exclude, source []string
	scope           []string
	// asWritten checks packages as they are in the files, without a render. template also renders
	// charts.
	asWritten, template bool
	// renders is true if the command renders charts according to the configuration, without a
	// flag.
	renders    bool
	templating templating
}

// add adds the flags that most commands with checks share.
func (f *checkFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out files and folders that match this pattern in the syntax of .gitignore; files of packages are left out by .krmignore")
	flags.StringArrayVar(&f.source, "source", nil, "take the packs of profiles, and the charts of packs in packages and of Helm releases, from this folder")
	addScope(command, &f.scope)
}

// addScope adds the flag --scope to a command.
func addScope(command *cobra.Command, scope *[]string) {
	command.Flags().StringArrayVar(scope, "scope", nil, "SCOPE or SCOPE=FILE: the scope of the policies of Capact that are no resources, or of those in a file: "+diag.OneOf(capact.ScopeNames)+" (default GLOBAL)")
	command.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions(capact.ScopeNames, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace))
}

// scopes reads the flag --scope.
func scopes(given []string) (capact.Scopes, error) {
	read, err := capact.ParseScopes(given)
	for _, text := range given {
		_, file, isOfFile := strings.Cut(text, "=")
		if _, missing := os.Stat(file); err == nil && isOfFile && missing != nil {
			err = fmt.Errorf("%s: no such file", file)
		}
	}
	if err != nil {
		err = fmt.Errorf("--scope: %w", err)
	}
	return read, err
}

// configure applies the settings of checks in the configuration, unless a flag of the command
// overrides them.
func (c *commands) configure(command *cobra.Command, given checkFlags, options *check.Options) (*config.File, error) {
	file, err := c.configuration(given.dir)
	if err != nil {
		return nil, err
	}
	if !command.Flags().Changed("catalog") {
		options.Catalogs = file.OfCatalogs()
		if err := file.Require("catalogs"); err != nil {
			return nil, err
		}
	}
	options.Configured, options.Rendered = file.Severity, !file.Checks.AsWritten
	options.Unused = file.Unused
	if command.Flags().Changed("as-written") {
		options.Rendered = !given.asWritten
	}
	if options.Excluded, err = file.Excluded(); err == nil && command.Flags().Changed("exclude") {
		if options.Excluded, err = config.Excluded(".", given.exclude); err != nil {
			err = fmt.Errorf("--exclude: %w", err)
		}
	}
	if err == nil && command.Flags().Changed("scope") {
		options.Scopes, err = scopes(given.scope)
	} else if err == nil {
		options.Scopes, err = file.Scopes()
	}
	if err != nil {
		return nil, err
	}
	if !command.Flags().Changed("template") {
		given.template = file.Checks.Template && (given.renders || command.Flags().Lookup("template") != nil)
	}
	if given.template {
		if options.Template, err = c.deployer(&given.templating); err != nil {
			return nil, err
		}
	}
	found, err := c.sources(command, given.source, file)
	if err != nil {
		return nil, err
	}
	return file, give(found, options)
}

// configuredSources returns the sources of a flag, or of the configuration in force without it.
func (c *commands) configuredSources(command *cobra.Command, given []string) (*sources.Sources, error) {
	file, err := c.noted()
	if err != nil {
		return nil, err
	}
	return c.sources(command, given, file)
}

// sources returns the sources that a flag names, or else the sources in the configuration.
func (c *commands) sources(command *cobra.Command, given []string, file *config.File) (*sources.Sources, error) {
	if command.Flags().Changed("source") {
		file = &config.File{PackfnConfig: config.PackfnConfig{Sources: given}}
	} else if err := file.Require("sources"); err != nil {
		return nil, err
	}
	return sources.Parse(file.Shown())
}

// give puts sources into the options of a check, which reads of registries only what was pulled before.
func give(found *sources.Sources, options *check.Options) (err error) {
	options.Sources = found.Folders
	for _, r := range found.Registries {
		options.Registries = append(options.Registries, r.String())
	}
	if len(found.Registries) > 0 {
		options.Archive, err = found.Cached()
	}
	return err
}

func (c *commands) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "config",
		Short:   "Print the configuration that is in force, and where it comes from",
		GroupID: "packages",
		Long: `Config prints each key of ` + config.Name + `, its value, and the line that sets it. The nearest
file is used as a whole: in the working directory, or in a folder above it up to the root of
the git tree. --config names another file, or none. Flags of commands take precedence over the file.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, err := c.noted()
			if err != nil {
				return err
			}
			if file.Path == "" && c.config != noConfig {
				c.note("there is no %s in the working directory, nor above it up to the root of the git tree", config.Name)
			}
			var rows [][]string
			for _, row := range file.Settings() {
				at := "default"
				if line := file.Line(row.Key); line > 0 {
					at = fmt.Sprintf("%s:%d", file.Path, line)
				}
				rows = append(rows, []string{row.Key, cmp.Or(strings.Join(row.Values, ", "), "-"), row.Flag, at})
			}
			c.table([]string{"KEY", "VALUE", "FLAG", "FROM"}, rows)
			return nil
		},
	}
}
