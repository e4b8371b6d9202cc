package preset_test

import (
	"fmt"

	"github.com/krm-packs/functions/pkg/pack"
	"github.com/krm-packs/functions/pkg/preset"
	"github.com/krm-packs/functions/pkg/values"
)

func ExampleApply() {
	d, _ := values.Parse(`# ours
server:
  replicas: 1   # for now
  standalone: true
`)
	add, _ := values.Parse(`server: {replicas: 3}
# the new one
ui: true
`)
	remove, _ := values.ParsePath("server.standalone")
	ha := pack.Preset{Name: "ha", Remove: []values.Path{remove}, Add: add}

	edited, err := preset.Apply(d, ha)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(edited.Text())
	again, _ := preset.Apply(edited, ha)
	fmt.Println(again == edited)
	// Output:
	// # ours
	// server:
	//   replicas: 3   # for now
	// # the new one
	// ui: true
	// true
}
