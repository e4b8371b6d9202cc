package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/values"
)

// The limits of a constraint.
const (
	// MaxSize is the size of the largest value of an olm.constraint, in bytes.
	MaxSize = 64 << 10
	// MaxDepth is the largest number of constraints inside each other, the leaf
	// included.
	MaxDepth = 10
)

// Kind is the type of a constraint.
type Kind string

// The types of constraints. KindLabel occurs only as olm.label.required.
const (
	KindPackage Kind = "package"
	KindGVK     Kind = "gvk"
	KindLabel   Kind = "label"
	KindCEL     Kind = "cel"
	KindAll     Kind = "all"
	KindAny     Kind = "any"
	KindNot     Kind = "not"
)

// Constraint is a parsed constraint.
//
//	all:
//	  constraints:
//	  - package: {packageName: red, versionRange: '>=1.0.0'}
//	  - gvk: {group: example.com, version: v1, kind: Red}
type Constraint struct {
	// Kind is the type of the constraint.
	Kind Kind
	// FailureMessage is the author's message, or "" if there is none.
	FailureMessage string
	// Key is the path of the type: `properties[3].value.all`.
	Key string
	// At is the position of the value.
	At diag.Position
	// Children are the constraints below all, any and not.
	Children []*Constraint
	// Package and Range are a package's.
	Package string
	Range   Range
	// GVK, Label and Rule are set for leaves of the kind of the same name.
	GVK   GVK
	Label string
	Rule  string
	// program is the compiled rule, or nil for other kinds.
	program *celenv.Program
	// id is the same for constraints that mean the same.
	id string
}

// parser reads constraints and collects their faults. Its findings have neither rule nor origin.
type parser struct {
	// rules compiles CEL expressions, and findings are the faults so far.
	rules    *celenv.Env
	findings []diag.Finding
	// warnings are about constraints that are accepted here, but not by OLM.
	warnings []diag.Finding
	// decoded are the faults of the map that was decoded last.
	decoded []diag.Finding
}

func (p *parser) report(f diag.Finding, key string, n *yaml.Node) {
	p.findings = append(p.findings, f.At(key, values.At(n)))
}

// The fields of constraints, as OLM and the generic constraints document define them.
type (
	constraintFields struct {
		FailureMessage string         `json:"failureMessage"`
		GVK            *gvkFields     `json:"gvk"`
		Package        *packageFields `json:"package"`
		CEL            *ruleFields    `json:"cel"`
		All            *childFields   `json:"all"`
		Any            *childFields   `json:"any"`
		Not            *childFields   `json:"not"`
	}
	gvkFields struct {
		Group   string `json:"group"`
		Version string `json:"version" required:"true"`
		Kind    string `json:"kind" required:"true"`
	}
	packageFields struct {
		PackageName  string `json:"packageName"`
		Name         string `json:"name"`
		VersionRange string `json:"versionRange" required:"true"`
	}
	ruleFields struct {
		Rule string `json:"rule" required:"true"`
	}
	childFields struct {
		Constraints []*yaml.Node `json:"constraints" required:"true"`
	}
)

var typeKeys = []string{"gvk", "package", "cel", "all", "any", "not"}

// synonyms are words that users write for others and that are not near them.
var synonyms = map[string][]string{
	"none": {"not"}, "version": {"versionRange"}, "range": {"versionRange", "version"}, "versionrange": {"version"},
	"message": {"failureMessage"}, "and": {"all"}, "or": {"any"}, "expression": {"rule"},
}

// constraint reads the value of an olm.constraint, or a child of one. It returns nil if the value
// has a fault.
func (p *parser) constraint(n *yaml.Node, key string, depth int) *Constraint {
	before := len(p.findings)
	if depth > MaxDepth {
		p.report(diag.Say("more than %d constraints are inside each other, which is the most that is allowed", MaxDepth), key, n)
		return nil
	}
	if isOlder(n) {
		p.olderSpelling(n, key)
		return nil
	}
	var fields constraintFields
	if !p.decode(n, key, "a map with one of "+diag.OneOf(typeKeys), false, &fields) {
		return nil
	}
	c := &Constraint{FailureMessage: fields.FailureMessage}
	n = values.Resolve(n)
	types := slices.DeleteFunc(slices.Clone(typeKeys), func(name string) bool { return values.IsNull(values.Field(n, name)) })
	switch {
	case len(types) == 0 && len(p.findings) == before:
		p.report(diag.Missing("").Want("one of "+diag.OneOf(typeKeys)), key, n)
	case len(types) > 1:
		p.report(diag.TooMany(types...).Do("put each into a separate constraint, below all"), key, n)
	}
	for _, name := range types {
		p.kind(c, Kind(name), &fields, values.Field(n, name), diag.Join(key, name), depth)
	}
	if len(p.findings) > before {
		return nil
	}
	c.identify()
	return c
}

// kind reads the value below the type of a constraint.
func (p *parser) kind(c *Constraint, kind Kind, fields *constraintFields, n *yaml.Node, key string, depth int) {
	c.Kind, c.Key, c.At = kind, key, values.At(n)
	switch f := fields; {
	case f.GVK != nil && kind == KindGVK:
		c.GVK = GVK(*f.GVK)
	case f.Package != nil && kind == KindPackage:
		p.packageDemand(c, f.Package, n, key)
	case f.CEL != nil && kind == KindCEL:
		p.rule(c, f.CEL.Rule, values.Field(n, "rule"), diag.Join(key, "rule"))
	case f.All != nil && kind == KindAll:
		p.children(c, f.All, n, key, depth)
	case f.Any != nil && kind == KindAny:
		p.children(c, f.Any, n, key, depth)
	case f.Not != nil && kind == KindNot:
		p.children(c, f.Not, n, key, depth)
	}
}

// children reads the constraints below all, any or not.
func (p *parser) children(c *Constraint, fields *childFields, n *yaml.Node, key string, depth int) {
	key = diag.Join(key, "constraints")
	if list := values.Field(n, "constraints"); list != nil && list.Kind == yaml.SequenceNode && len(list.Content) == 0 {
		p.report(diag.Missing("empty").Want("at least one constraint").Do("add one"), key, list)
	}
	for i, item := range fields.Constraints {
		if child := p.constraint(item, fmt.Sprintf("%s[%d]", key, i), depth+1); child != nil {
			c.Children = append(c.Children, child)
		}
	}
}

// packageDemand reads the type package: packageName, or name as the generic
// constraints document writes it, and versionRange.
func (p *parser) packageDemand(c *Constraint, fields *packageFields, n *yaml.Node, key string) {
	c.Package = fields.PackageName
	switch {
	case c.Package == "" && fields.Name == "" && !p.hasFault("packageName", "name"):
		p.report(diag.Missing(""), diag.Join(key, "packageName"), n)
	case c.Package == "":
		c.Package = fields.Name
		f := diag.Say("name is read as packageName, but OLM rejects it").Do("write packageName")
		f.Kind, f.Severity = diag.KindAlias, diag.Warning
		p.warnings = append(p.warnings, f.At(diag.Join(key, "name"), values.At(values.Field(n, "name"))))
	case fields.Name != "" && fields.Name != c.Package:
		p.report(diag.Say("packageName is %q, but name is %q", c.Package, fields.Name).Do("remove name"), diag.Join(key, "name"), values.Field(n, "name"))
	}
	p.versionRange(c, fields.VersionRange, values.Field(n, "versionRange"), diag.Join(key, "versionRange"))
}

// versionRange reads a version range. A missing one was reported.
func (p *parser) versionRange(c *Constraint, text string, n *yaml.Node, key string) {
	if text == "" {
		return
	}
	var err error
	if c.Range, err = ParseRange(text); err != nil {
		f := diag.Say("%q: %v", short(text), err)
		if e, ok := errors.AsType[*rangeError](err); ok {
			f = diag.Say("%q: %s", short(text), e.Reason).Propose(text, e.Proposed)
		}
		p.report(f, key, n)
	}
}

// rule reads a CEL expression and compiles it.
func (p *parser) rule(c *Constraint, text string, n *yaml.Node, key string) {
	if text == "" {
		return // which was reported
	}
	if c.Rule = text; strings.TrimSpace(text) == "" {
		p.report(diag.Missing("empty").Want("a CEL expression"), key, n)
		return
	}
	var err error
	if c.program, err = p.rules.Compile(text, celenv.Bool); err != nil {
		f := diag.Say("not a CEL expression that is true or false: %v", err)
		if failed, ok := errors.AsType[*celenv.CompileError](err); ok {
			f = failed.Issues[0].Explain(text, []string{propertiesVariable, "semver_compare"})
		}
		p.report(f, key, n)
	}
}

// decode fills out from a map and reports its faults. It returns false for any other kind of node.
// OLM ignores unknown fields of loose maps: an unknown field is reported only if it is probably a
// misspelt required field.
func (p *parser) decode(n *yaml.Node, key, want string, isLoose bool, out any) bool {
	p.decoded = nil
	r := values.Resolve(n)
	if values.IsNull(r) || r.Kind != yaml.MappingNode {
		f := diag.Got(values.KindOf(r), want)
		if !values.IsNull(r) && r.Kind == yaml.ScalarNode && strings.HasPrefix(strings.TrimSpace(r.Value), "{") {
			f.Action = "remove the quotes around the map"
		}
		p.report(f, key, n)
		return false
	}
	findings := decode.Node(r, key, out)
	missing := map[string]bool{}
	for i := range findings {
		findings[i] = improved(findings[i], r)
		if f := &findings[i]; f.Kind == diag.KindMissing {
			missing[f.Key] = true
		}
	}
	explained := map[string]bool{}
	for _, f := range findings {
		meant := strings.TrimSuffix(f.Key, lastStep(f.Key)) + f.Nearest
		switch {
		case f.Kind != diag.KindUnknown:
		case missing[meant]:
			explained[meant] = true
		case isLoose:
			continue
		}
		p.decoded = append(p.decoded, f)
	}
	p.decoded = slices.DeleteFunc(p.decoded, func(f diag.Finding) bool { return f.Kind == diag.KindMissing && explained[f.Key] })
	p.findings = append(p.findings, p.decoded...)
	return true
}

// improved returns a fault of a map with a suggestion of the intended field.
func improved(f diag.Finding, mapping *yaml.Node) diag.Finding {
	name := lastStep(f.Key)
	value := values.Field(mapping, name)
	switch {
	case f.Kind == diag.KindUnknown:
		for _, word := range synonyms[strings.ToLower(name)] {
			if len(f.Mistakes) > 0 && slices.Contains(f.Mistakes[0].Known, word) {
				f.Nearest = word
				break
			}
		}
	case f.Kind == diag.KindMissing && name == "versionRange":
		f.Action = fmt.Sprintf("set it, to '%s' for any version", AnyVersion)
	case slices.Contains([]string{"all", "any", "not"}, name) && !values.IsNull(value) && value.Kind == yaml.SequenceNode:
		f.Action = "put the list into the field constraints"
	}
	return f
}

// lastStep returns the last name of a path.
func lastStep(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

// hasFault reports whether one of the fields of the map that was decoded last has a
// fault. An unknown field is a fault of the nearest one.
func (p *parser) hasFault(fields ...string) bool {
	return slices.ContainsFunc(p.decoded, func(f diag.Finding) bool {
		return slices.Contains(fields, lastStep(f.Key)) || slices.Contains(fields, f.Nearest)
	})
}

// identify names what the constraint means, so that equal ones are checked once.
func (c *Constraint) identify() {
	switch c.Kind {
	case KindPackage:
		c.id = fmt.Sprintf("p%q%q", c.Package, c.Range.text)
	case KindGVK:
		c.id = fmt.Sprintf("g%q%q%q", c.GVK.Group, c.GVK.Version, c.GVK.Kind)
	case KindLabel:
		c.id = fmt.Sprintf("l%q", c.Label)
	case KindCEL:
		c.id = fmt.Sprintf("c%q", c.Rule)
	default:
		var b strings.Builder
		b.WriteString(string(c.Kind))
		for _, child := range c.Children {
			b.WriteString("(" + child.id + ")")
		}
		c.id = b.String()
	}
}

// short cuts a text for a message, and keeps it on one line.
func short(s string) string {
	const most = 80
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
