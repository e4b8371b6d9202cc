package olm

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/blang/semver/v4"
	"github.com/operator-framework/api/pkg/constraints"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/internal/documents"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/rule"
)

// property is a property as OLM has it.
type property struct {
	Type  string `json:"type"`
	Value any    `json:"value"`
}

type object = map[string]any

// bundle is a bundle, from which each form is made.
type bundle struct {
	name, version string
	// kinds are the kinds of the APIs that it owns.
	kinds []string
	// own are other properties, and dependencies what it requires, as in dependencies.yaml.
	own, dependencies []property
}

func (b *bundle) String() string { return b.name + ".v" + b.version }

func api(kind string) object {
	return object{"group": "g.example.com", "version": "v1", "kind": kind}
}

// properties are those that OLM's resolver sees.
func (b *bundle) properties() []property {
	all := []property{{"olm.package", object{"packageName": b.name, "version": b.version}}}
	for _, kind := range b.kinds {
		all = append(all, property{"olm.gvk", api(kind)})
	}
	all = append(all, b.own...)
	for _, d := range b.dependencies {
		value, _ := d.Value.(object)
		switch d.Type {
		case "olm.package":
			all = append(all, property{"olm.package.required", object{"packageName": value["packageName"], "versionRange": value["version"]}})
		case "olm.gvk", "olm.label":
			all = append(all, property{d.Type + ".required", value})
		default:
			all = append(all, d)
		}
	}
	return all
}

func text(value any) string {
	out, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(out)
}

// satisfies is what OLM's resolver makes of a constraint and a bundle.
func satisfies(c constraints.Constraint, b *bundle) bool {
	some := func(of *constraints.CompoundConstraint, holds bool) bool {
		return slices.ContainsFunc(of.Constraints, func(child constraints.Constraint) bool { return satisfies(child, b) == holds })
	}
	switch {
	case c.GVK != nil:
		return c.GVK.Group == "g.example.com" && c.GVK.Version == "v1" && slices.Contains(b.kinds, c.GVK.Kind)
	case c.Package != nil:
		accepts, err := semver.ParseRange(c.Package.VersionRange)
		return err == nil && c.Package.PackageName == b.name && accepts(semver.MustParse(b.version))
	case c.All != nil:
		return !some(c.All, false)
	case c.Any != nil:
		return some(c.Any, true)
	case c.Not != nil:
		return !some(c.Not, true)
	}
	program, err := constraints.NewCelEnvironment().Validate(c.Cel.Rule)
	if err != nil {
		panic(err)
	}
	var properties []any
	if err := json.Unmarshal([]byte(text(b.properties())), &properties); err != nil {
		panic(err)
	}
	holds, err := program.Evaluate(object{"properties": properties})
	return err == nil && holds
}

// unsatisfied are the bundles that have a requirement which no bundle satisfies, by OLM's code. What that
// refuses requires nothing.
func unsatisfied(bundles []*bundle) (names []string) {
	for _, b := range bundles {
		for _, p := range b.properties() {
			var c constraints.Constraint
			value, _ := p.Value.(object)
			switch p.Type {
			case "olm.constraint":
				if refused(text(value)) {
					continue
				}
				c, _ = constraints.Parse(json.RawMessage(text(value)))
			case "olm.package.required":
				c.Package = &constraints.PackageConstraint{PackageName: value["packageName"].(string), VersionRange: value["versionRange"].(string)}
				if refusedLater(c) {
					continue
				}
			case "olm.gvk.required":
				c.GVK = &constraints.GVKConstraint{Group: "g.example.com", Version: "v1", Kind: value["kind"].(string)}
			case "olm.label.required":
				has := func(other *bundle) bool {
					return slices.ContainsFunc(other.own, func(p property) bool {
						label, _ := p.Value.(object)
						return p.Type == "olm.label" && label["label"] == value["label"]
					})
				}
				if !slices.ContainsFunc(bundles, has) {
					names = append(names, b.String())
				}
				continue
			default:
				continue
			}
			if !slices.ContainsFunc(bundles, func(other *bundle) bool { return satisfies(c, other) }) {
				names = append(names, b.String())
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

const scopeBundle = `apiVersion: fn.kpt.dev/v1alpha1
kind: CheckDependencies
metadata: {name: c}
spec: {scope: bundle}
`

// ours are the same bundles by the function, from resources and the text of a catalog. All must be valid.
func ours(t *testing.T, items []*list.Item, catalog string) []string {
	t.Helper()
	names, invalid := verdicts(t, items, catalog)
	if len(invalid) > 0 {
		t.Fatalf("invalid: %q", invalid)
	}
	return names
}

// verdicts are the bundles with a requirement that is not satisfied, and those with one that cannot be read.
func verdicts(t *testing.T, items []*list.Item, catalog string) (names, invalid []string) {
	t.Helper()
	with := dependency.With{Candidates: &dependency.Candidates{
		Candidates: constraint.Candidates{Elsewhere: diag.Error},
		Catalogs: func(yield func(dependency.CatalogDocument) bool) {
			for i, d := range documents.Of(catalog) {
				if !yield(dependency.CatalogDocument{Document: d, File: "catalog", Index: i}) {
					return
				}
			}
		},
	}}
	l := &list.List{Items: items}
	config, err := list.FileItem([]byte(scopeBundle), "config.yaml", 0).Document()
	if err != nil {
		t.Fatal(err)
	}
	l.SetConfig(config.Root())
	for _, f := range function.Evaluate(dependency.FunctionWith(with), l).Findings {
		switch f.Rule {
		case rule.ConstraintUnsatisfied, rule.RequirementUnsatisfied, rule.RequirementElsewhere:
			names = append(names, f.Tags["bundle"])
		case rule.ConstraintInvalid:
			invalid = append(invalid, f.Tags["bundle"])
		case rule.ConstraintScopeDiffers, rule.ConstraintPrerelease, rule.ConstraintTopLevelNot, rule.BundleOLMv1:
		default:
			t.Fatalf("%s: %s", f.Rule.ID, f.Message())
		}
	}
	slices.Sort(names)
	slices.Sort(invalid)
	return slices.Compact(names), slices.Compact(invalid)
}

// directory writes a bundle directory, and returns what is read of it.
func (b *bundle) directory(t *testing.T, dir string) []*list.Item {
	t.Helper()
	var owned []object
	for _, kind := range b.kinds {
		owned = append(owned, object{"name": strings.ToLower(kind) + "s.g.example.com", "version": "v1", "kind": kind})
	}
	for name, value := range map[string]any{
		"metadata/annotations.yaml":  object{"annotations": object{"operators.operatorframework.io.bundle.package.v1": b.name}},
		"metadata/properties.yaml":   object{"properties": append([]property{}, b.own...)},
		"metadata/dependencies.yaml": object{"dependencies": append([]property{}, b.dependencies...)},
		"manifests/csv.yaml": object{"apiVersion": "operators.coreos.com/v1alpha1", "kind": "ClusterServiceVersion", "metadata": object{"name": b.String()},
			"spec": object{"version": b.version, "customresourcedefinitions": object{"owned": owned}}},
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text(value)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	read := olm.ReadBundle(dir, nil)
	items, err := read.Items(filepath.Base(dir))
	if err != nil || len(read.Faults) > 0 {
		t.Fatal(err, read.Faults)
	}
	return items
}

// configMap is the metadata folder of a bundle as a resource. Its APIs are properties.
func (b *bundle) configMap(i int) *list.Item {
	own := []property{{"olm.package", object{"packageName": b.name, "version": b.version}}}
	for _, kind := range b.kinds {
		own = append(own, property{"olm.gvk", api(kind)})
	}
	return list.FileItem([]byte(text(object{"apiVersion": "v1", "kind": "ConfigMap", "metadata": object{"name": b.String()}, "data": object{
		"properties.yaml": text(append(own, b.own...)), "dependencies.yaml": text(append([]property{}, b.dependencies...)),
	}})), fmt.Sprintf("b%d.yaml", i), 0)
}

// drawn is a bundle at random.
func drawn(random *rand.Rand, name, version string) *bundle {
	pick := func(of ...string) string { return of[random.Intn(len(of))] }
	leaf := func() object {
		switch random.Intn(3) {
		case 0:
			return object{"package": object{"packageName": pick("a", "b", "c", "d"), "versionRange": pick(">=1.0.0", ">1.0.0 <2.0.0", "<1.0.0", "2.0.0-rc.1")}}
		case 1:
			return object{"gvk": api(pick("K", "L", "M"))}
		}
		return object{"cel": object{"rule": pick(
			`properties.exists(p, p.type == "olm.package" && p.value.packageName == "b")`,
			`properties.exists(p, p.type == "olm.gvk" && p.value.kind == "L")`,
			`properties.exists(p, p.type == "x" && p.value.n > 2)`,
			`!properties.exists(p, p.value.n == 1)`,
			`properties.exists(p, p.type == "olm.package.required" && p.value.packageName == "a")`,
			`properties.exists(p, p.type == "olm.gvk.required" || p.type == "olm.label.required")`,
			`properties.all(p, p.type != "olm.label")`,
			`properties.exists(p, p.type == "olm.package" && semver_compare(p.value.version, "1.5") > 0)`,
		)}}
	}
	var compound func(depth int) object
	compound = func(depth int) object {
		if depth == 0 || random.Intn(3) == 0 {
			return leaf()
		}
		var children []object
		for range 1 + random.Intn(2) {
			children = append(children, compound(depth-1))
		}
		return object{pick("all", "any", "not"): object{"constraints": children}}
	}
	b := &bundle{name: name, version: version}
	for _, kind := range []string{"K", "L", "M"} {
		if random.Intn(4) == 0 {
			b.kinds = append(b.kinds, kind)
		}
	}
	if random.Intn(2) == 0 {
		b.own = append(b.own, property{"x", object{"n": random.Intn(4)}})
	}
	if random.Intn(3) == 0 {
		b.own = append(b.own, property{"olm.label", object{"label": pick("l", "m")}})
	}
	for range random.Intn(3) {
		switch random.Intn(5) {
		case 0:
			b.dependencies = append(b.dependencies, property{"olm.package", object{"packageName": pick("a", "b", "c", "d"), "version": pick(">=1.0.0", ">1.5.0", "<1.0.0 || 2.x")}})
		case 1:
			b.dependencies = append(b.dependencies, property{"olm.gvk", api(pick("K", "L", "M"))})
		case 2:
			b.dependencies = append(b.dependencies, property{"olm.label", object{"label": pick("l", "m", "n")}})
		default:
			b.dependencies = append(b.dependencies, property{"olm.constraint", compound(3)})
		}
	}
	return b
}

// Bundle directories, catalogs in YAML and JSON, and resources have the verdicts of OLM's code.
func TestForms(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	some := 0
	for n := range 300 {
		var bundles []*bundle
		for _, name := range []string{"a", "b", "c"} {
			for _, version := range []string{"0.9.0", "1.0.0", "1.6.0", "2.0.0-rc.1"}[random.Intn(4):] {
				bundles = append(bundles, drawn(random, name, version))
			}
		}
		want := unsatisfied(bundles)
		some += len(want)
		dir := t.TempDir()
		var directories, configMaps []*list.Item
		var inYAML, inJSON strings.Builder
		for i, b := range bundles {
			directories = append(directories, b.directory(t, filepath.Join(dir, fmt.Sprint(i)))...)
			configMaps = append(configMaps, b.configMap(i))
			written := text(object{"schema": "olm.bundle", "name": b.String(), "package": b.name, "properties": b.properties()})
			fmt.Fprintf(&inYAML, `--- # %s
%s
`, b, written)
			fmt.Fprintf(&inJSON, "%s\n", written)
		}
		for form, got := range map[string][]string{
			"bundle directories": ours(t, directories, ""), "ConfigMaps": ours(t, configMaps, ""),
			"a catalog in YAML": ours(t, nil, inYAML.String()), "a catalog in JSON": ours(t, nil, inJSON.String()),
		} {
			if !slices.Equal(got, want) {
				t.Fatalf("set %d: %s: got %q, OLM says %q\n%s", n, form, got, want, inJSON.String())
			}
		}
	}
	if some < 100 {
		t.Errorf("only %d bundles are unsatisfied; the sets compare too little", some)
	}
}

// broken are requirements that neither OLM nor the function can read, slips of one character among them.
var broken = []property{
	{"olm.package", object{"packageName": "b", "version": ">=v1.0.0"}},
	{"olm.package", object{"packageName": "a", "version": ">=1.0.0, <2.0.0"}},
	{"olm.package", object{"packageName": "c", "version": "^1.0.0"}},
	{"olm.package", object{"packageName": "a", "version": "nonsense"}},
	{"olm.constraint", object{"packag": object{"packageName": "a", "versionRange": ">=1.0.0"}}},
	{"olm.constraint", object{"package": object{"packageName": "a", "versionRange": ">=v1.0.0"}}},
	{"olm.constraint", object{"cel": object{"rule": "properties.exist(p, true)"}}},
	{"olm.constraint", object{"cel": object{"rule": "unknown == 1"}}},
	{"olm.constraint", object{"any": object{"constraints": []object{{"gvk": api("K")}, {"package": object{"packageName": "b", "versionRange": "=>1.0"}}}}}},
}

// A bundle that is invalid hides nothing: it provides what it provides, its other requirements are checked, and
// so are all other bundles.
func TestInvalidBundles(t *testing.T) {
	random := rand.New(rand.NewSource(3))
	count, wrong, some := 0, 0, 0
	for range 250 {
		var bundles []*bundle
		var wantInvalid []string
		for _, name := range []string{"a", "b", "c"} {
			for _, version := range []string{"0.9.0", "1.0.0", "1.6.0"}[random.Intn(3):] {
				b := drawn(random, name, version)
				if random.Intn(3) == 0 {
					b.dependencies = append(b.dependencies, broken[random.Intn(len(broken))])
					wantInvalid = append(wantInvalid, b.String())
				}
				bundles = append(bundles, b)
			}
		}
		slices.Sort(wantInvalid)
		want := unsatisfied(bundles)
		some += len(want)
		var configMaps []*list.Item
		var catalog strings.Builder
		for i, b := range bundles {
			configMaps = append(configMaps, b.configMap(i))
			fmt.Fprintf(&catalog, `---
%s
`, text(object{"schema": "olm.bundle", "name": b.String(), "package": b.name, "properties": b.properties()}))
		}
		for _, form := range []struct {
			items   []*list.Item
			catalog string
		}{{configMaps, ""}, {nil, catalog.String()}} {
			got, invalid := verdicts(t, form.items, form.catalog)
			if !slices.Equal(invalid, wantInvalid) {
				t.Errorf("invalid are %q, want %q\n%s", invalid, wantInvalid, catalog.String())
			}
			for _, b := range bundles {
				if count++; slices.Contains(got, b.String()) != slices.Contains(want, b.String()) {
					wrong++
					t.Errorf("%s: unsatisfied are %q, OLM says %q\n%s", b, got, want, catalog.String())
				}
			}
		}
		if t.Failed() {
			break
		}
	}
	t.Logf("%d of %d verdicts differ", wrong, count)
	if count < 1000 || some < 100 {
		t.Errorf("only %d verdicts with %d unsatisfied bundles were compared", count, some)
	}
}
