package transfer

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/release"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/values"
)

// ChartFacts is the form of charts in a package: what they read, for the releases of the package.
const ChartFacts Form = "facts"

// ImportCharts returns the plan that writes what charts read into a package, one ConfigMap for each chart. The
// charts are folders or archives. A file that has something else is replaced only if isForced is true.
func ImportCharts(to string, paths []string, isForced bool) (*Plan, error) {
	plan := &Plan{}
	if to == "" {
		return nil, fmt.Errorf("--to is missing: name the folder of the package")
	}
	run := &chart.Run{}
	written := map[string]string{}
	for _, path := range paths {
		opened, err := run.Open(path)
		if err != nil {
			return nil, fmt.Errorf("%s is no chart that can be read: %w", path, err)
		}
		name := opened.Name + "-chart-facts"
		if !dataKey.MatchString(name) {
			return nil, fmt.Errorf("%s: %q cannot be the name of a resource", path, name)
		}
		if other := written[name]; other != "" {
			return nil, fmt.Errorf("%s and %s are both the chart %s", other, path, opened.Name)
		}
		written[name] = path
		text, notes, err := (&facts.Pack{Charts: map[string]*facts.Chart{opened.Name: opened.Facts()}}).Text()
		if err != nil {
			return nil, err
		}
		for _, note := range notes {
			plan.Notes = append(plan.Notes, path+": "+note)
		}
		resource, err := layout.Print("chart "+opened.Name, func(style yaml.Style) (*yaml.Node, error) {
			content := node.Text(text)
			content.Style = style
			root := node.Resource("v1", "ConfigMap", strings.ToLower(name))
			metadata := values.Field(root, "metadata")
			local := node.Text("true")
			local.Style = yaml.DoubleQuotedStyle
			metadata.Content = append(metadata.Content, node.Text("annotations"), node.Map(node.Text(list.LocalConfigAnnotation), local))
			root.Content = append(root.Content, node.Text("data"), node.Map(node.Text(facts.FileName), content))
			return root, nil
		})
		if err != nil {
			return nil, err
		}
		file := filepath.Join(to, name+".yaml")
		before, err := folder.ReadText(file)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		isFacts := slices.ContainsFunc(list.FileItems(before, name), release.IsFacts)
		if len(before) > 0 && !isFacts && !isForced {
			return nil, fmt.Errorf("%s has something else than what a chart reads; --force replaces it", file)
		}
		what := strings.TrimSpace(opened.Name+" "+opened.Version) + ": what it reads"
		if string(before) == string(resource) {
			what += ", unchanged"
		} else {
			plan.Changes = append(plan.Changes, staging.Change{In: to, Path: file, Text: resource})
		}
		plan.Notes = append(plan.Notes, fmt.Sprintf("%s: %s", filepath.ToSlash(file), diag.OneLine(what)))
	}
	return plan, nil
}
