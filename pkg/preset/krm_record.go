package preset

import (
	"cmp"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/injection"
	"github.com/krm-packs/functions/pkg/list"
	"github.com/krm-packs/functions/pkg/rule"
	"github.com/krm-packs/functions/pkg/values"
)

// readRecord reads what the resource of a job records. It reports false, and why, if that
// cannot be read.
func (p *processor) readRecord(j *job) bool {
	var faults []diag.Finding
	if j.Record, faults = ParseRecord(j.source.Annotation(RecordAnnotation)); len(faults) > 0 {
		p.run.Report(faults[0].About(j.source.Resource, annotationPath(RecordAnnotation)))
		return false
	}
	if j.Leaves, faults = ParseLeaves(j.source.Annotation(LeavesAnnotation)); len(faults) > 0 {
		p.run.Report(faults[0].About(j.source.Resource, annotationPath(LeavesAnnotation)))
		return false
	}
	j.Upstream = upstream(p.commits, j.source.Resource)
	return true
}

// writeRecord writes the record of a job where it changed.
func (j *job) writeRecord(r *Result) error {
	changed := map[string]string{}
	for _, one := range []struct{ annotation, before, after string }{
		{RecordAnnotation, j.Record.String(), r.Record.String()},
		{LeavesAnnotation, j.Leaves.String(), r.Leaves.String()},
	} {
		if one.before != one.after {
			changed[one.annotation] = cmp.Or(one.after, "{}")
		}
	}
	if len(changed) == 0 {
		return nil
	}
	return j.source.Annotate(changed)
}

func annotationPath(name string) string { return "metadata.annotations[" + name + "]" }

// commitsOf returns the commits that packages come from, by their folders.
func commitsOf(items []*list.Item) map[string]string {
	commits := map[string]string{}
	for _, item := range items {
		if !injection.IsKptfile(item) {
			continue
		}
		document, err := item.Document()
		if err != nil {
			continue // kpt reports it
		}
		dir := folder(item.Resource())
		commits[dir] = cmp.Or(commits[dir], values.Text(values.Field(document.Root(), "upstreamLock", "git", "commit")))
	}
	return commits
}

// upstream returns the commit that a resource comes from: that of the nearest package around
// it that has one, "" if there is none.
func upstream(commits map[string]string, resource diag.Resource) string {
	for dir := folder(resource); ; dir = path.Dir(dir) {
		if commits[dir] != "" || dir == "/" {
			return commits[dir]
		}
	}
}

// folder is that of a resource, from the root of all packages.
func folder(r diag.Resource) string { return path.Join("/", r.PackagePath, path.Dir(r.File)) }

// upgraded says what the last upgrade did to the values of a job.
func (j *job) upgraded(r *Result, own *yaml.Node) []diag.Finding {
	var findings []diag.Finding
	var read reader
	for _, p := range j.Presets {
		var set, left []string
		for _, c := range r.Upgraded {
			if c.Preset.Group != p.Group || c.Preset.Name != p.Name {
				continue
			}
			switch c.Upgrade {
			case Left:
				left = append(left, c.Path)
				continue
			case Kept:
				f := diag.Say("the value differs from the preset %s since the last upgrade", p).Do("set the preset's value, or keep yours and accept this finding")
				f.Severity = diag.Warning
				findings = append(findings, j.at(f.Of(rule.PresetEdited), c, read.nearest(own, c.steps)))
				continue
			case Lost:
				f := diag.Say("the last upgrade replaced your edit of this value, and the preset %s was applied again", p)
				findings = append(findings, j.at(f.Do("set your value again, or accept the preset's").Of(rule.PresetEditLost), c, read.nearest(own, c.steps)))
			}
			set = append(set, c.Path)
		}
		var parts []string
		if len(set) > 0 {
			parts = append(parts, "was applied again after an upgrade: sets "+shorten(set))
		}
		if len(left) > 0 {
			parts = append(parts, "no longer sets "+shorten(left)+" since an upgrade: the values stay")
		}
		if len(parts) > 0 {
			findings = append(findings, about(diag.Say("preset %s %s", p, strings.Join(parts, "; it ")).Of(rule.PresetReapplied), p.Group, p.Name))
		}
	}
	return findings
}

// at puts a finding at a leaf, which is at a node or was below it.
func (j *job) at(f diag.Finding, c Change, n *yaml.Node) diag.Finding {
	f = f.From(j.source.Origin).At(c.Path, values.At(n))
	return about(f, c.Preset.Group, c.Preset.Name)
}
