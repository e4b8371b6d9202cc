package fleet

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/krm-packs/functions/pkg/internal/folder"
	"github.com/krm-packs/functions/pkg/internal/nearest"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/packfn/internal/fleet/preview"
	"github.com/krm-packs/functions/pkg/packfn/internal/kptpackage"
	"github.com/krm-packs/functions/pkg/packfn/internal/porch"
	"github.com/krm-packs/functions/pkg/packfn/internal/workspace"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// Downstream is a folder with packages that already exist.
type Downstream struct {
	// Repo is the name of the repository that the folder contains. It is "" if the folder has a
	// subfolder for each repository, as --to writes it.
	Repo string
	// Dir is the path of the folder.
	Dir string
}

// ParseDownstream parses the value of --downstream: REPO=DIR for the folder of one repository, or
// DIR for a folder with a subfolder for each repository.
//
//	edge-1=../edge-1
//	../deployments
func ParseDownstream(text string) (Downstream, error) {
	repo, dir, ok := strings.Cut(text, "=")
	if !ok {
		repo, dir = "", text
	}
	if info, err := os.Stat(dir); ok && repo == "" || err != nil || !info.IsDir() {
		return Downstream{}, fmt.Errorf("must be REPO=DIR with the folder of a repository, or DIR with a folder for each repository, got %q", text)
	}
	return Downstream{repo, dir}, nil
}

// existing is a downstream package that exists before the preview.
type existing struct {
	// dir is the folder of the package.
	dir string
	// ref is the git ref in the upstreamLock of its Kptfile, such as `platform/v3`, or "" if it
	// has none.
	ref string
	// old is the upstream that the package was cloned from, or nil if the options do not name it.
	old *upstream
}

// revision returns the last element of the ref.
func (e *existing) revision() string { return path.Base(e.ref) }

// findDownstreams finds the existing package of each variant. It returns an error if an option is
// invalid.
func (in *input) findDownstreams(o *Options) error {
	if len(o.Downstreams) == 0 {
		return nil
	}
	if o.Like != Porch {
		return fmt.Errorf("--downstream: only Porch upgrades packages. Add --like %s", Porch)
	}
	used := make([]bool, len(o.Downstreams))
	var repos []string
	for _, v := range in.variants {
		if v.fault != "" {
			continue
		}
		repos = append(repos, v.Spec.Downstream.Repo)
		for i, given := range o.Downstreams {
			dir := given.Dir
			switch given.Repo {
			case "":
				dir = filepath.Join(dir, filepath.FromSlash(v.Spec.Downstream.Repo))
			case v.Spec.Downstream.Repo:
				used[i] = true
			default:
				continue
			}
			found, err := findPackage(dir, v.Spec.Downstream.Package)
			if err != nil {
				return err
			}
			if found != nil {
				used[i], v.existing = true, found
				break
			}
		}
	}
	for i, given := range o.Downstreams {
		if !used[i] {
			what := given.Dir
			if given.Repo != "" {
				what = given.Repo + "=" + given.Dir
			}
			in.inform(rule.ConfigNoEffect, "--downstream %s: no PackageVariant makes a package there%s", what, nearest.Hint(given.Repo, repos))
		}
	}
	return nil
}

// findPackage returns a package in the folder of a repository, or nil if it does not exist.
func findPackage(dir, name string) (*existing, error) {
	at := filepath.Join(dir, filepath.FromSlash(name))
	info, err := os.Stat(at)
	switch {
	case err != nil && kptpackage.IsPackage(dir):
		return nil, fmt.Errorf("--downstream: %s is a package. Give the folder of the repository, which has the package in %s", dir, name)
	case err != nil:
		return nil, nil
	case !info.IsDir() || !kptpackage.IsPackage(at):
		return nil, fmt.Errorf("--downstream: %s is not a package: it has no Kptfile", at)
	}
	text, err := folder.ReadText(filepath.Join(at, kptpackage.KptfileName))
	if err != nil {
		return nil, fmt.Errorf("--downstream: %w", err)
	}
	document, err := values.Parse(string(text))
	if err != nil {
		return nil, fmt.Errorf("--downstream: %s: %w", filepath.Join(at, kptpackage.KptfileName), err)
	}
	return &existing{dir: at, ref: values.Text(values.Field(document.Root(), "upstreamLock", "git", "ref"))}, nil
}

// isUpToDate reports whether Porch keeps the upstream of a package, because the package is locked
// to the revision of the PackageVariant, or has no lock.
func (in *input) isUpToDate(v *packageVariant) bool {
	return v.existing.ref == "" || !strings.HasPrefix(v.existing.ref, "drafts") && revisionNumber(v.existing.revision()) == in.upstreamRevision(v)
}

// unnumbered is the revision that Porch gives to branches, and to names that are not revisions.
const unnumbered = -1

// revisionNumber reads a revision as Porch does: v3 is 3.
func revisionNumber(text string) int {
	if number, err := strconv.Atoi(strings.TrimPrefix(text, "v")); err == nil {
		return number
	}
	return unnumbered
}

// unknownRevision is the revision of a workspace whose PackageRevision is not given.
const unknownRevision = -2

// upstreamRevision returns the revision of the upstream that a PackageVariant requests: the
// revision of the PackageRevision with the same workspace, or else the number in the workspace's
// name.
func (in *input) upstreamRevision(v *packageVariant) int {
	name := v.revision()
	for _, r := range in.revisions[variant.NamespaceOr(v.Namespace)+"/"+v.Spec.Upstream.Repo+"/"+v.Spec.Upstream.Package] {
		if r.workspace == name {
			return r.revision
		}
	}
	if number := revisionNumber(name); number != unnumbered || name == mainWorkspace {
		return number
	}
	return unknownRevision
}

// packageRevision holds the fields of a PackageRevision that a preview uses.
//
//	spec:
//	  packageName: platform
//	  workspaceName: v3
//	  lifecycle: Draft
type packageRevision struct {
	// name is the name of the PackageRevision, and workspace its spec.workspaceName.
	name, workspace string
	// revision is the number of spec.revision, or unnumbered if there is none.
	revision int
	// isDraft is true for the lifecycles Draft and Proposed.
	isDraft bool
	// ref is the git ref that it is locked to (status.upstreamLock).
	ref string
}

// readRevisions reads the PackageRevisions among items.
func (in *input) readRevisions(items []*list.Item) {
	in.revisions = map[string][]packageRevision{}
	for _, item := range items {
		if item.Kind() != "PackageRevision" || !strings.HasPrefix(item.APIVersion(), "porch.kpt.dev/") {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue // expand-variant-set reports it
		}
		text := func(path ...string) string { return values.Text(values.Field(document.Root(), path...)) }
		at := strings.Join([]string{variant.NamespaceOr(item.Namespace()), text("spec", "repository"), text("spec", "packageName")}, "/")
		lifecycle := text("spec", "lifecycle")
		in.revisions[at] = append(in.revisions[at], packageRevision{
			name: item.Name(), workspace: text("spec", "workspaceName"), revision: revisionNumber(text("spec", "revision")),
			isDraft: lifecycle == "Draft" || lifecycle == "Proposed", ref: text("status", "upstreamLock", "git", "ref"),
		})
	}
}

// openDraft returns the name of a draft of the package that was made from another upstream
// revision, and therefore blocks an upgrade. It returns "" if there is none.
func (in *input) openDraft(v *packageVariant) string {
	for _, r := range in.revisions[variant.NamespaceOr(v.Namespace)+"/"+v.Spec.Downstream.Repo+"/"+v.Spec.Downstream.Package] {
		if r.isDraft && r.ref != "" && revisionNumber(path.Base(r.ref)) != in.upstreamRevision(v) {
			return r.name
		}
	}
	return ""
}

// findOld finds, among the given upstreams, the upstream that the existing package was cloned
// from.
func (in *input) findOld(v *packageVariant) {
	for _, u := range in.upstreams {
		isBranch := revisionNumber(v.existing.revision()) == unnumbered
		isSame := u.Repo == v.Spec.Upstream.Repo && u.Package == v.Spec.Upstream.Package
		switch {
		case isSame && isRevision(u.Revision, v.existing.revision()),
			isBranch && u.Revision == "" && (isSame || u.Repo == "" && v.existing.old == nil):
			v.existing.old = u
		}
	}
}

// upgraded returns an existing package, upgraded to u if necessary, before Porch applies the
// changes of the PackageVariant.
func (w *work) upgraded(v *packageVariant, u *upstream) (*start, error) {
	p, err := workspace.Read(v.existing.dir)
	if err != nil {
		return nil, fmt.Errorf("--downstream: %w", err)
	}
	tree, err := workspace.Load(p)
	if err != nil {
		return nil, fmt.Errorf("--downstream: %w", err)
	}
	var others []workspace.File
	if w.options.KeepFiles {
		if others, err = otherFiles(v.existing.dir, p.Files); err != nil {
			return nil, err
		}
	}
	if w.input.isUpToDate(v) {
		s, err := w.rendered(tree, preview.Refused)
		if err != nil {
			return nil, err
		}
		s.files, s.others = tree, others
		return s, nil
	}
	name := v.Spec.Upstream.Repo + "/" + v.Spec.Upstream.Package
	old := v.existing.old
	if old == nil {
		at := name + "@" + v.existing.revision()
		return nil, fmt.Errorf("no --upstream for %s, which the packages that exist were made of. Give --upstream %s=DIR for the merge", at, at)
	}
	if old.fault != nil {
		return nil, old.fault
	}
	git := w.git(v)
	git.Commit = u.commit
	merged, err := porch.Upgrade{Old: old.tree, New: u.tree, Upstream: git}.Apply(tree)
	if err != nil {
		return &start{files: tree, outcome: preview.RefusedAtUpgrade, reason: err.Error()}, nil
	}
	s, err := w.rendered(merged, preview.RefusedAtUpgrade)
	if err != nil {
		return nil, err
	}
	s.files, s.others = tree, mergedFiles(old.others, u.others, others)
	return s, nil
}

// mergedFiles merges the files that contain no resources.
func mergedFiles(old, updated, local []workspace.File) []workspace.File {
	texts := func(files []workspace.File) map[string]string {
		all := map[string]string{}
		for _, file := range files {
			all[file.Path] = string(file.Text)
		}
		return all
	}
	var files []workspace.File
	for name, text := range porch.MergeFiles(texts(old), texts(updated), texts(local)) {
		files = append(files, workspace.File{Path: name, Text: []byte(text)})
	}
	slices.SortFunc(files, func(a, b workspace.File) int { return strings.Compare(a.Path, b.Path) })
	return files
}
