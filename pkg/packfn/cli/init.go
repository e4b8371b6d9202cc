package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
)

func (c *commands) initCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "init",
		Short:   "Print a resource to start from",
		GroupID: "packages",
		Long: `Init prints resources to start from, made of what the packs of a package need. It writes no
file.`,
		Args: c.noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	name := "cluster"
	cluster := &cobra.Command{
		Use:   "cluster [PACKAGE…]",
		Short: "Print a ClusterContext with what packs ask of their cluster",
		Long: `Init cluster reads the packs of PACKAGE, the default is the working directory, and prints a
ClusterContext with a place for each fact that they ask for: each fact, variable and macro that their
values read, the version of Kubernetes, and machine pools of the roles that they request. Comments say
which pack asks, and for what.

Only you know the facts: replace ` + inventory.Unknown + `. Standard error lists them. Functions report what
you did not replace (input/placeholder).`,
		Example: "  packfn init cluster platform > platform/cluster.yaml",
		RunE: func(_ *cobra.Command, paths []string) error {
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
			text, notes := asked.Text(name)
			c.noteAll(notes)
			fmt.Fprint(c.out, text)
			return nil
		},
	}
	cluster.Flags().StringVar(&name, "name", name, "the name of the ClusterContext")
	command.AddCommand(cluster)
	return command
}
