#include "base/digest.h"

#include "base/loaded.h"

#include <openssl/evp.h>
#include <pthread.h>

#define TEXT_OF(version) #version
#define LIBRARY_OF(version) "libcrypto.so." TEXT_OF (version)

static const char *const digests[MT_DIGESTS] = {"MD5", "SHA224", "SHA256", "SHA384", "SHA512"};

static struct {
   __typeof__ (EVP_Digest) *compute;
   __typeof__ (EVP_MD_fetch) *fetch;
} functions;

/* What `load` leaves: the digests, NULL if the library has none, or the error. */
static EVP_MD *found[MT_DIGESTS];
static MtError failure;

static void load (void)
{
   static const char *const names[] = {"EVP_Digest", "EVP_MD_fetch", NULL};
   if (!mt_load_functions (LIBRARY_OF (OPENSSL_SHLIB_VERSION), names, &functions, &failure)) {
      mt_error_hint (&failure, "Digests need OpenSSL's library.");
      return;
   }
   for (int i = 0; i < MT_DIGESTS; i++)
      found[i] = functions.fetch (NULL, digests[i], NULL);
}

bool mt_digest (MtDigest digest, const void *p, size_t n, uint8_t *out, size_t *length,
                MtError *err)
{
   static pthread_once_t once = PTHREAD_ONCE_INIT;
   unsigned got = 0;
   pthread_once (&once, load);
   if (*failure.sqlstate) {
      *err = failure;
      return false;
   }
   if (!found[digest] || functions.compute (p, n, out, &got, found[digest], NULL) != 1)
      return mt_error (err, MT_E_FEATURE, "OpenSSL's library has no %s here", digests[digest]);
   *length = got;
   return true;
}

void mt_hex (const uint8_t *p, size_t n, const char *digits, char *out)
{
   for (size_t i = 0; i < n; i++) {
      *out++ = digits[p[i] >> 4];
      *out++ = digits[p[i] & 15];
   }
   *out = 0;
}
