package set

import (
	"fmt"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/nearest"
)

// Policies that a PackageVariant may have.
var (
	adoptionPolicies = []string{"adoptNone", "adoptExisting"}
	deletionPolicies = []string{"delete", "orphan"}
)

// reservedKeys are the keys of the package context that kpt and Porch set.
var reservedKeys = []string{"name", "package-path"}

// validate returns all that is wrong with a set but its expressions, each fault
// with its exact path. What may be wrong only because a part could not be read
// is left out.
func (s *Set) validate() faults {
	if slices.ContainsFunc(s.unread, func(u Fault) bool { return u.Path == "spec" }) {
		return s.unread // there is nothing to validate
	}
	var f faults
	s.Upstream.validate(&f)
	if len(s.Targets) == 0 {
		f.invalid("spec.targets", "is required: give at least one target with repositories, repositorySelector or objectSelector")
	}
	for i := range s.Targets {
		s.Targets[i].validate(&f, targetPath(i))
	}
	f = slices.DeleteFunc(f, func(fault Fault) bool {
		return slices.ContainsFunc(s.unread, func(u Fault) bool {
			rest, ok := strings.CutPrefix(u.Path, fault.Path)
			return u.fails() && ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
		})
	})
	return slices.Concat(s.unread, f)
}

func targetPath(i int) string { return fmt.Sprintf("spec.targets[%d]", i) }

func (u *Upstream) validate(f *faults) {
	if u == nil {
		f.invalid("spec.upstream", "is required: give repo, package, and revision or workspaceName")
		return
	}
	required(f, "spec.upstream.repo", u.Repo)
	required(f, "spec.upstream.package", u.Package)
	if u.Revision == "" && u.WorkspaceName == "" {
		f.invalid("spec.upstream", "needs a revision or a workspaceName")
	}
}

func required(f *faults, path, text string) {
	if text == "" {
		f.invalid(path, "is required")
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
		required(f, at+".name", r.Name)
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
		required(f, path+".objectSelector.apiVersion", o.APIVersion)
		required(f, path+".objectSelector.kind", o.Kind)
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
		if name == "" {
			f.invalid(fmt.Sprintf("%s[%d]", path, i), "is empty: name a package")
		}
	}
}

func (t *Template) validate(f *faults, path string) {
	if d := t.Downstream; d != nil {
		atMostOne(f, path+".downstream", "repo", d.Repo, "repoExpr", d.RepoExpr)
		atMostOne(f, path+".downstream", "package", d.Package, "packageExpr", d.PackageExpr)
		notEmpty(f, path+".downstream.repo", d.Repo)
		notEmpty(f, path+".downstream.package", d.Package)
	}
	oneOf(f, path+".adoptionPolicy", t.AdoptionPolicy, adoptionPolicies)
	oneOf(f, path+".deletionPolicy", t.DeletionPolicy, deletionPolicies)
	mapExprs(f, path+".labelExprs", t.LabelExprs)
	mapExprs(f, path+".annotationExprs", t.AnnotationExprs)
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
	for _, key := range reservedKeys {
		if _, ok := c.Data[key]; ok {
			reserved(f, path+".data."+key, key)
		}
	}
	for i, key := range c.RemoveKeys {
		at := fmt.Sprintf("%s.removeKeys[%d]", path, i)
		if slices.Contains(reservedKeys, key) {
			reserved(f, at, key)
		}
		if key == "" {
			f.invalid(at, "is empty: name a key")
		}
	}
	mapExprs(f, path+".dataExprs", c.DataExprs)
	for i, e := range c.DataExprs {
		if e.Key != nil && slices.Contains(reservedKeys, *e.Key) {
			reserved(f, fmt.Sprintf("%s.dataExprs[%d].key", path, i), *e.Key)
		}
	}
}

func reserved(f *faults, path, key string) {
	f.invalid(path, "the key %q of the package context is reserved: kpt and Porch set it", key)
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
		mapExprs(f, at+".configMapExprs", t.ConfigMapExprs)
	}
}

func propose(text string) string { return fmt.Sprintf(" (such as %q)", text) }

func mapExprs(f *faults, path string, all []MapExpr) {
	for i, e := range all {
		at := fmt.Sprintf("%s[%d]", path, i)
		exactlyOne(f, at, "key", e.Key, "keyExpr", e.KeyExpr)
		exactlyOne(f, at, "value", e.Value, "valueExpr", e.ValueExpr)
		notEmpty(f, at+".key", e.Key)
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

func notEmpty(f *faults, path string, text *string) {
	if text != nil && *text == "" {
		f.invalid(path, "is empty: fill it or remove it")
	}
}

func oneOf(f *faults, path string, text *string, allowed []string) {
	if text != nil && !slices.Contains(allowed, *text) {
		f.invalid(path, "got %q, want %s%s", *text, strings.Join(allowed, " or "), nearest.Hint(*text, allowed))
	}
}
