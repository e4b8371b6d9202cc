// Package engine renders charts with Helm's engine: the side of [helm.Renderer] that links
// Helm.
//
// The result of a chart must be the same at every run. So the clock stands still, and functions such
// as randAlphaNum and genCA have constant results (steady.go).
package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"

	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/loader/archive"
	v2 "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	chartutil "helm.sh/helm/v4/pkg/chart/v2/util"
	"helm.sh/helm/v4/pkg/engine"
	"helm.sh/helm/v4/pkg/ignore"
	release "helm.sh/helm/v4/pkg/release/v1/util"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/krm-packs/functions/pkg/packfn/internal/helm"
)

// maxFailures is how many templates of a chart are reported.
const maxFailures = 10

// maxMessage is the length of a message, in bytes. A template can make any.
const maxMessage = 16 << 10

// renderJob renders a chart as `helm install` does, without a cluster.
func renderJob(job *helm.Job) *helm.Result {
	files, err := filesOf(job)
	if err != nil {
		return &helm.Result{Failures: []helm.Failure{{Kind: helm.Chart, Message: cut(err.Error())}}}
	}
	result, hidden, seen := &helm.Result{}, map[string]bool{}, map[string]bool{}
	for {
		manifests, kind, err := render(job, files, hidden)
		if err == nil {
			if len(result.Failures) == 0 {
				result.Manifests = manifests
			}
			return result
		}
		// The same helper may fail in many templates.
		text := cut(strings.TrimSpace(err.Error()))
		if !seen[message(text)] {
			seen[message(text)] = true
			result.Failures = append(result.Failures, helm.Failure{Kind: kind, Message: text})
		}
		file := failing.FindStringSubmatch(text)
		if kind != helm.Template || file == nil || hidden[file[1]] || len(hidden) == maxFailures {
			return result
		}
		hidden[file[1]] = true // the others are rendered
	}
}

// failing finds the template that Helm ran in its message.
var failing = regexp.MustCompile(`([^\s():"]+/templates/[^\s():"]+)`)

// message is what a failure says, without the place.
func message(text string) string {
	if _, after, ok := strings.Cut(text, "): "); ok {
		return after
	}
	return text
}

// cut leaves out the middle of a long message: the reason is at its end.
func cut(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	return text[:maxMessage/2] + " … " + text[len(text)-maxMessage/2:]
}

// filesOf returns the files of a chart that Helm reads: of those in a folder the ones that
// .helmignore does not name, and no hidden templates.
func filesOf(job *helm.Job) (all []*archive.BufferedFile, err error) {
	if job.Archive != nil {
		return archive.LoadArchiveFiles(bytes.NewReader(job.Archive))
	}
	rules, err := ignore.Parse(bytes.NewReader(job.Files[ignore.HelmIgnore]))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ignore.HelmIgnore, err)
	}
	rules.AddDefaults()
	files := fstest.MapFS{}
	for name, data := range job.Files {
		files[name] = &fstest.MapFile{Data: data}
	}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		info, _ := entry.Info()
		switch isIgnored := rules.Ignore(name, info); {
		case isIgnored && entry.IsDir():
			return fs.SkipDir
		case !isIgnored && !entry.IsDir():
			all = append(all, &archive.BufferedFile{Name: name, Data: job.Files[name]})
		}
		return err
	})
	return all, err
}

// render renders a chart without the output of the hidden templates.
func render(job *helm.Job, files []*archive.BufferedFile, hidden map[string]bool) ([]helm.Manifest, helm.Kind, error) {
	chart, err := loader.LoadFiles(files)
	if err != nil {
		return nil, helm.Chart, err
	}
	given, err := loader.LoadValues(bytes.NewReader(job.Values))
	if err != nil {
		return nil, helm.Chart, fmt.Errorf("its values: %w", err)
	}
	if err := checkDependencies(chart); err != nil {
		return nil, helm.Dependencies, err
	}
	if err := chartutil.ProcessDependencies(chart, given); err != nil {
		return nil, helm.Chart, err
	}
	kubernetes, err := common.ParseKubeVersion(job.Kubernetes)
	if err != nil {
		return nil, helm.Version, fmt.Errorf("the version of the cluster, %q: %w", job.Kubernetes, err)
	}
	if wants := chart.Metadata.KubeVersion; job.IsKnown && wants != "" && !chartutil.IsCompatibleRange(wants, kubernetes.String()) {
		return nil, helm.Version, fmt.Errorf("its kubeVersion is %s, and the cluster has %s", wants, job.Kubernetes)
	}
	// A schema may refer to a server. packfn checks values by schemas itself.
	const skipSchemas = true
	all, err := util.ToRenderValuesWithSchemaValidation(chart, given,
		common.ReleaseOptions{Name: job.Release, Namespace: job.Namespace, Revision: 1, IsInstall: true},
		&common.Capabilities{KubeVersion: *kubernetes, APIVersions: APIVersions(job.APIs), HelmVersion: common.DefaultCapabilities.HelmVersion}, skipSchemas)
	if err != nil {
		return nil, helm.Chart, err
	}
	hide(chart, hidden)
	rendered, err := engine.Engine{CustomTemplateFuncs: steady}.RenderWithContext(context.Background(), chart, all)
	if err != nil {
		return nil, helm.Template, err
	}
	size := 0
	for name, text := range rendered {
		if size += len(text); path.Base(name) == "NOTES.txt" {
			delete(rendered, name)
		}
	}
	if size > helm.MaxOutput {
		return nil, helm.Ended, fmt.Errorf("it renders to more than %d MiB", helm.MaxOutput>>20)
	}
	return manifests(chart, rendered)
}

// manifests are what Helm installs of the rendered files, in its order.
func manifests(chart *v2.Chart, rendered map[string]string) ([]helm.Manifest, helm.Kind, error) {
	hooks, others, err := release.SortManifests(rendered, nil, release.InstallOrder)
	if err != nil {
		return nil, helm.Template, err
	}
	var all []helm.Manifest
	for _, crd := range chart.CRDObjects() {
		all = append(all, helm.Manifest{Source: crd.Filename, Text: string(crd.File.Data)})
	}
	for _, one := range others {
		all = append(all, helm.Manifest{Source: one.Name, Text: one.Content})
	}
	for _, hook := range hooks {
		one := helm.Manifest{Source: hook.Path, Text: hook.Manifest}
		for _, event := range hook.Events {
			one.Hooks = append(one.Hooks, event.String())
		}
		all = append(all, one)
	}
	return all, "", nil
}

// checkDependencies refuses a chart that lacks a dependency, as the commands of Helm do.
func checkDependencies(chart *v2.Chart) error {
	var missing []string
	for _, wanted := range chart.Metadata.Dependencies {
		if !slices.ContainsFunc(chart.Dependencies(), func(one *v2.Chart) bool { return one.Metadata.Name == wanted.Name }) {
			missing = append(missing, wanted.Name)
		}
	}
	if len(missing) > 0 {
		return errors.New(strings.Join(missing, ", "))
	}
	return nil
}

// hide lets Helm define the named templates of files, and not render them: it renders no
// file whose name begins with an underscore.
func hide(chart *v2.Chart, hidden map[string]bool) {
	for _, one := range chart.Templates {
		if hidden[path.Join(chart.ChartFullPath(), one.Name)] {
			one.Name = path.Join(path.Dir(one.Name), "_"+path.Base(one.Name))
		}
	}
	for _, sub := range chart.Dependencies() {
		hide(sub, hidden)
	}
}

// APIVersions adds the kinds that Helm knows of each API version.
func APIVersions(names []string) common.VersionSet {
	all := common.VersionSet(slices.Clone(names))
	for _, name := range names {
		version, err := schema.ParseGroupVersion(name)
		if err != nil { // it has a kind
			continue
		}
		for _, kind := range slices.Sorted(maps.Keys(scheme.Scheme.KnownTypes(version))) {
			if !strings.HasSuffix(kind, "List") && !strings.HasSuffix(kind, "Options") && kind != "WatchEvent" {
				all = append(all, name+"/"+kind)
			}
		}
	}
	return all
}
