// Package rewrite makes the new text of a file for what a user chooses in an editor: to accept a finding,
// to write the value that it proposes, to move a misplaced key, or to use another preset in the
// pipelines. The edits that packfn fix makes by itself are in package fix.
package rewrite
