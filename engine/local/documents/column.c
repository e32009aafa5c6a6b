/* Reads the columns of a block. A column has the values of one field of all documents of the block.
 * column_int.h describes the format. */
#include "engine/local/documents/column_int.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define DIRECTORY_OK (UINT64_C (1) << MT_COLUMNS_MOST)

/* An entry of the directory. */
typedef struct Entry {
   uint32_t name, at, bytes, words;
   int64_t base;
   uint64_t step, most, hash;
   uint8_t type, form, width, scale, tagged, below;
} Entry;

static Entry entry_at (const uint8_t *p)
{
   return (Entry) {.name = mt_get32 (p),
                   .at = mt_get32 (p + 4),
                   .bytes = mt_get32 (p + 8),
                   .words = mt_get32 (p + 12),
                   .base = (int64_t) mt_get64 (p + 16),
                   .step = mt_get64 (p + 24),
                   .most = mt_get64 (p + 32),
                   .hash = mt_get64 (p + 40),
                   .type = p[48],
                   .form = p[MT_ENTRY_FORM],
                   .width = p[50],
                   .scale = p[51],
                   .tagged = p[52],
                   .below = p[MT_ENTRY_BELOW]};
}

static bool is_verified (MtColumnsSeen *ok, uint64_t bit)
{
   return (atomic_load_explicit (&ok->verified, memory_order_acquire) & bit) != 0;
}

static void set_verified (MtColumnsSeen *ok, uint64_t bit)
{
   atomic_fetch_or_explicit (&ok->verified, bit, memory_order_release);
}

bool mt_columns_directory_ok (const MtColumns *c, uint32_t rows, MtColumnsSeen *ok)
{
   if (is_verified (ok, DIRECTORY_OK))
      return true;
   uint32_t n = c->directory;
   if (n < MT_COLUMNS_HEAD || n > c->bytes || XXH3_64bits (c->p, n) != c->hash ||
       memcmp (c->p, MT_COLUMNS_MAGIC, 4) != 0)
      return false;
   uint32_t count = mt_get32 (c->p + 4);
   if (count > MT_COLUMNS_MOST || mt_get32 (c->p + 8) != rows ||
       n < MT_COLUMNS_HEAD + count * MT_COLUMN_ENTRY || c->p[n - 1] != 0)
      return false;
   set_verified (ok, DIRECTORY_OK);
   return true;
}

/* Returns whether the offsets at which the column's distinct texts (words) end are valid:
 * ascending, at most `room`, and each after a NUL. */
static bool words_ok (const MtStoredColumn *c, size_t room)
{
   uint32_t before = 0;
   for (uint32_t i = 0; i < c->word_count; i++) {
      uint32_t end = mt_get32 (c->word_ends + 4 * (size_t) i);
      if (end <= before || end > room || c->words[end - 1] != 0)
         return false;
      before = end;
   }
   return true;
}

/* Returns whether a column that is used only to rebuild documents has enough bytes for its form.
 * known: the size in bytes of the parts that all forms have: the rows' numbers, their tags, and the
 * ends of the distinct texts (words). */
static bool rest_ok (const Entry *e, uint32_t rows, size_t known)
{
   size_t left = e->bytes - known;
   switch (e->form) {
   case MT_COLUMN_ID: return left >= 8 && e->words == 0;
   case MT_COLUMN_BYTES:
      return e->width == 0 && (e->words == rows || (e->words == 0 && e->most <= left / rows));
   case MT_COLUMN_PLACES: return e->width == 0;
   case MT_COLUMN_LIST: return e->below > 0 && e->below < MT_LEVELS_MOST;
   default: return e->form < MT_COLUMN_NONE;
   }
}

/* Fills *c from the column's directory entry e and its bytes, which begin at p. Returns false if
 * the entry is damaged. */
static bool lay_out (MtStoredColumn *c, const Entry *e, const uint8_t *p)
{
   uint32_t words = e->form == MT_COLUMN_LIST ? 0 : e->words;
   size_t numbers = mt_column_pad ((size_t) c->rows * e->width);
   size_t tags = e->tagged ? mt_column_pad (c->rows) : 0;
   size_t ends = mt_column_pad (4 * (size_t) words), known = numbers + tags + ends;
   if (e->scale > MT_COLUMN_SCALE || e->width > 8 || known > e->bytes ||
       (e->width & (e->width - 1)) != 0 || words > c->rows || !rest_ok (e, c->rows, known))
      return false;
   c->form = (MtColumnForm) e->form;
   c->type = e->type;
   c->width = e->width;
   c->most = e->most;
   c->base = e->base;
   c->step = e->step;
   c->divisor = mt_column_divisor (e->scale);
   c->numbers = p;
   c->tags = e->tagged ? p + numbers : NULL;
   c->word_ends = p + numbers + tags;
   c->words = p + known;
   c->word_count = words;
   c->below = (MtColumnLevel) {e->below, e->form == MT_COLUMN_LIST ? e->words : 0};
   return true;
}

/* Returns whether the numbers of all rows ascend. */
static bool is_ascending (const MtStoredColumn *c)
{
   uint64_t before = 0;
   for (uint32_t i = 0; i < c->rows; i++) {
      uint64_t n = mt_stored_number (c, i);
      if (n < before)
         return false;
      before = n;
   }
   return true;
}

bool mt_column_open (const MtColumns *c, uint32_t i, MtColumnsSeen *ok, MtStoredColumn *out)
{
   Entry e = entry_at (c->p + MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY);
   uint64_t bit = UINT64_C (1) << i;
   if (e.at > c->bytes || e.bytes > c->bytes - e.at || !lay_out (out, &e, c->p + e.at))
      return false;
   if (is_verified (ok, bit)) {
      out->ascends = (atomic_load_explicit (&ok->ascending, memory_order_relaxed) & bit) != 0;
      return true;
   }
   size_t room = (size_t) (c->p + e.at + e.bytes - out->words);
   if (XXH3_64bits (c->p + e.at, e.bytes) != e.hash ||
       (e.form == MT_COLUMN_WORD && !words_ok (out, room)))
      return false;
   out->ascends = !out->tags && out->width > 0 && is_ascending (out);
   if (out->ascends)
      atomic_fetch_or_explicit (&ok->ascending, bit, memory_order_relaxed);
   set_verified (ok, bit);
   return true;
}

bool mt_columns_find (const MtColumns *c, MtColumnLevel level, MtColumnsSeen *ok, const char *field,
                      MtStoredColumn *out, bool *has)
{
   *has = false;
   if (!c->p)
      return true;
   if (level.number == 0 && !mt_columns_directory_ok (c, level.rows, ok))
      return false;
   uint32_t count = mt_get32 (c->p + 4);
   for (uint32_t i = 0; i < count; i++) {
      const uint8_t *entry = c->p + MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY;
      uint32_t name = mt_get32 (entry);
      uint8_t form = entry[MT_ENTRY_FORM];
      if (form != MT_COLUMN_PLACES && entry[MT_ENTRY_LEVEL] == level.number &&
          name < c->directory && strcmp ((const char *) c->p + name, field) == 0) {
         *has = form < MT_COLUMN_NONE || form == MT_COLUMN_LIST;
         *out = (MtStoredColumn) {.rows = level.rows};
         return !*has || mt_column_open (c, i, ok, out);
      }
   }
   *out = (MtStoredColumn) {.rows = level.rows, .type = MT_MISSING, .step = 1, .divisor = 1};
   *has = mt_get32 (c->p + 12) == 1;
   return true;
}

const uint8_t *mt_columns_offsets (const MtColumns *c, uint32_t rows, uint32_t size,
                                   atomic_uint_least64_t *ok)
{
   MtStoredColumn places = {.rows = rows};
   if (!c->p || !mt_columns_directory_ok (c, rows, ok))
      return NULL;
   uint32_t count = mt_get32 (c->p + 4);
   if (!count || !mt_column_open (c, count - 1, ok, &places) || places.form != MT_COLUMN_PLACES ||
       places.word_count != rows)
      return NULL;
   for (uint32_t i = 0; i < rows; i++) {
      uint32_t at = mt_get32 (places.word_ends + 4 * (size_t) i);
      if (at >= size || (i && at <= mt_get32 (places.word_ends + 4 * (size_t) (i - 1))))
         return NULL;
   }
   return places.word_ends;
}

bool mt_stored_one_type (const MtStoredColumn *c)
{
   for (uint32_t i = 0; c->tags && i < c->rows; i++)
      if (c->tags[i] != c->type && c->tags[i] != MT_NULL && c->tags[i] != MT_MISSING)
         return false;
   return true;
}
