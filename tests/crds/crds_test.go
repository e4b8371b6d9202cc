package crds

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	sigsyaml "sigs.k8s.io/yaml"
)

// kind is what the API server makes of a CustomResourceDefinition.
type kind struct {
	structural *schema.Structural
	validator  validation.SchemaValidator
}

func kinds(t *testing.T) map[string]kind {
	t.Helper()
	scheme := runtime.NewScheme()
	install.Install(scheme)
	files, err := filepath.Glob("../../build/crds/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no CustomResourceDefinitions: %v", err)
	}
	found := map[string]kind{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := sigsyaml.UnmarshalStrict(text, &crd); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		scheme.Default(&crd)
		// As the registry does when a definition is created.
		crd.Status.StoredVersions = []string{crd.Spec.Versions[0].Name}
		var internal apiextensions.CustomResourceDefinition
		if err := scheme.Convert(&crd, &internal, nil); err != nil {
			t.Fatal(err)
		}
		for _, fault := range crdvalidation.ValidateCustomResourceDefinition(t.Context(), &internal) {
			t.Errorf("%s: %v", file, fault)
		}
		var k kind
		props := internal.Spec.Validation
		if props == nil {
			props = internal.Spec.Versions[0].Schema
		}
		if k.structural, err = schema.NewStructural(props.OpenAPIV3Schema); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if k.validator, _, err = validation.NewSchemaValidator(props.OpenAPIV3Schema); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[crd.Spec.Group+"/"+crd.Spec.Versions[0].Name+" "+crd.Spec.Names.Kind] = k
	}
	return found
}

// Each definition is valid. The resources of the examples that have no faults satisfy
// them, and the API server removes no field.
func TestDefinitions(t *testing.T) {
	known := kinds(t)
	files, err := filepath.Glob("../../examples/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	checked := map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, document := range bytes.Split(append([]byte("\n"), text...), []byte("\n---\n")) {
			content := map[string]any{}
			if err := yaml.Unmarshal(document, &content); err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			apiVersion, _ := content["apiVersion"].(string)
			name, _ := content["kind"].(string)
			k, ok := known[apiVersion+" "+name]
			if !ok {
				continue
			}
			checked[name]++
			for _, fault := range validation.ValidateCustomResource(nil, content, k.validator) {
				t.Errorf("%s: %s: %v", file, name, fault)
			}
			before, _ := json.Marshal(content)
			pruning.Prune(content, k.structural, true)
			if after, _ := json.Marshal(content); !bytes.Equal(before, after) {
				t.Errorf("%s: %s: fields are removed: got %s, want %s", file, name, after, before)
			}
		}
	}
	for _, name := range []string{"Pack", "PackValues", "ClusterContext", "Policy", "Interface", "Implementation", "TypeInstance", "Type"} {
		if checked[name] == 0 {
			t.Errorf("no example has a %s", name)
		}
	}
}

// What is wrong is refused.
func TestRefused(t *testing.T) {
	known := kinds(t)
	for name, resource := range map[string]string{
		"packs.kpt.dev/v1alpha1 PackValues":     `{"spec": {"packRef": {"name": "a"}, "scope": "team"}}`,
		"packs.kpt.dev/v1alpha1 ClusterContext": `{"spec": {"machinePools": [{"name": 5}]}}`,
		"ocf.capact.io/v1alpha1 TypeInstance":   `{"spec": {"id": "a"}}`,
	} {
		content := map[string]any{}
		if err := json.Unmarshal([]byte(resource), &content); err != nil {
			t.Fatal(err)
		}
		if faults := validation.ValidateCustomResource(nil, content, known[name].validator); len(faults) == 0 {
			t.Errorf("%s accepts %s", name, resource)
		}
	}
}
