package gitignore

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/internal/cases"
	"github.com/krm-packs/functions/pkg/internal/meter"
)

// git runs git, which the project is cloned with.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	command := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.excludesFile=", "-c", "protocol.file.allow=always"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "HOME="+dir)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// left returns the files below a directory, by their paths in it, without what a walk leaves out.
func left(t testing.TB, dir string) (files, notes []string) {
	t.Helper()
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git" || w.Ignores(name, entry.IsDir()):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && entry.Name() != ".gitignore":
			files = append(files, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, w.Notes()
}

// What is left out is what git says, for lists of patterns that are made of parts.
func TestAsGit(t *testing.T) {
	dir := t.TempDir()
	git(t, dir, "init", "-q", ".")
	files := map[string]string{}
	var steps []string
	for _, name := range []string{"a", "b", "ab", "a.yaml", "keep", "!x", "#y", "a-b", "[", "é", "a b", "A1_"} {
		steps = append(steps, name)
		files[name+".yaml"], files["d/"+name], files["d/e/"+name], files["e/d/f/"+name] = "", "", "", ""
	}
	files["d/e/d/e/keep.yaml"], files["ab/a/b/a/x.yaml"], files["tracked/d/a.yaml"] = "", "", ""
	cases.Write(t, dir, files)
	git(t, dir, "add", "-f", "tracked/d/a.yaml", "d/e/a", "e/d/f/keep")
	seed := rand.New(rand.NewPCG(1, 2))
	pick := func(from ...string) string { return from[seed.IntN(len(from))] }
	parts := slices.Concat(steps, []string{"*", "**", "?", "*.yaml", "a*", "*b", "*[ab]*", "[!a]*", "[^b]", "[]a]*", "[a-]*", "[[:alpha:]]*", "[[:digit:][:upper:]]*", "[[:nope:]]", "[[:a]*", "[a", `\`, `\a`, `\!x`, `\#y`, `[\]a]*`, "[b-a]", "a**", "**a", "***", "d", "e", "f", "tracked", "a?yaml", "*a*b*", "[z-\\é]*"})
	// Two forms differ, as names of directories in a pattern: git takes the slash after [a as one of the set, and
	// a**/b for a and any directories if all before the ** is literal.
	closed := slices.DeleteFunc(slices.Clone(parts), func(part string) bool {
		return strings.Count(part, "[") > strings.Count(part, "]") || part == `\` || part == "a**"
	})
	for round := range 400 {
		var text strings.Builder
		for range 1 + seed.IntN(4) {
			text.WriteString(pick("", "", "", "!") + pick("", "", "/"))
			for range seed.IntN(3) {
				text.WriteString(pick(pick(closed...), "d", "e", "**") + "/")
			}
			text.WriteString(pick(parts...) + pick("", "", "/") + pick("", "", "", " ", `\ `, "  ") + pick("\n", "\n", "\r\n"))
		}
		below := pick("", "d/", "e/d/")
		cases.Write(t, dir, map[string]string{".gitignore": text.String(), below + ".gitignore": text.String()})
		want := slices.DeleteFunc(strings.Split(git(t, dir, "ls-files", "-z", "--cached", "--others", "--exclude-per-directory=.gitignore"), "\x00"), func(name string) bool { return name == "" || path.Base(name) == ".gitignore" })
		slices.Sort(want)
		got, notes := left(t, dir)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" || notes != nil {
			t.Fatalf("round %d: %q in %q and .gitignore (-git +got):\n%s%v", round, text.String(), below, diff, notes)
		}
		if err := os.Remove(filepath.Join(dir, filepath.FromSlash(below), ".gitignore")); err != nil {
			t.Fatal(err)
		}
	}
}

// The index is read in each version that git writes, also the index of a submodule and of a linked worktree.
func TestWorkingTrees(t *testing.T) {
	for _, config := range [][]string{{"--index-version=2"}, {"--index-version=3"}, {"--index-version=4"}} {
		dir := t.TempDir()
		git(t, dir, "init", "-q", "main")
		git(t, dir, "init", "-q", "other")
		cases.Write(t, dir, map[string]string{
			"other/.gitignore": "*.out\n", "other/a.out": "", "other/b.out": "", "other/c": "",
			"main/.gitignore": "*.log\nsub\nnode_modules/\n", "main/a.log": "", "main/b.log": "", "main/" + strings.Repeat("long/", 50) + "a.log": "",
			"main/node_modules/x/a": "", "main/node_modules/x/b": "", "main/node_modules/.gitignore": "!*\n",
		})
		git(t, dir+"/other", "add", "-f", "a.out", "c", ".gitignore")
		git(t, dir+"/other", "commit", "-qm", "a")
		git(t, dir+"/main", append([]string{"update-index"}, config...)...)
		git(t, dir+"/main", "add", "-f", ".gitignore", "a.log", "node_modules/x/a", strings.Repeat("long/", 50)+"a.log")
		git(t, dir+"/main", "submodule", "--quiet", "add", "-f", dir+"/other", "sub")
		git(t, dir+"/main", "commit", "-qm", "a")
		cases.Write(t, dir, map[string]string{"main/sub/b.out": "", "main/sub/a.log": ""})
		git(t, dir+"/main", "worktree", "add", "-q", dir+"/linked")
		cases.Write(t, dir, map[string]string{"linked/b.log": "", "linked/node_modules/x/b": ""})
		long := strings.Repeat("long/", 50) + "a.log"
		for walked, want := range map[string][]string{
			"main":              {".gitmodules", "a.log", long, "node_modules/x/a", "sub/a.log", "sub/a.out", "sub/c"},
			"main/sub":          {"a.log", "a.out", "c"},
			"linked":            {".gitmodules", "a.log", long, "node_modules/x/a"},
			"main/node_modules": {"x/a", "x/b"},
		} {
			if got, notes := left(t, filepath.Join(dir, walked)); !slices.Equal(got, want) || notes != nil {
				t.Errorf("%v %s: got %q, want %q, %v", config, walked, got, want, notes)
			}
		}
	}
}

// Git's own index with a part in another file, and with SHA-256.
func TestOtherIndexes(t *testing.T) {
	for _, args := range []string{"sha1", "sha256"} {
		dir := t.TempDir()
		git(t, dir, "init", "-q", "--object-format="+args, ".")
		cases.Write(t, dir, map[string]string{".gitignore": "*.log\n", "a.log": "", "b.log": ""})
		git(t, dir, "add", "-f", "a.log")
		if got, notes := left(t, dir); !slices.Equal(got, []string{"a.log"}) || notes != nil {
			t.Errorf("%s: got %q, %v", args, got, notes)
		}
		git(t, dir, "update-index", "--split-index")
		if got, notes := left(t, dir); !slices.Equal(got, []string{"a.log", "b.log"}) || len(notes) != 1 || !strings.Contains(notes[0], "cannot be read, so files that git ignores are checked") {
			t.Errorf("split: got %q, %v", got, notes)
		}
	}
}

// repository writes a working tree without git.
func repository(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{"r/.git/HEAD": ""})
	cases.Write(t, filepath.Join(dir, "r"), files)
	return filepath.Join(dir, "r")
}

// Without git there is nothing to leave out, and without an index all is untracked.
func TestNoRepository(t *testing.T) {
	dir := t.TempDir()
	cases.Write(t, dir, map[string]string{".gitignore": "*", "a": "", "fake/.git/x": "", "fake/.gitignore": "*", "fake/a": ""})
	if got, notes := left(t, dir); !slices.Equal(got, []string{"a", "fake/a"}) || notes != nil {
		t.Errorf("got %q, %v", got, notes)
	}
	if got, notes := left(t, repository(t, map[string]string{".gitignore": "b\n", "a": "", "b": ""})); !slices.Equal(got, []string{"a"}) || notes != nil {
		t.Errorf("got %q, %v", got, notes)
	}
}

// No link is followed, and a .git that names another directory of git is not believed.
func TestOutside(t *testing.T) {
	dir := repository(t, map[string]string{"a.log": "", "d/a.log": "", "sub/a.log": "", "../ignore": "*.log\n", "../git/HEAD": "", "../git/index": "x", "../git/gitdir": "/elsewhere/.git", "sub/.gitignore": "*.log\n"})
	for link, target := range map[string]string{".gitignore": "../ignore", "d/.gitignore": "../../ignore"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range []string{"../git", "../../git", filepath.Dir(dir) + "/git", "/etc", "", "../absent"} {
		cases.Write(t, dir, map[string]string{"sub/.git": "gitdir: " + target + "\n"})
		got, notes := left(t, dir)
		if want := []string{"a.log", "d/a.log", "sub/a.log"}; !slices.Equal(got, want) || len(notes) != 1 || !strings.Contains(notes[0], "sub cannot be read, so files that git ignores are checked: its directory of git is elsewhere") {
			t.Errorf("%s: got %q, %v", target, got, notes)
		}
	}
	os.Remove(filepath.Join(dir, "sub/.git"))
	cases.Write(t, dir, map[string]string{".git/real": "DIRC"})
	if err := os.Symlink("../../git/index", filepath.Join(dir, ".git/index")); err != nil {
		t.Fatal(err)
	}
	if got, notes := left(t, dir); len(got) != 3 || len(notes) != 1 || !strings.Contains(notes[0], "symbolic link out of the folder") {
		t.Errorf("a link as the index: got %q, %v", got, notes)
	}
}

// Patterns of a size that would be tried too often are not read.
func TestLargePatterns(t *testing.T) {
	dir := repository(t, map[string]string{".gitignore": strings.Repeat("*.log\n", 10_000), "d/.gitignore": strings.Repeat("*.out\n", 1000), "d/a.log": "", "d/a.out": "", "e/.gitignore": "*.out\n", "e/a.out": ""})
	if got, notes := left(t, dir); !slices.Equal(got, []string{"d/a.out"}) || len(notes) != 1 || !strings.Contains(notes[0], "it has more than 65536 bytes together with those above it") {
		t.Errorf("got %q, %v", got, notes)
	}
	dir = repository(t, map[string]string{".gitignore": strings.Repeat("a\n", maxIgnore/2+1), "a": ""})
	if got, notes := left(t, dir); !slices.Equal(got, []string{"a"}) || len(notes) != 1 || !strings.Contains(notes[0], "has 65538 bytes") {
		t.Errorf("got %q, %v", got, notes)
	}
}

// Many patterns over many files end at the meter. From there on nothing is left out.
func TestTooMuchWork(t *testing.T) {
	dir := repository(t, map[string]string{".gitignore": strings.Repeat("*a*a*a*a*a*b\n", maxIgnore/13)})
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	name, asked := strings.Repeat("a", 250), 0
	for ; !w.isOver; asked++ {
		if w.Ignores(name, false) {
			t.Fatal("it is ignored")
		}
	}
	if most := meter.MaxSteps / (maxIgnore / 13 * 250); asked > most+1 || len(w.Notes()) != 1 || w.Ignores(name+"b", false) {
		t.Errorf("%d files, most %d: %v", asked, most, w.Notes())
	}
}

// An index that grows beyond its size is refused.
func TestHostileIndex(t *testing.T) {
	index := func(count int, entries ...string) []byte {
		text := binary.BigEndian.AppendUint32(append([]byte("DIRC"), 0, 0, 0, 4), uint32(count))
		for _, one := range entries {
			text = append(text, make([]byte, modesSize+20)...)
			text = append(append(text, 0x0f, 0xff), one...)
		}
		return append(text, make([]byte, 20)...)
	}
	grows := make([]string, 40_000)
	for i := range grows {
		grows[i] = "\x00aaaa\x00"
	}
	for what, text := range map[string][]byte{
		"more than the name before": index(1, "\x05a\x00"), "no end": index(1, "\x00a"), "too few": index(9, "\x00a\x00"), "a growing name": index(len(grows), grows...),
		"nothing": nil, "another file": []byte("hello"), "only a head": []byte("DIRC\x00\x00\x00\x02\xff\xff\xff\xff"), "a later version": append([]byte("DIRC\x00\x00\x00\x05"), make([]byte, 40)...),
		"an extension that must be known": append(index(0)[:12], append([]byte("link\x00\x00\x00\x00"), make([]byte, 20)...)...),
		"an extension that is cut off":    append(index(0)[:12], append([]byte("TREE\x00\x00\x01\x00"), make([]byte, 20)...)...),
	} {
		if got, err := readIndex(text); err == nil {
			t.Errorf("%s: got %d names", what, len(got))
		}
	}
	if got, err := readIndex(index(2, "\x00b/c\x00", "\x01d\x00")); err != nil || !slices.Equal(got, names("b/c", "b/d")) || !got.holds("b", true) || got.holds("b", false) || !got.holds("b/d", false) || got.holds("a", true) || got.holds("b/", true) {
		t.Errorf("got %q, %v", got, err)
	}
}

func names(all ...string) index { return all }

// Any text is read, or refused.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"))
	f.Fuzz(func(t *testing.T, text []byte) {
		names, err := readIndex(text)
		if err == nil && !slices.IsSorted(names) {
			t.Error("the names are not sorted")
		}
	})
}

// A pattern of any text matches in time.
func FuzzPatterns(f *testing.F) {
	for _, text := range []string{"*", "[", "[[:", "[!-]\n", "!a/**/b/\n", `\`} {
		f.Add(text, "a/b")
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		work := 0
		Parse([]byte(text)).Match(path.Clean("/" + name)[1:], false, func(n int) bool { work += n; return true })
		if most := (len(text) + 1) * (len(name) + 1) * (len(name) + 1); work > most {
			t.Errorf("%d steps of %d", work, most)
		}
	})
}

func BenchmarkIgnores(b *testing.B) {
	dir := repository(b, map[string]string{".gitignore": "node_modules/\n*.log\n*.py[co]\n/build/\ndist\n.env*\n!/.env.example\n"})
	w, err := Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	for i := range b.N {
		w.Ignores(fmt.Sprintf("apps/web/file-%d.yaml", i%100), false)
	}
}
