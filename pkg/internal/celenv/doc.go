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
//
// CEL counts the steps of an evaluation, but not all of what they cost. So this package counts more
// (the counter), replaces the function matches by one that keeps compiled patterns, and gives maps an
// order, because the cost and the result of an expression would otherwise depend on the order in which
// Go walks over maps.
package celenv
