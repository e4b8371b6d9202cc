package jsonschema

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
)

// check is a keyword that is judged without other schemas.
type check struct {
	keyword string
	at      *pointer
	// of are the kinds that it is about. It accepts the others.
	of      kind
	accepts func(v *value) bool
	// want is what is accepted, and message what is wrong with a value: that it is
	// not what is wanted, if message is nil.
	want    string
	message func(v *value) string
	// cost is the steps that it takes, and weight those for each thousand bytes or
	// children of a value.
	cost, weight int
}

// compileCheck compiles a keyword that has no schemas. It ignores an unknown one.
func (k keyword) compileCheck() {
	switch k.name {
	case "$ref", "$dynamicRef":
		if k.takes(text, "a reference") {
			k.addReference()
		}
	case "type":
		k.compileTypes()
	case "const":
		k.addChoice([]child{{value: k.value}})
	case "enum":
		if k.takes(array, "a list of values") {
			k.addChoice(k.value.children)
		}
	case "minimum":
		k.addBound("a number of at least", func(n, bound *big.Rat) bool { return n.Cmp(bound) >= 0 })
	case "maximum":
		k.addBound("a number of at most", func(n, bound *big.Rat) bool { return n.Cmp(bound) <= 0 })
	case "exclusiveMinimum":
		k.addBound("a number above", func(n, bound *big.Rat) bool { return n.Cmp(bound) > 0 })
	case "exclusiveMaximum":
		k.addBound("a number below", func(n, bound *big.Rat) bool { return n.Cmp(bound) < 0 })
	case "multipleOf":
		if k.value.number == nil || k.value.number.Sign() <= 0 {
			k.reject("a number above 0")
			return
		}
		k.addBound("a multiple of", func(n, of *big.Rat) bool { return new(big.Rat).Quo(n, of).IsInt() })
	case "minLength":
		k.addSize(text, "a string of at least %s characters", atLeast)
	case "maxLength":
		k.addSize(text, "a string of at most %s characters", atMost)
	case "minItems":
		k.addSize(array, "a list of at least %s items", atLeast)
	case "maxItems":
		k.addSize(array, "a list of at most %s items", atMost)
	case "minProperties":
		k.addSize(object, "a map of at least %s keys", atLeast)
	case "maxProperties":
		k.addSize(object, "a map of at most %s keys", atMost)
	case "minContains":
		k.s.minContains = k.readCount()
	case "maxContains":
		k.s.maxContains = k.readCount()
	case "pattern":
		if k.takes(text, "a pattern") {
			p := k.compilePattern(k.value.text)
			k.addCheck(check{of: text, cost: p.size / 100, weight: 10 * p.size, want: "a string that matches the pattern " + k.value.String(), accepts: func(v *value) bool { return p.MatchString(v.text) }})
		}
	case "uniqueItems":
		if k.takes(boolean, "true or false") && k.value.text == "true" {
			k.addCheck(check{of: array, weight: 1000, want: "a list without duplicates", accepts: hasUniqueItems})
		}
	case "required":
		k.addRequired("")
	case "dependentRequired":
		if k.takes(object, "an object with lists of names") {
			for _, c := range k.value.children {
				k.below(c).addRequired(c.name)
			}
		}
	}
}

// takes reports whether the value of a keyword is of these kinds. It is a fault if
// not.
func (k keyword) takes(of kind, want string) bool {
	if k.value.kind&of == 0 {
		k.reject(want)
	}
	return k.value.kind&of != 0
}

func (k keyword) addCheck(c check) {
	c.keyword, c.at = k.name, k.at
	if k.name == "type" { // it is checked first
		k.s.checks = slices.Insert(k.s.checks, 0, c)
		return
	}
	k.s.checks = append(k.s.checks, c)
}

func (k keyword) compileTypes() {
	names := []child{{value: k.value}}
	if k.value.kind == array {
		names = k.value.children
	}
	var kinds kind
	for _, c := range names {
		accepted := kindOf(c.value.text)
		if c.value.kind != text || accepted == 0 {
			k.addFault("must be %s, got %s%s", diag.OneOf(shorten(kindNames[:], quote)), c.value, nearest.Hint(c.value.text, kindNames[:]))
			return
		}
		kinds |= accepted
	}
	want := diag.OneOf(shorten(names, func(c child) string { return withArticle(c.value.text) }))
	k.addCheck(check{of: anyKind, want: want, accepts: func(v *value) bool { return v.kind&kinds != 0 }, message: func(v *value) string {
		return fmt.Sprintf("must be %s, got %s", want, foundInstead(v.kind, kinds))
	}})
}

// addChoice accepts some values. A message has the kind that was found where no value
// of that kind is accepted.
func (k keyword) addChoice(accepted []child) {
	ids := map[string]bool{}
	var kinds kind
	for _, c := range accepted {
		ids[c.value.identity()] = true
		kinds |= c.value.kind
	}
	want := diag.OneOf(shorten(accepted, func(c child) string { return c.value.String() }))
	k.addCheck(check{of: anyKind, want: want, accepts: func(v *value) bool { return ids[v.identity()] }, message: func(v *value) string {
		switch {
		case kinds == 0:
			return notAllowed
		case v.kind&kinds == 0:
			return fmt.Sprintf("must be %s, got %s", want, foundInstead(v.kind, kinds))
		}
		return "must be " + want
	}})
}

func (k keyword) addBound(want string, accepts func(n, bound *big.Rat) bool) {
	if k.takes(integer|number, "a number") {
		bound := k.value.number
		k.addCheck(check{of: integer | number, want: want + " " + k.value.String(), accepts: func(v *value) bool { return accepts(v.number, bound) }})
	}
}

func atLeast(size, bound int) bool { return size >= bound }
func atMost(size, bound int) bool  { return size <= bound }

func (k keyword) addSize(of kind, want string, accepts func(size, bound int) bool) {
	bound := k.readCount()
	k.addCheck(check{of: of, weight: 1, want: fmt.Sprintf(want, k.value), accepts: func(v *value) bool {
		return accepts(utf8.RuneCountInString(v.text)+len(v.children), bound)
	}})
}

// maxCount is more than any value has.
const maxCount = 1 << 30

// readCount returns a whole number of at least 0, 0 with a fault if there is none.
func (k keyword) readCount() int {
	switch n := k.value.number; {
	case k.value.kind != integer || n.Sign() < 0:
		k.reject("an integer of at least 0")
		return 0
	case n.Cmp(big.NewRat(maxCount, 1)) < 0:
		return int(n.Num().Int64())
	}
	return maxCount
}

func hasUniqueItems(v *value) bool {
	seen := map[string]bool{}
	for _, c := range v.children {
		seen[c.value.identity()] = true
	}
	return len(seen) == len(v.children)
}

// addRequired demands the members that a list names of an object: of every object for
// the keyword required, else of one that has the member by.
func (k keyword) addRequired(by string) {
	if k.value.kind != array || slices.ContainsFunc(k.value.children, func(c child) bool { return c.value.kind != text }) {
		k.reject("a list of names")
		return
	}
	var names []string
	for _, c := range k.value.children {
		names = append(names, c.value.text)
	}
	missing := func(v *value) []string {
		return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return v.child(name) != nil })
	}
	c := check{of: object, cost: (10*len(names) + len(strings.Join(names, ""))) / 100, want: "a map with " + quotedList(names)}
	c.accepts = func(v *value) bool { return k.name != "required" && v.child(by) == nil || len(missing(v)) == 0 }
	c.message = func(v *value) string {
		if k.name != "required" {
			return fmt.Sprintf("together with %q, %s", by, absent(missing(v)))
		}
		return absent(missing(v))
	}
	k.addCheck(c)
}

// absent says that keys are missing.
func absent(names []string) string {
	verb := "are"
	if len(names) == 1 {
		verb = "is"
	}
	return quotedList(names) + " " + verb + " required, but missing"
}

// quotedList lists names.
func quotedList(names []string) string { return strings.Join(shorten(names, quote), ", ") }
