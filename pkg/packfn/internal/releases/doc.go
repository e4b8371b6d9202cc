// Package releases finds Helm releases in the files outside of packages, and reads what they name: values files,
// ConfigMaps, and charts in the repository or at hand.
package releases
