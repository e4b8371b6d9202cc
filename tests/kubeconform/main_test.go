package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/tests/bench/generate"
)

// faults break a value, each by its own rule. Each schema has some of these rules.
var faults = [][2]string{
	{"replicas: ", "replicas: 12 # "}, {"tag: 2", "tag: latest # 2"}, {"type: ClusterIP", "type: clusterip"}, {"port: ", "port: 70000 # "},
	{".10 - ", ".10 "}, {"repository: registry.example.com/library/", "repository: registry-"}, {"hostname: ", "hostname: -"},
	{"enabled: true", "enabled: maybe"}, {"memory: \"128Mi\"", "memory: \"128\""}, {"port: ", "porto: "}, {"replicas: ", "replicas: many # "},
}

// values are those of the n-th pack: as generated, or with a fault in one component.
func values(n int) string {
	text := generate.Values(n)
	if n%(len(faults)+1) == 0 {
		return text
	}
	fault := faults[n%(len(faults)+1)-1]
	at := strings.Index(text, "\n"+generate.Components[n%len(generate.Components)]+":")
	return text[:at] + strings.Replace(text[at:], fault[0], fault[1], 1)
}

// packfn check and kubeconform refuse the same packs: what is measured is the same work.
func TestSameVerdicts(t *testing.T) {
	dir := t.TempDir()
	// Go does not link programs again that are there and current.
	bin, err := filepath.Abs("../../.cache/kubeconform")
	if err == nil {
		err = build(bin)
	}
	if err != nil {
		t.Fatal(err)
	}
	const packs = 132
	in, err := writeInput(dir, packs, values)
	if err != nil {
		t.Fatal(err)
	}
	ours, theirs := map[string]bool{}, map[string]bool{}
	output, _ := exec.Command(filepath.Join(bin, "packfn"), "check", in.pkg, "--format", "json").Output()
	file, err := report.ReadJSON(output)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range file.Findings {
		if strings.HasPrefix(f.Rule, "values/") {
			ours[f.Resource.Name] = true
		}
	}
	words := kubeconform(bin, in)
	output, _ = exec.Command(words[0], words[1:]...).Output()
	var results struct {
		Resources []struct{ Name, Status, Msg string }
	}
	if err := json.Unmarshal(output, &results); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	for _, r := range results.Resources {
		if r.Status != "statusInvalid" {
			t.Fatalf("kubeconform: %+v", r)
		}
		theirs[r.Name] = true
	}
	var differ []string
	for n := range packs {
		if name := packName(n); ours[name] != theirs[name] {
			differ = append(differ, fmt.Sprintf("%s: packfn %v, kubeconform %v, fault %v", name, ours[name], theirs[name], n%(len(faults)+1)))
		}
	}
	if slices.Sort(differ); len(differ) > 0 {
		t.Errorf("the verdicts differ:\n%s", strings.Join(differ, "\n"))
	}
	if len(ours) < packs/4 || len(ours) > packs-packs/(len(faults)+1) {
		t.Errorf("%d of %d packs are rejected", len(ours), packs)
	}
}
