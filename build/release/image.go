package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// imagePrefix begins the names of the images.
const imagePrefix = "ghcr.io/krm-packs"

// passwd has the names of the users that run functions: kpt uses nobody, by its name. The
// image itself has the other one, by its number, as Kubernetes wants.
const (
	passwd    = "nobody:x:65534:65534:nobody:/:/sbin/nologin\nfunction:x:65532:65532:function:/:/sbin/nologin\n"
	imageUser = "65532:65532"
)

// file is an entry of a layer: a file, or a link if it has a target.
type file struct {
	name   string
	text   []byte
	mode   int64
	target string
}

// layerOf makes a layer of files, all of root, with the folders that they are in.
func layerOf(files []file, at time.Time) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	folders := map[string]bool{"": true}
	for _, f := range files {
		for i, c := range f.name {
			if folder := f.name[:i]; c == '/' && !folders[folder] {
				folders[folder] = true
				if err := w.WriteHeader(&tar.Header{Name: folder + "/", Typeflag: tar.TypeDir, Mode: 0o755, ModTime: at}); err != nil {
					return nil, err
				}
			}
		}
		header := tar.Header{Name: f.name, Typeflag: tar.TypeReg, Mode: f.mode, Size: int64(len(f.text)), ModTime: at}
		if f.target != "" {
			header.Typeflag, header.Linkname, header.Mode = tar.TypeSymlink, f.target, 0o777
		}
		if err := w.WriteHeader(&header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer))
}

// labels describe an image, by the keys of the OCI.
func (p *program) labels() map[string]string {
	labels := map[string]string{
		"org.opencontainers.image.title":         p.name,
		"org.opencontainers.image.description":   p.description,
		"org.opencontainers.image.source":        source,
		"org.opencontainers.image.url":           source + "/tree/" + p.version + "/functions/" + p.name,
		"org.opencontainers.image.documentation": source + "/blob/" + p.version + "/functions/" + p.name + "/README.md",
		"org.opencontainers.image.version":       p.version,
		"org.opencontainers.image.licenses":      "Apache-2.0",
		"org.opencontainers.image.created":       p.time.Format(time.RFC3339),
	}
	if p.revision != "" {
		labels["org.opencontainers.image.revision"] = p.revision
	}
	return labels
}

// image makes the image of a program: the program, the licences, and names of users.
func (s *suite) image(p *program) (v1.Image, error) {
	text, err := os.ReadFile(p.file)
	if err != nil {
		return nil, err
	}
	own, err := os.ReadFile(filepath.Join(s.root, "LICENSE"))
	if err != nil {
		return nil, err
	}
	terms, err := layerOf([]file{
		{name: "etc/passwd", text: []byte(passwd), mode: 0o644},
		{name: "licenses/LICENSE", text: own, mode: 0o644},
		{name: "licenses/THIRD-PARTY", text: p.thirdParty(), mode: 0o644},
	}, p.time)
	if err != nil {
		return nil, err
	}
	binary, err := layerOf([]file{{name: p.name, text: text, mode: 0o755}}, p.time)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	config := &v1.ConfigFile{
		Architecture: p.platform.Architecture,
		OS:           p.platform.OS,
		Created:      v1.Time{Time: p.time},
		RootFS:       v1.RootFS{Type: "layers"},
		Config:       v1.Config{User: imageUser, Entrypoint: []string{"/" + p.name}, Labels: p.labels()},
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return nil, err
	}
	history := func(what string) v1.History {
		return v1.History{Created: v1.Time{Time: p.time}, CreatedBy: module + "/build/release", Comment: what}
	}
	if image, err = mutate.Append(image,
		mutate.Addendum{Layer: terms, History: history("licences")},
		mutate.Addendum{Layer: binary, History: history(p.name)},
	); err != nil {
		return nil, err
	}
	return mutate.Annotations(image, p.labels()).(v1.Image), nil
}

// built is what images.json says of the index of a program.
type built struct {
	Name      string           `json:"name"`
	Digest    string           `json:"digest"`
	Tags      []string         `json:"tags"`
	Platforms []builtForSystem `json:"platforms"`
}

// builtForSystem is the image of a program for one platform, and the file of its bill of
// materials.
type builtForSystem struct {
	Platform string `json:"platform"`
	Digest   string `json:"digest"`
	SBOM     string `json:"sbom"`
}

// tags returns the tags of a version: vX.Y.Z, vX.Y and vX. A prerelease has only its own.
func tags(version string) []string {
	if strings.Contains(version, "-") {
		return []string{version}
	}
	parts := strings.Split(version, ".")
	return []string{version, parts[0] + "." + parts[1], parts[0]}
}

// imageOptions are what to do with images in addition to writing them.
type imageOptions struct {
	out  string
	tag  string // in place of those of the version
	load bool
	push string // the registry and folder to push to
}

// images builds an index for each program, and writes it as an OCI layout with its bills
// of materials next to it, and the list images.json.
func (s *suite) images(programs []string, platforms []v1.Platform, o imageOptions) ([]built, error) {
	var all []built
	for _, program := range programs {
		b, err := s.imageOf(program, platforms, o)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, err
	}
	return all, os.WriteFile(filepath.Join(o.out, "images.json"), append(text, '\n'), 0o644)
}

func (s *suite) imageOf(program string, platforms []v1.Platform, o imageOptions) (built, error) {
	b := built{Name: imagePrefix + "/" + program, Tags: tags(s.version)}
	if o.tag != "" {
		b.Tags = []string{o.tag}
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return b, err
	}
	dir, err := os.MkdirTemp("", "image")
	if err != nil {
		return b, err
	}
	defer os.RemoveAll(dir)
	index, err := s.index(program, platforms, dir, o, &b)
	if err != nil {
		return b, err
	}
	digest, err := index.Digest()
	if err != nil {
		return b, err
	}
	b.Digest = digest.String()
	folder := filepath.Join(o.out, program)
	if err := os.RemoveAll(folder); err != nil {
		return b, err
	}
	if _, err := layout.Write(folder, index); err != nil {
		return b, err
	}
	if o.push != "" {
		return b, push(o.push+"/"+program, b.Tags, index)
	}
	return b, nil
}

// index builds one index of the images of a program for several platforms, and writes the
// bills of materials.
func (s *suite) index(program string, platforms []v1.Platform, dir string, o imageOptions, b *built) (v1.ImageIndex, error) {
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, platform := range platforms {
		p, err := s.build(program, platform, dir)
		if err != nil {
			return nil, err
		}
		image, err := s.image(p)
		if err != nil {
			return nil, err
		}
		digest, err := image.Digest()
		if err != nil {
			return nil, err
		}
		bill, err := p.sbom()
		if err != nil {
			return nil, err
		}
		one := builtForSystem{platform.String(), digest.String(), filepath.Base(p.file) + ".spdx.json"}
		if err := os.WriteFile(filepath.Join(o.out, one.SBOM), bill, 0o644); err != nil {
			return nil, err
		}
		b.Platforms = append(b.Platforms, one)
		if o.load && platform.Architecture == runtime.GOARCH {
			if err := load(b.Name+":"+b.Tags[0], image); err != nil {
				return nil, err
			}
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
		index = mutate.Annotations(index, p.labels()).(v1.ImageIndex)
	}
	return index, nil
}

// load gives an image to the Docker of this machine.
func load(tag string, image v1.Image) error {
	reference, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	reader, writer := io.Pipe()
	go func() { writer.CloseWithError(tarball.Write(reference, image, writer)) }()
	command := exec.Command("docker", "load")
	command.Stdin = reader
	out, err := command.CombinedOutput()
	reader.CloseWithError(err) // ends the writer if Docker did not read everything
	if err != nil {
		return fmt.Errorf("docker load: %w\n%s", err, out)
	}
	return nil
}

// push writes an index to a registry, with the login that Docker has.
func push(repository string, tags []string, index v1.ImageIndex) error {
	for _, tag := range tags {
		reference, err := name.NewTag(repository + ":" + tag)
		if err != nil {
			return err
		}
		if err := remote.WriteIndex(reference, index, remote.WithAuthFromKeychain(authn.DefaultKeychain)); err != nil {
			return fmt.Errorf("pushing %s: %w", reference, err)
		}
	}
	return nil
}
