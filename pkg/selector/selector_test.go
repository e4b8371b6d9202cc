package selector_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/selector"
	"github.com/krm-packs/functions/pkg/values"
)

func TestSelector(t *testing.T) {
	item := list.FileItem([]byte(`apiVersion: v1
kind: A
metadata:
  name: a
  namespace: b
  labels: {tier: back, n: '5'}
`), "", 0)
	tests := []struct {
		name, text, says string
		head, labels     bool
	}{
		{"open", "{}", "every resource", true, true},
		{"all fields", "{apiVersion: v1, kind: A, name: a, namespace: b}", "apiVersion=v1, kind=A, name=a, namespace=b", true, true},
		{"other version", "{apiVersion: v2}", "apiVersion=v2", false, true},
		{"other kind", "{kind: B}", "kind=B", false, true},
		{"other name", "{name: b}", "name=b", false, true},
		{"other namespace", "{namespace: a}", "namespace=a", false, true},
		{"labels as text", "{labelSelector: 'tier=back,n in (4,5)'}", "labels n in (4,5),tier=back", true, true},
		{"labels that differ", "{labelSelector: 'tier!=back'}", "labels tier!=back", true, false},
		{"matchLabels", "{kind: A, labelSelector: {matchLabels: {tier: back, n: '5'}}}", "kind=A, labels n=5,tier=back", true, true},
		{"matchLabels that differ", "{labelSelector: {matchLabels: {tier: front}}}", "labels tier=front", true, false},
		{"In", "{labelSelector: {matchExpressions: [{key: n, operator: In, values: ['5']}]}}", "labels n in (5)", true, true},
		{"NotIn", "{labelSelector: {matchExpressions: [{key: n, operator: NotIn, values: ['5']}]}}", "labels n notin (5)", true, false},
		{"Exists", "{labelSelector: {matchExpressions: [{key: x, operator: Exists}]}}", "labels x", true, false},
		{"DoesNotExist", "{labelSelector: {matchExpressions: [{key: x, operator: DoesNotExist}]}}", "labels !x", true, true},
		{"labels and expressions", "{labelSelector: {matchLabels: {tier: back}, matchExpressions: [{key: n, operator: NotIn, values: ['5']}]}}", "labels n notin (5),tier=back", true, false},
		{"null", "{labelSelector: null}", "every resource", true, true},
		{"an empty text", "{labelSelector: ''}", "labels ", true, true},
		{"an empty map", "{labelSelector: {}}", "labels ", true, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := read(t, test.text)
			document, err := item.Document()
			if err != nil {
				t.Fatal(err)
			}
			if head, labels := s.MatchesHead(item), s.MatchesLabels(document.Root()); head != test.head || labels != test.labels {
				t.Errorf("got head %v, labels %v", head, labels)
			}
			if s.String() != test.says {
				t.Errorf("got %q, want %q", s.String(), test.says)
			}
		})
	}
}

func TestSelectorFaults(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown field", "{nam: a}", []string{`s.nam unknown="field \"nam\"" want="apiVersion, kind, name, namespace or labelSelector" near=name`}},
		{"bad text", "{labelSelector: 'a in b'}", []string{"s.labelSelector"}},
		{"unknown operator", "{labelSelector: {matchExpressions: [{key: a, operator: in}]}}", []string{`s.labelSelector.matchExpressions[0].operator got="\"in\"" want="In, NotIn, Exists or DoesNotExist" near=In`}},
		{"no key", "{labelSelector: {matchExpressions: [{operator: Exists}]}}", []string{"s.labelSelector.matchExpressions[0].key missing="}},
		{"values missing", "{labelSelector: {matchExpressions: [{key: b, operator: Exists}, {key: a, operator: In}]}}", []string{"s.labelSelector.matchExpressions[1]"}},
		{"values too many", "{labelSelector: {matchExpressions: [{key: a, operator: Exists, values: [b]}]}}", []string{"s.labelSelector.matchExpressions[0]"}},
		{"no label", "{labelSelector: {matchLabels: {a: 'b c'}}}", []string{"s.labelSelector.matchLabels.a"}},
		{"unknown field of the map", "{labelSelector: {matchLabel: {a: b}}}", []string{`s.labelSelector.matchLabel unknown="field \"matchLabel\"" want="matchLabels or matchExpressions" near=matchLabels`}},
		{"list", "{labelSelector: []}", []string{`s.labelSelector got="a list" want="a map"`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			findings := decode.Node(node(t, test.text), "s", &selector.Selector{})
			for i, f := range findings {
				if f.Position.Line != 1 || f.Position.Column == 0 {
					t.Errorf("%s is at %s", f.Key, f.Position)
				}
				findings[i] = f.Of(rule.ConfigInvalid)
			}
			for i := range test.want {
				test.want[i] = "error config/invalid " + test.want[i]
			}
			if diff := cmp.Diff(test.want, functiontest.Facts(findings)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A selector that could not be read chooses nothing less than one without it.
func TestFaultyLabelSelector(t *testing.T) {
	var s selector.Selector
	if findings := decode.Node(node(t, "{kind: A, labelSelector: 'a in b'}"), "s", &s); len(findings) != 1 {
		t.Fatalf("got %d findings", len(findings))
	}
	if s.Kind != "A" || !s.MatchesLabels(node(t, "{}")) {
		t.Errorf("got %s", &s)
	}
}

func TestMatchesLabels(t *testing.T) {
	absent, present := read(t, "{labelSelector: '!a'}"), read(t, "{labelSelector: a=1.30}")
	for resource, has := range map[string]bool{
		"{}": false, "{metadata: {}}": false, "{metadata: {labels: null}}": false, "{metadata: []}": false, "{metadata: {labels: [a]}}": false,
		"{metadata: {labels: {a: 1.30}}}":                    true,
		"{metadata: {labels: {a: '1.30'}}}":                  true,
		"{x: &x {a: '1.30'}, metadata: {labels: {<<: *x}}}":  true,
		"{x: &x {labels: {a: '1.30'}}, metadata: {<<: *x}}":  true,
		"{x: &x {labels: {a: '1.30'}}, metadata: *x}":        true,
		"{x: &x {a: b}, metadata: {labels: {<<: *x, c: d}}}": false,
	} {
		root := node(t, resource)
		if got := present.MatchesLabels(root); got != has {
			t.Errorf("%s has the label: %v, want %v", resource, got, has)
		}
		if got := absent.MatchesLabels(root); has && got {
			t.Errorf("%s lacks the label", resource)
		}
	}
}

func read(t *testing.T, text string) *selector.Selector {
	t.Helper()
	var s selector.Selector
	if findings := decode.Node(node(t, text), "", &s); len(findings) > 0 {
		t.Fatal(findings[0].Message())
	}
	return &s
}

func node(t *testing.T, text string) *yaml.Node {
	t.Helper()
	document, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return document.Root()
}
