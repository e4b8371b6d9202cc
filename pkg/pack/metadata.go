package pack

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// Constraints is what functions read of constraints in a pack.json, or in the spec of a
// Pack. A field that is added to these types is read by its tag, with its place, and a
// misspelt name of it is reported.
type Constraints struct {
	Field
	// Dependencies are the packs that the pack needs, or does not work with.
	Dependencies []DependencyEntry `json:"dependencies" holds:"packName"`
	// Resources are what the pack needs of the machine pools.
	Resources []ResourceEntry `json:"resources"`
}

// DependencyEntry is an entry of constraints.dependencies.
type DependencyEntry struct {
	Field
	// PackName is the name of the other pack.
	PackName Field `json:"packName"`
	// Layer is the layer of the other pack.
	Layer Field `json:"layer" absent:"any"`
	// MinVersion is the lowest version.
	MinVersion Field `json:"minVersion" absent:"any"`
	// MaxVersion is the highest version. One with two parts covers all that begin with it.
	MaxVersion Field `json:"maxVersion" absent:"any"`
	// Type says whether the other pack must be there, may be there in the range of versions,
	// must not be there in it, or, for upgrade, may replace the pack.
	Type Field `json:"type" enum:"required,optional,notSupported,upgrade"`
}

// ResourceEntry is an entry of constraints.resources.
type ResourceEntry struct {
	Field
	// Type is the resource: cpu in millicores, memory in Mi, diskSize in GB.
	Type Field `json:"type" enum:"cpu,memory,diskSize"`
	// MinLimit is what each worker pool must have, if there are no components.
	MinLimit Field `json:"minLimit"`
	// Components are the parts of the pack that request the resource.
	Components []Component `json:"components"`
}

// Component is a component of a [ResourceEntry].
type Component struct {
	Field
	// Request is the path of the value with the request.
	Request Field `json:"resourceRequestParamRef"`
	// Replicas is the path of the value with the number of replicas.
	Replicas Field `json:"replicaCountParamRef" absent:"one replica"`
	// ScheduleType is the kind of nodes that it runs on.
	ScheduleType Field `json:"scheduleType" enum:"worker,master,control-plane,all" default:"all"`
}

// HasComponents reports whether the entry has components, also such as cannot be read.
func (e *ResourceEntry) HasComponents() bool {
	n := values.Field(e.Node, "components")
	return !values.IsNull(n) && (n.Kind != yaml.SequenceNode || len(n.Content) > 0)
}

// Field is a field with its place.
type Field struct {
	// Path is the path in pack.json.
	Path string
	// Node is the value of the field, or nil if it is absent.
	Node *yaml.Node
	// At is the position of the node, or of the map that does not have it.
	At values.Position
	// IsMisspelt reports whether the field, or a field of a map, has a misspelt name, which was
	// reported.
	IsMisspelt bool
	// Options are the allowed strings, or nil if any is allowed.
	Options []string
}

// IsEmpty reports whether the field is equivalent to an absent one.
func (f Field) IsEmpty() bool {
	return values.IsNull(f.Node) || f.Node.Kind == yaml.ScalarNode && f.Node.Value == ""
}

// Missing makes a finding of a field that is absent or empty.
func (f Field) Missing(want string) diag.Finding {
	found := "empty"
	switch {
	case f.Node == nil:
		found = ""
	case values.IsNull(f.Node):
		found = "null"
	}
	return diag.Missing(found).Want(want)
}

// child returns a field of a map. An absent one has the position of the map.
func (f Field) child(name string) Field {
	child := Field{Path: diag.Join(f.Path, name), Node: values.Field(f.Node, name), At: f.At}
	if child.Node != nil {
		child.At = values.At(child.Node)
	}
	return child
}

// The lists of constraints.
const (
	Dependencies = "dependencies"
	Resources    = "resources"
)

// ReadConstraints reads one of the lists of constraints in the content of a pack.json. It
// reports what has another form than the types, and misspelt names: pack.json may have any
// field, but a constraint that no function reads would let everything pass.
//
//	constraints:
//	  dependencies: [{packName: cert-manager, minVersion: "1.12", type: required}]
//	  resources: [{type: cpu, components: [{resourceRequestParamRef: server.resources.requests.cpu, scheduleType: worker}]}]
func ReadConstraints(packJSON *yaml.Node, list string, report func(Field, diag.Finding)) Constraints {
	r := metadataReader{list, report}
	var metadata struct {
		Field
		Constraints Constraints `json:"constraints"`
	}
	r.structure(Field{Node: packJSON, At: values.At(packJSON)}, reflect.ValueOf(&metadata).Elem())
	return metadata.Constraints
}

// metadataReader fills structs from the constraints in pack.json.
type metadataReader struct {
	// list is the list of constraints that is read.
	list string
	// report gets the faults of fields.
	report func(Field, diag.Finding)
}

// structure fills a struct, whose first field is its place, from a map. Anything else
// is a finding, and it returns false.
func (r metadataReader) structure(f Field, out reflect.Value) bool {
	names := namesOf(out.Type())
	if f.Node == nil || f.Node.Kind != yaml.MappingNode {
		r.report(f, diag.Got(values.KindOf(f.Node), "a map with "+diag.AllOf(names)))
		return false
	}
	misspelt := r.slips(f, out, names)
	f.IsMisspelt = len(misspelt) > 0
	out.Field(0).Set(reflect.ValueOf(f))
	for i, name := range names {
		child := f.child(name)
		child.IsMisspelt = slices.Contains(misspelt, name)
		switch field := out.Field(i + 1); {
		case field.Type() == reflect.TypeFor[Field]():
			child.Options = optionsOf(out.Type().Field(i + 1))
			field.Set(reflect.ValueOf(child))
		case values.IsNull(child.Node), r.isLeftOut(name):
		case field.Kind() == reflect.Slice:
			r.elements(child, field)
		case child.Node.Kind == yaml.SequenceNode && len(child.Node.Content) == 0: // [] for nothing
		default:
			r.structure(child, field)
		}
	}
	return true
}

// namesOf returns the names of the fields of a struct but the first, its place.
func namesOf(t reflect.Type) (names []string) {
	for i := 1; i < t.NumField(); i++ {
		names = append(names, t.Field(i).Tag.Get("json"))
	}
	return names
}

// optionsOf returns the texts that the tag enum of a field has, or nil if there is none.
func optionsOf(f reflect.StructField) []string {
	if tag, ok := f.Tag.Lookup("enum"); ok {
		return strings.Split(tag, ",")
	}
	return nil
}

// Layers returns the layers of a cluster profile that a pack can belong to.
func Layers() []string {
	field, _ := reflect.TypeFor[packJSON]().FieldByName("Layer")
	return optionsOf(field)
}

// CloudTypes returns the types of clouds that packs are for. Palette may have more.
func CloudTypes() []string {
	return []string{"custom", "aws", "eks", "azure", "aks", "gcp", "gke", "vsphere", "openstack", "maas", "tencent", "tke", "edge", "edge-native", "libvirt", "baremetal", "nested", "cloudstack"}
}

// isLeftOut reports whether a field is the list of constraints that is not read.
func (r metadataReader) isLeftOut(name string) bool {
	return name != r.list && (name == Dependencies || name == Resources)
}

// elements reads a list of maps. It leaves out elements that cannot be read.
func (r metadataReader) elements(f Field, out reflect.Value) {
	if f.Node.Kind != yaml.SequenceNode {
		r.report(f, diag.Got(values.KindOf(f.Node), "a list of entries with "+diag.AllOf(namesOf(out.Type().Elem()))))
		return
	}
	for i, n := range f.Node.Content {
		n = values.Resolve(n)
		element := reflect.New(out.Type().Elem()).Elem()
		if r.structure(Field{Path: fmt.Sprintf("%s[%d]", f.Path, i), Node: n, At: values.At(n)}, element) {
			out.Set(reflect.Append(out, element))
		}
	}
}

// slips reports the keys of a map that are misspelt names of fields which it does not
// have, and returns these fields.
func (r metadataReader) slips(f Field, out reflect.Value, names []string) (misspelt []string) {
	for key, value := range fields(f.Node) {
		if slices.Contains(names, key.Value) {
			continue
		}
		var free []string // the fields of one value that are not there
		meant := ""
		for i, name := range names {
			field, tag := out.Field(i+1), out.Type().Field(i+1).Tag
			switch {
			case values.Field(f.Node, name) != nil || r.isLeftOut(name):
			case field.Type() == reflect.TypeFor[Field]():
				free = append(free, name)
			case value.Kind == yaml.ScalarNode: // the author's own field, with a name similar to a collection's
			case nearest.IsTypo(key.Value, name), nearest.Name(key.Value, names) == name && holds(value, tag.Get("holds")):
				meant = name
			}
		}
		if meant == "" {
			meant = nearest.Misspelt(key.Value, free)
		}
		if meant != "" {
			finding := diag.Unknown("field", key.Value, nil)
			finding.Nearest = meant
			r.report(Field{Path: diag.Join(f.Path, key.Value), Node: key, At: values.At(key)}, finding)
			misspelt = append(misspelt, meant)
		}
	}
	return misspelt
}

// holds reports whether a value, or an entry of it, has a field: names that are less near,
// such as dependents, must also look like a list of constraints.
func holds(n *yaml.Node, field string) bool {
	entries := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		entries = n.Content
	}
	return field != "" && slices.ContainsFunc(entries, func(entry *yaml.Node) bool { return values.Field(entry, field) != nil })
}
