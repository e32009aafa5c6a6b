/* Decodes bytes of the store's files, with bounds checks. `bad` is set when a read would go beyond
 * the end or the caller finds an invalid value. From then on reads return zeros. */
#ifndef MT_STORE_READ_H
#define MT_STORE_READ_H

#include "engine/local/store/store_int.h"

typedef struct MtStoreIn {
   const uint8_t *p, *end; /* borrowed */
   bool bad;
} MtStoreIn;

/* Returns a pointer to the next n bytes, and skips them. The result is borrowed. If in->bad is set
 * the result points to only 16 zero bytes, so check in->bad before you use more. */
static inline const uint8_t *mt_in_bytes (MtStoreIn *in, size_t n)
{
   static const uint8_t zeros[16];
   if ((size_t) (in->end - in->p) < n) {
      in->bad = true;
      return zeros;
   }
   in->p += n;
   return in->p - n;
}

static inline uint8_t mt_in_8 (MtStoreIn *in) { return *mt_in_bytes (in, 1); }
static inline uint32_t mt_in_32 (MtStoreIn *in) { return mt_get32 (mt_in_bytes (in, 4)); }
static inline uint64_t mt_in_64 (MtStoreIn *in) { return mt_get64 (mt_in_bytes (in, 8)); }

#endif
