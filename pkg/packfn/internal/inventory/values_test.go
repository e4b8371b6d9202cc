package inventory_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

// shop is a pack with all that lists show.
func shop() *pack.Pack {
	p := newPack("a: 1\nb: {c: text words, d: {}, e: []}\nlist: [{x: 1}, {x: 2}]\nnone:\nmacro: '{{ .spectro.var.B }} {{ .spectro.var.A }} {{ .spectro.var.B }} {{ .other }}'\n",
		"a: {schema: '{{ required | readonly | format \"${number:[1-5]}\" }}'}\nlist.$[].x: {schema: '{{ required }}'}\nabsent: {schema: '{{ required }}'}\n")
	p.Presets = pack.File("presets.yaml", "presets:\n- {name: x, displayName: X, group: g, add: 'a: 2', remove: [b.c]}\n- {name: y, displayName: Y, remove: [b]}\n- {name: z, displayName: Z, add: 'list: [1]'}\n")
	p.Metadata = pack.File("pack.json", `{"constraints": {"resources": [{"type": "cpu", "components": [{"resourceRequestParamRef": "a", "replicaCountParamRef": "b.c"}]}]}}`)
	return p
}

func TestValues(t *testing.T) {
	all, err := inventory.Values(shop())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range all {
		key := ""
		if v.Entry != nil {
			key = v.Entry.Key
		}
		got = append(got, fmt.Sprintf("%s %s [%s] %s", v.Key, none.Show(v.Key, v.Node, diag.All), key, strings.Join(v.Presets, ",")))
	}
	want := []string{"a 1 [a] g:x", "b.c text words [] g:x,y", "b.d {} [] y", "b.e [] [] y", "list a list of 2 [list.$[].x] z", "none null [] ",
		"macro {{ .spectro.var.B }} {{ .spectro.var.A }} {{ .spectro.var.B }} {{ .other }} [] ", "absent (absent) [absent] "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if all, err := inventory.Values(&pack.Pack{}); err != nil || len(all) > 0 {
		t.Errorf("a pack without anything: %v, %v", all, err)
	}
}

// none are the entries of a pack without a schema.
var none inventory.Entries

// A value has the entry of its key, also as an element of any list. It is a secret by that entry,
// and by those above it.
func TestEntries(t *testing.T) {
	entries, err := inventory.EntriesOf(newPack("a: 1", "db: {schema: '{{ format \"${password}\" }}'}\nusers.$[].pin: {schema: '{{ format \"${password}\" }}'}\nusers.$[].port: {schema: '{{ required }}'}\nports.80: {schema: '{{ required }}'}\nports.$[]: {schema: '{{ readonly }}'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: "17"}
	for key, want := range map[string]string{
		"db": "db •••", "db.port": "none •••", "db[0].port": "none •••", "dbs": "none 17", "a.db": "none 17",
		"users[3].pin": "users.$[].pin •••", "users.3.pin": "users.$[].pin •••", "users.$[].pin": "users.$[].pin •••", "users[0].pin.old": "none •••", "users[0].port": "users.$[].port 17", "users.0.ports": "none 17",
		"ports.80": "ports.80 17", "ports.81": "ports.$[] 17",
	} {
		entry, _ := entries.Of(key)
		got := "none"
		if entry != nil {
			got = entry.Key
		}
		if got += " " + entries.Show(key, n, diag.Record); got != want {
			t.Errorf("%s: got %s, want %s", key, got, want)
		}
		if got := entries.Show(key, n, diag.All); got != "17" {
			t.Errorf("%s: all is shown as %s", key, got)
		}
	}
}

// What may be a secret is hidden, unless all is shown.
func TestShow(t *testing.T) {
	for text, want := range map[string]string{
		"17": "17", "true": "true", "1.2.3": "1.2.3", "some words with spaces": "•••", "''": `""`, "~": "null", "[]": "[]", "[1, 2]": "a list of 2", "{}": "{}", "{a: 1}": "a map",
	} {
		document, err := values.Parse("password: " + text + "\nx: " + text + "\nalias: &a " + text + "\nof: *a\n")
		if err != nil {
			t.Fatal(err)
		}
		n := values.Field(document.Root(), "x")
		if got := none.Show("x", n, diag.Record); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
		if got := none.Show("x", values.Field(document.Root(), "of"), diag.Record); got != want {
			t.Errorf("an alias of %s: got %s, want %s", text, got, want)
		}
		if n.Kind == yaml.ScalarNode && n.Value != "" && !values.IsNull(n) && n.ShortTag() != "!!bool" {
			if shown, hidden := none.Show("password", n, diag.All), none.Show("password", n, diag.Record); shown != n.Value || hidden != "•••" {
				t.Errorf("a secret %s: shown %s, hidden %s", text, shown, hidden)
			}
		}
	}
	if got := none.Show("x", nil, diag.All); got != "(absent)" {
		t.Errorf("got %s", got)
	}
}

func TestAccepted(t *testing.T) {
	all, err := inventory.Values(newPack("{a: 1, b: 1, c: 1, d: 1}", "a: {schema: '{{ required | readonly | format \"${number:[1-5]}\" }}'}\nb: {schema: '{{ format \"${number}\" }}'}\nc: {schema: '{{ readonly }}'}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"required, read-only, a number from 1 to 5", "a decimal number", "read-only", ""} {
		if got := inventory.Accepted(all[i].Entry); got != want {
			t.Errorf("%s: got %q, want %q", all[i].Key, got, want)
		}
	}
}

// A preset sets what it adds or removes, and what that is in or has.
func TestSets(t *testing.T) {
	add, err := values.Parse("a: {b: 1}\nc: {}\n")
	if err != nil {
		t.Fatal(err)
	}
	path, err := values.ParsePath("x.y")
	if err != nil {
		t.Fatal(err)
	}
	both := pack.Preset{Add: add, Remove: []values.Path{path}}
	for key, want := range map[string]bool{"a": true, "a.b": true, "a.b.c": true, "a.c": false, "c": true, "c.d": true, "x": true, "x.y": true, "x.y.z": true, "x.z": false, "d": false} {
		if got := inventory.Sets(both, key); got != want {
			t.Errorf("%s: got %v", key, got)
		}
	}
	if inventory.Sets(pack.Preset{}, "a") {
		t.Error("an empty preset sets something")
	}
}

func TestMacros(t *testing.T) {
	p := shop()
	p.Overrides = []*pack.Override{{Values: pack.File("over.yaml", "list:\n- x\n- '{{ .spectro.var.C-D }}.{{ .Values.x }}'\n")}}
	all, err := inventory.Macros(p)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range all {
		got = append(got, fmt.Sprintf("%s %s %s %s", m.Source.Origin.Name, m.Key, m.Position, strings.Join(m.Names, ",")))
	}
	want := []string{"values.yaml macro line 5, column 8 .spectro.var.A,.spectro.var.B", "over.yaml list[1] line 3, column 3 .spectro.var.C-D"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhy(t *testing.T) {
	p := shop()
	p.Overrides = []*pack.Override{
		{Values: pack.File("one.yaml", "a: 2\nlist: [{x: 3}]\n")}, {Values: pack.File("two.yaml", "b: {d: {k: 1}}\n")},
	}
	for key, want := range map[string]string{
		"a":          "2 from one.yaml of values.yaml:1:4=1 one.yaml:1:4=2 two.yaml; schema a; presets x; macros ; readers constraints.resources[0].components[0].resourceRequestParamRef",
		"b.c":        "text words from values.yaml of values.yaml:2:8=text words one.yaml two.yaml; schema ; presets x,y; macros ; readers constraints.resources[0].components[0].replicaCountParamRef",
		"b.d.k":      "1 from two.yaml of values.yaml one.yaml two.yaml:1:12=1; schema ; presets y; macros ; readers ",
		"list[0].x":  "(absent) from  of values.yaml one.yaml two.yaml; schema list.$[].x; presets z; macros ; readers ",
		"list.$[].x": "3 from one.yaml of values.yaml:3:12=1 one.yaml:2:12=3 two.yaml; schema list.$[].x; presets z; macros ; readers ",
		"macro":      "{{ .spectro.var.B }} {{ .spectro.var.A }} {{ .spectro.var.B }} {{ .other }} from values.yaml of values.yaml:5:8={{ .spectro.var.B }} {{ .spectro.var.A }} {{ .spectro.var.B }} {{ .other }} one.yaml two.yaml; schema ; presets ; macros .spectro.var.A,.spectro.var.B; readers ",
		"absent":     "(absent) from  of values.yaml one.yaml two.yaml; schema absent; presets ; macros ; readers ",
		"b.e":        "[] from values.yaml of values.yaml:2:30=[] one.yaml two.yaml; schema ; presets y; macros ; readers ",
	} {
		c, err := inventory.Why(p, key)
		if err != nil {
			t.Errorf("%s: %v", key, err)
			continue
		}
		from, schema := "", ""
		var layers, presets, readers []string
		for _, l := range c.Layers {
			if l.Counts {
				from = l.Source.Origin.Name
			}
			text := l.Source.Origin.Name
			if l.Node != nil {
				text += fmt.Sprintf(":%d:%d=%s", l.Position.Line, l.Position.Column, none.Show(key, l.Node, diag.All))
			}
			layers = append(layers, text)
		}
		for _, one := range c.Presets {
			presets = append(presets, one.Name)
		}
		for _, r := range c.Readers {
			readers = append(readers, r.Key)
			if r.Position.Line == 0 {
				t.Errorf("%s: a reader without a place", key)
			}
		}
		if c.Entry != nil {
			schema = c.Entry.Key
		}
		got := fmt.Sprintf("%s from %s of %s; schema %s; presets %s; macros %s; readers %s", none.Show(key, c.Effective, diag.All), from, strings.Join(layers, " "), schema, strings.Join(presets, ","), macroNames(c.Macros), strings.Join(readers, ","))
		if got != want {
			t.Errorf("%s:\ngot  %s\nwant %s", key, got, want)
		}
	}
}

// macroNames are what macros read.
func macroNames(all []inventory.Macro) string {
	var names []string
	for _, m := range all {
		names = append(names, m.Names...)
	}
	return strings.Join(names, ",")
}

// The presets that were applied are those of the layers' resources.
func TestWhyApplied(t *testing.T) {
	for entry, want := range map[string]string{":x@000000000000@1.0.0": "x", "g:y@000000000000@1.0.0": "g:y", "wrong": ""} {
		dir := t.TempDir()
		text := "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: p, annotations: {" + preset.RecordAnnotation + ": '[\"" + entry + "\"]'}}\nspec: {version: 1.0.0, values: {a: 1}}\n"
		if err := os.WriteFile(filepath.Join(dir, "p.yaml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		packs, err := check.Packs([]string{dir}, check.Options{})
		if err != nil || len(packs) != 1 {
			t.Fatal(packs, err)
		}
		c, err := inventory.Why(packs[0].Pack, "a")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(c.Applied, ","); got != want {
			t.Errorf("%s: got %q", entry, got)
		}
	}
}

// What cannot be read, or is not there, is an error.
func TestInventoryFaults(t *testing.T) {
	broken := func(change func(p *pack.Pack, bad *pack.Source)) *pack.Pack {
		p := shop()
		change(p, pack.File("bad.yaml", "a: ["))
		return p
	}
	for name, tc := range map[string]struct {
		pack             *pack.Pack
		key              string
		values, why, all string // parts of the errors
	}{
		"values":         {broken(func(p *pack.Pack, bad *pack.Source) { p.Values = bad }), "a", "bad.yaml", "the values cannot be read: ", "bad.yaml"},
		"schema":         {broken(func(p *pack.Pack, bad *pack.Source) { p.Schema = bad }), "a", "bad.yaml", "bad.yaml", ""},
		"pack.json":      {broken(func(p *pack.Pack, bad *pack.Source) { p.Metadata = bad }), "a", "", "bad.yaml", ""},
		"no such key":    {shop(), "macroo", "", `the pack web: `, ""},
		"a wrong path":   {shop(), "a..b", "", "a..b", ""},
		"below a scalar": {shop(), "none.x", "", "packfn list values", ""},
	} {
		check := func(what, want string, err error) {
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s of %s: got %v, want %q", what, name, err, want)
			}
		}
		_, err := inventory.Values(tc.pack)
		check("values", tc.values, err)
		_, err = inventory.Why(tc.pack, tc.key)
		check("why", tc.why, err)
		_, err = inventory.Macros(tc.pack)
		check("macros", tc.all, err)
	}
}
