package transfer

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/palette"
	"github.com/krm-packs/functions/pkg/packfn/internal/terraform"
)

// Take takes the Capact files and the bundles of OLM among paths. It returns the paths of cluster profiles, for
// [Options.ReadProfiles], and the others, which are pack directories. isRemote reports whether a path is no file, but a
// pack of a registry. note is called with messages for the user.
//
//	profile.json      a profile
//	profiles/*.tf     a profile
//	packs/vault       a pack directory
func (o *Options) Take(paths []string, scopes capact.Scopes, isRemote func(string) bool, note func(format string, args ...any)) (profiles, dirs []string, err error) {
	others, err := o.takeCapact(paths, scopes, isRemote, note)
	if err == nil {
		others, err = o.takeBundles(others)
	}
	if err != nil {
		return nil, nil, err
	}
	profiles, dirs = profilePaths(others, note)
	return profiles, dirs, nil
}

// takeCapact takes the Capact files among paths, and returns the other paths. A folder with
// Capact files may also contain pack directories.
func (o *Options) takeCapact(paths []string, scopes capact.Scopes, isRemote func(string) bool, note func(string, ...any)) (others []string, err error) {
	for _, path := range paths {
		if isRemote(path) {
			others = append(others, path)
			continue
		}
		found, err := capact.Find(path, scopes, note)
		if err != nil {
			return nil, err
		}
		var packs []string
		if len(found) > 0 && !isFile(path) {
			if packs, err = packdir.In(path); err != nil {
				return nil, err
			}
		}
		if o.Capact = append(o.Capact, found...); len(found) == 0 || len(packs) > 0 {
			others = append(others, path)
		}
	}
	return others, nil
}

// takeBundles takes the bundles of OLM among paths, and returns the others.
func (o *Options) takeBundles(paths []string) (others []string, err error) {
	for _, path := range paths {
		bundles, catalogs, err := bundlesAt(path)
		if err != nil {
			return nil, err
		}
		if len(bundles)+len(catalogs) == 0 {
			others = append(others, path)
		}
		o.Bundles, o.Catalogs = append(o.Bundles, bundles...), append(o.Catalogs, catalogs...)
	}
	return others, nil
}

// profilePaths returns the paths of cluster profiles, and the others. A folder with packs and
// Terraform stands for its packs.
func profilePaths(paths []string, note func(string, ...any)) (profiles, dirs []string) {
	for _, path := range paths {
		ext := filepath.Ext(path)
		isTerraform := !isFile(path) && !packdir.Is(path) && terraform.IsModule(path)
		if isTerraform {
			if packs, err := packdir.In(path); err == nil && len(packs) > 0 {
				note("%s also has Terraform, which is not imported: name its files *%s", path, terraform.Extension)
				isTerraform = false
			}
		}
		if isTerraform || isFile(path) && (ext == ".json" || ext == terraform.Extension) {
			profiles = append(profiles, path)
		} else {
			dirs = append(dirs, path)
		}
	}
	return profiles, dirs
}

// ReadProfiles reads cluster profiles, with the packs in Sources. label names the profile of a Terraform module, which
// the process evaluates. note is called with messages for the user.
func (o *Options) ReadProfiles(paths []string, label string, process *child.Process, note func(string, ...any)) error {
	var failures []error
	var notes []string
	run := &terraform.Run{Process: process, Pack: func(name, version string) (string, bool, error) {
		return ValuesOf(o.Sources, name, version)
	}}
	defer run.Close()
	for _, path := range paths {
		var profile *palette.Profile
		var err error
		if filepath.Ext(path) == ".json" {
			var text []byte
			if text, err = folder.ReadText(path); err == nil {
				profile, err = palette.Read(path, text)
			}
		} else {
			profile, err = readTerraform(path, label, run, &notes)
		}
		failures = append(failures, err)
		o.Profiles = append(o.Profiles, profile)
	}
	if err := errors.Join(failures...); err != nil {
		return err
	}
	for _, line := range notes {
		note("%s", line)
	}
	return nil
}

// readTerraform reads a profile of a Terraform module. Other files of the module than the named
// one can have faults.
func readTerraform(path, label string, run *terraform.Run, notes *[]string) (*palette.Profile, error) {
	module, err := terraform.Open(path, run)
	if err == nil {
		err = module.Fault()
	}
	if err != nil {
		return nil, err
	}
	read, err := module.Read(label)
	if err == nil {
		err = read.Nothing()
	}
	if err != nil {
		return nil, err
	}
	for _, fault := range module.Faults {
		*notes = append(*notes, fault.Error())
	}
	*notes = slices.Concat(*notes, module.Notes, read.Notes)
	return palette.New(read.Path, read.Document(), read)
}

// isFile reports whether a path exists and is not a folder.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}
