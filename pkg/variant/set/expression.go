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

	"github.com/krm-packs/functions/pkg/celenv"
	"github.com/krm-packs/functions/pkg/celenv/kubernetes"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/variant"
)

// scope says which variables an expression may use.
type scope int

const (
	everything scope = iota
	// beforeRepository is the scope of downstream.repoExpr, which says which
	// Repository the variable repository is.
	beforeRepository
)

// Environment compiles the expressions of sets, each text once.
type Environment struct{ envs [2]*celenv.Env }

// NewEnvironment returns an environment. It costs nothing until the first
// expression is compiled.
func NewEnvironment() *Environment {
	object := cel.MapType(cel.StringType, cel.DynType)
	shared := []celenv.Option{
		celenv.Variable("repoDefault", cel.StringType),
		celenv.Variable("packageDefault", cel.StringType),
		celenv.Variable("upstream", object),
		celenv.Variable("target", object),
		celenv.Strings(),
		kubernetes.Libraries(),
	}
	return &Environment{[2]*celenv.Env{
		everything:       celenv.New(append(slices.Clone(shared), celenv.Variable("repository", object))...),
		beforeRepository: celenv.New(shared...),
	}}
}

func variables(s scope) []string {
	names := []string{"repoDefault", "packageDefault", "upstream", "target"}
	if s == everything {
		names = append(names, "repository")
	}
	return names
}

// expression is a compiled CEL expression that comes to a text.
type expression struct {
	source  string
	program *celenv.Program
}

// compiler compiles the expressions of a set.
type compiler struct {
	*Environment
	findings *findings
	// namesUpstream says that an expression may see the name of the upstream.
	namesUpstream bool
}

// expression compiles an expression, and reports what is wrong with it.
func (c *compiler) expression(source, path string, s scope) *expression {
	program, err := c.envs[s].Compile(source, celenv.String)
	if err == nil {
		c.namesUpstream = c.namesUpstream || strings.Contains(source, "upstream") && strings.Contains(strings.ReplaceAll(source, "namespace", ""), "name")
		return &expression{source: source, program: program}
	}
	var refused *celenv.CompileError
	if !errors.As(err, &refused) {
		c.findings.add(RuleExpression, path, diag.Say("%v", err))
		return nil
	}
	if strings.TrimSpace(source) == "" {
		c.findings.add(RuleExpression, path, diag.Missing("empty").Do("set it to a CEL expression"))
		return nil
	}
	var issues []string
	for _, issue := range refused.Issues {
		hint := hint(issue.Message, s)
		if strings.HasPrefix(hint, "; variables") && isCall(source, issue) {
			hint = "; functions are those of CEL, its strings extension and the libraries of Kubernetes"
		}
		issue.Message = strings.TrimSuffix(issue.Message, " (in container '')")
		issues = append(issues, issue.String()+hint)
	}
	c.findings.add(RuleExpression, path, diag.Say("%s", strings.Join(issues, "; ")))
	return nil
}

// isCall reports whether an issue is about a function: its place is then that of
// the opening bracket.
func isCall(source string, issue celenv.Issue) bool {
	lines := strings.Split(source, "\n")
	if issue.Line < 1 || issue.Line > len(lines) {
		return false
	}
	runes := []rune(lines[issue.Line-1])
	return issue.Column >= 1 && issue.Column <= len(runes) && runes[issue.Column-1] == '('
}

var undeclared = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^undeclared reference to '([^']*)'`)
})

// hint says what may be meant by an expression that does not compile.
func hint(message string, s scope) string {
	if yields, ok := strings.CutPrefix(message, "the expression yields "); ok {
		return conversion(yields)
	}
	found := undeclared().FindStringSubmatch(message)
	switch {
	case found == nil:
		return ""
	case found[1] == "repository":
		return ": the repository is not known before downstream.repoExpr; use target, repoDefault or upstream"
	}
	known := variables(s)
	return fmt.Sprintf("; variables are %s%s", strings.Join(known, ", "), nearest.Hint(found[1], known))
}

// conversion says how to make a text of what an expression yields.
func conversion(yields string) string {
	switch {
	case strings.HasPrefix(yields, "list"), strings.HasPrefix(yields, "map"):
		return ": take one of its values"
	case strings.HasPrefix(yields, "null"):
		return ": give a text instead"
	}
	return ": nothing is converted by itself, write string(…)"
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

func nonNil(m map[string]string) map[string]string {
	if m == nil {
		return map[string]string{}
	}
	return m
}

// explain makes the finding of an evaluation that failed.
func (r *rendering) explain(m *textMaker, err error) diag.Finding {
	text := err.Error()
	f := diag.Say("%s", text)
	if errors.Is(err, celenv.ErrTooExpensive) || errors.Is(err, errAllTooExpensive) {
		return f.Do("take less of the data, or several simple expressions. It is not tried for other variants")
	}
	if name, ok := strings.CutPrefix(text, "no such key: "); ok {
		return r.missing(m, name)
	}
	if yields, ok := strings.CutPrefix(text, "the expression yields "); ok {
		f.Found += conversion(yields)
	}
	return f
}

// missing makes the finding of a missing label, annotation or field: which there are.
func (r *rendering) missing(m *textMaker, name string) diag.Finding {
	var known []string
	for _, of := range []struct {
		variable string
		*Object
	}{{"target", r.object}, {"repository", r.repository}, {"upstream", r.upstream}} {
		if of.Object == nil || !strings.Contains(m.expr.source, of.variable) {
			continue
		}
		if of.standsIn {
			return diag.Say("no such key: %s; there is no %s, so the labels and annotations of the %s are unknown", name, of.Kind, of.variable)
		}
		known = append(known, "name", "namespace", "labels", "annotations")
		known = slices.AppendSeq(known, maps.Keys(of.Labels))
		known = slices.AppendSeq(known, maps.Keys(of.Annotations))
	}
	f := diag.Say("no such key: %s", name)
	f.Nearest = nearest.Name(name, sorted(known))
	if !strings.Contains(m.expr.source, "labels") && !strings.Contains(m.expr.source, "annotations") {
		f.Accepted = "name, namespace, labels or annotations of an object; repo or package of the target of a list"
		return f
	}
	return f.Do(fmt.Sprintf("set it there, or give a default: labels[?'%s'].orValue('…')", name))
}
