package macro

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/pack"
)

// The system names are the names in the pack constraints document, and each can be supplied.
func TestSystemNames(t *testing.T) {
	want := strings.Fields(`user.name user.uid user.email tenant.uid project.name project.uid clusterprofile.name clusterprofile.uid clusterprofile.version
		clusterprofile.infra.name clusterprofile.infra.uid clusterprofile.infra.version cluster.name cluster.uid cluster.kubevip cloudaccount.name cloudaccount.uid
		kubernetes.version reverseproxy.server reverseproxy.port reverseproxy.protocol reverseproxy.vhostport cloud.type cloud.region`)
	if diff := cmp.Diff(want, pack.SystemNames()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, name := range want {
		out, findings := NewResolver(Context{System: map[string]string{name: "v"}}, nil).Text("{{ .spectro.system." + name + " }}")
		if out != "v" || len(findings) > 0 {
			t.Errorf("%s: got %q %+v", name, out, findings)
		}
	}
}

func forbiddenFunctions() []string { return slices.Sorted(maps.Keys(allFunctions().forbidden)) }

// testdata lists all functions that macros may call, and those that they may not: an
// upgrade of sprig cannot add a function without a review.
func TestFunctionsAreTheGoldenList(t *testing.T) {
	for file, got := range map[string][]string{
		"testdata/functions.txt": FunctionNames(),
		"testdata/forbidden.txt": forbiddenFunctions(),
	} {
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Fields(string(want)), got); diff != "" {
			t.Errorf("%s (-want +got): review a new function before you add it:\n%s", file, diff)
		}
	}
}

// Every pattern of the deny list matches a function, and no such function is
// allowed.
func TestForbiddenFunctions(t *testing.T) {
	denied := forbiddenFunctions()
	for _, pattern := range forbidden() {
		prefix, _ := strings.CutSuffix(pattern, "*")
		if !strings.Contains("\n"+strings.Join(denied, "\n"), "\n"+prefix) {
			t.Errorf("%s matches no function", pattern)
		}
	}
	r := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil)
	for _, name := range denied {
		_, findings := r.Text("{{ .spectro.var.X | " + name + " }}")
		if diff := cmp.Diff([]string{"error macro/forbidden-function macro=" + name}, functiontest.Facts(findings)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// No arguments of an allowed function cause a panic, and each call has the same result.
func TestEveryFunctionIsStable(t *testing.T) {
	arguments := []string{
		``, `"a"`, `3`, `1.5`, `(list 3 "b" 1)`, `(dict "z" 1 "a" 2 "m" 3)`, `nil`, `true`,
		`"a" "b"`, `2 "abc"`, `"a" 2`, `(list 1 2) 1`, `(dict "z" 1 "a" 2) "z"`, `1 0`, `3 (list 1 2 3 4)`, `"z" (dict "z" "y" "a" "b")`,
		`"a+" "caat" "x"`, `"a+" "caat" 2`, `1 3 "abcdef"`, `"z" 1 (dict "z" 1)`, `(dict "b" 1 "a" 2) (dict "c" 3 "d" 4)`, `">=1.2" "1.3.0"`, `"1.2"`, `"a" "b" true`,
		`(list (semver "1.2.3"))`, `"%d %v" (list (semver "1.2.3")) (dict "b" 1 "a" (list 1))`, `"-5" -5`, `-5 "abc"`, `9223372036854775807 "abc"`, `(dict "a" 1) "k" "v"`, `"," 2 "a,b,c"`, `0 6 2`, `2 "/" "abcdef"`, `-9223372036854775808 -9223372036854775808 -1`,
	}
	for _, name := range FunctionNames() {
		worked := 0
		for _, args := range arguments {
			text := "{{ " + name + " " + args + " | print .spectro.var.X }}"
			var first string
			for range 5 {
				out, findings := NewResolver(Context{Variables: map[string]string{"X": "x"}}, nil).Text(text)
				for _, f := range findings {
					out += f.Message()
				}
				if len(findings) == 0 {
					worked++
				}
				if first == "" {
					first = out
				}
				if out != first || strings.Contains(out, "0xc000") {
					t.Fatalf("%s: %q, then %q", text, first, out)
				}
			}
		}
		if worked == 0 {
			t.Errorf("%s: no call of it works", name)
		}
	}
}
