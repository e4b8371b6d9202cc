package deploy

import (
	"strings"
	"testing"
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
	for _, part := range []string{"-  image: example.com/web:1.0\n+  image: example.com/web:1.1\n", "-    value: •••\n-  - {name: •••\n+    value: •••\n", "-  password: •••\n+  password: •••\n"} {
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
