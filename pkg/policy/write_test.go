package policy

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

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

// With nothing to do, selections of an earlier run are counted: they stay.
func TestSelectionsOfAnEarlierRun(t *testing.T) {
	earlier := "apiVersion: ocf.capact.io/v1alpha1\nkind: ImplementationSelection\nmetadata:\n  name: stale\n  annotations: {ocf.capact.io/generated-by: select-implementations}\nspec: {outcome: Denied}\n"
	if f := functiontest.Run(t, Function(), "", join(dbInterface, earlier)).Findings[0]; f.Rule != rule.NothingToDo || !strings.Contains(f.Found, "(1)") {
		t.Errorf("got %+v", f)
	}
}
