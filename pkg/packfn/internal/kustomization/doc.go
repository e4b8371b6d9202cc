// Package kustomization reads which files a kustomization names, and which fields of it change resources. It runs
// nothing: check reads the files that kustomize would read, and reports the changes that it does not make.
package kustomization
