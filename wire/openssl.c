#include "wire/openssl.h"

#include "base/loaded.h"

#define TEXT_OF(version) #version
#define LIBRARY_OF(version) "libssl.so." TEXT_OF (version)

MtOpenssl mt_openssl;

bool mt_openssl_load (MtError *err)
{
#define MT_NAME(name) #name,
   static const char *const names[] = {MT_OPENSSL_FUNCTIONS (MT_NAME) NULL};
#undef MT_NAME
   return mt_load_functions (LIBRARY_OF (OPENSSL_SHLIB_VERSION), names, &mt_openssl, err) ||
          mt_error_hint (err, "Connections of clients need OpenSSL's library.");
}
