package program

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Call is one run of a program over a list.
type Call struct {
	// List has the resources that the program gets.
	List *list.List
	// Config is the functionConfig, or nil. ConfigItem is the resource of the list that is the functionConfig,
	// or nil if none is.
	Config *yaml.Node
	// ConfigItem is nil for a functionConfig in the Kptfile.
	ConfigItem *list.Item
	// IsSelected is true if the Kptfile selects or excludes resources. Otherwise the order of the output is
	// the order of what follows.
	IsSelected bool
	// Mutates is true for a mutator: what a validator changes is lost.
	Mutates bool
	// Entry is the place of findings that are about no resource: the Kptfile with the field of the
	// function.
	Entry diag.Where
}

// Run runs a program over a list, and changes the list as kpt does. The findings are what the program
// reports, at its places, and why it fails.
func (r *Runner) Run(p *Program, c Call) (out function.Outcome) {
	came := slices.Clone(c.List.Items)
	fails := func(format string, args ...any) function.Outcome {
		f := diag.Say("%s: "+format, append([]any{p.Name}, args...)...).Of(rule.FunctionFails)
		f.Where, f.Severity = c.Entry, diag.Error
		out.Findings, out.Failed = append(out.Findings, f), true
		c.List.Items = came
		c.List.Restore()
		return out
	}
	input, err := inputOf(c.List.Items, c.Config, c.ConfigItem, c.IsSelected)
	if err != nil {
		return fails("its input cannot be written: %v", diag.OneLine(err.Error()))
	}
	run := r.run(p, input)
	if run.err != nil {
		return fails("%v%s", run.err, run.said())
	}
	printed, err := parse(run.output, len(came) > 0 && !c.IsSelected)
	if printed != nil {
		f := function.Function{Name: p.Name, Rules: []diag.Rule{rule.FunctionResult}}
		out = function.Collect(f, c.List, c.findings(p, printed.results, run.exit == 0)...)
	}
	for _, item := range came {
		out.Wanted = append(out.Wanted, item.Resource())
	}
	switch {
	case run.exit != 0:
		return fails("it ends with exit code %d%s", run.exit, run.said())
	case err != nil:
		return fails("%v%s", err, run.said())
	case !c.Mutates:
		return out
	}
	if err := printed.apply(c.List, !c.IsSelected); err != nil {
		return fails("%v", err)
	}
	for _, item := range c.List.Items {
		resource := item.Resource()
		if item.Removed() && path.Base(resource.File) == kptpackage.KptfileName {
			return fails("what it prints lacks the Kptfile; kpt would delete it")
		}
	}
	return out
}

// mostLines is the number of lines of standard error that a message has.
const mostLines = 5

// said returns what the program has written to standard error, as the end of a message. Lines that may have a
// secret are left out.
func (e *ended) said() string {
	var lines []string
	left := 0
	for line := range strings.Lines(e.errors) {
		switch line = strings.TrimSpace(line); {
		case line == "":
		case len(lines) == mostLines || secret.AssignsSecret(line):
			left++
		default:
			lines = append(lines, line)
		}
	}
	if left > 0 {
		lines = append(lines, "and "+diag.Count(left, "more line"))
	}
	if len(lines) == 0 {
		return ""
	}
	return ": " + strings.Join(lines, "; ")
}

// findings returns the results of a program as findings:
//
//	results:
//	- message: name must be lower-case
//	  severity: error
//	  resourceRef: {apiVersion: v1, kind: Service, name: Web}
//	  field: {path: metadata.name}
//	  file: {path: web.yaml, index: 0}
func (c *Call) findings(p *Program, results *yaml.Node, passes bool) (findings []diag.Finding) {
	if items := values.Field(results, "items"); items != nil { // as SDKs before v1 wrap them
		results = items
	}
	if results == nil || results.Kind != yaml.SequenceNode {
		return nil
	}
	find := c.finder()
	for _, one := range results.Content {
		text := func(keys ...string) string { return values.Text(values.Field(one, keys...)) }
		message := strings.TrimSpace(text("message"))
		if message == "" {
			continue
		}
		f := diag.Say("%s: %s", p.Name, diag.OneLine(message)).Of(rule.FunctionResult)
		switch severity := strings.ToLower(text("severity")); severity {
		case "error", "warning":
			f.Severity = diag.Severity(severity)
		}
		if f.Severity == diag.Error && passes {
			f = diag.Say("%s: %s (it ends with exit code 0, so kpt renders the package)", p.Name, diag.OneLine(message)).Of(rule.FunctionResult)
			f.Severity = diag.Warning
		}
		if item := find(text); item != nil {
			f = f.About(item.Resource(), text("field", "path"))
		} else {
			f.Where = c.Entry
		}
		findings = append(findings, f)
	}
	return findings
}

// finder returns a function that returns the resource of a result: the resource that the result names, or the
// resource at its place in a file, or nil. text returns the text of a field of the result.
func (c *Call) finder() func(text func(keys ...string) string) *list.Item {
	type place struct{ file, index string }
	at := func(item *list.Item) place {
		resource := item.Resource()
		return place{resource.File, strconv.Itoa(resource.Index)}
	}
	byName, byPlace := map[string][]*list.Item{}, map[place]*list.Item{}
	for _, item := range c.List.Items {
		byName[item.Name()] = append(byName[item.Name()], item)
		if there := at(item); byPlace[there] == nil {
			byPlace[there] = item
		}
	}
	return func(text func(keys ...string) string) *list.Item {
		kind, name, namespace := text("resourceRef", "kind"), text("resourceRef", "name"), text("resourceRef", "namespace")
		if name == "" { // as SDKs before v1 have it
			name, namespace = text("resourceRef", "metadata", "name"), text("resourceRef", "metadata", "namespace")
		}
		there := place{text("file", "path"), cmp.Or(text("file", "index"), "0")}
		if name == "" {
			return byPlace[there]
		}
		var found *list.Item
		for _, item := range byName[name][:min(len(byName[name]), mostAlike)] {
			isNamed := (kind == "" || item.Kind() == kind) && (namespace == "" || item.Namespace() == namespace)
			if isNamed && (found == nil || at(item) == there) {
				found = item
			}
		}
		return found
	}
}

// mostAlike is the number of resources of one name among which a result finds its own.
const mostAlike = 100
