package variant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// The annotations of injection points.
const (
	// InjectionAnnotation makes a resource an injection point: required or
	// optional.
	InjectionAnnotation = injection.Annotation
	// InjectedNameAnnotation and InjectedAnnotation have the name of the injected
	// object: the document's, and the one that Porch writes and others read.
	InjectedNameAnnotation = "kpt.dev/injected-resource-name"
	InjectedAnnotation     = injection.InjectedAnnotation
	// InjectedFromAnnotation has the source of the content, and its digest:
	// `<apiVersion>/<kind>/<namespace>/<name>@sha256:<12 hex digits>`.
	InjectedFromAnnotation = "packs.kpt.dev/injected-from"
)

// The reasons of conditions.
const (
	ReasonInjected   = "ConfigInjected"
	ReasonNoResource = "NoResourceSelected"
	ReasonNoField    = "FieldMissing"
)

// Point is an injection point: a resource of the package that takes the content
// of an in-cluster object.
type Point struct {
	// APIVersion, Kind and Name identify the resource in its package.
	APIVersion, Kind, Name string
	// Required reports whether the package is not ready before something is injected.
	Required bool
}

// isPoint reports whether a resource has the annotation of injection points, with any
// value.
func isPoint(resource *yaml.Node) bool {
	return values.Follow(resource, values.Keys("metadata", "annotations", InjectionAnnotation)) != nil
}

// readPoint reads an injection point from a resource. It returns a finding if the annotation is
// neither required nor optional, or nil if the point is valid.
//
//	apiVersion: v1
//	kind: ConfigMap
//	metadata:
//	  name: region
//	  annotations: {kpt.dev/config-injection: required}
func readPoint(resource *yaml.Node) (Point, *diag.Finding) {
	mode := values.Text(values.Field(resource, "metadata", "annotations", InjectionAnnotation))
	p := Point{
		APIVersion: values.Text(values.Field(resource, "apiVersion")),
		Kind:       values.Text(values.Field(resource, "kind")),
		Name:       values.Text(values.Field(resource, "metadata", "name")),
		Required:   mode == "required",
	}
	modes := injection.Modes()
	if slices.Contains(modes, mode) {
		return p, nil
	}
	f := diag.GotName(mode, modes).Of(rule.InjectInvalidAnnotation).At(annotationField(InjectionAnnotation), diag.Position{})
	f = f.Propose(mode, f.Nearest)
	return p, &f
}

// annotationField is the path of an annotation of a resource.
func annotationField(name string) string { return "metadata.annotations[" + name + "]" }

// conditionType is the type of the point's condition and readiness gate.
func (p Point) conditionType() string { return injection.ConditionType(p.Kind, p.Name) }

// Field is the field that is injected: data of a ConfigMap, spec of any other.
func (p Point) Field() string { return injection.ContentOf(p.APIVersion, p.Kind) }

// groupVersion splits the apiVersion. The group of v1 is "".
func (p Point) groupVersion() (group, version string) {
	group, version, ok := strings.Cut(p.APIVersion, "/")
	if !ok {
		return "", p.APIVersion
	}
	return group, version
}

// Fits reports whether an injector is for the point, whatever object it names.
func (i Injector) Fits(p Point) bool {
	group, version := p.groupVersion()
	is := func(want *string, got string) bool { return want == nil || *want == got }
	return is(i.Group, group) && is(i.Version, version) && is(i.Kind, p.Kind) && is(i.Point, p.Name)
}

// Misfit explains why an injector is not for the point. isNear reports whether they differ only in
// one misspelt name.
func (i Injector) Misfit(p Point) (why string, isNear bool) {
	group, version := p.groupVersion()
	for _, f := range []struct {
		name string
		want *string
		got  string
	}{{"group", i.Group, group}, {"version", i.Version, version}, {"kind", i.Kind, p.Kind}, {"point", i.Point, p.Name}} {
		switch {
		case f.want == nil || *f.want == f.got:
		case why != "":
			return why, false
		default:
			why = fmt.Sprintf("is for the %s %q", f.name, *f.want)
			if isNear = f.name != "version" && nearest.IsMisspelt(*f.want, f.got) && nearest.HasSameDigits(*f.want, f.got); isNear {
				why += nearest.Ask(f.got)
			}
		}
	}
	return why, isNear
}

// Object is an in-cluster object, by what identifies it.
type Object struct{ APIVersion, Kind, Namespace, Name string }

func (o Object) inDefault() Object {
	o.Namespace = NamespaceOr(o.Namespace)
	return o
}

// Cluster has the in-cluster objects.
type Cluster struct {
	// places are the objects with a namespace, by what identifies them, with the places that the
	// caller gave.
	places map[Object]int
	// anywhere are the objects without a namespace, which may be cluster-scoped.
	anywhere map[Object]int
	// named are all objects by name, for suggestions.
	named map[string][]Object
	// hints are what was said of objects that are not there: many points may miss
	// the same one.
	hints map[Object]string
}

// mostHints bounds the missing objects whose nearest name is looked for
// among all that there are.
const mostHints = 64

// Add adds the object at a place of the caller's. It reports the place of one
// that has the same identity, if there is one.
func (c *Cluster) Add(o Object, place int) (other int, isDuplicate bool) {
	if c.places == nil {
		c.places, c.anywhere, c.named = map[Object]int{}, map[Object]int{}, map[string][]Object{}
	}
	given := o
	o = o.inDefault()
	if other, isDuplicate = c.places[o]; isDuplicate {
		return other, true
	}
	c.places[o] = place
	if given.Namespace == "" {
		c.anywhere[given] = place
	}
	c.named[o.Name] = append(c.named[o.Name], o)
	return 0, false
}

// namedInjectors is the number of injectors whose reasons a message contains at most.
const namedInjectors = 16

// Choose returns the object that goes into a point: of its group, version and kind and in
// the PackageVariant's namespace, with the name of the first injector that fits and finds
// one. An object without a namespace may be cluster-scoped, so it is of every namespace,
// after those that have one. If there is none, why says it for each injector.
func (v *PackageVariant) Choose(p Point, c *Cluster) (chosen Object, place int, ok bool, why string) {
	var reasons []string
	for i, injector := range v.Spec.Injectors {
		o := Object{p.APIVersion, p.Kind, v.Namespace, injector.Name}.inDefault()
		found, place, isThere := c.find(o)
		fits := injector.Fits(p)
		if fits && isThere {
			return found, place, true, ""
		}
		if len(reasons) == namedInjectors {
			continue
		}
		reason, isNear := injector.Misfit(p)
		if finds := "finds no " + o.String(); fits {
			reason = finds + c.near(o)
		} else if isNear && !isThere {
			reason += ", and " + finds + c.near(o)
		}
		reasons = append(reasons, fmt.Sprintf("injectors[%d] (%s) %s", i, injector.Name, reason))
	}
	if len(reasons) == 0 {
		return Object{}, 0, false, "the PackageVariant has no injectors"
	}
	if more := len(v.Spec.Injectors) - namedInjectors; more > 0 {
		reasons = append(reasons, fmt.Sprintf("and %d more", more))
	}
	return Object{}, 0, false, strings.Join(reasons, "; ")
}

// find returns the object that is there for another one, and its place.
func (c *Cluster) find(o Object) (found Object, place int, ok bool) {
	if place, ok = c.places[o]; !ok {
		o.Namespace = ""
		place, ok = c.anywhere[o]
	}
	return o, place, ok
}

// String is `ConfigMap (v1) "us-east" in namespace default`.
func (o Object) String() string {
	if o.Namespace == "" {
		return fmt.Sprintf("%s (%s) %q without a namespace", o.Kind, o.APIVersion, o.Name)
	}
	return fmt.Sprintf("%s (%s) %q in namespace %s", o.Kind, o.APIVersion, o.Name, o.Namespace)
}

// near names the object that was probably meant.
func (c *Cluster) near(o Object) string {
	for _, other := range c.named[o.Name] {
		switch {
		case other.Kind == o.Kind && other.APIVersion == o.APIVersion:
			return fmt.Sprintf(" (there is one in namespace %s)", other.Namespace)
		case other.Kind == o.Kind && other.Namespace == o.Namespace:
			return fmt.Sprintf(" (there is one of apiVersion %s)", other.APIVersion)
		}
	}
	hint, known := c.hints[o]
	if known || len(c.hints) == mostHints {
		return hint
	}
	var names []string
	for other := range c.places {
		if other.Kind == o.Kind && other.APIVersion == o.APIVersion && other.Namespace == o.Namespace {
			names = append(names, other.Name)
		}
	}
	slices.Sort(names)
	hint = nearest.Hint(o.Name, names)
	if c.hints == nil {
		c.hints = map[Object]string{}
	}
	c.hints[o] = hint
	return hint
}

// Injection is the result of the injection into a point.
type Injection struct {
	// Document is the resource with the injected content.
	Document *values.Document
	// Condition is the point's, for the Kptfile.
	Condition Condition
	// Injected reports whether the point has the content of From.
	Injected bool
	// From is the object.
	From Object
}

// inject copies the content of source, the map of the object from, into the point d. Content that
// is equal stays as it is written. If the source lacks the field, the content stays and the
// condition is False.
//
// The findings explain why d cannot be edited.
//
// An annotation records the injected object. If isPorch is true, only the annotation of Porch is
// written.
func inject(p Point, d *values.Document, from Object, source *yaml.Node, isPorch bool) (*Injection, []diag.Finding) {
	want := values.Field(source, p.Field())
	if values.IsNull(want) {
		in, findings := uninjected(p, d, ReasonNoField, fmt.Sprintf("%s has no field %s", from, p.Field()))
		if in != nil {
			in.From = from
		}
		return in, findings
	}
	in := &Injection{
		Injected: true, From: from,
		Condition: Condition{p.conditionType(), "True", ReasonInjected, fmt.Sprintf("injected %s of %s", p.Field(), from)},
	}
	marks := []textField{{InjectedAnnotation, from.Name}}
	if !isPorch {
		mark := strings.Join([]string{from.APIVersion, from.Kind, from.Namespace, from.Name}, "/") + "@sha256:" + digest(want)
		marks = []textField{{InjectedNameAnnotation, from.Name}, marks[0], {InjectedFromAnnotation, mark}}
	}
	annotations := values.Keys("metadata", "annotations")
	var err error
	in.Document, err = d.Sync(
		values.Change{At: annotations, Want: withTexts(values.Follow(d.Root(), annotations), marks...)},
		values.Change{At: values.Keys(p.Field()), Want: want, IsWhole: true})
	if err != nil {
		return nil, rejected(err)
	}
	return in, nil
}

// leave leaves a point with the content that the package has, and removes the marks of earlier
// injections. why is the reason why no object was selected.
//
// The findings explain why d cannot be edited.
func leave(p Point, d *values.Document, why string) (*Injection, []diag.Finding) {
	return uninjected(p, d, ReasonNoResource, "no in-cluster object was selected: "+why)
}

// uninjected returns a point without the annotations of an injection, and with a condition that is
// False.
func uninjected(p Point, d *values.Document, reason, message string) (*Injection, []diag.Finding) {
	var err error
	for _, name := range []string{InjectedNameAnnotation, InjectedAnnotation, InjectedFromAnnotation} {
		if d, _, err = d.Delete(values.Keys("metadata", "annotations", name)); err != nil {
			return nil, rejected(err)
		}
	}
	return &Injection{Document: d, Condition: Condition{p.conditionType(), "False", reason, message}}, nil
}

// finding describes the present content of the point. It does not depend on the earlier content, so
// a second run finds the same.
func (in *Injection) finding(p Point) diag.Finding {
	f := diag.Say("%s is copied from %s", p.Field(), in.From).Of(rule.InjectInjected)
	f.Tags = map[string]string{"condition": in.Condition.Type}
	if in.Injected {
		f.Tags["from"] = in.From.String()
		if in.From.Namespace == "" {
			f.Action = "if it is not cluster-scoped, set its namespace"
		}
		return f.At(p.Field(), diag.Position{})
	}
	f.Rule, f.Found = rule.InjectUnmatched, "nothing is injected into this required point: "+in.Condition.Message
	if !p.Required {
		f.Severity, f.Found = diag.Info, "nothing is injected into this optional point: "+in.Condition.Message
	}
	return f.At(p.Field(), diag.Position{})
}

// digest returns the first 12 hex digits of the SHA-256 of a value as canonical JSON. It
// does not depend on how the value is written.
func digest(n *yaml.Node) string {
	text, _ := values.JSON(n)
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:12]
}
