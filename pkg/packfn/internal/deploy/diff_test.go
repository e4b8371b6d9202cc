package deploy

import (
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

const secretText = `---
# Source: web/templates/a.yaml
kind: Secret
metadata: {name: s}
data:
  password: aHVudGVyMg==
stringData:
  conf: |
    line-one
    line-two
---
kind: Deployment
metadata: {name: web, namespace: n}
spec:
  replicas: 2
  image: example.com/web:1.0
  env:
  - name: DB_PASSWORD
    value: hunter2
  - {name: API_TOKEN, value: "tok-123456"}
  - name: HOST
    value: db.internal
  apiKey: mykey
  long: >-
    some text of
    private-words here
---
kind: Service
metadata: {name: old}
`

func diffOf(old, next string, show bool) []Change {
	of := func(text string) []*Rendered {
		return []*Rendered{{Manifests: []Manifest{{Text: text}}, secrets: []string{"db.internal", "db.private", "private-words", "secret-words"}}}
	}
	return Diff(of(old), of(next), show)
}

func TestDiff(t *testing.T) {
	replace := strings.NewReplacer("aHVudGVyMg==", "b3RoZXI=", "line-two", "line-2", "hunter2", "hunter3", "tok-123456", "tok-999999", "db.internal", "db.private", "mykey", "newkey", "web:1.0", "web:1.1", "private-words", "secret-words", "Service", "Gateway", "Source: web", "Source: other")
	next := replace.Replace(secretText)
	secrets := []string{"aHVudGVyMg", "b3RoZXI", "line-", "hunter", "tok-", "mykey", "newkey"}
	changes := diffOf(secretText, next, false)
	var names, all []string
	for _, c := range changes {
		names, all = append(names, c.Name+" "+c.What), append(all, c.Patch)
	}
	if got := strings.Join(names, ", "); got != "Deployment/n/web changed, Gateway/old added, Secret/s changed, Service/old removed" {
		t.Errorf("got %s", got)
	}
	text := strings.Join(all, "")
	for _, secret := range append(secrets, "db.private", "secret-words", "db.internal", "private-words", "\x00") {
		if strings.Contains(text, secret) {
			t.Errorf("%q is shown:\n%s", secret, text)
		}
	}
	for _, part := range []string{"-  image: example.com/web:1.0\n+  image: example.com/web:1.1\n", "-    value: •••\n-  - {name: API_TOKEN, value: •••}\n+    value: •••\n", "-  password: •••\n+  password: •••\n"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q is missing:\n%s", part, text)
		}
	}
	if text := diffOf(secretText, next, true)[0].Patch; !strings.Contains(text, "+    value: hunter3\n") {
		t.Errorf("--show-values: %s", text)
	}
	if changes := diffOf(secretText, strings.ReplaceAll(secretText, "Source: web", "Source: x"), false); len(changes) > 0 {
		t.Errorf("equal but for a comment: %+v", changes)
	}
}

// The lines of secrets are those of their values, with all lines of a text.
func TestMasked(t *testing.T) {
	for name, tc := range map[string]struct {
		text string
		want []int
	}{
		"the data of a Secret":    {"kind: Secret\ndata:\n  a: x\n  b: ''\n  c: {d: y}\nstringData:\n  e: z\nother: w\n", []int{2, 3, 4, 6}},
		"keys of a Secret":        {"kind: Secret\ndata:\n  a.b: x\n  '[c]': y\ntype: z\n", []int{2, 3}},
		"of another kind":         {"kind: A\ndata:\n  a: x\n", nil},
		"keys":                    {"password: x\ntoken: 1\nsecretName:\n  name: y\nhasPassword: true\napiKey: ~\npasswords: [a]\n", []int{0, 1, 3, 6}},
		"a key further up":        {"password:\n  file: x\n  token: y\n", []int{1, 2}},
		"an entry":                {"env:\n- name: DB_PASSWORD\n  value: x\n- name: HOST\n  value: y\n- value: z\n- name: A_TOKEN\n  value: [a]\n", []int{2, 7}},
		"a text of several lines": {"token: |\n  a\n\n   b\n  c\nnext: d\n", []int{1, 3, 4}},
		"a text at the end":       {"a:\n  token: >-\n    a\n    b", []int{2, 3}},
		"a text that is folded":   {"token: a\n  b\n  c\nnext: d\n", []int{0, 1, 2}},
		"a text of one line":      {"token: a\n\nnext: d\n", []int{0}},
		"a secret of the pack":    {"a: s3cr3t\nb: x\n", []int{0}},
		"nothing":                 {"", nil},
	} {
		var got []int
		for i, line := range strings.Split(masked(tc.text, []string{"s3cr3t"}), "\n") {
			if strings.Contains(line, shown.Hidden) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: got %v, want %v", name, got, tc.want)
		}
	}
}
