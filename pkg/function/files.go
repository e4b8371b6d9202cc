package function

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// runFiles runs a function on the resources of files, without a client, and
// prints the results for people. A resource of the function's own kind among
// them is its configuration.
func runFiles(f Function, paths []string, stdout, stderr io.Writer) int {
	list := &List{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", f.Name, err)
			return 1
		}
		for n, document := range splitDocuments(text) {
			item := fileItem(document, path, n)
			if !item.Is(ConfigGroupVersion, f.Kind) {
				list.Items = append(list.Items, item)
				continue
			}
			if list.config != nil {
				fmt.Fprintf(stderr, "%s: %s: a second %s among the files; name one\n", f.Name, path, f.Kind)
				return 1
			}
			document, err := item.Document()
			if err != nil {
				fmt.Fprintf(stderr, "%s: %s: %v\n", f.Name, path, oneLine(err))
				return 1
			}
			list.config = document.Root()
		}
	}
	outcome := Evaluate(f, list)
	count := map[Severity]int{}
	for _, result := range outcome.Results {
		count[Severity(result.Severity)]++
		fmt.Fprintf(stdout, "%s: %s\n", result.Severity, describeResult(result))
	}
	fmt.Fprintf(stdout, "%s: %s, %s, %s in %s\n", f.Name,
		plural(count[Error], "error"), plural(count[Warning], "warning"), plural(count[Info], "note"), plural(len(list.Items), "resource"))
	if outcome.Failed {
		return 1
	}
	return 0
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
