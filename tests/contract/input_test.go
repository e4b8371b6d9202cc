package contract

import (
	"fmt"
	"strings"
	"testing"
)

// Input that is not a list is refused with one line, and nothing is printed that a
// client would write over the package.
func TestRefusedInput(t *testing.T) {
	whole := list(deployment, goodPack)
	for _, name := range programs {
		for _, tc := range []struct{ what, input, says string }{
			{"empty", "", "empty"},
			{"blank", " \n\n", "empty"},
			{"not YAML", "a: [b\n", ""},
			{"a scalar", "hello\n", ""},
			{"a list", `- a
- b
`, ""},
			{"another kind", `apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`, `"ConfigMap"`},
			{"another version", `apiVersion: example.com/v1
kind: ResourceList
items: []
`, `"example.com/v1"`},
			{"no version", `kind: ResourceList
items: []
`, "apiVersion"},
			{"JSON of another kind", `{"apiVersion": "v1", "kind": "Pod"}`, `"Pod"`},
			{"two documents", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
---
a: b
`, ""},
			{"items that are none", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: {a: b}
`, "items"},
			{"items of scalars", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- a
`, "items[0]"},
			{"a functionConfig that is none", `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
functionConfig: text
`, "functionConfig"},
			{"truncated in a key", whole[:strings.LastIndex(whole, "schema.yaml")+4] + "\n", ""},
			{"truncated in a quote", whole[:strings.Index(whole, "'good.yaml'")+3] + "\n", ""},
			{"binary", "\x00\x01\x02", ""},
			{"not UTF-8", strings.Replace(whole, "aligned", "\xff\xfe", 1), ""},
		} {
			t.Run(name+"/"+tc.what, func(t *testing.T) {
				got := start(t, name, tc.input)
				if got.exit != 1 || got.stdout != "" {
					t.Errorf("exit %d, output %q; want exit 1 and no output", got.exit, got.stdout)
				}
				if strings.Count(got.stderr, "\n") != 1 || !strings.HasSuffix(got.stderr, "\n") || !strings.Contains(got.stderr, tc.says) {
					t.Errorf("got %q, want one line that says %q", got.stderr, tc.says)
				}
			})
		}
	}
}

func TestItemsWithoutIdentity(t *testing.T) {
	for _, name := range programs {
		for _, tc := range []struct{ what, item, says string }{
			{"no kind", `apiVersion: v1
metadata:
  name: odd
`, "kind"},
			{"no apiVersion", `kind: Pod
metadata:
  name: odd
`, "apiVersion"},
			{"neither", `metadata:
  name: odd
`, "kind"},
			{"flow style", `{apiVersion: v1, metadata: {name: odd}}`, "kind"},
		} {
			t.Run(name+"/"+tc.what, func(t *testing.T) {
				input := list(deployment, tc.item, goodPack)
				got := start(t, name, input)
				if got.exit != 1 {
					t.Errorf("exit %d, want 1", got.exit)
				}
				wants(t, got.results(t), "input/invalid", "odd", tc.says)
				if !strings.HasPrefix(got.stdout, input) {
					t.Errorf("the items did not come back as they were:\n%s", got.stdout)
				}
			})
		}
	}
}

func TestNamelessItems(t *testing.T) {
	kustomizations := []string{
		`apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
- web.yaml
`,
		`kind: Kustomization
resources:
- web.yaml
`,
	}
	for _, file := range []string{"kustomization.yaml", "sub/kustomization.yml", "Kustomization"} {
		kustomizations = append(kustomizations, `metadata:
  annotations:
    config.kubernetes.io/path: `+file+`
resources:
- web.yaml
`)
	}
	for _, name := range programs {
		input := list(append(kustomizations, deployment)...)
		got := start(t, name, input)
		if got.exit != 0 || !strings.HasPrefix(got.stdout, input) || strings.Contains(got.stdout, "input/invalid") {
			t.Errorf("%s: a kustomization needs no name, but: exit %d, %s", name, got.exit, got.stdout)
		}
	}
	if got := start(t, "validate-pack-values", list(`metadata:
  annotations:
    config.kubernetes.io/path: my-kustomization.yaml
resources: []
`)); got.exit != 1 {
		t.Errorf("a file of another name passes: %s", got.stdout)
	}
	got := start(t, "validate-pack-values", list(strings.Replace(badPack, "  name: bad\n", "", 1), goodPack))
	wants(t, got.results(t), "input/invalid", "", "missing")
	if !strings.Contains(got.stderr, "metadata.name: ") {
		t.Errorf("the field is not named: %q", got.stderr)
	}
}

// kpt reads no List in a package, so each function refuses it, also one with a name.
func TestLists(t *testing.T) {
	for _, head := range []string{
		`apiVersion: v1
kind: List
metadata:
  name: odd
`,
		`apiVersion: v1
kind: ConfigMapList
`,
	} {
		item := head + `items:
- metadata:
    name: a
`
		for _, name := range programs {
			got := start(t, name, list(item, deployment))
			if got.exit != 1 || !strings.Contains(got.stdout, "kpt reads no List in a package. Write its items as documents of the file") {
				t.Errorf("%s: exit %d, %s", name, got.exit, got.stdout)
			}
		}
	}
}

// The rest of the list is processed beside input that cannot be read.
func TestTheRestIsProcessed(t *testing.T) {
	deep := strings.Repeat("[", 1500) + strings.Repeat("]", 1500)
	bomb := `apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
data:
  pack.json: x
bomb:
  a0: &a0 [x, x, x, x, x, x, x, x, x, x]
`
	for i := 1; i < 9; i++ {
		bomb += fmt.Sprintf("  a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1, i-1)
	}
	for _, tc := range []struct{ what, rule, item, says string }{
		{
			"a wanted item that is not YAML", "input/invalid",
			`apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
data:
    pack.json: a
   values.yaml: b
`,
			"cannot be read",
		},
		{
			"deeper than 1,000 levels", "input/invalid",
			`apiVersion: v1
kind: ConfigMap
metadata:
  name: odd
data:
  pack.json: ` + deep + "\n",
			"levels",
		},
		{"an alias bomb", "input/invalid", bomb, "nodes"},
		{"above 32 MiB", "input/invalid", files("odd", "pack.json", packJSON, "values.yaml", strings.Repeat("# "+strings.Repeat("x", 1022)+"\n", 33<<10)), "limit"},
		{"values that are too deep", "values/invalid-yaml", files("odd", "pack.json", packJSON, "values.yaml", "a: "+deep+"\n"), "levels"},
		{
			"duplicate keys", "values/duplicate-key",
			files("odd", "pack.json", packJSON, "values.yaml", `a: 1
b: 2
a: 3
`),
			"lines 1 and 3",
		},
		{
			"duplicate keys of pack.json", "input/invalid",
			files("odd", "pack.json", `{"name": "a",
"version": "1",
"version": "2"}
`),
			"lines 2 and 3",
		},
		{"pack.json that is not JSON", "input/invalid", files("odd", "pack.json", "{\"name\": \n"), "pack.json line 1"},
		{"a schema that is not a map", "schema/invalid", files("odd", "pack.json", packJSON, "values.yaml", "a: 1\n", "schema.yaml", "- a\n"), "a map of paths"},
		{
			"a regular expression that is none", "schema/invalid",
			files("odd", "pack.json", packJSON, "values.yaml", "a: x\n", "schema.yaml", `a:
  schema: '{{ format "${string:/(/}" }}'
`),
			"a: ",
		},
		{
			"a regular expression beyond RE2", "schema/invalid",
			files("odd", "pack.json", packJSON, "values.yaml", "a: x\n", "schema.yaml", `a:
  schema: '{{ format "${string:/(?=x)/}" }}'
`),
			"a: ",
		},
		{"a kind that is misspelt", "input/invalid", `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValue
metadata:
  name: odd
`, `"PackValues"`},
		{"an unknown field", "input/invalid", `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata:
  name: odd
spec:
  packRef: {name: vault}
  valuse: ''
`, `"values"`},
	} {
		t.Run(tc.what, func(t *testing.T) {
			input := list(deployment, tc.item, badPack)
			got := start(t, "validate-pack-values", input)
			if got.exit != 1 {
				t.Errorf("exit %d, want 1", got.exit)
			}
			results := got.results(t)
			wants(t, results, tc.rule, "odd", tc.says)
			wants(t, results, "values/format", "bad", "must be a decimal number")
			if !strings.HasPrefix(got.stdout, input) {
				t.Errorf("the items did not come back as they were")
			}
			if n := strings.Count(got.stderr, "\n"); n != len(results) {
				t.Errorf("%d lines on standard error, want one for each of %d errors:\n%s", n, len(results), got.stderr)
			}
		})
	}
}

// few are programs enough for what is the same code in all, and slow.
var few = []string{"check-resources", "apply-preset"}

// Items that no function wants pass, whatever is in them.
func TestUnwantedItemsPass(t *testing.T) {
	for _, tc := range []struct{ what, item string }{
		{
			"deep",
			`apiVersion: v1
kind: Secret
metadata:
  name: odd
data: ` + strings.Repeat("[", 1500) + strings.Repeat("]", 1500) + "\n",
		},
		{"large", strings.ReplaceAll(files("odd", "text", strings.Repeat(strings.Repeat("x", 1023)+"\n", 33<<10)), "ConfigMap", "Secret")},
		{"not YAML", `apiVersion: v1
kind: Secret
metadata:
  name: odd
data:
    a: b
   c: d
`},
	} {
		some := programs
		if len(tc.item) > 1<<20 {
			some = few // the others show that they do not parse it by what is not YAML
		}
		for _, name := range some {
			t.Run(name+"/"+tc.what, func(t *testing.T) {
				input := list(deployment, tc.item, deployment)
				got := start(t, name, input)
				if got.exit != 0 || !strings.HasPrefix(got.stdout, input) {
					t.Errorf("exit %d, or not as it came: %s", got.exit, got.stderr)
				}
			})
		}
	}
}

// A list that must be parsed as a whole is refused above 64 MiB.
func TestHugeFlowList(t *testing.T) {
	item := `{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "` + strings.Repeat("x", 1<<20) + `"}},`
	input := `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [` + strings.TrimSuffix(strings.Repeat(item, 65), ",") + "]}"
	for _, name := range few {
		got := start(t, name, input)
		if got.exit != 1 || got.stdout != "" || !strings.Contains(got.stderr, "64 MiB") || strings.Count(got.stderr, "\n") != 1 {
			t.Errorf("%s: exit %d, %d bytes of output, %q", name, got.exit, len(got.stdout), got.stderr)
		}
	}
}
