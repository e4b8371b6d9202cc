package diag

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each link of the chain sets its own fields, and leaves the finding it is called on.
func TestChain(t *testing.T) {
	start := Got("x", "y")
	f := start.Of(format).In(embedded, "a.b", Position{3, 5}).For("vault").Do("set it")
	want := Finding{Rule: format, Where: Where{embedded, "a.b", Position{3, 5}}, What: What{Kind: KindGot, Found: "x"}, Wanted: Wanted{Accepted: "y"}, Pack: "vault", Mend: Mend{Action: "set it"}}
	if diff := cmp.Diff(want, f); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(Finding{What: What{Kind: KindGot, Found: "x"}, Wanted: Wanted{Accepted: "y"}}, start); diff != "" {
		t.Errorf("the start changed, -want +got:\n%s", diff)
	}
	if f = f.From(part).At("c", Position{4, 1}); f.Origin != part || f.Key != "c" || f.Position.Line != 4 || f.Path() != "spec.values.c" {
		t.Errorf("got %+v", f)
	}
	if f = f.About(vault, "spec"); f.Resource() != vault || f.Path() != "spec" || f.Position != (Position{}) {
		t.Errorf("got %+v", f)
	}
	if f = Say("x"); !f.Resource().IsZero() || f.Path() != "" {
		t.Errorf("got %+v", f)
	}
}

func TestLevel(t *testing.T) {
	f := Say("x").Of(Rule{ID: "demo/warning", Severity: Warning})
	if f.Level() != Warning {
		t.Errorf("got %s", f.Level())
	}
	if f.Severity = Error; f.Level() != Error {
		t.Errorf("got %s", f.Level())
	}
}

// Code reads the fields: these are what the constructors promise.
func TestConstructors(t *testing.T) {
	known := []string{"alpha", "beta"}
	for _, tc := range []struct {
		name      string
		got, want Finding
	}{
		{"GotName", GotName("alpa", known), Finding{What: What{Kind: KindGot, Found: `"alpa"`, Value: Value{Text: "alpa"}}, Wanted: Wanted{Accepted: `"alpha" or "beta"`, Nearest: "alpha"}}},
		{"GotName of a known one", GotName("alpha", known), Finding{What: What{Kind: KindGot, Found: `"alpha"`, Value: Value{Text: "alpha"}}, Wanted: Wanted{Accepted: `"alpha" or "beta"`}}},
		{"GotText", GotText("a\"b", "c"), Finding{What: What{Kind: KindGot, Found: `"a\"b"`, Value: Value{Text: `a"b`}}, Wanted: Wanted{Accepted: "c"}}},
		{"Unknown", Unknown("field", "bet", known), Finding{What: What{Kind: KindUnknown, Found: `field "bet"`}, Wanted: Wanted{Accepted: `"alpha" or "beta"`, Nearest: "beta"}}},
		{"NotFound", NotFound("pack", "bet", known), Finding{What: What{Kind: KindNotFound, Found: `pack named "bet"`, Value: Value{Text: "bet"}}, Wanted: Wanted{Accepted: `"alpha" or "beta"`, Nearest: "beta"}}},
		{"NotFound, none is near", NotFound("pack", "xyz", known), Finding{What: What{Kind: KindNotFound, Found: `pack named "xyz"`, Value: Value{Text: "xyz"}}, Wanted: Wanted{Accepted: `"alpha" or "beta"`}, Mend: Mend{Unseen: "if it exists, check the function's selectors"}}},
		{"Missing", Missing("null"), Finding{What: What{Kind: KindMissing, Found: "null"}, Mend: Mend{Action: "set it"}}},
		{"Duplicate", Duplicate(Position{1, 2}, Position{3, 4}), Finding{What: What{Kind: KindDuplicate, First: Position{1, 2}}, Where: Where{Position: Position{3, 4}}, Mend: Mend{Action: "remove one"}}},
		{"Unreadable", Unreadable(errors.New("x")), Finding{What: What{Kind: KindUnreadable, Found: "x"}}},
		{"Unreadable at a place", Unreadable(placedError{}), Finding{What: What{Kind: KindUnreadable, Found: "bad indentation"}, Where: Where{Position: Position{3, 5}}}},
	} {
		tc.got.Mistakes = nil // see TestCorrection
		if diff := cmp.Diff(tc.want, tc.got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
}
