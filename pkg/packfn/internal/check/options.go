package check

import (
	"path/filepath"
	"slices"

	"github.com/krm-packs/functions/pkg/function"
	"github.com/krm-packs/functions/pkg/packfn/internal/capact"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/child"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/program"
	"github.com/krm-packs/functions/pkg/packfn/internal/ruleset"
)

// Options configure a check.
type Options struct {
	// Functions are the functions of the suite.
	Functions []function.Function
	ruleset.Rules
	Library
	Files
	// Packs are the names of the packs to check; an empty list means all packs.
	Packs []string
	// Scopes are the scopes of Capact policies in files that are not resources.
	Scopes capact.Scopes
	// AsDeployed checks pack directories like packs of a package. Otherwise, missing things that
	// a published pack cannot contain are infos: other packs, machine pools, values to fill in.
	AsDeployed bool
	// Rendered checks packages after their mutators have changed them, in memory. Programs are programs for functions
	// of other suites, which run with the mutators if the user allows it. If it is nil, none runs.
	Rendered bool
	Programs *program.Set
	// Cluster contains facts about the cluster from the user, which replace the ClusterContexts
	// of packages.
	Cluster deploy.Cluster
	// Template renders the charts of packs. If it is nil, no chart is rendered.
	Template *deploy.Deployer
	// Evaluator is the process that evaluates Terraform. If it is nil, this program is started
	// for it. It is closed at the end of a run.
	Evaluator *child.Process
	// Root is the folder that paths are relative to; see [report.Root].
	Root string
	// Released, if set, is called with each release that is checked.
	Released func(*Released)
	// Facts keeps what charts read from one run to the next. It may be nil.
	Facts *chart.Store
	// Shared keeps what former runs read of charts and sources. It may be nil.
	Shared *Shared
	// Progress, if set, is called with the number of finished units and their total number.
	Progress func(done, total int)
}

// Library is where packs, charts and bundles are found that are not checked themselves.
type Library struct {
	// Charts are pack directories with the charts of packs in packages.
	Charts []string
	// Catalogs are files and folders with bundles that could be installed, in addition to the
	// checked paths. They can satisfy requirements, and advice names them.
	Catalogs []string
	// Sources are folders with pack directories. They provide the packs of profiles, and charts
	// like the folders of Charts.
	Sources []string
	// Archive returns the path of a locally available archive of a pack from Registries, or "" if
	// there is none. It is used like Sources.
	Archive    func(name, version string) string
	Registries []string
}

// Files say which files below the paths are read, and what is read in their place.
type Files struct {
	// Stdin is the text of standard input, which the path - stands for.
	Stdin []byte
	// Replace maps paths on disk to texts that are read instead of the files.
	Replace map[string][]byte
	// Excluded reports whether a file or folder below the paths is skipped. It is not called for
	// files of packages, because kpt reads them.
	Excluded func(name string, isDir bool) bool
	// Unused are files with almost the name of the configuration of packfn, which is not read from them.
	Unused []string
	// Verbose lists the files that are not checked. Otherwise they are counted.
	Verbose bool
}

// checking returns the functions that only check, in the order in which they run.
func (o *Options) checking() []function.Function {
	return slices.DeleteFunc(slices.Clone(o.Functions), func(f function.Function) bool { return !f.Checks })
}

// Names returns the names of the functions of a suite that only check.
func Names(functions []function.Function) (names []string) {
	for _, f := range (&Options{Functions: functions}).checking() {
		names = append(names, f.Name)
	}
	return names
}

// Display returns a path as reports show it.
func (o *Options) Display(path string) string {
	if path == StandardName {
		return path
	}
	if absolute, err := filepath.Abs(path); err == nil && o.Root != "" {
		if relative, err := filepath.Rel(o.Root, absolute); err == nil {
			path = relative
		}
	}
	return filepath.ToSlash(path)
}
