package upgrade_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/capacity"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/packfn/internal/upgrade"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/schema"
)

// This file compares what upgrade reports with a second comparison of the files of public
// packs. That one has no code of the suite: it reads plain maps.

// functions are those whose findings an upgrade compares, and the one that applies presets.
var functions = []function.Function{schema.Function(), dependency.Function(), capacity.Function(), preset.Function()}

// publicPack is a pack directory as plain maps.
type publicPack struct {
	dir, name, version string
	values             map[string]any
	schema             map[string]string
	presets            []publicPreset
	dependencies       []publicDependency
	resources          []any
}

type publicPreset struct {
	Name, Group string
	Remove      []string
	Add         any
}

type publicDependency struct{ PackName, Layer, MinVersion, MaxVersion, Type string }

func readPublic(t *testing.T, dir string) *publicPack {
	t.Helper()
	p := &publicPack{dir: dir, values: map[string]any{}, schema: map[string]string{}}
	read := func(name string, into any, unmarshal func([]byte, any) error) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			err = unmarshal(text, into)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatalf("%s: %s: %v", dir, name, err)
		}
	}
	var metadata struct {
		Name, Version string
		Constraints   struct {
			Dependencies []publicDependency
			Resources    []any
		}
	}
	var schema map[string]struct{ Schema string }
	var presets struct{ Presets []publicPreset }
	decode := func(text []byte, into any) error { return yaml.Unmarshal(text, into) }
	read("pack.json", &metadata, json.Unmarshal)
	read("values.yaml", &p.values, decode)
	read("schema.yaml", &schema, decode)
	read("presets.yaml", &presets, decode)
	p.name, p.version = metadata.Name, metadata.Version
	p.dependencies, p.resources = metadata.Constraints.Dependencies, metadata.Constraints.Resources
	for key, entry := range schema {
		p.schema[key] = entry.Schema
	}
	for _, preset := range presets.Presets {
		if text, ok := preset.Add.(string); ok {
			preset.Add = nil
			if err := yaml.Unmarshal([]byte(text), &preset.Add); err != nil {
				t.Fatalf("%s: the preset %s: %v", dir, preset.Name, err)
			}
		}
		p.presets = append(p.presets, preset)
	}
	if p.values == nil {
		p.values = map[string]any{}
	}
	return p
}

// requireEmpty returns a copy of a pack whose schema requires a value that is empty: no
// public pack begins to require one.
func requireEmpty(t *testing.T, p *publicPack) *publicPack {
	t.Helper()
	all := flatten(p.values)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		key := strings.ReplaceAll(path, zero, ".")
		if _, known := p.schema[key]; known || path == "" || !isEmpty(all[path]) {
			continue
		}
		return copyPack(t, p, fmt.Sprintf(`
%q:
  schema: '{{ required }}'
`, key))
	}
	return p
}

// copyPack copies a pack without its charts, of which plain maps know nothing. schema is added to its
// schema.
func copyPack(t *testing.T, p *publicPack, schema string) *publicPack {
	t.Helper()
	dir := filepath.Join(t.TempDir(), filepath.Base(p.dir))
	for _, name := range []string{"pack.json", "values.yaml", "schema.yaml", "presets.yaml"} {
		text, err := os.ReadFile(filepath.Join(p.dir, name))
		if name == "schema.yaml" {
			text = append(text, schema...)
		}
		if os.IsNotExist(err) && len(text) == 0 {
			continue
		}
		if err := errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, name), text, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return readPublic(t, dir)
}

// versionParts are the numbers in a version, by which versions are ordered.
func versionParts(version string) []int {
	var parts []int
	for _, digits := range regexp.MustCompile(`\d+`).FindAllString(version, -1) {
		n, _ := strconv.Atoi(digits)
		parts = append(parts, n)
	}
	return parts
}

// A path in values is its keys. They are joined with a zero byte in maps.
const zero = "\x00"

// flatten returns the values that are not a mapping with entries, by their paths.
func flatten(v any, keys ...string) map[string]any {
	mapping, ok := v.(map[string]any)
	if !ok || len(mapping) == 0 {
		return map[string]any{strings.Join(keys, zero): v}
	}
	all := map[string]any{}
	for key, below := range mapping {
		maps.Copy(all, flatten(below, append(slices.Clone(keys), key)...))
	}
	return all
}

func get(v any, path string) (any, bool) {
	for _, key := range strings.Split(path, zero) {
		mapping, _ := v.(map[string]any)
		below, ok := mapping[key]
		if !ok {
			return nil, false
		}
		v = below
	}
	return v, true
}

func set(v map[string]any, path string, value any) {
	keys := strings.Split(path, zero)
	for _, key := range keys[:len(keys)-1] {
		below, ok := v[key].(map[string]any)
		if !ok {
			below = map[string]any{}
			v[key] = below
		}
		v = below
	}
	v[keys[len(keys)-1]] = value
}

// search finds the value of a path with dots, of which some may be in keys.
func search(v any, path string) (any, bool) {
	mapping, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	parts := strings.Split(path, ".")
	for i := 1; i <= len(parts); i++ {
		below, ok := mapping[strings.Join(parts[:i], ".")]
		if ok && i == len(parts) {
			return below, true
		}
		if ok {
			if found, ok := search(below, strings.Join(parts[i:], ".")); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// merge merges values over others: mappings deeply, and all else replaces.
func merge(below, above any) any {
	a, isBelow := below.(map[string]any)
	b, isAbove := above.(map[string]any)
	if !isBelow || !isAbove {
		return above
	}
	merged := maps.Clone(a)
	for key, value := range b {
		if old, ok := a[key]; ok {
			value = merge(old, value)
		}
		merged[key] = value
	}
	return merged
}

func clone(v any) any {
	if mapping, ok := v.(map[string]any); ok {
		copied := map[string]any{}
		for key, value := range mapping {
			copied[key] = clone(value)
		}
		return copied
	}
	return v
}

// remove removes a path with dots.
func remove(v any, path string) {
	mapping, ok := v.(map[string]any)
	if !ok {
		return
	}
	parts := strings.Split(path, ".")
	for i := 1; i < len(parts); i++ {
		if below, ok := mapping[strings.Join(parts[:i], ".")]; ok {
			if _, ok := search(below, strings.Join(parts[i:], ".")); ok {
				remove(below, strings.Join(parts[i:], "."))
				return
			}
		}
	}
	delete(mapping, path)
}

func (p *publicPreset) apply(v map[string]any) map[string]any {
	v = clone(v).(map[string]any)
	for _, path := range p.Remove {
		remove(v, path)
	}
	if p.Add == nil {
		return v
	}
	return merge(v, p.Add).(map[string]any)
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

var requiredStage = regexp.MustCompile(`(^|[{|\s])required\s*([|}]|$)`)

// isRequired reports whether a schema's template has the stage required.
func isRequired(template string) bool {
	return requiredStage.MatchString(regexp.MustCompile(`"(\\.|[^"\\])*"`).ReplaceAllString(template, ""))
}

// change returns another value of the same kind.
func change(v any) any {
	switch v := v.(type) {
	case bool:
		return !v
	case int:
		return v + 1
	case string:
		return v + "x"
	case []any:
		return append(slices.Clone(v), "x")
	case map[string]any:
		return map[string]any{"x": "y"}
	}
	return "x"
}

// A pair is a pack in two versions, with what a user has set.
type pair struct {
	older, newer *publicPack
	preset       *publicPreset
	// edits are what the user changed in the pack's values, and overrides what others
	// set.
	edits, overrides map[string]any
}

// choose makes edits and overrides of a part of the values. They depend on the pack alone,
// not on where it is.
func (p *pair) choose() {
	seed := fnv.New64()
	seed.Write([]byte(p.older.name + "@" + p.older.version))
	random := rand.New(rand.NewPCG(seed.Sum64(), 1))
	p.edits, p.overrides = map[string]any{}, map[string]any{}
	if len(p.older.presets) > 0 {
		p.preset = &p.older.presets[random.IntN(len(p.older.presets))]
	}
	base := flatten(p.base())
	for _, path := range slices.Sorted(maps.Keys(base)) {
		key := strings.ReplaceAll(path, zero, ".")
		_, isChecked := p.older.schema[key]
		_, willBe := p.newer.schema[key]
		switch value := base[path]; {
		case path == "":
		case random.IntN(4) == 0 && (isChecked || willBe):
			p.overrides[path] = value // that the schema may refuse another value is not tested here
		case random.IntN(4) == 0:
			maps.Copy(p.overrides, flatten(change(value), strings.Split(path, zero)...))
		case random.IntN(4) == 0 && !isChecked && !willBe && len(p.edits) < 8:
			maps.Copy(p.edits, flatten(change(value), strings.Split(path, zero)...))
		}
	}
}

// base returns the values of the older version after its preset was applied, and
// next the values of the newer version.
func (p *pair) base() map[string]any { return applied(p.older, p.preset) }
func (p *pair) next() map[string]any { return applied(p.newer, p.preset) }

func applied(of *publicPack, preset *publicPreset) map[string]any {
	if own := find(of, preset); own != nil {
		return own.apply(of.values)
	}
	return of.values
}

func find(in *publicPack, preset *publicPreset) *publicPreset {
	for i := range in.presets {
		if preset != nil && in.presets[i].Name == preset.Name && in.presets[i].Group == preset.Group {
			return &in.presets[i]
		}
	}
	return nil
}

// carried are the newer values with the user's edits.
func (p *pair) carried() map[string]any {
	result := clone(p.next()).(map[string]any)
	for path, value := range p.edits {
		if !p.isBlocked(path) {
			set(result, path, value)
		}
	}
	return result
}

// hasPlace reports whether the newer version has as much of a path as the older one, or an empty
// mapping that takes any key.
func (p *pair) hasPlace(whole string) bool {
	path := whole
	for {
		if _, ok := get(p.base(), path); ok {
			_, ok := get(p.next(), path)
			return ok || p.isOpen(whole)
		}
		at := strings.LastIndex(path, zero)
		if at < 0 {
			return true
		}
		path = path[:at]
	}
}

// isOpen reports whether what the newer version has of a path ends in an empty mapping, or in null.
func (p *pair) isOpen(path string) bool {
	for at := strings.LastIndex(path, zero); at > 0; at = strings.LastIndex(path[:at], zero) {
		if v, ok := get(p.next(), path[:at]); ok {
			mapping, isMapping := v.(map[string]any)
			return v == nil || isMapping && len(mapping) == 0
		}
	}
	return false
}

// isBlocked reports whether the newer version has something else than a mapping where a
// path goes through a mapping that has other values, too.
func (p *pair) isBlocked(path string) bool {
	for i := range len(path) {
		if path[i] != zero[0] {
			continue
		}
		was, _ := get(p.base(), path[:i])
		if mapping, _ := was.(map[string]any); len(mapping) == 0 {
			continue
		}
		if v, ok := get(p.next(), path[:i]); ok && v != nil {
			if _, ok := v.(map[string]any); !ok {
				return true
			}
		}
	}
	return false
}

const kubernetesMinor = 28

// want is what an upgrade is to report, by severity, rule and key.
func (p *pair) want() []string {
	var want []string
	add := func(severity, rule, key string) {
		want = append(want, severity+" upgrade/"+rule+" "+strings.ReplaceAll(key, zero, "."))
	}
	base, next := p.base(), p.next()
	isSet := func(path string) bool {
		for _, all := range []map[string]any{p.edits, p.overrides} {
			for at := range all {
				if path == at || strings.HasPrefix(path, at+zero) {
					return true
				}
			}
		}
		return false
	}
	for path := range p.edits {
		if p.isBlocked(path) {
			add("error", "orphaned-value", path)
		} else if !p.hasPlace(path) {
			add("warning", "orphaned-value", path)
		}
	}
	for path := range p.overrides {
		if !p.hasPlace(path) {
			add("warning", "orphaned-value", path)
		}
	}
	var compare func(path string, was, now any)
	compare = func(path string, was, now any) {
		older, isOlder := was.(map[string]any)
		newer, isNewer := now.(map[string]any)
		if !isOlder || !isNewer {
			isFilled := isOlder && len(older) == 0 && hasBelow(p.edits, path)
			if !isFilled && !reflect.DeepEqual(was, now) {
				add("info", "changed-default", path)
			}
			return
		}
		isMore := false
		for key, value := range newer {
			below := strings.TrimPrefix(path+zero+key, zero)
			if isSet(below) {
				continue
			}
			was, ok := older[key]
			if ok {
				compare(below, was, value)
				continue
			}
			isMore = isMore || !hasBelow(p.edits, below)
		}
		if isMore {
			add("info", "added", path)
		}
	}
	compare("", base, next)
	if slices.ContainsFunc(p.newer.presets, func(one publicPreset) bool { return find(p.older, &one) == nil }) {
		add("info", "added", "")
	}
	for key := range p.newer.schema {
		if _, ok := p.older.schema[key]; !ok {
			add("info", "added", "")
			break
		}
	}
	before, after := clone(base).(map[string]any), p.carried()
	for path, value := range p.edits {
		set(before, path, value)
	}
	overrides := map[string]any{}
	for path, value := range p.overrides {
		set(overrides, path, value)
	}
	effectiveBefore, effectiveAfter := merge(before, overrides), merge(after, overrides)
	for key, template := range p.newer.schema {
		now, _ := search(effectiveAfter, key)
		was, _ := search(effectiveBefore, key)
		if isRequired(template) && isEmpty(now) && !(isRequired(p.older.schema[key]) && isEmpty(was)) {
			add("error", "newly-required", key)
		}
	}
	if p.preset != nil {
		if other := find(p.newer, p.preset); other == nil || !sameSet(other.Remove, p.preset.Remove) || !reflect.DeepEqual(other.Add, p.preset.Add) {
			add("warning", "preset", "")
		}
	}
	for i, d := range p.newer.dependencies {
		if d.Type == "upgrade" || slices.Contains(p.older.dependencies, d) {
			continue
		}
		severity, key := "info", fmt.Sprintf("constraints.dependencies[%d]", i)
		switch {
		case d.PackName == "kubernetes":
			if minimum := versionParts(d.MinVersion); len(minimum) > 1 && minimum[1] > kubernetesMinor {
				severity, key = "error", "system.kubernetes.version"
			}
		case d.Type == "required":
			severity, key = "error", key+".packName"
		}
		add(severity, "requirement", key)
	}
	for i, r := range p.newer.resources {
		if !slices.ContainsFunc(p.older.resources, func(old any) bool { return reflect.DeepEqual(old, r) }) {
			add("info", "requirement", fmt.Sprintf("constraints.resources[%d]", i))
		}
	}
	slices.Sort(want)
	return want
}

// hasBelow reports whether there is a value below a path.
func hasBelow(all map[string]any, path string) bool {
	for at := range all {
		if strings.HasPrefix(at, path+zero) {
			return true
		}
	}
	return false
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// mayRefuse reports whether the newer schema may refuse a value that the older one
// accepted.
func (p *pair) mayRefuse(key string) bool {
	template, ok := p.newer.schema[regexp.MustCompile(`\[\d+\]`).ReplaceAllString(key, ".$[]")]
	if !ok {
		return false
	}
	was, _ := search(p.base(), key)
	now, _ := search(p.next(), key)
	return template != p.older.schema[key] || !reflect.DeepEqual(was, now)
}

const clusterContext = `apiVersion: packs.kpt.dev/v1alpha1
kind: ClusterContext
metadata: {name: c}
spec:
  system: {kubernetes: {version: 1.%d.0}}
  machinePools:
  - {name: masters, role: control-plane, size: 9, instanceType: huge}
  - {name: workers, role: worker, size: 9, instanceType: huge}
  instanceTypes:
  - {name: huge, capacity: {cpu: "999", memory: 999Gi, diskSize: 999Gi}}
`

// make writes the package of a pair to a folder: the older version with the preset, the
// edits and the overrides.
func (p *pair) make(t *testing.T, dir string, form transfer.Form) {
	t.Helper()
	var area staging.Area
	plan, err := transfer.Import(dir, []string{p.older.dir}, transfer.Options{Form: form})
	if err == nil {
		err = area.Write(t.Context(), plan.Changes)
	}
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("context.yaml", fmt.Sprintf(clusterContext, kubernetesMinor))
	kptfile := `apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: x}
`
	if p.preset != nil {
		name := p.preset.Name
		if p.preset.Group != "" {
			name = p.preset.Group + ":" + name
		}
		write("Kptfile", kptfile+`pipeline:
  mutators:
  - {exec: apply-preset, configPath: preset.yaml}
`)
		write("preset.yaml", fmt.Sprintf(`apiVersion: fn.kpt.dev/v1alpha1
kind: ApplyPreset
metadata: {name: p, annotations: {config.kubernetes.io/local-config: "true"}}
spec: {presets: [{pack: %q, name: %q}]}
`, p.older.name, name))
		files, err := workspace.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		tree, err := workspace.Load(files)
		if err != nil {
			t.Fatal(err)
		}
		result, err := tree.Render(workspace.Options{Functions: functions})
		if err != nil || result.Failed {
			t.Fatalf("the preset %s: %v, %+v", name, err, result)
		}
		if err := area.Write(t.Context(), tree.Changes(result.Items)); err != nil {
			t.Fatal(err)
		}
	}
	write("Kptfile", kptfile)
	if len(p.edits) > 0 {
		path := plan.Changes[0].Path
		resource := readResource(t, path)
		own := clone(p.base()).(map[string]any)
		for at, value := range p.edits {
			set(own, at, value)
		}
		text, err := yaml.Marshal(own)
		if err != nil {
			t.Fatal(err)
		}
		in, key := "data", "values.yaml"
		if form == transfer.Pack {
			in, key = "spec", "values"
		}
		resource[in].(map[string]any)[key] = string(text)
		if text, err = yaml.Marshal(resource); err != nil {
			t.Fatal(err)
		}
		write(filepath.Base(path), string(text))
	}
	if len(p.overrides) > 0 {
		over := map[string]any{}
		for at, value := range p.overrides {
			set(over, at, value)
		}
		text, err := yaml.Marshal(map[string]any{"apiVersion": "packs.kpt.dev/v1alpha1", "kind": "PackValues", "metadata": map[string]any{"name": "over"},
			"spec": map[string]any{"packRef": map[string]any{"name": p.older.name}, "values": over}})
		if err != nil {
			t.Fatal(err)
		}
		write("over.yaml", string(text))
	}
}

func readResource(t *testing.T, path string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(path)
	var resource map[string]any
	if err == nil {
		err = yaml.Unmarshal(text, &resource)
	}
	if err != nil {
		t.Fatal(err)
	}
	return resource
}

// ownValues are the values in the resource of a pack.
func ownValues(t *testing.T, path string, form transfer.Form) map[string]any {
	t.Helper()
	resource := readResource(t, path)
	own := map[string]any{}
	in, key := "data", "values.yaml"
	if form == transfer.Pack {
		in, key = "spec", "values"
	}
	text, _ := resource[in].(map[string]any)[key].(string)
	if err := yaml.NewDecoder(bytes.NewReader([]byte(text))).Decode(&own); err != nil && text != "" {
		t.Fatal(err)
	}
	return own
}

// checkSame upgrades a pack to the version that is there: no byte changes.
func checkSame(t *testing.T, dir, older string) {
	t.Helper()
	plan, err := upgrade.New(dir, []string{older}, upgrade.Options{Check: check.Options{Functions: functions}})
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range plan.Changes {
		before, err := os.ReadFile(change.Path)
		if err != nil {
			t.Fatal(err)
		}
		// The charts of the corpus are not complete.
		if diff := gocmp.Diff(string(before), string(change.Text)); diff != "" {
			t.Errorf("the same version changes %s:\n%s", change.Path, diff)
		}
	}
}

// Between each two versions of a public pack, upgrade reports what a comparison of plain
// maps finds, and nothing else; what it writes has the user's edits.
func TestPublicPacks(t *testing.T) {
	byName := map[string][]*publicPack{}
	for _, file := range functiontest.Corpus(t, "packs/*/pack.json") {
		p := readPublic(t, filepath.Dir(file))
		byName[p.name] = append(byName[p.name], p)
	}
	found := map[string]int{}
	type update struct {
		pair
		number int // of the versions before it
	}
	var updates []*update
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		versions := byName[name]
		slices.SortFunc(versions, func(a, b *publicPack) int {
			return cmp.Or(slices.Compare(versionParts(a.version), versionParts(b.version)), cmp.Compare(a.version, b.version))
		})
		for i := 1; i < len(versions); i++ {
			updates = append(updates, &update{pair{older: versions[i-1], newer: versions[i]}, i})
		}
	}
	for _, p := range cases.Some(updates, 3) {
		t.Run(fmt.Sprintf("%s/%s/%s", p.older.name, p.older.version, p.newer.version), func(t *testing.T) {
			form := []transfer.Form{transfer.ConfigMap, transfer.Pack}[p.number%2]
			p.newer = copyPack(t, p.newer, "")
			if p.number%3 == 0 {
				p.newer = requireEmpty(t, p.newer)
			}
			p.choose()
			dir := filepath.Join(t.TempDir(), "p")
			p.make(t, dir, form)
			checkSame(t, dir, p.older.dir)
			plan, err := upgrade.New(dir, []string{p.newer.dir}, upgrade.Options{From: p.older.dir, Check: check.Options{Functions: functions}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range plan.Report.Findings {
				isWarning := f.Severity == diag.Warning && (f.Rule == "upgrade/format" || f.Rule == "upgrade/requirement")
				if isWarning || f.Rule == "upgrade/format" && p.mayRefuse(f.Key) {
					continue
				}
				// The package has no facts of its charts, and the newer version has.
				if f.Rule == "upgrade/format" && strings.Contains(f.Message, "(values/chart-schema)") {
					continue
				}
				key := f.Key
				if key == "" && f.Rule == "upgrade/requirement" {
					key = strings.TrimPrefix(f.Field, "spec.")
				} else if value, ok := strings.CutPrefix(f.Field, "spec.values."); key == "" && ok {
					key = value // of a mapping: a field of its resource
				}
				line := fmt.Sprintf("%s %s %s", f.Severity, f.Rule, key)
				for _, key := range strings.Split(cmp.Or(f.Tags[upgrade.TagKeys], key), ",") {
					got = append(got, fmt.Sprintf("%s %s %s", f.Severity, f.Rule, key))
				}
				found[f.Rule]++
				if f.File == "" || f.Line == 0 {
					t.Errorf("%s has no place: %s:%d", line, f.File, f.Line)
				}
			}
			slices.Sort(got)
			if diff := gocmp.Diff(p.want(), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
				for _, f := range plan.Report.Findings {
					t.Log(f.Rule, f.Key, f.Message)
				}
			}
			if slices.ContainsFunc(plan.Report.Findings, func(f report.Finding) bool { return f.Rule == "upgrade/orphaned-value" && f.Severity == diag.Error }) {
				if plan.Lost == 0 || len(plan.Changes) > 0 {
					t.Errorf("%d edits are lost, and %d files written", plan.Lost, len(plan.Changes))
				}
				return
			}
			var area staging.Area
			if err := area.Write(t.Context(), plan.Changes); err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff(p.carried(), ownValues(t, plan.Changes[0].Path, form)); diff != "" {
				t.Errorf("the values that are written (-want +got):\n%s", diff)
			}
		})
	}
	for _, rule := range []string{"orphaned-value", "newly-required", "changed-default", "preset", "requirement"} {
		if found["upgrade/"+rule] == 0 {
			t.Errorf("no pack has a finding of upgrade/%s: this test does not see it", rule)
		}
	}
}
