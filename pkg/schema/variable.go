package schema

import (
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/meter"
	"github.com/krm-packs/functions/pkg/internal/node"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
)

// variablePath is the start of the macro of a variable.
const variablePath = ".spectro.var."

// VariableValue is the value of a variable.
type VariableValue struct {
	// Name is the name of the variable, and Text its value.
	Name, Text string
	// IsSecret reports whether the value must not be shown in messages.
	IsSecret bool
}

// resolved returns the text that a value is which is one macro of a variable, with the
// variable. That is nil for all other values, and if the variable has no value.
func (v *Values) resolved(text string) (string, *VariableValue) {
	actions := template.Actions(text)
	if v.Variable == nil || len(actions) != 1 {
		return "", nil
	}
	a := actions[0]
	before, after := text[:a.Start], text[a.End:]
	names := variablesOf(a)
	if strings.TrimSpace(before+after) != "" || len(names) != 1 || a.Code != variablePath+names[0] {
		return "", nil
	}
	value := v.Variable(names[0])
	if value == nil || value.Text == "" || template.HasMacro(value.Text) {
		return "", nil
	}
	if a.TrimsBefore(text) {
		before = ""
	}
	if a.TrimsAfter(text) {
		after = ""
	}
	return before + value.Text + after, value
}

// finding makes a finding about a value one about the value of the variable. The text at the
// place of the finding is a macro, so it is not corrected there.
func (v *VariableValue) finding(f diag.Finding) diag.Finding {
	if f = f.OfClass(classOfVariable(v.Name, v.Text, v.IsSecret)); v.IsSecret {
		f = masked(f)
	}
	f.Found += fmt.Sprintf(" from the variable %q", v.Name)
	f.Current, f.Proposed, f.Mistakes = nil, nil, nil
	f.Tags = map[string]string{"variable": v.Name}
	return f
}

// masked returns a finding without its description of the value.
func masked(f diag.Finding) diag.Finding {
	f.Found, f.Current, f.Proposed, f.Mistakes, f.Nearest, f.Action = "a different value (hidden)", nil, nil, nil, "", ""
	return f
}

// variablesOf returns the names of the variables that a macro reads.
func variablesOf(a template.Action) (names []string) {
	if !a.Macro {
		return nil
	}
	pipeline, err := template.ParseAction(a.Code)
	if err != nil {
		return nil // resolve-macros reports it
	}
	pipeline.Walk(func(operand template.Operand) {
		if path, ok := operand.(*template.Path); ok {
			if name, ok := strings.CutPrefix(path.Name(), variablePath); ok {
				names = append(names, name)
			}
		}
	})
	return names
}

// variable is a variable of a profile with what its values must be.
type variable struct {
	*pack.ProfileVariable
	// formats are the formats that every value satisfies.
	formats []*Format
	// fault is the reason why the regex cannot be used, or nil if it can.
	fault *diag.Finding
}

// variableKinds are the types of the formats of variables.
var variableKinds = map[string]kind{
	"": kindString, "string": kindString, "number": kindNumber, "boolean": kindBoolean, "version": kindVersion,
	"ipv4": kindIPv4, "ipv4cidr": kindIPv4CIDR, "ipv6": kindIPv6, "base64": kindBase64,
}

// newVariable returns a variable with the formats that follow from its format, its regex and its
// options.
func newVariable(of *pack.ProfileVariable) *variable {
	v := &variable{ProfileVariable: of}
	p := part{kind: variableKinds[of.Format], name: of.Format}
	if p.kind == kindBoolean {
		p.texts = []string{"true", "false"}
	}
	v.formats = append(v.formats, &Format{parts: []part{p}})
	if of.Regex != "" {
		regex, reason := newExpression(of.Regex)
		switch {
		case reason != "":
			v.fault = new(diag.Got("a regex that cannot be read: "+reason, "a regular expression (RE2)"))
		case regex.Regexp == nil:
			v.fault = new(tooLarge())
		default:
			v.formats = append(v.formats, &Format{parts: []part{{kind: kindString, name: "string", regex: regex}}})
		}
	}
	if len(of.Options) > 0 {
		p := part{kind: kindList}
		for _, option := range of.Options {
			p.texts = append(p.texts, option.Value)
		}
		v.formats = append(v.formats, &Format{parts: []part{p}})
	}
	return v
}

// check returns the fault of a value, or nil if there is none.
func (v *variable) check(value string, m *meter.Meter) *diag.Finding {
	if v.isMasked(value) || template.HasMacro(value) {
		return nil
	}
	for _, format := range v.formats {
		f := format.match(Scalar{Text: value, IsString: true}, m)
		if f == nil {
			continue
		}
		if *f = f.OfClass(classOfVariable(v.Name, value, isSecret(v.ProfileVariable))); isSecret(v.ProfileVariable) {
			*f = masked(*f)
		}
		f.Found += fmt.Sprintf(" for the variable %q", v.Name)
		return f
	}
	return nil
}

// classOfVariable returns who may see the value of a variable of a profile: it counts as named like
// its variable.
func classOfVariable(name, text string, isSecret bool) diag.Class {
	return secret.Context{Path: name, IsSecret: isSecret}.ClassOf(node.Text(text))
}

// isMasked reports whether Palette has replaced a secret by asterisks.
func (v *variable) isMasked(value string) bool {
	return v.IsSensitive && value != "" && strings.Trim(value, "*") == ""
}

// isSecret reports whether no message may show the value of a variable.
func isSecret(v *pack.ProfileVariable) bool { return v.IsSensitive || secret.IsSecretKey(v.Name) }

// option returns the value of the option with a label, and all other texts as they are.
func (v *variable) option(text string) string {
	for _, option := range v.Options {
		if text != "" && text == option.Label {
			return option.Value
		}
	}
	return text
}
