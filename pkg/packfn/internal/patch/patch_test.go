package patch

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

func TestOf(t *testing.T) {
	for name, tc := range map[string]struct {
		old, next []byte
		want      string
	}{
		"changed": {[]byte("a\nb\n"), []byte("a\nc\n"), `--- a/f
+++ b/f
@@ -1,2 +1,2 @@
 a
-b
+c
`},
		"added": {nil, []byte("a\n"), `--- /dev/null
+++ b/f
@@ -0,0 +1,1 @@
+a
`},
		"removed": {[]byte("a\n"), nil, `--- a/f
+++ /dev/null
@@ -1,1 +0,0 @@
-a
`},
		"equal":          {[]byte("a\n"), []byte("a\n"), ""},
		"no text":        {[]byte("\xff"), []byte("a\n"), "Binary files a/f and b/f differ\n"},
		"no text at all": {nil, []byte("\xff"), "Binary files a/f and b/f differ\n"},
	} {
		if got := Of("f", tc.old, tc.next); got != tc.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// Lines of the content are shown as an audience may see them, and lines of the format unchanged.
func TestShown(t *testing.T) {
	const head = `apiVersion: packs.kpt.dev/v1alpha1
kind: PackValues
metadata: {name: a}
spec:
  values:
`
	old, next := []byte(head+`    host: a
    token: b
    port: 80
`), []byte(head+`    port: 81
    host: c
    token: d
    mode: Fast
`)
	text := Of("f.yaml", old, next)
	hide := func(texts ...string) string {
		for _, one := range texts {
			text = strings.ReplaceAll(text, ": "+one+"\n", ": "+shown.Hidden+"\n")
		}
		return text
	}
	if got := Shown(text, "f.yaml", old, next, nil, diag.All); got != text {
		t.Errorf("all: got %s", got)
	}
	if got, want := Shown(text, "f.yaml", old, next, nil, diag.Terminal), hide("b", "d"); got != want {
		t.Errorf("terminal: got %s", got)
	}
	want := hide("a", "c")
	if got := Shown(Of("f.yaml", old, next), "f.yaml", old, next, nil, diag.Record, "Fast"); got != want {
		t.Errorf("record: got %s, want %s", got, want)
	}
	if got := Shown(Of("f", nil, []byte("\xff")), "f", nil, []byte("\xff"), nil, diag.Record); got != "Binary files a/f and b/f differ\n" {
		t.Errorf("got %s", got)
	}
}
