package set

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/variant"
)

// Policies that a PackageVariant may have.
var (
	adoptionPolicies = []string{variant.AdoptNone, variant.AdoptExisting}
	deletionPolicies = []string{variant.DeleteDelete, variant.DeleteOrphan}
)

// validate returns all that is wrong with a set but its expressions, each fault
// with its exact path.
func (s *Set) validate() faults {
	var f faults
	s.Upstream.validate(&f)
	if len(s.Targets) == 0 {
		f.invalid("spec.targets", "is required: give at least one target with repositories, repositorySelector or objectSelector")
	}
	for i := range s.Targets {
		s.Targets[i].validate(&f, targetPath(i))
	}
	return f
}

// read returns faults behind those of reading, without those that there may be
// only because a field could not be read: of what holds it, and of what it holds.
func (s *Set) read(f faults) faults {
	f = slices.DeleteFunc(f, func(fault Fault) bool {
		return slices.ContainsFunc(s.unread, func(u Fault) bool {
			return u.fails() && (u.Path == fault.Path || within(fault.Path, u.Path) || isField(u.Path, fault.Path))
		})
	})
	return slices.Concat(s.unread, f)
}

// within reports whether a path leads on from another one.
func within(path, outer string) bool {
	rest, ok := strings.CutPrefix(path, outer)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '[')
}

// isField reports whether a path is a field of what another one leads to.
func isField(path, outer string) bool {
	name, ok := strings.CutPrefix(path, outer+".")
	return ok && !strings.ContainsAny(name, ".[")
}

func targetPath(i int) string { return fmt.Sprintf("spec.targets[%d]", i) }

func (u *Upstream) validate(f *faults) {
	if u == nil {
		f.invalid("spec.upstream", "is required: give repo, package, and revision or workspaceName")
		return
	}
	required(f, "spec.upstream.repo", u.Repo, faultOfRepository)
	required(f, "spec.upstream.package", u.Package, faultOfPackage)
	if u.Revision == "" && u.WorkspaceName == "" {
		f.invalid("spec.upstream", "needs a revision or a workspaceName")
	}
}

// required validates a text that has to be given, and what it says when fault is
// not nil.
func required(f *faults, path, text string, fault func(string) string) {
	switch {
	case text == "":
		f.invalid(path, "is required")
	case fault != nil:
		f.told(path, fault(text))
	}
}

func (t *Target) validate(f *faults, path string) {
	var given []string
	for _, option := range []struct {
		name string
		is   bool
	}{
		{"repositories", t.Repositories != nil},
		{"repositorySelector", t.RepositorySelector != nil},
		{"objectSelector", t.ObjectSelector != nil},
	} {
		if option.is {
			given = append(given, option.name)
		}
	}
	switch len(given) {
	case 0:
		f.invalid(path, "needs exactly one of repositories, repositorySelector and objectSelector, and has none")
	case 1:
	default:
		f.invalid(path, "needs exactly one of repositories, repositorySelector and objectSelector, and has %s", strings.Join(given, " and "))
	}
	if t.Repositories != nil && len(t.Repositories) == 0 {
		f.invalid(path+".repositories", "is empty: name a repository, or remove the list")
	}
	for i, r := range t.Repositories {
		at := fmt.Sprintf("%s.repositories[%d]", path, i)
		required(f, at+".name", r.Name, faultOfRepository)
		names(f, at+".packageNames", r.PackageNames)
	}
	if t.Repositories != nil && t.PackageNames != nil {
		f.invalid(path+".packageNames", "is for selectors; beside repositories each of these has packageNames of its own")
	} else {
		names(f, path+".packageNames", t.PackageNames)
	}
	if t.RepositorySelector != nil {
		t.RepositorySelector.compile(f, path+".repositorySelector")
	}
	if o := t.ObjectSelector; o != nil {
		required(f, path+".objectSelector.apiVersion", o.APIVersion, nil)
		required(f, path+".objectSelector.kind", o.Kind, nil)
		o.compile(f, path+".objectSelector")
	}
	if t.Template != nil {
		t.Template.validate(f, path+".template")
	}
}

// names validates a list of package names, nil when it is not given.
func names(f *faults, path string, all []string) {
	if all != nil && len(all) == 0 {
		f.invalid(path, "is empty: name a package, or remove the list")
	}
	for i, name := range all {
		at := fmt.Sprintf("%s[%d]", path, i)
		if name == "" {
			f.invalid(at, "is empty: name a package")
			continue
		}
		f.told(at, faultOfPackage(name))
	}
}

func (t *Template) validate(f *faults, path string) {
	if d := t.Downstream; d != nil {
		atMostOne(f, path+".downstream", "repo", d.Repo, "repoExpr", d.RepoExpr)
		atMostOne(f, path+".downstream", "package", d.Package, "packageExpr", d.PackageExpr)
		filled(f, path+".downstream.repo", d.Repo, faultOfRepository)
		filled(f, path+".downstream.package", d.Package, faultOfPackage)
	}
	oneOf(f, path+".adoptionPolicy", t.AdoptionPolicy, adoptionPolicies)
	oneOf(f, path+".deletionPolicy", t.DeletionPolicy, deletionPolicies)
	mapping(f, path+".labels", t.Labels, labelSyntax)
	mapExprs(f, path+".labelExprs", t.LabelExprs, labelSyntax)
	mapping(f, path+".annotations", t.Annotations, annotationSyntax)
	mapExprs(f, path+".annotationExprs", t.AnnotationExprs, annotationSyntax)
	if c := t.PackageContext; c != nil {
		c.validate(f, path+".packageContext")
	}
	for i := range t.Injectors {
		injector := &t.Injectors[i]
		at := path + "." + injector.place(i)
		exactlyOne(f, at, "name", injector.Name, "nameExpr", injector.NameExpr)
		notEmpty(f, at+".name", injector.Name)
		notEmpty(f, at+".version", injector.Version)
		notEmpty(f, at+".kind", injector.Kind)
		notEmpty(f, at+".point", injector.Point)
		if injector.Group != nil && strings.Contains(*injector.Group, "/") {
			f.invalid(at+".group", "got %q, want a group without a version, which has a field of its own", *injector.Group)
		}
	}
	if p := t.Pipeline; p != nil {
		functions(f, path+".pipeline.validators", p.Validators)
		functions(f, path+".pipeline.mutators", p.Mutators)
	}
}

// place is where the i-th injector stands in its template.
func (t *InjectorTemplate) place(i int) string {
	if t.field != "" {
		return t.field
	}
	return fmt.Sprintf("injectors[%d]", i)
}

func (c *PackageContextTemplate) validate(f *faults, path string) {
	mapping(f, path+".data", c.Data, contextSyntax)
	for i, key := range c.RemoveKeys {
		at := fmt.Sprintf("%s.removeKeys[%d]", path, i)
		f.told(at, faultOfContextKey(key))
		if key == "" {
			f.invalid(at, "is empty: name a key")
		}
	}
	mapExprs(f, path+".dataExprs", c.DataExprs, contextSyntax)
}

func functions(f *faults, path string, all []FunctionTemplate) {
	for i := range all {
		t := &all[i]
		at := fmt.Sprintf("%s[%d]", path, i)
		exactlyOne(f, at, "image", t.Image, "exec", t.Exec)
		notEmpty(f, at+".image", t.Image)
		notEmpty(f, at+".exec", t.Exec)
		if t.Name != nil && strings.Contains(*t.Name, ".") {
			f.invalid(at+".name", "got %q, want a name without dots, by which functions of PackageVariants are told apart%s", *t.Name, propose(strings.ReplaceAll(*t.Name, ".", "-")))
		}
		if t.ConfigPath != nil && (t.ConfigMap != nil || t.ConfigMapExprs != nil) {
			f.invalid(at, "has a configPath and a configMap; a function takes one of them")
		}
		mapExprs(f, at+".configMapExprs", t.ConfigMapExprs, configMapSyntax)
	}
}

func propose(text string) string { return fmt.Sprintf(" (such as %q)", text) }

// mapping validates the entries of a map.
func mapping(f *faults, path string, all map[string]string, keep syntax) {
	for _, e := range sortedEntries(all) {
		keep.check(f, keep.key, path+"."+e.Key, "", e.Key)
		keep.check(f, keep.value, path+"."+e.Key, "", e.Value)
	}
}

// mapExprs validates expressions for entries of a map.
func mapExprs(f *faults, path string, all []MapExpr, keep syntax) {
	for i, e := range all {
		at := fmt.Sprintf("%s[%d]", path, i)
		exactlyOne(f, at, "key", e.Key, "keyExpr", e.KeyExpr)
		exactlyOne(f, at, "value", e.Value, "valueExpr", e.ValueExpr)
		notEmpty(f, at+".key", e.Key)
		if e.Key != nil && *e.Key != "" {
			keep.check(f, keep.key, at+".key", "", *e.Key)
		}
		if e.Value != nil {
			keep.check(f, keep.value, at+".value", "", *e.Value)
		}
	}
}

func atMostOne(f *faults, path, plain string, a *string, expr string, b *string) {
	if a != nil && b != nil {
		f.invalid(path, "has both %s and %s; give at most one", plain, expr)
	}
}

func exactlyOne(f *faults, path, plain string, a *string, expr string, b *string) {
	switch {
	case a == nil && b == nil:
		f.invalid(path, "needs %s or %s", plain, expr)
	case a != nil && b != nil:
		f.invalid(path, "has both %s and %s; give exactly one", plain, expr)
	}
}

func notEmpty(f *faults, path string, text *string) { filled(f, path, text, nil) }

// filled validates a text that may be absent and not empty, and what it says when
// fault is not nil.
func filled(f *faults, path string, text *string, fault func(string) string) {
	switch {
	case text == nil:
	case *text == "":
		f.invalid(path, "is empty: fill it or remove it")
	case fault != nil:
		f.told(path, fault(*text))
	}
}

func oneOf(f *faults, path string, text *string, allowed []string) {
	if text != nil && !slices.Contains(allowed, *text) {
		f.invalid(path, "got %q, want %s%s", *text, strings.Join(allowed, " or "), nearest.Hint(*text, allowed))
	}
}
