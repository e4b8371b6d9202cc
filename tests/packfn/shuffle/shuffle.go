// Package shuffle is a function that does what functions of the suite do not: it removes
// and renames resources, and adds some to new and to existing files. Tests compare how kpt
// and packfn store what it returns.
package shuffle

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Function returns the function.
func Function() function.Function {
	return function.Function{Name: "shuffle", Kind: "Shuffle", Mutates: true, New: func() function.Processor { return &processor{} }}
}

// Config contains the names of ConfigMaps, or "" if there is none.
type Config struct {
	function.Options
	// Remove is removed, and Rename gets the name NAME-renamed.
	Remove string `json:"remove"`
	Rename string `json:"rename"`
	// Add is added, to the file Path unless that is "", at Index unless that is "".
	Add   string `json:"add"`
	Path  string `json:"path"`
	Index string `json:"index"`
	// Fail makes the function fail.
	Fail string `json:"fail"`
}

type processor struct{ config Config }

func (p *processor) Config() any { return &p.config }

func (p *processor) Wants(item *list.Item) bool { return item.Is("v1", "ConfigMap") }

func (p *processor) Process(run *function.Run) {
	for _, item := range run.Items() {
		switch item.Name() {
		case p.config.Remove:
			item.Remove()
		case p.config.Rename:
			if err := rename(item); err != nil {
				run.Report(diag.Say("%v", err).Of(rule.InputInvalid).About(item.Resource(), "metadata.name"))
			}
		case p.config.Fail:
			run.Report(diag.Say("it fails").Of(rule.InputInvalid).About(item.Resource(), "metadata.name"))
		}
	}
	if p.config.Add == "" {
		return
	}
	text := `apiVersion: v1
kind: ConfigMap
metadata:
  name: ` + p.config.Add + `
  annotations:
    a: b
`
	if p.config.Path != "" {
		text += "    internal.config.kubernetes.io/path: " + p.config.Path + "\n    config.kubernetes.io/path: " + p.config.Path + "\n"
	}
	if p.config.Index != "" {
		text += fmt.Sprintf(`    internal.config.kubernetes.io/index: %q
    config.kubernetes.io/index: %q
`, p.config.Index, p.config.Index)
	}
	run.Add(text)
}

func rename(item *list.Item) error {
	document, err := item.Document()
	if err != nil {
		return err
	}
	document, err = document.ReplaceScalars(values.ScalarEdit{Node: values.Field(document.Root(), "metadata", "name"), Text: item.Name() + "-renamed", Tag: "!!str"})
	if err == nil {
		item.Replace(document)
	}
	return err
}
