package packfn

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"
	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// upgradesFile has what upgrades of public packs break, each line looked at by hand.
const upgradesFile = "testdata/public-upgrades.txt"

// Each public pack is upgraded to its next version: what a cluster refuses, or what deletes data or stops a workload, is a
// line of upgradesFile. Without TEST_ALL only the packs in that file are tried.
func TestUpgradesOfPublicPacks(t *testing.T) {
	type version struct {
		*semver.Version
		dir string
	}
	versions := map[string][]version{}
	for _, file := range functiontest.Corpus(t, "packs/*/pack.json") {
		var metadata struct{ Name, Version string }
		text, err := os.ReadFile(file)
		if err != nil || json.Unmarshal(text, &metadata) != nil {
			continue
		}
		if v, err := semver.NewVersion(metadata.Version); err == nil {
			versions[metadata.Name] = append(versions[metadata.Name], version{v, filepath.Dir(file)})
		}
	}
	text, err := os.ReadFile(upgradesFile)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	known := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			want = append(want, line)
			known[strings.Fields(line)[0]] = true
		}
	}
	var got []string
	compared := 0
	for name, all := range versions {
		if !known[name] && os.Getenv("TEST_ALL") == "" {
			continue
		}
		slices.SortFunc(all, func(a, b version) int { return a.Compare(b.Version) })
		for i := 1; i < len(all); i++ {
			dir := t.TempDir()
			write(t, filepath.Join(dir, "Kptfile"), kptfileText)
			if out := packfn(t, dir, "import", all[i-1].dir, "--to", dir); out.exit != 0 {
				continue
			}
			out := packfn(t, dir, "upgrade", dir, all[i].dir, "--from", all[i-1].dir, "--template", "--kube-version", "1.33.0", "--format", "json")
			var report struct {
				Findings []struct {
					Rule, Severity, Field string
					Resource              struct{ Kind, Name string }
				}
			}
			if err := json.Unmarshal([]byte(out.stdout), &report); err != nil {
				t.Errorf("%s %s to %s: %v\n%s", name, all[i-1], all[i], err, out.stderr)
				continue
			}
			isRendered := true
			for _, f := range report.Findings {
				isRendered = isRendered && f.Rule != "values/chart-fails"
				switch f.Rule {
				case "upgrade/immutable", "upgrade/removed-crd", "upgrade/removed-claim", "upgrade/removed-api", "upgrade/renamed":
					got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s to %s: %s %s: %s %s %s", name, all[i-1], all[i], f.Severity, f.Rule, f.Resource.Kind, f.Resource.Name, f.Field)))
				}
			}
			if isRendered {
				compared++
			}
		}
	}
	slices.Sort(got)
	t.Logf("%d upgrades were compared", compared)
	if compared < len(known) {
		t.Errorf("only %d upgrades were compared", compared)
	}
	if os.Getenv("UPDATE") != "" {
		head := "# What upgrades of public packs break, by Kubernetes 1.33: each line was looked at, and is true.\n"
		write(t, upgradesFile, head+strings.Join(got, "\n")+"\n")
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
