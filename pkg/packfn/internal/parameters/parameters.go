// Package parameters reads the setters of kpt packages, and makes functionConfigs that check their values.
package parameters

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/schema"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

// applySetters is the function of kpt's catalog that writes the values of setters into fields.
const applySetters = "apply-setters"

// marker begins the comment at a field that a setter writes.
const marker = "kpt-set:"

// Set is what one function gets as the values of setters: a ConfigMap, or the field configMap of the Kptfile.
type Set struct {
	// Selector chooses the resource, and Path is its field with the values. The selector has the namespace only if
	// another resource has the same name, because functions such as set-namespace change it.
	Selector selector.Selector
	Path     string
	// namespace is the namespace of the resource.
	namespace string
	// file is the path of the file in the package, and index is the index of the resource there.
	file    string
	index   int
	Setters []Setter
	// others are the places of other resources that the function gets and the selector chooses.
	others []string
}

// Setter is a parameter of a package.
type Setter struct {
	Name string
	// Value is its value, or nil if it has none.
	Value *yaml.Node
	// Uses are the fields that have its marker.
	Uses []Use
}

// Use is a field with the marker of a setter.
type Use struct {
	// Resource has the field, at Path.
	Resource diag.Resource
	Path     string
	// Node is the value of the field. IsWhole is true if the setter alone makes the value, without other text.
	Node    *yaml.Node
	IsWhole bool
	// Place is the file on disk and the line of the marker: `app/web.yaml:5`.
	Place string
}

func (u *Use) String() string { return u.Path + " of " + u.Resource.String() }

// Package is what a package has of setters.
type Package struct {
	// Dir is the folder.
	Dir  string
	Sets []Set
	// Unset are the markers of setters that no set has.
	Unset []Setter
	// Below are the subpackages with setters of their own.
	Below []string
	// Names are the names of all resources of the kind ValidatePackValues.
	Names []string
	// isChecked is true if the pipeline has a validate-pack-values with a functionConfig in a file.
	isChecked bool
}

// Read reads the setters of the package in a folder: of the functions apply-setters in its pipeline,
// and of the markers at the fields of its resources.
//
//	pipeline:
//	  mutators:
//	  - image: ghcr.io/kptdev/krm-functions-catalog/apply-setters:v0.2
//	    configPath: setters.yaml
func Read(dir string) (*Package, error) {
	read, err := kptpackage.Read(dir)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(read.Faults...); err != nil {
		return nil, err
	}
	if read.Kptfiles["."] == nil {
		return nil, fmt.Errorf("%s is not a kpt package: it has no Kptfile", dir)
	}
	steps, faults := pipeline.Steps(read, nil)
	p := &Package{Dir: dir}
	for _, entry := range read.Kptfiles["."].Validators {
		p.isChecked = p.isChecked || entry.Program() == rule.ValidatePackValues && entry.ConfigPath != ""
	}
	for i := range steps {
		switch s := &steps[i]; {
		case s.Entry.Program() != applySetters || s.Config == nil:
		case s.Package != ".":
			p.Below = append(p.Below, filepath.Join(dir, s.Package))
		default:
			set := setOf(s, read.Kptfiles["."].Name)
			isSame := func(other Set) bool {
				return other.file == set.file && other.index == set.index && other.Path == set.Path
			}
			if !slices.ContainsFunc(p.Sets, isSame) { // a pipeline can write the values twice
				p.Sets = append(p.Sets, set)
			}
		}
	}
	if len(p.Sets) == 0 && len(faults) > 0 { // a check reports faults of other functions
		return nil, errors.Join(faults...)
	}
	uses, order, err := p.uses(read)
	if err != nil {
		return nil, err
	}
	for i := range p.Sets {
		for j := range p.Sets[i].Setters {
			setter := &p.Sets[i].Setters[j]
			setter.Uses = uses[setter.Name]
		}
	}
	isSet := map[string]bool{}
	for _, name := range p.names() {
		isSet[name] = true
	}
	for _, name := range order {
		if !isSet[name] {
			p.Unset = append(p.Unset, Setter{Name: name, Uses: uses[name]})
		}
	}
	return p, nil
}

// setOf returns the values that a step gets.
func setOf(s *pipeline.Step, kptfile string) Set {
	set := Set{Selector: selector.Selector{Kind: kptpackage.KptfileName, Name: kptfile}, Path: s.Field + ".configMap", file: s.Kptfile()}
	if s.ConfigFile != "" {
		head := func(keys ...string) string { return values.Text(values.Field(s.Config, keys...)) }
		set = Set{Selector: selector.Selector{Kind: head("kind"), Name: head("metadata", "name")}, namespace: head("metadata", "namespace"), Path: "data", file: s.ConfigFile, index: s.ConfigIndex}
	}
	for _, pair := range values.Pairs(values.Field(s.Config, "data")) {
		if name, ok := pair.Name(); ok {
			set.Setters = append(set.Setters, Setter{Name: name, Value: values.Resolve(pair.Value)})
		}
	}
	return set
}

// compare records a resource in a file on disk if the selector also chooses it, besides the resource with the setters.
func (s *Set) compare(item *list.Item, file string, isInFile bool) {
	switch {
	case !s.Selector.MatchesHead(item), isInFile && s.index == item.Resource().Index:
	case s.namespace != "" && s.namespace != item.Namespace():
		s.Selector.Namespace = s.namespace
	default:
		s.others = append(s.others, file)
	}
}

// names returns the names of the setters of all sets.
func (p *Package) names() (names []string) {
	for i := range p.Sets {
		for j := range p.Sets[i].Setters {
			names = append(names, p.Sets[i].Setters[j].Name)
		}
	}
	return names
}

// uses finds the markers of a package, by the names of their setters, and the names in the order in
// which they occur.
func (p *Package) uses(read *kptpackage.Package) (uses map[string][]Use, order []string, err error) {
	uses = map[string][]Use{}
	for _, file := range read.Files {
		for _, item := range file.Items() {
			if item.Kind() == schema.Kind {
				p.Names = append(p.Names, item.Name())
			}
			for i := range p.Sets {
				p.Sets[i].compare(item, filepath.Join(read.Dir, file.Path), file.Path == p.Sets[i].file)
			}
			if !bytes.Contains(item.Text(), []byte(marker)) {
				continue
			}
			document, err := item.Document()
			if err != nil {
				return nil, nil, kptpackage.In(read.Dir, file.Path, err)
			}
			m := markers{found: func(name string, u Use) {
				u.Resource, u.Place = item.Resource(), fmt.Sprintf("%s:%d", filepath.Join(read.Dir, file.Path), item.Line()+u.Node.Line-1)
				if uses[name] == nil {
					order = append(order, name)
				}
				uses[name] = append(uses[name], u)
			}}
			m.walk(values.WithComments(document.Root()), "")
		}
	}
	return uses, order, nil
}

// markers walks through a resource.
type markers struct{ found func(name string, u Use) }

// pattern matches what a marker says of a field, and reference each setter in it:
//
//	image: nginx:1.2.3 # kpt-set: ${image}:${tag}
var (
	pattern   = regexp.MustCompile(`^#\s*` + marker + `\s*(.*?)\s*$`)
	reference = regexp.MustCompile(`\$\{([^{}]+)\}`)
)

func (m markers) walk(n *yaml.Node, at string) {
	switch n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			below := diag.Join(at, key.Value)
			m.mark(below, value, key.LineComment, value.LineComment, value.HeadComment)
			m.walk(value, below)
		}
	case yaml.SequenceNode:
		for i, value := range n.Content {
			below := fmt.Sprintf("%s[%d]", at, i)
			m.mark(below, value, value.LineComment)
			m.walk(value, below)
		}
	}
}

// mark finds the setters that comments name for a field.
func (m markers) mark(at string, n *yaml.Node, comments ...string) {
	for _, comment := range comments {
		found := pattern.FindStringSubmatch(comment)
		if found == nil {
			continue
		}
		for _, name := range reference.FindAllStringSubmatch(found[1], -1) {
			m.found(name[1], Use{Path: at, Node: n, IsWhole: name[0] == found[1]})
		}
	}
}

// mostNotes is the number of setters without a value that notes name. The name of each is compared with all
// others.
const mostNotes = 10

// Notes returns what the user should know besides the text, which is written into a file, or into none if
// that is "".
func (p *Package) Notes(file string) (notes []string) {
	names := p.names()
	for i := range p.Unset {
		if i == mostNotes {
			notes = append(notes, fmt.Sprintf("no value is set for %s more", diag.Count(len(p.Unset)-i, "setter")))
			break
		}
		s := &p.Unset[i]
		notes = append(notes, fmt.Sprintf("%s: no value is set for the setter %q%s", s.Uses[0].Place, s.Name, nearest.Hint(s.Name, names)))
	}
	for _, dir := range slices.Compact(p.Below) {
		notes = append(notes, fmt.Sprintf("%s has setters of its own: packfn init parameters %s", dir, path.Clean(filepath.ToSlash(dir))))
	}
	if !p.isChecked {
		at, err := filepath.Rel(p.Dir, file)
		if file == "" || err != nil || !filepath.IsLocal(at) {
			at = "FILE"
		}
		notes = append(notes, fmt.Sprintf("to run it, add this to pipeline.validators of %s: {image: %s, configPath: %s}", filepath.Join(p.Dir, kptpackage.KptfileName), function.Image(rule.ValidatePackValues), filepath.ToSlash(at)))
	}
	return notes
}

// Text returns a ValidatePackValues with a target for each set, and in it a guess for each setter, or an
// error if there is nothing to check.
//
//	spec:
//	  unknownKeys: warning
//	  targets:
//	  - selector:
//	      kind: ConfigMap
//	      name: setters
//	    path: data
//	    schema:
//	      # a guess: a number
//	      replicas:
//	        schema: '{{ required | format "${number}" | hints "spec.replicas of Deployment web" }}'
func (p *Package) Text(name string) (string, error) {
	isEmpty := func(s Set) bool { return len(s.Setters) == 0 }
	sets := slices.DeleteFunc(slices.Clone(p.Sets), isEmpty)
	switch {
	case len(sets) == 0 && len(p.Unset) == 0:
		return "", fmt.Errorf("%s has no setters: neither a function %s with values in its pipeline, nor a field with the comment # %s ${NAME}", p.Dir, applySetters, marker)
	case len(sets) == 0:
		return "", fmt.Errorf("%s: the setter %q of %s gets no value: the pipeline of %s has no function %s with values; add one with a configPath", p.Unset[0].Uses[0].Place, p.Unset[0].Name, &p.Unset[0].Uses[0], filepath.Join(p.Dir, kptpackage.KptfileName), applySetters)
	}
	for i := range sets {
		s, file := &sets[i], filepath.Join(p.Dir, sets[i].file)
		for j := range s.Setters {
			name := s.Setters[j].Name
			if path, err := values.ParsePath(name); err != nil || slices.Contains(path.Steps(), values.Wildcard) {
				return "", fmt.Errorf("%s: a schema cannot have the setter %q, because its name is not a path to a value; rename it", file, name)
			}
		}
		switch {
		case s.Selector.Name == "":
			return "", fmt.Errorf("%s: the %s with the setters must have a name, so that a selector chooses it alone; add metadata.name", file, s.Selector.Kind)
		case len(s.others) > 0:
			return "", fmt.Errorf("%s: a selector cannot choose the %s %s alone, because %s has another one of its kind and name; give one of them another metadata.name", file, s.Selector.Kind, s.Selector.Name, diag.AllOf(s.others))
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "apiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  annotations:\n    %s: \"true\"\nspec:\n  # A setter that the schema below does not have is probably misspelt.\n  unknownKeys: warning\n  targets:\n",
		function.ConfigGroupVersion, schema.Kind, values.Quote(name), list.LocalConfigAnnotation)
	for i := range sets {
		s := &sets[i]
		fmt.Fprintf(&b, "  - selector:\n      kind: %s\n      name: %s\n", values.Quote(s.Selector.Kind), values.Quote(s.Selector.Name))
		if s.Selector.Namespace != "" {
			fmt.Fprintf(&b, "      namespace: %s\n", values.Quote(s.Selector.Namespace))
		}
		fmt.Fprintf(&b, "    path: %s\n    schema:\n", values.Quote(s.Path))
		for j := range s.Setters {
			s.Setters[j].write(&b)
		}
	}
	return b.String(), nil
}
