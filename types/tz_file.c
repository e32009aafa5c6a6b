/* Reads TZif files (RFC 8536) of version 2 and later: the block with 64-bit times, and the rule
 * after it. */
#include "types/datetime.h"
#include "types/tz_int.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER_BYTES 44
#define FILE_MAX_BYTES (1 << 20)

typedef struct Header {
   uint32_t isut, isstd, leap, times, types, chars;
} Header;

void *mt_tz_memory (void *old, size_t size)
{
   return mt_realloc ("time zones", old, size ? size : 1);
}

static uint32_t be32 (const uint8_t *p)
{
   return (uint32_t) p[0] << 24 | (uint32_t) p[1] << 16 | (uint32_t) p[2] << 8 | p[3];
}
static int64_t be64 (const uint8_t *p)
{
   return (int64_t) ((uint64_t) be32 (p) << 32 | be32 (p + 4));
}

static bool read_header (const uint8_t *p, size_t n, Header *h)
{
   if (n < HEADER_BYTES || memcmp (p, "TZif", 4) != 0 || p[4] < '2')
      return false;
   *h = (Header) {be32 (p + 20), be32 (p + 24), be32 (p + 28),
                  be32 (p + 32), be32 (p + 36), be32 (p + 40)};
   return h->times < FILE_MAX_BYTES && h->types > 0 && h->types <= 256 && h->chars < 4096 &&
          h->leap < FILE_MAX_BYTES && h->isut <= 256 && h->isstd <= 256;
}

static size_t block_bytes (const Header *h, size_t time_bytes)
{
   return h->times * time_bytes + h->times + h->types * 6 + h->chars + h->leap * (time_bytes + 4) +
          h->isstd + h->isut;
}

static bool read_types (MtZone *z, const uint8_t *p, const Header *h)
{
   const uint8_t *chars = p + h->types * 6;
   z->abbrevs = mt_tz_memory (NULL, h->chars + 1);
   memcpy (z->abbrevs, chars, h->chars);
   z->abbrevs[h->chars] = 0;
   for (uint32_t i = 0; i < h->types; i++, p += 6) {
      if (p[5] > h->chars)
         return false;
      z->types[i] = (MtTzType) {(int32_t) be32 (p), p[4] != 0, z->abbrevs + p[5]};
   }
   z->type_count = h->types;
   return true;
}

static bool read_block (MtZone *z, const uint8_t *p, const Header *h)
{
   z->at = mt_tz_memory (NULL, h->times * sizeof *z->at);
   z->type = mt_tz_memory (NULL, h->times);
   const uint8_t *types = p + h->times * 8;
   for (uint32_t i = 0; i < h->times; i++) {
      z->at[i] = be64 (p + 8 * i);
      z->type[i] = types[i];
      if (types[i] >= h->types || (i > 0 && z->at[i] <= z->at[i - 1]))
         return false;
   }
   z->count = h->times;
   return read_types (z, types + h->times, h);
}

/* Parses the POSIX rule in the file's footer, which applies after the last transition of the
 * table. */
static bool read_footer (MtZone *z, const uint8_t *p, size_t n)
{
   char text[128];
   const uint8_t *end = n > 1 && p[0] == '\n' ? memchr (p + 1, '\n', n - 1) : NULL;
   if (!end || end == p + 1 || (size_t) (end - p) > sizeof text)
      return true; /* without a rule, the last type stays in force */
   MtTzRule rule;
   snprintf (text, sizeof text, "%.*s", (int) (end - p - 1), (const char *) p + 1);
   if (!mt_tz_parse_rule (text, &rule))
      return false;
   int64_t after = z->count ? z->at[z->count - 1] : INT64_MIN, year = 1970;
   int month, day;
   if (z->count)
      mt_civil_from_days (mt_floor_div (after, 86400), &year, &month, &day);
   return mt_tz_add_rule (z, &rule, after, z->count ? year - 1 : 1900);
}

static void free_zone (MtZone *z)
{
   free (z->at);
   free (z->type);
   free (z->abbrevs);
   free (z);
}

static MtZone *parse (const uint8_t *p, size_t n)
{
   Header h;
   if (!read_header (p, n, &h))
      return NULL;
   size_t skip = HEADER_BYTES + block_bytes (&h, 4);
   if (skip > n || !read_header (p + skip, n - skip, &h))
      return NULL;
   p += skip + HEADER_BYTES;
   n -= skip + HEADER_BYTES;
   size_t size = block_bytes (&h, 8);
   if (size > n)
      return NULL;
   MtZone *z = mt_tz_memory (NULL, sizeof *z);
   memset (z, 0, sizeof *z);
   if (read_block (z, p, &h) && read_footer (z, p + size, n - size))
      return z;
   free_zone (z);
   return NULL;
}

MtZone *mt_tz_read_file (const char *path)
{
   FILE *f = fopen (path, "rb");
   if (!f)
      return NULL;
   uint8_t *bytes = mt_tz_memory (NULL, FILE_MAX_BYTES);
   size_t n = fread (bytes, 1, FILE_MAX_BYTES, f);
   bool ok = !ferror (f) && n < FILE_MAX_BYTES;
   fclose (f);
   MtZone *z = ok ? parse (bytes, n) : NULL;
   free (bytes);
   return z;
}
