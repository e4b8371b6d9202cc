// Package celenv is the one place that makes CEL environments, so that every
// expression that users write is compiled and evaluated within limits.
//
// An Env says what expressions may use. It costs nothing until the first
// expression is compiled, so it may be a package-level variable:
//
//	env := celenv.New(
//		celenv.Variable("target", cel.DynType),
//		celenv.Strings(),
//		kubernetes.Libraries(), // package celenv/kubernetes
//	)
//	program, err := env.Compile(`target.name + "-prod"`, celenv.String)
//	name, cost, err := program.EvaluateString(ctx, map[string]any{"target": target})
//
// An expression is compiled once for each distinct text. It sees its variables
// and nothing else: no host, no clock, no randomness. What it may cost is
// bounded by [CostLimit], so that the same input has the same outcome on every
// machine; a context ends it sooner.
package celenv
