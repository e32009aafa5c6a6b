#include "base/digest.h"

#include "base/loaded.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <pthread.h>

#define TEXT_OF(version) #version
#define LIBRARY_OF(version) "libcrypto.so." TEXT_OF (version)

static const char *const digests[MT_DIGESTS] = {"MD5", "SHA224", "SHA256", "SHA384", "SHA512"};

static struct {
   __typeof__ (EVP_Digest) *compute;
   __typeof__ (EVP_MD_fetch) *fetch;
   __typeof__ (ERR_peek_last_error) *last_error;
   __typeof__ (ERR_clear_error) *clear_errors;
} functions;

/* The library's state. Fetched digests are kept for the rest of the process. */
static struct {
   pthread_mutex_t lock;
   bool loaded;
   EVP_MD *found[MT_DIGESTS];
} library = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Reports the library's last error: the digest is missing, or else there is no memory. */
static bool failed (MtDigest digest, MtError *err)
{
   bool missing = ERR_GET_REASON (functions.last_error ()) == ERR_R_UNSUPPORTED;
   functions.clear_errors ();
   if (missing)
      return mt_error (err, MT_E_FEATURE, "OpenSSL's library has no %s here", digests[digest]);
   return mt_error (err, MT_E_OUT_OF_MEMORY, "out of memory");
}

/* Returns the digest, and loads the library before. NULL on error. */
static const EVP_MD *digest_of (MtDigest digest, MtError *err)
{
   static const char *const names[] = {"EVP_Digest", "EVP_MD_fetch", "ERR_peek_last_error",
                                       "ERR_clear_error", NULL};
   pthread_mutex_lock (&library.lock);
   if (!library.loaded)
      library.loaded = mt_load_functions (LIBRARY_OF (OPENSSL_SHLIB_VERSION), names, &functions,
                                          err) ||
                       mt_error_hint (err, "Digests need OpenSSL's library.");
   if (library.loaded && !library.found[digest])
      library.found[digest] = functions.fetch (NULL, digests[digest], NULL);
   if (library.loaded && !library.found[digest])
      failed (digest, err);
   const EVP_MD *found = library.found[digest];
   pthread_mutex_unlock (&library.lock);
   return found;
}

bool mt_digest (MtDigest digest, const void *p, size_t n, uint8_t *out, size_t *length,
                MtError *err)
{
   unsigned got = 0;
   const EVP_MD *md = digest_of (digest, err);
   if (!md)
      return false;
   if (functions.compute (p, n, out, &got, md, NULL) != 1)
      return failed (digest, err);
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
