package main

import (
	"bytes"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/packfn/packfntest"
)

// docs/reference.md is that of the types as they are now.
func TestReference(t *testing.T) {
	root := filepath.Join("..", "..")
	files, _, err := generate(root)
	if err != nil {
		t.Fatal(err)
	}
	want, err := reference(root, files)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(root, "docs", "reference.md")
	if got, err := os.ReadFile(name); err != nil {
		t.Fatal(err)
	} else if bytes.Equal(got, want) {
		return
	} else if os.Getenv("UPDATE") == "" {
		t.Fatal("docs/reference.md is not current: UPDATE=1 writes it, and so does go run ./build/schemas")
	}
	if err := os.WriteFile(name, want, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Each kind of the suite is on the page. The others are of Porch and kpt, or what packfn prints.
func TestReferenceHasAllKinds(t *testing.T) {
	files, _, err := generate(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	others := []string{"kptfile.json", "packagevariant.json", "packagevariantset.json", "report.json", "fleet.json"}
	for _, chapter := range chapters() {
		for _, entry := range chapter.kinds {
			others = append(others, fileOf(entry.kind))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !slices.Contains(others, name) {
			t.Errorf("%s is in no chapter of docs/reference.md", name)
		}
	}
}

// The examples satisfy their schemas, so a field on the page is a field that is read.
func TestComplete(t *testing.T) {
	files, _, err := generate(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join("complete", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		schema, err := packfntest.ParseSchema(string(files[strings.TrimSuffix(filepath.Base(name), ".yaml")+".json"]))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, document := range documentsOf(t, name) {
			violations, err := schema.Validate(document, 100)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, v := range violations {
				t.Errorf("%s: %s: %s", name, v.Path, v.Message)
			}
		}
	}
}

// documentsOf reads the documents of a file.
func documentsOf(t *testing.T, name string) []*yaml.Node {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var all []*yaml.Node
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var document yaml.Node
		if err := decoder.Decode(&document); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, document.Content...)
	}
}

// Each function reads its functionConfig and all packs, overrides and clusters of the page
// without a fault in them.
func TestCompleteIsRead(t *testing.T) {
	read := func(kind string) string {
		text, err := os.ReadFile(filepath.Join("complete", strings.ToLower(kind)+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	// What functionConfigs name is there.
	const named = `---
apiVersion: config.porch.kpt.dev/v1alpha2
kind: PackageVariantSet
metadata: {name: clusters, namespace: default}
spec: {upstream: {repo: a, package: b, workspaceName: v1}, targets: [{repositories: [{name: r}]}]}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata: {name: shop-west, namespace: default}
spec: {upstream: {repo: a, package: b, workspaceName: v1}, downstream: {repo: r, package: b}}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata: {name: outer}
spec: {scope: WORKFLOW}
---
apiVersion: ocf.capact.io/v1alpha1
kind: Policy
metadata: {name: inner}
spec: {scope: WORKFLOW}
---
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: p}
`
	var items []string
	for _, kind := range []string{"ClusterContext", "Pack", "PackValues", "ClusterProfile", "Policy", "Interface", "TypeInstance", "Type", "Attribute"} {
		items = append(items, read(kind))
	}
	for _, f := range suite.All() {
		configs := strings.Split(read(f.Kind), "\n---\n")
		for _, config := range append(configs, "") { // without one, nothing replaces what the ClusterContext has
			_, outcome := functiontest.Evaluate(t, f, functiontest.List(config, strings.Join(items, "---\n")+named))
			for _, finding := range outcome.Findings {
				if id := finding.Rule.ID; id == "input/invalid" || id == "config/invalid" {
					t.Errorf("build/schemas/complete/%s.yaml must have no fault beside the other files of the folder, which have the packs and pools that it can name: %s",
						strings.ToLower(f.Kind), functiontest.Facts(outcome.Findings))
					break
				}
			}
		}
	}
}

// The defaults of booleans are those that the functions begin with.
func TestDefaults(t *testing.T) {
	for _, f := range suite.All() {
		config := reflect.ValueOf(f.New().Config()).Elem()
		for i := range config.NumField() {
			if field := config.Type().Field(i); field.Type.Kind() == reflect.Bool {
				if got := field.Tag.Get("default") == "true"; got != config.Field(i).Bool() {
					t.Errorf("%s: the tag of %s says that the default is %t", f.Kind, field.Name, got)
				}
			}
		}
	}
}

// A field without an example or without a comment is a fault, and a large object is listed once.
func TestTable(t *testing.T) {
	text := func(description string) object { return object{"type": "string", "description": description} }
	schema := object{"properties": object{"a": text("A is first."), "b": text("")}}
	seen := map[string]string{}
	if _, err := tableOf("K", schema, []byte("a: x\n"), seen); err == nil || !strings.Contains(err.Error(), "no example of b") {
		t.Errorf("got %v", err)
	}
	if _, err := tableOf("K", schema, []byte(`a: x
b: y
`), seen); err == nil || !strings.Contains(err.Error(), "what these fields are: b") {
		t.Errorf("got %v", err)
	}
	large := object{"type": "object", "description": "Large is large.", "properties": object{}}
	for _, name := range []string{"a", "b", "c", "d", "e", "f"} {
		large["properties"].(object)[name] = text("Is set.")
	}
	example := []byte("large: {a: 1, b: 2, c: 3, d: 4, e: 5, f: 6}\n")
	first, err := tableOf("First", object{"properties": object{"large": large}}, example, seen)
	if err != nil || !strings.Contains(first, "| `large.f` | string | – | `6` | Is set. |") {
		t.Errorf("got %v\n%s", err, first)
	}
	second, err := tableOf("Second", object{"properties": object{"large": large}}, []byte("large: {}\n"), seen)
	if err != nil || !strings.Contains(second, "Large. The fields are those in [First](#first).") {
		t.Errorf("got %v\n%s", err, second)
	}
}
