package breaking

import "strings"

// keeping are the annotations that keep an object in the cluster when it is not deployed any more. They count on
// the object as it was deployed last.
var keeping = []struct{ name, value, tool string }{
	{"helm.sh/resource-policy", "keep", "Helm"},
	{"client.lifecycle.config.k8s.io/deletion", "detach", "kpt"},
	{"cli-utils.sigs.k8s.io/on-remove", "keep", "kpt"},
	{"kustomize.toolkit.fluxcd.io/prune", "disabled", "Flux"},
}

// syncOptions is the annotation with the sync options of Argo CD: `Prune=false,Force=true`.
const syncOptions = "argocd.argoproj.io/sync-options"

// kept returns the annotation that keeps an object, or "" if there is none.
func kept(o *Object) string {
	for _, one := range keeping {
		if isHelms := one.tool == "Helm"; isHelms != o.IsHelm { // the tool does not deploy the object
			continue
		}
		if strings.EqualFold(o.annotation(one.name), one.value) {
			return "the annotation " + one.name + ": " + one.value
		}
	}
	if option(o, "Prune=false") && !o.IsHelm {
		return "the sync option Prune=false of Argo CD"
	}
	return ""
}

// keeps names what would keep an object.
func keeps(o *Object) string {
	if o.IsHelm {
		return "the annotation helm.sh/resource-policy: keep"
	}
	return "the annotation client.lifecycle.config.k8s.io/deletion: detach (Flux: kustomize.toolkit.fluxcd.io/prune: disabled, Argo CD: the sync option Prune=false)"
}

// recreated returns what lets a tool delete and create an object that cannot be changed, or "".
func recreated(o *Object) string {
	switch {
	case o.IsHelm: // it reads none of them
	case option(o, "Force=true"):
		return "the sync option Force=true of Argo CD"
	case strings.EqualFold(o.annotation("kustomize.toolkit.fluxcd.io/force"), "enabled"):
		return "the annotation kustomize.toolkit.fluxcd.io/force: enabled"
	}
	return ""
}

// option reports whether an object has a sync option of Argo CD.
func option(o *Object, name string) bool {
	for one := range strings.SplitSeq(o.annotation(syncOptions), ",") {
		if strings.TrimSpace(one) == name {
			return true
		}
	}
	return false
}
