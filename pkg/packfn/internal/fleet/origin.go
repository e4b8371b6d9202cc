package fleet

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// origin is the field of a set, a PackageVariant or an in-cluster object from which a value in a
// package comes.
type origin struct {
	// item is the resource.
	item *list.Item
	// field is the path of the field in the resource, such as `spec.packageContext.data.region`.
	field string
}

// injected returns the objects that a run of inject-config copied into injection points, by the
// resource at the injection point.
func (in *input) injected(v *packageVariant, run *workspace.Run) map[diag.Resource]*list.Item {
	objects := map[diag.Resource]*list.Item{}
	for i := range run.Findings {
		f := &run.Findings[i]
		if f.Rule.ID == rule.InjectInjected.ID {
			if item := in.objects.called(v, f.Tags["from"]); item != nil {
				objects[f.Resource()] = item
			}
		}
	}
	return objects
}

// origins returns the fields that a finding's fault comes from. If an expression of a set reads a
// label of a Repository, the label comes before the expression. The result is empty if the fault
// is in the upstream, and for infos.
func (w *worker) origins(run *workspace.Run, f *diag.Finding) []origin {
	v := w.variant
	if f.Level() == diag.Info {
		return nil
	}
	if item := w.injected[f.Resource()]; item != nil {
		field := variant.Point{APIVersion: f.Resource().APIVersion, Kind: f.Resource().Kind}.Field()
		if path := f.Path(); path == field || strings.HasPrefix(path, field+".") || strings.HasPrefix(path, field+"[") {
			return []origin{{item, path}}
		}
		return nil
	}
	switch {
	case f.Rule.ID == rule.InjectUnmatched.ID:
		return w.input.inVariant(v, "spec.injectors")
	case f.Resource().Kind == injectKind:
		if of := objectPath.FindStringSubmatch(f.Path()); of != nil && f.Resource().File == "" {
			if i, err := strconv.Atoi(of[1]); err == nil && i < len(w.offered) {
				return []origin{{w.offered[i], of[2]}}
			}
		}
		return w.input.inVariant(v, strings.TrimPrefix(strings.TrimPrefix(f.Path(), "spec.packageVariant"), "."))
	case f.Resource().File == "" && variant.Owns(v.Name, run.Entry.Name):
		field := "spec." + run.Field
		if rest, ok := strings.CutPrefix(f.Path(), "data"); ok {
			field += ".configMap" + rest
		}
		return w.input.inVariant(v, field)
	}
	return nil
}

// objectPath matches paths in an object that was offered to a PackageVariant.
var objectPath = regexp.MustCompile(`^spec\.objects\[(\d+)\]\.?(.*)$`)

// inVariant returns the origins of a field of a PackageVariant: the field in its own file, or
// else the field of the set that makes it, after the label of the Repository that the set's
// expression reads.
func (in *input) inVariant(v *packageVariant, field string) []origin {
	if v.item != nil && !v.item.Added() {
		return []origin{{v.item, field}}
	}
	item := in.setOf(v)
	if item == nil {
		return nil
	}
	document, err := item.Document()
	if err != nil {
		return nil
	}
	rest, ok := strings.CutPrefix(field, "spec.")
	if !ok || strings.HasPrefix(rest, "upstream") {
		return []origin{{item, field}}
	}
	targets := values.Field(document.Root(), "spec", "targets")
	if targets == nil || targets.Kind != yaml.SequenceNode || len(targets.Content) != 1 {
		return []origin{{item, "spec.targets"}}
	}
	const template = "spec.targets[0].template."
	if at, ok := expressionOf(targets.Content[0], rest); ok {
		origins := []origin{{item, template + at.field}}
		if repository := in.repository(v, v.Spec.Downstream.Repo); at.label != "" && repository != nil {
			origins = append([]origin{{repository.item, "metadata.labels[" + at.label + "]"}}, origins...)
		}
		return origins
	}
	return []origin{{item, template + rest}}
}

// expression is a CEL expression of a set's template.
type expression struct {
	// field is the path of the expression in the set, such as
	// `spec.targets[0].template.pipeline.mutators[0].configMapExprs[1]`.
	field string
	// label is the label of the Repository that the expression reads, or "" if it reads none, or
	// anything else as well.
	label string
}

// expressionOf returns the expression that sets a key of a function's configMap. The expression
// of the field `pipeline.mutators[0].configMap.vault` is:
//
//	template:
//	  pipeline:
//	    mutators:
//	    - configMapExprs:
//	      - {key: vault, valueExpr: 'repository.labels["vault"]'}
func expressionOf(target *yaml.Node, field string) (expression, bool) {
	function, key, ok := strings.Cut(field, ".configMap")
	name, number, isIndexed := strings.Cut(strings.TrimPrefix(function, "pipeline."), "[")
	index, err := strconv.Atoi(strings.TrimSuffix(number, "]"))
	functions := values.Field(target, "template", "pipeline", name)
	if !ok || !isIndexed || err != nil || functions == nil || functions.Kind != yaml.SequenceNode || index >= len(functions.Content) {
		return expression{}, false
	}
	expressions := values.Field(functions.Content[index], "configMapExprs")
	if expressions == nil || expressions.Kind != yaml.SequenceNode {
		return expression{}, false
	}
	for i, n := range expressions.Content {
		if values.Text(values.Field(n, "key")) != strings.Trim(key, ".[]") {
			continue
		}
		e := expression{field: fmt.Sprintf("%s.configMapExprs[%d]", function, i)}
		if label := readLabel.FindStringSubmatch(values.Text(values.Field(n, "valueExpr"))); label != nil {
			e.label = label[1]
		}
		return e, true
	}
	return expression{}, false
}

// readLabel matches expressions that read exactly one label of the Repository, such as
// `repository.labels["zone"]`.
var readLabel = regexp.MustCompile(`^[^\[]*\brepository\.labels\["([^"]+)"\][^\[]*$`)

// setOf returns the set that makes a PackageVariant, or nil if it is unknown.
func (in *input) setOf(v *packageVariant) *list.Item {
	name := v.set
	if !strings.Contains(name, "/") {
		name = variant.DefaultNamespace + "/" + name
	}
	return in.setItems[name]
}

// place returns the location of an origin. If the finding f is at the origin itself, and lies in a
// text embedded in the field, the location is in that text. f is nil for other origins.
func (w *worker) place(o origin, f *diag.Finding) report.Place {
	places := w.texts.of(o.item)
	at := places.Resource(0, o.field)
	if f != nil && f.Origin != nil && f.Origin.Embedded {
		at = places.Of(f)
	}
	return report.Place{File: w.options.Display(o.item.Resource().File), Line: at.Line, Column: at.Column}
}

// texts caches the positions in some resources, because a set is the origin of values in all of
// its packages.
type texts map[*list.Item]place.In

// of returns the positions in a resource. The cache is emptied when it has as many resources as a
// fleet has few objects.
func (t texts) of(item *list.Item) place.In {
	if _, known := t[item]; !known {
		if len(t) >= fewObjects {
			clear(t)
		}
		t[item] = place.In{File: place.NewList([]*list.Item{item})}
	}
	return t[item]
}

// move moves a finding to the first of its origins. The other origins, and its previous location
// in the upstream, become related locations.
func (w *worker) move(located *report.Finding, f *diag.Finding, origins []origin) {
	before := report.Place{File: located.File, Line: located.Line, Column: located.Column, Message: "the place in the upstream package"}
	var own *diag.Finding
	if w.injected[f.Resource()] == origins[0].item {
		own = f
	}
	at := w.place(origins[0], own)
	located.Say(f)
	located.File, located.Line, located.Column, located.Path = at.File, at.Line, at.Column, origins[0].item.Resource().File
	located.Resource, located.Field = report.ResourceOf(origins[0].item.Resource()), origins[0].field
	for _, o := range origins[1:] {
		other := w.place(o, nil)
		other.Message = "the expression of the set"
		located.Related = append(located.Related, other)
	}
	if before.File != "" && f.Resource().File != "" {
		located.Related = append(located.Related, before)
	}
}
