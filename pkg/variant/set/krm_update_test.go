package set

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

// one is a set with one target, the repository a.
const one = setHead + spec + "  targets:\n  - repositories:\n    - name: a\n    template:\n      labels: {org: hr}\n"

const oneSpec = spec + "  downstream:\n    repo: a\n    package: foo\n  labels:\n    org: hr\n"

// staleSpec is the spec of a variant that the set does not make.
var staleSpec = strings.Replace(oneSpec, "    repo: a\n", "    repo: gone\n", 1)

func existingVariant(name, metadata, spec string) string {
	return "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: " + name + "\n" + metadata + spec
}

const ours = "  annotations:\n    packs.kpt.dev/variant-set: default/example\n"

// A variant is known by annotation, label or owner reference, and left alone
// when it is right.
func TestOwned(t *testing.T) {
	const uid = "1f0c"
	withUID := strings.Replace(one, "  name: example\n", "  name: example\n  uid: "+uid+"\n", 1)
	for _, tc := range []struct {
		name, set, metadata string
		owned               bool
	}{
		{"annotation", one, "  namespace: default\n" + ours, true},
		{"annotation without namespace", one, "  annotations:\n    packs.kpt.dev/variant-set: example\n", true},
		{"annotation of another set", one, "  annotations:\n    packs.kpt.dev/variant-set: default/example2\n", false},
		{"annotation of another namespace", one, "  annotations:\n    packs.kpt.dev/variant-set: other/example\n", false},
		{"nothing", one, "", false},
		{"label", withUID, "  labels:\n    config.porch.kpt.dev/packagevariantset: 1f0c\n", true},
		{"another label", withUID, "  labels:\n    config.porch.kpt.dev/packagevariantset: 1f0d\n", false},
		{"owner by name", one, "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example, uid: x}\n", true},
		{"owner by uid", withUID, "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example, uid: 1f0c}\n", true},
		{"owner of the name, another uid", withUID, "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example, uid: x}\n", false},
		{"another owner", one, "  ownerReferences:\n  - {apiVersion: apps/v1, kind: PackageVariantSet, name: example, uid: x}\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: Other, name: example, uid: x}\n", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			// Owned or not: a stale variant is removed only when it is owned.
			input := tc.set + existingVariant("stale", tc.metadata, staleSpec)
			got, _ := run(t, "", input)
			if want := map[bool]string{true: "1 new, 1 removed", false: "1 new, 1 as before"}[tc.owned]; changes(input, got) != want {
				t.Errorf("got %q, want %q", changes(input, got), want)
			}
		})
	}
	// Variants of other namespaces are of other sets.
	input := one + existingVariant("stale", "  namespace: other\n"+ours, staleSpec)
	if got, facts := run(t, "", input); changes(input, got) != "1 new, 1 as before" {
		t.Errorf("got %v", facts)
	}
}

// Existing variants keep their comments, their order, and what is not the set's.
func TestUpdateInPlace(t *testing.T) {
	before := one + existingVariant("example-a-foo", `  namespace: default # where Porch is
  labels: {team: x}
  annotations:
    internal.config.kubernetes.io/path: 'elsewhere/mine.yaml'
    # made by the set
    packs.kpt.dev/variant-set: "default/example"
`, `# the spec
spec:
  downstream: {package: foo, repo: a} # right
  upstream:
    # pinned
    package: foo
    revision: 0 # old
    repo: example-repo
  labels:
    gone: x
    # who pays
    org: finance # changed
  injectors:
  - name: gone
status:
  conditions: []
`)
	want := one + existingVariant("example-a-foo", `  namespace: default # where Porch is
  labels: {team: x}
  annotations:
    internal.config.kubernetes.io/path: 'elsewhere/mine.yaml'
    # made by the set
    packs.kpt.dev/variant-set: "default/example"
`, `# the spec
spec:
  downstream: {package: foo, repo: a} # right
  upstream:
    # pinned
    package: foo
    revision: 1 # old
    repo: example-repo
  labels:
    # who pays
    org: hr # changed
status:
  conditions: []
`)
	got, first := run(t, "", before)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again, second := run(t, "", got)
	if diff := cmp.Diff(got, again) + cmp.Diff(first, second); diff != "" {
		t.Errorf("a second run: -want +got:\n%s", diff)
	}
}

// A variant that is owned gets the annotation, and the marks of a set that has
// been in a cluster.
func TestMarks(t *testing.T) {
	withUID := strings.Replace(one, "  name: example\n", "  name: example\n  uid: 1f0c\n", 1)
	owner := "  - apiVersion: config.porch.kpt.dev/v1alpha2\n    kind: PackageVariantSet\n    name: example\n    uid: 1f0c\n    controller: true\n"
	fresh, _ := added(t, withUID)
	want := "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: example-a-foo\n  namespace: default\n  labels:\n    config.porch.kpt.dev/packagevariantset: 1f0c\n  annotations:\n    internal.config.kubernetes.io/path: packagevariants/example-a-foo.yaml\n    packs.kpt.dev/variant-set: default/example\n  ownerReferences:\n" + owner + oneSpec
	if diff := cmp.Diff(want, fresh); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, tc := range []struct{ name, set, before, after string }{
		{"annotation", one, "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example}\n", "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example}\n" + ours},
		{"label and owner", withUID, ours, ours + "  labels:\n    config.porch.kpt.dev/packagevariantset: 1f0c\n  ownerReferences:\n" + strings.ReplaceAll("  "+owner, "\n  ", "\n    ")},
		{"beside others", withUID, ours + "  labels:\n    a: b\n  ownerReferences:\n  - name: other\n", ours + "  labels:\n    a: b\n    config.porch.kpt.dev/packagevariantset: 1f0c\n  ownerReferences:\n  - name: other\n" + owner},
	} {
		got, _ := run(t, "", (tc.set + existingVariant("example-a-foo", tc.before, oneSpec)))
		if diff := cmp.Diff(tc.set+existingVariant("example-a-foo", tc.after, oneSpec), got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
		if again, _ := run(t, "", got); again != got {
			t.Errorf("%s: a second run changes it again", tc.name)
		}
	}
}

// Lists are brought up to date element by element.
func TestUpdateOfLists(t *testing.T) {
	withLists := setHead + spec + `  targets:
  - repositories:
    - name: a
    template:
      packageContext: {removeKeys: [b, c]}
      pipeline:
        mutators:
        - {image: a, configMap: {x: "1"}}
        - {image: b}
      injectors:
      - {name: x}
`
	head := "  namespace: default\n" + ours
	got, _ := run(t, "", (withLists + existingVariant("example-a-foo", head, spec+`  downstream:
    repo: a
    package: foo
  packageContext:
    removeKeys:
    - a # one
    - c # two
    - d # three
  pipeline:
    validators:
    - image: gone
    mutators:
    # the first
    - image: a
      configMap:
        x: "2" # soon
        y: "3"
  injectors:
  - name: x
    kind: A
  - name: z
`)))
	want := withLists + existingVariant("example-a-foo", head, spec+`  downstream:
    repo: a
    package: foo
  packageContext:
    removeKeys:
    - b # one
    - c # two
  pipeline:
    mutators:
    # the first
    - image: a
      configMap:
        x: "1" # soon
    - image: b
  injectors:
  - name: x
`)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Of a list that becomes shorter, the elements that stay keep their comments.
func TestShorterLists(t *testing.T) {
	for _, tc := range []struct{ have, want, left string }{
		{"a # one\nb # two\nc # three", "b, c", "b # two\nc # three"},
		{"a # one\nb # two\nc # three", "a, c", "a # one\nc # three"},
		{"a # one\nb # two\nc # three", "d", "d # one"},
		{"a # one\na # two\na # three", "a", "a # one"},
		{"a # one\nb # two\nc # three\na # four", "a, b", "a # one\nb # two"},
	} {
		lines := func(elements string) string {
			return "    - " + strings.ReplaceAll(elements, "\n", "\n    - ") + "\n"
		}
		head, rest := "  namespace: default\n"+ours, spec+"  downstream:\n    repo: a\n    package: foo\n  packageContext:\n    removeKeys:\n"
		set := setHead + spec + "  targets:\n  - repositories: [{name: a}]\n    template: {packageContext: {removeKeys: [" + tc.want + "]}}\n"
		got, _ := run(t, "", (set + existingVariant("example-a-foo", head, rest+lines(tc.have))))
		if diff := cmp.Diff(set+existingVariant("example-a-foo", head, rest+lines(tc.left)), got); diff != "" {
			t.Errorf("%s -want +got:\n%s", tc.want, diff)
		}
	}
}

func TestPrune(t *testing.T) {
	input := one + existingVariant("stale", ours, staleSpec)
	for _, config := range []string{
		`{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {prune: false}}`,
		`{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {prune: "false"}}`,
	} {
		if got, facts := run(t, config, input); changes(input, got) != "1 new, 1 as before" {
			t.Errorf("%v\n%s", facts, got)
		}
	}
	// Only those of the sets that are expanded.
	input = one + "---\n" + strings.ReplaceAll(one, "name: example", "name: other") + existingVariant("stale", ours, staleSpec)
	got, facts := run(t, `{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {sets: [other]}}`, input)
	if changes(input, got) != "1 new, 1 as before" || !strings.Contains(got, "name: other-a-foo") {
		t.Errorf("%v\n%s", facts, got)
	}
}

// Nothing is written when anything is wrong, in one set of several too.
func TestNothingIsWritten(t *testing.T) {
	bad := strings.ReplaceAll(strings.ReplaceAll(one, "name: example", "name: bad"), "labels: {org: hr}", `labelExprs: [{key: x, valueExpr: "repository.labels.y"}]`)
	input := one + existingVariant("stale", ours, staleSpec) + "---\n" + bad
	got, facts := run(t, "", input)
	if diff := cmp.Diff(input, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if errors := errorsOf(facts); len(errors) != 1 || !strings.HasPrefix(errors[0], "error variant-set/expression PackageVariantSet/default/bad spec.targets[0].template.labelExprs[0].valueExpr ") {
		t.Errorf("got %q", errors)
	}
}

// A PackageVariant that the user wrote is not overwritten.
func TestNamesThatAreTaken(t *testing.T) {
	const taken = "error variant-set/duplicate PackageVariantSet/default/example spec.targets[0].repositories[0] package=foo repository=a"
	input := one + existingVariant("example-a-foo", "  annotations:\n    internal.config.kubernetes.io/path: mine.yaml\n", staleSpec)
	got, facts := run(t, "", input)
	if diff := cmp.Diff([]string{taken}, errorsOf(facts)); diff != "" || got != input {
		t.Errorf("-want +got:\n%s\n%s", diff, got)
	}
	// Two sets that make one name.
	_, facts = run(t, "", strings.Replace(one, "name: a\n", "name: b-a\n", 1)+"---\n"+strings.Replace(one, "name: example", "name: example-b", 1))
	if diff := cmp.Diff([]string{strings.Replace(taken, "example", "example-b", 1)}, errorsOf(facts)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	// Two sets of one name.
	_, facts = run(t, "", one+"---\n"+one)
	if !slices.Contains(facts, "error variant-set/invalid PackageVariantSet/default/example metadata.name") {
		t.Errorf("got %v", facts)
	}
}

func TestWriteStatus(t *testing.T) {
	const config = `{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {writeStatus: true}}`
	const stalled, ready = "  - type: Stalled\n    status: \"False\"\n    reason: Valid\n    message: all validation checks passed\n", "  - type: Ready\n    status: \"True\"\n    reason: Reconciled\n    message: all PackageVariants of the set are up to date\n"
	for _, tc := range []struct{ name, before, after string }{
		{"none", "", "status:\n  conditions:\n" + stalled + ready},
		{"empty", "status: {}\n", "status:\n  conditions:\n" + stalled + ready},
		{"others", "status:\n  observed: 3 # kept\n  conditions:\n  - type: Other\n    status: Unknown\n  - type: Ready\n    lastTransitionTime: \"2023-01-01T00:00:00Z\" # kept\n    status: \"False\" # soon\n    reason: Error\n    message: broken\n",
			"status:\n  observed: 3 # kept\n  conditions:\n  - type: Other\n    status: Unknown\n  - type: Ready\n    lastTransitionTime: \"2023-01-01T00:00:00Z\" # kept\n    status: \"True\" # soon\n    reason: Reconciled\n    message: all PackageVariants of the set are up to date\n" + stalled},
	} {
		d, err := values.Parse(one + tc.before)
		if err != nil {
			t.Fatal(err)
		}
		d, faults := writeStatus(d)
		if faults != nil {
			t.Errorf("%s: %v", tc.name, faults)
			continue
		}
		if diff := cmp.Diff(one+tc.after, d.Text()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	got, _ := run(t, config, one)
	if !strings.HasPrefix(got, one+"status:\n  conditions:\n"+stalled+ready+"---\n") {
		t.Errorf("got\n%s", got)
	}
	if again, _ := run(t, config, got); again != got {
		t.Errorf("a second run: %s", cmp.Diff(got, again))
	}
	bad := strings.Replace(one, "repo: example-repo", "repo: ''", 1)
	if got, _ := run(t, config, bad); got != bad {
		t.Errorf("a set that cannot be expanded: %s", got)
	}
	if got, _ := run(t, "", (one)); strings.Contains(got, "status:") {
		t.Error("a status without being asked")
	}
}

// What cannot be edited is reported, and left as it is.
func TestUneditable(t *testing.T) {
	owner := "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example}\n"
	input := one + existingVariant("example-a-foo", "  namespace: default\n"+owner+"  annotations: []\n", oneSpec)
	got, facts := run(t, "", input)
	if diff := cmp.Diff([]string{"error input/invalid PackageVariant/default/example-a-foo spec"}, errorsOf(facts)); diff != "" || got != input {
		t.Errorf("-want +got:\n%s\n%s", diff, got)
	}
	const config = `{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {writeStatus: true}}`
	for status, want := range map[string]string{
		"status: []\n":               `status got="a list" want="a map"`,
		"status:\n  conditions: x\n": `status.conditions got="a string" want="a list"`,
	} {
		got, facts := run(t, config, one+status)
		if diff := cmp.Diff([]string{"error input/invalid PackageVariantSet/default/example " + want}, errorsOf(facts)); diff != "" || got != one+status {
			t.Errorf("-want +got:\n%s\n%s", diff, got)
		}
	}
}
