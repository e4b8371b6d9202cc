package constraint

import (
	"fmt"
	"slices"
	"strings"
)

// explainer says why constraints do not hold.
type explainer struct {
	*judge
	options Options
	// alone is the candidate that has to satisfy the constraint by itself, -1 for
	// the whole set.
	alone int
	// owner requires what is explained.
	owner *Bundle
	// proposed are the versions that were suggested, and asked the packages.
	proposed []string
	asked    int
	// missing says that something is not there at all.
	missing bool
}

func (e *explainer) ok(c *Constraint) bool {
	if e.alone >= 0 {
		return e.holdsOn(c, e.alone)
	}
	return e.holds(c)
}

// why says why a constraint does not hold: the shortest text that is complete,
// with the failure messages of the author behind what they are about.
func (e *explainer) why(c *Constraint) string {
	text := ""
	switch c.Kind {
	case KindAll:
		failing := e.failing(c)
		if len(failing) == 1 {
			text = e.why(failing[0])
			break
		}
		texts := make([]string, len(failing))
		for i, child := range failing {
			texts[i] = fmt.Sprintf("(%d) %s", i+1, e.why(child))
		}
		text = fmt.Sprintf("all of %d things, of which %d are not satisfied: %s", len(c.Children), len(failing), strings.Join(texts, "; "))
	case KindAny:
		if len(c.Children) == 1 {
			text = e.why(c.Children[0])
			break
		}
		texts := make([]string, len(c.Children))
		for i, child := range c.Children {
			texts[i] = fmt.Sprintf("(%d) %s", i+1, e.why(child))
		}
		text = fmt.Sprintf("one of %d alternatives, of which none is satisfied: %s", len(c.Children), strings.Join(texts, "; "))
	case KindNot:
		var texts []string
		for _, child := range c.Children {
			if e.ok(child) {
				message := ""
				if child.FailureMessage != "" {
					message = fmt.Sprintf(" (%q)", short(child.FailureMessage))
				}
				texts = append(texts, fmt.Sprintf("that %s is not there%s, but %s", e.what(child), message, e.witness(child)))
			}
		}
		text = strings.Join(texts, ", and ")
	case KindCEL:
		text = "that " + e.subject() + " satisfies the rule " + quoted(c.Rule) + ", but " + e.whyRule(c)
	default:
		text = e.what(c) + ", but " + e.found(c)
	}
	if c.FailureMessage != "" {
		text += fmt.Sprintf(" (%q)", short(c.FailureMessage))
	}
	return text
}

func (e *explainer) subject() string {
	if e.alone >= 0 {
		return "it"
	}
	return "some bundle"
}

// failing are the children of all that do not hold.
func (e *explainer) failing(c *Constraint) []*Constraint {
	return slices.DeleteFunc(slices.Clone(c.Children), e.ok)
}

// what names what a constraint asks for.
func (e *explainer) what(c *Constraint) string {
	switch c.Kind {
	case KindPackage:
		return fmt.Sprintf("package %q in range %s", c.Package, c.Range)
	case KindGVK:
		return "API " + c.GVK.String()
	case KindLabel:
		return fmt.Sprintf("label %q", c.Label)
	case KindCEL:
		return "a bundle for the rule " + quoted(c.Rule)
	}
	texts := make([]string, len(c.Children))
	for i, child := range c.Children {
		texts[i] = e.what(child)
	}
	switch c.Kind {
	case KindAll:
		return strings.Join(texts, " with ")
	case KindAny:
		return strings.Join(texts, " or ")
	default:
		return "the absence of " + strings.Join(texts, " and ")
	}
}

// witness says who satisfies a constraint that must not hold.
func (e *explainer) witness(c *Constraint) string {
	switch c.Kind {
	case KindPackage:
		p, _ := e.matching(c)
		if e.alone >= 0 {
			return fmt.Sprintf("it is version %s of it", p.text)
		}
		return fmt.Sprintf("%s is version %s of it", e.name(p.candidate), p.text)
	case KindGVK, KindLabel:
		if e.alone >= 0 {
			return "it provides that"
		}
		return e.name(e.providers(c)[0]) + " provides it"
	case KindCEL:
		if e.alone >= 0 {
			return "it satisfies that"
		}
		return e.name(e.firstOf(c)) + " satisfies it"
	case KindNot:
		return "nothing of that is there"
	}
	var texts []string
	for _, child := range c.Children {
		if e.ok(child) {
			texts = append(texts, e.witness(child))
			if c.Kind == KindAny {
				break
			}
		}
	}
	return strings.Join(texts, " and ")
}

// name is a candidate's title; of the owner itself it says so.
func (e *explainer) name(i int) string {
	c := e.candidates[i]
	if c.bundle != nil && c.bundle == e.owner {
		return c.title() + " itself"
	}
	return c.title()
}

// found says what there is instead of what a leaf asks for.
func (e *explainer) found(c *Constraint) string {
	if e.alone >= 0 {
		return e.foundAlone(c)
	}
	switch c.Kind {
	case KindPackage:
		text := e.foundPackage(c)
		if e.options.Suggest != nil {
			proposed, why := e.options.Suggest(c.Package)
			e.proposed, e.asked = append(e.proposed, proposed), e.asked+1
			if why != "" {
				text += "; " + why
			}
		}
		return text
	case KindGVK:
		if g, ok := e.likeAPI(c.GVK); ok {
			return fmt.Sprintf("nothing provides it; %s provides %s", e.name(e.byGVK[g][0]), g)
		}
	case KindLabel:
		if near := e.likeLabel(c.Label); near != "" {
			return fmt.Sprintf("nothing provides it; %s provides %q", e.name(e.byLabel[near][0]), near)
		}
	}
	e.missing = true
	return "nothing provides it"
}

func (e *explainer) foundPackage(c *Constraint) string {
	providers := e.byPackage[c.Package]
	if len(providers) == 0 {
		e.missing = true
		if near := e.likePackage(c.Package); near != "" {
			return fmt.Sprintf("nothing provides it (did you mean %q?)", near)
		}
		return "nothing provides it"
	}
	const most = 3
	var texts []string
	for i, p := range providers {
		if i == most {
			texts = append(texts, fmt.Sprintf("%d more", len(providers)-most))
			break
		}
		texts = append(texts, e.versionOf(p))
	}
	return strings.Join(texts, " and ")
}

func (e *explainer) versionOf(p provider) string {
	switch {
	case p.text == "":
		return e.name(p.candidate) + " states no version of it"
	case p.version.IsZero():
		return fmt.Sprintf("%s is %q, which is no version", e.name(p.candidate), short(p.text))
	}
	return fmt.Sprintf("%s is %s", e.name(p.candidate), p.text)
}

// foundAlone says what one candidate has instead of what a leaf asks for.
func (e *explainer) foundAlone(c *Constraint) string {
	if c.Kind == KindPackage {
		for _, p := range e.candidates[e.alone].packages {
			if p.name == c.Package {
				return fmt.Sprintf("it is version %s", p.text)
			}
		}
		for _, p := range e.candidates[e.alone].packages {
			return fmt.Sprintf("it is package %q", p.name)
		}
	}
	return "it does not provide that"
}

// blamed returns the innermost constraint that a failure can be pinned on: the
// first failing child of all, the first offending one of not, the only one of
// any.
func (e *explainer) blamed(c *Constraint) *Constraint {
	for _, child := range c.Children {
		switch {
		case c.Kind == KindAll && !e.ok(child), c.Kind == KindAny && len(c.Children) == 1:
			return e.blamed(child)
		case c.Kind == KindNot && e.ok(child):
			return e.offender(child)
		}
	}
	return c
}

// offender returns the innermost constraint that makes c hold.
func (e *explainer) offender(c *Constraint) *Constraint {
	for _, child := range c.Children {
		if c.Kind == KindAny && e.ok(child) || c.Kind == KindAll && len(c.Children) == 1 {
			return e.offender(child)
		}
	}
	return c
}
