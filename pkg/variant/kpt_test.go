package variant

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"
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

// checkKptfiles fails if kpt could read the Kptfiles of documents before a run, but not
// after it.
func checkKptfiles(t testing.TB, before, after string) {
	t.Helper()
	kptfiles := func(documents string) (all []string) {
		for document := range strings.SplitSeq(documents, "---\n") {
			if strings.Contains(document, "\nkind: Kptfile") {
				all = append(all, document)
			}
		}
		return all
	}
	was, is := kptfiles(before), kptfiles(after)
	for i := range is {
		if readByKpt(was[i]) != nil {
			continue
		}
		if err := readByKpt(is[i]); err != nil {
			t.Errorf("kpt rejects the Kptfile: %v\n%s", err, is[i])
		}
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

// kpt reads the Kptfile with every function that has no findings, and refuses it with
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
		d, faults := v.ApplyPipeline(parseText(t, "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: a\n"))
		if faults != nil {
			t.Fatal(faults)
		}
		findings := f.Validate("f")
		if err := readByKpt(d.Text()); (err == nil) != (len(findings) == 0) {
			t.Fatalf("kpt says %v, and we say %v\n%s", err, findings, d.Text())
		}
	})
}

// The slips that made kpt refuse the package, each with the finding.
func TestFunctionsThatKptRefuses(t *testing.T) {
	const at = "error variant/invalid PackageVariant/pv spec.pipeline.mutators[0]"
	for _, tc := range []struct{ name, function, want string }{
		{"a misspelt field", "configmap: {registry: large}", `.configmap unknown="field \"configmap\"" want="image, exec, configPath, configMap, name, tag, selectors or exclude" near=configMap`},
		{"a field in the singular", "selector: [{kind: Pack}]", `.selector unknown="field \"selector\"" want="image, exec, configPath, configMap, name, tag, selectors or exclude" near=selectors`},
		{"a list as an argument", "configMap: {registry: [large]}", `.configMap.registry got="a list" want="a string"`},
		{"two configurations", "configMap: {registry: large}, configPath: size.yaml", ``},
		{"a number as an argument", "configMap: {replicas: 3}", `.configMap.replicas got="a number" want="a string"`},
		{"a path out of the package", "configPath: ../size.yaml", `.configPath got="\"../size.yaml\"" want="a path in the package, from the folder of the Kptfile"`},
		{"an image that is none", "image: 'A b', exec: ''", `.image got="\"A b\"" want="the reference of an image, such as example.com/functions/name:v1"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			function := "exec: e, " + tc.function
			if strings.Contains(tc.function, "exec") {
				function = tc.function
			}
			out, facts := evaluate(t, variantOf(fmt.Sprintf("  pipeline: {mutators: [{%s}]}\n", function)), kptfile)
			if diff := cmp.Diff([]string{at + tc.want}, facts); diff != "" || out != kptfile {
				t.Errorf("-want +got:\n%s\n%s", diff, out)
			}
		})
	}
}
