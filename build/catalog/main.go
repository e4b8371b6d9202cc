// Command catalog writes the functions in the layout of kpt's function catalog, github.com/kptdev/krm-functions-catalog,
// for a pull request there: go run ./build/catalog, from the root of the repository.
//
//	contrib/functions/go/NAME/    metadata.yaml, README.md, main.go, go.mod
//	contrib/examples/NAME-TITLE/  an example, with the images of the catalog
//
// The catalog builds an image from the folder of a function. main.go is the program of the function, and go.mod requires
// the release of this repository. CONTRIBUTING.md of the catalog describes the layout, and its scripts/verify-docs.py
// checks it.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/build/internal/examples"
	"github.com/krm-packs/functions/functions/suite"
	"github.com/krm-packs/functions/pkg/function"
)

// What the catalog requires of metadata.yaml and of the pipelines of examples on its branch master.
const (
	imagePrefix = "gcr.io/kpt-fn-contrib"
	imageTag    = "unstable"
	tree        = "https://github.com/kptdev/krm-functions-catalog/tree/master/"
	team        = "kpt-team@google.com"

	functionFolder = "contrib/functions/go"
	exampleFolder  = "contrib/examples"
)

func main() {
	standard := filepath.Join("dist", "catalog")
	out := flag.String("o", standard, "the folder to write, absent or empty")
	flag.Parse()
	var err error
	if *out == standard { // it holds what an earlier run wrote
		err = os.RemoveAll(standard)
	}
	if err == nil {
		err = write(".", *out)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "catalog:", err)
		os.Exit(1)
	}
}

// metadata is the metadata.yaml of a function.
type metadata struct {
	Image              string   `yaml:"image"`
	Description        string   `yaml:"description"`
	Tags               []string `yaml:"tags"`
	SourceURL          string   `yaml:"sourceURL"`
	ExamplePackageURLs []string `yaml:"examplePackageURLs"`
	Emails             []string `yaml:"emails"`
	License            string   `yaml:"license"`
	Hidden             bool     `yaml:"hidden"`
}

// catalog is what is written, and where.
type catalog struct {
	root, out string
	images    examples.Images
}

// write writes the folders of all functions of a repository.
func write(root, out string) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s must be absent or empty; remove it, or name another folder with -o", out)
	}
	c := catalog{root, out, examples.NewImages(imagePrefix, imageTag)}
	for _, f := range suite.All() {
		if err := c.function(f.Name); err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	return nil
}

// function writes the folder of a function, and its examples.
func (c catalog) function(name string) error {
	own := path.Join("functions", name)
	text, err := c.read(own, "metadata.yaml")
	if err != nil {
		return err
	}
	var m metadata
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		return err
	}
	urls := m.ExamplePackageURLs
	m.Image = imagePrefix + "/" + name
	m.SourceURL = tree + path.Join(functionFolder, name)
	m.Emails = append(m.Emails, team)
	m.ExamplePackageURLs = nil
	for _, url := range urls {
		example := path.Base(url)
		if fits, err := c.fits(name, example); err != nil {
			return err
		} else if !fits {
			continue
		}
		m.ExamplePackageURLs = append(m.ExamplePackageURLs, tree+path.Join(exampleFolder, example))
		if err := c.example(name, example); err != nil {
			return fmt.Errorf("%s: %w", example, err)
		}
	}
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(m), encoder.Close()); err != nil {
		return err
	}
	readme, err := c.read(own, "README.md")
	if err != nil {
		return err
	}
	program, err := c.read(own, "main.go")
	if err != nil {
		return err
	}
	goVersion, err := c.goVersion()
	if err != nil {
		return err
	}
	to := path.Join(functionFolder, name)
	return errors.Join(
		c.write(path.Join(to, "metadata.yaml"), b.String()),
		c.write(path.Join(to, "README.md"), c.markdown(own, readme)),
		c.write(path.Join(to, "main.go"), program),
		c.write(path.Join(to, "go.mod"), fmt.Sprintf("module github.com/kptdev/krm-functions-catalog/%s\n\ngo %s\n\nrequire github.com/krm-packs/functions %s\n", to, goVersion, function.Release)),
	)
}

// fits reports whether the catalog accepts an example: its pipeline runs no other function than its own, unless the
// function runs with `kpt fn eval`.
func (c catalog) fits(name, example string) (bool, error) {
	folder := path.Join("examples", example)
	config, err := c.read(folder, ".expected/config.yaml")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if slices.Contains(strings.Split(config, "\n"), "testType: eval") {
		return true, nil
	}
	text, err := c.read(folder, "Kptfile")
	if err != nil {
		return false, err
	}
	var kptfile struct {
		Pipeline map[string][]struct{ Exec string }
	}
	if err := yaml.Unmarshal([]byte(text), &kptfile); err != nil {
		return false, err
	}
	for _, steps := range kptfile.Pipeline {
		for _, step := range steps {
			if step.Exec != name {
				return false, nil
			}
		}
	}
	return true, nil
}

// example writes an example with images.
func (c catalog) example(name, example string) error {
	from := path.Join("examples", example)
	return fs.WalkDir(os.DirFS(c.root), from, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		folder, base := path.Split(file)
		text, err := c.read(folder, base)
		if err != nil {
			return err
		}
		text = image.ReplaceAllString(c.images.Replace(file, text), catalogImage)
		switch strings.TrimPrefix(file, from+"/") {
		case "README.md":
			text = titled(name, example, c.markdown(from, text))
		case ".expected/config.yaml": // exec: NAME is how tests run the example here
			text = strings.Replace(text, "exec: "+name, "image: "+imagePrefix+"/"+name+":"+imageTag, 1)
		}
		return c.write(path.Join("contrib", file), text)
	})
}

// read returns the text of a file of the repository.
func (c catalog) read(folder, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(c.root, folder, name))
	return string(text), err
}

// write writes a file of the catalog.
func (c catalog) write(name, text string) error {
	file := filepath.Join(c.out, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

// goVersion returns the version in the line `go 1.26.0` of go.mod.
func (c catalog) goVersion() (string, error) {
	text, err := c.read("", "go.mod")
	for line := range strings.SplitSeq(text, "\n") {
		if version, ok := strings.CutPrefix(line, "go "); ok {
			return version, nil
		}
	}
	return "", errors.Join(err, errors.New("go.mod has no version of Go"))
}
