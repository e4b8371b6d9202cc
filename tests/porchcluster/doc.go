// Package porchcluster runs a whole Porch on this machine: etcd, an API server of Kubernetes,
// Porch's server, function runner and controllers, and git over HTTP. It needs no cluster
// and no containers.
//
//	programs, err := porchcluster.Build(ctx, os.Stderr)  // from the module proxy, once
//	cluster, err := porchcluster.Start(ctx, porchcluster.Options{Programs: programs, …})
//	defer cluster.Close()
//
// Its tests drive the examples of the suite through Porch and compare the packages that
// Porch makes with those that `packfn fleet` predicts. It is a module of its own, so that
// the functions do not depend on it, and the programs are built from modules below
// programs/, whose dependencies exclude each other.
package porchcluster
