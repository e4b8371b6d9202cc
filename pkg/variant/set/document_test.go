package set

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
	if diff := cmp.Diff([]string{expanded(7)}, results); diff != "" {
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
	ignored := "warning variant-set/not-in-porch PackageVariantSet/default/example spec.targets[1].packageNames"
	if diff := cmp.Diff([]string{expanded(9), ignored}, results); diff != "" {
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
	if diff := cmp.Diff([]string{expanded(2)}, results); diff != "" {
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
		want += "---\n" + variantText("example-cluster-01-"+name, "", `spec:
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
		"warning variant-set/unverified PackageVariantSet/default/example spec",
		expanded(3),
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
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
		want += "---\n" + variantText("example-"+at.repo+"-foo", "", spec+`  downstream:
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
		expanded(3),
		"warning variant-set/alias PackageVariantSet/default/example spec.targets[0].template.injectorExprs",
		"warning variant-set/alias PackageVariantSet/default/example spec.targets[0].template.labelExprs",
	}, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
