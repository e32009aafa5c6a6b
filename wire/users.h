/* The file of users: who may log in, with which role and which verifier.
 *
 *    # a comment
 *    NAME:read-write:SCRAM-SHA-256$4096:SALT$STORED_KEY:SERVER_KEY
 *
 * A verifier has the same form as in PostgreSQL (pg_authid.rolpassword). The role is read-only or
 * read-write. */
#ifndef MT_WIRE_USERS_H
#define MT_WIRE_USERS_H

#include "base/error.h"
#include "base/str.h"

enum { MT_SHA256_BYTES = 32, MT_SALT_MOST_BYTES = 64 };

/* What the server stores instead of a password (RFC 5802, section 3). */
typedef struct MtVerifier {
   uint32_t iterations;
   uint8_t salt[MT_SALT_MOST_BYTES];
   size_t salt_bytes;
   uint8_t stored_key[MT_SHA256_BYTES], server_key[MT_SHA256_BYTES];
} MtVerifier;

typedef struct MtUser {
   bool found;
   bool read_only;
   MtVerifier verifier;
} MtUser;

/* Checks all lines of the file. Errors: 58030 it can't be read; F0000 a line is wrong, or others
 * than its owner can read the file. */
bool mt_users_check (const char *file, MtError *err);
/* Finds a user by name. out->found is false if there is none. Errors are those of
 * mt_users_check. */
bool mt_users_find (const char *file, const char *name, MtUser *out, MtError *err);

#endif
