package macro

import (
	"fmt"
	"maps"
	"slices"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/template"
	"github.com/krm-packs/functions/pkg/pack"
)

// Mode determines the treatment of undefined names: `missing` of resolve-macros. The zero Mode is
// Empty.
type Mode string

// The modes.
const (
	// Empty resolves undefined pack references to the empty string, as the pack
	// constraints document has it. Other names that were not supplied are errors.
	Empty Mode = "empty"
	// Error makes every undefined name an error.
	Error Mode = "error"
	// Keep leaves every action that reads an undefined name in place, byte for byte,
	// with `default` or without: a later run that knows the name resolves it.
	Keep Mode = "keep"
)

// Context is what macros may read in addition to packs. All of it is data: a supplied text
// that holds a macro itself cannot be used.
type Context struct {
	// System maps names of [pack.SystemNames], such as `cluster.name`, to their values.
	System map[string]string
	// Variables are `.spectro.var.X`, Macros `.spectro.macro.X`.
	Variables, Macros map[string]string
	// SuppliedIn is, for messages, where users supply names: "in the functionConfig".
	SuppliedIn string
	// Missing determines the treatment of undefined names.
	Missing Mode
	// Without is the kind of the resource that would have the facts, see [diag.Finding.Without], or
	// "" if the package has it.
	Without string
	// Explain asks for an info about each undefined name.
	Explain bool
}

// optionalSystemName exists on some clusters only, so users cannot always supply it.
const optionalSystemName = "cluster.kubevip"

// supply adds facts to the context. They replace facts with the same names. It returns a finding,
// with the path of the name as its key and without a rule, for each name that no macro can read. A
// misspelt name is used as the right one.
func (c *Context) supply(system pack.Facts, variables, macros map[string]pack.Text) []diag.Finding {
	if c.System == nil {
		c.System = map[string]string{}
	}
	known, findings := system.Known()
	maps.Copy(c.System, known)
	add := func(field, kind string, texts map[string]pack.Text, into *map[string]string) {
		if *into == nil {
			*into = map[string]string{}
		}
		for _, name := range slices.Sorted(maps.Keys(texts)) {
			if isName(name) {
				(*into)[name] = string(texts[name])
				continue
			}
			full := fmt.Sprintf(".spectro.%s.%s", kind, name)
			f := diag.Say("%q is not a valid name of a macro, so no macro can read it", full).
				Do("use letters, digits, _ and -, separated by single dots").At(field+"."+name, diag.Position{})
			findings = append(findings, f)
		}
	}
	add("variables", variableKind, variables, &c.Variables)
	add("macros", macroKind, macros, &c.Macros)
	return findings
}

// isName reports whether a macro can read what is supplied under a name.
func isName(name string) bool {
	full := ".spectro." + variableKind + "." + name
	pipeline, err := template.ParseAction(full)
	if err != nil || len(pipeline.Commands) != 1 || len(pipeline.Commands[0].Operands) != 1 {
		return false
	}
	path, ok := pipeline.Commands[0].Operands[0].(*template.Path)
	return ok && path.String() == full
}
