package function

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"
)

const newResource = `apiVersion: v1
kind: ConfigMap
metadata:
  name: new
data:
  text: |
    one

      two
    #three
`

func TestAdd(t *testing.T) {
	inColumn := func(n int, item string) string {
		var b strings.Builder
		for line := range strings.Lines(item) {
			if line != "\n" {
				b.WriteString(strings.Repeat(" ", n))
			}
			b.WriteString(line)
		}
		return b.String()
	}
	asItem := "- " + strings.TrimPrefix(inColumn(2, newResource), "  ")
	tests := []struct{ name, input, want string }{
		{"behind the items", listStart + oneItem, listStart + oneItem + asItem},
		{"in their column", listStart + inColumn(4, oneItem), listStart + inColumn(4, oneItem+asItem)},
		{"before other sections", listStart + oneItem + plainConfig, listStart + oneItem + asItem + plainConfig},
		{"the last line has no end", listStart + strings.TrimSuffix(oneItem, "\n"), listStart + oneItem + asItem},
		{"an empty list", strings.TrimSuffix(listStart, "items:\n") + "items: []\n", listStart + asItem},
		{"no list", strings.TrimSuffix(listStart, "items:\n"), listStart + asItem},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			add := func(r *Run) {
				if _, err := r.Add(newResource); err != nil {
					t.Error(err)
				}
			}
			stdout, _, code := evaluated(t, &stub{process: add}, test.input)
			if diff := cmp.Diff(test.want, stdout); diff != "" || code != 0 {
				t.Errorf("exit %d (-want +got):\n%s", code, diff)
			}
			failing := func(r *Run) { add(r); r.Report(Finding{Rule: "demo/error", Message: "m"}) }
			if stdout, _, _ := evaluated(t, &stub{process: failing}, test.input); strings.Contains(stdout, "name: new") {
				t.Errorf("written in spite of an error:\n%s", stdout)
			}
		})
	}
}

func TestAddToFlowLists(t *testing.T) {
	for name, input := range map[string]string{
		"JSON": `{"apiVersion": "config.kubernetes.io/v1", "kind": "ResourceList", "items": [{"apiVersion": "v1", "kind": "A", "metadata": {"name": "a"}}]}`,
		"flow": `{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			stdout, _, _ := evaluated(t, &stub{process: func(r *Run) { _, _ = r.Add(newResource) }}, input)
			var list struct{ Items []map[string]any }
			if err := yaml.Unmarshal([]byte(stdout), &list); err != nil {
				t.Fatal(err)
			}
			var want map[string]any
			if err := yaml.Unmarshal([]byte(newResource), &want); err != nil {
				t.Fatal(err)
			}
			if len(list.Items) != 2 {
				t.Fatalf("got\n%s", stdout)
			}
			if diff := cmp.Diff(want, list.Items[1]); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestAddedItem(t *testing.T) {
	process := func(r *Run) {
		item, err := r.Add(newResource)
		if err != nil {
			t.Fatal(err)
		}
		if !item.Is("v1", "ConfigMap") || item.Name() != "new" {
			t.Errorf("got %s", item.Resource())
		}
		setData(t, item)
		for _, text := range []string{"kind: A\n", "apiVersion: v1\nkind: A\n", "apiVersion: v1\nkind: A\nmetadata: {namespace: b}\n"} {
			if _, err := r.Add(text); err == nil {
				t.Errorf("added %q", text)
			}
		}
	}
	stdout, _, _ := evaluated(t, &stub{process: process}, listStart+oneItem)
	if strings.Count(stdout, "- apiVersion") != 2 || !strings.Contains(stdout, "a: b") {
		t.Errorf("got\n%s", stdout)
	}
}

func TestAddToFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "in.yaml")
	if err := os.WriteFile(file, []byte("apiVersion: v1\nkind: A\nmetadata: {name: a}\n---\napiVersion: v1\nkind: B\nmetadata: {name: b}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := demo(&stub{wants: wantAll, process: func(r *Run) {
		r.Items()[0].Remove()
		_, _ = r.Add(newResource)
	}})
	f.Mutates = true
	var stdout, stderr bytes.Buffer
	if code := runFiles(f, []string{file}, &stdout, &stderr); code != 0 {
		t.Errorf("exit %d: %s", code, stderr.String())
	}
	want := "apiVersion: v1\nkind: B\nmetadata: {name: b}\n---\n" + newResource
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestKeepsChanges(t *testing.T) {
	tests := []struct {
		name    string
		process func(*Run)
		kept    bool
	}{
		{"error", func(r *Run) { r.Report(Finding{Rule: "demo/error", Message: "m"}) }, true},
		{"bad input", func(r *Run) { r.Invalid(Resource{Kind: "A", Name: "a"}, "", "m") }, true},
		{"bad configuration", func(r *Run) { r.ConfigInvalid("spec", "m") }, false},
		{"panic", func(*Run) { panic("m") }, false},
		{"guarded panic", func(r *Run) { r.Guard(Resource{}, func() { panic("m") }) }, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f := demo(&stub{wants: wantAll, process: func(r *Run) {
				setData(t, r.Items()[0])
				_, _ = r.Add(newResource)
				test.process(r)
			}})
			f.KeepsChanges = true
			var stdout, stderr bytes.Buffer
			code := filter(f, []byte(listStart+oneItem+"  data: {a: x}\n"), &stdout, &stderr)
			if kept := strings.Contains(stdout.String(), "name: new") && strings.Contains(stdout.String(), "a: b"); code != 1 || kept != test.kept {
				t.Errorf("exit %d, output\n%s", code, stdout.String())
			}
		})
	}
}

// resourceStub is a processor that takes a resource as its functionConfig.
type resourceStub struct {
	stub
	resource *Item
}

func (s *resourceStub) ReadResource(item *Item) { s.resource = item }

func TestAccepts(t *testing.T) {
	const set = "functionConfig:\n  apiVersion: example.com/v2\n  kind: Set\n  metadata:\n    name: s\n  spec: {a: [b]}\n"
	p := &resourceStub{}
	f := demo(p)
	f.Accepts = []TypeMeta{{"example.com/v2", "Set"}}
	run := func(config string) (stderr string, code int) {
		var out, errs bytes.Buffer
		code = filter(f, []byte(listStart+oneItem+config), &out, &errs)
		return errs.String(), code
	}
	if stderr, code := run(set); code != 0 || p.resource == nil {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	document, err := p.resource.Document()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := document.Text(), "apiVersion: example.com/v2\nkind: Set\nmetadata:\n  name: s\nspec: {a: [b]}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := p.resource.Resource().String(); got != "Set s" {
		t.Errorf("got %s", got)
	}
	if stderr, code := run(strings.Replace(set, "v2", "v1", 1)); code != 1 || !strings.Contains(stderr, `apiVersion: got "example.com/v1", want example.com/v2 for the kind Set`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if stderr, code := run(strings.Replace(set, "Set", "Sett", 1)); code != 1 || !strings.Contains(stderr, `want Demo (fn.kpt.dev/v1alpha1), Set (example.com/v2) or ConfigMap (v1) (did you mean "Set"?)`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
