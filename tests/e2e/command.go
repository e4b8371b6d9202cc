package e2e

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// limit is the time after which a client is taken to hang.
const limit = 10 * time.Minute

// execution is what a command did.
type execution struct {
	command        string // as one would type it
	exit           int
	stdout, stderr string
}

// execute runs a program in a folder, with further environment variables. The error is for a program that could not be
// run, or did not end by itself; an exit code is not an error.
func execute(dir string, env []string, program string, args ...string) (execution, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	command := exec.CommandContext(ctx, program, args...)
	command.Dir = dir
	command.Env = append(os.Environ(), env...)
	command.WaitDelay = time.Second
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err := command.Run()
	done := execution{
		command: strings.Join(append([]string{program}, args...), " "),
		stdout:  stdout.String(),
		stderr:  stderr.String(),
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return done, fmt.Errorf("%s: no end after %v", done.command, limit)
	case errors.As(err, &exit) && exit.Exited():
		done.exit = exit.ExitCode()
		return done, nil
	case err != nil:
		return done, fmt.Errorf("%s: %w", done.command, err)
	}
	return done, nil
}

// succeed is execute for commands that must exit 0.
func succeed(dir string, env []string, program string, args ...string) (execution, error) {
	done, err := execute(dir, env, program, args...)
	if err == nil && done.exit != 0 {
		err = fmt.Errorf("%s: exit %d\n%s%s", done.command, done.exit, done.stdout, done.stderr)
	}
	return done, err
}
