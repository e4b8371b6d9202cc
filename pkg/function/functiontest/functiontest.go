// Package functiontest runs functions over lists in tests: YAML documents go in,
// documents and findings come out.
//
//	got := functiontest.Run(t, Function(), config, documents)
//	want := []string{"error values/format ConfigMap/vault data[values.yaml] key=a at=3:9 got=70000 want=..."}
//	diff := cmp.Diff(want, functiontest.Facts(got.Findings))
//
// Tests compare facts, not sentences: a sentence must be cheap to improve. Each
// message of the suite is in one golden list, see [Main].
//
// cases.go runs the archives of a package in testdata/cases, facts.go describes findings, messages.go
// keeps the golden list, and slips.go makes misspelt names for tests that try all of them.
package functiontest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
)

// List makes a ResourceList, in the form that clients send, of YAML documents
// with `---` lines between them. config is the functionConfig, in flow style on one
// line or as a document; the list has none if it is "".
func List(config, documents string) string {
	var b strings.Builder
	b.WriteString(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
`)
	switch config = strings.Trim(config, "\n"); {
	case strings.Contains(config, "\n"):
		b.WriteString("functionConfig:\n  " + indented(config) + "\n")
	case config != "":
		b.WriteString("functionConfig: " + config + "\n")
	}
	b.WriteString("items:\n")
	for document := range strings.SplitSeq("\n"+documents, "\n---\n") {
		if document = strings.Trim(document, "\n"); document != "" {
			b.WriteString("- " + indented(document) + "\n")
		}
	}
	return b.String()
}

// indented indents all lines of a document but the first one, and leaves empty lines empty.
func indented(document string) string {
	return strings.ReplaceAll(strings.ReplaceAll(document, "\n", "\n  "), "\n  \n", "\n\n")
}

// Documents is the reverse of List: the items of a list, without its results,
// as YAML documents.
func Documents(list string) string {
	_, items, _ := strings.Cut(list, "\nitems:\n")
	var b strings.Builder
	for line := range strings.Lines(items) {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			if b.Len() > 0 {
				b.WriteString("---\n")
			}
			b.WriteString(item)
			continue
		}
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// Run runs a function over YAML documents, see [List], and notes its messages for
// the golden list.
func Run(t testing.TB, f function.Function, config, documents string) function.Outcome {
	t.Helper()
	_, outcome := RunList(t, f, List(config, documents))
	return outcome
}

// RunList runs a function over a list, as [Evaluate] does, and notes its messages for
// the golden list.
func RunList(t testing.TB, f function.Function, text string) (output string, outcome function.Outcome) {
	t.Helper()
	output, outcome = Evaluate(t, f, text)
	Noted(outcome.Findings)
	return output, outcome
}

// checkAgain fails unless a second run over the output of the first run changes nothing and has the
// same findings, with the same messages. config is the functionConfig of the first run. It checks
// nothing after a run that failed and wrote nothing.
func checkAgain(t testing.TB, f function.Function, config, output string, first function.Outcome) {
	t.Helper()
	if first.Failed && !f.KeepsChanges {
		return
	}
	again, second := Evaluate(t, f, List(config, output))
	if diff := cmp.Diff(output, Documents(again)) + cmp.Diff(Messages(first), Messages(second)); diff != "" {
		t.Errorf("a second run: -want +got:\n%s", diff)
	}
}

// Messages returns the facts and the message of each finding.
func Messages(outcome function.Outcome) []string {
	all := Facts(outcome.Findings)
	for i := range outcome.Findings {
		all[i] += ": " + outcome.Findings[i].Message()
	}
	return all
}

// Evaluate runs a function over a list, and returns the list as it leaves, without
// results, and the outcome. It fails the test when the list cannot be read or
// written.
func Evaluate(t testing.TB, f function.Function, text string) (output string, outcome function.Outcome) {
	t.Helper()
	read, err := list.Read([]byte(text))
	if err != nil {
		t.Fatalf("reading the list: %v\n%s", err, text)
	}
	outcome = function.Evaluate(f, read)
	var b bytes.Buffer
	if err := read.Write(&b, nil); err != nil {
		t.Fatalf("writing the list: %v", err)
	}
	return b.String(), outcome
}
