package comments

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/values"
)

func parse(t *testing.T, text string) *values.Document {
	t.Helper()
	d, err := values.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The comments of the user are written at the same entries of the next version. Those of the imported version are not
// the user's, and those whose entry is gone are named.
func TestKeep(t *testing.T) {
	base := parse(t, `# the imported version
server:
  port: 8200
  tls: true # by default
old: 1
`)
	user := parse(t, `# the imported version
server: # the API
  # must be free: the load balancer has 8200
  port: 8201
  tls: true # by default
old: 1 # not read
# the end
`)
	next := parse(t, `server:
  host: vault
  port: 8201
  tls: true
`)
	kept, dropped := Keep(next, user, base)
	want := `server: # the API
  host: vault
  # must be free: the load balancer has 8200
  port: 8201
  tls: true
# the end
`
	if diff := cmp.Diff(want, kept.Text()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"old"}, dropped); diff != "" {
		t.Errorf("dropped (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"server.tls", "old", "server", "server.port", "the end"}, Dropped(user, next)); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
}
