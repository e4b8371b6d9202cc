package cli

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
)

// compare compares what is deployed before and after a change. With templates, the charts of packs and releases are
// rendered, too. name is the command that compares.
func (c *commands) compare(name string, d *deployment, before, after check.Deployment, templates bool) (*check.Comparison, error) {
	deployer, err := c.deployer(&d.templating)
	if err != nil {
		return nil, err
	}
	defer deployer.Renderer.Close()
	root, err := report.Root()
	if err != nil {
		return nil, err
	}
	for _, options := range []*check.Options{&before.Options, &after.Options} {
		if options.Root, options.Cluster = root, deployer.Cluster; templates {
			options.Template = deployer
		}
	}
	return check.Compare(name, before, after)
}

// manifestChanges describes what changes in manifests:
//
//	StatefulSet/prod/db: changed
//	--- StatefulSet/prod/db
//	…
//
//	1 change in the rendered manifests
func manifestChanges(before, after []*deploy.Rendered, show bool) string {
	var text strings.Builder
	changes := deploy.Diff(before, after, show)
	for _, change := range changes {
		fmt.Fprintf(&text, "%s: %s\n%s\n", change.Name, change.What, change.Patch)
	}
	fmt.Fprintf(&text, "%s in the rendered manifests\n", diag.Count(len(changes), "change"))
	return diag.ShownLines(text.String())
}
