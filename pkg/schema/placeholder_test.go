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

// A placeholder is reported at the layer that supplies it, and none that has no effect.
func TestPlaceholders(t *testing.T) {
	const pack = "apiVersion: packs.kpt.dev/v1alpha1\nkind: Pack\nmetadata: {name: a}\nspec:\n  version: 1.0.0\n  values:\n    "
	over := func(values string) string {
		return "\n---\napiVersion: packs.kpt.dev/v1alpha1\nkind: PackValues\nmetadata: {name: o}\nspec: {packRef: {name: a}, values: " + values + "}\n"
	}
	const rule = "warning values/placeholder "
	for _, tc := range []krmCase{
		{"the pack's own", "", pack + "{token: XXXX}", []string{rule + "Pack/a spec.values.token key=token pack=a"}},
		{"of an override, in a list", "", pack + "{hosts: [a]}" + over("{hosts: [b, <your-host>]}"), []string{rule + "PackValues/o spec.values.hosts[1] key=hosts[1] pack=a"}},
		{"beside what an override sets", "", pack + "{a: {x: XXXX, y: XXXX}}" + over("{a: {x: b}}"), []string{rule + "Pack/a spec.values.a.y key=a.y pack=a"}},
		{"replaced", "", pack + "{token: XXXX}" + over("{token: a}"), nil},
		{"switched off", "", pack + "{a: {enabled: false, b: {token: XXXX}}, c: {create: false, id: <cluster-ID>}}", nil},
		{"switched on by an override", "", pack + "{a: {enabled: false, token: XXXX}}" + over("{a: {enabled: true}}"), []string{rule + "Pack/a spec.values.a.token key=a.token pack=a"}},
		{"switched by its own value", "", pack + "{enabled: [XXXX], token: TODO}", []string{rule + "Pack/a spec.values.enabled[0] key=enabled[0] pack=a", rule + "Pack/a spec.values.token key=token pack=a"}},
		{"in a text of many lines", "", pack + "config: |\n      # CHANGE_ME\n      key: CHANGE_ME\n", []string{rule + "Pack/a spec.values.config key=config pack=a"}},
		{"with another finding", "", pack + "{port: CHANGE_ME}\n  schema: {port: {schema: '{{ format \"${number}\" }}'}}", []string{`error values/format Pack/a spec.values.port key=port got="a string of 9 characters" want="a decimal number" pack=a`}},
		{"repeated by an alias", "", pack + "{a: &a {token: XXXX}, b: *a, c: {<<: *a}}", []string{rule + "Pack/a spec.values.a.token key=a.token pack=a"}},
	} {
		tc.run(t)
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
