package check

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/diag"
)

// The message of a finding says after which function it appears, and where it is in a text in quotes.
var placeInMessage = regexp.MustCompile(`\((after |[^()]* line )[^()]*\)`)

// A finding is at its place on disk, and its edits, too.
func TestFindings(t *testing.T) {
	const (
		cluster = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: NAME, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {system: {kubernetes: {version: 1.30.0}}}\n"
		needs   = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: n, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {version: 1.0.0, constraints: {dependencies: [{packName: kubernetes, minVersion: 1.29.0, type: required}]}}\n"
		quoted  = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: q\n  annotations: {config.kubernetes.io/local-config: \"true\"}\ndata:\n  pack.json: '{\"name\": \"q\", \"version\": \"1.0.0\"}'\n  values.yaml: \"a: 1\\nport: 7\\n\"\n  schema.yaml: \"port: {schema: '{{ format \\\"${number:[1-5]}\\\" }}'}\"\n"
		asks    = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: n, annotations: {config.kubernetes.io/local-config: \"true\"}}\nspec: {version: 1.0.0, constraints: {resources: [{type: cpu, minLimit: 500}]}}\n"
	)
	clusters := strings.ReplaceAll(cluster, "NAME", "a") + "---\n" + strings.ReplaceAll(cluster, "NAME", "b") + "---\n" + needs
	validator := kptfileHead + "pipeline:\n  validators:\n  - exec: validate-pack-values\n"
	for _, tc := range []struct {
		name    string
		options Options
		files   map[string]string
		want    []string
	}{
		{"in a package below", Options{}, map[string]string{"x/Kptfile": kptfileHead, "x/y/a.yaml": packNamed("a")}, []string{
			"error values/format x/y/a.yaml:7:11 Pack/a spec.values",
		}},
		{"after a mutator", Options{Rendered: true}, map[string]string{"Kptfile": kptfileHead + "pipeline:\n  mutators:\n  - exec: apply-preset\n    configMap: {a: small}\n", "a.yaml": strings.Replace(packNamed("a"), "port: 5", "port: 9", 1), "b.yaml": packNamed("b")}, []string{
			"error values/format a.yaml:7:11 Pack/a spec.values (after apply-preset)",
			"error values/format b.yaml:7:11 Pack/b spec.values",
		}},
		{"an inline functionConfig", Options{}, map[string]string{"Kptfile": validator + "    configMap:\n      unknownKeys: eror\n", "a.yaml": packNamed("a")}, []string{
			`error config/invalid Kptfile:9:7 Kptfile/p pipeline.validators[0].configMap.unknownKeys 9:20+4 "error"`,
			"error values/format a.yaml:7:11 Pack/a spec.values",
		}},
		{"an unknown field of an inline functionConfig", Options{}, map[string]string{"Kptfile": validator + "    configMap:\n      unknownKey: error\n", "a.yaml": packNamed("a")}, []string{
			`error config/invalid Kptfile:9:7 Kptfile/p pipeline.validators[0].configMap.unknownKey 9:7+10 "unknownKeys"`,
			"error values/format a.yaml:7:11 Pack/a spec.values",
		}},
		{"an inline functionConfig of a package below", Options{}, map[string]string{"x/y/Kptfile": validator + "    configMap:\n      unknownKeys: eror\n", "x/Kptfile": kptfileHead, "x/y/a.yaml": packNamed("a")}, []string{
			`error config/invalid x/y/Kptfile:9:7 Kptfile/p pipeline.validators[0].configMap.unknownKeys 9:20+4 "error"`,
			"error values/format x/y/a.yaml:7:11 Pack/a spec.values",
		}},
		{"a functionConfig in a file", Options{}, map[string]string{"Kptfile": validator + "    configPath: v.yaml\n", "v.yaml": strings.Replace(validatePackValues, "warning", "warnin", 1), "a.yaml": packNamed("a")}, []string{
			"error values/format a.yaml:7:11 Pack/a spec.values",
			"warning resource/not-local v.yaml:3:1 ValidatePackValues/v metadata.annotations",
			`error config/invalid v.yaml:5:16 ValidatePackValues/v spec.unknownKeys 5:16+6 "warning"`,
		}},
		{"a functionConfig among files", Options{}, map[string]string{"v.yaml": strings.Replace(validatePackValues, "warning", "warnin", 1), "a.yaml": packNamed("a")}, []string{
			"error values/format a.yaml:7:11 Pack/a spec.values",
			`error config/invalid v.yaml:5:16 ValidatePackValues/v spec.unknownKeys 5:16+6 "warning"`,
		}},
		{"about a package", Options{}, map[string]string{"Kptfile": kptfileHead, "a.yaml": clusters}, []string{
			"error config/invalid Kptfile:0:0 spec.clusterContext",
		}},
		{"about files without a package", Options{AsDeployed: true}, map[string]string{"a.yaml": asks + "---\n" + strings.Replace(contextText, "NAME", "c", 1)}, []string{
			"error resources/no-pool a.yaml:9:1 ClusterContext/c spec.machinePools",
		}},
		{"a text in quotes", Options{}, map[string]string{"Kptfile": kptfileHead, "q.yaml": quoted}, []string{
			"error values/format q.yaml:8:29 ConfigMap/q data[values.yaml] (values.yaml line 2)",
		}},
		{"a pack directory", Options{}, map[string]string{"p/pack.json": `{"name": "p", "version": "1.0.0"}`, "p/presets.yml": "", "p/values.yaml": "a: 1\nport: 7\n", "p/schema.yaml": "port:\n  schema: '{{ format \"${number:[1-5]}\" }}'\n"}, []string{
			"error pack/file-name p/pack.json:1:0 ConfigMap/p data[presets.yml]",
			"error values/format p/values.yaml:2:7 ConfigMap/p data[values.yaml]",
		}},
		{"a slip", Options{}, map[string]string{"Kptfile": kptfileHead, "b.yaml": packNamed("a") + "---\n" + strings.Replace(strings.Replace(valuesText, "values: ", "vales: ", 1), "port: 8", "port: 3", 1)}, []string{
			"error values/format b.yaml:7:11 Pack/a spec.values",
			`error input/invalid b.yaml:17:28 PackValues/site spec.vales 17:28+5 "values"`,
		}},
		{"a slip in a text", Options{}, map[string]string{"Kptfile": kptfileHead, "a.yaml": strings.Replace(packNamed("a"), "add:", "ad:", 1)}, []string{
			"error values/format a.yaml:7:11 Pack/a spec.values",
			"error preset/invalid a.yaml:12:19 Pack/a spec.presets[0].ad",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := folderOf(t, tc.files)
			options := tc.options
			options.Functions, options.Root = suite.All(), dir
			r, err := runNoted([]string{dir}, options)
			if err != nil {
				t.Fatal(err)
			}
			found := []string{}
			for _, f := range r.Findings {
				line := fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Rule, f.File, f.Line, f.Column)
				if f.Resource != nil {
					line += fmt.Sprintf(" %s/%s", f.Resource.Kind, f.Resource.Name)
				}
				line += strings.TrimSuffix(" "+f.Field, " ")
				for _, place := range placeInMessage.FindAllString(f.Message, -1) {
					line += " " + place
				}
				if f.Path != "" && f.Path != filepath.Join(dir, f.File) {
					line += " path " + f.Path
				}
				for _, e := range f.Edits {
					line += fmt.Sprintf(" %d:%d+%d %q", e.At.Line, e.At.Column, e.Length, e.New)
				}
				if f.Severity != diag.Info {
					found = append(found, line)
				}
			}
			if diff := cmp.Diff(tc.want, found); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
