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

const (
	pictureWidth, pictureHeight = 1280, 1000
	// mostPicture is the number of bytes of the picture in docs/.
	mostPicture = 200_000
)

// commands are those of docs/fleet.md that make the picture: all that are run up to it.
func commands(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	for _, block := range regexp.MustCompile("(?s)```(console|shell)\n(.*?)```").FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "fleet.md")), -1) {
		isPicture := strings.Contains(block[2], "--screenshot")
		for line := range strings.Lines(block[2]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok || isPicture {
				b.WriteString(command)
			}
		}
		if isPicture {
			return b.String()
		}
	}
	t.Fatal("docs/fleet.md makes no picture")
	return ""
}

// checkPicture fails the test unless a picture has the size that docs/fleet.md asks for,
// and is not blank. Fonts differ, so pixels are not compared.
func checkPicture(t *testing.T, picture []byte) {
	t.Helper()
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	if size.Width != pictureWidth || size.Height != pictureHeight {
		t.Errorf("the picture has %d × %d pixels", size.Width, size.Height)
	}
	if isBlank(t, picture) {
		t.Error("the picture is blank")
	}
}

// The picture in docs/ is small.
func TestPicture(t *testing.T) {
	picture := []byte(read(t, filepath.Join(root, "docs", "fleet.png")))
	checkPicture(t, picture)
	if len(picture) > mostPicture {
		t.Errorf("docs/fleet.png has %d bytes, want %d or less", len(picture), mostPicture)
	}
}

// The commands of docs/fleet.md draw the picture. tests/docs compares what they print.
func TestPictureCommand(t *testing.T) {
	chromium, dir, bin := browser(t), t.TempDir(), t.TempDir()
	// A browser that runs as root needs a flag that readers do not.
	write(t, filepath.Join(bin, "chromium"), fmt.Sprintf("#!/bin/sh\nexec %q --no-sandbox --disable-gpu \"$@\"\n", chromium))
	if err := os.Chmod(filepath.Join(bin, "chromium"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	shell := exec.Command("bash", "-c", commands(t))
	shell.Dir = dir
	shell.Env = append(os.Environ(), "PATH="+strings.Join([]string{bin, filepath.Dir(program), os.Getenv("PATH")}, string(os.PathListSeparator)))
	if output, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	picture := read(t, filepath.Join(dir, "fleet.png"))
	checkPicture(t, []byte(picture))
	if os.Getenv("UPDATE") != "" {
		write(t, filepath.Join(root, "docs", "fleet.png"), picture)
	}
}
