package function

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSelector(t *testing.T) {
	item := newItem([]byte("- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    namespace: b\n    labels: {tier: back, n: '5'}\n"))
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
		{"null", "{labelSelector: null}", "every resource", true, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var s Selector
			if problems := Decode(node(t, test.text), "", &s); len(problems) > 0 {
				t.Fatal(problems)
			}
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

func TestSelectorProblems(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"unknown field", "{nam: a}", []string{`s.nam: unknown field; known are apiVersion, kind, name, namespace, labelSelector (did you mean "name"?)`}},
		{"bad text", "{labelSelector: 'a in b'}", []string{"s.labelSelector: not a label selector: unable to parse requirement: found 'b' expected: '('"}},
		{"unknown operator", "{labelSelector: {matchExpressions: [{key: a, operator: in}]}}", []string{`s.labelSelector.matchExpressions[0].operator: got "in", want In, NotIn, Exists or DoesNotExist (did you mean "In"?)`}},
		{"no key", "{labelSelector: {matchExpressions: [{operator: Exists}]}}", []string{"s.labelSelector.matchExpressions[0].key: is required"}},
		{"values missing", "{labelSelector: {matchExpressions: [{key: a, operator: In}]}}", []string{"s.labelSelector.matchExpressions[0]: values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"}},
		{"list", "{labelSelector: []}", []string{"s.labelSelector: got a list, want a mapping"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			for _, p := range Decode(node(t, test.text), "s", &Selector{}) {
				got = append(got, p.String())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMatchesLabelsWithoutLabels(t *testing.T) {
	var s Selector
	if problems := Decode(node(t, "{labelSelector: '!a'}"), "", &s); len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, resource := range []string{"{}", "{metadata: {}}", "{metadata: {labels: null}}", "{metadata: []}", "{metadata: {labels: [a]}}"} {
		if !s.MatchesLabels(node(t, resource)) {
			t.Errorf("%s is not chosen", resource)
		}
	}
}
