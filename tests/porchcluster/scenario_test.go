package porchcluster

import (
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// scenario is a fleet in Porch, with the same files for `packfn fleet`.
type scenario struct {
	*testing.T
	*Fleet

	set       string // the folder with the objects
	upstreams map[string]string
	seen      map[string]int // errors of Porch that passed, and how often they were met
	met       map[string]int // flaws of package revisions, and how often they were met
}

// newScenario begins a fleet of this name.
func newScenario(t *testing.T, name string) *scenario {
	t.Helper()
	fleet, err := theCluster(t).NewFleet(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	s := &scenario{T: t, Fleet: fleet, set: filepath.Join(t.TempDir(), "set"), upstreams: map[string]string{}, seen: map[string]int{}, met: map[string]int{}}
	// packfn takes the address of upstream packages from it.
	s.write("blueprints.yaml", Object{
		"apiVersion": Repositories.APIVersion, "kind": Repositories.Kind, "metadata": map[string]any{"name": Blueprints},
		"spec": map[string]any{"type": "git", "git": map[string]any{"repo": s.cluster.Git.Repository(s.gitName(Blueprints))}},
	})
	t.Cleanup(func() {
		for _, message := range slices.Sorted(maps.Keys(s.seen)) {
			fmt.Printf("note: an error of Porch passed: %s: %s (%d)\n", s.Namespace, message, s.seen[message])
		}
		if t.Failed() {
			for _, program := range []string{porchServer, controllers} {
				t.Logf("%s:\n%s", program, tail(s.cluster.Log(program), 40))
			}
		}
	})
	return s
}

func (s *scenario) check(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// write writes an object for packfn.
func (s *scenario) write(name string, object any) {
	s.Helper()
	text, err := yaml.Marshal(object)
	s.check(err)
	s.check(os.MkdirAll(s.set, 0o700))
	s.check(os.WriteFile(filepath.Join(s.set, name), text, 0o600))
}

// apply applies documents to Porch, and writes them for packfn in place of earlier ones of
// this name.
func (s *scenario) apply(name, documents string) {
	s.Helper()
	s.check(os.MkdirAll(s.set, 0o700))
	s.check(os.WriteFile(filepath.Join(s.set, name), []byte(documents), 0o600))
	s.check(s.Fleet.Apply(s.Context(), documents))
}

// folder writes files to a folder.
func (s *scenario) folder(files map[string]string) string {
	s.Helper()
	dir := s.TempDir()
	for name, text := range files {
		s.check(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		s.check(os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// publish publishes a version of the package platform, and writes it for packfn.
func (s *scenario) publish(version int, files map[string]string) {
	s.Helper()
	s.check(s.Publish(s.Context(), "platform", version, files))
	s.upstreams[fmt.Sprintf("v%d", version)] = s.folder(files)
	looks := 0
	s.wait(fmt.Sprintf("Porch sees platform v%d", version), func() (bool, string) {
		if looks++; looks%nudgeAt == 0 { // it looked at the repository in vain
			s.nudge(Repositories, Blueprints)
		}
		var workspaces []string
		for _, r := range s.revisions(Blueprints) {
			workspaces = append(workspaces, r.Spec.WorkspaceName)
		}
		return slices.Contains(workspaces, fmt.Sprintf("v%d", version)), fmt.Sprint("Porch sees ", workspaces)
	})
}

func (s *scenario) get(kind Kind, name string, into any) {
	s.Helper()
	s.check(s.cluster.Client.Get(s.Context(), kind, s.Namespace, name, into))
}

func (s *scenario) wait(what string, look func() (done bool, state string)) {
	s.Helper()
	s.check(s.cluster.Wait(s.Context(), s.Namespace+": "+what, func() (bool, string, error) {
		done, state := look()
		return done, state, nil
	}))
}

// nudge makes Porch look at an object at once: after an error it waits longer each time.
func (s *scenario) nudge(kind Kind, name string) {
	s.Helper()
	s.check(s.cluster.Client.Nudge(s.Context(), kind, s.Namespace, name))
}

type condition struct{ Type, Status, Reason, Message string }

func find(conditions []condition, kind string) condition {
	for _, c := range conditions {
		if c.Type == kind {
			return c
		}
	}
	return condition{}
}

// variant is what tests look at in a PackageVariant.
type variant struct {
	Metadata struct{ Name, UID string }
	Spec     struct {
		Labels     map[string]string
		Downstream struct{ Repo, Package string }
	}
	Status struct {
		Conditions        []condition
		DownstreamTargets []struct{ Name string }
	}
}

func (v variant) ready() condition { return find(v.Status.Conditions, "Ready") }

// isReady reports whether Porch has made the variant's package.
func (v variant) isReady() bool {
	return v.ready().Status == "True" && len(v.Status.DownstreamTargets) == 1
}

// isRefused reports whether functions, or Porch itself, refuse the package.
func (v variant) isRefused() bool {
	return v.ready().Status == "False" && (strings.Contains(v.ready().Message, "fn.render:") || strings.Contains(v.ready().Message, "cannot update upstream of downstream"))
}

// revision is what tests look at in a PackageRevision.
type revision struct {
	Metadata struct {
		Name            string
		ResourceVersion string
		OwnerReferences []struct{ UID string }
	}
	Spec struct {
		PackageName    string
		Repository     string
		WorkspaceName  string
		Revision       int
		Lifecycle      string
		Tasks          []struct{ Type string }
		ReadinessGates []struct{ ConditionType string }
	}
	Status struct {
		Conditions   []condition
		UpstreamLock struct {
			Git struct{ Ref, Commit string }
		}
	}
}

// revisions are the package revisions of a repository, by their names.
func (s *scenario) revisions(repository string) []revision {
	s.Helper()
	all, err := List[revision](s.Context(), s.cluster.Client, PackageRevisions, s.Namespace)
	s.check(err)
	all = slices.DeleteFunc(all, func(r revision) bool { return r.Spec.Repository != repository })
	slices.SortFunc(all, func(a, b revision) int { return strings.Compare(a.Metadata.Name, b.Metadata.Name) })
	return all
}

// downstream is the revision that a variant made, or is about to make, in a workspace such
// as packagevariant-1.
func (s *scenario) downstream(repository, workspace string) revision {
	s.Helper()
	for _, r := range s.revisions(repository) {
		if r.Spec.WorkspaceName == workspace {
			return r
		}
	}
	s.Fatalf("%s has no revision %s", repository, workspace)
	return revision{}
}

// variants are the PackageVariants by their repositories.
func (s *scenario) variants() map[string]variant {
	s.Helper()
	list, err := List[variant](s.Context(), s.cluster.Client, PackageVariants, s.Namespace)
	s.check(err)
	variants := map[string]variant{}
	for _, v := range list {
		variants[v.Spec.Downstream.Repo] = v
	}
	return variants
}

// files are the files of a package revision.
func (s *scenario) files(name string) map[string]string {
	s.Helper()
	var resources struct {
		Spec struct{ Resources map[string]string }
	}
	s.get(PackageRevisionResources, name, &resources)
	return resources.Spec.Resources
}

// update changes an object of Porch, again when another client was faster or Porch has an
// error that passes.
func (s *scenario) update(kind Kind, name, subresource string, change func(Object)) error {
	s.Helper()
	var err error
	s.wait("the update of "+name, func() (bool, string) {
		var object Object
		s.get(kind, name, &object)
		change(object)
		err = s.cluster.Client.Update(s.Context(), kind, s.Namespace, name, subresource, object)
		return err == nil || codeOf(err) != http.StatusConflict && !s.isPassing(name, err.Error()), fmt.Sprint(err)
	})
	return err
}

// setLifecycle proposes or approves a revision by the API.
func (s *scenario) setLifecycle(name, lifecycle string) error {
	s.Helper()
	subresource := ""
	if lifecycle == "Published" {
		subresource = "approval"
	}
	return s.update(PackageRevisions, name, subresource, func(o Object) { o["spec"].(map[string]any)["lifecycle"] = lifecycle })
}

// approve publishes a draft by the API.
func (s *scenario) approve(name string) {
	s.Helper()
	s.check(s.setLifecycle(name, "Proposed"))
	s.check(s.setLifecycle(name, "Published"))
}

// edit changes files of a draft, as a user does who pulls and pushes it.
func (s *scenario) edit(name string, change func(files map[string]any)) error {
	s.Helper()
	return s.update(PackageRevisionResources, name, "", func(o Object) {
		change(o["spec"].(map[string]any)["resources"].(map[string]any))
	})
}

// expectRefusal expects that Porch refuses a variant with these rules.
func (s *scenario) expectRefusal(v variant, rules ...string) {
	s.Helper()
	if v.isReady() {
		s.Errorf("%s is ready, want a refusal by %v", v.Metadata.Name, rules)
	}
	for _, rule := range rules {
		if !strings.Contains(v.ready().Message, "["+rule+"]") {
			s.Errorf("%s: %s is not in %q", v.Metadata.Name, rule, v.ready().Message)
		}
	}
}

// porchctl runs porchctl in the namespace of the scenario.
func (s *scenario) porchctl(arguments ...string) (string, error) {
	s.Helper()
	return s.cluster.Porchctl(s.Context(), append(arguments, "--namespace", s.Namespace)...)
}

// example are the files of the examples, and exampleSet those of its objects.
func example(t *testing.T) (blueprint map[string]string, objects map[string]string) {
	t.Helper()
	theCluster(t)
	blueprint, err := ReadFolder(shared.example.Blueprint, ".expected")
	if err == nil {
		objects, err = ReadFolder(shared.example.Set, ".expected")
	}
	if err != nil {
		t.Fatal(err)
	}
	return blueprint, objects
}

// only keeps the documents with these names.
func only(t *testing.T, documents string, names ...string) string {
	t.Helper()
	var kept []string
	for document := range strings.SplitSeq(documents, "\n---\n") {
		var head struct{ Metadata struct{ Name string } }
		if err := yaml.Unmarshal([]byte(document), &head); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(names, head.Metadata.Name) {
			kept = append(kept, document)
		}
	}
	if len(kept) != len(names) {
		t.Fatalf("of %v found %d", names, len(kept))
	}
	return strings.Join(kept, "\n---\n")
}

// replace replaces a text in a file, which must be there once.
func replace(t *testing.T, files map[string]string, name, old, replacement string) map[string]string {
	t.Helper()
	if n := strings.Count(files[name], old); n != 1 {
		t.Fatalf("%s has %q %d times, want once:\n%s", name, old, n, files[name])
	}
	changed := maps.Clone(files)
	changed[name] = strings.Replace(files[name], old, replacement, 1)
	return changed
}
