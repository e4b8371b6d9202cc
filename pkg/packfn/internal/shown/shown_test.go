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
	const head = "apiVersion: packs.kpt.dev/v1alpha1\nkind: KIND\nmetadata: {name: a, labels: {team: red}}\nspec:\n"
	of := func(kind, text string) string { return strings.Replace(head, "KIND", kind, 1) + text }
	for _, tc := range []struct{ name, file, text string }{
		{"a Secret", "a.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: a, annotations: {x: ‹y›}}\ndata:\n  user: ‹YWRtaW4=›\nstringData: {ok: ‹true›, n: ‹5›}\ntype: «Opaque»\n"},
		{"values of a pack", "a.yaml", of("Pack", "  version: 1.0.0\n  values:\n    replicas: 3\n    memory: 4Gi\n    on: true\n    none: null\n    timeout: 30s\n    host: «vault.example.com»\n    cidr: 10.0.0.0/8\n    url: https://example.com/a\n    image: nginx:1.25\n    repo: quay.io/a/b:v1\n    password: ‹x›\n    pin: {token: ‹12345›, tokenReview: true}\n    list: [1, «two», «\"three\"»]\n  schema:\n    host: {schema: '{{ format \"${string}\" }}'}\n")},
		{"overrides", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  scope: cluster\n  values: # ours\n    storageClass: «fast» # «why: because»\n    text: |\n      «a»\n      «b: c»\n    charts: {vault-token-agent: {replicas: 3, name: «x»}}\n")},
		{"a text in brackets", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values:\n    a: '{\"token\": ‹\"x\"›}'\n    b: '{\"host\": «\"x\"»}'\n    c: «a {b} c»\n")},
		{"values as a text", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values: |\n    # one\n    host: «a» # two\n    port: 80\n    tls: {key: ‹abc›, cert: ‹def›, certManager: ‹g›}\n")},
		{"values as a text with escapes", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values: \"password: ‹geheim\\u00e9›\\nhost: «b\\u00e9»\\nport: 1\"\n")},
		{"values as a folded text", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values: >\n    password: ‹geheimé›\n\n    host: «b»\n\n    port: 1\n")},
		{"a pack in a ConfigMap", "a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  pack.json: |\n    {\"name\": \"vault\", \"version\": \"1.0.0\"}\n  values.yaml: |\n    host: «a»\n    port: 80\n  presets.yaml: |\n    presets:\n    - name: ha\n      group: size\n      add: |\n        replicas: 3\n        host: «b»\n  other: «text»\n"},
		{"presets of a pack", "a.yaml", of("Pack", "  presets:\n  - {name: ha, add: {host: «b», token: ‹c›, list: [«d», 1]}}\n  - name: b\n    add: |\n      host: «e»\n")},
		{"presets.yaml by itself", "presets.yaml", "presets:\n- {name: ha, add: {host: «b», n: 1}}\n- {name: b, add: \"a: 1\"}\n"},
		{"a cluster", "a.yaml", of("ClusterContext", "  system: {cluster: {name: prod}, cloud: {type: aws, region: us-east-1}}\n  variables: {HOST: «a», API_KEY: ‹b›, N: 3}\n  machinePools: [{name: workers, role: worker, size: 3, instanceType: m5.large}]\n")},
		{"a functionConfig", "a.yaml", "apiVersion: fn.kpt.dev/v1alpha1\nkind: ValidatePackValues\nmetadata: {name: a}\nspec: {unknownKeys: error}\n"},
		{"a Kptfile", "Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - exec: resolve-macros\n    configMap: {variables.HOST: «a», unknownKeys: error, token: ‹x›}\n    env: {API_TOKEN: ‹x›, HOST: «a», N: 3}\n    when: a\n"},
		{"presets in a Kptfile", "Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: # kpt-merge: apps/p\n  name: p\npipeline:\n  mutators:\n  - image: ghcr.io/krm-packs/apply-preset:v1\n    configMap: {vault: size:ha, token: ‹x›, web: ‹ghp_0123456789abcdef›}\n  - image: other\n    configMap: {vault: «size:ha»}\n"},
		{"presets in a set", "a.yaml", "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: a}\nspec:\n  targets:\n  - template:\n      pipeline:\n        mutators: [{image: other, configMap: {vault: «x»}}, {exec: apply-preset, configMap: {vault: size:ha}}]\n      packageContext: {data: {a: «b»}, removeKeys: [c], dataExprs: [{key: a, value: «b»}]}\n"},
		{"bundles in a ConfigMap", "a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  bundle.yaml: |\n    # one\n    ---\n" + bundle + "    ---\n    # «two: x»\n    ---\n" + strings.ReplaceAll(bundle, "package: a", "package: b") + "    ---\n    «a: [»\n    ‹token: x›\n"},
		{"a ClusterServiceVersion", "a.yaml", serviceVersion},
		{"a CustomResourceDefinition", "a.yaml", "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: things.example.com} # kpt-merge: /things.example.com\nspec:\n  group: example.com\n  names: {kind: Thing, plural: things}\n  versions:\n  - name: v1\n    schema: {openAPIV3Schema: {properties: {a: {default: «x»}}}}\n"},
		{"names in values", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values:\n    image: {pullPolicy: Always, tag: «x»}\n    namespaces: [vault, «two words»]\n    kind: Deployment\n    version: «\"a b\"»\n    namespace: ‹ghp_0123456789abcdef›\n    token: {namespace: ‹x›}\n    issuer: {kind: ClusterIssuer, name: x}\n    more: {kind: «no kind», name: «x»}\n    annotation: «\"kpt-merge: a/b\"» # «kpt-merge: a/b»\n    metadata: 1 # «kpt-merge: a/b, c»\n")},
		{"a cluster to fill in", "a.yaml", of("ClusterContext", "  system:\n    kubernetes: {version: CHANGE_ME} # vault: 1.28 to 1.32\n    cloud: {type: aws} # «vault: aws»\n    cluster: {name: CHANGE_ME} # ‹token: x›\n  variables:\n    HOST: CHANGE_ME # «vault: host»\n    TOKEN: ‹CHANGE_ME› # vault token\n    TEXT: «CHANGE_ME or not»\n  machinePools:\n  - {role: worker, size: CHANGE_ME} # requests: 200m\n")},
		{"a property by itself", "a.yaml", "type: olm.gvk\nvalue: {group: example.com, version: v1, kind: Thing}\n"},
		{"a type by itself", "a.yaml", "type: «olm.gvk»\nother: «x»\n"},
		{"annotations of a bundle", "annotations.yaml", "annotations:\n  operators.operatorframework.io.bundle.package.v1: vault\n  token: ‹x›\n"},
		{"sources of macros", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values:\n    a: 80 # kpt-macro: {{ .spectro.var.NO }}\n    b: 80 # «kpt-macro: {{ .spectro.var.NO | default \"x\" }}»\n    c: 80 # «kpt-macro: {{ .spectro.var.NO | default `x` }}»\n    password: ‹5› # ‹kpt-macro: {{ .spectro.var.NO }}-x›\n")},
		{"a field named like a secret", "a.yaml", of("PackageVariant", "  upstream: {repo: a}\n  credential: ‹x›\n  tokens: true\n  removeKeys: [a]\n")},
		{"another resource", "a.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, namespace: b, labels: {x: y}}\nspec:\n  replicas: 3\n  env:\n  - {name: DB_PASSWORD, value: ‹x›}\n  - {name: HOST, value: «x»}\n  image: quay.io/a/b@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef\n"},
		{"texts like secrets", "a.yaml", of("PackValues", "  packRef: {name: ‹ghp_0123456789abcdef›}\n  values:\n    a: ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIi›\n    b: ‹https://user:pw@example.com/x›\n    c: ‹https://example.com/x?sig=1›\n    d: ‹Zm9vYmFyYmF6cXV4MTIzNA›\n    e: |\n      ‹-----BEGIN RSA PRIVATE KEY-----›\n      ‹abc›\n    f: 1 # ‹was ghp_0123456789abcdef›\n")},
		{"a text with secrets in some lines", "a.yaml", of("PackValues", "  packRef: {name: vault}\n  values:\n    conf: |\n      «server {»\n      ‹send ghp_0123456789abcdef;›\n      «listen 80;»\n      ‹-----BEGIN KEY-----›\n      ‹short line›\n      ‹-----END KEY-----›\n      «then»\n      ‹Zm9vYmFyYmF6cXV4MTIzNA›\n      ‹Zm8=›\n      «}»\n    key: |\n      ‹server {›\n      ‹send ghp_0123456789abcdef;›\n")},
		{"a policy of Capact", "p.yaml", "interface:\n  rules:\n  - interface: {path: cap.interface.a}\n    oneOf:\n    - implementationConstraints: {path: cap.*}\n      inject: {additionalParameters: [{name: a, value: {region: «x»}}]}\n"},
		{"a resource in a file values.yaml", "dev/values.yaml", of("PackValues", "  packRef: {name: vault}\n  scope: cluster\n  values: {host: «a»}\n")},
		{"another resource in a file values.yaml", "dev/values.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nspec: {host: «a»}\n"},
		{"values.yaml by itself", "packs/a/values.yaml", "host: «a»\nport: 80\n"},
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

// The own values of a pack are shown to everybody while they are those that were imported, and the
// values of a pack directory always, but for what may be a secret.
func TestPublished(t *testing.T) {
	const file = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata:\n  name: a\n  annotations:\n    packs.kpt.dev/imported: '{\"version\":\"1.0.0\",\"sha256\":{\"values.yaml\":\"aa\"},\"data\":\"DIGEST\"}'\nspec:\n  version: 1.0.0\n  values:\n    host: example # note: it\n    token: x\n    pem: ghp_0123456789abcdef\n"
	document, err := values.Parse("host: example\ntoken: x\npem: ghp_0123456789abcdef\n")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(file, "DIGEST", pack.DataDigest(document.Root()), 1)
	inDirectory := KnownOf(func(func(string, []byte) bool) {}).Beside(func(string) ([]byte, bool) { return nil, true })
	for _, tc := range []struct {
		name, text string
		known      *Known
		want       []string
	}{
		{"a.yaml", text, nil, []string{"    host: example # •••", "    token: •••", "    pem: •••"}},
		{"a.yaml", strings.Replace(text, "host: example", "host: other", 1), nil, []string{"    host: ••• # •••", "    token: •••", "    pem: •••"}},
		{"a.yaml", strings.Replace(text, "example # note", "example # ghp_0123456789abcdef", 1), nil, []string{"    host: example # •••"}},
		{"values.yaml", "    host: example # note: it\n    token: x\n", inDirectory, []string{"    host: example # note: it", "    token: •••"}},
	} {
		got := New(tc.name, []byte(tc.text), tc.known).Lines(diag.Record)
		for _, want := range tc.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no line %q in\n%s", tc.name, want, strings.Join(got, "\n"))
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
	text := "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: a}\n" + line + "\n"
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
	f = New("a.yaml", []byte(long), nil).From(7)
	for _, at := range []string{"a: [", "secret", "12, end", "end]"} {
		got := f.At(diag.Position{Line: 7, Column: column(long, at)}, diag.Record)
		runes := []rune(got.Text)
		want := strings.NewReplacer("secret", Hidden, "end", Hidden).Replace(at)
		if len(runes) > 5*distance || !strings.HasPrefix(string(runes[got.Column-1:]), want) {
			t.Errorf("%s: got column %d of %d: %.20s", at, got.Column, len(runes), string(runes[got.Column-1:]))
		}
	}
	if got := f.At(diag.Position{Line: 6}, diag.All); got != (Line{}) {
		t.Errorf("no line: got %+v", got)
	}
}
