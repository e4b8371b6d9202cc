package constraint

import (
	"testing"

	"github.com/blang/semver/v4"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/version"
	"github.com/krm-packs/functions/pkg/values"
)

// FuzzRange: what reads must decide as the library does, and what is proposed must
// read.
func FuzzRange(f *testing.F) {
	for _, seed := range []string{">=1.0.0", "1.x", "!1.x", "1.x.x", ">1.0.0 <2.0.0 || >=3.0.0", "a | b", "1.0.0 - 2.0.0", "^1.2", "~1", "*", "v1.0.0", ">=1,<2", "|| ||", "1.0.0 || || 2.0.0", "! 1.0.0", "<=1.0.0-xyz", "> = 1.0.0"} {
		f.Add(seed, "1.2.3-rc.1")
	}
	f.Fuzz(func(t *testing.T, text, number string) {
		r, err := ParseRange(text)
		if err != nil {
			if proposed := err.(*rangeError).Proposed; proposed != "" {
				if _, err := ParseRange(proposed); err != nil {
					t.Fatalf("%q: the proposed %q does not read: %v", text, proposed, err)
				}
			}
			return
		}
		theirs, err := semver.ParseRange(text)
		if err != nil {
			t.Fatalf("%q reads here, and there not: %v", text, err)
		}
		for _, number := range []string{number, "0.0.0", "1.0.0-0", "1.2.3", "2.0.0", "99999.0.0"} {
			v, err := version.Parse(number)
			s, serr := semver.Parse(number)
			if err != nil || serr != nil || v.IsPrerelease() != (len(s.Pre) > 0) {
				continue
			}
			if got, want := r.Accepts(v), theirs(s); got != want {
				t.Fatalf("%q of %q: got %v, want %v", number, text, got, want)
			}
		}
		r.thresholds()
	})
}

// FuzzConstraint: no value may panic or hang, and one value has one outcome.
func FuzzConstraint(f *testing.F) {
	for _, seed := range []string{
		`{package: {packageName: a, versionRange: '>=1.0.0'}}`,
		`{failureMessage: x, all: {constraints: [{gvk: {group: g, version: v1, kind: K}}, {not: {constraints: [{cel: {rule: 'properties.exists(p, p.type == "a")'}}]}}]}}`,
		`{any: {constraints: []}}`, `{none: {}}`, `'{"cel": 1}'`, "&a {all: {constraints: [*a]}}", `{evaluator: {id: cel}, rule: 'true', action: {id: conflict}}`,
		`a: &a [1, 2]
all: {constraints: [{package: *a}, *a]}`,
		`{package: {name: a}, gvk: {version: 1}}`, `{cel: {rule: 'properties[0].value.x == 1 && true'}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := values.Parse(`type: olm.constraint
value:
  ` + text)
		if err != nil {
			return
		}
		e := Entry{Node: d.Root(), Key: "properties[0]"}
		check := func() []diag.Finding {
			b := &Bundle{Name: "a.v1.0.0", Properties: []Entry{e}, Dependencies: []Entry{e}}
			return check([]*Bundle{b, {Name: "b.v2.0.0"}}, &Cluster{Constraints: []Entry{e}}, Options{})
		}
		first, second := check(), check()
		if len(first) != len(second) {
			t.Fatalf("%d findings, then %d", len(first), len(second))
		}
		for i, finding := range first {
			if finding.Message() == "" || finding.Rule.ID == "" || finding.Message() != second[i].Message() {
				t.Fatalf("%+v\n%+v", finding, second[i])
			}
		}
	})
}
