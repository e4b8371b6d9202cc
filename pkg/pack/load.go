package pack

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Group is the API group of the content kinds, and GroupVersion the version that
// is read.
const (
	Group        = "packs.kpt.dev"
	GroupVersion = Group + "/v1alpha1"
)

// ValuesOfAnnotation makes a ConfigMap with the key values.yaml an override for
// the pack that it names.
const ValuesOfAnnotation = Group + "/values-of"

// kinds are the content kinds of the group.
var kinds = []string{PackKind, PackValuesKind, ClusterContextKind, ClusterProfileKind}

// The kinds that this package reads.
const (
	PackKind           = "Pack"
	PackValuesKind     = "PackValues"
	ClusterContextKind = "ClusterContext"
	ClusterProfileKind = "ClusterProfile"
)

// NoPacks explains why a function of packs had nothing to do.
const NoPacks = "the package has no packs: a pack is a ConfigMap with the key pack.json, or a Pack (" + GroupVersion + "); if there is one, check the function's selectors"

// Choice is the field `packs` of functionConfigs. Config structs embed it.
type Choice struct {
	// Packs are the names of the packs to work on.
	Packs []string `json:"packs" absent:"all packs"`
}

// Run is a run that packs are loaded for, as *function.Run is one: its resources, its
// findings, and its configuration.
type Run interface {
	// Items returns the resources to read.
	Items() []*list.Item
	// Report records findings.
	Report(...diag.Finding)
	// Guard calls work, which is about one resource, and reports a panic in it.
	Guard(resource diag.Resource, work func())
	// ConfigInvalid reports a fault of the configuration; its key is the path in it.
	ConfigInvalid(diag.Finding)
	// ConfigPath returns the path of a field of the configuration.
	ConfigPath(field string) string
	// Skip reports that the configuration excludes a resource.
	Skip(resource diag.Resource)
}

// Set has the packs of a run.
type Set struct {
	// Packs are all packs, in the order of the items.
	Packs []*Pack
	// Items are the items that Packs were read from.
	Items map[*list.Item]bool
	// Chosen are the packs that the functionConfig chooses.
	Chosen []*Pack
	// Waiting are the packs whose content is still to be injected: only their names, which
	// the placeholders tell, their resources and their points are known. A missing pack
	// may be one of them.
	Waiting []*Pack
	// Profiles are the ClusterProfiles that could be read.
	Profiles []*Profile
	// Unread reports whether a pack could not be read, which was reported. A missing pack may be
	// that one.
	Unread bool
	// distinct are the names of the packs, once they were asked for.
	distinct []string
}

// Wants reports whether an item is, or may be, a pack or values for one. It also reports true
// for items whose kind, group or file name is misspelt, because Load reports these.
func Wants(item *list.Item) bool {
	var wanted bool
	if IsConfigMap(item) {
		wanted = item.Annotation(ValuesOfAnnotation) != "" || MayHaveFile(item, metadataFile)
	} else {
		wanted = isGroup(item.APIVersion()) && !IsCluster(item)
	}
	return wanted && !InCluster(item)
}

// InCluster reports whether an item represents an object in a cluster.
func InCluster(item *list.Item) bool { return item.Annotation(injection.SourceAnnotation) == "cluster" }

// Holds reports whether an item with its document is a pack or values for one. Call it for
// items for which Wants reports true, once they are parsed.
func Holds(item *list.Item, document *values.Document) bool {
	if !IsConfigMap(item) {
		return isGroup(item.APIVersion())
	}
	return hasFile(document, metadataFile) || item.Annotation(ValuesOfAnnotation) != ""
}

// Load reads the packs and overrides among the wanted items of a run. It reports
// those that cannot be read and loads the others. A name in choice that no pack has
// is a fault of the configuration.
//
// Each of visit is called with every pack and its metadata when the pack is read: the
// metadata is then not parsed a second time, and not kept either.
func Load(run Run, choice Choice, visit ...func(p *Pack, metadata *yaml.Node)) *Set {
	l := &loader{run: run, injection: injection.NewReader(run), set: &Set{Items: map[*list.Item]bool{}}, visit: visit, points: map[string][]Point{}}
	for _, item := range run.Items() {
		if Wants(item) {
			run.Guard(item.Resource(), func() { l.item(item) })
		}
	}
	l.assign()
	l.assignPoints()
	l.assignProfiles()
	l.choose(choice)
	return l.set
}

// loader reads the packs and overrides of a run.
type loader struct {
	// run is the run, and injection tells which of its resources are pending.
	run       Run
	injection *injection.Reader
	status    injection.Status // of the current item
	set       *Set
	// visit is called with each pack and its metadata, while these are parsed.
	visit []func(*Pack, *yaml.Node)
	// overrides are the overrides of all packs.
	overrides []*Override
	// unread are the packs with an override that cannot be read.
	unread []string
	// points are the points among the overrides, by the packs that these are for.
	points map[string][]Point
	// current is the item that is being read; sources remember it.
	current *list.Item
}

// item reads a resource as a pack or an override.
func (l *loader) item(item *list.Item) {
	resource := item.Resource()
	l.current = item
	document, err := item.Document()
	if err != nil {
		l.invalid(diag.Unreadable(err).From(diag.Whole(resource)))
		l.set.Unread = true
		return
	}
	l.status = l.injection.Of(item)
	before := len(l.set.Packs) + len(l.set.Waiting)
	var isPack bool
	switch {
	case IsConfigMap(item):
		isPack = l.configMap(item, resource, document)
	case !slices.Contains(kinds, item.Kind()):
		f := diag.GotName(item.Kind(), kinds).About(resource, "kind")
		f.Accepted = diag.OneOf(kinds) + ", the kinds of " + GroupVersion
		l.invalid(f)
		isPack = f.Nearest == PackKind
	case item.APIVersion() != GroupVersion:
		f := diag.GotText(item.APIVersion(), GroupVersion)
		if !strings.HasPrefix(item.APIVersion(), Group) {
			f = f.Meant(item.APIVersion(), GroupVersion, nil)
		}
		l.invalid(f.About(resource, "apiVersion"))
		isPack = item.Kind() == PackKind
	case item.Kind() == PackKind:
		l.pack(resource, document)
		isPack = true
	case item.Kind() == PackValuesKind:
		l.packValues(resource, document)
	default: // a ClusterContext is read by LoadCluster
		l.profile(resource, document)
	}
	if isPack && len(l.set.Packs)+len(l.set.Waiting) == before {
		l.set.Unread = true
	}
}

// add adds a pack that was read.
func (l *loader) add(p *Pack, metadata *yaml.Node) {
	p.Imported = l.current.Annotation(ImportedAnnotation)
	if l.status.Doubt != nil {
		p.Points = append(p.Points, Point{Status: l.status})
	}
	l.set.Packs, l.set.Items[l.current] = append(l.set.Packs, p), true
	for _, visit := range l.visit {
		visit(p, metadata)
	}
}

// assign gives every override to all packs of its name.
func (l *loader) assign() {
	slices.SortStableFunc(l.overrides, func(a, b *Override) int {
		return cmp.Or(
			cmp.Compare(a.Scope.order(), b.Scope.order()),
			cmp.Compare(a.Values.Resource.Name, b.Values.Resource.Name),
			cmp.Compare(a.Values.Resource.Namespace, b.Values.Resource.Namespace),
			cmp.Compare(a.Values.Resource.File, b.Values.Resource.File),
			cmp.Compare(a.Values.Resource.Index, b.Values.Resource.Index),
		)
	})
	byName := map[string][]*Pack{}
	for _, p := range l.set.Packs {
		byName[p.Name] = append(byName[p.Name], p)
	}
	for _, name := range l.unread {
		for _, p := range byName[name] {
			p.lacksOverride = true
		}
	}
	for _, o := range l.overrides {
		for _, p := range byName[o.Pack] {
			p.Overrides = append(p.Overrides, o)
		}
		if len(byName[o.Pack]) == 0 && len(l.set.Waiting) == 0 { // else it may be one of those
			field := "spec.packRef.name"
			if o.Values.Resource.Kind == "ConfigMap" {
				field = "metadata.annotations[" + ValuesOfAnnotation + "]"
			}
			l.invalid(l.set.NotFound(o.Pack).About(o.Values.Resource, field))
		}
	}
}

// Skip reports to a run that its configuration excludes the pack and its overrides.
func (p *Pack) Skip(run Run) {
	run.Skip(p.Resource)
	for _, o := range p.Overrides {
		run.Skip(o.Values.Resource)
	}
}

// FixUnread is the advice for a pack that is not found where another one cannot be read.
const FixUnread = "a pack that cannot be read may be it: fix that error first"

// NotFound makes a finding of a name that no pack of the set has.
func (s *Set) NotFound(name string) diag.Finding {
	f := diag.NotFound("pack", name, s.names())
	if s.Unread && f.Nearest == "" {
		f = f.Do(FixUnread)
	}
	return f
}

// order returns the place of a scope: profile, then cluster.
func (s Scope) order() int {
	if s == ScopeCluster {
		return 1
	}
	return 0
}

// names returns the names of the packs.
func (s *Set) names() []string {
	if s.distinct == nil {
		seen := map[string]bool{}
		for _, p := range s.Packs {
			if !seen[p.Name] {
				seen[p.Name] = true
				s.distinct = append(s.distinct, p.Name)
			}
		}
	}
	return s.distinct
}

// choose notes which packs the functionConfig chooses, and reports names that no pack has.
func (l *loader) choose(choice Choice) {
	if len(choice.Packs) == 0 {
		l.set.Chosen = l.set.Packs
		return
	}
	known, chosen := map[string]bool{}, map[string]bool{}
	for _, name := range l.set.names() {
		known[name] = true
	}
	for i, name := range choice.Packs {
		chosen[name] = true
		if !known[name] && len(l.set.Waiting) == 0 {
			path := l.run.ConfigPath("packs")
			if strings.HasPrefix(path, "spec.") {
				path = fmt.Sprintf("%s[%d]", path, i)
			}
			l.run.ConfigInvalid(l.set.NotFound(name).At(path, diag.Position{}))
		}
	}
	for _, p := range l.set.Packs {
		if chosen[p.Name] {
			l.set.Chosen = append(l.set.Chosen, p)
		} else {
			p.Skip(l.run)
		}
	}
}

// invalid reports findings as input/invalid, and whether there are any.
func (l *loader) invalid(findings ...diag.Finding) bool {
	for _, f := range findings {
		l.run.Report(f.Of(rule.InputInvalid))
	}
	return len(findings) > 0
}

// decode reads a resource strictly, and reports its faults and whether there are
// any.
func (l *loader) decode(resource diag.Resource, document *values.Document, out any) bool {
	origin := diag.Whole(resource)
	findings := decode.Node(document.Root(), "", out)
	for i := range findings {
		findings[i].Origin = origin
	}
	l.ambiguous(resource, document.Root(), "", out)
	return l.invalid(findings...)
}

// ambiguous reports what an API server reads otherwise of a resource, at a path in it.
func (l *loader) ambiguous(resource diag.Resource, n *yaml.Node, path string, out any) {
	for f := range decode.Ambiguous(n, path, out) {
		l.run.Report(f.From(diag.Whole(resource)))
	}
}

// duplicates reports duplicate keys of a resource below some of its fields, all
// of it when none are named. Those below one of the fields in except are left
// out: they have rules of their own.
func (l *loader) duplicates(resource diag.Resource, document *values.Document, fields []string, except ...string) {
	below := func(path string, fields []string) bool {
		return slices.ContainsFunc(fields, func(field string) bool { return strings.HasPrefix(path, field+".") })
	}
	for f := range Duplicates(document.From(diag.Whole(resource))) {
		if (len(fields) == 0 || below(f.Key, fields)) && !below(f.Key, except) {
			if key, ok := strings.CutPrefix(f.Key, "data."); ok {
				f.Key = "data[" + key + "]"
			}
			l.invalid(f)
		}
	}
}

// wantText returns the text of a key of a ConfigMap's data, or nil if it is absent, and reports it
// when it is not text.
func (l *loader) wantText(resource diag.Resource, document *values.Document, data *yaml.Node, key string) *Source {
	n := values.Field(data, key)
	if values.IsNull(n) {
		return nil
	}
	field := "data[" + key + "]"
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!str" {
		l.invalid(diag.Got(values.KindOf(n), "a string with the content of a file").Do("write it as a block: "+key+": |").About(resource, field))
		return nil
	}
	return l.source(resource, key, field, document, n, "data", key)
}

// source makes the source of a node at keys of the current item.
func (l *loader) source(resource diag.Resource, name, field string, document *values.Document, n *yaml.Node, keys ...string) *Source {
	s := NewSource(resource, name, field, document, n)
	s.item, s.keys = l.current, keys
	return s
}
