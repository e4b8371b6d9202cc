package config

import (
	"path/filepath"
	"strings"
	"testing"
)

// A configuration is read, or each fault starts with the file. What it excludes can be asked for.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		head + `sources: [packs, oci://example.com/a, 'oci://user:secret@example.com']
exclude: ['*.md', '!a/**/b', '[a-', '**/**/**/a']
severity: {values/format: off, a/b: error}
checks: {template: true, asWritten: x}
fleet:
  set: [a, '']
  upstream: {a/b@v1: dir, c: ''}
`,
		"\n\t", head + "exclude: &a [*a]\n", head + "fleet: {set: a}\n", head + "source: []\n", "apiVersion: packs.kpt.dev/v1\n", "- a", "", "\x00",
		head + `severity: {"a\n\nb": error}
"c\nd": 1
`,
		head + "<<: {sources: [a]}\n", head + "exclude: ['" + strings.Repeat("*a", 50) + "/" + strings.Repeat("**/", 50) + "']\n",
	} {
		f.Add(text)
	}
	root := f.TempDir()
	name := filepath.Join(root, Name)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := parse([]byte(text), name, root)
		if err != nil {
			faults := []error{err}
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				faults = joined.Unwrap()
			}
			for _, fault := range faults {
				if !strings.HasPrefix(fault.Error(), FromHere(name)+":") {
					t.Errorf("%q does not start with the file", fault)
				}
			}
			return
		}
		excluded, err := file.Excluded()
		if err != nil {
			t.Errorf("a pattern is accepted that is none: %v", err)
		}
		if excluded != nil {
			excluded(filepath.Join(root, strings.Repeat("a/", 30)+strings.Repeat("a", 60)), false)
		}
		file.Shown()
		file.Sets()
		file.Upstreams()
	})
}
