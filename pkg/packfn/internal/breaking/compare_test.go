package breaking

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/values"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "breaking")) }

// A case has the objects before and after a change, with those of folders crds in crds-before and crds-after. The outcome is
// what is reported.
func TestCompare(t *testing.T) {
	cases.Table(t, "changes", func(t *testing.T, c *cases.Case) string {
		read := func(name string) (side Side) {
			for _, file := range []string{name, "crds-" + name} {
				text := c.Text(file)
				for _, part := range documents.Of(text) {
					document, err := values.Parse(part.Text)
					if err != nil {
						t.Fatal(err)
					}
					like := Object{File: file, IsOnlyCreated: file != name}
					like.Deployer.Name = values.Text(values.Field(document.Root(), "metadata", "annotations", "pack"))
					like.IsHelm = like.Deployer.Name != "" || like.IsOnlyCreated
					like.LineOf = func([]string) int { return 0 }
					side.Objects = append(side.Objects, Read(document.Root(), like, "default")...)
				}
			}
			return side
		}
		before, after := read("before"), read("after")
		after.Kubernetes = strings.TrimSpace(c.Text("kubernetes"))
		for name := range strings.FieldsSeq(c.Text("unknown")) {
			before.Unknown = map[Deployer]bool{{Name: name}: true}
		}
		var b strings.Builder
		for _, change := range Compare(before, after) {
			severity := change.Level()
			functiontest.Note(change.Rule.ID, change.Message())
			fmt.Fprintf(&b, "%s %s: %s", severity, change.Rule.ID, change.Of())
			if path := PathOf(change.Path); path != "" {
				b.WriteString(" " + path)
			}
			fmt.Fprintf(&b, ": %s\n", change.Message())
		}
		return b.String()
	})
}

func TestLines(t *testing.T) {
	text := strings.Join([]string{
		"{{- if .Values.enabled }}", // 1
		"apiVersion: v1",
		"kind: Service",
		"metadata: {name: web}",
		"---",
		"apiVersion: apps/v1",
		"kind: StatefulSet # of data", // 7
		"metadata:",
		"  name: {{ .Release.Name }}",
		"  labels:",
		"    selector: no",
		"spec:", // 12
		"  {{- with .Values.x }}",
		"  \"serviceName\": db",
		"  {{- end }}",
		"  selector:", // 16
		"    matchLabels:",
		"      app: db",
		"  template:",
		"    spec:",
		"      serviceName: inner",
		"---",
		"kind: Job",
		"metadata:",
		"  name: a",
		"---",
		"kind: Job", // 27
		"metadata:",
		"  name: b",
		"spec:", // 30
	}, "\n")
	lines := NewLines([]byte(text))
	for _, tc := range []struct {
		kind, name, path string
		want             int
	}{
		{"StatefulSet", "db", "", 7},
		{"StatefulSet", "db", "spec", 12},
		{"StatefulSet", "db", "spec serviceName", 14},
		{"StatefulSet", "db", "spec selector matchLabels app", 18},
		{"StatefulSet", "db", "spec selector matchLabels tier", 17}, // the nearest above
		{"StatefulSet", "db", "spec podManagementPolicy", 12},
		{"StatefulSet", "db", "spec template metadata", 19},
		{"Service", "web", "spec clusterIP", 3},
		{"Job", "b", "", 27},
		{"Job", "b", "spec", 30},
		{"Job", "c", "", 0},
		{"Pod", "web", "", 0},
	} {
		o := &Object{ID: ID{Kind: tc.kind, Name: tc.name}}
		if got := lines.Of(o, strings.Fields(tc.path)); got != tc.want {
			t.Errorf("%s %s %s: got line %d; want %d", tc.kind, tc.name, tc.path, got, tc.want)
		}
	}
}

// Objects without a name, and hooks, cannot be compared.
func TestRead(t *testing.T) {
	document, err := values.Parse(`apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Pod, metadata: {name: a}}
- {apiVersion: v1, kind: Pod, metadata: {generateName: a-}}
- {apiVersion: v1, kind: Pod, metadata: {name: hook, annotations: {helm.sh/hook: pre-install}}}
- {apiVersion: v1, kind: Pod, metadata: {name: sync, annotations: {argocd.argoproj.io/hook: Sync}}}
- {apiVersion: v1, kind: ConfigMapList, items: [{apiVersion: v1, kind: ConfigMap, metadata: {name: inner, namespace: n}}]}
- {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: wide, namespace: n}}
- text
- {kind: 3}
`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range Read(document.Root(), Object{Owner: diag.Resource{Name: "o"}}, "default") {
		got = append(got, o.APIVersion()+" "+o.String())
		if o.Owner.Name != "o" {
			t.Errorf("%s has the owner %v", o, o.Owner)
		}
	}
	want := []string{"v1 Pod default/a", "v1 ConfigMap n/inner", "rbac.authorization.k8s.io/v1 ClusterRole wide"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
	if all := Read(nil, Object{}, ""); all != nil {
		t.Errorf("got %v for no document", all)
	}
}

func TestLife(t *testing.T) {
	for _, tc := range []struct {
		group, version, kind string
		want                 life
	}{
		{"policy", "v1beta1", "PodDisruptionBudget", life{5, 25, "policy/v1"}},
		{"policy", "v1beta1", "PodSecurityPolicy", life{5, 25, ""}},
		{"extensions", "v1beta1", "Deployment", life{1, 16, "apps/v1"}},
		{"extensions", "v1beta1", "Ingress", life{1, 22, "networking.k8s.io/v1"}},
		{"batch", "v1", "CronJob", life{21, 0, ""}},
		{"autoscaling", "v2beta2", "HorizontalPodAutoscaler", life{12, 26, ""}},
		{"apiextensions.k8s.io", "v1beta1", "CustomResourceDefinition", life{7, 22, ""}},
		{"", "v1", "ConfigMap", life{2, 0, ""}},
		{"apps", "v9", "Deployment", life{}},
		{"example.com", "v1", "Db", life{}},
	} {
		if got := lifeOf(tc.group, tc.version, tc.kind); got != tc.want {
			t.Errorf("%s/%s %s: got %v; want %v", tc.group, tc.version, tc.kind, got, tc.want)
		}
	}
}
