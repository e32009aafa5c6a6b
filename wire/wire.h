/* PostgreSQL's protocol: serves a target to PostgreSQL's clients. */
#ifndef MT_WIRE_H
#define MT_WIRE_H

#include "include/mtsql.h"

/* What to serve, and to whom. Strings are borrowed until mt_listen returns. */
typedef struct MtListen {
   const char *address;          /* "[HOST:]PORT" or "unix:FOLDER" */
   const char *users;            /* the file of users; NULL: none */
   const char *tls_cert;         /* PEM: the certificate and its issuers; NULL: no TLS */
   const char *tls_key;          /* PEM; NULL: it is in tls_cert */
   uint32_t max_connections;     /* more get 53300; 0: 100 */
   bool trust;                   /* clients need no password; only for loopback addresses */
   const MtOpenOptions *session; /* the target, and options of each session; it is restricted */
} MtListen;

/* Serves until SIGTERM or SIGINT. Then clients that are idle are disconnected at once, and running
 * statements get ten seconds. A second signal ends them sooner. Prints one line to standard output
 * when it accepts connections; logs to standard error. Uses the socket of systemd, if it passes one
 * (LISTEN_FDS), and tells systemd when it is ready (NOTIFY_SOCKET). The calling thread's signal mask
 * changes.
 *
 * Errors: 22023 a wrong address or a combination that would let anyone in; 58030 the address can't
 * be used; F0000 a wrong file of users, certificate or key. */
bool mt_listen (const MtListen *l, MtError *err);

/* Adds a user to the file of users, or replaces it. The file is made if it is not there, with mode
 * 0600. It has a verifier of SCRAM-SHA-256, from which the password can't be found. Errors: 22023 a
 * wrong name or an empty password; 58030 the file can't be written; F0000 its content is wrong. */
bool mt_user_add (const char *file, const char *name, const char *password, bool read_only,
                  MtError *err);

#endif
