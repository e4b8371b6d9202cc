package capacity

import "strings"

// suspicion is what is odd about a unit that is legal, and the quantity that was
// probably meant, "" when that is not clear.
type suspicion struct{ reason, proposed string }

// oddCores is the number of cores from which a single request was probably meant
// in millicores.
const oddCores = 100

// suspect looks at a quantity that can be read: `256m` of memory is a quarter of
// a byte. ofNode says that a node has it, and no component asks for it.
func (t Type) suspect(text string, a Amount, ofNode bool) (suspicion, bool) {
	number, suffix, _ := cutNumber(text)
	if a.Sign() <= 0 {
		return suspicion{}, false
	}
	if _, exponent := cutExponent(suffix); exponent {
		return suspicion{}, false // nobody writes one by a slip
	}
	if t == CPU {
		switch {
		case suffix == "Mi" || suffix == "M":
			return suspicion{"is millions of cores", number + "m"}, true
		case strings.ContainsAny(suffix, "kKMGTPE"):
			return suspicion{"is thousands of cores or more", ""}, true
		case suffix == "" && !ofNode && a.Cmp(whole(oddCores)) >= 0:
			return suspicion{"is whole cores, more than nodes have", number + "m"}, true
		}
		return suspicion{}, false
	}
	meant := "Mi"
	if t == DiskSize {
		meant = "G"
	}
	switch {
	case suffix == "m" && t == Memory:
		return suspicion{"is thousandths of bytes", number + "Mi"}, true
	case suffix == "m":
		return suspicion{"is thousandths of bytes", ""}, true
	case suffix == "u" || suffix == "n":
		return suspicion{"is a fraction of a byte", ""}, true
	case suffix == "" && a.Cmp(whole(1<<20)) < 0:
		return suspicion{"is bytes", number + meant}, true
	}
	return suspicion{}, false
}
