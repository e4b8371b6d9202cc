package set

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
)

// validate returns all that is wrong with a set but its expressions, each finding with
// its exact path.
func (s *Set) validate() findings {
	var f findings
	required(&f, "metadata.name", s.Name, nil)
	u := &s.Upstream
	required(&f, "spec.upstream.repo", u.Repo, faultOfRepository)
	required(&f, "spec.upstream.package", u.Package, faultOfPackage)
	if text := u.TextRevision(); text != nil {
		f.add(rule.VariantSetNotInPorch, "spec.upstream.revision", *text)
	} else if u.HasRevision() && u.WorkspaceName == "" {
		f.add(rule.VariantSetNotInPorch, "spec.upstream.revision", diag.Say("Porch does not use the revision: it takes the branch of the upstream repository").
			Do("set workspaceName, which Porch uses"))
	}
	if !u.HasRevision() && u.WorkspaceName == "" {
		f.invalid("spec.upstream", diag.NoneOf("revision", "workspaceName"))
	}
	if len(s.Targets) == 0 {
		f.invalid("spec.targets", diag.Missing("").Do("add a target with "+diag.OneOf(criteria)))
	}
	for i := range s.Targets {
		s.Targets[i].validate(&f, targetPath(i))
	}
	return f
}

func targetPath(i int) string { return fmt.Sprintf("spec.targets[%d]", i) }

// required validates a text that must be given, with fault unless that is nil.
func required(f *findings, path, text string, fault func(string) *diag.Finding) {
	switch {
	case text == "":
		f.invalid(path, diag.Missing(""))
	case fault != nil:
		f.check(path, fault(text))
	}
}

// criteria are fields; a target has exactly one of them.
var criteria = []string{"repositories", "repositorySelector", "objectSelector"}

// validate reports a target that has no criterion or several, and the faults of the one that it has.
func (t *Target) validate(f *findings, path string) {
	var given []string
	for i, is := range []bool{t.Repositories != nil, t.RepositorySelector != nil, t.ObjectSelector != nil} {
		if is {
			given = append(given, criteria[i])
		}
	}
	switch len(given) {
	case 0:
		f.invalid(path, diag.NoneOf(criteria...))
	case 1:
	default:
		f.invalid(path, diag.TooMany(given...).Do("make a target of each"))
	}
	if t.Repositories != nil && len(t.Repositories) == 0 {
		f.invalid(path+".repositories", emptyList("a repository"))
	}
	for i, r := range t.Repositories {
		at := fmt.Sprintf("%s.repositories[%d]", path, i)
		required(f, at+".name", r.Name, faultOfRepository)
		packageNames(f, at+".packageNames", r.PackageNames)
	}
	if t.Repositories != nil && t.PackageNames != nil {
		f.invalid(path+".packageNames", diag.Say("not accepted together with repositories").Do("put it into each entry of repositories"))
	} else {
		packageNames(f, path+".packageNames", t.PackageNames)
		if len(t.PackageNames) > 0 {
			f.add(rule.VariantSetNotInPorch, path+".packageNames", diag.Say("Porch ignores packageNames together with a selector: it creates one package with the name of the upstream for each object").
				Do("set template.downstream.packageExpr, or list the repositories"))
		}
	}
	if t.RepositorySelector != nil {
		t.RepositorySelector.validate(f, path+".repositorySelector")
	}
	if o := t.ObjectSelector; o != nil {
		required(f, path+".objectSelector.apiVersion", o.APIVersion, nil)
		required(f, path+".objectSelector.kind", o.Kind, nil)
		if o.Name != "" {
			f.add(rule.VariantSetNotInPorch, path+".objectSelector.name", diag.Say("Porch ignores the name: it selects all objects of kind %s with the labels", o.Kind).
				Do("select the object by a label that no other one has"))
		}
		o.validate(f, path+".objectSelector")
	}
	if t.Template != nil {
		t.Template.validate(f, path+".template")
	}
}

func emptyList(entry string) diag.Finding {
	return diag.Got("an empty list", entry).Saying("the list is empty").Do("add " + entry + ", or remove the list")
}

// packageNames validates a list of package names, or nil if it is not given.
func packageNames(f *findings, path string, all []string) {
	if all != nil && len(all) == 0 {
		f.invalid(path, emptyList("a package"))
	}
	for i, name := range all {
		required(f, fmt.Sprintf("%s[%d]", path, i), name, faultOfPackage)
	}
}

// operators are the operators of label selectors.
var operators = []string{string(metav1.LabelSelectorOpIn), string(metav1.LabelSelectorOpNotIn), string(metav1.LabelSelectorOpExists), string(metav1.LabelSelectorOpDoesNotExist)}

// validate reports keys, operators and values that a selector of Kubernetes cannot have.
func (s *LabelSelector) validate(f *findings, path string) {
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		at := path + ".matchLabels." + key
		f.check(at, faultOfLabel(key))
		f.check(at, faultOfLabelValue(s.MatchLabels[key]))
	}
	for i, e := range s.MatchExpressions {
		at := fmt.Sprintf("%s.matchExpressions[%d]", path, i)
		required(f, at+".key", e.Key, faultOfLabel)
		switch {
		case e.Operator == "":
			f.invalid(at+".operator", diag.Missing("").Want(diag.OneOf(operators)))
		case !slices.Contains(operators, string(e.Operator)):
			f.invalid(at+".operator", diag.GotName(string(e.Operator), operators))
		}
		for n, value := range e.Values {
			f.check(fmt.Sprintf("%s.values[%d]", at, n), faultOfLabelValue(value))
		}
		options := metavalidation.LabelSelectorValidationOptions{AllowInvalidLabelValueInSelector: true, AllowUnknownOperatorInRequirement: true}
		for _, err := range metavalidation.ValidateLabelSelectorRequirement(e, options, field.NewPath(at)) {
			switch err.Type {
			case field.ErrorTypeRequired:
				f.invalid(err.Field, diag.Missing(""))
			case field.ErrorTypeForbidden:
				f.invalid(err.Field, diag.Say("not accepted by the operator %s", e.Operator).Do("remove it"))
			}
		}
	}
}

// selector returns the selector of Kubernetes' own libraries. It selects nothing if the
// LabelSelector is not valid.
func (s *LabelSelector) selector() labels.Selector {
	selector, err := metav1.LabelSelectorAsSelector(&metav1.LabelSelector{MatchLabels: s.MatchLabels, MatchExpressions: s.MatchExpressions})
	if err != nil {
		return labels.Nothing()
	}
	return selector
}

// validate reports the faults of a template, without the faults of its expressions.
func (t *Template) validate(f *findings, path string) {
	if d := t.Downstream; d != nil {
		atMostOne(f, path+".downstream", "repo", d.Repo, "repoExpr", d.RepoExpr)
		atMostOne(f, path+".downstream", "package", d.Package, "packageExpr", d.PackageExpr)
		filled(f, path+".downstream.repo", d.Repo, faultOfRepository)
		filled(f, path+".downstream.package", d.Package, faultOfPackage)
	}
	oneOf(f, path+".adoptionPolicy", t.AdoptionPolicy, variant.AdoptionPolicies)
	oneOf(f, path+".deletionPolicy", t.DeletionPolicy, variant.DeletionPolicies)
	mapping(f, path+".labels", t.Labels, labelSyntax)
	mapExprs(f, path+".labelExprs", t.LabelExprs, labelSyntax)
	mapping(f, path+".annotations", t.Annotations, annotationSyntax)
	mapExprs(f, path+".annotationExprs", t.AnnotationExprs, annotationSyntax)
	if c := t.PackageContext; c != nil {
		c.validate(f, path+".packageContext")
	}
	if len(t.InjectorExprs) > 0 {
		f.add(rule.VariantSetAlias, path+".injectorExprs", diag.Say("the API calls this field injectors").Do("rename it"))
	}
	for _, injector := range t.injectors(path) {
		injector.validate(f)
	}
	if p := t.Pipeline; p != nil {
		functions(f, path+".pipeline.validators", p.Validators)
		functions(f, path+".pipeline.mutators", p.Mutators)
	}
}

// placedInjector is an injector of a template, and its path.
type placedInjector struct {
	*InjectorTemplate
	// path is the path of the injector in the set.
	path string
}

// injectors returns the injectors of a template at a path, under both names.
func (t *Template) injectors(path string) []placedInjector {
	var all []placedInjector
	for i := range t.Injectors {
		all = append(all, placedInjector{&t.Injectors[i], fmt.Sprintf("%s.injectors[%d]", path, i)})
	}
	for i := range t.InjectorExprs {
		all = append(all, placedInjector{&t.InjectorExprs[i], fmt.Sprintf("%s.injectorExprs[%d]", path, i)})
	}
	return all
}

// TargetInjector is an injector of a target, whose name may be an expression.
type TargetInjector struct {
	variant.Injector
	// Path is its path in the template: `injectors[0]`.
	Path string
}

// Injectors returns the injectors of the target, under both names of their field.
func (t *Target) Injectors() []TargetInjector {
	if t.Template == nil {
		return nil
	}
	var all []TargetInjector
	for _, i := range t.Template.injectors("") {
		all = append(all, TargetInjector{i.Injector, strings.TrimPrefix(i.path, ".")})
	}
	return all
}

// validate reports an injector that has no name, or both a name and an expression.
func (i placedInjector) validate(f *findings) {
	plain := i.Injector
	switch {
	case i.NameExpr != nil && plain.Name != "":
		f.invalid(i.path, both("name", "nameExpr"))
	case i.NameExpr == nil && plain.Name == "":
		f.invalid(i.path, neither("name", "nameExpr"))
	}
	plain.Name = "an evaluated name"
	for _, fault := range plain.Validate(i.path) {
		f.invalid(fault.Key, fault)
	}
}

// validate reports keys that a ConfigMap cannot have.
func (c *PackageContextTemplate) validate(f *findings, path string) {
	mapping(f, path+".data", c.Data, contextSyntax)
	for i, key := range c.RemoveKeys {
		required(f, fmt.Sprintf("%s.removeKeys[%d]", path, i), key, faultOfRemovedKey)
	}
	mapExprs(f, path+".dataExprs", c.DataExprs, contextSyntax)
}

// functions validates the functions of a pipeline. The results of expressions count as an entry of
// configMap.
func functions(f *findings, path string, all []FunctionTemplate) {
	for i := range all {
		plain := all[i].PipelineFunction
		at := fmt.Sprintf("%s[%d]", path, i)
		if len(plain.ConfigMap) == 0 && len(all[i].ConfigMapExprs) > 0 {
			plain.ConfigMap = variant.Texts{"": "evaluated entries"}
		}
		for _, fault := range plain.Validate(at) {
			f.invalid(fault.Key, fault)
		}
		mapExprs(f, at+".configMapExprs", all[i].ConfigMapExprs, configMapSyntax)
	}
}

// mapping validates the entries of a map.
func mapping(f *findings, path string, all map[string]string, keep syntax) {
	for _, key := range slices.Sorted(maps.Keys(all)) {
		keep.check(f, keep.key, path+"."+key, nil, key)
		keep.check(f, keep.value, path+"."+key, nil, all[key])
	}
}

// mapExprs validates expressions for entries of a map.
func mapExprs(f *findings, path string, all []MapExpr, keep syntax) {
	for i, e := range all {
		at := fmt.Sprintf("%s[%d]", path, i)
		exactlyOne(f, at, "key", e.Key, "keyExpr", e.KeyExpr)
		exactlyOne(f, at, "value", e.Value, "valueExpr", e.ValueExpr)
		filled(f, at+".key", e.Key, nil)
		if e.Key != nil && *e.Key != "" {
			keep.check(f, keep.key, at+".key", nil, *e.Key)
		}
		if e.Value != nil {
			keep.check(f, keep.value, at+".value", nil, *e.Value)
		}
	}
}

func both(plain, expr string) diag.Finding {
	return diag.TooMany(plain, expr)
}

func neither(plain, expr string) diag.Finding {
	return diag.NoneOf(plain, expr)
}

// atMostOne reports a field that is given both as a text and as an expression.
func atMostOne(f *findings, path, plain string, a *string, expr string, b *string) {
	if a != nil && b != nil {
		f.invalid(path, both(plain, expr))
	}
}

// exactlyOne reports a field that is given twice or not at all.
func exactlyOne(f *findings, path, plain string, a *string, expr string, b *string) {
	atMostOne(f, path, plain, a, expr, b)
	if a == nil && b == nil {
		f.invalid(path, neither(plain, expr))
	}
}

// filled validates a text that may be absent but not empty, with fault unless that is nil.
func filled(f *findings, path string, text *string, fault func(string) *diag.Finding) {
	switch {
	case text == nil:
	case *text == "":
		f.invalid(path, diag.Missing("empty"))
	case fault != nil:
		f.check(path, fault(*text))
	}
}

// oneOf reports a text that is not among the allowed ones. A nil text is absent.
func oneOf(f *findings, path string, text *string, allowed []string) {
	if text != nil && !slices.Contains(allowed, *text) {
		f.invalid(path, diag.GotName(*text, allowed))
	}
}

// findings collects what there is to say about a set.
type findings []diag.Finding

// add adds a finding about a path in the set.
func (f *findings) add(rule diag.Rule, path string, finding diag.Finding) {
	*f = append(*f, finding.Of(rule).At(path, diag.Position{}))
}

func (f *findings) invalid(path string, finding diag.Finding) {
	f.add(rule.VariantSetInvalid, path, finding)
}

// check adds a finding unless it is nil.
func (f *findings) check(path string, finding *diag.Finding) {
	if finding != nil {
		f.invalid(path, *finding)
	}
}
