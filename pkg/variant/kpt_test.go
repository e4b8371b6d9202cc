package variant

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/internal/cases"
)

// readByKpt reads a Kptfile as kpt does: strictly, and with its checks of the pipeline.
func readByKpt(text string) error {
	var file kptfilev1.KptFile
	decoder := yaml.NewDecoder(strings.NewReader(text))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return err
	}
	return file.Validate(nil, "")
}

// kpt reads the Kptfiles that the function writes.
func TestKptReadsWhatIsWritten(t *testing.T) {
	count := 0
	cases.Run(t, "testdata/cases/*.txtar", func(t *testing.T, c *cases.Case) {
		for document := range strings.SplitSeq(c.Files()["output.yaml"], "---\n") {
			if !strings.Contains(document, "\nkind: Kptfile\n") {
				continue
			}
			count++
			if err := readByKpt(document); err != nil {
				t.Errorf("kpt rejects the Kptfile: %v\n%s", err, document)
			}
		}
	})
	if count == 0 {
		t.Error("no case has a Kptfile")
	}
}

// A function of a PackageVariant has the fields that kpt's own type has.
func TestFieldsOfFunctions(t *testing.T) {
	fields := func(of reflect.Type, tag string) map[string]string {
		all := map[string]string{}
		for i := range of.NumField() {
			all[of.Field(i).Tag.Get(tag)] = of.Field(i).Type.Kind().String()
		}
		return all
	}
	for _, tag := range []string{"json", "yaml"} {
		if diff := cmp.Diff(fields(reflect.TypeFor[kptfilev1.Function](), tag), fields(reflect.TypeFor[PipelineFunction](), tag)); diff != "" {
			t.Errorf("-kpt +ours:\n%s", diff)
		}
		if diff := cmp.Diff(fields(reflect.TypeFor[kptfilev1.Selector](), tag), fields(reflect.TypeFor[ResourceSelector](), tag)); diff != "" {
			t.Errorf("-kpt +ours:\n%s", diff)
		}
	}
}

// kpt reads the Kptfile with every function that has no findings, and rejects it with
// every one that has, dots in its name aside.
func TestKptReadsTheKptfile(t *testing.T) {
	text := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[ -~é]{1,8}`), rapid.SampledFrom([]string{"yes", "1.30", "null", "a\nb\n", "a: b", "~", "#"}))
	texts := rapid.MapOfN(text, text, 0, 2)
	selectors := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) ResourceSelector {
		return ResourceSelector{Kind: text.Draw(t, "kind"), Labels: texts.Draw(t, "labels"), Annotations: texts.Draw(t, "annotations")}
	}), 0, 2)
	rapid.Check(t, func(t *rapid.T) {
		f := PipelineFunction{
			Image: rapid.OneOf(rapid.Just("a.b/c:v1"), rapid.Just(""), rapid.StringMatching(`[a-zA-Z0-9:/@._-]{1,12}`)).Draw(t, "image"),
			Exec:  rapid.SampledFrom([]string{"", "e"}).Draw(t, "exec"), ConfigMap: texts.Draw(t, "config"),
			Name: text.Draw(t, "name"), Tag: text.Draw(t, "tag"), Selectors: selectors.Draw(t, "selectors"), Exclude: selectors.Draw(t, "exclude"),
		}
		f.Name = strings.ReplaceAll(f.Name, ".", "")
		v := &PackageVariant{Name: "pv", Spec: Spec{Pipeline: Pipeline{Mutators: []PipelineFunction{f}}}}
		d, faults := v.ApplyPipeline(parseText(t, `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: a
`))
		if faults != nil {
			t.Fatal(faults)
		}
		findings := f.Validate("f")
		if err := readByKpt(d.Text()); (err == nil) != (len(findings) == 0) {
			t.Fatalf("kpt says %v, and we say %v\n%s", err, findings, d.Text())
		}
	})
}
