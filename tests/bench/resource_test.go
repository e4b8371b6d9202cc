package main

import (
	"bytes"
	"os/exec"
	"strings"
	"testing"
)

// All that the packs of the row ask for is counted, and the pool has enough.
func TestResourcesAreCounted(t *testing.T) {
	var in bytes.Buffer
	if err := resourceList(10)(&in); err != nil {
		t.Fatal(err)
	}
	command := exec.Command(checkResources.file(programs))
	command.Stdin = &in
	out, err := command.Output()
	// Ten components of each pack ask for 100m, and have 1 to 5 replicas.
	if err != nil || !strings.Contains(string(out), "packs need cpu 30000m of 6400000m (<1%), memory 38400Mi of 25600Gi (<1%), diskSize 100G of 100000G (<1%) [resources/summary]") {
		t.Errorf("got %v, and %.3000s", err, out[max(0, len(out)-3000):])
	}
}
