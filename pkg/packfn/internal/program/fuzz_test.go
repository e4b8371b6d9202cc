package program

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/values"
)

// Whatever a program prints, each resource has the content that it printed.
func FuzzOutput(f *testing.F) {
	files := map[string]string{"web.yaml": deploymentText, "a.yaml": `apiVersion: v1
kind: A
metadata: {name: a, labels: {b: &x "1"}}
data: {c: *x}
`}
	l := listOf(files)
	input, err := inputOf(l.Items, nil, nil, false)
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{string(input), strings.Replace(string(input), "replicas: 2", "replicas: [1, {a: b}]", 1), strings.Replace(string(input), `image: "web:1"`, "image: ", 1) + " # a comment that is new",
		`kind: ResourceList
items: [{apiVersion: v1, kind: B, metadata: {name: b}}]
`, "", "- a"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		printed, err := parse([]byte(text), true)
		if err != nil {
			return
		}
		l := listOf(files)
		if err := printed.apply(l, true); err != nil {
			return
		}
		at := 0
		for _, item := range l.Items {
			if item.Removed() {
				continue
			}
			want := withoutAnnotations(printed.items[at], ofClients)
			at++
			next := item.Next()
			document, err := next.Document()
			if err != nil {
				t.Fatalf("%v\n%s", err, item.Text())
			}
			if got := withoutAnnotations(document.Root(), ofClients); !values.Equal(got, want) {
				t.Errorf("got\n%s", item.Text())
			}
		}
		if at != len(printed.items) {
			t.Errorf("got %d of %d items", at, len(printed.items))
		}
	})
}
