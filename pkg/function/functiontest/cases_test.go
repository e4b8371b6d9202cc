package functiontest

import (
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	rules "github.com/krm-packs/functions/pkg/rule"
)

// What a case includes is in its resources, and a fault of an archive is an error.
func TestCasesOf(t *testing.T) {
	cases, err := casesOf(txtar.Parse([]byte("-- a.yaml --\na: 1\n-- one/resources.yaml --\n#include a.yaml\nb: 2\n-- two/config.yaml --\nc: 3\n-- two/resources.yaml --\nd: 4\n-- two/output.yaml --\n#include resources.yaml\ne: 5\n")))
	if err != nil || len(cases) != 2 || cases[0].text(resourcesFile) != "a: 1\nb: 2\n" || cases[1].text(configFile) != "c: 3\n" || cases[1].text(outputFile) != "d: 4\ne: 5\n" {
		t.Errorf("got %v, %v", cases, err)
	}
	for text, want := range map[string]string{
		"":                                "there is no case",
		"-- one/findings --\nx\n":         "the case one has no resources.yaml",
		"-- one/resource.yaml --\nx: 1\n": "one/resource.yaml is no file of a case",
		"-- one/resources.yaml --\nx: 1\n-- one/resources.yaml --\nx: 1\n":                                 "one/resources.yaml is there twice",
		"-- one/resources.yaml --\nx: 1\n-- two/resources.yaml --\nx: 1\n-- one/resources.yaml --\nx: 1\n": "the case one is there twice",
		"-- one/resources.yaml --\n#include a.yaml\n":                                                      "there is no file a.yaml to include",
		"-- a.yaml --\na: 1\n-- one/resources.yaml --\nx: 1\n":                                             "no case includes a.yaml",
	} {
		if _, err := casesOf(txtar.Parse([]byte(text))); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", text, err, want)
		}
	}
}

// complaining finds an error in the resource a. Without an error it adds the resource b.
var complaining = function.Function{Name: "f", Kind: "F", Rules: []diag.Rule{rules.InputInvalid}, New: func() function.Processor { return complainer{} }}

type complainer struct{}

func (complainer) Config() any           { return &struct{ function.Options }{} }
func (complainer) Wants(*list.Item) bool { return true }
func (complainer) Process(r *function.Run) {
	for _, item := range r.Items() {
		switch item.Resource().Name {
		case "a":
			r.Report(diag.Say("m").Of(rules.InputInvalid).About(item.Resource(), ""))
		case "b":
			return
		}
	}
	r.Add("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n")
}

// What a function finds and changes is compared, and with UPDATE=1 written.
func TestCases(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("testdata/cases", 0o777); err != nil {
		t.Fatal(err)
	}
	const input = "What fails.\n-- one/resources.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	const other = "-- two/resources.yaml --\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"
	if err := os.WriteFile("testdata/cases/all.txtar", []byte(input+other), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("UPDATE", "1")
	Cases(t, complaining)
	text, err := os.ReadFile("testdata/cases/all.txtar")
	const added = other + "-- two/output.yaml --\n#include resources.yaml\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n"
	if err != nil || !strings.HasPrefix(string(text), input+"-- one/findings --\nerror ") || !strings.HasSuffix(string(text), added) {
		t.Fatalf("got %s, %v", text, err)
	}
	t.Setenv("UPDATE", "")
	Cases(t, complaining)
	cases, err := casesOf(txtar.Parse([]byte(input)))
	if err != nil {
		t.Fatal(err)
	}
	one := &testCase{texts: map[string]string{resourcesFile: "a: 1\n"}, shared: map[string]string{"c.yaml": "c: 3\n"}}
	for output, want := range map[string]string{"": "", "a: 1\n---\nb: 2\n": "#include resources.yaml\n---\nb: 2\n", "b: 2\n---\nc: 3\n": "b: 2\n---\n#include c.yaml\n"} {
		if got := one.shortened(output); got != want {
			t.Errorf("%q becomes %q, want %q", output, got, want)
		}
	}
	if other := new(testing.T); func() bool { cases[0].run(other, complaining); return other.Failed() }() == false {
		t.Error("a finding that no one expects passes")
	}
}
