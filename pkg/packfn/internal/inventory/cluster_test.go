package inventory

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
)

// packOf returns a pack with a pack.json and values.
func packOf(name, metadata, text string) *pack.Pack {
	return &pack.Pack{Name: name, Metadata: pack.File("pack.json", metadata), Values: pack.File("values.yaml", text)}
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
