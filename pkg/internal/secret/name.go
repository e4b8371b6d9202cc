package secret

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// The words by which a name is recognized as the name of a secret, with a line for each language. They
// are compared as [fold] writes them.
var (
	// secretParts are recognized anywhere in a name: `dbPassword`, `mot_de_passe`.
	secretParts = folded(
		"password", "passwd", "passphrase", "passcode", "token", "secret", "credential", "licence", "license", "connection string",
		"passwort", "kennwort", "geheim", "schlüssel", "schluessel", "zugangsdaten", "lizenz", // German
		"contraseña", "contrasenya", "credencial", "licencia", // Spanish, Catalan
		"mot de passe", "phrase de passe", "jeton", // French
		"parola", "segreto", "chiave", "credenzial", "licenza", // Italian; parola is also Romanian and Turkish
		"senha", "palavra passe", "segredo", "chave", "licença", // Portuguese
		"wachtwoord", "sleutel", "licentie", // Dutch
		"lösenord", "adgangskode", "passord", "hemlig", "hemmelig", "nyckel", "nøgle", "nøkkel", // Swedish, Danish, Norwegian
		"salasana", "tunnussana", // Finnish
		"hasło", "sekret", "klucz", "heslo", // Polish, Czech, Slovak
		"jelszó", "titkos", // Hungarian
		"şifre", "anahtar", // Turkish
		"κωδικός", "συνθηματικό", "μυστικό", // Greek
		"пароль", "парола", "лозинка", "секрет", "токен", "лиценз", // Russian, Bulgarian, Serbian
		"סיסמה", "סיסמא", "كلمة المرور", "كلمة السر", "رمز عبور", // Hebrew, Arabic, Persian
		"पासवर्ड", "รหัสผ่าน", "mật khẩu", "kata sandi", // Hindi, Thai, Vietnamese, Indonesian
		"密码", "密碼", "口令", "密钥", "密鑰", "金鑰", "令牌", "秘密", "机密", "機密", "凭据", "凭证", "憑證", // Chinese
		"パスワード", "暗証番号", "鍵", "トークン", // Japanese
		"비밀", "암호", "토큰", "패스워드", // Korean
	)
	// secretWords are recognized as words of a name: `clave_api`. As parts they are in other words.
	secretWords = folded("clave", "claves", "clé", "clés", "mdp", "klíč", "kľúč", "kulcs", "avain", "κλειδί", "ключ", "ключи", "пароли")
	// keyWords are recognized as words of a name, and at its end: `keyFile`, `apikey`.
	keyWords = folded("key", "keys", "pwd", "creds")
	// lastWords are recognized as words of the last step of a path.
	lastWords = folded("cert", "auth", "pass", "pw", "psk", "jwt", "bearer", "dsn", "mnemonic", "kubeconfig")
)

// folded returns a function that returns names in the form in which they are compared. They are written so
// when it is first called.
func folded(names ...string) func() []string {
	return sync.OnceValue(func() []string {
		for i, name := range names {
			names[i] = fold(name)
		}
		return names
	})
}

// plain writes letters without their accents, as they are written where a keyboard has none.
var plain = strings.NewReplacer(
	"ä", "a", "à", "a", "á", "a", "ậ", "a", "ẩ", "a", "ç", "c", "č", "c", "é", "e", "è", "e", "ê", "e", "í", "i", "ľ", "l", "ł", "l",
	"ñ", "n", "ö", "o", "ó", "o", "ø", "o", "ş", "s", "ü", "u", "ú", "u", "ά", "α", "έ", "ε", "ή", "η", "ί", "ι", "ό", "ο", "ύ", "υ", "ώ", "ω",
)

// fold returns a name as one word in lower case, without accents: mot-de-passe and `Mot de passe`
// are motdepasse.
func fold(name string) string { return strings.Join(foldedWords(name), "") }

// foldedWords returns the words of a name in lower case, without accents.
func foldedWords(name string) []string {
	all := words(name)
	for i, word := range all {
		if all[i] = strings.ToLower(word); strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
			all[i] = plain.Replace(all[i])
		}
	}
	return all
}

// hasPart reports whether a part of a name is one of the words for secrets that may stand anywhere in
// a name.
func hasPart(name string) bool {
	return slices.ContainsFunc(secretParts(), func(part string) bool { return strings.Contains(name, part) })
}

// hasWord reports whether one of the words of a name is in one of several lists.
func hasWord(name []string, of ...[]string) bool {
	return slices.ContainsFunc(name, func(word string) bool {
		return slices.ContainsFunc(of, func(some []string) bool { return slices.Contains(some, word) })
	})
}

// IsSecretKey reports whether a step of a path is named like a secret, in any spelling:
// `apiKey`, `API_TOKEN`, `licence-key`.
func IsSecretKey(path string) bool {
	for step := range strings.FieldsFuncSeq(path, func(r rune) bool { return strings.ContainsRune(".[]", r) }) {
		all := foldedWords(step)
		name := strings.Join(all, "")
		if hasPart(name) || hasWord(all, secretWords(), keyWords()) || slices.ContainsFunc(keyWords(), func(word string) bool { return strings.HasSuffix(name, word) }) {
			return true
		}
	}
	return false
}

// IsSecretField reports whether the last step of the path of a field is named like a secret. Words
// such as key are not enough: fields are called so.
func IsSecretField(path string) bool { return hasPart(fold(lastStep(path))) }

// isSecretPath is [IsSecretKey] of a path without the names of charts.
func isSecretPath(path string) bool {
	if rest, ok := strings.CutPrefix(path, "charts."); ok {
		_, path, _ = strings.Cut(rest, ".")
	}
	return IsSecretKey(path) || hasWord(foldedWords(lastStep(path)), lastWords())
}

// lastStep returns the last key of a path without indexes: `ports` of `server.ports[0]`.
func lastStep(path string) string {
	path, _, _ = strings.Cut(path[strings.LastIndexByte(path, '.')+1:], "[")
	return path
}

// words returns the words of a name: `keyFile`, `key_file` and `key-file` have two words each.
func words(name string) []string {
	var spaced strings.Builder
	before := ' '
	for _, r := range name {
		if unicode.IsUpper(r) && unicode.IsLower(before) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
		before = r
	}
	return strings.FieldsFunc(spaced.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
