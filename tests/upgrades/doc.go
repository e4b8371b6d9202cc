// Package upgrades tests that presets survive upgrades of packages: by kpt pkg update, by the code that Porch upgrades
// packages with, and by packfn upgrade. The table of outcomes is in docs/presets.md.
package upgrades
