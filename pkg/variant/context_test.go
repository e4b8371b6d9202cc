package variant

import (
	"testing"

	"github.com/krm-packs/functions/pkg/rule"
)

func TestContext(t *testing.T) {
	const before = "kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata:\n  name: shop # kpt's\n  package-path: a/b\n\n  region: 'eu' # where\n  port: 80\n  old: x\n"
	for _, tc := range []struct{ name, spec, before, want string }{
		{"sets, keeps and removes", "{data: {region: us, new: \"yes\", port: \"80\"}, removeKeys: [old, absent]}", before,
			"kind: ConfigMap\nmetadata: {name: kptfile.kpt.dev}\ndata:\n  name: shop # kpt's\n  package-path: a/b\n\n  region: 'us' # where\n  port: \"80\"\n  new: \"yes\"\n"},
		{"a key in both ends up removed", "{data: {old: y, fresh: z}, removeKeys: [old, fresh]}", "data:\n  a: b\n  old: x\n", "data:\n  a: b\n"},
		{"what is there already", "{data: {region: eu}, removeKeys: [absent]}", before, before},
		{"no data yet", "{data: {a: b}}", "kind: ConfigMap\n", "kind: ConfigMap\ndata:\n  a: b\n"},
		{"data of null", "{data: {a: b}}", "data:\nkind: X\n", "data:\n  a: b\nkind: X\n"},
		{"a value of null", "{data: {a: b}}", "data:\n  a:\n", "data:\n  a: b\n"},
		{"a value of null is removed", "{removeKeys: [a]}", "data:\n  a:\n  b: c\n", "data:\n  b: c\n"},
		{"several lines", "{data: {a: \"x\\ny\\n\"}}", "data:\n  b: c\n", "data:\n  b: c\n  a: |\n    x\n    y\n"},
		{"an alias", "{data: {k: w}}", "x: &a {k: v}\ndata: *a\n", "x: &a {k: v}\ndata: {k: w}\n"},
		{"an alias, with what is there already", "{data: {k: v, l: w}}", "x: &a {k: 'v'}\ndata: *a\n", "x: &a {k: 'v'}\ndata: {k: 'v', l: w}\n"},
		{"new keys in order", "{data: {z: \"1\", a: \"2\"}}", "data: {}\n", "data:\n  a: \"2\"\n  z: \"1\"\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := readValid(t, "  packageContext: "+tc.spec+"\n").Spec.PackageContext
			if c.isEmpty() {
				t.Fatal("the context is read as empty")
			}
			got, faults := c.Apply(parse(t, tc.before))
			if faults != nil || got.Text() != tc.want {
				t.Fatalf("%v, got:\n%s\nwant:\n%s", faults, got.Text(), tc.want)
			}
			if again, faults := c.Apply(got); faults != nil || again.Text() != tc.want {
				t.Errorf("again: %v\n%s", faults, again.Text())
			}
		})
	}
}

// What no validation has let through does not touch kpt's keys either.
func TestContextNeverTouchesReservedKeys(t *testing.T) {
	const before = "data:\n  name: a\n  package-path: b\n"
	for _, c := range []PackageContext{
		{Data: Texts{"name": "x", "package-path": "y"}},
		{RemoveKeys: []string{"name", "package-path"}},
	} {
		got, faults := c.Apply(parse(t, before))
		if faults != nil || got.Text() != before {
			t.Errorf("%v\n%s", faults, got.Text())
		}
	}
}

func TestContextThatCanNotBeEdited(t *testing.T) {
	for _, text := range []string{"data: [a]\n", "data: text\n"} {
		c := PackageContext{Data: Texts{"k": "w"}}
		d := parse(t, text)
		if got, faults := c.Apply(d); len(faults) != 1 || faults[0].Rule != rule.InputInvalid || got != d {
			t.Errorf("%q became %q: %v", text, got.Text(), faults)
		}
	}
}
