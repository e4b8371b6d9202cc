// Package content determines what a file contains: a resource that the suite reads, or would read if it had no typo, or a
// document of a known form that is no resource, such as the schema.yaml of a pack. discovery asks it about files outside of
// packages, and check about documents in packages.
package content
