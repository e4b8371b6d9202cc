package set

import (
	"fmt"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Read reads a PackageVariantSet from its root. What can not be read in it is
// told by [New] with everything else; the rest is filled. Fields that are not
// known are told by a warning: newer versions of Porch may have more. Forms that
// only the document's examples have, `injectorExprs` and a single mapping for a
// list of expressions, are read and told as aliases.
func Read(root *yaml.Node) *Set {
	r := &reader{}
	s := &Set{}
	metadata := values.Field(root, "metadata")
	s.Name = values.Text(values.Field(metadata, "name"))
	s.Namespace = values.Text(values.Field(metadata, "namespace"))
	s.UID = values.Text(values.Field(metadata, "uid"))
	spec := r.object(values.Field(root, "spec"), "spec", "upstream", "targets")
	if upstream := spec.object("upstream", "repo", "package", "revision", "workspaceName"); upstream.given {
		s.Upstream = upstream.upstream()
	}
	for _, n := range spec.list("targets") {
		s.Targets = append(s.Targets, r.target(n))
	}
	s.unread = r.faults
	return s
}

func (o object) upstream() *Upstream {
	u := &Upstream{Repo: o.string("repo"), Package: o.string("package"), WorkspaceName: o.string("workspaceName")}
	if n := o.field("revision"); !values.IsNull(n) && n.Kind == yaml.ScalarNode && n.ShortTag() == "!!int" {
		u.Revision, u.revisionIsNumber = n.Value, true
	} else {
		u.Revision = o.string("revision")
	}
	return u
}

func (r *reader) target(at element) Target {
	o := r.object(at.node, at.path, "repositories", "repositorySelector", "objectSelector", "packageNames", "template")
	t := Target{PackageNames: o.strings("packageNames")}
	if repositories := o.list("repositories"); repositories != nil {
		t.Repositories = []RepositoryTarget{}
		for _, n := range repositories {
			repository := r.object(n.node, n.path, "name", "packageNames")
			t.Repositories = append(t.Repositories, RepositoryTarget{repository.string("name"), repository.strings("packageNames")})
		}
	}
	if selector := o.object("repositorySelector", "matchLabels", "matchExpressions"); selector.given {
		t.RepositorySelector = new(selector.labelSelector())
	}
	if selector := o.object("objectSelector", "apiVersion", "kind", "name", "matchLabels", "matchExpressions"); selector.given {
		t.ObjectSelector = &ObjectSelector{
			LabelSelector: selector.labelSelector(),
			APIVersion:    selector.string("apiVersion"), Kind: selector.string("kind"), Name: selector.string("name"),
		}
	}
	if template := o.object("template", templateFields...); template.given {
		t.Template = template.template()
	}
	return t
}

func (o object) labelSelector() LabelSelector {
	s := LabelSelector{MatchLabels: o.stringMap("matchLabels")}
	for _, n := range o.list("matchExpressions") {
		e := o.reader.object(n.node, n.path, "key", "operator", "values")
		s.MatchExpressions = append(s.MatchExpressions, LabelRequirement{e.string("key"), e.string("operator"), e.strings("values")})
	}
	return s
}

var templateFields = []string{
	"downstream", "adoptionPolicy", "deletionPolicy", "labels", "labelExprs", "annotations", "annotationExprs",
	"packageContext", "injectors", "injectorExprs", "pipeline",
}

func (o object) template() *Template {
	t := &Template{
		AdoptionPolicy: o.text("adoptionPolicy"), DeletionPolicy: o.text("deletionPolicy"),
		Labels: o.stringMap("labels"), LabelExprs: o.mapExprs("labelExprs"),
		Annotations: o.stringMap("annotations"), AnnotationExprs: o.mapExprs("annotationExprs"),
	}
	if d := o.object("downstream", "repo", "repoExpr", "package", "packageExpr"); d.given {
		t.Downstream = &DownstreamTemplate{Repo: d.text("repo"), RepoExpr: d.text("repoExpr"), Package: d.text("package"), PackageExpr: d.text("packageExpr")}
	}
	if c := o.object("packageContext", "data", "dataExprs", "removeKeys", "removeKeyExprs"); c.given {
		t.PackageContext = &PackageContextTemplate{
			Data: c.stringMap("data"), DataExprs: c.mapExprs("dataExprs"),
			RemoveKeys: c.strings("removeKeys"), RemoveKeyExprs: c.strings("removeKeyExprs"),
		}
	}
	t.Injectors = o.injectors()
	if p := o.object("pipeline", "mutators", "validators"); p.given {
		t.Pipeline = &PipelineTemplate{Validators: p.functions("validators"), Mutators: p.functions("mutators")}
	}
	return t
}

func (o object) mapExprs(name string) []MapExpr {
	var all []MapExpr
	for _, n := range o.listOrOne(name) {
		e := o.reader.object(n.node, n.path, "key", "keyExpr", "value", "valueExpr")
		all = append(all, MapExpr{Key: e.text("key"), KeyExpr: e.text("keyExpr"), Value: e.text("value"), ValueExpr: e.text("valueExpr")})
	}
	return all
}

// injectors reads `injectors` and `injectorExprs`, as the document's example
// has them.
func (o object) injectors() []InjectorTemplate {
	var all []InjectorTemplate
	for _, name := range []string{"injectors", "injectorExprs"} {
		elements := o.listOrOne(name)
		if name == "injectorExprs" && elements != nil {
			o.reader.add(RuleAlias, o.at(name), "is read as injectors, which is the name in the API: write injectors")
		}
		for i, n := range elements {
			e := o.reader.object(n.node, n.path, "group", "version", "kind", "name", "nameExpr", "point")
			injector := InjectorTemplate{Group: e.text("group"), Version: e.text("version"), Kind: e.text("kind"), Name: e.text("name"), NameExpr: e.text("nameExpr"), Point: e.text("point")}
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

func (o object) functions(name string) []FunctionTemplate {
	var all []FunctionTemplate
	for _, n := range o.list(name) {
		e := o.reader.open(n.node, n.path, functionFields...)
		all = append(all, FunctionTemplate{
			Image: e.text("image"), Exec: e.text("exec"), Name: e.text("name"), ConfigPath: e.text("configPath"),
			ConfigMap: e.stringMap("configMap"), ConfigMapExprs: e.mapExprs("configMapExprs"), Others: e.others,
		})
	}
	return all
}
