// Package content determines what a file outside of packages contains: a resource that the suite reads, or would read if
// it had no typo, or a document of a known form that is no resource, such as the schema.yaml of a pack.
package content
