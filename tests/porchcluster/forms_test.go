package porchcluster

import (
	"maps"
	"strings"
	"testing"
)

// forms are upstream packages and sets of other forms than those of the examples.
var forms = map[string]struct {
	change func(t *testing.T, files map[string]string) map[string]string
	set    func(t *testing.T, set string) string
}{
	// Porch makes the file.
	"no-context": {change: func(_ *testing.T, files map[string]string) map[string]string {
		delete(files, "package-context.yaml")
		return files
	}},
	"documents": {change: func(_ *testing.T, files map[string]string) map[string]string {
		files["more/all.yaml"] = `# Two resources.
apiVersion: v1
kind: Namespace
metadata:
  name: vault # of the pack
---
# The second.
apiVersion: v1
kind: ConfigMap
metadata:
    name: settings
    namespace: vault
    labels: {app: "vault", tier: 'back'}
data: {port: "8200", yes: 'no', text: "a\nb\n"}
`
		return files
	}},
	"other-files": {change: func(_ *testing.T, files map[string]string) map[string]string {
		files["notes.txt"] = "no end of line"
		files["charts/values.json"] = "{\"a\":1}\n"
		files["scripts/run.sh"] = "#!/bin/sh\r\necho\r\n"
		files["empty.txt"] = ""
		return files
	}},
	"subpackage": {change: func(_ *testing.T, files map[string]string) map[string]string {
		files["sub/Kptfile"] = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\ninfo:\n  description: a package in a package\n"
		files["sub/settings.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\ndata:\n  a: b\n"
		return files
	}},
	"no-pipeline": {change: func(t *testing.T, files map[string]string) map[string]string {
		files["Kptfile"], _, _ = strings.Cut(files["Kptfile"], "pipeline:")
		return files
	}},
	"comments": {change: func(t *testing.T, files map[string]string) map[string]string {
		files = replace(t, files, "Kptfile", "  name: platform\n", "  name: platform # its name\n  labels:\n    team: a\n")
		return replace(t, files, "cluster.yaml", "spec: {}", "# What it has.\nspec: {}")
	}},
	// A set cannot ask for it: Porch would give its PackageVariant a name with a slash.
	"nested-name": {set: func(t *testing.T, _ string) string {
		return `apiVersion: config.porch.kpt.dev/v1alpha1
kind: PackageVariant
metadata:
  name: nested
spec:
  upstream: {repo: blueprints, package: platform, workspaceName: v3}
  downstream: {repo: eu-central-1, package: apps/platform}
  injectors:
    - {kind: ClusterContext, group: packs.kpt.dev, name: eu-central-1}
`
	}},
	"no-changes": {set: func(t *testing.T, set string) string {
		before, _, found := strings.Cut(set, "        labelExprs:")
		if !found {
			t.Fatal("the set has no labels")
		}
		return before
	}},
}

// TestForms compares the packages of other forms: what Porch makes, or refuses, packfn
// predicts.
func TestForms(t *testing.T) {
	for name, form := range forms {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t, "form-"+name)
			blueprint, objects := example(t)
			blueprint = maps.Clone(blueprint)
			if form.change != nil {
				blueprint = form.change(t, blueprint)
			}
			set := pinned(t, objects["set.yaml"], "v3")
			if form.set != nil {
				set = form.set(t, set)
			}
			s.publish(3, blueprint)
			for _, name := range []string{"repositories.yaml", "clusters.yaml"} {
				s.apply(name, only(t, objects[name], large))
			}
			s.apply("set.yaml", set)
			v := s.await("the package", 1, func(v variant) bool { return v.isReady() || v.isRefused() })[large]
			p := s.preview()
			outcome, rules := p.outcome(large)
			switch {
			case v.isReady() != (outcome == deployable):
				t.Errorf("Porch says %q, packfn %q, %v", v.ready().Message, outcome, rules)
			case v.isReady():
				comparePackages(t, name, s.files(v.Status.DownstreamTargets[0].Name), p.files(t, large, v.Spec.Downstream.Package))
			default:
				s.expectRefusal(v, rules...)
			}
		})
	}
}

// TestOpenDraft wants an upgrade while there is a draft: Porch refuses it.
func TestOpenDraft(t *testing.T) {
	s := newScenario(t, "open-draft")
	blueprint, objects := example(t)
	s.begin(blueprint)
	draft := s.awaitDraft("packagevariant-1")
	s.publish(4, replace(t, blueprint, "cert-manager.yaml", "replicaCount: 2", "replicaCount: 3"))
	s.apply("set.yaml", pinned(t, objects["set.yaml"], "v4"))
	v := s.await("the refusal", 1, variant.isRefused)[large]
	if !strings.Contains(v.ready().Message, "when it is not published") {
		t.Errorf("Porch says %q", v.ready().Message)
	}
	s.approve(draft.Metadata.Name)
	s.awaitDraft("packagevariant-2")
}

// TestFactsComeLater makes a cluster's facts after its variant: Porch refuses the variant,
// and tries again by itself.
func TestFactsComeLater(t *testing.T) {
	s := newScenario(t, "facts-later")
	blueprint, objects := example(t)
	s.publish(3, blueprint)
	s.apply("repositories.yaml", only(t, objects["repositories.yaml"], large))
	s.apply("set.yaml", pinned(t, objects["set.yaml"], "v3"))
	v := s.await("the refusal", 1, variant.isRefused)[large]
	p := s.preview()
	outcome, rules := p.outcome(large)
	if outcome != "refused" {
		t.Errorf("packfn says %q, %v", outcome, rules)
	}
	s.expectRefusal(v, "macro/unset")
	s.apply("clusters.yaml", only(t, objects["clusters.yaml"], large))
	v = s.await("the package", 1, variant.isReady)[large]
	comparePackages(t, "the package", s.files(v.Status.DownstreamTargets[0].Name), s.preview().files(t, large, "platform"))
}
