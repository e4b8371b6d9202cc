package list

// A frame for lists whose items are what matters.
const (
	listStart = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n"
	oneItem   = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: one\n"
	twoItem   = "- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: two\n"
)

// hostileLists are lists that mislead a reader of lines. They are the seeds of
// the mutations too; what fuzzing finds is kept here.
var hostileLists = map[string]string{
	"plain":                    listStart + oneItem + twoItem,
	"no final newline":         listStart + oneItem + "- apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: two}",
	"items missing":            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
	"items null":               "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n",
	"items empty":              "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n",
	"items commented":          "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: # the items\n# really\n" + oneItem,
	"version v1alpha1":         "apiVersion: config.kubernetes.io/v1alpha1 # old\n# a comment\nkind: ResourceList\nitems:\n" + oneItem,
	"version on the next line": "apiVersion:\n  config.kubernetes.io/v1alpha1\nkind: ResourceList\nitems:\n" + oneItem,
	"version over lines":       "apiVersion: config.kubernetes.io/v1alpha1\n  # a comment\n\n  beta\nkind: ResourceList\nitems:\n" + oneItem,
	"version that is folded":   "apiVersion: >-\n  config.kubernetes.io/v1alpha1\nkind: ResourceList\nitems:\n" + oneItem,
	"version with a tag":       "apiVersion: !!str config.kubernetes.io/v1alpha1\nkind: ResourceList\nitems:\n" + oneItem,
	"version that is quoted":   "apiVersion: \"config.kubernetes.io/v1alpha1\" # old\nkind: ResourceList\nitems:\n" + oneItem,
	"version by a merge key":   "<<: {apiVersion: config.kubernetes.io/v1alpha1}\nkind: ResourceList\nitems:\n" + oneItem,
	"version quoted":           "apiVersion: \"config.kubernetes.io/v1\"\nkind: 'ResourceList'\nitems:\n" + oneItem,
	"items first":              "items:\n" + oneItem + twoItem + "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
	"results before":           "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nresults:\n- message: a\n  severity: error\n  unknown: {b: 1}\nitems:\n" + oneItem,
	"results behind":           listStart + oneItem + "results:\n  - message: a\n    severity: info\n",
	"results as map":           listStart + oneItem + "results:\n  items:\n  - message: a\n",
	"config before":            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data:\n    items: |\n      - a\nitems:\n" + oneItem,
	"config null":              listStart + oneItem + "functionConfig: null\n",
	"config with items":        listStart + oneItem + "functionConfig:\n  items:\n  - apiVersion: v1\n",
	"comments": "# top\n" + listStart + "# before\n" + oneItem + "\n# between, column 0\n  # between, column 2\n\n" + twoItem +
		"# behind\n",
	"indented by 2": listStart + "  - apiVersion: v1\n    kind: A\n    metadata:\n      name: a\n  - apiVersion: v1\n    kind: B\n",
	"indented by 4": listStart + "    - apiVersion: v1\n      kind: A\n    - apiVersion: v1\n      kind: B\n",
	"wide dashes":   listStart + "-   apiVersion: v1\n    kind: A\n    metadata:\n        name: a\n-   apiVersion: v1\n    kind: B\n",
	"dash alone":    listStart + "-\n  apiVersion: v1\n  kind: A\n- # comment\n  apiVersion: v1\n  kind: B\n-\n\n      apiVersion: v1\n      kind: C\n",
	"empty item":    listStart + oneItem + "-\n" + twoItem,
	"null item":     listStart + oneItem + "- null\n" + twoItem,
	"empty last":    listStart + oneItem + "-\n",
	"scalar item":   listStart + oneItem + "- text\n" + twoItem,
	"nested dashes": listStart + "- - a: b\n" + oneItem,
	"flow item":     listStart + oneItem + `- {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name":"json","annotations":{"a":'b'}}}` + "\n# c\n" + twoItem,
	"flow items":    "{apiVersion: config.kubernetes.io/v1, kind: ResourceList, items: [{apiVersion: v1, kind: A, metadata: {name: a}}]}\n",
	"flow items key": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [{apiVersion: v1, kind: A}, {apiVersion: v1,\n" +
		"  kind: B}]\n",
	"json": `{
  "apiVersion": "config.kubernetes.io/v1",
  "kind": "ResourceList",
  "items": [
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"n": "1.30", "big": "yes"}, "n": 9223372036854775807}
  ]
}`,
	"flow item that goes on":  listStart + "- {apiVersion: v1,\nkind: A}\n" + oneItem,
	"line behind a flow item": listStart + "- {apiVersion: v1, kind: A}\n  b: c\n" + oneItem,
	"flow comment behind a colon": listStart + "- apiVersion: v1\n  kind: A\n  x: {\"a\":#b}\n   1,\n" +
		"results: 2}\n",
	"flow alias behind a colon":      listStart + "- apiVersion: v1\n  kind: A\n  x: {\"a\":&x 1}\n- apiVersion: v1\n  kind: B\n  x: {\"a\":*x}\n" + oneItem,
	"flow comment behind a question": listStart + "- apiVersion: v1\n  kind: A\n  x: [a?#b]\n" + oneItem,
	"flow quotes in plain":           listStart + "- apiVersion: v1\n  kind: A\n  x: {note: it's, url: http://a#b, t: 12:30, u: a:}\n" + oneItem,
	"flow tags":                      listStart + "- apiVersion: v1\n  kind: A\n  x: [!!str 1, ! 2, !<tag:yaml.org,2002:str> 3]\n" + oneItem,
	"block scalar like items": listStart + "- apiVersion: v1\n  kind: A\n  data:\n    a: |\n     - apiVersion: v1\n       kind: X\n     items:\n     - x\n    b: >-\n      - y\n\n\n" +
		"      z\n" + twoItem,
	"block scalar by indicator":                              listStart + "- apiVersion: v1\n  kind: A\n  a: |1\n   - apiVersion: x\n     - y\n  b: |2-\n        two\n    kind: X\n" + twoItem,
	"block scalar kept":                                      listStart + "- apiVersion: v1\n  kind: A\n  a: |+\n    b\n\n   \n\n" + twoItem,
	"block scalar at the end":                                listStart + oneItem + "  a: |\n    b",
	"block scalar and blanks":                                listStart + oneItem + "  a: |\n    b\n   ",
	"block scalar empty":                                     listStart + "- apiVersion: v1\n  a: |\n  kind: A\n  b: >\n" + twoItem,
	"block scalar and comment":                               listStart + "- apiVersion: v1\n  a: |\n    b\n   # ends it\n  # and this\n  kind: A\n  b: | # header\n    # content\n# not content\n" + twoItem,
	"block scalar after a comment that ends it":              listStart + "- apiVersion: v1\n  a: |\n      b\n    # ends it\n    c: d\n  kind: A\n" + twoItem,
	"block scalar under long blanks":                         listStart + "- apiVersion: v1\n  kind: A\n  a: |\n        \n    # b\n    # c\n" + twoItem,
	"block scalar of a dash":                                 listStart + "- apiVersion: v1\n  kind: A\n  a:\n  - |\n   text\n  - - |\n     - x\n" + twoItem,
	"block scalar below its key":                             listStart + "- apiVersion: v1\n  kind: A\n  a:\n    |\n    - b\n" + twoItem,
	"block scalar with anchor":                               listStart + "- apiVersion: v1\n  kind: A\n  a: &a !!str |\n    - b: \"\n  b: *a\n" + twoItem,
	"block scalar behind a tab":                              listStart + "- apiVersion: v1\n  kind: A\n  a: &a\t| #\n    b: |\n     \"c\n" + twoItem,
	"block scalar with tabs":                                 listStart + "- apiVersion: v1\n  kind: A\n  a: |\n    b\tc\n    \t\n    \td\n" + twoItem,
	"quoted over lines":                                      listStart + "- apiVersion: v1\n  kind: A\n  a: \"b\n- apiVersion: v1\n  kind: X\n  \"\n" + twoItem,
	"quoted over lines at column 0":                          listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\nitems:\n- apiVersion\n'\n" + twoItem,
	"quoted over lines, escaped break":                       listStart + "- apiVersion: v1\n  kind: A\n  a: \"b\\\n- c\"\n" + twoItem,
	"quoted that looks like a head":                          listStart + "- apiVersion: v1\n  kind: A\n  a: \"b\n\n    kind: X\"\n  b: ''\n" + twoItem,
	"quoted over lines, deeper":                              listStart + "- apiVersion: v1\n  kind: A\n  a: \"b\n   - apiVersion: v1\n    # c\n\n   items:\n     kind: |\n   \"  # d\n  b: c\n" + twoItem,
	"quoted over lines, doubled quotes":                      listStart + "- apiVersion: v1\n  kind: A\n  a: 'b''\n   '' # c'\n  b: ''\n" + twoItem,
	"quoted over lines, backslashes":                         listStart + "- apiVersion: v1\n  kind: A\n  a: \"b\\\n   \\\" c \\\\\\\n   \\\\\"\n  b: c\n" + twoItem,
	"quoted over lines in a list":                            listStart + "- apiVersion: v1\n  kind: A\n  a:\n  - 'b\n   c'\n  - - \" d\n      e\"\n    - f\n  - g: 'h\n     i'\n" + twoItem,
	"quoted over lines in a list, in the column of the dash": listStart + "- apiVersion: v1\n  kind: A\n  a:\n  - 'b\n  c'\n" + twoItem,
	"quoted over lines in the column of the key":             listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n  c: d'\n" + twoItem,
	"quoted over lines and more behind":                      listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n    c' d\n" + twoItem,
	"quoted over lines and a key behind":                     listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n    c': d\n" + twoItem,
	"quoted over lines and a sign behind":                    listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n    c'#d\n" + twoItem,
	"quoted over lines behind a tab":                         listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n   \tc'\n" + twoItem,
	"quoted over lines, a tab inside":                        listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\t\n   c\t'\n" + twoItem,
	"quoted over lines below its key":                        listStart + "- apiVersion: v1\n  kind: A\n  a:\n    'b\n    c'\n" + twoItem,
	"quoted over lines without an end":                       listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n" + twoItem,
	"quoted over lines at the end":                           listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n    c'",
	"quoted over lines with an anchor":                       listStart + "- apiVersion: v1\n  kind: A\n  a: &a 'b\n    c'\n  d: *a\n" + twoItem,
	"quoted over lines in a plain scalar":                    listStart + "- apiVersion: v1\n  kind: A\n  a: b\n    - 'c\n      d' # e\n  f: g\n" + twoItem,
	"quoted over lines in a plain scalar, open":              listStart + "- apiVersion: v1\n  kind: A\n  a: b\n    - 'c\n    d\n  f: g\n" + twoItem,
	"quoted over lines in a block scalar":                    listStart + "- apiVersion: v1\n  kind: A\n  a: |\n    b: 'c\n  f: g\n" + twoItem,
	"quoted over lines in flow style":                        listStart + "- apiVersion: v1\n  kind: A\n  a: {b: 'c\n    d'}\n" + twoItem,
	"quoted over lines, a marker":                            listStart + "- apiVersion: v1\n  kind: A\n  a: 'b\n---\n   c'\n" + twoItem,
	"quoted over lines as an item":                           listStart + "- 'a\n  b'\n" + twoItem,
	"quoted over lines as the name":                          listStart + "- apiVersion: 'v1\n\n    beta'\n  kind: \"A\\\n    B\"\n  metadata:\n    name: 'a\n     kind: X'\n    namespace: \"b\n     # c\"\n" + twoItem,
	"quoted over lines among annotations":                    listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    annotations:\n      x: 'a\n        y: b'\n      y: \"c\n       d\"\n    name: a\n" + twoItem,
	"quoted over lines outside of items":                     "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data: {}\n  x: 'y\n    items:\n    - z'\nitems:\n" + twoItem + "results:\n- message: 'a\n    b'\n",
	"plain over lines":                                       listStart + "- apiVersion: v1\n  kind: Config\n    Map\n  a: b\n    - c\n    d\n  metadata:\n    name: a\n      b\n" + twoItem,
	"plain over lines in metadata":                           listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:\n      x: a\n        b\n      y: c\n" + twoItem,
	"kind last":                                              listStart + "- metadata:\n    name: a\n  spec:\n    kind: X\n  apiVersion: v1\n  kind: A\n" + twoItem,
	"kind quoted":                                            listStart + "- \"apiVersion\": 'v1'\n  'kind': \"A\"\n  \"metadata\": {\"name\": 'it''s'}\n" + twoItem,
	"kind escaped":                                           listStart + "- \"api\\u0056ersion\": v1\n  kind: \"\\x41\"\n  metadata:\n    name: 'a''b'\n" + twoItem,
	"kind of numbers":                                        listStart + "- apiVersion: 1\n  kind: 1.30\n  metadata:\n    name: 007\n    namespace: yes\n" + twoItem,
	"kind null":                                              listStart + "- apiVersion: ~\n  kind:\n  metadata:\n    name: null\n" + twoItem,
	"kind twice":                                             listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n  kind: B\n" + twoItem,
	"kind of an alias":                                       listStart + "- apiVersion: &v v1\n  kind: *v\n  metadata: &m\n    name: *v\n" + twoItem,
	"kind explicit":                                          listStart + "- ? kind\n  : A\n  apiVersion: v1\n" + twoItem,
	"kind of an anchor's name":                               listStart + "- a: &kind b\n  *kind : X\n  apiVersion: v1\n  kind: A\n" + twoItem,
	"annotations flow":                                       listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations: {a: b, 'c': \"d\"}\n" + twoItem,
	"anchors across items":                                   listStart + "- apiVersion: v1\n  kind: A\n  a: &a {b: c}\n- apiVersion: v1\n  kind: B\n  a: *a\n",
	"anchors into results":                                   listStart + "- apiVersion: v1\n  kind: A\n  a: &a b\nresults:\n- message: *a\n",
	"anchors twice":                                          listStart + "- apiVersion: v1\n  kind: A\n  a: &a b\n- apiVersion: v1\n  kind: B\n  a: &a [c, *a]\n  b: *a\n" + oneItem,
	"anchor of an item":                                      listStart + "- &a\n  apiVersion: v1\n  kind: A\n- &b {apiVersion: v1, kind: B}\n- <<: *a\n  kind: C\n- *b\n",
	"anchor of the list":                                     "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nx: &a\n  apiVersion: v1\n  kind: A\nitems:\n- *a\n- <<: *a\n  kind: B\n",
	"anchor that holds itself":                               listStart + "- &a\n  apiVersion: v1\n  kind: A\n  a: *a\n",
	"alias bomb":                                             listStart + bomb + twoItem,
	"tabs":                                                   listStart + "- apiVersion:\tv1\n  kind: A\t\n  \tb: c\n" + twoItem,
	"tab in quotes and comments":                             listStart + "- apiVersion: v1\n  kind: A # a\tb\n  a: \"b\tc\"\n#\td\n" + twoItem,
	"crlf":                                                   "apiVersion: config.kubernetes.io/v1\r\nkind: ResourceList\r\nitems:\r\n- apiVersion: v1\r\n  kind: A\r\n  a: |\r\n    b\r\n    c\r\n",
	"carriage return":                                        listStart + "- apiVersion: v1\n  kind: A\r  b: c\n" + twoItem,
	"line separators":                                        listStart + "- apiVersion: v1\n  kind: A\n  a: b\u2028  c\n  d: \"e\u2029f\"\n  g: h\u0085- apiVersion: v2\n" + twoItem,
	"line separators in a block":                             listStart + "- apiVersion: v1\n  kind: A\n  a: |\n    b\u2028    c\n    d\u0085    e\n" + twoItem,
	"byte order mark":                                        "\ufeff" + listStart + oneItem,
	"byte order mark inside":                                 listStart + oneItem + "\ufeff" + twoItem,
	"not UTF-8":                                              listStart + oneItem + "  a: \xff\n",
	"unusual characters":                                     listStart + oneItem + "  a: \u00a0b\u200b\U0001f600\n  \u00e9: \u4e2d\n" + twoItem,
	"document start":                                         "---\n" + listStart + oneItem,
	"document start with content":                            "--- # list\n" + listStart + oneItem,
	"document behind":                                        listStart + oneItem + "---\n" + listStart + twoItem,
	"document end":                                           listStart + oneItem + "...\n",
	"document marker in a scalar":                            listStart + oneItem + "  a: |\n    ---\n    ...\n" + twoItem,
	"directive":                                              "%YAML 1.1\n---\n" + listStart + oneItem,
	"key twice":                                              listStart + oneItem + "items:\n" + twoItem,
	"key quoted":                                             "apiVersion: config.kubernetes.io/v1\n\"kind\": ResourceList\n'items':\n" + oneItem,
	"key with a blank":                                       "apiVersion : config.kubernetes.io/v1\nkind : ResourceList\nitems :\n" + oneItem,
	"merge at the top":                                       "x: &x\n  kind: ResourceList\n<<: *x\napiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" + oneItem,
	"truncated in a key":                                     listStart + oneItem + "- apiVer",
	"truncated in quotes":                                    listStart + oneItem + "- apiVersion: v1\n  kind: \"Con",
	"truncated behind a dash":                                listStart + oneItem + "-",
	"broken first item":                                      listStart + "- apiVersion: v1\n  kind: A\n    b: c\n" + twoItem,
	"broken last item":                                       listStart + oneItem + "- apiVersion: v1\n  kind: A\n    b: c\n",
	"keys between columns":                                   listStart + oneItem + "   x: y\n" + twoItem,
	"keys left of the item":                                  listStart + "  - apiVersion: v1\n    kind: A\n   b: c\n",
	"items left of the items":                                listStart + "  - apiVersion: v1\n    kind: A\n- apiVersion: v1\n  kind: B\n",
	"template without quotes":                                listStart + oneItem + "- apiVersion: v1\n  kind: A\n  a: {{ .b }}\n  c: {{.d}}\n",
	"scalars that change their kind":                         listStart + oneItem + "  data: {a: yes, b: 1.30, c: 2026-01-02, d: 0o14, e: 0x1F, f: 12345678901234567890, g: .nan, h: ~, i: '5', j: 1_000}\n" + twoItem,
	"hash without a blank":                                   listStart + oneItem + "  a: b#c\n  d: \"e\" # f\n  g: 'h'#i\n" + twoItem,
	"keys with signs":                                        listStart + oneItem + "  ?a: b\n  -c: d\n  :e: f\n  g:h: i\n  j k: l\n  \"m\" : n\n" + twoItem,
	"keys with signs, simple":                                listStart + oneItem + "  g:h: i\n  j k: l\n  \"m\" : n\n  o'p: q\n  r\"s: t\n" + twoItem,
	"second document in an item":                             listStart + "- apiVersion: v1\n  kind: A\n  a: b\n--- c\n" + twoItem,
	// Found by mutations and fuzzing.
	"kind last and over lines":   listStart + "- apiVersion: v1\n  metadata:\n    name: a\n  kind: Config\n    Map\n" + twoItem,
	"annotations twice":          listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations:\n      a: b\n    annotations:\n      c: d\n" + twoItem,
	"key with a tab":             "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems\t:\n" + oneItem,
	"empty key with an anchor":   "apiVersion: config.kubernetes.io/\nkind: ResourceList\nitems:\n- &000: 0",
	"empty null in flow style":   "apiVersion: config.kubernetes.io/\nkind: ResourceList\nitems:\n- {A}",
	"items with a blank behind":  "apiVersion: config.kubernetes.io/\nkind: ResourceList\nitems: \n- {}",
	"annotation without a value": listStart + "- apiVersion: v1\n  kind: A\n  metadata:\n    name: a\n    annotations: {a, 'c': \"d\"}\n- apiVersion:",
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
