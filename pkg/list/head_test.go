package list

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest/draws"
)

func TestHead(t *testing.T) {
	type want struct {
		head  identity
		a     string // the annotation a
		doubt bool   // the item must be parsed
	}
	full := identity{"v1", "ConfigMap", "space", "name"}
	tests := []struct {
		name, item string
		want       want
	}{
		{"plain", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{"quoted", `- "apiVersion": 'v1'
  'kind': "ConfigMap"
  "metadata":
    'name': 'name'
    "namespace": "space"
    annotations:
      'a': "b"
`, want{full, "b", false}},
		{"kind last", `- metadata:
    annotations:
      a: 'b' # c
    namespace: space
    name: name
  spec:
    kind: X
    metadata:
      name: x
  apiVersion: v1
  kind: ConfigMap
`, want{full, "b", false}},
		{"annotations in flow style", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations: {'a': b}
`, want{full, "b", false}},
		{"labels in flow style", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    labels: {a: c}
    annotations:
      a: b
`, want{full, "b", false}},
		{"labels that are text", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    labels: |
      a: c
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{"annotations twice", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: c
    annotations:
      a: b
`, want{full, "b", false}},
		{"metadata in flow style", `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: name, namespace: space, annotations: {a: b}}
`, want{full, "b", true}},
		{"item in flow style", "- {apiVersion: v1, kind: ConfigMap, metadata: {name: name, namespace: space, annotations: {a: b}}}\n", want{full, "b", true}},
		{"JSON", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"name\",\"namespace\":\"space\",\"annotations\":{\"a\":\"b\"}}}\n", want{full, "b", true}},
		{"JSON with a comment", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"} # c\n", want{identity{"v1", "ConfigMap", "", ""}, "", true}},
		{"JSON in another order", "-   {\"x\": {\"kind\": \"X\"}, \"metadata\": {\"annotations\": {\"b\": \"\\\"}\", \"a\" : \"b\"}, \"namespace\":\"space\", \"name\": \"name\"}, \"kind\" :\"ConfigMap\", \"apiVersion\":\"v1\" }\n\n", want{full, "b", true}},
		{"JSON with escapes", "- {\"apiVersion\":\"v1\",\"\\u006bind\":\"Config\\u004dap\",\"metadata\":{\"name\":\"name\",\"namespace\":\"space\",\"annotations\":{\"\\u0061\":\"b\"}}}\n", want{full, "b", true}},
		{"JSON with a duplicate key", "- {\"apiVersion\":\"v1\",\"kind\":\"X\",\"kind\":\"ConfigMap\"}\n", want{identity{"v1", "ConfigMap", "", ""}, "", true}},
		{"JSON without text", "- {\"apiVersion\":1.30,\"kind\":true,\"metadata\":{\"name\":null,\"namespace\":{},\"annotations\":{\"a\":1}}}\n", want{identity{"1.30", "true", "", ""}, "1", true}},
		{"JSON without metadata", "- {\"apiVersion\":\"v1\",\"kind\":\"A\",\"metadata\":null}\n", want{identity{"v1", "A", "", ""}, "", true}},
		{"escaped", `- apiVersion: v1
  kind: "Config\u004dap"
  metadata:
    name: name
    namespace: space
    annotations:
      a: "\x62"
`, want{full, "b", true}},
		{
			"doubled quotes",
			`- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: 'na''me'
    annotations:
      a: 'b''c'
`,
			want{identity{"v1", "ConfigMap", "", "na'me"}, "b'c", false},
		},
		{
			"numbers",
			`- apiVersion: 1
  kind: 2.50
  metadata:
    name: 007
    annotations:
      a: 1.30
`,
			want{identity{"1", "2.50", "", "007"}, "1.30", false},
		},
		{
			"words of YAML",
			`- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: yes
    namespace: null
`,
			want{identity{"v1", "ConfigMap", "", "yes"}, "", false},
		},
		{
			"values on the next line",
			`- apiVersion:
    v1
  kind: Config
    Map
  metadata:
    name: a
      b
    annotations:
      a: c
        d
`,
			want{identity{"v1", "Config Map", "", "a b"}, "c d", true},
		},
		{"annotation on the next line", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a:
        b
`, want{full, "b", false}},
		{"annotation in a block scalar", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      x: |
        a: c
      a: |-
        b
`, want{full, "b", false}},
		{"annotation in a long scalar", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      x: y
        z
      a: b
`, want{full, "b", false}},
		{"annotation that is null", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: Null # c
`, want{full, "", false}},
		{"duplicate annotation", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: c
      a: b
`, want{full, "b", false}},
		{
			"alias",
			`- apiVersion: &v v1
  kind: ConfigMap
  metadata:
    name: *v
    annotations:
      a: *v
`,
			want{identity{"v1", "ConfigMap", "", "v1"}, "v1", true},
		},
		{"merge key", `- x: &x {kind: ConfigMap, apiVersion: v2}
  <<: *x
  apiVersion: v1
  metadata:
    <<: {namespace: space, name: x}
    name: name
    annotations:
      <<: {a: b}
`, want{full, "b", true}},
		{"merge key in the metadata", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    namespace: space
    <<: {name: name, annotations: {a: b}}
`, want{full, "b", true}},
		{"merge key in the annotations", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      x: y
      <<: {x: z, a: b}
`, want{full, "b", false}},
		{"merge key of other metadata", `- apiVersion: v1
  kind: ConfigMap
  spec:
    <<: {a: b}
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{"duplicate apiVersion", `- apiVersion: v2
  apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{"duplicate kind", `- apiVersion: v1
  kind: Secret
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{"kind again after the metadata", `- apiVersion: v1
  kind: Secret
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
  spec: {}
  'kind': ConfigMap
`, want{full, "b", false}},
		{"metadata again", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: x
  spec: {}
  metadata: {namespace: space, name: name, annotations: {a: b}}
`, want{full, "b", true}},
		{"a list of kinds", `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: name
    namespace: space
    annotations:
      a: b
  list:
  - kind: A
  - metadata: {}
`, want{full, "b", false}},
		{"in a block scalar", `- apiVersion: v1
  data: |
     kind: X
     metadata:
       name: x
  kind: ConfigMap
  metadata:
    namespace: space
    labels:
      name: y
    name: name
    annotations:
      a: b
`, want{full, "b", false}},
		{"comments everywhere", `- # c
  apiVersion: v1 # c
# c
  kind: ConfigMap # c
  metadata: # c
  # c
    name: name # c

    namespace: space
    annotations: # c
      # c
      a: b # c
`, want{full, "b", false}},
		{"wide", `    -   apiVersion: v1
        kind: ConfigMap
        metadata:
            name: name
            namespace: space
            annotations:
                a: b
`, want{full, "b", false}},
		{"lists in the column of their keys", `- apiVersion: v1
  list:
  - kind: X
  - name: y
  kind: ConfigMap
  metadata:
    finalizers:
    - name: z
    name: name
    namespace: space
    annotations:
      a: b
`, want{full, "b", false}},
		{
			"without metadata",
			`- kind: ConfigMap
  apiVersion: v1
`,
			want{identity{"v1", "ConfigMap", "", ""}, "", false},
		},
		{
			"null metadata",
			`- kind: ConfigMap
  apiVersion: v1
  metadata: null
`,
			want{identity{"v1", "ConfigMap", "", ""}, "", true},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			item := itemOf(t, test.item)
			got := want{identityOf(item), item.Annotation("a"), item.doubt}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if other := item.Annotation("none"); other != "" {
				t.Errorf("got %q for an annotation that is not there", other)
			}
			parsed := itemOf(t, test.item)
			parsed.parseHead()
			if identityOf(parsed) != got.head || parsed.Annotation("a") != got.a {
				t.Errorf("the parser finds %+v", identityOf(parsed))
			}
		})
	}
}

// itemOf is an item of a list that the text reader takes.
func itemOf(t failer, text string) *Item {
	t.Helper()
	found, ok := split([]byte("items:\n" + text))
	if !ok || len(found.items) != 1 {
		t.Fatalf("split does not take this item:\n%s", text)
	}
	found.items[0].complete()
	return found.items[0]
}

func identityOf(i *Item) identity {
	return identity{i.APIVersion(), i.Kind(), i.Namespace(), i.Name()}
}

// parsedHead is the head of an item as the parser decodes it, an oracle that shares
// no code with the reader. Its texts are as they are written.
type parsedHead struct {
	APIVersion yaml.Node `yaml:"apiVersion"`
	Kind       yaml.Node `yaml:"kind"`
	Metadata   struct {
		Name        yaml.Node            `yaml:"name"`
		Namespace   yaml.Node            `yaml:"namespace"`
		Labels      map[string]yaml.Node `yaml:"labels"`
		Annotations map[string]yaml.Node `yaml:"annotations"`
	} `yaml:"metadata"`
}

// generatedHead writes an item, mostly a right one.
func generatedHead(t *rapid.T) string {
	some := func(name string, lines ...string) []string {
		lines = rapid.Permutation(lines).Draw(t, name)
		return lines[:rapid.IntRange(0, len(lines)).Draw(t, "count")]
	}
	entries := func(key string) []string {
		return append([]string{"    " + key + ":"}, some(key, "      a: b", "      'c d': \"e\"", "      f: 'it''s' # g", "      h: yes", "      i: *x", "      j: &k l", "      m: 1.30", "      n:", "      nothing: ~", "      nil: null", "      o: {p: q}", "      \"r\": \"\\x41\"",
			"      <<: {a: m, s: t}", "      '': u", "      v: #w", "      y: z #y", "      é: z", "", "      # comment", `      goes: on
        here`, `      block: |
        a: c`, `      over: 'two
        lines'`)...)
	}
	metadata := []string{"  metadata:"}
	for _, part := range some("metadata", "name", "namespace", "labels", "annotations", "owners", "comment", "merge", "anchor") {
		switch part {
		case "name":
			metadata = append(metadata, rapid.SampledFrom([]string{"    name: n", "    'name': \"it's\"", "    name: 5", `    name:
      n`}).Draw(t, "name"))
		case "namespace":
			metadata = append(metadata, rapid.SampledFrom([]string{"    namespace: s", "    namespace: null", "    namespace: 's' # c"}).Draw(t, "namespace"))
		case "labels", "annotations":
			metadata = append(metadata, rapid.SampledFrom([][]string{entries(part), entries(part), entries(part), {"    " + part + ": {a: b}"}, {"    " + part + ": *x"}, {"    '" + part + "':", "      a: b"}}).Draw(t, "form")...)
		case "owners":
			metadata = append(metadata, "    ownerReferences:", "    - labels:", "      - a: b")
		case "comment":
			metadata = append(metadata, "    # comment", "")
		case "merge":
			metadata = append(metadata, "    <<: {name: o, labels: {a: z}, annotations: {n: m}}")
		case "anchor":
			metadata = append(metadata, "    note: &k l")
		}
	}
	parts := some("parts", "  apiVersion: v1", "  kind: 'B' # c", `  spec:
    kind: X
    metadata:
      name: y`, "  <<: {kind: X, metadata: {name: x}}", `  list:
  - name: z`, "  # comment", `  data: |
    kind: Y`, "metadata")
	for i, part := range parts {
		if part == "metadata" {
			parts[i] = strings.Join(metadata, "\n")
		}
	}
	lines := strings.Split(strings.Join(parts, "\n"), "\n")
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "mutations") {
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "at")
		other := lines[rapid.IntRange(0, len(lines)-1).Draw(t, "other")]
		lines = slices.Insert(lines, at, rapid.SampledFrom([]string{other, "     odd: x", "        goes: on", "  kind: C", "      ? q", "      a: b", "    name: again", ""}).Draw(t, "line"))
	}
	return "- x: &x {y: z}\n" + strings.Join(lines, "\n") + "\n"
}

// The head that is read from the text of an item has what the parser finds in it, whatever its lines are.
func TestHeadByText(t *testing.T) {
	all, byText, merged := 0, 0, 0
	draws.Same(t, func(t *rapid.T) {
		text := generatedHead(t)
		all++
		if _, ok := split([]byte(listStart + text)); !ok {
			return // the parser reads the list
		}
		var want parsedHead
		if err := yaml.Unmarshal([]byte(" "+text[1:]), &want); err != nil {
			return // not YAML, or with duplicate keys
		}
		item := itemOf(t, text)
		labels, annotations, err := item.Metadata()
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !item.doubt {
			byText++
		}
		if strings.Contains(text, "<<:") {
			merged++
		}
		head := identity{textOf(want.APIVersion), textOf(want.Kind), textOf(want.Metadata.Namespace), textOf(want.Metadata.Name)}
		if got := identityOf(item); got != head {
			t.Fatalf("got %+v, want %+v of\n%s", got, head, text)
		}
		if diff := cmp.Diff(textsIn(want.Metadata.Labels), labels, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("labels -want +got:\n%s\n%s", diff, text)
		}
		if diff := cmp.Diff(textsIn(want.Metadata.Annotations), annotations, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("annotations -want +got:\n%s\n%s", diff, text)
		}
		for _, key := range []string{"a", "m", "n", "nil", "nothing", "r", "y", "<<", "none"} {
			if got, want := itemOf(t, text).Annotation(key), textsIn(want.Metadata.Annotations)[key]; got != want {
				t.Fatalf("the annotation %s is %q, want %q in\n%s", key, got, want, text)
			}
		}
	})
	if byText*20 < all || merged*20 < all {
		t.Errorf("of %d heads %d were read by their text, and %d have merge keys", all, byText, merged)
	}
}

// textOf is the text of a scalar as written, "" for anything else.
func textOf(n yaml.Node) string {
	for n.Kind == yaml.AliasNode {
		n = *n.Alias
	}
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
		return ""
	}
	return n.Value
}

func textsIn(nodes map[string]yaml.Node) map[string]string {
	texts := map[string]string{}
	for key, n := range nodes {
		for n.Kind == yaml.AliasNode {
			n = *n.Alias
		}
		if n.Kind == yaml.ScalarNode {
			texts[key] = textOf(n)
		}
	}
	return texts
}

func TestResourceOfItem(t *testing.T) {
	item := func(annotations string) *Item {
		return itemOf(t, `- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations:
`+annotations)
	}
	tests := []struct {
		name, annotations string
		want              diag.Resource
	}{
		{"both spellings", `      config.kubernetes.io/path: old.yaml
      internal.config.kubernetes.io/path: new.yaml
      internal.config.kubernetes.io/index: '2'
      config.kubernetes.io/index: '1'
`, diag.Resource{File: "new.yaml", Index: 2}},
		{"older spelling", `      config.kubernetes.io/path: 'old.yaml'
      config.kubernetes.io/index: 1
`, diag.Resource{File: "old.yaml", Index: 1}},
		{
			"package",
			`      internal.config.kubernetes.io/package-path: '/abs/sub'
      internal.config.kubernetes.io/path: 'a.yaml'
`,
			diag.Resource{File: "a.yaml", PackagePath: "/abs/sub"},
		},
		{"no number", "      config.kubernetes.io/index: x\n", diag.Resource{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			want := test.want
			want.APIVersion, want.Kind, want.Name = "v1", "A", "a"
			if got := item(test.annotations).Resource(); got != want {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

func TestMentions(t *testing.T) {
	for text, want := range map[string]bool{
		"- a: key": true, "- a: ke": false, `- "\x6bey": a`: true, "- 'key': a": true,
	} {
		if got := (&Item{text: []byte(text)}).Mentions("key"); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	item := itemOf(t, `- apiVersion: v1
  kind: A
`)
	if setData(t, item); !item.Mentions("data") {
		t.Error("a changed item does not mention what it was given")
	}
}
