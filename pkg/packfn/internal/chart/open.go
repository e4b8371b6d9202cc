package chart

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

// The limits for the charts of a pack, with their subcharts. Public packs reach 1/30 of each.
// Without limits, an archive of a few KiB could take gigabytes of memory.
const (
	maxBytes = 64 << 20
	maxFiles = 10_000
	// maxNesting is the maximum nesting depth of subcharts.
	maxNesting = 10
	// maxTemplates is the maximum size of all templates. maxNodes is the maximum number of words,
	// strings and parentheses in their actions.
	maxTemplates = 8 << 20
	maxNodes     = 300_000
	// maxBlocks is the maximum nesting depth of the blocks of a template, because the template
	// parser is recursive, and a program cannot recover from a stack overflow.
	maxBlocks = 1_000
	// maxDocuments is the maximum size of all Chart.yaml, requirements.yaml, values.yaml and
	// values.schema.json.
	maxDocuments = 2 << 20
)

// The files of a chart.
const (
	chartFile        = "Chart.yaml"
	requirementsFile = "requirements.yaml"
	valuesFile       = "values.yaml"
	schemaFile       = "values.schema.json"
	templates        = "templates/"
)

var documents = []string{chartFile, requirementsFile, valuesFile, schemaFile}

// Chart is a Helm chart.
type Chart struct {
	// Name and Version are the fields of Chart.yaml.
	Name, Version string
	// kubeVersion is the range of Kubernetes versions in Chart.yaml, or "".
	kubeVersion string
	// Digest is the SHA-256 of the archive, or of the paths and contents of the files of a
	// folder, in hexadecimal.
	Digest string
	// Folder is the name of the chart's folder, in its archive or on disk.
	Folder string
	// Archive is the content of the archive on disk. It is nil for a chart in a folder. Unpacked
	// contains the files of such a folder, including the files of subcharts.
	Archive  []byte
	Unpacked map[string][]byte

	files map[string][]byte // without the files of subcharts
	// subcharts are the charts in the folder charts, and dependencies the entries that name them.
	subcharts    []*Chart
	dependencies []dependency
	// values is the content of values.yaml, or nil if there is none.
	values *values.Document
	// schema is the content of values.schema.json, or nil if there is none. schemaFault is the
	// reason why Helm rejects it, or "".
	schema      *values.Document
	schemaFault string
}

// dependency is an entry of dependencies in Chart.yaml or requirements.yaml:
//
//	dependencies:
//	- name: consul
//	  alias: mesh
//	  condition: mesh.enabled
type dependency struct {
	// name is the name of the chart, alias the key of its values if it has one, and version a range.
	name, alias, version string
	// conditions are paths in the values of the chart around it, and tags names below `tags` there.
	conditions []string
	tags       []string
	// imports are the paths in the values of the subchart that the chart imports.
	imports []string
}

// Open reads a chart from a .tgz archive or a folder. Symbolic links are not followed. It returns
// an error if the chart exceeds 64 MiB or 10,000 files, if its templates or its values are too
// large to parse, or if a path in the archive leads out of it.
func Open(name string) (*Chart, error) {
	in, err := folder.Open(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	return (&budget{}).open(in, filepath.Base(name))
}

// open reads a chart in a folder, which is an archive or a folder itself.
func (b *budget) open(in *folder.Folder, name string) (*Chart, error) {
	at, err := in.Resolve(name)
	if err != nil {
		return nil, err
	}
	info, err := fs.Stat(in.Files(), filepath.ToSlash(at))
	switch {
	case err != nil:
		return nil, err
	case !info.IsDir() && info.Size() > maxBytes:
		return nil, errTooLarge
	case !info.IsDir():
		packed, err := in.Read(at, maxBytes)
		if err != nil {
			return nil, err
		}
		c, err := b.unpack(packed, 0)
		if err == nil {
			c.Digest, c.Archive = fmt.Sprintf("%x", sha256.Sum256(packed)), packed
		}
		return c, err
	}
	sub, err := in.Sub(at)
	if err != nil {
		return nil, err
	}
	defer sub.Close()
	files := map[string][]byte{}
	err = fs.WalkDir(sub.Files(), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := sub.Read(filepath.FromSlash(file), maxBytes)
		if err != nil {
			return err
		}
		files[file], err = b.read(bytes.NewReader(content))
		return err
	})
	if err != nil {
		return nil, err
	}
	c, err := b.chart(filepath.Base(at), files, 0)
	if err == nil {
		sum := sha256.New()
		for _, file := range slices.Sorted(maps.Keys(files)) {
			fmt.Fprintf(sum, "%q %d\n", file, len(files[file]))
			sum.Write(files[file])
		}
		c.Digest, c.Unpacked = fmt.Sprintf("%x", sum.Sum(nil)), files
	}
	return c, err
}

var (
	errTooLarge = fmt.Errorf("the charts have more than %d MiB", maxBytes>>20)
	errTooMany  = fmt.Errorf("the charts have more than %d files", maxFiles)
)

// budget counts the resources used to read the charts of a pack.
type budget struct{ bytes, files, templates, nodes, documents int }

// add adds the resources used for the charts of another pack.
func (b *budget) add(other budget) {
	b.bytes, b.files, b.templates = b.bytes+other.bytes, b.files+other.files, b.templates+other.templates
	b.nodes, b.documents = b.nodes+other.nodes, b.documents+other.documents
}

// maxPacks is the number of packs at their limits that a run can read.
const maxPacks = 20

var errRun = fmt.Errorf("the charts of the packs before it are too large together: a run reads at most %d MiB, %d files and %d MiB of templates", maxPacks*maxBytes>>20, maxPacks*maxFiles, maxPacks*maxTemplates>>20)

// isSpent reports whether a run must not read further charts.
func (b *budget) isSpent() bool {
	return b.bytes > maxPacks*maxBytes || b.files > maxPacks*maxFiles || b.templates > maxPacks*maxTemplates ||
		b.nodes > maxPacks*maxNodes || b.documents > maxPacks*maxDocuments
}

// read reads a file within the limits on the number and the size of all files.
func (b *budget) read(r io.Reader) ([]byte, error) {
	if b.files++; b.files > maxFiles {
		return nil, errTooMany
	}
	content, err := io.ReadAll(io.LimitReader(r, int64(maxBytes-b.bytes)+1))
	if b.bytes += len(content); b.bytes > maxBytes {
		return nil, errTooLarge
	}
	return content, err
}

// unpack reads the archive of a chart.
func (b *budget) unpack(packed []byte, nesting int) (*Chart, error) {
	files, top := map[string][]byte{}, ""
	limit := folder.Limit{Bytes: 2 * maxBytes, Entries: 2 * maxFiles, TooLarge: errTooLarge, TooMany: errTooMany}
	err := folder.Untar(packed, limit, func(name string, header *tar.Header, content io.Reader) (err error) {
		first, rest, ok := strings.Cut(name, "/") // like Helm: the folder may be "."
		if header.Typeflag != tar.TypeReg || !ok {
			return nil
		}
		if top == "" {
			top = first
		}
		files[path.Clean(rest)], err = b.read(content)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.chart(top, files, nesting)
}

// chart returns the chart that consists of files.
func (b *budget) chart(name string, files map[string][]byte, nesting int) (*Chart, error) {
	c := &Chart{Folder: name, files: map[string][]byte{}}
	nested := map[string]map[string][]byte{}
	for _, file := range slices.Sorted(maps.Keys(files)) { // so that a limit is always exceeded at the same file
		content := files[file]
		rest, ok := strings.CutPrefix(file, "charts/")
		top, below, isFolder := strings.Cut(rest, "/")
		switch {
		case !ok:
			c.files[file] = content
		case strings.HasPrefix(top, "_") || strings.HasPrefix(top, "."): // Helm ignores them
		case isFolder:
			if nested[top] == nil {
				nested[top] = map[string][]byte{}
			}
			nested[top][below] = content
		case path.Ext(top) == ".tgz":
			if nesting == maxNesting {
				return nil, fmt.Errorf("charts are nested more than %d deep", maxNesting)
			}
			sub, err := b.unpack(content, nesting+1)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
			c.subcharts = append(c.subcharts, sub)
		}
	}
	for _, top := range slices.Sorted(maps.Keys(nested)) {
		files := nested[top]
		if nesting == maxNesting {
			return nil, fmt.Errorf("charts are nested more than %d deep", maxNesting)
		}
		if files[chartFile] == nil {
			continue
		}
		sub, err := b.chart(top, files, nesting+1)
		if err != nil {
			return nil, fmt.Errorf("charts/%s: %w", top, err)
		}
		c.subcharts = append(c.subcharts, sub)
	}
	for _, name := range slices.Sorted(maps.Keys(c.files)) {
		if err := b.parse(name, string(c.files[name])); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.subcharts, func(a, b *Chart) int { return strings.Compare(a.Name+"\x00"+a.Version, b.Name+"\x00"+b.Version) })
	return c, c.readFiles()
}

// parse accounts for a file that will be parsed.
func (b *budget) parse(name, text string) error {
	if !strings.HasPrefix(name, templates) {
		if slices.Contains(documents, name) {
			if b.documents += len(text); b.documents > maxDocuments {
				return fmt.Errorf("%s: the values and schemas of the pack's charts have more than %d MiB", name, maxDocuments>>20)
			}
		}
		return nil
	}
	if b.templates += len(text); b.templates > maxTemplates {
		return fmt.Errorf("%s: the templates of the pack's charts have more than %d MiB", name, maxTemplates>>20)
	}
	size := measure(text)
	if size.depth > maxBlocks {
		return fmt.Errorf("%s: blocks are nested more than %d deep", name, maxBlocks)
	}
	if b.nodes += size.nodes; b.nodes > maxNodes {
		return fmt.Errorf("%s: the templates of the pack's charts are too large to parse: their actions have more than %d words", name, maxNodes)
	}
	return nil
}

// readFiles reads the metadata, the values and the schema of a chart.
func (c *Chart) readFiles() error {
	metadata, err := c.document(chartFile)
	if err != nil {
		return err
	}
	if metadata == nil {
		return errors.New("the chart has no Chart.yaml")
	}
	root := metadata.Root()
	c.Name, c.Version = values.Text(values.Field(root, "name")), values.Text(values.Field(root, "version"))
	c.kubeVersion = values.Text(values.Field(root, "kubeVersion"))
	if c.Name == "" {
		return errors.New("the chart has no name in Chart.yaml")
	}
	// Charts with apiVersion v1 have the dependencies in requirements.yaml.
	listed := values.Field(root, "dependencies")
	if requirements, err := c.document(requirementsFile); err != nil {
		return err
	} else if listed == nil && requirements != nil {
		listed = values.Field(requirements.Root(), "dependencies")
	}
	for _, entry := range values.Elements(listed) {
		d := dependency{name: values.Text(values.Field(entry, "name")), alias: values.Text(values.Field(entry, "alias")), version: values.Text(values.Field(entry, "version"))}
		for condition := range strings.SplitSeq(values.Text(values.Field(entry, "condition")), ",") {
			if condition = strings.TrimSpace(condition); condition != "" {
				d.conditions = append(d.conditions, condition)
			}
		}
		for _, tag := range values.Elements(values.Field(entry, "tags")) {
			d.tags = append(d.tags, values.Text(tag))
		}
		for _, imported := range values.Elements(values.Field(entry, "import-values")) {
			if child := values.Text(values.Field(imported, "child")); child != "" {
				d.imports = append(d.imports, child)
			} else if name := values.Text(imported); name != "" {
				d.imports = append(d.imports, "exports."+name)
			}
		}
		c.dependencies = append(c.dependencies, d)
	}
	if c.values, err = c.document(valuesFile); err != nil {
		return err
	}
	return c.readSchema()
}

// readSchema reads values.schema.json. A schema that Helm rejects is not an error, so that the
// rest of the chart can still be used.
func (c *Chart) readSchema() (err error) {
	text, ok := c.files[schemaFile]
	if !ok {
		return nil
	}
	c.schema, err = c.document(schemaFile)
	if _, _, fault := values.ReadJSON(string(text)); fault != nil && !json.Valid(text) {
		c.schemaFault, err = "cannot be read as JSON: "+fault.Error(), nil
	} else if err == nil {
		if _, fault := jsonschema.Compile(rootOf(c.schema)); jsonschema.IsRejected(fault) {
			c.schemaFault = fault.Error()
		}
	}
	return err
}

// document parses a file of the chart. It returns nil if the file does not exist.
func (c *Chart) document(name string) (*values.Document, error) {
	content, ok := c.files[name]
	if !ok {
		return nil, nil
	}
	document, err := values.Parse(string(content))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return document, nil
}
