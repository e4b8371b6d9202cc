package language

import (
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/internal/facts"
	"github.com/krm-packs/functions/pkg/values"
)

func TestReaders(t *testing.T) {
	read := func(keys ...string) *facts.Tree {
		t := &facts.Tree{Keys: map[string]*facts.Tree{}}
		for _, key := range keys {
			t.Keys[key] = &facts.Tree{}
		}
		return t
	}
	whole := read("all", facts.Any)
	whole.Keys["all"].Whole = true
	p := &facts.Pack{
		Charts: map[string]*facts.Chart{"web": {
			Name: "nginx", Version: "1.2.0", Reads: whole,
			Subcharts: map[string]*facts.Chart{"db": {Reads: read("port")}},
		}},
		Manifests: map[string]*facts.Tree{"vip": read("address")},
	}
	for path, want := range map[string]string{
		"charts.web.all.a.b": "the chart nginx 1.2.0", "charts.web.x": "the chart nginx 1.2.0", "charts.web.x.y": "", "charts.web.db.port": "the chart db", "charts.web.db.host": "", "charts.web.db": "the chart nginx 1.2.0",
		"manifests.vip.address": "the manifest vip", "manifests.vip.port": "", "charts.other.x": "", "other.web.all": "", "charts.web": "",
	} {
		if got := strings.Join(readersOf(p, values.Keys(strings.Split(path, ".")...)), ", "); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
}
