package set

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/celenv"
	"github.com/krm-packs/functions/pkg/values"
)

// rendering is the making of one variant.
type rendering struct {
	*candidate
	faults *faults
	// variables are what expressions see, and upstream and repository the objects
	// among them.
	variables            map[string]any
	upstream, repository *Object
	// unknown are the variables that could not be looked up although there is
	// something to look them up in, which is told: what expressions make of them
	// is not.
	unknown []string
	costs   *costs
}

// maxCost is what one expression may cost for all variants of a set: an
// evaluation that stays just below its own limit would take minutes for
// thousands of variants.
const maxCost = 20 * celenv.CostLimit

var errAllTooExpensive = fmt.Errorf("the expression costs more for the variants up to this one than its limit for all allows (%d)", maxCost)

// costs are what the expressions of a set have cost.
type costs struct {
	spent map[*expression]uint64
	// refused are those that are not tried any more, which was told.
	refused map[*expression]bool
}

func newCosts() *costs {
	return &costs{map[*expression]uint64{}, map[*expression]bool{}}
}

// evaluate evaluates an expression, unless it has cost too much before.
func (c *costs) evaluate(e *expression, variables map[string]any) (string, error) {
	text, cost, err := e.evaluate(variables)
	if c.spent[e] += cost; c.spent[e] > maxCost && !errors.Is(err, celenv.ErrTooExpensive) {
		err = errAllTooExpensive
	}
	if errors.Is(err, celenv.ErrTooExpensive) || errors.Is(err, errAllTooExpensive) {
		c.refused[e] = true
	}
	return text, err
}

// text makes a text. It is not ok when the expression has no such result, which
// is told.
func (r *rendering) text(m *textMaker) (string, bool) {
	if m == nil {
		return "", true
	}
	if m.expr == nil {
		return m.plain, true
	}
	if r.costs.refused[m.expr] {
		return "", false // told for an earlier variant
	}
	text, err := r.costs.evaluate(m.expr, r.variables)
	if err == nil {
		return text, true
	}
	for _, name := range r.unknown {
		if strings.Contains(m.expr.source, name) {
			return "", false
		}
	}
	r.faults.add(RuleExpression, m.path, "%s: %s", r.candidate, r.explain(m, err))
	return "", false
}

// required is text for what must not be empty.
func (r *rendering) required(m *textMaker, what string) (string, bool) {
	text, ok := r.text(m)
	if ok && text == "" {
		r.faults.invalid(m.path, "%s: %s is empty", r.candidate, what)
		return "", false
	}
	return text, ok
}

// downstream makes a part of the downstream, its default when the template says
// nothing of it.
func (r *rendering) downstream(m *textMaker, byDefault, what string) (string, bool) {
	if m == nil {
		return byDefault, true
	}
	return r.required(m, what)
}

// mapping makes a map: expressions win over plain entries, and later ones over
// earlier ones. What expressions come to has to keep to the syntax of the map;
// plain entries were validated.
func (r *rendering) mapping(m *mapMaker) []Entry {
	entries := slices.Clone(m.plain)
	for _, e := range m.entries {
		name, ok := r.required(e.key, "the key")
		value, valueOK := r.text(e.value)
		if ok && len(name) > values.MaxKey {
			r.faults.invalid(e.key.path, "%s: the key has %d bytes; it can have %d", r.candidate, len(name), values.MaxKey)
			ok = false
		}
		if ok && e.key.expr != nil {
			m.check(r.faults, m.key, e.key.path, r.String()+": ", name)
		}
		if valueOK && e.value.expr != nil {
			m.check(r.faults, m.value, e.value.path, r.String()+": ", value)
		}
		if !ok || !valueOK {
			continue
		}
		at, found := slices.BinarySearchFunc(entries, name, func(e Entry, key string) int { return strings.Compare(e.Key, key) })
		if found {
			entries[at].Value = value
		} else {
			entries = slices.Insert(entries, at, Entry{name, value})
		}
	}
	return entries
}

// context makes the package context.
func (r *rendering) context(m *maker, v *Variant) {
	v.Data = r.mapping(&m.data)
	v.RemoveKeys = slices.Clone(m.removeKeys)
	for _, e := range m.removeKeyExprs {
		if key, ok := r.required(e, "the key"); ok {
			r.check(e.path, faultOfContextKey(key))
			v.RemoveKeys = append(v.RemoveKeys, key)
		}
	}
	slices.Sort(v.RemoveKeys)
	v.RemoveKeys = slices.Compact(v.RemoveKeys)
}

// check tells what is wrong with what an expression comes to, if anything is.
func (r *rendering) check(path, message string) bool {
	if message != "" {
		r.faults.invalid(path, "%s: %s", r.candidate, message)
	}
	return message == ""
}

func (r *rendering) functions(makers []functionMaker) []PipelineFunction {
	var all []PipelineFunction
	for i := range makers {
		all = append(all, PipelineFunction{r.mapping(&makers[i].configMap), makers[i].template})
	}
	return all
}

func (r *rendering) injectors(makers []injectorMaker) []Injector {
	var all []Injector
	for _, m := range makers {
		name, _ := r.required(m.name, "the name of the injector")
		all = append(all, Injector{name, m.template})
	}
	return all
}

// render makes the variant of a candidate, in the order of the document: the
// downstream repository first, which is looked up then, and after it the rest.
func (e *Expander) render(c *candidate, l *lookups, costs *costs, f *faults) Variant {
	m := e.makers[c.target]
	r := &rendering{candidate: c, faults: f, upstream: l.upstream, costs: costs}
	r.variables = map[string]any{"repoDefault": c.repo, "packageDefault": c.pkg, "upstream": l.upstream.asValue()}
	if l.noUpstream {
		r.unknown = append(r.unknown, "upstream")
	}
	if c.object != nil {
		r.variables["target"] = c.object.asValue()
	} else {
		r.variables["target"] = celenv.Value(map[string]string{"repo": c.repo, "package": c.pkg})
	}
	v := Variant{Namespace: e.set.Namespace, Upstream: e.set.Upstream, from: c}
	var ok bool
	v.Repo, ok = r.downstream(m.repo, c.repo, "the downstream repository")
	where := c.path
	if m.repo != nil {
		where = m.repo.path
	} else if c.object == nil {
		where = repositoryPath(c.path)
	}
	if ok = ok && r.check(where, faultOfRepository(v.Repo)); ok {
		var found bool
		if r.repository, found = l.repository(where, v.Repo, f); !found {
			r.unknown = append(r.unknown, "repository")
		}
	} else {
		v.Repo, r.repository = "", &Object{}
		r.unknown = append(r.unknown, "repository")
	}
	r.variables["repository"] = r.repository.asValue()
	if v.Package, ok = r.downstream(m.pkg, c.pkg, "the downstream package"); ok && m.pkg != nil && !r.check(m.pkg.path, faultOfPackage(v.Package)) {
		v.Package = ""
	}
	v.AdoptionPolicy, v.DeletionPolicy = m.adoption, m.deletion
	v.Labels = r.mapping(&m.labels)
	v.Annotations = r.mapping(&m.annotations)
	r.context(m, &v)
	v.Mutators, v.Validators = r.functions(m.mutators), r.functions(m.validators)
	v.Injectors = r.injectors(m.injectors)
	return v
}

// repositoryPath is where the name stands of a repository that is listed.
func repositoryPath(candidate string) string {
	entry, _, _ := strings.Cut(candidate, ".packageNames")
	return fmt.Sprintf("%s.name", entry)
}
