package variant

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// places returns the places of the Kptfiles, by which the root package is found.
func (p *processor) places() []injection.Place {
	var all []injection.Place
	for _, item := range p.kptfiles {
		all = append(all, injection.PlaceOf(item))
	}
	return all
}

// root returns the index of the Kptfile of the root package. If there is none, it reports that and
// returns -1.
func (p *processor) root(variant *diag.Origin) int {
	if len(p.kptfiles) == 0 {
		f := diag.Say("the package has no Kptfile for the pipeline, the readiness gates and the conditions").
			Do("run the function with kpt fn render or kpt fn eval (kustomize does not send the Kptfile), check its selectors, or make a Kptfile with kpt pkg init")
		p.run.Report(f.Of(rule.KptfileMissing).From(variant))
		return -1
	}
	root, ok := injection.Root(p.places())
	if !ok {
		var files []string
		for _, item := range p.kptfiles {
			files = append(files, item.Resource().InFile())
		}
		f := diag.Say("the root package is unclear: %s are in separate folders, and no Kptfile is above them", diag.AllOf(files)).
			Do("run the function on one package")
		p.run.Report(f.Of(rule.KptfileMissing).About(p.kptfiles[0].Resource(), ""))
		return -1
	}
	return root
}

// context changes the package context of the root package.
func (p *processor) context(variant *PackageVariant, root int, from *diag.Origin) {
	var found []*list.Item
	for _, item := range p.contexts {
		if root < 0 || injection.InRoot(injection.PlaceOf(item), p.places(), root) {
			found = append(found, item)
		}
	}
	switch {
	case len(found) == 1:
		p.edit(found[0], variant.Spec.PackageContext.apply)
		if d := p.open(found[0]); d != nil {
			for _, f := range variant.Spec.PackageContext.misspeltKeys(d.Root()) {
				p.run.Report(f.In(from, p.variantPath(f.Key), diag.Position{}))
			}
		}
	case len(found) == 0:
		f := diag.Say("the root package has no ConfigMap %q, which the PackageVariant %s changes", ContextName, variant.Name)
		if len(p.contexts) > 0 {
			f.Found += fmt.Sprintf("; %s is of the subpackage %s", p.contexts[0].Resource().InFile(), p.packageOf(p.contexts[0], root))
		}
		f = f.Do("copy package-context.yaml from a package that kpt pkg get --for-deployment created").IfUnseen(diag.ItExists)
		p.run.Report(f.Of(rule.ContextMissing).In(from, p.variantPath("spec.packageContext"), diag.Position{}))
	default:
		for _, item := range found[1:] {
			f := diag.Say("the root package has the ConfigMap %s twice: %s and %s", ContextName, found[0].Resource().InFile(), item.Resource().InFile()).Do("remove one")
			p.run.Report(f.Of(rule.ContextAmbiguous).About(item.Resource(), ""))
		}
	}
}

// packageOf returns the name of the subpackage that contains an item, which is the name of the
// nearest Kptfile.
func (p *processor) packageOf(item *list.Item, root int) string {
	nearest := ""
	at := injection.PlaceOf(item).Dir()
	best := -1
	for i, kptfile := range p.kptfiles {
		if dir := injection.PlaceOf(kptfile).Dir(); i != root && injection.Within(at, dir) && len(dir) > best {
			nearest, best = kptfile.Name(), len(dir)
		}
	}
	return nearest
}

// variantPath returns the path of a field of the PackageVariant in its resource.
func (p *processor) variantPath(path string) string {
	if p.given == nil && p.isInConfig() {
		return "spec.packageVariant." + path
	}
	return path
}

// packagePoint is an injection point in the package.
type packagePoint struct {
	Point
	// item is the resource.
	item *list.Item
}

// readPoints returns the injection points, and reports their faults.
func (p *processor) readPoints() []packagePoint {
	var points []packagePoint
	first := map[string]*list.Item{}
	for _, item := range p.points {
		p.run.Guard(item.Resource(), func() {
			d := p.open(item)
			if d == nil || !isPoint(d.Root()) {
				return
			}
			point, fault := readPoint(d.Root())
			ambiguous := func(f diag.Finding) {
				p.run.Report(f.Of(rule.InjectAmbiguous).About(item.Resource(), annotationField(InjectionAnnotation)))
			}
			other, isTaken := first[point.conditionType()]
			switch {
			case fault != nil:
				p.run.Report(fault.From(diag.Whole(item.Resource())))
			case isContext(item) || injection.IsKptfile(item):
				ambiguous(diag.Say("a %s cannot be an injection point: kpt and the PackageVariant also write it", item.Kind()).
					Do("remove the annotation, and put the injected content into a separate resource"))
			case isTaken:
				ambiguous(diag.Say("%s of %s and %s of %s have the same condition type, %s", other.Resource().InFile(), other.APIVersion(), item.Resource().InFile(), item.APIVersion(), point.conditionType()).
					Do("rename one"))
			default:
				first[point.conditionType()] = item
				points = append(points, packagePoint{point, item})
			}
		})
	}
	return points
}

// object is an in-cluster object.
type object struct {
	// node returns its map, or nil if it cannot be read.
	node func() *yaml.Node
	// origin and key are the place of the point.
	origin *diag.Origin
	// key is the path of the object in the functionConfig, or "".
	key string
	// name is its name in messages.
	name string
}

// objects collects the in-cluster objects, and reports their faults.
func (p *processor) objects() (*Cluster, []object) {
	cluster := &Cluster{}
	var all []object
	add := func(identity Object, o object) {
		other, isDuplicate := cluster.Add(identity, len(all))
		if !isDuplicate {
			all = append(all, o)
			return
		}
		if values.Equal(content(all[other].node()), content(o.node())) {
			return
		}
		f := diag.Say("the in-cluster object %s is given twice, with different content: %s and %s", identity.inDefault(), all[other].name, o.name).Do("remove one")
		p.run.Report(f.Of(rule.InjectAmbiguous).In(o.origin, o.key, diag.Position{}))
	}
	for _, item := range p.cluster {
		add(Object{item.APIVersion(), item.Kind(), item.Namespace(), item.Name()}, object{
			node: func() *yaml.Node {
				d := p.open(item)
				if d == nil {
					return nil
				}
				p.reportAmbiguous(diag.Whole(item.Resource()), Ambiguous(d.Root(), ""))
				return d.Root()
			},
			origin: diag.Whole(item.Resource()), name: item.Resource().InFile(),
		})
	}
	for i, n := range p.config.Objects {
		p.configObject(n, fmt.Sprintf("spec.objects[%d]", i), add)
	}
	return cluster, all
}

// content is the part of an object that can be injected.
func content(n *yaml.Node) *yaml.Node {
	c := node.Map()
	for _, name := range []string{"data", "spec"} {
		if v := values.Field(n, name); v != nil {
			c.Content = append(c.Content, textNode(name), v)
		}
	}
	return c
}

// configObject adds an object of the functionConfig, or the objects of a List.
func (p *processor) configObject(n *yaml.Node, path string, add func(Object, object)) {
	if items := values.Field(n, "items"); values.Text(values.Field(n, "kind")) == "List" && !values.IsNull(items) && items.Kind == yaml.SequenceNode {
		for i, item := range items.Content {
			p.configObject(item, fmt.Sprintf("%s.items[%d]", path, i), add)
		}
		return
	}
	if values.IsNull(n) {
		p.run.ConfigInvalid(diag.Got("null", "a resource").Do("write a resource, or remove the item").At(path, diag.Position{}))
		return
	}
	var o struct {
		_          struct{}   `unknown:"slips"`
		APIVersion string     `json:"apiVersion" required:"true"`
		Kind       string     `json:"kind" required:"true"`
		Metadata   metadata   `json:"metadata" required:"true"`
		Spec       *yaml.Node `json:"spec"`
		Data       *yaml.Node `json:"data"`
	}
	var findings []diag.Finding
	for _, d := range values.Of(n).Duplicates() {
		findings = append(findings, diag.Duplicate(d.First, d.Second).At(diag.Join(path, d.Path), d.Second))
	}
	if len(findings) == 0 {
		findings = decode.Node(n, path, &o)
	}
	for _, f := range findings {
		p.run.ConfigInvalid(f)
	}
	if len(findings) == 0 {
		p.reportAmbiguous(p.run.ConfigOrigin(), Ambiguous(n, path))
		p.reportAmbiguous(p.run.ConfigOrigin(), decode.AmbiguousMetadata(n, path))
		add(Object{o.APIVersion, o.Kind, string(o.Metadata.Namespace), string(o.Metadata.Name)}, object{
			node: func() *yaml.Node { return n }, origin: p.run.ConfigOrigin(), key: path, name: path,
		})
	}
}

// inject fills the injection points, and writes gates and conditions. It returns a
// finding for each point.
func (p *processor) inject(variant *PackageVariant, points []packagePoint, cluster *Cluster, objects []object, root int) []diag.Finding {
	var findings []diag.Finding
	var conditions []Condition
	var gates []string
	for _, point := range points {
		p.edit(point.item, func(d *values.Document) (*values.Document, []diag.Finding) {
			var done *Injection
			var faults []diag.Finding
			at := "" // the object
			if from, place, ok, why := variant.Choose(point.Point, cluster); ok {
				source := objects[place].node()
				at = objects[place].name
				if source == nil {
					return d, nil // it cannot be read, which was reported
				}
				done, faults = inject(point.Point, d, from, source, p.isPorch)
			} else {
				done, faults = leave(point.Point, d, why)
			}
			if len(faults) > 0 {
				return d, faults
			}
			f := done.finding(point.Point)
			if done.Condition.Reason == ReasonNoField {
				f.Found += " (" + at + ")"
			}
			if !done.Injected && len(objects) == 0 && len(variant.Spec.Injectors) > 0 {
				f.Action = "give in-cluster objects in spec.objects of an InjectConfig, or in the package with the annotation " + injection.SourceAnnotation + ": cluster"
			}
			findings = append(findings, f.From(diag.Whole(point.item.Resource())))
			if p.isPorch {
				done.likePorch(point.Point, d, variant, cluster)
			}
			conditions = append(conditions, done.Condition)
			return done.Document, nil
		})
		if point.Required {
			gates = append(gates, point.conditionType())
		}
	}
	if root >= 0 {
		sortConditions(conditions, gates)
		p.edit(p.kptfiles[root], func(d *values.Document) (*values.Document, []diag.Finding) {
			isStale := goneFrom(conditions)
			if p.isPorch { // it removes none
				isStale = isNever
			}
			changes, findings := variant.pipelineChanges(d)
			more, others := conditionChanges(d, conditions, gates, isStale)
			edited, findings := change(d, append(changes, more...), append(findings, others...))
			if p.isPorch && len(findings) == 0 {
				return sortConditionsOf(edited)
			}
			return edited, findings
		})
	}
	return findings
}
