// Package recent keeps values that were used shortly before.
package recent
