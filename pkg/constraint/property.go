package constraint

import (
	"fmt"
	"strings"

	"github.com/blang/semver/v4"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/version"
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
)

var dependencyTypes = []string{typePackage, typeGVK, typeLabel, typeConstraint, typePackageRequired, typeGVKRequired, typeLabelRequired}

// requirement is something that a bundle requires.
type requirement struct {
	entry Entry
	// declared is the type it was declared with.
	declared   string
	constraint *Constraint
}

// rule is the rule under which it is reported.
func (r requirement) rule() Rule {
	if r.declared == typeConstraint {
		return RuleUnsatisfied
	}
	return RuleRequirement
}

// providedPackage is a package that a candidate provides.
type providedPackage struct {
	name string
	// text is the version as written, and version what it comes to: none when it
	// is none.
	text    string
	version version.Version
	// semver is version as ranges compare it.
	semver semver.Version
}

// read reads the version, and says whether it is one.
func (p *providedPackage) read() bool {
	p.version, _ = version.Parse(p.text)
	p.semver = toSemver(p.version)
	return !p.version.IsZero()
}

// candidate is who may satisfy requirements: a bundle, or the virtual operator
// of the cluster, whose bundle is nil.
type candidate struct {
	bundle       *Bundle
	packages     []providedPackage
	gvks         []GVK
	labels       []string
	requirements []requirement
	// list is what rules see as `properties`.
	list []any
	// bound are the variables of rules, converted once.
	bound map[string]any
}

func (c *candidate) title() string {
	if c.bundle == nil {
		return "the cluster"
	}
	return c.bundle.title()
}

// reader reads the entries of one candidate.
type reader struct {
	parser
	candidate *candidate
	invalid   Rule
	findings  []Finding
}

// report turns the problems since the last report into one finding.
func (r *reader) report(e Entry, what string) {
	if len(r.problems) == 0 {
		return
	}
	first := r.problems[0]
	if first.At.Line == 0 { // what is not there has no place
		first.At = values.At(e.Node)
	}
	const most = 5
	var texts []string
	for i, p := range r.problems {
		if i == most {
			texts = append(texts, fmt.Sprintf("and %d more", len(r.problems)-most))
			break
		}
		texts = append(texts, p.Key+": "+p.Message)
	}
	who := e.Where
	if who == "" {
		who = r.candidate.title()
	}
	f := Finding{
		Rule: r.invalid, Bundle: r.candidate.bundle, Origin: e.Origin, Key: first.Key, At: first.At, Subject: who,
		Message: fmt.Sprintf("%s: the %s can not be read: %s", who, what, strings.Join(texts, "; ")),
	}
	if len(r.problems) == 1 {
		f.Proposed = first.Proposed
	}
	r.findings = append(r.findings, f)
	r.problems = nil
}

// open returns the type and value of an entry, wherever they stand.
func (r *reader) open(e Entry, valueNeeded bool) (name string, value *yaml.Node, key string, ok bool) {
	key = e.Key
	n := r.mapping(e.Node, key, "an entry {type, value}")
	if n == nil {
		return "", nil, key, false
	}
	if inner := values.Field(n, "property"); inner != nil && values.Field(n, "type") == nil {
		key = join(key, "property")
		if n = r.mapping(inner, key, "a property {type, value}"); n == nil {
			return "", nil, key, false
		}
	}
	typeNode := values.Field(n, "type")
	name = r.text(typeNode, join(key, "type"), false)
	if name == "" && len(r.problems) == 0 {
		r.fail(key, n, "has no type; want {type, value}")
	}
	value = values.Field(n, "value")
	if value == nil && valueNeeded && len(r.problems) == 0 {
		r.fail(key, n, "has no value; want {type, value}")
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		for j := 0; j < i; j += 2 {
			if k := n.Content[i].Value; k == n.Content[j].Value && (k == "type" || k == "value") {
				r.fail(join(key, k), n.Content[i], "the key %q stands on line %d already; remove one", k, n.Content[j].Line)
			}
		}
	}
	return name, value, join(key, "value"), len(r.problems) == 0
}

// property reads an item of properties.
func (r *reader) property(e Entry, valueNeeded bool) {
	name, value, key, ok := r.open(e, valueNeeded)
	if !ok {
		r.report(e, "property")
		return
	}
	if json, err := plain(value); err != nil {
		r.fail(key, value, "%v", err)
	} else {
		r.candidate.list = append(r.candidate.list, map[string]any{"type": name, "value": json})
	}
	switch name {
	case typePackage:
		r.provided(value, key)
	case typeGVK:
		if n := r.mapping(value, key, "a mapping with group, version and kind"); n != nil {
			if g := r.gvk(loose(n), n, key); len(r.problems) == 0 {
				r.candidate.gvks = append(r.candidate.gvks, g)
			}
		}
	case typeLabel:
		if label := r.label(value, key); label != "" {
			r.candidate.labels = append(r.candidate.labels, label)
		}
	case typePackageRequired, typeGVKRequired, typeLabelRequired, typeConstraint:
		r.required(e, name, value, key, "versionRange")
	default:
		// Properties may be of any type, but a constraint that nobody reads lets
		// everything pass.
		for _, known := range dependencyTypes {
			if nearest.IsSlip(name, known) {
				r.fail(e.Key, e.Node, "the type %q is not known (did you mean %q?)", short(name), known)
			}
		}
	}
	r.report(e, name+" property")
}

// dependency reads an item of dependencies, where olm.package and its like
// require.
func (r *reader) dependency(e Entry) {
	name, value, key, ok := r.open(e, false)
	if ok {
		field := "versionRange"
		switch name {
		case typePackage:
			field = "version"
			fallthrough
		case typeGVK, typeLabel, typeConstraint, typePackageRequired, typeGVKRequired, typeLabelRequired:
			r.required(e, name, value, key, field)
		default:
			if nearest.Name(name, dependencyTypes) != "" {
				r.fail(e.Key, e.Node, "the type %q is not known; want %s%s", short(name), function.OneOf(dependencyTypes[:4]), nearest.Hint(name, dependencyTypes))
			}
		}
	}
	r.report(e, strings.TrimSpace(name+" dependency"))
}

// required reads a requirement; field is the key of a package's range.
func (r *reader) required(e Entry, name string, value *yaml.Node, key, field string) {
	var c *Constraint
	if name == typeConstraint {
		c = r.generic(e, value, key)
	} else {
		c = &Constraint{Key: key, At: values.At(value)}
		n := value
		switch strings.TrimSuffix(name, ".required") {
		case typePackage:
			c.Kind = KindPackage
			if n = r.mapping(value, key, "a mapping with packageName and "+field); n != nil {
				fields := loose(n)
				if c.Package = r.text(fields["packageName"], join(key, "packageName"), false); c.Package == "" && len(r.problems) == 0 {
					r.fail(key, n, "has no packageName%s", misspelt(n, []string{"packageName", field}))
				}
				if values.IsNull(fields[field]) {
					r.fail(key, n, "has no %s%s; for any version write %s: '%s'", field, misspelt(n, []string{"packageName", field}), field, AnyVersion)
				} else {
					r.versionRange(c, fields[field], n, join(key, field), len(r.problems))
				}
			}
		case typeGVK:
			c.Kind = KindGVK
			if n = r.mapping(value, key, "a mapping with group, version and kind"); n != nil {
				c.GVK = r.gvk(loose(n), n, key)
			}
		case typeLabel:
			c.Kind, c.Label = KindLabel, r.label(value, key)
		}
		c.identify()
	}
	if len(r.problems) == 0 && c != nil {
		r.candidate.requirements = append(r.candidate.requirements, requirement{e, name, c})
	}
}

// generic reads the value of an olm.constraint.
func (r *reader) generic(e Entry, value *yaml.Node, key string) *Constraint {
	size := e.ValueSize
	if size == 0 {
		size = compactSize(value, MaxSize)
	}
	if size > MaxSize {
		r.fail(key, value, "the value is larger than %d KiB, the limit of OLM; split it into several constraints", MaxSize>>10)
		return nil
	}
	return r.constraint(value, key, 1)
}

func (r *reader) label(value *yaml.Node, key string) string {
	n := r.mapping(value, key, "a mapping with the key label")
	if n == nil {
		return ""
	}
	label := r.text(loose(n)["label"], join(key, "label"), false)
	if label == "" && len(r.problems) == 0 {
		r.fail(key, n, "has no label%s", misspelt(n, []string{"label"}))
	}
	return label
}

// provided reads the value of a property olm.package.
func (r *reader) provided(value *yaml.Node, key string) {
	n := r.mapping(value, key, "a mapping with packageName and version")
	if n == nil {
		return
	}
	fields := loose(n)
	p := providedPackage{name: r.text(fields["packageName"], join(key, "packageName"), false), text: r.text(fields["version"], join(key, "version"), false)}
	if len(r.problems) > 0 {
		return
	}
	known := []string{"packageName", "version"}
	if p.name == "" {
		r.fail(key, n, "has no packageName%s", misspelt(n, known))
		return
	}
	isVersion := p.read()
	if p.text == "" {
		r.fail(key, n, "has no version%s", misspelt(n, known))
	} else if _, err := semver.Parse(p.text); err != nil {
		problem := Problem{Key: join(key, "version"), At: values.At(fields["version"]), Message: fmt.Sprintf("%q is no version that OLM reads; want three numbers, as in 1.2.3 or 1.2.3-rc.1", short(p.text))}
		if isVersion {
			problem.Proposed = p.semver.String()
		}
		r.problems = append(r.problems, problem)
	}
	r.candidate.packages = append(r.candidate.packages, p)
}

// loose returns the fields of a value in which OLM ignores what it does not
// know.
func loose(n *yaml.Node) map[string]*yaml.Node {
	fields := map[string]*yaml.Node{}
	for _, key := range []string{"packageName", "version", "versionRange", "group", "kind", "label"} {
		if v := values.Field(n, key); v != nil {
			fields[key] = v
		}
	}
	return fields
}

// misspelt names the key of a mapping that is like a known one.
func misspelt(n *yaml.Node, known []string) string {
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		if hint := keyHint(name, known); hint != "" {
			return fmt.Sprintf(", but %q%s", short(name), hint)
		}
	}
	return ""
}

// read reads a bundle.
func (r *reader) read() {
	b := r.candidate.bundle
	for _, e := range b.Properties {
		r.property(e, false)
	}
	for _, e := range b.Dependencies {
		r.dependency(e)
	}
	for _, api := range b.APIs {
		if api.Required {
			c := &Constraint{Kind: KindGVK, GVK: api.GVK, Key: api.Key, At: values.At(api.Node)}
			c.identify()
			r.candidate.requirements = append(r.candidate.requirements, requirement{Entry{Node: api.Node, Key: api.Key, Origin: api.Origin}, typeGVKRequired, c})
			continue
		}
		r.candidate.gvks = append(r.candidate.gvks, api.GVK)
		r.candidate.list = append(r.candidate.list, map[string]any{"type": typeGVK, "value": map[string]any{
			"group": api.Group, "version": api.Version, "kind": api.Kind,
		}})
	}
	if len(r.candidate.packages) > 0 {
		return
	}
	p := providedPackage{name: b.Package, text: b.Version}
	name, number := b.Name, ""
	if !b.Pack {
		name, number = CutName(b.Name)
	}
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
	r.candidate.packages = []providedPackage{p}
	r.candidate.list = append(r.candidate.list, map[string]any{"type": typePackage, "value": map[string]any{
		"packageName": p.name, "version": p.text,
	}})
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
