package cli

import (
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp"
	"github.com/krm-packs/functions/pkg/values"
)

// rulePages is the page of all rules; each has a heading without its slash.
const rulePages = "https://github.com/krm-packs/functions/blob/main/docs/rules.md#"

func (c *commands) lspCommand() *cobra.Command {
	command := &cobra.Command{
		Use:     "lsp",
		Short:   "Serve an editor: findings while they are typed, and their fixes",
		GroupID: "packages",
		Long: `Lsp is a language server (LSP 3.17) on standard input and output. An editor starts it in the
folder of the workspace. It shows what packfn check finds in the packages and pack directories
of the workspace, from the buffers as they are, and offers what packfn fix writes. It completes
and explains values, names and macros, and leads to where they are defined and used. It writes
no file.`,
		Args: cobra.NoArgs,
	}
	command.RunE = func(cmd *cobra.Command, _ []string) error {
		c.bar.End()
		defer heap.Server.Set()()
		values.KeepRecent(lsp.RecentBytes, lsp.RecentBytes)
		defer values.KeepRecent(0, 0)
		s := lsp.New(lsp.Options{
			Functions: c.program.Functions,
			Check: func(folder string) (check.Options, error) {
				options := check.Options{Functions: c.program.Functions, Evaluator: c.evaluator()}
				_, err := c.configure(command, checkFlags{dir: folder, renders: true, templating: templating{timeout: helm.DefaultTimeout}}, &options)
				return options, err
			},
			Schemas: c.program.Schemas, Version: function.Version(), RulePage: func(id string) string { return rulePages + strings.ReplaceAll(id, "/", "") },
		})
		return s.Serve(cmd.InOrStdin(), noCloser{c.out})
	}
	return command
}

// noCloser is the standard output of the server, which it does not close.
type noCloser struct{ io.Writer }

func (noCloser) Close() error { return nil }
