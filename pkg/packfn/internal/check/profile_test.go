package check

import (
	"testing"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/transfer"
	"github.com/krm-packs/functions/pkg/values"
)

// A source whose files differ from the imported files is not the baseline.
func TestProfileOfAnotherSource(t *testing.T) {
	own, err := values.Parse("version: 1.0.0\n")
	if err != nil {
		t.Fatal(err)
	}
	dir := folderOf(t, map[string]string{"pack.json": `{"name": "web", "version": "1.0.0"}`, "values.yaml": own.Text()})
	c := &checker{Options: Options{Library: Library{Sources: []string{dir}}}, report: &report.Report{}}
	if err := c.openSources(); err != nil {
		t.Fatal(err)
	}
	p, err := packdir.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	record := transfer.RecordOf(p)
	if found := c.baseline(&pack.Pack{Name: "web", Imported: record.String()}); found == nil || !values.Equal(found.Root(), own.Root()) {
		t.Errorf("%v", found)
	}
	record.SHA256["values.yaml"] = "other"
	if found := c.baseline(&pack.Pack{Name: "web", Imported: record.String()}); found != nil {
		t.Errorf("%v", found)
	}
}
