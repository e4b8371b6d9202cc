package set

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/internal/celenv/kubernetes"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

// scope determines the variables that an expression may use.
type scope int

const (
	everything scope = iota
	// beforeRepository is the scope of downstream.repoExpr, whose result is the name of the
	// Repository that the variable repository holds.
	beforeRepository
)

// Environment compiles the expressions of sets, each text once.
type Environment struct {
	// envs are the environments of the two scopes.
	envs [2]*celenv.Env
	// porch has what expressions can use in Porch: no libraries, and literals of one
	// type. It only compiles.
	porch *celenv.Env
}

// NewEnvironment returns an environment. It costs nothing until the first
// expression is compiled.
func NewEnvironment() *Environment {
	object := cel.MapType(cel.StringType, cel.DynType)
	shared := []celenv.Option{
		celenv.Variable("repoDefault", cel.StringType),
		celenv.Variable("packageDefault", cel.StringType),
		celenv.Variable("upstream", object),
		celenv.Variable("target", object),
		celenv.Library(ext.Strings()),
		kubernetes.Libraries(),
	}
	return &Environment{
		envs: [2]*celenv.Env{
			everything:       celenv.New(append(slices.Clone(shared), celenv.Variable("repository", object))...),
			beforeRepository: celenv.New(shared...),
		},
		porch: celenv.New(
			celenv.Variable("repoDefault", cel.StringType),
			celenv.Variable("packageDefault", cel.StringType),
			celenv.Variable("upstream", cel.DynType),
			celenv.Variable("target", cel.DynType),
			celenv.Variable("repository", cel.DynType),
			celenv.Library(cel.HomogeneousAggregateLiterals()),
		),
	}
}

// variables returns the names of the variables of a scope.
func variables(s scope) []string {
	names := []string{"repoDefault", "packageDefault", "upstream", "target"}
	if s == everything {
		names = append(names, "repository")
	}
	return names
}

// expression is a compiled CEL expression that yields text.
type expression struct {
	// source is the text of the expression, and program its compiled form.
	source  string
	program *celenv.Program
}

// compiler compiles the expressions of a set.
type compiler struct {
	*Environment
	// findings gets the errors in expressions.
	findings *findings
	// namesUpstream reports whether an expression can read the name of the upstream.
	namesUpstream bool
}

// expression compiles an expression, and reports its faults.
func (c *compiler) expression(source, path string, s scope) *expression {
	program, err := c.envs[s].Compile(source, celenv.String)
	if err == nil {
		c.namesUpstream = c.namesUpstream || strings.Contains(source, "upstream") && strings.Contains(strings.ReplaceAll(source, "namespace", ""), "name")
		c.checkPorch(source, path)
		return &expression{source: source, program: program}
	}
	if strings.TrimSpace(source) == "" {
		c.findings.add(rule.VariantSetExpression, path, diag.Missing("empty").Do("set it to a CEL expression"))
		return nil
	}
	rejected, ok := errors.AsType[*celenv.CompileError](err)
	if !ok {
		c.findings.add(rule.VariantSetExpression, path, diag.Say("%v", err))
		return nil
	}
	for _, issue := range rejected.Issues {
		c.findings.add(rule.VariantSetExpression, path, explain(issue, source, s))
	}
	return nil
}

// checkPorch warns of an expression that Porch rejects.
func (c *compiler) checkPorch(source, path string) {
	_, err := c.porch.Compile(source, celenv.Any)
	if err == nil {
		return
	}
	reason := err.Error()
	if rejected, ok := errors.AsType[*celenv.CompileError](err); ok {
		reason = rejected.Issues[0].Message
	}
	reason, _, _ = strings.Cut(reason, " (in container")
	c.findings.add(rule.VariantSetNotInPorch, path, diag.Say("Porch rejects the expression: %s", reason).
		Do("use only the standard functions of CEL, and lists and maps of one type"))
}

// undeclared finds the name in the message of CEL's compiler, which has no other form.
var undeclared = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^undeclared reference to '([^']*)'`)
})

// explain makes the finding of an issue of an expression.
func explain(issue celenv.Issue, source string, s scope) diag.Finding {
	found := undeclared().FindStringSubmatch(issue.Message)
	switch {
	case issue.Type != nil:
		return mistyped(issue.Type)
	case found == nil:
		return issue.Explain(source, nil)
	case isCall(source, issue):
		return diag.Unknown("function", found[1], nil).Do("use a function of CEL, of its strings extension, or of the CEL libraries of Kubernetes")
	case found[1] == "repository":
		return diag.Say("the repository is unknown before downstream.repoExpr").Do("use target, repoDefault or upstream")
	}
	f := diag.Unknown("variable", found[1], variables(s))
	if f.Nearest == "" && strings.TrimSpace(source) == found[1] {
		f.Action = fmt.Sprintf("for a string write \"'%s'\"", found[1])
	}
	return f
}

// isCall reports whether an issue is about a function. Its position is then the position of the
// opening parenthesis.
func isCall(source string, issue celenv.Issue) bool {
	lines := strings.Split(source, "\n")
	if issue.Line < 1 || issue.Line > len(lines) {
		return false
	}
	runes := []rune(lines[issue.Line-1])
	return issue.Column >= 1 && issue.Column <= len(runes) && runes[issue.Column-1] == '('
}

// mistyped makes the finding of an expression that yields another type than text.
func mistyped(err *celenv.TypeError) diag.Finding {
	must := func(got, article, action string) diag.Finding {
		return diag.Got(got, err.Want).Saying("the expression must return a %s, got %s%s", err.Want, article, got).Do(action)
	}
	switch kind, _, _ := strings.Cut(err.Got, "("); kind {
	case "list", "map":
		return must("a "+kind, "", "take one of its values")
	case "null_type":
		return must("null", "", "return a string instead")
	}
	article := "a "
	if strings.ContainsRune("aeiou", rune(err.Got[0])) {
		article = "an "
	}
	return must(err.Got, article, "wrap it in string(…)")
}

// evaluate evaluates the expression over its variables, and returns what it cost.
func (e *expression) evaluate(variables map[string]any) (text string, cost uint64, err error) {
	return e.program.EvaluateString(context.Background(), variables)
}

// asValue is the object as expressions see it: name, namespace, labels and
// annotations, and nothing else.
func (o *Object) asValue() any {
	if o.view == nil {
		o.view = celenv.Value(map[string]any{
			"name": o.Name, "namespace": variant.NamespaceOr(o.Namespace),
			"labels": nonNil(o.Labels), "annotations": nonNil(o.Annotations),
		})
	}
	return o.view
}

// nonNil returns the map, or an empty one for nil, because CEL distinguishes them.
func nonNil(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// explain makes the finding of an evaluation that failed.
func (r *rendering) explain(m *textMaker, err error) diag.Finding {
	if errors.Is(err, celenv.ErrTooExpensive) {
		return diag.Say("%v", err).Do("take less of the data, or several simple expressions. It is not tried for other variants")
	}
	if mistype, ok := errors.AsType[*celenv.TypeError](err); ok {
		return mistyped(mistype)
	}
	// CEL has no other form for it.
	if name, ok := strings.CutPrefix(err.Error(), "no such key: "); ok {
		return r.missing(m.expr.source, name)
	}
	return diag.Say("%v", err)
}

// access finds where an expression reads a name from a map of an object.
func access(name string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(name)
	return regexp.MustCompile(`\b(target|repository|upstream)\.(labels|annotations)(?:\.` + quoted + `\b|\[\s*['"]` + quoted + `['"]\s*\])`)
}

// missing makes the finding of a missing label, annotation or field of an object.
func (r *rendering) missing(source, name string) diag.Finding {
	found := access(name).FindStringSubmatch(source)
	if found == nil {
		f := diag.NotFound("field", name, nil).Do("")
		if !strings.Contains(source, "labels") && !strings.Contains(source, "annotations") {
			f.Action = "objects have name, namespace, labels and annotations, and targets of a list have repo and package"
		}
		return f
	}
	variable, field := found[1], found[2]
	object := map[string]*Object{"target": r.object, "repository": r.repository, "upstream": r.upstream}[variable]
	var known []string
	switch {
	case object == nil: // the target of a list has none
	case object.standsIn:
		return diag.NotFound(strings.TrimSuffix(field, "s"), name, nil).Do(fmt.Sprintf("add the %s: without it, the %s of the %s are unknown", object.Kind, field, variable))
	case field == "labels":
		known = slices.Sorted(maps.Keys(object.Labels))
	default:
		known = slices.Sorted(maps.Keys(object.Annotations))
	}
	of := variable + "." + field
	return diag.NotFound(strings.TrimSuffix(field, "s"), name, known).
		Do(fmt.Sprintf("set the %s, or write a default: '%s' in %s ? %s['%s'] : '…'", strings.TrimSuffix(field, "s"), name, of, of, name))
}
