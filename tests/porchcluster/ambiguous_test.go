package porchcluster

import (
	"strings"
	"testing"
)

// TestAmbiguousScalars has values without quotes that kpt and the API server read differently. The API server
// rejects them where a string is needed. Elsewhere Porch gets other values than those that are written, and
// packfn predicts the same ones and reports them.
func TestAmbiguousScalars(t *testing.T) {
	s := newScenario(t, "ambiguous")
	const second = "eu-central-2"
	blueprint, objects := example(t)
	write := func(name, old, replacement string) string {
		cluster := map[string]string{name: only(t, objects["clusters.yaml"], name)}
		return replace(t, cluster, name, old, replacement)[name]
	}
	for _, refused := range []struct{ field, cluster string }{
		{"spec.system.kubernetes.version", write(large, "version: 1.31.4", "version: 1.30")},
		{"spec.system.cluster.name", write(large, "      name: "+large+"\n", "      name: on\n")},
	} {
		err := s.Fleet.Apply(t.Context(), refused.cluster)
		if err == nil || !strings.Contains(err.Error(), refused.field+": expected string") {
			t.Errorf("the API server says %v, want that %s must be a string", err, refused.field)
		}
	}

	s.publish(3, blueprint)
	s.apply("repositories.yaml", only(t, objects["repositories.yaml"], large, second))
	s.apply("first.yaml", write(large, "DOMAIN: eu.example.com", "DOMAIN: 1.30"))
	s.apply("second.yaml", write(second, "DOMAIN: eu.example.com", "DOMAIN: on"))
	s.apply("set.yaml", pinned(t, objects["set.yaml"], "v3"))
	variants := s.await("the packages", 2, func(v variant) bool { return v.isReady() || v.isRefused() })
	p := s.preview()
	if !p.says("input/ambiguous-scalar") {
		t.Errorf("packfn finds %v", p.Sets)
	}
	for repository, domain := range map[string]string{large: "1.3", second: "true"} {
		v := variants[repository]
		outcome, rules := p.outcome(repository)
		switch {
		case v.isReady() != (outcome == deployable):
			t.Errorf("%s: Porch says %q, packfn %q, %v", repository, v.ready().Message, outcome, rules)
		case v.isReady():
			files := s.files(v.Status.DownstreamTargets[0].Name)
			if host := "vault." + repository + "." + domain + `"`; !strings.Contains(files["vault.yaml"], host) {
				t.Errorf("%s: the host is not %s:\n%s", repository, host, files["vault.yaml"])
			}
			comparePackages(t, repository, files, p.files(t, repository, v.Spec.Downstream.Package))
		default:
			t.Errorf("%s: Porch refuses the package: %s", repository, v.ready().Message)
		}
	}
}
