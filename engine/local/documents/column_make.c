/* Makes columns from documents. column_int.h describes their bytes.
 *
 * One pass finds the values of each field. Then each field becomes a column if its values have
 * types that a column can hold, and if its texts repeat. */
#include "base/memory.h"
#include "base/str.h"
#include "engine/local/documents/maker_int.h"

#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Columns are made of this many documents, if they are this small on average. */
#ifndef MT_COLUMN_LEAST_ROWS
#define MT_COLUMN_LEAST_ROWS 64u
#endif
#define MOST_ROWS 65536u
#define MOST_DOCUMENT 1024u

#define WHOLES (MT_TYPE_BIT (MT_INT32) | MT_TYPE_BIT (MT_INT64))
#define NUMBERS (WHOLES | MT_TYPE_BIT (MT_DOUBLE))

void mt_column_maker_free (MtColumnMaker *m)
{
   for (uint32_t i = 0; m && i < MT_COLUMNS_MOST; i++) {
      free (m->fields[i].at);
      free (m->fields[i].tags);
   }
   if (m) {
      mt_buf_free (&m->out);
      mt_buf_free (&m->bodies);
      free (m->numbers);
      mt_rebuilt_free (m->rebuilt);
   }
   free (m);
}

/* ---- finding the values ---- */

static bool is_named (const MtMakerField *f, const uint8_t *key)
{
   uint64_t low, last;
   memcpy (&low, key, 8); /* there are 8 more bytes */
   if ((low & f->mask) != f->low || f->name_bytes <= 8)
      return (low & f->mask) == f->low;
   /* Another key may be the last one, so nothing is read behind those bytes. */
   if (f->name_bytes > 16)
      return strcmp ((const char *) key, f->name) == 0;
   memcpy (&last, key + f->name_bytes - 8, 8);
   return last == f->last;
}

/* Adds a field that comes behind field `before` in the documents. */
static MtMakerField *add_field (MtColumnMaker *m, const uint8_t *key, uint8_t before)
{
   if (m->count == MT_COLUMNS_MOST) {
      m->more = true;
      return NULL;
   }
   MtMakerField *f = &m->fields[m->count++];
   f->name = (const char *) key;
   f->name_bytes = strlen (f->name) + 1;
   f->mask = f->name_bytes >= 8 ? UINT64_MAX : (UINT64_C (1) << 8 * f->name_bytes) - 1;
   memcpy (&f->low, key, 8);
   f->low &= f->mask;
   if (f->name_bytes > 8)
      memcpy (&f->last, f->name + f->name_bytes - 8, 8);
   f->lost = false;
   f->types = 0;
   if (!f->at) {
      f->at = mt_try_malloc ("store", m->room * sizeof *f->at);
      f->tags = mt_try_malloc ("store", m->room);
   }
   if (!f->at || !f->tags) {
      m->count--;
      m->more = true;
      return NULL;
   }
   memset (f->tags, MT_MISSING, m->rows);
   m->next[m->count - 1] = m->next[before];
   m->next[before] = (uint8_t) (m->count - 1);
   return f;
}

/* Returns the field with this key, which is probably the one behind field `before`. NULL: there are
 * too many. */
static inline MtMakerField *field_of (MtColumnMaker *m, const uint8_t *key, uint8_t before)
{
   uint8_t guess = m->next[before];
   if (guess < m->count && is_named (&m->fields[guess], key))
      return &m->fields[guess];
   for (uint32_t i = 0; i < m->count; i++)
      if (is_named (&m->fields[i], key))
         return &m->fields[i];
   return add_field (m, key, before);
}

static void take_document (MtColumnMaker *m, uint32_t row, const uint8_t *doc, size_t len)
{
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   for (uint8_t before = MT_COLUMNS_MOST; p < end;) {
      uint8_t type = *p++;
      MtMakerField *f = field_of (m, p, before);
      p += f ? f->name_bytes : strlen ((const char *) p) + 1;
      if (f && f->tags[row] == MT_MISSING) {
         f->tags[row] = type;
         f->at[row] = (uint32_t) (p - m->data);
         before = (uint8_t) (f - m->fields);
      } else { /* if a key occurs twice, its first value is used */
         m->odd = true;
      }
      p += mt_bson_size (type, p);
   }
}

static void find_types (MtColumnMaker *m, MtMakerField *f)
{
   const uint32_t kept = MT_TYPES_NONE | NUMBERS | MT_TYPE_BIT (MT_DATE) | MT_TYPE_BIT (MT_BOOL) |
                         MT_TYPE_BIT (MT_STRING);
   uint32_t types = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      types |= MT_TYPE_BIT (f->tags[i] & 31);
      f->lost |= f->tags[i] >= 32;
   }
   f->types = types;
   f->lost |= (types & ~kept) != 0;
}

/* ---- making a column ---- */

static inline MtVal value_of (const MtColumnMaker *m, const MtMakerField *f, uint32_t row)
{
   const uint8_t *p = m->data + f->at[row];
   MtVal v = {.type = f->tags[row]};
   switch (v.type) {
   case MT_INT32: v.i = (int32_t) mt_get32 (p); return v;
   case MT_DOUBLE:
   case MT_INT64:
   case MT_DATE: v.i = (int64_t) mt_get64 (p); return v;
   default: return mt_bson_value (v.type, p);
   }
}

static uint8_t width_of (uint64_t most)
{
   if (most > UINT32_MAX)
      return 8;
   if (most > UINT16_MAX)
      return 4;
   if (most > UINT8_MAX)
      return 2;
   return most > 0;
}

static uint64_t common_divisor (uint64_t a, uint64_t b)
{
   while (b) {
      uint64_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

void mt_maker_set_base (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   int64_t least = INT64_MAX, greatest = INT64_MIN;
   for (uint32_t i = 0; i < m->rows; i++)
      if (mt_maker_has (f, i)) {
         int64_t v = (int64_t) m->numbers[i];
         least = v < least ? v : least;
         greatest = v > greatest ? v : greatest;
      }
   uint64_t step = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      m->numbers[i] = mt_maker_has (f, i) ? m->numbers[i] - (uint64_t) least : 0;
      if (step != 1 && m->numbers[i])
         step = common_divisor (m->numbers[i], step);
   }
   out->base = least;
   out->step = step ? step : 1;
   out->most = ((uint64_t) greatest - (uint64_t) least) / out->step;
   out->width = width_of (out->most);
   for (uint32_t i = 0; out->step > 1 && i < m->rows; i++)
      m->numbers[i] /= out->step;
}

static void make_wholes (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   out->form = MT_COLUMN_WHOLE;
   for (uint32_t i = 0; i < m->rows; i++)
      m->numbers[i] = mt_maker_has (f, i) ? (uint64_t) value_of (m, f, i).i : 0;
   mt_maker_set_base (m, f, out);
}

/* Returns whether d is exactly an integer divided by the divisor of this scale. */
static bool is_decimal (double d, unsigned scale, int64_t *whole)
{
   double by = mt_column_divisor (scale), x = nearbyint (d * by);
   if (!(fabs (x) < 9007199254740992.0))
      return false;
   double back = x / by;
   *whole = (int64_t) x;
   return memcmp (&back, &d, sizeof d) == 0 && (x != 0 || !signbit (d));
}

/* Makes integers of doubles with few digits behind the point. */
static bool make_decimals (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   unsigned scale = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      int64_t whole = 0;
      while (mt_maker_has (f, i) && !is_decimal (value_of (m, f, i).d, scale, &whole))
         if (++scale > MT_COLUMN_SCALE)
            return false;
   }
   for (uint32_t i = 0; i < m->rows; i++) {
      int64_t whole = 0;
      if (mt_maker_has (f, i) && !is_decimal (value_of (m, f, i).d, scale, &whole))
         return false;
      m->numbers[i] = (uint64_t) whole;
   }
   out->form = MT_COLUMN_DECIMAL;
   out->scale = (uint8_t) scale;
   mt_maker_set_base (m, f, out);
   return true;
}

static void make_bits (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   out->form = MT_COLUMN_BITS;
   out->width = 8;
   out->most = UINT64_MAX;
   for (uint32_t i = 0; i < m->rows; i++)
      m->numbers[i] = mt_maker_has (f, i) ? (uint64_t) value_of (m, f, i).i : 0;
}

/* Gets the number of a word. Returns false if there are too many words. */
static bool word_of (MtColumnMaker *m, MtVal v, uint64_t *number)
{
   uint32_t at = (uint32_t) XXH3_64bits (v.p, v.len) % MT_WORD_SLOTS;
   for (; m->slots[at]; at = (at + 1) % MT_WORD_SLOTS) {
      uint32_t i = m->slots[at] - 1u;
      if (m->words[i].n == v.len && memcmp (m->words[i].p, v.p, v.len) == 0) {
         *number = i;
         return true;
      }
   }
   if (m->word_count == MT_COLUMN_WORDS || m->word_count >= m->rows / 2)
      return false;
   m->words[m->word_count].p = v.p;
   m->words[m->word_count].n = v.len;
   *number = m->word_count++;
   m->slots[at] = (uint16_t) m->word_count;
   return true;
}

static bool make_words (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   memset (m->slots, 0, sizeof m->slots);
   m->word_count = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      m->numbers[i] = 0;
      if (mt_maker_has (f, i) && !word_of (m, value_of (m, f, i), &m->numbers[i]))
         return false;
   }
   out->form = MT_COLUMN_WORD;
   out->words = m->word_count;
   out->most = m->word_count - 1;
   out->width = width_of (out->most);
   return true;
}

static bool make (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   uint32_t types = f->types & ~MT_TYPES_NONE;
   if (f->lost)
      return false;
   *out = (MtMadeColumn) {.type = types ? (uint8_t) __builtin_ctz (types) : MT_NULL,
                          .step = 1,
                          .tagged = (f->types & (f->types - 1)) != 0};
   if (!types) /* all values are null or missing */
      return true;
   if (types == MT_TYPE_BIT (MT_STRING))
      return make_words (m, f, out);
   if (types == MT_TYPE_BIT (MT_DOUBLE)) {
      if (!make_decimals (m, f, out))
         make_bits (m, f, out);
   } else if (!(types & ~WHOLES) || types == MT_TYPE_BIT (MT_DATE) ||
              types == MT_TYPE_BIT (MT_BOOL)) {
      make_wholes (m, f, out);
   } else if (!(types & ~NUMBERS)) {
      make_bits (m, f, out);
   } else {
      return false;
   }
   return true;
}

/* ---- the bytes ---- */

void mt_maker_pad (MtColumnMaker *m)
{
   static const uint8_t zeros[8];
   mt_maker_add (m, zeros, mt_column_pad (m->bodies.n) - m->bodies.n);
}

void mt_maker_put_numbers (MtColumnMaker *m, const MtMakerField *f, const MtMadeColumn *c)
{
   size_t bytes = (size_t) m->rows * c->width;
   if (!mt_buf_reserve (&m->bodies, bytes)) {
      m->failed = true;
      return;
   }
   uint8_t *p = (uint8_t *) m->bodies.p + m->bodies.n;
   for (uint32_t i = 0; i < m->rows; i++) {
      uint64_t n = htole64 (m->numbers[i]);
      memcpy (p + (size_t) i * c->width, &n, c->width);
   }
   m->bodies.n += bytes;
   mt_maker_pad (m);
   if (c->tagged)
      mt_maker_add (m, f->tags, m->rows);
   mt_maker_pad (m);
}

static void put_column (MtColumnMaker *m, MtMakerEntry *e)
{
   e->at = m->bodies.n;
   mt_maker_put_numbers (m, e->field, &e->made);
   for (uint32_t i = 0, to = 0; i < e->made.words; i++) {
      uint8_t le[4];
      mt_put32 (le, to += m->words[i].n + 1);
      mt_maker_add (m, le, sizeof le);
   }
   mt_maker_pad (m);
   for (uint32_t i = 0; i < e->made.words; i++)
      mt_maker_add (m, m->words[i].p, m->words[i].n + 1);
   mt_maker_pad (m);
   e->bytes = m->bodies.n - e->at;
}

static void put_entry (MtColumnMaker *m, uint8_t *p, const MtMakerEntry *e, size_t name,
                       size_t bodies)
{
   mt_put32 (p, (uint32_t) name);
   mt_put32 (p + 4, (uint32_t) (bodies + e->at));
   mt_put32 (p + 8, (uint32_t) e->bytes);
   mt_put32 (p + 12, e->made.words);
   mt_put64 (p + 16, (uint64_t) e->made.base);
   mt_put64 (p + 24, e->made.step);
   mt_put64 (p + 32, e->made.most);
   mt_put64 (p + 40, XXH3_64bits (m->bodies.p + e->at, e->bytes));
   p[48] = e->made.type;
   p[49] = (uint8_t) e->made.form;
   p[50] = e->made.width;
   p[51] = e->made.scale;
   p[52] = e->made.tagged;
}

/* Writes the directory, and the columns behind it, into m->out. */
static MtColumns put_all (MtColumnMaker *m)
{
   uint8_t entry[MT_COLUMN_ENTRY] = {0}, head[MT_COLUMNS_HEAD] = MT_COLUMNS_MAGIC;
   uint32_t count = m->entry_count;
   size_t names = MT_COLUMNS_HEAD + (size_t) count * MT_COLUMN_ENTRY, end = names;
   for (uint32_t i = 0; i < count; i++)
      end += m->entries[i].field->name_bytes;
   size_t bodies = mt_column_pad (end);
   mt_put32 (head + 4, count);
   mt_put32 (head + 8, m->rows);
   mt_put32 (head + 12, !m->more);
   mt_buf_clear (&m->out);
   if (m->failed || !mt_buf_reserve (&m->out, bodies + m->bodies.n))
      return (MtColumns) {0};
   mt_buf_add (&m->out, head, sizeof head);
   for (uint32_t i = 0; i < count; i++) {
      put_entry (m, entry, &m->entries[i], names, bodies);
      mt_buf_add (&m->out, entry, sizeof entry);
      names += m->entries[i].field->name_bytes;
   }
   for (uint32_t i = 0; i < count; i++)
      mt_buf_add (&m->out, m->entries[i].field->name, m->entries[i].field->name_bytes);
   mt_buf_add (&m->out, (const uint8_t[8]) {0}, bodies - end);
   mt_buf_add (&m->out, m->bodies.p, m->bodies.n);
   return (MtColumns) {.p = (const uint8_t *) m->out.p,
                       .bytes = (uint32_t) m->out.n,
                       .directory = (uint32_t) end,
                       .hash = XXH3_64bits (m->out.p, end)};
}

/* Returns NULL if there is no memory. */
static MtColumnMaker *begin (MtColumnMaker **maker, const uint8_t *data, uint32_t rows)
{
   if (!*maker)
      *maker = mt_calloc ("store", 1, sizeof **maker);
   MtColumnMaker *m = *maker;
   m->rows = rows;
   m->data = data;
   m->count = 0;
   m->entry_count = 0;
   m->more = m->odd = m->failed = false;
   m->next[MT_COLUMNS_MOST] = MT_NO_FIELD;
   mt_buf_clear (&m->bodies);
   if (rows <= m->room)
      return m;
   m->room = 0;
   free (m->numbers);
   for (uint32_t i = 0; i < MT_COLUMNS_MOST; i++) {
      free (m->fields[i].at);
      free (m->fields[i].tags);
      m->fields[i].at = NULL;
      m->fields[i].tags = NULL;
   }
   m->numbers = mt_try_malloc ("store", rows * sizeof *m->numbers);
   if (!m->numbers)
      return NULL;
   m->room = rows;
   return m;
}

/* Makes the columns that queries read, in the order of the fields. Returns how many there are. */
static uint32_t make_columns (MtColumnMaker *m)
{
   uint32_t made = 0;
   for (uint8_t i = m->next[MT_COLUMNS_MOST]; i != MT_NO_FIELD; i = m->next[i]) {
      MtMakerEntry *e = &m->entries[m->entry_count++];
      find_types (m, &m->fields[i]);
      *e = (MtMakerEntry) {.field = &m->fields[i], .at = m->bodies.n};
      if (make (m, e->field, &e->made)) {
         put_column (m, e);
         made++;
      } else {
         e->made = (MtMadeColumn) {.form = MT_COLUMN_NONE};
      }
   }
   return made;
}

MtColumns mt_columns_make (MtColumnMaker **maker, const uint8_t *data, size_t n, uint32_t rows,
                           bool *whole)
{
   uint32_t row = 0;
   *whole = false;
   if (rows < MT_COLUMN_LEAST_ROWS || rows > MOST_ROWS || n / rows > MOST_DOCUMENT)
      return (MtColumns) {0};
   MtColumnMaker *m = begin (maker, data, rows);
   if (!m)
      return (MtColumns) {0};
   for (size_t at = 0; at < n; row++) {
      uint32_t len = mt_get32 (data + at);
      take_document (m, row, data + at, len);
      at += len;
   }
   uint32_t made = make_columns (m);
   MtMakerLength before = mt_maker_length (m);
   if (mt_maker_add_rest (m, n)) {
      MtColumns all = put_all (m);
      *whole = mt_maker_gives_back (m, &all, n);
      if (*whole)
         return all;
   }
   mt_maker_cut (m, before);
   return made ? put_all (m) : (MtColumns) {0};
}
