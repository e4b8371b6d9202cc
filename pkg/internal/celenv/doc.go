// Package celenv makes CEL environments. No other package does, which is why
// every expression that users write is compiled and evaluated within limits.
//
// An Env declares what expressions can use. It costs nothing until the first
// expression is compiled, so it may be a package-level variable.
//
// An expression is compiled once for each distinct text. It has access to its
// variables only: no host, no clock, no randomness. [CostLimit] bounds the cost
// of an evaluation, so the same input has the same outcome on every machine. A
// context can end it earlier.
package celenv
