package release

import (
	"net/url"
	"regexp"
	"strings"
)

// scp matches the URLs of git that look like paths of scp: `git@github.com:example/platform.git`.
var scp = regexp.MustCompile(`^(?:[^@/]+@)?([^:/]+):(.+)$`)

// IsSame reports whether two URLs are of one repository: the host and the path are equal. The scheme, the
// user, the port and `.git` do not matter:
//
//	https://github.com/example/platform
//	ssh://git@github.com/example/platform.git
//	git@github.com:example/platform.git
func IsSame(a, b string) bool { return repository(a) == repository(b) }

// repository returns the host and the path of an address, without .git: `example.com/team/charts`.
func repository(address string) string {
	host, path := "", address
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		host, path = u.Hostname(), u.Path
	} else if found := scp.FindStringSubmatch(address); found != nil && !strings.Contains(address, "://") {
		host, path = found[1], found[2]
	}
	return strings.ToLower(host) + "/" + strings.TrimSuffix(strings.Trim(path, "/"), ".git")
}
