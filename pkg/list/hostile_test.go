package list

import "strings"

// A frame for lists whose items are what matters.
const (
	listStart = `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`
	oneItem = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: one
`
	twoItem = `- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: two
`
)

// hostileLists are lists that mislead a reader of lines. They are the seeds of
// the mutations too; what fuzzing finds is kept here.
var hostileLists = map[string]string{
	"plain": listStart + oneItem + twoItem,
	"no final newline": listStart + oneItem + `- apiVersion: v1
  kind: ConfigMap
  metadata: {name: two}`,
	"items missing": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`,
	"items null": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
`,
	"items empty": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: []
`,
	"items commented": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: # the items
# really
` + oneItem,
	"version v1alpha1": `apiVersion: config.kubernetes.io/v1alpha1 # old
# a comment
kind: ResourceList
items:
` + oneItem,
	"version on the next line": `apiVersion:
  config.kubernetes.io/v1alpha1
kind: ResourceList
items:
` + oneItem,
	"version over lines": `apiVersion: config.kubernetes.io/v1alpha1
  # a comment

  beta
kind: ResourceList
items:
` + oneItem,
	"version that is folded": `apiVersion: >-
  config.kubernetes.io/v1alpha1
kind: ResourceList
items:
` + oneItem,
	"version with a tag": `apiVersion: !!str config.kubernetes.io/v1alpha1
kind: ResourceList
items:
` + oneItem,
	"version that is quoted": `apiVersion: "config.kubernetes.io/v1alpha1" # old
kind: ResourceList
items:
` + oneItem,
	"version by a merge key": `<<: {apiVersion: config.kubernetes.io/v1alpha1}
kind: ResourceList
items:
` + oneItem,
	"version quoted": `apiVersion: "config.kubernetes.io/v1"
kind: 'ResourceList'
items:
` + oneItem,
	"items first": "items:\n" + oneItem + twoItem + `apiVersion: config.kubernetes.io/v1
kind: ResourceList
`,
	"results before": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
results:
- message: a
  severity: error
  unknown: {b: 1}
items:
` + oneItem,
	"results behind": listStart + oneItem + `results:
  - message: a
    severity: info
`,
	"results as map": listStart + oneItem + `results:
  items:
  - message: a
`,
	"config before": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  data:
    items: |
      - a
items:
` + oneItem,
	"config null": listStart + oneItem + "functionConfig: null\n",
	"config with items": listStart + oneItem + `functionConfig:
  items:
  - apiVersion: v1
`,
	"comments": "# top\n" + listStart + "# before\n" + oneItem + "\n# between, column 0\n  # between, column 2\n\n" + twoItem +
		"# behind\n",
	"indented by 2": listStart + `  - apiVersion: v1
    kind: A
    metadata:
      name: a
  - apiVersion: v1
    kind: B
`,
	"indented by 4": listStart + `    - apiVersion: v1
      kind: A
    - apiVersion: v1
      kind: B
`,
	"wide dashes": listStart + `-   apiVersion: v1
    kind: A
    metadata:
        name: a
-   apiVersion: v1
    kind: B
`,
	"dash alone": listStart + `-
  apiVersion: v1
  kind: A
- # comment
  apiVersion: v1
  kind: B
-

      apiVersion: v1
      kind: C
`,
	"empty item":    listStart + oneItem + "-\n" + twoItem,
	"null item":     listStart + oneItem + "- null\n" + twoItem,
	"empty last":    listStart + oneItem + "-\n",
	"scalar item":   listStart + oneItem + "- text\n" + twoItem,
	"nested dashes": listStart + "- - a: b\n" + oneItem,
	"flow item":     listStart + oneItem + `- {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name":"json","annotations":{"a":'b'}}}` + "\n# c\n" + twoItem,
	"flow items":    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}\n",
	"flow items key": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
items: [{apiVersion: v1, kind: A}, {apiVersion: v1,
  kind: B}]
`,
	"json": `{
  "apiVersion": "config.kubernetes.io/v1",
  "kind": "ResourceList",
  "items": [
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"n": "1.30", "big": "yes"}, "n": 9223372036854775807}
  ]
}`,
	"flow item that goes on": listStart + `- {apiVersion: v1,
kind: A}
` + oneItem,
	"line behind a flow item": listStart + `- {apiVersion: v1, kind: A}
  b: c
` + oneItem,
	"flow comment behind a colon": listStart + `- apiVersion: v1
  kind: A
  x: {"a":#b}
   1,
results: 2}
`,
	"flow alias behind a colon": listStart + `- apiVersion: v1
  kind: A
  x: {"a":&x 1}
- apiVersion: v1
  kind: B
  x: {"a":*x}
` + oneItem,
	"flow comment behind a question": listStart + `- apiVersion: v1
  kind: A
  x: [a?#b]
` + oneItem,
	"flow quotes in plain": listStart + `- apiVersion: v1
  kind: A
  x: {note: it's, url: http://a#b, t: 12:30, u: a:}
` + oneItem,
	"flow tags": listStart + `- apiVersion: v1
  kind: A
  x: [!!str 1, ! 2, !<tag:yaml.org,2002:str> 3]
` + oneItem,
	"block scalar like items": listStart + `- apiVersion: v1
  kind: A
  data:
    a: |
     - apiVersion: v1
       kind: X
     items:
     - x
    b: >-
      - y


      z
` + twoItem,
	"block scalar by indicator": listStart + `- apiVersion: v1
  kind: A
  a: |1
   - apiVersion: x
     - y
  b: |2-
        two
    kind: X
` + twoItem,
	"block scalar kept":       listStart + "- apiVersion: v1\n  kind: A\n  a: |+\n    b\n\n   \n\n" + twoItem,
	"block scalar at the end": listStart + oneItem + "  a: |\n    b",
	"block scalar and blanks": listStart + oneItem + "  a: |\n    b\n   ",
	"block scalar empty": listStart + `- apiVersion: v1
  a: |
  kind: A
  b: >
` + twoItem,
	"block scalar and comment": listStart + `- apiVersion: v1
  a: |
    b
   # ends it
  # and this
  kind: A
  b: | # header
    # content
# not content
` + twoItem,
	"block scalar after a comment that ends it": listStart + `- apiVersion: v1
  a: |
      b
    # ends it
    c: d
  kind: A
` + twoItem,
	"block scalar under long blanks": listStart + "- apiVersion: v1\n  kind: A\n  a: |\n        \n    # b\n    # c\n" + twoItem,
	"block scalar of a dash": listStart + `- apiVersion: v1
  kind: A
  a:
  - |
   text
  - - |
     - x
` + twoItem,
	"block scalar below its key": listStart + `- apiVersion: v1
  kind: A
  a:
    |
    - b
` + twoItem,
	"block scalar with anchor": listStart + `- apiVersion: v1
  kind: A
  a: &a !!str |
    - b: "
  b: *a
` + twoItem,
	"block scalar behind a tab": listStart + "- apiVersion: v1\n  kind: A\n  a: &a\t| #\n    b: |\n     \"c\n" + twoItem,
	"block scalar with tabs":    listStart + "- apiVersion: v1\n  kind: A\n  a: |\n    b\tc\n    \t\n    \td\n" + twoItem,
	"quoted over lines": listStart + `- apiVersion: v1
  kind: A
  a: "b
- apiVersion: v1
  kind: X
  "
` + twoItem,
	"quoted over lines at column 0": listStart + `- apiVersion: v1
  kind: A
  a: 'b
items:
- apiVersion
'
` + twoItem,
	"quoted over lines, escaped break": listStart + `- apiVersion: v1
  kind: A
  a: "b\
- c"
` + twoItem,
	"quoted that looks like a head": listStart + `- apiVersion: v1
  kind: A
  a: "b

    kind: X"
  b: ''
` + twoItem,
	"quoted over lines, deeper": listStart + `- apiVersion: v1
  kind: A
  a: "b
   - apiVersion: v1
    # c

   items:
     kind: |
   "  # d
  b: c
` + twoItem,
	"quoted over lines, doubled quotes": listStart + `- apiVersion: v1
  kind: A
  a: 'b''
   '' # c'
  b: ''
` + twoItem,
	"quoted over lines, backslashes": listStart + `- apiVersion: v1
  kind: A
  a: "b\
   \" c \\\
   \\"
  b: c
` + twoItem,
	"quoted over lines in a list": listStart + `- apiVersion: v1
  kind: A
  a:
  - 'b
   c'
  - - " d
      e"
    - f
  - g: 'h
     i'
` + twoItem,
	"quoted over lines in a list, in the column of the dash": listStart + `- apiVersion: v1
  kind: A
  a:
  - 'b
  c'
` + twoItem,
	"quoted over lines in the column of the key": listStart + `- apiVersion: v1
  kind: A
  a: 'b
  c: d'
` + twoItem,
	"quoted over lines and more behind": listStart + `- apiVersion: v1
  kind: A
  a: 'b
    c' d
` + twoItem,
	"quoted over lines and a key behind": listStart + `- apiVersion: v1
  kind: A
  a: 'b
    c': d
` + twoItem,
	"quoted over lines and a sign behind": listStart + `- apiVersion: v1
  kind: A
  a: 'b
    c'#d
` + twoItem,
	"quoted over lines behind a tab":  listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n   \tc'\n" + twoItem,
	"quoted over lines, a tab inside": listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\t\n   c\t'\n" + twoItem,
	"quoted over lines below its key": listStart + `- apiVersion: v1
  kind: A
  a:
    'b
    c'
` + twoItem,
	"quoted over lines without an end": listStart + `- apiVersion: v1
  kind: A
  a: 'b
` + twoItem,
	"quoted over lines at the end": listStart + `- apiVersion: v1
  kind: A
  a: 'b
    c'`,
	"quoted over lines with an anchor": listStart + `- apiVersion: v1
  kind: A
  a: &a 'b
    c'
  d: *a
` + twoItem,
	"quoted over lines in a plain scalar": listStart + `- apiVersion: v1
  kind: A
  a: b
    - 'c
      d' # e
  f: g
` + twoItem,
	"quoted over lines in a plain scalar, open": listStart + `- apiVersion: v1
  kind: A
  a: b
    - 'c
    d
  f: g
` + twoItem,
	"quoted over lines in a block scalar": listStart + `- apiVersion: v1
  kind: A
  a: |
    b: 'c
  f: g
` + twoItem,
	"quoted over lines in flow style": listStart + `- apiVersion: v1
  kind: A
  a: {b: 'c
    d'}
` + twoItem,
	"quoted over lines, a marker": listStart + `- apiVersion: v1
  kind: A
  a: 'b
---
   c'
` + twoItem,
	"quoted over lines as an item": listStart + "- 'a\n  b'\n" + twoItem,
	"quoted over lines as the name": listStart + `- apiVersion: 'v1

    beta'
  kind: "A\
    B"
  metadata:
    name: 'a
     kind: X'
    namespace: "b
     # c"
` + twoItem,
	"quoted over lines among annotations": listStart + `- apiVersion: v1
  kind: A
  metadata:
    annotations:
      x: 'a
        y: b'
      y: "c
       d"
    name: a
` + twoItem,
	"quoted over lines outside of items": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
functionConfig:
  apiVersion: v1
  kind: ConfigMap
  data: {}
  x: 'y
    items:
    - z'
items:
` + twoItem + `results:
- message: 'a
    b'
`,
	"plain over lines": listStart + `- apiVersion: v1
  kind: Config
    Map
  a: b
    - c
    d
  metadata:
    name: a
      b
` + twoItem,
	"plain over lines in metadata": listStart + `- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations:
      x: a
        b
      y: c
` + twoItem,
	"block scalar above the items": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
x: |
  a
items:
` + oneItem,
	"block scalar and a line left of it": listStart + `- apiVersion: v1
  kind: A
  a: |4
      b
   c: d
` + twoItem,
	"kind last": listStart + `- metadata:
    name: a
  spec:
    kind: X
  apiVersion: v1
  kind: A
` + twoItem,
	"kind quoted": listStart + `- "apiVersion": 'v1'
  'kind': "A"
  "metadata": {"name": 'it''s'}
` + twoItem,
	"kind escaped": listStart + `- "api\u0056ersion": v1
  kind: "\x41"
  metadata:
    name: 'a''b'
` + twoItem,
	"kind of numbers": listStart + `- apiVersion: 1
  kind: 1.30
  metadata:
    name: 007
    namespace: yes
` + twoItem,
	"kind null": listStart + `- apiVersion: ~
  kind:
  metadata:
    name: null
` + twoItem,
	"kind twice": listStart + `- apiVersion: v1
  kind: A
  metadata:
    name: a
  kind: B
` + twoItem,
	"kind of an alias": listStart + `- apiVersion: &v v1
  kind: *v
  metadata: &m
    name: *v
` + twoItem,
	"kind explicit": listStart + `- ? kind
  : A
  apiVersion: v1
` + twoItem,
	"kind of an anchor's name": listStart + `- a: &kind b
  *kind : X
  apiVersion: v1
  kind: A
` + twoItem,
	"annotations flow": listStart + `- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations: {a: b, 'c': "d"}
` + twoItem,
	"anchors across items": listStart + `- apiVersion: v1
  kind: A
  a: &a {b: c}
- apiVersion: v1
  kind: B
  a: *a
`,
	"anchors into results": listStart + `- apiVersion: v1
  kind: A
  a: &a b
results:
- message: *a
`,
	"anchors twice": listStart + `- apiVersion: v1
  kind: A
  a: &a b
- apiVersion: v1
  kind: B
  a: &a [c, *a]
  b: *a
` + oneItem,
	"anchor of an item": listStart + `- &a
  apiVersion: v1
  kind: A
- &b {apiVersion: v1, kind: B}
- <<: *a
  kind: C
- *b
`,
	"anchor of the list": `apiVersion: config.kubernetes.io/v1
kind: ResourceList
x: &a
  apiVersion: v1
  kind: A
items:
- *a
- <<: *a
  kind: B
`,
	"anchor that holds itself": listStart + `- &a
  apiVersion: v1
  kind: A
  a: *a
`,
	"alias bomb":                 listStart + bomb + twoItem,
	"tabs":                       listStart + "- apiVersion:\tv1\n  kind: A\t\n  \tb: c\n" + twoItem,
	"tab in quotes and comments": listStart + "- apiVersion: v1\n  kind: A # a\tb\n  a: \"b\tc\"\n#\td\n" + twoItem,
	"crlf": strings.ReplaceAll(`apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: A
  a: |
    b
    c
`, "\n", "\r\n"),
	"carriage return":             listStart + "- apiVersion: v1\n  kind: A\r  b: c\n" + twoItem,
	"line separators":             listStart + "- apiVersion: v1\n  kind: A\n  a: b\u2028  c\n  d: \"e\u2029f\"\n  g: h\u0085- apiVersion: v2\n" + twoItem,
	"line separators in a block":  listStart + "- apiVersion: v1\n  kind: A\n  a: |\n    b\u2028    c\n    d\u0085    e\n" + twoItem,
	"byte order mark":             "\ufeff" + listStart + oneItem,
	"byte order mark inside":      listStart + oneItem + "\ufeff" + twoItem,
	"not UTF-8":                   listStart + oneItem + "  a: \xff\n",
	"unusual characters":          listStart + oneItem + "  a: \u00a0b\u200b\U0001f600\n  \u00e9: \u4e2d\n" + twoItem,
	"document start":              "---\n" + listStart + oneItem,
	"document start with content": "--- # list\n" + listStart + oneItem,
	"document behind":             listStart + oneItem + "---\n" + listStart + twoItem,
	"document end":                listStart + oneItem + "...\n",
	"document marker in a scalar": listStart + oneItem + "  a: |\n    ---\n    ...\n" + twoItem,
	"directive":                   "%YAML 1.1\n---\n" + listStart + oneItem,
	"key twice":                   listStart + oneItem + "items:\n" + twoItem,
	"key quoted": `apiVersion: config.kubernetes.io/v1
"kind": ResourceList
'items':
` + oneItem,
	"key with a blank": "apiVersion : config.kubernetes.io/v1\nkind : ResourceList\nitems :\n" + oneItem,
	"merge at the top": `x: &x
  kind: ResourceList
<<: *x
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
` + oneItem,
	"truncated in a key": listStart + oneItem + "- apiVer",
	"truncated in quotes": listStart + oneItem + `- apiVersion: v1
  kind: "Con`,
	"truncated behind a dash": listStart + oneItem + "-",
	"broken first item": listStart + `- apiVersion: v1
  kind: A
    b: c
` + twoItem,
	"broken last item": listStart + oneItem + `- apiVersion: v1
  kind: A
    b: c
`,
	"keys between columns": listStart + oneItem + "   x: y\n" + twoItem,
	"keys left of the item": listStart + `  - apiVersion: v1
    kind: A
   b: c
`,
	"items left of the items": listStart + `  - apiVersion: v1
    kind: A
- apiVersion: v1
  kind: B
`,
	"template without quotes": listStart + oneItem + `- apiVersion: v1
  kind: A
  a: {{ .b }}
  c: {{.d}}
`,
	"scalars that change their kind": listStart + oneItem + "  data: {a: yes, b: 1.30, c: 2026-01-02, d: 0o14, e: 0x1F, f: 12345678901234567890, g: .nan, h: ~, i: '5', j: 1_000}\n" + twoItem,
	"hash without a blank": listStart + oneItem + `  a: b#c
  d: "e" # f
  g: 'h'#i
` + twoItem,
	"keys with signs": listStart + oneItem + `  ?a: b
  -c: d
  :e: f
  g:h: i
  j k: l
  "m" : n
` + twoItem,
	"keys with signs, simple": listStart + oneItem + "  g:h: i\n  j k: l\n  \"m\" : n\n  o'p: q\n  r\"s: t\n" + twoItem,
	"second document in an item": listStart + `- apiVersion: v1
  kind: A
  a: b
--- c
` + twoItem,
	// Found by mutations and fuzzing.
	"kind last and over lines": listStart + `- apiVersion: v1
  metadata:
    name: a
  kind: Config
    Map
` + twoItem,
	"annotations twice": listStart + `- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations:
      a: b
    annotations:
      c: d
` + twoItem,
	"key with a tab": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems\t:\n" + oneItem,
	"empty key with an anchor": `apiVersion: config.kubernetes.io/
kind: ResourceList
items:
- &000: 0`,
	"empty null in flow style": `apiVersion: config.kubernetes.io/
kind: ResourceList
items:
- {A}`,
	"items with a blank behind": "apiVersion: config.kubernetes.io/\nkind: ResourceList\nitems: \n- {}",
	"annotation without a value": listStart + `- apiVersion: v1
  kind: A
  metadata:
    name: a
    annotations: {a, 'c': "d"}
- apiVersion:`,
	"comment that moves":         "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nite\ts:\n- a: b\n- {\"c\": \"d\ne\", f\"''a\":}\n#",
	"comment that moves in flow": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nite\ts:\n- {\"a\": \"b\nc\", \"d\":{b\"''a\":}}\n#",
}

// bomb is an item whose aliases expand to more than a million nodes.
const bomb = `- apiVersion: v1
  kind: Bomb
  metadata:
    name: bomb
  a: &a [x, x, x, x, x, x, x, x, x, x]
  b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
  c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
  d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
  e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
  f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
  g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
`
