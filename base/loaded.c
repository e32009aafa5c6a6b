#include "base/loaded.h"

#include <dlfcn.h>
#include <string.h>

bool mt_load_functions (const char *library, const char *const *names, void *to, MtError *err)
{
   unsigned char *at = to;
   void *h = dlopen (library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
   for (size_t i = 0; h && names[i]; i++, at += sizeof h) {
      void *function = dlsym (h, names[i]);
      if (!function)
         return mt_error (err, MT_E_UNDEFINED_FILE, "could not load a library: %s", dlerror ());
      memcpy (at, &function, sizeof function);
   }
   return h || mt_error (err, MT_E_UNDEFINED_FILE, "could not load a library: %s", dlerror ());
}
