package shown

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/secret"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// What each audience sees of a file: the text is what a terminal shows, with what a record hides
// between « and », and what nobody sees between ‹ and ›.
func TestLines(t *testing.T) {
	const head = `apiVersion: packs.kpt.dev/v1alpha1
kind: KIND
metadata: {name: a, labels: {team: red}}
spec:
`
	of := func(kind, text string) string { return strings.Replace(head, "KIND", kind, 1) + text }
	for _, tc := range []struct{ name, file, text string }{
		{"a Secret", "a.yaml", `apiVersion: v1
kind: Secret
metadata: {name: a, annotations: {x: ‹y›}}
data:
  user: ‹YWRtaW4=›
stringData: {ok: ‹true›, n: ‹5›}
type: «Opaque»
`},
		{
			"values of a pack", "a.yaml",
			of("Pack", `  version: 1.0.0
  values:
    replicas: 3
    memory: 4Gi
    on: true
    none: null
    timeout: 30s
    host: «vault.example.com»
    cidr: 10.0.0.0/8
    url: https://example.com/a
    image: nginx:1.25
    repo: quay.io/a/b:v1
    password: ‹x›
    pin: {token: ‹12345›, tokenReview: true}
    list: [1, «two», «"three"»]
  schema:
    host: {schema: '{{ format "${string}" }}'}
`),
		},
		{
			"overrides", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  scope: cluster
  values: # ours
    storageClass: «fast» # «why: because»
    text: |
      «a»
      «b: c»
    charts: {vault-token-agent: {replicas: 3, name: «x»}}
`),
		},
		{
			"a text in brackets", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values:
    a: '{"token": ‹"x"›}'
    b: '{"host": «"x"»}'
    c: «a {b} c»
`),
		},
		{
			"values as a text", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values: |
    # one
    host: «a» # two
    port: 80
    tls: {key: ‹abc›, cert: ‹def›, certManager: ‹g›}
`),
		},
		{
			"values as a text with escapes", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values: "password: ‹geheim\u00e9›\nhost: «b\u00e9»\nport: 1"
`),
		},
		{
			"values as a folded text", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values: >
    password: ‹geheimé›

    host: «b»

    port: 1
`),
		},
		{"a pack in a ConfigMap", "a.yaml", `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  pack.json: |
    {"name": "vault", "version": "1.0.0"}
  values.yaml: |
    host: «a»
    port: 80
  presets.yaml: |
    presets:
    - name: ha
      group: size
      add: |
        replicas: 3
        host: «b»
  other: «text»
`},
		{
			"presets of a pack", "a.yaml",
			of("Pack", `  presets:
  - {name: ha, add: {host: «b», token: ‹c›, list: [«d», 1]}}
  - name: b
    add: |
      host: «e»
`),
		},
		{"presets.yaml by itself", "presets.yaml", `presets:
- {name: ha, add: {host: «b», n: 1}}
- {name: b, add: "a: 1"}
`},
		{
			"a cluster", "a.yaml",
			of("ClusterContext", `  system: {cluster: {name: prod}, cloud: {type: aws, region: us-east-1}}
  variables: {HOST: «a», API_KEY: ‹b›, N: 3}
  machinePools: [{name: workers, role: worker, size: 3, instanceType: m5.large}]
`),
		},
		{"a functionConfig", "a.yaml", `apiVersion: fn.kpt.dev/v1alpha1
kind: ValidatePackValues
metadata: {name: a}
spec: {unknownKeys: error}
`},
		{"a Kptfile", "Kptfile", `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
pipeline:
  mutators:
  - exec: resolve-macros
    configMap: {variables.HOST: «a», unknownKeys: error, token: ‹x›}
    env: {API_TOKEN: ‹x›, HOST: «a», N: 3}
    when: a
`},
		{"presets in a Kptfile", "Kptfile", `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: # kpt-merge: apps/p
  name: p
pipeline:
  mutators:
  - image: ghcr.io/krm-packs/apply-preset:v1
    configMap: {vault: size:ha, token: ‹x›, web: ‹ghp_0123456789abcdef›}
  - image: other
    configMap: {vault: «size:ha»}
`},
		{"presets in a set", "a.yaml", `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: a}
spec:
  targets:
  - template:
      pipeline:
        mutators: [{image: other, configMap: {vault: «x»}}, {exec: apply-preset, configMap: {vault: size:ha}}]
      packageContext: {data: {a: «b»}, removeKeys: [c], dataExprs: [{key: a, value: «b»}]}
`},
		{
			"bundles in a ConfigMap", "a.yaml",
			`apiVersion: v1
kind: ConfigMap
metadata: {name: a}
data:
  bundle.yaml: |
    # one
    ---
` + bundle + `    ---
    # «two: x»
    ---
` + strings.ReplaceAll(bundle, "package: a", "package: b") + `    ---
    «a: [»
    ‹token: x›
`,
		},
		{"a ClusterServiceVersion", "a.yaml", serviceVersion},
		{"a CustomResourceDefinition", "a.yaml", `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.com} # kpt-merge: /things.example.com
spec:
  group: example.com
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    schema: {openAPIV3Schema: {properties: {a: {default: «x»}}}}
`},
		{
			"names in values", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values:
    image: {pullPolicy: Always, tag: «x»}
    namespaces: [vault, «two words»]
    kind: Deployment
    version: «"a b"»
    namespace: ‹ghp_0123456789abcdef›
    token: {namespace: ‹x›}
    issuer: {kind: ClusterIssuer, name: x}
    more: {kind: «no kind», name: «x»}
    annotation: «"kpt-merge: a/b"» # «kpt-merge: a/b»
    metadata: 1 # «kpt-merge: a/b, c»
`),
		},
		{
			"a cluster to fill in", "a.yaml",
			of("ClusterContext", `  system:
    kubernetes: {version: CHANGE_ME} # vault: 1.28 to 1.32
    cloud: {type: aws} # «vault: aws»
    cluster: {name: CHANGE_ME} # ‹token: x›
  variables:
    HOST: CHANGE_ME # «vault: host»
    TOKEN: ‹CHANGE_ME› # vault token
    TEXT: «CHANGE_ME or not»
  machinePools:
  - {role: worker, size: CHANGE_ME} # requests: 200m
`),
		},
		{"a property by itself", "a.yaml", `type: olm.gvk
value: {group: example.com, version: v1, kind: Thing}
`},
		{"a type by itself", "a.yaml", `type: «olm.gvk»
other: «x»
`},
		{"annotations of a bundle", "annotations.yaml", `annotations:
  operators.operatorframework.io.bundle.package.v1: vault
  token: ‹x›
`},
		{"sources of macros", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values:\n    a: 80 # kpt-macro: {{ .spectro.var.NO }}\n    b: 80 # «kpt-macro: {{ .spectro.var.NO | default \"x\" }}»\n    c: 80 # «kpt-macro: {{ .spectro.var.NO | default `x` }}»\n    password: ‹5› # ‹kpt-macro: {{ .spectro.var.NO }}-x›\n")},
		{
			"a field named like a secret", "a.yaml",
			of("PackageVariant", `  upstream: {repo: a}
  credential: ‹x›
  tokens: true
  removeKeys: [a]
`),
		},
		{"another resource", "a.yaml", `apiVersion: apps/v1
kind: Deployment
metadata: {name: a, namespace: b, labels: {x: y}}
spec:
  replicas: 3
  env:
  - {name: DB_PASSWORD, value: ‹x›}
  - {name: HOST, value: «x»}
  image: quay.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
`},
		{
			"texts like secrets", "a.yaml",
			of("PackValues", `  packRef: {name: ‹ghp_0123456789abcdef›}
  values:
    a: ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIi›
    b: ‹https://user:pw@example.com/x›
    c: ‹https://example.com/x?sig=1›
    d: ‹Zm9vYmFyYmF6cXV4MTIzNA›
    e: |
      ‹-----BEGIN RSA PRIVATE KEY-----›
      ‹abc›
    f: 1 # ‹was ghp_0123456789abcdef›
`),
		},
		{
			"a text with secrets in some lines", "a.yaml",
			of("PackValues", `  packRef: {name: vault}
  values:
    conf: |
      «server {»
      ‹send ghp_0123456789abcdef;›
      «listen 80;»
      ‹-----BEGIN KEY-----›
      ‹short line›
      ‹-----END KEY-----›
      «then»
      ‹Zm9vYmFyYmF6cXV4MTIzNA›
      ‹Zm8=›
      «}»
    key: |
      ‹server {›
      ‹send ghp_0123456789abcdef;›
`),
		},
		{"a policy of Capact", "p.yaml", `interface:
  rules:
  - interface: {path: cap.interface.a}
    oneOf:
    - implementationConstraints: {path: cap.*}
      inject: {additionalParameters: [{name: a, value: {region: «x»}}]}
`},
		{
			"a resource in a file values.yaml", "dev/values.yaml",
			of("PackValues", `  packRef: {name: vault}
  scope: cluster
  values: {host: «a»}
`),
		},
		{"another resource in a file values.yaml", "dev/values.yaml", `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
spec: {host: «a»}
`},
		{"values.yaml by itself", "packs/a/values.yaml", `host: «a»
port: 80
`},
		{"what is commented out", "a.yaml", of("PackValues", commentedOut)},
		{"names beside values", "a.yaml", of("PackageVariantSet", besideNames)},
		{"a text without a structure", "a.yaml", "«a: [»\n  «b»\n‹token: |›\n  ‹c›\n\n  ‹d: e›\n«f: g»\n"},
	} {
		plain := strings.NewReplacer("«", "", "»", "", "‹", "", "›", "").Replace(tc.text)
		for audience, marks := range map[diag.Audience]*strings.Replacer{diag.All: strings.NewReplacer("«", "", "»", "", "‹", "", "›", "")} {
			if diff := cmp.Diff(marks.Replace(tc.text), strings.Join(New(tc.file, []byte(plain), nil).Lines(audience), "\n")); diff != "" {
				t.Errorf("%s: -want +got:\n%s", tc.name, diff)
			}
		}
		for audience, open := range map[diag.Audience]string{diag.Record: "«‹", diag.Terminal: "‹"} {
			want, hidden := "", false
			for _, r := range tc.text {
				switch {
				case strings.ContainsRune(open, r):
					want, hidden = want+Hidden, true
				case strings.ContainsRune("»›", r):
					hidden = false
				case !hidden && !strings.ContainsRune("«‹", r):
					want += string(r)
				}
			}
			if diff := cmp.Diff(want, strings.Join(New(tc.file, []byte(plain), nil).Lines(audience), "\n")); diff != "" {
				t.Errorf("%s for %d: -want +got:\n%s", tc.name, audience, diff)
			}
		}
	}
}

const bundle = `    schema: olm.bundle
    name: a.v1.0.0 # «note: x»
    package: a
    properties:
    - {type: olm.gvk, value: {group: example.com, version: v1, kind: Thing}}
    - {type: other, value: {token: ‹x›}}
`

const serviceVersion = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata:
  name: a.v1.0.0
  annotations:
    olm.properties: '[{"type": "olm.package.required", "value": {"packageName": "b"}}, {"type": "c", "value": {"token": ‹"x"›}}]'
    alm-examples: '[{"kind": "A", "spec": {"host": «"x"»}}]'
spec:
  replaces: a.v0.9.0
  nativeAPIs: [{group: example.com, version: v1, kind: Thing}]
  customresourcedefinitions:
    required: [{name: things.example.com, version: v1, kind: Thing, other: «x»}]
  install:
    strategy: deployment
    spec:
      deployments:
      - name: «a»
        spec: {template: {spec: {containers: [{imagePullPolicy: Always, env: [{name: HOST, value: «x»}, {name: DB_PASSWORD, value: ‹x›}]}]}}}
`

const commentedOut = `  packRef: {name: vault}
  values:
    # the token is read from a file
    # ‹token=x›
    storage: 5 # ‹export DB_PASSWORD=x›
    # storage=5
    # ‹"token": "x"›
    # ‹login --user me --password x›
    # ‹ENV API_TOKEN x›
    # ‹{name: DB_PASSWORD, value: x}›
    # «image: quay.io/a/vault-token:v1»
    # tls
    # ‹key: |›
    #   ‹MIIE›
    # «host: a»
    # ‹tokens:›
    # ‹- x›

    # «- name: DB_PASSWORD»
    #   ‹value: x›
    # «- name: HOST»
    #   «value: x»
    # «see https://example.com:8443/token:»
    args: [‹--token=x›, «--user=me»]
`

const besideNames = `  targets:
  - template:
      labelExprs: [{key: a, valueExpr: "'x'"}]
      packageContext:
        dataExprs:
        - {key: password, valueExpr: ‹"'x'"›}
        - {key: token, value: [‹x›, {a: ‹x›}]}
        - {key: token, keyExpr: "'x'", value: true}
`

// The own values of a pack are shown to everybody, without what may be a secret, as long as they are
// the values that were imported.
func TestPublished(t *testing.T) {
	const file = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: a
  annotations:
    packs.kpt.dev/imported: '{"version":"1.0.0","sha256":{"values.yaml":"aa"},"data":"DIGEST"}'
spec:
  version: 1.0.0
  values:
    host: example # note: it
    token: x
    pem: ghp_0123456789abcdef
`
	document, err := values.Parse(`host: example
token: x
pem: ghp_0123456789abcdef
`)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(file, "DIGEST", pack.DataDigest(document.Root()), 1)
	inConfigMap := strings.NewReplacer("packs.kpt.dev/v1alpha1\nkind: Pack", "v1\nkind: ConfigMap", "spec:\n  version: 1.0.0\n  values:\n", "data:\n  values.yaml: |\n").Replace(text)
	for _, tc := range []struct {
		text string
		want []string
	}{
		{text, []string{"    host: example # •••", "    token: •••", "    pem: •••"}},
		{strings.Replace(text, "host: example", "host: other", 1), []string{"    host: ••• # •••", "    token: •••", "    pem: •••"}},
		{strings.Replace(text, "example # note", "example # ghp_0123456789abcdef", 1), []string{"    host: example # •••"}},
		{inConfigMap, []string{"    host: example # •••", "    token: •••", "    pem: •••"}},
		{strings.Replace(inConfigMap, "host: example", "host: other", 1), []string{"    host: ••• # •••", "    token: •••", "    pem: •••"}},
	} {
		got := New("a.yaml", []byte(tc.text), nil).Lines(diag.Record)
		for _, want := range tc.want {
			if !slices.Contains(got, want) {
				t.Errorf("no line %q in\n%s", want, strings.Join(got, "\n"))
			}
		}
	}
}

// A line of a text that cannot be read is hidden without a search if it is long: it takes no longer than any other
// text of its length.
func TestLongLine(t *testing.T) {
	for _, length := range []int{secret.MaxSearched / 2, 2 * secret.MaxSearched} {
		text := "a: [" + strings.Repeat("b, ", length/3)
		f := New("a.yaml", []byte("kind: Pack\n"+text+"\n"), nil)
		want := diag.Owned
		if length > secret.MaxSearched {
			want = diag.Secret
		}
		if parts := f.hidden[1]; len(parts) != 1 || parts[0].class != want || parts[0].to != len(strings.TrimRight(text, " ")) {
			t.Errorf("%d bytes: got %+v", length, parts)
		}
	}
}

// The place of a finding is below the same text, with what is hidden before it, and of a long line
// the part around it is shown.
func TestAt(t *testing.T) {
	const line = "spec: {values: {host: héllo, port: 80, name: x}}"
	text := `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: a}
` + line + "\n"
	column := func(text, at string) int { return utf8.RuneCountInString(text[:strings.Index(text, at)]) + 1 }
	f := New("a.yaml", []byte(text), nil)
	for at, want := range map[string]string{"port": "port: 80", "name: x": "name: " + Hidden, "host": "host: " + Hidden, "llo": Hidden} {
		got := f.At(diag.Position{Line: 4, Column: column(line, at)}, diag.Record)
		if runes := []rune(got.Text); !strings.HasPrefix(string(runes[got.Column-1:]), want) {
			t.Errorf("%s: got %+v", at, got)
		}
	}
	if got := f.At(diag.Position{Line: 4}, diag.Record, "x").Text; !strings.Contains(got, "name: x") || strings.Contains(got, "llo") {
		t.Errorf("a text that the message shows: got %s", got)
	}
	long := "a: [" + strings.Repeat("é, ", 5000) + "secret, " + strings.Repeat("12, ", 5000) + "end]"
	f = New("a.yaml", []byte(long), nil)
	for _, at := range []string{"a: [", "secret", "12, end", "end]"} {
		got := f.At(diag.Position{Line: 1, Column: column(long, at)}, diag.Record)
		runes := []rune(got.Text)
		want := strings.NewReplacer("secret", Hidden, "end", Hidden).Replace(at)
		if len(runes) > 5*distance || !strings.HasPrefix(string(runes[got.Column-1:]), want) {
			t.Errorf("%s: got column %d of %d: %.20s", at, got.Column, len(runes), string(runes[got.Column-1:]))
		}
	}
	if got := f.At(diag.Position{Line: 2}, diag.All); got != (Line{}) {
		t.Errorf("no line: got %+v", got)
	}
}
