// Package recent keeps values that were used shortly before.
//
//	var documents = recent.Cache[string, *Document]{Most: 1 << 20}
//
//	if d, known := documents.Get(text); known {
//		return d
//	}
//	documents.Put(text, d, len(text))
package recent
