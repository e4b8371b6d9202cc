package inventory

import (
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

func TestNewer(t *testing.T) {
	of := func(name, version, dependencies string) *pack.Pack {
		p := packOf(name, `{"constraints": {"dependencies": [`+dependencies+`]}}`, "{}")
		p.Version = version
		return p
	}
	const certs = `{"packName": "certs", "minVersion": "1.0", "type": "required"}`
	for _, tc := range []struct {
		name, kubernetes string
		others           []*pack.Pack
		own              string
		releases         map[string]string
		newest, allowed  string
		heldBy           []string
	}{
		{name: "the newest", releases: map[string]string{"1.9.0": "", "1.10.0": "", "0.9.0": ""}, newest: "1.10.0", allowed: "1.10.0"},
		{name: "none", releases: map[string]string{"1.0.0": "", "0.9.0": "", "latest": "", "1.1.0-rc.1": ""}},
		{name: "another pack", others: []*pack.Pack{of("web", "1.0.0", `{"packName": "db", "maxVersion": "1.2", "type": "optional"}`)}, releases: map[string]string{"1.3.0": "", "1.2.7": ""}, newest: "1.3.0", allowed: "1.2.7", heldBy: []string{"web"}},
		{name: "not supported", others: []*pack.Pack{of("web", "1.0.0", `{"packName": "db", "minVersion": "1.1", "type": "notSupported"}`)}, releases: map[string]string{"1.3.0": ""}, newest: "1.3.0", heldBy: []string{"web"}},
		{name: "its own requirement", releases: map[string]string{"1.3.0": certs, "1.2.0": ""}, newest: "1.3.0", allowed: "1.2.0", heldBy: []string{"its own requirements"}},
		{name: "its own requirement that is met", others: []*pack.Pack{of("certs", "1.0.0", "")}, releases: map[string]string{"1.3.0": certs}, newest: "1.3.0", allowed: "1.3.0"},
		{name: "what is missing now", own: certs, releases: map[string]string{"1.3.0": `{"packName": "x", "type": "optional"}, ` + certs}, newest: "1.3.0", allowed: "1.3.0"},
		{name: "the cluster", kubernetes: "1.28.3", releases: map[string]string{"1.3.0": `{"packName": "kubernetes", "minVersion": "1.30", "type": "required"}`, "1.1.0": `{"packName": "kubernetes", "minVersion": "1.28", "type": "required"}`}, newest: "1.3.0", allowed: "1.1.0", heldBy: []string{"its own requirements"}},
		{name: "what may replace it", own: `{"packName": "db", "minVersion": "1.0", "maxVersion": "1.1", "type": "upgrade"}`, releases: map[string]string{"1.2.0": "", "1.1.4": ""}, newest: "1.2.0", allowed: "1.1.4", heldBy: []string{"its own requirements"}},
	} {
		var releases []Release
		for version, dependencies := range tc.releases {
			releases = append(releases, Release{version, func() []byte {
				if dependencies == "" {
					return nil
				}
				return []byte(`{"constraints": {"dependencies": [` + dependencies + `]}}`)
			}})
		}
		got := NewNeighbours(append(tc.others, of("db", "1.0.0", tc.own)), tc.kubernetes).Newer(len(tc.others), releases)
		if got.Newest != tc.newest || got.Allowed != tc.allowed || !slices.Equal(got.HeldBy, tc.heldBy) {
			t.Errorf("%s: got %+v", tc.name, got)
		}
	}
	if got := NewNeighbours([]*pack.Pack{of("db", "x", "")}, "").Newer(0, []Release{{"1.0.0", nil}}); got.Newest != "" {
		t.Errorf("a version that cannot be read: got %+v", got)
	}
}
