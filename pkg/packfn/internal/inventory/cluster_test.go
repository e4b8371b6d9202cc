package inventory

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/values"
)

// packOf returns a pack with a pack.json and values.
func packOf(name, metadata, text string) *pack.Pack {
	return &pack.Pack{Name: name, Metadata: pack.File("pack.json", metadata), Values: pack.File("values.yaml", text)}
}

func TestCluster(t *testing.T) {
	var c Cluster
	web := packOf("web", `{"constraints": {
  "dependencies": [{"packName": "kubernetes", "minVersion": "1.27", "maxVersion": "1.30", "type": "optional"}, {"packName": "cni", "minVersion": "1.0", "type": "required"}],
  "resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "a.cpu", "replicaCountParamRef": "a.replicas", "scheduleType": "worker"}]},
    {"type": "memory", "components": [{"resourceRequestParamRef": "a.memory", "scheduleType": "all"}]}, {"type": "diskSize", "components": [{"resourceRequestParamRef": "a.none"}]}]}}`,
		"a: {cpu: 500m, replicas: 3, memory: 512Mi, host: '{{ .spectro.var.host }}', all: '{{ .spectro.system.cluster.name }}-{{.spectro.system.cloud.region | upper}}-{{ .spectro.system.nothing }}'}\n"+
			"b: {host: '{{ .spectro.var.host }}', other: '{{ .spectro.macro.m }}', pack: '{{ .spectro.pack.db.port }}'}\n")
	db := packOf("db", `{"constraints": {"dependencies": [{"packName": "kubernetes", "minVersion": "1.30", "maxVersion": "1.30", "type": "notSupported"}]}}`, "port: 1\n")
	read, err := values.Parse("charts: {db: {name: db, version: 1.0.0, kubeVersion: '>=1.25.0-0'}}\n")
	if err != nil {
		t.Fatal(err)
	}
	charts, err := facts.Read(read)
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{c.Add(web, nil), c.Add(db, charts)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got, notes := c.Text("edge")
	want := `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata:
  name: edge
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  system:
    kubernetes:
      version: 1.29.0 # 1.27 to 1.30 (pack web), >=1.25.0-0 (chart db 1.0.0), not 1.30 (pack db)
    cloud:
      region: CHANGE_ME # web a.all
    cluster:
      name: CHANGE_ME # web a.all
  variables:
    host: CHANGE_ME # web a.host, web b.host
  macros:
    m: CHANGE_ME # web b.other
  machinePools:
  - name: worker # web
    role: worker
    size: 1 # all nodes of the pool must have together what the packs ask for
    capacity:
      cpu: 1500m
      memory: 512Mi
  - name: control-plane # web
    role: control-plane
    size: 1 # all nodes of the pool must have together what the packs ask for
    capacity:
      memory: 512Mi
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(notes) != 2 || !strings.HasPrefix(notes[0], "replace CHANGE_ME in 4 facts: system.cloud.region, system.cluster.name, variables.host, macros.m") || !strings.HasPrefix(notes[1], "web: ") {
		t.Errorf("notes: %q", notes)
	}
}

// The version of Kubernetes is the newest that all accept, also within a minor version.
func TestClusterKubernetes(t *testing.T) {
	dependency := func(bounds string) *pack.Pack {
		return packOf("p", `{"constraints": {"dependencies": [{"packName": "kubernetes", "type": "required", `+bounds+`}]}}`, "{}")
	}
	for _, tc := range []struct {
		bounds []string
		want   string
	}{
		{[]string{`"minVersion": "1.20"`}, "1.37.0"},
		{[]string{`"maxVersion": "1.33"`}, "1.33.0"},
		{[]string{`"maxVersion": "1.33.4"`}, "1.33.4"},
		{[]string{`"minVersion": "1.27.3", "maxVersion": "1.27"`}, "1.27.3"},
		{[]string{`"minVersion": "1.40"`}, "1.40.0"},
		{[]string{`"minVersion": "1.31"`, `"maxVersion": "1.30"`}, Unknown},
	} {
		var c Cluster
		for _, bounds := range tc.bounds {
			if err := c.Add(dependency(bounds), nil); err != nil {
				t.Fatal(err)
			}
		}
		text, notes := c.Text("c")
		if !strings.Contains(text, "version: "+tc.want+" #") || (len(notes) > 0) != (tc.want == Unknown) {
			t.Errorf("%s: got %q\n%s", tc.bounds, notes, text)
		}
	}
	if text, _ := new(Cluster).Text("c"); strings.Contains(text, "version: ") || strings.Contains(text, "machinePools") {
		t.Errorf("packs that ask for nothing:\n%s", text)
	}
}

// The newest version of Kubernetes is that of the libraries.
func TestNewestMinor(t *testing.T) {
	text, err := os.ReadFile("../../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`k8s.io/client-go v0\.(\d+)\.`).FindSubmatch(text); found == nil || string(found[1]) != "37" || newestMinor != 37 {
		t.Errorf("go.mod has client-go 0.%s, and newestMinor is %d", found[1], newestMinor)
	}
}
