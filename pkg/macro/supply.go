package macro

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/template"
)

// context is what the functionConfig and the ClusterContext supply.
func (f *resolving) context() Context {
	c := Context{System: map[string]string{}, Variables: map[string]string{}, Macros: map[string]string{}}
	c.Uses = f.config.Explain
	switch f.config.Missing {
	case "error":
		c.Missing = Error
	case "keep":
		c.Missing = Keep
	}
	cluster, whole := pack.LoadClusterParts(f.run, f.config.ClusterContext)
	f.partly = !whole
	if cluster != nil {
		supply(&c, cluster.System, cluster.Variables, cluster.Macros, func(field, message string) {
			f.run.Invalid(cluster.Resource, "spec."+field, "spec."+field+": "+message)
		})
	}
	supply(&c, f.config.System, f.config.Variables, f.config.Macros, func(field, message string) {
		path := f.run.ConfigPath(field)
		f.run.ConfigInvalid(path, path+": "+message)
	})
	return c
}

// supply adds facts to a context, and complains about names that no macro reads:
// a misspelt one would be reported as missing elsewhere.
func supply(c *Context, system pack.Facts, variables, macros map[string]pack.Text, complain func(field, message string)) {
	known := SystemNames()
	for _, name := range slices.Sorted(maps.Keys(system)) {
		if !slices.Contains(known, name) {
			complain("system."+name, "is no system name"+systemHint(name, nearest.Hint(name, known)))
			continue
		}
		c.System[name] = system[name]
	}
	for _, from := range []struct {
		field, kind string
		texts       map[string]pack.Text
		into        map[string]string
	}{{"variables", variableKind, variables, c.Variables}, {"macros", macroKind, macros, c.Macros}} {
		for _, name := range slices.Sorted(maps.Keys(from.texts)) {
			if !isName(name) {
				complain(from.field+"."+name, fmt.Sprintf("no macro can name it, since .spectro.%s. takes letters, digits, _ and -, with single dots between them; give it another name", from.kind))
				continue
			}
			from.into[name] = string(from.texts[name])
		}
	}
}

// isName reports whether a macro can name what is supplied under a name.
func isName(name string) bool {
	full := ".spectro." + variableKind + "." + name
	pipeline, err := template.ParseAction(full)
	if err != nil || len(pipeline.Commands) != 1 || len(pipeline.Commands[0].Operands) != 1 {
		return false
	}
	path, ok := pipeline.Commands[0].Operands[0].(*template.Path)
	return ok && path.String() == full
}

// systemHint ends a message about an unknown system name: with the nearest one,
// or with those that there are.
func systemHint(name, hint string) string {
	if hint != "" {
		return hint
	}
	known := SystemNames()
	// Those of the same object, as in cluster.zone, are what was meant.
	object, _, _ := strings.Cut(name, ".")
	of := slices.DeleteFunc(slices.Clone(known), func(other string) bool { return !strings.HasPrefix(other, object+".") })
	if len(of) > 0 {
		return ": known of " + object + " are " + strings.Join(of, ", ")
	}
	return ": want one of " + strings.Join(known, ", ")
}

// mayBeSupplied reports whether a problem is that a name is not supplied, while
// facts about the cluster could not be read, which was reported: it may be one
// of them.
func (f *resolving) mayBeSupplied(p Problem) bool {
	return f.partly && p.Rule == RuleUnset && (p.Cause != "" || !strings.HasPrefix(p.Name, ".spectro."+packKind+"."))
}
