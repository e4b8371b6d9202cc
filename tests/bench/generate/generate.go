// Package generate makes packs of any number for benchmarks. Each has 200 keys and 50
// constraints.
package generate

import (
	"fmt"
	"strings"
)

// Schemas is how many schemas the generated packs share.
const Schemas = 5

// Components are the top keys of a pack's values. Each has 20 keys and 5
// constraints, a pack so 200 and 50.
var Components = []string{"server", "controller", "webhook", "registry", "scheduler", "gateway", "cache", "exporter", "operator", "console"}

// Values is the values.yaml of the n-th pack. No two are the same.
func Values(n int) string {
	var b strings.Builder
	b.WriteString("# Values of the pack. Keys that are left out take the defaults of the chart.\n")
	for i, name := range Components {
		b.WriteString(strings.NewReplacer(
			"<name>", name,
			"<patch>", fmt.Sprint(n%50),
			"<replicas>", fmt.Sprint(1+(n+i)%5),
			"<port>", fmt.Sprint(8000+(n+i)%1000),
			"<subnet>", fmt.Sprintf("10.%d.%d", n%250, i),
			"<token>", fmt.Sprintf("%08x", n*len(Components)+i),
		).Replace(componentValues))
	}
	return b.String()
}

const componentValues = `
## The <name>: how many there are, and where they run.
<name>:
  enabled: true
  replicas: <replicas> # at least two, for upgrades without downtime
  image:
    repository: registry.example.com/library/<name>
    tag: 2.8.<patch>
    pullPolicy: IfNotPresent
  service:
    type: ClusterIP
    # open in the firewall
    port: <port>
    hostname: <name>.example.com
  resources:
    requests:
      cpu: 100m
      memory: "128Mi"
  addresses:
  - <subnet>.10 - <subnet>.99
  - <subnet>.110 - <subnet>.199
  nodeSelector:
    kubernetes.io/os: linux
  extraArgs:
  - --log-level=info
  - --metrics-address=:9090
  password: '<token>'
`

// constraints are what schemas ask of a component. A schema takes five of them.
var constraints = []string{
	`replicas: '{{ required | format "${number:[1-9]}" | hints "how many there are" }}'`,
	`image.tag: '{{ required | format "${version}" | hints "an exact version, never latest" }}'`,
	`service.type: '{{ format "${list:[ClusterIP,NodePort,LoadBalancer]}" }}'`,
	`service.port: '{{ required | format "${number:[8000-9000]}" | hints "a port open in the firewall" }}'`,
	`addresses.$[]: '{{ required | format "${ipv4} - ${ipv4}" | hints "ip pool range" }}'`,
	`image.repository: '{{ format "${string}/${string}" }}'`,
	`service.hostname: '{{ required | format "${string:/^([a-z0-9].*)$/}" | hints "where clients connect" }}'`,
	`enabled: '{{ format "${boolean}" }}'`,
	`password: '{{ required | format "${password}" }}'`,
	`resources.requests.memory: '{{ readonly | format "${string:/^[0-9]+(Mi|Gi)$/}" }}'`,
}

// Schema is the which-th of the distinct schemas, as a schema.yaml.
func Schema(which int) string {
	var b strings.Builder
	b.WriteString("# The rules of the values.\n")
	for i, name := range Components {
		for c := range len(constraints) / 2 {
			key, template, _ := strings.Cut(constraints[(which+i+2*c)%len(constraints)], ": ")
			fmt.Fprintf(&b, `%s.%s:
  schema: %s
`, name, key, template)
		}
	}
	return b.String()
}
