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
	const head = "- apiVersion: v1\n  kind: A\n"
	tests := []struct {
		name, item          string
		labels, annotations set
		byText              bool // without the parser
	}{
		{"plain", head + "  metadata:\n    name: a\n    labels:\n      a: b # c\n      \"c\": 'it''s'\n\n      # d\n      d.e/f: \"1\"\n    annotations:\n      x: z\n  spec:\n    labels:\n      no: no\n", set{"a": "b", "c": "it's", "d.e/f": "1"}, set{"x": "z"}, true},
		{"metadata first", "- metadata:\n    annotations:\n      x: z\n    finalizers:\n    - a\n    ownerReferences:\n      - labels: {a: b}\n        name: b\n    labels:\n      a: b\n  kind: A\n  apiVersion: v1\n", set{"a": "b"}, set{"x": "z"}, true},
		{"none", head + "  metadata:\n    name: a\n", nil, nil, true},
		{"no metadata", head + "  spec:\n    metadata:\n      labels:\n        a: b\n", nil, nil, true},
		{"last", head + "  metadata:\n    labels:\n      a: b", set{"a": "b"}, nil, true},
		{"numbers", head + "  metadata:\n    labels:\n      a: 1.30\n      b: yes\n", set{"a": "1.30", "b": "yes"}, nil, true},
		{"null", head + "  metadata:\n    labels:\n    annotations:\n      a:\n      b: ~\n      c: null\n      d: 'null'\n", nil, set{"a": "", "b": "", "c": "", "d": "null"}, false},
		{"flow labels", head + "  metadata:\n    labels: {a: b}\n", set{"a": "b"}, nil, false},
		{"flow metadata", head + "  metadata: {labels: {a: b}}\n", set{"a": "b"}, nil, false},
		{"JSON", "- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"labels\": {\"a\": \"b\"}}}\n", set{"a": "b"}, nil, false},
		{"block scalar", head + "  metadata:\n    annotations:\n      a: |\n        labels:\n          a: b\n      b: c\n    labels:\n      a: b\n", set{"a": "b"}, set{"a": "labels:\n  a: b\n", "b": "c"}, false},
		{"block scalar elsewhere", head + "  metadata:\n    note: |\n      labels:\n        a: c\n    labels:\n      a: b\n", set{"a": "b"}, nil, true},
		{"a value that goes on", head + "  metadata:\n    labels:\n      a: b\n        c\n", set{"a": "b c"}, nil, false},
		{"nested", head + "  metadata:\n    labels:\n      a:\n        b: c\n      d: e\n", set{"d": "e"}, nil, false},
		{"alias", head + "  metadata:\n    labels:\n      a: &x b\n      c: *x\n", set{"a": "b", "c": "b"}, nil, false},
		{"alias as a key", head + "  metadata:\n    labels: {a: &x b, *x : c}\n", set{"a": "b", "b": "c"}, nil, false},
		{"escape", head + "  metadata:\n    labels:\n      a: \"\\x62\"\n", set{"a": "b"}, nil, false},
		{"a list", head + "  metadata:\n    labels:\n    - a: b\n", nil, nil, true},
		{"duplicate key", head + "  metadata:\n    labels:\n      a: b\n      a: c\n", set{"a": "c"}, nil, true},
		{"merge key", head + "  x: &x {a: b, c: d}\n  metadata:\n    labels:\n      <<: *x\n      c: e\n    annotations: *x\n", set{"a": "b", "c": "e"}, set{"a": "b", "c": "d"}, false},
		{"merge keys", head + "  x: &x {a: 1}\n  y: &y {<<: *x, b: 2}\n  metadata:\n    annotations:\n      <<: [*y, {a: 3, b: 4, c: 5}]\n", nil, set{"a": "1", "b": "2", "c": "5"}, false},
		{"merge key that is text", head + "  metadata:\n    labels:\n      \"<<\": a\n", set{"<<": "a"}, nil, false},
		{"wide", "  -   apiVersion: v1\n      kind: A\n      metadata:\n          labels:\n              a: b\n", set{"a": "b"}, nil, true},
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
	if _, _, err := FileItem([]byte(" "+head[1:]+"  metadata:\n    labels: [\n"), "", 0).Metadata(); err == nil {
		t.Error("no error for an item that cannot be read")
	}
}

// What an API server reads otherwise is found in each part of the metadata, but not in annotations of clients, which
// files do not have.
func TestAmbiguousMetadata(t *testing.T) {
	const head = "- apiVersion: v1\n  kind: A\n  metadata:\n"
	for text, want := range map[string]string{
		"    name: on\n":                                                    "metadata.name",
		"    name: a\n    namespace: 0123\n":                                "metadata.namespace",
		"    name: a\n    labels:\n      b: no\n":                           "metadata.labels.b",
		"    name: a\n    labels:\n      on: b\n":                           "metadata.labels.on",
		"    name: a\n    labels: {b: no}\n":                                "metadata.labels.b",
		"    name: a\n    annotations:\n      b: 1.30\n":                    "metadata.annotations.b",
		"    name: a\n    annotations:\n      " + IndexAnnotation + ": 3\n": "",
		"    name: a\n    namespace: b\n    labels:\n      b: \"no\"\n":     "",
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
	item := itemOf(t, "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    labels:\n      a: b\n")
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
			l, err := Read([]byte("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:" + annotations))
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
