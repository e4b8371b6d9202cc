package policy

import "testing"

// Paths are near when one node is a slip, and not because they begin alike.
func TestNearestPath(t *testing.T) {
	known := []string{"cap.attribute.cloud.provider.aws", "cap.interface.database.postgresql.install"}
	for path, want := range map[string]string{
		"cap.interface.database.postgresql.instal": known[1],
		"cap.interface.database.postgres.install":  known[1],
		"cap.interface.databasepostgresql.install": known[1],
		"cap.attribute.cloud.provider.gcp":         "",
		"cap.attribute.cloud.provider.awz":         known[0],
		"cap.attribute.clud.provider.aws":          known[0],
		"cap.attribute.clud.providr.aws":           "",
		"cap.interface.database.mysql.install":     "",
		known[0]:                                   "",
	} {
		if got := nearestPath(path, known); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	if got := nearestPath("bluster.a", []string{"cluster.a"}); got != "cluster.a" {
		t.Errorf("got %q for a slip in the first letter", got)
	}
}
