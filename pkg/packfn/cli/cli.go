// Package cli has the commands of packfn other than the functions.
//
// # The way of a command
//
// [Main] makes the commands, and runs the one that the arguments name. A command takes its options
// from the flags and from packfn.yaml (config.go), calls a package of pkg/packfn/internal, and prints
// what it returns: a report (check.go) or a list (inventory.go). Changes of files are made by package
// staging, all or none. Messages go to standard error, results to standard output, and a line with the
// progress to a terminal.
//
// A command ends with the exit code 0 without errors, 1 if there are findings of severity error, and 2
// if it could not run.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/internal/memory"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/packfn/internal/lsp/protocol"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/terminal"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform/evaluate"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
)

// The exit codes of the commands.
const (
	exitOK       = 0 // no error finding
	exitFindings = 1 // error findings
	exitFailed   = 2 // the command could not run
)

// errFindings ends a command that ran and found errors. It prints nothing.
var errFindings = errors.New("there are findings of severity error")

// RenderCommand is the argument with which a program is the process that renders charts, see package
// helm/engine. It is not a command of this package, which does not link Helm.
const RenderCommand = helm.Command

// EvaluateCommand is the argument with which [Main] is the process that evaluates Terraform.
const EvaluateCommand = terraform.Command

// Program describes the program that contains the commands.
type Program struct {
	// Functions are the functions of the suite, and Docs returns their documents.
	Functions []function.Function
	Docs      func(name string) function.Docs
	// Schemas contains the JSON Schemas of the kinds and documents.
	Schemas fs.FS
	// Self is the command line that starts this program again, as the process that renders charts
	// or evaluates Terraform. If it is empty, the running executable is used.
	Self []string
}

// Main runs the command that args name, and returns the exit code.
func Main(p Program, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	memory.Guard()
	if len(args) == 1 && args[0] == EvaluateCommand { // what packfn starts for Terraform
		return evaluate.Main(stdin, stdout)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	bar := terminal.NewProgress(stderr)
	defer bar.End()
	out := &checkedOutput{Writer: stdout, bar: bar}
	c := &commands{program: p, out: out, notes: bar.Over(stderr), stderr: stderr, bar: bar, area: &staging.Area{}, terminal: terminal.Is(stdout)}
	c.area.Note = func(line string) { c.note("%s", line) }
	c.color = c.terminal && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" // https://no-color.org
	root := c.root()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(c.notes)
	done := make(chan error, 1)
	go func() {
		err := root.ExecuteContext(ctx)
		done <- cmp.Or(out.err, err)
	}()
	select {
	case err := <-done:
		return c.exit(err)
	case <-ctx.Done():
	}
	// A write that has begun is finished; no other begins. What runs is ended.
	c.area.Wait()
	program.Wait()
	select {
	case err := <-done:
		return c.exit(err)
	default:
		c.note("packfn: interrupted")
		return exitFailed
	}
}

// checkedOutput is the standard output. It remembers the first error of a write, which ends
// the run with that error: commands do not look at the errors of their writes.
type checkedOutput struct {
	io.Writer
	// bar is the progress to clear before a write, or nil, and err the first error.
	bar *terminal.Progress
	err error
}

// Write clears the progress and writes. Only the first error is kept.
func (o *checkedOutput) Write(text []byte) (int, error) {
	if o.bar != nil {
		o.bar.Clear(text)
	}
	n, err := o.Writer.Write(text)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("writing the output: %w", err)
	}
	return n, err
}

// commands is one run of packfn.
type commands struct {
	// program is what main links, and out the standard output.
	program Program
	out     *checkedOutput
	// notes are for people: stderr, without the line of the progress.
	notes, stderr io.Writer
	// bar is the line of the progress, and area writes files.
	bar  *terminal.Progress
	area *staging.Area
	// terminal is true if the output is a terminal, and color if it supports colors.
	terminal, color bool
	// config is the flag --config.
	config string
}

// exit prints the error of a command and returns the exit code.
func (c *commands) exit(err error) int {
	switch {
	case err == nil:
		return exitOK
	case errors.Is(err, errFindings):
		return exitFindings
	}
	if edited, ok := errors.AsType[*transfer.EditedError](err); ok {
		c.printError(edited)
		return exitFindings
	}
	if _, ok := errors.AsType[*protocol.ClientError](err); ok { // as the protocol has it
		c.printError(err)
		return exitFindings
	}
	if path, ok := err.(*fs.PathError); ok { // without the name of the system call
		err = fmt.Errorf("%s: %w%s", path.Path, path.Err, nearestFile(path))
	}
	c.printError(err)
	return exitFailed
}

// nearestFile names the file that is probably meant by the path of one that does not exist.
func nearestFile(missing *fs.PathError) string {
	dir, name := filepath.Split(missing.Path)
	entries, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil || !errors.Is(missing, fs.ErrNotExist) {
		return ""
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if name = nearest.Name(name, names); name == "" {
		return ""
	}
	return nearest.Ask(dir + name)
}

// printError prints each of joined errors on its own line.
func (c *commands) printError(err error) {
	if unable, ok := err.(workspace.Unable); ok {
		err = unable.Reasons()
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok && err.Error() == errors.Join(joined.Unwrap()...).Error() {
		for _, one := range joined.Unwrap() {
			c.printError(one)
		}
		return
	}
	c.note("packfn: %s", strings.TrimRight(err.Error(), "\n"))
}

// note prints a line to standard error.
func (c *commands) note(format string, args ...any) { printLine(c.notes, format, args...) }

// noteAll prints lines to standard error.
func (c *commands) noteAll(lines []string) {
	for _, line := range lines {
		c.note("%s", line)
	}
}

// checks returns the options of all commands that check.
func (c *commands) checks() check.Options {
	return check.Options{Functions: c.program.Functions, Evaluator: c.evaluator()}
}

// evaluator returns the process that evaluates Terraform, which is started when it is needed.
func (c *commands) evaluator() *child.Process { return &child.Process{Program: c.program.Self} }

// orHere returns the working directory if no paths are named.
func orHere(paths []string) []string {
	if len(paths) == 0 {
		return []string{"."}
	}
	return paths
}

// say prints a line to standard output.
func (c *commands) say(format string, args ...any) { printLine(c.out, format, args...) }

// printLine prints one line for people. What came from outside cannot make it two, and the
// password of a registry is hidden.
func printLine(out io.Writer, format string, args ...any) {
	fmt.Fprintln(out, registry.Shown(diag.Shown(fmt.Sprintf(format, args...))))
}

// audience returns the audience of the output of a command.
//
// A terminal of a user may show more than a log, which others read, too.
func (c *commands) audience(showValues bool) diag.Audience {
	switch {
	case showValues:
		return diag.All
	case c.terminal && os.Getenv("CI") == "": // runners may have a terminal, whose text is a log
		return diag.Terminal
	}
	return diag.Record
}

// noteMasked says once how to see values that are masked.
func (c *commands) noteMasked(masked bool) {
	if masked {
		c.note("values that may be secrets are masked (%s); --show-values shows them", shown.Hidden)
	}
}

const longHelp = `packfn imports, checks, changes and renders packs in kpt packages.

It also has all pack functions for kpt, kustomize and Porch: "packfn FUNCTION" reads a
ResourceList from standard input, or the named files. A program or link with the name of a
function is that function. If a ResourceList comes in without arguments, packfn runs the
function of the functionConfig's kind.

Exit codes of the commands: 0 no error, 1 error findings, 2 could not run. Functions exit
with 0 or 1.`

// root returns the command packfn with all its subcommands.
func (c *commands) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "packfn",
		Short:         "Check, change and move packs in kpt packages",
		Long:          longHelp,
		Args:          c.noCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(nameFlag)
	root.PersistentFlags().StringVar(&c.config, "config", "", "the configuration file, or none (default: the nearest packfn.yaml up to the root of the git tree)")
	root.AddGroup(&cobra.Group{ID: "packages", Title: "Packages:"}, &cobra.Group{ID: "functions", Title: "Functions:"})
	root.AddCommand(c.importCommand(), c.exportCommand(), c.checkCommand(), c.templateCommand(), c.imagesCommand(), c.renderCommand(), c.fleetCommand(), c.upgradeCommand(), c.fixCommand(), c.reportCommand(), c.initCommand(), c.whyCommand(), c.schemaCommand(), c.explainCommand(), c.listCommand(), c.configCommand(), c.lspCommand(), c.versionCommand())
	for _, command := range root.Commands() {
		nameUsage(command)
		for _, sub := range command.Commands() {
			nameUsage(sub)
		}
		if command.Name() != "fleet" && command.Name() != "report" && command.Name() != "lsp" { // which have growths of their own
			withGrowth(command)
		}
	}
	for _, f := range c.program.Functions {
		root.AddCommand(c.functionCommand(f))
	}
	return root
}

// withGrowth sets the garbage collector for a command with its subcommands.
func withGrowth(command *cobra.Command) {
	if run := command.RunE; run != nil {
		command.RunE = func(cmd *cobra.Command, args []string) error {
			defer heap.Check.Set()()
			return run(cmd, args)
		}
	}
	for _, sub := range command.Commands() {
		withGrowth(sub)
	}
}

// nameUsage adds the usage line to errors about missing arguments and flags of a command.
func nameUsage(command *cobra.Command) {
	accepts := command.Args
	if accepts == nil || command.HasSubCommands() { // noCommand names a wrong subcommand
		return
	}
	command.Args = func(cmd *cobra.Command, args []string) error {
		if accepts(cmd, args) != nil {
			return fmt.Errorf("got %s. Usage: %s. See %s --help", diag.Count(len(args), "argument"), cmd.UseLine(), cmd.CommandPath())
		}
		return nil
	}
	command.PreRunE = func(cmd *cobra.Command, args []string) error {
		if err := cmd.ValidateRequiredFlags(); err != nil {
			return fmt.Errorf("%w. Usage: %s. See %s --help", err, cmd.UseLine(), cmd.CommandPath())
		}
		var empty error
		cmd.Flags().Visit(func(flag *pflag.Flag) {
			if args = append(args, flag.Value.String()); flag.Value.Type() == "string" && flag.Value.String() == "" && empty == nil {
				empty = fmt.Errorf("--%s: the value is empty; give one, or leave the flag out", flag.Name)
			}
		})
		if empty != nil {
			return empty
		}
		for _, arg := range args { // also where no registry can be named
			if registry.Shown(arg) != arg {
				_, err := registry.Parse(arg[strings.Index(arg, registry.Scheme):])
				return err
			}
		}
		return nil
	}
}

// noCommand refuses arguments that are not a command.
func (c *commands) noCommand(parent *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, command := range parent.Commands() {
		names = append(names, command.Name())
	}
	return fmt.Errorf("unknown command %q%s; see %s --help", args[0], nearest.Hint(args[0], names), parent.CommandPath())
}

// functionCommand lists a function in the help. The main program runs it.
func (c *commands) functionCommand(f function.Function) *cobra.Command {
	return &cobra.Command{
		Use:                f.Name + " [FILE…]",
		Short:              c.program.Docs(f.Name).Short(),
		GroupID:            "functions",
		DisableFlagParsing: true,
		RunE: func(*cobra.Command, []string) error {
			return fmt.Errorf("run %s as the first argument", f.Name)
		},
	}
}
