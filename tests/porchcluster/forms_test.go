package porchcluster

import (
	"fmt"
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
		files["sub/Kptfile"] = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: sub
info:
  description: a package in a package
`
		files["sub/settings.yaml"] = `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  a: b
`
		return files
	}},
	"structured": {change: structured},
	"no-pipeline": {change: func(t *testing.T, files map[string]string) map[string]string {
		files["Kptfile"], _, _ = strings.Cut(files["Kptfile"], "pipeline:")
		return files
	}},
	"comments": {change: func(t *testing.T, files map[string]string) map[string]string {
		files = replace(t, files, "Kptfile", "  name: platform\n", `  name: platform # its name
  labels:
    team: a
`)
		return replace(t, files, "cluster.yaml", "spec: {}", `# What it has.
spec: {}`)
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

// structured has the pack vault in the form Pack, with a mapping for each of its texts.
func structured(_ *testing.T, files map[string]string) map[string]string {
	files = maps.Clone(files)
	files["vault.yaml"] = `apiVersion: packs.kpt.dev/v1alpha1
kind: Pack
metadata:
  name: vault
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  version: 0.28.1
  layer: addon
  constraints:
    resources:
      - type: cpu
        components:
          - resourceRequestParamRef: server.resources.requests.cpu
            replicaCountParamRef: server.replicas
            scheduleType: worker
  values:
    # What the server is called in the cluster.
    name: "vault-{{ .spectro.system.cluster.name }}"
    server:
      replicas: 1
      resources:
        requests:
          cpu: 250m
    hosts: ["vault.{{ .spectro.var.DOMAIN }}", other.example.com] # where people reach it
    empty: {}
    version: '1.10'
  schema:
    name:
      schema: '{{ required | format "${string:/^[a-z0-9-]+$/}" }}'
    server.replicas:
      schema: '{{ required | format "${number:[1-7]}" }}'
  presets:
    - name: small
      group: Size
      add:
        server:
          replicas: 1
    - name: large
      group: Size
      add:
        server:
          replicas: 5
          resources:
            requests:
              cpu: "1"
`
	return files
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

// TestRevisionAlone has a set with a revision and no workspaceName: Porch takes the branch.
func TestRevisionAlone(t *testing.T) {
	s := newScenario(t, "revision-alone")
	blueprint, objects := example(t)
	later := replace(t, blueprint, "cert-manager.yaml", "replicaCount: 2", "replicaCount: 3")
	s.publish(3, blueprint)
	s.publish(4, later)
	s.upstreams["main"] = s.folder(later)
	for _, name := range []string{"repositories.yaml", "clusters.yaml"} {
		s.apply(name, only(t, objects[name], large))
	}
	s.apply("set.yaml", replace(t, objects, "set.yaml", "workspaceName: v3", "revision: 3")["set.yaml"])
	v := s.await("the package", 1, variant.isReady)[large]
	files := s.files(v.Status.DownstreamTargets[0].Name)
	if !strings.Contains(files["cert-manager.yaml"], "replicaCount: 3") || !strings.Contains(files["Kptfile"], "ref: main") {
		t.Errorf("it is not that of the branch main: %s\n%s", files["cert-manager.yaml"], files["Kptfile"])
	}
	p := s.preview()
	comparePackages(t, "the package", files, p.files(t, large, "platform"))
	if !p.says("variant-set/not-in-porch") {
		t.Errorf("packfn finds %v", p.Sets)
	}
}

// TestSlash has a set whose packages have a slash in their names. Porch would give a
// PackageVariant a name with that slash, which the API server refuses.
func TestSlash(t *testing.T) {
	s := newScenario(t, "slash")
	blueprint, objects := example(t)
	s.publish(3, blueprint)
	for _, name := range []string{"repositories.yaml", "clusters.yaml"} {
		s.apply(name, only(t, objects[name], large))
	}
	s.apply("set.yaml", replace(t, objects, "set.yaml", "          package: platform", "          package: apps/platform")["set.yaml"])
	var stalled condition
	s.wait("the refusal", func() (bool, string) {
		var set variant
		s.get(PackageVariantSets, "platform", &set)
		stalled = find(set.Status.Conditions, "Stalled")
		return stalled.Reason == "UnexpectedError" && !s.isPassing("platform", stalled.Message), fmt.Sprint(set.Status)
	})
	if want := `metadata.name: Invalid value: "platform-eu-central-1-apps/platform"`; !strings.Contains(stalled.Message, want) {
		t.Errorf("Porch says %q, want %q", stalled.Message, want)
	}
	if v := s.variants(); len(v) > 0 {
		t.Errorf("Porch makes %v", v)
	}
	if p := s.preview(); !p.says("variant-set/not-in-porch") {
		t.Errorf("packfn finds %v", p.Sets)
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
