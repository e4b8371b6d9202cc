package policy

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/values"
)

// manifests returns the OCF manifests of the public hub as resources, in the form
// that the README describes.
func manifests(t *testing.T) []string {
	t.Helper()
	root := filepath.Dir(functiontest.Corpus(t, "hub-manifests")[0])
	var all []string
	names := map[string]int{}
	err := filepath.WalkDir(filepath.Join(root, "hub-manifests"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		all = append(all, asResource(t, string(text), names))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// asResource makes a resource of an OCF manifest: prefix and name become
// spec.path, revision spec.revision, metadata.attributes spec.attributes, and the
// rest of the spec stays.
func asResource(t *testing.T, original string, names map[string]int) string {
	t.Helper()
	var source struct {
		Kind, Revision string
		Metadata       struct {
			Prefix, Name string
			Attributes   yaml.Node
		}
		Spec yaml.Node
	}
	if err := yaml.Unmarshal([]byte(original), &source); err != nil {
		t.Fatal(err)
	}
	path := source.Metadata.Prefix + "." + source.Metadata.Name
	name := strings.ToLower(path + "-" + source.Revision)
	key := source.Kind + name
	if names[key]++; names[key] > 1 {
		name += fmt.Sprintf("-%d", names[key])
	}
	content := []*yaml.Node{text("path"), text(path), text("revision"), text(source.Revision)}
	if source.Metadata.Attributes.Kind != 0 {
		content = append(content, text("attributes"), &source.Metadata.Attributes)
	}
	out := struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Spec       yaml.Node
	}{APIVersion: manifest.GroupVersion, Kind: source.Kind}
	out.Metadata.Name = name
	out.Spec = yaml.Node{Kind: yaml.MappingNode, Content: append(content, source.Spec.Content...)}
	text, err := values.Print(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func text(value string) *yaml.Node {
	var n yaml.Node
	n.SetString(value)
	return &n
}

const cloudInstances = `---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: aws
spec:
  typeRef: {path: cap.type.aws.auth.credentials, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: gcp
spec:
  typeRef: {path: cap.type.gcp.auth.service-account, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: helm
spec:
  id: 31bb8355-10d7-49ce-a739-4554d8a40b63
  typeRef: {path: cap.type.helm.template.storage, revision: 0.1.0}
---
apiVersion: ocf.capact.io/v1alpha1
kind: TypeInstance
metadata:
  name: secrets
spec:
  typeRef: {path: cap.type.aws.secrets-manager.storage, revision: 0.1.0}
`

// postgresPolicy is a policy with rules for PostgreSQL.
func postgresPolicy(oneOf string) string {
	return cloudInstances + `---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata:
  name: global
spec:
  scope: GLOBAL
  interface:
    rules:
    - interface: {path: cap.interface.database.postgresql.install}
      oneOf:
` + oneOf
}

// The JSON schemas of all Types can be read.
func TestCorpusSchemas(t *testing.T) {
	count := 0
	for _, text := range manifests(t) {
		var n yaml.Node
		if err := yaml.Unmarshal([]byte(text), &n); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, "\nkind: Type\n") {
			continue
		}
		typ, findings := manifest.ReadType(diag.Resource{}, n.Content[0])
		if len(findings) > 0 {
			t.Errorf("%+v", findings)
			continue
		}
		x, _ := NewIndex(Hub{Types: []*manifest.Type{typ}}, nil)
		if compiled := x.schema(typ); compiled.err != nil {
			t.Errorf("%s: %v", typ.Ref, compiled.err)
		} else if compiled.schema != nil {
			count++
			x.violations(typ, &n)
		}
	}
	t.Logf("%d JSON schemas of public Types", count)
}
