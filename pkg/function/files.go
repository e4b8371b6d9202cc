package function

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// runFiles runs a function on the resources of files, without a client, and
// prints the results for people. A function that changes resources prints these
// to standard output, and its results beside them to standard error.
func runFiles(f Function, paths []string, stdout, stderr io.Writer) int {
	list, err := readFiles(f, paths)
	if err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", f.Name, oneLine(err))
		return 1
	}
	outcome := Evaluate(f, list)
	results := stdout
	if f.Mutates {
		results = stderr
		separator := ""
		for _, item := range list.Items {
			text := item.output()
			if text == nil {
				continue
			}
			if item.added {
				text = forPeople(item, text)
			}
			io.WriteString(stdout, separator)
			separator = "---\n"
			stdout.Write(text)
			if !bytes.HasSuffix(text, []byte("\n")) {
				io.WriteString(stdout, "\n")
			}
		}
	}
	count := map[Severity]int{}
	for _, result := range outcome.Results {
		count[Severity(result.Severity)]++
		fmt.Fprintf(results, "%s: %s\n", result.Severity, describeResult(result))
	}
	fmt.Fprintf(results, "%s: %s, %s, %s in %s\n", f.Name,
		plural(count[Error], "error"), plural(count[Warning], "warning"), plural(count[Info], "note"), plural(len(list.Items), "resource"))
	if outcome.Failed {
		return 1
	}
	return 0
}

// forPeople returns a new resource with a comment instead of the annotation that
// tells clients where to store it, and would go with it into a cluster.
func forPeople(item *Item, text []byte) []byte {
	path := item.Annotation(PathAnnotation)
	document, err := values.Parse(string(text))
	if path == "" || err != nil {
		return text
	}
	document, _, err = document.Delete(values.Keys("metadata", "annotations", PathAnnotation))
	if err != nil {
		return text
	}
	if annotations := values.Field(document.Root(), "metadata", "annotations"); annotations != nil && len(annotations.Content) == 0 {
		if bare, _, err := document.Delete(values.Keys("metadata", "annotations")); err == nil {
			document = bare
		}
	}
	return append([]byte("# "+oneLineText(path)+"\n"), document.Text()...)
}

// readFiles makes a list of the resources of files. A resource of the function's
// own kind among them is its configuration; when there is none, the only one of
// the other kinds that it takes may be, see [Function.AcceptsFiles].
func readFiles(f Function, paths []string) (*List, error) {
	list := &List{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for n, document := range splitDocuments(text) {
			item := fileItem(document, path, n)
			if !item.Is(ConfigGroupVersion, f.Kind) {
				list.Items = append(list.Items, item)
				continue
			}
			if list.config != nil {
				return nil, fmt.Errorf("%s: a second %s among the files; name one", path, f.Kind)
			}
			if err := list.configure(item); err != nil {
				return nil, err
			}
		}
	}
	if i, ok := list.accepted(f); ok {
		item := list.Items[i]
		list.Items = slices.Delete(list.Items, i, i+1)
		return list, list.configure(item)
	}
	return list, nil
}

// configure makes a resource of a file the configuration.
func (l *List) configure(item *Item) error {
	config, err := item.Document()
	if err != nil {
		return fmt.Errorf("%s: %w", item.file, err)
	}
	l.config = config.Root()
	return nil
}

// accepted returns which item of the files is the configuration of a function
// that takes other kinds from files. Of several nobody can tell.
func (l *List) accepted(f Function) (int, bool) {
	if l.config != nil || !f.AcceptsFiles {
		return 0, false
	}
	found := -1
	for i, item := range l.Items {
		if slices.Contains(f.Accepts, TypeMeta{item.apiVersion, item.kind}) {
			if found >= 0 {
				return 0, false
			}
			found = i
		}
	}
	return found, found >= 0
}

// splitDocuments cuts a file into its documents. Empty ones and those that hold
// only comments or directives are left out.
func splitDocuments(text []byte) [][]byte {
	var documents [][]byte
	var current []byte
	flush := func() {
		var n yaml.Node
		if err := yaml.Unmarshal(current, &n); err != nil || n.Kind != 0 {
			documents = append(documents, current)
		}
		current = nil
	}
	for line := range bytes.Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		marker := bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("..."))
		switch {
		case marker && (len(line) == 3 || bytes.IndexByte([]byte(" \t\r\n"), line[3]) >= 0):
			flush()
			if len(bytes.TrimSpace(line[3:])) > 0 { // a document may start here
				current = append(current, "   "...)
				current = append(current, line[3:]...)
			}
		case line[0] == '%' && len(bytes.TrimSpace(current)) == 0:
			// A directive; of the two that there are, neither changes a resource.
		default:
			current = append(current, line...)
		}
	}
	flush()
	return documents
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
