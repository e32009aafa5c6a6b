/* Digests of bytes, by OpenSSL's library, which is loaded at the first call. */
#ifndef MT_DIGEST_H
#define MT_DIGEST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef enum MtDigest {
   MT_DIGEST_MD5,
   MT_DIGEST_SHA224,
   MT_DIGEST_SHA256,
   MT_DIGEST_SHA384,
   MT_DIGEST_SHA512,
   MT_DIGESTS
} MtDigest;

#define MT_DIGEST_MAX 64

/* Writes the digest of n bytes, at most MT_DIGEST_MAX, and its length. Fails with 58P01 if there is
 * no such library, with 0A000 if it has no such digest, as in a FIPS mode, and with 53200 if there
 * is no memory. */
bool mt_digest (MtDigest digest, const void *p, size_t n, uint8_t *out, size_t *length,
                MtError *err);
/* Writes n bytes as 2 n of the 16 hexadecimal `digits`, and a NUL. */
void mt_hex (const uint8_t *p, size_t n, const char *digits, char *out);

#endif
