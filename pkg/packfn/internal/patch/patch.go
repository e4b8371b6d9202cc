// Package patch makes the differences of files that tools show.
//
//	--- a/platform/vault.yaml
//	+++ b/platform/vault.yaml
//	@@ -4,3 +4,3 @@
//	-    replicas: 1
//	+    replicas: 3
//
// What may be a secret is masked for the audiences that must not see it, see package shown.
package patch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/shown"
)

// Of returns the diff of a file in the unified format, which git can apply. A nil text means that
// the file does not exist.
func Of(name string, old, new []byte) string {
	if !utf8.Valid(old) || !utf8.Valid(new) {
		return fmt.Sprintf("Binary files a/%s and b/%s differ\n", name, name)
	}
	from, to := "a/"+name, "b/"+name
	if old == nil {
		from = "/dev/null"
	}
	if new == nil {
		to = "/dev/null"
	}
	text := string(diff.Diff(from, old, to, new))
	_, text, _ = strings.Cut(text, "\n") // the line that names the command
	return text
}

// hunk matches the first line of a hunk, with the numbers of its first lines.
var hunk = regexp.MustCompile(`^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@`)

// Shown returns the diff of a file, masked for an audience. old and new are the texts before and
// after the change. known may be nil. A value that equals a text in open is not masked, unless it
// is a secret.
func Shown(text, name string, old, new []byte, known *shown.Known, audience diag.Audience, open ...string) string {
	if audience == diag.All {
		return text
	}
	var before, after *shown.File
	var b strings.Builder
	left, right := 0, 0
	for line := range strings.Lines(text) {
		if numbers := hunk.FindStringSubmatch(line); numbers != nil {
			left, _ = strconv.Atoi(numbers[1])
			right, _ = strconv.Atoi(numbers[2])
			if before == nil {
				before, after = shown.New(name, old, known), shown.New(name, new, known)
			}
		}
		seen := line
		isOf := func(file *shown.File, number int) {
			end := line[len(strings.TrimRight(line, "\r\n")):]
			seen = line[:1] + file.At(diag.Position{Line: number}, audience, open...).Text + end
		}
		switch mark := line[0]; {
		case before == nil: // the names of the files
		case mark == '-':
			isOf(before, left)
			left++
		case mark == '+':
			isOf(after, right)
			right++
		case mark == ' ':
			isOf(after, right)
			left, right = left+1, right+1
		}
		b.WriteString(seen)
	}
	return b.String()
}
