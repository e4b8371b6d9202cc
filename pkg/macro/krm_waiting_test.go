package macro

import (
	stdcmp "cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/rule"
)

const (
	kptfile  = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\n"
	tried    = kptfile + "status:\n  conditions:\n  - {type: config.injection.ClusterContext.one, status: \"False\", reason: NoResourceSelected}\n"
	injected = kptfile + "status:\n  conditions:\n  - {type: config.injection.ClusterContext.one, status: \"True\", reason: ConfigInjected}\n"
)

// point is a ClusterContext that waits, with some facts.
func point(spec string) string {
	return "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata:\n  name: one\n  annotations:\n    kpt.dev/config-injection: required\n" + spec
}

func TestWaiting(t *testing.T) {
	waits := func(kptfile, spec string, items ...string) []string {
		return append([]string{kptfile, point(spec)}, items...)
	}
	waitingPack := func(name, spec string) string {
		return "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: " + name + ", annotations: {kpt.dev/config-injection: required}}\nspec: " + spec
	}
	const (
		info     = "info macro/waiting ClusterContext/one metadata.annotations[kpt.dev/config-injection]"
		packInfo = "info macro/waiting Pack/b metadata.annotations[kpt.dev/config-injection]"
		unset    = `error macro/unset ConfigMap/a data[values.yaml] key=x at=1:8 no="variable named \"TOKEN\"" pack=a macro=.spectro.var.TOKEN`
	)
	for _, tc := range []struct {
		name, config string
		items        []string
		has          []string // texts of the output
		results      []string // facts
		says         string   // of the info
	}{
		{"absent facts", "", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: \"{{ .spectro.system.cluster.name }}-{{ .spectro.macro.m }}\"")),
			[]string{"x: '{{ .spectro.var.TOKEN }}'\n      y: \"{{ .spectro.system.cluster.name }}-{{ .spectro.macro.m }}\""}, []string{info}, "3 macros stay"},
		{"no spec at all", "", waits(kptfile, "", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "1 macro stays"},
		{"a spec of null", "", waits(kptfile, "spec:", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "1 macro stays"},
		{"defaults wait, too", "", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN | default \"d\" }}'\ny: '{{ coalesce .spectro.var.TOKEN \"c\" }}'\nz: '{{ .spectro.system.cluster.kubevip }}'\nv: '{{ or .spectro.var.TOKEN \"o\" }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN | default \"d\" }}'\n      y: '{{ coalesce .spectro.var.TOKEN \"c\" }}'\n      z: '{{ .spectro.system.cluster.kubevip }}'\n      v: '{{ or .spectro.var.TOKEN \"o\" }}'"}, []string{info}, "4 macros stay"},
		{"missing: error", typedConfig + "  missing: error", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")), []string{"{{ .spectro.var.TOKEN }}"}, []string{info}, ""},
		{"missing: keep", typedConfig + "  missing: keep", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'\ny: '{{ .spectro.pack.none.x }}'")), []string{"{{ .spectro.var.TOKEN }}"}, []string{info}, "2 macros stay"},
		{"facts that are there", "", waits(kptfile, "spec: {variables: {TOKEN: t}}", packOf("a", "x: '{{ .spectro.var.TOKEN }}-{{ .spectro.var.OTHER }}'\ny: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}-{{ .spectro.var.OTHER }}'\n      y: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "3 macros stay"},
		{"facts of all kinds are there", "", waits(kptfile, "spec: {system: {cluster: {name: example}}, variables: {TOKEN: t}, macros: {m: m}}", packOf("a", "x: '{{ .spectro.var.TOKEN }}{{ .spectro.macro.m }}{{ .spectro.system.cluster.name }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}{{ .spectro.macro.m }}{{ .spectro.system.cluster.name }}'"}, []string{info}, "3 macros stay"},
		{"facts that are there, and some of the functionConfig", typedConfig + "  variables: {TOKEN: t}", waits(kptfile, "spec: {variables: {TOKEN: example, OTHER: o}}", packOf("a", "x: '{{ .spectro.var.TOKEN }}-{{ .spectro.var.OTHER }}'\ny: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}-{{ .spectro.var.OTHER }}'\n      y: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "3 macros stay"},
		{"a fact that is empty", "", waits(kptfile, "spec: {variables: {TOKEN: ''}}", packOf("a", "x: '{{ .spectro.var.TOKEN | default \"d\" }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN | default \"d\" }}'"}, []string{info}, ""},
		{"facts of the functionConfig", typedConfig + "  variables: {TOKEN: t}", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")), []string{"x: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "1 macro stays"},
		{"chains", typedConfig + "  variables: {TOKEN: t}", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.pack.a.y }}'\ny: '{{ .spectro.pack.a.z | default \"d\" }}'\nz: '{{ .spectro.var.OTHER }}'\nv: '{{ .spectro.pack.a.w }}'\nw: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.pack.a.y }}'\n      y: '{{ .spectro.pack.a.z | default \"d\" }}'\n      z: '{{ .spectro.var.OTHER }}'\n      v: '{{ .spectro.pack.a.w }}'\n      w: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "5 macros stay"},
		{"a reference that does not wait", "", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.pack.a.nane }}'\ny: '{{ .spectro.var.TOKEN }}'\nname: n")),
			[]string{"x: '{{ .spectro.pack.a.nane }}'\n      y: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "2 macros stay"},
		{"a macro that trims what another one becomes", typedConfig + "  variables: {TOKEN: 't '}", waits(kptfile, "spec: {}", packOf("a", "x: 'a {{ .spectro.var.TOKEN }} {{- .spectro.var.OTHER }}'\ny: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: 'a {{ .spectro.var.TOKEN }} {{- .spectro.var.OTHER }}'\n      y: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "3 macros stay"},
		{"a value that would begin a macro", typedConfig + "  variables: {TOKEN: '{{ '}", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }} a {{ .spectro.var.OTHER }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }} a {{ .spectro.var.OTHER }}'"}, []string{info}, "2 macros stay"},
		{"wrong in itself", "", waits(kptfile, "spec: {}", packOf("a", "x: '{{ .spectro.system.cluster.nmae }}'\ny: '{{ .spectro.var.TOKEN | uper }}'\nz: '{{ .spectro.var.TOKEN | printf now }}'\nv: '{{ .spectro.var.TOKEN'")), nil, []string{
			`error macro/unknown ConfigMap/a data[values.yaml] key=x at=1:8 unknown="system name \"cluster.nmae\"" want="cluster.name, cluster.uid or cluster.kubevip" near=cluster.name pack=a macro=.spectro.system.cluster.nmae`,
			`error macro/invalid ConfigMap/a data[values.yaml] key=y at=2:29 unknown="function \"uper\"" want="upper, lower, tuple, unset, urlParse and 184 more" near=upper pack=a macro=uper`,
			`error macro/forbidden-function ConfigMap/a data[values.yaml] key=z at=3:36 pack=a macro=now`,
			`error macro/invalid ConfigMap/a data[values.yaml] key=v at=4:5 pack=a`,
			info,
		}, ""},
		{"chosen resources", typedConfig + "  resources: [{kind: Pod}]", waits(kptfile, "spec: {}", "apiVersion: v1\nkind: Pod\nmetadata: {name: q}\nspec: {x: '{{ .spectro.var.TOKEN }}'}"),
			[]string{"spec: {x: '{{ .spectro.var.TOKEN }}'}"}, []string{info}, ""},
		{"another ClusterContext is named", typedConfig + "  clusterContext: two", waits(kptfile, "spec: {}", strings.Replace(cluster, "name: one", "name: two", 1), packOf("a", "x: '{{ .spectro.var.NONE }}'")), nil,
			[]string{`error macro/unset ConfigMap/a data[values.yaml] key=x at=1:8 no="variable named \"NONE\"" want="SHARED or TOKEN" pack=a macro=.spectro.var.NONE`}, ""},
		{"nothing was found to inject", "", waits(tried, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")), nil, []string{unset}, ""},
		{"the condition says that it is injected", "", waits(injected, "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")), nil, []string{unset}, ""},
		{"the Kptfile is hidden", "", []string{point("spec: {}"), packOf("a", "x: '{{ .spectro.var.TOKEN }}'")}, nil,
			[]string{info, unset}, "check the function's selectors"},
		{"the Kptfile is hidden, and nothing is missing", "", []string{point("spec: {variables: {TOKEN: t}}"), packOf("a", "x: '{{ .spectro.var.TOKEN }}'")}, []string{"x: 't'"}, nil, ""},
		{"a Kptfile without a name", "", waits(strings.Replace(kptfile, "name: p", "labels: {}", 1), "spec: {}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")), nil,
			[]string{info, unset}, "received no Kptfile"},
		{"a pack", "", []string{kptfile, waitingPack("b", "{values: {y: example}}"), packOf("a", "x: '{{ .spectro.pack.b.y | default \"d\" }}'\nz: '{{ .spectro.pack.a.w }}'\nw: v")},
			[]string{"x: '{{ .spectro.pack.b.y | default \"d\" }}'\n      z: '{{ .spectro.pack.a.w }}'", "y: example"}, []string{packInfo}, "2 macros stay"},
		{"a pack that may come", "", []string{kptfile, waitingPack("b", "{}"), packOf("a", "x: '{{ .spectro.pack.c.y }}'")},
			[]string{"x: '{{ .spectro.pack.c.y }}'"}, []string{packInfo}, "1 macro stays"},
		{"no macro reads the pack", "", []string{kptfile, waitingPack("b", "{values: {y: '{{ .spectro.var.X }}'}}"), packOf("a", "x: y")},
			[]string{"y: '{{ .spectro.var.X }}'"}, []string{packInfo}, "its macros stay"},
		{"a chosen resource", typedConfig + "  resources: [{kind: Pod}]\n  variables: {TOKEN: t}", []string{kptfile, "apiVersion: v1\nkind: Pod\nmetadata: {name: q, annotations: {kpt.dev/config-injection: required}}\nspec: {x: '{{ .spectro.var.TOKEN }}'}"},
			[]string{"spec: {x: '{{ .spectro.var.TOKEN }}'}"}, []string{"info macro/waiting Pod/q metadata.annotations[kpt.dev/config-injection]"}, "1 macro stays"},
		{"a placeholder that is not a ClusterContext", "", waits(kptfile, "spec: {variable: {}, system: [x]}", packOf("a", "x: '{{ .spectro.var.TOKEN }}'")),
			[]string{"x: '{{ .spectro.var.TOKEN }}'"}, []string{info}, "1 macro stays"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			documents := strings.Join(tc.items, "\n---\n")
			outcome := functiontest.Run(t, Function(), tc.config, documents)
			got := functiontest.Facts(outcome.Findings)
			sorted := func(facts []string) []string { return slices.Sorted(slices.Values(facts)) }
			if diff := cmp.Diff(sorted(tc.results), sorted(got)); diff != "" {
				t.Errorf("findings -want +got:\n%s", diff)
			}
			for i, f := range outcome.Findings {
				if f.Rule == rule.MacroWaiting && !strings.Contains(functiontest.Messages(outcome)[i], tc.says) {
					t.Errorf("the info lacks %q: %s", tc.says, functiontest.Messages(outcome)[i])
				}
			}
			output, _ := functiontest.Evaluate(t, Function(), functiontest.List(tc.config, documents))
			for _, text := range tc.has {
				if !strings.Contains(output, text) {
					t.Errorf("the output lacks %q:\n%s", text, output)
				}
			}
			again, second := functiontest.Evaluate(t, Function(), output)
			if again != output {
				t.Errorf("the second run returns\n%s", again)
			}
			isKept := func(fact string) bool { return !strings.Contains(fact, " macro/empty ") }
			filter := func(facts []string) []string {
				return slices.DeleteFunc(sorted(facts), func(f string) bool { return !isKept(f) })
			}
			if diff := cmp.Diff(filter(got), filter(functiontest.Facts(second.Findings))); diff != "" {
				t.Errorf("results of the second run:\n%s", diff)
			}
		})
	}
}

// A render before the injection and one after it make the bytes that one render with all
// facts makes, whatever facts the placeholder has. Those of the functionConfig are certain.
func TestWaitingIsInvisible(test *testing.T) {
	facts := []string{"t", "", " ", "1.30", "true", "a: b", "{{", "}}", "a\nb", "# x", "é", "-"}
	pieces := []string{
		"a", " ", "  ", "\n", "- ", ": ", "#", "é", "{{ .Values.x }}", "{{- \"a\" -}}", "'",
		"{{ .spectro.var.A }}", "{{ .spectro.var.B }}", "{{- .spectro.var.B -}}", "{{- .spectro.var.A }}", "{{ .spectro.var.A -}}", "{{ .spectro.var.B | default \"d\" }}",
		"{{ .spectro.system.cluster.name | upper }}", "{{ .spectro.system.cluster.kubevip }}", "{{ .spectro.pack.p.chain }}", "{{ .spectro.pack.p.plain }}", "{{ .spectro.pack.q.none | default \"e\" }}",
		"{{ printf \"%s-%s\" .spectro.var.A .spectro.var.B }}", "{{ or .spectro.var.B .spectro.var.A }}",
	}
	bare := strings.NewReplacer("'", "", `"`, "", `\`, "")
	// styles write a text as a scalar.
	styles := []func(string) string{
		func(text string) string {
			return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "'", "''"), "\n", "\n\n    ") + "'"
		},
		func(text string) string { return fmt.Sprintf("%q", text) },
		func(text string) string { return "|-\n    x" + strings.ReplaceAll(text, "\n", "\n    ") },
		func(text string) string { return ">-\n    x" + strings.ReplaceAll(text, "\n", "\n\n    ") },
		func(text string) string {
			return "x" + strings.NewReplacer("\n", " ", ": ", ":", "#", "").Replace(text) + "x"
		},
	}
	rapid.Check(test, func(t *rapid.T) {
		hasPlain := false
		value := func(label string) string {
			text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 6).Draw(t, label), "")
			style := rapid.IntRange(0, len(styles)-1).Draw(t, label+" style")
			hasPlain = hasPlain || style == len(styles)-1
			return styles[style](text)
		}
		documents := packOf("p", "plain: n\nchain: '{{ .spectro.var.B }}{{ .spectro.var.A }}'\nx:\n  y: "+value("y")+"\n  z: "+value("z"))
		all := map[string]string{}
		for _, name := range []string{"A", "B"} {
			all[name] = rapid.SampledFrom(facts).Draw(t, name)
		}
		spec := func(names ...string) string {
			text := "spec:\n  system: {cluster: {name: c1, kubevip: v}}\n  variables:\n"
			for _, name := range names {
				text += fmt.Sprintf("    %s: %q\n", name, all[name])
			}
			return text
		}
		before := point(fmt.Sprintf("spec:\n  system: {cluster: {name: example}}\n  variables:\n    A: %q\n    B: %q\n", rapid.SampledFrom(facts).Draw(t, "placeholder"), "example"))
		if rapid.Bool().Draw(t, "nothing is there") {
			before = point("spec: {}\n")
		}
		config := ""
		if mode := rapid.SampledFrom([]string{"", "empty", "error"}).Draw(t, "missing"); mode != "" {
			config = typedConfig + "  missing: " + mode + "\n"
		}
		if rapid.Bool().Draw(t, "A is configured") {
			config = stdcmp.Or(config, typedConfig) + fmt.Sprintf("  variables: {A: %q}\n", all["A"])
		}
		after := injected + "---\n" + strings.Replace(point(spec("A", "B")), "config-injection", "injected-resource: c\n    kpt.dev/config-injection", 1)
		once, onceOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, after+"---\n"+documents))
		first, firstOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, kptfile+"---\n"+before+"---\n"+documents))
		if onceOutcome.Failed {
			return // a first render may find the same faults
		}
		if firstOutcome.Failed {
			t.Fatalf("the first render fails: %v\n%s", functiontest.Messages(firstOutcome), documents)
		}
		rendered := functiontest.Documents(first)
		last := rendered[strings.Index(rendered, "kind: ConfigMap")-len("apiVersion: v1\n"):]
		twice, twiceOutcome := functiontest.Evaluate(test, Function(), functiontest.List(config, after+"---\n"+last))
		// A plain scalar that needs quotes after the first render gets those that the macros in it
		// do not have: the quotes can be others, and the value is the same.
		isSame := twice == once || hasPlain && bare.Replace(twice) == bare.Replace(once)
		if twiceOutcome.Failed || !isSame {
			t.Fatalf("%v\ntwice:\n%s\nonce:\n%s", functiontest.Messages(twiceOutcome), twice, once)
		}
	})
}
