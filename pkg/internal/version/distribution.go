package version

import (
	"slices"
	"strings"
)

// distributions are the words with which distributions of Kubernetes begin the suffix of
// a version. Digits, or r and digits, can follow: rancher1, rke2r1.
var distributions = []string{
	"aks", "ack", "aliyun", "cks", "docp", "d2iq", "eks", "eksd", "gke", "iks", "k0s", "k3s", "konvoy", "microk8s",
	"mirantis", "ocp", "oke", "okd", "openshift", "rancher", "rke", "rke2", "spectro", "tke", "tkg", "vmware",
}

// stages are the words that make any version a prerelease.
var stages = []string{"alpha", "beta", "rc"}

// isDistribution reports whether the words of a suffix begin with the name of a
// distribution.
func isDistribution(words []string) bool {
	return len(words) > 0 && slices.ContainsFunc(distributions, func(name string) bool { return isNumbered(words[0], name) })
}

// hasStage reports whether one of the words is alpha, beta or rc, with or
// without a number.
func hasStage(words []string) bool {
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(stages, func(stage string) bool { return isNumbered(word, stage) })
	})
}

// isNumbered reports whether a word is a name, with or without a number after it.
func isNumbered(word, name string) bool {
	rest, ok := strings.CutPrefix(word, name)
	rest = strings.TrimPrefix(rest, "r")
	return ok && (rest == "" || isNumber(rest))
}
