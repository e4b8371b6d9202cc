package celenv

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/nearest"
)

// commonNames are the functions, macros and constants that most expressions use.
var commonNames = []string{
	"exists", "exists_one", "all", "filter", "map", "has", "size", "type",
	"startsWith", "endsWith", "contains", "matches", "string", "int", "double", "true", "false", "null",
}

// otherWords are words that users write in place of operators.
var otherWords = map[string]string{"=": "==", "&": "&&", "|": "||", "and": "&&", "or": "||", "not": "!"}

// Explain describes the fault of an expression in terms of the expression, and not of CEL's parser.
// names are the variables and functions that the environment adds.
func (i Issue) Explain(expression string, names []string) diag.Finding {
	before, after := cutAt(expression, i.Line, i.Column)
	place := ""
	if i.Line > 0 {
		place = fmt.Sprintf("line %d, column %d: ", i.Line, i.Column)
	}
	if strings.HasPrefix(i.Message, "invalid argument to has()") {
		return diag.Say("%shas() accepts only a field, such as has(a.field)", place).Do(insteadOfHas(before, after))
	}
	if !strings.HasPrefix(i.Message, "Syntax error: ") {
		f := diag.Say("%s%s", place, strings.TrimSuffix(i.Message, " (in container '')"))
		name := nameAt(before, after)
		if near := nearest.Name(name, append(commonNames[:len(commonNames):len(commonNames)], names...)); strings.HasPrefix(i.Message, "undeclared ") && near != name {
			f.Nearest = near
		}
		return f
	}
	rest := strings.TrimSpace(after)
	word := nameAt("", rest)
	if word == "" && rest != "" {
		word = string([]rune(rest)[:1])
	}
	operator, previous := otherWords[word], nameAt(strings.TrimSpace(before), "")
	switch {
	case rest == "":
		return diag.Say("%sthe expression ends too early", place).Do("add what is missing, such as a closing bracket")
	case operator != "":
		return diag.Say("%s%q is not an operator", place, word).Do("write " + operator)
	case previous == "not":
		return diag.Say("%s%q is not an operator", place, previous).Do("write !")
	case word == `"` || word == "'":
		return diag.Say("%sthe text is not closed, or nothing joins it to what is before it", place).Do("check the quotes and operators")
	}
	return diag.Say("%s%.80q is not expected", place, word).Do("check the brackets and operators before it")
}

// insteadOfHas returns advice for has(a["key"]), for which CEL reports the fault at the bracket.
func insteadOfHas(before, after string) string {
	of, isCall := strings.CutPrefix(strings.TrimSpace(before[strings.LastIndex(before, "has")+len("has"):]), "(")
	key, rest, isIndex := strings.Cut(strings.TrimPrefix(after, "["), "]")
	if !isCall || of == "" || key == after || !isIndex || !strings.HasPrefix(strings.TrimSpace(rest), ")") {
		return `for a key that is no name, write "key" in a`
	}
	return "write " + strings.TrimSpace(key) + " in " + strings.TrimSpace(of)
}

// cutAt splits a text at a line and a column in code points, both from 1.
func cutAt(text string, line, column int) (before, after string) {
	lines := strings.SplitAfter(text, "\n")
	if line < 1 || line > len(lines) {
		return text, ""
	}
	runes := []rune(lines[line-1])
	at := min(max(column-1, 0), len(runes))
	return strings.Join(lines[:line-1], "") + string(runes[:at]), string(runes[at:]) + strings.Join(lines[line:], "")
}

// nameAt returns the name that starts or ends at a place: CEL places calls at their
// bracket.
func nameAt(before, after string) string {
	return cmp.Or(after[:len(after)-len(strings.TrimLeftFunc(after, isOfName))], before[len(strings.TrimRightFunc(before, isOfName)):])
}

// IsName reports whether a key can be written after a dot: p.value.key.
func IsName(key string) bool {
	return key != "" && (key[0] < '0' || key[0] > '9') && strings.TrimLeftFunc(key, isOfName) == ""
}

// isOfName reports whether a character can be in the name of a variable or a function.
func isOfName(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
}
