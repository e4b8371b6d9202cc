package set

import (
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant/internal/foreign"
)

// Read reads a PackageVariantSet from its root. What can not be read in it is
// told by [New] with everything else; the rest is filled. Fields that are not
// known are told by a warning: newer versions of Porch may have more. Forms that
// only the document's examples have, `injectorExprs` and a single mapping for a
// list of expressions, are read and told as aliases.
func Read(root *yaml.Node) *Set {
	r := &foreign.Reader{Invalid: string(RuleInvalid), Alias: string(RuleAlias)}
	s := &Set{}
	metadata := values.Field(root, "metadata")
	s.Name = values.Text(values.Field(metadata, "name"))
	s.Namespace = values.Text(values.Field(metadata, "namespace"))
	s.UID = values.Text(values.Field(metadata, "uid"))
	f := r.Root(root, "")
	f.Duplicates()
	spec := f.At("spec")
	isMapping(spec, "upstream", "targets")
	if u := spec.At("upstream"); isMapping(u, "repo", "package", "revision", "workspaceName") {
		s.Upstream = &Upstream{Repo: u.At("repo").Text(), Package: u.At("package").Text(), WorkspaceName: u.At("workspaceName").Text()}
		s.Upstream.Revision, s.Upstream.revisionIsNumber = u.At("revision").Revision()
	}
	for _, t := range spec.At("targets").List("a list of targets") {
		s.Targets = append(s.Targets, readTarget(t))
	}
	for _, p := range r.Problems {
		s.unread = append(s.unread, Fault{Rule(p.Rule), p.Path, p.Message, p.Warning})
	}
	return s
}

// isMapping reports whether a field is a mapping, and warns of all that it has
// but the known fields.
func isMapping(f foreign.Field, known ...string) bool {
	if !f.Mapping("a mapping with " + strings.Join(known, ", ")) {
		return false
	}
	f.Known(known...)
	return true
}

// isSelector is isMapping for selectors and what is in them, which may have
// nothing else: without a field that is misspelt they would match everything.
func isSelector(f foreign.Field, known ...string) bool {
	if !f.Mapping("a mapping with " + strings.Join(known, ", ")) {
		return false
	}
	f.Only(known...)
	return true
}

func readTarget(f foreign.Field) Target {
	isMapping(f, "repositories", "repositorySelector", "objectSelector", "packageNames", "template")
	t := Target{PackageNames: f.At("packageNames").Texts()}
	if repositories := f.At("repositories").List("a list of repositories"); repositories != nil {
		t.Repositories = []RepositoryTarget{}
		for _, r := range repositories {
			isMapping(r, "name", "packageNames")
			t.Repositories = append(t.Repositories, RepositoryTarget{r.At("name").Text(), r.At("packageNames").Texts()})
		}
	}
	if selector := f.At("repositorySelector"); isSelector(selector, "matchLabels", "matchExpressions") {
		t.RepositorySelector = new(readLabelSelector(selector))
	}
	if selector := f.At("objectSelector"); isSelector(selector, "apiVersion", "kind", "name", "matchLabels", "matchExpressions") {
		t.ObjectSelector = &ObjectSelector{
			LabelSelector: readLabelSelector(selector),
			APIVersion:    selector.At("apiVersion").Text(), Kind: selector.At("kind").Text(), Name: selector.At("name").Text(),
		}
	}
	if template := f.At("template"); isMapping(template, templateFields...) {
		t.Template = readTemplate(template)
	}
	return t
}

func readLabelSelector(f foreign.Field) LabelSelector {
	s := LabelSelector{MatchLabels: f.At("matchLabels").TextMap()}
	for _, e := range f.At("matchExpressions").List("a list of expressions") {
		isSelector(e, "key", "operator", "values")
		s.MatchExpressions = append(s.MatchExpressions, LabelRequirement{e.At("key").Text(), e.At("operator").Text(), e.At("values").Texts()})
	}
	return s
}

var templateFields = []string{
	"downstream", "adoptionPolicy", "deletionPolicy", "labels", "labelExprs", "annotations", "annotationExprs",
	"packageContext", "injectors", "injectorExprs", "pipeline",
}

func readTemplate(f foreign.Field) *Template {
	t := &Template{
		AdoptionPolicy: f.At("adoptionPolicy").Optional(), DeletionPolicy: f.At("deletionPolicy").Optional(),
		Labels: f.At("labels").TextMap(), LabelExprs: readMapExprs(f.At("labelExprs")),
		Annotations: f.At("annotations").TextMap(), AnnotationExprs: readMapExprs(f.At("annotationExprs")),
	}
	if d := f.At("downstream"); isMapping(d, "repo", "repoExpr", "package", "packageExpr") {
		t.Downstream = &DownstreamTemplate{
			Repo: d.At("repo").Optional(), RepoExpr: d.At("repoExpr").Optional(),
			Package: d.At("package").Optional(), PackageExpr: d.At("packageExpr").Optional(),
		}
	}
	if c := f.At("packageContext"); isMapping(c, "data", "dataExprs", "removeKeys", "removeKeyExprs") {
		t.PackageContext = &PackageContextTemplate{
			Data: c.At("data").TextMap(), DataExprs: readMapExprs(c.At("dataExprs")),
			RemoveKeys: c.At("removeKeys").Texts(), RemoveKeyExprs: c.At("removeKeyExprs").Texts(),
		}
	}
	t.Injectors = readInjectors(f)
	if p := f.At("pipeline"); isMapping(p, "mutators", "validators") {
		t.Pipeline = &PipelineTemplate{Validators: readFunctions(p.At("validators")), Mutators: readFunctions(p.At("mutators"))}
	}
	return t
}

func readMapExprs(f foreign.Field) []MapExpr {
	var all []MapExpr
	for _, e := range f.ListOrOne("a list of expressions") {
		isMapping(e, "key", "keyExpr", "value", "valueExpr")
		all = append(all, MapExpr{e.At("key").Optional(), e.At("keyExpr").Optional(), e.At("value").Optional(), e.At("valueExpr").Optional()})
	}
	return all
}

// readInjectors reads `injectors` and `injectorExprs` of a template, as the
// document's example has them.
func readInjectors(template foreign.Field) []InjectorTemplate {
	var all []InjectorTemplate
	for _, name := range []string{"injectors", "injectorExprs"} {
		f := template.At(name)
		elements := f.ListOrOne("a list of injectors")
		if name == "injectorExprs" && elements != nil {
			f.Alias("is read as injectors, which is the name in the API: write injectors")
		}
		for i, e := range elements {
			isMapping(e, "group", "version", "kind", "name", "nameExpr", "point")
			injector := InjectorTemplate{
				Group: e.At("group").Optional(), Version: e.At("version").Optional(), Kind: e.At("kind").Optional(),
				Name: e.At("name").Optional(), NameExpr: e.At("nameExpr").Optional(), Point: e.At("point").Optional(),
			}
			if name == "injectorExprs" {
				injector.field = fmt.Sprintf("%s[%d]", name, i)
			}
			all = append(all, injector)
		}
	}
	return all
}

// functionFields are the fields of a Kptfile function that a set looks at.
var functionFields = []string{"image", "exec", "name", "configPath", "configMap", "configMapExprs"}

func readFunctions(f foreign.Field) []FunctionTemplate {
	var all []FunctionTemplate
	for _, e := range f.List("a list of functions") {
		e.Mapping("a mapping with " + strings.Join(functionFields, ", "))
		all = append(all, FunctionTemplate{
			Image: e.At("image").Optional(), Exec: e.At("exec").Optional(), Name: e.At("name").Optional(), ConfigPath: e.At("configPath").Optional(),
			ConfigMap: e.At("configMap").TextMap(), ConfigMapExprs: readMapExprs(e.At("configMapExprs")), Others: e.Others(functionFields...),
		})
	}
	return all
}
