package macro

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"sync"
	texttemplate "text/template"

	"github.com/Masterminds/sprig/v3"
)

// FunctionNames returns the functions that macros may call, sorted.
func FunctionNames() []string { return allFunctions().names }

// library is the functions that macros may call, and those that they may not.
type library struct {
	// allowed are the functions by their names.
	allowed map[string]*callable
	// forbidden are the names of functions that sprig has and macros cannot call.
	forbidden map[string]bool
	// names are the names of allowed, sorted.
	names []string
}

// allFunctions is built when the first macro needs it.
var allFunctions = sync.OnceValue(newLibrary)

// forbidden returns the functions that macros may not call: those that read the host, the clock,
// the network or randomness, make keys, or fail on purpose. A star is any ending.
func forbidden() []string {
	return []string{
		"env", "expandenv", "getHostByName",
		"now", "date*", "ago", "htmlDate*", "unixEpoch", "dateInZone", "mustDate*", "must_date_modify", "toDate", "mustToDate",
		"rand*", "uuidv4", "shuffle",
		"gen*", "derivePassword", "bcrypt", "htpasswd", "encryptAES", "decryptAES", "buildCustomCert",
		"fail",
	}
}

// isForbidden reports whether a function is among those that macros may not call.
func isForbidden(name string) bool {
	return slices.ContainsFunc(forbidden(), func(pattern string) bool {
		prefix, wild := strings.CutSuffix(pattern, "*")
		return name == pattern || wild && strings.HasPrefix(name, prefix)
	})
}

// newLibrary collects the functions. The functions of Go templates replace the ones of sprig, and our
// replacements replace both.
func newLibrary() *library {
	l := &library{allowed: map[string]*callable{}, forbidden: map[string]bool{"call": true}}
	for _, functions := range []map[string]any{sprig.TxtFuncMap(), builtins(), replacements()} {
		for name, f := range functions {
			if isForbidden(name) {
				l.forbidden[name] = true
			} else {
				l.allowed[name] = &callable{value: reflect.ValueOf(f)}
			}
		}
	}
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
	l.names = slices.Sorted(maps.Keys(l.allowed))
	return l
}

// builtins are the functions of Go templates. Their `slice` replaces the function of sprig, which
// accepts only lists.
func builtins() map[string]any {
	return map[string]any{
		"not": func(v any) bool { return !truth(v) },
		"eq":  equal, "ne": notEqual, "lt": less, "le": lessOrEqual, "gt": greater, "ge": greaterOrEqual,
		"len": length, "index": index, "slice": slice, "mustSlice": slice,
		"print": fmt.Sprint, "printf": fmt.Sprintf, "println": fmt.Sprintln,
		"html": texttemplate.HTMLEscaper, "js": texttemplate.JSEscaper, "urlquery": texttemplate.URLQueryEscaper,
	}
}

// replacements replace functions of sprig that depend on the order of a map or on
// the operating system, or that return the text of an error as their value.
func replacements() map[string]any {
	return map[string]any{
		"keys": keys, "values": valuesOf,
		"osBase": path.Base, "osDir": path.Dir, "osClean": path.Clean, "osExt": path.Ext, "osIsAbs": path.IsAbs,
		"b64dec": decodeBase64, "b32dec": decodeBase32,
		"semver": parseVersion,
	}
}
