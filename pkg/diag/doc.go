// Package diag defines what the suite reports: findings, the rules they belong to, and the sentences that
// several packages share.
//
// A [Finding] is a value with fields: the rule, the place, what was found, what is accepted, and what to
// do. [Finding.Message] returns the line that users read. Code that needs to know what happened reads
// the fields, never the message. The example makes two findings.
//
// Each fault that many packages find has its own constructor, so that messages about it read alike
// everywhere: [Got], [Missing], [Unknown], [NotFound], [Duplicate] and [Unreadable]. For everything
// else, call [Say].
//
// The package knows neither lists nor standard input, so a controller can use it.
package diag
