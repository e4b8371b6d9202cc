package variant

import "testing"

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
		{"in the order of the PackageVariant", "{data: {z: \"1\", a: \"2\"}}", "data: {}\n", "data:\n  z: \"1\"\n  a: \"2\"\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := readValid(t, "  packageContext: "+tc.spec+"\n").Spec.PackageContext
			if c.IsEmpty() {
				t.Fatal("the context is taken for empty")
			}
			got, err := c.Apply(parse(t, tc.before))
			if err != nil || got.Text() != tc.want {
				t.Fatalf("%v, got:\n%s\nwant:\n%s", err, got.Text(), tc.want)
			}
			if again, err := c.Apply(got); err != nil || again.Text() != tc.want {
				t.Errorf("again: %v\n%s", err, again.Text())
			}
		})
	}
}

// What no validation has let through does not touch kpt's keys either.
func TestContextNeverTouchesReservedKeys(t *testing.T) {
	const before = "data:\n  name: a\n  package-path: b\n"
	for _, c := range []PackageContext{
		{Data: map[string]string{"name": "x", "package-path": "y"}, order: []string{"name", "package-path"}},
		{RemoveKeys: []string{"name", "package-path"}},
	} {
		got, err := c.Apply(parse(t, before))
		if err != nil || got.Text() != before {
			t.Errorf("%v\n%s", err, got.Text())
		}
	}
}

func TestContextThatCanNotBeEdited(t *testing.T) {
	for _, text := range []string{"data: [a]\n", "data: text\n", "x: &a {k: v}\ndata: *a\n"} {
		c := PackageContext{Data: map[string]string{"k": "w"}, order: []string{"k"}}
		if got, err := c.Apply(parse(t, text)); err == nil {
			t.Errorf("%q became %q", text, got.Text())
		}
	}
}
