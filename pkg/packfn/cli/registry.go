package cli

import (
	"context"
	"slices"

	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
)

// pulled returns paths, with references to registries replaced by the paths of pulled archives.
func (c *commands) pulled(ctx context.Context, paths []string) ([]string, error) {
	paths = slices.Clone(paths)
	for i, path := range paths {
		if !registry.Is(path) {
			continue
		}
		r, err := registry.Parse(path)
		if err != nil {
			return nil, err
		}
		client, err := registry.NewClient()
		if err != nil {
			return nil, err
		}
		if paths[i], err = client.Pull(ctx, r); err != nil {
			return nil, err
		}
		c.note("%s is %s", path, paths[i])
	}
	return paths, nil
}

// printRegistry lists the versions of packs in a registry: of the pack that a reference names,
// else of all packs below it.
func (c *commands) printRegistry(ctx context.Context, text string) error {
	base, err := registry.Parse(text)
	if err != nil {
		return err
	}
	client, err := registry.NewClient()
	if err != nil {
		return err
	}
	var rows [][]string
	add := func(name string, r registry.Reference) error {
		versions, err := client.Versions(ctx, r)
		for _, version := range versions {
			rows = append(rows, []string{name, version})
		}
		return err
	}
	if noPack := add(base.Name(), base); noPack != nil {
		names, err := client.Packs(ctx, base)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := add(name, base.Below(name, "")); err != nil {
				return err
			}
		}
		if rows == nil {
			return noPack
		}
	}
	c.table([]string{"PACK", "VERSION"}, rows)
	return nil
}
