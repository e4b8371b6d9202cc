// Package hostile checks that functions take time and memory in proportion to hostile
// inputs: lists that were made to be expensive, each at two sizes in one run.
package hostile
