// Program kpt is the real `kpt fn`, `kpt pkg get` and `kpt pkg update`, at the version that this module pins, without the
// rest of kpt: the other commands need a module that the Go module proxy does not have. `kpt version` prints the pinned
// version.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/commands/pkg/get"
	"github.com/kptdev/kpt/commands/pkg/update"
	kpterrors "github.com/kptdev/kpt/pkg/lib/errors"
	"github.com/kptdev/kpt/pkg/lib/errors/resolver"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
)

func main() {
	root := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true}
	root.PersistentFlags().BoolVar(&printer.TruncateOutput, "truncate-output", true, "truncate the output of functions")
	ctx := printer.WithContext(context.Background(), printer.New(root.OutOrStdout(), root.ErrOrStderr()))
	packages := &cobra.Command{Use: "pkg", Short: "Get and update packages"}
	packages.AddCommand(get.NewCommand(ctx, "kpt"), update.NewCommand(ctx, "kpt"))
	root.AddCommand(fn.GetCommand(ctx, "kpt"), packages, &cobra.Command{
		Use:   "version",
		Short: "Print the version of kpt that the commands come from",
		Run:   func(*cobra.Command, []string) { fmt.Println(version()) },
	})
	if err := root.Execute(); err != nil {
		os.Exit(report(err))
	}
}

// version is the version of the kpt module that is linked in, without its leading v, as a released kpt prints its own.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/kptdev/kpt" {
				return strings.TrimPrefix(dep.Version, "v")
			}
		}
	}
	return "unknown"
}

// report prints an error as kpt's own main does, and returns the exit code.
func report(err error) int {
	if resolved, ok := resolver.ResolveError(err); ok {
		if resolved.Message != "" {
			fmt.Fprintf(os.Stderr, "%s \n", resolved.Message)
		}
		return resolved.ExitCode
	}
	var kptErr *kpterrors.Error
	if errors.As(err, &kptErr) {
		if cause, ok := kpterrors.UnwrapErrors(kptErr); ok {
			err = cause
		}
	}
	fmt.Fprintf(os.Stderr, "Error: %s \n", err)
	return 1
}
