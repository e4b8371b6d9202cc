package terraform

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/krm-packs/functions/pkg/diag"
)

// causeOf says why an expression has no value: the cause of the first name that has none, or
// what is wrong with the expression itself.
func (e *evaluation) causeOf(key string, expression hclsyntax.Expression, reads []hcl.Traversal, diags hcl.Diagnostics) *cause {
	for _, traversal := range reads {
		if read, why := e.unknown(traversal); why != nil {
			return why
		} else if read != "" {
			return &cause{key, "reads " + read}
		}
	}
	return &cause{key, e.fault(expression, diags)}
}

// unknown says why what a traversal reads has no value: the cause of the name, or the sentence
// about what is read. Both are empty if it has one.
func (e *evaluation) unknown(traversal hcl.Traversal) (read string, why *cause) {
	root := traversal.RootName()
	n := e.names[keyOf(traversal)]
	switch read = dotted(traversal); {
	case root == "path" && (read == "path.module" || read == "path.root"):
		return "", nil
	case n == nil && keyOf(traversal) != "" && (root != "data" || slices.Contains(packTypes, typeOf(traversal)) || slices.Contains(registryTypes, typeOf(traversal))):
		if len(e.module.Faults) > 0 {
			return read + ", which no file that can be read defines", nil
		}
		return read + ", which no file of the module defines", nil
	case n == nil:
		return read + ", " + unevaluated, nil
	case n.cause != nil:
		return "", n.cause
	case n.data == nil:
		return "", nil
	}
	switch attribute := attributeOf(traversal); {
	case n.causes[attribute] != nil:
		return "", n.causes[attribute]
	case attribute == "name" || attribute == "version":
		return "", nil
	case attribute != "values":
		return read + ", which only Palette knows", nil
	}
	p := e.packOf(n, n.data.DefRange())
	switch {
	case p == nil:
		for _, name := range []string{"name", "version"} {
			if n.causes[name] != nil {
				return "", n.causes[name]
			}
		}
		return read + ", " + unevaluated, nil
	case p.err != nil:
		return read + ": " + diag.OneLine(p.err.Error()), nil
	case !p.ok:
		return fmt.Sprintf("%s, and no source has %s %s: name the folder of its directory with --source", read, n.attribute("name"), n.attribute("version")), nil
	}
	return "", nil
}

// reason says why an expression has no value, for a sentence that starts with its attribute.
func (e *evaluation) reason(expression hclsyntax.Expression, reads []hcl.Traversal, diags hcl.Diagnostics) string {
	for _, traversal := range reads {
		switch read, why := e.unknown(traversal); {
		case why != nil && why.key == keyOf(traversal):
			return "reads " + why.key + ", which " + why.what
		case why != nil:
			return fmt.Sprintf("reads %s, but %s %s", dotted(traversal), why.key, why.what)
		case read != "":
			return "reads " + read
		}
	}
	return e.fault(expression, diags)
}

// fault says what is wrong with an expression whose names are known.
func (e *evaluation) fault(expression hclsyntax.Expression, diags hcl.Diagnostics) string {
	missing := ""
	hclsyntax.VisitAll(expression, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := unwrapped(n).(*hclsyntax.FunctionCallExpr); ok && missing == "" {
			if _, ok := e.functions[call.Name]; !ok {
				missing = call.Name
			}
		}
		return nil
	})
	switch {
	case e.beyond != nil:
		return "is beyond a limit"
	case len(diags) == 0:
		return "is not a string"
	case missing != "":
		return fmt.Sprintf("calls %s(), %s", missing, unevaluated)
	}
	return "cannot be evaluated: " + strings.TrimSuffix(diag.OneLine(strings.ToLower(diags[0].Summary)+": "+diags[0].Detail), ".")
}

// dotted is a traversal as it is written.
func dotted(traversal hcl.Traversal) string {
	var b strings.Builder
	for _, step := range traversal {
		switch s := step.(type) {
		case hcl.TraverseRoot:
			b.WriteString(s.Name)
		case hcl.TraverseAttr:
			b.WriteString("." + s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.Number {
				b.WriteString("[" + s.Key.AsBigFloat().Text('f', 0) + "]")
			}
		}
	}
	return b.String()
}
