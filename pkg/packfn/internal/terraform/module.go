package terraform

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/values"
)

// Extension is that of the files of a module.
const Extension = ".tf"

// Fault is what Terraform rejects in a file of a module. The other files are read.
type Fault struct {
	// Path is the path of the file.
	Path string
	At   diag.Position
	// Text says what is wrong.
	Text string
}

func (f *Fault) Error() string {
	if f.At.Line == 0 {
		return f.Path + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.Path, f.At.Line, f.At.Column, f.Text)
}

// Module is a folder of Terraform files.
type Module struct {
	// Faults are those of the files that cannot be read.
	Faults []*Fault
	// Notes name the files that Terraform reads and this package does not.
	Notes []string
	// dir is the folder, and chosen the file that was opened by its name.
	dir, chosen string
	// unread is a file with values of variables that is not read, "" for none.
	unread string
	files  map[string]*source // by their paths
	// blocks are those of all files, and profiles those that are resources of the chosen ones.
	blocks   []*hclsyntax.Block
	profiles []*hclsyntax.Block
	names    *evaluation
}

// source is a file of a module.
type source struct {
	path, text string
	body       *hclsyntax.Body
	lines      *values.Lines
}

// at returns the place of an offset in the file.
func (s *source) at(offset int) diag.Position {
	if s.lines == nil {
		s.lines = values.NewLines(s.text)
	}
	return s.lines.Position(offset)
}

// profileResource matches the files that may have a profile.
var profileResource = regexp.MustCompile(`resource\s+"?` + resourceType + `\b`)

// HasProfile reports whether a text of Terraform may have a profile, before it is parsed.
func HasProfile(text []byte) bool { return profileResource.Match(text) }

// IsModule reports whether a folder has a Terraform file with a profile.
func IsModule(dir string) bool {
	files, err := folder.Open(dir)
	if err != nil {
		return false
	}
	defer files.Close()
	entries, err := fs.ReadDir(files.Files(), ".")
	return err == nil && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		if entry.IsDir() || !IsFile(entry.Name()) {
			return false
		}
		text, err := files.Read(entry.Name(), maxBytes)
		return err == nil && HasProfile(text)
	})
}

// IsFile reports whether Terraform reads a file of this name as a part of its module.
func IsFile(name string) bool {
	return strings.HasSuffix(name, Extension) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "#")
}

// Open reads a module: a folder, or a file in it. A file with profiles stands for those; one
// without, for all of its folder.
func Open(path string, run *Run) (*Module, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	dir, chosen := path, ""
	if !info.IsDir() {
		dir, chosen = filepath.Dir(path), path
	}
	files, err := folder.Open(dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	entries, err := fs.ReadDir(files.Files(), ".")
	if err != nil {
		return nil, err
	}
	var texts, variables []text
	total := 0
	m := &Module{dir: dir, files: map[string]*source{}}
	for _, entry := range entries {
		name, into := entry.Name(), &texts
		switch {
		case entry.IsDir():
			continue
		case IsFile(name):
		case name == "terraform.tfvars" || strings.HasSuffix(name, ".auto.tfvars"):
			into = &variables
		case strings.HasSuffix(name, ".tf.json") || name == "terraform.tfvars.json" || strings.HasSuffix(name, ".auto.tfvars.json"):
			at := filepath.ToSlash(filepath.Join(dir, name))
			m.Notes = append(m.Notes, at+" is not read, because it is JSON: what it defines is unknown")
			if strings.HasSuffix(name, ".tfvars.json") {
				m.unread = at
			}
			continue
		default:
			continue
		}
		content, err := files.ReadText(name)
		at := filepath.ToSlash(filepath.Join(dir, name))
		if chosen != "" && filepath.Base(chosen) == name {
			at = filepath.ToSlash(chosen)
		}
		if err != nil {
			m.Faults = append(m.Faults, &Fault{Path: at, Text: folder.Reason(err)})
			if into == &variables {
				m.unread = at
			}
			continue
		}
		if total += len(content); total > maxModule || len(texts)+len(variables) >= maxFiles {
			return nil, fmt.Errorf("%s: a module can have at most %d files with %d bytes in total; name a part of them in a folder of its own", at, maxFiles, maxModule)
		}
		*into = append(*into, text{at, content})
	}
	m.load(texts, variables, run)
	if chosen != "" {
		m.chosen = filepath.ToSlash(chosen)
		if in := slices.DeleteFunc(slices.Clone(m.profiles), func(b *hclsyntax.Block) bool { return b.TypeRange.Filename != m.chosen }); len(in) > 0 {
			m.profiles = in
		}
	}
	return m, nil
}

// Fault returns the faults of the file that was opened by its name, one line each.
func (m *Module) Fault() error {
	if m.chosen == "" {
		return nil
	}
	return m.failed(m.chosen)
}

// failed joins the faults of a file; "" for all files.
func (m *Module) failed(path string) error {
	var all []error
	for _, fault := range m.Faults {
		if path == "" || fault.Path == path {
			all = append(all, fault)
		}
	}
	return errors.Join(all...)
}

// text is a file before it is parsed.
type text struct {
	path    string
	content []byte
}

// load parses the files of a module, and evaluates what is constant in them. The files are
// sorted by their names, as Terraform sorts them.
func (m *Module) load(texts, variables []text, run *Run) {
	var overrides []*hclsyntax.Body
	for _, one := range texts {
		body := m.parse(one)
		if body == nil {
			continue
		}
		if base := strings.TrimSuffix(filepath.Base(one.path), Extension); base == "override" || strings.HasSuffix(base, "_override") {
			overrides = append(overrides, body)
			continue
		}
		m.blocks = append(m.blocks, body.Blocks...)
	}
	for _, body := range overrides {
		m.override(body)
	}
	// terraform.tfvars comes first: the names of the others sort it anywhere.
	slices.SortStableFunc(variables, func(a, b text) int { return rank(a) - rank(b) })
	given := map[string]*hclsyntax.Attribute{}
	for _, one := range variables {
		body := m.parse(one)
		if body == nil {
			m.unread = one.path
			continue
		}
		for name, attribute := range body.Attributes {
			given[name] = attribute
		}
	}
	for _, block := range m.blocks {
		if block.Type == "resource" && len(block.Labels) == 2 && block.Labels[0] == resourceType {
			m.profiles = append(m.profiles, block)
		}
	}
	m.names = newEvaluation(m, run)
	m.names.define(given)
}

func rank(one text) int {
	if filepath.Base(one.path) == "terraform.tfvars" {
		return 0
	}
	return 1
}

// parse returns the body of a file; nil for one with faults, which it records.
func (m *Module) parse(one text) *hclsyntax.Body {
	if fault := limited(one.path, one.content, hclsyntax.LexConfig); fault != nil {
		m.Faults = append(m.Faults, fault)
		return nil
	}
	file, diags := hclsyntax.ParseConfig(one.content, one.path, hcl.InitialPos)
	if diags.HasErrors() {
		for i, d := range diags {
			if i == mostFaults {
				m.Faults = append(m.Faults, &Fault{Path: one.path, Text: fmt.Sprintf("and %d more", len(diags)-i)})
				break
			}
			m.Faults = append(m.Faults, &Fault{one.path, positionOf(*d.Subject), diag.OneLine(d.Summary + ": " + d.Detail)})
		}
		return nil
	}
	body := file.Body.(*hclsyntax.Body)
	m.files[one.path] = &source{path: one.path, text: string(one.content), body: body}
	return body
}

func positionOf(at hcl.Range) diag.Position {
	return diag.Position{Line: at.Start.Line, Column: at.Start.Column}
}

// override replaces the parts of blocks that a file override.tf or NAME_override.tf has, too.
func (m *Module) override(body *hclsyntax.Body) {
	for _, block := range body.Blocks {
		for _, original := range m.blocks {
			if original.Type != block.Type || !slices.Equal(original.Labels, block.Labels) {
				continue
			}
			for name, attribute := range block.Body.Attributes {
				if _, ok := original.Body.Attributes[name]; ok || block.Type != "locals" {
					original.Body.Attributes[name] = attribute
				}
			}
			if len(block.Body.Blocks) > 0 {
				isReplaced := func(b *hclsyntax.Block) bool {
					return slices.ContainsFunc(block.Body.Blocks, func(other *hclsyntax.Block) bool { return other.Type == b.Type })
				}
				original.Body.Blocks = append(slices.DeleteFunc(original.Body.Blocks, isReplaced), block.Body.Blocks...)
			}
		}
	}
}

// Labels are those of the resources that are profiles, in the order of the files.
func (m *Module) Labels() (labels []string) {
	for _, block := range m.profiles {
		labels = append(labels, block.Labels[1])
	}
	return labels
}

// Read reads a profile of the module. label is that of its resource, or "" for the only one.
func (m *Module) Read(label string) (*Profile, error) {
	labels := m.Labels()
	switch at := slices.Index(labels, label); {
	case m.names.beyond != nil:
		return nil, m.names.beyond
	case len(labels) == 0 && len(m.Faults) > 0:
		return nil, m.failed("")
	case len(labels) == 0:
		return nil, fmt.Errorf("%s has no resource %q", m.name(), resourceType)
	case label == "" && len(labels) > 1:
		return nil, fmt.Errorf("%s has %d profiles: %s; name one with --profile", m.name(), len(labels), diag.AllOf(labels))
	case label == "":
		return m.read(m.profiles[0])
	case at >= 0:
		return m.read(m.profiles[at])
	}
	f := diag.NotFound("profile", label, labels)
	return nil, fmt.Errorf("--profile: %s", f.Message())
}

// name is that of the only file of the module, else of its folder.
func (m *Module) name() string {
	if len(m.files) == 1 {
		for path := range m.files {
			return path
		}
	}
	return filepath.ToSlash(m.dir)
}
