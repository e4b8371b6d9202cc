package constraint

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/krm-packs/functions/pkg/celenv"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
)

// ruleNames are the names that rules use: the variable, functions and macros.
var ruleNames = []string{
	propertiesVariable, "semver_compare", "exists", "exists_one", "all", "filter", "map", "has", "size", "type",
	"startsWith", "endsWith", "contains", "matches", "string", "int", "double", "true", "false", "null",
}

// otherWords are what users write for operators.
var otherWords = map[string]string{"=": "==", "&": "&&", "|": "||", "and": "&&", "or": "||", "not": "!"}

var lastName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\w+$`) })

// compileFault says what is wrong with a rule in words of the rule, and not of CEL's
// parser.
func compileFault(rule string, err error) diag.Finding {
	failed, ok := errors.AsType[*celenv.CompileError](err)
	if !ok {
		return diag.Say("not a CEL expression that is true or false: %v", err)
	}
	issue := failed.Issues[0]
	before, after := cutAt(rule, issue.Line, issue.Column)
	place := ""
	if issue.Line > 0 {
		place = fmt.Sprintf("line %d, column %d: ", issue.Line, issue.Column)
	}
	if !strings.HasPrefix(issue.Message, "Syntax error: ") {
		f := diag.Say("%s%s", place, strings.TrimSuffix(issue.Message, " (in container '')"))
		name := nameAt(before, after)
		if near := nearest.Name(name, ruleNames); strings.HasPrefix(issue.Message, "undeclared ") && near != name {
			f.Nearest = near
		}
		return f
	}
	rest := strings.TrimSpace(after)
	word := nameAt("", rest)
	if word == "" && rest != "" {
		word = string([]rune(rest)[:1])
	}
	operator, previous := otherWords[word], lastName().FindString(strings.TrimSpace(before))
	switch {
	case rest == "":
		return diag.Say("%sthe rule ends too early", place).Do("add what is missing, such as a closing bracket")
	case operator != "":
		return diag.Say("%s%q is not an operator", place, word).Do("write " + operator)
	case previous == "not":
		return diag.Say("%s%q is not an operator", place, previous).Do("write !")
	case word == `"` || word == "'":
		return diag.Say("%sthe text is not closed, or nothing joins it to what is before it", place).Do("check the quotes and operators")
	}
	return diag.Say("%s%q is not expected", place, short(word)).Do("check the brackets and operators before it")
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

var firstName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\w+`) })

// nameAt returns the name that ends or starts at a place: CEL places calls at their
// bracket.
func nameAt(before, after string) string {
	if name := firstName().FindString(after); name != "" {
		return name
	}
	return lastName().FindString(before)
}
