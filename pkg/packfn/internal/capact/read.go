package capact

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/place"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// File is a file whose documents of Capact are read as resources.
type File struct {
	// Items are the resources: the other ones of the file as they are.
	Items []*list.Item
	// Faults are what is wrong with documents as Capact's own files. Those that nothing can be
	// made of are not among the items.
	Faults []diag.Finding
	// Left are the kinds of the manifests that no resource is made of.
	Left []string
	// sources are the documents by the indexes of their items.
	sources map[int]source
}

// source is a document that is read as a resource.
type source struct {
	// item is the document, and form what it is.
	item *list.Item
	form Form
	// at is the path of the document in the one of the file: [2] in a list.
	at string
}

// leftKinds are the kinds that no resource is made of: they say nothing about what is selected.
var leftKinds = []string{"RepoMetadata", "Vendor"}

// LeftOut returns the note about manifests that do not become resources: their number and kinds.
func LeftOut(kinds []string) string {
	slices.Sort(kinds)
	return fmt.Sprintf("left out: %s of Capact that nothing of a selection depends on (%s)", diag.Count(len(kinds), "manifest"), strings.Join(slices.Compact(slices.Clone(kinds)), ", "))
}

// Read parses the documents of a file. scope is the scope of its policies. Items keep their
// parsed documents as far as room allows.
func Read(text []byte, file, scope string, room *list.Room) *File {
	f := &File{Items: list.Flat(text, file, room), sources: map[int]source{}}
	if !mentions(text) {
		return f
	}
	made := map[*list.Item]source{}
	base := kptpackage.ResourceName(strings.TrimSuffix(path.Base(file), path.Ext(file)))
	f.Items = list.Flatten(f.Items, func(item *list.Item) (all []*list.Item, ok bool) {
		add := func(from *list.Item, s source, as func(*values.Document) *yaml.Node) {
			s.item = from
			one := from.As(as, room)
			made[one] = s
			all = append(all, one)
		}
		switch form := formOf(item); form {
		case None:
			return nil, false
		case Manifest:
			if slices.Contains(leftKinds, item.Kind()) {
				f.Left = append(f.Left, item.Kind())
				return nil, true
			}
			add(item, source{form: form}, asManifest)
		case Policy:
			name := base
			if n := item.Resource().Index; n > 0 || name == "" {
				name = strings.TrimPrefix(fmt.Sprintf("%s-%d", base, n+1), "-")
			}
			add(item, source{form: form}, func(d *values.Document) *yaml.Node { return asPolicy(d.Root(), name, scope) })
		case Instance:
			add(item, source{form: form}, asInstance)
		case Instances:
			document, err := values.Parse(string(item.Text()))
			if err != nil {
				return nil, false
			}
			for at := range document.Root().Content {
				if one := item.Element(document, document.Root(), at, nil); one != nil {
					add(one, source{form: Instance, at: fmt.Sprintf("[%d]", at)}, asInstance)
				}
			}
		}
		return all, true
	})
	for i, item := range f.Items {
		if s, ok := made[item]; ok {
			f.sources[i] = s
			f.check(item, s)
		}
	}
	return f
}

// check reports what the resource of a document does not show.
func (f *File) check(item *list.Item, s source) {
	document, err := values.Parse(string(s.item.Text()))
	if err != nil {
		return
	}
	add := func(path string, at diag.Position, fault diag.Finding) {
		f.Faults = append(f.Faults, fault.In(diag.Whole(item.Resource()), diag.Join(s.at, path), at).Of(rule.PolicyInvalid))
	}
	root := document.Root()
	if s.form == Manifest { // the names that decide what is selected, and become others
		for _, slip := range slices.Concat(decode.Misspelt(root, "", "revision", "kind", "metadata", "spec"), decode.Misspelt(values.Field(root, "metadata"), "metadata", "prefix", "name", "attributes")) {
			add(slip.Key, slip.Position, slip)
		}
	}
	if s.form == Policy && values.Field(root, "rules") != nil && values.Field(root, "interface") != nil {
		_, key := place.Find(root, "rules")
		add("rules", values.At(key), diag.Say("the policy has rules for Interfaces in both forms, rules and interface.rules").Do("move all of them to interface.rules"))
	}
	for _, d := range document.Duplicates() {
		if s.form == Manifest && !isBelow(d.Path, "spec") && !isBelow(d.Path, "metadata.attributes") { // else their reader reports them
			add(d.Path, d.Second, diag.Duplicate(d.First, d.Second))
		}
	}
}

// isBelow reports whether a path is below a field, and not the field itself.
func isBelow(path, field string) bool {
	return diag.Overlap(path, field) && len(path) > len(field)
}

// Is reports whether an item is of a document of Capact.
func (f *File) Is(index int) bool { return f.sources[index].form != None }

// IsPolicy reports whether an item is of a policy.
func (f *File) IsPolicy(index int) bool { return f.sources[index].form == Policy }

// Original returns the path of a field of a resource in the file, and the position of its key in
// the text of the resource, or the position of the nearest existing parent.
func (f *File) Original(index int, path string) (original string, at diag.Position) {
	s := f.sources[index]
	document, err := values.Parse(string(s.item.Text()))
	if err != nil {
		return path, diag.Position{}
	}
	root := document.Root()
	path = s.original(root, path)
	at = values.At(root)
	for look := path; look != ""; look = look[:max(0, strings.LastIndexAny(look, ".["))] {
		if n, key := place.Find(root, look); key != nil {
			at = values.At(key)
		} else if n != nil {
			at = values.At(n)
		} else {
			continue
		}
		break
	}
	if path == "" {
		return s.at, at
	}
	return diag.Join(s.at, path), at
}

// original returns the path in a document of a field of its resource.
func (s source) original(root *yaml.Node, path string) string {
	below, isSpec := "", false
	if below, isSpec = strings.CutPrefix(path, "spec."); !isSpec {
		if s.form != Manifest && (path == "spec" || strings.HasPrefix(path, "metadata") || path == "apiVersion" || path == "kind") {
			return ""
		}
		return path
	}
	switch {
	case s.form == Manifest && below == "path":
		prefix := values.Text(values.Field(root, "metadata", "prefix"))
		if name := values.Text(values.Field(root, "metadata", "name")); prefix != "" && (name == "" || len(manifest.CheckPath(prefix)) == 0) {
			return "metadata.name"
		}
		return "metadata.prefix"
	case s.form == Manifest && below == "revision":
		return below
	case s.form == Manifest && diag.Overlap("attributes", below):
		return "metadata." + below
	case s.form == Manifest:
		return path
	case s.form == Instance && values.Field(root, "ocfVersion") != nil && below == "id":
		return "metadata.id"
	case s.form == Instance && values.Field(root, "ocfVersion") != nil:
		return path
	case s.form == Policy && below == "scope" && values.Field(root, "scope") == nil:
		return ""
	}
	if rules, ok := strings.CutPrefix(below, "interface."); ok && values.Field(root, "interface") == nil {
		if root.Kind == yaml.SequenceNode {
			return strings.TrimPrefix(rules, "rules")
		}
		return rules
	}
	return below
}
