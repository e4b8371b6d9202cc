package dependency

import (
	"github.com/krm-packs/functions/pkg/jsontext"
	"github.com/krm-packs/functions/pkg/values"
)

// jsonDocument is a document with the lengths of its members `value`, if it is JSON.
type jsonDocument = jsontext.Document

// parseJSON reads JSON. An error has a position.
func parseJSON(text string) (*jsonDocument, values.Position, error) {
	document, err := jsontext.Parse(text, "value")
	return document, values.ErrorPosition(err), err
}
