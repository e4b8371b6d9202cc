// Command change-third is a function that sets one scalar of every Deployment,
// a third of the generated list: what changing resources costs.
package main

import (
	"os"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func main() {
	os.Exit(function.Main(function.Function{
		Name: "change-third",
		Kind: "ChangeThird",
		New:  func() function.Processor { return &changer{} },
	}, function.Docs{}))
}

type changer struct{ config function.Options }

func (c *changer) Config() any { return &c.config }

func (c *changer) Wants(item *list.Item) bool { return item.Is("apps/v1", "Deployment") }

func (c *changer) Process(run *function.Run) {
	for _, item := range run.Items() {
		if err := change(item); err != nil {
			run.Report(diag.Say("%v", err).Of(rule.InputInvalid).About(item.Resource(), "spec.replicas"))
		}
	}
}

// change sets the replicas of a Deployment.
func change(item *list.Item) error {
	document, err := item.Document()
	if err != nil {
		return err
	}
	replicas := values.Field(document.Root(), "spec", "replicas")
	if document, err = document.ReplaceScalars(values.ScalarEdit{Node: replicas, Text: "7", Tag: "!!int"}); err != nil {
		return err
	}
	item.Replace(document)
	return nil
}
