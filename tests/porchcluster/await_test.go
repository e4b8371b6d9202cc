package porchcluster

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// passing are errors of Porch that passed when it tried again.
var passing = []string{"ref file is empty", "remote not found", `branch "main" doesn't exist`, "the object has been modified"}

// isPassing reports whether an error of Porch passes, and counts it.
func (s *scenario) isPassing(name, message string) bool {
	for _, known := range passing {
		if strings.Contains(message, known) {
			s.seen[name+": "+known]++
			return true
		}
	}
	return false
}

// nudgeAt is the number of looks at the same error after which Porch is nudged.
const nudgeAt = 10

// await waits until each of n variants is as settled says, and returns them. It nudges
// those that have an error that passes.
func (s *scenario) await(what string, n int, settled func(variant) bool) map[string]variant {
	s.Helper()
	var variants map[string]variant
	looks := 0
	s.check(s.cluster.Wait(s.Context(), s.Namespace+": "+what, func() (bool, string, error) {
		variants = s.variants()
		done, isTurn := 0, looks%nudgeAt == 0
		for _, v := range variants {
			if settled(v) {
				done++
			} else if isTurn && v.ready().Status == "False" && s.isPassing(v.Metadata.Name, v.ready().Message) {
				s.nudge(PackageVariants, v.Metadata.Name)
			}
		}
		sets, err := s.sets(isTurn)
		isDone := len(variants) == n && done == n
		if isDone || isTurn {
			isDone = !s.repair(variants) && isDone
		}
		looks++
		return isDone, fmt.Sprintf("%d of %d:%s%s%s", done, n, s.states(variants), sets, s.revs()), err
	}))
	return variants
}

// flaw is what Porch leaves wrong in a package revision of a variant, empty for nothing:
//
//   - When Porch reads a repository again while it makes a package there, it can replace the
//     owner and the labels of the package by none. The variant does not know its package any
//     more and clones the upstream again. That second draft blocks upgrades for ever.
//   - When a render fails, Porch deletes the draft again. If that fails, too, an empty draft
//     is left that blocks everything else.
func flaw(r revision, v variant) string {
	number, isOurs := strings.CutPrefix(r.Spec.WorkspaceName, "packagevariant-")
	isDraft := r.Spec.Lifecycle == "Draft"
	switch {
	case !isOurs || r.Spec.PackageName != v.Spec.Downstream.Package:
		return ""
	case len(r.Metadata.OwnerReferences) == 0:
		return lostOwner
	case isDraft && len(r.Spec.Tasks) == 0 && strings.Contains(v.ready().Message, "nil resources found"):
		return "it was empty"
	case isDraft && len(r.Spec.Tasks) > 0 && r.Spec.Tasks[0].Type == "clone" && number != "1":
		return "it was made in place of another"
	}
	return ""
}

const lostOwner = "its owner was lost"

// repair gives packages back to the variants that they were lost to, deletes drafts that
// are in the way, and reports whether there are any.
func (s *scenario) repair(variants map[string]variant) (found bool) {
	s.Helper()
	all, err := List[revision](s.Context(), s.cluster.Client, PackageRevisions, s.Namespace)
	s.check(err)
	for _, r := range all {
		name, v := r.Metadata.Name, variants[r.Spec.Repository]
		wrong := flaw(r, v)
		if wrong == "" {
			continue
		}
		found = true
		message := name + ": " + wrong
		if s.met[message]++; s.met[message] == 1 {
			continue // Porch may be making it
		}
		s.seen[message]++
		if wrong != lostOwner {
			if err := s.cluster.Client.Delete(s.Context(), PackageRevisions, s.Namespace, name); err != nil {
				s.Logf("it is deleted later: %v", err)
			}
			continue
		}
		s.check(s.update(PackageRevisions, name, "", func(o Object) {
			metadata := o["metadata"].(map[string]any)
			metadata["labels"] = v.Spec.Labels
			metadata["ownerReferences"] = []Object{{
				"apiVersion": PackageVariants.APIVersion, "kind": PackageVariants.Kind, "controller": true,
				"name": v.Metadata.Name, "uid": v.Metadata.UID,
			}}
		}))
	}
	return found
}

// sets says where sets are. An error is one that does not pass.
func (s *scenario) sets(nudge bool) (states string, err error) {
	s.Helper()
	sets, err := List[variant](s.Context(), s.cluster.Client, PackageVariantSets, s.Namespace)
	s.check(err)
	for _, set := range sets {
		stalled := find(set.Status.Conditions, "Stalled")
		states += fmt.Sprintf("\n%s: Stalled %s %q", set.Metadata.Name, stalled.Status, stalled.Message)
		switch {
		case stalled.Status != "True" || stalled.Reason == "UpstreamNotFound" || !nudge:
		case s.isPassing(set.Metadata.Name, stalled.Message):
			s.nudge(PackageVariantSets, set.Metadata.Name)
		default:
			err = fmt.Errorf("the set %s is stalled: %s: %s", set.Metadata.Name, stalled.Reason, stalled.Message)
		}
	}
	return states, err
}

// states says where variants are.
func (s *scenario) states(variants map[string]variant) string {
	var b strings.Builder
	for _, repository := range slices.Sorted(maps.Keys(variants)) {
		v := variants[repository]
		fmt.Fprintf(&b, "\n%s: Ready %s %q, Stalled %q, %v", v.Metadata.Name, v.ready().Status, v.ready().Message, find(v.Status.Conditions, "Stalled").Message, v.Status.DownstreamTargets)
	}
	return b.String()
}

// revs are the names of the package revisions that Porch has stored.
func (s *scenario) revs() string {
	s.Helper()
	revs, err := List[revision](s.Context(), s.cluster.Client, packageRevs, s.Namespace)
	s.check(err)
	var names []string
	for _, r := range revs {
		names = append(names, r.Metadata.Name)
	}
	return "\n" + strings.Join(names, " ")
}

// TestFlaw shows what is repaired, and that nothing else is.
func TestFlaw(t *testing.T) {
	for name, test := range map[string]struct{ revision, message, want string }{
		"first":                 {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-1, lifecycle: Draft, tasks: [{type: clone}]}}`, "", ""},
		"upgrade":               {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Draft, tasks: [{type: upgrade}]}}`, "", ""},
		"edit":                  {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Draft, tasks: [{type: edit}]}}`, "", ""},
		"of a user":             {`{spec: {packageName: p, workspaceName: bare, lifecycle: Draft, tasks: [{type: clone}]}}`, "", ""},
		"of another package":    {`{spec: {packageName: q, workspaceName: packagevariant-2, lifecycle: Draft, tasks: [{type: clone}]}}`, "", ""},
		"lost":                  {`{spec: {packageName: p, workspaceName: packagevariant-1, lifecycle: Published, tasks: [{type: clone}]}}`, "", lostOwner},
		"second":                {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Draft, tasks: [{type: clone}]}}`, "", "it was made in place of another"},
		"second, and published": {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Published, tasks: [{type: clone}]}}`, "", ""},
		"being deleted":         {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Draft}}`, "fn.render: it fails", ""},
		"empty":                 {`{metadata: {ownerReferences: [{uid: a}]}, spec: {packageName: p, workspaceName: packagevariant-2, lifecycle: Draft}}`, "nil resources found for PackageRevisionResources 'a/b'", "it was empty"},
	} {
		t.Run(name, func(t *testing.T) {
			var r revision
			if err := yaml.Unmarshal([]byte(test.revision), &r); err != nil {
				t.Fatal(err)
			}
			var v variant
			v.Spec.Downstream.Package = "p"
			v.Status.Conditions = []condition{{Type: "Ready", Status: "False", Message: test.message}}
			if got := flaw(r, v); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
