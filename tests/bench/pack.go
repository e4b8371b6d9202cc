package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// distinctSchemas is how many schemas the generated packs share.
const distinctSchemas = 5

// components are the top keys of a pack's values. Each has 20 keys and 5
// constraints, a pack so 200 and 50.
var components = []string{"server", "controller", "webhook", "registry", "scheduler", "gateway", "cache", "exporter", "operator", "console"}

// packList is a ResourceList of packs, each the ConfigMap of its files.
func packList(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		fmt.Fprint(out, "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
		for n := range packs {
			fmt.Fprintf(out, packHead, n)
			for _, file := range []struct{ name, text string }{
				{"pack.json", fmt.Sprintf("{\n  \"name\": \"pack-%04d\",\n  \"version\": \"1.4.%d\",\n  \"layer\": \"addon\"\n}\n", n, n%20)},
				{"values.yaml", packValues(n)},
				{"schema.yaml", packSchema(n % distinctSchemas)},
			} {
				fmt.Fprintf(out, "    %s: |\n", file.name)
				for line := range strings.Lines(file.text) {
					fmt.Fprint(out, "      ", line)
				}
			}
		}
		return out.Flush()
	}
}

// packTexts is the values of these packs and their distinct schemas, as
// parse-packs reads them.
func packTexts(packs int) func(io.Writer) error {
	return func(w io.Writer) error {
		out := bufio.NewWriter(w)
		for n := range packs {
			fmt.Fprint(out, packValues(n), "\x00")
		}
		for n := range min(packs, distinctSchemas) {
			fmt.Fprint(out, packSchema(n), "\x00")
		}
		return out.Flush()
	}
}

const packHead = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: pack-%04[1]d
    annotations:
      config.kubernetes.io/local-config: "true"
      config.kubernetes.io/index: '0'
      config.kubernetes.io/path: 'packs/pack-%04[1]d.yaml'
      internal.config.kubernetes.io/index: '0'
      internal.config.kubernetes.io/package-path: '/packages/shop'
      internal.config.kubernetes.io/path: 'packs/pack-%04[1]d.yaml'
      internal.config.kubernetes.io/seqindent: 'compact'
  data:
`

// packValues is the values.yaml of the n-th pack. No two are the same.
func packValues(n int) string {
	var b strings.Builder
	b.WriteString("# Values of the pack. Keys that are left out take the defaults of the chart.\n")
	for i, name := range components {
		b.WriteString(strings.NewReplacer(
			"<name>", name,
			"<patch>", fmt.Sprint(n%50),
			"<replicas>", fmt.Sprint(1+(n+i)%5),
			"<port>", fmt.Sprint(8000+(n+i)%1000),
			"<subnet>", fmt.Sprintf("10.%d.%d", n%250, i),
			"<token>", fmt.Sprintf("%08x", n*len(components)+i),
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

// packSchema is one of the distinct schemas.
func packSchema(which int) string {
	var b strings.Builder
	b.WriteString("# The rules of the values.\n")
	for i, name := range components {
		for c := range len(constraints) / 2 {
			key, template, _ := strings.Cut(constraints[(which+i+2*c)%len(constraints)], ": ")
			fmt.Fprintf(&b, "%s.%s:\n  schema: %s\n", name, key, template)
		}
	}
	return b.String()
}
