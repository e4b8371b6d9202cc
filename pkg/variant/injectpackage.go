package variant

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

func placeOf(item *function.Item) Place {
	return Place{Package: item.Annotation(function.PackagePathAnnotation), File: item.Resource().File}
}

func (in *injecting) places() []Place {
	var all []Place
	for _, item := range in.kptfiles {
		all = append(all, placeOf(item))
	}
	return all
}

// root returns which Kptfile is that of the root package, -1 when there is none,
// which it reports.
func (in *injecting) root(from subject) int {
	if len(in.kptfiles) == 0 {
		in.run.ReportLegacy(function.Finding{
			Rule: ruleKptfileMissing, Resource: from.resource,
			Message: "the list has no Kptfile, into which the pipeline, the readiness gates and the conditions go: kustomize does not send it, so run the function by kpt fn render or kpt fn eval; with kpt, see that no selector of the function hides it, or make one by kpt pkg init",
		})
		return -1
	}
	root, ok := Root(in.places())
	if !ok {
		var files []string
		for _, item := range in.kptfiles {
			files = append(files, describe(item))
		}
		in.run.ReportLegacy(function.Finding{
			Rule: ruleKptfileMissing, Resource: in.kptfiles[0].Resource(),
			Message: fmt.Sprintf("the list has no Kptfile of a root package: none of %s stands in a folder that holds the others; run the function on one package", strings.Join(files, ", ")),
		})
		return -1
	}
	return root
}

// describe names an item and its file.
func describe(item *function.Item) string {
	r := item.Resource()
	if r.File == "" {
		return r.String()
	}
	return fmt.Sprintf("%s (%s)", r, r.File)
}

// context changes the package context of the root package.
func (in *injecting) context(variant *PackageVariant, root int, from subject) {
	var found []*function.Item
	for _, item := range in.contexts {
		if root < 0 || InRoot(placeOf(item), in.places(), root) {
			found = append(found, item)
		}
	}
	const path = "spec.packageContext"
	switch {
	case len(found) == 1:
		in.edit(found[0], variant.Spec.PackageContext.Apply)
	case len(found) == 0:
		elsewhere := ""
		if len(in.contexts) > 0 {
			elsewhere = fmt.Sprintf("; %s is of a subpackage", describe(in.contexts[0]))
		}
		in.run.ReportLegacy(function.Finding{
			Rule: ruleContextMissing, Resource: from.resource, Field: path,
			Message: fmt.Sprintf("the PackageVariant %s changes the package context, but the root package has no ConfigMap %s%s; get the package by kpt pkg get --for-deployment, which makes it, or see that no selector of the function hides it", variant.Name, ContextName, elsewhere),
		})
	default:
		for _, item := range found[1:] {
			in.run.ReportLegacy(function.Finding{
				Rule: ruleContextAmbiguous, Resource: item.Resource(),
				Message: fmt.Sprintf("the root package has the ConfigMap %s more than once: %s and %s; remove one of them", ContextName, describe(found[0]), describe(item)),
			})
		}
	}
}

// packagePoint is an injection point in the list.
type packagePoint struct {
	Point
	item *function.Item
}

// readPoints returns the injection points and reports what is wrong with them.
func (in *injecting) readPoints() []packagePoint {
	var points []packagePoint
	first := map[string]*function.Item{}
	for _, item := range in.points {
		in.run.Guard(item.Resource(), func() {
			d := in.open(item)
			if d == nil || !hasKey(values.Field(d.Root(), "metadata", "annotations"), InjectionAnnotation) {
				return
			}
			f := function.Finding{Resource: item.Resource(), Field: annotationField(InjectionAnnotation)}
			point, mode, ok := ReadPoint(d.Root())
			other, twice := first[point.ConditionType()]
			switch {
			case !ok:
				f.Rule = ruleInvalidAnnotation
				f.Message = fmt.Sprintf("%s: the annotation %s: %s", item.Resource(), InjectionAnnotation, InvalidMode(mode))
				f.Current = mode
			case isContext(item) || isKptfile(item):
				f.Rule = ruleAmbiguous
				f.Message = fmt.Sprintf("%s can not be an injection point, since kpt and the PackageVariant write it too; remove the annotation %s, and give the injected content a resource of its own", item.Resource(), InjectionAnnotation)
			case twice:
				f.Rule = ruleAmbiguous
				f.Message = fmt.Sprintf("%s of %s and %s of %s are injection points with one condition type, %s; give one of them another name", describe(other), other.APIVersion(), describe(item), item.APIVersion(), point.ConditionType())
			default:
				first[point.ConditionType()] = item
				points = append(points, packagePoint{point, item})
				return
			}
			in.run.ReportLegacy(f)
		})
	}
	return points
}

// object is an in-cluster object at hand.
type object struct {
	node func() *yaml.Node
	// where says where it stands, for messages.
	where    string
	resource function.Resource
	field    string
}

// objects collects the in-cluster objects and reports what is wrong with them.
func (in *injecting) objects() (*Cluster, []object) {
	cluster := &Cluster{}
	var all []object
	add := func(identity Object, o object) {
		other, twice := cluster.Add(identity, len(all))
		if !twice {
			all = append(all, o)
			return
		}
		if values.Equal(content(all[other].node()), content(o.node())) {
			return
		}
		in.run.ReportLegacy(function.Finding{
			Rule: ruleAmbiguous, Resource: o.resource, Field: o.field,
			Message: fmt.Sprintf("the in-cluster object %s is given twice, with different content: %s and %s; remove one of them", identity.inDefault(), all[other].where, o.where),
		})
	}
	for _, item := range in.cluster {
		add(Object{item.APIVersion(), item.Kind(), item.Namespace(), item.Name()}, object{
			node: func() *yaml.Node {
				if d := in.open(item); d != nil {
					return d.Root()
				}
				return nil
			},
			where: describe(item), resource: item.Resource(),
		})
	}
	for i, n := range in.config.Objects {
		in.configObject(n, fmt.Sprintf("spec.objects[%d]", i), add)
	}
	return cluster, all
}

// content is what of an object can be injected.
func content(n *yaml.Node) *yaml.Node {
	c := &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
	for _, name := range []string{"data", "spec"} {
		if v := values.Field(n, name); v != nil {
			c.Content = append(c.Content, textNode(name), v)
		}
	}
	return c
}

// configObject adds an object of the functionConfig, or those of a List.
func (in *injecting) configObject(n *yaml.Node, path string, add func(Object, object)) {
	r := newReader()
	f := r.Root(n, path)
	if !f.RequiredMapping("a resource with apiVersion, kind and metadata") {
		in.configProblems(r)
		return
	}
	if items := f.At("items"); values.Text(f.At("kind").Node) == "List" && items.Given() {
		for _, item := range items.List("a list of resources") {
			in.configObject(item.Node, item.Path, add)
		}
		in.configProblems(r)
		return
	}
	f.Duplicates()
	identity := Object{APIVersion: f.At("apiVersion").RequiredText(), Kind: f.At("kind").RequiredText()}
	if metadata := f.At("metadata"); metadata.RequiredMapping("a mapping with name") {
		identity.Name = metadata.At("name").RequiredText()
		identity.Namespace = metadata.At("namespace").Text()
	}
	if in.configProblems(r) {
		return
	}
	add(identity, object{node: func() *yaml.Node { return n }, where: path, resource: in.run.ConfigResource(), field: path})
}

// configProblems reports faults of the functionConfig, and whether there are any.
func (in *injecting) configProblems(r *reader) bool {
	for _, p := range r.problems() {
		in.run.LegacyConfigInvalid(p.Path, p.String())
	}
	return len(r.Problems) > 0
}

// inject fills the injection points and writes gates and conditions. It returns
// what there is to say about each point.
func (in *injecting) inject(variant *PackageVariant, points []packagePoint, cluster *Cluster, objects []object, root int) []function.Finding {
	var findings []function.Finding
	var conditions []Condition
	var gates []string
	for _, p := range points {
		in.edit(p.item, func(d *values.Document) (*values.Document, error) {
			var done *Injection
			from, place, ok, why := variant.Choose(p.Point, cluster)
			var err error
			if ok {
				source := objects[place].node()
				if source == nil {
					return d, nil // it can not be read, which was reported
				}
				done, err = Inject(p.Point, d, from, source)
			} else {
				done, err = Leave(p.Point, d, why)
			}
			if err != nil {
				return nil, err
			}
			conditions = append(conditions, done.Condition)
			f := p.finding(done)
			if !done.Injected && len(objects) == 0 && len(variant.Spec.Injectors) > 0 {
				f.Message += "; no in-cluster object is given: put it into spec.objects of an InjectConfig, or into the package with the annotation " + sourceAnnotation + ": cluster"
			}
			findings = append(findings, f)
			return done.Document, nil
		})
		if p.Required {
			gates = append(gates, p.ConditionType())
		}
	}
	if root >= 0 {
		sortConditions(conditions, gates)
		in.edit(in.kptfiles[root], func(d *values.Document) (*values.Document, error) {
			return ApplyConditions(d, conditions, gates)
		})
	}
	return findings
}

// finding says what became of a point.
func (p packagePoint) finding(done *Injection) function.Finding {
	f := function.Finding{Resource: p.item.Resource(), Field: p.Field(), Tags: map[string]string{"condition": done.Condition.Type}}
	if !done.Injected {
		f.Rule = ruleUnmatched
		kind := "required"
		if !p.Required {
			f.Severity, kind = function.Info, "optional"
		}
		f.Message = fmt.Sprintf("%s: nothing is injected into this %s injection point, and its %s stays as it is: %s", p.item.Resource(), kind, p.Field(), done.Condition.Message)
		return f
	}
	f.Rule = ruleInjected
	f.Tags["from"] = done.From.String()
	switch what := done.Difference.String(); {
	case done.Difference.IsEmpty() && !done.Changed:
		f.Message = fmt.Sprintf("%s: the %s is that of %s already", p.item.Resource(), p.Field(), done.From)
	case done.Difference.IsEmpty():
		f.Message = fmt.Sprintf("%s: the %s is that of %s, where it was injected from something else before", p.item.Resource(), p.Field(), done.From)
	case done.Again && done.Changed:
		f.Message = fmt.Sprintf("%s: %s has changed since the last injection, which %s", p.item.Resource(), done.From, what)
	case done.Again:
		f.Message = fmt.Sprintf("%s: the %s was changed since the last injection of %s, which is undone: %s", p.item.Resource(), p.Field(), done.From, what)
	default:
		f.Message = fmt.Sprintf("%s: injects the %s of %s, which %s", p.item.Resource(), p.Field(), done.From, what)
	}
	return f
}
