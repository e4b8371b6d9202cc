package macro

import (
	"slices"
	"strings"
)

// Mode says what becomes of undefined names (rule M7, `missing` of
// resolve-macros).
type Mode int

const (
	// Empty resolves undefined pack references to the empty string, as the pack
	// constraints document has it. Other names that were not supplied are
	// macro/unset problems.
	Empty Mode = iota
	// Error makes every undefined name a macro/unset problem.
	Error
	// Keep leaves every action that holds an undefined name in place, byte for
	// byte, `default` or not: a later run that knows the name resolves it.
	Keep
)

// Context is what macros may read besides packs. All of it is data: a text in
// it that holds a macro itself can not be used (rule M9).
type Context struct {
	// System maps dotted names, `cluster.name`, to their values. A name of
	// SystemNames that is absent was not supplied.
	System map[string]string
	// Variables are `.spectro.var.X`, Macros `.spectro.macro.X`.
	Variables, Macros map[string]string
	// Missing says what becomes of undefined names.
	Missing Mode
	// Uses asks Document for the names that were read. To find their places
	// takes about as long as to resolve them.
	Uses bool
}

// SystemNames returns the system names of the pack constraints document, the X
// of `.spectro.system.X`, in its order.
func SystemNames() []string {
	return []string{
		"user.name", "user.uid", "user.email",
		"tenant.uid",
		"project.name", "project.uid",
		"clusterprofile.name", "clusterprofile.uid", "clusterprofile.version",
		"clusterprofile.infra.name", "clusterprofile.infra.uid", "clusterprofile.infra.version",
		"cluster.name", "cluster.uid", "cluster.kubevip",
		"cloudaccount.name", "cloudaccount.uid",
		"kubernetes.version",
		"reverseproxy.server", "reverseproxy.port", "reverseproxy.protocol", "reverseproxy.vhostport",
		"cloud.type", "cloud.region",
	}
}

// optionalSystemName exists on some clusters only, so that nobody can be asked
// to supply it (rule M8).
const optionalSystemName = "cluster.kubevip"

// The kinds of names behind `.spectro.`.
const (
	systemKind   = "system"
	packKind     = "pack"
	variableKind = "var"
	macroKind    = "macro"
)

func kinds() []string { return []string{systemKind, packKind, variableKind, macroKind} }

// missing is a name that is undefined.
type missing struct {
	// fatal says that it is a problem under Empty too, optional that it is none
	// under Error either.
	fatal, optional bool
	// message is the problem's, up to what covers it.
	message string
	// supply is the field to supply it in, and where; "" for what stands in the
	// values of a pack.
	supply string
}

const suppliedIn = " in a ClusterContext or in the functionConfig"

// fault is why a name, or a value that it leads to, can not be used.
type fault struct {
	rule, message, cause string
}

// reading is what a name comes to. At most one of missing, fault and chained is
// set.
type reading struct {
	text    string
	missing *missing
	fault   *fault
	chained *chained
}

// name returns what a macro's name comes to. steps are those behind the dot:
// spectro, system, cluster, name.
func (r *Resolver) name(steps []string) reading {
	full := "." + strings.Join(steps, ".")
	if steps[0] != "spectro" {
		return faulty(RuleInvalid, "%s is no macro: names start with .spectro.", shown(full))
	}
	if len(steps) < 2 || !slices.Contains(kinds(), steps[1]) {
		kind := strings.Join(steps[1:min(2, len(steps))], "")
		return faulty(RuleUnknown, "%s is not known%s: want .spectro.system.X, .spectro.pack.NAME.PATH, .spectro.var.X or .spectro.macro.X",
			shown(full), r.hint(kind, kinds))
	}
	if len(steps) == 2 {
		return faulty(RuleUnknown, "%s is not a whole name: want another one behind it, as in .spectro.system.cluster.name", full)
	}
	rest := full[len(".spectro.")+len(steps[1])+1:]
	switch steps[1] {
	case systemKind:
		return r.system(full, rest)
	case packKind:
		return r.packReference(full, rest)
	case variableKind:
		return r.supplied(full, rest, r.context.Variables, "variable")
	}
	return r.supplied(full, rest, r.context.Macros, "macro")
}

func (r *Resolver) system(full, name string) reading {
	known := SystemNames()
	if !slices.Contains(known, name) {
		return faulty(RuleUnknown, "%s is no system name%s", shown(full), systemHint(name, r.hint(name, SystemNames)))
	}
	text, ok := r.context.System[name]
	if name == optionalSystemName && text == "" {
		return reading{missing: &missing{optional: true, message: shown(full) + " is not supplied"}}
	}
	return r.data(full, "system."+name, text, ok, "")
}

// supplied looks up a variable or a macro.
func (r *Resolver) supplied(full, name string, from map[string]string, what string) reading {
	text, ok := from[name]
	hint := ""
	if !ok {
		hint = r.hint(name, func() []string { return sortedKeys(from) })
		if len(from) == 0 {
			hint += ", nor is any other " + what
		}
	}
	return r.data(full, what+"s."+name, text, ok, hint)
}

// data is a supplied text, which is nothing to resolve (rule M9). An empty one
// is undefined like one that is absent, and takes the `default`. The field is
// where it is supplied: below spec in resources, a key in a ConfigMap.
func (r *Resolver) data(full, field, text string, ok bool, hint string) reading {
	switch {
	case !ok:
		return reading{missing: &missing{fatal: true, message: shown(full) + " is not supplied" + hint, supply: shown(field) + suppliedIn}}
	case text == "":
		return reading{missing: &missing{message: shown(full) + " is empty", supply: shown(field) + suppliedIn}}
	case holdsMacro(text):
		return faulty(RuleInvalid, "what was supplied for %s holds a macro itself, want plain text", shown(full))
	case len(text) > MaxResult:
		return faulty(RuleInvalid, "what was supplied for %s is larger than 1 MiB", shown(full))
	}
	return reading{text: text}
}
