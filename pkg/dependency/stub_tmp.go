package dependency

const ruleClusterInvalid = "cluster-constraint/invalid"
