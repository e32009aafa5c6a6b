#include "wire/scram.h"
#include "wire/openssl.h"
#include "base/base64.h"

#include <pthread.h>
#include <stdlib.h>
#include <utf8proc.h>

enum {
   ITERATIONS = 4096, /* the number that PostgreSQL uses */
   NEW_SALT_BYTES = 16,
   NONCE_BYTES = 18
};

typedef uint8_t Hash[MT_SHA256_BYTES];

/* ---- base64 ---- */

size_t mt_base64_read (const char *text, size_t n, uint8_t *to, size_t most)
{
   uint8_t room[1024];
   if (n == 0 || n % 4 != 0 || n / 4 * 3 > sizeof room)
      return 0;
   int got = EVP_DecodeBlock (room, (const uint8_t *) text, (int) n);
   if (got < 0)
      return 0;
   size_t bytes = (size_t) got - (text[n - 1] == '=') - (text[n - 2] == '=');
   if (bytes > most)
      return 0;
   memcpy (to, room, bytes);
   return bytes;
}

/* ---- verifiers ---- */

static void hmac (const Hash key, const void *p, size_t n, Hash out)
{
   HMAC (EVP_sha256 (), key, MT_SHA256_BYTES, p, n, out, NULL);
}

static void hash (const Hash of, Hash out)
{
   EVP_Digest (of, MT_SHA256_BYTES, out, NULL, EVP_sha256 (), NULL);
}

static bool random_bytes (uint8_t *p, size_t n, MtError *err)
{
   return RAND_bytes (p, (int) n) == 1 ||
          mt_error (err, MT_E_INTERNAL, "could not generate random bytes");
}

static bool is_ascii (const char *s)
{
   while (*s && (unsigned char) *s < 0x80)
      s++;
   return !*s;
}

/* Returns the form of a password that clients hash (SASLprep, RFC 4013): compatibility characters
 * are replaced, ignorable ones removed. Invalid UTF-8 is returned unchanged. Owned by the caller
 * (free). */
static char *prepared (const char *password)
{
   utf8proc_uint8_t *out = NULL;
   if (!is_ascii (password))
      utf8proc_map ((const utf8proc_uint8_t *) password, 0, &out,
                    UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT |
                       UTF8PROC_IGNORE);
   return out ? (char *) out : strdup (password);
}

bool mt_scram_verifier (const char *password, MtVerifier *out, MtError *err)
{
   Hash salted, client_key;
   *out = (MtVerifier) {.iterations = ITERATIONS, .salt_bytes = NEW_SALT_BYTES};
   char *text = prepared (password);
   if (!text)
      return mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
   bool ok = random_bytes (out->salt, out->salt_bytes, err);
   if (ok && PKCS5_PBKDF2_HMAC (text, (int) strlen (text), out->salt, (int) out->salt_bytes,
                                ITERATIONS, EVP_sha256 (), sizeof salted, salted) != 1)
      ok = mt_error (err, MT_E_INTERNAL, "could not hash the password");
   hmac (salted, "Client Key", 10, client_key);
   hash (client_key, out->stored_key);
   hmac (salted, "Server Key", 10, out->server_key);
   OPENSSL_cleanse (text, strlen (text));
   OPENSSL_cleanse (salted, sizeof salted);
   OPENSSL_cleanse (client_key, sizeof client_key);
   free (text);
   return ok;
}

static Hash secret; /* random bytes, made once for this process */
static bool secret_made;

static void make_secret (void) { secret_made = RAND_bytes (secret, sizeof secret) == 1; }

bool mt_scram_nobody (const char *name, MtVerifier *out, MtError *err)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   Hash salt;
   pthread_once (&once, make_secret);
   if (!secret_made)
      return mt_error (err, MT_E_INTERNAL, "could not generate random bytes");
   hmac (secret, name, strlen (name), salt);
   *out = (MtVerifier) {.iterations = ITERATIONS, .salt_bytes = NEW_SALT_BYTES};
   memcpy (out->salt, salt, NEW_SALT_BYTES);
   return random_bytes (out->stored_key, MT_SHA256_BYTES, err) &&
          random_bytes (out->server_key, MT_SHA256_BYTES, err);
}

/* ---- messages ---- */

static bool malformed (MtError *err)
{
   return mt_error (err, MT_E_PROTOCOL, "malformed SCRAM message");
}

/* If *at begins with the attribute `name=value,`, sets *value and advances *at after it; otherwise
 * returns false. */
static bool attribute (MtStr *at, char name, MtStr *value)
{
   if (at->n < 2 || at->p[0] != name || at->p[1] != '=')
      return false;
   const char *end = memchr (at->p, ',', at->n);
   size_t n = end ? (size_t) (end - at->p) : at->n;
   *value = (MtStr) {at->p + 2, n - 2};
   n += end != NULL;
   *at = (MtStr) {at->p + n, at->n - n};
   return true;
}

/* Reads the header "n,,", "y,," or "p=tls-server-end-point,,", and advances *at after it. "y" means
 * that the client supports channel binding, but believes that the server does not. */
static bool take_header (MtScram *s, MtStr *at, MtError *err)
{
   static const char bound[] = "p=tls-server-end-point,,";
   size_t n = s->plus ? sizeof bound - 1 : 3;
   if (at->n < n || (s->plus && memcmp (at->p, bound, n) != 0))
      return malformed (err);
   if (!s->plus && at->p[0] == 'y' && s->binding)
      return mt_error (err, MT_E_PROTOCOL, "SCRAM channel binding negotiation error");
   if (!s->plus && ((at->p[0] != 'n' && at->p[0] != 'y') || memcmp (at->p + 1, ",,", 2) != 0))
      return malformed (err);
   mt_buf_add (&s->header, at->p, n);
   *at = (MtStr) {at->p + n, at->n - n};
   return true;
}

bool mt_scram_first (MtScram *s, const char *message, size_t n, MtStr *out, MtError *err)
{
   MtStr at = {message, n}, user, nonce;
   uint8_t own[NONCE_BYTES];
   if (!take_header (s, &at, err))
      return false;
   mt_buf_add (&s->client_first, at.p, at.n);
   if (!attribute (&at, 'n', &user) || !attribute (&at, 'r', &nonce) || !nonce.n)
      return malformed (err);
   if (!random_bytes (own, sizeof own, err))
      return false;
   mt_buf_add (&s->nonce, nonce.p, nonce.n);
   mt_base64_put (own, sizeof own, MT_BASE64, &s->nonce);
   mt_buf_printf (&s->server_first, "r=%s,s=", s->nonce.p);
   mt_base64_put (s->verifier->salt, s->verifier->salt_bytes, MT_BASE64, &s->server_first);
   mt_buf_printf (&s->server_first, ",i=%u", s->verifier->iterations);
   *out = (MtStr) {s->server_first.p, s->server_first.n};
   return true;
}

/* Returns whether the attribute "c=" has the client's header and, with channel binding, the hash of
 * the server's certificate that the client saw. */
static bool binding_ok (const MtScram *s, MtStr given)
{
   MtBuf want = {0}, text = {0};
   mt_buf_add (&want, s->header.p, s->header.n);
   if (s->plus)
      mt_buf_add (&want, s->binding, s->binding_bytes);
   mt_base64_put ((const uint8_t *) want.p, want.n, MT_BASE64, &text);
   bool ok = mt_str_eq (given, (MtStr) {text.p, text.n});
   mt_buf_free (&want);
   mt_buf_free (&text);
   return ok;
}

bool mt_scram_last (MtScram *s, const char *message, size_t n, MtBuf *out, MtError *err)
{
   MtStr at = {message, n}, binding, nonce, text;
   MtBuf signed_text = {0};
   Hash proof, signature, client_key, stored;
   if (!attribute (&at, 'c', &binding) || !attribute (&at, 'r', &nonce))
      return malformed (err);
   size_t without_proof = (size_t) (at.p - message) - 1;
   if (!attribute (&at, 'p', &text) || at.n || !mt_str_eq (nonce, (MtStr) {s->nonce.p, s->nonce.n}))
      return malformed (err);
   if (!binding_ok (s, binding))
      return mt_error (err, MT_E_PROTOCOL, "SCRAM channel binding check failed");
   if (mt_base64_read (text.p, text.n, proof, sizeof proof) != sizeof proof)
      return malformed (err);
   mt_buf_printf (&signed_text, "%s,%s,%.*s", s->client_first.p, s->server_first.p,
                  (int) without_proof, message);
   hmac (s->verifier->stored_key, signed_text.p, signed_text.n, signature);
   for (size_t i = 0; i < sizeof proof; i++)
      client_key[i] = proof[i] ^ signature[i];
   hash (client_key, stored);
   bool ok = CRYPTO_memcmp (stored, s->verifier->stored_key, sizeof stored) == 0;
   hmac (s->verifier->server_key, signed_text.p, signed_text.n, signature);
   mt_buf_free (&signed_text);
   OPENSSL_cleanse (client_key, sizeof client_key);
   if (!ok)
      return mt_error (err, MT_E_PASSWORD, "password authentication failed");
   mt_buf_adds (out, "v=");
   mt_base64_put (signature, sizeof signature, MT_BASE64, out);
   return true;
}

void mt_scram_free (MtScram *s)
{
   mt_buf_free (&s->header);
   mt_buf_free (&s->client_first);
   mt_buf_free (&s->server_first);
   mt_buf_free (&s->nonce);
}
