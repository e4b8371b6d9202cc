package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/function"
)

func (c *commands) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cobra.NoArgs,
		Run:   func(*cobra.Command, []string) { fmt.Fprintln(c.out, "packfn "+function.Version()) },
	}
}
