package chart

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/values"
)

// The limits of the charts of a pack, with their subcharts. Public packs reach 1/30 of
// each; beyond them an archive of a few KiB takes gigabytes of memory.
const (
	maxBytes = 64 << 20
	maxFiles = 10_000
	// maxNesting is how deep charts are in charts.
	maxNesting = 10
	// maxTemplates is the text of all templates, and maxNodes what their actions are
	// made of: words, texts, parentheses.
	maxTemplates = 8 << 20
	maxNodes     = 300_000
	// maxBlocks is how deep the blocks of a template are in each other. The parser of
	// templates is recursive, and a stack overflow cannot be recovered.
	maxBlocks = 1_000
	// maxDocuments is the text of Chart.yaml, values.yaml and values.schema.json.
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
	// Name and Version are those of Chart.yaml.
	Name, Version string
	// Folder is the folder of the chart, in its archive or on disk.
	Folder string

	files        map[string][]byte // without those of subcharts
	subcharts    []*Chart
	dependencies []dependency
	values       *values.Document
	// schema is the content of values.schema.json; nil when there is none.
	schema *values.Document
}

// dependency is an entry of the dependencies in Chart.yaml or requirements.yaml.
type dependency struct {
	name, alias string
	conditions  []string
	tags        []string
	// imports are the paths in the subchart's values that the chart imports.
	imports []string
}

// Open reads a chart from a .tgz archive or a folder. Symbolic links are not followed. It
// is an error when the chart exceeds 64 MiB or 10,000 files, when its templates or its
// values are too large to parse, or when a path in the archive leads out of it.
func Open(name string) (*Chart, error) { return (&budget{}).open(name) }

func (b *budget) open(name string) (*Chart, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return nil, errors.New("it is neither a file nor a folder")
		}
		if info.Size() > maxBytes {
			return nil, errTooLarge
		}
		packed, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return b.unpack(packed, 0)
	}
	files := map[string][]byte{}
	err = filepath.WalkDir(name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		relative, err := filepath.Rel(name, file)
		if err != nil {
			return err
		}
		files[filepath.ToSlash(relative)], err = b.read(f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return b.chart(filepath.Base(name), files, 0)
}

var (
	errTooLarge = fmt.Errorf("the charts of the pack have more than %d MiB", maxBytes>>20)
	errTooMany  = fmt.Errorf("the charts of the pack have more than %d files", maxFiles)
)

// budget is what was read of the charts of a pack.
type budget struct{ bytes, files, templates, nodes, documents int }

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
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	archive := tar.NewReader(io.LimitReader(unpacked, 2*maxBytes)) // headers included
	files, folder := map[string][]byte{}, ""
	for entries := 0; ; entries++ {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if entries > 2*maxFiles {
			return nil, errTooMany
		}
		name := strings.ReplaceAll(header.Name, `\`, "/")
		if path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") {
			return nil, fmt.Errorf("the path %q leads out of the archive", header.Name)
		}
		top, rest, ok := strings.Cut(name, "/") // as Helm does: the folder may be "."
		if header.Typeflag != tar.TypeReg || !ok {
			continue
		}
		rest = path.Clean(rest)
		if folder == "" {
			folder = top
		}
		if files[rest], err = b.read(archive); err != nil {
			return nil, err
		}
	}
	return b.chart(folder, files, nesting)
}

// chart makes a chart of its files.
func (b *budget) chart(folder string, files map[string][]byte, nesting int) (*Chart, error) {
	c := &Chart{Folder: folder, files: map[string][]byte{}}
	nested := map[string]map[string][]byte{}
	for name, content := range files {
		rest, ok := strings.CutPrefix(name, "charts/")
		top, below, isFolder := strings.Cut(rest, "/")
		switch {
		case !ok:
			c.files[name] = content
		case strings.HasPrefix(top, "_") || strings.HasPrefix(top, "."): // Helm leaves them out
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
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			c.subcharts = append(c.subcharts, sub)
		}
	}
	for top, files := range nested {
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
	for name, content := range c.files {
		if err := b.parse(name, string(content)); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(c.subcharts, func(a, b *Chart) int { return strings.Compare(a.Name+"\x00"+a.Version, b.Name+"\x00"+b.Version) })
	return c, c.readFiles()
}

// parse adds a file that will be parsed.
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
	if c.Name == "" {
		return errors.New("the chart has no name in Chart.yaml")
	}
	// Version 1 of charts has a file of its own.
	listed := values.Field(root, "dependencies")
	if requirements, err := c.document(requirementsFile); err != nil {
		return err
	} else if listed == nil && requirements != nil {
		listed = values.Field(requirements.Root(), "dependencies")
	}
	for _, entry := range elements(listed) {
		d := dependency{name: values.Text(values.Field(entry, "name")), alias: values.Text(values.Field(entry, "alias"))}
		for condition := range strings.SplitSeq(values.Text(values.Field(entry, "condition")), ",") {
			if condition = strings.TrimSpace(condition); condition != "" {
				d.conditions = append(d.conditions, condition)
			}
		}
		for _, tag := range elements(values.Field(entry, "tags")) {
			d.tags = append(d.tags, values.Text(tag))
		}
		for _, imported := range elements(values.Field(entry, "import-values")) {
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
	c.schema, err = c.document(schemaFile)
	return err
}

// document parses a file; it is nil when the chart does not have it.
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
