package secret

import "testing"

func TestIsSecretKey(t *testing.T) {
	for key, isSecret := range map[string]bool{
		"password": true, "dbPassword": true, "DB_PASSWORD": true, "pass-word": true, "auth.token": true, "tokens[0]": true, "tokenSecretName": true,
		"secret.enabled": true, "apiKey": true, "apikey": true, "API_KEY": true, "keys.a": true, "keyFile": true, "key-file": true, "credential": true, "credentials.user": true,
		"licence": true, "licenseText": true, "passphrase": true, "pwd": true,
		"port": false, "installCRDs": false, "keyboard": false, "image.tag": false, "requests.memory": false, "a.b[0].c": false, "keep": false,
	} {
		if got := IsSecretKey(key); got != isSecret {
			t.Errorf("%s: got %t", key, got)
		}
	}
}
