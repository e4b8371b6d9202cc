package set

import (
	"iter"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/decode"
	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/values"
	"github.com/krm-packs/functions/pkg/variant"
)

// revisionFile contains the fields of a PackageRevision that sets read.
type revisionFile struct {
	_ struct{} `unknown:"slips"`
	// Spec has the package and the name of the revision. A draft has a workspaceName and no revision.
	Spec struct {
		_             struct{}         `unknown:"slips"`
		Repository    string           `json:"repository"`
		PackageName   string           `json:"packageName"`
		Revision      variant.Revision `json:"revision"`
		WorkspaceName string           `json:"workspaceName"`
	} `json:"spec"`
	// Status has the revision where older versions of Porch write it.
	Status struct {
		_        struct{}         `unknown:"slips"`
		Revision variant.Revision `json:"revision"`
	} `json:"status"`
}

// repositoryFile contains the fields of a Repository that packfn and Porch read.
type repositoryFile struct {
	// Spec has the git repository. packfn compares its fields with those in Kptfiles.
	Spec struct {
		Type string `json:"type" scalars:"string"`
		Git  struct {
			Repo      string `json:"repo" scalars:"string"`
			Branch    string `json:"branch" scalars:"string"`
			Directory string `json:"directory" scalars:"string"`
		} `json:"git"`
	} `json:"spec"`
}

// Ambiguous returns what an API server reads otherwise of a resource that sets read, see [variant.Ambiguous].
func Ambiguous(n *yaml.Node) iter.Seq[diag.Finding] {
	switch apiVersion, kind := values.Text(values.Field(n, "apiVersion")), values.Text(values.Field(n, "kind")); {
	case apiVersion == APIVersion && kind == Kind:
		return decode.Ambiguous(n, "", new(file))
	case kind == PackageRevisionKind:
		return decode.Ambiguous(n, "", new(revisionFile))
	case apiVersion == RepositoryAPIVersion && kind == RepositoryKind:
		return decode.Ambiguous(n, "", new(repositoryFile))
	}
	return variant.Ambiguous(n, "")
}

// reportAmbiguous reports what an API server reads otherwise of a resource. It has no positions, as the
// other findings: clients reprint resources.
func (p *processor) reportAmbiguous(origin *diag.Origin, all iter.Seq[diag.Finding]) {
	for f := range all {
		p.run.Report(f.In(origin, f.Key, diag.Position{}))
	}
}

// checkObject reports what an API server reads otherwise of an object that sets read. Of most objects, which are
// only selected, that is the metadata.
func (p *processor) checkObject(item *list.Item) {
	origin := diag.Whole(item.Resource())
	for f := range item.AmbiguousMetadata() {
		p.run.Report(f.From(origin)) // with its position, as the run reports it for objects of the suite's groups
	}
	if item.Is(RepositoryAPIVersion, RepositoryKind) && item.MayBeAmbiguous() {
		if document, err := item.Document(); err == nil {
			p.reportAmbiguous(origin, Ambiguous(document.Root()))
		}
	}
}
