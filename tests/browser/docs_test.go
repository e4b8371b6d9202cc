package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/crc32"
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

// commands are those of docs/fleet.md that make the page, and the picture of it: all that are run up to there.
func commands(t *testing.T) (ofPage, ofPicture string) {
	t.Helper()
	var b strings.Builder
	for _, block := range regexp.MustCompile("(?s)```(console|shell)\n(.*?)```").FindAllStringSubmatch(read(t, filepath.Join(root, "docs", "fleet.md")), -1) {
		if strings.Contains(block[2], "--screenshot") {
			return b.String(), block[2]
		}
		for line := range strings.Lines(block[2]) {
			if command, ok := strings.CutPrefix(line, "$ "); ok {
				b.WriteString(command)
			}
		}
	}
	t.Fatal("docs/fleet.md makes no picture")
	return "", ""
}

// reader returns what runs commands of docs/fleet.md as a reader of it does, in a folder with the examples.
func reader(t *testing.T) (runs func(commands string), dir, bin string) {
	t.Helper()
	dir, bin = t.TempDir(), t.TempDir()
	// Without its revision the program makes the same page after each commit.
	build := exec.Command("go", "build", "-buildvcs=false", "-ldflags", "-s -w", "-o", filepath.Join(bin, "packfn"), "./functions/packfn")
	build.Dir = root
	if output, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	if err := os.CopyFS(filepath.Join(dir, "examples"), os.DirFS(filepath.Join(root, "examples"))); err != nil {
		t.Fatal(err)
	}
	return func(commands string) {
		t.Helper()
		shell := exec.Command("bash", "-c", commands)
		shell.Dir = dir
		shell.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		if output, err := shell.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
	}, dir, bin
}

// draw runs the commands of docs/fleet.md that draw the picture, and returns it.
func draw(t *testing.T) string {
	t.Helper()
	chromium := browser(t)
	runs, dir, bin := reader(t)
	// A browser that runs as root needs a flag that readers do not.
	write(t, filepath.Join(bin, "chromium"), fmt.Sprintf("#!/bin/sh\nexec %q --no-sandbox --disable-gpu \"$@\"\n", chromium))
	if err := os.Chmod(filepath.Join(bin, "chromium"), 0o755); err != nil {
		t.Fatal(err)
	}
	ofPage, ofPicture := commands(t)
	runs(ofPage + ofPicture)
	return read(t, filepath.Join(dir, "fleet.png"))
}

// goVersion is in the head of the page.
var goVersion = regexp.MustCompile(`go1\.\d+(\.\d+)?`)

// pageDigest identifies the page that docs/fleet.md makes.
func pageDigest(t *testing.T) string {
	t.Helper()
	runs, dir, _ := reader(t)
	ofPage, _ := commands(t)
	runs(ofPage + "test -f fleet.html\n") // the exit code is 1, because a cluster is refused
	page := goVersion.ReplaceAllString(read(t, filepath.Join(dir, "fleet.html")), "")
	return fmt.Sprintf("%x", sha256.Sum256([]byte(page)))
}

// A chunk with a text in a PNG file is its length, its type, the name of the text, a zero, the text, and a checksum
// of all but the length. The last chunk of the file, IEND, has 12 bytes.
const textChunk, lastChunk = "tEXtpage\x00", 12

// withDigest returns a picture with the digest of the page that it shows.
func withDigest(picture, digest string) string {
	chunk := textChunk + digest
	all := binary.BigEndian.AppendUint32([]byte(picture[:len(picture)-lastChunk]), uint32(len(chunk)-len("tEXt")))
	all = append(all, chunk...)
	all = binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE([]byte(chunk)))
	return string(all) + picture[len(picture)-lastChunk:]
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

// The picture in docs/ is small, and shows the page of today. UPDATE=1 draws it with Chromium.
func TestPicture(t *testing.T) {
	file, digest := filepath.Join(root, "docs", "fleet.png"), pageDigest(t)
	if os.Getenv("UPDATE") != "" && !strings.Contains(read(t, file), textChunk+digest) {
		write(t, file, withDigest(draw(t), digest))
	}
	picture := read(t, file)
	checkPicture(t, []byte(picture))
	if len(picture) > mostPicture {
		t.Errorf("docs/fleet.png has %d bytes, want %d or less", len(picture), mostPicture)
	}
	if !strings.Contains(picture, textChunk+digest) {
		t.Error("docs/fleet.png shows an older page: make generate draws it, where Chromium is on PATH or in CHROME")
	}
}

// The commands of docs/fleet.md draw the picture. tests/docs compares what they print.
func TestPictureCommand(t *testing.T) { checkPicture(t, []byte(draw(t))) }
