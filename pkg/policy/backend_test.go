package policy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/krm-packs/functions/pkg/function/functiontest"
)

// storageType makes a Type that is a hub storage by its additionalRefs.
func storageType(path string) string {
	return resource("Type", path[strings.LastIndexByte(path, '.')+1:], "{path: "+path+", revision: 0.1.0, additionalRefs: [cap.core.type.hub.storage]}")
}

var storageHub = join(dbInterface, storageType("cap.type.vault"), instance("vault", "cap.type.vault"), instance("neo", "cap.core.type.hub.storage.neo4j"), instance("plain", "cap.type.plain"))

// Step 9: by rules, tier by tier.
func TestBackendRules(t *testing.T) {
	rule := func(path, revision, id string) string {
		if revision != "" {
			path += ", revision: " + revision
		}
		return "{typeRef: {path: " + path + "}, backend: {id: " + id + "}}"
	}
	exactRevision, exact := rule("cap.type.db.config", "0.1.0", "vault"), rule("cap.type.db.config", "", "vault")
	patternRevision, pattern := rule("cap.type.db.*", "0.1.0", "vault"), rule("cap.type.db.*", "", "vault")
	other := func(path, revision string) string { return rule(path, revision, "neo") }
	for _, tc := range []struct {
		name  string
		rules []string
		want  string
	}{
		{"none", nil, "built-in"},
		{"path and revision", []string{other("cap.type.db.config", ""), other("cap.type.db.*", "0.1.0"), exactRevision}, "vault exact-revision cap.type.db.config:0.1.0"},
		{"path", []string{other("cap.type.db.*", "0.1.0"), exact, other("cap.type.db.*", "")}, "vault exact cap.type.db.config"},
		{"pattern and revision", []string{other("cap.type.db.*", ""), patternRevision}, "vault pattern-revision cap.type.db.*:0.1.0"},
		{"pattern", []string{pattern}, "vault pattern cap.type.db.*"},
		{"another revision", []string{rule("cap.type.db.config", "0.2.0", "neo"), rule("cap.type.db.*", "0.2.0", "neo")}, "built-in"},
		{"the longest pattern", []string{other("cap.type.*", ""), pattern, other("cap.*", "")}, "vault pattern cap.type.db.*"},
		{"the longest pattern of the tier, whatever the next tier has", []string{rule("cap.*", "0.1.0", "vault"), other("cap.type.db.*", "")}, "vault pattern-revision cap.*:0.1.0"},
		{"any depth below", []string{rule("cap.*", "", "vault")}, "vault pattern cap.*"},
		{"not the node itself", []string{other("cap.type.db.config.*", "")}, "built-in"},
		{"whole nodes", []string{other("cap.type.d.*", ""), other("cap.type.db.conf.*", "")}, "built-in"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, results := selectOne(t, join(storageHub, implementation("it", ""), policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: ["+strings.Join(tc.rules, ", ")+"]}")))
			b := s.Backends[0]
			if got := strings.TrimSpace(strings.TrimSpace(b.ID+" "+b.Via) + " " + b.Rule); got != tc.want || b.Output != "database" || b.TypeRef.Path != "cap.type.db.config" {
				t.Errorf("got %s (%+v), want %s\n%s", got, b, tc.want, strings.Join(results, "\n"))
			}
		})
	}
}

// Rules of a higher policy come before those of a lower one, by Type.
func TestMergeBackendRules(t *testing.T) {
	with := func(scope, rules string) string {
		return policyOf(scope, rulesOf(anyRule)+"\ntypeInstance: {rules: ["+rules+"]}")
	}
	s, results := selectOne(t, join(storageHub, implementation("it", ""),
		with("GLOBAL", "{typeRef: {path: cap.type.db.config}, backend: {id: neo}}"), with("ACTION", "{typeRef: {path: cap.type.db.config}, backend: {id: vault}}")))
	if s.Backends[0].ID != "vault" {
		t.Errorf("got %+v\n%s", s.Backends, strings.Join(results, "\n"))
	}
	// A more specific rule of a lower policy is another one.
	s, _ = selectOne(t, join(storageHub, implementation("it", ""),
		with("GLOBAL", "{typeRef: {path: cap.type.db.config, revision: 0.1.0}, backend: {id: neo}}"), with("ACTION", "{typeRef: {path: cap.type.db.config}, backend: {id: vault}}")))
	if s.Backends[0].ID != "neo" {
		t.Errorf("got %+v", s.Backends)
	}
}

const stores = `requires: {cap.core.type.hub.storage: {anyOf: [{name: cap.type.vault, revision: 0.1.0, alias: store}, {name: neo4j, revision: 0.1.0}]}}
additionalOutput: {typeInstances: {extra: {typeRef: {path: cap.type.db.extra, revision: 0.1.0}}}}
action:
  runnerInterface: argo.run
  args:
    workflow:
      templates:
      - steps:
        - - name: one
            capact-outputTypeInstances: [{name: other, from: x, backend: store}]
        - - name: two
            nested: {deeper: [{capact-outputTypeInstances: [{name: database, from: x, backend: store}, {name: extra, from: y}]}]}
`

// What an Implementation enforces comes first, and rejects it when the alias is not
// injected, even where its requirements hold.
func TestEnforcedBackends(t *testing.T) {
	rules := "\ntypeInstance: {rules: [{typeRef: {path: cap.type.db.*}, backend: {id: neo}}]}"
	vault := "{inject: {requiredTypeInstances: [{id: vault}]}}"
	for _, tc := range []struct{ name, policy, want, reasons string }{
		{"by the rule", rulesOf("{interface: {path: cap.interface.db}, oneOf: [" + vault + "]}"), "database vault rule-inject cap.interface.db|extra neo pattern cap.type.db.*", ""},
		{"by default", "interface: {default: {inject: {requiredTypeInstances: [{id: vault}]}}, rules: [" + anyRule + "]}", "database vault default-inject|extra neo pattern cap.type.db.*", ""},
		{"not at all", rulesOf(anyRule), "", "0: AliasNotInjected store (cap.type.vault:0.1.0)"},
	} {
		s, results := selectOne(t, join(storageHub, implementation("it", stores), policyOf("GLOBAL", tc.policy+rules)))
		var got []string
		for _, b := range s.Backends {
			got = append(got, strings.TrimSpace(b.Output+" "+b.ID+" "+b.Via+" "+b.Rule))
		}
		if strings.Join(got, "|") != tc.want || strings.Join(s.reasons("it:0.1.0"), "|") != tc.reasons {
			t.Errorf("%s: got %s, %s\n%s", tc.name, got, s.reasons("it:0.1.0"), strings.Join(results, "\n"))
		}
	}
}

// A backend must be a hub storage.
func TestHubStorage(t *testing.T) {
	for _, tc := range []struct{ name, more, id, want string }{
		{"below the path", "", "neo", ""},
		{"by additionalRefs", "", "vault", ""},
		{"the path itself", instance("root", "cap.core.type.hub.storage"), "root", ""},
		{"a Type without it", resource("Type", "plain", "{path: cap.type.plain, revision: 0.1.0, additionalRefs: [cap.core.type.platform]}"), "plain",
			"error policy/invalid Policy/global spec.typeInstance.rules[0].backend.id"},
		{"no Type", "", "plain", "error policy/invalid Policy/global spec.typeInstance.rules[0].backend.id"},
		{"nothing", "", "neu", `error policy/invalid Policy/global spec.typeInstance.rules[0].backend.id no="TypeInstance has the id \"neu\"" near=neo`},
	} {
		items := join(storageHub, implementation("it", ""), policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: cap.type.db.config}, backend: {id: "+tc.id+", description: ours}}]}"))
		if tc.more != "" {
			items = join(items, tc.more)
		}
		output, results := evaluate(t, functiontest.List("", items))
		if made := len(selections(t, output)) == 1; made != (tc.want == "") {
			t.Errorf("%s: the selection is made: %v", tc.name, made)
		}
		if errors := strings.Join(only(results, "error"), "\n"); errors != tc.want {
			t.Errorf("%s: got %s", tc.name, strings.Join(results, "\n"))
		}
	}
	// Also one that is injected for an alias that a step names as backend.
	needs := strings.ReplaceAll(stores, "cap.type.vault", "cap.type.plain")
	_, results := evaluate(t, functiontest.List("", join(storageHub, implementation("it", needs), policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: plain}]}}]}")))))
	if diff := cmp.Diff([]string{"error policy/invalid Policy/global spec.interface.rules[0].oneOf[0].inject.requiredTypeInstances[0].id"}, only(results, "error")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Backends of steps without a requirement of that alias, and those that contradict.
func TestBadBackendAliases(t *testing.T) {
	for _, tc := range []struct{ old, new, want string }{
		{"name: database, from: x, backend: store", "name: database, from: x, backend: stor", `error policy/invalid Implementation/it spec.action no="alias named \"stor\" in spec.requires, which is the backend of the output \"database\"" want="neo or store" near=store`},
		{"name: other, from: x, backend: store", "name: database, from: x, backend: neo", "error policy/invalid Implementation/it spec.action"},
	} {
		bad := strings.ReplaceAll(strings.ReplaceAll(stores, tc.old, tc.new), "{name: neo4j, revision: 0.1.0}", "{name: neo4j, revision: 0.1.0, alias: neo}")
		output, results := evaluate(t, functiontest.List("", join(storageHub, implementation("it", bad), policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: vault}]}}]}")))))
		if only(results, "error")[0] != tc.want || len(selections(t, output)) != 0 {
			t.Errorf("got  %s\nwant %s", strings.Join(results, "\n"), tc.want)
		}
	}
}

// A step that names a backend for an output that does not exist: the output that was
// meant is stored elsewhere.
func TestBackendOfUnknownOutput(t *testing.T) {
	policy := policyOf("GLOBAL", rulesOf("{interface: {path: cap.*}, oneOf: [{inject: {requiredTypeInstances: [{id: vault}]}}]}"))
	const at = "warning policy/ignored-field Implementation/it spec.action "
	for _, tc := range []struct {
		name, output string
		want         []string
	}{
		{"of the Interface", "database", nil},
		{"of the Implementation", "extra", nil},
		{"misspelt", "databse", []string{at + `no="output named \"databse\", but a step names the backend \"store\" for it" want="database or extra" near=database`}},
		{"of something else", "zzz", []string{at + `no="output named \"zzz\", but a step names the backend \"store\" for it" want="database or extra"`}},
	} {
		steps := strings.Replace(strings.Replace(stores, "name: other", "name: "+tc.output, 1), "name: database, from: x, backend: store", "name: database, from: x", 1)
		output, results := evaluate(t, functiontest.List("", join(dbInterface, storageType("cap.type.vault"), instance("vault", "cap.type.vault"), implementation("it", steps), policy)))
		if diff := cmp.Diff(tc.want, only(results, "warning")); diff != "" || len(selections(t, output)) != 1 {
			t.Errorf("%s: -want +got:\n%s", tc.name, diff)
		}
	}
	// The outputs of an Interface that is not in the package are unknown.
	steps := strings.Replace(stores, "name: other", "name: zzz", 1)
	for _, implements := range []string{"{path: cap.interface.db, revision: 1.0.0}, {path: cap.interface.hidden, revision: 1.0.0}", "{path: cap.interface.hidden, revision: 1.0.0}, {path: cap.interface.db, revision: 1.0.0}"} {
		_, results := evaluate(t, functiontest.List(configOf("onNotSelected: warning"), join(dbInterface, storageType("cap.type.vault"), instance("vault", "cap.type.vault"), policy,
			implementation("it", "implements: ["+implements+"]\n"+steps))))
		if got := only(results, "warning"); got != nil {
			t.Errorf("%s: got %s", implements, got)
		}
	}
}

// A misspelt path in a rule for TypeInstances, which would store them elsewhere.
func TestMisspeltBackendRule(t *testing.T) {
	for _, tc := range []struct{ path, near string }{
		{"cap.type.db.config", ""},
		{"cap.type.db.confg", "cap.type.db.config"},
		{"cap.tipe.db.*", "cap.type.db.*"},
		{"cap.type.db.*", ""},
		{"cap.*", ""},
		{"cap.type.other.thing", ""},
		{"cap.core.type.hub.storage.neo4", "cap.core.type.hub.storage.neo4j"}, // a TypeInstance has it
	} {
		_, results := evaluate(t, functiontest.List("", join(storageHub, implementation("it", ""), policyOf("GLOBAL", rulesOf(anyRule)+"\ntypeInstance: {rules: [{typeRef: {path: "+tc.path+"}, backend: {id: vault}}]}"))))
		var got []string
		for _, r := range only(results, "warning") {
			if strings.Contains(r, "unreachable") {
				got = append(got, r)
			}
		}
		if tc.near == "" && got == nil {
			continue
		}
		want := " near=" + tc.near
		if len(got) != 1 || !strings.HasPrefix(got[0], "warning policy/unreachable-rule Policy/global spec.typeInstance.rules[0].typeRef.path ") || !strings.HasSuffix(got[0], want) {
			t.Errorf("%s: got %s, want %s", tc.path, got, want)
		}
	}
}
