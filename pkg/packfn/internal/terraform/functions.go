package terraform

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"

	"github.com/krm-packs/functions/pkg/internal/folder"
)

// allFunctions are the functions of Terraform that are evaluated: those that make texts and
// collections of their arguments alone. What each makes is charged before it is made.
func (e *evaluation) allFunctions() map[string]function.Function {
	all := map[string]function.Function{
		"file": e.fileFunction(), "templatefile": e.templateFunction(), "replace": e.replaceFunction(),
		"base64encode": e.textFunction("text", encode), "nonsensitive": same, "sensitive": same, "tostring": stdlib.MakeToFunc(cty.String),
		// These put together what their arguments have, which is charged already.
		"lookup": stdlib.LookupFunc, "length": stdlib.LengthFunc, "concat": stdlib.ConcatFunc, "merge": stdlib.MergeFunc,
		"format": e.charged(stdlib.FormatFunc, e.formatCost),
		"join": e.charged(stdlib.JoinFunc, func(args []cty.Value) (int, error) {
			return sizeOf(args...) + sizeOf(args[0])*partsOf(args[1:]...), nil
		}),
		"indent": e.charged(stdlib.IndentFunc, func(args []cty.Value) (int, error) {
			n, _ := args[0].AsBigFloat().Float64()
			if text, ok := textOf(args[1]); ok && n >= 0 {
				return toInt(float64(len(text)) + n*float64(strings.Count(text, "\n"))), nil
			}
			return 0, nil
		}),
		"split": e.charged(stdlib.SplitFunc, func(args []cty.Value) (int, error) {
			separator, _ := textOf(args[0])
			text, _ := textOf(args[1])
			return len(text) + 32*strings.Count(text, separator), nil
		}),
	}
	for name, plain := range map[string]function.Function{
		"chomp": stdlib.ChompFunc, "trimspace": stdlib.TrimSpaceFunc, "trim": stdlib.TrimFunc, "trimprefix": stdlib.TrimPrefixFunc, "trimsuffix": stdlib.TrimSuffixFunc,
		"lower": stdlib.LowerFunc, "upper": stdlib.UpperFunc,
		"jsonencode": stdlib.JSONEncodeFunc,
	} {
		all[name] = e.charged(plain, func(args []cty.Value) (int, error) { return 6 * sizeOf(args...), nil })
	}
	return all
}

// same returns its argument.
var same = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true}},
	Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
	Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return args[0], nil },
})

// afford charges a function for the bytes of its result before it makes them.
func (e *evaluation) afford(n int) error {
	if !e.spend(&madeLimit, n, e.at) {
		return errBeyond
	}
	return nil
}

// charged is a function that is charged for what its arguments cost.
func (e *evaluation) charged(f function.Function, cost func([]cty.Value) (int, error)) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			for _, arg := range args {
				if !arg.IsWhollyKnown() || arg.IsNull() {
					return f.ReturnTypeForValues(args)
				}
			}
			n, err := cost(args)
			if err == nil {
				err = e.afford(n)
			}
			if err != nil {
				return cty.DynamicPseudoType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) { return f.Call(args) },
	})
}

// textOf returns a value as text, if it can be one.
func textOf(value cty.Value) (string, bool) {
	if !value.IsKnown() || value.IsNull() {
		return "", false
	}
	text, err := convert.Convert(value, cty.String)
	if err != nil || text.IsNull() || !text.IsKnown() {
		return "", false
	}
	return text.AsString(), true
}

// sizeOf is the length of the texts in values, with something for each part.
func sizeOf(all ...cty.Value) (n int) {
	for _, value := range all {
		n += 8
		switch kind := value.Type(); {
		case value.IsNull() || !value.IsKnown():
		case kind == cty.String:
			n += len(value.AsString())
		case kind == cty.Number:
			exponent := value.AsBigFloat().MantExp(nil)
			n += 100 + max(exponent, -exponent)
		case value.CanIterateElements():
			for elements := value.ElementIterator(); elements.Next(); {
				key, element := elements.Element()
				if key.Type() == cty.String {
					n += len(key.AsString())
				}
				n += sizeOf(element)
			}
		}
	}
	return n
}

// partsOf is the number of elements of values.
func partsOf(all ...cty.Value) (n int) {
	for _, value := range all {
		if value.IsKnown() && !value.IsNull() && value.CanIterateElements() {
			n += value.LengthInt()
		}
	}
	return n
}

func toInt(n float64) int {
	if n >= math.MaxInt32 {
		return math.MaxInt32
	}
	return int(n)
}

var formatNumber = regexp.MustCompile(`[0-9]{4}|\*`)

// formatCost is what format() can make: each verb an argument, with a width of at most three
// digits.
func (e *evaluation) formatCost(args []cty.Value) (int, error) {
	spec, _ := textOf(args[0])
	verbs := strings.Count(spec, "%")
	for i, part := range strings.Split(spec, "%") {
		if i > 0 && formatNumber.MatchString(verbOf(part)) {
			return 0, errors.New("a width has more than 3 digits, or is an argument")
		}
	}
	largest := 0
	for _, arg := range args[1:] {
		if arg.Type() == cty.String && isLongNumber(arg.AsString()) {
			return 0, errors.New("number is too long")
		}
		largest = max(largest, 6*sizeOf(arg))
	}
	return len(spec) + verbs*(largest+2000), nil
}

// verbOf is what is between a percent sign and the letter of its verb.
func verbOf(part string) string {
	if at := strings.IndexFunc(part, unicode.IsLetter); at >= 0 {
		return part[:at]
	}
	return part
}

// textFunction is a function of one text.
func (e *evaluation) textFunction(name string, make func(string) string) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: name, Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (value cty.Value, err error) {
			text := args[0].AsString()
			if err := e.afford(2 * len(text)); err != nil {
				return value, err
			}
			return cty.StringVal(make(text)), nil
		},
	})
}

// maxPattern is the length of a regular expression in replace().
const maxPattern = 1000

// replaceFunction is replace(): a text between slashes is a regular expression.
func (e *evaluation) replaceFunction() function.Function {
	text := func(name string) function.Parameter { return function.Parameter{Name: name, Type: cty.String} }
	return function.New(&function.Spec{
		Params: []function.Parameter{text("text"), text("old"), text("new")},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (value cty.Value, err error) {
			text, old, new := args[0].AsString(), args[1].AsString(), args[2].AsString()
			if pattern, ok := strings.CutPrefix(old, "/"); ok && len(old) > 1 && strings.HasSuffix(old, "/") {
				text, err = e.replacePattern(text, strings.TrimSuffix(pattern, "/"), new)
				return cty.StringVal(text), err
			}
			count := strings.Count(text, old)
			if err := e.afford(toInt(float64(len(text)) + float64(count)*float64(len(new)))); err != nil {
				return value, err
			}
			return cty.StringVal(strings.ReplaceAll(text, old, new)), nil
		},
	})
}

// replacePattern replaces what a regular expression matches. $1 is a part of the match.
func (e *evaluation) replacePattern(text, pattern, new string) (string, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err == nil && len(pattern) > maxPattern {
		err = fmt.Errorf("the regular expression has more than %d bytes", maxPattern)
	}
	if err != nil {
		return "", err
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return "", err
	}
	expression, err := regexp.Compile(pattern)
	if err != nil {
		return "", err
	}
	matches, err := e.matches(expression, text, len(program.Inst))
	if err != nil {
		return "", err
	}
	if err := e.afford(len(text)); err != nil {
		return "", err
	}
	var out []byte
	end, parts := 0, strings.Count(new, "$")
	for _, match := range matches {
		if err := e.afford(toInt(float64(len(new)) + float64(parts)*float64(match[1]-match[0]))); err != nil {
			return "", err
		}
		out = expression.ExpandString(append(out, text[end:match[0]]...), new, text, match)
		end = match[1]
	}
	return string(append(out, text[end:]...)), nil
}

// matches finds what a regular expression matches. For each match, each character of the text can
// meet each instruction of the expression.
func (e *evaluation) matches(expression *regexp.Regexp, text string, instructions int) ([][]int, error) {
	for n := 1; ; n *= 2 {
		steps := float64(n) * float64(len(text)+1) * float64(instructions) / 128
		if steps > float64(maxSteps-e.steps) {
			return nil, errors.New("the regular expression takes too long over this text")
		}
		e.spend(&stepLimit, int(steps), e.at)
		if matches := expression.FindAllStringSubmatchIndex(text, n); len(matches) < n {
			return matches, nil
		}
	}
}

// readFile reads a file of the module for a function. It takes as long as callSteps.
func (e *evaluation) readFile(function, path string) (name string, text []byte, err error) {
	name = filepath.Clean(filepath.FromSlash(path))
	if !filepath.IsLocal(name) {
		return name, nil, fmt.Errorf("%s is not in the folder of the module", name)
	}
	if !e.spend(&stepLimit, callSteps, e.at) {
		e.beyond = &Fault{e.at.Filename, positionOf(e.at), fmt.Sprintf("%s(%q) is called more often than the limit of %d steps of evaluation allows; read it once, into a local", function, name, maxSteps)}
		return name, nil, e.beyond
	}
	files, err := folder.Open(e.module.dir)
	if err != nil {
		return name, nil, err
	}
	defer files.Close()
	text, err = files.ReadText(name)
	if !e.spend(&readLimit, len(text), e.at) {
		e.beyond = &Fault{e.at.Filename, positionOf(e.at), fmt.Sprintf("the files that %s() reads have more than %d bytes in total, up to %s; import fewer packs at a time", function, maxRead, name)}
		return name, nil, e.beyond
	}
	return name, text, err
}

// fileFunction is file() for the files of the module.
func (e *evaluation) fileFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			_, text, err := e.readFile("file", args[0].AsString())
			return cty.StringVal(string(text)), err
		},
	})
}

// template is a file that templatefile() has read.
type template struct {
	file       *source
	expression hclsyntax.Expression
}

// templateFunction is templatefile() for the files of the module.
func (e *evaluation) templateFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (value cty.Value, err error) {
			name, text, err := e.readFile("templatefile", args[0].AsString())
			if err != nil {
				return value, err
			}
			if kind := args[1].Type(); !kind.IsObjectType() && !kind.IsMapType() {
				return value, errors.New("the second argument is not a map")
			}
			path := filepath.ToSlash(filepath.Join(e.module.dir, name))
			if fault := limited(path, text, hclsyntax.LexTemplate); fault != nil {
				return value, fault
			}
			// The parser takes quadratic time for the lines of a text.
			if lines := float64(bytes.Count(text, []byte("\n"))); !e.spend(&stepLimit, len(text)/16+toInt(lines*float64(len(text))/2500), e.at) {
				return value, errBeyond
			}
			expression, diags := hclsyntax.ParseTemplate(text, path, hcl.InitialPos)
			if diags.HasErrors() {
				return value, &Fault{path, positionOf(*diags[0].Subject), diags[0].Summary + ": " + diags[0].Detail}
			}
			e.templates[name] = &template{&source{path: path, text: string(text)}, expression}
			functions := map[string]function.Function{}
			for name, f := range e.functions {
				if name != "templatefile" { // which Terraform does not have there, either
					functions[name] = f
				}
			}
			value, diags = e.within(expression, func() *hcl.EvalContext {
				return &hcl.EvalContext{Functions: functions, Variables: args[1].AsValueMap()}
			})
			if diags.HasErrors() {
				at := expression.Range()
				if diags[0].Subject != nil {
					at = *diags[0].Subject
				}
				return value, &Fault{path, positionOf(at), diags[0].Summary + ": " + diags[0].Detail}
			}
			return convert.Convert(value, cty.String)
		},
	})
}

func encode(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
