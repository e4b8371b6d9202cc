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

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/values"
)

// Extension is the extension of the files of a module.
const Extension = ".tf"

// ResourceType is the type of the resources that define profiles.
const ResourceType = "spectrocloud_cluster_profile"

// Fault is an error in a file of a module that Terraform rejects. The other files are still read.
type Fault struct {
	// Path is the path of the file.
	Path string
	// At is the position in the file.
	At diag.Position
	// Text is the message.
	Text string
}

// Error returns the fault with its place, such as `main.tf:3:5: …`.
func (f *Fault) Error() string {
	if f.At.Line == 0 {
		return f.Path + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.Path, f.At.Line, f.At.Column, f.Text)
}

// Module is a folder of Terraform files.
type Module struct {
	// Profiles are the profiles in the file that was opened by name, if it contains any, or else
	// in the folder, in the order of the files.
	Profiles []*Profile
	// Faults are about files that cannot be read, or about the module if it cannot be evaluated.
	Faults []*Fault
	// Notes are about files that Terraform reads but this package does not.
	Notes []string
	// dir is the folder, and chosen the file that was opened by its name.
	dir, chosen string
	// name is the only file, or the folder.
	name string
}

// profileResource matches the files that may have a profile.
var profileResource = regexp.MustCompile(`resource\s+"?` + ResourceType + `\b`)

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
		text, err := files.Read(entry.Name(), maxModule)
		return err == nil && HasProfile(text)
	})
}

// IsFile reports whether Terraform reads a file of this name as a part of its module.
func IsFile(name string) bool {
	return strings.HasSuffix(name, Extension) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "#")
}

// Open reads and evaluates a module: a folder, or a file in it. A file with profiles stands for
// those; one without, for all of its folder.
func Open(path string, run *Run) (*Module, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	m := &Module{dir: path}
	if !info.IsDir() {
		m.dir, m.chosen = filepath.Dir(path), filepath.ToSlash(path)
	}
	files, err := folder.Open(m.dir)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	job, err := m.job(files)
	if err != nil {
		return nil, err
	}
	result, err := run.evaluate(job, files)
	if fault, ok := errors.AsType[*Fault](err); ok {
		fault.Path, fault.At = placeOf(job)
		m.Faults = append(m.Faults, fault)
		return m, nil
	} else if err != nil {
		return nil, err
	}
	m.Faults, m.Profiles = append(m.Faults, result.Faults...), result.Profiles
	if in := slices.DeleteFunc(slices.Clone(m.Profiles), func(p *Profile) bool { return p.Path != m.chosen }); len(in) > 0 {
		m.Profiles = in
	}
	return m, nil
}

// job reads the files of the module. They are sorted by their names, as Terraform sorts them.
func (m *Module) job(files *folder.Folder) (*Job, error) {
	entries, err := fs.ReadDir(files.Files(), ".")
	if err != nil {
		return nil, err
	}
	job, total := &Job{Dir: m.dir}, 0
	for _, entry := range entries {
		name := entry.Name()
		isVariables := name == "terraform.tfvars" || strings.HasSuffix(name, ".auto.tfvars")
		isJSON := strings.HasSuffix(name, ".tf.json") || name == "terraform.tfvars.json" || strings.HasSuffix(name, ".auto.tfvars.json")
		if entry.IsDir() || !IsFile(name) && !isVariables && !isJSON {
			continue
		}
		at := filepath.ToSlash(filepath.Join(m.dir, name))
		if m.chosen != "" && filepath.Base(m.chosen) == name {
			at = m.chosen
		}
		var text []byte
		if isJSON {
			m.Notes = append(m.Notes, at+" is not read, because it is JSON: what it defines is unknown")
			isVariables = strings.HasSuffix(name, ".tfvars.json")
		} else if text, err = files.ReadText(name); err != nil {
			m.Faults = append(m.Faults, &Fault{Path: at, Text: folder.Reason(err)})
			job.IsPartial = true
		}
		switch {
		case isJSON || err != nil:
			if isVariables {
				job.Unread = at
			}
		case isVariables:
			job.Variables = append(job.Variables, File{at, string(text)})
		default:
			job.Files = append(job.Files, File{at, string(text)})
		}
		if total += len(text); total > maxModule || len(job.Files)+len(job.Variables) > maxFiles {
			return nil, fmt.Errorf("%s: a module can have at most %d files with %d bytes in total; name a part of them in a folder of its own", at, maxFiles, maxModule)
		}
	}
	// terraform.tfvars comes first: the names of the others sort it anywhere.
	slices.SortStableFunc(job.Variables, func(a, b File) int { return rank(a) - rank(b) })
	m.name = filepath.ToSlash(m.dir)
	if all := slices.Concat(job.Files, job.Variables); len(all) == 1 {
		m.name = all[0].Path
	}
	return job, nil
}

// rank orders files of values: terraform.tfvars is read first, so that others win.
func rank(f File) int {
	if filepath.Base(f.Path) == "terraform.tfvars" {
		return 0
	}
	return 1
}

// placeOf returns the place of the first profile, for a fault of the whole module.
func placeOf(job *Job) (path string, at diag.Position) {
	for _, f := range job.Files {
		if found := profileResource.FindStringIndex(f.Text); found != nil {
			return f.Path, values.NewLines(f.Text).Position(found[0])
		}
	}
	return filepath.ToSlash(job.Dir), at
}

// Fault returns the faults of the file that was opened by its name, one line each.
func (m *Module) Fault() error {
	if m.chosen == "" {
		return nil
	}
	return m.failed(m.chosen)
}

// failed joins the faults of a file, or of all files if path is "".
func (m *Module) failed(path string) error {
	var all []error
	for _, fault := range m.Faults {
		if path == "" || fault.Path == path {
			all = append(all, fault)
		}
	}
	return errors.Join(all...)
}

// Labels returns the labels of the resources that define profiles.
func (m *Module) Labels() (labels []string) {
	for _, p := range m.Profiles {
		labels = append(labels, p.Label)
	}
	return labels
}

// Read returns a profile of the module. label is the label of its resource, or "" for the only
// profile.
func (m *Module) Read(label string) (*Profile, error) {
	labels := m.Labels()
	switch at := slices.Index(labels, label); {
	case len(labels) == 0 && len(m.Faults) > 0:
		return nil, m.failed("")
	case len(labels) == 0:
		return nil, fmt.Errorf("%s has no resource %q", m.name, ResourceType)
	case label == "" && len(labels) > 1:
		return nil, fmt.Errorf("%s has %d profiles: %s; name one with --profile", m.name, len(labels), diag.AllOf(labels))
	case label == "":
		return m.Profiles[0], nil
	case at >= 0:
		return m.Profiles[at], nil
	}
	f := diag.NotFound("profile", label, labels)
	return nil, fmt.Errorf("--profile: %s", f.Message())
}
