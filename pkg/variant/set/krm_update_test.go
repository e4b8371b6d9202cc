package set

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// one is a set with one target, the repository a.
const one = setHead + spec + "  targets:\n  - repositories:\n    - name: a\n    template:\n      labels: {org: hr}\n"

const oneSpec = spec + "  downstream:\n    repo: a\n    package: foo\n  labels:\n    org: hr\n"

func existingVariant(name, metadata, spec string) string {
	return "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata:\n  name: " + name + "\n" + metadata + spec
}

const ours = "  annotations:\n    packs.kpt.dev/variant-set: default/example\n"

// summary is the result variant-set/expanded behind its counts of targets.
func summary(results []string) string {
	for _, r := range results {
		if _, counts, ok := strings.Cut(r, "); "); ok && strings.HasSuffix(r, "[variant-set/expanded]") {
			return strings.TrimSuffix(counts, " [variant-set/expanded]")
		}
	}
	return strings.Join(results, "\n")
}

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
			got, results := evaluate(t, functiontest.List("", tc.set+existingVariant("stale", tc.metadata, oneSpec)))
			if strings.Contains(got, "name: stale") == tc.owned {
				t.Errorf("owned is not %v:\n%s", tc.owned, got)
			}
			if want := map[bool]string{true: "1 new, 1 removed", false: "1 new"}[tc.owned]; summary(results) != want {
				t.Errorf("got %q, want %q", summary(results), want)
			}
		})
	}
	// Variants of other namespaces are of other sets.
	if _, results := evaluate(t, functiontest.List("", one+existingVariant("stale", "  namespace: other\n"+ours, oneSpec))); summary(results) != "1 new" {
		t.Errorf("got %v", results)
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
    revision: "v0" # old
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
    revision: "v1" # old
    repo: example-repo
  labels:
    # who pays
    org: hr # changed
status:
  conditions: []
`)
	got, results := evaluate(t, functiontest.List("", before))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if summary(results) != "1 changed" {
		t.Errorf("got %v", results)
	}
	again, results := evaluate(t, functiontest.List("", got))
	if again != got || summary(results) != "1 as before" {
		t.Errorf("a second run: %v\n%s", results, cmp.Diff(got, again))
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
		got, _ := evaluate(t, functiontest.List("", tc.set+existingVariant("example-a-foo", tc.before, oneSpec)))
		if diff := cmp.Diff(tc.set+existingVariant("example-a-foo", tc.after, oneSpec), got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
		if again, _ := evaluate(t, functiontest.List("", got)); again != got {
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
	got, _ := evaluate(t, functiontest.List("", withLists+existingVariant("example-a-foo", head, spec+`  downstream:
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
		got, _ := evaluate(t, functiontest.List("", set+existingVariant("example-a-foo", head, rest+lines(tc.have))))
		if diff := cmp.Diff(set+existingVariant("example-a-foo", head, rest+lines(tc.left)), got); diff != "" {
			t.Errorf("%s -want +got:\n%s", tc.want, diff)
		}
	}
}

func TestPrune(t *testing.T) {
	stale := existingVariant("stale", ours, oneSpec)
	got, results := evaluate(t, functiontest.List(`{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {prune: false}}`, one+stale))
	if !strings.Contains(got, "name: stale") || summary(results) != "1 new, 1 stale and kept, as prune is false" {
		t.Errorf("%v\n%s", results, got)
	}
	got, results = evaluate(t, functiontest.List(`{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {prune: "false"}}`, one+stale))
	if !strings.Contains(got, "name: stale") {
		t.Errorf("%v\n%s", results, got)
	}
	// Only those of the sets that are expanded.
	other := strings.ReplaceAll(one, "name: example", "name: other")
	got, results = evaluate(t, functiontest.List(`{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {sets: [other]}}`, one+"---\n"+other+stale))
	if !strings.Contains(got, "name: stale") || !strings.Contains(got, "name: other-a-foo") || strings.Contains(got, "name: example-a-foo") {
		t.Errorf("%v\n%s", results, got)
	}
}

// Nothing is written when anything is wrong, in one set of several too.
func TestNothingIsWritten(t *testing.T) {
	bad := strings.ReplaceAll(strings.ReplaceAll(one, "name: example", "name: bad"), "labels: {org: hr}", `labelExprs: [{key: x, valueExpr: "repository.labels.y"}]`)
	input := one + existingVariant("stale", ours, oneSpec) + "---\n" + bad
	got, results := evaluate(t, functiontest.List("", input))
	if diff := cmp.Diff(input, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	var lines []string
	for _, r := range results {
		if !strings.HasPrefix(r, "warning") {
			lines = append(lines, r)
		}
	}
	want := []string{`error: spec.targets[0].template.labelExprs[0].valueExpr: repository "a", package "foo": no such key: y; what labels and annotations the repository has is not known, as the list holds no Repository [variant-set/expression]`}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A PackageVariant that somebody wrote is not overwritten.
func TestNamesThatAreTaken(t *testing.T) {
	input := one + existingVariant("example-a-foo", "  annotations:\n    internal.config.kubernetes.io/path: mine.yaml\n", oneSpec)
	got, results := evaluate(t, functiontest.List("", input))
	if got != input {
		t.Errorf("it was changed:\n%s", got)
	}
	want := `error: spec.targets[0].repositories[0]: repository "a", package "foo": a PackageVariant "example-a-foo" is in the list (mine.yaml) and is none of the set; remove it, or annotate it with packs.kpt.dev/variant-set: default/example to have the set manage it [variant-set/duplicate]`
	if len(results) != 2 || results[1] != want {
		t.Errorf("got %v", results)
	}
	// Two sets that make one name.
	_, results = evaluate(t, functiontest.List("", strings.Replace(one, "name: a\n", "name: b-a\n", 1)+"---\n"+strings.Replace(one, "name: example", "name: example-b", 1)))
	want = `error: spec.targets[0].repositories[0]: repository "a", package "foo": the PackageVariantSet default/example makes a PackageVariant "example-b-a-foo" too; give one of the sets another name [variant-set/duplicate]`
	if !strings.Contains(strings.Join(results, "\n"), want) {
		t.Errorf("got %v", results)
	}
	// Two sets of one name.
	_, results = evaluate(t, functiontest.List("", one+"---\n"+one))
	if !strings.Contains(strings.Join(results, "\n"), "error: metadata.name: another PackageVariantSet is default/example too; give one of them another name [variant-set/invalid]") {
		t.Errorf("got %v", results)
	}
}

func TestWriteStatus(t *testing.T) {
	const config = `{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {writeStatus: true}}`
	const stalled, ready = "  - type: Stalled\n    status: \"False\"\n    reason: Valid\n    message: all validation checks passed\n", "  - type: Ready\n    status: \"True\"\n    reason: NoErrors\n    message: all PackageVariants of the set are up to date\n"
	for _, tc := range []struct{ name, before, after string }{
		{"none", "", "status:\n  conditions:\n" + stalled + ready},
		{"empty", "status: {}\n", "status:\n  conditions:\n" + stalled + ready},
		{"others", "status:\n  observed: 3 # kept\n  conditions:\n  - type: Other\n    status: Unknown\n  - type: Ready\n    lastTransitionTime: \"2023-01-01T00:00:00Z\" # kept\n    status: \"False\" # soon\n    reason: Error\n    message: broken\n",
			"status:\n  observed: 3 # kept\n  conditions:\n  - type: Other\n    status: Unknown\n  - type: Ready\n    lastTransitionTime: \"2023-01-01T00:00:00Z\" # kept\n    status: \"True\" # soon\n    reason: NoErrors\n    message: all PackageVariants of the set are up to date\n" + stalled},
	} {
		d, err := values.Parse(one + tc.before)
		if err != nil {
			t.Fatal(err)
		}
		d, err = WriteStatus(d)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if diff := cmp.Diff(one+tc.after, d.Text()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	got, _ := evaluate(t, functiontest.List(config, one))
	if !strings.HasPrefix(got, one+"status:\n  conditions:\n"+stalled+ready+"---\n") {
		t.Errorf("got\n%s", got)
	}
	if again, _ := evaluate(t, functiontest.List(config, got)); again != got {
		t.Errorf("a second run: %s", cmp.Diff(got, again))
	}
	bad := strings.Replace(one, "repo: example-repo", "repo: ''", 1)
	if got, _ := evaluate(t, functiontest.List(config, bad)); got != bad {
		t.Errorf("a set that can not be expanded: %s", got)
	}
	if got, _ := evaluate(t, functiontest.List("", one)); strings.Contains(got, "status:") {
		t.Error("a status without being asked")
	}
}

// What can not be edited is told, and left as it is.
func TestUneditable(t *testing.T) {
	owner := "  ownerReferences:\n  - {apiVersion: config.porch.kpt.dev/v1alpha2, kind: PackageVariantSet, name: example}\n"
	input := one + existingVariant("example-a-foo", "  namespace: default\n"+owner+"  annotations: []\n", oneSpec)
	got, results := evaluate(t, functiontest.List("", input))
	if text := strings.Join(results, "\n"); got != input || !strings.Contains(text, "can not be brought to what default/example makes of it: ") || !strings.Contains(text, "; remove the file to have it made again [input/invalid]") {
		t.Errorf("%s\n%s", text, got)
	}
	const config = `{apiVersion: fn.kpt.dev/v1alpha1, kind: ExpandVariantSet, metadata: {name: c}, spec: {writeStatus: true}}`
	for _, status := range []string{"status: []\n", "status:\n  conditions: x\n"} {
		got, results := evaluate(t, functiontest.List(config, one+status))
		if text := strings.Join(results, "\n"); got != one+status || !strings.Contains(text, "the status can not be written: status") {
			t.Errorf("%s\n%s", text, got)
		}
	}
}
