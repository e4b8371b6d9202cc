package secret

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/krm-packs/functions/pkg/diag"
)

// A long line is taken for a secret, be it a number.
func TestLongText(t *testing.T) {
	for length, want := range map[int]diag.Class{MaxSearched: diag.Open, MaxSearched + 1: diag.Secret} {
		n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strings.Repeat("7", length)}
		if got := (Context{Path: "a"}).ClassOf(n); got != want {
			t.Errorf("%d digits: got class %v, want %v", length, got, want)
		}
	}
}

func TestIsSecretKey(t *testing.T) {
	for key, isSecret := range map[string]bool{
		"password": true, "dbPassword": true, "DB_PASSWORD": true, "pass-word": true, "auth.token": true, "tokens[0]": true, "tokenSecretName": true,
		"secret.enabled": true, "apiKey": true, "apikey": true, "API_KEY": true, "keys.a": true, "keyFile": true, "key-file": true, "credential": true, "credentials.user": true,
		"contraseña": true, "CONTRASEÑA_DB": true, "contrasen\u0303a": true, "contrasena": true, "motDePasse": true, "db-kennwort": true, "Schlüssel": true, "schluessel": true, "clé": true, "senha": true, "wachtwoord": true,
		"hasło": true, "heslo": true, "şifre": true, "κωδικός": true, "пароль": true, "ключ": true, "סיסמה": true, "كلمة_المرور": true, "पासवर्ड": true, "密码": true, "パスワード": true, "비밀번호": true,
		"licence": true, "licenseText": true, "passphrase": true, "pwd": true,
		"port": false, "installCRDs": false, "keyboard": false, "image.tag": false, "requests.memory": false, "a.b[0].c": false, "keep": false, "enclave": false, "включить": false, "article": false,
	} {
		if got := IsSecretKey(key); got != isSecret {
			t.Errorf("%s: got %t", key, got)
		}
	}
}

func TestAssignsSecret(t *testing.T) {
	for text, isSecret := range map[string]bool{
		"token=x": true, "export DB_PASSWORD=x": true, "token: x": true, `{"token": "x"}`: true, "token := x": true, "token => x": true, "TOKEN ?= x": true,
		`config["token"] = "x"`: true, "<token>x</token>": true, "$env:TOKEN = 'x'": true, "--token x": true, "--from-literal=token=x": true, "--set auth.token=x": true,
		"-H 'X-Vault-Token: x'": true, "setenv TOKEN x": true, "set -x TOKEN x": true, "--a --token x": true, "Server=a;Password=b": true, "contraseña: x": true,
		"{name: TOKEN, value: x}": true, `{"key": "token", "valueExpr": "x"}`: true, "token:1234": true, "DB_PASS=x": true,

		"": false, "the token is secret": false, "token": false, "token=": false, "token: ": false, "host=x": false, "--host x": false, "{name: my-secret, namespace: a}": false,
		"sealed-secrets:v1.2": false, "token:latest": false, "https://token.example.com:80/a": false, "- token of the user": false,
	} {
		if got := AssignsSecret(text); got != isSecret {
			t.Errorf("%q: got %t", text, got)
		}
	}
}
