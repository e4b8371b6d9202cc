package macro

import (
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/selector"
)

// Config is the spec of the kind ResolveMacros.
type Config struct {
	function.Options
	pack.Choice
	// ClusterContext names the ClusterContext to use, if there are several.
	ClusterContext string `json:"clusterContext" absent:"the only ClusterContext"`
	// System are system facts, which replace the facts of the ClusterContext. Names are nested by
	// their dots.
	System pack.Facts `json:"system" flat:"-"`
	// Variables are the values of `.spectro.var.NAME`, which replace the variables of the
	// ClusterContext.
	Variables map[string]pack.Text `json:"variables" flat:"-"`
	// Macros are the values of `.spectro.macro.NAME`, which replace the macros of the
	// ClusterContext.
	Macros map[string]pack.Text `json:"macros" flat:"-"`
	// Missing says what happens to undefined names: with empty, a reference to a pack becomes
	// empty text, and other names are errors; with error, all are errors; keep leaves their
	// macros in place.
	Missing Mode `json:"missing" enum:"empty,error,keep" default:"empty"`
	// Resources selects resources whose strings are resolved, too.
	Resources []selector.Selector `json:"resources"`
	// Explain asks for an info about each undefined name that takes its default or is
	// empty.
	Explain bool `json:"explain"`
}

// DataKeys returns the forms of the keys that ReadData takes, and the one that another key
// probably means.
func (c *Config) DataKeys(unknown string) (forms []string, meant string) {
	return []string{"system.NAME", "variables.NAME", "macros.NAME"}, meantKey(unknown)
}

// fieldOfKind has the fields with the facts that macros name, also by the kind of their names.
var fieldOfKind = map[string]string{
	"system": "system", "variables": "variables", "macros": "macros", variableKind: "variables", macroKind: "macros",
}

// meantKey returns the key that a key without its field, or with another field, was meant to be.
// The key contains a name as macros write it, as in `var.NAME` and `.spectro.system.cluster.name`,
// or the name of a system fact. It returns "" if that is unknown.
func meantKey(key string) string {
	key = strings.TrimPrefix(strings.TrimPrefix(key, "."), "spectro.")
	kind, name, _ := strings.Cut(key, ".")
	field := fieldOfKind[nearest.Name(kind, slices.Sorted(maps.Keys(fieldOfKind)))]
	if field == "" {
		field, name = systemKind, key
	}
	switch {
	case name == "":
		return ""
	case field == systemKind && !slices.Contains(pack.SystemNames(), name):
		if name = nearest.Path(name, pack.SystemNames(), nil); name == "" {
			return ""
		}
	}
	return field + "." + name
}

// ReadData takes the keys system.NAME, variables.NAME and macros.NAME of a
// ConfigMap.
//
//	data: {system.cluster.name: edge, variables.HOST: web.example.com}
func (c *Config) ReadData(key, value string) (known bool, err error) {
	kind, name, _ := strings.Cut(key, ".")
	switch {
	case name == "":
		return false, nil
	case kind == "system":
		put(&c.System, name, value)
	case kind == "variables":
		put(&c.Variables, name, pack.Text(value))
	case kind == "macros":
		put(&c.Macros, name, pack.Text(value))
	default:
		return false, nil
	}
	return true, nil
}

// put sets an entry of a map that may be nil.
func put[M ~map[string]V, V any](m *M, name string, value V) {
	if *m == nil {
		*m = M{}
	}
	(*m)[name] = value
}
