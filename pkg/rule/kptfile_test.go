package rule_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/packfn/check"
	"github.com/krm-packs/functions/pkg/rule"
)

// kptfileExamples are the rules about Kptfiles: text of their examples, and what corrects
// it.
var kptfileExamples = map[string][2]string{
	"kptfile/unknown-field": {"whne", "when"},
	"pipeline/function":     {"validate-pack-value:", "validate-pack-values:"},
	"macro/unresolved":      {"validators: [{exec: validate-pack-values}]", "mutators: [{exec: resolve-macros, configMap: {system.cluster.name: a}}]"},
	"pipeline/hidden":       {"- kind: ConfigMap ", "- apiVersion: packs.kpt.dev/v1alpha1 "},
}

// Examples about Kptfiles break their rule, and no longer do when they are corrected.
func TestKptfileExamples(t *testing.T) {
	for id, correction := range kptfileExamples {
		example := rule.Of(id)
		for _, isCorrected := range []bool{false, true} {
			text := "apiVersion: kpt.dev/v1\nmetadata: {name: x}\n" + example.Breaks + "\n"
			if isCorrected {
				if !strings.Contains(text, correction[0]) {
					t.Fatalf("%s: no %q", id, correction[0])
				}
				text = strings.Replace(text, correction[0], correction[1], 1)
			}
			dir := t.TempDir()
			for name, text := range map[string]string{
				"Kptfile": text,
				"a.yaml":  "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec: {version: 1.0.0, values: {a: 1, b: '{{ .spectro.system.cluster.name }}'}}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: b}\nspec: {packRef: {name: a}, values: {a: 2}}\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			r, err := check.Run([]string{dir}, check.Options{Functions: suite.All()})
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, f := range r.Findings {
				if f.Rule == id {
					found++
				}
			}
			if want := map[bool]int{false: 1, true: 0}[isCorrected]; found != want {
				t.Errorf("%s, corrected %v: %d findings of the rule: %+v", id, isCorrected, found, r.Findings)
			}
		}
	}
}
