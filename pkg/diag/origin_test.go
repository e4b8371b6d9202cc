package diag

import "testing"

func TestPositionString(t *testing.T) {
	for at, want := range map[Position]string{{3, 5}: "line 3, column 5", {3, 0}: "line 3"} {
		if got := at.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestResourceString(t *testing.T) {
	for r, want := range map[Resource]string{
		{}:                                     "",
		{Kind: "Pack"}:                         "Pack",
		{Name: "vault"}:                        "vault",
		{Kind: "Pack", Name: "vault"}:          "Pack vault",
		{Namespace: "packs", Name: "vault"}:    "packs/vault",
		vault:                                  "ConfigMap packs/vault",
		{File: "a.yaml", PackagePath: "/root"}: "",
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v: got %q, want %q", r, got, want)
		}
		if got := r.InFile(); r.File == "" && got != want || r.File != "" && got != want+" ("+r.File+")" {
			t.Errorf("%+v: with its file got %q", r, got)
		}
		if r.IsZero() != (r == Resource{}) {
			t.Errorf("%+v: IsZero is %v", r, r.IsZero())
		}
	}
}

func TestPlaceAndPath(t *testing.T) {
	at := Position{3, 5}
	for _, tc := range []struct {
		name        string
		origin      *Origin
		key         string
		at          Position
		place, path string
	}{
		{"none", nil, "a", at, "", "a"},
		{"none, no key", nil, "", at, "", ""},
		{"an embedded document", embedded, "a.b", at, "values.yaml line 3", "data[values.yaml]"},
		{"all of an embedded document", embedded, "", Position{}, "values.yaml", "data[values.yaml]"},
		{"a part of a resource", part, "a.b", at, "spec.values", "spec.values.a.b"},
		{"an element", part, "[2].a", at, "spec.values", "spec.values[2].a"},
		{"all of a part", part, "", at, "spec.values", "spec.values"},
		{"a resource", Whole(vault), "spec.a", at, "", "spec.a"},
		{"all of a resource", Whole(vault), "", at, "", ""},
	} {
		if got := tc.origin.Place(tc.at); got != tc.place {
			t.Errorf("%s: the place is %q, want %q", tc.name, got, tc.place)
		}
		if got := tc.origin.Path(tc.key); got != tc.path {
			t.Errorf("%s: the path is %q, want %q", tc.name, got, tc.path)
		}
		f := Say("x").In(tc.origin, tc.key, tc.at)
		if got := f.Path(); got != tc.path {
			t.Errorf("%s: the path of the finding is %q, want %q", tc.name, got, tc.path)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, tc := range []struct{ path, key, want string }{
		{"", "", ""}, {"a", "", "a"}, {"", "b", "b"}, {"a", "b", "a.b"}, {"a", "[0]", "a[0]"}, {"a[0]", "b", "a[0].b"}, {"", "[0]", "[0]"},
	} {
		if got := Join(tc.path, tc.key); got != tc.want {
			t.Errorf("Join(%q, %q) is %q, want %q", tc.path, tc.key, got, tc.want)
		}
	}
}
