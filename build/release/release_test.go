package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
	spdxjson "github.com/spdx/tools-golang/json"
	spdx "github.com/spdx/tools-golang/spdx/v2/v2_3"
	"github.com/spdx/tools-golang/spdxlib"
)

// all makes the tests build every program for every platform, as a release does. Without
// it they build packfn, which links everything, and one function, and packfn only for Linux:
// Go compiles everything again for each platform.
var all = os.Getenv("RELEASE_TEST_ALL") != ""

func sources(t *testing.T) *suite {
	t.Helper()
	s, err := openSuite("../..")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func chosen(t *testing.T, s *suite, some ...string) []string {
	t.Helper()
	if !all {
		return some
	}
	names, err := s.programs()
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// Images of one commit have one digest, wherever they are built. They are what the
// registry gets, and have what they need and nothing else.
func TestImages(t *testing.T) {
	s := sources(t)
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	host := strings.TrimPrefix(server.URL, "http://")
	out := t.TempDir()
	platforms, err := parsePlatforms(defaultPlatforms["images"])
	if err != nil {
		t.Fatal(err)
	}
	first, err := s.images(chosen(t, s, "check-resources", "packfn"), platforms, imageOptions{out: out, push: host + "/krm-packs"})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range first {
		program := filepath.Base(b.Name)
		index, err := layout.ImageIndexFromPath(filepath.Join(out, program))
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Index(index); err != nil {
			t.Errorf("%s: %v", program, err)
		}
		if len(b.Platforms) != len(platforms) || !slices.Equal(b.Tags, tags(s.version)) {
			t.Errorf("%s has the platforms %v and the tags %v", program, b.Platforms, b.Tags)
		}
		for _, tag := range b.Tags {
			reference, err := name.NewTag(host + "/krm-packs/" + program + ":" + tag)
			if err != nil {
				t.Fatal(err)
			}
			if pushed, err := remote.Head(reference); err != nil || pushed.Digest.String() != b.Digest {
				t.Errorf("%s: the registry has %v, %v; want %s", reference, pushed, err, b.Digest)
			}
		}
		for i, one := range b.Platforms {
			digest, err := v1.NewHash(one.Digest)
			if err != nil {
				t.Fatal(err)
			}
			image, err := index.Image(digest)
			if err != nil {
				t.Fatal(err)
			}
			testImage(t, s, program, platforms[i], image)
			testBill(t, filepath.Join(out, one.SBOM), program)
		}
	}
}

func testImage(t *testing.T, s *suite, program string, platform v1.Platform, image v1.Image) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if config.Architecture != platform.Architecture || config.OS != "linux" || config.Config.User != imageUser || !slices.Equal(config.Config.Entrypoint, []string{"/" + program}) {
		t.Errorf("%s for %v: %+v", program, platform, config)
	}
	for label, want := range map[string]string{"source": source, "revision": s.revision, "version": s.version, "licenses": "Apache-2.0"} {
		if got := config.Config.Labels["org.opencontainers.image."+label]; got != want || want == "" {
			t.Errorf("%s: the label %s is %q, want %q", program, label, got, want)
		}
	}
	if config.Config.Labels["org.opencontainers.image.description"] == "" {
		t.Errorf("%s has no description", program)
	}
	var names []string
	content := mutate.Extract(image)
	defer content.Close()
	for files := tar.NewReader(content); ; {
		header, err := files.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, header.Name)
		if header.Name == "licenses/THIRD-PARTY" {
			text, err := io.ReadAll(files)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"\nstdlib 1.", "\nsigs.k8s.io/kustomize/kyaml v", "Apache License", "Redistributions in binary form"} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s: the licences have no %q", program, want)
				}
			}
		}
	}
	slices.Sort(names)
	if want := slices.Sorted(slices.Values([]string{program, "etc", "etc/passwd", "licenses", "licenses/LICENSE", "licenses/THIRD-PARTY"})); !slices.Equal(names, want) {
		t.Errorf("%s has the files %v, want %v", program, names, want)
	}
}

// testBill checks the form of a bill of materials, and that it names what Go recorded.
func testBill(t *testing.T, file, program string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	read, err := spdxjson.Read(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if err := spdxlib.ValidateDocument(read); err != nil {
		t.Errorf("%s: %v", file, err)
	}
	var doc spdx.Document
	if err := spdxjson.ReadInto(bytes.NewReader(text), &doc); err != nil {
		t.Fatal(err)
	}
	if doc.SPDXVersion != "SPDX-2.3" || doc.DataLicense != "CC0-1.0" || doc.SPDXIdentifier != "DOCUMENT" || doc.DocumentName == "" ||
		!strings.HasPrefix(doc.DocumentNamespace, "https://") || doc.CreationInfo == nil || len(doc.CreationInfo.Creators) == 0 {
		t.Errorf("%s is incomplete: %+v", file, doc)
	}
	ids, described, depends := map[string]bool{}, 0, 0
	for _, p := range doc.Packages {
		id := string(p.PackageSPDXIdentifier)
		if ids[id] || p.PackageName == "" || p.PackageVersion == "" || p.PackageDownloadLocation == "" || p.PackageLicenseDeclared == "" || len(p.PackageExternalReferences) != 1 {
			t.Errorf("%s: %s is incomplete or there twice: %+v", file, id, p)
		}
		ids[id] = true
	}
	for _, r := range doc.Relationships {
		switch r.Relationship {
		case "DESCRIBES":
			described++
		case "DEPENDS_ON":
			depends++
		}
	}
	if !ids["Package-"+program] || described != 1 || depends != len(doc.Packages)-1 || depends < 2 {
		t.Errorf("%s: %d packages, %d described, %d dependencies", file, len(doc.Packages), described, depends)
	}
}

// copyTo copies the sources to a folder, with what is in no commit yet.
func copyTo(t *testing.T, s *suite, dir string) {
	t.Helper()
	list, err := exec.Command("git", "-C", s.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Fatal(err)
	}
	for file := range strings.SplitSeq(strings.Trim(string(list), "\x00"), "\x00") {
		text, err := os.ReadFile(filepath.Join(s.root, file))
		if os.IsNotExist(err) {
			continue // deleted, but not yet in a commit
		}
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Two folders with the same sources give the same images.
func TestReproducible(t *testing.T) {
	s := sources(t)
	other := *s
	other.root = t.TempDir()
	copyTo(t, s, other.root)
	// Go records the revision in a program only where the sources are in git, so that
	// it is left out of both.
	t.Setenv("GOFLAGS", "-buildvcs=false")
	platform := []v1.Platform{{OS: "linux", Architecture: runtime.GOARCH}}
	var results [2][]built
	for i, s := range []*suite{s, &other} {
		var err error
		if results[i], err = s.images([]string{"check-resources", "packfn"}, platform, imageOptions{out: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	}
	for i, b := range results[0] {
		if b.Digest != results[1][i].Digest || !strings.HasPrefix(b.Digest, "sha256:") {
			t.Errorf("%s: the digests are %s and %s", b.Name, b.Digest, results[1][i].Digest)
		}
	}
}

func TestNotes(t *testing.T) {
	s := sources(t)
	notes, err := s.notes(s.version)
	if err != nil || !strings.Contains(notes, "packfn") || strings.Contains("\n"+notes, "\n## ") { // the heading of another version
		t.Errorf("got %q, %v", notes, err)
	}
	if _, err := s.notes("v99.0.0"); err == nil {
		t.Error("another tag than the version is accepted")
	}
	s.root = t.TempDir()
	if err := os.WriteFile(filepath.Join(s.root, "CHANGELOG.md"), []byte("# Changes\n\n## "+s.version+"\n\n## v0.0.1\n\nold\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if notes, err := s.notes(""); err == nil {
		t.Errorf("a version without notes has %q", notes)
	}
}

func TestTags(t *testing.T) {
	for version, want := range map[string][]string{"v1.2.3": {"v1.2.3", "v1.2", "v1"}, "v1.2.3-rc.1": {"v1.2.3-rc.1"}} {
		if got := tags(version); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", version, got, want)
		}
	}
}

// A folder with a file that is not a known licence stops a release.
func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "LICENSE"), []byte("All rights reserved.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if found, err := licencesIn(dir, dir); err == nil {
		t.Errorf("unknown terms are taken for %v", found)
	}
	own, err := licencesIn("../..", "../..")
	if err != nil || len(own) != 1 || own[0].id != "Apache-2.0" {
		t.Errorf("the suite's own licence: %v, %v", own, err)
	}
}

// The list of a runner's image is kept, and the suite's programs are added.
func TestMergeLists(t *testing.T) {
	own, err := os.ReadFile("../porch/config.yaml")
	if err != nil {
		t.Fatal(err)
	}
	theirs := `# theirs
functions:
  - function: set-labels
    images:
      - example.com/set-labels:v1`
	merged, err := mergeLists(theirs, string(own))
	if err != nil || !strings.HasPrefix(merged, theirs+"\n  - function: packfn\n") || strings.Count(merged, "functions:") != 1 {
		t.Errorf("got %s, %v", merged, err)
	}
	if merged, err := mergeLists("", string(own)); err != nil || merged != string(own) {
		t.Errorf("got %s, %v", merged, err)
	}
	if merged, err := mergeLists("functions: []\n", string(own)); err == nil {
		t.Errorf("another form is merged to %s", merged)
	}
}

// images.json has the fields that the workflow reads.
func TestList(t *testing.T) {
	text, err := json.Marshal(built{Platforms: []builtForSystem{{}}})
	if want := `{"name":"","digest":"","tags":null,"platforms":[{"platform":"","digest":"","sbom":""}]}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v", text, err)
	}
}
