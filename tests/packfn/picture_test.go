package packfn

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// cell is one of the screen of an editor.
type cell struct {
	Text                   string
	Foreground, Background *int
	Bold, Italic           bool
	Underline, Reverse     bool
}

// The size of a cell, in units of the picture.
const cellWidth, cellHeight, fontSize = 8, 17, 13.28

func (c cell) style() string {
	foreground := 0x24292e
	if c.Foreground != nil {
		foreground = *c.Foreground
	}
	style := fmt.Sprintf(` fill="#%06x"`, foreground)
	if c.Bold {
		style += ` font-weight="bold"`
	}
	if c.Italic {
		style += ` font-style="italic"`
	}
	if c.Underline {
		style += ` text-decoration="underline"`
	}
	return style
}

// draw returns the picture of a screen: a rectangle for each background, and a text for cells
// of one style. Its texts have the width of their cells in every font.
func draw(screen [][]cell) string {
	width, height := len(screen[0])*cellWidth+16, len(screen)*cellHeight+16
	var b strings.Builder
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-family=\"ui-monospace, DejaVu Sans Mono, Menlo, Consolas, monospace\" font-size=\"%g\">\n", width, height, width, height, fontSize)
	fmt.Fprintf(&b, "<rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\" stroke=\"#d1d5da\"/>\n", width, height)
	for y, row := range screen {
		for from := 0; from < len(row); {
			to := from + 1
			for to < len(row) && fmt.Sprint(row[to].style(), value(row[to].Background)) == fmt.Sprint(row[from].style(), value(row[from].Background)) {
				to++
			}
			x, top := from*cellWidth+8, y*cellHeight+8
			if row[from].Background != nil {
				fmt.Fprintf(&b, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#%06x\"/>\n", x, top, (to-from)*cellWidth, cellHeight, *row[from].Background)
			}
			var text strings.Builder
			for _, c := range row[from:to] {
				text.WriteString(c.Text)
			}
			if written := strings.TrimRight(text.String(), " "); written != "" {
				cells := len([]rune(written))
				fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" xml:space=\"preserve\"%s>", x, top+cellHeight-4, cells*cellWidth, row[from].style())
				_ = xml.EscapeText(&b, []byte(written))
				b.WriteString("</text>\n")
			}
			from = to
		}
	}
	b.WriteString("</svg>\n")
	return b.String()
}

func value(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

// mostPicture is the number of bytes of the picture in docs/.
const mostPicture = 60_000

// The picture of docs/editor.md is the screen of Neovim. Versions of Neovim show other things
// beside, so only what the picture is for is looked for; UPDATE=1 draws it again.
func TestEditorPicture(t *testing.T) {
	name := filepath.Join(root, "docs/editor.svg")
	if nvim, err := exec.LookPath("nvim"); err == nil {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(filepath.Join(root, "examples/validate-pack-values-failing"))); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(t.TempDir(), "screen.json")
		for name, value := range map[string]string{"OUT": out, "FILE": "registry.yaml", "PLACE": "20:13", "PACKFN": program, "HOME": t.TempDir()} {
			t.Setenv(name, value)
		}
		got := run(t, dir, "", nvim, "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S", filepath.Join(root, "tests/packfn/testdata/picture.lua"))
		text, err := os.ReadFile(out)
		var screen [][]cell
		if err == nil {
			err = json.Unmarshal(text, &screen)
		}
		if err != nil || len(screen) == 0 {
			t.Fatalf("%v\n%s%s", err, got.stdout, got.stderr)
		}
		drawn := draw(screen)
		if os.Getenv("UPDATE") != "" {
			write(t, name, drawn)
		}
		checkScreen(t, drawn)
	}
	picture, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if len(picture) > mostPicture {
		t.Errorf("docs/editor.svg has %d bytes, want %d or less", len(picture), mostPicture)
	}
	checkScreen(t, string(picture))
}

var tag = regexp.MustCompile(`<[^>]*>`)

// checkScreen fails the test unless a picture shows the findings of the example, and what is
// known of a value.
func checkScreen(t *testing.T, picture string) {
	t.Helper()
	var shown struct{}
	if err := xml.Unmarshal([]byte(picture), &shown); err != nil {
		t.Fatal(err)
	}
	text := tag.ReplaceAllString(picture, "")
	for _, want := range []string{"port", "70000", "must be a number from 5000 to 5005, got 70000", "┌", "values/format"} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture does not show %q", want)
		}
	}
}
