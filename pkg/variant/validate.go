package variant

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
)

// The rules that a PackageVariant can break, by itself.
const (
	RuleInvalid     = "variant/invalid"
	RuleReservedKey = "context/reserved-key"
	RuleAlias       = "variant-set/alias"
)

// Problem is one thing that is wrong with a PackageVariant.
type Problem struct {
	// Rule is RuleInvalid, RuleReservedKey or RuleAlias.
	Rule string
	// Warning says that the PackageVariant can be used all the same.
	Warning bool
	// Path is where it is, `spec.injectors[1].name`, from the root of what was
	// read.
	Path string
	// Message says what was found, what is accepted and how to mend it, without
	// the path.
	Message string
	// Position is the place in the text that the PackageVariant was read from.
	Position values.Position
}

// String is the message with the path in front.
func (p Problem) String() string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + ": " + p.Message
}

// Failed reports whether any of the problems is an error.
func Failed(problems []Problem) bool {
	return slices.ContainsFunc(problems, func(p Problem) bool { return !p.Warning })
}

// reservedKeys of the package context are set by kpt and Porch alone.
var reservedKeys = []string{"name", "package-path"}

// IsReservedKey reports whether a key of the package context is one that kpt and
// Porch alone set.
func IsReservedKey(key string) bool { return slices.Contains(reservedKeys, key) }

// Read reads the PackageVariant whose mapping is n and returns all that is wrong
// with it, in the order of its fields. Problems' paths begin with path, which is
// empty when n is a resource of its own. What can be read is filled all the same.
func Read(n *yaml.Node, path string) (*PackageVariant, []Problem) {
	return read(n, path, false)
}

// ReadEmbedded is Read for a PackageVariant within another resource, which may
// lack its apiVersion and kind.
func ReadEmbedded(n *yaml.Node, path string) (*PackageVariant, []Problem) {
	return read(n, path, true)
}

func read(n *yaml.Node, path string, embedded bool) (*PackageVariant, []Problem) {
	r := &reader{}
	v := &PackageVariant{Namespace: DefaultNamespace}
	root := field{values.Resolve(n), path}
	if !r.isMapping(root, "a PackageVariant with metadata and spec") {
		return v, r.problems
	}
	for _, d := range values.Of(root.node).Duplicates() {
		r.fail(field{nil, join(path, d.Path)}, "the key stands twice; remove one, so that it is certain which one counts")
		r.problems[len(r.problems)-1].Position = d.Second
	}
	r.typeMeta(root, embedded)
	r.known(root, "apiVersion", "kind", "metadata", "spec", "status")
	metadata := root.child("metadata")
	if r.isMapping(metadata, "a mapping with name") {
		v.Name = r.text(metadata.child("name"), true)
		if namespace := r.text(metadata.child("namespace"), false); namespace != "" {
			v.Namespace = namespace
		}
	}
	spec := root.child("spec")
	if r.isMapping(spec, "a mapping with upstream and downstream") {
		r.spec(spec, &v.Spec)
	}
	return v, r.problems
}

func (r *reader) typeMeta(root field, embedded bool) {
	for _, want := range [][2]string{{"apiVersion", GroupVersion}, {"kind", Kind}} {
		f := root.child(want[0])
		if embedded && values.IsNull(f.node) {
			continue
		}
		if got := r.text(f, true); got != "" && got != want[1] {
			r.fail(f, "got %q, want %s%s", got, want[1], nearest.Hint(got, want[1:]))
		}
	}
}

func (r *reader) spec(f field, s *Spec) {
	r.known(f, "upstream", "downstream", "adoptionPolicy", "deletionPolicy", "labels", "annotations", "packageContext", "pipeline", "injectors")
	if u := f.child("upstream"); r.isMapping(u, "a mapping with repo and package") {
		r.known(u, "repo", "package", "revision", "workspaceName")
		s.Upstream.Repo = r.text(u.child("repo"), true)
		s.Upstream.Package = r.text(u.child("package"), true)
		s.Upstream.Revision = r.revision(u.child("revision"))
		s.Upstream.WorkspaceName = r.text(u.child("workspaceName"), false)
	}
	if d := f.child("downstream"); r.isMapping(d, "a mapping with repo and package") {
		r.known(d, "repo", "package")
		s.Downstream.Repo = r.text(d.child("repo"), true)
		s.Downstream.Package = r.text(d.child("package"), true)
	}
	s.AdoptionPolicy = r.oneOf(f.child("adoptionPolicy"), AdoptNone, AdoptExisting)
	s.DeletionPolicy = r.oneOf(f.child("deletionPolicy"), DeleteDelete, DeleteOrphan)
	s.Labels, _ = r.texts(f.child("labels"))
	s.Annotations, _ = r.texts(f.child("annotations"))
	r.packageContext(f.child("packageContext"), &s.PackageContext)
	if p := f.child("pipeline"); p.given() && r.isMapping(p, "a mapping with mutators and validators") {
		r.known(p, "mutators", "validators")
		s.Pipeline.Mutators = r.functions(p.child("mutators"))
		s.Pipeline.Validators = r.functions(p.child("validators"))
	}
	r.injectors(f.child("injectors"), s)
}

func (r *reader) packageContext(f field, c *PackageContext) {
	if !f.given() || !r.isMapping(f, "a mapping with data and removeKeys") {
		return
	}
	r.known(f, "data", "removeKeys")
	data := f.child("data")
	c.Data, c.order = r.texts(data)
	for _, key := range c.order {
		r.reserved(data.child(key), key)
	}
	keys := f.child("removeKeys")
	for i, element := range r.list(keys, "a list of keys") {
		at := keys.element(i, element)
		if key := r.text(at, true); key != "" {
			r.reserved(at, key)
			c.RemoveKeys = append(c.RemoveKeys, key)
		}
	}
}

func (r *reader) reserved(f field, key string) {
	if IsReservedKey(key) {
		r.fail(f, "the key %q is reserved: kpt and Porch set name and package-path; remove it", key)
		r.problems[len(r.problems)-1].Rule = RuleReservedKey
	}
}

func (r *reader) functions(f field) []PipelineFunction {
	var all []PipelineFunction
	for i, element := range r.list(f, "a list of functions") {
		at := f.element(i, element)
		if !r.isMapping(at, "a function with image or exec") {
			continue
		}
		name := at.child("name")
		fn := PipelineFunction{Name: r.text(name, false), Node: at.node}
		if strings.Contains(fn.Name, ".") {
			r.fail(name, "got %q, want a name without dots: they separate the parts of the name that the function gets in the Kptfile", fn.Name)
		}
		image, exec := at.child("image"), at.child("exec")
		switch hasImage, hasExec := r.text(image, false) != "", r.text(exec, false) != ""; {
		case hasImage && hasExec:
			r.fail(exec, "the function has image and exec; remove one of them")
		case !hasImage && !hasExec && (!image.given() || values.Text(image.node) == "" && isText(image.node)) && (!exec.given() || isText(exec.node)):
			r.fail(at, "the function has neither image nor exec; add one of them")
		}
		all = append(all, fn)
	}
	return all
}

func (r *reader) injectors(f field, s *Spec) {
	elements := []*yaml.Node{f.node}
	single := f.given() && f.node.Kind == yaml.MappingNode
	if single {
		r.problems = append(r.problems, Problem{
			Rule: RuleAlias, Warning: true, Path: f.path, Position: values.At(f.node),
			Message: "got a single mapping, which is read as a list of one; write a dash in front, since Porch takes a list only",
		})
	} else {
		elements = r.list(f, "a list of injectors, each with a name")
	}
	for i, element := range elements {
		at := f
		if !single {
			at = f.element(i, element)
		}
		if !r.isMapping(at, "an injector with a name") {
			continue
		}
		r.known(at, "group", "version", "kind", "name", "point")
		injector := Injector{
			Group: r.optional(at.child("group")), Version: r.optional(at.child("version")), Kind: r.optional(at.child("kind")),
			Name: r.text(at.child("name"), true), Point: r.optional(at.child("point")),
		}
		for _, empty := range []struct {
			key   string
			value *string
		}{{"version", injector.Version}, {"kind", injector.Kind}, {"point", injector.Point}} {
			if empty.value != nil && *empty.value == "" {
				r.fail(at.child(empty.key), "is empty, so the injector fits nothing; fill it, or remove it to leave it open")
			}
		}
		if group := injector.Group; group != nil && strings.Contains(*group, "/") {
			r.fail(at.child("group"), "got %q, want a group without a version, which has a field of its own", *group)
		}
		s.Injectors = append(s.Injectors, injector)
	}
}

func join(path, key string) string {
	switch {
	case path == "" || key == "":
		return path + key
	case key[0] == '[':
		return path + key
	}
	return fmt.Sprintf("%s.%s", path, key)
}

// kindOf says what a node is, for messages.
func kindOf(n *yaml.Node) string {
	if n == nil {
		return "nothing"
	}
	return function.KindOf(n)
}
