// Package outline finds what the text of a file shows by itself: its symbols (resources, keys, embedded
// documents), the ranges that an editor can fold, and links. A file that cannot be parsed has none of
// them.
package outline
