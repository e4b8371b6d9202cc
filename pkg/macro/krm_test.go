package macro

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "macro")) }

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
	var large strings.Builder
	for i := range 34 { // 34 MB, above the limit of a document
		fmt.Fprintf(&large, "k%d: '{{ repeat 500000 .spectro.var.TOKEN }}'\n", i)
	}
	for _, tc := range []struct {
		name, config string
		items        []string
		has          []string // texts of the output
		results      []string // facts
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
		{"text that is not UTF-8, all at once", typedConfig + "  variables: {X: Grüße}", []string{packOf("a", "x: '{{ .spectro.var.X | trunc 3 }}'\ny: '{{ .spectro.var.X | trunc 3 | b64enc }}'\nz: '{{ .spectro.var.X | trunc 3 }}'")}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] key=x at=1:25 pack=a macro=trunc`,
				`error macro/invalid ConfigMap/a data[values.yaml] key=z at=3:25 pack=a macro=trunc`,
			}},
		{"chosen packs", typedConfig + "  packs: [b]", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")},
			[]string{"x: '{{ .spectro.var.TOKEN }}'", "x: 't0'"}, nil},
		{"a pack that does not exist", typedConfig + "  packs: [bb]", []string{packOf("bbb", "x: 1")}, nil,
			[]string{
				`error config/invalid ResolveMacros/resolve spec.packs[0] no="pack named \"bb\"" want=bbb near=bbb`,
			}},
		{"keep", typedConfig + "  missing: keep", []string{packOf("a", "x: '{{ .spectro.var.NONE }}'")},
			[]string{"x: '{{ .spectro.var.NONE }}'"}, nil},
		{"missing in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {missing: eror}", []string{packOf("a", "x: 1")}, nil,
			[]string{
				`error config/invalid ConfigMap/c data.missing got="\"eror\"" want="empty, error or keep" near=error`,
			}},
		{"error", typedConfig + "  missing: error", []string{packOf("a", "x: '{{ .spectro.pack.a.none }}'")}, []string{"{{ .spectro.pack.a.none }}"},
			[]string{
				`error macro/unset ConfigMap/a data[values.yaml] key=x at=1:8 pack=a macro=.spectro.pack.a.none`,
			}},
		{"explain", typedConfig + "  explain: true", []string{packOf("a", "x: '{{ .spectro.pack.a.none | default \"d\" }}'\ny: \"{{ .spectro.pack.a.none }}\"")}, []string{"x: 'd'\n      y: \"\""},
			[]string{
				`info macro/defaulted ConfigMap/a data[values.yaml] key=x at=1:8 pack=a macro=.spectro.pack.a.none`,
				`warning macro/empty ConfigMap/a data[values.yaml] key=y at=2:8 pack=a macro=.spectro.pack.a.none`,
			}},
		{"a key twice", "", []string{cluster, packOf("a", "x: '{{ .spectro.pack.a.y }}'\ny: 1\ny: 2")}, []string{"x: '{{ .spectro.pack.a.y }}'"},
			[]string{
				`error values/duplicate-key ConfigMap/a data[values.yaml] key=y at=3:1 duplicate-of=2:1 pack=a`,
			}},
		{"a warning, and written", "", []string{cluster, packOf("a", "x: '{{ .spectro.pack.a.nane }}'\ny: '{{ .Spectro.var.TOKEN }}'\nname: n")}, []string{"x: ''\n      y: '{{ .Spectro.var.TOKEN }}'"},
			[]string{
				`warning macro/empty ConfigMap/a data[values.yaml] key=x at=1:8 near=name pack=a macro=.spectro.pack.a.nane`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:8 near=.spectro.var.TOKEN pack=a macro=.spectro.var.TOKEN`,
			}},
		{"a macro in a key", "", []string{cluster, packOf("a", "x:\n  '{{ .spectro.var.TOKEN }}': '{{ .spectro.var.TOKEN }}'\n  '{{ .Values.x }}': 1")}, []string{"'{{ .spectro.var.TOKEN }}': 't0'"},
			[]string{"warning macro/suspicious ConfigMap/a data[values.yaml] key=\"x.{{ .spectro.var.TOKEN }}\" at=2:3 pack=a"}},
		{"a misspelt or missing spectro", "", []string{cluster, packOf("a", "x: '{{ .sepctro.var.TOKEN }}'\ny: '{{ .system.cluster.name }} {{ .var.TOKEN }} {{ .pack.a.x }}'\nz: '{{ .Values.var.TOKEN }} {{ .spec.var.TOKEN }} {{ .system.name }} {{ .var.NONE }} {{ .pack.b.x }} {{ var.TOKEN }}'")}, nil,
			[]string{
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=x at=1:8 near=.spectro.var.TOKEN pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:8 near=.spectro.system.cluster.name pack=a macro=.spectro.system.cluster.name`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:35 near=.spectro.var.TOKEN pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:52 near=.spectro.pack.a.x pack=a macro=.spectro.pack.a.x`,
			}},
		{"other brackets", "", []string{cluster, packOf("a", "b: '${spectro.var.TOKEN}'\nc: '$( .spectro.var.TOKEN )'\nd: '[[ .spectro.var.TOKEN ]]'\ne: '<<spectro.var.TOKEN>>'\nf: '{%- spectro.var.TOKEN %}'\n"+
			"z: '(spectro.var.TOKEN) [spectro.var.TOKEN] ${spectro.var.NONE} spectro.var.TOKEN ${Values.spectro.var.TOKEN}'")}, nil,
			[]string{
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=b at=1:4 pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=c at=2:4 pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=d at=3:4 pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=e at=4:4 pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=f at=5:4 pack=a macro=.spectro.var.TOKEN`,
			}},
		{"one brace", "", []string{cluster, packOf("a", "x: 'a { .spectro.var.TOKEN }'\ny: '{.spectro.pack.a.name | upper}'\nz: '{ .spectro.var.NONE } ${ .spectro } { {{ .spectro.pack.a.name }} }'\nname: n")}, []string{"x: 'a { .spectro.var.TOKEN }'\n      y: '{.spectro.pack.a.name | upper}'"},
			[]string{
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=x at=1:4 pack=a macro=.spectro.var.TOKEN`,
				`warning macro/suspicious ConfigMap/a data[values.yaml] key=y at=2:4 pack=a macro=.spectro.pack.a.name`,
			}},
		{"one error, nothing written", "", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.sytem.x }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"},
			[]string{
				`error macro/unknown ConfigMap/a data[values.yaml] key=y at=2:8 unknown="kind of macro \"sytem\"" want="system, pack, var or macro" near=system pack=a macro=.spectro.sytem.x`,
			}},
		{"a fault that others read is reported once", typedConfig + "  resources: [{kind: Pod}]", []string{
			packOf("a", "x: '{{ .spectro.var.NONE }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'"),
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {x: '{{ .spectro.pack.b.x }}'}",
		}, nil, []string{
			`error macro/unset ConfigMap/a data[values.yaml] key=x at=1:8 no="variable named \"NONE\"" pack=a macro=.spectro.var.NONE`,
		}},
		{"a fault of a pack that is not chosen", typedConfig + "  packs: [b]", []string{packOf("a", "x: '{{ .spectro.var.NONE }}'"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")}, nil,
			[]string{
				`error macro/unset ConfigMap/b data[values.yaml] key=x at=1:8 no="variable named \"NONE\" (in the value a.x)" pack=b macro=.spectro.pack.a.x`,
			}},
		{"a macro that does not end", "", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }} {{ .spectro.var.SHARED }'")}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] key=x at=1:30 pack=a`,
			}},
		{"resources that choose nothing", typedConfig + "  resources: [{kind: Podd}]", []string{packOf("a", "x: 1")}, nil,
			[]string{
				`info nothing-to-do ResolveMacros/resolve spec.resources[0]`,
			}},
		{"options of a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {variable.A: x, system: x}", []string{packOf("a", "x: 1")}, nil, []string{
			`error config/invalid ConfigMap/c data.system unknown="option \"system\"" want="severity, packs, clusterContext, missing, explain, system.NAME, variables.NAME or macros.NAME"`,
			`error config/invalid ConfigMap/c data.variable.A unknown="option \"variable.A\"" want="severity, packs, clusterContext, missing, explain, system.NAME, variables.NAME or macros.NAME" near=variables.A`,
		}},
		{"resources", typedConfig + "  resources: [{kind: Pod, labelSelector: a=b}]", []string{
			cluster,
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {a: b}}\nspec: {x: '{{ .spectro.var.TOKEN }}'} # {{ .spectro.var.TOKEN }}",
			"apiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec: {x: '{{ .spectro.var.TOKEN }}'}",
		}, []string{"spec: {x: 't0'} # {{ .spectro.var.TOKEN }}", "spec: {x: '{{ .spectro.var.TOKEN }}'}"}, []string{"warning macro/suspicious Pod/q spec.x"}},
		{"macros in other resources", "", []string{
			cluster, packOf("a", "x: 1"),
			"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {x: '{{ .Values.x }}', y: [1, 'a {{ .spectro.var.TOKEN }}'], '{{ .spectro.x }}': 1}",
			"apiVersion: v1\nkind: Pod\nmetadata: {name: q, annotations: {config.kubernetes.io/local-config: 'true'}}\nspec: {x: '{{ .spectro.var.TOKEN }}'}",
			"apiVersion: v1\nkind: Pod\nspec: {x: '{{ .spectro.var.TOKEN }}'}",
			"apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: q}\nspec: {x: '{{ .spectro.var.TOKEN }}'}",
		}, []string{"y: [1, 'a {{ .spectro.var.TOKEN }}']"}, []string{"warning macro/suspicious Pod/p spec.y[1]"}},
		{"packs and facts are not resources", typedConfig + "  resources: [{labelSelector: ''}]\n  packs: [b]", []string{strings.Replace(cluster, "t0", "'{{ .spectro.x }}'", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'"), packOf("b", "x: 1")},
			[]string{"TOKEN: '{{ .spectro.x }}'", "x: '{{ .spectro.system.cluster.name }}'"}, nil},
		{"an object in a cluster is not a resource", typedConfig + "  resources: [{kind: Pod}]", []string{"apiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {packs.kpt.dev/source: cluster}}\nspec:\n  x: '{{ .spectro.var.A }}'"}, nil, []string{
			`info nothing-to-do`,
			`info nothing-to-do ResolveMacros/resolve spec.resources[0]`,
		}},
		{"a fault in a resource", typedConfig + "  resources: [{kind: Pod}]", []string{"apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  x: '{{ .spectro.var.A }}'"}, nil,
			[]string{
				`error macro/unset Pod/p spec.x no="variable named \"A\"" macro=.spectro.var.A`,
			}},
		{"system names that do not exist", typedConfig + "  system: {cluster: {nmae: x}}", []string{strings.Replace(cluster, "cluster: {name: c1}", "clutser: {name: c1}", 1), packOf("a", "x: 1")}, nil, []string{
			`error config/invalid ResolveMacros/resolve spec.system.cluster.nmae unknown="system name \"cluster.nmae\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name`,
			`error input/invalid ClusterContext/one spec.system.clutser.name unknown="system name \"clutser.name\"" want="cluster.name, user.name, clusterprofile.name, cluster.uid, cloudaccount.name and 19 more" near=cluster.name`,
		}},
		{"several ClusterContexts", "", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.system.cluster.name | default \"d\" }}'")}, nil,
			[]string{
				`error config/invalid spec.clusterContext`,
			}},
		{"several ClusterContexts: names that are not supplied may be in one of them", "", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'\ny: '{{ .spectro.var.TOKEN }} {{ .spectro.macro.proxy }}'")}, nil,
			[]string{
				`error config/invalid spec.clusterContext`,
			}},
		{"a ClusterContext that does not exist", typedConfig + "  clusterContext: ona", []string{cluster, packOf("a", "x: '{{ .spectro.system.cluster.name }}'")}, nil,
			[]string{
				`error config/invalid ResolveMacros/resolve spec.clusterContext no="ClusterContext named \"ona\"" want=one near=one`,
			}},
		{"several ClusterContexts, and names of packs", typedConfig + "  missing: error", []string{cluster, strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.pack.a.z }}'\ny: '{{ .spectro.system.nmae }}'")}, nil,
			[]string{
				`error config/invalid ResolveMacros/resolve spec.clusterContext`,
				`error macro/unset ConfigMap/a data[values.yaml] key=x at=1:8 pack=a macro=.spectro.pack.a.z`,
				`error macro/unknown ConfigMap/a data[values.yaml] key=y at=2:8 unknown="system name \"nmae\"" want="user.name, user.email, cloudaccount.name, project.name, cluster.name and 19 more" pack=a macro=.spectro.system.nmae`,
			}},
		{"a ClusterContext with an unknown field", "", []string{strings.Replace(cluster, "macros:", "makros:", 1) + "\n  x: 1", packOf("a", "x: '{{ .spectro.system.cluster.name }} {{ .spectro.macro.proxy }}'\ny: '{{ .spectro.system.cluster.nmae }}'")}, nil, []string{
			`error input/invalid ClusterContext/one spec.makros unknown="field \"makros\"" want="system, variables, macros, properties, constraints, machinePools or instanceTypes" near=macros`,
			`error input/invalid ClusterContext/one spec.x unknown="field \"x\"" want="system, variables, macros, properties, constraints, machinePools or instanceTypes"`,
			`error macro/unknown ConfigMap/a data[values.yaml] key=y at=2:8 unknown="system name \"cluster.nmae\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name pack=a macro=.spectro.system.cluster.nmae`,
		}},
		{"a ClusterContext with an unknown field and unknown names", "", []string{strings.Replace(strings.Replace(cluster, "macros:", "makros:", 1), "c1}", "c1, availabilityZone: a}, zzzzzzzzz: b", 1), packOf("a", "x: 1")}, nil, []string{
			`error input/invalid ClusterContext/one spec.system.cluster.availabilityZone unknown="system name \"cluster.availabilityZone\"" want="cluster.name, cluster.uid or cluster.kubevip"`,
			`error input/invalid ClusterContext/one spec.system.zzzzzzzzz unknown="system name \"zzzzzzzzz\"" want="user.name, user.uid, user.email, tenant.uid, project.name and 19 more"`,
			`error input/invalid ClusterContext/one spec.makros unknown="field \"makros\"" want="system, variables, macros, properties, constraints, machinePools or instanceTypes" near=macros`,
		}},
		{"names that no macro can read", typedConfig + "  variables: {a b: x, ok.a-b_1: x, a..b: x, '': x}\n  macros: {a/b: x, é: x}", []string{
			strings.Replace(cluster, "TOKEN: t0", "a b: x, .a: x, a.: x, '{{ a }}': x", 1), packOf("a", "x: '{{ .spectro.var.ok.a-b_1 }} {{ .spectro.macro.é }}'"),
		}, nil, []string{
			`error config/invalid ResolveMacros/resolve spec.macros.a/b`,
			`error config/invalid ResolveMacros/resolve spec.variables.`,
			`error config/invalid ResolveMacros/resolve spec.variables.a b`,
			`error config/invalid ResolveMacros/resolve spec.variables.a..b`,
			`error input/invalid ClusterContext/one spec.variables..a`,
			`error input/invalid ClusterContext/one spec.variables.a b`,
			`error input/invalid ClusterContext/one spec.variables.a.`,
			`error input/invalid ClusterContext/one spec.variables.{{ a }}`,
		}},
		{"a name that no macro can read in a ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {variables.a b: x}", []string{packOf("a", "x: 1")}, nil, []string{
			`error config/invalid ConfigMap/c data.variables.a b`,
		}},
		{"nothing is written with an error that severity lowers", typedConfig + "  severity: {macro/unset: warning}", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.var.NONE }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"},
			[]string{
				`warning macro/unset ConfigMap/a data[values.yaml] key=y at=2:8 no="variable named \"NONE\"" want="SHARED or TOKEN" pack=a macro=.spectro.var.NONE`,
			}},
		{"nothing is written with an error that severity suppresses", typedConfig + "  severity: {macro/unset: 'off'}", []string{cluster, packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.var.NONE }}'")}, []string{"x: '{{ .spectro.var.TOKEN }}'"}, nil},
		{"the ClusterContext that is named", typedConfig + "  clusterContext: two", []string{cluster, strings.Replace(strings.Replace(cluster, "name: one", "name: two", 1), "c1", "c2", 1), packOf("a", "x: '{{ .spectro.system.cluster.name }}'")},
			[]string{"x: 'c2'"}, nil},
		{"a macro without quotes", "", []string{cluster, packOf("a", "x: 1\ny: {{ .spectro.var.TOKEN }}")}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] at=2:4 pack=a`,
			}},
		{"values that cannot be read are reported once", "", []string{packOf("a", "x: {{ .spectro.var.TOKEN }}"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] at=1:4 pack=a`,
			}},
		{"values of a pack that is not chosen cannot be read", typedConfig + "  packs: [b]", []string{packOf("a", "x: {{ .spectro.var.TOKEN }}"), packOf("b", "x: '{{ .spectro.pack.a.x }}'")}, nil,
			[]string{
				`error macro/invalid ConfigMap/b data[values.yaml] key=x at=1:8 pack=b macro=.spectro.pack.a.x`,
			}},
		{"a resource that cannot be read", typedConfig + "  resources: [{kind: Pod}]", []string{"apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec: " + strings.Repeat("[", 1100) + strings.Repeat("]", 1100), packOf("a", "x: 1")}, nil,
			[]string{
				`error input/invalid Pod/p`,
			}},
		{"values that an anchor shares", "", []string{cluster, strings.Replace(packOf("a", "x"), "values.yaml: |\n    x", "values.yaml: &v \"x: '{{ .spectro.var.TOKEN }}'\"\n  other: *v", 1)}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] pack=a`,
			}},
		{"values that become too large", "", []string{cluster, packOf("a", large.String())}, nil,
			[]string{
				`error macro/invalid ConfigMap/a data[values.yaml] pack=a`,
			}},
		{"nothing to do", "", []string{cluster}, nil, []string{
			`info nothing-to-do`,
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			documents := strings.Join(tc.items, "\n---\n")
			findings := functiontest.Run(t, Function(), tc.config, documents).Findings
			if diff := cmp.Diff(tc.results, functiontest.Facts(findings)); diff != "" {
				t.Errorf("findings -want +got:\n%s", diff)
			}
			output, _ := functiontest.Evaluate(t, Function(), functiontest.List(tc.config, documents))
			for _, text := range tc.has {
				if !strings.Contains(output, text) {
					t.Errorf("the output lacks %q:\n%s", text, output)
				}
			}
			if hasError(findings) {
				return
			}
			// A second run changes nothing, results included, except for what cannot be
			// known once it is written.
			again, second := functiontest.Evaluate(t, Function(), output)
			if again != output {
				t.Errorf("the second run returns\n%s", again)
			}
			isGone := func(f diag.Finding) bool { return f.Rule == rule.MacroEmpty || f.Rule == rule.MacroDefaulted }
			if diff := cmp.Diff(functiontest.Facts(slices.DeleteFunc(findings, isGone)), functiontest.Facts(second.Findings)); diff != "" {
				t.Errorf("results of the second run:\n%s", diff)
			}
		})
	}
}

// Which of two values a macro means is unknown. An override of two packs is reported once.
func TestDuplicateKeys(t *testing.T) {
	const documents = `
apiVersion: v1
kind: ConfigMap
metadata: {name: x}
data:
  pack.json: '{"name": "x"}'
  values.yaml: |
    host: a.example.com
    host: b.example.com
    url: "https://{{ .spectro.pack.x.host }}/"
---
apiVersion: v1
kind: ConfigMap
metadata: {name: x2}
data: {pack.json: '{"name": "x"}'}
---
apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: more}
spec: {packRef: {name: x}, values: "a: 1\na: 2"}
`
	got := functiontest.Facts(slices.DeleteFunc(functiontest.Run(t, Function(), "", documents).Findings, func(f diag.Finding) bool { return f.Rule != rule.ValuesDuplicateKey }))
	want := []string{
		"error values/duplicate-key PackValues/more spec.values key=a at=2:1 duplicate-of=1:1 pack=x",
		"error values/duplicate-key ConfigMap/x data[values.yaml] key=host at=2:1 duplicate-of=1:1 pack=x",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
