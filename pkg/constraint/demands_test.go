package constraint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/version"
)

// What a constraint requires of a package is certain where no alternative satisfies it. In
// alternatives, the parts about one package are joined.
func TestDemands(t *testing.T) {
	leaf := func(name, versions string) string {
		return "package: {packageName: " + name + ", versionRange: '" + versions + "'}"
	}
	of := func(kind string, parts ...string) string {
		return kind + ": {constraints: [{" + strings.Join(parts, "}, {") + "}]}"
	}
	blue1, blue2, blue3, green := leaf("blue", ">=1.0.0"), leaf("blue", "<2.0.0"), leaf("blue", "3.0.0"), leaf("green", ">=1.0.0")
	for _, tc := range []struct {
		name, constraint string
		// certain and alternative are what is wanted of blue, with the versions of 0.9.0,
		// 1.5.0, 2.5.0 and 3.0.0 that are accepted; "" if nothing is.
		certain, alternative string
	}{
		{"a package", blue1, ">=1.0.0 [1.5 2.5 3.0]", ""},
		{"another package", green, "", ""},
		{"all", of("all", blue1, blue2), ">=1.0.0 [1.5 2.5 3.0], <2.0.0 [0.9 1.5]", ""},
		{"one of all", of("all", blue1, green), ">=1.0.0 [1.5 2.5 3.0]", ""},
		{"any", of("any", blue1, green), "", ">=1.0.0 [1.5 2.5 3.0]"},
		{"any of one", of("any", blue1), ">=1.0.0 [1.5 2.5 3.0]", ""},
		{"any of one package", of("any", blue2, blue3), "", "<2.0.0 or 3.0.0 [0.9 1.5 3.0]"},
		{"not", of("not", blue1), "none of >=1.0.0 [0.9]", ""},
		{"not any of two", of("not", blue1, blue3), "none of >=1.0.0 [0.9], none of 3.0.0 [0.9 1.5 2.5]", ""},
		{"not any", of("not", of("any", blue1, green)), "none of >=1.0.0 [0.9]", ""},
		{"not all", of("not", of("all", blue1, green)), "", "none of >=1.0.0 [0.9]"},
		{"not all of one", of("not", of("all", blue1)), "none of >=1.0.0 [0.9]", ""},
		{"not all of one package", of("not", of("all", blue1, blue2)), "", "none of >=1.0.0 or none of <2.0.0 [0.9 2.5 3.0]"},
		{"not not", of("not", of("not", blue1)), "", ">=1.0.0 [1.5 2.5 3.0]"},
		{"not not of two", of("not", of("not", blue1, blue2)), "", ">=1.0.0 or <2.0.0 [0.9 1.5 2.5 3.0]"},
		{"all in any", of("any", of("all", blue1, blue2), green), "", ">=1.0.0 and <2.0.0 [1.5]"},
		{"any in all", of("all", of("any", blue2, blue3), green), "", "<2.0.0 or 3.0.0 [0.9 1.5 3.0]"},
		{"one certain and one not", of("all", blue1, of("any", blue2, green)), ">=1.0.0 [1.5 2.5 3.0]", ">=1.0.0 and <2.0.0 [1.5]"},
	} {
		b := bundle(t, "red.v1.0.0", "[{type: olm.constraint, value: {"+tc.constraint+"}}]")
		s := readAll([]*Bundle{b}, nil)
		if len(s.readers[0].candidate.requirements) != 1 {
			t.Fatalf("%s: %d requirements", tc.name, len(s.readers[0].candidate.requirements))
		}
		show := func(d Demand) string {
			var accepted []string
			for _, text := range []string{"0.9.0", "1.5.0", "2.5.0", "3.0.0"} {
				if v, _ := version.Parse(text); d.Accepts(v) {
					accepted = append(accepted, strings.TrimSuffix(text, ".0"))
				}
			}
			if d.By != b.title() || len(d.Thresholds) == 0 {
				t.Errorf("%s: got %+v", tc.name, d)
			}
			return fmt.Sprint(d.Wants, " ", accepted)
		}
		var certain []string
		for _, d := range s.Demands()["blue"] {
			certain = append(certain, show(d))
		}
		got := [2]string{strings.Join(certain, ", ")}
		if d := alternative(b, s.readers[0].candidate.requirements[0].constraint, "blue"); d != nil {
			got[1] = show(*d)
		}
		if diff := cmp.Diff([2]string{tc.certain, tc.alternative}, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
