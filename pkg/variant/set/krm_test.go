package set

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "variant/set")) }

func TestCases(t *testing.T) { functiontest.Cases(t, Function()) }

// evaluate runs the function over a list, and returns the items as they leave, as
// documents, and the facts of the findings.
func evaluate(t testing.TB, text string) (documents string, facts []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), text)
	return functiontest.Documents(output), functiontest.Facts(slices.DeleteFunc(outcome.Findings, isUnpinned))
}

const setHead = `apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata:
  namespace: default
  name: example
`

const spec = `spec:
  upstream:
    repo: example-repo
    package: foo
    revision: 1
`

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

// variantText is a PackageVariant of the set default/example as it is printed.
func variantText(name, annotations, spec string) string {
	return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: ` + name + `
  namespace: default
  annotations:
    internal.config.kubernetes.io/path: packagevariants/` + name + ".yaml\n" + annotations + "    packs.kpt.dev/variant-set: default/example\n" + spec
}

// one is a set with one target, the repository a.
const one = setHead + spec + `  targets:
  - repositories:
    - name: a
    template:
      labels: {org: hr}
`

const oneSpec = spec + `  downstream:
    repo: a
    package: foo
  labels:
    org: hr
`

const ours = `  annotations:
    packs.kpt.dev/variant-set: default/example
`

// A set that is the configuration is expanded also in a package that has nothing else, as by a
// generator of kustomize.
func TestSetAsGenerator(t *testing.T) {
	got, _ := evaluate(t, `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig: {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, metadata: {name: given}, spec: {upstream: {repo: example-repo, package: foo, revision: 1}, targets: [{repositories: [{name: b}]}]}}
items: []
`)
	if !strings.Contains(got, "\nkind: PackageVariant\n") || !strings.HasSuffix(got, `
  downstream:
    repo: b
    package: foo
`) {
		t.Errorf("got %s", got)
	}
}
