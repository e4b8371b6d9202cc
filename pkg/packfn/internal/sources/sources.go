// Package sources finds packs by their names and versions in what users name as sources: folders with pack
// directories, and registries.
//
//	sources:
//	- ../packs                      # ../packs/vault-0.6.0
//	- oci://ghcr.io/example/packs   # oci://ghcr.io/example/packs/vault:0.6.0
package sources

import (
	"context"
	"errors"
	"fmt"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
)

// Sources are where packs are looked for.
type Sources struct {
	// Folders are paths, and Registries are references oci://HOST/BASE.
	Folders    []string
	Registries []registry.Reference
}

// Parse sorts paths and references to registries.
func Parse(texts []string) (*Sources, error) {
	s := &Sources{}
	for _, text := range texts {
		if !registry.Is(text) {
			s.Folders = append(s.Folders, text)
			continue
		}
		r, err := registry.Parse(text)
		if err != nil {
			return nil, err
		}
		s.Registries = append(s.Registries, r)
	}
	return s, nil
}

// IsEmpty reports whether there are no sources.
func (s *Sources) IsEmpty() bool { return len(s.Folders)+len(s.Registries) == 0 }

// Open finds the packs in sources. Packs in registries are pulled when they are requested. If a pack cannot be
// pulled, it is treated as missing, and note is called with the reason.
func (s *Sources) Open(ctx context.Context, note func(format string, args ...any)) (*packdir.Sources, error) {
	opened, err := packdir.OpenSources(s.Folders)
	if err != nil || len(s.Registries) == 0 {
		return opened, err
	}
	client, err := registry.NewClient()
	opened.Archive = func(name, version string) string {
		var failures []error
		for _, base := range s.Registries {
			r := base.Below(name, version)
			archive, ok := client.Cached(r)
			if ok {
				return archive
			}
			archive, err := client.Pull(ctx, r)
			if err == nil {
				return archive
			}
			failures = append(failures, err)
		}
		for _, err := range failures {
			note("%s", err)
		}
		return ""
	}
	return opened, err
}

// Cached returns what finds archives of the registries that were pulled before. It opens no
// connection.
func (s *Sources) Cached() (func(name, version string) string, error) {
	client, err := registry.NewClient()
	if err != nil {
		return nil, err
	}
	known := map[string]string{}
	return func(name, version string) string {
		archive, isKnown := known[name+":"+version]
		if isKnown || version == "" {
			return archive
		}
		for _, base := range s.Registries {
			if found, ok := client.Cached(base.Below(name, version)); ok {
				archive = found
				break
			}
		}
		known[name+":"+version] = archive
		return archive
	}, nil
}

// Newest returns the newest version of a pack that a tag such as 1.33.x allows: its directory,
// or its archive, which is pulled.
func (s *Sources) Newest(ctx context.Context, name, tag string) (string, error) {
	local, err := packdir.OpenSources(s.Folders)
	if err != nil {
		return "", err
	}
	client, err := registry.NewClient()
	if err != nil {
		return "", err
	}
	versions, remote, failures := s.Versions(ctx, local, client, name)
	version := packdir.Newest(tag, versions)
	switch {
	case len(versions) == 0 && len(failures) > 0:
		return "", errors.Join(failures...)
	case len(versions) == 0:
		return "", fmt.Errorf("no source has a pack of the name %s; with --version, name packs of the package, and their sources by --source", name)
	case version == "":
		return "", fmt.Errorf("--version: no version of %s is %s; the sources have %s", name, tag, diag.Names(tag, versions))
	}
	if dir, _ := local.Find(name, version, ""); dir != "" {
		return dir, nil
	}
	return client.Pull(ctx, remote[version])
}

// Versions returns the versions of a pack, and the references of versions in registries. It
// queries all registries.
func (s *Sources) Versions(ctx context.Context, local *packdir.Sources, client *registry.Client, name string) (versions []string, remote map[string]registry.Reference, failures []error) {
	versions, remote = local.Versions(name), map[string]registry.Reference{}
	for _, base := range s.Registries {
		there, err := client.Versions(ctx, base.Below(name, ""))
		if err != nil {
			failures = append(failures, err)
		}
		for _, version := range there {
			if _, ok := remote[version]; !ok {
				remote[version] = base.Below(name, version)
			}
		}
		versions = append(versions, there...)
	}
	return versions, remote, failures
}
