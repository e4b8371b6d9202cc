package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/parameters"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/starter"
	"github.com/krm-packs/functions/pkg/schema"
)

func (c *commands) initCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "init",
		Short:   "Print a file to start from",
		GroupID: "packages",
		Long: `Init makes files to start from, of what it finds in a package or a repository. What only you know
is ` + inventory.Unknown + ` in them, and what is a guess is a comment.`,
		Args: c.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	command.AddCommand(c.initCluster(), c.initOverride(), c.initParameters(), c.initCI(), c.initFunction())
	return command
}

// standardOutput is the file of --output that is no file.
const standardOutput = "-"

// newFile is where a file to start from goes, and the name of the resource in it.
type newFile struct{ file, name string }

// flags adds the flags to a command.
func (n *newFile) flags(command *cobra.Command, resource string) {
	command.Flags().StringVarP(&n.file, "output", "o", "", "write this new file in place of standard output, which is -")
	command.Flags().StringVar(&n.name, "name", n.name, "the name of the "+resource)
}

// check returns an error if the name cannot be one, or the file exists.
func (n *newFile) check() error {
	if err := checkName(n.name); err != nil {
		return fmt.Errorf("--name %s: %w", n.name, err)
	}
	if n.file == standardOutput {
		n.file = ""
	}
	return checkNew(n.file)
}

// checkName returns an error if a text cannot be the name of a resource.
func checkName(name string) error {
	if len(validation.IsDNS1123Subdomain(name)) > 0 {
		return fmt.Errorf("%q is not a name of lower-case letters, digits, '-' and '.'", name)
	}
	return nil
}

// checkNew returns an error if a file exists. The name "" is none.
func checkNew(file string) error {
	_, err := os.Lstat(file)
	switch {
	case file != "" && os.IsPathSeparator(file[len(file)-1]):
		return fmt.Errorf("%s must be a file, got a folder; add the name of the file", file)
	case file == "" || errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%s exists already, and init writes only new files; remove it, or write another file", file)
}

// start prints the text of a file to start from, or writes the file.
func (c *commands) start(cmd *cobra.Command, n *newFile, text string) error {
	if n.file == "" {
		fmt.Fprint(c.out, text)
		return nil
	}
	return c.area.Write(cmd.Context(), []staging.Change{{Path: n.file, Text: []byte(text)}})
}

func (c *commands) initCluster() *cobra.Command {
	to := newFile{name: "cluster"}
	command := &cobra.Command{
		Use:   "cluster [PACKAGE…]",
		Short: "Print a ClusterContext with what packs ask of their cluster",
		Long: `Init cluster reads the packs of PACKAGE, the default is the working directory, and prints a
ClusterContext with a place for each fact that they ask for: each fact, variable and macro that their
values read, the version of Kubernetes, and machine pools of the roles that they request. Comments say
which pack asks, and for what.

Only you know the facts: replace ` + inventory.Unknown + `. Standard error lists them. Functions report what
you did not replace (input/placeholder).`,
		Example: "  packfn init cluster platform --output platform/cluster.yaml",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := to.check(); err != nil {
				return err
			}
			packs, options, err := c.packs(paths)
			if err != nil {
				return err
			}
			var asked inventory.Cluster
			isNamed := map[string]bool{}
			for i := range packs {
				p := &packs[i]
				read, findings := p.Facts()
				for i := range findings {
					c.note("%s: %s", p.Place(options, findings[i].Origin, findings[i].Key, findings[i].Position), findings[i].Message())
				}
				if err := asked.Add(p.Pack, read); err != nil {
					return err
				}
				for _, item := range p.Items() {
					if pack.IsCluster(item) && !isNamed[item.Name()] {
						isNamed[item.Name()] = true
						c.note("there is a ClusterContext already: %s in %s; functions use only one of several if their functionConfig names it", item.Name(), p.Place(options, diag.Whole(item.Resource()), "", diag.Position{}))
					}
				}
			}
			text, notes := asked.Text(to.name)
			c.noteAll(notes)
			return c.start(cmd, &to, text)
		},
	}
	to.flags(command, pack.ClusterContextKind)
	return command
}

func (c *commands) initOverride() *cobra.Command {
	var to newFile
	isAll := false
	command := &cobra.Command{
		Use:   "override PACK [PACKAGE…]",
		Short: "Print a PackValues with the values of a pack that users set, as comments",
		Long: `Init override prints a PackValues for the pack with the name PACK in PACKAGE, the default is the
working directory. It has the values that the pack's schema accepts from users, and the values that
values.yaml explains by a comment; all values if the pack has neither. Each is a comment with its default, what the schema accepts, and the presets that set it.

Remove the # of the values that you set. A value that the pack requires and does not set is no comment:
replace ` + inventory.Unknown + `. A default that may be a secret is not shown.`,
		Example:           "  packfn init override vault platform --name vault-prod --output platform/vault-prod.yaml",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: c.completePack(false),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !cmd.Flags().Changed("name") {
				to.name = kptpackage.ResourceName(args[0]) + "-values"
			}
			if err := to.check(); err != nil {
				return err
			}
			p, options, err := c.packNamed(args[0], args[1:])
			if err != nil {
				return err
			}
			for _, item := range p.Items() {
				if item.Is(pack.GroupVersion, pack.PackValuesKind) && item.Name() == to.name {
					return fmt.Errorf("there is a PackValues %s already: %s; give another --name", to.name, p.Place(options, diag.Whole(item.Resource()), "", diag.Position{}))
				}
			}
			text, open, err := inventory.Starter(p.Pack, to.name, isAll)
			if err != nil {
				return err
			}
			if len(open) > 0 {
				c.note("replace %s in %s: %s", inventory.Unknown, diag.Count(len(open), "value"), strings.Join(open, ", "))
			}
			return c.start(cmd, &to, text)
		},
	}
	to.flags(command, pack.PackValuesKind+" (default PACK-values)")
	command.Flags().BoolVar(&isAll, "all", false, "all values of the pack")
	return command
}

func (c *commands) initParameters() *cobra.Command {
	to := newFile{name: "parameters"}
	command := &cobra.Command{
		Use:   "parameters [PACKAGE]",
		Short: "Print a " + schema.Kind + " that checks the setters of a kpt package",
		Long: `Init parameters reads the setters of a kpt package, the default is the working directory: the values
that its pipeline gives to apply-setters, and the comments # kpt-set: ${NAME} at the fields. It prints a
` + schema.Kind + ` that checks the values. The format of each is a guess from its value of today, as a
comment says: correct it.

Name the file in the Kptfile, as configPath of validate-pack-values.`,
		Example: "  packfn init parameters app --output app/parameters.yaml",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := to.check(); err != nil {
				return err
			}
			dir := orHere(paths)[0]
			p, err := parameters.Read(dir)
			if err != nil {
				return err
			}
			if slices.Contains(p.Names, to.name) {
				return fmt.Errorf("there is a %s %s in %s already; give another --name", schema.Kind, to.name, dir)
			}
			text, err := p.Text(to.name)
			if err != nil {
				return err
			}
			notes := p.Notes(to.file)
			c.noteAll(notes)
			return c.start(cmd, &to, text)
		},
	}
	to.flags(command, schema.Kind)
	return command
}

func (c *commands) initFunction() *cobra.Command {
	return &cobra.Command{
		Use:   "function NAME",
		Short: "Write a new function into a clone of this project",
		Long: `Init function writes a function into the clone of this project around the working directory: its package
with a rule and tests, its program with a README, its functionConfig, examples, a page, and the lines where
the project lists functions. NAME is a verb with its object, such as check-labels: the package is labels, and
the functionConfig CheckLabels.

The function works: it compares the versions of packs with a minimum. Replace that, and each ` + inventory.Unknown + `.
Standard error lists the commands that write what is made from the code. CONTRIBUTING.md explains them.`,
		Example: "  packfn init function check-labels",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			name := args[0]
			for _, command := range cmd.Root().Commands() {
				if command.Name() == name {
					return fmt.Errorf("packfn has the command %s already; choose another name", name)
				}
			}
			f, err := starter.New(name, ".")
			if err != nil {
				return err
			}
			changes, err := f.Changes()
			if err != nil {
				return err
			}
			if err := c.area.Write(cmd.Context(), changes); err != nil {
				return err
			}
			for i := range changes {
				c.note("%s", config.FromHere(changes[i].Path))
			}
			c.note("replace %s where these files contain it. Then run at the root of the clone, and read each diff:", inventory.Unknown)
			for _, step := range f.Steps() {
				c.note("  %s", step)
			}
			return nil
		},
	}
}
