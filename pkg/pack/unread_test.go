package pack

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// configMap makes a ConfigMap with a pack.json and another file, which is in a field of
// the ConfigMap.
func configMap(packJSON, field, file, content string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  pack.json: %q\n%s:\n  %s: %q\n", packJSON, field, file, content)
}

// kubectl and kustomize put a file that is not UTF-8 into binaryData, where no function
// would see it.
func TestBinaryFiles(t *testing.T) {
	encoded := func(content string) string { return base64.StdEncoding.EncodeToString([]byte(content)) }
	fault := func(file, found, want string) []string {
		return []string{fmt.Sprintf("error input/invalid ConfigMap/c binaryData[%s] got=%q want=%q", file, found, want)}
	}
	const latin1 = "a file that is not UTF-8: byte 0xE9 at offset 9, on line 2 of the file"
	for _, file := range files[1:] {
		p := load(t, "", configMap(`{"name": "vault"}`, "binaryData", file, encoded("a: 1\n# ca\xe9 \xe9")))
		if diff := cmp.Diff(fault(file, latin1, "a string in UTF-8"), p.Faults); diff != "" {
			t.Errorf("%s: -want +got:\n%s", file, diff)
		}
		if one := p.Set.Packs[0]; !one.Hides(file) || one.Hides("values.yaml") != (file == "values.yaml") {
			t.Errorf("%s: the pack hides other files", file)
		}
	}
	for content, want := range map[string][]string{
		encoded("a: 1"):                {"error input/invalid ConfigMap/c binaryData[values.yaml]"},
		encoded("\ufffd: 1\n# ca\xe9"): fault("values.yaml", "a file that is not UTF-8: byte 0xE9 at offset 11, on line 2 of the file", "a string in UTF-8"),
		"%":                            fault("values.yaml", "a file in binaryData that is not base64", "a string in data"),
		encoded("a: 1\n# ca\xe9")[:8] + "\n" + encoded("a: 1\n# ca\xe9")[8:]: fault("values.yaml", latin1, "a string in UTF-8"),
	} {
		p := load(t, "", configMap(`{"name": "vault"}`, "binaryData", "values.yaml", content))
		if diff := cmp.Diff(want, p.Faults); diff != "" {
			t.Errorf("%q: -want +got:\n%s", content, diff)
		}
	}
	for name, item := range map[string]string{
		"pack.json":   "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\nbinaryData: {pack.json: " + encoded("a: 1\n# ca\xe9") + "}\n",
		"values.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {packs.kpt.dev/values-of: vault}}\nbinaryData: {values.yaml: " + encoded("a: 1\n# ca\xe9") + "}\n",
	} {
		p := load(t, "", item)
		if diff := cmp.Diff(fault(name, latin1, "a string in UTF-8"), p.Faults); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
		if p.Set.Unread != (name == "pack.json") {
			t.Errorf("%s: Unread is %v", name, p.Set.Unread)
		}
	}
	p := load(t, "", configMap(`{"name": "vault"}`, "binaryData", "logo.png", encoded("\xff\xff")))
	if len(p.Faults) > 0 {
		t.Errorf("a file that no function reads: got %q", p.Faults)
	}
}

// While the pack's own values cannot be read, nothing is known of its values.
func TestHiddenValues(t *testing.T) {
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {values: {a: 1}}\n"
	for name, documents := range map[string]string{
		"misspelt":           strings.Replace(pack, "values", "valeus", 1),
		"of the wrong type":  strings.Replace(pack, "{a: 1}", "[a]", 1),
		"in a misspelt file": configMap(`{"name": "vault"}`, "data2: {}\n  ", "value.yaml", "a: 1"),
	} {
		if name == "in a misspelt file" {
			documents = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {pack.json: '{\"name\": \"vault\"}', value.yaml: 'a: 1'}\n"
		}
		p := load(t, "", documents)
		if len(p.Faults) == 0 || len(p.Set.Packs) != 1 {
			t.Errorf("%s: got %q and %d packs", name, p.Faults, len(p.Set.Packs))
			continue
		}
		if effective, faults := p.Set.Packs[0].Effective(); effective != nil || len(faults) > 0 {
			t.Errorf("%s: got effective values, and %v", name, faults)
		}
	}
}

// While an override cannot be read, a value that is absent may be in it.
func TestIncompleteValues(t *testing.T) {
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {values: {a: 1}}\n---\n"
	for documents, want := range map[string]bool{
		pack: false,
		pack + "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, values: {}}\n":                      false,
		pack + "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, valeus: {a: 1}}\n":                  true,
		pack + "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}}\n":                                  true,
		pack + "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, values: [a]}\n":                     true,
		pack + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {packs.kpt.dev/values-of: vault}}\ndata: {value.yaml: ''}\n":                   true,
		pack + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {packs.kpt.dev/values-of: vault}}\ndata: {values.yaml: 'a: 1'}\n":              false,
		pack + "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c, annotations: {packs.kpt.dev/values-of: vault}}\nbinaryData: {values.yaml: 6Q==}\n":          true,
		pack + "apiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, scope: clusters, values: {a: 1}}\n": true,
	} {
		if effective, _ := load(t, "", documents).Set.Packs[0].Effective(); effective == nil || effective.Incomplete != want {
			t.Errorf("%s: got %+v", documents, effective)
		}
	}
}

// pack.json is JSON, whatever its texts are.
func TestPackJSON(t *testing.T) {
	for name, text := range map[string]string{
		"an escaped slash":      `{"name": "vault", "url": "https:\/\/x.io"}`,
		"a surrogate pair":      `{"name": "vault", "displayName": "\ud83d\ude80"}`,
		"a delete character":    "{\"name\": \"vault\", \"displayName\": \"\u007f\"}",
		"a line separator":      "{\"name\": \"vault\", \"displayName\": \"a\u2028b\"}",
		"a long key":            `{"name": "vault", "` + strings.Repeat("k", 2000) + `": 1}`,
		"a tab":                 "{\t\"name\": \"vault\"}",
		"a byte order mark":     "\ufeff" + `{"name": "vault"}`,
		"a number as a version": `{"name": "vault", "version": 1.10}`,
	} {
		p := load(t, "", configMap(text, "binaryData", "x", ""))
		if len(p.Faults) > 0 || p.names() != "vault" {
			t.Errorf("%s: got the packs %s and %q", name, p.names(), p.Faults)
		}
		if _, err := File("pack.json", text).Mapping(); err != nil {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// Names that are only a little like ours are other files and kinds.
func TestOtherNames(t *testing.T) {
	for _, documents := range []string{
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {stack.json: '{}', package.json: '{}', values.yml: ''}\n",
		"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {readme: 'packs.json: a file, packs.kpt.dev/value-of: an annotation'}\n",
		"apiVersion: example.com/v1\nkind: ConfigMaps\nmetadata: {name: c}\ndata: {pack.json: '{}'}\n",
		"apiVersion: v1\nkind: ConfiMap\nmetadata: {name: c}\ndata: {a: b}\n",
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: c, annotations: {kpt.dev/values-of: a, packs.kpt.dev/accept: 'values/format: y'}, labels: {packs.kpt.dev/x: y}}\n",
	} {
		if p := load(t, "", documents); len(p.Faults) > 0 || p.Set.Unread {
			t.Errorf("%s: got %q", documents, p.Faults)
		}
	}
}

// A slip that hides a pack or a ClusterContext is the cause of what is missing.
func TestUnreadAfterSlips(t *testing.T) {
	const cluster = "apiVersion: packs.kpt.dev/v1alpha1\nkind: ClusterContext\nmetadata: {name: c}\nspec: {}\n"
	for _, tc := range []struct {
		documents                string
		isUnread, isClusterFault bool
	}{
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {packs.json: '{\"name\": \"vault\"}'}\n", true, false},
		{"apiVersion: v1\nkind: ConfiMap\nmetadata: {name: c}\ndata: {pack.json: '{\"name\": \"vault\"}'}\n", true, false},
		{"apiVersion: packs.kpt.dev/v1alpha1\nkind: Packs\nmetadata: {name: vault}\nspec: {}\n", true, false},
		{"apiVersion: packs.ktp.dev/v1alpha1\nkind: Pack\nmetadata: {name: vault}\nspec: {}\n", true, false},
		{strings.Replace(cluster, "Context", "Contxt", 1), false, true},
		{strings.Replace(cluster, "kpt", "ktp", 1), false, true},
		{cluster, false, false},
		{"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {pack.json: '{'}\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: more}\nspec: {packRef: {name: vault}, values: {}}\n", true, false},
	} {
		p := load(t, "{apiVersion: fn.kpt.dev/v1alpha1, kind: Probe, metadata: {name: c}, spec: {packs: "+map[bool]string{true: "[vault]", false: "[]"}[tc.isUnread]+"}}", tc.documents)
		if p.Set.Unread != tc.isUnread || (len(p.ClusterFaults) > 0) != tc.isClusterFault || (len(p.Faults) == 1) != (tc.isUnread || tc.isClusterFault) {
			t.Errorf("%s: got %q, Unread %v, %d faults of the cluster", tc.documents, p.Faults, p.Set.Unread, len(p.ClusterFaults))
		}
	}
}
