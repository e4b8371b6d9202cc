package main

import (
	"bufio"
	"fmt"
	"io"
)

// fleetArchive is a fleet as the program fleet reads it: the package of the example
// inject-config-fleet, and a cluster for each variant of it.
func fleetArchive(clusters int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, fleetFixed)
		for n := range clusters {
			size := []string{"small", "large"}[n%2]
			fmt.Fprintf(out, fleetCluster, n, size)
		}
		return out.Flush()
	}
}

const fleetCluster = `---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster-%05[1]d
  labels:
    size: %[2]s
spec:
  git:
    repo: https://git.example.com/clusters/cluster-%05[1]d.git
---
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster-%05[1]d
  annotations:
    packs.kpt.dev/source: cluster
spec:
  system:
    cluster:
      name: cluster-%05[1]d
    kubernetes:
      version: 1.31.4
  variables:
    DOMAIN: example.com
  machinePools:
    - name: workers
      role: worker
      size: 3
      instanceType: m5.xlarge
      reserved:
        cpu: 200m
        memory: 512Mi
  instanceTypes:
    - name: m5.xlarge
      capacity:
        cpu: "4"
        memory: 16Gi
        diskSize: 60Gi
`

const fleetFixed = `-- upstream/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: platform
  annotations:
    config.kubernetes.io/local-config: "true"
pipeline:
  mutators:
    - exec: resolve-macros
  validators:
    - exec: validate-pack-values
    - exec: check-dependencies
    - exec: check-resources
-- upstream/cert-manager.yaml --
apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: cert-manager
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  version: 1.16.2
  layer: addon
  constraints:
    dependencies:
      - packName: kubernetes
        minVersion: 1.25.0
        maxVersion: ""
        type: required
    resources:
      - type: cpu
        components:
          - resourceRequestParamRef: resources.requests.cpu
            replicaCountParamRef: replicaCount
            scheduleType: worker
  values: |
    replicaCount: 2
    clusterResourceNamespace: cert-manager
    resources:
      requests:
        cpu: 100m
-- upstream/cluster.yaml --
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: cluster
  annotations:
    config.kubernetes.io/local-config: "true"
    kpt.dev/config-injection: required
spec: {}
-- upstream/package-context.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: kptfile.kpt.dev
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  name: platform
-- upstream/vault.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: vault
  annotations:
    config.kubernetes.io/local-config: "true"
data:
  pack.json: |
    {
      "name": "vault",
      "version": "0.28.1",
      "layer": "addon",
      "constraints": {
        "dependencies": [
          {"packName": "kubernetes", "minVersion": "1.28", "maxVersion": "1.32", "type": "required"},
          {"packName": "cert-manager", "minVersion": "1.14", "maxVersion": "", "type": "required"}
        ],
        "resources": [
          {"type": "cpu", "components": [{"resourceRequestParamRef": "server.resources.requests.cpu", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"}]},
          {"type": "memory", "components": [{"resourceRequestParamRef": "server.resources.requests.memory", "replicaCountParamRef": "server.replicas", "scheduleType": "worker"}]}
        ]
      }
    }
  values.yaml: |
    name: "vault-{{ .spectro.system.cluster.name }}"
    server:
      replicas: 1
      resources:
        requests:
          cpu: 250m
          memory: 512Mi

    ingress:
      host: "vault.{{ .spectro.system.cluster.name }}.{{ .spectro.var.DOMAIN }}" # where people reach it
  schema.yaml: |
    name:
      schema: '{{ required | format "${string:/^[a-z0-9-]+$/}" }}'
    server.replicas:
      schema: '{{ required | format "${number:[1-7]}" }}'
    ingress.host:
      schema: '{{ required | format "${string:/^[a-z0-9.-]+$/}" }}'
  presets.yaml: |
    presets:
    - name: small
      group: Size
      remove: []
      add: |
        server:
          replicas: 1
    - name: large
      group: Size
      remove: []
      add: |
        server:
          replicas: 5
          resources:
            requests:
              cpu: "1"
              memory: 2Gi
-- set/fleet.yaml --
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  name: platform
spec:
  upstream:
    repo: blueprints
    package: platform
    revision: v3
  targets:
    - repositorySelector: {}
      template:
        downstream:
          package: platform
        packageContext:
          dataExprs:
            - key: site
              valueExpr: repository.name + ".example.com"
        injectors:
          - kind: ClusterContext
            group: packs.kpt.dev
            nameExpr: repository.name
        pipeline:
          mutators:
            - name: size
              exec: apply-preset
              configMapExprs:
                - key: vault
                  valueExpr: '"Size:" + repository.labels["size"]'
---
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata:
  name: blueprints.platform.v3
spec:
  repository: blueprints
  packageName: platform
  revision: 3
  workspaceName: v3
  lifecycle: Published
`
