package schema

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/krm-packs/functions/pkg/diag"
	"github.com/krm-packs/functions/pkg/function/functiontest"
	"github.com/krm-packs/functions/pkg/values"
)

func TestIsPlaceholder(t *testing.T) {
	for _, text := range []string{
		"REPLACE_ME", "replaceme", "Change-Me", "CHANGE ME", "fill_this", "TODO", "FIXME", "TBD", "PLACEHOLDER", "XXXX", "XXXXXXXXXXXXXXXX", " CHANGEME\n",
		"<your-token>", "<cluster-ID>", "<Ceph auth key corresponding to userID above>", "<password>", "YOUR_API_KEY", "your-bucket",
		"https://REPLACE_ME.example.com", "REPLACE_ME_WITH_TOKEN", "https://<your-domain>/x", "# why\ntoken: CHANGE_ME\n", "a: b\nc: <insert ID>\n",
	} {
		if !isPlaceholder(text) {
			t.Errorf("%q is none", text)
		}
	}
	for _, text := range []string{
		"", " ", "changeit", "XXX", "xxxx", "XXXXY", "example.com", "REPLACE_METHOD", "METHOD", "THIS", "todo", "placeholder", "replace", "your", "Replace the host",
		"<none>", "<No Value>", "<br>", "<>", "< a", "a < b", "a <b> c", "(?P<your>x)", "# set CHANGE_ME\na: b\n", "a: b # CHANGE_ME\n",
		"change" + strings.Repeat(" ", 100) + "me", "a <your " + strings.Repeat("a", 81) + ">",
	} {
		if isPlaceholder(text) {
			t.Errorf("%q is one", text)
		}
	}
}

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
