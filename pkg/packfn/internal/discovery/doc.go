// Package discovery finds what is in the paths that the user names:
//
//	packs/vault-0.6.0/pack.json     an input: a pack directory
//	clusters/dev/Kptfile            an input: a package
//	clusters/fleet.yaml             a file of the tree, if it has a resource that the suite reads
//	charts/web/templates/a.yaml     skipped: it is in a chart
//
// It reads the files outside of packages, but checks nothing: what cannot be read, and what no check reads, is recorded
// for the report.
package discovery
