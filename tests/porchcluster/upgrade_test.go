package porchcluster

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// large is a cluster with the preset large.
const large = "eu-central-1"

// pinned is the set of the examples with a version of the upstream package.
func pinned(t *testing.T, set, version string) string {
	t.Helper()
	return replace(t, map[string]string{"": set}, "", "workspaceName: v3", "workspaceName: "+version)[""]
}

// begin publishes the blueprint as v3 and applies the set for one cluster.
func (s *scenario) begin(blueprint map[string]string) {
	s.Helper()
	_, objects := example(s.T)
	s.publish(3, blueprint)
	for _, name := range []string{"repositories.yaml", "clusters.yaml"} {
		s.apply(name, only(s.T, objects[name], large))
	}
	s.apply("set.yaml", pinned(s.T, objects["set.yaml"], "v3"))
}

// awaitDraft waits until the variant of the cluster large has made the draft in a
// workspace, and returns it.
func (s *scenario) awaitDraft(workspace string) revision {
	s.Helper()
	s.await("the draft "+workspace, 1, func(v variant) bool {
		return v.isReady() && strings.HasSuffix(v.Status.DownstreamTargets[0].Name, "."+workspace)
	})
	return s.downstream(large, workspace)
}

// TestApproval proposes and approves a package with porchctl, and looks at what is in git.
func TestApproval(t *testing.T) {
	s := newScenario(t, "approval")
	blueprint, _ := example(t)
	s.begin(blueprint)
	draft := s.awaitDraft("packagevariant-1")
	files := s.files(draft.Metadata.Name)
	for _, command := range []string{"propose", "approve"} {
		if out, err := s.porchctl("rpkg", command, draft.Metadata.Name); err != nil {
			t.Fatalf("porchctl rpkg %s: %v\n%s", command, err, out)
		}
	}
	published := s.downstream(large, "packagevariant-1")
	if published.Spec.Lifecycle != "Published" || published.Spec.Revision != 1 {
		t.Errorf("it is %s, revision %d", published.Spec.Lifecycle, published.Spec.Revision)
	}
	// Porch writes the Kptfile again when a draft is proposed, in another order.
	after := s.files(draft.Metadata.Name)
	comparePackages(t, "approval", after, files)
	git, repository := s.cluster.Git, s.gitName(large)
	for _, ref := range []string{"refs/heads/main", "refs/tags/platform/v1"} {
		got, err := git.Files(repository, ref, "platform")
		s.check(err)
		if diff := cmp.Diff(after, got); diff != "" {
			t.Errorf("%s (-Porch +git):\n%s", ref, diff)
		}
	}
	refs, err := git.Refs(repository)
	s.check(err)
	if i := slices.IndexFunc(refs, func(ref string) bool {
		return strings.HasPrefix(ref, "refs/heads/drafts/") || strings.HasPrefix(ref, "refs/heads/proposed/")
	}); i >= 0 {
		t.Errorf("the branch %s is left", refs[i])
	}
}

// TestCommands runs the lines with porchctl that users are told.
func TestCommands(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"printed": Commands, "readme": string(readme)} {
		s := newScenario(t, "commands-"+name)
		blueprint, _ := example(t)
		s.begin(blueprint)
		draft := s.awaitDraft("packagevariant-1").Metadata.Name
		dir := filepath.Join(t.TempDir(), "files")
		ran := 0
		for line := range strings.Lines(text) {
			command, _, _ := strings.Cut(line, "#")
			words := strings.Fields(command)
			if len(words) == 0 || words[0] != "porchctl" {
				continue
			}
			for i, word := range words {
				switch word {
				case "NAME":
					words[i] = draft
				case "DIR":
					words[i] = dir
				case "default":
					words[i] = s.Namespace
				}
			}
			if out, err := s.cluster.Porchctl(s.Context(), words[1:]...); err != nil {
				t.Errorf("%s: %v\n%s", command, err, out)
			}
			ran++
		}
		if files, err := os.ReadDir(dir); ran != 4 || err != nil || len(files) == 0 {
			t.Errorf("%s: %d commands, %d files, %v", name, ran, len(files), err)
		}
		if lifecycle := s.downstream(large, "packagevariant-1").Spec.Lifecycle; lifecycle != "Published" {
			t.Errorf("%s: the package is %s", name, lifecycle)
		}
	}
}

// gate is what the blueprint says so that porchctl refuses clones without the facts of a
// cluster.
const gate = "config.injection.ClusterContext.cluster"

// TestGate clones a package that declares the gate of its injection point, without a
// PackageVariant. porchctl refuses to propose it; the API does not.
func TestGate(t *testing.T) {
	s := newScenario(t, "gate")
	blueprint, objects := example(t)
	if !strings.Contains(blueprint["Kptfile"], gate) {
		blueprint = replace(t, blueprint, "Kptfile", "info:\n", `info:
  readinessGates:
    - conditionType: `+gate+"\n")
	}
	s.publish(3, blueprint)
	s.apply("repositories.yaml", only(t, objects["repositories.yaml"], large))
	s.wait("the clone", func() (bool, string) {
		out, err := s.porchctl("rpkg", "clone", Blueprints+".platform.v3", "platform", "--repository="+large, "--workspace=bare")
		// Porch has just been told of the repository.
		if err != nil && (s.isPassing("clone", out) || strings.Contains(out, "not found")) {
			return false, out
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return true, ""
	})
	bare := s.downstream(large, "bare")
	if len(bare.Spec.ReadinessGates) != 1 || bare.Spec.ReadinessGates[0].ConditionType != gate {
		t.Errorf("the gates are %v", bare.Spec.ReadinessGates)
	}
	out, err := s.porchctl("rpkg", "propose", bare.Metadata.Name)
	if err == nil || !strings.Contains(out, "readiness conditions not met") {
		t.Errorf("porchctl rpkg propose: %v\n%s", err, out)
	}
	if err := s.setLifecycle(bare.Metadata.Name, "Proposed"); err != nil {
		t.Errorf("the API rejects it, too: %v", err)
	}
}

// TestCloneFails has an upstream package that its own functions refuse, whatever the
// cluster.
func TestCloneFails(t *testing.T) {
	s := newScenario(t, "clone-fails")
	blueprint, _ := example(t)
	s.begin(replace(t, blueprint, "vault.yaml", `name: "vault-{{ .spectro.system.cluster.name }}"`, `name: "vault-{{ .spectro.system.cluster.nmae }}"`))
	variants := s.await("the refusal", 1, variant.isRefused)
	p := s.preview()
	if outcome, rules := p.outcome(large); outcome != "refused at clone" || !slices.Equal(rules, []string{"macro/unknown"}) {
		t.Errorf("packfn says %q, %v", outcome, rules)
	}
	s.expectRefusal(variants[large], "macro/unknown")
	var set variant
	s.get(PackageVariantSets, "platform", &set)
	if set.ready().Status != "True" {
		t.Errorf("the set says %+v: docs say that it is ready", set.ready())
	}
}

// TestLostAnnotation has an upstream package whose ClusterContext takes nothing any more:
// no facts come in.
func TestLostAnnotation(t *testing.T) {
	s := newScenario(t, "lost-annotation")
	blueprint, _ := example(t)
	s.begin(replace(t, blueprint, "cluster.yaml", "    kpt.dev/config-injection: required\n", ""))
	variants := s.await("the refusal", 1, variant.isRefused)
	p := s.preview()
	outcome, rules := p.outcome(large)
	if outcome == deployable || !slices.Contains(rules, "macro/unset") {
		t.Errorf("packfn says %q, %v", outcome, rules)
	}
	s.expectRefusal(variants[large], rules...)
}

// TestChangedFacts changes the facts of a cluster whose package is published: the values of the
// packs follow in a new draft. Porch looks at the facts when it looks at the variant, so an annotation of this changes,
// as docs/porch.md has it.
func TestChangedFacts(t *testing.T) {
	s := newScenario(t, "changed-facts")
	blueprint, objects := example(t)
	s.begin(blueprint)
	draft := s.awaitDraft("packagevariant-1").Metadata.Name
	s.approve(draft)
	inGit, err := s.cluster.Git.Files(s.gitName(large), "refs/heads/main", "platform")
	s.check(err)
	existing := filepath.Join(t.TempDir(), large)
	s.check(os.CopyFS(filepath.Join(existing, "platform"), os.DirFS(s.folder(inGit))))
	clusters := only(t, objects["clusters.yaml"], large)
	changed := regexp.MustCompile(`(DOMAIN: )\S+`).ReplaceAllString(clusters, "${1}new.example.com")
	s.apply("clusters.yaml", changed)
	s.nudge(PackageVariants, s.variants()[large].Metadata.Name)
	files := s.files(s.awaitDraft("packagevariant-2").Metadata.Name)
	const want = "host: \"vault." + large + ".new.example.com\""
	if !strings.Contains(files["vault.yaml"], want) || strings.Contains(inGit["vault.yaml"], want) {
		t.Errorf("no %q in\n%s", want, files["vault.yaml"])
	}
	comparePackages(t, "the draft", files, s.preview("--downstream", large+"="+existing).files(t, large, "platform"))
}

// setReplicas is a user's edit of what the preset large has set.
func setReplicas(t *testing.T, files map[string]string) map[string]string {
	return replace(t, files, "vault.yaml", `      replicas: 5
      resources`, `      replicas: 4
      resources`)
}

// renamedPoint gives the ClusterContext of the blueprint another name.
func renamedPoint(t *testing.T, files map[string]string) map[string]string {
	files = replace(t, files, "Kptfile", gate, "config.injection.ClusterContext.facts")
	return replace(t, files, "cluster.yaml", "  name: cluster\n", "  name: facts\n")
}

// upgrades are changes of the blueprint and of the package of a cluster. After them the
// variant goes from v3 to v4.
var upgrades = map[string]struct {
	// before changes the blueprint of v3, and upstream that of v4.
	before, upstream, downstream func(*testing.T, map[string]string) map[string]string
	refused                      []string          // the rules, if the upgrade is refused
	values                       map[string]string // texts in files of the draft otherwise
}{
	"values": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "cert-manager.yaml", "replicaCount: 2", "replicaCount: 3")
		},
		values: map[string]string{"cert-manager.yaml": "replicaCount: 3", "vault.yaml": "  replicas: 5"},
	},
	"values-of-preset": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "vault.yaml", "# where people reach it", "# where users reach it")
		},
		values: map[string]string{"vault.yaml": "  replicas: 5"},
	},
	"preset": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "vault.yaml", "          replicas: 5\n", "          replicas: 3\n")
		},
		values: map[string]string{"vault.yaml": "  replicas: 3"},
	},
	// The values are those of a package that is made today.
	"preset-and-macro": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			files = replace(t, files, "vault.yaml", "          replicas: 5\n", "          replicas: 3\n")
			return replace(t, files, "vault.yaml", "# where people reach it", "\n      domain: '{{ .spectro.var.DOMAIN }}'")
		},
		values: map[string]string{"vault.yaml": "# kpt-macro: {{ .spectro.var.DOMAIN }}"},
	},
	"edited": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "cert-manager.yaml", "replicaCount: 2", "replicaCount: 3")
		},
		downstream: setReplicas, // the preset holds
		values:     map[string]string{"cert-manager.yaml": "replicaCount: 3", "vault.yaml": "  replicas: 5"},
	},
	// Porch replaces the whole text of the values, and with it the edit.
	"edited-same-values": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "vault.yaml", "# where people reach it", "# where users reach it")
		},
		downstream: setReplicas,
		values:     map[string]string{"vault.yaml": "  replicas: 5"},
	},
	// Structured values are merged leaf by leaf.
	"structured": {
		before: structured,
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			files = replace(t, files, "vault.yaml", "name: \"vault-{{", "name: \"main-{{")
			return replace(t, files, "vault.yaml", "            cpu: \"1\"\n", "            cpu: 900m\n")
		},
		downstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "vault.yaml", `      replicas: 5
      resources`, `      replicas: 4
      resources`)
		},
		values: map[string]string{"vault.yaml": `    server:
      replicas: 5
`},
	},
	// The package has the old point and the new one: functions do not know which to take.
	"renamed-point": {upstream: renamedPoint, refused: []string{"config/invalid"}},
	"renamed-point-named": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			files = renamedPoint(t, files)
			files["Kptfile"] = regexp.MustCompile(`(?m)^    - image: .*/(resolve-macros|check-).*`).ReplaceAllString(files["Kptfile"], `$0
      configMap:
        clusterContext: facts`)
			return files
		},
		values: map[string]string{
			"cluster.yaml": "\n  name: cluster\n",
			"Kptfile": `config.injection.ClusterContext.facts
    status: "True"`,
		},
	},
	// The first render of an upgrade has the facts of the last injection.
	"new-macro": {
		upstream: func(t *testing.T, files map[string]string) map[string]string {
			return replace(t, files, "vault.yaml", "# where people reach it", "\n      zone: '{{ .spectro.var.ZONE }}'")
		},
		refused: []string{"macro/unset"},
	},
}

// TestUpgrade upgrades approved packages.
func TestUpgrade(t *testing.T) {
	for name, test := range upgrades {
		t.Run(name, func(t *testing.T) {
			s := newScenario(t, "upgrade-"+name)
			blueprint, objects := example(t)
			if test.before != nil {
				blueprint = test.before(t, blueprint)
			}
			s.begin(blueprint)
			draft := s.awaitDraft("packagevariant-1").Metadata.Name
			if test.downstream != nil {
				s.check(s.edit(draft, func(files map[string]any) {
					texts := map[string]string{}
					for name, text := range files {
						texts[name] = text.(string)
					}
					for name, text := range test.downstream(t, texts) {
						files[name] = text
					}
				}))
			}
			s.approve(draft)
			inGit, err := s.cluster.Git.Files(s.gitName(large), "refs/heads/main", "platform")
			s.check(err)
			existing := filepath.Join(t.TempDir(), large)
			s.check(os.CopyFS(filepath.Join(existing, "platform"), os.DirFS(s.folder(inGit))))
			s.publish(4, test.upstream(t, maps.Clone(blueprint)))
			s.apply("set.yaml", pinned(t, objects["set.yaml"], "v4"))
			if test.refused != nil {
				s.expectRefusal(s.await("the refusal", 1, variant.isRefused)[large], test.refused...)
				if outcome, rules := s.preview("--downstream", large+"="+existing).outcome(large); outcome != "refused at upgrade" || !slices.Equal(rules, test.refused) {
					t.Errorf("packfn says %q, %v", outcome, rules)
				}
				return
			}
			files := s.files(s.awaitDraft("packagevariant-2").Metadata.Name)
			comparePackages(t, "the upgrade", files, s.preview("--downstream", large+"="+existing).files(t, large, "platform"))
			for file, want := range test.values {
				if !strings.Contains(files[file], want) {
					t.Errorf("%s has no %q:\n%s", file, want, files[file])
				}
			}
		})
	}
}
