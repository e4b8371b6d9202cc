package fleet_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/packfn/fleet"
	"github.com/krm-packs/functions/pkg/packfn/report"
	"github.com/krm-packs/functions/pkg/values"
)

// What is kept changes no byte: of the example and of fleets in which lines were changed,
// doubled or lost, faults included.
func TestKeptIsEqual(t *testing.T) {
	count := uint64(20)
	if os.Getenv("TEST_ALL") != "" {
		count = 200
	}
	defer values.KeepRecent(0, 0)
	outcomes := map[fleet.Outcome]int{}
	for seed := range count {
		w := newWorld(t)
		random := rand.New(rand.NewPCG(seed, 1))
		for _, name := range []string{"set/clusters.yaml", "set/repositories.yaml", "set/set.yaml", "upstream/vault.yaml", "upstream/cert-manager.yaml", "upstream/Kptfile", "upstream/cluster.yaml"} {
			if seed > 0 {
				w.write(name, changedLines(random, w.read(name)))
			}
		}
		preview := func(bytesKept int, change func(*fleet.Options)) string {
			values.KeepRecent(bytesKept, fleet.MostRecentBytes)
			o := w.options()
			o.Like = fleet.Likes[seed%2]
			change(&o)
			p, err := fleet.Run(context.Background(), o)
			if err != nil {
				return err.Error()
			}
			var out bytes.Buffer
			if err := p.Write(&out, fleet.Print{Format: report.JSON}); err != nil {
				t.Fatal(err)
			}
			for i := range p.Rows {
				outcomes[p.Rows[i].Outcome]++
				for _, file := range p.Rows[i].Files {
					fmt.Fprintf(&out, "%s %s\n%s\n", p.Rows[i].Name(), file.Path, file.Text)
				}
			}
			return out.String()
		}
		want := preview(0, func(o *fleet.Options) { o.Forget() })
		if got := preview(fleet.RecentBytes, func(*fleet.Options) {}); got != want {
			t.Errorf("seed %d: the preview differs from one that keeps nothing\n%s", seed, cmp.Diff(want, got))
		}
	}
	if outcomes[fleet.Deployable] == 0 || outcomes[fleet.Refused] == 0 {
		t.Errorf("the outcomes were %v", outcomes)
	}
}

// changedLines returns a text in which some lines are changed.
func changedLines(random *rand.Rand, text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		switch random.IntN(120) {
		case 0: // lost
			continue
		case 1: // doubled
			out.WriteString(line)
		case 2:
			line = strings.Replace(line, "1", "7", 1)
		case 3:
			line = strings.TrimSuffix(line, "\n") + " # a comment\n"
		case 4:
			line = strings.Replace(line, "e", "a", 1)
		}
		out.WriteString(line)
	}
	return out.String()
}
