/* Reads and writes little-endian numbers at any address, aligned or not. */
#ifndef MT_BYTES_H
#define MT_BYTES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t mt_get32 (const uint8_t *p)
{
   uint32_t v;
   memcpy (&v, p, 4);
   return le32toh (v);
}

static inline uint64_t mt_get64 (const uint8_t *p)
{
   uint64_t v;
   memcpy (&v, p, 8);
   return le64toh (v);
}

static inline void mt_put32 (uint8_t *p, uint32_t v)
{
   v = htole32 (v);
   memcpy (p, &v, 4);
}

static inline void mt_put64 (uint8_t *p, uint64_t v)
{
   v = htole64 (v);
   memcpy (p, &v, 8);
}

#endif
