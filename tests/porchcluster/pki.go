package porchcluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// frontProxy is the name by which Porch's server trusts what the API server says about
// users.
const frontProxy = "front-proxy-client"

// pki are the files of the certificates and keys of a cluster, and the token of its
// administrator.
type pki struct {
	dir   string
	ca    *x509.Certificate
	key   *ecdsa.PrivateKey
	token string
}

func (p *pki) file(name string) string { return filepath.Join(p.dir, name) }

// newPKI writes, for some days: ca.crt; api.crt and api.key for the API server; proxy.crt
// and proxy.key by which it shows itself to Porch's server; accounts.key and accounts.pub
// for service accounts; tokens.csv.
func newPKI(dir string) (*pki, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	p := &pki{dir: dir}
	var err error
	template := &x509.Certificate{
		Subject: pkix.Name{CommonName: "porchcluster"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	if p.ca, p.key, err = p.issue("ca", template); err != nil {
		return nil, err
	}
	loopback := []net.IP{net.IPv4(127, 0, 0, 1), serviceAddress}
	for name, template := range map[string]*x509.Certificate{
		"api":   {Subject: pkix.Name{CommonName: apiServer}, IPAddresses: loopback, DNSNames: []string{"localhost"}},
		"proxy": {Subject: pkix.Name{CommonName: frontProxy}},
	} {
		template.KeyUsage = x509.KeyUsageDigitalSignature
		template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
		if _, _, err := p.issue(name, template); err != nil {
			return nil, err
		}
	}
	if err := p.writeAccounts(); err != nil {
		return nil, err
	}
	token := make([]byte, 16)
	if _, err := rand.Read(token); err != nil {
		return nil, err
	}
	p.token = hex.EncodeToString(token)
	return p, os.WriteFile(p.file("tokens.csv"), []byte(p.token+`,admin,admin,"system:masters"`+"\n"), 0o600)
}

// issue writes a certificate and its key. The first one signs itself and all others.
func (p *pki) issue(name string, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120)); err != nil {
		return nil, nil, err
	}
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(30 * 24 * time.Hour)
	parent, signer := p.ca, p.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, nil, fmt.Errorf("certificate %s: %w", name, err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err == nil {
		err = p.write(name+".crt", "CERTIFICATE", der)
	}
	if err == nil {
		err = p.writeKey(name+".key", key)
	}
	return certificate, key, err
}

// writeAccounts writes the keys for the tokens of service accounts.
func (p *pki) writeAccounts() error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(key.Public())
	if err == nil {
		err = p.write("accounts.pub", "PUBLIC KEY", public)
	}
	if err == nil {
		err = p.writeKey("accounts.key", key)
	}
	return err
}

func (p *pki) writeKey(name string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return err
	}
	return p.write(name, "EC PRIVATE KEY", der)
}

func (p *pki) write(name, kind string, der []byte) error {
	return os.WriteFile(p.file(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600)
}

// writeKubeconfig writes the configuration of a client that is the administrator.
func (p *pki) writeKubeconfig(name, server string) error {
	return os.WriteFile(name, fmt.Appendf(nil, `apiVersion: v1
kind: Config
current-context: porch
clusters:
  - name: porch
    cluster: {server: %q, certificate-authority: %q}
contexts:
  - name: porch
    context: {cluster: porch, user: admin, namespace: default}
users:
  - name: admin
    user: {token: %q}
`, server, p.file("ca.crt"), p.token), 0o600)
}
