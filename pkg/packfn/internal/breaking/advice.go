package breaking

import (
	"fmt"
	"strings"
)

// orphaned are the kinds whose Pods stay when the object is deleted with --cascade=orphan.
var orphaned = map[string]bool{"DaemonSet": true, "Deployment": true, "ReplicaSet": true, statefulSetKind: true}

// through returns the way through for a field that the API server refuses to change.
func through(before, after *Object, f Field) string {
	switch kind := before.Kind; {
	case before.isStatefulSet() && !isSelector(f):
		claims := "its Pods and claims stay, and the new StatefulSet adopts them"
		if len(f.Path) > 1 && f.Path[1] == "volumeClaimTemplates" {
			claims = "its Pods and claims stay as they are, and only new Pods get claims of the new template"
		}
		return fmt.Sprintf("run %s before you upgrade: %s", before.delete(true), claims)
	case orphaned[kind] && isSelector(f):
		return fmt.Sprintf("keep the selector, or run %s before you upgrade: its Pods go on, the new %s does not adopt them, and you delete them when the new ones are ready", before.delete(true), kind)
	case kind == "Service" && f.After != nil && f.Path[len(f.Path)-1] != "loadBalancerClass": // without it, the class is refused, too
		return fmt.Sprintf("leave the field out, or run %s before you upgrade: the Service gets another address", before.delete(false))
	case kind == claimKind:
		return "keep the field, or use a new name, and move the data: a claim that is deleted may take its data with it"
	case kind == "PersistentVolume":
		return "keep the field, or use a new name for the new volume"
	case kind == "StorageClass":
		return fmt.Sprintf("use a new name, or run %s before you upgrade: existing volumes stay as they are", before.delete(false))
	case kind == "Secret" || kind == "ConfigMap":
		return fmt.Sprintf("use a new name, also where workloads name the %s", kind)
	case kind == crdKind:
		return "keep the field: a CustomResourceDefinition that is deleted takes its objects with it. Define a new kind or group, and move the objects"
	}
	return fmt.Sprintf("run %s before you upgrade, or use a new name", before.delete(false))
}

func isSelector(f Field) bool { return len(f.Path) > 1 && f.Path[1] == "selector" }

// delete returns the command that deletes an object:
//
//	kubectl delete statefulset db --namespace prod --cascade=orphan
func (o *Object) delete(isOrphaning bool) string {
	kind := strings.ToLower(o.Kind)
	if o.Group != "" && !orphaned[o.Kind] { // other groups may have the kind, too
		kind += "." + o.Version + "." + o.Group
	}
	command := "kubectl delete " + kind + " " + o.Name
	if o.Namespace != "" {
		command += " --namespace " + o.Namespace
	}
	if isOrphaning {
		command += " --cascade=orphan"
	}
	return command
}
