// Package explain holds an example and a fix for each rule of the suite.
package explain

import (
	_ "embed"
	"maps"
	"slices"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed rules.yaml
var source []byte

// Rule is the example and the fix of a rule.
type Rule struct {
	// Breaks is an example that has a finding of the rule.
	Breaks string `yaml:"breaks"`
	// Fix says what to do.
	Fix string `yaml:"fix"`
}

var all = sync.OnceValue(func() map[string]Rule {
	var rules map[string]Rule
	if err := yaml.Unmarshal(source, &rules); err != nil {
		panic(err) // a test reads the file
	}
	return rules
})

// Of returns what there is to say about a rule, and false for an unknown one.
func Of(id string) (Rule, bool) {
	r, ok := all()[id]
	return r, ok
}

// IDs returns the ids of all rules, sorted.
func IDs() []string { return slices.Sorted(maps.Keys(all())) }
