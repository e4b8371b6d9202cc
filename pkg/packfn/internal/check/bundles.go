package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/krm-packs/functions/pkg/constraint"
	"github.com/krm-packs/functions/pkg/dependency"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/olm"
	"github.com/krm-packs/functions/pkg/packfn/internal/pipeline"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
)

// candidates are the bundles outside of packages, from bundle directories, catalogs and files
// with resources. A cluster installs only some of them, so a bundle that another one requires
// only has to be available.
type candidates struct {
	*checker
	// items are the bundles, and the resources that may restrict them.
	items []*list.Item
	// count is the number of bundles that are not in catalogs.
	count int
	// units maps the display path of a file to its unit, and to its name in that unit.
	units map[string]placedFile
	// ofPacks are the resources that belong to packs, which are checked with their sets instead.
	ofPacks map[diag.Resource]bool
	// offered are the files of --catalog, whose bundles are not checked.
	offered map[string]bool
	// catalogs are the catalogs, which are read document by document.
	catalogs []*olm.CatalogFile
}

// placedFile is a file with the unit that it belongs to.
type placedFile struct {
	// unit has the file under this name.
	unit *unit
	name string
	// bundle is the bundle directory that contains the file, or nil if it is not in one.
	bundle *olm.Bundle
}

// isRepository reports whether a unit contains files outside of packages, whose bundles are
// candidates.
func (u *unit) isRepository() bool { return u.loose && u.profile == nil }

// withBundles changes a run of check-dependencies so that bundles which are candidates are not
// checked. They are still in the set, including bundles of other folders, because they may
// satisfy requirements of packs. The returned function reports whether a finding belongs to the
// check of the candidates instead.
func (c *checker) withBundles(u *unit, r *run) (isElsewhere func(*diag.Finding) bool) {
	isElsewhere = func(*diag.Finding) bool { return false }
	if r.Function.Name != rule.CheckDependencies {
		return isElsewhere
	}
	with := dependency.With{Offers: c.offers()}
	hasBundles := slices.ContainsFunc(r.items, dependency.IsBundle)
	switch hasPacks := slices.ContainsFunc(r.items, pack.Wants); {
	case !u.isRepository():
	case hasBundles && !hasPacks:
		r.items = nil
		return isElsewhere
	case hasBundles, hasPacks && c.bundles.count > 0 && slices.ContainsFunc(r.items, requiresOfOLM):
		with.OnlyPacks = true
		others := map[diag.Resource]bool{}
		for _, one := range r.items {
			if !pack.Wants(one) && (dependency.IsBundle(one) || dependency.IsCluster(one)) {
				others[one.Resource()] = true
			}
		}
		for _, one := range c.bundles.items {
			if dependency.IsBundle(one) && c.bundles.units[one.Resource().File].unit != u {
				others[one.Resource()] = true
				r.items = append(r.items, one.Next())
			}
		}
		isElsewhere = func(f *diag.Finding) bool { return others[f.Resource()] || f.Rule == rule.ProviderDuplicate }
	}
	r.Function = dependency.FunctionWith(with)
	return isElsewhere
}

// requiresOfOLM reports whether a pack may require a bundle.
func requiresOfOLM(item *list.Item) bool { return pack.Wants(item) && item.Mentions("olm.") }

// offers returns the bundles of --catalog, which advice can name.
func (c *checker) offers() []dependency.Offer {
	if c.areOffersRead {
		return c.offered
	}
	c.areOffersRead = true
	for _, name := range c.ofCatalogs.Catalogs {
		catalog := &olm.Catalog{Path: name}
		in, err := catalog.Open()
		if err != nil {
			continue // the check of the candidates says it, as the faults of documents
		}
		offers, _ := dependency.ReadOffers(in, catalog.Reread)
		in.Close()
		c.offered = append(c.offered, offers...)
	}
	return c.offered
}

// openCatalogs finds the bundles and catalogs in the paths of --catalog.
func (c *checker) openCatalogs() error {
	for _, name := range c.Catalogs {
		found, err := olm.Find(name)
		if err != nil {
			return err
		}
		if found.IsEmpty() {
			return noBundles(name)
		}
		c.ofCatalogs.Add(found)
		c.skipIgnored(found)
	}
	return nil
}

// skipIgnored records the files that .indexignore excludes from catalogs.
func (c *checker) skipIgnored(found *olm.Found) {
	for _, name := range found.Ignored {
		c.Skipped = append(c.Skipped, discovery.Skipped{Path: name, Why: discovery.IgnoredByOPM})
	}
	for _, note := range found.Notes {
		c.notRead("", diag.Say("%s", note))
	}
}

func noBundles(name string) error {
	return fmt.Errorf("%s has no bundle of OLM. A catalog is a file with documents of the schema olm.bundle, or a folder with such files, bundle directories or ClusterServiceVersions", name)
}

// hiddenBundles adds the bundle directories and catalogs that .krmignore hides from kpt.
func (c *checker) hiddenBundles(name string) error {
	found, err := olm.Find(name)
	if err == nil {
		found.Manifests = nil
		c.OLM.Add(found)
		c.skipIgnored(found)
	}
	return err
}

// findBundles collects the bundles outside of packages.
func (c *checker) findBundles(units []*unit) {
	b := &candidates{checker: c, units: map[string]placedFile{}, ofPacks: map[diag.Resource]bool{}, offered: map[string]bool{}}
	c.bundles = b
	for _, dir := range c.OLM.Bundles {
		b.bundle(dir, false)
	}
	for _, name := range c.OLM.Catalogs {
		b.catalog(name)
	}
	b.loose(units)
}

// catalog adds a catalog.
func (b *candidates) catalog(name string) *olm.CatalogFile {
	f := &olm.CatalogFile{Catalog: olm.Catalog{Path: name, Text: b.Replace[name]}, Shown: b.Display(name)}
	b.catalogs = append(b.catalogs, f)
	return f
}

// checkBundles checks the bundles outside of packages.
func (c *checker) checkBundles() {
	b := c.bundles
	if b.count+len(b.catalogs) == 0 {
		return
	}
	for _, dir := range c.ofCatalogs.Bundles {
		b.bundle(dir, true)
	}
	for _, name := range c.ofCatalogs.Manifests {
		b.manifest(name)
	}
	for _, name := range c.ofCatalogs.Catalogs {
		b.offered[b.catalog(name).Shown] = true
	}
	b.run()
}

// bundle adds a bundle directory.
func (b *candidates) bundle(dir string, isOffered bool) {
	read := olm.ReadBundle(dir, b.Replace)
	if !isOffered {
		for _, err := range read.Faults {
			b.fault(dir, err)
		}
	}
	shown := b.Display(dir)
	items, err := read.Items(shown)
	if err != nil {
		b.fault(dir, err)
		return
	}
	p := workspace.Outside(dir, nil, nil)
	for _, f := range read.Files {
		p.Files = append(p.Files, &kptpackage.File{Path: f.Path, Package: ".", Text: f.Text})
		if strings.HasPrefix(f.Path, olm.Metadata+"/") {
			p.AddText(f.Path, f.Text)
		}
	}
	u := b.unitIn(p)
	u.loose = true
	b.count++
	for _, one := range items {
		file := one.Resource().File
		b.units[file] = placedFile{u, strings.TrimPrefix(strings.TrimPrefix(file, shown), "/"), read}
		b.offered[file] = isOffered
		b.items = append(b.items, one)
		if !isOffered && one.Resource().Kind != "ConfigMap" {
			b.report.Cases = append(b.report.Cases, report.Case{Function: rule.CheckDependencies, File: file, Resource: *report.ResourceOf(one.Resource())})
		}
	}
}

// manifest adds the ClusterServiceVersions in a file of --catalog.
func (b *candidates) manifest(name string) {
	text, err := b.ReadText(name)
	if err != nil {
		b.fault(name, err)
		return
	}
	shown := b.Display(name)
	u := b.unitIn(workspace.Outside(".", []*kptpackage.File{{Path: filepath.ToSlash(name), Package: ".", Text: text}}, nil))
	u.loose = true
	b.units[shown], b.offered[shown] = placedFile{unit: u, name: filepath.ToSlash(name)}, true
	for _, one := range list.Flat(text, shown, nil) {
		if dependency.IsBundle(one) {
			b.items = append(b.items, one)
		}
	}
}

// loose adds the bundles among the resources of files, with the resources that they may require
// or that restrict them.
func (b *candidates) loose(units []*unit) {
	type key struct {
		file  string
		index int
	}
	seen := map[key]bool{}
	var clusters []*list.Item
	for _, u := range units {
		if !u.isRepository() {
			continue
		}
		for _, one := range u.Items() {
			if !dependency.IsBundle(one) && !dependency.IsCluster(one) && !pack.Wants(one) && !one.Is(function.ConfigGroupVersion, "CheckDependencies") {
				continue
			}
			file, index := b.Display(u.OnDisk(one.Resource().File)), one.Resource().Index
			if seen[key{file, index}] {
				continue
			}
			seen[key{file, index}] = true
			b.units[file] = placedFile{unit: u, name: one.Resource().File}
			moved := one.Moved(file, index, nil)
			switch {
			case pack.Wants(moved):
				b.ofPacks[moved.Resource()] = true
			case dependency.IsBundle(moved):
				b.count++
			case pack.IsCluster(moved):
				clusters = append(clusters, moved)
				continue
			}
			b.items = append(b.items, moved)
		}
	}
	if len(clusters) == 1 { // several are for other clusters, and a bundle fits one of them
		b.items = append(b.items, clusters...)
	}
}

// catalogDoor is the advice for a bundle that is not among the files.
const catalogDoor = "name the catalog that has it with --catalog"

// run checks the candidates together.
func (b *candidates) run() {
	with := dependency.With{Candidates: &dependency.Candidates{Catalogs: olm.Documents(b.catalogs, b.fault), IsOffered: func(r diag.Resource) bool { return b.offered[r.File] }}}
	with.Candidates.Defined = func(r diag.Resource) []constraint.GVK {
		if bundle := b.units[r.File].bundle; bundle != nil {
			return bundle.Defined
		}
		return nil
	}
	with.Candidates.Candidates = constraint.Candidates{Door: catalogDoor}
	if with.Candidates.Elsewhere = diag.Info; len(b.Catalogs) > 0 || b.AsDeployed {
		with.Candidates.Elsewhere = diag.Error
	}
	r := &run{Step: pipeline.Step{Function: dependency.FunctionWith(with)}, items: b.items}
	b.takeConfig(&unit{Package: workspace.Outside(".", nil, nil), loose: true, found: true}, r)
	b.switchOn(r.Function, r.Config)
	outcome, _ := pipeline.Run(r.Function, r.Config, b.withCluster(r))
	b.countBundles(outcome.Wanted, with.Candidates.Read)
	found := outcome.All()
	for i := range found {
		f := &found[i]
		if b.ofPacks[f.Resource()] {
			continue
		}
		b.place(r, f)
	}
}

// place adds a finding with its location.
func (b *candidates) place(r *run, f *diag.Finding) {
	resource := f.Resource()
	if at, ok := b.units[cmp.Or(resource.File, r.ConfigFile)]; ok {
		moved, origin := *f, diag.Origin{}
		if f.Origin != nil {
			origin = *f.Origin
			moved.Origin = &origin
		}
		origin.Resource.File = at.name
		step := r.Step
		if r.ConfigFile != "" {
			step.ConfigFile = b.units[r.ConfigFile].name
		}
		if resource.Kind == "ConfigMap" && at.bundle != nil && at.bundle.Origin(origin.Field) != "" {
			origin.Resource.File = at.bundle.Origin(origin.Field)
		}
		if resource.File == "" {
			origin.Resource.File = ""
		}
		b.add(b.finding(at.unit, new(at.unit.Run(step, function.Outcome{})), &moved))
		return
	}
	for _, file := range b.catalogs {
		if file.Shown == resource.File {
			out := report.Of(r.Function.Name, f)
			out.Path, out.File, out.Line, out.Column = file.Path, file.Shown, f.Position.Line, f.Position.Column
			if line := file.Line(resource.Index); out.Line == 0 && line > 0 {
				out.Line, out.Column = line, 1
			}
			b.add(out)
			return
		}
	}
	b.add(report.Of(r.Function.Name, f))
}
