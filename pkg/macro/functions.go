package macro

import (
	"path"
	"slices"
	"strings"
	"sync"
	texttemplate "text/template"

	"github.com/Masterminds/sprig/v3"
)

// FunctionNames returns the functions that macros may call, sorted (rule M10).
func FunctionNames() []string { return allFunctions().names }

// ForbiddenFunctions returns the functions of sprig and of Go templates that
// macros may not call, sorted.
func ForbiddenFunctions() []string { return sortedKeys(allFunctions().forbidden) }

// library is what macros may call, and what they may not.
type library struct {
	allowed   map[string]*callable
	forbidden map[string]bool
	names     []string
}

// allFunctions is built when the first macro needs it.
var allFunctions = sync.OnceValue(newLibrary)

// forbidden returns the deny list of rule M10: what reads the host, the clock,
// the network or randomness, makes keys, or fails on purpose. A star stands for
// any ending.
func forbidden() []string {
	return []string{
		"env", "expandenv", "getHostByName",
		"now", "date*", "ago", "htmlDate*", "unixEpoch", "dateInZone", "mustDate*", "must_date_modify", "toDate", "mustToDate",
		"rand*", "uuidv4", "shuffle",
		"gen*", "derivePassword", "bcrypt", "htpasswd", "encryptAES", "decryptAES", "buildCustomCert",
		"fail",
	}
}

func isForbidden(name string) bool {
	return slices.ContainsFunc(forbidden(), func(pattern string) bool {
		prefix, wild := strings.CutSuffix(pattern, "*")
		return name == pattern || wild && strings.HasPrefix(name, prefix)
	})
}

func newLibrary() *library {
	l := &library{allowed: map[string]*callable{}, forbidden: map[string]bool{"call": true}}
	add := func(functions map[string]any) {
		for name, f := range functions {
			l.allowed[name] = newCallable(f)
		}
	}
	for name, f := range sprig.TxtFuncMap() {
		if isForbidden(name) {
			l.forbidden[name] = true
			continue
		}
		l.allowed[name] = newCallable(f)
	}
	add(builtins())
	add(replacements())
	add(regexes())
	for name, check := range checks() {
		l.allowed[name].check = check
	}
	for name, want := range wants() {
		l.allowed[name].want = want
	}
	l.allowed["and"] = &callable{lazy: andOr(false)}
	l.allowed["or"] = &callable{lazy: andOr(true)}
	l.allowed["default"] = &callable{covers: withDefault}
	l.allowed["coalesce"] = &callable{covers: coalesce}
	l.names = sortedKeys(l.allowed)
	return l
}

// builtins are the functions of Go templates. sprig has a `slice` of its own,
// for lists; this one takes texts too.
func builtins() map[string]any {
	return map[string]any{
		"not": func(v any) bool { return !truth(v) },
		"eq":  equal, "ne": notEqual, "lt": less, "le": lessOrEqual, "gt": greater, "ge": greaterOrEqual,
		"len": length, "index": index, "slice": slice, "mustSlice": slice,
		"print": printValues, "printf": printFormat, "println": printLine,
		"html": texttemplate.HTMLEscaper, "js": texttemplate.JSEscaper, "urlquery": texttemplate.URLQueryEscaper,
	}
}

// replacements stand for functions of sprig that depend on the order of a map
// or on the host's system, or that return the text of an error as their value.
func replacements() map[string]any {
	return map[string]any{
		"keys": keys, "values": valuesOf,
		"osBase": path.Base, "osDir": path.Dir, "osClean": path.Clean, "osExt": path.Ext, "osIsAbs": path.IsAbs,
		"b64dec": decodeBase64, "b32dec": decodeBase32,
		"semver": parseVersion,
	}
}
