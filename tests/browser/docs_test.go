package browser

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// console are the blocks with commands and what they print.
var console = regexp.MustCompile("(?s)```console\n(.*?)```")

// runDocs runs the commands of docs/fleet.md in a folder with the examples, and returns
// the page with what they print now. Only the commands that want accepts are run.
func runDocs(t *testing.T, dir string, want func(command string) bool) (now string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	return console.ReplaceAllStringFunc(read(t, filepath.Join(root, "docs", "fleet.md")), func(block string) string {
		var b strings.Builder
		for line := range strings.Lines(console.FindStringSubmatch(block)[1]) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue // what it printed
			}
			b.WriteString(line)
			if !want(command) {
				continue
			}
			cmd := exec.Command("sh", "-c", command)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
			output, err := cmd.CombinedOutput()
			if err != nil && cmd.ProcessState.ExitCode() != 1 {
				t.Fatalf("%s%v: %s", line, err, output)
			}
			b.Write(output)
		}
		return "```console\n" + b.String() + "```"
	})
}

// The page shows what its commands print.
func TestDocs(t *testing.T) {
	file := filepath.Join(root, "docs", "fleet.md")
	now := runDocs(t, t.TempDir(), func(command string) bool { return !strings.HasPrefix(command, "chromium ") })
	if os.Getenv("UPDATE") != "" {
		write(t, file, now)
	}
	if shown := read(t, file); shown != now {
		t.Errorf("docs/fleet.md shows other output; UPDATE=1 writes it. Now:\n%s", now)
	}
}

// The picture of the page is what its command draws: a picture of the same size that
// is not blank. Fonts differ, so pixels are not compared.
func TestPicture(t *testing.T) {
	chromium := browser(t)
	dir := t.TempDir()
	// A browser that runs as root needs a flag that readers do not.
	write(t, filepath.Join(filepath.Dir(program), "chromium"), fmt.Sprintf("#!/bin/sh\nexec %q --no-sandbox --disable-gpu \"$@\" 2>/dev/null\n", chromium))
	if err := os.Chmod(filepath.Join(filepath.Dir(program), "chromium"), 0o755); err != nil {
		t.Fatal(err)
	}
	runDocs(t, dir, func(string) bool { return true })
	drawn := []byte(read(t, filepath.Join(dir, "fleet.png")))
	file := filepath.Join(root, "docs", "fleet.png")
	if os.Getenv("UPDATE") != "" {
		write(t, file, string(drawn))
	}
	kept := []byte(read(t, file))
	const most = 200_000
	if len(kept) > most {
		t.Errorf("docs/fleet.png has %d bytes, want %d or less", len(kept), most)
	}
	for name, picture := range map[string][]byte{"the picture": drawn, "docs/fleet.png": kept} {
		size, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if size.Width != 1280 || size.Height != 1100 {
			t.Errorf("%s has %d × %d pixels", name, size.Width, size.Height)
		}
		if isBlank(t, picture) {
			t.Errorf("%s is blank", name)
		}
	}
}
