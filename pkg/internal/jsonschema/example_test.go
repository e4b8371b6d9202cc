package jsonschema_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/internal/jsonschema"
	"github.com/krm-packs/functions/pkg/values"
)

func Example() {
	schema, err := jsonschema.Parse(`{
	  "properties": {
	    "registry": {
	      "required": ["host"],
	      "properties": {"host": {"type": "string"}, "port": {"type": "integer", "maximum": 65535}},
	      "additionalProperties": false
	    }
	  }
	}`)
	if err != nil {
		panic(err)
	}
	document, err := values.Parse(`registry:
  port: 70000
  hots: example.com
`)
	if err != nil {
		panic(err)
	}
	violations, err := schema.Validate(document.Root(), 100)
	if err != nil {
		panic(err)
	}
	for _, v := range violations {
		fmt.Printf("line %d: %s: %s\n", v.Position.Line, v.Path, v.Message)
	}
	// Output:
	// line 2: registry: "host" is required, but missing
	// line 2: registry.port: must be a number of at most 65535
	// line 3: registry.hots: is not allowed by the schema (did you mean "host"?)
}

func ExampleSchema_Warnings() {
	schema, err := jsonschema.Parse(`{"$schema": "http://json-schema.org/draft-07/schema#", "unevaluatedProperties": false}`)
	if err != nil {
		panic(err)
	}
	fmt.Println(schema.Warnings()[0].Message)
	// Output:
	// $schema is "http://json-schema.org/draft-07/schema#", a draft that ignores these keywords: unevaluatedProperties. Declare a draft that has them
}
