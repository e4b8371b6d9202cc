package set

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/celenv"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// rendering is the making of one variant.
type rendering struct {
	*candidate
	// findings gets the faults of the variant.
	findings *findings
	// variables are what expressions see, and upstream and repository the objects
	// among them.
	variables            map[string]any
	upstream, repository *Object
	// unknown are the variables that could not be looked up, although there is
	// something to look them up in. That is reported, and what expressions make of
	// them is not.
	unknown []string
	// costs counts what the expressions cost.
	costs *costs
}

// text makes a text. It is not ok if the expression does not yield one, which is reported.
func (r *rendering) text(m *textMaker) (string, bool) {
	if m == nil {
		return "", true
	}
	if m.expr == nil {
		return m.plain, !m.isFaulty
	}
	if r.costs.isRefused(m) {
		return "", false // reported for an earlier variant
	}
	text, err := r.costs.evaluate(m, r.variables)
	if f := r.costs.overrun(m); f != nil {
		r.findings.add(rule.VariantSetExpression, f.Key, *f)
		return "", false
	}
	if err == nil {
		return text, true
	}
	for _, name := range r.unknown {
		if strings.Contains(m.expr.source, name) {
			return "", false
		}
	}
	r.findings.add(rule.VariantSetExpression, m.path, r.has(r.explain(m, err)))
	return "", false
}

// required is text for what must not be empty. A plain text that is empty was reported.
func (r *rendering) required(m *textMaker) (string, bool) {
	if m == nil {
		return "", false
	}
	text, ok := r.text(m)
	if ok && text == "" {
		if m.expr != nil {
			r.findings.invalid(m.path, r.has(diag.Missing("empty").Do("change the expression to return a string that is not empty")))
		}
		return "", false
	}
	return text, ok
}

// downstream makes a part of the downstream, its default if the template has none.
func (r *rendering) downstream(m *textMaker, byDefault string) (string, bool) {
	if m == nil {
		return byDefault, byDefault != ""
	}
	return r.required(m)
}

// mapping makes a map: expressions win over plain entries, and later ones over earlier
// ones. What expressions yield has to keep to the syntax of the map; plain entries were
// validated.
func (r *rendering) mapping(m *mapMaker) variant.Texts {
	entries := maps.Clone(m.plain)
	for _, e := range m.entries {
		name, ok := r.required(e.key)
		value, valueOK := r.text(e.value)
		if ok && len(name) > values.MaxKey {
			r.findings.invalid(e.key.path, r.has(diag.Got(fmt.Sprintf("a key of %d bytes", len(name)), fmt.Sprintf("at most %d", values.MaxKey)).
				Saying("a key can have at most %d bytes, got %d", values.MaxKey, len(name))))
			ok = false
		}
		if ok && e.key.expr != nil {
			m.check(r.findings, m.key, e.key.path, r.candidate, name)
		}
		if valueOK && e.value != nil && e.value.expr != nil {
			m.check(r.findings, m.value, e.value.path, r.candidate, value)
		}
		if !ok || !valueOK {
			continue
		}
		if entries == nil {
			entries = variant.Texts{}
		}
		entries[name] = value
	}
	return entries
}

// context makes the package context.
func (r *rendering) context(m *maker) variant.PackageContext {
	c := variant.PackageContext{Data: r.mapping(&m.data), RemoveKeys: slices.Clone(m.removeKeys)}
	for _, e := range m.removeKeyExprs {
		if key, ok := r.required(e); ok {
			r.check(e.path, faultOfRemovedKey(key))
			c.RemoveKeys = append(c.RemoveKeys, key)
		}
	}
	c.RemoveKeys = sorted(c.RemoveKeys)
	return c
}

// check reports the faults of the result of an expression, and returns whether it is valid.
func (r *rendering) check(path string, fault *diag.Finding) bool {
	if fault != nil {
		r.findings.invalid(path, r.has(*fault))
	}
	return fault == nil
}

// functions makes the functions of a pipeline: the template's, with the entries that expressions
// yield.
func (r *rendering) functions(makers []functionMaker) []variant.PipelineFunction {
	var all []variant.PipelineFunction
	for i := range makers {
		f := *makers[i].template
		f.ConfigMap = r.mapping(&makers[i].configMap)
		all = append(all, f)
	}
	return all
}

// injectors makes the injectors of the variant, each with its name.
func (r *rendering) injectors(makers []injectorMaker) []variant.Injector {
	var all []variant.Injector
	for _, m := range makers {
		injector := *m.template
		injector.Name, _ = r.required(m.name)
		all = append(all, injector)
	}
	return all
}

// render makes the variant of a candidate, in the order of the document: first the
// downstream repository, which is then looked up, and after it the rest.
func (e *Expander) render(c *candidate, l *lookups, costs *costs, f *findings) Variant {
	m := e.makers[c.target]
	r := &rendering{candidate: c, findings: f, upstream: l.upstream, costs: costs}
	r.variables = map[string]any{"repoDefault": c.repo, "packageDefault": c.pkg, "upstream": l.upstream.asValue()}
	if l.noUpstream {
		r.unknown = append(r.unknown, "upstream")
	}
	if c.object != nil {
		r.variables["target"] = c.object.asValue()
	} else {
		r.variables["target"] = celenv.Value(map[string]string{"repo": c.repo, "package": c.pkg})
	}
	v := Variant{Namespace: e.set.Namespace, from: c}
	v.Spec.Upstream = e.set.Upstream
	down := &v.Spec.Downstream
	var ok bool
	if down.Repo, ok = r.downstream(m.repo, c.repo); ok {
		where, isEvaluated := c.path, c.object != nil
		if m.repo != nil {
			where, isEvaluated = m.repo.path, m.repo.expr != nil
		} else if c.object == nil {
			where = repositoryPath(c.path)
		}
		fault := faultOfRepository(down.Repo)
		if ok = fault == nil; !ok && isEvaluated { // others were validated
			r.check(where, fault)
		}
		if ok {
			r.repository, ok = l.repository(where, down.Repo, f)
		} else {
			down.Repo = ""
		}
	}
	if !ok {
		r.unknown = append(r.unknown, "repository")
	}
	if r.repository == nil {
		r.repository = &Object{}
	}
	r.variables["repository"] = r.repository.asValue()
	if down.Package, ok = r.downstream(m.pkg, c.pkg); ok && m.pkg != nil && m.pkg.expr != nil && !r.check(m.pkg.path, faultOfPackage(down.Package)) {
		down.Package = ""
	}
	v.Spec.AdoptionPolicy, v.Spec.DeletionPolicy = m.adoption, m.deletion
	v.Spec.Labels = r.mapping(&m.labels)
	v.Spec.Annotations = r.mapping(&m.annotations)
	v.Spec.PackageContext = r.context(m)
	v.Spec.Pipeline = variant.Pipeline{Mutators: r.functions(m.mutators), Validators: r.functions(m.validators)}
	v.Spec.Injectors = r.injectors(m.injectors)
	return v
}

// repositoryPath is the path of the name of a repository that is listed.
func repositoryPath(candidate string) string {
	entry, _, _ := strings.Cut(candidate, ".packageNames")
	return entry + ".name"
}
