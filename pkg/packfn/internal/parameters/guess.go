package parameters

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/placeholder"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/values"
)

// guess is a format that a setter may have.
type guess struct {
	// format is the literal of the format, and what names it.
	format, what string
	// fits reports whether a setter may have it. The format must also accept the value.
	fits func(s *Setter) bool
}

// guesses are the formats, the most specific first.
var guesses = []guess{
	{"${password}", "a secret", func(s *Setter) bool {
		return secret.Context{Path: s.Name}.IsNamed() || secret.IsLikeSecret(s.Value.Value)
	}},
	{"${boolean}", "true or false", all},
	{"${number:[1-65535]}", "the number of a port", func(s *Setter) bool { return s.isNumber() && s.isAt(portName) }},
	{"${number}", "a number", (*Setter).isNumber},
	{"${ipv4}", "an IPv4 address", all},
	{`${string:/^[0-9.]+\/[0-9]+$/}`, "a range of IPv4 addresses", all},
	{"${version}", "a version", all},
	{`${string:/^[0-9.]+(m|[kMGTPE]i?)$/}`, "a quantity", all},
	{"${string:/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/}", "a name of Kubernetes", func(s *Setter) bool { return s.isAt(objectName) }},
	{`${string:/^[a-z0-9][-.a-z0-9]*\.[a-z]+$/}`, "the name of a host", func(s *Setter) bool { return s.isAt(hostName) }},
	{"${string}", "a text", all},
}

func all(*Setter) bool { return true }

// The last steps of paths, or names of setters, that tell what a value is.
var (
	portName   = regexp.MustCompile(`(?i)port$`)
	objectName = regexp.MustCompile(`(?i)(?:^|\.|[-_])(?:name|namespace)$`)
	hostName   = regexp.MustCompile(`(?i)(?:host|domain)(?:[-_]?name)?s?(?:\[[0-9]+\])?$`)
)

// isAt reports whether the name of the setter, or the path of a field that has its value as a whole,
// matches an expression.
func (s *Setter) isAt(name *regexp.Regexp) bool {
	for i := range s.Uses {
		if u := &s.Uses[i]; u.IsWhole && name.MatchString(u.Path) {
			return true
		}
	}
	return name.MatchString(s.Name)
}

var decimal = regexp.MustCompile(`^[-+]?[0-9]+(\.[0-9]+)?$`)

// isNumber reports whether the value is a number, and stands in no field for a text: `"1.30"` in a
// label is a text.
func (s *Setter) isNumber() bool {
	for i := range s.Uses {
		if u := &s.Uses[i]; u.IsWhole && u.Node.Kind == yaml.ScalarNode && u.Node.ShortTag() == "!!str" {
			return false
		}
	}
	return decimal.MatchString(s.Value.Value)
}

// isEmpty reports whether a setter has no value: null, an empty text, or an empty list or map, which can also be
// written as a text.
func (s *Setter) isEmpty() bool {
	if s.Value == nil || s.Value.Kind != yaml.ScalarNode {
		return s.Value == nil || len(s.Value.Content) == 0
	}
	return slices.Contains([]string{"", "null", "~", "[]", "{}"}, strings.TrimSpace(s.Value.Value))
}

// isPlaceholder reports whether the value of a setter is a placeholder.
func (s *Setter) isPlaceholder() bool {
	return s.Value != nil && s.Value.Kind == yaml.ScalarNode && placeholder.Is(s.Value.Value)
}

// guess returns a format that accepts the value of a setter, or "" if there is none, and what it means.
func (s *Setter) guess() (format, what string) {
	if s.isEmpty() || s.isPlaceholder() {
		return "", ""
	}
	if s.Value.Kind != yaml.ScalarNode || isList(s.Value.Value) {
		return "", "a list"
	}
	for _, g := range guesses {
		parsed, err := schema.ParseFormat(g.format)
		if err != nil {
			panic(err) // a test parses them
		}
		value := schema.Scalar{Text: s.Value.Value, IsString: s.Value.ShortTag() == "!!str"}
		if g.fits(s) && parsed.Match(value) == nil {
			return g.format, g.what
		}
	}
	return "", "any value"
}

// isList reports whether a text is what apply-setters writes as a list.
func isList(text string) bool {
	document, err := values.Parse(text)
	return err == nil && document.Root() != nil && document.Root().Kind == yaml.SequenceNode
}

// write writes the entry of the schema for a setter.
func (s *Setter) write(b *strings.Builder) {
	format, what := s.guess()
	var stages []string
	switch {
	case s.isEmpty():
		b.WriteString("      # A guess: not required, because it has no value.\n")
	case s.isPlaceholder():
		b.WriteString("      # A guess: required. The value is a placeholder, so its format is unknown.\n")
		stages = append(stages, "required")
	default:
		fmt.Fprintf(b, "      # A guess: required, and %s.\n", what)
		stages = append(stages, "required")
	}
	if format != "" {
		stages = append(stages, `format "`+format+`"`)
	}
	if hint := s.hint(); hint != "" {
		stages = append(stages, `hints "`+hint+`"`)
	} else {
		b.WriteString("      # No field has its marker.\n")
	}
	if len(stages) == 0 {
		stages = []string{`hints "any value"`}
	}
	fmt.Fprintf(b, "      %s:\n        schema: %s\n", values.Quote(s.Name), "'{{ "+strings.ReplaceAll(strings.Join(stages, " | "), "'", "''")+" }}'")
}

// hint returns the fields that a setter writes, for the findings about it.
func (s *Setter) hint() string {
	const most = 2
	var names []string
	for i := range s.Uses[:min(most, len(s.Uses))] {
		names = append(names, strings.NewReplacer(`"`, "", `\`, "", "{", "", "}", "").Replace(diag.OneLine(s.Uses[i].String())))
	}
	text := strings.Join(names, ", ")
	if more := len(s.Uses) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
