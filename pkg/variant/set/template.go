package set

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/variant"
)

// maker makes the strings of a template's fields: plain strings, and results of expressions. It has
// the same fields as [Template].
type maker struct {
	// repo and pkg make the downstream.
	repo, pkg *textMaker
	// adoption and deletion are the policies.
	adoption, deletion string
	// labels, annotations and data make the maps of the same names.
	labels, annotations, data mapMaker
	// removeKeys are plain, and removeKeyExprs make more keys.
	removeKeys           []string
	removeKeyExprs       []*textMaker
	mutators, validators []functionMaker
	injectors            []injectorMaker
}

// textMaker makes a text: a plain one if it has no expression. A nil one is absent.
type textMaker struct {
	// plain is the text if expr is nil. path is the path of the field that it comes from.
	plain string
	expr  *expression
	path  string
	// isFaulty reports whether the expression does not compile, which was reported.
	isFaulty bool
}

// mapMaker makes a map.
type mapMaker struct {
	syntax
	// plain are the plain entries, and entries make the others.
	plain   variant.Texts
	entries []entryMaker
}

// entryMaker makes an entry of a map.
type entryMaker struct{ key, value *textMaker }

// functionMaker makes a function of a pipeline.
type functionMaker struct {
	// template is the function without the results of expressions.
	template  *variant.PipelineFunction
	configMap mapMaker
}

// injectorMaker makes an injector.
type injectorMaker struct {
	// template is the injector without its name, if that is an expression.
	template *variant.Injector
	name     *textMaker
}

// compile makes the maker of a target's template, and reports which expressions do not
// compile.
func (c *compiler) compile(t *Template, path string) *maker {
	m := &maker{}
	if t == nil {
		return m
	}
	if d := t.Downstream; d != nil {
		path := path + ".downstream"
		m.repo = c.text(d.Repo, path+".repo", d.RepoExpr, path+".repoExpr", beforeRepository)
		m.pkg = c.text(d.Package, path+".package", d.PackageExpr, path+".packageExpr", everything)
	}
	if t.AdoptionPolicy != nil {
		m.adoption = *t.AdoptionPolicy
	}
	if t.DeletionPolicy != nil {
		m.deletion = *t.DeletionPolicy
	}
	m.labels = c.mapping(t.Labels, t.LabelExprs, path+".labelExprs", labelSyntax)
	m.annotations = c.mapping(t.Annotations, t.AnnotationExprs, path+".annotationExprs", annotationSyntax)
	if p := t.PackageContext; p != nil {
		path := path + ".packageContext"
		m.data = c.mapping(p.Data, p.DataExprs, path+".dataExprs", contextSyntax)
		m.removeKeys = p.RemoveKeys
		for i, source := range p.RemoveKeyExprs {
			at := fmt.Sprintf("%s.removeKeyExprs[%d]", path, i)
			m.removeKeyExprs = append(m.removeKeyExprs, c.text(nil, "", &source, at, everything))
		}
	}
	if p := t.Pipeline; p != nil {
		m.mutators = c.functions(p.Mutators, path+".pipeline.mutators")
		m.validators = c.functions(p.Validators, path+".pipeline.validators")
	}
	for _, i := range t.injectors(path) {
		m.injectors = append(m.injectors, injectorMaker{&i.Injector, c.text(&i.Name, i.path+".name", i.NameExpr, i.path+".nameExpr", everything)})
	}
	return m
}

// text makes a textMaker of a plain field and its expression, which wins.
func (c *compiler) text(plain *string, path string, source *string, exprPath string, with scope) *textMaker {
	switch {
	case source != nil:
		expr := c.expression(*source, exprPath, with)
		return &textMaker{expr: expr, path: exprPath, isFaulty: expr == nil}
	case plain != nil:
		return &textMaker{plain: *plain, path: path}
	}
	return nil
}

// mapping compiles the entries of a map. keep is the syntax that keys and values must have.
func (c *compiler) mapping(plain variant.Texts, exprs []MapExpr, path string, keep syntax) mapMaker {
	m := mapMaker{syntax: keep, plain: plain}
	for i, e := range exprs {
		at := fmt.Sprintf("%s[%d]", path, i)
		m.entries = append(m.entries, entryMaker{
			c.text(e.Key, at+".key", e.KeyExpr, at+".keyExpr", everything),
			c.text(e.Value, at+".value", e.ValueExpr, at+".valueExpr", everything),
		})
	}
	return m
}

// functions compiles the functions of a pipeline.
func (c *compiler) functions(all []FunctionTemplate, path string) []functionMaker {
	var makers []functionMaker
	for i := range all {
		at := fmt.Sprintf("%s[%d].configMapExprs", path, i)
		makers = append(makers, functionMaker{&all[i].PipelineFunction, c.mapping(all[i].ConfigMap, all[i].ConfigMapExprs, at, configMapSyntax)})
	}
	return makers
}
