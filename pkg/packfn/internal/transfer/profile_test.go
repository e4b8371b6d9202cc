package transfer

import (
	"context"
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/krm-packs/functions/pkg/function/functiontest/draws"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/staging"
)

// edgeProfile has what exported profiles have: wildcards, masked values, manifests, two packs
// of one name, fields that are not known, whitespace at the ends of lines.
//
//go:embed testdata/edge.json
var edgeProfile string

func importProfile(t testing.TB, to, text string, options Options) (*Plan, error) {
	p, err := palette.Read("profile.json", []byte(text))
	if err != nil {
		return nil, err
	}
	if options.Sources == nil {
		options.Sources = opened(t, publicPacks)
	}
	options.Profiles = []*palette.Profile{p}
	plan, err := Import(to, nil, options)
	if err != nil {
		return nil, err
	}
	return plan, (&staging.Area{}).Write(context.Background(), plan.Changes)
}

func exportProfile(t testing.TB, dir string) (string, []string) {
	t.Helper()
	p, err := kptpackage.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	text, notes, err := ExportProfile(p, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), notes
}

func isSameJSON(t testing.TB, a, b string) bool {
	t.Helper()
	read := func(text string) (out any) {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		if err := decoder.Decode(&out); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return out
	}
	return reflect.DeepEqual(read(a), read(b))
}

func TestProfileComesBack(t *testing.T) {
	for _, options := range []Options{{}, {Exact: true}, {Form: Pack}, {Sources: &packdir.Sources{}}} {
		dir := t.TempDir()
		plan, err := importProfile(t, dir, edgeProfile, options)
		if err != nil {
			t.Fatal(err)
		}
		text, notes := exportProfile(t, dir)
		if !isSameJSON(t, edgeProfile, text) || len(notes) > 0 {
			t.Errorf("%+v: %v\n%s", options, notes, text)
		}
		for _, name := range []string{"main--registry", "mirror--registry", "dns-1--dns", "my-manifests", "ingress", "gone", "edge-site"} {
			if _, err := os.Stat(filepath.Join(dir, name+".yaml")); err != nil {
				t.Error(err)
			}
		}
		all := strings.Join(plan.Notes, "\n")
		for _, want := range []string{"no source has ", "dns 9.9.9, ", "gone; ", "masked the variable secret, line 1 of the values of dns-1--dns;"} {
			if !strings.Contains(all, want) {
				t.Errorf("no %q in\n%s", want, all)
			}
		}
		// kpt changes nothing.
		for _, change := range plan.Changes {
			if formatted, err := kptpackage.Format(change.Text); err != nil || string(formatted) != string(change.Text) {
				t.Errorf("%s: kpt lays it out differently: %v", change.Path, err)
			}
		}
		// A second import does nothing.
		if again, err := importProfile(t, dir, edgeProfile, options); err != nil || len(again.Changes) > 0 || !strings.Contains(strings.Join(again.Notes, "\n"), "nothing to do") {
			t.Errorf("again: %v %+v", err, again)
		}
		changed := strings.Replace(edgeProfile, "5001", "5002", 1)
		if _, err := importProfile(t, dir, changed, options); err == nil || !strings.Contains(err.Error(), "use --force") {
			t.Errorf("a changed profile: %v", err)
		}
		options.Force = true
		if _, err := importProfile(t, dir, changed, options); err != nil {
			t.Error(err)
		}
		if text, _ := exportProfile(t, dir); !isSameJSON(t, changed, text) {
			t.Errorf("by force:\n%s", text)
		}
	}
}

// Any profile comes back, whatever fields it has.
func TestEveryProfileComesBack(outer *testing.T) {
	sources := opened(outer, publicPacks)
	texts := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "true", "1.30", "~", "- x", "a: b", "x \ny\t\r\n", "<<", "\r", "é\u2028", "{{ .spectro.var.x }}", "2001-01-01"}), rapid.String())
	var value func(depth int) *rapid.Generator[any]
	value = func(depth int) *rapid.Generator[any] {
		plain := []*rapid.Generator[any]{texts.AsAny(), rapid.Bool().AsAny(), rapid.IntRange(-1e9, 1e9).AsAny(), rapid.Just[any](nil), rapid.Just[any](1.5)}
		if depth > 0 {
			plain = append(plain, rapid.Custom(func(t *rapid.T) any {
				return rapid.SliceOfN(value(depth-1), 0, 3).Draw(t, "list")
			}), rapid.Custom(func(t *rapid.T) any {
				return rapid.MapOfN(rapid.StringMatching(`[a-zA-Z<~ 0-9]{1,8}`), value(depth-1), 0, 3).Draw(t, "map")
			}))
		}
		return rapid.OneOf(plain...)
	}
	extra := func(t *rapid.T, into map[string]any) map[string]any {
		for key, v := range rapid.MapOfN(rapid.StringMatching(`x[a-zA-Z. ]{6,12}`), value(2), 0, 2).Draw(t, "extra") {
			into[key] = v
		}
		return into
	}
	rapid.Check(outer, func(t *rapid.T) {
		var packs []any
		for range rapid.IntRange(0, 5).Draw(t, "packs") {
			p := extra(t, map[string]any{"name": rapid.SampledFrom([]string{"registry", "ingress", "other", "a--registry", "Ä"}).Draw(t, "name")})
			for _, field := range []string{"version", "tag"} {
				if rapid.Bool().Draw(t, field) {
					p[field] = rapid.SampledFrom([]string{"2.3.0", "2.3.x", "1.11.3", "9"}).Draw(t, field)
				}
			}
			switch rapid.IntRange(0, 3).Draw(t, "values") {
			case 0:
				p["values"] = texts.Draw(t, "values")
			case 1:
				p["values"] = "pack: {spectrocloud.com/display-name: " + rapid.SampledFrom([]string{"a", "b"}).Draw(t, "display") + "}  \nb: 1\t\nc: |\n  x  \n"
			case 2:
				p["values"] = nil
			}
			if rapid.Bool().Draw(t, "registry") {
				p["registry"] = rapid.SampledFrom([]any{nil, map[string]any{}, map[string]any{"metadata": nil}, map[string]any{"metadata": map[string]any{}, "x": 1}, map[string]any{"metadata": map[string]any{"uid": "1", "isPrivate": true}, "matchingRegistries": []any{}}}).Draw(t, "registry")
			}
			if rapid.Bool().Draw(t, "manifests") {
				p["manifests"] = []any{map[string]any{"name": "m", "content": texts.Draw(t, "content")}}
			}
			packs = append(packs, p)
		}
		if packs == nil {
			packs = []any{}
		}
		spec := extra(t, map[string]any{"template": extra(t, map[string]any{"packs": packs})})
		if rapid.Bool().Draw(t, "variables") {
			spec["variables"] = []any{extra(t, map[string]any{"name": "v", "defaultValue": texts.Draw(t, "default")})}
		}
		text, err := json.Marshal(extra(t, map[string]any{"metadata": extra(t, map[string]any{"name": "p", "description": texts.Draw(t, "description")}), "spec": spec}))
		if err != nil {
			t.Fatal(err)
		}
		dir, err := os.MkdirTemp(outer.TempDir(), "p")
		if err != nil {
			t.Fatal(err)
		}
		form := rapid.SampledFrom([]Form{ConfigMap, Pack}).Draw(t, "form")
		if _, err := importProfile(outer, dir, string(text), Options{Sources: sources, Form: form}); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if out, _ := exportProfile(outer, dir); !isSameJSON(outer, string(text), out) {
			t.Fatalf("in\n%s\nout\n%s", text, out)
		}
	})
}

// Whatever a profile has, it is read or refused.
func FuzzProfile(f *testing.F) {
	f.Add(edgeProfile)
	f.Add(`{"metadata": {"name": "a", "labels": []}, "spec": {"template": {"packs": [null, 1, {"name": "a", "registry": "x", "manifests": {}}]}, "variables": {}}}`)
	f.Add(`{"metadata": {"name": {}}, "spec": {"template": {"packs": {}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		palette.Is([]byte(text))
		p, err := palette.Read("profile.json", []byte(text))
		if err != nil {
			return
		}
		items, _, err := ProfileItems(p, &packdir.Sources{}, func(string, ...any) {})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			if _, err := item.Document(); err != nil {
				t.Fatalf("%v\n%s", err, item.Text())
			}
		}
	})
}
