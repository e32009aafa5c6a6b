/* The server's side of SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677, RFC 5929),
 * implemented with OpenSSL. As in PostgreSQL, the user's name is that in the start-up message, and
 * the name within SCRAM is ignored. */
#ifndef MT_WIRE_SCRAM_H
#define MT_WIRE_SCRAM_H

#include "wire/users.h"

/* Decodes n characters of base64 to at most `most` bytes in `to`. Returns how many; 0: the text is
 * not valid or too long. */
size_t mt_base64_read (const char *text, size_t n, uint8_t *to, size_t most);

/* Makes a verifier of a password with a new random salt. Error: XX000 no random bytes are
 * available. */
bool mt_scram_verifier (const char *password, MtVerifier *out, MtError *err);
/* Makes a verifier that no password matches. For the same name it is the same as long as the
 * process lives, so that clients can't find out which users exist. */
bool mt_scram_nobody (const char *name, MtVerifier *out, MtError *err);

/* The state of one login. */
typedef struct MtScram {
   const MtVerifier *verifier; /* borrowed */
   bool plus;                  /* the client chose SCRAM-SHA-256-PLUS */
   /* with TLS, the hash of the server's certificate (tls-server-end-point), for channel binding;
    * otherwise NULL */
   const uint8_t *binding;
   size_t binding_bytes;
   /* private */
   MtBuf header, client_first, server_first, nonce;
} MtScram;

/* Handles the client's first SCRAM message. *out is the answer, borrowed. Error: 08P01 a malformed
 * message. */
bool mt_scram_first (MtScram *s, const char *message, size_t n, MtStr *out, MtError *err);
/* Checks the client's last SCRAM message. The answer in *out proves that the server has the
 * verifier. Errors: 08P01 a malformed message, 28P01 a wrong password. */
bool mt_scram_last (MtScram *s, const char *message, size_t n, MtBuf *out, MtError *err);
void mt_scram_free (MtScram *s);

#endif
