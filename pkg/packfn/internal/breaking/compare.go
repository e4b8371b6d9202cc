package breaking

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/distribution/reference"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

const (
	crdKind         = "CustomResourceDefinition"
	crdGroup        = "apiextensions.k8s.io"
	claimKind       = "PersistentVolumeClaim"
	statefulSetKind = "StatefulSet"
)

// Change is a finding about a change. Its rule, severity and sentences are set, its place is not.
type Change struct {
	diag.Finding
	// Before and After are the object before and after the change, or nil if there is none. If the object goes
	// and another one comes in its place, After is the other one.
	Before, After *Object
	// Path is the field that changes, or nil if it is the whole object.
	Path []string
}

// Of returns the object that the change is about: the object as it becomes, or as it was if it goes.
func (c *Change) Of() *Object {
	if c.After != nil {
		return c.After
	}
	return c.Before
}

// Side is what a package deploys at one time.
type Side struct {
	Objects []*Object
	// Kubernetes is the version of the cluster, such as 1.33.2, or "" if it is unknown.
	Kubernetes string
	// Unknown are the packs and releases of which not all objects are known, because a chart fails or is not at
	// hand. Nothing of them is compared.
	Unknown map[Deployer]bool
}

// Compare returns the changes from before to after that a cluster refuses, or that delete data or stop a
// workload, in the order of the objects.
func Compare(before, after Side) []Change {
	unknown := func(o *Object) bool { return before.Unknown[o.Deployer] || after.Unknown[o.Deployer] }
	c := &comparison{before: indexed(before.Objects, unknown), after: indexed(after.Objects, unknown), kubernetes: after.Kubernetes, unknown: after.Unknown, coming: map[ID]map[string]bool{}, created: map[Deployer]*onlyCreated{}}
	c.crds = c.served()
	for _, old := range c.before.objects {
		switch next := c.after.known[old.key()]; {
		case next != nil && isMoved(old, next):
			c.removed(old, next)
		case next != nil:
			c.changed(old, next)
		case old.IsOnlyCreated:
			c.setOnlyCreated(old, nil)
		default:
			c.removed(old, nil)
		}
	}
	for _, next := range c.after.objects {
		if next.IsOnlyCreated && c.before.known[next.key()] == nil && c.before.deployers[next.Deployer] {
			c.setOnlyCreated(nil, next)
		}
		c.api(next)
	}
	c.renamed()
	c.reportOnlyCreated()
	slices.SortStableFunc(c.changes, func(a, b Change) int {
		x, y := a.Of(), b.Of()
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.String(), y.String()), cmp.Compare(a.Rule.ID, b.Rule.ID), slices.Compare(a.Path, b.Path))
	})
	return c.changes
}

// objects are objects by what identifies them. Of two with the same identity the last one counts, as it is the
// last that is applied.
type objects struct {
	objects []*Object
	known   map[ID]*Object
	// deployers are the packs and releases that deploy them.
	deployers map[Deployer]bool
	// retaining are the StorageClasses whose volumes are kept.
	retaining map[string]bool
}

func indexed(all []*Object, isUnknown func(*Object) bool) objects {
	o := objects{known: map[ID]*Object{}, deployers: map[Deployer]bool{}, retaining: map[string]bool{}}
	for _, one := range all {
		if !isUnknown(one) {
			o.known[one.key()] = one
		}
	}
	for _, one := range all {
		if o.known[one.key()] != one {
			continue
		}
		o.objects, o.deployers[one.Deployer] = append(o.objects, one), true
		if one.Kind == "StorageClass" && one.text("reclaimPolicy") == "Retain" {
			o.retaining[one.Name] = true
		}
	}
	return o
}

// comparison is the state of [Compare].
type comparison struct {
	before, after objects
	kubernetes    string
	// unknown are the packs and releases after the change of which not all objects are known.
	unknown map[Deployer]bool
	// crds are the versions that the CustomResourceDefinitions of after serve, by group and kind.
	crds map[ID][]string
	// coming are the versions that CustomResourceDefinitions in folders crds would serve, if somebody applied them.
	coming map[ID]map[string]bool
	// created are the CustomResourceDefinitions that Helm only creates, by their packs and releases.
	created map[Deployer]*onlyCreated
	changes []Change
}

func (c *comparison) add(r diag.Rule, f diag.Finding, before, after *Object, path ...string) {
	c.changes = append(c.changes, Change{Finding: f.Of(r), Before: before, After: after, Path: path})
}

// isMoved reports whether Helm deletes an object although another pack or release deploys it after the change, or the folder
// crds of a chart has it, from which Helm creates nothing in an upgrade.
func isMoved(before, after *Object) bool {
	return before.IsHelm && !before.IsOnlyCreated && (after.IsOnlyCreated || after.Deployer.Name != before.Deployer.Name)
}

// changed compares two versions of an object.
func (c *comparison) changed(before, after *Object) {
	if after.IsOnlyCreated {
		if !values.Equal(before.Root, after.Root) {
			c.setOnlyCreated(before, after)
		}
		return
	}
	c.storedVersions(before, after)
	c.claimTemplates(before, after)
	for _, f := range Immutable(before.key().Group, before.Kind, before.Root, after.Root) {
		c.immutable(before, after, f)
	}
}

// immutable reports a field that the API server refuses to change.
func (c *comparison) immutable(before, after *Object, f Field) {
	old, next := shownValue(before, after, f)
	finding := diag.Say("must stay as it is, because the API server refuses to change it")
	switch {
	case old != "" && next != "":
		finding = diag.Say("must stay %s, because the API server refuses to change it, got %s", old, next)
	case f.Before == nil && f.After == nil: // the API server takes it from another field
	case f.Before == nil:
		finding = diag.Say("must stay absent, because the API server refuses to add it")
	case f.After == nil:
		finding = diag.Say("must stay, because the API server refuses to remove it")
	}
	finding = finding.Do(through(before, after, f))
	if by := recreated(after); by != "" {
		finding = diag.Say("changes, and the API server refuses that, so the object is deleted and created again, because it has %s", by)
		finding.Severity = diag.Info
	} else if option(after, "Replace=true") && !after.IsHelm {
		finding.Note = "the sync option Replace=true does not help, because the API server refuses a replacement, too, unless Force=true is there"
	}
	c.add(rule.UpgradeImmutable, finding, before, after, f.Path...)
}

// PathOf writes the path of a field: spec.selector.matchLabels.app.
func PathOf(path []string) (text string) {
	for _, key := range path {
		text = diag.Join(text, key)
	}
	return text
}

// hidden are the fields below which users write texts of their own, which may be secrets: what programs get, and the
// parameters of drivers.
var hidden = []string{"template", "containers", "initContainers", "parameters", "volumeAttributes", "data", "stringData", "binaryData"}

// shownValue returns both values of a field for a message, or "" for values that are no scalars or may be secrets.
func shownValue(before, after *Object, f Field) (old, next string) {
	isHidden := slices.ContainsFunc(f.Path, func(key string) bool { return slices.Contains(hidden, key) })
	if isHidden || secret.IsSecretKey(PathOf(f.Path)) {
		return "", ""
	}
	show := func(o *Object, n *yaml.Node) string {
		if n == nil || n.Kind != yaml.ScalarNode || secret.IsLikeSecret(n.Value) || o.isHidden(n.Value) {
			return ""
		}
		return fmt.Sprintf("%q", n.Value)
	}
	return show(before, f.Before), show(after, f.After)
}

// removed reports the loss of an object that goes. next is the object in another place, or nil.
func (c *comparison) removed(o, next *Object) {
	isCRD := o.Group == crdGroup && o.Kind == crdKind
	hasTemplates := o.isStatefulSet() && len(values.Elements(o.field("spec", "volumeClaimTemplates"))) > 0
	isClaim := o.Group == "" && o.Kind == claimKind
	isNamespace := o.Group == "" && o.Kind == "Namespace"
	if !isCRD && !hasTemplates && !isClaim && !isNamespace {
		return
	}
	r := rule.UpgradeRemovedClaim
	if isCRD {
		r = rule.UpgradeRemovedCRD
	}
	by := kept(o)
	switch {
	case by != "" && next != nil:
		return
	case by != "":
		f := diag.Say("it is not deployed any more, but the cluster keeps it, because it has %s", by)
		f.Severity = diag.Info
		c.add(r, f, o, nil)
		return
	}
	goes := "it is not deployed any more"
	switch {
	case next == nil:
		if names := c.unknownNames(); names != "" {
			goes += ", unless by " + names + ", which cannot be rendered"
		}
	case next.IsOnlyCreated:
		goes = "it moves to the folder crds of the chart, from which Helm creates nothing in an upgrade"
	default:
		goes = fmt.Sprintf("it moves from %s to %s, and Helm deletes what a release does not have any more", o.Deployer.Name, cmp.Or(next.Deployer.Name, "the package itself"))
	}
	switch {
	case isCRD:
		c.add(r, diag.Say("%s. When it is deleted, Kubernetes deletes all objects of the kind %s", goes, cmp.Or(o.text("spec", "names", "kind"), "that it defines")).
			Do("deploy the version that you have with "+keeps(o)+" before you upgrade, or make a copy of the objects"), o, next)
	case isNamespace:
		c.add(r, diag.Say("%s. When it is deleted, Kubernetes deletes everything in it, with the claims and their data", goes).
			Do("keep the Namespace, or make a copy of what is in it"), o, next)
	case isClaim:
		c.add(r, diag.Say("%s. When it is deleted, %s", goes, c.fate(o)).
			Do("deploy the version that you have with "+keeps(o)+" before you upgrade, or make a copy of the data"), o, next)
	default:
		c.add(r, diag.Say("%s: %s", goes, o.leftover("its claims")).Do(o.rescue()), o, next)
	}
}

// unknownNames names the packs and releases that are new and cannot be rendered, so that they may deploy anything.
func (c *comparison) unknownNames() string {
	var names []string
	for by := range c.unknown {
		if !c.before.deployers[by] {
			names = append(names, by.Name)
		}
	}
	slices.Sort(names)
	return diag.SomeOf(names)
}

// fate describes what becomes of the data of a claim that is deleted.
func (c *comparison) fate(claim *Object) string {
	if name := claim.text("spec", "storageClassName"); c.before.retaining[name] {
		return "its volume keeps the data, because StorageClass " + name + " has the reclaimPolicy Retain, but no claim uses it"
	}
	return "its data are deleted, unless its volume has the reclaim policy Retain"
}

// leftover describes what becomes of claims that a StatefulSet made from its templates.
func (o *Object) leftover(claims string) string {
	if o.text("spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" {
		return claims + " are deleted with it, and with them the data, because its persistentVolumeClaimRetentionPolicy has whenDeleted: Delete"
	}
	return claims + " and the data stay behind, and nothing uses them"
}

func (o *Object) rescue() string {
	if o.text("spec", "persistentVolumeClaimRetentionPolicy", "whenDeleted") == "Delete" {
		return "deploy the version that you have with whenDeleted: Retain before you upgrade, or make a copy of the data"
	}
	return "move the data, or delete the claims when you do not need them"
}

func (o *Object) isStatefulSet() bool { return o.Kind == statefulSetKind && o.key().Group == "apps" }

// claimTemplates reports the templates of claims that go, or get another name:
//
//	spec:
//	  volumeClaimTemplates:
//	  - metadata: {name: data}    # the claims are data-db-0, data-db-1, …
func (c *comparison) claimTemplates(before, after *Object) {
	if !before.isStatefulSet() {
		return
	}
	names := func(o *Object) (all []string) {
		for _, template := range values.Elements(o.field("spec", "volumeClaimTemplates")) {
			all = append(all, values.Text(values.Field(template, "metadata", "name")))
		}
		return all
	}
	left := names(after)
	for _, name := range names(before) {
		if name == "" || slices.Contains(left, name) {
			continue
		}
		c.add(rule.UpgradeRemovedClaim, diag.Say("it has no template %q any more: the claims %s-%s-0, … and the data stay behind, and nothing uses them", name, name, after.Name).
			Do("keep the name of the template, or move the data"), before, after, "spec", "volumeClaimTemplates")
	}
}

// storedVersions reports the version of a CustomResourceDefinition in which objects are stored, if it goes.
func (c *comparison) storedVersions(before, after *Object) {
	if before.Group != crdGroup || before.Kind != crdKind {
		return
	}
	left := versionsOf(after)
	for _, v := range versionsOf(before) {
		if !v.isStored || slices.ContainsFunc(left, func(other crdVersion) bool { return other.name == v.name }) {
			continue
		}
		c.add(rule.UpgradeRemovedCRD, diag.Say("the version %s is removed, in which objects are stored. The API server refuses this while status.storedVersions has it, because it cannot read the objects without it", v.name).
			Do("keep the version with storage: false for one release, write all objects once, and remove the version from status.storedVersions before you upgrade"), before, after, "spec", "versions")
	}
}

// crdVersion is a version of a CustomResourceDefinition.
type crdVersion struct {
	name               string
	isStored, isServed bool
}

// versionsOf returns the versions of a CustomResourceDefinition, also of the API v1beta1, which may have one
// version in the field spec.version.
func versionsOf(o *Object) (all []crdVersion) {
	for _, n := range values.Elements(o.field("spec", "versions")) {
		all = append(all, crdVersion{
			values.Text(values.Field(n, "name")), values.Text(values.Field(n, "storage")) == "true", values.Text(values.Field(n, "served")) == "true",
		})
	}
	if name := o.text("spec", "version"); name != "" && len(all) == 0 {
		all = append(all, crdVersion{name, true, true})
	}
	return all
}

// onlyCreated are the CustomResourceDefinitions in the folders crds of the charts of a pack or a release that differ.
type onlyCreated struct {
	before, after        *Object // the first of them
	added, changed, gone []string
}

// setOnlyCreated records a CustomResourceDefinition in the folder crds of a chart that differs.
func (c *comparison) setOnlyCreated(before, after *Object) {
	o := cmp.Or(after, before)
	all := c.created[o.Deployer]
	if all == nil {
		all = &onlyCreated{before: before, after: after}
		c.created[o.Deployer] = all
	}
	switch {
	case after == nil:
		all.gone = append(all.gone, o.Name)
	case before == nil:
		all.added = append(all.added, o.Name)
	default:
		all.changed = append(all.changed, o.Name)
	}
}

// reportOnlyCreated reports, once for each pack and release, that Helm leaves CustomResourceDefinitions as they are.
func (c *comparison) reportOnlyCreated() {
	byName := func(a, b Deployer) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Package, b.Package)) }
	for _, by := range slices.SortedFunc(maps.Keys(c.created), byName) {
		all := c.created[by]
		var parts []string
		for _, part := range []struct {
			what  string
			names []string
		}{{"new", all.added}, {"changed", all.changed}, {"no longer there", all.gone}} {
			if len(part.names) > 0 {
				parts = append(parts, part.what+": "+diag.SomeOf(part.names))
			}
		}
		f := diag.Say("Helm neither updates nor deletes what is in the folder crds of a chart, and creates it only when it installs the chart. Of its CustomResourceDefinitions, %s", strings.Join(parts, "; "))
		if f.Severity = diag.Info; len(all.added)+len(all.changed) > 0 {
			f = f.Do("apply the files of the folder before you upgrade, with kubectl apply --server-side")
		}
		c.add(rule.UpgradeRemovedCRD, f, all.before, all.after)
	}
}

// renamed reports workloads that go while others of the same kind and with the same images come. Of several, one in the
// same namespace and of the same pack is preferred.
func (c *comparison) renamed() {
	type alike struct{ group, kind, images string }
	type near struct {
		alike
		namespace string
		by        Deployer
	}
	of := func(o *Object) near {
		return near{alike{o.key().Group, o.Kind, strings.Join(imagesOf(o), " ")}, o.Namespace, o.Deployer}
	}
	candidates, nearest := map[alike][]*Object{}, map[near][]*Object{}
	for _, next := range c.after.objects {
		if at := of(next); at.images != "" && c.before.known[next.key()] == nil {
			candidates[at.alike], nearest[at] = append(candidates[at.alike], next), append(nearest[at], next)
		}
	}
	used := map[*Object]bool{}
	take := func(all []*Object) (next *Object, rest []*Object) {
		for len(all) > 0 && used[all[0]] {
			all = all[1:]
		}
		if len(all) == 0 {
			return nil, nil
		}
		used[all[0]] = true
		return all[0], all[1:]
	}
	report := func(old, next *Object) {
		c.add(rule.UpgradeRenamed, diag.Say("it replaces %s, which is not deployed any more and has the same images: the Pods of that stop, and new ones start", old).
			Do(keepName(old, next)), old, next)
	}
	var left []*Object
	for _, old := range c.before.objects {
		at := of(old)
		if at.images == "" || c.after.known[old.key()] != nil || kept(old) != "" {
			continue
		}
		var next *Object
		if next, nearest[at] = take(nearest[at]); next != nil {
			report(old, next)
		} else {
			left = append(left, old)
		}
	}
	for _, old := range left {
		at := of(old).alike
		var next *Object
		if next, candidates[at] = take(candidates[at]); next != nil {
			report(old, next)
		}
	}
}

// keepName returns the advice for a workload that another one replaces.
func keepName(old, next *Object) string {
	if old.Name == next.Name {
		return "keep the namespace, or plan the downtime"
	}
	return "keep the name (of a chart, see fullnameOverride), or plan the downtime"
}

// templates are the fields with the Pods of workloads.
var templates = map[string][]string{
	"Deployment": {"spec", "template", "spec"}, statefulSetKind: {"spec", "template", "spec"}, "DaemonSet": {"spec", "template", "spec"},
	"ReplicaSet": {"spec", "template", "spec"},
}

// imagesOf returns the images of a workload, sorted and without tags and digests, or nil if the object is none.
func imagesOf(o *Object) (all []string) {
	path, ok := templates[o.Kind]
	if !ok || o.key().Group != "apps" {
		return nil
	}
	for _, list := range []string{"initContainers", "containers"} {
		for _, container := range values.Elements(o.field(append(slices.Clone(path), list)...)) {
			if image := values.Text(values.Field(container, "image")); image != "" {
				all = append(all, withoutTag(image))
			}
		}
	}
	slices.Sort(all)
	return all
}

// withoutTag returns the name of an image: example.com:5000/web for example.com:5000/web:1.2@sha256:….
func withoutTag(image string) string {
	if named, err := reference.ParseNormalizedNamed(image); err == nil {
		return named.Name()
	}
	return image
}
