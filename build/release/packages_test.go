package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// systems and architectures are the platforms of the archives, packageFormats those of the Linux packages.
var (
	systems        = []string{"linux", "darwin", "windows"}
	architectures  = []string{"amd64", "arm64"}
	packageFormats = []string{"deb", "rpm", "apk"}
	completions    = []string{"packfn.bash", "packfn.fish", "packfn.zsh"}
)

// commitTime is the time of the commit that is packed.
const commitTime = 1760000000

// Each program has a build and an archive, and each function a link in the Linux packages.
func TestConfiguration(t *testing.T) {
	config, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	names, err := sources(t).programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if name == "packfn" { // the others have its settings
			continue
		}
		for _, line := range []string{
			"\n  - {<<: *build, id: NAME, main: ./functions/NAME, binary: NAME}\n",
			"\n  - {<<: *archive, id: NAME, ids: [NAME], files: [*license, *terms]}\n",
			"\n      - {type: symlink, src: packfn, dst: /usr/bin/NAME, ",
		} {
			if want := strings.ReplaceAll(line, "NAME", name); !strings.Contains(string(config), want) {
				t.Errorf(".goreleaser.yaml has no %q", want)
			}
		}
	}
	if lines := strings.Count(string(config), "{<<: *build"); lines != len(names)-1 {
		t.Errorf(".goreleaser.yaml builds %d programs, want %d", lines+1, len(names))
	}
}

// GoReleaser makes all packages of a commit without network, and the same bytes in two folders. Without RELEASE_TEST_ALL
// the configuration is checked as it is, but the snapshot has two of the programs, and packfn for other systems than Linux
// is the other program by that name: its archives and manifests are made in the same way.
func TestPackages(t *testing.T) {
	s := sources(t)
	program := goreleaser(t)
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "second")
	copyTo(t, s, first)
	execute(t, filepath.Join(first, "build", "release"), program, "check")
	names := chosen(t, s, "check-resources", "packfn")
	if !all {
		reduce(t, first, names)
	}
	commit(t, first)
	execute(t, first, "git", "clone", "-q", first, second)
	t.Setenv("GOFLAGS", "-buildvcs=true")
	t.Setenv("GOPROXY", "off")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	for _, dir := range []string{first, second} {
		execute(t, filepath.Join(dir, "build", "release"), program, "release", "--snapshot", "--clean")
	}
	out := filepath.Join(first, "build", "release", "dist")
	sums := testSums(t, out)
	if again := testSums(t, filepath.Join(second, "build", "release", "dist")); !maps.Equal(sums, again) {
		t.Errorf("the sums in two folders differ:\n%v\n%v", sums, again)
	}
	matches, err := filepath.Glob(filepath.Join(out, "packfn_*_linux_amd64.tar.gz"))
	if err != nil || len(matches) != 1 {
		t.Fatalf("the archives of packfn for linux/amd64 are %v, %v", matches, err)
	}
	version := strings.Split(filepath.Base(matches[0]), "_")[1]
	if !regexp.MustCompile(`^` + regexp.QuoteMeta(s.version) + `-SNAPSHOT-[0-9a-f]{7,}$`).MatchString(version) {
		t.Errorf("the snapshot is %s, want %s-SNAPSHOT-COMMIT", version, s.version)
	}
	want := testArchives(t, s, out, version, names)
	want = append(want, testLinuxPackages(t, s, out, version)...)
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(sums)); !slices.Equal(got, want) {
		t.Errorf("SHA256SUMS has %v, want %v", got, want)
	}
	testManifests(t, out, version, sums)
}

// goreleaser builds GoReleaser in its pinned version. The test is skipped where its modules cannot be had, unless the
// environment requires it.
func goreleaser(t *testing.T) string {
	t.Helper()
	const module = "github.com/goreleaser/goreleaser/v2"
	list := exec.Command("go", "list", "-deps", module)
	list.Dir = "goreleaser"
	if out, err := list.CombinedOutput(); err != nil {
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		missing := "no archives and Linux packages are built: the modules of GoReleaser cannot be had: " + lines[len(lines)-1]
		if os.Getenv("REQUIRE_GORELEASER") != "" {
			t.Fatal(missing)
		}
		t.Skip(missing + " (REQUIRE_GORELEASER=1 makes this an error)")
	}
	program, err := filepath.Abs("../../.cache/release/goreleaser")
	if err != nil {
		t.Fatal(err)
	}
	execute(t, "goreleaser", "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, module)
	return program
}

// execute runs a program in a folder, and fails the test with its output.
func execute(t *testing.T, dir string, args ...string) {
	t.Helper()
	command := exec.Command(args[0], args[1:]...)
	command.Dir = dir
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// commit makes a repository with one commit of a folder. Without a remote GoReleaser takes no time from the commit.
func commit(t *testing.T, dir string) {
	t.Helper()
	date := fmt.Sprintf("@%d +0000", commitTime)
	t.Setenv("GIT_AUTHOR_DATE", date)
	t.Setenv("GIT_COMMITTER_DATE", date)
	execute(t, dir, "git", "init", "-q", "-b", "main")
	execute(t, dir, "git", "remote", "add", "origin", source)
	execute(t, dir, "git", "add", "--all")
	execute(t, dir, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "a release")
}

// reduce removes the lines of all programs but some, and makes packfn check-resources where it runs on neither Linux nor
// this machine.
func reduce(t *testing.T, dir string, names []string) {
	t.Helper()
	edit := func(name string, change func(string) string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		text, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(change(string(text))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	edit("build/release/.goreleaser.yaml", func(text string) string {
		return regexp.MustCompile(`(?m)^  - \{<<: \*\w+, id: ([a-z-]+),.*\n`).ReplaceAllStringFunc(text, func(line string) string {
			id, _, _ := strings.Cut(strings.SplitN(line, "id: ", 2)[1], ",")
			if slices.Contains(names, id) {
				return line
			}
			return ""
		})
	})
	var other string
	edit("functions/check-resources/main.go", func(text string) string { other = text; return text })
	edit("functions/packfn/main.go", func(text string) string {
		return fmt.Sprintf("//go:build linux || %s\n\n%s", runtime.GOOS, text)
	})
	edit("functions/packfn/main_other.go", func(string) string {
		return fmt.Sprintf("//go:build !linux && !%s\n\n%s", runtime.GOOS, other)
	})
}

// testSums checks the sums in SHA256SUMS, and returns them by the names of the files.
func testSums(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
	if err != nil {
		t.Fatal(err)
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(text)) {
		want, file, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		got, err := sumOf(filepath.Join(dir, file))
		if !ok || err != nil || got != want {
			t.Errorf("SHA256SUMS: %q, but %s, %v", line, got, err)
		}
		sums[file] = want
	}
	return sums
}

// testArchives checks the archives of programs with their bills of materials, and returns their names.
func testArchives(t *testing.T, s *suite, dir, version string, names []string) (made []string) {
	t.Helper()
	for _, program := range names {
		for _, system := range systems {
			for _, architecture := range architectures {
				base := strings.Join([]string{program, version, system, architecture}, "_")
				ending := ".tar.gz"
				if system == "windows" {
					ending = ".zip"
				}
				sum := testArchive(t, s, filepath.Join(dir, base+ending), program, system, architecture)
				bill := filepath.Join(dir, base+".spdx.json")
				testBill(t, bill, program)
				if text, err := os.ReadFile(bill); err != nil || !strings.Contains(string(text), sum) {
					t.Errorf("%s does not have the sum of the program in the archive, %s, %v", filepath.Base(bill), sum, err)
				}
				made = append(made, base+ending, base+".spdx.json")
			}
		}
	}
	return made
}

// magic begins the programs of each system.
var magic = map[string]string{"linux": "\x7fELF", "darwin": "\xcf\xfa\xed\xfe", "windows": "MZ"}

// testArchive checks the files of an archive, and returns the sum of the program.
func testArchive(t *testing.T, s *suite, file, program, system, architecture string) string {
	t.Helper()
	files := readArchive(t, file)
	binary := program
	if system == "windows" {
		binary += ".exe"
	}
	want := []string{binary, "LICENSE", "THIRD-PARTY"}
	if program == "packfn" {
		for _, name := range completions {
			want = append(want, "completions/"+name)
		}
	}
	for _, name := range want {
		f, ok := files[name]
		if !ok || len(f.text) == 0 || f.time != commitTime {
			t.Errorf("%s: %s has %d bytes and the time %d; want some, and %d", filepath.Base(file), name, len(f.text), f.time, commitTime)
		}
	}
	text := files[binary].text
	if len(files) != len(want) || !strings.HasPrefix(string(text), magic[system]) || files[binary].mode&0o111 != 0o111 {
		t.Errorf("%s has %d files, want %v, and a program for %s", filepath.Base(file), len(files), want, system)
	}
	sum := sha256.Sum256(text)
	if system != runtime.GOOS || architecture != runtime.GOARCH {
		return hex.EncodeToString(sum[:])
	}
	path := filepath.Join(t.TempDir(), program)
	if err := os.WriteFile(path, text, 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, "--version").CombinedOutput()
	if want := regexp.MustCompile("^" + program + " " + regexp.QuoteMeta(s.version) + `, revision [0-9a-f]{40}, go1`); err != nil || !want.Match(out) {
		t.Errorf("%s --version: %q, %v; want %s", program, out, err, want)
	}
	return hex.EncodeToString(sum[:])
}

// testLinuxPackages checks that the Linux packages install packfn of the archive, with a link for each function, and
// returns their names.
func testLinuxPackages(t *testing.T, s *suite, dir, version string) (made []string) {
	t.Helper()
	names, err := s.programs()
	if err != nil {
		t.Fatal(err)
	}
	for _, architecture := range architectures {
		base := strings.Join([]string{"packfn", version, "linux", architecture}, "_")
		archive := readArchive(t, filepath.Join(dir, base+".tar.gz"))
		program := archive["packfn"].text
		for _, format := range packageFormats {
			name := base + "." + format
			made = append(made, name)
			files := readPackage(t, filepath.Join(dir, name), format)
			if f := files["usr/bin/packfn"]; !bytes.Equal(f.text, program) || f.mode&0o777 != 0o755 {
				t.Errorf("%s: /usr/bin/packfn has %d bytes and the mode %o, want %d", name, len(f.text), f.mode, len(program))
			}
			for _, function := range names {
				if link := files["usr/bin/"+function].link; function != "packfn" && link != "packfn" {
					t.Errorf("%s: /usr/bin/%s is a link to %q", name, function, link)
				}
			}
			for file, of := range map[string]string{
				"doc/packfn/LICENSE":                    "LICENSE",
				"doc/packfn/THIRD-PARTY":                "THIRD-PARTY",
				"bash-completion/completions/packfn":    "completions/packfn.bash",
				"fish/vendor_completions.d/packfn.fish": "completions/packfn.fish",
				"zsh/site-functions/_packfn":            "completions/packfn.zsh",
			} {
				if f := files["usr/share/"+file]; !bytes.Equal(f.text, archive[of].text) || f.mode&0o777 != 0o644 {
					t.Errorf("%s: /usr/share/%s has %d bytes and the mode %o, want those of %s", name, file, len(f.text), f.mode, of)
				}
			}
		}
	}
	return made
}

// testManifests checks that the manifests of Homebrew, krew and Scoop name the archives of packfn by their addresses in the
// release, with their sums.
func testManifests(t *testing.T, dir, version string, sums map[string]string) {
	t.Helper()
	for file, platforms := range map[string][]string{
		"homebrew/Casks/packfn.rb": {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz"},
		"krew/packfn.yaml":         {"darwin_amd64.tar.gz", "darwin_arm64.tar.gz", "linux_amd64.tar.gz", "linux_arm64.tar.gz", "windows_amd64.zip", "windows_arm64.zip"},
		"scoop/packfn.json":        {"windows_amd64.zip", "windows_arm64.zip"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			t.Error(err)
			continue
		}
		manifest := strings.ReplaceAll(string(text), "#{version}", strings.TrimPrefix(version, "v"))
		addresses := regexp.MustCompile(`https://github\.com/krm-packs/functions/releases/download/[^"\s]+`).FindAllString(manifest, -1)
		var want []string
		for _, platform := range platforms {
			name := "packfn_" + version + "_" + platform
			want = append(want, source+"/releases/download/"+version+"/"+name)
			// The sum stands beside the address: before it, or after it.
			both := regexp.QuoteMeta(sums[name]) + `\W+(\w+\W+)?` + regexp.QuoteMeta(want[len(want)-1]) + `|` + regexp.QuoteMeta(want[len(want)-1]) + `\W+(\w+\W+)+?` + regexp.QuoteMeta(sums[name])
			if sums[name] == "" || !regexp.MustCompile(both).MatchString(manifest) {
				t.Errorf("%s does not have %s with the sum %q:\n%s", file, name, sums[name], text)
			}
		}
		slices.Sort(addresses)
		if !slices.Equal(addresses, want) {
			t.Errorf("%s has the addresses %v, want %v", file, addresses, want)
		}
	}
}
