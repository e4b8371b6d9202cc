package schema

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// A required value that the user's file has elsewhere is reported there.
func TestRequiredElsewhere(t *testing.T) {
	const rules = "charts.prisma-cloud.licenseKey: {schema: '{{ required }}'}\nimages.ui: {schema: '{{ required }}'}\nimages.api: {schema: '{{ required }}'}"
	const own = "charts: {prisma-cloud: {host: a, tls: {}}}\nimages: {ui: x, api: y}"
	const lists = "\nhosts.$[].port: {schema: '{{ required }}'}\nhosts.$[].tls.key: {schema: '{{ required }}'}"
	const missing = "error values/required absent text key=charts.prisma-cloud.licenseKey missing="
	for _, tc := range []struct {
		name, override string
		want           []string
	}{
		{"one step too high", "charts:\n  prisma-cloud: {}\n  licenseKey: x", []string{"error values/required layer1 text key=charts.licenseKey at=3:3"}},
		{"at the root", "licenseKey: x", []string{"error values/required layer1 text key=licenseKey at=1:1"}},
		{"one step too deep", "charts: {prisma-cloud: {tls: {licenseKey: x}}}", []string{"error values/required layer1 text key=charts.prisma-cloud.tls.licenseKey at=1:31"}},
		{"empty elsewhere", "charts: {licenseKey: ''}", []string{missing}},
		{"nowhere", "charts: {prisma-cloud: {host: b}}", []string{missing}},
		{"a list in place of the map", "images: [{ui: x}]\ncharts: {prisma-cloud: {licenseKey: x}}", []string{
			`error values/required layer1 text key=images at=1:9 got="a list that replaces the pack's map" want="a map with the required key ui"`}},
		{"nothing in place of the map", "images:\ncharts: {prisma-cloud: {licenseKey: x}}", []string{
			`error values/required layer1 text key=images at=1:8 got="null that replaces the pack's map" want="a map with the required key ui"`}},
	} {
		got := functiontest.Facts(parseSchema(t, rules).Check(layered(t, layers{own, tc.override})))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	// What is below a list is not meant by a key beside the list, but by one in its element.
	for name, tc := range map[string]struct {
		own, override string
		want          []string
	}{
		"beside the list":   {"hosts: [{name: x, tls: {key: y}}]", "port: 5", []string{"error values/required absent text key=hosts[0].port missing="}},
		"above in an entry": {"hosts: []", "hosts: [{port: 1, key: y, tls: {}}]", []string{"error values/required layer1 text key=hosts[0].key at=2:19"}},
	} {
		got := functiontest.Facts(parseSchema(t, rules+lists).Check(layered(t, layers{own + "\n" + tc.own, "charts: {prisma-cloud: {licenseKey: x}}\n" + tc.override})))
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
	// The pack's own key of that name is not a mistake.
	got := functiontest.Facts(parseSchema(t, rules).Check(layered(t, layers{own + "\nlicenseKey: y", "licenseKey: x"})))
	if diff := cmp.Diff([]string{missing}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
