package list

import (
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
)

const ownConfig = `functionConfig:
  apiVersion: fn.kpt.dev/v1alpha1
  kind: Demo
  metadata:
    name: c
    annotations:
      config.kubernetes.io/path: fn.yaml
  spec: {a: [b]}
`

func TestConfig(t *testing.T) {
	for name, input := range map[string]string{
		"by the text":   listStart + oneItem + ownConfig,
		"by the parser": "---\n" + listStart + oneItem + ownConfig,
	} {
		t.Run(name, func(t *testing.T) {
			l := read(t, input)
			want := diag.Resource{APIVersion: "fn.kpt.dev/v1alpha1", Kind: "Demo", Name: "c", File: "fn.yaml"}
			if got := l.ConfigResource(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
			item, err := l.ConfigItem()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := string(item.Text()), `apiVersion: fn.kpt.dev/v1alpha1
kind: Demo
metadata:
  name: c
  annotations:
    config.kubernetes.io/path: fn.yaml
spec: {a: [b]}
`; got != want {
				t.Errorf("got\n%swant\n%s", got, want)
			}
			if r := item.Resource(); r != want {
				t.Errorf("as an item it is %+v", r)
			}
		})
	}
	for name, config := range map[string]string{"none": "", "null": "functionConfig: null\n", "empty": "functionConfig:\n"} {
		if l := read(t, listStart+oneItem+config); l.Config() != nil || !l.ConfigResource().IsZero() {
			t.Errorf("%s: got %v", name, l.Config())
		}
	}
}

// Clients send the file of the functionConfig among the items.
func TestIsConfig(t *testing.T) {
	const config = `apiVersion: fn.kpt.dev/v1alpha1
  kind: Demo
  metadata:
    name: c
`
	for name, test := range map[string]struct {
		item string
		want bool
	}{
		"itself": {
			"- " + config + `    annotations: {a: b}
  spec: {}
`,
			true,
		},
		"other name": {`- apiVersion: fn.kpt.dev/v1alpha1
  kind: Demo
  metadata:
    name: d
`, false},
		"other kind": {`- apiVersion: fn.kpt.dev/v1alpha1
  kind: Demos
  metadata:
    name: c
`, false},
		"other namespace": {"- " + config + "    namespace: d\n", false},
		"other version": {`- apiVersion: fn.kpt.dev/v1
  kind: Demo
  metadata:
    name: c
`, false},
	} {
		l := read(t, listStart+test.item+"functionConfig:\n  "+config)
		if got := l.IsConfig(l.Items[0]); got != test.want {
			t.Errorf("%s: got %v", name, got)
		}
		l = read(t, listStart+test.item)
		if l.IsConfig(l.Items[0]) {
			t.Errorf("%s: there is no functionConfig", name)
		}
	}
}

func TestFault(t *testing.T) {
	for item, want := range map[string]string{
		oneItem: "",
		`- kind: A
  metadata:
    name: a
`: "the resource has no apiVersion",
		"- apiVersion: v1\n": "the resource has no kind",
		"- a: b\n":           "the resource has no apiVersion and no kind",
		`- apiVersion: v1
  kind: {{ .kind }}
`: "cannot be read: line 2, column 9: a value that begins with {{ needs quotes",
		`- apiVersion: v1
  kind: A
  b:
    c: d
   e: f
`: "",
		`- apiVersion: v1
  kind: [A]
`: "the resource has no kind",
	} {
		if got := read(t, listStart+item+twoItem).Items[0].Fault(); got != want {
			t.Errorf("%q: got %q, want %q", item, got, want)
		}
	}
}
