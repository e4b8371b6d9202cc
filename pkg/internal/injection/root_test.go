package injection

import "testing"

func TestRoot(t *testing.T) {
	for _, tc := range []struct {
		name     string
		kptfiles []Place
		root     int
		ok       bool
		in, out  []Place
	}{
		{"kpt fn eval", []Place{{"", "sub/Kptfile"}, {"", "Kptfile"}}, 1, true, []Place{{"", "a.yaml"}, {"", "dir/a.yaml"}, {"", "subway/a.yaml"}}, []Place{{"", "sub/a.yaml"}, {"", "sub/x/a.yaml"}}},
		{"kpt fn render", []Place{{"/p/sub", "Kptfile"}, {"/p", "Kptfile"}, {"/p/sub/deep", "Kptfile"}}, 1, true, []Place{{"/p", "dir/a.yaml"}, {"/p", "a.yaml"}}, []Place{{"/p/sub", "a.yaml"}, {"/p/sub/deep", "a.yaml"}}},
		{"the one there is", []Place{{"", "x/Kptfile"}}, 0, true, []Place{{"", "x/a.yaml"}, {"", ""}}, []Place{{"", "a.yaml"}}},
		{"without paths", []Place{{"", ""}}, 0, true, []Place{{"", ""}, {"", "a.yaml"}}, nil},
		{"siblings", []Place{{"", "a/Kptfile"}, {"", "b/Kptfile"}}, 0, false, nil, nil},
		{"two without paths", []Place{{"", ""}, {"", ""}}, 0, false, nil, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root, ok := Root(tc.kptfiles)
			if root != tc.root || ok != tc.ok {
				t.Fatalf("%d %v", root, ok)
			}
			for _, p := range tc.in {
				if !InRoot(p, tc.kptfiles, root) {
					t.Errorf("%v is not of the root", p)
				}
			}
			for _, p := range tc.out {
				if InRoot(p, tc.kptfiles, root) {
					t.Errorf("%v is of the root", p)
				}
			}
		})
	}
}
