package main

import (
	"fmt"
	"io"
	"strings"
)

// third is the kind of every third item, which checks and changes are about.
const third = "Deployment"

// writeItem writes the n-th resource of a list as kpt sends it: block style,
// annotations of the client, about 1.2 KB. Every third is a Deployment.
func writeItem(w io.Writer, n int) error {
	bodies := []string{serviceBody, configMapBody, roleBody, networkPolicyBody}
	body := deploymentBody
	if n%3 != 0 {
		body = bodies[n%len(bodies)]
	}
	head, rest, _ := strings.Cut(body, "\n")
	apiVersion, kind, _ := strings.Cut(head, " ")
	name := fmt.Sprintf("%s-%05d", strings.ToLower(kind), n)
	_, err := fmt.Fprintf(w, itemHead, apiVersion, kind, name, n%40, name, n%7, n%200, n, n)
	if err == nil {
		_, err = io.WriteString(w, strings.NewReplacer("<name>", name, "<n>", fmt.Sprint(n%250)).Replace(rest))
	}
	return err
}

const itemHead = `- apiVersion: %s
  kind: %s
  metadata:
    name: %s
    namespace: team-%02d
    labels:
      app.kubernetes.io/name: %s
      app.kubernetes.io/part-of: "shop"
    annotations:
      config.kubernetes.io/index: '%[6]d'
      config.kubernetes.io/path: 'apps/app-%[7]d.yaml'
      internal.config.kubernetes.io/index: '%[6]d'
      internal.config.kubernetes.io/package-path: '/packages/shop'
      internal.config.kubernetes.io/path: 'apps/app-%[7]d.yaml'
      internal.config.kubernetes.io/seqindent: 'compact'
      internal.config.kubernetes.io/annotations-migration-resource-id: '%[8]d'
      internal.config.kubernetes.io/id: '%[9]d'
      config.k8s.io/id: '%[9]d'
`

// The bodies of resources: apiVersion and kind, then what follows the metadata.
const (
	deploymentBody = `apps/v1 Deployment
  spec:
    replicas: 2 # one in each zone
    selector:
      matchLabels:
        app.kubernetes.io/name: <name>
    template:
      metadata:
        labels:
          app.kubernetes.io/name: <name>
      spec:
        containers:
        - name: main
          image: registry.example.com/shop/web:1.4.<n>
          args: ["--log-level=info", "--workers", "4"]
          ports:
          - containerPort: 8080
            name: http
          resources:
            requests:
              cpu: 100m
              memory: 128Mi
            limits:
              memory: 256Mi
`
	serviceBody = `v1 Service
  spec:
    type: ClusterIP
    # the ports of the pods, which the mesh takes over
    ports:
    - name: http
      port: 80
      protocol: TCP
      targetPort: http
    - name: metrics
      port: 9090
      protocol: TCP
      targetPort: 9090
    - name: admin
      port: 9901
      protocol: TCP
      targetPort: 9901
    selector:
      app.kubernetes.io/name: <name>
      app.kubernetes.io/part-of: shop
    sessionAffinity: None
    internalTrafficPolicy: Cluster
`
	configMapBody = `v1 ConfigMap
  data:
    workers: "4"
    log.level: info
    application.yaml: |
      server:
        port: 8080
        context-path: /shop
      # the pool is as large as the number of workers
      pool:
        size: <n>
        timeout: 30s
        hosts:
        - db-0.db.shop.svc.cluster.local
        - db-1.db.shop.svc.cluster.local
      features:
        checkout: true
        recommendations: false
`
	roleBody = `rbac.authorization.k8s.io/v1 Role
  rules:
  - apiGroups:
    - ""
    resources:
    - configmaps
    - secrets
    verbs:
    - get
    - list
    - watch
  - apiGroups:
    - apps
    resources:
    - deployments
    - deployments/scale
    verbs:
    - get
    - patch
    - update
  - apiGroups:
    - coordination.k8s.io
    resources:
    - leases
    resourceNames:
    - <name>
    verbs:
    - "*"
`
	networkPolicyBody = `networking.k8s.io/v1 NetworkPolicy
  spec:
    podSelector:
      matchLabels:
        app.kubernetes.io/name: <name>
    policyTypes:
    - Ingress
    - Egress
    ingress:
    - from:
      - namespaceSelector:
          matchLabels:
            kubernetes.io/metadata.name: ingress
      ports:
      - port: 8080
        protocol: TCP
    egress:
    - to:
      - ipBlock:
          cidr: 10.0.<n>.0/24
          except:
          - 10.0.<n>.1/32
`
)
