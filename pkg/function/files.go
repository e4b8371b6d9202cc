package function

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/heap"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// runFiles runs a function on the resources of files, without a client, and
// prints the results for people. A function that changes resources prints these
// to standard output, and its results to standard error.
func runFiles(f Function, paths []string, stdout, stderr io.Writer) int {
	defer heap.Check.Set()()
	l, err := readFiles(f, paths)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %s\n", f.Name, diag.OneLine(err.Error()))
		return 1
	}
	outcome := Evaluate(f, l)
	out := bufio.NewWriter(stdout)
	results := out
	if f.Mutates {
		results = bufio.NewWriter(stderr)
		printItems(out, l)
		printChanges(results, l)
	}
	count := map[diag.Severity]int{}
	for i := range outcome.Findings {
		count[outcome.Findings[i].Severity]++
		fmt.Fprintln(results, describe(&outcome.Findings[i]))
	}
	fmt.Fprintf(results, "%s: %s, %s, %s in %s\n", f.Name,
		diag.Count(count[diag.Error], "error"), diag.Count(count[diag.Warning], "warning"), diag.Count(count[diag.Info], "note"), diag.Count(len(l.Items), "resource"))
	if err := cmp.Or(results.Flush(), out.Flush()); err != nil {
		fmt.Fprintf(stderr, "%s: writing the output: %v\n", f.Name, err)
		return 1
	}
	if outcome.Failed {
		return 1
	}
	return 0
}

// printItems prints the resources of a list as documents.
func printItems(out *bufio.Writer, l *list.List) {
	separator := ""
	for _, item := range l.Items {
		text := item.Text()
		if text == nil {
			continue
		}
		if item.Added() {
			text = forPeople(item, text)
		}
		out.WriteString(separator)
		separator = "---\n"
		out.Write(text)
		if !bytes.HasSuffix(text, []byte("\n")) {
			out.WriteByte('\n')
		}
	}
}

// printChanges prints what the run changed. Results do not have it, because a second
// run has the same results.
func printChanges(out *bufio.Writer, l *list.List) {
	for _, item := range l.Items {
		what := ""
		switch {
		case item.Added() && item.Removed():
		case item.Added():
			what = "added"
		case item.Removed():
			what = "removed"
		case item.Changed():
			what = "changed"
		}
		if what == "" {
			continue
		}
		file := item.Resource().File
		if item.Added() {
			file = item.Annotation(list.PathAnnotation)
		}
		if file != "" {
			what += ": " + file
		}
		fmt.Fprintln(out, diag.Shown(what+": "+item.Resource().String()))
	}
}

// forPeople returns a new resource with a comment instead of the annotation that
// tells clients where to store it, and would go with it into a cluster.
func forPeople(item *list.Item, text []byte) []byte {
	path := item.Annotation(list.PathAnnotation)
	if path == "" {
		return text
	}
	document, err := values.Parse(string(text))
	if err == nil {
		document, err = list.WithoutAnnotations(document, list.PathAnnotation)
	}
	if err != nil {
		return text
	}
	return append([]byte("# "+diag.Shown(path)+"\n"), document.Text()...)
}

// readFiles makes a list of the resources of files, which may be links to files. A resource of the function's
// own kind among them is its configuration, see also [Function.AcceptsFiles].
func readFiles(f Function, paths []string) (*list.List, error) {
	l := &list.List{}
	for _, path := range paths {
		text, err := folder.Read(path, folder.MaxBytes)
		if err != nil {
			if failure, ok := errors.AsType[*fs.PathError](err); ok && failure.Op == "stat" {
				err = fmt.Errorf("%s: %w", path, failure.Err)
			}
			return nil, err
		}
		for _, item := range list.Flat(text, path, nil) {
			if !item.Is(ConfigGroupVersion, f.Kind) {
				l.Items = append(l.Items, item)
				continue
			}
			if l.Config() != nil {
				return nil, fmt.Errorf("%s: a second %s among the files; name one", path, f.Kind)
			}
			if err := configure(l, item); err != nil {
				return nil, err
			}
		}
	}
	if l.Config() == nil && f.AcceptsFiles {
		if i := f.acceptedItem(l.Items); i >= 0 {
			item := l.Items[i]
			l.Items = slices.Delete(l.Items, i, i+1)
			return l, configure(l, item)
		}
	}
	return l, nil
}

// configure makes a resource of a file the configuration.
func configure(l *list.List, item *list.Item) error {
	if err := l.SetConfigItem(item); err != nil {
		return fmt.Errorf("%s: %w", item.Resource().File, err)
	}
	return nil
}
