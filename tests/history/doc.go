// Package history tests that the result of a render depends on what a package declares, and
// not on how often, or with what, it was rendered before.
package history
