package suite

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/policy"
	"github.com/krm-packs/functions/pkg/policy/manifest"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/variant"
	"github.com/krm-packs/functions/pkg/variant/set"
)

// names reports whether a finding names what was probably meant.
func names(f diag.Finding, name string) bool {
	accepted := strings.FieldsFunc(f.Accepted, func(r rune) bool { return r == ' ' || r == ',' })
	return f.Nearest == name || slices.Contains(accepted, name) || slices.ContainsFunc(accepted, func(one string) bool {
		group, kind, _ := strings.Cut(one, "/")
		return group == name || kind == name
	})
}

// sweep runs functions over slips. None of them may be silent.
type sweep struct {
	*testing.T
	count int
}

func (s *sweep) run(f function.Function, config any, items []any, name, slip string, accepted ...diag.Rule) {
	s.Helper()
	s.count++
	text, err := yaml.Marshal(map[string]any{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "functionConfig": config, "items": items})
	if err != nil {
		s.Fatal(err)
	}
	_, outcome := functiontest.Evaluate(s.T, f, string(text))
	if !slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool {
		return (len(accepted) == 0 || slices.Contains(accepted, f.Rule)) && f.Level() != diag.Info && names(f, name)
	}) {
		s.Errorf("%s: %s for %s is silent: got %q for\n%s", f.Name, slip, name, functiontest.Facts(outcome.Findings), text)
	}
}

func resource(apiVersion, kind string, fields map[string]any) map[string]any {
	all := map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"name": "one"}}
	maps.Copy(all, fields)
	return all
}

// Every kind and field of every functionConfig, and every key of its ConfigMap form, is
// misspelt once in several ways. Each slip is an error that names the right name.
func TestNoSlipInConfigsIsSilent(t *testing.T) {
	s := &sweep{T: t}
	for _, f := range All() {
		config := reflect.TypeOf(f.New().Config()).Elem()
		filled := functiontest.Sample(config).(map[string]any)
		delete(filled, "severity") // its keys are rules
		try := func(config any, name, slip string) {
			s.Helper()
			s.run(f, config, nil, name, slip, rule.ConfigInvalid)
		}
		for _, slip := range functiontest.Misspellings(f.Kind) {
			try(resource(function.ConfigGroupVersion, slip, nil), f.Kind, slip)
			s.run(f, nil, []any{resource(function.ConfigGroupVersion, slip, map[string]any{"spec": filled})}, f.Kind, slip)
		}
		for _, slip := range functiontest.Misspellings("fn.kpt.dev") {
			try(resource(slip+"/v1alpha1", f.Kind, nil), function.ConfigGroupVersion, slip)
			s.run(f, nil, []any{resource(slip+"/v1alpha1", f.Kind, nil)}, function.ConfigGroupVersion, slip)
		}
		for _, name := range []string{"spec", "metadata"} {
			for _, slip := range functiontest.Misspellings(name) {
				r := resource(function.ConfigGroupVersion, f.Kind, nil)
				delete(r, name)
				r[slip] = map[string]any{}
				try(r, name, slip)
			}
		}
		functiontest.Renamed(filled, func(changed any, name, slip string) {
			if name != "any" {
				try(resource(function.ConfigGroupVersion, f.Kind, map[string]any{"spec": changed}), name, slip)
			}
		})
		for _, slip := range functiontest.Misspellings("data") {
			try(resource("v1", "ConfigMap", map[string]any{slip: map[string]any{}}), "data", slip)
		}
		if f.Kind == "ApplyPreset" {
			continue // its other keys are names of packs, which are looked up
		}
		for name := range filled {
			_, outcome := functiontest.Evaluate(t, f, functiontest.List("{apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {"+name+": x}}", ""))
			if slices.ContainsFunc(outcome.Findings, func(f diag.Finding) bool {
				return f.Kind == diag.KindUnknown || strings.HasPrefix(f.Action, "use the kind ")
			}) {
				continue // only the typed form has it
			}
			for _, slip := range functiontest.Misspellings(name) {
				try(resource("v1", "ConfigMap", map[string]any{"data": map[string]any{slip: "x"}}), name, slip)
			}
		}
	}
	for _, key := range []string{"system.cluster.name", "variables.HOST", "macros.proxy"} {
		field, name, _ := strings.Cut(key, ".")
		for _, slip := range functiontest.Misspellings(field) {
			for _, f := range All() {
				if f.Kind == "ResolveMacros" {
					s.run(f, resource("v1", "ConfigMap", map[string]any{"data": map[string]any{slip + "." + name: "x"}}), nil, key, slip)
				}
			}
		}
	}
	if t.Logf("%d slips", s.count); s.count < 500 {
		t.Errorf("only %d slips were tried", s.count)
	}
}

// Every kind, group and field of the resources of Porch, kpt, OLM and Capact that a
// function reads is misspelt. Each slip has an error or a warning that names the right name.
// pkg/pack has the same test for the kinds, files and annotations of packs.
func TestNoSlipInForeignKindsIsSilent(t *testing.T) {
	s := &sweep{T: t}
	functions := map[string]function.Function{}
	for _, f := range All() {
		functions[f.Name] = f
	}
	type read struct {
		function, apiVersion, kind string
		spec                       any
		// config is the functionConfig that has the resource, nil if it is an item.
		config func(any) any
	}
	all := []read{
		{"expand-variant-set", set.Group + "/v1alpha2", set.Kind, map[string]any{
			"upstream": functiontest.Sample(reflect.TypeFor[set.Upstream]()),
			"targets":  []any{functiontest.Sample(reflect.TypeFor[set.Target]())},
		}, nil},
		{"inject-config", variant.GroupVersion, variant.Kind, functiontest.Sample(reflect.TypeFor[variant.Spec]()), func(r any) any { return r }},
		{"check-dependencies", "operators.coreos.com/v2", "Constraint", map[string]any{"constraints": "[]", "properties": "[]"}, nil},
		{"check-dependencies", "operators.coreos.com/v1alpha1", "ClusterServiceVersion", nil, nil},
		{"inject-config", "kpt.dev/v1", "Kptfile", nil, nil},
		{"expand-variant-set", "config.porch.kpt.dev/v1alpha1", "Repository", nil, nil},
		{"expand-variant-set", "porch.kpt.dev/v1alpha1", "PackageRevision", nil, nil},
	}
	for kind, spec := range policy.Kinds() {
		if kind != "ImplementationSelection" { // which is written, and not read
			filled := functiontest.Sample(reflect.TypeOf(spec).Elem()).(map[string]any)
			if _, ok := filled["requires"]; ok {
				filled["requires"] = map[string]any{"any": functiontest.Sample(reflect.TypeFor[manifest.PrefixRequirements]())} // by prefix
			}
			all = append(all, read{"select-implementations", manifest.GroupVersion, kind, filled, nil})
		}
	}
	for _, one := range all {
		f := functions[one.function]
		try := func(r map[string]any, name, slip string) {
			s.Helper()
			if one.config != nil && r["kind"] == one.kind && r["apiVersion"] == one.apiVersion {
				s.run(f, one.config(r), nil, name, slip)
				return
			}
			s.run(f, nil, []any{r}, name, slip)
		}
		group, version, _ := strings.Cut(one.apiVersion, "/")
		for _, slip := range functiontest.Misspellings(one.kind) {
			if strings.EqualFold(slip, "constraint") {
				continue // which the proposal has, too
			}
			try(resource(one.apiVersion, slip, map[string]any{"spec": one.spec}), one.kind, slip)
		}
		for _, slip := range functiontest.Misspellings(group) {
			try(resource(slip+"/"+version, one.kind, map[string]any{"spec": one.spec}), group, slip)
		}
		functiontest.Renamed(one.spec, func(changed any, name, slip string) {
			if name != "any" {
				try(resource(one.apiVersion, one.kind, map[string]any{"spec": changed}), name, slip)
			}
		})
	}
	if t.Logf("%d slips", s.count); s.count < 500 {
		t.Errorf("only %d slips were tried", s.count)
	}
}
