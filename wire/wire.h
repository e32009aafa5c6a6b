/* Serves a target to clients of PostgreSQL, by PostgreSQL's protocol. */
#ifndef MT_WIRE_H
#define MT_WIRE_H

#include "include/mtsql.h"

/* The target to serve, the addresses, and who may connect. Strings are borrowed until mt_listen
 * returns. */
typedef struct MtListen {
   const char *address;          /* "[HOST:]PORT" or "unix:FOLDER" */
   const char *users;            /* the file of users; NULL: none */
   const char *tls_cert;         /* PEM: the certificate and its issuers; NULL: no TLS */
   const char *tls_key;          /* PEM; NULL: it is in tls_cert */
   uint32_t max_connections;     /* more get 53300; 0: 100 */
   bool trust;                   /* clients need no password; only for loopback addresses */
   const MtOpenOptions *session; /* the target, and options of each session; it is restricted */
} MtListen;

/* Serves clients until SIGTERM or SIGINT. Then idle clients are disconnected at once, and running
 * statements get ten seconds; a second signal ends them sooner. Prints one line to standard output
 * when it accepts connections; logs to standard error. Uses the sockets that systemd passes
 * (LISTEN_FDS), and notifies systemd when it is ready (NOTIFY_SOCKET). The signal mask of the
 * calling thread changes.
 *
 * Errors: 22023 a wrong address, or a combination of options that would let anybody in; 58030 the
 * address can't be used; F0000 a wrong file of users, certificate or key. */
bool mt_listen (const MtListen *l, MtError *err);

/* Adds a user to the file of users, or replaces the user's line. A missing file is created with
 * mode 0600. It contains a SCRAM-SHA-256 verifier, from which the password can't be computed.
 * Errors: 22023 a wrong name or an empty password; 58030 the file can't be written; F0000 its
 * content is wrong. */
bool mt_user_add (const char *file, const char *name, const char *password, bool read_only,
                  MtError *err);

#endif
