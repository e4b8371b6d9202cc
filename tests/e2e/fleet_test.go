package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFleet previews the fleet of the examples, and looks for the table in the README that shows it.
func TestFleet(t *testing.T) {
	if _, err := functions(); err != nil {
		t.Fatal(err)
	}
	kpt, _ := pinned(t)
	f := Fleet{Kpt: kpt.Path, Bin: functionsBin(), Dir: t.TempDir(), Examples: filepath.Join(root, "examples")}
	outcomes, err := f.Preview()
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	if err := Table(&table, outcomes); err != nil {
		t.Fatal(err)
	}
	readme := filepath.Join(root, "examples", "expand-variant-set-fleet", "README.md")
	text, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	const start, end = "$ make demo-fleet\n", "```"
	before, rest, ok := strings.Cut(string(text), start)
	shown, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s does not show what make demo-fleet prints", readme)
	}
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(readme, []byte(before+start+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		shown = table.String()
	}
	if diff := cmp.Diff(table.String(), shown); diff != "" {
		t.Errorf("the table is not the one of the README; UPDATE=1 writes it (-want +got):\n%s", diff)
	}
	var refused []string
	for _, o := range outcomes {
		if o.Failed {
			refused = append(refused, o.Cluster)
		}
	}
	if diff := cmp.Diff([]string{"ap-south-1", "eu-central-3"}, refused); diff != "" || len(outcomes) != 10 {
		t.Errorf("%d clusters; refused (-want +got):\n%s", len(outcomes), diff)
	}
	// A package that was rendered stays as it is when it is rendered again.
	pkg := filepath.Join(f.Dir, "eu-central-1", "platform")
	once, err := readTree(pkg)
	if err != nil {
		t.Fatal(err)
	}
	o, err := f.render(pkg, filepath.Join(f.Dir, "again"))
	if err != nil || o.Failed {
		t.Fatalf("the second render: %v, %q", err, o.Findings)
	}
	twice, err := readTree(pkg)
	if err != nil {
		t.Fatal(err)
	}
	if changes := once.changes(twice); changes != "" {
		t.Errorf("the second render changes\n%s", changes)
	}
}
