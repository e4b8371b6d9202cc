package rewrite

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/rule"
)

const text = `apiVersion: v1
kind: ConfigMap
metadata:
  name: site
data:
  values.yaml: |
    server:
      image: vault
    replicas: 3 # of the site
`

// found returns a finding about a value in values.yaml.
func found(key string) *report.Finding {
	origin := *diag.Whole(list.FileItems([]byte(text), "site.yaml")[0].Resource())
	origin.Field, origin.Embedded = "data[values.yaml]", true
	f := report.Of("validate-pack-values", &diag.Finding{Rule: rule.ValuesUnknownKey, Where: diag.Where{Origin: &origin, Key: key, Position: diag.Position{Line: 3, Column: 1}}})
	return &f
}

func TestAccepted(t *testing.T) {
	after, at := Accepted(found("replicas"), text, "say why")
	if want := "  annotations:\n    packs.kpt.dev/accept: 'values/unknown-key replicas: say why'\n"; !strings.Contains(after, want) {
		t.Errorf("got %s, want %s", after, want)
	}
	if at < 0 || !strings.HasPrefix(after[at:], "say why") {
		t.Errorf("got the offset %d of the reason in %s", at, after)
	}
	if after, _ := Accepted(found("a: b"), text, "say why"); after != "" {
		t.Errorf("a key that ends the id is accepted: %s", after)
	}
}

func TestProposed(t *testing.T) {
	f := found("replicas")
	if got := Proposed(f, text); got != "" {
		t.Errorf("without a proposal: %s", got)
	}
	f.Current, f.Proposed = 3, 5
	if got, want := Proposed(f, text), strings.Replace(text, "3 #", "5 #", 1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.Current = 4
	if got := Proposed(f, text); got != "" {
		t.Errorf("another value is replaced: %s", got)
	}
}

func TestMoves(t *testing.T) {
	f := found("replicas")
	f.Reported.Belongs = [][]string{{"server", "replicas"}, {"server", "image"}}
	want := Moved{"server", strings.Replace(text, "    replicas", "      replicas", 1)}
	if got := Moves(f, text); len(got) != 1 || got[0] != want { // server.image is there already
		t.Errorf("got %+v, want %+v", got, want)
	}
	if got := Moves(f, strings.Replace(text, "name: site", "name: other", 1)); got != nil {
		t.Errorf("another resource is edited: %+v", got)
	}
}
