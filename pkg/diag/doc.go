// Package diag holds what the suite reports: findings, the rules they belong to,
// and the sentences that several packages share.
//
// A [Finding] is a value with fields: the rule, the place, what was found, what is
// accepted, and what to do. [Finding.Message] makes the one line that users
// read. Code that needs to know what happened reads the fields, never the message.
//
//	f := diag.Got("70000", "a number from 5000 to 5005").
//		Of(RuleFormat).In(origin, "registry.port", diag.Position{Line: 14})
//	f.Message() // registry.port: must be a number from 5000 to 5005, got 70000 (values.yaml line 14)
//
// The faults that many packages find have one constructor each, so that they read
// alike everywhere: [Got], [Missing], [Unknown], [NotFound], [Duplicate] and
// [Unreadable]. Everything else is said with [Say].
//
// The package knows neither lists nor standard input: a controller can use it.
package diag
