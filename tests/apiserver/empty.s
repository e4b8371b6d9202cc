// An assembly file lets the package declare functions of another package, see go:linkname in cluster_test.go.
