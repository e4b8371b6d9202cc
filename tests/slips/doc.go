// Package slips misspells every name that the functions of the suite read in the resources of
// examples/, with every kind of typo, and checks that the function suggests the right name.
//
// The names are found, not listed. A name is read if a wrong value below it makes a
// difference that the same value below another name does not make. An example with a new
// field, or of a new function, is enough to have its names misspelt.
//
// A test runs one slip of each kind for each name. With SLIPS=all, as make fuzz runs it,
// each letter slips.
package slips
