package olm

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/operator-framework/operator-registry/alpha/declcfg"

	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
)

// The files of a catalog are those that opm reads, for .indexignore files that are made of parts.
func TestIndexIgnore(t *testing.T) {
	const catalog = `schema: olm.bundle
name: a
package: a
properties: []
`
	seed := rand.New(rand.NewSource(1))
	pick := func(from ...string) string { return from[seed.Intn(len(from))] }
	names := []string{"a", "b", "ab", "-", "keep", "a b"}
	parts := append([]string{"*", "**", "?", "*.yaml", "a*", "[!a]*", "[^b]*", "[a", `\a`, "a**", "a.yaml", "keep.yaml", "d", "e", "-"}, names...)
	left := 0
	for round := range 300 {
		dir := t.TempDir()
		write := func(name, text string) {
			t.Helper()
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, name := range names {
			for _, below := range []string{"", "d/", "d/e/", "-/d/", "a/b/a/"} {
				write(below+name+".yaml", catalog)
			}
		}
		said := ""
		for _, below := range []string{"", pick("d/", "d/e/", "-/", "-/d/", "a/b/")} {
			var text strings.Builder
			for range 1 + seed.Intn(4) {
				text.WriteString(pick("", "", "", " ", "#") + pick("", "", "!") + pick("", "", "/"))
				for range seed.Intn(3) {
					text.WriteString(pick(pick(parts...), "d", "e", "**") + "/")
				}
				text.WriteString(pick(parts...) + pick("", "", "/") + pick("", " ", `\ `) + pick("\n", "\r\n"))
			}
			write(below+".indexignore", text.String())
			said += fmt.Sprintf("%q in %q ", text.String(), below)
		}
		var want, got []string
		err := declcfg.WalkFS(os.DirFS(dir), func(name string, _ *declcfg.DeclarativeConfig, err error) error {
			want = append(want, name)
			return err
		})
		if err != nil {
			t.Fatalf("opm: %v", err)
		}
		found, err := olm.Find(dir)
		if err != nil || found.Notes != nil {
			t.Fatal(err, found.Notes)
		}
		for _, name := range found.Catalogs {
			relative, err := filepath.Rel(dir, name)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(relative))
		}
		left += len(found.Ignored)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(want, got) {
			t.Fatalf("round %d: %s\nopm reads %q\npackfn    %q", round, said, want, got)
		}
	}
	if left < 1000 {
		t.Errorf("only %d files are left out", left)
	}
}
