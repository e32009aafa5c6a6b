/* The server's side of SCRAM-SHA-256 and SCRAM-SHA-256-PLUS (RFC 5802, RFC 7677, RFC 5929), with
 * OpenSSL's functions. As in PostgreSQL, the user's name is that of the start-up message, and the
 * name within SCRAM is ignored. */
#ifndef MT_WIRE_SCRAM_H
#define MT_WIRE_SCRAM_H

#include "wire/users.h"

/* Returns the number of bytes of a text of base64, written to `to`; 0: it is wrong or longer than
 * `most`. */
size_t mt_base64_read (const char *text, size_t n, uint8_t *to, size_t most);
void mt_base64_print (const uint8_t *p, size_t n, MtBuf *out);

/* Makes a verifier with a new salt. Error: XX000 if there are no random bytes. */
bool mt_scram_verifier (const char *password, MtVerifier *out, MtError *err);
/* Makes a verifier that no password fits, which is the same for the same name as long as the
 * process lives. So a client can't tell who is a user. */
bool mt_scram_nobody (const char *name, MtVerifier *out, MtError *err);

/* One login. */
typedef struct MtScram {
   const MtVerifier *verifier; /* borrowed */
   bool plus;                  /* the client chose SCRAM-SHA-256-PLUS */
   /* of a connection with TLS, the hash of the server's certificate (tls-server-end-point) */
   const uint8_t *binding;
   size_t binding_bytes;
   /* private */
   MtBuf header, client_first, server_first, nonce;
} MtScram;

/* Answers the client's first message with *out, borrowed. Error: 08P01 a wrong message. */
bool mt_scram_first (MtScram *s, const char *message, size_t n, MtStr *out, MtError *err);
/* Checks the client's last message. The answer proves that the server knows the verifier. Errors:
 * 08P01 a wrong message, 28P01 a wrong password. */
bool mt_scram_last (MtScram *s, const char *message, size_t n, MtBuf *out, MtError *err);
void mt_scram_free (MtScram *s);

#endif
