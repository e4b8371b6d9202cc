// Command kubeconform compares packfn check with the four checks as programs of their own,
// and with kubeconform, which validates the same values by the same rules written as JSON
// schemas. It prints the CPU time of each.
//
//	cd tests/kubeconform && go run . -packs 1000
//
// It is a module of its own, so that the functions do not depend on kubeconform.
package main
