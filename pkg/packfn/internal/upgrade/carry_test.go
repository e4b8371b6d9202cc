package upgrade_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/packfn/internal/upgrade"
)

// writeFile writes a file and the folders that it is in.
func writeFile(path, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}

// yamlOf prints plain maps.
func yamlOf(v any) string {
	text, err := yaml.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// The forms in which a package can hold values.
const (
	asConfigMap  = "a text in a ConfigMap"
	asText       = "a text in a Pack"
	asStructured = "a map in a Pack"
)

var forms = []string{asConfigMap, asText, asStructured}

// upgradeValues upgrades a pack in a temporary folder from values to others, with the values
// that the package has. It returns the plan, and the values that result: nil if nothing is
// written.
func upgradeValues(dir, form string, base, user, next map[string]any) (*upgrade.Plan, map[string]any, error) {
	older, newer, pkg := filepath.Join(dir, "p-1.0.0"), filepath.Join(dir, "p-2.0.0"), filepath.Join(dir, "pkg")
	for at, version := range map[string]struct {
		name   string
		values map[string]any
	}{older: {"1.0.0", base}, newer: {"2.0.0", next}} {
		if err := errors.Join(writeFile(filepath.Join(at, "pack.json"), `{"name": "p", "version": "`+version.name+`", "layer": "addon"}`),
			writeFile(filepath.Join(at, "values.yaml"), "# values\n"+yamlOf(version.values))); err != nil {
			return nil, nil, err
		}
	}
	kind := transfer.Pack
	if form == asConfigMap {
		kind = transfer.ConfigMap
	}
	var area staging.Area
	plan, err := transfer.Import(pkg, []string{older}, transfer.Options{Form: kind})
	if err != nil {
		return nil, nil, err
	}
	var resource map[string]any
	if err := yaml.Unmarshal(plan.Changes[0].Text, &resource); err != nil {
		return nil, nil, err
	}
	switch form {
	case asConfigMap:
		resource["data"].(map[string]any)["values.yaml"] = yamlOf(user)
	case asText:
		resource["spec"].(map[string]any)["values"] = yamlOf(user)
	case asStructured:
		resource["spec"].(map[string]any)["values"] = user
	}
	if err := writeFile(plan.Changes[0].Path, yamlOf(resource)); err != nil {
		return nil, nil, err
	}
	up, err := upgrade.New(pkg, []string{newer}, upgrade.Options{From: older})
	if err != nil || len(up.Changes) == 0 {
		return up, nil, err
	}
	if err := area.Write(context.Background(), up.Changes); err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(up.Changes[0].Path)
	if err == nil {
		resource = nil
		err = yaml.Unmarshal(text, &resource)
	}
	if err != nil {
		return nil, nil, err
	}
	var result any
	if form == asConfigMap {
		result = resource["data"].(map[string]any)["values.yaml"]
	} else {
		result = resource["spec"].(map[string]any)["values"]
	}
	values, isMapping := result.(map[string]any)
	if text, isText := result.(string); isText {
		err = yaml.Unmarshal([]byte(text), &values)
	} else if !isMapping && result != nil {
		err = fmt.Errorf("the values are %v", result)
	}
	return up, values, err
}

// change is an edit: the value that the user set, or nothing for a removed one.
type userEdit struct {
	value     any
	isRemoved bool
}

// editsOf compares plain maps: mappings key by key, all else as a whole.
func editsOf(base, user any, path string, found map[string]userEdit) {
	older, isOlder := base.(map[string]any)
	newer, isNewer := user.(map[string]any)
	if !isOlder || !isNewer {
		if !reflect.DeepEqual(base, user) {
			found[path] = userEdit{value: user}
		}
		return
	}
	for key, was := range older {
		below := strings.TrimPrefix(path+zero+key, zero)
		if now, ok := newer[key]; ok {
			editsOf(was, now, below, found)
		} else {
			found[below] = userEdit{isRemoved: true}
		}
	}
	for key, now := range newer {
		if _, ok := older[key]; !ok {
			found[strings.TrimPrefix(path+zero+key, zero)] = userEdit{value: now}
		}
	}
}

// holds reports whether values have an edit. A mapping may have keys that the user did not write, because maps merge.
func holds(result any, path string, e userEdit) bool {
	got, ok := get(result, path)
	if e.isRemoved {
		return !ok
	}
	mapping, isMapping := e.value.(map[string]any)
	if _, is := got.(map[string]any); !is || !isMapping {
		return ok && reflect.DeepEqual(got, e.value)
	}
	for below, value := range flatten(mapping) {
		if below != "" && !holds(result, path+zero+below, userEdit{value: value}) {
			return false
		}
	}
	return true
}

// isNear reports whether two paths are equal, or one is above the other.
func isNear(a, b string) bool {
	return a == b || strings.HasPrefix(a, b+zero) || strings.HasPrefix(b, a+zero)
}

// lostEdits are the keys that errors name, with zero bytes.
func lostEdits(plan *upgrade.Plan) []string {
	var lost []string
	for _, f := range plan.Report.Findings {
		if f.Rule == "upgrade/orphaned-value" && f.Severity == diag.Error {
			key := f.Key
			if key == "" {
				key = strings.TrimPrefix(f.Field, "spec.values.")
			}
			lost = append(lost, strings.ReplaceAll(key, ".", zero))
		}
	}
	slices.Sort(lost)
	return lost
}

// faultsOf returns what is wrong with the result of an upgrade.
func faultsOf(plan *upgrade.Plan, base, user, next, result map[string]any) []string {
	var faults []string
	fault := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	edits := map[string]userEdit{}
	editsOf(base, user, "", edits)
	lost := lostEdits(plan)
	if len(lost) != plan.Lost || plan.Lost > 0 && len(plan.Changes) > 0 {
		fault("%d edits are lost, errors name %q, and %d files are written", plan.Lost, lost, len(plan.Changes))
	}
	for _, path := range lost {
		isReal, isBlocked := false, false
		for at, e := range edits {
			isReal = isReal || isNear(at, path) && !e.isRemoved
		}
		for above := path; strings.Contains(above, zero); {
			above = above[:strings.LastIndex(above, zero)]
			now, ok := get(next, above)
			_, isMapping := now.(map[string]any)
			isBlocked = isBlocked || ok && now != nil && !isMapping
		}
		if !isReal || !isBlocked {
			fault("an error names %q, and it is an edit: %t, the newer version has something else there: %t", path, isReal, isBlocked)
		}
	}
	if plan.Lost > 0 {
		return faults
	}
	for path, e := range edits {
		if !holds(result, path, e) {
			now, _ := get(result, path)
			fault("the edit at %q is lost: got %v, want %+v", path, now, e)
		}
	}
	for path, value := range flatten(next) {
		isEdited := path == ""
		for at := range edits {
			isEdited = isEdited || isNear(at, path)
		}
		if now, ok := get(result, path); !isEdited && (!ok || !reflect.DeepEqual(now, value)) {
			fault("%q is not that of the newer version: got %v, want %v", path, now, value)
		}
	}
	for path := range flatten(result) {
		_, isNext := get(next, path)
		_, isUsers := get(user, path)
		if path != "" && !isNext && !isUsers {
			fault("%q comes from nowhere", path)
		}
	}
	return faults
}

// kinds are values of each kind; nothing is an absent one.
var kinds = []any{
	nothing{}, nil, 1, "text", "", []any{1}, []any{}, map[string]any{},
	map[string]any{"x": 1}, map[string]any{"x": 2}, map[string]any{"y": 3}, map[string]any{"x": map[string]any{"z": 1}},
}

type nothing struct{}

// Each kind of value that becomes any other one by an edit is carried over to a newer
// version in which it is any kind of value, at any depth. What cannot be carried over is
// named by an error, and nothing is written.
func TestKindsOfEdits(t *testing.T) {
	isLost := func(base, user, next any) bool {
		was, isBase := base.(map[string]any)
		now, isUser := user.(map[string]any)
		if _, isMapping := next.(map[string]any); isMapping || next == nil || next == (nothing{}) || !isBase || !isUser || len(was) == 0 {
			return false
		}
		for key, value := range now {
			if !reflect.DeepEqual(was[key], value) {
				return true
			}
		}
		return false
	}
	for _, form := range forms {
		for _, prefix := range []string{"", "deep" + zero + "er" + zero} {
			for _, withLost := range []bool{true, false} {
				t.Run(fmt.Sprintf("%s/%d/%t", form, strings.Count(prefix, zero), withLost), func(t *testing.T) {
					t.Parallel()
					versions := [3]map[string]any{{}, {}, {}}
					want := []string{}
					for i, base := range kinds {
						for j, user := range kinds {
							for k, next := range kinds {
								lost := isLost(base, user, next)
								if lost && !withLost {
									continue
								}
								path := fmt.Sprintf("%sk%d-%d-%d", prefix, i, j, k)
								for n, value := range []any{base, user, next} {
									if value != (nothing{}) {
										set(versions[n], path, value)
									}
								}
								if lost {
									want = append(want, path)
								}
							}
						}
					}
					plan, result, err := upgradeValues(t.TempDir(), form, versions[0], versions[1], versions[2])
					if err != nil {
						t.Fatal(err)
					}
					for _, fault := range faultsOf(plan, versions[0], versions[1], versions[2], result) {
						t.Error(fault)
					}
					got := map[string]bool{}
					for _, path := range lostEdits(plan) {
						got[strings.Join(strings.Split(path, zero)[:1+strings.Count(prefix, zero)], zero)] = true
					}
					slices.Sort(want)
					if diff := gocmp.Diff(want, slices.AppendSeq([]string{}, sortedKeys(got))); diff != "" {
						t.Errorf("the lost edits (-want +got):\n%s", diff)
					}
					if withLost != (result == nil) {
						t.Errorf("something is written: %t", result != nil)
					}
				})
			}
		}
	}
}

func sortedKeys(all map[string]bool) func(func(string) bool) {
	return slices.Values(slices.Sorted(maps.Keys(all)))
}

// drawValue draws a value, often a mapping.
func drawValue(t *rapid.T, depth int) any {
	kind := rapid.IntRange(0, 9).Draw(t, "kind")
	if depth == 0 && kind >= 5 {
		kind -= 5
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return rapid.IntRange(0, 3).Draw(t, "number")
	case 2:
		return rapid.SampledFrom([]string{"", "text", "true", "a: b", "two\nlines\n", " blank"}).Draw(t, "text")
	case 3:
		return []any{}
	case 4:
		return map[string]any{}
	case 5:
		return []any{drawValue(t, depth-1), drawValue(t, 0)}
	}
	all := map[string]any{}
	for _, key := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c-d", "e/f"}), 1, 3, rapid.ID).Draw(t, "keys") {
		all[key] = drawValue(t, depth-1)
	}
	return all
}

// drawEdits draws changes of values at any depth: other values, keys that go and come.
func drawEdits(t *rapid.T, v any, depth int) any {
	mapping, ok := v.(map[string]any)
	if !ok || depth < 3 && rapid.IntRange(0, 7).Draw(t, "replace") == 0 {
		if rapid.IntRange(0, 2).Draw(t, "keep") > 0 {
			return v
		}
		return drawValue(t, depth)
	}
	all := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(mapping)) {
		if rapid.IntRange(0, 5).Draw(t, "remove") > 0 {
			all[key] = drawEdits(t, mapping[key], depth-1)
		}
	}
	if rapid.IntRange(0, 2).Draw(t, "add") == 0 {
		key := rapid.SampledFrom([]string{"a", "b", "g"}).Draw(t, "key")
		if _, ok := all[key]; !ok {
			all[key] = drawValue(t, depth-1)
		}
	}
	return all
}

// Each edit of a package is in the result of an upgrade, or named by an error, and nothing
// else differs from the newer version.
func TestRandomEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := map[string]any{"k": drawValue(t, 3), "l": drawValue(t, 2)}
		user := drawEdits(t, base, 3).(map[string]any)
		next := drawEdits(t, base, 3).(map[string]any)
		dir, err := os.MkdirTemp("", "upgrade-")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		form := rapid.SampledFrom(forms).Draw(t, "form")
		plan, result, err := upgradeValues(dir, form, base, user, next)
		if err != nil {
			t.Fatal(err)
		}
		for _, fault := range faultsOf(plan, base, user, next, result) {
			t.Error(fault)
		}
		if t.Failed() {
			text, _ := json.MarshalIndent([]any{base, user, next, result}, "", "  ")
			t.Logf("%s", text)
		}
	})
}
