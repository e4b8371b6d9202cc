package jsonschema_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/jsonschema"
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
	document, err := values.Parse("registry:\n  port: 70000\n  hots: example.com\n")
	if err != nil {
		panic(err)
	}
	violations, err := schema.Judge(document.Root(), 100)
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
	schema, err := jsonschema.Parse(`{"$schema": "https://json-schema.org/draft/2019-09/schema", "items": [{"type": "string"}]}`)
	if err != nil {
		panic(err)
	}
	fmt.Println(schema.Warnings()[0].Message)
	// Output:
	// $schema is "https://json-schema.org/draft/2019-09/schema", so the schema is validated as draft 2020-12. These keywords are ignored or read differently: items (list). Declare draft-07 or 2020-12 and use its keywords
}
