package set

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"github.com/krm-packs/functions/pkg/nearest"
)

// scope says which variables an expression may use.
type scope int

const (
	everything scope = iota
	// beforeRepository is the scope of downstream.repoExpr, which says which
	// Repository the variable repository is.
	beforeRepository
)

// expression is a compiled CEL expression that comes to a text.
type expression struct {
	source  string
	program cel.Program
}

// compiler compiles the expressions of a set, each text once.
type compiler struct {
	faults *faults
	envs   map[scope]*cel.Env
	known  map[scope]map[string]*expression
}

func variables(s scope) []string {
	names := []string{"repoDefault", "packageDefault", "upstream", "target"}
	if s == everything {
		names = append(names, "repository")
	}
	return names
}

func (c *compiler) env(s scope) (*cel.Env, error) {
	if c.envs[s] != nil {
		return c.envs[s], nil
	}
	options := []cel.EnvOption{ext.Strings()}
	for _, name := range variables(s) {
		t := cel.StringType
		if !strings.HasSuffix(name, "Default") {
			t = cel.MapType(cel.StringType, cel.DynType)
		}
		options = append(options, cel.Variable(name, t))
	}
	env, err := cel.NewEnv(options...)
	if err == nil {
		if c.envs == nil {
			c.envs = map[scope]*cel.Env{}
		}
		c.envs[s] = env
	}
	return env, err
}

// expression compiles an expression, and tells what is wrong with it.
func (c *compiler) expression(source, path string, s scope) *expression {
	if known, ok := c.known[s][source]; ok && known != nil {
		return known
	}
	compiled, err := c.make(source, s)
	if err != nil {
		c.faults.add(RuleExpression, path, "%v", err)
		return nil
	}
	if c.known == nil {
		c.known = map[scope]map[string]*expression{everything: {}, beforeRepository: {}}
	}
	c.known[s][source] = compiled
	return compiled
}

func (c *compiler) make(source string, s scope) (*expression, error) {
	env, err := c.env(s)
	if err != nil {
		return nil, err
	}
	ast, issues := env.Compile(source)
	if issues.Err() != nil {
		return nil, errors.New("does not compile: " + strings.Join(strings.Fields(issues.Err().Error()), " "))
	}
	if t := ast.OutputType(); !t.IsExactType(cel.StringType) && !t.IsExactType(cel.DynType) && t.Kind() != types.TypeParamKind {
		return nil, fmt.Errorf("comes to %s, want text: convert it with string(…)", typeName(t.TypeName()))
	}
	program, err := env.Program(ast, cel.EvalOptions(cel.OptOptimize), cel.CostLimit(1_000_000), cel.InterruptCheckFrequency(100))
	if err != nil {
		return nil, err
	}
	return &expression{source, program}, nil
}

// evaluate evaluates the expression.
func (e *expression) evaluate(a *activation) (string, error) {
	value, _, err := e.program.Eval(a)
	if err != nil {
		return "", err
	}
	text, ok := value.(types.String)
	if !ok {
		return "", fmt.Errorf("comes to %s, want text: convert it with string(…)", typeName(value.Type().TypeName()))
	}
	return string(text), nil
}

// typeName says for people what a type of CEL is.
func typeName(name string) string {
	switch name {
	case "int", "uint", "double":
		return "a number (" + name + ")"
	case "bool":
		return "a boolean"
	case "list":
		return "a list"
	case "map":
		return "a map"
	case "null_type":
		return "null"
	}
	return "a value of type " + name
}

// activation holds the variables of an evaluation.
type activation struct {
	repoDefault, packageDefault  string
	upstream, repository, target ref.Val
}

// ResolveName returns the value of a variable.
func (a *activation) ResolveName(name string) (any, bool) {
	switch name {
	case "repoDefault":
		return types.String(a.repoDefault), true
	case "packageDefault":
		return types.String(a.packageDefault), true
	case "upstream":
		return a.upstream, true
	case "target":
		return a.target, true
	case "repository":
		return a.repository, a.repository != nil
	}
	return nil, false
}

// Parent returns nil: there is no other scope.
func (a *activation) Parent() cel.Activation { return nil }

// asValue is the object as expressions see it: name, namespace, labels and
// annotations, and nothing else.
func (o *Object) asValue() ref.Val {
	if o.view == nil {
		adapter := types.DefaultTypeAdapter
		o.view = types.NewRefValMap(adapter, map[ref.Val]ref.Val{
			types.String("name"):        types.String(o.Name),
			types.String("namespace"):   types.String(namespace(o.Namespace)),
			types.String("labels"):      types.NewStringStringMap(adapter, nonNil(o.Labels)),
			types.String("annotations"): types.NewStringStringMap(adapter, nonNil(o.Annotations)),
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

// listTarget is the variable target for a repository that is named.
func listTarget(repo, pkg string) ref.Val {
	return types.NewStringStringMap(types.DefaultTypeAdapter, map[string]string{"repo": repo, "package": pkg})
}

var noSuchKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^no such key: (.*)$`) })

// explain says of an error of an evaluation what there is instead.
func (r *rendering) explain(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	found := noSuchKey().FindStringSubmatch(text)
	if found == nil {
		return text
	}
	return fmt.Sprintf("no such key: %s; test for it with %q in …, or give it%s", found[1], found[1], r.known(found[1]))
}

// known hints at the label that was probably meant.
func (r *rendering) known(name string) string {
	var all []string
	if o := r.object; o != nil {
		all = append(slices.Sorted(maps.Keys(o.Labels)), "name", "namespace", "labels", "annotations")
	}
	return nearest.Hint(name, all)
}
