package cli

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
)

// execFlags are the flags of commands that may run functions of other suites as programs.
type execFlags struct {
	// allow lets packfn run programs at all. functions are the values of --function, and timeout
	// limits each program.
	allow     bool
	functions []string
	timeout   time.Duration
}

// flags adds the flags that allow programs, name them, and limit their time.
func (e *execFlags) flags(command *cobra.Command) {
	flags := command.Flags()
	flags.BoolVar(&e.allow, "allow-exec", false, "run functions of other suites as programs: the programs that --function, packfn.yaml and exec in Kptfiles name")
	flags.StringArrayVar(&e.functions, "function", nil, "a program for a function of another suite, `IMAGE[:TAG]=PROGRAM`; it runs with --allow-exec")
	flags.DurationVar(&e.timeout, "exec-timeout", program.DefaultTimeout, "how long a program may run")
}

// set returns the programs of the flags and of a configuration. The command's context ends what runs.
func (e *execFlags) set(ctx context.Context, file *config.File) (*program.Set, error) {
	s := &program.Set{Allowed: e.allow}
	s.Context, s.Timeout = ctx, e.timeout
	if e.timeout <= 0 {
		return nil, fmt.Errorf("--exec-timeout: must be longer than 0, got %v", e.timeout)
	}
	for _, value := range e.functions {
		if err := s.AddFlag(value); err != nil {
			return nil, fmt.Errorf("--function: %w", err)
		}
	}
	return s, file.AddPrograms(s)
}
