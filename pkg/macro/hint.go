package macro

import (
	"fmt"
	"slices"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/template"
)

const (
	// maxHints bounds how often a run looks for the nearest name, which costs a
	// comparison with all that are known; maxHintName how long a name may be.
	maxHints    = 200
	maxHintName = 64
)

// hint returns ` (did you mean "X"?)` for a name that is not known, "" when no
// name is near or enough hints were given.
func (r *Resolver) hint(name string, known func() []string) string {
	if r.hints >= maxHints || len(name) > maxHintName || name == "" {
		return ""
	}
	r.hints++
	return nearest.Hint(name, known())
}

// shown shortens a name for a message.
func shown(name string) string {
	const most = 200
	if runes := []rune(name); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return name
}

func faulty(rule, format string, args ...any) reading {
	return reading{fault: &fault{rule: rule, message: fmt.Sprintf(format, args...)}}
}

func holdsMacro(text string) bool { return template.HasMacro(text) }

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
