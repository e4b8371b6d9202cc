package evaluate

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// allFunctions are the functions of Terraform that are evaluated: those that make texts and
// collections of their arguments, and those that read files of the module.
func (m *module) allFunctions() map[string]function.Function {
	return map[string]function.Function{
		"chomp": stdlib.ChompFunc, "concat": stdlib.ConcatFunc, "format": stdlib.FormatFunc, "indent": stdlib.IndentFunc,
		"join": stdlib.JoinFunc, "jsonencode": stdlib.JSONEncodeFunc, "length": stdlib.LengthFunc, "lookup": stdlib.LookupFunc,
		"lower": stdlib.LowerFunc, "merge": stdlib.MergeFunc, "split": stdlib.SplitFunc, "tostring": stdlib.MakeToFunc(cty.String),
		"trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimspace": stdlib.TrimSpaceFunc, "trimsuffix": stdlib.TrimSuffixFunc,
		"upper": stdlib.UpperFunc,
		// These are Terraform's own.
		"base64encode": textFunction(encode, "text"), "file": textFunction(m.file, "path"), "replace": textFunction(replace, "text", "old", "new"),
		"templatefile": m.templateFunction(), "nonsensitive": same, "sensitive": same,
	}
}

// same returns its argument.
var same = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true}},
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0], nil },
})

// textFunction returns a function from strings to a string.
func textFunction(make func(args []cty.Value) (cty.Value, error), names ...string) function.Function {
	spec := &function.Spec{
		Type: function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return make(args) },
	}
	for _, name := range names {
		spec.Params = append(spec.Params, function.Parameter{Name: name, Type: cty.String})
	}
	return function.New(spec)
}

// encode is Terraform's base64encode.
func encode(args []cty.Value) (cty.Value, error) {
	return cty.StringVal(base64.StdEncoding.EncodeToString([]byte(args[0].AsString()))), nil
}

// replace is replace(): a text between slashes is a regular expression.
func replace(args []cty.Value) (cty.Value, error) {
	old := args[1].AsString()
	if pattern, ok := strings.CutPrefix(old, "/"); ok && strings.HasSuffix(pattern, "/") {
		return stdlib.RegexReplace(args[0], cty.StringVal(strings.TrimSuffix(pattern, "/")), args[2])
	}
	return stdlib.Replace(args[0], args[1], args[2])
}

// file is file() for the files of the module.
func (m *module) file(args []cty.Value) (cty.Value, error) {
	_, text, err := m.read(args[0].AsString())
	return cty.StringVal(text), err
}

// read returns the name and the text of a file of the module.
func (m *module) read(path string) (name, text string, err error) {
	name = clean(path)
	if !filepath.IsLocal(name) {
		return name, "", fmt.Errorf("%s is not in the folder of the module", name)
	}
	answer, ok := m.ask(terraform.Ask{File: name})
	if !ok {
		return name, "", errors.New("the file is not known yet")
	}
	if !answer.IsFound {
		return name, "", errors.New(answer.Fault)
	}
	return name, answer.Text, nil
}

func clean(name string) string { return filepath.Clean(filepath.FromSlash(name)) }

// path is the path of a file in the folder of the module.
func (m *module) path(name string) string { return filepath.ToSlash(filepath.Join(m.Dir, clean(name))) }

// template is a parsed file of templatefile() with its evaluation context.
type template struct {
	// text is the content of the file, and path its path.
	text, path string
	// expression is the parsed content, and context has its variables.
	expression hclsyntax.Expression
	context    *hcl.EvalContext
}

// templateFunction returns the implementation of templatefile() for the files of the module.
func (m *module) templateFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (value cty.Value, err error) {
			name, text, err := m.read(args[0].AsString())
			if err != nil {
				return value, err
			}
			if kind := args[1].Type(); !kind.IsObjectType() && !kind.IsMapType() {
				return value, errors.New("the second argument is not a map")
			}
			functions := maps.Clone(m.functions)
			delete(functions, "templatefile") // which Terraform does not have there, either
			t := &template{text: text, path: m.path(name), context: &hcl.EvalContext{Functions: functions, Variables: args[1].AsValueMap()}}
			var diags hcl.Diagnostics
			if t.expression, diags = hclsyntax.ParseTemplate([]byte(text), t.path, hcl.InitialPos); !diags.HasErrors() {
				value, diags = t.expression.Value(t.context)
			}
			if diags.HasErrors() {
				return value, faultOf(t.path, diags[0])
			}
			m.templates[name] = t
			return convert.Convert(value, cty.String)
		},
	})
}
