package variant

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// A Preview is inject-config for one PackageVariant of many.
type Preview struct {
	// AsPorch does it as Porch v1.5.3: it writes the annotation and the messages of Porch, and
	// leaves what Porch leaves, conditions and gates of points that no longer exist, and marks in
	// points that get nothing.
	AsPorch bool
	// Known and Findings are what [Read] returns for spec.packageVariant of the functionConfig,
	// which then needs not have it, at the path "". Known is nil when it is still to be read.
	Known    *PackageVariant
	Findings []diag.Finding
}

// Function returns the function.
func (o Preview) Function() function.Function {
	f := Function()
	f.New = func() function.Processor {
		return &processor{documents: map[*list.Item]*values.Document{}, isPorch: o.AsPorch, known: o.Known, findings: o.Findings}
	}
	return f
}

// withoutPoints returns a copy without what Porch does not know of injectors.
func (v *PackageVariant) withoutPoints() *PackageVariant {
	c := *v
	c.Spec.Injectors = slices.Clone(v.Spec.Injectors)
	for i := range c.Spec.Injectors {
		c.Spec.Injectors[i].Point = nil
	}
	return &c
}

// likePorch makes an injection into before equal to an injection by Porch.
func (in *Injection) likePorch(p Point, before *values.Document, v *PackageVariant, c *Cluster) {
	why := ""
	switch in.Condition.Reason {
	case ReasonInjected:
		in.Condition.Message = fmt.Sprintf("injected resource %q from cluster", in.From.Name)
		return
	case ReasonNoField:
		why = fmt.Sprintf("field %q not found in resource %q", p.Field(), in.From.Name)
	default:
		why = v.porchReason(p, c)
	}
	in.Document = before
	in.Condition.Reason, in.Condition.Message = ReasonNoResource, why
}

// porchReason returns Porch's message about a point for which no injector finds an object.
func (v *PackageVariant) porchReason(p Point, c *Cluster) string {
	if len(v.Spec.Injectors) == 0 {
		return "no injectors defined"
	}
	if !c.hasKind(p, v.Namespace) {
		return fmt.Sprintf("no in-cluster resources of type %s.%s", p.APIVersion, p.Kind)
	}
	return "no resource matched any injection selector for this injection point"
}

// hasKind reports whether there is an object that a point could take.
func (c *Cluster) hasKind(p Point, namespace string) bool {
	for o := range c.places {
		if o.APIVersion == p.APIVersion && o.Kind == p.Kind && o.Namespace == NamespaceOr(namespace) {
			return true
		}
	}
	for o := range c.anywhere {
		if o.APIVersion == p.APIVersion && o.Kind == p.Kind {
			return true
		}
	}
	return false
}

// sortConditionsOf sorts the conditions and gates of a Kptfile by type, as Porch does.
func sortConditionsOf(d *values.Document) (*values.Document, []diag.Finding) {
	var changes []values.Change
	for _, list := range []struct{ parent, name, id string }{{"info", "readinessGates", "conditionType"}, {"status", "conditions", "type"}} {
		identity := func(e *yaml.Node) string { return values.Text(values.Field(e, list.id)) }
		byType := func(a, b *yaml.Node) int { return strings.Compare(identity(a), identity(b)) }
		n := values.Field(d.Root(), list.parent, list.name)
		if n == nil || slices.IsSortedFunc(n.Content, byType) {
			continue
		}
		sorted := *n
		sorted.Content = slices.Clone(n.Content)
		slices.SortStableFunc(sorted.Content, byType)
		changes = append(changes, values.Change{At: values.Keys(list.parent, list.name), Want: &sorted, Identity: func(e *yaml.Node) string { return "=" + identity(e) }})
	}
	return change(d, changes, nil)
}
