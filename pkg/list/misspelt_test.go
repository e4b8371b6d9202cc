package list

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Names that functions read of every resource are found when they are misspelt, by both
// readers. Those next to the head are misspelt only where a function reads the resource.
func TestSlips(t *testing.T) {
	const head = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a
`
	for _, tc := range []struct {
		item         string
		always, read []string // KEY near NAME
	}{
		{head + "  data: {}\n", nil, nil},
		{head + "  dtaa: {}\n", nil, []string{"dtaa near data"}},
		{head + "  'dtaa': {}\n", nil, []string{"dtaa near data"}},
		{
			head + `  Spec: {}
  binarydata: {}
`,
			nil, []string{"Spec near spec", "binarydata near binaryData"},
		},
		{
			head + `  data: {}
  datas: {}
`,
			nil, nil,
		}, // data is given
		{
			head + `    naemspace: b
    lables: {}
    annottaions:
      c: d
`,
			[]string{"metadata.annottaions near annotations", "metadata.lables near labels", "metadata.naemspace near namespace"}, nil,
		},
		{
			head + `    annotaions:
      c: d
    annotations:
      config.kubernetes.io/path: a
      internal.config.kubernetes.io/index: '0'
      'config.k8s.io/id': '1'
`,
			[]string{"metadata.annotaions near annotations"}, nil,
		},
		{`- apiVersion: v1
  kind: ConfigMap
  metadata: {name: a, annotaions: {c: d}, annotations: {config.kubernetes.io/index: '0', internal.config.k8s.io/x: y}}
`, []string{"metadata.annotaions near annotations"}, nil},
		{
			head + `    annotaions:
      c: d
    annotations: {}
`,
			[]string{"metadata.annotaions near annotations"}, nil,
		},
		{
			head + `    annotaions:
      c: d
    annotations:
      config.kubernetes.io/path: a
      config.kubernetes.io/local-config: 'true'
`,
			nil, nil,
		}, // annotations are given
		{
			head + `    lables: {}
    labels: {}
    annotations:
      config.kubernetes.io/path: a
`,
			nil, nil,
		},
		{`- apiVersion: v1
  kind: ConfigMap
  metadata: {nmae: b}
`, []string{"metadata.nmae near name"}, nil},
		{`- apiversion: v1
  kind: ConfigMap
  metadata:
    name: a
`, []string{"apiversion near apiVersion"}, nil},
		{`- apiVersion: v1
  knid: ConfigMap
  metdata:
    name: a
`, []string{"knid near kind", "metdata near metadata"}, nil},
		{`- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: a
    labels:
      nmae: b
  data:
    dtaa: |
      metdata: x
`, nil, nil},
	} {
		short := func(isRead bool, item *Item) string {
			var all []string
			for _, f := range item.Misspelt(isRead) {
				all = append(all, f.Key+" near "+f.Nearest)
			}
			return strings.Join(all, "\n")
		}
		for name, item := range map[string]*Item{"by text": itemOf(t, tc.item), "of a file": FileItem([]byte("  "+tc.item[2:]), "f.yaml", 0)} {
			want := strings.Join(tc.always, "\n")
			if sorted := sortLines(short(false, item)); sorted != want {
				t.Errorf("%s: got %q, want %q of\n%s", name, sorted, want, tc.item)
			}
			want = sortLines(strings.Join(append(tc.always[:len(tc.always):len(tc.always)], tc.read...), "\n"))
			if sorted := sortLines(short(true, item)); sorted != want {
				t.Errorf("%s, read: got %q, want %q of\n%s", name, sorted, want, tc.item)
			}
		}
	}
}

func sortLines(text string) string {
	lines := strings.Split(text, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// The fields of Kubernetes are not taken for misspelt ones.
func TestFieldsOfKubernetes(t *testing.T) {
	var b strings.Builder
	b.WriteString(`- apiVersion: v1
  kind: Thing
`)
	for _, name := range strings.Fields("status stringData immutable type rules roleRef subjects secrets imagePullSecrets automountServiceAccountToken " +
		"subsets endpoints ports addressType webhooks provisioner parameters reclaimPolicy mountOptions allowVolumeExpansion volumeBindingMode " +
		"allowedTopologies aggregationRule handler overhead scheduling value globalDefault description preemptionPolicy items template revision " +
		"capacity maximumVolumeSize nodeTopology driver driverName request response involvedObject reason message source count action series " +
		"pipeline info upstream upstreamLock inventory resources transformers configMapGenerator") {
		b.WriteString("  " + name + ": {}\n")
	}
	b.WriteString("  metadata:\n")
	meta := reflect.TypeFor[metav1.ObjectMeta]()
	for i := range meta.NumField() {
		name, _, _ := strings.Cut(meta.Field(i).Tag.Get("json"), ",")
		if name != "name" && name != "namespace" && name != "labels" && name != "annotations" {
			b.WriteString("    " + name + ": x\n")
		}
	}
	b.WriteString(`    clusterName: x
    description: x
    title: x
    tags: []
    links: []
`)
	item := itemOf(t, b.String())
	if diff := cmp.Diff(0, len(item.Misspelt(true))); diff != "" || item.doubt {
		t.Errorf("got %v, in doubt: %v", item.Misspelt(true), item.doubt)
	}
}

// A kind is near when its group, its name or both are.
func TestMisspeltKinds(t *testing.T) {
	kinds := []GroupKind{{"config.porch.kpt.dev", "PackageVariantSet"}, {"config.porch.kpt.dev", "PackageVariant"}, {"kpt.dev", "Kptfile"}, {"v1", "ConfigMap"}}
	for given, want := range map[string]string{
		"config.porch.kpt.dev/v1 PackageVariant":   "",
		"config.porch.kpt.dev/v1 PackageVariants":  "PackageVariant",
		"config.porch.kpt.dev/v1 PackageVariantSt": "PackageVariantSet",
		"config.proch.kpt.dev/v1 PackageVariant":   "config.porch.kpt.dev",
		"config.proch.kpt.dev/v1 PackageVariatn":   "config.porch.kpt.dev/v1 PackageVariant",
		"ktp.dev/v1 kptfile":                       "kpt.dev/v1 Kptfile",
		"example.com/v1 PackageVariants":           "",
		"kpt.dev/v1 PackageVariants":               "",
		"vl ConfigMap":                             "v1",
		"vl ConfigMpa":                             "v1 ConfigMap",
		"v1 ConfigMpa":                             "ConfigMap",
		"kpt.dve Kptfile":                          "kpt.dev",
	} {
		version, kind, _ := strings.Cut(given, " ")
		got := ""
		if f := Misspelt(itemOf(t, "- apiVersion: "+version+`
  kind: `+kind+`
  metadata:
    name: a
`), kinds); f != nil {
			got = f.Nearest
			for _, m := range f.Mistakes {
				if strings.HasSuffix(m.Right, "/") {
					t.Errorf("%s: writes %q", given, m.Right)
				}
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
	}
}
