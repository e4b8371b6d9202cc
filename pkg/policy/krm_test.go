package policy

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
)

// list makes a ResourceList of YAML documents, with a functionConfig in flow
// style.
func list(config, documents string) string {
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	if config != "" {
		text += "functionConfig: " + config + "\n"
	}
	text += "items:\n"
	for document := range strings.SplitSeq(documents, "---\n") {
		document = strings.TrimRight(document, "\n")
		text += "- " + strings.ReplaceAll(strings.ReplaceAll(document, "\n", "\n  "), "\n  \n", "\n\n") + "\n"
	}
	return text
}

// documents is the reverse of list: the items of a list as YAML documents.
func documents(text string) string {
	_, items, _ := strings.Cut(text, "\nitems:\n")
	var b strings.Builder
	for line := range strings.Lines(items) {
		switch {
		case strings.HasPrefix(line, "- "):
			if b.Len() > 0 {
				b.WriteString("---\n")
			}
			b.WriteString(line[2:])
		default:
			b.WriteString(strings.TrimPrefix(line, "  "))
		}
	}
	return b.String()
}

// evaluate runs the function over a list, and returns the list as it leaves and
// the results, one line each: severity, resource, field, message.
func evaluate(t testing.TB, text string) (output string, results []string) {
	t.Helper()
	read, err := function.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	outcome := function.Evaluate(Function(), read)
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil {
			where = " " + r.ResourceRef.Kind + " " + r.ResourceRef.Name
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		results = append(results, fmt.Sprintf("%s%s | %s", r.Severity, where, r.Message))
	}
	var b bytes.Buffer
	if err := read.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	return b.String(), results
}
