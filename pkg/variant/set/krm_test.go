package set

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/values"
)

// list makes a ResourceList of YAML documents, with a functionConfig in flow
// style.
func list(config, documents string) string {
	text := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"
	if config != "" {
		text += "functionConfig: " + config + "\n"
	}
	text += "items:\n"
	for document := range strings.SplitSeq(documents, "---\n") {
		if document = strings.TrimRight(document, "\n"); document == "" {
			continue
		}
		text += "- " + strings.ReplaceAll(strings.ReplaceAll(document, "\n", "\n  "), "\n  \n", "\n\n") + "\n"
	}
	return text
}

// evaluate runs the function over a list, and returns the items as they leave,
// as documents, and the results, one line each: severity, resource, message.
func evaluate(t testing.TB, text string) (documents string, results []string) {
	t.Helper()
	read, err := function.Read([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	outcome := function.Evaluate(Function(), read)
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil && r.ResourceRef.Kind != Kind {
			where = r.ResourceRef.Kind + " " + r.ResourceRef.Name + ": "
		}
		results = append(results, fmt.Sprintf("%s: %s%s", r.Severity, where, r.Message))
	}
	var b bytes.Buffer
	if err := read.Write(&b, nil); err != nil {
		t.Fatal(err)
	}
	return asDocuments(b.String()), results
}

// asDocuments is the reverse of list: the items of a list as YAML documents.
func asDocuments(text string) string {
	_, items, _ := strings.Cut(text, "\nitems:\n")
	var b strings.Builder
	for line := range strings.Lines(items) {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			if b.Len() > 0 {
				b.WriteString("---\n")
			}
			b.WriteString(item)
			continue
		}
		b.WriteString(strings.TrimPrefix(line, "  "))
	}
	return b.String()
}

// added is what the function puts behind the documents of a list without a
// configuration, which stay as they are.
func added(t testing.TB, documents string) (variants string, results []string) {
	t.Helper()
	got, results := evaluate(t, list("", documents))
	rest, ok := strings.CutPrefix(got, documents)
	if !ok {
		t.Errorf("what was there has changed:\n%s", cmp.Diff(documents, got))
	}
	return strings.TrimPrefix(rest, "---\n"), results
}

// pairs are the downstream repositories and packages of variants.
func pairs(t testing.TB, variants string) []string {
	t.Helper()
	var all []string
	for document := range strings.SplitSeq(variants, "---\n") {
		if document == "" {
			continue
		}
		d, err := values.Parse(document)
		if err != nil {
			t.Fatal(err)
		}
		get := func(keys ...string) string { return values.Text(values.Field(d.Root(), keys...)) }
		if got := get("spec", "upstream", "package"); got != "foo" {
			t.Errorf("upstream %q", got)
		}
		all = append(all, get("spec", "downstream", "repo")+" "+get("spec", "downstream", "package"))
	}
	return all
}

const setHead = "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata:\n  namespace: default\n  name: example\n"

const spec = "spec:\n  upstream:\n    repo: example-repo\n    package: foo\n    revision: v1\n"

// The resources of the document's example: a PackageRevision, and Repositories
// with their labels.
const fleet = `---
apiVersion: porch.kpt.dev/v1alpha1
kind: PackageRevision
metadata:
  name: example-repo.foo.v1
  namespace: default
  labels:
    tier: gold
spec:
  repository: example-repo
  packageName: foo
  revision: v1
  workspaceName: main
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster-01
  namespace: default
  labels:
    region: useast1
    env: prod
    org: hr
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster-02
  namespace: default
  labels:
    region: uswest1
    env: prod
    org: finance
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster-03
  labels:
    region: useast2
    env: prod
    org: hr
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata:
  name: cluster-04
  namespace: default
  labels: {region: uswest1, env: prod, org: hr}
`

// The document's first example: repositories with package names.
func TestDocumentRepositories(t *testing.T) {
	variants, results := added(t, setHead+spec+`  targets:
  - repositories:
    - name: cluster-01
    - name: cluster-02
    - name: cluster-03
      packageNames:
      - foo-a
      - foo-b
      - foo-c
    - name: cluster-04
      packageNames:
      - foo-a
      - foo-b
`+fleet)
	want := []string{"cluster-01 foo", "cluster-02 foo", "cluster-03 foo-a", "cluster-03 foo-b", "cluster-03 foo-c", "cluster-04 foo-a", "cluster-04 foo-b"}
	if diff := cmp.Diff(want, pairs(t, variants)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"info: PackageVariantSet default/example: 7 PackageVariants (targets[0].repositories 7); 7 new [variant-set/expanded]"}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The document's second example: label selectors, with and without package names.
func TestDocumentSelectors(t *testing.T) {
	variants, results := added(t, setHead+spec+`  targets:
  - repositorySelector:
      matchLabels:
        env: prod
        org: hr
  - repositorySelector:
      matchLabels:
        region: uswest1
    packageNames:
    - foo-a
    - foo-b
    - foo-c
`+fleet)
	want := []string{"cluster-01 foo", "cluster-02 foo-a", "cluster-02 foo-b", "cluster-02 foo-c", "cluster-03 foo", "cluster-04 foo", "cluster-04 foo-a", "cluster-04 foo-b", "cluster-04 foo-c"}
	if diff := cmp.Diff(want, pairs(t, variants)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"info: PackageVariantSet default/example: 9 PackageVariants (targets[0].repositorySelector 3, targets[1].repositorySelector 6); 9 new [variant-set/expanded]"}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The document's third example: a selector of other objects, here with matching
// objects beside ones of another kind, version, namespace and label.
func TestDocumentObjectSelector(t *testing.T) {
	team := func(apiVersion, kind, namespace, name, role string) string {
		return fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata:\n  name: %s\n  namespace: %s\n  labels:\n    org: hr\n    role: %s\n", apiVersion, kind, name, namespace, role)
	}
	const v1 = "krm-platform.bigco.com/v1"
	variants, results := added(t, setHead+spec+`  targets:
  - objectSelector:
      apiVersion: krm-platform.bigco.com/v1
      kind: Team
      matchLabels:
        org: hr
        role: dev
    template:
      downstream:
        repoExpr: "'cluster-' + target.name"
`+team(v1, "Team", "default", "02", "dev")+team(v1, "Team", "default", "01", "dev")+team(v1, "Team", "default", "03", "ops")+
		team(v1, "Team", "other", "04", "dev")+team(v1, "Group", "default", "04", "dev")+team("krm-platform.bigco.com/v2", "Team", "default", "04", "dev")+fleet)
	if diff := cmp.Diff([]string{"cluster-01 foo", "cluster-02 foo"}, pairs(t, variants)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"info: PackageVariantSet default/example: 2 PackageVariants (targets[0].objectSelector 2); 2 new [variant-set/expanded]"}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The document's example of a template with labels.
func TestDocumentLabels(t *testing.T) {
	variants, results := added(t, setHead+`spec:
  upstream:
    repo: platform-catalog
    package: base-ns
    revision: v1
  targets:
  - repositories:
    - name: cluster-01
      packageNames:
      - ns-1
      - ns-2
      - ns-3
    template:
      labels:
        package-type: namespace
        org: hr
`)
	want := ""
	for _, name := range []string{"ns-1", "ns-2", "ns-3"} {
		want += "---\n" + variant("example-cluster-01-"+name, "", `spec:
  upstream:
    repo: platform-catalog
    package: base-ns
    revision: v1
  downstream:
    repo: cluster-01
    package: `+name+`
  labels:
    org: hr
    package-type: namespace
`)
	}
	if diff := cmp.Diff(strings.TrimPrefix(want, "---\n"), variants); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"warning: spec: the upstream and the repository cluster-01 could not be looked up: the list holds no PackageRevision and no Repository (a selector of the function may hide it); expressions see no labels and annotations of them [variant-set/unverified]",
		"info: PackageVariantSet default/example: 3 PackageVariants (targets[0].repositories 3); 3 new [variant-set/expanded]",
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// variant is a PackageVariant of the set default/example as it is printed.
func variant(name, annotations, spec string) string {
	return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: " + name + "\n  namespace: default\n  annotations:\n    internal.config.kubernetes.io/path: packagevariants/" + name + ".yaml\n" + annotations + "    packs.kpt.dev/variant-set: default/example\n" + spec
}

// The document's example of expressions, in the spelling of the document.
func TestDocumentExpressions(t *testing.T) {
	variants, results := added(t, setHead+spec+`  targets:
  - repositorySelector:
      matchLabels:
        env: prod
        org: hr
    template:
      labelExprs:
        key: org
        valueExpr: "repository.labels['org']"
      injectorExprs:
      - nameExpr: "repository.labels['region'] + '-endpoints'"
`+fleet)
	want := ""
	for _, at := range []struct{ repo, region string }{{"cluster-01", "useast1"}, {"cluster-03", "useast2"}, {"cluster-04", "uswest1"}} {
		want += "---\n" + variant("example-"+at.repo+"-foo", "", spec+`  downstream:
    repo: `+at.repo+`
    package: foo
  labels:
    org: hr
  injectors:
  - name: `+at.region+`-endpoints
`)
	}
	if diff := cmp.Diff(strings.TrimPrefix(want, "---\n"), variants); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{
		"info: PackageVariantSet default/example: 3 PackageVariants (targets[0].repositorySelector 3); 3 new [variant-set/expanded]",
		"warning: spec.targets[0].template.injectorExprs: is read as injectors, which is the name in the API: write injectors [variant-set/alias]",
		"warning: spec.targets[0].template.labelExprs: a single mapping is read as a list of one: write a list [variant-set/alias]",
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Every field of a template, in the order of the fields of a PackageVariant.
func TestTemplate(t *testing.T) {
	variants, _ := added(t, setHead+strings.Replace(spec, "v1", "3\n    workspaceName: main", 1)+`  targets:
  - repositories:
    - name: a
    template:
      adoptionPolicy: adoptExisting
      deletionPolicy: orphan
      downstream:
        repo: b
        packageExpr: packageDefault + '-' + repository.name
      labels: {a: plain, b: plain, "yes": "1"}
      labelExprs:
      - {key: b, value: first}
      - {keyExpr: "'b'", valueExpr: "'later'"}
      - {keyExpr: target.repo, value: ""}
      annotations: {z: plain}
      annotationExprs:
      - {key: packages, valueExpr: "[target['package'], upstream.name].join(' ')"}
      packageContext:
        data: {a: "two\nlines"}
        dataExprs:
        - {key: space, valueExpr: upstream.namespace + repository.namespace}
        removeKeys: [z, b, z]
        removeKeyExprs: ["'b'", "'c'"]
      pipeline:
        validators:
        - exec: check
          configPath: config.yaml
        mutators:
        - image: set-labels:v1
          name: labels
          configMap: {app: plain, org: hr}
          configMapExprs:
          - {key: app, valueExpr: repoDefault}
          selectors: # kept
          - kind: Deployment
            labels: {a: "1"}
          - {}
          exclude: []
          tag: 1.30
      injectors:
      - {group: "", version: v1, kind: ConfigMap, nameExpr: "string(size(repoDefault))"}
      - {name: b, point: here}
`)
	want := variant("example-b-foo-b", "", `spec:
  upstream:
    repo: example-repo
    package: foo
    revision: 3
    workspaceName: main
  downstream:
    repo: b
    package: foo-b
  adoptionPolicy: adoptExisting
  deletionPolicy: orphan
  labels:
    a: ""
    b: later
    "yes": "1"
  annotations:
    packages: a foo
    z: plain
  packageContext:
    data:
      a: |-
        two
        lines
      space: defaultdefault
    removeKeys:
    - b
    - c
    - z
  pipeline:
    mutators:
    - image: set-labels:v1
      name: labels
      configMap:
        app: a
        org: hr
      selectors:
      - kind: Deployment
        labels:
          a: "1"
      - {}
      exclude: []
      tag: 1.30
    validators:
    - exec: check
      configPath: config.yaml
  injectors:
  - group: ""
    version: v1
    kind: ConfigMap
    name: "1"
  - name: b
    point: here
`)
	want = strings.ReplaceAll(want, "packages: a foo", "packages: foo foo")
	if diff := cmp.Diff(want, variants); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Expressions see the labels and annotations of resources, but not where clients
// store them: what comes of a set must not depend on who runs the function.
func TestAnnotationsOfClients(t *testing.T) {
	const annotations = "  annotations:\n    config.kubernetes.io/path: a.yaml\n    config.kubernetes.io/index: '0'\n    config.k8s.io/id: '1'\n    internal.config.kubernetes.io/path: a.yaml\n    internal.config.k8s.io/x: y\n    config.kubernetes.io/local-config: \"true\"\n    note: mine\n"
	resources := strings.ReplaceAll(strings.ReplaceAll(fleet, "  name: cluster-01\n", "  name: a\n"+annotations), "  name: example-repo.foo.v1\n", "  name: example-repo.foo.v1\n"+annotations)
	variants, results := added(t, setHead+spec+`  targets:
  - repositorySelector: {matchLabels: {region: useast1}}
    template:
      labelExprs:
      - key: a
        valueExpr: string(size(target.annotations)) + repository.annotations.note + string(size(upstream.annotations)) + upstream.annotations['config.kubernetes.io/local-config']
`+resources)
	if !strings.Contains(variants, "  labels:\n    a: 2mine2true\n") {
		t.Errorf("%v\n%s", results, variants)
	}
}

// The variants of several sets are appended in the order of their names.
func TestOrder(t *testing.T) {
	of := func(name string) string {
		return strings.Replace(setHead, "example", name, 1) + spec + "  targets:\n  - repositories: [{name: b}, {name: a}]\n"
	}
	variants, results := added(t, of("z")+"---\n"+of("a"))
	if diff := cmp.Diff([]string{"a foo", "b foo", "a foo", "b foo"}, pairs(t, variants)); diff != "" || strings.Index(variants, "name: a-") > strings.Index(variants, "name: z-") {
		t.Errorf("%v -want +got:\n%s\n%s", results, diff, variants)
	}
}
