package main

import (
	"bufio"
	"fmt"
	"io"
)

// variantList is a ResourceList with a PackageVariantSet whose target selects
// Repositories, as many as there are: two concatenations and a look at a label
// for each.
func variantList(repositories int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`, variantSetItem)
		for n := range repositories {
			fmt.Fprintf(out, repositoryItem, n, n%12)
		}
		return out.Flush()
	}
}

const variantSetItem = `- apiVersion: config.porch.kpt.dev/v1alpha2
  kind: PackageVariantSet
  metadata:
    name: fleet
    namespace: default
    annotations:
      internal.config.kubernetes.io/path: 'fleet/set.yaml'
  spec:
    upstream:
      repo: catalog
      package: monitoring
      revision: v3
    targets:
    - repositorySelector:
        matchLabels:
          env: prod
      template:
        downstream:
          packageExpr: packageDefault + '-' + repository.name
        labelExprs:
        - key: region
          valueExpr: repository.labels['region']
        injectors:
        - kind: ClusterContext
          nameExpr: target.name + '-context'
- apiVersion: porch.kpt.dev/v1alpha1
  kind: PackageRevision
  metadata:
    name: catalog.monitoring.v3
    namespace: default
  spec:
    packageName: monitoring
    repository: catalog
    revision: v3
`

const repositoryItem = `- apiVersion: config.porch.kpt.dev/v1alpha1
  kind: Repository
  metadata:
    name: cluster-%05[1]d
    namespace: default
    labels:
      env: prod
      region: "us-east-%[2]d"
    annotations:
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'repositories/cluster-%05[1]d.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/path: 'repositories/cluster-%05[1]d.yaml'
      internal.config.kubernetes.io/seqindent: 'compact'
  spec:
    description: the packages of a cluster
    content: Package
    type: git
    git:
      repo: https://git.example.com/fleet/cluster-%05[1]d.git
      branch: main
      directory: /
      secretRef:
        name: git-auth
`
