package variant

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/nearest"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant/internal/foreign"
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
	r := newReader()
	v := &PackageVariant{Namespace: DefaultNamespace}
	root := r.Root(n, path)
	if !root.RequiredMapping("a PackageVariant with metadata and spec") {
		return v, r.problems()
	}
	root.Duplicates()
	readTypeMeta(root, embedded)
	root.Misspelt("apiVersion", "kind", "metadata", "spec", "status")
	if metadata := root.At("metadata"); metadata.RequiredMapping("a mapping with name") {
		v.Name = metadata.At("name").RequiredText()
		v.Namespace = cmp.Or(metadata.At("namespace").Text(), v.Namespace)
	}
	if spec := root.At("spec"); spec.RequiredMapping("a mapping with upstream and downstream") {
		r.spec(spec, &v.Spec)
	}
	return v, r.problems()
}

type reader struct{ foreign.Reader }

func newReader() *reader {
	return &reader{foreign.Reader{Invalid: RuleInvalid, Alias: RuleAlias}}
}

func (r *reader) problems() []Problem {
	var all []Problem
	for _, p := range r.Problems {
		all = append(all, Problem(p))
	}
	return all
}

func readTypeMeta(root foreign.Field, embedded bool) {
	for _, want := range [][2]string{{"apiVersion", GroupVersion}, {"kind", Kind}} {
		f := root.At(want[0])
		if embedded && !f.Given() {
			continue
		}
		if got := f.RequiredText(); got != "" && got != want[1] {
			f.Fail("got %q, want %s%s", got, want[1], nearest.Hint(got, want[1:]))
		}
	}
}

func (r *reader) spec(f foreign.Field, s *Spec) {
	f.Misspelt("upstream", "downstream", "adoptionPolicy", "deletionPolicy", "labels", "annotations", "packageContext", "pipeline", "injectors")
	if u := f.At("upstream"); u.RequiredMapping("a mapping with repo and package") {
		u.Misspelt("repo", "package", "revision", "workspaceName")
		s.Upstream.Repo = u.At("repo").RequiredText()
		s.Upstream.Package = u.At("package").RequiredText()
		s.Upstream.Revision, _ = u.At("revision").Revision()
		s.Upstream.WorkspaceName = u.At("workspaceName").Text()
	}
	if d := f.At("downstream"); d.RequiredMapping("a mapping with repo and package") {
		d.Misspelt("repo", "package")
		s.Downstream.Repo = d.At("repo").RequiredText()
		s.Downstream.Package = d.At("package").RequiredText()
	}
	s.AdoptionPolicy = readOneOf(f.At("adoptionPolicy"), AdoptNone, AdoptExisting)
	s.DeletionPolicy = readOneOf(f.At("deletionPolicy"), DeleteDelete, DeleteOrphan)
	s.Labels = f.At("labels").TextMap()
	s.Annotations = f.At("annotations").TextMap()
	readPackageContext(f.At("packageContext"), &s.PackageContext)
	if p := f.At("pipeline"); p.Mapping("a mapping with mutators and validators") {
		p.Misspelt("mutators", "validators")
		s.Pipeline.Mutators = r.functions(p.At("mutators"))
		s.Pipeline.Validators = r.functions(p.At("validators"))
	}
	readInjectors(f.At("injectors"), s)
}

func readOneOf(f foreign.Field, names ...string) string {
	text := f.Text()
	if text != "" && !slices.Contains(names, text) {
		f.Fail("got %q, want %s%s", text, function.OneOf(names), nearest.Hint(text, names))
	}
	return text
}

func readPackageContext(f foreign.Field, c *PackageContext) {
	if !f.Mapping("a mapping with data and removeKeys") {
		return
	}
	f.Misspelt("data", "removeKeys")
	data := f.At("data")
	c.Data = data.TextMap()
	for _, e := range foreign.Entries(data.Node) {
		if !values.IsNull(e.Value) {
			c.order = append(c.order, e.Key)
			checkReserved(data.At(e.Key), e.Key)
		}
	}
	for _, at := range f.At("removeKeys").List("a list of keys") {
		if key := at.RequiredText(); key != "" {
			checkReserved(at, key)
			c.RemoveKeys = append(c.RemoveKeys, key)
		}
	}
}

func checkReserved(f foreign.Field, key string) {
	if IsReservedKey(key) {
		f.Tell(foreign.Problem{Rule: RuleReservedKey, Message: fmt.Sprintf("the key %q is reserved: kpt and Porch set name and package-path; remove it", key)})
	}
}

func (r *reader) functions(f foreign.Field) []PipelineFunction {
	var all []PipelineFunction
	for _, at := range f.List("a list of functions") {
		if !at.Mapping("a function with image or exec") {
			continue
		}
		name := at.At("name")
		fn := PipelineFunction{Name: name.Text(), Node: at.Node}
		if strings.Contains(fn.Name, ".") {
			name.Fail("got %q, want a name without dots: they separate the parts of the name that the function gets in the Kptfile", fn.Name)
		}
		told, exec := len(r.Problems), at.At("exec")
		switch hasImage, hasExec := at.At("image").Text() != "", exec.Text() != ""; {
		case hasImage && hasExec:
			exec.Fail("the function has image and exec; remove one of them")
		case !hasImage && !hasExec && len(r.Problems) == told:
			at.Fail("the function has neither image nor exec; add one of them")
		}
		all = append(all, fn)
	}
	return all
}

func readInjectors(f foreign.Field, s *Spec) {
	for _, at := range f.ListOrOne("a list of injectors, each with a name") {
		if !at.Mapping("an injector with a name") {
			continue
		}
		at.Misspelt("group", "version", "kind", "name", "point")
		injector := Injector{
			Group: at.At("group").Optional(), Version: at.At("version").Optional(), Kind: at.At("kind").Optional(),
			Name: at.At("name").RequiredText(), Point: at.At("point").Optional(),
		}
		for _, empty := range []struct {
			key   string
			value *string
		}{{"version", injector.Version}, {"kind", injector.Kind}, {"point", injector.Point}} {
			if empty.value != nil && *empty.value == "" {
				at.At(empty.key).Fail("is empty, so the injector fits nothing; fill it, or remove it to leave it open")
			}
		}
		if group := injector.Group; group != nil && strings.Contains(*group, "/") {
			at.At("group").Fail("got %q, want a group without a version, which has a field of its own", *group)
		}
		s.Injectors = append(s.Injectors, injector)
	}
}
