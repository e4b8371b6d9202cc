// Package capact reads Capact's own files as the resources that package policy reads: manifests
// (OCF), policies, and TypeInstances as Capact prints them.
//
// The resources are at the places of the file, so findings about them are at its lines. The
// README of select-implementations has the table of what becomes what.
package capact
