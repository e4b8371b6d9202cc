package terraform

import (
	"path/filepath"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/values"
)

// origin says where the parts of a text are in the files of a module.
type origin struct {
	// lines are those of the text.
	lines func() *values.Lines
	// file is the file that the whole text is, "" if there is none.
	file  string
	parts []part
	// hasLines says that its lines are lines of a file.
	hasLines bool
}

// part is a part of a text from an offset on, and where it is written.
type part struct {
	from int
	// text is its text, if it is written there.
	text      string
	isLiteral bool
	in        *source
	at        hcl.Range
}

// Place returns the file and the place of a position in a text of the document, as far as that
// is written in a file.
func (p *Profile) Place(n *yaml.Node, at diag.Position) (file string, in diag.Position, ok bool) {
	o := p.origins[n]
	switch {
	case o == nil || at.Line == 0:
		return "", in, false
	case o.file != "":
		return o.file, at, true
	}
	offset := o.lines().Offset(at)
	for i := len(o.parts) - 1; i >= 0; i-- {
		if one := &o.parts[i]; one.from <= offset {
			return one.in.path, one.place(offset - one.from), true
		}
	}
	return "", in, false
}

// HasLines reports whether the lines of a text of the document are lines of a file.
func (p *Profile) HasLines(n *yaml.Node) bool {
	o := p.origins[n]
	return o != nil && (o.file != "" || o.hasLines)
}

// originOf returns where the value of an expression is written; nil if it is made of others.
func (r *reader) originOf(expression hclsyntax.Expression, text string) *origin {
	switch x := innermost(expression).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if n := r.names[keyOf(x.Traversal)]; n != nil && n.expression != nil && len(x.Traversal) == 2 {
			return r.originOf(n.expression, text)
		}
	case *hclsyntax.FunctionCallExpr:
		if len(x.Args) == 0 {
			return nil
		}
		argument, ok := x.Args[0].(*bounded)
		if !ok {
			return nil
		}
		name, ok := textOf(argument.value)
		switch {
		case !ok:
		case x.Name == "file":
			return &origin{file: r.module.path(name)}
		case x.Name == "templatefile" && r.templates[clean(name)] != nil:
			t := r.templates[clean(name)]
			return r.templateOrigin(t.file, t.expression, text)
		}
	case *hclsyntax.TemplateExpr:
		return r.templateOrigin(r.module.files[x.SrcRange.Filename], x, text)
	}
	return nil
}

// templateOrigin returns where the parts of a template are written.
func (r *reader) templateOrigin(in *source, expression hclsyntax.Expression, text string) *origin {
	x, ok := innermost(expression).(*hclsyntax.TemplateExpr)
	if !ok || in == nil {
		return nil
	}
	o := &origin{hasLines: x.SrcRange.Start.Line < x.SrcRange.End.Line}
	offset := 0
	for _, one := range x.Parts {
		p := part{from: offset, in: in, at: one.Range()}
		if b, ok := one.(*bounded); ok {
			made, _ := textOf(b.value)
			offset += len(made)
		} else if literal, ok := one.(*hclsyntax.LiteralValueExpr); ok {
			p.text, p.isLiteral = literal.Val.AsString(), true
			offset += len(p.text)
		}
		o.parts = append(o.parts, p)
	}
	if offset != len(text) { // the text is normalized, or another one
		return nil
	}
	var lines *values.Lines
	o.lines = func() *values.Lines {
		if lines == nil {
			lines = values.NewLines(text)
		}
		return lines
	}
	return o
}

// place returns the place in the file of an offset in the part.
func (p *part) place(offset int) diag.Position {
	if !p.isLiteral {
		return p.in.at(p.at.Start.Byte)
	}
	written := p.in.text[p.at.Start.Byte:p.at.End.Byte]
	at, value := 0, p.text
	isQuoted := !strings.Contains(written, "\n")
	for done := 0; done < offset && at < len(written); {
		n, m := escaped(written[at:], isQuoted)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(written[at:])
			if m = n; !strings.HasPrefix(value[done:], written[at:at+n]) {
				break // not the text that is written
			}
		}
		at, done = at+n, done+m
		if !isQuoted && written[at-1] == '\n' && done < len(value) { // a heredoc can be indented
			at += max(0, spaces(written[at:])-spaces(value[done:]))
		}
	}
	return p.in.at(p.at.Start.Byte + at)
}

// escaped returns the lengths of an escape sequence at the start of a text, and of what it
// means; 0 if there is none.
func escaped(text string, isQuoted bool) (written, meant int) {
	switch {
	case strings.HasPrefix(text, "$${") || strings.HasPrefix(text, "%%{"):
		return 2, 1
	case !isQuoted || len(text) < 2 || text[0] != '\\':
		return 0, 0
	case text[1] == 'u' && len(text) >= 6:
		return 6, runeLength(text[2:6])
	case text[1] == 'U' && len(text) >= 10:
		return 10, runeLength(text[2:10])
	}
	return 2, 1
}

// runeLength is the length in UTF-8 of a rune in hexadecimal digits.
func runeLength(digits string) int {
	var r rune
	for _, digit := range strings.ToLower(digits) {
		r = r<<4 | rune(strings.IndexRune("0123456789abcdef", digit))
	}
	return max(1, utf8.RuneLen(r))
}

// spaces is the length of the white space at the start of a line.
func spaces(text string) int {
	line, _, _ := strings.Cut(text, "\n")
	return len(line) - len(strings.TrimLeftFunc(line, unicode.IsSpace))
}

// unwrapped is an expression without its bounds.
func unwrapped(n hclsyntax.Node) hclsyntax.Node {
	for {
		switch x := n.(type) {
		case *bounded:
			n = x.Expression
		case *choice:
			return x.ConditionalExpr
		default:
			return n
		}
	}
}

// innermost is an expression without parentheses and without a template around it.
func innermost(expression hclsyntax.Expression) hclsyntax.Expression {
	for {
		switch x := unwrapped(expression).(type) {
		case *hclsyntax.ParenthesesExpr:
			expression = x.Expression
		case *hclsyntax.TemplateWrapExpr:
			expression = x.Wrapped
		case hclsyntax.Expression:
			return x
		}
	}
}

// Field returns the path in the files of a path in the document, as Terraform writes it.
func (p *Profile) Field(path string) string {
	address := resourceType + "." + p.Label
	for _, prefix := range []string{"spec.template.", "spec.", "metadata."} {
		if rest, ok := strings.CutPrefix(path, prefix); ok {
			path = rest
			break
		}
	}
	path = strings.Replace(path, "variables[", "profile_variables.variable[", 1)
	if rest, ok := strings.CutPrefix(path, "packs["); ok {
		path = "pack[" + p.blockOf(rest)
	}
	before, last := "", path
	if at := strings.LastIndexByte(path, '.'); at >= 0 {
		before, last = path[:at+1], path[at+1:]
	}
	for _, fields := range [][]field{metadataFields, templateFields, variableFields} {
		for _, f := range fields {
			if f.name == last {
				return address + "." + before + f.attribute
			}
		}
	}
	return strings.TrimSuffix(address+"."+before+last, ".")
}

// blockOf replaces the index of a pack in the document by that of its block, at the start of a
// path: packs can be left out.
func (p *Profile) blockOf(path string) string {
	digits, rest, ok := strings.Cut(path, "]")
	i, err := strconv.Atoi(digits)
	if !ok || err != nil || i < 0 || i >= len(p.blocks) {
		return path
	}
	return strconv.Itoa(p.blocks[i]) + "]" + rest
}

func clean(name string) string { return filepath.Clean(filepath.FromSlash(name)) }

// path is the path of a file in the folder of the module.
func (m *Module) path(name string) string { return filepath.ToSlash(filepath.Join(m.dir, clean(name))) }
