package patch

import "testing"

func TestOf(t *testing.T) {
	for name, tc := range map[string]struct {
		old, next []byte
		want      string
	}{
		"changed":        {[]byte("a\nb\n"), []byte("a\nc\n"), "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
		"added":          {nil, []byte("a\n"), "--- /dev/null\n+++ b/f\n@@ -0,0 +1,1 @@\n+a\n"},
		"removed":        {[]byte("a\n"), nil, "--- a/f\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n"},
		"equal":          {[]byte("a\n"), []byte("a\n"), ""},
		"no text":        {[]byte("\xff"), []byte("a\n"), "Binary files a/f and b/f differ\n"},
		"no text at all": {nil, []byte("\xff"), "Binary files a/f and b/f differ\n"},
	} {
		if got := Of("f", tc.old, tc.next); got != tc.want {
			t.Errorf("%s: got %q", name, got)
		}
	}
}

// Lines of the content are masked, and those of the format are not.
func TestMask(t *testing.T) {
	text := "--- a/f: x\n+++ b/f: x\n@@ -1 +1 @@ k: x\n k: secret\n-k: secret\r\n+k: shown\n\\ No newline: x"
	want := "--- a/f: x\n+++ b/f: x\n@@ -1 +1 @@ k: x\n k: •••\n-k: •••\r\n+k: •••\n\\ No newline: x"
	if got := Mask(text); got != want {
		t.Errorf("got %q", got)
	}
	if got := Mask("-k: secret\n+k: shown\n", "shown"); got != "-k: •••\n+k: shown\n" {
		t.Errorf("a value that is shown: got %q", got)
	}
}
