package schema

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

// Public packs have placeholders that their charts use as they are. Each was read.
func TestPlaceholdersOfPublicPacks(t *testing.T) {
	read := []string{
		"kubewatch-3.5.0 charts.kubewatch.slack.channel", "kubewatch-3.5.0 charts.kubewatch.slack.token",
		"oauth2-proxy-8.2.0 charts.oauth2-proxy.config.clientID", "oauth2-proxy-8.2.0 charts.oauth2-proxy.config.clientSecret", "oauth2-proxy-8.2.0 charts.oauth2-proxy.config.cookieSecret",
	}
	for _, file := range functiontest.Corpus(t, "packs/*/values.yaml") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		document, err := values.Parse(string(text))
		if err != nil {
			continue // of several documents
		}
		c := newChecker(&Schema{}, Values{Tree: values.Merge(values.Layer{Document: document}), Layers: []*values.Document{document}}, func(f diag.Finding) {
			if found := filepath.Base(filepath.Dir(file)) + " " + f.Key; !slices.Contains(read, found) {
				t.Errorf("%s is reported as a placeholder", found)
			}
		})
		c.placeholders()
	}
}
