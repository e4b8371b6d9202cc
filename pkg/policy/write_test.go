package policy

import (
	"math/rand"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// The order of the items does not matter for what is selected and reported.
func TestShuffled(t *testing.T) { testShuffled(t, strings.Split(mergeHub, "---\n")) }

func TestCorpusShuffled(t *testing.T) { testShuffled(t, manifests(t)) }

func testShuffled(t *testing.T, hub []string) {
	t.Helper()
	hub = append(hub, strings.Split(strings.TrimPrefix(postgresPolicy(`      - implementationConstraints: {}
        inject: {requiredTypeInstances: [{id: gcp}, {id: aws}]}
`), "---\n"), "---\n")...)
	first, reported := evaluateUnnoted(t, functiontest.List("", strings.Join(hub, "---\n")))
	for seed := range int64(5) {
		rand.New(rand.NewSource(seed)).Shuffle(len(hub), func(i, j int) { hub[i], hub[j] = hub[j], hub[i] })
		output, results := evaluateUnnoted(t, functiontest.List("", strings.Join(hub, "---\n")))
		if diff := cmp.Diff(selectionTexts(first), selectionTexts(output)); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
		if diff := cmp.Diff(reported, results); diff != "" {
			t.Fatalf("-first +shuffled:\n%s", diff)
		}
	}
}
