package macro

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function"
)

// evaluate runs resolve-macros over items and returns the output's items and the
// results, a line for each.
func evaluate(t *testing.T, config string, items ...string) (output string, results []string) {
	t.Helper()
	var in strings.Builder
	in.WriteString("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n")
	for _, item := range items {
		in.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(item), "\n", "\n  ") + "\n")
	}
	if config != "" {
		in.WriteString("functionConfig:\n  " + strings.ReplaceAll(strings.TrimSpace(config), "\n", "\n  ") + "\n")
	}
	list, err := function.Read([]byte(strings.ReplaceAll(in.String(), "  \n", "\n")))
	if err != nil {
		t.Fatal(err)
	}
	outcome := function.Evaluate(Function(), list)
	var out bytes.Buffer
	if err := list.Write(&out, nil); err != nil {
		t.Fatal(err)
	}
	for _, r := range outcome.Results {
		line := string(r.Severity) + " "
		if r.ResourceRef != nil {
			line += r.ResourceRef.Name + " "
		}
		if r.Field != nil {
			line += r.Field.Path + " "
		}
		results = append(results, line+r.Message)
	}
	return out.String(), results
}

const typedConfig = `
apiVersion: fn.kpt.dev/v1alpha1
kind: ResolveMacros
metadata: {name: resolve}
spec:
`

func packOf(name, values string) string {
	return "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: " + name + "\ndata:\n  pack.json: '{\"name\": \"" + name + "\"}'\n  values.yaml: |\n    " +
		strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ")
}

func typedPack(name, values string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + "}\nspec:\n  values:\n    " + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ")
}

func override(name, pack, values string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: " + name + "}\nspec:\n  packRef: {name: " + pack + "}\n  values: |\n    " + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n    ")
}

const cluster = `
apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: one}
spec:
  system: {cluster: {name: c1}, kubernetes.version: 1.30}
  variables: {TOKEN: t0, SHARED: cluster}
  macros: {proxy: http://p}`

func TestFunction(t *testing.T) {
	for _, tc := range []struct {
		name, config string
		items        []string
		has          []string // texts of the output
		results      []string
	}{
		{"a pack of files", "", []string{cluster, packOf("a", "# {{ .spectro.var.TOKEN }}\nx: {y: '{{ .spectro.system.cluster.name }}'} # c\nv: \"{{ .spectro.system.kubernetes.version }}\"")},
			[]string{"    # {{ .spectro.var.TOKEN }}\n      x: {y: 'c1'} # c\n      v: \"1.30\"\n"}, nil},
		{"a typed pack", "", []string{cluster, typedPack("a", "x: '{{ .spectro.var.TOKEN }}' # c\ny: [\"{{ .spectro.macro.proxy }}\"]")},
			[]string{"x: 't0' # c\n      y: [\"http://p\"]"}, nil},
		{"every layer", "", []string{cluster, packOf("a", "x: \"{{ .spectro.var.TOKEN }}\""), override("o", "a", "x: '{{ .spectro.system.cluster.name }}'")},
			[]string{`x: "t0"`, `x: 'c1'`}, nil},
		{"effective values of others", "", []string{packOf("a", "x: 1"), override("o", "a", "x: 2"), packOf("b", "y: '{{ .spectro.pack.a.x }}'")},
			[]string{"y: '2'"}, nil},
		{"two packs share an override", "", []string{cluster, packOf("a", "x: 1"), strings.Replace(packOf("a", "x: 1"), "  name: a\n", "  name: again\n", 1), override("o", "a", "x: '{{ .spectro.var.TOKEN }}'")},
			[]string{"x: 't0'"}, nil},
		{"the configuration wins", typedConfig + "  variables: {SHARED: config, N: 1.30}\n  system: {cluster: {name: c2}}", []string{cluster, packOf("a", "x: '{{ .spectro.var.SHARED }} {{ .spectro.system.cluster.name }} {{ .spectro.var.N }} {{ .spectro.var.TOKEN }}'")},
			[]string{"x: 'config c2 1.30 t0'"}, nil},
		{"a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {system.cluster.name: c3, variables.A.B: 'a,b=c', macros.m: mm}", []string{packOf("a", "x: '{{ .spectro.system.cluster.name }} {{ .spectro.var.A.B }} {{ .spectro.macro.m }}'")},
			[]string{"x: 'c3 a,b=c mm'"}, nil},
		{"chosen packs", typedConfig + "  packs: [b]", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")},
			[]string{"x: '{{ .spectro.var.TOKEN }}'", "x: 't0'"}, nil},
		{"a pack that is not there", typedConfig + "  packs: [bb]", []string{packOf("bbb", "x: 1")}, nil,
			[]string{`error resolve spec.packs[0] spec.packs[0]: no pack is named "bb" (did you mean "bbb"?); if the pack is in the package, a selector of the function may hide it [config/invalid]`}},
		{"keep", typedConfig + "  missing: keep", []string{packOf("a", "x: '{{ .spectro.var.NONE }}'")},
			[]string{"x: '{{ .spectro.var.NONE }}'"}, nil},
		{"missing in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {missing: eror}", []string{packOf("a", "x: 1")}, nil,
			[]string{`error c data.missing data.missing: got "eror", want empty, error or keep (did you mean "error"?) [config/invalid]`}},
		{"error", typedConfig + "  missing: error", []string{packOf("a", "x: '{{ .spectro.pack.a.none }}'")}, []string{"{{ .spectro.pack.a.none }}"},
			[]string{`error a data[values.yaml] x: .spectro.pack.a.none is not defined in the values of pack a: supply it, or append a default, as in | default "x" (values.yaml line 1) [macro/unset]`}},
		{"explain", typedConfig + "  explain: true", []string{packOf("a", "x: '{{ .spectro.pack.a.none | default \"d\" }}'\ny: \"{{ .spectro.pack.a.none }}\"")}, []string{"x: 'd'\n      y: \"\""},
			[]string{
				"info a data[values.yaml] x: .spectro.pack.a.none is undefined and takes its default (values.yaml line 1) [macro/defaulted]",
				"info a data[values.yaml] y: .spectro.pack.a.none is undefined and is resolved to the empty string (values.yaml line 2) [macro/defaulted]",
			}},
		{"one error, nothing written", "", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.sytem.x }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"},
			[]string{`error a data[values.yaml] y: .spectro.sytem.x is not known (did you mean "system"?): want .spectro.system.X, .spectro.pack.NAME.PATH, .spectro.var.X or .spectro.macro.X (values.yaml line 2) [macro/unknown]`}},
		{"a fault that others read is told once", typedConfig + "  resources: [{kind: Pod}]", []string{
			packOf("a", "x: '{{ .spectro.var.NONE }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'"),
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {x: '{{ .spectro.pack.b.x }}'}",
		}, nil, []string{"error a data[values.yaml] x: .spectro.var.NONE is not supplied"}},
		{"a fault of a pack that is not chosen", typedConfig + "  packs: [b]", []string{packOf("a", "x: '{{ .spectro.var.NONE }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")}, nil,
			[]string{"error b data[values.yaml] x: "}},
		{"a macro that does not end", "", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }} {{ .spectro.var.SHARED }'")}, nil,
			[]string{"error a data[values.yaml] x: the macro does not end: close it with }} (values.yaml line 1) [macro/invalid]"}},
		{"resources that choose nothing", typedConfig + "  resources: [{kind: Podd}]", []string{packOf("a", "x: 1")}, nil,
			[]string{"info spec.resources[0]: no resource is chosen by kind=Podd; a selector of the function may hide it [nothing-to-do]"}},
		{"options of a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {variable.A: x, system: x}", []string{packOf("a", "x: 1")}, nil, []string{
			"error c data.system data.system: unknown option; a ConfigMap takes severity, packs, clusterContext, missing, explain, system.NAME, variables.NAME or macros.NAME [config/invalid]",
			"error c data.variable.A data.variable.A: unknown option; a ConfigMap takes severity, packs, clusterContext, missing, explain, system.NAME, variables.NAME or macros.NAME (did you mean \"variables.A\"?) [config/invalid]",
		}},
		{"resources", typedConfig + "  resources: [{kind: Pod, labelSelector: a=b}]", []string{
			cluster,
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {a: b}}\nspec: {x: '{{ .spectro.var.TOKEN }}'} # {{ .spectro.var.TOKEN }}",
			"apiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec: {x: '{{ .spectro.var.TOKEN }}'}",
		}, []string{"spec: {x: 't0'} # {{ .spectro.var.TOKEN }}", "spec: {x: '{{ .spectro.var.TOKEN }}'}"}, nil},
		{"packs and facts are no resources", typedConfig + "  resources: [{labelSelector: ''}]\n  packs: [b]", []string{strings.Replace(cluster, "t0", "'{{ .spectro.x }}'", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'"), packOf("b", "x: 1")},
			[]string{"TOKEN: '{{ .spectro.x }}'", "x: '{{ .spectro.system.cluster.name }}'"}, nil},
		{"what stands for an object in a cluster is no resource", typedConfig + "  resources: [{kind: Pod}]", []string{"apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {packs.kpt.dev/source: cluster}}\nspec:\n  x: '{{ .spectro.var.A }}'"}, nil, []string{
			"info spec.resources[0]: no resource is chosen by kind=Pod; a selector of the function may hide it [nothing-to-do]",
			"info the list holds no packs and no resources that are chosen; a selector of the function may hide them [nothing-to-do]",
		}},
		{"a fault in a resource", typedConfig + "  resources: [{kind: Pod}]", []string{"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  x: '{{ .spectro.var.A }}'"}, nil,
			[]string{`error p spec.x spec.x: .spectro.var.A is not supplied, nor is any other variable: supply variables.A in a ClusterContext or in the functionConfig, or append a default, as in | default "x" (Pod p) [macro/unset]`}},
		{"system names that do not exist", typedConfig + "  system: {cluster: {nmae: x}}", []string{strings.Replace(cluster, "cluster: {name: c1}", "clutser: {name: c1}", 1), packOf("a", "x: 1")}, nil, []string{
			"config", "input",
		}},
		{"several ClusterContexts", "", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.system.cluster.name | default \"d\" }}'")}, nil,
			[]string{"error spec.clusterContext the list holds 2 ClusterContexts (one, two); name the one that counts in spec.clusterContext"}},
		{"several ClusterContexts: what is not supplied may be in one of them", "", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'\ny: '{{ .spectro.var.TOKEN }} {{ .spectro.macro.proxy }}'")}, nil,
			[]string{"error spec.clusterContext the list holds 2 ClusterContexts (one, two); name the one that counts in spec.clusterContext"}},
		{"a ClusterContext that is not there", typedConfig + "  clusterContext: ona", []string{cluster, packOf("a", "x: '{{ .spectro.system.cluster.name }}'")}, nil,
			[]string{"error resolve spec.clusterContext spec.clusterContext: no ClusterContext is named \"ona\" (did you mean \"one\"?)"}},
		{"several ClusterContexts, and names of packs", typedConfig + "  missing: error", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.pack.a.z }}'\ny: '{{ .spectro.system.nmae }}'")}, nil,
			[]string{"config", "error a data[values.yaml] x: .spectro.pack.a.z is not defined", "error a data[values.yaml] y: .spectro.system.nmae is no system name"}},
		{"a ClusterContext with an unknown field", "", []string{strings.Replace(cluster, "macros:", "makros:", 1) + "\n  x: 1", packOf("a", "x: '{{ .spectro.system.cluster.name }} {{ .spectro.macro.proxy }}'\ny: '{{ .spectro.system.cluster.nmae }}'")}, nil, []string{
			"error one spec.makros spec.makros: unknown field", "error one spec.x spec.x: unknown field",
			"error a data[values.yaml] y: .spectro.system.cluster.nmae is no system name (did you mean \"cluster.name\"?) (values.yaml line 2) [macro/unknown]",
		}},
		{"a ClusterContext with an unknown field and unknown names", "", []string{strings.Replace(strings.Replace(cluster, "macros:", "makros:", 1), "c1}", "c1, availabilityZone: a}, zzzzzzzzz: b", 1), packOf("a", "x: 1")}, nil, []string{
			"error one spec.makros spec.makros: unknown field",
			"error one spec.system.cluster.availabilityZone spec.system.cluster.availabilityZone: is no system name: known of cluster are cluster.name, cluster.uid, cluster.kubevip [input/invalid]",
			"error one spec.system.zzzzzzzzz spec.system.zzzzzzzzz: is no system name: want one of user.name, user.uid, user.email, ",
		}},
		{"names that no macro can name", typedConfig + "  variables: {a b: x, ok.a-b_1: x, a..b: x, '': x}\n  macros: {a/b: x, é: x}", []string{
			strings.Replace(cluster, "TOKEN: t0", "a b: x, .a: x, a.: x, '{{ a }}': x", 1), packOf("a", "x: '{{ .spectro.var.ok.a-b_1 }} {{ .spectro.macro.é }}'"),
		}, nil, []string{
			"error resolve spec.macros.a/b spec.macros.a/b: no macro can name it, since .spectro.macro. takes letters, digits, _ and -, with single dots between them; give it another name [config/invalid]",
			"error resolve spec.variables. ", "error resolve spec.variables.a b ", "error resolve spec.variables.a..b ",
			"error one spec.variables..a spec.variables..a: no macro can name it, since .spectro.var. takes letters, digits, _ and -, with single dots between them; give it another name [input/invalid]",
			"error one spec.variables.a b ", "error one spec.variables.a. ", "error one spec.variables.{{ a }} ",
		}},
		{"a name that no macro can name in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {variables.a b: x}", []string{packOf("a", "x: 1")}, nil, []string{"error c data.variables.a b data.variables.a b: no macro can name it, "}},
		{"an error that is told as a warning keeps the run from writing", typedConfig + "  severity: {macro/unset: warning}", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.var.NONE }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"},
			[]string{"warning a data[values.yaml] y: .spectro.var.NONE is not supplied"}},
		{"an error that is suppressed keeps the run from writing", typedConfig + "  severity: {macro/unset: 'off'}", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.var.NONE }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"}, nil},
		{"the one that is named", typedConfig + "  clusterContext: two", []string{cluster, strings.Replace(strings.Replace(cluster, "name: one", "name: two", 1), "c1", "c2", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'")},
			[]string{"x: 'c2'"}, nil},
		{"a macro without quotes", "", []string{cluster, packOf("a", "x: 1\ny: {{ .spectro.var.TOKEN }}")}, nil,
			[]string{"error a data[values.yaml] values.yaml: can not be read as values: line 2, column 4: the value starts with {{ and is not quoted: put quotes around it [macro/invalid]"}},
		{"nothing to do", "", []string{cluster}, nil, []string{"info the list holds no packs"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			output, results := evaluate(t, tc.config, tc.items...)
			for _, text := range tc.has {
				if !strings.Contains(output, text) {
					t.Errorf("the output lacks %q:\n%s", text, output)
				}
			}
			for i, want := range tc.results {
				// A result of a word names a rule's group, else its beginning.
				if i < len(results) && (strings.HasPrefix(results[i], want) || strings.Contains(results[i], "["+want+"/")) {
					continue
				}
				t.Errorf("results -want +got:\n%s", cmp.Diff(tc.results, results))
				break
			}
			if len(results) != len(tc.results) {
				t.Errorf("results -want +got:\n%s", cmp.Diff(tc.results, results))
			}
			// A second run has nothing left to change.
			if len(results) == 0 {
				list, err := function.Read([]byte(output))
				if err != nil {
					t.Fatal(err)
				}
				function.Evaluate(Function(), list)
				var again bytes.Buffer
				if err := list.Write(&again, nil); err != nil || again.String() != output {
					t.Errorf("the second run gives\n%s%v", again.String(), err)
				}
			}
		})
	}
}
