package pipeline

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
)

// A program that is almost a function of the suite is probably meant as it; others are not.
func TestMeant(t *testing.T) {
	suite := []function.Function{{Name: "validate-pack-values"}, {Name: "apply-preset"}, {Name: "check-resources"}}
	for image, want := range map[string]string{
		"ghcr.io/krm-packs/validate-values:v0.1.0":      "validate-pack-values",
		"ghcr.io/krm-packs/apply-presets:v0.1.0":        "apply-preset",
		"ghcr.io/krm-packs/check-resource":              "check-resources",
		"gcr.io/kpt-fn/apply-setters:v0.2":              "",
		"gcr.io/kpt-fn/check:v1":                        "",
		"ghcr.io/krm-packs/packfn:v0.1.0":               "",
		"ghcr.io/krm-packs/validate-pack-values:v0.1.0": "",
	} {
		s := Step{Entry: kptpackage.Function{Image: image}}
		if s.findFunction(suite); s.Meant(suite) != want {
			t.Errorf("%s: got %q, want %q", image, s.Meant(suite), want)
		}
	}
}

// The error of a missing file names the file that was probably meant.
func TestMissingConfigPath(t *testing.T) {
	kptfile, err := kptpackage.ParseKptfile([]byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  validators:\n  - image: check-resources\n    configPath: fn-confg.yaml\n"))
	if err != nil {
		t.Fatal(err)
	}
	all := list.FileItems([]byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"), "fn-config.yaml")
	_, faults := StepsOf("p", map[string]*kptpackage.Kptfile{".": kptfile}, nil, func(_, name string) ([]*list.Item, bool) {
		if name == "" {
			return all, true
		}
		return nil, false
	})
	if len(faults) != 1 || !strings.Contains(faults[0].Error(), `(did you mean "fn-config.yaml"?)`) {
		t.Errorf("got %v", faults)
	}
}
