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
		"passwd": true, "passcode": true, "connectionString": true, "passwort": true, "dbGeheimnis": true, "zugangsdaten": true, "lizenz": true, "contrasenya": true, "credencial": true, "licencia": true, "phraseDePasse": true, "jeton": true,
		"parola": true, "segreto": true, "chiave": true, "credenziali": true, "licenza": true, "palavraPasse": true, "segredo": true, "chave": true, "licença": true, "sleutel": true, "licentie": true,
		"lösenord": true, "adgangskode": true, "passord": true, "hemlig": true, "hemmelig": true, "nyckel": true, "nøgle": true, "nøkkel": true, "salasana": true, "tunnussana": true,
		"sekret": true, "klucz": true, "jelszó": true, "titkos": true, "anahtar": true, "συνθηματικό": true, "μυστικό": true, "парола": true, "лозинка": true, "секрет": true, "токен": true, "лицензия": true,
		"סיסמא": true, "كلمة_السر": true, "رمز_عبور": true, "รหัสผ่าน": true, "mật_khẩu": true, "kata-sandi": true,
		"密碼": true, "口令": true, "密钥": true, "密鑰": true, "金鑰": true, "令牌": true, "秘密": true, "机密": true, "機密": true, "凭据": true, "凭证": true, "憑證": true,
		"暗証番号": true, "鍵": true, "トークン": true, "암호": true, "토큰": true, "패스워드": true,
		"clave": true, "claves_api": true, "clés": true, "mdp": true, "klíč": true, "kľúč": true, "kulcs": true, "avain": true, "κλειδί": true, "ключи": true, "пароли": true, "creds": true,
		"licence": true, "licenseText": true, "passphrase": true, "pwd": true,
		"port": false, "installCRDs": false, "keyboard": false, "image.tag": false, "requests.memory": false, "a.b[0].c": false, "keep": false, "enclave": false, "включить": false, "article": false,
	} {
		if got := IsSecretKey(key); got != isSecret {
			t.Errorf("%s: got %t", key, got)
		}
	}
}

// Short words name a secret at the end of a path, and not above it.
func TestLastWords(t *testing.T) {
	for _, word := range []string{"cert", "auth", "pass", "pw", "psk", "jwt", "bearer", "dsn", "mnemonic", "kubeconfig"} {
		if !(Context{Path: "a." + word}).IsNamed() || !(Context{Path: "a.db-" + word + "[0]"}).IsNamed() || (Context{Path: word + ".a"}).IsNamed() {
			t.Errorf("%s is not one of the last words", word)
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
