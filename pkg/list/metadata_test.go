package list

import (
	"maps"
	"reflect"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestMetadata(t *testing.T) {
	type set = map[string]string
	const head = `- apiVersion: v1
  kind: A
`
	tests := []struct {
		name, item          string
		labels, annotations set
		byText              bool // without the parser
	}{
		{
			"plain",
			head + `  metadata:
    name: a
    labels:
      a: b # c
      "c": 'it''s'

      # d
      d.e/f: "1"
    annotations:
      x: z
  spec:
    labels:
      no: no
`,
			set{"a": "b", "c": "it's", "d.e/f": "1"}, set{"x": "z"}, true,
		},
		{"metadata first", `- metadata:
    annotations:
      x: z
    finalizers:
    - a
    ownerReferences:
      - labels: {a: b}
        name: b
    labels:
      a: b
  kind: A
  apiVersion: v1
`, set{"a": "b"}, set{"x": "z"}, true},
		{
			"none",
			head + `  metadata:
    name: a
`,
			nil, nil, true,
		},
		{
			"no metadata",
			head + `  spec:
    metadata:
      labels:
        a: b
`,
			nil, nil, true,
		},
		{
			"last",
			head + `  metadata:
    labels:
      a: b`,
			set{"a": "b"}, nil, true,
		},
		{
			"numbers",
			head + `  metadata:
    labels:
      a: 1.30
      b: yes
`,
			set{"a": "1.30", "b": "yes"}, nil, true,
		},
		{
			"null",
			head + `  metadata:
    labels:
    annotations:
      a:
      b: ~
      c: null
      d: 'null'
`,
			nil, set{"a": "", "b": "", "c": "", "d": "null"}, false,
		},
		{
			"flow labels",
			head + `  metadata:
    labels: {a: b}
`,
			set{"a": "b"}, nil, false,
		},
		{"flow metadata", head + "  metadata: {labels: {a: b}}\n", set{"a": "b"}, nil, false},
		{"JSON", "- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"labels\": {\"a\": \"b\"}}}\n", set{"a": "b"}, nil, false},
		{
			"block scalar",
			head + `  metadata:
    annotations:
      a: |
        labels:
          a: b
      b: c
    labels:
      a: b
`,
			set{"a": "b"},
			set{
				"a": `labels:
  a: b
`,
				"b": "c",
			},
			false,
		},
		{
			"block scalar elsewhere",
			head + `  metadata:
    note: |
      labels:
        a: c
    labels:
      a: b
`,
			set{"a": "b"}, nil, true,
		},
		{
			"a value that goes on",
			head + `  metadata:
    labels:
      a: b
        c
`,
			set{"a": "b c"}, nil, false,
		},
		{
			"nested",
			head + `  metadata:
    labels:
      a:
        b: c
      d: e
`,
			set{"d": "e"}, nil, false,
		},
		{
			"alias",
			head + `  metadata:
    labels:
      a: &x b
      c: *x
`,
			set{"a": "b", "c": "b"}, nil, false,
		},
		{
			"alias as a key",
			head + `  metadata:
    labels: {a: &x b, *x : c}
`,
			set{"a": "b", "b": "c"}, nil, false,
		},
		{
			"escape",
			head + `  metadata:
    labels:
      a: "\x62"
`,
			set{"a": "b"}, nil, false,
		},
		{
			"a list",
			head + `  metadata:
    labels:
    - a: b
`,
			nil, nil, true,
		},
		{
			"duplicate key",
			head + `  metadata:
    labels:
      a: b
      a: c
`,
			set{"a": "c"}, nil, true,
		},
		{
			"merge key",
			head + `  x: &x {a: b, c: d}
  metadata:
    labels:
      <<: *x
      c: e
    annotations: *x
`,
			set{"a": "b", "c": "e"}, set{"a": "b", "c": "d"}, false,
		},
		{
			"merge keys",
			head + `  x: &x {a: 1}
  y: &y {<<: *x, b: 2}
  metadata:
    annotations:
      <<: [*y, {a: 3, b: 4, c: 5}]
`,
			nil, set{"a": "1", "b": "2", "c": "5"}, false,
		},
		{
			"merge key that is text",
			head + `  metadata:
    labels:
      "<<": a
`,
			set{"<<": "a"}, nil, false,
		},
		{"wide", `  -   apiVersion: v1
      kind: A
      metadata:
          labels:
              a: b
`, set{"a": "b"}, nil, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			item := itemOf(t, test.item)
			labels, knowsLabels := textsOf(item.labels)
			annotations, knowsAnnotations := textsOf(item.annotations)
			if byText := item.parsed == nil && knowsLabels && knowsAnnotations; byText != test.byText {
				t.Errorf("read by the text: %v, want %v", byText, test.byText)
			} else if byText {
				if diff := cmp.Diff([]set{test.labels, test.annotations}, []set{labels, annotations}, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("by the text: -want +got:\n%s", diff)
				}
			}
			labels, annotations, err := item.Metadata()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff([]set{test.labels, test.annotations}, []set{labels, annotations}, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			for key, want := range test.annotations {
				if got := itemOf(t, test.item).Annotation(key); got != want {
					t.Errorf("the annotation %s is %q, want %q", key, got, want)
				}
			}
		})
	}
	if _, _, err := FileItem([]byte(" "+head[1:]+`  metadata:
    labels: [
`), "", 0).Metadata(); err == nil {
		t.Error("no error for an item that cannot be read")
	}
}

// What an API server reads otherwise is found in each part of the metadata, but not in annotations of clients, which
// files do not have.
func TestAmbiguousMetadata(t *testing.T) {
	const head = `- apiVersion: v1
  kind: A
  metadata:
`
	for text, want := range map[string]string{
		"    name: on\n": "metadata.name",
		`    name: a
    namespace: 0123
`: "metadata.namespace",
		`    name: a
    labels:
      b: no
`: "metadata.labels.b",
		`    name: a
    labels:
      on: b
`: "metadata.labels.on",
		`    name: a
    labels: {b: no}
`: "metadata.labels.b",
		`    name: a
    annotations:
      b: 1.30
`: "metadata.annotations.b",
		`    name: a
    annotations:
      ` + IndexAnnotation + ": 3\n": "",
		`    name: a
    namespace: b
    labels:
      b: "no"
`: "",
	} {
		got := ""
		for f := range itemOf(t, head+text).AmbiguousMetadata() {
			got += f.Key
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// An item that was changed has the labels that it was given.
func TestMetadataOfChangedItem(t *testing.T) {
	item := itemOf(t, `- apiVersion: v1
  kind: A
  metadata:
    name: a
    labels:
      a: b
`)
	setAt(t, item, "c", "metadata", "labels", "a")
	if labels, _, err := item.Metadata(); err != nil || labels["a"] != "c" {
		t.Errorf("got %v, %v", labels, err)
	}
}

// Equal texts are one map, and others are not.
func TestShared(t *testing.T) {
	var s Shared
	type texts = map[string]string
	first := s.Texts(texts{"a": "b", "c": "d"})
	if second := s.Texts(texts{"c": "d", "a": "b"}); len(second) != 2 || !isSame(first, second) {
		t.Errorf("got %v", second)
	}
	all := []texts{{"a": "b"}, {"a": "bc", "d": ""}, {"a": "b", "cd": ""}, {`a"b`: "c"}, {"a": `b"c`}, {}, nil}
	for _, one := range all {
		if got := s.Texts(one); isSame(got, first) || !isSame(got, one) || (got == nil) != (one == nil) {
			t.Errorf("%v: got %v", one, got)
		}
	}
	for _, one := range all {
		if got := s.Texts(maps.Clone(one)); len(one) > 0 && !isSame(got, one) || (got == nil) != (one == nil) {
			t.Errorf("%v: got %v", one, got)
		}
	}
	for i := range 3 * mostShared {
		if s.Texts(texts{"a": strconv.Itoa(i)}); len(s.all) > mostShared {
			t.Fatalf("%d are kept", len(s.all))
		}
	}
}

func isSame(a, b map[string]string) bool {
	return reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
}

// Annotations are those that were set, in each way that YAML writes them, and again the former ones when
// the changes are undone.
func TestAnnotationAfterEdits(t *testing.T) {
	for name, annotations := range map[string]string{"block": "\n      x: old\n", "flow": " {x: old}\n", "quoted": "\n      'x': !!str old\n"} {
		for _, isAsked := range []bool{false, true} {
			l, err := Read([]byte(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations:` + annotations))
			if err != nil {
				t.Fatal(err)
			}
			item := l.Items[0]
			if isAsked && item.Annotation("x") != "old" {
				t.Errorf("%s: before: got %q", name, item.Annotation("x"))
			}
			for _, text := range []string{"new", ""} {
				if _, err := item.Annotate(map[string]string{"x": text}); err != nil {
					t.Fatal(err)
				}
				all, err := item.Annotations()
				if item.Annotation("x") != text || all["x"] != text || err != nil {
					t.Errorf("%s: got %q and %v, %v, want %q", name, item.Annotation("x"), all, err, text)
				}
				if came := item.AsItCame(); came.Annotation("x") != "old" {
					t.Errorf("%s: as it came: got %q", name, came.Annotation("x"))
				}
			}
			if l.Restore(); item.Annotation("x") != "old" {
				t.Errorf("%s: restored: got %q", name, item.Annotation("x"))
			}
		}
	}
}
