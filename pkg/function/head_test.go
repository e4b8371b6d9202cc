package function

import "testing"

func TestHead(t *testing.T) {
	type want struct {
		head  identity
		a     string // the annotation a
		doubt bool   // the item has to be parsed
	}
	full := identity{"v1", "ConfigMap", "space", "name"}
	tests := []struct {
		name, item string
		want       want
	}{
		{"plain", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      a: b\n", want{full, "b", false}},
		{"quoted", "- \"apiVersion\": 'v1'\n  'kind': \"ConfigMap\"\n  \"metadata\":\n    'name': 'name'\n    \"namespace\": \"space\"\n    annotations:\n      'a': \"b\"\n", want{full, "b", false}},
		{"kind last", "- metadata:\n    annotations:\n      a: 'b' # c\n    namespace: space\n    name: name\n  spec:\n    kind: X\n    metadata:\n      name: x\n  apiVersion: v1\n  kind: ConfigMap\n", want{full, "b", false}},
		{"annotations in flow style", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: name\n    namespace: space\n    annotations: {'a': b}\n", want{full, "b", true}},
		{"metadata in flow style", "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: name, namespace: space, annotations: {a: b}}\n", want{full, "b", true}},
		{"item in flow style", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"name\",\"namespace\":\"space\",\"annotations\":{\"a\":\"b\"}}}\n", want{full, "b", false}},
		{"item in flow style, not JSON", "- {apiVersion: v1, kind: ConfigMap, metadata: {name: name, namespace: space, annotations: {a: b}}}\n", want{full, "b", true}},
		{"JSON with a comment behind", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"} # c\n", want{identity{"v1", "ConfigMap", "", ""}, "", true}},
		{"JSON in another order", "-   {\"x\": {\"kind\": \"X\"}, \"metadata\": {\"annotations\": {\"b\": \"\\\"}\", \"a\" : \"b\"}, \"namespace\":\"space\", \"name\": \"name\"}, \"kind\" :\"ConfigMap\", \"apiVersion\":\"v1\" }\n\n", want{full, "b", false}},
		{"JSON with escapes", "- {\"apiVersion\":\"v1\",\"kind\":\"Config\\u004dap\",\"metadata\":{\"name\":\"name\",\"namespace\":\"space\",\"annotations\":{\"a\":\"b\"}}}\n", want{full, "b", true}},
		{"JSON with an escaped key", "- {\"apiVersion\":\"v1\",\"\\u006bind\":\"ConfigMap\"}\n", want{identity{"v1", "ConfigMap", "", ""}, "", true}},
		{"JSON with an escaped annotation", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"name\",\"namespace\":\"space\",\"annotations\":{\"\\u0061\":\"b\"}}}\n", want{full, "b", false}},
		{"JSON with a key twice", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"kind\":\"X\"}\n", want{identity{"v1", "ConfigMap", "", ""}, "", false}},
		{"JSON with metadata twice", "- {\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"name\"},\"metadata\":{}}\n", want{identity{"v1", "ConfigMap", "", "name"}, "", false}},
		{"JSON without text", "- {\"apiVersion\":1.30,\"kind\":true,\"metadata\":{\"name\":null,\"namespace\":{},\"annotations\":{\"a\":1}}}\n", want{identity{"1.30", "true", "", ""}, "1", false}},
		{"JSON without metadata", "- {\"apiVersion\":\"v1\",\"kind\":\"A\",\"metadata\":null}\n", want{identity{"v1", "A", "", ""}, "", false}},
		{"escaped", "- apiVersion: v1\n  kind: \"Config\\u004dap\"\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      a: \"\\x62\"\n", want{full, "b", true}},
		{"doubled quotes", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: 'na''me'\n    annotations:\n      a: 'b''c'\n", want{identity{"v1", "ConfigMap", "", "na'me"}, "b'c", false}},
		{"numbers", "- apiVersion: 1\n  kind: 2.50\n  metadata:\n    name: 007\n    annotations:\n      a: 1.30\n", want{identity{"1", "2.50", "", "007"}, "1.30", true}},
		{"words of YAML", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: yes\n    namespace: null\n", want{identity{"v1", "ConfigMap", "", "yes"}, "", true}},
		{"values on the next line", "- apiVersion:\n    v1\n  kind: Config\n    Map\n  metadata:\n    name: a\n      b\n    annotations:\n      a: c\n        d\n", want{identity{"v1", "Config Map", "", "a b"}, "c d", true}},
		{"annotation on the next line", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      a:\n        b\n", want{full, "b", false}},
		{"annotation in a block scalar", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      x: |\n        a: c\n      a: |-\n        b\n", want{full, "b", false}},
		{"annotation in a long scalar", "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      x: y\n        z\n      a: b\n", want{full, "b", false}},
		{"alias", "- apiVersion: &v v1\n  kind: ConfigMap\n  metadata:\n    name: *v\n    annotations:\n      a: *v\n", want{identity{"v1", "ConfigMap", "", "v1"}, "v1", true}},
		{"kind twice", "- apiVersion: v1\n  kind: ConfigMap\n  kind: Secret\n  metadata:\n    name: name\n    namespace: space\n    annotations:\n      a: b\n", want{full, "b", true}},
		{"in a block scalar", "- apiVersion: v1\n  data: |\n     kind: X\n     metadata:\n       name: x\n  kind: ConfigMap\n  metadata:\n    namespace: space\n    labels:\n      name: y\n    name: name\n    annotations:\n      a: b\n", want{full, "b", false}},
		{"comments everywhere", "- # c\n  apiVersion: v1 # c\n# c\n  kind: ConfigMap # c\n  metadata: # c\n  # c\n    name: name # c\n\n    namespace: space\n    annotations: # c\n      # c\n      a: b # c\n", want{full, "b", false}},
		{"wide", "    -   apiVersion: v1\n        kind: ConfigMap\n        metadata:\n            name: name\n            namespace: space\n            annotations:\n                a: b\n", want{full, "b", false}},
		{"lists in the column of their keys", "- apiVersion: v1\n  list:\n  - kind: X\n  - name: y\n  kind: ConfigMap\n  metadata:\n    finalizers:\n    - name: z\n    name: name\n    namespace: space\n    annotations:\n      a: b\n", want{full, "b", false}},
		{"without metadata", "- kind: ConfigMap\n  apiVersion: v1\n", want{identity{"v1", "ConfigMap", "", ""}, "", false}},
		{"null metadata", "- kind: ConfigMap\n  apiVersion: v1\n  metadata: null\n", want{identity{"v1", "ConfigMap", "", ""}, "", true}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, ok := split([]byte(listStart + test.item)); !ok {
				t.Fatal("split does not take this item, so the look is never made")
			}
			item := newItem([]byte(test.item))
			got := want{identity{item.APIVersion(), item.Kind(), item.Namespace(), item.Name()}, item.Annotation("a"), item.doubt}
			if got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
			if other := item.Annotation("none"); other != "" {
				t.Errorf("got %q for an annotation that is not there", other)
			}
			parsed := newItem([]byte(test.item))
			parsed.parseHead()
			if again := (identity{parsed.APIVersion(), parsed.Kind(), parsed.Namespace(), parsed.Name()}); again != got.head || parsed.Annotation("a") != got.a {
				t.Errorf("the parser finds %+v", again)
			}
		})
	}
}

func TestResourceOfItem(t *testing.T) {
	item := func(annotations string) *Item {
		return newItem([]byte("- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:\n" + annotations))
	}
	tests := []struct {
		name, annotations string
		want              Resource
	}{
		{"both spellings", "      config.kubernetes.io/path: old.yaml\n      internal.config.kubernetes.io/path: new.yaml\n      internal.config.kubernetes.io/index: '2'\n      config.kubernetes.io/index: '1'\n", Resource{File: "new.yaml", Index: 2}},
		{"older spelling", "      config.kubernetes.io/path: 'old.yaml'\n      config.kubernetes.io/index: 1\n", Resource{File: "old.yaml", Index: 1}},
		{"package", "      internal.config.kubernetes.io/package-path: '/abs/sub'\n      internal.config.kubernetes.io/path: 'a.yaml'\n", Resource{File: "a.yaml", packagePath: "/abs/sub"}},
		{"no number", "      config.kubernetes.io/index: x\n", Resource{}},
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
		if got := newItem([]byte(text)).Mentions("key"); got != want {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
