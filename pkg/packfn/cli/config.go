package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
)

// noConfig is the value of --config for no configuration.
const noConfig = "none"

// configuration reads the configuration in effect: the file that --config names, or else the
// nearest file in a folder or its parents, up to the root of the git repository. An empty dir
// means the working directory.
func (c *commands) configuration(dir string) (*config.File, error) {
	root, err := check.RootOf(dir)
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
	return file, found.give(options)
}

// sources are where packs are looked for.
type sources struct {
	// folders are paths, and registries are references oci://HOST/BASE.
	folders    []string
	registries []registry.Reference
}

// configuredSources returns the sources of a flag, or of the configuration in force without it.
func (c *commands) configuredSources(command *cobra.Command, given []string) (*sources, error) {
	file, err := c.noted()
	if err != nil {
		return nil, err
	}
	return c.sources(command, given, file)
}

// sources returns the sources that a flag names, or else the sources in the configuration.
func (c *commands) sources(command *cobra.Command, given []string, file *config.File) (*sources, error) {
	if command.Flags().Changed("source") {
		file = &config.File{PackfnConfig: config.PackfnConfig{Sources: given}}
	} else if err := file.Require("sources"); err != nil {
		return nil, err
	}
	s := &sources{}
	for _, source := range file.Shown() {
		if !registry.Is(source) {
			s.folders = append(s.folders, source)
			continue
		}
		r, err := registry.Parse(source)
		if err != nil {
			return nil, err
		}
		s.registries = append(s.registries, r)
	}
	return s, nil
}

// give puts the sources into the options of a check, which reads of registries only what was
// pulled before.
func (s *sources) give(options *check.Options) (err error) {
	options.Sources = s.folders
	for _, r := range s.registries {
		options.Registries = append(options.Registries, r.String())
	}
	if len(s.registries) > 0 {
		options.Archive, err = s.cached()
	}
	return err
}

// cached returns what finds archives of the registries that were pulled before. It opens no
// connection.
func (s *sources) cached() (func(name, version string) string, error) {
	client, err := registryClient()
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	return func(name, version string) string {
		archive, isKnown := known[name+":"+version]
		if isKnown || version == "" {
			return archive
		}
		for _, base := range s.registries {
			if found, ok := client.Cached(base.Below(name, version)); ok {
				archive = found
				break
			}
		}
		known[name+":"+version] = archive
		return archive
	}, nil
}

// newest returns the newest version of a pack that a tag such as 1.33.x allows: its directory,
// or its archive, which is pulled.
func (s *sources) newest(ctx context.Context, name, tag string) (string, error) {
	local, err := packdir.OpenSources(s.folders)
	if err != nil {
		return "", err
	}
	client, err := registryClient()
	if err != nil {
		return "", err
	}
	versions, remote, failures := s.versions(ctx, local, client, name)
	version := packdir.Newest(tag, versions)
	switch {
	case len(versions) == 0 && len(failures) > 0:
		return "", errors.Join(failures...)
	case len(versions) == 0:
		return "", fmt.Errorf("no source has a pack of the name %s; with --version, name packs of the package, and their sources by --source", name)
	case version == "":
		return "", fmt.Errorf("--version: no version of %s is %s; the sources have %s", name, tag, diag.Names(tag, versions))
	}
	if dir, _ := local.Find(name, version, ""); dir != "" {
		return dir, nil
	}
	return client.Pull(ctx, remote[version])
}

// versions returns the versions of a pack, and the references of versions in registries. It
// queries all registries.
func (s *sources) versions(ctx context.Context, local *packdir.Sources, client *registry.Client, name string) (versions []string, remote map[string]registry.Reference, failures []error) {
	versions, remote = local.Versions(name), map[string]registry.Reference{}
	for _, base := range s.registries {
		there, err := client.Versions(ctx, base.Below(name, ""))
		if err != nil {
			failures = append(failures, err)
		}
		for _, version := range there {
			if _, ok := remote[version]; !ok {
				remote[version] = base.Below(name, version)
			}
		}
		versions = append(versions, there...)
	}
	return versions, remote, failures
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
			for _, row := range configRows(file) {
				at := "default"
				if line := file.Line(row.key); line > 0 {
					at = fmt.Sprintf("%s:%d", file.Path, line)
				}
				rows = append(rows, []string{row.key, cmp.Or(strings.Join(row.values, ", "), "-"), row.flag, at})
			}
			c.table([]string{"KEY", "VALUE", "FLAG", "FROM"}, rows)
			return nil
		},
	}
}

// configRow is a key of the configuration.
type configRow struct {
	// key is the path in packfn.yaml, values are the values in force, and flag is the flag that
	// overrides them.
	key    string
	values []string
	flag   string
}

// configRows returns a row for each key of the configuration with its value, also for keys that the
// file does not have.
//
//	KEY      VALUE  FLAG       FROM
//	sources  -      --source   default
//	failOn   error  --fail-on  default
func configRows(file *config.File) []configRow {
	var severities []string
	for _, id := range slices.Sorted(maps.Keys(file.Severity)) {
		severities = append(severities, id+"="+string(file.Severity[id]))
	}
	var ofScopes []string
	for _, name := range slices.Sorted(maps.Keys(file.Checks.Scopes)) {
		ofScopes = append(ofScopes, file.Checks.Scopes[name]+"="+name)
	}
	var functions []string
	for _, image := range slices.Sorted(maps.Keys(file.Functions)) {
		functions = append(functions, image+"="+file.Functions[image])
	}
	return []configRow{
		{"sources", file.Shown(), "--source"},
		{"catalogs", file.OfCatalogs(), "--catalog"},
		{"exclude", file.Exclude, "--exclude"},
		{"severity", severities, "--severity"},
		{"functions", functions, "--function"},
		{"functionConfigs", file.FunctionConfigs, ""},
		{"programs", []string{file.Programs}, ""},
		{"failOn", file.OfFailOn(), "--fail-on"},
		{"checks.template", []string{fmt.Sprint(file.Checks.Template)}, "--template"},
		{"checks.asWritten", []string{fmt.Sprint(file.Checks.AsWritten)}, "--as-written"},
		{"checks.scopes", ofScopes, "--scope"},
		{"fleet.set", file.Sets(), "--set"},
		{"fleet.upstream", file.Upstreams(), "--upstream"},
	}
}
