package capacity

import "strings"

// A bare number of cores was probably meant in millicores from these on: the first in a
// request, the second on a node, since the largest machines have fewer.
const (
	manyCores     = 100
	manyNodeCores = 2000
)

// Memory without a unit was probably meant in Gi below these numbers, else in Mi: the
// first in a request, the second on a node.
const (
	fewGi     = 16
	fewNodeGi = 1000
)

// suspect explains why the unit of a legal quantity is probably wrong, and returns the quantity
// that was probably meant, or "" if that is unclear: `256m` of memory is a quarter of a byte. It
// returns no reason for any other quantity.
func (t Type) suspect(text string, a Amount, ofNode bool) (reason, proposal string) {
	number, suffix, _ := cutNumber(text)
	if _, ok := exponent(suffix); ok || a.sign() <= 0 {
		return "", "" // an exponent is not a slip
	}
	less := func(n int64) bool { return a.cmp(unit("").times(n)) < 0 }
	switch t {
	case CPU:
		switch {
		case suffix == "Mi" || suffix == "M":
			return suffix + " is not a unit of cpu", number + "m"
		case strings.ContainsAny(suffix, "kKMGTPE"):
			return suffix + " is not a unit of cpu", ""
		case suffix == "" && !ofNode && !less(manyCores):
			return text + " means " + number + " cores, more than most nodes have", number + "m"
		case suffix == "" && !less(manyNodeCores):
			return text + " means " + number + " cores, more than any node has", number + "m"
		}
	case Memory, DiskSize:
		thousandths := text + " means " + a.value().String() + " bytes"
		switch {
		case suffix == "m" && t == Memory:
			return thousandths, number + "Mi"
		case suffix == "m":
			return thousandths, ""
		case suffix == "u" || suffix == "n":
			return text + " means a fraction of a byte", ""
		case suffix == "" && less(1<<20):
			switch {
			case t == DiskSize:
				return text + " means " + number + " bytes", number + "G"
			case less(fewGi), ofNode && less(fewNodeGi):
				return text + " means " + number + " bytes", number + "Gi"
			}
			return text + " means " + number + " bytes", number + "Mi"
		}
	}
	return "", ""
}

// suspectLimit returns by how much a minLimit is probably too small, since its unit is a
// slip, and the unit in which it counts: a few millicores were meant as cores, and a few
// Mi as Gi. It returns 0 for any other amount.
func (t Type) suspectLimit(a Amount) (scale int64, unit string) {
	size, _ := t.limitUnit()
	switch {
	case a.sign() <= 0 || a.cmp(size.times(fewGi)) >= 0:
		return 0, ""
	case t == CPU:
		return 1000, "millicores"
	case t == Memory:
		return 1024, "Mi"
	}
	return 0, ""
}

// misspeltUnits maps common wrong spellings, in lower case, to the units of Kubernetes.
var misspeltUnits = map[string]string{
	"kb": "k", "mb": "M", "gb": "G", "tb": "T", "pb": "P",
	"kib": "Ki", "mib": "Mi", "gib": "Gi", "tib": "Ti", "pib": "Pi",
	"ki": "Ki", "mi": "Mi", "gi": "Gi", "ti": "Ti", "pi": "Pi",
	"k": "k", "g": "G", "t": "T", "p": "P",
	"millicores": "m", "millicore": "m", "cores": "", "core": "", "vcpu": "", "vcpus": "", "b": "", "bytes": "",
}

// likelyUnit returns the unit that was probably meant by the letters after a number.
func likelyUnit(suffix string) (unit string, ok bool) {
	unit = strings.TrimSpace(suffix)
	if likely, ok := misspeltUnits[strings.ToLower(unit)]; ok {
		return likely, true
	}
	switch unit {
	case "n", "u", "m", "M", "E", "Ei":
		return unit, unit != suffix // only the whitespace is wrong
	}
	return "", false
}

// propose returns the quantity that was probably meant by a text that is not one, or "" if that is
// unclear. The proposal is never negative or suspicious.
func (t Type) propose(text string, fault *quantityFault, ofNode bool) string {
	a, wrong := parseQuantity(fault.proposal)
	if wrong != nil || a.sign() < 0 || t == "" {
		return ""
	}
	_, suffix, _ := cutNumber(text)
	switch strings.ToLower(strings.TrimSpace(suffix)) {
	case "b", "bytes":
		if t == CPU {
			return ""
		}
		return fault.proposal // a named unit is not doubted
	case "millicores", "millicore", "cores", "core", "vcpu", "vcpus":
		if t != CPU {
			return ""
		}
		return fault.proposal
	}
	if reason, proposal := t.suspect(fault.proposal, a, ofNode); reason != "" {
		return proposal
	}
	return fault.proposal
}
