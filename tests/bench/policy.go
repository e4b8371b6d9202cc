package main

import (
	"bufio"
	"fmt"
	"io"
)

// interfaces is how many Interfaces a hub has, rulesOfPolicy how many rules each of
// its policies.
const (
	interfaces    = 200
	rulesOfPolicy = 200
)

// hubList is a ResourceList of Interfaces, Implementations of them, and two
// policies with a rule for each Interface: most Implementations lack what the first
// elements ask for.
func hubList(implementations int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`)
		for n := range implementations * interfaces / fullImplementations {
			fmt.Fprintf(out, interfaceItem, n, n)
		}
		for n := range implementations {
			fmt.Fprintf(out, implementationItem, n, n%7, n%(implementations*interfaces/fullImplementations), n)
		}
		fmt.Fprint(out, accountItem)
		for n, scope := range []string{"GLOBAL", "ACTION"} {
			fmt.Fprintf(out, policyItem, n, scope)
			for n := range implementations * rulesOfPolicy / fullImplementations {
				fmt.Fprintf(out, ruleItem, n, n%5)
			}
		}
		return out.Flush()
	}
}

// fullImplementations is how many Implementations go with all Interfaces and
// rules: the smaller hub has fewer of everything.
const fullImplementations = 1_000

const (
	interfaceItem = `- apiVersion: ocf.capact.io/v1alpha1
  kind: Interface
  metadata:
    name: interface-%04d
  spec:
    path: cap.interface.service-%04d.install
    revision: 0.1.0
    output:
      typeInstances:
        config:
          typeRef:
            path: cap.type.service.config
            revision: 0.1.0
`
	implementationItem = `- apiVersion: ocf.capact.io/v1alpha1
  kind: Implementation
  metadata:
    name: implementation-%04d
  spec:
    appVersion: "10.x.x"
    attributes:
      cap.attribute.cloud.provider.cloud-%d:
        revision: 0.1.0
    implements:
    - path: cap.interface.service-%04d.install
      revision: 0.1.0
    path: cap.implementation.vendor-%04d.install
    revision: 0.1.0
    requires:
      cap.type.cloud.auth:
        allOf:
        - name: credentials
          revision: 0.1.0
          alias: account
      cap.core.type.platform:
        oneOf:
        - name: kubernetes
          revision: 0.1.0
    action:
      runnerInterface: argo.run
      args:
        workflow:
          entrypoint: main
          templates:
          - name: main
            steps:
            - - name: install
                capact-action: helm.install
                capact-outputTypeInstances:
                - name: release
                  from: helm-release
                arguments:
                  artifacts:
                  - name: input-parameters
                    from: "{{inputs.artifacts.input-parameters}}"
                  - name: template
                    raw:
                      data: |
                        generateName: true
                        chart:
                          name: "service"
                          version: "10.2.6"
`
	accountItem = `- apiVersion: ocf.capact.io/v1alpha1
  kind: TypeInstance
  metadata:
    name: account
  spec:
    typeRef:
      path: cap.type.cloud.auth.credentials
      revision: 0.1.0
`
	policyItem = `- apiVersion: ocf.capact.io/v1alpha1
  kind: Policy
  metadata:
    name: policy-%[1]d
  spec:
    scope: %[2]s
    interface:
      default:
        inject:
          requiredTypeInstances:
          - id: account
      rules:
`
	ruleItem = `      - interface:
          path: cap.interface.service-%04d.install
        oneOf:
        - implementationConstraints:
            attributes:
            - path: cap.attribute.cloud.provider.cloud-%d
        - implementationConstraints: {}
`
)
