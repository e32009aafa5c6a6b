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
   uint8_t type, form, width, scale, tagged, below, bounds;
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
                   .below = p[MT_ENTRY_BELOW],
                   .bounds = p[MT_ENTRY_BOUNDS]};
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

/* Returns the number of a field's directory entry, or the number of entries if it has none. */
static uint32_t entry_of (const MtColumns *c, uint8_t level, const char *field)
{
   uint32_t count = mt_get32 (c->p + 4), i = 0;
   for (; i < count; i++) {
      const uint8_t *entry = c->p + MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY;
      uint32_t name = mt_get32 (entry);
      if (entry[MT_ENTRY_FORM] != MT_COLUMN_PLACES && entry[MT_ENTRY_LEVEL] == level &&
          name < c->directory && strcmp ((const char *) c->p + name, field) == 0)
         break;
   }
   return i;
}

/* Returns whether a field without an entry is missing in all documents. */
static bool has_all (const MtColumns *c) { return mt_get32 (c->p + 12) == 1; }

bool mt_columns_find (const MtColumns *c, MtColumnLevel level, MtColumnsSeen *ok, const char *field,
                      MtStoredColumn *out, bool *has)
{
   *has = false;
   if (!c->p)
      return true;
   if (level.number == 0 && !mt_columns_directory_ok (c, level.rows, ok))
      return false;
   uint32_t i = entry_of (c, level.number, field);
   if (i < mt_get32 (c->p + 4)) {
      uint8_t form = c->p[MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY + MT_ENTRY_FORM];
      *has = form < MT_COLUMN_NONE || form == MT_COLUMN_LIST;
      *out = (MtStoredColumn) {.rows = level.rows};
      return !*has || mt_column_open (c, i, ok, out);
   }
   *out = (MtStoredColumn) {.rows = level.rows, .type = MT_MISSING, .step = 1, .divisor = 1};
   *has = has_all (c);
   return true;
}

const uint8_t *mt_columns_offsets (const MtColumns *c, uint32_t rows, uint32_t size,
                                   MtColumnsSeen *ok)
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

/* Sets *out to the range of an entry's values. Returns false if the entry does not tell it. */
static bool range_of (const Entry *e, MtRangeParts *out)
{
   MtStoredColumn c = {.form = (MtColumnForm) e->form, .base = e->base, .step = e->step};
   bool whole = e->form == MT_COLUMN_WHOLE || e->form == MT_COLUMN_DECIMAL;
   *out = (MtRangeParts) {.nulls = e->tagged, .nans = e->bounds & MT_BOUNDS_NAN};
   if (whole && (e->type == MT_NULL || e->type == MT_MISSING)) {
      *out = (MtRangeParts) {true, false, mt_v_null (), mt_v_null ()};
   } else if (whole && e->scale <= MT_COLUMN_SCALE) {
      /* with tags, there can be long integers among the others */
      uint8_t type = e->type == MT_INT32 && e->tagged ? MT_INT64 : e->type;
      c.divisor = mt_column_divisor (e->scale);
      out->least = mt_stored_value (&c, type, 0);
      out->greatest = mt_stored_value (&c, type, e->most);
   } else if (e->form == MT_COLUMN_BITS && e->bounds) {
      out->least = mt_stored_value (&c, MT_DOUBLE, (uint64_t) e->base);
      out->greatest = mt_stored_value (&c, MT_DOUBLE, e->step);
   } else {
      return false;
   }
   return true;
}

bool mt_columns_range (const MtColumns *c, uint32_t rows, MtColumnsSeen *ok,
                       const char *const *path, uint32_t depth, MtRangeParts *out)
{
   uint8_t level = 0;
   if (!c->p || !mt_columns_directory_ok (c, rows, ok))
      return false;
   uint32_t count = mt_get32 (c->p + 4);
   for (uint32_t k = 0;; k++) {
      uint32_t i = entry_of (c, level, path[k]);
      if (i == count && k + 1 == depth) {
         *out = (MtRangeParts) {true, false, mt_v_null (), mt_v_null ()};
         return has_all (c);
      }
      if (i == count)
         return false;
      Entry e = entry_at (c->p + MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY);
      if (k + 1 == depth)
         return range_of (&e, out);
      if (e.form != MT_COLUMN_LIST)
         return false;
      level = e.below;
   }
}

bool mt_stored_one_type (const MtStoredColumn *c)
{
   for (uint32_t i = 0; c->tags && i < c->rows; i++)
      if (c->tags[i] != c->type && c->tags[i] != MT_NULL && c->tags[i] != MT_MISSING)
         return false;
   return true;
}
