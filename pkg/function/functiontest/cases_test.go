package functiontest

import (
	"os"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	rules "github.com/krm-packs/functions/pkg/rule"
)

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
	r.Add(`apiVersion: v1
kind: ConfigMap
metadata: {name: b}
`)
}

// What a function finds and changes is compared, and with UPDATE=1 written.
func TestCases(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll("testdata/cases", 0o777); err != nil {
		t.Fatal(err)
	}
	const input = `What fails.
-- one/resources.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: a}
`
	const other = `-- two/resources.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: c}
`
	if err := os.WriteFile("testdata/cases/all.txtar", []byte(input+other), 0o666); err != nil {
		t.Fatal(err)
	}
	t.Setenv("UPDATE", "1")
	Cases(t, complaining)
	text, err := os.ReadFile("testdata/cases/all.txtar")
	const added = other + `-- two/output.yaml --
#include resources.yaml
---
apiVersion: v1
kind: ConfigMap
metadata: {name: b}
`
	if err != nil || !strings.HasPrefix(string(text), input+"-- one/findings --\nerror ") || !strings.HasSuffix(string(text), added) {
		t.Fatalf("got %s, %v", text, err)
	}
	t.Setenv("UPDATE", "")
	Cases(t, complaining)
}
