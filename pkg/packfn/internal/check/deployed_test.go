package check

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/packfn/internal/chart"
	"github.com/krm-packs/functions/pkg/packfn/internal/deploy"
	"github.com/krm-packs/functions/pkg/packfn/internal/discovery"
	"github.com/krm-packs/functions/pkg/packfn/internal/packdir"
	"github.com/krm-packs/functions/pkg/packfn/internal/report"
	"github.com/krm-packs/functions/pkg/packfn/internal/sets"
	"github.com/krm-packs/functions/pkg/rule"
)

// The charts of a pack are the charts of its version, or of an archive if no directory has them. Without
// charts, the reason names what is at hand.
func TestChartsOf(t *testing.T) {
	c := &checker{atHand: atHand{charts: []*packdir.Pack{{Dir: "old", Name: "a", Version: "1"}, {Dir: "new", Name: "a", Version: "2"}, {Dir: "other", Name: "b", Version: "1"}}}}
	archives := func(name, version string) string {
		if name == "b" {
			return ""
		}
		return name + "-" + version
	}
	own := &unit{joined: []*sets.Joined{{Pack: &packdir.Pack{Dir: "own"}}}}
	for _, tc := range []struct {
		unit          *unit
		archive       func(name, version string) string
		registries    []string
		name, version string
		dir, why      string
	}{
		{&unit{}, nil, nil, "a", "1", "old", ""}, {&unit{}, nil, nil, "a", "2", "new", ""}, {&unit{}, nil, nil, "b", "1", "other", ""}, {&unit{}, nil, nil, "c", "1", "", ""},
		{&unit{}, nil, nil, "a", "3", "", "the charts at hand are of a 2"}, {&unit{}, nil, nil, "b", "3", "", "the charts at hand are of b 1"},
		{&unit{}, archives, nil, "a", "1", "old", ""}, {&unit{}, archives, nil, "a", "4", "a-4", ""}, {&unit{}, archives, nil, "c", "1", "c-1", ""}, {&unit{}, archives, nil, "b", "4", "", "the charts at hand are of b 1"},
		{&unit{}, nil, []string{"oci://a/b", "oci://c"}, "c", "1", "", "the cache has no archive of it from oci://a/b and oci://c"},
		{own, nil, nil, "a", "1", "own", ""},
	} {
		c.Archive, c.Registries = tc.archive, tc.registries
		if dir, why := c.chartsOf(tc.unit, &pack.Pack{Name: tc.name, Version: tc.version}); dir != tc.dir || why != tc.why {
			t.Errorf("%s %s: got %q, %q", tc.name, tc.version, dir, why)
		}
	}
}

// A directory of charts must be a pack. A source that is none is left out.
func TestOpenCharts(t *testing.T) {
	dir := folderOf(t, map[string]string{"good/pack.json": `{"name": "a", "version": "1"}`, "bad/pack.json": "{", "none/x": "", "helm/web/Chart.yaml": "name: web"})
	at := func(names ...string) (all []string) {
		for _, name := range names {
			all = append(all, filepath.Join(dir, name))
		}
		return all
	}
	for name, tc := range map[string]struct {
		charts, sources []string
		found           int
		want, note      string
	}{
		"charts":           {at("good"), nil, 1, "", ""},
		"sources":          {nil, at("good"), 1, "", ""},
		"bad charts":       {at("bad"), nil, 0, "pack.json: line 1", ""},
		"bad sources":      {nil, at("bad", "good"), 1, "", "outside: a pack of a source cannot be read: "},
		"no charts":        {at("none"), at("good"), 0, "none holds no pack", ""},
		"no sources":       {at("good"), at("none"), 1, "source " + dir + "/none: ", ""},
		"charts of Helm":   {at("helm"), at("good"), 1, "", ""},
		"charts, not read": {at("good", "bad"), at("good"), 1, "pack.json: line 1", ""},
	} {
		c := &checker{Options: Options{Library: Library{Charts: tc.charts, Sources: tc.sources}}, report: &report.Report{}, tree: sets.New(discovery.NewTree(".", &discovery.Options{}), sets.Options{}), atHand: atHand{catalog: &chart.Catalog{}}}
		err := c.openCharts()
		if tc.want == "" && err != nil || tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || strings.HasPrefix(err.Error(), "source ") != strings.HasPrefix(tc.want, "source ")) {
			t.Errorf("%s: got %v", name, err)
		}
		left := ""
		for _, s := range c.report.Skipped {
			left += string(s.Reason) + ": " + s.Message
		}
		if len(c.charts) != tc.found || !strings.HasPrefix(left, tc.note) || (left == "") != (tc.note == "") {
			t.Errorf("%s: got %d directories, %q", name, len(c.charts), left)
		}
	}
}

// What is reported of a render depends on who asks: a check of packages, of pack directories,
// or a command that renders.
func TestFindingsOfRender(t *testing.T) {
	unsure := diag.Say("unsure").Of(rule.ValuesChartFails)
	unsure.Tags = map[string]string{deploy.TagUnsure: "true"}
	all := []diag.Finding{diag.Say("fails").Of(rule.ValuesChartFails), unsure, diag.Say("other").Of(rule.ValuesChartVersion)}
	isDeployed := func(*deploy.Rendered) {}
	for name, tc := range map[string]struct {
		pack     *packdir.Pack
		options  Options
		deployed func(*deploy.Rendered)
		want     string
	}{
		"a package":                     {nil, Options{}, nil, "fails error, unsure info"},
		"a pack directory":              {&packdir.Pack{}, Options{}, nil, "fails warning, unsure info"},
		"a pack directory, as deployed": {&packdir.Pack{}, Options{AsDeployed: true}, nil, "fails error, unsure info"},
		"a render":                      {nil, Options{}, isDeployed, "fails error, unsure error, other error"},
		"a render of a pack directory":  {&packdir.Pack{}, Options{}, isDeployed, "fails error, unsure error, other error"},
	} {
		c := &checker{Options: tc.options, deployed: tc.deployed}
		var got []string
		for _, f := range c.ofTemplate(&unit{pack: tc.pack}, all) {
			got = append(got, f.Message()+" "+string(f.Level()))
		}
		if got := strings.Join(got, ", "); got != tc.want {
			t.Errorf("%s: got %s, want %s", name, got, tc.want)
		}
	}
}

// What cannot be rendered is one finding for each pack, in a report that is finished.
func TestDeployWithoutCharts(t *testing.T) {
	dir := folderOf(t, map[string]string{"Kptfile": kptfileHead, "b.yaml": packNamed("b"), "a.yaml": packNamed("a")})
	r, err := Deploy([]string{dir}, Options{Root: dir, Template: &deploy.Deployer{}}, func(*deploy.Rendered) { t.Error("a pack without charts is rendered") })
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range r.Findings {
		if f.Fingerprint == "" {
			t.Error("the report is not finished")
		}
		got = append(got, f.Rule+" "+f.File+" "+f.Pack)
	}
	if want := []string{"values/chart-fails a.yaml a", "values/chart-fails b.yaml b"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}
