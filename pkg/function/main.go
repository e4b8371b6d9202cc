package function

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/kptdev/krm-functions-sdk/go/fn"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/internal/memory"
	"github.com/krm-packs/functions/pkg/list"
)

// Docs are the documents of a function, embedded into its program.
type Docs struct {
	// Readme is README.md; --doc prints the parts between its mdtogo markers, and --help the first of them.
	Readme []byte
	// Metadata is metadata.yaml; --doc prints it as JSON.
	Metadata []byte
}

// Main runs a function as a program and returns its exit code: it reads a
// ResourceList from standard input and writes one to standard output, or, when
// files are named, reads those and prints results for people.
func Main(f Function, docs Docs) int {
	memory.Guard()
	return run(f, docs, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
}

// run runs a program with its arguments: a flag, files, or the list on standard input.
func run(f Function, docs Docs, args []string, stdin *os.File, stdout, stderr io.Writer) int {
	if slices.Contains(args, "--help") || slices.Contains(args, "-h") {
		return printHelp(f, docs, stdout, stderr)
	}
	if slices.Contains(args, "--doc") {
		return printDocs(f.Name, docs)
	}
	if slices.Contains(args, "--version") {
		return PrintVersion(f.Name, stdout, stderr)
	}
	for _, arg := range args {
		if strings.HasPrefix(arg, "-") {
			fmt.Fprintf(stderr, "%s: unknown flag %s. Use --help, --doc, --version, or name files to work on\n", f.Name, arg)
			return 1
		}
	}
	if len(args) > 0 {
		return runFiles(f, args, stdout, stderr)
	}
	if isTerminal(stdin) {
		fmt.Fprintf(stderr, "%s: reads a ResourceList from standard input, which is a terminal; run it with kpt fn eval or kpt fn render, name files as arguments, or see --help\n", f.Name)
		return 1
	}
	return serve(f.Name, always(f), stdin, stdout, stderr)
}

// isTerminal reports whether reading would wait for a user to type.
func isTerminal(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

// chooser returns the function for a functionConfig, or a finding that explains why there is none.
type chooser func(config *yaml.Node) (Function, diag.Finding)

// always chooses one function, whatever the functionConfig is.
func always(f Function) chooser {
	return func(*yaml.Node) (Function, diag.Finding) { return f, diag.Finding{} }
}

// serve runs a function over the list on standard input.
func serve(program string, choose chooser, stdin *os.File, stdout, stderr io.Writer) int {
	defer heap.Check.Set()()
	input, err := readAll(stdin, maxInput)
	if err != nil {
		fmt.Fprintf(stderr, "%s: reading standard input: %v\n", program, err)
		return 1
	}
	return filter(program, choose, input, stdout, stderr)
}

// filter runs a function over a list as text. Without a function, and should the harness itself fail, the list
// leaves as it came: a client that finds none deletes the package.
func filter(program string, choose chooser, input []byte, stdout, stderr io.Writer) (code int) {
	asItCame := func(finding diag.Finding) int {
		stdout.Write(input)
		fmt.Fprintf(stderr, "%s: %s\n", program, finding.Message())
		return 1
	}
	defer func() {
		if cause := recover(); cause != nil {
			code = asItCame(panicFinding(cause, diag.Resource{}))
		}
	}()
	l, err := list.Read(input)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %s\n", program, diag.OneLine(err.Error()))
		return 1
	}
	f, finding := choose(l.Config())
	if finding.Found != "" {
		return asItCame(finding)
	}
	program = f.Name
	outcome := Evaluate(f, l)
	results, err := printResults(outcome.Results())
	if err == nil {
		err = l.Write(stdout, results)
	}
	if err != nil {
		fmt.Fprintf(stderr, "%s: writing standard output: %s\n", program, diag.OneLine(err.Error()))
		return 1
	}
	return outcome.exit(stderr)
}

// exit prints each error on a line of its own, since some clients show nothing
// else of a failure, and returns the exit code.
func (o Outcome) exit(stderr io.Writer) int {
	if !o.Failed {
		return 0
	}
	for i := range o.Findings {
		if f := &o.Findings[i]; f.Severity == diag.Error {
			fmt.Fprintln(stderr, describe(f))
		}
	}
	return 1
}

// describe is a finding as a line for people: severity, file, resource, path,
// message and rule.
func describe(f *diag.Finding) string {
	var b strings.Builder
	b.WriteString(string(f.Severity) + ": ")
	for _, part := range []string{f.Resource().File, f.Resource().String(), f.Path()} {
		if part != "" {
			b.WriteString(diag.Shown(part) + ": ")
		}
	}
	b.WriteString(f.Message() + " [" + f.Rule.ID + "]")
	return diag.OneLine(b.String())
}

// maxInput is the size of the largest list on standard input.
const maxInput = 512 << 20

// readAll reads a file of at most a number of bytes, at once when its size is known.
func readAll(file *os.File, most int64) ([]byte, error) {
	var all bytes.Buffer
	if info, err := file.Stat(); err == nil && info.Mode().IsRegular() {
		all.Grow(int(min(info.Size(), most)) + bytes.MinRead) // so that it does not grow again
	}
	read, err := all.ReadFrom(io.LimitReader(file, most+1))
	if err == nil && read > most {
		err = fmt.Errorf("it has more than %d MiB; select fewer resources, or split the package", most>>20)
	}
	return all.Bytes(), err
}

// printDocs leaves the documentation to the SDK, so that tools read it like the documentation of every function
// of the catalog.
func printDocs(name string, docs Docs) int {
	os.Args = []string{os.Args[0], "--doc"}
	nothing := fn.ResourceListProcessorFunc(func(*fn.ResourceList) (bool, error) { return true, nil })
	if err := fn.AsMain(nothing, fn.WithDocs(docs.Readme, docs.Metadata)); err != nil {
		fmt.Fprintf(os.Stderr, "%s: writing the output: %v\n", name, err)
		return 1
	}
	return 0
}
