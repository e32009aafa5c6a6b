/* Makes columns from documents. column_int.h describes the format.
 *
 * column_take.c finds the values of each field. Then each field becomes a column if its values have
 * types that a column can hold. Texts of documents without lists must also repeat. */
#include "base/memory.h"
#include "base/str.h"
#include "engine/local/documents/maker_int.h"

#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Columns are made only for blocks with at least MT_COLUMN_LEAST_ROWS and at most MOST_ROWS
 * documents, whose average size is at most MOST_DOCUMENT bytes. */
#ifndef MT_COLUMN_LEAST_ROWS
#define MT_COLUMN_LEAST_ROWS 64u
#endif
#define MOST_ROWS 65536u
#define MOST_DOCUMENT 1024u
/* The most words of a column if the documents have no lists. */
#define MOST_WORDS 4096u

#define WHOLES (MT_TYPE_BIT (MT_INT32) | MT_TYPE_BIT (MT_INT64))
#define NUMBERS (WHOLES | MT_TYPE_BIT (MT_DOUBLE))

void mt_column_maker_free (MtColumnMaker *m)
{
   if (m) {
      mt_maker_free_fields (m);
      mt_buf_free (&m->out);
      mt_buf_free (&m->bodies);
      free (m->numbers);
      mt_rebuilt_free (m->rebuilt);
   }
   free (m);
}

/* ---- making a column ---- */

static void find_types (MtColumnMaker *m, MtMakerField *f)
{
   const uint32_t kept = MT_TYPES_NONE | NUMBERS | MT_TYPE_BIT (MT_DATE) | MT_TYPE_BIT (MT_BOOL) |
                         MT_TYPE_BIT (MT_STRING) |
                         (mt_maker_is_list (f) ? MT_TYPE_BIT (MT_ARRAY) : 0);
   uint32_t types = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      types |= MT_TYPE_BIT (f->tags[i] & 31);
      f->lost |= f->tags[i] >= 32;
   }
   f->types = types;
   f->lost |= (types & ~kept) != 0;
}

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
static inline bool is_decimal (double d, double by, int64_t *whole)
{
   double x = d * by;
   if (!(fabs (x) < 9007199254740992.0))
      return false;
   if (by != 1)
      x += x < 0 ? -0.5 : 0.5;
   *whole = (int64_t) x;
   double back = (double) *whole;
   if (by != 1)
      back /= by;
   return memcmp (&back, &d, sizeof d) == 0;
}

/* Encodes doubles that have few digits after the decimal point as integers, with a common scale.
 * Returns false if a value has too many digits. */
static bool make_decimals (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   uint32_t same = 0; /* so many rows in a row were decimals of this scale */
   for (uint32_t i = 0; same < m->rows; i = i + 1 < m->rows ? i + 1 : 0, same++) {
      int64_t whole = 0;
      while (mt_maker_has (f, i) &&
             !is_decimal (value_of (m, f, i).d, mt_column_divisor (out->scale), &whole)) {
         if (++out->scale > MT_COLUMN_SCALE)
            return false;
         same = 0;
      }
      m->numbers[i] = (uint64_t) whole;
   }
   out->form = MT_COLUMN_DECIMAL;
   mt_maker_set_base (m, f, out);
   return true;
}

static void make_list (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   out->form = MT_COLUMN_LIST;
   for (uint32_t i = 0; i < m->rows; i++)
      m->numbers[i] = mt_maker_has (f, i) ? f->lengths[i] : 0;
   mt_maker_set_base (m, f, out);
}

static void make_bits (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   double least = INFINITY, greatest = -INFINITY;
   out->form = MT_COLUMN_BITS;
   out->width = 8;
   out->most = UINT64_MAX;
   out->bounds = MT_BOUNDS_KNOWN;
   for (uint32_t i = 0; i < m->rows; i++) {
      MtVal v = mt_maker_has (f, i) ? value_of (m, f, i) : (MtVal) {.type = MT_NULL};
      m->numbers[i] = (uint64_t) v.i;
      if (v.type == MT_NULL)
         continue;
      if (v.type != MT_DOUBLE) { /* a long integer may be rounded either way */
         least = fmin (least, nextafter ((double) v.i, -INFINITY));
         greatest = fmax (greatest, nextafter ((double) v.i, INFINITY));
      } else if (isnan (v.d)) {
         out->bounds |= MT_BOUNDS_NAN;
      } else {
         least = v.d < least ? v.d : least;
         greatest = v.d > greatest ? v.d : greatest;
      }
   }
   if (least > greatest) /* all are NaN */
      least = greatest = NAN;
   memcpy (&out->base, &least, sizeof least);
   memcpy (&out->step, &greatest, sizeof greatest);
}

/* Stores the number of text v among the column's distinct texts (words) in *number. Returns false
 * if there are too many distinct texts. */
static bool word_of (MtColumnMaker *m, MtVal v, uint64_t *number)
{
   uint32_t mask = m->slot_count - 1, at = (uint32_t) XXH3_64bits (v.p, v.len) & mask;
   for (; m->slots[at]; at = (at + 1) & mask) {
      uint32_t i = m->slots[at] - 1u;
      if (m->words[i].n == v.len && memcmp (m->words[i].p, v.p, v.len) == 0) {
         *number = i;
         return true;
      }
   }
   if (m->word_count == m->word_most)
      return false;
   m->words[m->word_count].p = v.p;
   m->words[m->word_count].n = v.len;
   *number = m->word_count++;
   m->slots[at] = (uint16_t) m->word_count;
   return true;
}

static bool make_words (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out)
{
   m->word_most = MT_COLUMN_WORDS;
   if (m->level_count == 1)
      m->word_most = m->rows / 2 < MOST_WORDS ? m->rows / 2 : MOST_WORDS;
   m->slot_count = 2 * MOST_WORDS;
   while (m->slot_count < 2 * m->word_most && m->slot_count < 2 * m->rows)
      m->slot_count *= 2;
   memset (m->slots, 0, m->slot_count * sizeof *m->slots);
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
   if (!types) /* then all values are null or missing */
      return true;
   if (types == MT_TYPE_BIT (MT_STRING))
      return make_words (m, f, out);
   if (types == MT_TYPE_BIT (MT_ARRAY)) {
      make_list (m, f, out);
      return true;
   }
   if (types == MT_TYPE_BIT (MT_DOUBLE)) {
      if (!make_decimals (m, f, out)) {
         out->scale = 0;
         make_bits (m, f, out);
      }
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

/* ---- writing the columns ---- */

void mt_maker_pad (MtColumnMaker *m)
{
   static const uint8_t zeros[8];
   mt_maker_add (m, zeros, mt_column_pad (m->bodies.n) - m->bodies.n);
}

#define PUT_NUMBERS(type, order) \
   for (uint32_t i = 0; i < m->rows; i++) { \
      type n = (type) order ((type) m->numbers[i]); \
      memcpy (p + i * sizeof n, &n, sizeof n); \
   }

void mt_maker_put_numbers (MtColumnMaker *m, const MtMakerField *f, const MtMadeColumn *c)
{
   size_t bytes = (size_t) m->rows * c->width;
   if (!mt_buf_reserve (&m->bodies, bytes)) {
      m->failed = true;
      return;
   }
   uint8_t *p = (uint8_t *) m->bodies.p + m->bodies.n;
   switch (c->width) {
   case 1: PUT_NUMBERS (uint8_t, ) break;
   case 2: PUT_NUMBERS (uint16_t, htole16) break;
   case 4: PUT_NUMBERS (uint32_t, htole32) break;
   case 8: PUT_NUMBERS (uint64_t, htole64) break;
   default: break;
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
   bool list = e->made.form == MT_COLUMN_LIST;
   mt_put32 (p, (uint32_t) name);
   mt_put32 (p + 4, (uint32_t) (bodies + e->at));
   mt_put32 (p + 8, (uint32_t) e->bytes);
   mt_put32 (p + 12, list ? m->levels[e->field->below].rows : e->made.words);
   mt_put64 (p + 16, (uint64_t) e->made.base);
   mt_put64 (p + 24, e->made.step);
   mt_put64 (p + 32, e->made.most);
   mt_put64 (p + 40, XXH3_64bits (m->bodies.p + e->at, e->bytes));
   p[48] = e->made.type;
   p[MT_ENTRY_FORM] = (uint8_t) e->made.form;
   p[50] = e->made.width;
   p[51] = e->made.scale;
   p[52] = e->made.tagged;
   p[MT_ENTRY_LEVEL] = e->field->level;
   p[MT_ENTRY_BELOW] = list ? e->field->below : 0;
   p[MT_ENTRY_BOUNDS] = e->made.bounds;
}

/* Writes the directory (a list that describes each column), and then the columns, to m->out. */
static MtColumns put_all (MtColumnMaker *m)
{
   uint8_t entry[MT_COLUMN_ENTRY] = {0}, head[MT_COLUMNS_HEAD] = MT_COLUMNS_MAGIC;
   uint32_t count = m->entry_count;
   size_t names = MT_COLUMNS_HEAD + (size_t) count * MT_COLUMN_ENTRY, end = names;
   for (uint32_t i = 0; i < count; i++)
      end += m->entries[i].field->name_bytes;
   size_t bodies = mt_column_pad (end);
   mt_put32 (head + 4, count);
   mt_put32 (head + 8, m->levels[0].rows);
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
static MtColumnMaker *begin (MtColumnMaker **maker, const uint8_t *data)
{
   if (!*maker)
      *maker = mt_try_calloc ("store", 1, sizeof **maker);
   MtColumnMaker *m = *maker;
   if (!m)
      return NULL;
   m->levels[0] = (MtMakerLevel) {0};
   m->level_count = 1;
   m->data = data;
   m->count = 0;
   m->entry_count = 0;
   m->more = m->odd = m->failed = false;
   m->next[MT_COLUMNS_MOST] = MT_NO_FIELD;
   mt_buf_clear (&m->bodies);
   return m;
}

/* Makes memory for the numbers of a column. */
static bool room_for_numbers (MtColumnMaker *m)
{
   uint32_t most = 0;
   for (uint8_t i = 0; i < m->level_count; i++)
      most = m->levels[i].rows > most ? m->levels[i].rows : most;
   if (most > m->number_room) {
      free (m->numbers);
      m->numbers = mt_try_malloc ("store", most * sizeof *m->numbers);
      m->number_room = m->numbers ? most : 0;
   }
   return most <= m->number_room;
}

/* Makes the columns that queries read, in the order of the fields. Returns how many there are. */
static uint32_t make_columns (MtColumnMaker *m, uint8_t level)
{
   uint32_t made = 0;
   mt_maker_at (m, level);
   for (uint8_t i = m->next[MT_COLUMNS_MOST + level]; i != MT_NO_FIELD; i = m->next[i]) {
      MtMakerEntry *e = &m->entries[m->entry_count++];
      find_types (m, &m->fields[i]);
      *e = (MtMakerEntry) {.field = &m->fields[i], .at = m->bodies.n};
      if (make (m, e->field, &e->made)) {
         put_column (m, e);
         made++;
      } else {
         e->made = (MtMadeColumn) {.form = MT_COLUMN_NONE};
      }
      m->fields[i].listed = e->made.form == MT_COLUMN_LIST;
   }
   return made;
}

/* Makes the columns of the levels below the documents. Returns how many rows they have. */
static uint32_t make_levels (MtColumnMaker *m)
{
   bool dropped[MT_LEVELS_MOST] = {false};
   uint32_t rows = 0;
   for (uint8_t i = 1; i < m->level_count; i++) {
      const MtMakerField *f = m->levels[i].field;
      dropped[i] = dropped[f->level] || !f->listed;
      if (dropped[i])
         continue;
      make_columns (m, i);
      rows += m->levels[i].rows;
   }
   return rows;
}

/* Adds what rebuilding needs. Returns the columns, or none if the documents have to be stored. */
static MtColumns make_whole (MtColumnMaker *m, size_t n)
{
   if (!mt_maker_add_rest (m, n))
      return (MtColumns) {0};
   MtColumns all = put_all (m);
   return mt_maker_gives_back (m, &all, n) ? all : (MtColumns) {0};
}

MtColumns mt_columns_make (MtColumnMaker **maker, const uint8_t *data, size_t n, uint32_t rows,
                           bool *whole)
{
   bool small = rows >= MT_COLUMN_LEAST_ROWS && n / rows <= MOST_DOCUMENT;
   *whole = false;
   if (rows > MOST_ROWS || n > UINT32_MAX)
      return (MtColumns) {0};
   MtColumnMaker *m = begin (maker, data);
   for (size_t at = 0; m && at < n && (small || !m->odd);) {
      uint32_t len = mt_get32 (data + at);
      mt_maker_take (m, 0, data + at, len);
      at += len;
   }
   if (!m || m->failed || !room_for_numbers (m) || (!small && (m->level_count == 1 || m->odd)))
      return (MtColumns) {0};
   uint32_t made = make_columns (m, 0);
   MtMakerLength before = mt_maker_length (m);
   if (make_levels (m) >= (small ? 0 : MT_COLUMN_LEAST_ROWS)) {
      MtColumns all = make_whole (m, n);
      *whole = all.p != NULL;
      if (*whole)
         return all;
   }
   mt_maker_cut (m, before);
   return small && made ? put_all (m) : (MtColumns) {0};
}
