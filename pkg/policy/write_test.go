package policy

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

const selectionOfA = `apiVersion: ocf.capact.io/v1alpha1
kind: ImplementationSelection
metadata:
  name: cap.interface.db-1.0.0
  annotations:
    config.kubernetes.io/local-config: "true"
    ocf.capact.io/generated-by: select-implementations
    internal.config.kubernetes.io/path: implementationselections/cap.interface.db-1.0.0.yaml
spec:
  interface:
    path: cap.interface.db
    revision: 1.0.0
  outcome: Selected
  rule:
    interface: cap.*
    oneOf: 0
    from: [GLOBAL]
  implementation:
    path: cap.implementation.a
    revision: 0.1.0
    name: a
  alternatives:
  - cap.implementation.b:0.1.0
  backends:
  - output: database
    typeRef:
      path: cap.type.db.config
      revision: 0.1.0
    via: built-in
`

var twoImplementations = join(dbInterface, implementation("a", ""), implementation("b", ""), policyOf("GLOBAL", rulesOf(anyRule)))

// A selection is added with a place in the package, and stays byte for byte when
// the function runs again.
func TestNewSelection(t *testing.T) {
	output, _ := evaluate(t, functiontest.List("", twoImplementations))
	if diff := cmp.Diff(join(twoImplementations, selectionOfA), functiontest.Documents(output)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	again, _ := evaluate(t, output)
	if diff := cmp.Diff(output, again); diff != "" {
		t.Errorf("the second run, -first +second:\n%s", diff)
	}
}

// A selection that is there is edited: its comments, its annotations and its style
// stay where they can.
func TestEditSelection(t *testing.T) {
	const before = `# ours
apiVersion: ocf.capact.io/v1alpha1
kind: ImplementationSelection
metadata:
  name: db
  namespace: team # theirs
  annotations: {ocf.capact.io/generated-by: select-implementations, kept: "yes"}
spec:
  interface: {path: cap.interface.db, revision: "1.0.0"} # the database
  outcome: Denied # was it?
  stray: 1
  implementation:
    # the best one
    path: cap.implementation.old
    revision: 0.1.0
    name: a
  alternatives:
  - cap.implementation.gone:0.1.0 # never
  # also good
  - cap.implementation.b:0.1.0
  rule:
    interface: 'cap.*' # all
    oneOf: 7
    from:
    - GLOBAL
  backends:
  - output: database # where
    typeRef: {path: cap.type.db.config, revision: 0.1.0}
    id: old
    via: exact
`
	const after = `# ours
apiVersion: ocf.capact.io/v1alpha1
kind: ImplementationSelection
metadata:
  name: db
  namespace: team # theirs
  annotations: {ocf.capact.io/generated-by: select-implementations, kept: "yes"}
spec:
  interface: {path: cap.interface.db, revision: "1.0.0"} # the database
  outcome: Selected # was it?
  implementation:
    # the best one
    path: cap.implementation.a
    revision: 0.1.0
    name: a
  alternatives:
  # also good
  - cap.implementation.b:0.1.0
  rule:
    interface: 'cap.*' # all
    oneOf: 0
    from:
    - GLOBAL
  backends:
  - output: database # where
    typeRef: {path: cap.type.db.config, revision: 0.1.0}
    via: built-in
`
	config := configOf("references: [{name: db, interface: {path: cap.interface.db}}]")
	output, results := evaluate(t, functiontest.List(config, join(twoImplementations, before)))
	if diff := cmp.Diff(join(twoImplementations, after), functiontest.Documents(output)); diff != "" {
		t.Errorf("-want +got:\n%s\n%s", diff, strings.Join(results, "\n"))
	}
	if again, _ := evaluate(t, output); again != output {
		t.Errorf("the second run differs:\n%s", cmp.Diff(output, again))
	}
}

// Lists: elements are kept by what they are about.
func TestEditLists(t *testing.T) {
	with := func(alternatives string) string {
		return strings.Replace(selectionOfA, "  alternatives:\n  - cap.implementation.b:0.1.0\n", alternatives, 1)
	}
	for _, tc := range []struct{ name, before, after string }{
		{"appended", "  alternatives: # these\n  - cap.implementation.b:0.1.0 # second\n", "  alternatives: # these\n  - cap.implementation.b:0.1.0 # second\n  - cap.implementation.c:0.1.0\n"},
		{"inserted", "  alternatives:\n  - cap.implementation.c:0.1.0 # third\n", "  alternatives:\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0 # third\n"},
		{"removed", "  alternatives:\n  - cap.implementation.aa:0.1.0\n  - cap.implementation.b:0.1.0 # second\n  - cap.implementation.bb:0.1.0\n  - cap.implementation.c:0.1.0 # third\n", "  alternatives:\n  - cap.implementation.b:0.1.0 # second\n  - cap.implementation.c:0.1.0 # third\n"},
		{"twice", "  alternatives:\n  - cap.implementation.b:0.1.0 # second\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0 # third\n", "  alternatives:\n  - cap.implementation.b:0.1.0 # second\n  - cap.implementation.c:0.1.0 # third\n"},
		{"another order", "  alternatives: [cap.implementation.c:0.1.0, cap.implementation.b:0.1.0]\n", "  alternatives:\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0\n"},
		{"null", "  alternatives:\n", "  alternatives:\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0\n"},
		{"of the wrong type", "  alternatives: {a: b}\n", "  alternatives:\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0\n"},
	} {
		items := join(twoImplementations, implementation("c", ""))
		output, results := evaluate(t, functiontest.List("", join(items, with(tc.before))))
		if diff := cmp.Diff(join(items, with(tc.after)), functiontest.Documents(output)); diff != "" {
			// A flow list may stay one.
			flow := strings.Replace(tc.after, "  alternatives:\n  - cap.implementation.b:0.1.0\n  - cap.implementation.c:0.1.0\n", "  alternatives: [cap.implementation.b:0.1.0, cap.implementation.c:0.1.0]\n", 1)
			if tc.name != "another order" || functiontest.Documents(output) != join(items, with(flow)) {
				t.Errorf("%s: -want +got:\n%s\n%s", tc.name, diff, strings.Join(results, "\n"))
			}
		}
	}
}

// What an earlier run made and nothing asks for is removed, what others made is
// left alone, and what could not be made stays as it is.
func TestStaleSelections(t *testing.T) {
	named := func(name, by string) string {
		return "apiVersion: ocf.capact.io/v1alpha1\nkind: ImplementationSelection\nmetadata:\n  name: " + name + "\n  annotations:\n    ocf.capact.io/generated-by: " + by + "\nspec:\n  outcome: Denied\n"
	}
	ours, theirs, twin := named("stale", "select-implementations"), named("theirs", "somebody-else"), named("cap.interface.db-1.0.0", "select-implementations")
	names := func(output string) string {
		var all []string
		for _, line := range strings.Split(output, "kind: ImplementationSelection\n")[1:] {
			all = append(all, strings.Fields(line)[2])
		}
		return strings.Join(all, " ")
	}
	for _, tc := range []struct{ name, config, items, want string }{
		{"stale", "", join(twoImplementations, ours, theirs), "theirs cap.interface.db-1.0.0"},
		{"twice", "", join(twoImplementations, twin, twin), "cap.interface.db-1.0.0"},
		{"not certain", "", join(twoImplementations, resource("TypeInstance", "bad", "{}"), ours, twin), "stale cap.interface.db-1.0.0"},
		{"an error of another reference", configOf("references: [{name: a, interface: {path: cap.interface.db}}, {name: b, interface: {path: cap.interface.x}}]"), join(twoImplementations, ours, named("b", "select-implementations")), "stale b a"},
		{"an outcome that is not a selection", "", join(dbInterface, policyOf("GLOBAL", rulesOf(anyRule)), ours), "cap.interface.db-1.0.0"},
		{"nothing to do", "", join(dbInterface, ours), "stale"},
		{"no Interfaces", "", join(policyOf("GLOBAL", rulesOf(anyRule)), ours), "stale"},
		{"a configuration that is wrong", configOf("x: y"), join(twoImplementations, ours), "stale"},
	} {
		output, results := evaluate(t, functiontest.List(tc.config, tc.items))
		if got := names(output); got != tc.want {
			t.Errorf("%s: got %s, want %s\n%s", tc.name, got, tc.want, strings.Join(results, "\n"))
		}
	}
	if f := functiontest.Run(t, Function(), "", join(dbInterface, ours)).Findings[0]; f.Rule != rule.NothingToDo || !strings.Contains(f.Found, "(1)") {
		t.Errorf("got %+v", f)
	}
}

// A name that another selection has.
func TestForeignSelection(t *testing.T) {
	foreign := strings.Replace(selectionOfA, "    ocf.capact.io/generated-by: select-implementations\n", "", 1)
	input := functiontest.List("", join(twoImplementations, strings.Replace(foreign, "Selected", "Denied", 1)))
	output, results := evaluate(t, input)
	if output != input || only(results, "error")[0] != "error policy/invalid ImplementationSelection/cap.interface.db-1.0.0 implementationselections/cap.interface.db-1.0.0.yaml#0 metadata.name" {
		t.Errorf("got %s", results)
	}
}

// A selection that cannot be read or edited is reported, and the others are made.
func TestSelectionThatCanNotBeEdited(t *testing.T) {
	head := selectionOfA[:strings.Index(selectionOfA, "spec:\n")]
	for _, tc := range []struct{ broken, want string }{
		{"spec:\n  a: 1\n x: y\n", ""},
		{"spec: &x\n  outcome: Denied\nx: *x\n", " spec"},
	} {
		items := join(head+tc.broken, twoImplementations, resource("Interface", "other", "{path: cap.interface.other, revision: 1.0.0}"))
		output, results := evaluate(t, functiontest.List("", items))
		if !strings.HasPrefix(functiontest.Documents(output), head+tc.broken) || !strings.Contains(output, "name: cap.interface.other-1.0.0") {
			t.Errorf("got\n%s", output)
		}
		if errors := only(results, "error"); errors[0] != "error input/invalid ImplementationSelection/cap.interface.db-1.0.0 implementationselections/cap.interface.db-1.0.0.yaml#0"+tc.want {
			t.Errorf("got %s", results)
		}
	}
}

// Names of Interfaces that make no name of a resource, or the same one.
func TestNamesOfSelections(t *testing.T) {
	iface := func(name, path, revision string) string {
		return resource("Interface", name, "{path: "+path+", revision: "+revision+"}")
	}
	output, results := evaluate(t, functiontest.List("", join(iface("a", "cap.interface.Create_Bucket", "1.0.0+build"), iface("b", "cap.interface.create-bucket", "1.0.0-build"), iface("c", "cap.interface."+strings.Repeat("a", 250), "1.0.0"), policyOf("GLOBAL", rulesOf(anyRule)))))
	if !strings.Contains(output, "  name: cap.interface.create-bucket-1.0.0-build\n") {
		t.Errorf("got %s", output)
	}
	want := []string{
		"error policy/invalid Interface/b spec.path", "error policy/invalid Interface/c spec.path",
		"error policy/unsatisfied Policy/global spec.interface.rules[0].oneOf from=GLOBAL interface=cap.interface.Create_Bucket:1.0.0+build outcome=Unsatisfied selection=cap.interface.create-bucket-1.0.0-build",
	}
	if diff := cmp.Diff(want, results); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// The order of the items does not matter for what is selected and reported.
func TestShuffled(t *testing.T) { testShuffled(t, strings.Split(mergeHub, "---\n")) }

func TestCorpusShuffled(t *testing.T) { testShuffled(t, manifests(t)) }

func testShuffled(t *testing.T, hub []string) {
	t.Helper()
	hub = append(hub, strings.Split(strings.TrimPrefix(postgresPolicy("      - implementationConstraints: {}\n        inject: {requiredTypeInstances: [{id: gcp}, {id: aws}]}\n"), "---\n"), "---\n")...)
	first, reported := evaluateUnnoted(t, functiontest.List("", strings.Join(hub, "---\n")))
	for seed := range int64(5) {
		rand.New(rand.NewSource(seed)).Shuffle(len(hub), func(i, j int) { hub[i], hub[j] = hub[j], hub[i] })
		output, results := evaluateUnnoted(t, functiontest.List("", strings.Join(hub, "---\n")))
		if diff := cmp.Diff(selections(t, first), selections(t, output)); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
		if diff := cmp.Diff(reported, results); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
		for _, whole := range strings.SplitAfter(functiontest.Documents(first), "---\n") {
			whole = strings.TrimSuffix(whole, "---\n")
			if strings.Contains(whole, "kind: "+selectionKind+"\n") && !strings.Contains(functiontest.Documents(output), whole) {
				t.Fatalf("the text differs:\n%s", whole)
			}
		}
	}
}
