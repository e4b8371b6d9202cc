package set

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "variant/set")) }

// evaluate runs the function over a list, and returns the items as they leave, as
// documents, and the facts of the findings.
func evaluate(t testing.TB, text string) (documents string, facts []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	return functiontest.Documents(output), functiontest.Facts(slices.DeleteFunc(outcome.Findings, isUnpinned))
}

// run is evaluate for documents. The messages go to the golden list.
func run(t testing.TB, config, documents string) (output string, facts []string) {
	t.Helper()
	outcome := functiontest.Run(t, Function(), config, documents)
	output, facts = evaluate(t, functiontest.List(config, documents))
	for _, f := range outcome.Findings {
		if f.Unseen == "if there is one" && (!rule.Of(f.Rule.ID).MayExist || f.Nearest != "" || f.Action != "") {
			t.Errorf("the message says that something may be hidden from the function: %s", f.Message())
		}
	}
	if strings.HasPrefix(output, "apiVersion") { // items that a list can be made of again
		functiontest.CheckAgain(t, Function(), config, output, outcome)
	}
	return output, facts
}

// added is what the function adds to the documents of a list without a configuration,
// which stay as they are.
func added(t testing.TB, documents string) (variants string, facts []string) {
	t.Helper()
	got, facts := run(t, "", documents)
	rest, ok := strings.CutPrefix(got, documents)
	if !ok {
		t.Errorf("what was there has changed:\n%s", cmp.Diff(documents, got))
	}
	return strings.TrimPrefix(rest, "---\n"), facts
}

// changes counts what became of the PackageVariants of documents.
func changes(before, after string) string {
	variants := func(documents string) map[string]string {
		all := map[string]string{}
		for document := range strings.SplitSeq(documents, "---\n") {
			if strings.Contains(document, "\nkind: PackageVariant\n") {
				_, name, _ := strings.Cut(document, "\n  name: ")
				name, _, _ = strings.Cut(name, "\n")
				all[name+document[:20]] = strings.TrimRight(document, "\n")
			}
		}
		return all
	}
	had, has := variants(before), variants(after)
	count := map[string]int{}
	for name, document := range has {
		switch old, ok := had[name]; {
		case !ok:
			count["new"]++
		case old != document:
			count["changed"]++
		default:
			count["as before"]++
		}
	}
	for name := range had {
		if _, ok := has[name]; !ok {
			count["removed"]++
		}
	}
	var parts []string
	for _, what := range []string{"new", "changed", "as before", "removed"} {
		if count[what] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", count[what], what))
		}
	}
	return strings.Join(parts, ", ")
}

// expanded is the fact of an expanded set.
func expanded(variants int) string {
	return fmt.Sprintf("info variant-set/expanded PackageVariantSet/default/example spec.targets variants=%d", variants)
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

const spec = "spec:\n  upstream:\n    repo: example-repo\n    package: foo\n    revision: 1\n"

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

// variant is a PackageVariant of the set default/example as it is printed.
func variantText(name, annotations, spec string) string {
	return "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: " + name + "\n  namespace: default\n  annotations:\n    internal.config.kubernetes.io/path: packagevariants/" + name + ".yaml\n" + annotations + "    packs.kpt.dev/variant-set: default/example\n" + spec
}

// Every field of a template, in the order of the fields of a PackageVariant.
func TestTemplate(t *testing.T) {
	variants, _ := added(t, setHead+strings.Replace(spec, "revision: 1", "revision: 3\n    workspaceName: main", 1)+`  targets:
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
          selectors:
          - kind: Deployment
            labels: {a: "1"}
          - {}
          exclude: [{namespace: x, name: y, apiVersion: v1, annotations: {b: c}}]
          tag: "1.30"
      injectors:
      - {group: "", version: v1, kind: ConfigMap, nameExpr: "string(size(repoDefault))"}
      - {name: b, point: here}
`)
	want := variantText("example-b-foo-b", "", `spec:
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
      tag: "1.30"
      configMap:
        app: a
        org: hr
      selectors:
      - kind: Deployment
        labels:
          a: "1"
      - {}
      exclude:
      - apiVersion: v1
        name: "y"
        namespace: x
        annotations:
          b: c
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
