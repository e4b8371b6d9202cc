package constraint

import (
	"fmt"
	"strings"

	"github.com/blang/semver/v4"
	"github.com/google/cel-go/common/types/ref"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/values"
)

// The types of properties that mean something; all others are opaque.
const (
	typePackage         = "olm.package"
	typeGVK             = "olm.gvk"
	typeLabel           = "olm.label"
	typePackageRequired = "olm.package.required"
	typeGVKRequired     = "olm.gvk.required"
	typeLabelRequired   = "olm.label.required"
	typeConstraint      = "olm.constraint"
	// typeObject and typeMetadata are what opm adds to catalogs for clients: the manifests of a
	// bundle, and the ClusterServiceVersion as users see it. OLM does not show them to rules.
	typeObject   = "olm.bundle.object"
	typeMetadata = "olm.csv.metadata"
	// typeDeprecated has no value. OLM does not install a bundle with it.
	typeDeprecated = "olm.deprecated"
)

var dependencyTypes = []string{typePackage, typeGVK, typeLabel, typeConstraint, typePackageRequired, typeGVKRequired, typeLabelRequired}

// providedPackage is a package that a candidate provides.
type providedPackage struct {
	// name is the name of the package.
	name string
	// text is the version as written.
	text string
	// isVersion reports whether text is a version, and isPrerelease whether it is a prerelease.
	isVersion, isPrerelease bool
	// semver is the version as ranges compare it.
	semver semver.Version
	// property is the index of the property that provides it in the list of its candidate, which
	// may not have the property until a rule needs it, see ruleProperties.
	property int
}

// read reads the version.
func (p *providedPackage) read() {
	v, _ := version.Parse(p.text)
	p.isVersion, p.isPrerelease, p.semver = !v.IsZero(), v.IsPrerelease(), toSemver(v)
}

// candidate is a bundle, or the virtual operator of the cluster, whose bundle is nil. It
// may satisfy requirements.
type candidate struct {
	// bundle is the bundle, or nil for the cluster.
	bundle *Bundle
	// packages, gvks and labels are what the candidate provides.
	packages []providedPackage
	gvks     []GVK
	labels   []string
	// requirements are what it requires.
	requirements []requirement
	// isDeprecated is true for a bundle with the property olm.deprecated.
	isDeprecated bool
	// list is the variable `properties` of rules, as values of CEL, which take less memory
	// than maps; without the properties of packages until a rule needs them, see ruleProperties.
	list []ref.Val
	// bound are the variables of rules.
	bound map[string]any
}

// add adds a property for rules.
func (c *candidate) add(name string, value any) { c.list = append(c.list, ruleProperty(name, value)) }

// ruleProperties returns list with the properties of the packages. Each bundle has one, and they are all
// different, so they are made when a rule needs them.
func (c *candidate) ruleProperties() []ref.Val {
	for i := range c.packages {
		p := &c.packages[i]
		if p.property == len(c.list) { // the implicit property of a bundle without one
			c.list = append(c.list, nil)
		}
		if c.list[p.property] == nil {
			c.list[p.property] = ruleProperty(typePackage, map[string]any{"packageName": p.name, "version": p.text})
		}
	}
	return c.list
}

// ruleProperty returns a property as a value of CEL.
func ruleProperty(name string, value any) ref.Val {
	return celenv.Value(map[string]any{"type": name, "value": value})
}

// title names the candidate in messages.
func (c *candidate) title() string {
	if c.bundle == nil {
		return "the cluster"
	}
	return c.bundle.title()
}

// reading is a candidate that was read, and what was wrong with it.
type reading struct {
	// candidate is the bundle or the cluster, and reported are its faults.
	candidate *candidate
	reported  []diag.Finding
}

// reader reads the entries of one candidate.
type reader struct {
	parser
	reading
	// invalid is the rule of the faults.
	invalid diag.Rule
	// again returns the property that is read, or nil if its value has to be kept.
	again func() *yaml.Node
	// shared are the properties of all bundles by type and value, or nil if there are none.
	shared map[string]ref.Val
}

// finish reports the warnings about an entry, and its faults as one finding: the first,
// with the others in its note.
func (r *reader) finish(e Entry) {
	for _, f := range r.warnings {
		r.reported = append(r.reported, r.candidate.bundle.mark(f.From(e.Origin).Of(r.invalid)))
	}
	r.warnings = nil
	if len(r.findings) == 0 {
		return
	}
	first := r.findings[0]
	if first.Position.Line == 0 { // something missing has no position
		first.Position = values.At(e.Node)
	}
	const most = 5
	var others []string
	for i, f := range r.findings[1:] {
		if i == most-1 {
			others = append(others, fmt.Sprintf("and %d more", len(r.findings)-most))
			break
		}
		others = append(others, f.Key+": "+f.Message())
	}
	if len(others) > 0 {
		// A proposal for one of several faults does not correct the entry.
		first.Current, first.Proposed = nil, nil
		first.Note = "other faults of the entry: " + strings.Join(others, "; ")
	}
	r.reported = append(r.reported, r.candidate.bundle.mark(first.From(e.Origin).Of(r.invalid)))
	r.findings = nil
}

// The fields of the properties and dependencies that mean something.
type (
	providedFields struct {
		PackageName string `json:"packageName" required:"true"`
		Version     string `json:"version" required:"true"`
	}
	requiredFields struct {
		PackageName  string `json:"packageName" required:"true"`
		VersionRange string `json:"versionRange" required:"true"`
	}
	labelFields struct {
		Label string `json:"label" required:"true"`
	}
)

// property reads an item of properties.
func (r *reader) property(e Entry, isValueRequired bool) {
	defer r.finish(e)
	name, value, key, ok := r.open(e, isValueRequired)
	if !ok {
		return
	}
	if name == typeObject || name == typeMetadata {
		return
	}
	if name == typePackage && isPlainPackage(value) {
		r.candidate.list = append(r.candidate.list, nil)
	} else {
		r.again = e.Again
		r.add(name, value, key)
		r.again = nil
	}
	switch name {
	case typePackage:
		r.provided(value, key)
		r.compareIdentity(value, key)
	case typeGVK:
		var fields gvkFields
		if r.decode(value, key, "a map with group, version and kind", true, &fields); len(r.findings) == 0 {
			r.candidate.gvks = append(r.candidate.gvks, GVK(fields))
		}
	case typeLabel:
		if label := r.label(value, key); label != "" {
			r.candidate.labels = append(r.candidate.labels, label)
		}
	case typeDeprecated:
		r.candidate.isDeprecated = true
	case typePackageRequired, typeGVKRequired, typeLabelRequired, typeConstraint:
		r.required(e, name, value, key, "versionRange")
	default:
		// Properties may be of any type, but a misspelt constraint checks nothing.
		for _, known := range dependencyTypes {
			if nearest.IsTypo(name, known) {
				r.unknownType(e, name, key)
				break
			}
		}
	}
}

// dependencyProperty adds the property that OLM makes of a dependency, which rules see.
func (r *reader) dependencyProperty(name string, value *yaml.Node, key string) {
	switch name {
	case typePackage:
		r.candidate.add(typePackageRequired, map[string]any{
			"packageName": values.Text(values.Field(value, "packageName")), "versionRange": values.Text(values.Field(value, "version"))})
	case typeGVK:
		r.candidate.add(typeGVKRequired, GVK{
			values.Text(values.Field(value, "group")), values.Text(values.Field(value, "version")), values.Text(values.Field(value, "kind"))}.fields())
	case typeLabel:
		r.add(typeLabelRequired, value, key)
	default:
		r.add(name, value, key)
	}
}

// The sizes of properties that are kept once for all bundles, and how many.
const (
	maxShared     = 1024
	maxProperties = 10_000
)

// add adds a property to the variable of rules. Bundles have many of the same small
// properties: each is in memory once.
func (r *reader) add(name string, value *yaml.Node, key string) {
	text := ""
	isSmall := compactSize(value, maxShared) <= maxShared
	if later := r.keepLater(value); later != nil && !isSmall {
		r.candidate.add(name, later)
		return
	}
	if r.shared != nil && isSmall {
		if json, ok := values.JSON(value); ok {
			if text = name + "\x00" + json; r.shared[text] != nil {
				r.candidate.list = append(r.candidate.list, r.shared[text])
				return
			}
		}
	}
	json, err := plain(value)
	if err != nil {
		r.report(diag.Say("%v", err), key, value)
		return
	}
	r.candidate.add(name, json)
	if text != "" && len(r.shared) < maxProperties {
		r.shared[text] = r.candidate.list[len(r.candidate.list)-1]
	}
}

// unknownType reports the type of an entry, whose value is at a path.
func (r *reader) unknownType(e Entry, name, key string) {
	r.report(diag.Unknown("type", short(name), dependencyTypes), strings.TrimSuffix(key, "value")+"type", e.Node)
}

// label reads the value of a property or dependency olm.label.
func (r *reader) label(value *yaml.Node, key string) string {
	var fields labelFields
	r.decode(value, key, "a map with label", true, &fields)
	return fields.Label
}

// VersionForm describes the versions that opm accepts, for findings.
const VersionForm = "a version of three numbers (as in 1.2.3 or 1.2.3-rc.1)"

// isPlainPackage reports whether the value of a property olm.package is no more than a name and a version.
func isPlainPackage(value *yaml.Node) bool {
	if value == nil || value.Kind != yaml.MappingNode || len(value.Content) != 4 {
		return false
	}
	for _, n := range value.Content {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" || n.Value == "" {
			return false
		}
	}
	first, second := value.Content[0].Value, value.Content[2].Value
	return first == "packageName" && second == "version" || first == "version" && second == "packageName"
}

// provided reads the value of a property olm.package.
func (r *reader) provided(value *yaml.Node, key string) {
	var fields providedFields
	if !r.decode(value, key, "a map with packageName and version", true, &fields) || fields.PackageName == "" {
		return
	}
	p := providedPackage{name: fields.PackageName, text: fields.Version, property: len(r.candidate.list) - 1}
	p.read()
	if _, err := semver.Parse(p.text); err != nil && p.text != "" {
		f := diag.GotText(short(p.text), VersionForm)
		if p.isVersion {
			f = f.Propose(p.text, p.semver.String())
		}
		r.report(f, diag.Join(key, "version"), values.Field(value, "version"))
	}
	if p.text != "" || values.IsNull(values.Field(value, "version")) {
		r.candidate.packages = append(r.candidate.packages, p)
	}
}

// read reads a bundle.
func (r *reader) read() {
	b := r.candidate.bundle
	r.candidate.list = make([]ref.Val, 0, len(b.Properties)+len(b.APIs))
	for _, e := range b.Properties {
		r.property(e, false)
	}
	provided := map[GVK]bool{}
	for _, g := range r.candidate.gvks {
		provided[g] = true
	}
	for _, api := range b.APIs {
		if !api.Required && !provided[api.GVK] {
			provided[api.GVK] = true
			r.candidate.gvks = append(r.candidate.gvks, api.GVK)
			r.candidate.add(typeGVK, api.fields())
		}
	}
	for _, e := range b.Dependencies {
		r.dependency(e)
	}
	required := map[GVK]bool{}
	for _, other := range r.candidate.requirements {
		if other.declared != typeConstraint && other.constraint.Kind == KindGVK {
			required[other.constraint.GVK] = true
		}
	}
	for _, api := range b.APIs {
		if !api.Required || required[api.GVK] {
			continue
		}
		required[api.GVK] = true
		c := &Constraint{Kind: KindGVK, GVK: api.GVK, Key: api.Key, At: values.At(api.Node)}
		c.identify()
		r.candidate.requirements = append(r.candidate.requirements, requirement{api.Entry, typeGVKRequired, c})
		r.candidate.add(typeGVKRequired, api.fields())
	}
	name, number := b.Name, ""
	if !b.IsPack {
		name, number = CutName(b.Name)
		r.compareVersion(number)
	}
	if len(r.candidate.packages) > 0 {
		return
	}
	p := providedPackage{name: b.Package, text: b.Version}
	if p.name == "" {
		p.name = name
	}
	if p.text == "" {
		p.text = number
	}
	if p.name == "" {
		return
	}
	p.read()
	p.property = len(r.candidate.list)
	r.candidate.packages = []providedPackage{p}
}

// CutName splits the name of a bundle, like `red.v1.0.0`, before and after the
// first `.v` that a digit follows: into its package and version, where it states
// none.
func CutName(name string) (before, number string) {
	for i := 0; i+2 < len(name); i++ {
		if name[i] == '.' && name[i+1] == 'v' && '0' <= name[i+2] && name[i+2] <= '9' {
			return name[:i], name[i+2:]
		}
	}
	return name, ""
}
