package constraint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/celenv"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// The limits of a constraint.
const (
	// MaxSize is the size of the largest value of an olm.constraint, in bytes.
	MaxSize = 64 << 10
	// MaxDepth is how many constraints may stand inside each other, the leaf
	// included.
	MaxDepth = 10
)

// Kind is the type of a constraint.
type Kind string

// The types of constraints. Label is that of olm.label.required only.
const (
	KindPackage Kind = "package"
	KindGVK     Kind = "gvk"
	KindLabel   Kind = "label"
	KindCEL     Kind = "cel"
	KindAll     Kind = "all"
	KindAny     Kind = "any"
	KindNot     Kind = "not"
)

// Constraint is a constraint that was read.
type Constraint struct {
	Kind Kind
	// FailureMessage is the author's, "" when there is none.
	FailureMessage string
	// Key is the way to the type: `properties[3].value.all`.
	Key string
	At  values.Position
	// Children are those of all, any and not.
	Children []*Constraint
	// Package and Range are a package's.
	Package string
	Range   Range
	// GVK, Label and Rule are those of the leaves of their kinds.
	GVK     GVK
	Label   string
	Rule    string
	program *celenv.Program
	// id is the same for constraints that mean the same.
	id string
}

// Problem is a fault of a value that was read strictly.
type Problem struct {
	Key      string
	At       values.Position
	Message  string
	Proposed string
}

// parser reads constraints and collects what is wrong with them.
type parser struct {
	rules    *celenv.Env
	problems []Problem
}

func (p *parser) fail(key string, n *yaml.Node, format string, arguments ...any) {
	p.problems = append(p.problems, Problem{Key: key, At: values.At(n), Message: fmt.Sprintf(format, arguments...)})
}

var (
	typeKeys       = []string{"gvk", "package", "cel", "all", "any", "not"}
	constraintKeys = append([]string{"failureMessage"}, typeKeys...)
	// meant are the words that people write for others, which no likeness tells.
	meant = map[string]string{
		"none": "not", "version": "versionRange", "range": "versionRange", "message": "failureMessage",
		"and": "all", "or": "any", "expression": "rule", "failuremessage": "failureMessage",
	}
)

// constraint reads the value of an olm.constraint, or a child of one. It returns
// nil when it is malformed.
func (p *parser) constraint(n *yaml.Node, key string, depth int) *Constraint {
	before := len(p.problems)
	at := n
	if n = p.mapping(n, key, "a constraint: a mapping with one of "+function.OneOf(typeKeys)); n == nil {
		return nil
	}
	if depth > MaxDepth {
		p.fail(key, at, "more than %d constraints stand inside each other; at most %d are accepted", MaxDepth, MaxDepth)
		return nil
	}
	fields := p.fields(n, key, constraintKeys)
	c := &Constraint{FailureMessage: p.text(fields["failureMessage"], join(key, "failureMessage"), false)}
	var types []string
	for _, name := range typeKeys {
		if f := fields[name]; f != nil && !values.IsNull(f) {
			types = append(types, name)
		}
	}
	switch {
	case len(types) == 0 && len(p.problems) == before:
		p.fail(key, at, "says nothing that has to hold; want exactly one of %s", function.OneOf(typeKeys))
	case len(types) > 1:
		p.fail(key, at, "has %s; want exactly one of them: to ask for several, put each into a constraint of its own below all", strings.Join(types, " and "))
	}
	for _, name := range types {
		p.kind(c, Kind(name), fields[name], join(key, name), depth)
	}
	if len(p.problems) > before {
		return nil
	}
	c.identify()
	return c
}

// kind reads what stands below the type of a constraint.
func (p *parser) kind(c *Constraint, kind Kind, n *yaml.Node, key string, depth int) {
	c.Kind, c.Key, c.At = kind, key, values.At(n)
	switch kind {
	case KindPackage:
		p.packageDemand(c, n, key)
	case KindGVK:
		if n = p.mapping(n, key, "a mapping with group, version and kind"); n != nil {
			c.GVK = p.gvk(p.fields(n, key, gvkKeys), n, key)
		}
	case KindCEL:
		if n = p.mapping(n, key, "a mapping with the key rule"); n != nil {
			fields := p.fields(n, key, []string{"rule"})
			if fields["rule"] != nil || len(n.Content) == 0 || !slices.ContainsFunc(p.problems, func(q Problem) bool { return strings.HasPrefix(q.Key, key+".") }) {
				p.rule(c, fields["rule"], n, join(key, "rule"))
			}
		}
	default:
		p.children(c, n, key, depth)
	}
}

func (p *parser) children(c *Constraint, n *yaml.Node, key string, depth int) {
	if values.Resolve(n).Kind == yaml.SequenceNode {
		p.fail(key, n, "got a list, want a mapping whose key constraints holds that list")
		return
	}
	if n = p.mapping(n, key, "a mapping with the key constraints"); n == nil {
		return
	}
	before := len(p.problems)
	list := p.fields(n, key, []string{"constraints"})["constraints"]
	key = join(key, "constraints")
	switch {
	case values.IsNull(list):
		if len(p.problems) == before {
			p.fail(key, n, "%s has no constraints below it; want at least one", c.Kind)
		}
	case list.Kind != yaml.SequenceNode:
		p.fail(key, list, "got %s, want a list of constraints", function.KindOf(list))
	case len(list.Content) == 0:
		p.fail(key, list, "%s has no constraints below it; want at least one", c.Kind)
	default:
		for i, item := range list.Content {
			if child := p.constraint(item, fmt.Sprintf("%s[%d]", key, i), depth+1); child != nil {
				c.Children = append(c.Children, child)
			}
		}
	}
}

// packageDemand reads the type package: packageName, or name as the generic
// constraints document writes it, and versionRange.
func (p *parser) packageDemand(c *Constraint, n *yaml.Node, key string) {
	if n = p.mapping(n, key, "a mapping with packageName and versionRange"); n == nil {
		return
	}
	before := len(p.problems)
	fields := p.fields(n, key, []string{"packageName", "name", "versionRange"})
	c.Package = p.text(fields["packageName"], join(key, "packageName"), false)
	name := p.text(fields["name"], join(key, "name"), false)
	if c.Package != "" && name != "" && c.Package != name {
		p.fail(join(key, "name"), fields["name"], "packageName is %q and name is %q; give one of them", c.Package, name)
	}
	if c.Package == "" {
		c.Package = name
	}
	if c.Package == "" && len(p.problems) == before {
		p.fail(key, n, "has no packageName; say which package is meant")
	}
	p.versionRange(c, fields["versionRange"], n, join(key, "versionRange"), before)
}

// versionRange reads a range; before is the number of problems that there were
// when its mapping was begun.
func (p *parser) versionRange(c *Constraint, n, parent *yaml.Node, key string, before int) {
	field := key[strings.LastIndexByte(key, '.')+1:]
	if values.IsNull(n) {
		for _, problem := range p.problems[before:] {
			if strings.Contains(problem.Message, `"`+field+`"`) {
				return // the key was misspelt, which was told
			}
		}
		p.fail(key, parent, "has no %s; for any version write %s: '%s'", field, field, AnyVersion)
		return
	}
	if !isText(n) {
		p.fail(key, n, "got %s, want a version range as text; quote it", function.KindOf(n))
		return
	}
	var err error
	if c.Range, err = ParseRange(n.Value); err != nil {
		problem := Problem{Key: key, At: values.At(n), Message: fmt.Sprintf("%q: %v", short(n.Value), err)}
		if e := (*RangeError)(nil); errors.As(err, &e) {
			problem.Proposed = e.Proposed
		}
		p.problems = append(p.problems, problem)
	}
}

var gvkKeys = []string{"group", "version", "kind"}

func (p *parser) gvk(fields map[string]*yaml.Node, n *yaml.Node, key string) GVK {
	before := len(p.problems)
	g := GVK{
		Group:   p.text(fields["group"], join(key, "group"), false),
		Version: p.text(fields["version"], join(key, "version"), false),
		Kind:    p.text(fields["kind"], join(key, "kind"), false),
	}
	if len(p.problems) > before {
		return g
	}
	for _, required := range []struct{ name, got string }{{"version", g.Version}, {"kind", g.Kind}} {
		if required.got == "" {
			p.fail(key, n, "has no %s; want group (empty for the core), version and kind", required.name)
		}
	}
	return g
}

// rule reads a CEL expression and compiles it.
func (p *parser) rule(c *Constraint, n, parent *yaml.Node, key string) {
	switch {
	case values.IsNull(n), isText(n) && strings.TrimSpace(n.Value) == "":
		if n == nil {
			n = parent
		}
		p.fail(key, n, `the rule is empty; want a CEL expression that is true or false, like properties.exists(p, p.type == "certified")`)
		return
	case !isText(n):
		p.fail(key, n, "got %s, want a CEL expression as text", function.KindOf(n))
		return
	}
	c.Rule = n.Value
	var err error
	if c.program, err = p.rules.Compile(n.Value, celenv.Bool); err != nil {
		p.fail(key, n, "the rule is no CEL expression that is true or false: %v", err)
	}
}

// mapping returns n when it is a mapping, and otherwise tells what it is.
func (p *parser) mapping(n *yaml.Node, key, want string) *yaml.Node {
	r := values.Resolve(n)
	switch {
	case r == nil:
		p.fail(key, n, "got nothing, want %s", want)
	case r.Kind == yaml.MappingNode:
		return r
	case isText(r) && strings.HasPrefix(strings.TrimSpace(r.Value), "{"):
		p.fail(key, n, "got text that holds JSON, want %s: remove the quotes around it", want)
	default:
		p.fail(key, n, "got %s, want %s", function.KindOf(r), want)
	}
	return nil
}

// fields returns the values of a mapping by their keys, and tells those that are
// not known and those that stand twice.
func (p *parser) fields(n *yaml.Node, key string, known []string) map[string]*yaml.Node {
	fields := map[string]*yaml.Node{}
	lines := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		k := values.Resolve(n.Content[i])
		name := k.Value
		if n.Content[i].ShortTag() == "!!merge" {
			p.fail(key, n.Content[i], "merge keys (<<) are not accepted in a constraint; write the keys out")
			continue
		}
		if first, twice := lines[name]; twice {
			p.fail(join(key, name), n.Content[i], "the key %q stands on line %d already; remove one", short(name), first)
			continue
		}
		lines[name] = n.Content[i].Line
		if k.Kind == yaml.ScalarNode && slices.Contains(known, name) {
			fields[name] = values.Resolve(n.Content[i+1])
			continue
		}
		p.fail(join(key, name), n.Content[i], "the key %q is not known; want %s%s", short(name), function.OneOf(known), keyHint(name, known))
	}
	return fields
}

func keyHint(name string, known []string) string {
	if word := meant[strings.ToLower(name)]; word != "" && slices.Contains(known, word) {
		return fmt.Sprintf(" (did you mean %q?)", word)
	}
	return nearest.Hint(name, known)
}

// text returns a string, "" for null unless one is needed.
func (p *parser) text(n *yaml.Node, key string, needed bool) string {
	switch {
	case n == nil || values.IsNull(n):
		if needed {
			p.fail(key, n, "is empty; want text")
		}
		return ""
	case isText(n):
		return n.Value
	case n.Kind == yaml.ScalarNode:
		p.fail(key, n, "got %s, want text; quote it: '%s'", function.KindOf(n), short(n.Value))
	default:
		p.fail(key, n, "got %s, want text", function.KindOf(n))
	}
	return ""
}

// identify names what the constraint means, so that equal ones are judged once.
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

func join(key, name string) string {
	if key == "" {
		return name
	}
	return key + "." + name
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
