package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/packfn/config"
)

// noConfig is the value of --config for no configuration.
const noConfig = "none"

// configuration reads the configuration that is in force: that of --config, or the nearest
// file from the working directory up to the root of the git tree.
func (c *commands) configuration() (*config.File, error) {
	root, err := check.Root()
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
	return config.Find(".", root)
}

// checkFlags are the flags of a command that checks, which win over the configuration.
type checkFlags struct {
	exclude, source []string
	asWritten       bool
}

func (f *checkFlags) add(command *cobra.Command) {
	flags := command.Flags()
	flags.StringArrayVar(&f.exclude, "exclude", nil, "leave out files and folders that match this pattern in the syntax of .gitignore; files of packages are left out by .krmignore")
	flags.StringArrayVar(&f.source, "source", nil, "take the packs of profiles, and charts that judge packs of packages, from the pack directories in this folder")
}

// configure takes what the configuration says of checks, unless a flag of the command says it.
func (c *commands) configure(command *cobra.Command, given checkFlags, options *check.Options) (*config.File, error) {
	file, err := c.configuration()
	if err != nil {
		return nil, err
	}
	options.Configured, options.Rendered = file.Severities(), !file.Checks.AsWritten
	if command.Flags().Changed("as-written") {
		options.Rendered = !given.asWritten
	}
	if options.Excluded, err = file.Excluded(); err == nil && command.Flags().Changed("exclude") {
		if options.Excluded, err = config.Excluded(".", given.exclude); err != nil {
			err = fmt.Errorf("--exclude: %w", err)
		}
	}
	if err != nil {
		return nil, err
	}
	if file.Checks.Template {
		c.note("%s: checks.template has no effect: this packfn does not render charts", file.Path)
	}
	options.Sources = c.sources(command, given.source, file)
	return file, nil
}

// sources are the folders in which packs are looked for.
func (c *commands) sources(command *cobra.Command, given []string, file *config.File) []string {
	sources, all, from := file.Folders(), file.Sources, file.Path
	if command.Flags().Changed("source") {
		sources, all, from = (&config.File{PackfnConfig: config.PackfnConfig{Sources: given}}).Folders(), given, "--source"
	}
	var registries []string
	for _, source := range all {
		if config.IsRegistry(source) {
			registries = append(registries, source)
		}
	}
	if len(registries) > 0 {
		c.note("%s: this packfn does not read registries; left out: %s", from, strings.Join(registries, ", "))
	}
	return sources
}

func (c *commands) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "config",
		Short:   "Print the configuration that is in force, and where it comes from",
		GroupID: "packages",
		Long: `Config prints each key of ` + config.Name + `, its value, and the line that sets it. The nearest
file counts as a whole: in the working directory, or in a folder above it up to the root of
the git tree. --config names another file, or none. Flags of commands win over the file.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			file, err := c.configuration()
			if err != nil {
				return err
			}
			if file.Path == "" && c.config != noConfig {
				c.note("there is no %s in the working directory, nor above it up to the root of the git tree", config.Name)
			}
			var rows [][]string
			for _, row := range configRows(file) {
				at := "default"
				if line := file.Line(row.key); line > 0 {
					at = fmt.Sprintf("%s:%d", file.Path, line)
				}
				rows = append(rows, []string{row.key, cmp.Or(strings.Join(row.values, ", "), "-"), row.flag, at})
			}
			return c.table([]string{"KEY", "VALUE", "FLAG", "FROM"}, rows)
		},
	}
}

// configRow is a key of the configuration.
type configRow struct {
	key    string
	values []string
	flag   string
}

func configRows(file *config.File) []configRow {
	var severities []string
	for _, id := range slices.Sorted(maps.Keys(file.Severity)) {
		severities = append(severities, id+"="+file.Severity[id])
	}
	return []configRow{
		{"sources", file.Shown(), "--source"},
		{"exclude", file.Exclude, "--exclude"},
		{"severity", severities, "--severity"},
		{"checks.template", []string{fmt.Sprint(file.Checks.Template)}, "--template"},
		{"checks.asWritten", []string{fmt.Sprint(file.Checks.AsWritten)}, "--as-written"},
		{"fleet.set", file.Sets(), "--set"},
		{"fleet.upstream", file.Upstreams(), "--upstream"},
	}
}
