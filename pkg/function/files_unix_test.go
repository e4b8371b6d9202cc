//go:build unix

package function

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// What is not a regular file is not read: a pipe would wait, and a device never end. A file that
// is too large is not read either.
func TestRunFilesOfOtherKinds(t *testing.T) {
	t.Chdir(t.TempDir())
	large, err := os.Create("large.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(large.Truncate(64<<20+1), large.Close(), os.Symlink("/dev/zero", "zero.yaml"), syscall.Mkfifo("pipe.yaml", 0o600), os.Symlink("pipe.yaml", "link.yaml"),
		os.WriteFile("a.yaml", []byte(`apiVersion: v1
kind: ConfigMap
metadata: {name: one}
`), 0o600), os.Symlink("a.yaml", "b.yaml")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"zero.yaml":  "demo: open zero.yaml: it is not a regular file; write it to one\n",
		"/dev/zero":  "demo: open /dev/zero: it is not a regular file; write it to one\n",
		"pipe.yaml":  "demo: open pipe.yaml: it is not a regular file; write it to one\n",
		"link.yaml":  "demo: open link.yaml: it is not a regular file; write it to one\n",
		".":          "demo: open .: it is a folder; name the files in it, as in *.yaml\n",
		"large.yaml": "demo: large.yaml has 67108865 bytes; the functions read at most 67108864: make it smaller, or split it\n",
		"b.yaml":     "",
	} {
		var stdout, stderr bytes.Buffer
		code := run(demo(&stub{}), Docs{}, []string{"a.yaml", name}, os.Stdin, &stdout, &stderr)
		if stderr.String() != want || code != min(len(want), 1) || (want != "") != (stdout.String() == "") || strings.Contains(stdout.String(), "0 resources") {
			t.Errorf("%s: exit code %d, %q, output\n%s", name, code, stderr.String(), stdout.String())
		}
	}
}
