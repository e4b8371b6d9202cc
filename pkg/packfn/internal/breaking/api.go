package breaking

import (
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
	"github.com/krm-packs/functions/pkg/rule"
)

// api reports an object of an API version that the cluster does not serve.
func (c *comparison) api(o *Object) {
	kind := ID{Group: o.Group, Kind: o.Kind}
	add := func(f diag.Finding) { c.add(rule.UpgradeRemovedAPI, f, c.before.known[o.key()], o, "apiVersion") }
	switch versions, isDefined := c.crds[kind]; {
	case c.coming[kind][o.Version]:
		f := diag.Say("it is of %s, which the CustomResourceDefinition in the cluster does not serve, because Helm does not update the folder crds", o.APIVersion())
		f.Severity = diag.Warning
		add(f.Do("apply the files of the folder crds before you upgrade, with kubectl apply --server-side"))
		return
	case isDefined && !slices.Contains(versions, o.Version):
		add(diag.Say("it is of %s, which its CustomResourceDefinition does not serve", o.APIVersion()).Do("write it as " + apisOf(o.Group, versions)))
		return
	case isDefined:
		return
	}
	version, err := semver.NewVersion(c.kubernetes)
	if err != nil || version.Major() != 1 {
		return
	}
	served := lifeOf(o.Group, o.Version, o.Kind)
	switch minor := version.Minor(); {
	case served.until > 0 && minor >= served.until:
		f := diag.Say("Kubernetes does not serve %s since 1.%d, and the cluster has %s", o.APIVersion(), served.until, c.kubernetes)
		if served.instead != "" {
			f = f.Do("write it as " + served.instead)
		}
		add(f)
	case minor < served.from:
		add(diag.Say("Kubernetes serves %s only since 1.%d, and the cluster has %s", o.APIVersion(), served.from, c.kubernetes).
			Do("upgrade the cluster before, or write an API version that it serves"))
	}
}

func apisOf(group string, versions []string) string {
	var all []string
	for _, version := range versions {
		all = append(all, group+"/"+version)
	}
	return diag.OneOf(all)
}

// life is the span of minor versions of Kubernetes that serve an API: from is the first one, and until the first
// one that does not serve it any more, or 0 if there is none.
type life struct {
	from, until uint64
	// instead is the API version that takes its place, or "" if it is unknown.
	instead string
}

// lifeOf returns the life of a kind of Kubernetes. Kubernetes generates it for the types that it still has; the
// life of another kind is the life of its API version.
func lifeOf(group, version, kind string) life {
	gvk := schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
	known, err := scheme.Scheme.New(gvk)
	if err != nil {
		from, until := helm.Life(strings.TrimPrefix(group+"/"+version, "/"))
		return life{from: from, until: until}
	}
	var l life
	if one, ok := known.(interface{ APILifecycleIntroduced() (major, minor int) }); ok {
		if major, minor := one.APILifecycleIntroduced(); major == 1 {
			l.from = uint64(minor)
		}
	}
	if one, ok := known.(interface{ APILifecycleRemoved() (major, minor int) }); ok {
		if major, minor := one.APILifecycleRemoved(); major == 1 {
			l.until = uint64(minor)
		}
	}
	if one, ok := known.(interface {
		APILifecycleReplacement() schema.GroupVersionKind
	}); ok {
		l.instead = one.APILifecycleReplacement().GroupVersion().String()
	}
	return l
}

// served returns the versions that the CustomResourceDefinitions serve after the change.
func (c *comparison) served() map[ID][]string {
	all := map[ID][]string{}
	for _, o := range c.after.objects {
		if o.Group != crdGroup || o.Kind != crdKind {
			continue
		}
		old := c.before.known[o.key()]
		if o.IsOnlyCreated && old != nil { // the cluster keeps it as it was
			coming := map[string]bool{}
			for _, v := range versionsOf(o) {
				coming[v.name] = v.isServed
			}
			for _, v := range versionsOf(old) {
				delete(coming, v.name)
			}
			c.coming[ID{Group: o.text("spec", "group"), Kind: o.text("spec", "names", "kind")}] = coming
			o = old
		}
		versions := []string{}
		for _, v := range versionsOf(o) {
			if v.isServed {
				versions = append(versions, v.name)
			}
		}
		if len(versions) > 0 {
			all[ID{Group: o.text("spec", "group"), Kind: o.text("spec", "names", "kind")}] = versions
		}
	}
	return all
}
