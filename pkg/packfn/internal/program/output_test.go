package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
)

// applied returns the package after a program has printed an edited form of its input.
func applied(t *testing.T, files map[string]string, edit func(input string) string) (string, error) {
	t.Helper()
	l := listOf(files)
	input, err := inputOf(l.Items, nil, nil, false)
	if err != nil {
		t.Fatal(err)
	}
	printed, err := parse([]byte(edit(string(input))), true)
	if err == nil {
		err = printed.apply(l, true)
	}
	return textOf(l), err
}

func replace(pairs ...string) func(string) string {
	return func(input string) string { return strings.NewReplacer(pairs...).Replace(input) }
}

// A program that changes one field of one of ten resources changes one line, and what is equal keeps its
// bytes: comments, quotes, anchors, CR LF, the order of keys.
func TestOnlyDifferencesAreWritten(t *testing.T) {
	files := map[string]string{
		"crlf.yaml": strings.ReplaceAll(`apiVersion: v1
kind: ConfigMap
metadata: {name: crlf}
data: {a: 'b'} # c
`, "\n", "\r\n"),
		"anchor.yaml": `apiVersion: v1
kind: ConfigMap
metadata: {name: anchor}
data:
  a: &a   "x"
  b: *a
`,
		"json.json": `{"kind": "ConfigMap", "apiVersion": "v1", "metadata": {"name": "json"}, "data": {"a": "1.30"}}`,
		"block.yaml": `kind: ConfigMap   # odd order
apiVersion: v1
metadata:
    name: block
data:
    a: |-
        x

        y
    b: >
        folded
        text
`,
		"wide.yaml": `apiVersion: v1
kind: List2
metadata: {name: wide}
spec:
  a:
    - 1
    -   2
`,
	}
	for n := range 5 {
		files[fmt.Sprintf("web%d.yaml", n)] = strings.ReplaceAll(deploymentText, "web", fmt.Sprintf("web%d", n))
	}
	before, err := applied(t, files, func(input string) string { return input })
	if err != nil || before != textOf(listOf(files)) {
		t.Fatalf("%v: the same list:\n%s", err, cmp.Diff(textOf(listOf(files)), before))
	}
	after, err := applied(t, files, replace("web3:1", "web3:2"))
	if want := strings.Replace(before, "web3:1", "web3:2", 1); err != nil || after != want {
		t.Errorf("%v: -want +got:\n%s", err, cmp.Diff(want, after))
	}
}

// What a program does to a list comes out as kpt takes it.
func TestApply(t *testing.T) {
	const service = `apiVersion: v1
kind: Service
metadata:
  name: web
`
	head := "--- Kptfile\n" + kptfileText
	files := map[string]string{"web.yaml": deploymentText, "web2.yaml": service}
	without := func(input string, names ...string) string {
		var left []string
		for line := range strings.Lines(input) {
			isOut := false
			for _, name := range names {
				isOut = isOut || strings.HasPrefix(strings.TrimSpace(line), name+":")
			}
			if !isOut {
				left = append(left, line)
			}
		}
		return strings.Join(left, "")
	}
	for name, tc := range map[string]struct {
		edit func(input string) string
		want string
	}{
		"a comment is added": {
			replace("name: web\n", "name: web # kpt-set: ${name}\n"),
			head + "--- web.yaml\n" + strings.Replace(deploymentText, "name: web\n", "name: web # kpt-set: ${name}\n", 1) + "--- web2.yaml\n" + strings.Replace(service, "name: web\n", "name: web # kpt-set: ${name}\n", 1),
		},
		"all comments are lost": {
			replace("# The web shop\n  apiVersion", "apiVersion", " # one", ""),
			head + "--- web.yaml\n" + deploymentText + "--- web2.yaml\n" + service,
		},
		"a resource is removed": {
			func(input string) string {
				before, _, _ := strings.Cut(input, "- apiVersion: v1\n")
				return before
			},
			head + "--- web.yaml\n" + deploymentText,
		},
		"the ids are lost": {
			func(input string) string {
				return without(strings.Replace(input, "replicas: 2", "replicas: 3", 1), idAnnotation, olderIDAnnotation)
			},
			head + "--- web.yaml\n" + strings.Replace(deploymentText, "replicas: 2", "replicas: 3", 1) + "--- web2.yaml\n" + service,
		},
	} {
		got, err := applied(t, files, tc.edit)
		if err != nil || got != tc.want {
			t.Errorf("%s: %v: -want +got:\n%s", name, err, cmp.Diff(tc.want, got))
		}
	}
}

// A resource with another path or index moves, one without annotations is new, and one that is there twice is
// new the second time.
func TestMoves(t *testing.T) {
	files := map[string]string{"web.yaml": deploymentText}
	for name, tc := range map[string]struct {
		edit func(input string) string
		want string // the annotations of the new item
	}{
		"the newer annotation changes": {replace(list.PathAnnotation+": 'web.yaml'", list.PathAnnotation+": a/b.yaml"), "a/b.yaml 0"},
		"the older annotation changes": {replace(" "+list.OlderPathAnnotation+": 'web.yaml'", " "+list.OlderPathAnnotation+": a/b.yaml"), "a/b.yaml 0"},
		"the index changes": {func(input string) string {
			kptfile, web, _ := strings.Cut(input, "- # The web shop")
			return kptfile + "- # The web shop" + strings.ReplaceAll(web, list.IndexAnnotation+": '0'", list.IndexAnnotation+": '7'")
		}, "web.yaml 7"},
		"it is there twice": {func(input string) string {
			_, second, _ := strings.Cut(input, "- # The web shop")
			return input + "- # The web shop" + second
		}, "web.yaml 0"},
	} {
		l := listOf(files)
		input, err := inputOf(l.Items, nil, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		printed, err := parse([]byte(tc.edit(string(input))), true)
		if err == nil {
			err = printed.apply(l, true)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := ""
		for _, item := range l.Items {
			if item.Added() {
				document, err := item.Document()
				if err != nil {
					t.Fatal(err)
				}
				annotations := list.Texts(values.Field(document.Root(), "metadata", "annotations"))
				got += annotations[list.PathAnnotation] + " " + annotations[list.IndexAnnotation]
			}
		}
		if got != tc.want {
			t.Errorf("%s: got %q\n%s", name, got, input)
		}
	}
}
