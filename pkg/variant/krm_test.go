package variant

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

func TestMain(m *testing.M) { os.Exit(functiontest.Main(m, "variant")) }

// evaluate runs the function over documents, and returns them as they leave, and the
// facts of the findings.
func evaluate(t *testing.T, config, documents string) (output string, facts []string) {
	t.Helper()
	functiontest.Run(t, Function(), config, documents)
	output, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	output = functiontest.Documents(output)
	checkKptfiles(t, documents, output)
	functiontest.CheckAgain(t, Function(), config, output, outcome)
	return output, functiontest.Facts(outcome.Findings)
}

// in makes the metadata of a resource in a file.
func in(file, name string, more ...string) string {
	text := "metadata:\n  name: " + name + "\n  annotations:\n"
	if file != "" {
		text += "    internal.config.kubernetes.io/path: '" + file + "'\n"
	}
	for _, m := range more {
		text += "    " + m + "\n"
	}
	return text
}

const (
	required = "kpt.dev/config-injection: required"
	optional = "kpt.dev/config-injection: optional"
	cluster  = "packs.kpt.dev/source: cluster"
)

var (
	kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\n" + in("Kptfile", "root")
	context = "apiVersion: v1\nkind: ConfigMap\n" + in("ctx.yaml", ContextName) + "data:\n  name: root # kpt's\n"
)

func thing(file, name string, more ...string) string {
	return "apiVersion: ex.com/v1\nkind: Thing\n" + in(file, name, more...) + "spec:\n  of: " + name + " # as it came\n"
}

// inPackage puts a resource into a package, as kpt fn render sends it.
func inPackage(document, path string) string {
	return strings.Replace(document, "  annotations:\n", "  annotations:\n    internal.config.kubernetes.io/package-path: '"+path+"'\n", 1)
}

// joined puts documents into one list.
func joined(documents ...string) string { return strings.Join(documents, "---\n") }

// variantOf makes a functionConfig that is a PackageVariant.
func variantOf(spec string) string { return valid + spec }

// Each case is about one rule, as a client sees it: what comes out, and that
// nothing is written beside an error.
func TestInjectConfig(t *testing.T) {
	for _, tc := range []struct {
		name, config, documents string
		want                    []string
	}{
		{"no configuration", "", joined(kptfile, thing("a.yaml", "p", required)), []string{
			"info nothing-to-do",
		}},
		{"an empty ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: function-input}\ndata: {}\n", kptfile, []string{
			"info nothing-to-do",
		}},
		{"an option of another form", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {writeStatus: \"true\"}\n", kptfile, []string{
			`error config/invalid ConfigMap/c data.writeStatus`,
		}},
		{"another version", "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariant\nmetadata: {name: pv}\n", kptfile, []string{
			`error config/invalid PackageVariant/pv apiVersion got="\"config.porch.kpt.dev/v1alpha2\"" want="config.porch.kpt.dev/v1alpha1 for the kind PackageVariant"`,
		}},
		{"kptfile/missing", variantOf("  injectors: [{name: s}]\n"), joined(thing("a.yaml", "p", required), thing("b.yaml", "s", cluster)), []string{
			"error kptfile/missing PackageVariant/pv",
		}},
		{"kptfile/missing, beside a faulty PackageVariant", variantOf("  adoptionPolicy: x\n"), thing("a.yaml", "p", required), []string{
			"error kptfile/missing PackageVariant/pv",
			`error variant/invalid PackageVariant/pv spec.adoptionPolicy got="\"x\"" want="adoptNone or adoptExisting"`,
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"inject/unmatched, without objects", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "p", required)), []string{
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"input/invalid, all of a Kptfile", variantOf("  pipeline: {mutators: [{exec: a}], validators: [{exec: a}]}\n"), joined(kptfile+"info: text\nstatus: {conditions: [null]}\npipeline: {mutators: {}, validators: x}\n", thing("a.yaml", "p", optional)), []string{
			`error input/invalid Kptfile/root Kptfile#0 info got="a string" want="a map"`,
			`error input/invalid Kptfile/root Kptfile#0 pipeline.mutators got="a map" want="a list of functions"`,
			`error input/invalid Kptfile/root Kptfile#0 pipeline.validators got="a string" want="a list of functions"`,
			`error input/invalid Kptfile/root Kptfile#0 status.conditions[0] got=null want="a map with type"`,
			"info inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"kptfile/missing, siblings", variantOf(""), joined(strings.Replace(kptfile, "'Kptfile'", "'a/Kptfile'", 1), strings.Replace(kptfile, "'Kptfile'", "'b/Kptfile'", 1)), []string{
			"error kptfile/missing Kptfile/root a/Kptfile#0",
		}},
		{"context/missing", variantOf("  packageContext: {data: {a: b}}\n"), joined(kptfile, strings.Replace(kptfile, "'Kptfile'", "'sub/Kptfile'", 1), strings.Replace(context, "ctx", "sub/ctx", 1)), []string{
			"error context/missing PackageVariant/pv spec.packageContext",
		}},
		{"context/missing, by removeKeys", variantOf("  packageContext: {removeKeys: [a]}\n"), kptfile, []string{
			"error context/missing PackageVariant/pv spec.packageContext",
		}},
		{"no context, none needed", variantOf("  packageContext: {data: {}}\n"), kptfile, []string{
			"info nothing-to-do",
		}},
		{"a misspelt key to remove", variantOf("  packageContext: {removeKeys: [betta, far, gamma]}\n"), joined(kptfile, context+"  beta: a\n  gamma: b\n"), []string{
			`warning variant/invalid PackageVariant/pv spec.packageContext.removeKeys[0] no="key named \"betta\"" near=beta`,
		}},
		{"a misspelt key to remove, near the first one", variantOf("  packageContext: {removeKeys: [reggion]}\n"), joined(kptfile, strings.Replace(context, "\ndata:\n", "\ndata:\n  region: a\n", 1)), []string{
			`warning variant/invalid PackageVariant/pv spec.packageContext.removeKeys[0] no="key named \"reggion\"" near=region`,
		}},
		{"context/ambiguous", variantOf("  packageContext: {data: {a: b}}\n"), joined(kptfile, context, strings.Replace(context, "ctx", "ctx2", 1)), []string{
			"error context/ambiguous ConfigMap/kptfile.kpt.dev ctx2.yaml#0",
		}},
		{"kptfile/missing, and a context", variantOf("  packageContext: {data: {a: b}}\n"), context, []string{
			"error kptfile/missing PackageVariant/pv",
		}},
		{"context/reserved-key", variantOf("  packageContext: {data: {name: b}}\n"), joined(kptfile, context), []string{
			"error context/reserved-key PackageVariant/pv spec.packageContext.data.name",
		}},
		{"inject/invalid-annotation", variantOf(""), joined(kptfile, thing("a.yaml", "p", "kpt.dev/config-injection: Required"), thing("b.yaml", "q", `kpt.dev/config-injection: ""`), thing("c.yaml", "r", "kpt.dev/config-injection:")), []string{
			`error inject/invalid-annotation Thing/p a.yaml#0 metadata.annotations[kpt.dev/config-injection] got="\"Required\"" want="required or optional" near=required now=Required propose=required`,
			`error inject/invalid-annotation Thing/q b.yaml#0 metadata.annotations[kpt.dev/config-injection] got="\"\"" want="required or optional"`,
			`error inject/invalid-annotation Thing/r c.yaml#0 metadata.annotations[kpt.dev/config-injection] got="\"\"" want="required or optional"`,
		}},
		{"a misspelt annotation", variantOf(""), joined(kptfile, thing("a.yaml", "p", "kpt.dev/config-injecton: required"), thing("b.yaml", "q", "kpt.dev/Config-Injection: required"), thing("c.yaml", "r", "kpt.dev/injected-resource: x")), []string{
			`error input/invalid Thing/p a.yaml#0 metadata.annotations[kpt.dev/config-injecton] unknown="annotation \"kpt.dev/config-injecton\"" near=kpt.dev/config-injection`,
			`error input/invalid Thing/q b.yaml#0 metadata.annotations[kpt.dev/Config-Injection] unknown="annotation \"kpt.dev/Config-Injection\"" near=kpt.dev/config-injection`,
		}},
		{"misspelt kinds and groups", variantOf(""), joined(kptfile, strings.Replace(kptfile, "kind: Kptfile", "kind: KptFile", 1), strings.Replace(valid, "kind: PackageVariant", "kind: PackageVariants", 1), strings.Replace(valid, "config.porch", "confg.porch", 1)), []string{
			`error input/invalid PackageVariant/pv apiVersion unknown="group \"confg.porch.kpt.dev\"" want=config.porch.kpt.dev near=config.porch.kpt.dev`,
			`error input/invalid PackageVariants/pv kind unknown="kind \"PackageVariants\"" want=PackageVariant near=PackageVariant`,
			`error input/invalid KptFile/root Kptfile#0 kind unknown="kind \"KptFile\"" want=Kptfile near=Kptfile`,
		}},
		{"misspelt kinds that inject-config reads", variantOf(""), joined(kptfile, strings.Replace(context, "kind: ConfigMap", "kind: ConfigMpa", 1), "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContxt\n"+in("c.yaml", "c")), []string{
			`error input/invalid ClusterContxt/c c.yaml#0 kind unknown="kind \"ClusterContxt\"" want=ClusterContext near=ClusterContext`,
			`error input/invalid ConfigMpa/kptfile.kpt.dev ctx.yaml#0 kind unknown="kind \"ConfigMpa\"" want=ConfigMap near=ConfigMap`,
		}},
		{"kinds of others", variantOf(""), joined(kptfile, "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: s}\n", "apiVersion: example.com/v1\nkind: PackageVariants\nmetadata: {name: s}\n"), []string{
			"info nothing-to-do",
		}},
		{"a source that is not a cluster", variantOf(""), joined(kptfile, thing("a.yaml", "p", "packs.kpt.dev/source: Cluster")), []string{
			`error inject/invalid-annotation Thing/p a.yaml#0 metadata.annotations[packs.kpt.dev/source] got="\"Cluster\"" want=cluster near=cluster`,
		}},
		{"inject/ambiguous, two points of one type", variantOf(""), joined(kptfile, thing("a.yaml", "p", required), strings.Replace(thing("b.yaml", "p", optional), "ex.com/v1", "other/v2", 1)), []string{
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
			"error inject/ambiguous Thing/p b.yaml#0 metadata.annotations[kpt.dev/config-injection]",
		}},
		{"inject/ambiguous, the context", variantOf(""), joined(kptfile, strings.Replace(context, "\ndata:", "\n    "+required+"\ndata:", 1)), []string{
			"error inject/ambiguous ConfigMap/kptfile.kpt.dev ctx.yaml#0 metadata.annotations[kpt.dev/config-injection]",
		}},
		{"inject/ambiguous, the Kptfile", variantOf(""), kptfile + "    " + required + "\n", []string{
			"error inject/ambiguous Kptfile/root Kptfile#0 metadata.annotations[kpt.dev/config-injection]",
		}},
		{"inject/ambiguous, two objects of one name", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "s", cluster), strings.Replace(thing("b.yaml", "s", cluster), "of: s", "of: t", 1)), []string{
			"error inject/ambiguous Thing/s b.yaml#0",
		}},
		{"one object twice", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "s", cluster), thing("b.yaml", "s", cluster)), []string{
			"info nothing-to-do",
		}},
		{"inject/unmatched, required", variantOf(""), joined(kptfile, thing("a.yaml", "p", required)), []string{
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"inject/unmatched, optional", variantOf("  injectors: [{kind: X, name: s}]\n"), joined(kptfile, thing("a.yaml", "p", optional)), []string{
			"info inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"variant-set/alias", variantOf("  injectors: {name: s}\n"), joined(kptfile, thing("a.yaml", "p", required), thing("b.yaml", "s", cluster)), []string{
			"warning variant-set/alias PackageVariant/pv spec.injectors",
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}},
		{"variant/invalid, and everything else", variantOf("  adoptionPolicy: x\n  packageContext: {data: {a: b}}\n"), joined(kptfile, thing("a.yaml", "p", "kpt.dev/config-injection: x"), thing("b.yaml", "q", required)), []string{
			`error variant/invalid PackageVariant/pv spec.adoptionPolicy got="\"x\"" want="adoptNone or adoptExisting"`,
			"error context/missing PackageVariant/pv spec.packageContext",
			`error inject/invalid-annotation Thing/p a.yaml#0 metadata.annotations[kpt.dev/config-injection] got="\"x\"" want="required or optional"`,
			"warning inject/unmatched Thing/q b.yaml#0 spec condition=config.injection.Thing.q",
		}},
		{"faulty injectors", variantOf("  injectors: [{name: 5}]\n  packageContext: {data: {a: b}}\n"), joined(kptfile, thing("b.yaml", "q", required)), []string{
			`error variant/invalid PackageVariant/pv spec.injectors[0].name got="a number" want="a string"`,
			"error context/missing PackageVariant/pv spec.packageContext",
		}},
		{"a faulty item beside no PackageVariant", "", "apiVersion: ex.com/v1\nkind: Thing\nmetadata: {name: p, annotations: {" + required + "}}\nspec: 1\nspec: 2\n", []string{
			"error input/invalid Thing/p spec duplicate-of=4:3",
		}},
		{"a revision as text", strings.Replace(valid, "package: p}", "package: p, revision: v3}", 1), kptfile, []string{
			"info nothing-to-do",
			`warning variant-set/not-in-porch PackageVariant/pv spec.upstream.revision`,
		}},
		{"a floating tag as revision", strings.Replace(valid, "package: p}", "package: p, revision: main}", 1), kptfile, []string{
			"info nothing-to-do",
			`warning variant-set/not-in-porch PackageVariant/pv spec.upstream.revision`,
		}},
		{"the context of a subpackage that kpt renders", variantOf("  packageContext: {data: {a: b}}\n"), joined(inPackage(kptfile, "/p"), inPackage(strings.Replace(kptfile, "name: root", "name: cart", 1), "/p/cart"), inPackage(context, "/p/cart")), []string{
			"error context/missing PackageVariant/pv spec.packageContext",
		}},
		{"an object without the field", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "p", required), strings.Replace(thing("b.yaml", "s", cluster), "spec:", "data:", 1)), []string{
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"a cluster-scoped object", strings.Replace(valid, "{name: pv}", "{name: pv, namespace: platform}", 1) + "  injectors: [{name: s}]\n", joined(kptfile, thing("a.yaml", "p", required), thing("b.yaml", "s", cluster)), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" without a namespace"`,
		}},
		{"a malformed Kptfile", variantOf("  pipeline: {mutators: [{exec: e}]}\n"), joined(kptfile+"pipeline: []\ninfo: x\n", thing("a.yaml", "p", required)), []string{
			`error input/invalid Kptfile/root Kptfile#0 info got="a string" want="a map"`,
			`error input/invalid Kptfile/root Kptfile#0 pipeline got="a list" want="a map with mutators and validators"`,
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}},
		{"a key twice", variantOf("  injectors: [{name: s}]\n"), joined(kptfile+"info: {}\ninfo: {}\n", thing("a.yaml", "p", required)+"spec: {}\n"), []string{
			"error input/invalid Kptfile/root Kptfile#0 info duplicate-of=7:3",
			"error input/invalid Thing/p a.yaml#0 spec duplicate-of=8:3",
		}},
		{"an anchor", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, strings.Replace(thing("a.yaml", "p", required), "spec:\n", "x: &x {a: b}\nspec: *x\nspec2:\n", 1), thing("b.yaml", "s", cluster)), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}},
		{"a field that others use", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, strings.Replace(thing("a.yaml", "p", required), "spec:\n", "spec: &x\n", 1)+"y: *x\n", thing("b.yaml", "s", cluster)), []string{
			"error input/invalid Thing/p a.yaml#0",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, got := evaluate(t, tc.config, tc.documents)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			failed := slices.ContainsFunc(got, func(fact string) bool { return strings.HasPrefix(fact, "error") })
			// The case names its rule.
			if rule, _, _ := strings.Cut(tc.name, ","); strings.Contains(rule, "/") && !strings.Contains(strings.Join(got, "\n"), " "+rule+" ") {
				t.Errorf("no result of %s: %q", rule, got)
			}
			if failed && out != tc.documents {
				t.Errorf("written beside an error:\n%s", cmp.Diff(tc.documents, out))
			}
		})
	}
}

// Everything at once: the whole list, its second run, and a source that changes.
func TestInjectConfigOutput(t *testing.T) {
	config := variantOf("  packageContext: {data: {region: us}}\n  pipeline: {validators: [{exec: v}]}\n  injectors: [{point: sub, name: s2}, {name: s}]\n")
	source := thing("in.yaml", "s", cluster, required)
	before := joined(
		"apiVersion: v1\nkind: Other # untouched\nmetadata: {name:   o}\n",
		kptfile+"info: # i\n  x: 1\n",
		context,
		thing("a.yaml", "p", required),
		thing("sub/a.yaml", "sub", optional),
		source,
		thing("in2.yaml", "s2", cluster),
	)
	mark := func(json, name string) string { return name + "@sha256:" + digest(parse(t, json).Root()) }
	marks := func(json, name string) string {
		return "    kpt.dev/injected-resource-name: " + name + "\n    kpt.dev/injected-resource: " + name + "\n    packs.kpt.dev/injected-from: ex.com/v1/Thing/default/" + mark(json, name) + "\n"
	}
	want := joined(
		"apiVersion: v1\nkind: Other # untouched\nmetadata: {name:   o}\n",
		kptfile+`info: # i
  x: 1
  readinessGates:
    - conditionType: config.injection.Thing.p
pipeline:
  validators:
    - exec: v
      name: PackageVariant.pv..0
status:
  conditions:
    - type: config.injection.Thing.p
      status: "True"
      reason: ConfigInjected
      message: injected spec of Thing (ex.com/v1) "s" in namespace default
    - type: config.injection.Thing.sub
      status: "True"
      reason: ConfigInjected
      message: injected spec of Thing (ex.com/v1) "s2" in namespace default
`,
		context+"  region: us\n",
		strings.Replace(thing("a.yaml", "p", required), "spec:\n  of: p # as it came\n", marks("of: s", "s")+"spec:\n  of: s # as it came\n", 1),
		strings.Replace(thing("sub/a.yaml", "sub", optional), "spec:\n  of: sub # as it came\n", marks("of: s2", "s2")+"spec:\n  of: s2 # as it came\n", 1),
		source,
		thing("in2.yaml", "s2", cluster),
	)
	out, results := evaluate(t, config, before)
	if diff := cmp.Diff(want, out); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if len(results) != 2 {
		t.Errorf("%q", results)
	}
	again, resultsAgain := evaluate(t, config, out)
	if again != out {
		t.Errorf("again:\n%s", cmp.Diff(out, again))
	}
	if diff := cmp.Diff(results, resultsAgain); diff != "" {
		t.Errorf("a second run finds something else:\n%s", diff)
	}
	changed := strings.Replace(out, source, strings.Replace(source, "of: s", "of: secret\n  more: x", 1), 1)
	third, _ := evaluate(t, config, changed)
	if !strings.Contains(third, "of: secret") || !strings.Contains(third, mark("{of: secret, more: x}", "s")) {
		t.Errorf("a changed source is not injected:\n%s", third)
	}
}

// The kind InjectConfig: where the PackageVariant and the objects come from.
func TestInjectConfigKind(t *testing.T) {
	const head = "apiVersion: fn.kpt.dev/v1alpha1\nkind: InjectConfig\nmetadata: {name: c}\nspec:\n"
	const embedded = "  packageVariant: {metadata: {name: pv}, spec: {upstream: {repo: r, package: p}, downstream: {repo: d, package: q}, injectors: [{name: s}]}}\n"
	point := thing("a.yaml", "p", required)
	const object = "{apiVersion: ex.com/v1, kind: Thing, metadata: {name: s, namespace: default}, spec: {of: config}}"
	pv := strings.Replace(valid, "{name: pv}", "\n  name: pv\n  annotations:\n    internal.config.kubernetes.io/path: pv.yaml", 1) + "  injectors: [{name: s}]\n"
	for _, tc := range []struct {
		name, spec, documents string
		want                  []string
		contains              string
	}{
		{"objects", embedded + "  objects: [" + object + "]\n", joined(kptfile, point), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: config"},
		{"a List of objects", embedded + "  objects: [{apiVersion: v1, kind: List, items: [" + object + "]}]\n", joined(kptfile, point), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: config"},
		{"faulty objects", embedded + "  objects: [text, {kind: Thing}, {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: 5, metadata: {name: n}}]}]\n", joined(kptfile, point), []string{
			`error config/invalid InjectConfig/c spec.objects[0] got="a string" want="a map"`,
			"error config/invalid InjectConfig/c spec.objects[1].apiVersion missing=",
			"error config/invalid InjectConfig/c spec.objects[1].metadata missing=",
			`error config/invalid InjectConfig/c spec.objects[2].items[0].kind got="a number" want="a string"`,
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}, ""},
		{"objects of nothing", embedded + "  objects: [null, {apiVersion: v1, kind: List, items: [null]}]\n", joined(kptfile, point), []string{
			`error config/invalid InjectConfig/c spec.objects[0] got=null want="a resource"`,
			`error config/invalid InjectConfig/c spec.objects[1].items[0] got=null want="a resource"`,
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}, ""},
		{"an object with a key twice", embedded + "  objects: [{apiVersion: ex.com/v1, kind: Thing, metadata: {name: s, name: s}, spec: {a: 1, a: 2}}]\n", joined(kptfile, point), []string{
			"error config/invalid InjectConfig/c spec.objects[0].metadata.name duplicate-of=9:63",
			"error config/invalid InjectConfig/c spec.objects[0].spec.a duplicate-of=9:89",
			"warning inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}, ""},
		{"one object twice in the configuration", embedded + "  objects: [" + object + ", " + object + "]\n", joined(kptfile, point), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: config"},
		{"two objects of one name in the configuration", embedded + "  objects: [" + object + ", " + strings.Replace(object, "of: config", "of: other", 1) + "]\n", joined(kptfile, point), []string{
			"error inject/ambiguous InjectConfig/c spec.objects[1]",
		}, ""},
		{"an unknown field", embedded + "  object: []\n", kptfile, []string{
			`error config/invalid InjectConfig/c spec.object unknown="field \"object\"" want="severity, packageVariant, packageVariantRef, objects or writeStatus" near=objects`,
		}, ""},
		{"a faulty PackageVariant", "  packageVariant: {metadata: {name: pv}, spec: {upstream: {repo: r, package: p}}}\n", kptfile, []string{
			"error variant/invalid InjectConfig/c spec.packageVariant.spec.downstream missing=",
		}, ""},
		{"a PackageVariant that is none", "  packageVariant: text\n", kptfile, []string{
			`error variant/invalid InjectConfig/c spec.packageVariant got="a string" want="a map"`,
		}, ""},
		{"a reference", "  packageVariantRef: {name: pv}\n", joined(kptfile, point, pv, thing("b.yaml", "s", cluster)), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: s #"},
		{"a reference with a namespace", "  packageVariantRef: {name: pv, namespace: default}\n", joined(kptfile, point, pv, thing("b.yaml", "s", cluster)), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: s #"},
		{"a reference to one that waits", "  packageVariantRef: {name: pv}\n", joined(kptfile, point, strings.Replace(pv, "annotations:", "annotations:\n    kpt.dev/config-injection: required", 1), thing("b.yaml", "s", cluster)), []string{
			"info nothing-to-do PackageVariant/pv pv.yaml#0 metadata.annotations[kpt.dev/config-injection]",
		}, ""},
		{"a reference to none", "  packageVariantRef: {name: pvv}\n", joined(kptfile, pv), []string{
			`error config/invalid InjectConfig/c spec.packageVariantRef.name no="PackageVariant named \"pvv\"" want=pv near=pv`,
		}, ""},
		{"a reference to another namespace", "  packageVariantRef: {name: pv, namespace: x}\n", joined(kptfile, pv), []string{
			`error config/invalid InjectConfig/c spec.packageVariantRef.namespace got="\"x\"" want=default`,
		}, ""},
		{"a reference to two", "  packageVariantRef: {name: pv}\n", joined(kptfile, pv, strings.Replace(pv, "name: pv", "name: pv\n  namespace: b", 1)), []string{
			"error config/invalid InjectConfig/c spec.packageVariantRef",
		}, ""},
		{"a reference without a name", "  packageVariantRef: {}\n", kptfile, []string{
			"error config/invalid InjectConfig/c spec.packageVariantRef.name missing=",
		}, ""},
		{"a reference to another version", "  packageVariantRef: {name: pv}\n", joined(kptfile, strings.Replace(pv, "v1alpha1", "v1", 1)), []string{
			`error variant/invalid PackageVariant/pv pv.yaml#0 apiVersion got="\"config.porch.kpt.dev/v1\"" want=config.porch.kpt.dev/v1alpha1 near=config.porch.kpt.dev/v1alpha1`,
		}, ""},
		{"both", embedded + "  packageVariantRef: {name: pv}\n", joined(kptfile, pv), []string{
			"error config/invalid InjectConfig/c spec.packageVariantRef",
		}, ""},
		{"writeStatus", embedded + "  writeStatus: true\n", joined(kptfile, pv), nil, "- type: Ready\n      status: \"True\""},
		{"writeStatus without one", embedded + "  writeStatus: true\n", kptfile, []string{
			`error config/invalid InjectConfig/c spec.writeStatus no="PackageVariant named \"default/pv\""`,
		}, ""},
		{"writeStatus, of another namespace", embedded + "  writeStatus: true\n", joined(kptfile, strings.Replace(pv, "  name: pv\n", "  name: pv\n  namespace: other\n", 1)), []string{
			`error config/invalid InjectConfig/c spec.writeStatus no="PackageVariant named \"default/pv\""`,
		}, ""},
		{"an object with items that is not a List", embedded + "  objects: [{apiVersion: ex.com/v1, kind: Thing, metadata: {name: s}, items: [a], spec: {of: config}}]\n", joined(kptfile, point), []string{
			`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`,
		}, "of: config"},
		{"writeStatus beside an error", embedded + "  writeStatus: true\n", joined(kptfile, pv, thing("a.yaml", "p", "kpt.dev/config-injection: x")), []string{
			`error inject/invalid-annotation Thing/p a.yaml#0 metadata.annotations[kpt.dev/config-injection] got="\"x\"" want="required or optional"`,
		}, ""},
		{"severity", embedded + "  severity: {inject/unmatched: error}\n", joined(kptfile, point), []string{
			"error inject/unmatched Thing/p a.yaml#0 spec condition=config.injection.Thing.p",
		}, "readinessGates"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, got := evaluate(t, head+tc.spec, tc.documents)
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if tc.contains == "" && out != tc.documents || !strings.Contains(out, tc.contains) {
				t.Errorf("got:\n%s\nwant %q in it", out, tc.contains)
			}
		})
	}
}

// The order of the items makes no difference to the Kptfile.
func TestOrderOfTheList(t *testing.T) {
	config := variantOf("  injectors: [{name: s}]\n")
	a, b, s := thing("a.yaml", "a", required), thing("b.yaml", "b", required), thing("s.yaml", "s", cluster)
	one, _ := evaluate(t, config, joined(kptfile, a, b, s))
	two, _ := evaluate(t, config, joined(s, b, a, kptfile))
	kptfileOf := func(text string) string {
		for _, d := range strings.Split(text, "---\n") {
			if strings.Contains(d, "kind: Kptfile") {
				return strings.TrimRight(d, "\n")
			}
		}
		return ""
	}
	if diff := cmp.Diff(kptfileOf(one), kptfileOf(two)); diff != "" || !strings.Contains(one, "config.injection.Thing.b") {
		t.Error(diff)
	}
}

// A finding about a point does not depend on its last injection.
func TestEarlierInjections(t *testing.T) {
	mark := func(name, spec string) string {
		return "packs.kpt.dev/injected-from: ex.com/v1/Thing/default/" + name + "@sha256:" + digest(parse(t, spec).Root())
	}
	for _, tc := range []struct{ name, mark, spec string }{
		{"none, and equal content", "a: b", "of: s"},
		{"of another object, and equal content", mark("old", "of: s"), "of: s"},
		{"of another object", mark("old", "of: x"), "of: x"},
		{"of what the object was", mark("s", "of: x"), "of: x"},
		{"of what the object is", mark("s", "of: s"), "of: x"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			point := "apiVersion: ex.com/v1\nkind: Thing\n" + in("a.yaml", "p", required, tc.mark) + "spec:\n  " + tc.spec + "\n"
			_, got := evaluate(t, variantOf("  injectors: [{name: s}]\n"), joined(kptfile, point, thing("s.yaml", "s", cluster)))
			want := []string{`info inject/injected Thing/p a.yaml#0 spec condition=config.injection.Thing.p from="Thing (ex.com/v1) \"s\" in namespace default"`}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// With files as arguments a PackageVariant among them is the configuration.
func TestFiles(t *testing.T) {
	several := joined(valid, strings.Replace(valid, "pv", "other", 1))
	if _, got := evaluate(t, "", several); len(got) != 1 || got[0] != "info nothing-to-do" {
		t.Errorf("%q", got)
	}
	if f := Function(); !f.AcceptsFiles || len(f.Accepts) != 1 || f.Accepts[0].Kind != Kind {
		t.Errorf("%v of %v", f.AcceptsFiles, f.Accepts)
	}
}
