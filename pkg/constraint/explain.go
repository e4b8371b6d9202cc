package constraint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/nearest"
)

const (
	// mostParts is how many leaves one message explains, and mostNamed how many things it
	// lists. A constraint may have thousands.
	mostParts = 10
	mostNamed = 5
)

// explainer explains why constraints do not hold.
type explainer struct {
	*evaluator
	// options are the choices of the check.
	options Options
	// alone is the candidate that must satisfy the constraint by itself, or -1 for the whole set.
	alone int
	// owner has the requirement that is explained, and ownerIndex is its candidate. isForced
	// reports whether the subject is a requirement that holds in every choice of candidates.
	owner      *Bundle
	ownerIndex int
	isForced   bool
	// isMisspelt reports whether a name that nothing provides is similar to a known name.
	isMisspelt bool
	// root is the whole constraint that is explained.
	root *Constraint
	// asked are the suggestions that were made.
	asked []suggested
	// missing counts what nothing provides, and parts the leaves that were explained.
	missing, parts int
	// lacking names what no candidate has.
	lacking []string
}

// suggested is a suggestion for a package, an API or a label.
type suggested struct {
	// what names the package, the API or the label.
	what string
	Suggestion
}

// suggest asks what to do about a leaf, once for each package, API or label.
func (e *explainer) suggest(c *Constraint) (isCertain bool) {
	what := e.subject(c)
	for _, asked := range e.asked {
		if asked.what == what {
			return asked.Action != ""
		}
	}
	if e.options.Suggest == nil || e.root == nil {
		return false
	}
	q := Question{Leaf: c}
	if c.Kind == KindPackage {
		q.Demand = alternative(e.owner, e.root, c.Package)
	}
	e.asked = append(e.asked, suggested{what, e.options.Suggest(q)})
	return e.asked[len(e.asked)-1].Action != ""
}

// subject names what a leaf is about.
func (e *explainer) subject(c *Constraint) string {
	if c.Kind == KindPackage {
		return fmt.Sprintf("OLM package %q", c.Package)
	}
	return e.what(c)
}

// ok reports whether a constraint holds in the sense of what is explained: for one candidate, for the
// set, or for some or every choice of candidates.
func (e *explainer) ok(c *Constraint) bool {
	switch {
	case e.alone >= 0:
		return e.holdsOn(c, e.alone)
	case e.options.Candidates == nil:
		return e.holds(c)
	case e.isForced:
		return e.evaluator.isForced(c, e.ownerIndex)
	}
	return e.chance(c, e.ownerIndex) == possible
}

// excluding calls what explains a part of a constraint that must not hold.
func (e *explainer) excluding(explain func()) {
	before := e.isForced
	e.isForced = true
	explain()
	e.isForced = before
}

// provider returns the first candidate that satisfies a leaf.
func (e *explainer) provider(c *Constraint) int {
	switch {
	case e.isForced && e.options.Candidates != nil && e.alone < 0:
		return e.forcing(c, e.ownerIndex)
	case c.Kind == KindCEL:
		return e.firstOf(c)
	case c.Kind == KindPackage:
		p, _ := e.matching(c)
		return p.candidate
	}
	return e.providers(c)[0]
}

// why returns what a constraint requires and why it does not hold: the shortest text that
// is complete, with the failure messages of the author after what they are about.
func (e *explainer) why(c *Constraint) string { return e.part(c, "") }

// part is [explainer.why] for a numbered part. The numbers of its own parts continue its number.
func (e *explainer) part(c *Constraint, number string) string {
	text := ""
	switch c.Kind {
	case KindAll:
		failing := slices.DeleteFunc(slices.Clone(c.Children), e.ok)
		if len(failing) == 1 {
			text = e.part(failing[0], number)
			break
		}
		text = fmt.Sprintf("all of %d conditions, but %d are not satisfied: %s", len(c.Children), len(failing), e.list(failing, number))
	case KindAny:
		if len(c.Children) == 1 {
			text = e.part(c.Children[0], number)
			break
		}
		text = fmt.Sprintf("one of %d alternatives, but none is satisfied: %s", len(c.Children), e.list(c.Children, number))
	case KindNot:
		e.excluding(func() { text = e.offenses(c) })
		e.parts++
	case KindCEL:
		text = "a bundle that satisfies the rule " + quoted(c.Rule) + ", but "
		if e.alone >= 0 {
			text = "the rule " + quoted(c.Rule) + ", but "
		}
		text += e.whyRule(c) + e.onlyDeprecated(c)
		if e.options.Candidates != nil && e.alone < 0 && !e.isNamed(c) {
			e.lacking = append(e.lacking, "a bundle for the rule "+quoted(c.Rule))
		}
		e.parts++
	default:
		text = e.lack(c) + e.onlyDeprecated(c)
		e.parts++
	}
	return text + said(c)
}

// offenses describes the children of a `not` constraint that are satisfied.
func (e *explainer) offenses(c *Constraint) string {
	offending := slices.DeleteFunc(slices.Clone(c.Children), func(child *Constraint) bool { return !e.ok(child) })
	var texts []string
	for i, child := range offending {
		if i == mostNamed {
			texts = append(texts, fmt.Sprintf("the same of %d more", len(offending)-i))
			break
		}
		texts = append(texts, e.offense(child))
	}
	return strings.Join(texts, ", and ")
}

// list explains several constraints, each with its number.
func (e *explainer) list(all []*Constraint, number string) string {
	var texts []string
	for i, c := range all {
		if e.parts >= mostParts {
			texts = append(texts, fmt.Sprintf("and %d more", len(all)-i))
			break
		}
		at := fmt.Sprintf("%s%d", number, i+1)
		texts = append(texts, fmt.Sprintf("(%s) %s", at, e.part(c, at+".")))
	}
	return strings.Join(texts, "; ")
}

// said is the failure message of a constraint, to follow what it is about.
func said(c *Constraint) string {
	text := short(c.FailureMessage)
	switch {
	case text == "":
		return ""
	case strings.Contains(text, `"`):
		return " (failureMessage: " + text + ")"
	}
	return ` (failureMessage: "` + text + `")`
}

// lack describes the requirement of a leaf, and the bundles found instead.
func (e *explainer) lack(c *Constraint) string {
	if e.alone < 0 {
		return e.what(c) + ", but " + e.found(c)
	}
	if c.Kind != KindPackage {
		return "that it provides " + e.what(c) + ", but it does not"
	}
	packages := e.candidates[e.alone].packages
	text := "that it is " + e.what(c) + ", but it is not an OLM package"
	for i, p := range packages {
		switch {
		case p.name == c.Package && p.text == "":
			return "that it is " + e.what(c) + ", but it declares no version"
		case p.name == c.Package:
			return "that it is " + e.what(c) + ", but it is version " + short(p.text)
		case i == 0:
			text = fmt.Sprintf("that it is %s, but it is OLM package %q", e.what(c), p.name)
		}
	}
	return text
}

// offense describes a forbidden bundle or property, and the one that was found.
func (e *explainer) offense(c *Constraint) string {
	what, witness := e.what(c)+said(c), e.witness(c)
	switch {
	case c.Kind == KindCEL && e.alone < 0:
		return "that no bundle satisfies the rule " + quoted(c.Rule) + said(c) + ", but " + witness
	case c.Kind == KindCEL:
		return "that it does not satisfy the rule " + quoted(c.Rule) + said(c) + ", but " + witness
	case e.alone < 0 || len(c.Children) > 0:
		return absence + what + ", but " + witness
	case c.Kind == KindPackage:
		return "that it is not " + what + ", but " + witness
	}
	return "that it does not provide " + what + ", but " + witness
}

// what names what a constraint requires.
func (e *explainer) what(c *Constraint) string {
	switch c.Kind {
	case KindPackage:
		return fmt.Sprintf("OLM package %q with version %s", c.Package, c.Range)
	case KindGVK:
		return "API " + c.GVK.String()
	case KindLabel:
		return fmt.Sprintf("label %q", c.Label)
	case KindCEL:
		return "a bundle for the rule " + quoted(c.Rule)
	}
	var texts []string
	for i, child := range c.Children {
		if i == mostNamed {
			texts = append(texts, fmt.Sprintf("%d more", len(c.Children)-i))
			break
		}
		text := e.what(child)
		if len(child.Children) > 1 {
			text = "(" + text + ")"
		}
		texts = append(texts, text)
	}
	switch c.Kind {
	case KindAll:
		return strings.Join(texts, " with ")
	case KindAny:
		return strings.Join(texts, " or ")
	}
	return absence + strings.Join(texts, " and ")
}

// witness describes what satisfies a constraint that must not hold.
func (e *explainer) witness(c *Constraint) string {
	switch c.Kind {
	case KindPackage:
		i, subject, of := e.alone, "it", ""
		if e.alone < 0 {
			i, of = e.provider(c), " of it"
			subject = e.name(i)
		}
		at := slices.IndexFunc(e.candidates[i].packages, func(p providedPackage) bool { return p.name == c.Package && p.within(c) })
		return fmt.Sprintf("%s is version %s%s", subject, short(e.candidates[i].packages[at].text), of)
	case KindGVK, KindLabel:
		if e.alone >= 0 {
			return "it does"
		}
		return e.name(e.provider(c)) + " provides it"
	case KindCEL:
		if e.alone >= 0 {
			return "it does"
		}
		return e.name(e.provider(c)) + " satisfies it"
	case KindNot:
		return "nothing of that exists"
	}
	var texts []string
	for _, child := range c.Children {
		if !e.ok(child) {
			continue
		}
		if len(texts) == mostNamed {
			texts = append(texts, "more")
			break
		}
		texts = append(texts, e.witness(child)+said(child))
		if c.Kind == KindAny {
			break
		}
	}
	return strings.Join(texts, " and ")
}

// name returns the title of a candidate, and marks the owner as "itself".
func (e *explainer) name(i int) string {
	c := e.candidates[i]
	if c.bundle != nil && c.bundle == e.owner {
		return c.title() + " itself"
	}
	return c.title()
}

// found describes the candidates that were found in place of the one that a leaf requires.
func (e *explainer) found(c *Constraint) string {
	isSuggested := e.suggest(c)
	near := ""
	if e.options.Candidates != nil && !e.isNamed(c) {
		e.lacking = append(e.lacking, strings.TrimPrefix(e.subject(c), "OLM "))
	}
	switch c.Kind {
	case KindPackage:
		if providers := e.byPackage[c.Package]; len(providers) > 0 && e.options.Candidates != nil {
			return e.foundVersions(c.Package)
		} else if len(providers) > 0 {
			return e.foundPackage(providers)
		}
		near = nearest.Ask(e.nearestPackage(c.Package))
		e.isMisspelt = e.isMisspelt || near != ""
	case KindGVK:
		if g, ok := e.nearestAPI(c.GVK); ok {
			near = fmt.Sprintf(" (%s provides %s)", e.name(e.byGVK[g][0]), g)
		}
	case KindLabel:
		if name := e.nearestLabel(c.Label); name != "" {
			near = fmt.Sprintf(" (%s provides %q)", e.name(e.byLabel[name][0]), name)
		}
	}
	if isSuggested {
		return "nothing provides it"
	}
	if near == "" {
		e.missing++
	}
	return "nothing provides it" + near
}

// foundPackage lists the versions of a package.
func (e *explainer) foundPackage(providers []provider) string {
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

// versionOf describes the version that a candidate has of a package.
func (e *explainer) versionOf(p provider) string {
	switch {
	case p.text == "":
		return e.name(p.candidate) + " has no version"
	case !p.isVersion:
		return fmt.Sprintf("%s is %q, which is not a version", e.name(p.candidate), short(p.text))
	}
	return fmt.Sprintf("%s is %s", e.name(p.candidate), p.text)
}

// blamed returns the innermost constraint that causes a failure: the first failing
// child of all, the first offending one of not, the only one of any.
func (e *explainer) blamed(c *Constraint) *Constraint {
	for _, child := range c.Children {
		switch {
		case c.Kind == KindAll && !e.ok(child), c.Kind == KindAny && len(c.Children) == 1:
			return e.blamed(child)
		case c.Kind == KindNot:
			var offender *Constraint
			e.excluding(func() {
				if e.ok(child) {
					offender = e.offender(child)
				}
			})
			if offender != nil {
				return offender
			}
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
