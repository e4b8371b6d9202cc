// Package capact reads Capact's own files as the resources that package policy reads: manifests
// (OCF), policies, and TypeInstances as Capact prints them.
//
// The resources are at the places of the file, so findings about them are at its lines. The
// README of select-implementations has the table of what becomes what.
//
// For example, this is a manifest of Capact and its resource:
//
//	ocfVersion: 0.0.1                  apiVersion: ocf.capact.io/v1alpha1
//	kind: Interface                    kind: Interface
//	metadata:                          spec:
//	  prefix: cap.interface.database     path: cap.interface.database.install
//	  name: install                      revision: 0.1.0
//	revision: 0.1.0
package capact
