package porchcluster

import (
	"testing"
)

// TestExamples runs the examples as they are: ten clusters, of which two are refused.
func TestExamples(t *testing.T) {
	s := newScenario(t, "examples")
	blueprint, objects := example(t)
	for version := 1; version <= 3; version++ {
		s.publish(version, blueprint)
	}
	for _, name := range []string{"repositories.yaml", "clusters.yaml", "set.yaml"} {
		s.apply(name, objects[name])
	}
	variants := s.await("all variants are ready or refused", 10, func(v variant) bool { return v.isReady() || v.isRefused() })
	p := s.preview()
	refused := 0
	for repository, v := range variants {
		outcome, rules := p.outcome(repository)
		switch {
		case v.isRefused():
			refused++
			if outcome == deployable {
				t.Errorf("%s: Porch rejects it: %s", repository, v.ready().Message)
			}
			s.expectRefusal(v, rules...)
		case outcome != deployable:
			t.Errorf("%s: Porch makes it, and packfn says %q, %v", repository, outcome, rules)
		default:
			comparePackages(t, repository, s.files(v.Status.DownstreamTargets[0].Name), p.files(t, repository, "platform"))
		}
	}
	if refused != 2 {
		t.Errorf("%d are rejected, want 2%s", refused, s.states(variants))
	}
}
