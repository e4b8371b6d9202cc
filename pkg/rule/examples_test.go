package rule_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
)

// resource makes the pack of a name with files.
func resource(name string, files map[string]string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n")
	for _, file := range []string{"pack.json", "values.yaml", "schema.yaml"} {
		if text := files[file]; text != "" {
			b.WriteString("  " + file + ": |\n    " + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n    ") + "\n")
		}
	}
	return b.String()
}

// listOf is a list with the resources of a text. The functionConfig of a function may be
// among them.
func listOf(t *testing.T, name, text string) *list.List {
	t.Helper()
	l := &list.List{}
	for _, item := range list.FileItems([]byte(text), "packs.yaml") {
		// The functionConfig of inject-config may be the PackageVariant itself.
		if !item.Is(function.ConfigGroupVersion, functionOf(name).Kind) && item.Kind() != "PackageVariant" {
			l.Items = append(l.Items, item)
			continue
		}
		config, err := item.Document()
		if err != nil {
			t.Fatal(err)
		}
		l.SetConfig(config.Root())
	}
	return l
}

func functionOf(name string) function.Function {
	all := suite.All()
	return all[slices.IndexFunc(all, func(f function.Function) bool { return f.Name == name })]
}

// rulesOf are the rules that a function reports about a list, which it changes.
func rulesOf(t *testing.T, name string, l *list.List) []string {
	t.Helper()
	var rules []string
	for _, f := range function.Evaluate(functionOf(name), l).Findings {
		rules = append(rules, f.Rule.ID)
	}
	return rules
}

// found are the rules that a function reports about resources.
func found(t *testing.T, name string, resources ...string) []string {
	t.Helper()
	return rulesOf(t, name, listOf(t, name, strings.Join(resources, "---\n")))
}

const (
	values       = "values.yaml"
	schema       = "schema.yaml"
	dependencies = "pack.json"
)

// fileExamples are the examples that are part of a file of a pack.
var fileExamples = map[string]struct {
	function, file string
	// old becomes fixed in the example.
	old, fixed string
}{
	"values/format":            {"validate-pack-values", values, "70000", "5001"},
	"values/required":          {"validate-pack-values", values, `""`, "a.example.com"},
	"values/deferred":          {"validate-pack-values", values, "{{ .spectro.var.HOST }}", "a.example.com"},
	"values/duplicate-key":     {"validate-pack-values", values, "\nport: 5001", ""},
	"values/invalid-yaml":      {"validate-pack-values", values, "{{ .spectro.var.HOST }}", "'{{ .spectro.var.HOST }}'"},
	"values/key-not-in-values": {"validate-pack-values", schema, "registry.prot", "registry.port"},
	"values/unknown-format":    {"validate-pack-values", schema, "${input}", "${string}"},
	"schema/invalid":           {"validate-pack-values", schema, "requird", "required"},
	"macro/cycle":              {"resolve-macros", values, "'{{ .spectro.pack.vault.b }}'", "5"},
	"macro/empty":              {"resolve-macros", values, ".spectro.pack.ingress.hots", ".spectro.pack.ingress.host"},
	"macro/forbidden-function": {"resolve-macros", values, " uuidv4", ` "5"`},
	"macro/invalid":            {"resolve-macros", values, "uper", "upper"},
	"macro/suspicious":         {"resolve-macros", values, ".Spectro", ".spectro"},
	"macro/unknown":            {"resolve-macros", values, "cluster.nam ", "cluster.name "},
	"macro/unset":              {"resolve-macros", values, ".spectro.var.API_KEY", `.spectro.var.API_KEY | default "a"`},
	"dependency/above-max":     {"check-dependencies", dependencies, "1.30", "1.31.x"},
	"dependency/invalid":       {"check-dependencies", dependencies, "1.x", "1.28"},
	"dependency/missing":       {"check-dependencies", dependencies, "cert-manager", "nginx"},
	"dependency/near-name":     {"check-dependencies", dependencies, "kuberntes", "kubernetes"},
	"dependency/not-supported": {"check-dependencies", dependencies, `"nginx"`, `"other"`},
	"dependency/untyped":       {"check-dependencies", dependencies, `"1.28"`, `"1.28", "type": "required"`},
}

// Examples that are part of a pack's file break their rule, and no longer do when they
// are corrected as the example says.
func TestExamples(t *testing.T) {
	const rules = "port:\n  schema: '{{ format \"${number:[5000-5005]}\" }}'\nhostname:\n  schema: '{{ required | format \"${string}\" }}'\n"
	comment := regexp.MustCompile(`\s+//.*`)
	for id, tc := range fileExamples {
		example := rule.Of(id)
		if !strings.Contains(example.Breaks, tc.old) {
			t.Errorf("%s: %q is not in the example %q", id, tc.old, example.Breaks)
			continue
		}
		run := func(text string) []string {
			files := map[string]string{"pack.json": `{"name": "vault", "version": "1.0.0", "layer": "addon"}`, values: "hostname: a.example.com\nregistry: {port: 5000}\nhost: a\n"}
			switch tc.file {
			case dependencies:
				files[dependencies] = `{"name": "vault", "version": "1.0.0", "layer": "addon", "constraints": {"dependencies": [` + comment.ReplaceAllString(strings.TrimSpace(text), "") + "]}}"
			case values:
				files[values] = text + "\n"
				if !strings.Contains(text, "hostname") {
					files[values] += "hostname: a.example.com\n"
				}
				files[schema] = rules
			default:
				files[tc.file] = text
			}
			cluster := "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: c\nspec:\n  system:\n    cluster: {name: c}\n"
			return found(t, tc.function, resource("vault", files), cluster,
				resource("kubernetes", map[string]string{"pack.json": `{"name": "kubernetes", "version": "1.31.2", "layer": "k8s"}`}),
				resource("ingress", map[string]string{"pack.json": `{"name": "ingress", "version": "1.0.0"}`, values: "host: a\n"}),
				resource("nginx", map[string]string{"pack.json": `{"name": "nginx", "version": "1.2.0"}`}))
		}
		if got := run(example.Breaks); !slices.Contains(got, id) {
			t.Errorf("%s: the example has %v", id, got)
		}
		if got := run(strings.Replace(example.Breaks, tc.old, tc.fixed, 1)); slices.Contains(got, id) {
			t.Errorf("%s: the corrected example has %v", id, got)
		}
	}
}
