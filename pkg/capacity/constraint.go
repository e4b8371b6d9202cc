package capacity

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// The fields of pack.json down to the resources, of an entry of them, and of a
// component.
const (
	fieldConstraints = "constraints"
	fieldResources   = "resources"

	fieldType       = "type"
	fieldMinLimit   = "minLimit"
	fieldComponents = "components"

	fieldRequest  = "resourceRequestParamRef"
	fieldReplicas = "replicaCountParamRef"
	fieldSchedule = "scheduleType"
)

func entryFields() []string     { return []string{fieldType, fieldMinLimit, fieldComponents} }
func componentFields() []string { return []string{fieldRequest, fieldReplicas, fieldSchedule} }

// Constrained reports whether a pack.json has resource constraints, or something
// that should be some.
func Constrained(metadata *values.Document) bool {
	constraints := values.Field(metadata.Root(), fieldConstraints)
	if values.IsNull(constraints) {
		return slipOf(metadata.Root(), fieldConstraints) != nil
	}
	list := values.Field(constraints, fieldResources)
	empty := values.IsNull(list) || list.Kind == yaml.SequenceNode && len(list.Content) == 0
	return constraints.Kind != yaml.MappingNode || !empty || slipOf(constraints, fieldResources) != nil
}

// Components reports whether the resource constraints of a pack.json have
// components, so that the pack's values have to be read.
func Components(metadata *values.Document) bool {
	list := values.Field(metadata.Root(), fieldConstraints, fieldResources)
	return list != nil && list.Kind == yaml.SequenceNode && slices.ContainsFunc(list.Content, func(n *yaml.Node) bool {
		components := values.Field(n, fieldComponents)
		return !values.IsNull(components) && len(components.Content) > 0
	})
}

// Demands reads the resource constraints of packs, and what is wrong with them.
// What can not be read asks for nothing.
func Demands(packs []Pack) ([]Demand, []Finding) {
	var demands []Demand
	var findings []Finding
	for i := range packs {
		r := reader{index: i, pack: &packs[i]}
		if packs[i].Metadata != nil {
			r.resources()
		}
		demands, findings = append(demands, r.demands...), append(findings, r.findings...)
	}
	return demands, findings
}

// reader reads the resource constraints of one pack.
type reader struct {
	index    int
	pack     *Pack
	demands  []Demand
	findings []Finding
	of       Type     // of the entry that is read
	at       string   // the path of the entry or component
	known    []string // the paths of the values, when they were asked for
}

// invalid reports a fault of pack.json.
func (r *reader) invalid(path string, n *yaml.Node, format string, args ...any) *Finding {
	return r.report(RuleInvalid, path, n, format, args...)
}

func (r *reader) report(rule Rule, path string, n *yaml.Node, format string, args ...any) *Finding {
	f := Finding{Rule: rule, Subject: OfMetadata, Pack: r.index, Key: path, Message: path + ": " + fmt.Sprintf(format, args...)}
	if n != nil {
		f.At = values.At(n)
	}
	r.findings = append(r.findings, f)
	return &r.findings[len(r.findings)-1]
}

func (r *reader) resources() {
	root := r.pack.Metadata.Root()
	r.misspelt(root, "", fieldConstraints)
	constraints := values.Field(root, fieldConstraints)
	if !values.IsNull(constraints) && constraints.Kind != yaml.MappingNode {
		r.invalid(fieldConstraints, constraints, "got %s, want a mapping with resources and dependencies", function.KindOf(constraints))
		return
	}
	r.misspelt(constraints, fieldConstraints+".", fieldResources)
	list := values.Field(constraints, fieldResources)
	const path = fieldConstraints + "." + fieldResources
	switch {
	case values.IsNull(list):
	case list.Kind != yaml.SequenceNode:
		r.invalid(path, list, "got %s, want a list of resources, each with a type", function.KindOf(list))
	default:
		for i, n := range list.Content {
			r.at = fmt.Sprintf("%s[%d]", path, i)
			r.entry(values.Resolve(n))
		}
	}
}

// entry reads one resource that the pack asks for.
func (r *reader) entry(n *yaml.Node) {
	at := r.at
	if n.Kind != yaml.MappingNode {
		r.invalid(at, n, "got %s, want a mapping with type, minLimit and components", function.KindOf(n))
		return
	}
	r.misspelt(n, at+".", entryFields()...)
	of, known := r.entryType(n)
	r.of = of
	components := values.Field(n, fieldComponents)
	if !values.IsNull(components) && components.Kind != yaml.SequenceNode {
		r.invalid(at+"."+fieldComponents, components, "got %s, want a list of components", function.KindOf(components))
		return
	}
	if !values.IsNull(components) && len(components.Content) > 0 {
		for i, c := range components.Content { // minLimit is ignored then
			r.at = fmt.Sprintf("%s.%s[%d]", at, fieldComponents, i)
			r.component(values.Resolve(c), known)
		}
		return
	}
	limit, ok := r.minLimit(n, at)
	if ok && known {
		r.demands = append(r.demands, Demand{
			Type: of, Roles: Worker, Request: limit, Replicas: 1, Limit: true, Pack: r.index, Key: fieldMinLimit,
		})
	}
}

func (r *reader) entryType(n *yaml.Node) (of Type, known bool) {
	path, field := r.at+"."+fieldType, values.Field(n, fieldType)
	switch {
	case values.IsNull(field):
		r.invalid(path, n, "is required: %s", function.OneOf(typeNames()))
		return "", false
	case field.Kind != yaml.ScalarNode:
		r.invalid(path, field, "got %s, want %s", function.KindOf(field), function.OneOf(typeNames()))
		return "", false
	case !slices.Contains(typeNames(), field.Value):
		f := r.invalid(path, field, "got %q, want %s%s", field.Value, function.OneOf(typeNames()), nearest.Hint(field.Value, typeNames()))
		if near := nearest.Name(field.Value, typeNames()); near != "" {
			f.Current, f.Proposed = field.Value, near
		}
		return "", false
	}
	return Type(field.Value), true
}

// minLimit reads the minLimit of an entry, a bare number.
func (r *reader) minLimit(n *yaml.Node, at string) (limit Amount, ok bool) {
	path, field := at+"."+fieldMinLimit, values.Field(n, fieldMinLimit)
	size, unit := r.of.limit()
	want := "a number of " + unit + ", without a unit"
	if r.of == "" {
		want = "a number without a unit"
	}
	if values.IsNull(field) {
		r.invalid(at, n, "has neither a minLimit nor components: give one of them, minLimit being %s", want)
		return Amount{}, false
	}
	if tag := field.ShortTag(); field.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
		found := function.KindOf(field)
		if field.Kind == yaml.ScalarNode && tag == "!!str" {
			found = fmt.Sprintf("the text %q", field.Value)
		}
		f := r.invalid(path, field, "got %s, want %s", found, want)
		if tag != "!!str" {
			return Amount{}, false
		}
		number, is := r.of.limitMeant(field.Value)
		if is {
			f.Current, f.Proposed = field.Value, number
		}
		if _, err := parseNumber(field.Value); err == nil {
			f.Message += "; remove the quotes"
		} else if is {
			f.Message += meant(fmt.Sprint(number))
		}
		return Amount{}, false
	}
	number, err := parseNumber(field.Value)
	switch {
	case err != nil:
		r.invalid(path, field, "got %s, want %s", field.Value, want)
		return Amount{}, false
	case number.Sign() < 0:
		r.invalid(path, field, "got %s, want %s, 0 or more", field.Value, want)
		return Amount{}, false
	}
	if limit = times(number, size); limit.Cmp(mostHeld()) >= 0 {
		r.invalid(path, field, "got %s, which is far beyond any machine; want %s", field.Value, want)
		return Amount{}, false
	}
	return limit, true
}

// component reads one component of an entry. An unknown type of the entry has
// been reported, and leaves nothing to count.
func (r *reader) component(n *yaml.Node, known bool) {
	if n.Kind != yaml.MappingNode {
		r.invalid(r.at, n, "got %s, want a mapping with %s", function.KindOf(n), strings.Join(componentFields(), ", "))
		return
	}
	r.misspelt(n, r.at+".", componentFields()...)
	roles, scheduled := r.schedule(n)
	request, requests := r.request(n)
	replicas, counts := r.replicas(n)
	if known && scheduled && requests && counts {
		r.demands = append(r.demands, Demand{
			Type: r.of, Roles: roles, Request: request.amount, Replicas: replicas, Pack: r.index, Key: request.path,
		})
	}
}

// schedule reads the roles that a component runs on.
func (r *reader) schedule(n *yaml.Node) (roles Role, ok bool) {
	field := values.Field(n, fieldSchedule)
	options := []string{"master", "worker", "all"}
	switch text := values.Text(field); {
	case values.IsNull(field) || field.Kind == yaml.ScalarNode && text == "":
		return bothRoles, true
	case field.Kind != yaml.ScalarNode:
		r.invalid(r.at+"."+fieldSchedule, field, "got %s, want %s", function.KindOf(field), function.OneOf(options))
	case text == "all":
		return bothRoles, true
	case text == "worker":
		return Worker, true
	case text == "master", text == "control-plane":
		return ControlPlane, true
	default:
		near := nearest.Name(text, append(options, "control-plane"))
		f := r.invalid(r.at+"."+fieldSchedule, field, "got %q, want %s%s", text, function.OneOf(options), nearest.Hint(text, append(options, "control-plane")))
		if near != "" {
			f.Current, f.Proposed = text, near
		}
	}
	return 0, false
}

// misspelt reports fields that are one slip away from a known one that is not
// there: pack.json may have any field, but a reference that nobody reads would
// let everything pass.
func (r *reader) misspelt(n *yaml.Node, prefix string, known ...string) {
	for _, want := range known {
		if key := slipOf(n, want); key != nil {
			r.invalid(prefix+key.Value, key, "unknown field (did you mean %q?)", want)
		}
	}
}

// collections are the fields that hold more than one value: a key that is like one of
// them and holds a text or a number is a field of the author's own.
var collections = []string{fieldConstraints, fieldResources, fieldComponents}

// slipOf returns the key of a mapping that was probably meant as a field that is
// not there, nil when there is none.
func slipOf(n *yaml.Node, want string) *yaml.Node {
	keys := pack.KeysLike(n, want, func(key string, value *yaml.Node) bool {
		own := value.Kind == yaml.ScalarNode && slices.Contains(collections, want)
		return !own && nearest.IsSlip(key, want)
	})
	if len(keys) == 0 {
		return nil
	}
	return keys[0]
}

// maxReplicas is as many as Kubernetes can count.
var maxReplicas = big.NewRat(1<<31-1, 1)
