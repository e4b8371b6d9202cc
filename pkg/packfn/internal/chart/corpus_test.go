package chart

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"

	"github.com/Masterminds/sprig/v3"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// Nothing false is said of public packs: a chart renders the same without each of the
// keys that are reported. Charts that cannot be rendered here are compared as far as
// their templates run.
func TestCorpus(t *testing.T) {
	reported, rendered := 0, 0
	for _, file := range cases.Some(functiontest.Corpus(t, "packs/*/pack.json"), 5) {
		dir := filepath.Dir(file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := &pack.Pack{Name: filepath.Base(dir), Metadata: pack.File("pack.json", string(text))}
		own, err := os.ReadFile(filepath.Join(dir, "values.yaml"))
		if err != nil {
			continue
		}
		p.Values = pack.File("values.yaml", string(own))
		for _, f := range new(Run).Check(p, dir, nil, nil, false) {
			switch f.Rule {
			case rule.ValuesChartMissing:
				if _, err := os.Stat(filepath.Join(dir, strings.Fields(f.Found)[2])); err == nil {
					t.Errorf("%s: %s", p.Name, f.Message())
				}
			case rule.ValuesChartSchema:
				if f.Tags[facts.TagEmpty] == "" { // a published pack has values to fill in
					t.Errorf("%s: %s", p.Name, f.Message())
				}
			}
		}
		document, err := p.Values.Mapping()
		if err != nil {
			continue
		}
		k := &reader{pack: p, dir: dir}
		k.open(new(Run))
		for _, c := range k.charts {
			for _, key := range c.names {
				n := values.Field(document.Root(), "charts", key)
				if n == nil {
					continue
				}
				found := c.Facts().Inert(n, []string{string(own)})
				if len(found) == 0 {
					break
				}
				reported += len(found)
				var given map[string]any
				if err := n.Decode(&given); err != nil {
					t.Fatal(err)
				}
				with, count := render(c.Chart, given)
				again, _ := render(c.Chart, given)
				rendered += count
				for _, key := range found {
					remove(given, key.Path)
				}
				without, _ := render(c.Chart, given)
				for file, output := range with {
					if output == again[file] && output != without[file] { // others have random parts
						t.Errorf("%s: %s reads one of %v", p.Name, file, found)
					}
				}
				break
			}
		}
	}
	t.Logf("%d keys are reported; %d templates render", reported, rendered)
	if reported == 0 || rendered == 0 {
		t.Error("nothing is compared")
	}
}

func remove(values map[string]any, path []string) {
	for _, key := range path[:len(path)-1] {
		values, _ = values[key].(map[string]any)
	}
	delete(values, path[len(path)-1])
}

// render renders a chart as Helm does, as far as that is needed here, and returns how
// many templates could be rendered.
func render(c *Chart, given map[string]any) (map[string]string, int) {
	all := template.New("").Option("missingkey=zero")
	include := func(name string, dot any) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, dot)
		return out.String(), err
	}
	functions := sprig.TxtFuncMap()
	for name, function := range map[string]any{
		"include": include,
		"tpl": func(text string, dot any) (string, error) {
			clone, err := all.Clone()
			if err != nil {
				return "", err
			}
			one, err := clone.New("tpl").Parse(text)
			if err != nil {
				return "", err
			}
			var out strings.Builder
			return out.String(), one.Execute(&out, dot)
		},
		"required": func(message string, value any) (any, error) {
			if value == nil || value == "" {
				return nil, errors.New(message)
			}
			return value, nil
		},
		"lookup": func(...string) map[string]any { return map[string]any{} },
		"toYaml": func(value any) string { b, _ := yaml.Marshal(value); return strings.TrimSuffix(string(b), "\n") },
		"toJson": func(value any) string { b, _ := json.Marshal(value); return string(b) },
		"fromYaml": func(text string) map[string]any {
			m := map[string]any{}
			_ = yaml.Unmarshal([]byte(text), &m)
			return m
		},
	} {
		functions[name] = function
	}
	all.Funcs(functions)
	type file struct {
		name  string
		scope map[string]any
	}
	var files []file
	var load func(c *Chart, folder string, given map[string]any)
	load = func(c *Chart, folder string, given map[string]any) {
		own := map[string]any{}
		if root := rootOf(c.values); root != nil {
			_ = root.Decode(&own)
		}
		overlay(own, given)
		dot := map[string]any{
			"Values": own, "Chart": map[string]any{"Name": c.Name, "Version": c.Version, "AppVersion": "1"},
			"Release":      map[string]any{"Name": "r", "Namespace": "n", "Service": "Helm", "IsInstall": true},
			"Capabilities": map[string]any{"KubeVersion": map[string]any{"Version": "v1.30.0", "GitVersion": "v1.30.0", "Major": "1", "Minor": "30"}, "APIVersions": versions{}},
			"Template":     map[string]any{"BasePath": folder + "templates", "Name": "t"}, "Files": noFiles{},
		}
		for name, content := range c.files {
			if strings.HasPrefix(name, "templates/") {
				if _, err := all.New(folder + name).Parse(string(content)); err == nil && !strings.HasPrefix(filepath.Base(name), "_") {
					files = append(files, file{folder + name, dot})
				}
			}
		}
		for _, sub := range c.subcharts {
			below, _ := own[sub.Name].(map[string]any)
			if below == nil {
				below = map[string]any{}
			}
			if global, ok := own["global"].(map[string]any); ok {
				below["global"] = global
			}
			load(sub, folder+"charts/"+sub.Name+"/", below)
		}
	}
	load(c, c.Name+"/", given)
	outputs, count := map[string]string{}, 0
	for _, f := range files {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, f.name, f.scope)
		if err == nil && strings.TrimSpace(out.String()) != "" {
			count++
		}
		outputs[f.name] = fmt.Sprint(out.String(), err)
	}
	return outputs, count
}

func overlay(below, over map[string]any) {
	for key, value := range over {
		if m, ok := value.(map[string]any); ok {
			if old, ok := below[key].(map[string]any); ok {
				overlay(old, m)
				continue
			}
		}
		below[key] = value
	}
}

type versions struct{}

func (versions) Has(string) bool { return true }

type noFiles struct{}

func (noFiles) Get(string) string             { return "" }
func (noFiles) Glob(string) map[string][]byte { return nil }
