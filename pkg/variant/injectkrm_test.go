package variant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// evaluate runs the function over documents, and returns them as they leave and
// the results, one line each.
func evaluate(t *testing.T, config, documents string) (output string, results []string) {
	t.Helper()
	output, outcome := functiontest.Evaluate(t, Function(), functiontest.List(config, documents))
	for _, r := range outcome.Results {
		where := ""
		if r.ResourceRef != nil {
			where = " " + r.ResourceRef.Kind + " " + r.ResourceRef.Name
		}
		if r.Field != nil {
			where += " " + r.Field.Path
		}
		results = append(results, fmt.Sprintf("%s%s | %s", r.Severity, where, r.Message))
	}
	return functiontest.Documents(output), results
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
		{"no configuration", "", joined(kptfile, thing("a.yaml", "p", required)),
			[]string{"info | no PackageVariant is given"}},
		{"an empty ConfigMap", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: function-input}\ndata: {}\n", kptfile,
			[]string{"info | no PackageVariant is given"}},
		{"an option of another form", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {writeStatus: \"true\"}\n", kptfile,
			[]string{"error ConfigMap c data.writeStatus | data.writeStatus: unknown option; a ConfigMap takes severity"}},
		{"another version", "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariant\nmetadata: {name: pv}\n", kptfile,
			[]string{`error PackageVariant pv apiVersion | apiVersion: got "config.porch.kpt.dev/v1alpha2", want config.porch.kpt.dev/v1alpha1 for the kind PackageVariant`}},
		{"kptfile/missing", variantOf("  injectors: [{name: s}]\n"), joined(thing("a.yaml", "p", required), thing("b.yaml", "s", cluster)),
			[]string{"error PackageVariant pv | the list has no Kptfile, into which the pipeline, the readiness gates and the conditions go: kustomize does not send it, so run the function by kpt fn render or kpt fn eval; with kpt, see that no selector of the function hides it, or make one by kpt pkg init [kptfile/missing]"}},
		{"kptfile/missing, beside a faulty PackageVariant", variantOf("  adoptionPolicy: x\n"), thing("a.yaml", "p", required),
			[]string{"error PackageVariant pv | the list has no Kptfile", "error PackageVariant pv spec.adoptionPolicy | PackageVariant pv: spec.adoptionPolicy: got \"x\""}},
		{"inject/unmatched, without objects", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "p", required)),
			[]string{`warning Thing p spec | Thing p: nothing is injected into this required injection point, and its spec stays as it is: no in-cluster object was selected: injectors[0] (s) finds no Thing (ex.com/v1) "s" in namespace default; no in-cluster object is given: put it into spec.objects of an InjectConfig, or into the package with the annotation packs.kpt.dev/source: cluster [inject/unmatched]`}},
		{"input/invalid, all of a Kptfile", variantOf("  pipeline: {mutators: [{exec: a}], validators: [{exec: a}]}\n"), joined(kptfile+"info: text\nstatus: {conditions: [null]}\npipeline: {mutators: {}, validators: x}\n", thing("a.yaml", "p", optional)),
			[]string{
				"error Kptfile root info | Kptfile root: info: got text, want a mapping",
				"error Kptfile root pipeline.mutators | Kptfile root: pipeline.mutators: got a mapping, want a list of functions",
				"error Kptfile root pipeline.validators | Kptfile root: pipeline.validators: got text, want a list of functions",
				"error Kptfile root status.conditions[0] | Kptfile root: status.conditions[0]: got nothing, want a mapping with type",
				"info Thing p spec | Thing p: nothing is injected into this optional injection point, and its spec stays as it is: no in-cluster object was selected: the PackageVariant has no injectors [inject/unmatched]",
			}},
		{"kptfile/missing, siblings", variantOf(""), joined(strings.Replace(kptfile, "'Kptfile'", "'a/Kptfile'", 1), strings.Replace(kptfile, "'Kptfile'", "'b/Kptfile'", 1)),
			[]string{"error Kptfile root | the list has no Kptfile of a root package: none of Kptfile root (a/Kptfile), Kptfile root (b/Kptfile) stands"}},
		{"context/missing", variantOf("  packageContext: {data: {a: b}}\n"), joined(kptfile, strings.Replace(kptfile, "'Kptfile'", "'sub/Kptfile'", 1), strings.Replace(context, "ctx", "sub/ctx", 1)),
			[]string{"error PackageVariant pv spec.packageContext | the PackageVariant pv changes the package context, but the root package has no ConfigMap kptfile.kpt.dev; ConfigMap kptfile.kpt.dev (sub/ctx.yaml) is of a subpackage; get the package"}},
		{"context/missing, by removeKeys", variantOf("  packageContext: {removeKeys: [a]}\n"), kptfile,
			[]string{"error PackageVariant pv spec.packageContext | the PackageVariant pv changes the package context"}},
		{"no context, none needed", variantOf("  packageContext: {data: {}}\n"), kptfile,
			[]string{"info | the package has no injection point"}},
		{"context/ambiguous", variantOf("  packageContext: {data: {a: b}}\n"), joined(kptfile, context, strings.Replace(context, "ctx", "ctx2", 1)),
			[]string{"error ConfigMap kptfile.kpt.dev | the root package has the ConfigMap kptfile.kpt.dev more than once: ConfigMap kptfile.kpt.dev (ctx.yaml) and ConfigMap kptfile.kpt.dev (ctx2.yaml)"}},
		{"kptfile/missing, and a context", variantOf("  packageContext: {data: {a: b}}\n"), context,
			[]string{"error PackageVariant pv | the list has no Kptfile"}},
		{"context/reserved-key", variantOf("  packageContext: {data: {name: b}}\n"), joined(kptfile, context),
			[]string{`error PackageVariant pv spec.packageContext.data.name | PackageVariant pv: spec.packageContext.data.name: the key "name" is reserved`}},
		{"inject/invalid-annotation", variantOf(""), joined(kptfile, thing("a.yaml", "p", "kpt.dev/config-injection: Required"), thing("b.yaml", "q", `kpt.dev/config-injection: ""`), thing("c.yaml", "r", "kpt.dev/config-injection:")),
			[]string{
				`error Thing p metadata.annotations[kpt.dev/config-injection] | Thing p: the annotation kpt.dev/config-injection: got "Required", want required or optional (did you mean "required"?)`,
				`error Thing q metadata.annotations[kpt.dev/config-injection] | Thing q: the annotation kpt.dev/config-injection: got "", want required or optional`,
				`error Thing r metadata.annotations[kpt.dev/config-injection] | Thing r: the annotation kpt.dev/config-injection: got "", want required or optional`,
			}},
		{"a source that is no cluster", variantOf(""), joined(kptfile, thing("a.yaml", "p", "packs.kpt.dev/source: Cluster")),
			[]string{`error Thing p metadata.annotations[packs.kpt.dev/source] | Thing p: the annotation packs.kpt.dev/source: got "Cluster", want cluster`}},
		{"inject/ambiguous, two points of one type", variantOf(""), joined(kptfile, thing("a.yaml", "p", required), strings.Replace(thing("b.yaml", "p", optional), "ex.com/v1", "other/v2", 1)),
			[]string{"warning Thing p spec |", "error Thing p metadata.annotations[kpt.dev/config-injection] | Thing p (a.yaml) of ex.com/v1 and Thing p (b.yaml) of other/v2 are injection points with one condition type, config.injection.Thing.p"}},
		{"inject/ambiguous, the context", variantOf(""), joined(kptfile, strings.Replace(context, "\ndata:", "\n    "+required+"\ndata:", 1)),
			[]string{"error ConfigMap kptfile.kpt.dev metadata.annotations[kpt.dev/config-injection] | ConfigMap kptfile.kpt.dev can not be an injection point"}},
		{"inject/ambiguous, the Kptfile", variantOf(""), kptfile + "    " + required + "\n",
			[]string{"error Kptfile root metadata.annotations[kpt.dev/config-injection] | Kptfile root can not be an injection point"}},
		{"inject/ambiguous, two objects of one name", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "s", cluster), strings.Replace(thing("b.yaml", "s", cluster), "of: s", "of: t", 1)),
			[]string{`error Thing s | the in-cluster object Thing (ex.com/v1) "s" in namespace default is given twice, with different content: Thing s (a.yaml) and Thing s (b.yaml)`}},
		{"one object twice", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, thing("a.yaml", "s", cluster), thing("b.yaml", "s", cluster)),
			[]string{"info | the package has no injection point"}},
		{"inject/unmatched, required", variantOf(""), joined(kptfile, thing("a.yaml", "p", required)),
			[]string{"warning Thing p spec | Thing p: nothing is injected into this required injection point, and its spec stays as it is: no in-cluster object was selected: the PackageVariant has no injectors"}},
		{"inject/unmatched, optional", variantOf("  injectors: [{kind: X, name: s}]\n"), joined(kptfile, thing("a.yaml", "p", optional)),
			[]string{`info Thing p spec | Thing p: nothing is injected into this optional injection point, and its spec stays as it is: no in-cluster object was selected: injectors[0] (s) is for the kind "X"`}},
		{"variant-set/alias", variantOf("  injectors: {name: s}\n"), joined(kptfile, thing("a.yaml", "p", required), thing("b.yaml", "s", cluster)),
			[]string{
				"warning PackageVariant pv spec.injectors | PackageVariant pv: spec.injectors: got a single mapping, which is read as a list of one",
				`info Thing p spec | Thing p: injects the spec of Thing (ex.com/v1) "s" in namespace default, which sets spec.of`,
			}},
		{"variant/invalid, and everything else", variantOf("  adoptionPolicy: x\n"), joined(kptfile, thing("a.yaml", "p", "kpt.dev/config-injection: x"), thing("b.yaml", "q", required)),
			[]string{
				`error PackageVariant pv spec.adoptionPolicy | PackageVariant pv: spec.adoptionPolicy: got "x", want adoptNone or adoptExisting`,
				`error Thing p metadata.annotations[kpt.dev/config-injection] | Thing p: the annotation`,
			}},
		{"a malformed Kptfile", variantOf("  pipeline: {mutators: [{exec: e}]}\n"), joined(kptfile+"pipeline: []\ninfo: x\n", thing("a.yaml", "p", required)),
			[]string{
				"error Kptfile root info | Kptfile root: info: got text, want a mapping",
				"error Kptfile root pipeline | Kptfile root: pipeline: got a list, want a mapping with mutators and validators",
				"warning Thing p spec | Thing p: nothing is injected",
			}},
		{"a key twice", variantOf("  injectors: [{name: s}]\n"), joined(kptfile+"info: {}\ninfo: {}\n", thing("a.yaml", "p", required)+"spec: {}\n"),
			[]string{
				"error Kptfile root info | Kptfile root: info: the key stands twice",
				"error Thing p spec | Thing p: spec: the key stands twice",
			}},
		{"an anchor", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, strings.Replace(thing("a.yaml", "p", required), "spec:\n", "x: &x {a: b}\nspec: *x\nspec2:\n", 1), thing("b.yaml", "s", cluster)),
			[]string{`info Thing p spec | Thing p: injects the spec of Thing (ex.com/v1) "s" in namespace default`}},
		{"a field that others use", variantOf("  injectors: [{name: s}]\n"), joined(kptfile, strings.Replace(thing("a.yaml", "p", required), "spec:\n", "spec: &x\n", 1)+"y: *x\n", thing("b.yaml", "s", cluster)),
			[]string{"error Thing p | Thing p: can not be edited: "}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, got := evaluate(t, tc.config, tc.documents)
			failed := false
			for i := 0; i < max(len(got), len(tc.want)); i++ {
				switch {
				case i >= len(got):
					t.Errorf("no result %q", tc.want[i])
				case i >= len(tc.want):
					t.Errorf("too much: %q", got[i])
				case !strings.HasPrefix(got[i], tc.want[i]):
					t.Errorf("got  %q\nwant %q", got[i], tc.want[i])
				}
				failed = failed || i < len(got) && strings.HasPrefix(got[i], "error")
			}
			// The case names its rule.
			if rule, _, _ := strings.Cut(tc.name, ","); strings.Contains(rule, "/") && !strings.Contains(strings.Join(got, "\n"), "["+rule+"]") {
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
	mark := func(json, name string) string { return name + "@sha256:" + Digest(parse(t, json).Root()) }
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
	again, results := evaluate(t, config, out)
	if again != out {
		t.Errorf("again:\n%s", cmp.Diff(out, again))
	}
	wanted := []string{
		`info Thing p spec | Thing p: the spec is that of Thing (ex.com/v1) "s" in namespace default already [inject/injected]`,
		`info Thing sub spec | Thing sub: the spec is that of Thing (ex.com/v1) "s2" in namespace default already [inject/injected]`,
	}
	if diff := cmp.Diff(wanted, results); diff != "" {
		t.Error(diff)
	}
	changed := strings.Replace(out, source, strings.Replace(source, "of: s", "of: secret\n  more: x", 1), 1)
	third, results := evaluate(t, config, changed)
	if want := `info Thing p spec | Thing p: Thing (ex.com/v1) "s" in namespace default has changed since the last injection, which sets spec.of; adds spec.more [inject/injected]`; len(results) != 2 || results[0] != want {
		t.Errorf("a changed source: %q", results)
	}
	if !strings.Contains(third, "of: secret") || !strings.Contains(third, mark("{of: secret, more: x}", "s")) {
		t.Errorf("a changed source is not injected:\n%s", third)
	}
	edited := strings.Replace(out, "of: s2 # as it came\n---\n"+source, "of: mine\n---\n"+source, 1)
	if _, results = evaluate(t, config, edited); len(results) != 2 || !strings.Contains(results[1], `the spec was changed since the last injection of Thing (ex.com/v1) "s2" in namespace default, which is undone: sets spec.of`) {
		t.Errorf("an edited point: %q", results)
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
		{"objects", embedded + "  objects: [" + object + "]\n", joined(kptfile, point), []string{"info Thing p spec | Thing p: injects"}, "of: config"},
		{"a List of objects", embedded + "  objects: [{apiVersion: v1, kind: List, items: [" + object + "]}]\n", joined(kptfile, point), []string{"info Thing p spec | Thing p: injects"}, "of: config"},
		{"faulty objects", embedded + "  objects: [text, {kind: Thing}, {apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: 5, metadata: {name: n}}]}]\n", joined(kptfile, point), []string{
			"error InjectConfig c spec.objects[0] | spec.objects[0]: got text, want a resource",
			"error InjectConfig c spec.objects[1].apiVersion | spec.objects[1].apiVersion: is required",
			"error InjectConfig c spec.objects[1].metadata | spec.objects[1].metadata: is required",
			"error InjectConfig c spec.objects[2].items[0].kind | spec.objects[2].items[0].kind: got a number, want text",
			"warning Thing p spec |",
		}, ""},
		{"an unknown field", embedded + "  object: []\n", kptfile, []string{`error InjectConfig c spec.object | spec.object: unknown field; known are severity, packageVariant, packageVariantRef, objects, writeStatus (did you mean "objects"?)`}, ""},
		{"a faulty PackageVariant", "  packageVariant: {metadata: {name: pv}, spec: {upstream: {repo: r, package: p}}}\n", kptfile, []string{"error InjectConfig c spec.packageVariant.spec.downstream | spec.packageVariant.spec.downstream: is required"}, ""},
		{"a PackageVariant that is none", "  packageVariant: text\n", kptfile, []string{"error InjectConfig c spec.packageVariant | spec.packageVariant: got text, want a PackageVariant"}, ""},
		{"a reference", "  packageVariantRef: {name: pv}\n", joined(kptfile, point, pv, thing("b.yaml", "s", cluster)), []string{"info Thing p spec | Thing p: injects"}, "of: s #"},
		{"a reference with a namespace", "  packageVariantRef: {name: pv, namespace: default}\n", joined(kptfile, point, pv, thing("b.yaml", "s", cluster)), []string{"info Thing p spec | Thing p: injects"}, "of: s #"},
		{"a reference to none", "  packageVariantRef: {name: pvv}\n", joined(kptfile, pv), []string{`error InjectConfig c spec.packageVariantRef.name | spec.packageVariantRef.name: no PackageVariant in the list is named "pvv" (did you mean "pv"?)`}, ""},
		{"a reference to another namespace", "  packageVariantRef: {name: pv, namespace: x}\n", joined(kptfile, pv), []string{`error InjectConfig c spec.packageVariantRef.namespace | spec.packageVariantRef.namespace: got "x", but the PackageVariant "pv" is in the namespace default`}, ""},
		{"a reference to two", "  packageVariantRef: {name: pv}\n", joined(kptfile, pv, strings.Replace(pv, "name: pv", "name: pv\n  namespace: b", 1)), []string{`error InjectConfig c spec.packageVariantRef | spec.packageVariantRef: 2 PackageVariants are named "pv", in the namespaces default, b`}, ""},
		{"a reference without a name", "  packageVariantRef: {}\n", kptfile, []string{"error InjectConfig c spec.packageVariantRef.name | spec.packageVariantRef.name: is required"}, ""},
		{"a reference to another version", "  packageVariantRef: {name: pv}\n", joined(kptfile, strings.Replace(pv, "v1alpha1", "v1", 1)), []string{`error PackageVariant pv apiVersion | PackageVariant pv: apiVersion: got "config.porch.kpt.dev/v1", want config.porch.kpt.dev/v1alpha1`}, ""},
		{"both", embedded + "  packageVariantRef: {name: pv}\n", joined(kptfile, pv), []string{"error InjectConfig c spec.packageVariantRef | spec.packageVariantRef: spec.packageVariant is given too"}, ""},
		{"writeStatus", embedded + "  writeStatus: true\n", joined(kptfile, pv), []string{}, "- type: Ready\n      status: \"True\""},
		{"writeStatus without one", embedded + "  writeStatus: true\n", kptfile, []string{"error InjectConfig c spec.writeStatus | spec.writeStatus: the list has no PackageVariant default/pv"}, ""},
		{"writeStatus, of another namespace", embedded + "  writeStatus: true\n", joined(kptfile, strings.Replace(pv, "  name: pv\n", "  name: pv\n  namespace: other\n", 1)), []string{"error InjectConfig c spec.writeStatus | spec.writeStatus: the list has no PackageVariant default/pv"}, ""},
		{"an object with items that is no List", embedded + "  objects: [{apiVersion: ex.com/v1, kind: Thing, metadata: {name: s}, items: [a], spec: {of: config}}]\n", joined(kptfile, point), []string{"info Thing p spec | Thing p: injects"}, "of: config"},
		{"writeStatus beside an error", embedded + "  writeStatus: true\n", joined(kptfile, pv, thing("a.yaml", "p", "kpt.dev/config-injection: x")), []string{"error Thing p"}, ""},
		{"severity", embedded + "  severity: {inject/unmatched: error}\n", joined(kptfile, point), []string{"error Thing p spec | Thing p: nothing is injected"}, "readinessGates"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			out, got := evaluate(t, head+tc.spec, tc.documents)
			for i := 0; i < max(len(got), len(tc.want)); i++ {
				if i >= len(got) || i >= len(tc.want) || !strings.HasPrefix(got[i], tc.want[i]) {
					t.Errorf("got %q\nwant %q", got, tc.want)
					break
				}
			}
			if tc.contains == "" && out != tc.documents || !strings.Contains(out, tc.contains) {
				t.Errorf("got:\n%s\nwant %q in it", out, tc.contains)
			}
		})
	}
}

// The order of the list makes no difference to the Kptfile.
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

// What a point says of its last injection decides how the next one is told.
func TestEarlierInjections(t *testing.T) {
	mark := func(name, spec string) string {
		return "packs.kpt.dev/injected-from: ex.com/v1/Thing/default/" + name + "@sha256:" + Digest(parse(t, spec).Root())
	}
	for _, tc := range []struct{ name, mark, spec, want string }{
		{"none, and equal content", "a: b", "of: s", `the spec is that of Thing (ex.com/v1) "s" in namespace default already`},
		{"of another object, and equal content", mark("old", "of: s"), "of: s", `the spec is that of Thing (ex.com/v1) "s" in namespace default, where it was injected from something else before`},
		{"of another object", mark("old", "of: x"), "of: x", `injects the spec of Thing (ex.com/v1) "s" in namespace default, which sets spec.of`},
		{"of what the object was", mark("s", "of: x"), "of: x", `Thing (ex.com/v1) "s" in namespace default has changed since the last injection, which sets spec.of`},
		{"of what the object is", mark("s", "of: s"), "of: x", `the spec was changed since the last injection of Thing (ex.com/v1) "s" in namespace default, which is undone: sets spec.of`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			point := "apiVersion: ex.com/v1\nkind: Thing\n" + in("a.yaml", "p", required, tc.mark) + "spec:\n  " + tc.spec + "\n"
			_, got := evaluate(t, variantOf("  injectors: [{name: s}]\n"), joined(kptfile, point, thing("s.yaml", "s", cluster)))
			if want := "info Thing p spec | Thing p: " + tc.want + " [inject/injected]"; len(got) != 1 || got[0] != want {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// With files as arguments a PackageVariant among them is the configuration.
func TestFiles(t *testing.T) {
	several := joined(valid, strings.Replace(valid, "pv", "other", 1))
	if _, got := evaluate(t, "", several); len(got) != 1 || !strings.Contains(got[0], "; the list has the PackageVariant pv and 1 more [") {
		t.Errorf("%q", got)
	}
	if f := Function(); !f.AcceptsFiles || len(f.Accepts) != 1 || f.Accepts[0].Kind != Kind {
		t.Errorf("%v of %v", f.AcceptsFiles, f.Accepts)
	}
}
