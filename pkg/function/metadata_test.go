package function

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestMetadata(t *testing.T) {
	type set = map[string]string
	const head = "- apiVersion: v1\n  kind: A\n"
	tests := []struct {
		name, item          string
		labels, annotations set
		looked              bool // without the parser
	}{
		{"plain", head + "  metadata:\n    name: a\n    labels:\n      a: b # c\n      \"c\": 'it''s'\n\n      # d\n      d.e/f: \"1\"\n    annotations:\n      x: z\n  spec:\n    labels:\n      no: no\n", set{"a": "b", "c": "it's", "d.e/f": "1"}, set{"x": "z"}, true},
		{"metadata first", "- metadata:\n    annotations:\n      x: z\n    finalizers:\n    - a\n    ownerReferences:\n      - labels: {a: b}\n        name: b\n    labels:\n      a: b\n  kind: A\n  apiVersion: v1\n", set{"a": "b"}, set{"x": "z"}, true},
		{"none", head + "  metadata:\n    name: a\n", nil, nil, true},
		{"no metadata", head + "  spec:\n    metadata:\n      labels:\n        a: b\n", nil, nil, true},
		{"last", head + "  metadata:\n    labels:\n      a: b", set{"a": "b"}, nil, true},
		{"numbers", head + "  metadata:\n    labels:\n      a: 1.30\n      b: yes\n", set{"a": "1.30", "b": "yes"}, nil, false},
		{"null", head + "  metadata:\n    labels:\n    annotations:\n      a:\n", nil, set{"a": ""}, false},
		{"flow labels", head + "  metadata:\n    labels: {a: b}\n", set{"a": "b"}, nil, false},
		{"flow metadata", head + "  metadata: {labels: {a: b}}\n", set{"a": "b"}, nil, false},
		{"JSON", "- {\"apiVersion\": \"v1\", \"kind\": \"A\", \"metadata\": {\"labels\": {\"a\": \"b\"}}}\n", set{"a": "b"}, nil, false},
		{"block scalar", head + "  metadata:\n    annotations:\n      a: |\n        labels:\n          a: b\n      b: c\n    labels:\n      a: b\n", set{"a": "b"}, set{"a": "labels:\n  a: b\n", "b": "c"}, false},
		{"block scalar elsewhere", head + "  metadata:\n    note: |\n      labels:\n        a: c\n    labels:\n      a: b\n", set{"a": "b"}, nil, true},
		{"goes on", head + "  metadata:\n    labels:\n      a: b\n        c\n", set{"a": "b c"}, nil, false},
		{"nested", head + "  metadata:\n    labels:\n      a:\n        b: c\n      d: e\n", set{"d": "e"}, nil, false},
		{"alias", head + "  metadata:\n    labels:\n      a: &x b\n      c: *x\n", set{"a": "b", "c": "b"}, nil, false},
		{"escape", head + "  metadata:\n    labels:\n      a: \"\\x62\"\n", set{"a": "b"}, nil, false},
		{"a list", head + "  metadata:\n    labels:\n    - a: b\n", nil, nil, false},
		{"wide", "  -   apiVersion: v1\n      kind: A\n      metadata:\n          labels:\n              a: b\n", set{"a": "b"}, nil, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			item := newItem([]byte(test.item))
			found, ok := lookAtMetadata(item.text)
			if ok = ok && flowText(item.text) == nil; test.looked && !ok {
				t.Error("the parser had to be asked")
			}
			labels, annotations, err := item.Metadata()
			if err != nil {
				t.Fatal(err)
			}
			for what, got := range map[string]set{"labels": labels, "annotations": annotations} {
				want := map[string]set{"labels": test.labels, "annotations": test.annotations}[what]
				if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s: -want +got:\n%s", what, diff)
				}
				if diff := cmp.Diff(want, found[what], cmpopts.EquateEmpty()); ok && diff != "" {
					t.Errorf("%s by the text: -want +got:\n%s", what, diff)
				}
			}
		})
	}
	if _, _, err := newItem([]byte(head + "  metadata:\n    labels: [\n")).Metadata(); err == nil {
		t.Error("no error for an item that can not be read")
	}
}

// What is read of the text is what the parser finds, whatever the lines are.
func TestMetadataByText(t *testing.T) {
	looked := 0
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{
			"    labels:", "    annotations:", "      a: b", "      'c d': \"e\"", "      f: 'it''s' # g", "      a: |", "        text", "      h: yes", "      i: *x", "      j: &x k",
			"    name: n", "    ownerReferences:", "    - labels:", "      - a: b", "    # comment", "", "      # comment", "        goes: on", "    labels: {a: b}", "     odd: x", "  spec:", "  # comment",
			"      k: \"\\x41\"", "      l:", "      m: {n: o}", "      '': p", "      ? q", "    'labels':", "  metadata:", "      a: >-", "      'r': s: t", "      u: #v", "      w: x #y", "      z: é",
		}), 0, 10).Draw(t, "lines")
		text := "- apiVersion: v1\n  kind: A\n  metadata:\n" + strings.Join(lines, "\n") + "\n"
		if _, ok := split([]byte(listStart + text)); !ok {
			return // the parser reads the list
		}
		item := newItem([]byte(text))
		found, ok := lookAtMetadata(item.text)
		document, err := item.Document()
		if !ok || err != nil {
			return
		}
		looked++
		metadata := field(document.Root(), "metadata")
		for _, name := range []string{"labels", "annotations"} {
			if diff := cmp.Diff(scalarTexts(field(metadata, name)), found[name], cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("%s of\n%s-parser +text:\n%s", name, text, diff)
			}
		}
	})
	if looked == 0 {
		t.Error("no text was read")
	}
}
