package variant

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestChoose(t *testing.T) {
	c := &Cluster{}
	for i, o := range []Object{
		{"v1", "ConfigMap", "", "foo"}, {"v1", "ConfigMap", "default", "bar"},
		{"ex.com/v1", "Thing", "default", "foo"}, {"ex.com/v1", "Thing", "default", "bar"},
		{"ex.com/v1", "Thing", "other", "far"}, {"ex.com/v2", "Thing", "default", "newer"},
	} {
		if _, isDuplicate := c.Add(o, i); isDuplicate {
			t.Fatal("duplicate", o)
		}
	}
	if other, isDuplicate := c.Add(Object{"v1", "ConfigMap", "default", "foo"}, 9); !isDuplicate || other != 0 {
		t.Error("no namespace is the default one")
	}
	configMap := Point{APIVersion: "v1", Kind: "ConfigMap", Name: "p"}
	thing := Point{APIVersion: "ex.com/v1", Kind: "Thing", Name: "q"}
	for _, tc := range []struct {
		name, injectors string
		point           Point
		want            string
		why             []string
	}{
		{"by name alone, whatever the kind", "[{name: foo}]", configMap, `ConfigMap (v1) "foo" in namespace default`, nil},
		{"by name alone, another kind", "[{name: foo}]", thing, `Thing (ex.com/v1) "foo" in namespace default`, nil},
		// The document's note on selectors: GVK1 foo, GVK2 bar.
		{"GVK1 foo", "[{group: '', version: v1, kind: ConfigMap, name: foo}, {group: ex.com, kind: Thing, name: bar}]", configMap, `ConfigMap (v1) "foo" in namespace default`, nil},
		{"GVK2 bar", "[{group: '', version: v1, kind: ConfigMap, name: foo}, {group: ex.com, kind: Thing, name: bar}]", thing, `Thing (ex.com/v1) "bar" in namespace default`, nil},
		{"the first that matches wins", "[{name: absent}, {name: bar}, {name: foo}]", configMap, `ConfigMap (v1) "bar" in namespace default`, nil},
		{"the empty group is the core group", "[{group: '', name: foo}]", thing, "", []string{`injectors[0] (foo) is for the group ""`}},
		{"a group left open is any", "[{kind: Thing, name: foo}]", thing, `Thing (ex.com/v1) "foo" in namespace default`, nil},
		{"each field of the GVK has to fit", "[{group: x, name: foo}, {version: v2, name: foo}, {kind: Pod, name: foo}]", thing, "",
			[]string{`injectors[0] (foo) is for the group "x"`, `injectors[1] (foo) is for the version "v2"`, `injectors[2] (foo) is for the kind "Pod"`}},
		{"of another namespace", "[{name: far}]", thing, "", []string{`injectors[0] (far) finds no Thing (ex.com/v1) "far" in namespace default (there is one in namespace other)`}},
		{"of another version", "[{name: newer}]", thing, "", []string{`injectors[0] (newer) finds no Thing (ex.com/v1) "newer" in namespace default (there is one of apiVersion ex.com/v2)`}},
		{"of another kind", "[{name: xy}]", configMap, "", []string{`injectors[0] (xy) finds no ConfigMap (v1) "xy" in namespace default`}},
		{"a typo", "[{name: fooo}]", thing, "", []string{`injectors[0] (fooo) finds no Thing (ex.com/v1) "fooo" in namespace default (did you mean "foo"?)`}},
		{"by the point", "[{point: x, name: foo}, {point: q, name: bar}]", thing, `Thing (ex.com/v1) "bar" in namespace default`, nil},
		{"none", "[]", thing, "", []string{"the PackageVariant has no injectors"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			chosen, _, ok, why := readValid(t, "  injectors: "+tc.injectors+"\n").Choose(tc.point, c)
			got := ""
			if ok {
				got = chosen.String()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(strings.Join(tc.why, "; "), why); diff != "" {
				t.Error(diff)
			}
		})
	}
	v := readValid(t, "  injectors: [{name: foo}]\n")
	v.Namespace = "other"
	if chosen, place, ok, _ := v.Choose(configMap, c); !ok || place != 0 || chosen.Namespace != "" {
		t.Errorf("an object without a namespace is of every namespace: %v, %d", chosen, place)
	}
	if _, _, ok, _ := v.Choose(thing, c); ok {
		t.Error("an object of another namespace is chosen")
	}
	v = readValid(t, "  injectors: [{name: far}]\n")
	v.Namespace = "other"
	if _, place, ok, _ := v.Choose(thing, c); !ok || place != 4 {
		t.Error("the namespace is the PackageVariant's")
	}
}

func TestInject(t *testing.T) {
	digest := func(json string) string {
		sum := sha256.Sum256([]byte(json))
		return hex.EncodeToString(sum[:])[:12]
	}
	const head = "apiVersion: ex.com/v1\nkind: Thing\nmetadata:\n  name: p\n  annotations: # a\n    kpt.dev/config-injection: optional\n"
	marks := func(json string) string {
		return "    kpt.dev/injected-resource-name: src\n    kpt.dev/injected-resource: src\n    packs.kpt.dev/injected-from: ex.com/v1/Thing/default/src@sha256:" + digest(json) + "\n"
	}
	from := Object{"ex.com/v1", "Thing", "default", "src"}
	for _, tc := range []struct {
		name, before, source, want string
		condition                  Condition
	}{
		{"the spec, whole", head + "spec: {x: 1}\nstatus: kept\n", "spec: {b: [1, 1.50, \"<é\\n\"], a: true}\ndata: {no: t}\n",
			head + marks(`{"a":true,"b":[1,1.5,"<é\n"]}`) + "spec: {b: [1, 1.50, \"<é\\n\"], a: true}\nstatus: kept\n",
			Condition{"config.injection.Thing.p", "True", "ConfigInjected", `injected spec of Thing (ex.com/v1) "src" in namespace default`}},
		{"no spec yet", head, "spec:\n  a: {}\n", head + marks(`{"a":{}}`) + "spec:\n  a: {}\n",
			Condition{"config.injection.Thing.p", "True", "ConfigInjected", `injected spec of Thing (ex.com/v1) "src" in namespace default`}},
		{"what is equal stays as it is written", head + "spec:\n  # why\n  x:   1.0 # one\n", "spec: {x: 1.00}\n", head + marks(`{"x":1}`) + "spec:\n  # why\n  x:   1.0 # one\n",
			Condition{"config.injection.Thing.p", "True", "ConfigInjected", `injected spec of Thing (ex.com/v1) "src" in namespace default`}},
		{"aliases of the source", head, "base: &b {k: v}\nspec:\n  a: *b\n  c: {<<: *b, l: w}\n", head + marks(`{"a":{"k":"v"},"c":{"k":"v","l":"w"}}`) + "spec:\n  a: {k: v}\n  c: {l: w, k: v}\n",
			Condition{"config.injection.Thing.p", "True", "ConfigInjected", `injected spec of Thing (ex.com/v1) "src" in namespace default`}},
		{"the source lacks the field", head + marks("old") + "spec: {x: 1}\n", "data: {a: b}\n", head + "spec: {x: 1}\n",
			Condition{"config.injection.Thing.p", "False", "FieldMissing", `Thing (ex.com/v1) "src" in namespace default has no field spec`}},
		{"the field is null", head + "spec: {x: 1}\n", "spec:\n", head + "spec: {x: 1}\n",
			Condition{"config.injection.Thing.p", "False", "FieldMissing", `Thing (ex.com/v1) "src" in namespace default has no field spec`}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := parse(t, tc.before)
			p, fault := ReadPoint(d.Root())
			if fault != nil || p.Required {
				t.Fatal("no optional point")
			}
			got, faults := Inject(p, d, from, parse(t, tc.source).Root(), false)
			if faults != nil || got.Document.Text() != tc.want {
				t.Fatalf("%v, got:\n%s\nwant:\n%s", faults, got.Document.Text(), tc.want)
			}
			if diff := cmp.Diff(tc.condition, got.Condition); diff != "" {
				t.Error(diff)
			}
			again, faults := Inject(p, got.Document, from, parse(t, tc.source).Root(), false)
			if faults != nil || again.Document.Text() != tc.want {
				t.Errorf("again: %v %+v\n%s", faults, again, again.Document.Text())
			}
		})
	}
}

func TestInjectConfigMap(t *testing.T) {
	d := parse(t, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p, annotations: {kpt.dev/config-injection: required}}\ndata:\n  old: x\nspec: {x: 1}\n")
	p, _ := ReadPoint(d.Root())
	got, faults := Inject(p, d, Object{"v1", "ConfigMap", "default", "s"}, parse(t, "data:\n  a: \"1\"\nspec: {y: 2}\n").Root(), false)
	if faults != nil || !p.Required || !strings.HasSuffix(got.Document.Text(), "data:\n  a: \"1\"\nspec: {x: 1}\n") {
		t.Errorf("%v\n%s", faults, got.Document.Text())
	}
}

// A ConfigMap of another group is not a ConfigMap.
// Messages stay short, and a run fast, however many injectors there are.
func TestChooseAmongMany(t *testing.T) {
	c := &Cluster{}
	c.Add(Object{"ex.com/v1", "Thing", "", "east"}, 0)
	thing := Point{APIVersion: "ex.com/v1", Kind: "Thing", Name: "p"}
	v := readValid(t, "  injectors: ["+strings.Repeat("{name: eastt}, {name: east, kind: Pod}, ", 10)+"]\n")
	_, _, ok, why := v.Choose(thing, c)
	reasons := strings.Split(why, "; ")
	if ok || len(reasons) != namedInjectors+1 || reasons[namedInjectors] != "and 4 more" || !strings.HasSuffix(reasons[14], `(did you mean "east"?)`) {
		t.Errorf("%v %q", ok, reasons)
	}
	v.Spec.Injectors = append(v.Spec.Injectors, Injector{Name: "east"})
	if _, _, ok, _ := v.Choose(thing, c); !ok {
		t.Error("the last of many injectors is not looked at")
	}
	for i := range mostHints + 1 {
		v.Spec.Injectors = []Injector{{Name: fmt.Sprintf("eas%c", '0'+i)}}
		_, _, _, why = v.Choose(thing, c)
		if hinted, want := strings.Contains(why, "did you mean"), i < mostHints-1; hinted != want {
			t.Errorf("missing object %d: %q", i, why)
		}
	}
}

func TestPointField(t *testing.T) {
	for apiVersion, want := range map[string]string{"v1": "data", "ex.com/v1": "spec"} {
		if got := (Point{APIVersion: apiVersion, Kind: "ConfigMap"}).Field(); got != want {
			t.Errorf("%s: %s", apiVersion, got)
		}
	}
	if got := (Point{APIVersion: "v1", Kind: "Service"}).Field(); got != "spec" {
		t.Errorf("a core Service: %s", got)
	}
}

func TestLeave(t *testing.T) {
	const marked = "metadata:\n  annotations:\n    kpt.dev/injected-resource: a\n    kpt.dev/injected-resource-name: a\n    mine: x # m\n    packs.kpt.dev/injected-from: b\nspec: {x: 1} # default\n"
	got, faults := leave(Point{APIVersion: "a/v1", Kind: "K", Name: "n"}, parse(t, marked), "because")
	want := "metadata:\n  annotations:\n    mine: x # m\nspec: {x: 1} # default\n"
	if faults != nil || got.Document.Text() != want {
		t.Errorf("%v\n%s", faults, got.Document.Text())
	}
	if diff := cmp.Diff(Condition{"config.injection.K.n", "False", "NoResourceSelected", "no in-cluster object was selected: because"}, got.Condition); diff != "" {
		t.Error(diff)
	}
}

// The digest is that of canonical JSON, however the value is written.
func TestDigest(t *testing.T) {
	for _, text := range []string{"b: 1\na: [x, null]", "{a: ['x', ~], b: 0x1}"} {
		sum := sha256.Sum256([]byte(`{"a":["x",null],"b":1}`))
		if got, want := digest(parse(t, text).Root()), hex.EncodeToString(sum[:])[:12]; got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
