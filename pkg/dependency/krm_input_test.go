package dependency

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

// Files, annotations and kinds of bundles under a wrong name are reported, since they
// would not be read: then everything passes. So are files that are not text.
func TestMisspeltBundles(t *testing.T) {
	configMap := func(data string) string {
		return `apiVersion: v1
kind: ConfigMap
metadata: {name: a}
` + data + "\n"
	}
	check := func(document, want, slip string) {
		t.Helper()
		_, outcome := functiontest.Evaluate(t, Function(), functiontest.List("", document))
		if !slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool { return f.Rule == rule.InputInvalid && f.Nearest == want }) {
			t.Errorf("%s for %s: got %q", slip, want, functiontest.Facts(outcome.Findings))
		}
	}
	for _, file := range []string{bundleFile, propertiesFile, dependenciesFile} {
		for _, slip := range functiontest.Misspellings(file) {
			check(configMap("data: {"+slip+": ''}"), file, slip)
		}
		outcome := functiontest.Run(t, Function(), "", configMap("binaryData: {"+file+": 6Q==}"))
		want := []string{"error input/invalid ConfigMap/a binaryData[" + file + "] got=\"a file that is not UTF-8: byte 0xE9 at offset 0, on line 1 of the file\" want=\"a string in UTF-8\""}
		if diff := cmp.Diff(want, functiontest.Facts(outcome.Findings)); diff != "" {
			t.Errorf("%s in binaryData: -want +got:\n%s", file, diff)
		}
	}
	for _, slip := range functiontest.Misspellings(annotationsFile) {
		check(configMap("data: {properties.yaml: 'properties: []', "+slip+": ''}"), annotationsFile, slip)
	}
	for _, slip := range functiontest.Misspellings(packageAnnotation) {
		check(configMap("data: {properties.yaml: 'properties: []', annotations.yaml: 'annotations: {"+slip+": a}'}"), packageAnnotation, slip)
	}
	for _, slip := range functiontest.Misspellings(propertiesAnnotations[1]) {
		check(`apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: a.v1.0.0, annotations: {`+slip+`: '[]'}}
spec: {}
`, propertiesAnnotations[1], slip)
	}
	for _, kind := range []string{"Constraint", "ClusterServiceVersion"} {
		for _, slip := range functiontest.Misspellings(kind) {
			if !strings.EqualFold(slip, "Constraint") { // which is read, too
				check(`apiVersion: operators.coreos.com/v1
kind: `+slip+`
metadata: {name: a}
spec: {}
`, kind, slip)
			}
		}
		for _, slip := range functiontest.Misspellings(olmGroup) {
			check("apiVersion: "+slip+`/v1
kind: `+kind+`
metadata: {name: a}
spec: {}
`, olmGroup, slip)
		}
	}
	for _, other := range []string{"application.properties", "ca-bundle.crt", "README.md", "property.json", "annotation.yaml", "dependency.txt"} {
		outcome := functiontest.Run(t, Function(), "", configMap("data: {"+other+": ''}"))
		if want, got := []string{"info nothing-to-do"}, functiontest.Facts(outcome.Findings); !cmp.Equal(want, got) {
			t.Errorf("%s: got %q, want %q", other, got, want)
		}
	}
}
