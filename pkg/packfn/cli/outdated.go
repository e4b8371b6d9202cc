package cli

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/check"
	"github.com/krm-packs/functions/pkg/packfn/internal/config"
	"github.com/krm-packs/functions/pkg/packfn/internal/inventory"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/registry"
)

// listOutdated lists the packs of which the sources have newer versions. It pulls nothing.
func (c *commands) listOutdated(command *cobra.Command, paths, given []string) error {
	found, err := c.configuredSources(command, given)
	if err != nil {
		return err
	}
	if found.IsEmpty() {
		return errors.New("--outdated needs sources of packs: name them by --source, or by sources in " + config.Name)
	}
	local, err := packdir.OpenSources(found.Folders)
	if err != nil {
		return err
	}
	client, err := registry.NewClient()
	if err != nil {
		return err
	}
	if local.Archive, err = found.Cached(); err != nil {
		return err
	}
	packs, options, err := c.packs(paths)
	if err != nil {
		return err
	}
	releases := map[string][]inventory.Release{}
	var rows [][]string
	for i := range packs {
		p := &packs[i]
		if _, isKnown := releases[p.Name]; !isKnown {
			versions, _, failures := found.Versions(command.Context(), local, client, p.Name)
			releases[p.Name] = []inventory.Release{}
			for _, version := range versions {
				releases[p.Name] = append(releases[p.Name], inventory.Release{Version: version, Metadata: func() []byte { return metadataOf(local, p.Name, version) }})
			}
			for _, failure := range failures {
				c.note("%v", failure)
			}
			if len(versions) == 0 {
				c.note("%s: no source has a pack of this name", p.Name)
			}
		}
		beside, at := besidesOf(packs, i)
		newer := inventory.NewNeighbours(beside, p.Kubernetes()).Newer(at, releases[p.Name])
		if newer.Newest != "" {
			rows = append(rows, []string{p.Name, p.Version, cell(newer.Allowed), newer.Newest, cell(strings.Join(newer.HeldBy, ", ")), p.Place(options, p.Metadata.Origin, "", diag.Position{})})
		}
	}
	if rows == nil {
		c.note("no source has a newer version of a pack")
		return nil
	}
	c.table([]string{"PACK", "VERSION", "ALLOWED", "NEWEST", "HELD BACK BY", "FILE"}, rows)
	return nil
}

// besidesOf returns the packs of the package of one of them, and the index of that one.
func besidesOf(packs []check.Pack, i int) (beside []*pack.Pack, at int) {
	for j := range packs {
		if packs[j].IsBeside(&packs[i]) {
			beside = append(beside, packs[j].Pack)
		}
	}
	return beside, slices.Index(beside, packs[i].Pack)
}

// metadataOf returns the pack.json of a version of a pack, or nil if the version is not on disk.
func metadataOf(local *packdir.Sources, name, version string) []byte {
	for dir := range local.All(name, version) {
		if p, err := packdir.Read(dir); err == nil {
			return p.File(packdir.Metadata)
		}
	}
	return nil
}
