// Package program runs KRM functions of other suites as programs, in place of their containers.
//
// A program reads a ResourceList from its standard input and prints one, as kpt's `exec` runs it:
//
//	apiVersion: config.kubernetes.io/v1
//	kind: ResourceList
//	functionConfig: {apiVersion: v1, kind: ConfigMap, data: {namespace: prod}}
//	items:
//	- apiVersion: v1
//	  kind: Service
//	  metadata:
//	    name: web
//	    annotations: {internal.config.kubernetes.io/path: web.yaml, internal.config.kubernetes.io/index: '0'}
//
// What it prints is written into the items that it got, as far as it differs, so that all other bytes
// stay. Nothing runs unless the user allows it on the command line.
package program
