// Package palette reads cluster profiles that Palette exported, and writes them.
//
// # The data
//
// An exported profile has a list of packs, each with its values as one string:
//
//	{"metadata": {"name": "edge"},
//	 "spec": {"version": "1.0.0", "template": {"type": "cluster", "packs": [
//	   {"name": "vault", "tag": "0.6.0", "values": "server:\n  replicas: 3\n"}]}}}
//
// [Read] makes the spec of a ClusterProfile of it, which refers to a resource for each pack. [Profile.Node] is that
// resource, and [Export] is the way back:
//
//	kind: ClusterProfile
//	spec:
//	  version: 1.0.0
//	  type: cluster
//	  packs:
//	  - {name: vault, packRef: {name: vault}, tag: 0.6.0}
//
// place.go finds the place of a finding about the resources in the file of the profile. The packs themselves are in
// pack directories, which package transfer joins with their values.
package palette

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/layout"
	"github.com/krm-packs/functions/pkg/values"
)

// Profile is a cluster profile to import into a package.
type Profile struct {
	// Path is the file that contains the profile.
	Path string
	// Name is the name of the profile.
	Name string
	// Text is the text of the profile.
	Text []byte
	// Packs are the entries of spec.packs of the ClusterProfile.
	Packs []Pack
	// Resource is the name of the ClusterProfile.
	Resource string
	// document is the profile in the format that Palette exports:
	//
	//	{"metadata": {"name": "edge"},
	//	 "spec": {"version": "1.0.0", "template": {"type": "cluster", "packs": [{"name": "vault", …}]}}}
	document *values.Document
	// spec is the spec of the ClusterProfile.
	spec *yaml.Node
	// placed is the document parsed with positions inside its strings. texts converts positions
	// in a string to positions in the file, by the node of the string.
	placed *values.Document
	texts  map[*yaml.Node]func(diag.Position) (diag.Position, bool)
	trees  place.Trees
	// origin is the origin of the document, or nil for a file that Palette exported.
	origin Origin
}

// Origin locates the fields of a profile's document that was generated from other files, for
// example from Terraform.
type Origin interface {
	// Place converts a position in the values of a pack to a file and a position in that file. ok
	// is false if the position has no origin in a file. The column is 0 if only the line is
	// known.
	Place(pack int, at diag.Position) (file string, in diag.Position, ok bool)
	// HasLines reports whether the lines of the values of a pack are lines of a file.
	HasLines(pack int) bool
	// Field converts a path in the document to a path in the file of origin.
	Field(path string) string
	// IsUnknown reports whether the document is incomplete at a path.
	IsUnknown(path string) bool
}

// Fault is an error at a position in the file of a profile.
type Fault struct {
	// Path is the file, At the position in it, zero if it is unknown, and What the message.
	Path string
	At   diag.Position
	What string
}

// Error returns the fault with its place, such as `edge.json:3:5: …`.
func (f *Fault) Error() string {
	if f.At.Line == 0 {
		return f.Path + ": " + f.What
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.Path, f.At.Line, f.At.Column, f.What)
}

// Pack is a pack in a profile.
type Pack struct {
	// Entry is the entry of the pack in spec.packs.
	Entry *yaml.Node
	// Values are the values for the pack in the profile, or nil if there are none.
	Values *yaml.Node
	// Resource is the name of the resource of the pack.
	Resource string
}

// Field returns the text of a field of the entry, such as its version.
func (p *Pack) Field(name string) string { return values.Text(values.Field(p.Entry, name)) }

// Is reports whether a JSON text is a cluster profile that Palette exported, possibly a
// damaged one, and not a resource.
//
//	{"metadata": {"name": "edge"}, "spec": {"template": {"packs": [{"name": "vault", "tag": "0.6.0"}]}}}
func Is(text []byte) bool {
	document, err := values.ParseJSON(string(text))
	if err != nil {
		return bytes.Contains(text, []byte(`"template"`)) && bytes.Contains(text, []byte(`"packs"`))
	}
	root := document.Root()
	return values.Field(root, "spec", "template", "packs") != nil || root.Kind == yaml.MappingNode && values.Field(root, "kind") == nil && values.Field(root, "apiVersion") == nil
}

// IsCertain reports whether a JSON text is certainly a cluster profile that Palette exported. It
// is for files that the user did not name.
func IsCertain(text []byte) bool {
	document, err := values.ParseJSON(string(text))
	return err == nil && values.Field(document.Root(), "spec", "template", "packs") != nil && values.Field(document.Root(), "metadata") != nil
}

// Read parses a cluster profile that Palette exported. The error contains a line for each
// fault, with its location.
func Read(path string, text []byte) (*Profile, error) {
	document, err := values.ParseJSON(string(text))
	if err != nil {
		what, at := err.Error(), diag.Position{}
		if fault, ok := errors.AsType[*values.SyntaxError](err); ok {
			what, at = fault.Where()
		}
		return nil, faultAt(path, at, what)
	}
	for _, d := range document.Duplicates() {
		return nil, faultAt(path, d.Second, layout.Duplicate(d))
	}
	return (&Profile{Path: path, Text: text, document: document}).read()
}

// faultAt returns a Fault as an error.
func faultAt(path string, at diag.Position, what string) error { return &Fault{path, at, what} }

// New returns the profile of a document in the format that Palette exports, which was
// generated from other files. The positions of its nodes are positions in the file at path.
func New(path string, document *values.Document, origin Origin) (*Profile, error) {
	text, err := layout.JSON(document.Root())
	if err != nil {
		return nil, err
	}
	return (&Profile{Path: path, Text: text, document: document, placed: document, origin: origin}).read()
}

// maxPacks is the maximum number of packs in a profile, because each becomes a resource that
// takes many times the memory of its entry.
const maxPacks = 10_000

// read builds the profile from its document.
func (p *Profile) read() (*Profile, error) {
	root, path := p.document.Root(), p.Path
	for _, want := range []struct {
		keys []string
		kind yaml.Kind
	}{
		{nil, yaml.MappingNode}, {[]string{"metadata"}, yaml.MappingNode}, {[]string{"metadata", "name"}, yaml.ScalarNode},
		{[]string{"spec"}, yaml.MappingNode}, {[]string{"spec", "template"}, yaml.MappingNode}, {[]string{"spec", "template", "packs"}, yaml.SequenceNode},
	} {
		n, what := values.Field(root, want.keys...), strings.Join(want.keys, ".")
		if len(want.keys) == 0 {
			n, what = root, "object"
		}
		if n == nil || n.Kind != want.kind || n.Kind == yaml.ScalarNode && n.Value == "" {
			at := diag.Position{}
			if n != nil {
				at = values.At(n)
			}
			return nil, faultAt(path, at, fmt.Sprintf("not a cluster profile that Palette exported: it has no %s; export the profile again, in Palette or with its API", what))
		}
	}
	if packs := values.Field(root, "spec", "template", "packs"); len(packs.Content) > maxPacks {
		return nil, faultAt(path, values.At(packs), fmt.Sprintf("the profile has %d packs, above the limit of %d; split it into several profiles", len(packs.Content), maxPacks))
	}
	p.Name = values.Text(values.Field(root, "metadata", "name"))
	var faults []error
	p.build(func(n *yaml.Node, what string) { faults = append(faults, faultAt(path, values.At(n), what)) })
	if len(faults) == 0 {
		p.nameResources()
		faults = p.validate()
	}
	return p, errors.Join(faults...)
}

// parts are the mappings of an exported profile, with their fields that become fields of a
// ClusterProfile, in the order of the ClusterProfile.
var parts = []struct{ keys, fields []string }{
	{[]string{"metadata"}, []string{"name", "description", "labels"}},
	{[]string{"spec"}, []string{"version"}},
	{[]string{"spec", "template"}, []string{"type", "cloudType", "packs"}},
	{[]string{"spec"}, []string{"variables"}},
}

// packFields are the fields that a ClusterProfile adds to the entry of a pack.
var packFields = []string{"packRef", "ownValues", "lineEnds"}

// build builds the spec of the ClusterProfile:
//
//	spec:
//	  version: 1.0.0
//	  type: cluster
//	  packs:
//	  - {name: vault, packRef: {name: vault}, …}
func (p *Profile) build(fault func(*yaml.Node, string)) {
	rest := layout.Block(p.document.Root())
	p.spec = layout.Map()
	for _, part := range parts {
		from := values.Field(rest, part.keys...)
		for _, name := range part.fields {
			n := values.Field(from, name)
			if n == nil {
				continue
			}
			if layout.Remove(from, name); name == "packs" {
				for _, entry := range n.Content {
					p.pack(entry, fault)
				}
			}
			p.spec.Content = append(p.spec.Content, layout.Text(name), n)
		}
	}
	for _, part := range slices.Backward(parts) { // the innermost first
		if from := values.Field(rest, part.keys...); from != nil && len(from.Content) == 0 {
			layout.Remove(values.Field(rest, part.keys[:len(part.keys)-1]...), part.keys[len(part.keys)-1])
		}
	}
	if len(rest.Content) > 0 {
		p.spec.Content = append(p.spec.Content, layout.Text("document"), rest)
	}
}

// pack converts an entry of spec.template.packs to an entry of spec.packs.
func (p *Profile) pack(entry *yaml.Node, fault func(*yaml.Node, string)) {
	if entry.Kind != yaml.MappingNode || values.Text(values.Field(entry, "name")) == "" {
		fault(entry, "spec.template.packs: an entry is not a pack, because it has no name")
		return
	}
	for _, name := range packFields {
		if n := values.Field(entry, name); n != nil {
			fault(n, fmt.Sprintf("spec.template.packs: the field %q of a pack cannot be kept, because a ClusterProfile uses it; remove it", name))
			return
		}
	}
	one := Pack{Entry: entry}
	if n := values.Field(entry, "values"); !values.IsNull(n) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
			fault(n, fmt.Sprintf("spec.template.packs: the values of %s: must be a string, got %s", one.Field("name"), values.KindOf(n)))
			return
		}
		one.Values = n
		layout.Remove(entry, "values")
	}
	flattenRegistry(entry)
	p.Packs = append(p.Packs, one)
}

// flattenRegistry moves the fields of registry.metadata to registry, and the other fields of
// registry to registry.beside:
//
//	registry: {metadata: {uid: 5e}, kind: helm}
//	registry: {uid: 5e, beside: {kind: helm}}
func flattenRegistry(entry *yaml.Node) {
	registry := values.Field(entry, "registry")
	if registry == nil || registry.Kind != yaml.MappingNode || len(registry.Content) == 0 {
		return
	}
	flat, beside := layout.Map(), layout.Clone(registry)
	if metadata := values.Field(registry, "metadata"); metadata != nil && metadata.Kind == yaml.MappingNode && len(metadata.Content) > 0 && values.Field(metadata, "beside") == nil {
		flat = metadata
		layout.Remove(beside, "metadata")
	}
	if len(beside.Content) > 0 {
		flat.Content = append(flat.Content, layout.Text("beside"), beside)
	}
	*registry = *flat
}

// nameResources sets the resource names of the ClusterProfile and its packs. Packs with the same
// name get the name `<display-name>--<name>`.
func (p *Profile) nameResources() {
	count, taken := map[string]int{}, map[string]bool{}
	last := map[string]int{} // the last number used for a name, where the search continues
	for i := range p.Packs {
		count[kptpackage.ResourceName(p.Packs[i].Field("name"))]++
	}
	free := func(name string) string {
		unique := name
		for n := max(last[name], 1) + 1; taken[unique]; n++ {
			unique, last[name] = fmt.Sprintf("%s-%d", name, n), n
		}
		taken[unique] = true
		return unique
	}
	for i := range p.Packs {
		one := &p.Packs[i]
		name := kptpackage.ResourceName(one.Field("name"))
		if display := kptpackage.ResourceName(one.displayName()); count[name] > 1 && display != "" {
			name = display + "--" + name
		}
		if name == "" {
			name = "pack"
		}
		one.Resource = free(name)
		reference := layout.Map("name", layout.Text(one.Resource))
		after := slices.IndexFunc(one.Entry.Content, func(n *yaml.Node) bool { return n.Value == "name" }) + 2
		one.Entry.Content = slices.Insert(one.Entry.Content, after, layout.Text("packRef"), reference)
	}
	name := kptpackage.ResourceName(p.Name)
	if name == "" || taken[name] {
		name = strings.TrimPrefix(name+"-profile", "-")
	}
	p.Resource = free(name)
}

// displayName returns the display name in the values of a pack, or "" if there is none.
func (one *Pack) displayName() string {
	if one.Values == nil {
		return ""
	}
	document, err := values.Parse(one.Values.Value)
	if err != nil {
		return ""
	}
	return values.Text(values.Field(document.Root(), "pack", "spectrocloud.com/display-name"))
}

// validate returns the faults of the ClusterProfile, with their positions in the file.
func (p *Profile) validate() (faults []error) {
	var spec pack.ClusterProfile
	for _, f := range decode.Node(p.spec, "spec", &spec) {
		faults = append(faults, faultAt(p.Path, f.Position, p.exportedPath(f.Key)+": "+f.Message()))
	}
	first := map[string]int{}
	for i, v := range spec.Variables {
		if before, ok := first[v.Name]; ok && v.Name != "" {
			n := values.Follow(p.spec, []values.Step{values.Key("variables"), values.Element(i), values.Key("name")})
			faults = append(faults, faultAt(p.Path, values.At(n), fmt.Sprintf("%s: the variable %q is also defined in variables[%d]; remove one, or rename it", p.exportedPath(fmt.Sprintf("spec.variables[%d].name", i)), v.Name, before)))
			continue
		}
		first[v.Name] = i
	}
	return faults
}

// exportedPath converts a path in a ClusterProfile to a path in the profile's file.
func (p *Profile) exportedPath(path string) string {
	path = exportedPath(path)
	if p.origin != nil {
		return p.origin.Field(path)
	}
	return path
}

// exportedPath converts a path in a ClusterProfile to a path in an exported profile.
func exportedPath(path string) string {
	rest, ok := strings.CutPrefix(path, "spec.")
	if !ok {
		return path
	}
	if inside, ok := strings.CutPrefix(rest, "document"); ok {
		return strings.TrimPrefix(inside, ".")
	}
	name := rest
	if at := strings.IndexAny(rest, ".["); at >= 0 {
		name = rest[:at]
	}
	for _, part := range parts {
		if slices.Contains(part.fields, name) {
			rest = strings.Replace(rest, ".registry.", ".registry.metadata.", 1)
			return strings.Join(part.keys, ".") + "." + rest
		}
	}
	return path
}
