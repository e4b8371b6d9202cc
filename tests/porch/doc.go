// Package porch runs the functions under Porch's own code: its wrapper server and its
// function runner, and compares them with its controllers. It is a module of its own, so
// that the functions do not depend on Porch.
package porch
