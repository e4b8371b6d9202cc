package manifest

import (
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
)

// AnyInterface is the path of a rule for every Interface.
const AnyInterface = "cap.*"

// Wildcard ends a pattern.
const Wildcard = ".*"

// Pattern matches the paths of Types: exactly or, when it ends in [Wildcard], all
// below a path, at any depth.
type Pattern struct {
	// Prefix is the path without the wildcard.
	Prefix string
	// Below reports whether there is a wildcard.
	Below bool
}

// ParsePattern reads the path of a rule for TypeInstances. A wildcard is accepted only
// as the whole last name. The findings that it returns have no place.
//
//	cap.type.aws.*           // all Types below cap.type.aws
//	cap.type.aws.auth        // this Type
//	cap.type.*.auth          // a finding
func ParsePattern(text string) (Pattern, []diag.Finding) {
	p := Pattern{Prefix: text}
	if prefix, ok := strings.CutSuffix(text, Wildcard); ok {
		p = Pattern{Prefix: prefix, Below: true}
	}
	if strings.Contains(p.Prefix, "*") || p.Prefix == "" {
		return p, []diag.Finding{diag.GotText(text, "a path, or a path that ends in .* as in cap.type.aws.* (no other wildcard is supported)")}
	}
	return p, CheckPath(p.Prefix)
}

// Matches reports whether a path is matched.
func (p Pattern) Matches(path string) bool {
	if !p.Below {
		return path == p.Prefix
	}
	return len(path) > len(p.Prefix)+1 && path[len(p.Prefix)] == '.' && strings.HasPrefix(path, p.Prefix)
}
