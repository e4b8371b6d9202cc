package breaking

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/values"
)

// Each case has two versions of an object and the fields that are refused, with their values.
func TestImmutable(t *testing.T) {
	const pods = "template: {metadata: {labels: {app: a}}, spec: {containers: [{name: c, image: 'i:1'}]}}"
	for _, c := range []struct{ name, kind, before, after, want string }{
		{"a selector", "apps Deployment",
			"spec: {selector: {matchLabels: {app: a}}}", "spec: {selector: {matchLabels: {app: b}}}",
			"spec.selector.matchLabels.app: a, b"},
		{"several labels", "apps DaemonSet",
			"spec: {selector: {matchLabels: {app: a, b: c}}}", "spec: {selector: {matchLabels: {app: b}}}",
			"spec.selector.matchLabels: {app: a, b: c}, {app: b}"},
		{"a selector from labels", "extensions Deployment",
			"spec: {" + pods + "}", "spec: {selector: {matchLabels: {app: a}}, " + pods + "}", ""},
		{"labels in the place of a selector, which stays", "extensions Deployment",
			"spec: {" + pods + "}", "spec: {" + strings.Replace(pods, "app: a", "app: b", 1) + "}",
			""},
		{"a label that is no string", "apps Deployment",
			"spec: {selector: {matchLabels: {app: '1'}}}", "spec: {selector: {matchLabels: {app: 1}}}", ""},
		{"the template of a Deployment", "apps Deployment",
			"spec: {" + pods + "}", "spec: {selector: {matchLabels: {app: a}}, " + strings.Replace(pods, "i:1", "i:2", 1) + "}", ""},

		{"a StatefulSet", "apps StatefulSet",
			"spec: {serviceName: a, replicas: 1, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]}",
			"spec: {serviceName: b, replicas: 2, podManagementPolicy: Parallel, volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 2Gi}}}}]}",
			"spec.serviceName: a, b; spec.podManagementPolicy: absent, Parallel; spec.volumeClaimTemplates.[0].spec.resources.requests.storage: 1Gi, 2Gi"},
		{"defaults of a StatefulSet", "apps StatefulSet",
			"spec: {volumeClaimTemplates: [{metadata: {name: data}, spec: {resources: {requests: {storage: 1Gi}}}}]}",
			"spec: {podManagementPolicy: OrderedReady, volumeClaimTemplates: [{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, labels: {}}, spec: {volumeMode: Filesystem, resources: {requests: {storage: 1024Mi}}}, status: {phase: Pending}}]}", ""},
		{"one claim less", "apps StatefulSet",
			"spec: {volumeClaimTemplates: [{metadata: {name: a}}, {metadata: {name: b}}]}", "spec: {volumeClaimTemplates: [{metadata: {name: a}}]}",
			"spec.volumeClaimTemplates: [{metadata: {name: a}}, {metadata: {name: b}}], [{metadata: {name: a}}]"},

		{"the image of a Job", "batch Job", "spec: {" + pods + "}", "spec: {backoffLimit: 3, " + strings.Replace(pods, "i:1", "i:2", 1) + "}",
			"spec.template.spec.containers.[0].image: 'i:1', 'i:2'"},
		{"a suspended Job", "batch Job",
			"spec: {suspend: true, " + pods + "}", "spec: {suspend: true, " + strings.Replace(pods, "image:", "resources: {limits: {cpu: 1}}, image:", 1) + "}", ""},
		{"defaults of Pods", "batch Job",
			"spec: {" + pods + "}",
			"spec: {completions: 1, parallelism: 1, completionMode: NonIndexed, template: {metadata: {labels: {app: a}}, spec: {restartPolicy: Always, dnsPolicy: ClusterFirst, securityContext: {}, containers: [{name: c, image: 'i:1', imagePullPolicy: IfNotPresent, terminationMessagePath: /dev/termination-log}]}}}", ""},
		{"images without a tag", "batch Job",
			"spec: {" + strings.Replace(pods, "'i:1'", "i", 1) + "}", "spec: {" + strings.Replace(pods, "'i:1'", "i, imagePullPolicy: Always", 1) + "}", ""},
		{"completions", "batch Job", "spec: {completions: 1}", "spec: {completions: 2}", "spec.completions: 1, 2"},
		{"completions are lost, the parallelism in the cluster stays", "batch Job", "spec: {completions: 1}", "spec: {}", "spec.completions: 1, absent"},
		{"completions and parallelism are lost", "batch Job", "spec: {completions: 1, parallelism: 1}", "spec: {}", ""},
		{"a service account is lost, which stays", " Pod", "spec: {serviceAccountName: a}", "spec: {}", ""},
		{"a service account by its other name", " Pod", "spec: {serviceAccountName: a}", "spec: {serviceAccount: a}", ""},
		{"another tag with another policy by default, which stays", " Pod", "spec: {containers: [{name: a, image: 'a:1'}]}", "spec: {containers: [{name: a, image: a}]}", ""},
		{"completions of an indexed Job", "batch Job",
			"spec: {completionMode: Indexed, completions: 1, parallelism: 1}", "spec: {completionMode: Indexed, completions: 2, parallelism: 2}", ""},

		{"an address", " Service", "spec: {clusterIP: 10.0.0.1}", "spec: {clusterIP: 10.0.0.2}", "spec.clusterIP: 10.0.0.1, 10.0.0.2"},
		{"an address of the cluster", " Service", "spec: {}", "spec: {clusterIP: 10.0.0.2}", ""},
		{"an address is left to the cluster", " Service", "spec: {clusterIP: 10.0.0.2}", "spec: {}", ""},
		{"becomes headless", " Service", "spec: {}", "spec: {clusterIP: None}", "spec.clusterIP: absent, None"},
		{"becomes external", " Service", "spec: {clusterIP: 10.0.0.1}", "spec: {type: ExternalName, externalName: a.b}", ""},
		{"a load balancer", " Service", "spec: {type: LoadBalancer}", "spec: {type: LoadBalancer, loadBalancerClass: a/b}", "spec.loadBalancerClass: absent, a/b"},
		{"becomes a load balancer", " Service", "spec: {}", "spec: {type: LoadBalancer, loadBalancerClass: a/b}", ""},

		{"a claim grows", " PersistentVolumeClaim",
			"spec: {resources: {requests: {storage: 1Gi}}}", "spec: {resources: {requests: {storage: 1025Mi}}, volumeAttributesClassName: fast, volumeName: a, storageClassName: a}", ""},
		{"a claim shrinks", " PersistentVolumeClaim",
			"spec: {accessModes: [ReadWriteOnce], storageClassName: a, resources: {requests: {storage: 1Gi}}}",
			"spec: {accessModes: [ReadWriteMany], storageClassName: b, resources: {requests: {storage: 1G}}}",
			"spec.accessModes.[0]: ReadWriteOnce, ReadWriteMany; spec.resources.requests.storage: 1Gi, 1G; spec.storageClassName: a, b"},
		{"a claim loses its class", " PersistentVolumeClaim", "spec: {storageClassName: a}", "spec: {}", "spec.storageClassName: a, absent"},
		{"a volume", " PersistentVolume",
			"spec: {hostPath: {path: /a}, capacity: {storage: 1Gi}}", "spec: {hostPath: {path: /b}, volumeMode: Block, capacity: {storage: 2Gi}}",
			"spec.hostPath.path: /a, /b; spec.volumeMode: absent, Block"},
		{"another source", " PersistentVolume", "spec: {hostPath: {path: /a}}", "spec: {nfs: {server: a, path: /a}}",
			"spec.hostPath: {path: /a}, absent; spec.nfs: absent, {server: a, path: /a}"},

		{"a Secret", " Secret", "data: {a: YQ==}", "{type: Opaque, stringData: {a: b}}", ""},
		{"the type of a Secret", " Secret", "data: {}", "type: kubernetes.io/tls", "type: absent, kubernetes.io/tls"},
		{"an immutable Secret", " Secret", "{kind: Secret, immutable: true, stringData: {a: a, b: b}}", "{kind: Secret, data: {a: YQ==, b: Yg==}}", "immutable: true, absent"},
		{"data of an immutable Secret", " Secret", "{kind: Secret, immutable: true, stringData: {a: a}}", "{kind: Secret, immutable: true, stringData: {a: b}}", "data.a: a, b"},
		{"a text of an immutable Secret is lost, which stays", " Secret", "{immutable: true, stringData: {a: a}}", "immutable: true", ""},
		{"a service range", "networking.k8s.io ServiceCIDR", "spec: {cidrs: [10.0.0.0/24]}", "spec: {cidrs: [10.1.0.0/24]}", "spec.cidrs.[0]: 10.0.0.0/24, 10.1.0.0/24"},
		{"a second service range", "networking.k8s.io ServiceCIDR", "spec: {cidrs: [10.0.0.0/24]}", "spec: {cidrs: [10.0.0.0/24, 'fd00::/64']}", ""},
		{"a source of a claim that the API server drops", " PersistentVolumeClaim", "spec: {dataSource: {kind: a, name: a}}", "spec: {dataSource: {kind: a, name: b}}", ""},
		{"a source of a claim", " PersistentVolumeClaim", "spec: {dataSource: {kind: PersistentVolumeClaim, name: a}}", "spec: {dataSource: {kind: PersistentVolumeClaim, name: b}}", "spec.dataSource.name: a, b"},
		{"an immutable ConfigMap", " ConfigMap", "{immutable: true, data: {a: a}}", "{immutable: true, data: {a: a, b: b}}", "data.b: absent, b"},
		{"becomes immutable", " ConfigMap", "data: {a: a}", "{immutable: true, data: {a: a, b: b}}", ""},

		{"a StorageClass", "storage.k8s.io StorageClass",
			"{provisioner: a/b, parameters: {type: a}}", "{provisioner: a/b, reclaimPolicy: Retain, volumeBindingMode: Immediate, allowVolumeExpansion: true, parameters: {type: b}}",
			"parameters.type: a, b; reclaimPolicy: absent, Retain"},
		{"a binding", "rbac.authorization.k8s.io RoleBinding",
			"roleRef: {kind: Role, name: a}", "roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: b}", "roleRef.name: a, b"},
		{"a binding of another kind", "rbac.authorization.k8s.io ClusterRoleBinding",
			"roleRef: {kind: Role, name: a}", "roleRef: {kind: ClusterRole, name: b}", "roleRef: {kind: Role, name: a}, {kind: ClusterRole, name: b}"},
		{"a definition", "apiextensions.k8s.io CustomResourceDefinition",
			"spec: {group: a.b, scope: Cluster, names: {kind: A, plural: as, singular: a}}", "spec: {group: a.b, scope: Namespaced, names: {kind: A, plural: as, singular: b}}",
			"spec.scope: Cluster, Namespaced"},
		{"a driver", "storage.k8s.io CSIDriver",
			"spec: {podInfoOnMount: true}", "spec: {attachRequired: false, podInfoOnMount: false, volumeLifecycleModes: [Persistent]}", "spec.attachRequired: absent, false"},
		{"a claim for devices", "resource.k8s.io ResourceClaim",
			"{apiVersion: resource.k8s.io/v1, spec: {devices: {requests: [{name: a, exactly: {deviceClassName: a}}]}}}",
			"{apiVersion: resource.k8s.io/v1, spec: {devices: {requests: [{name: a, exactly: {deviceClassName: b, count: 1}}]}}}",
			"spec.devices.requests.[0].exactly.deviceClassName: a, b"},
		{"a claim for devices in another version", "resource.k8s.io ResourceClaim",
			"{apiVersion: resource.k8s.io/v1beta1, spec: {devices: {requests: [{name: a, deviceClassName: a}]}}}",
			"{apiVersion: resource.k8s.io/v1, spec: {devices: {requests: [{name: a, exactly: {deviceClassName: a}}]}}}", ""},

		{"a Pod", " Pod",
			"spec: {nodeName: a, hostNetwork: true, containers: [{name: c, image: a, ports: [{containerPort: 1}], resources: {limits: {cpu: 1}}}]}",
			"spec: {nodeName: b, hostNetwork: true, enableServiceLinks: true, containers: [{name: c, image: b, imagePullPolicy: Always, ports: [{containerPort: 1, hostPort: 1}], resources: {limits: {cpu: 1000m}, requests: {cpu: 1}}}]}",
			"spec.nodeName: a, b"},
		{"a gated Pod", " Pod",
			"spec: {schedulingGates: [{name: a}], nodeSelector: {a: b}}", "spec: {nodeSelector: {a: b, c: d}, tolerations: [{key: a}], activeDeadlineSeconds: 5}", ""},
		{"a Pod that is scheduled", " Pod",
			"spec: {tolerations: [{key: a}], activeDeadlineSeconds: 5}", "spec: {nodeSelector: {a: b}, schedulingGates: [{name: a}], tolerations: [{key: b}]}",
			"spec.activeDeadlineSeconds: 5, absent; spec.nodeSelector.a: absent, b; spec.tolerations.[0].key: a, b; spec.schedulingGates: absent, [{name: a}]"},

		{"scopes in another order", " ResourceQuota", "spec: {scopes: [BestEffort, Terminating]}", "spec: {scopes: [Terminating, BestEffort]}", ""},
		{"a kind without such fields", " ServiceAccount", "secrets: [{name: a}]", "secrets: [{name: b}]", ""},
		{"a kind of others", "example.com Deployment", "spec: {selector: a}", "spec: {selector: b}", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			group, kind, _ := strings.Cut(c.kind, " ")
			var got []string
			for _, f := range Immutable(group, kind, parse(t, c.before), parse(t, c.after)) {
				got = append(got, fmt.Sprintf("%s: %s, %s", strings.Join(f.Path, "."), shown(t, f.Before), shown(t, f.After)))
			}
			if all := strings.Join(got, "; "); all != c.want {
				t.Errorf("got  %s\nwant %s", all, c.want)
			}
			for _, text := range []string{c.before, c.after} {
				if same := Immutable(group, kind, parse(t, text), parse(t, text)); len(same) != 0 {
					t.Errorf("a difference to itself: %v", same[0].Path)
				}
			}
		})
	}
}

func parse(t *testing.T, text string) *yaml.Node {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document.Root()
}

func shown(t *testing.T, n *yaml.Node) string {
	t.Helper()
	if n == nil {
		return "absent"
	}
	flow := *n
	if flow.Kind != yaml.ScalarNode {
		flow.Style = yaml.FlowStyle
	}
	text, err := yaml.Marshal(&flow)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(text))
}

// What is no object has no fields, and a value of another type is no difference.
func TestImmutableOfOddObjects(t *testing.T) {
	whole := parse(t, "spec: {selector: {matchLabels: {a: b}}}")
	for _, text := range []string{"", "a", "[]", "spec: 1", "spec: {selector: []}", "spec: {selector: {matchLabels: {a: {}}}}", "spec: null"} {
		odd := parse(t, text)
		for group := range table {
			_, hasSelector := strings.CutPrefix(text, "spec: {")
			if found := Immutable(group.Group, group.Kind, odd, whole); len(found) > 0 && hasSelector {
				t.Errorf("%s of %q: %v", group, text, found[0].Path)
			}
			Immutable(group.Group, group.Kind, whole, odd)
		}
	}
}
