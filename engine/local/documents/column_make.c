/* Makes columns from documents. column_int.h describes their bytes.
 *
 * One pass finds the values of each field. Then each field becomes a column if its values have
 * types that a column can hold, and if its texts repeat. */
#include "base/memory.h"
#include "base/str.h"
#include "engine/local/documents/check.h"
#include "engine/local/documents/column_int.h"

#include <math.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Columns are made of this many documents, if they are this small on average. */
#define LEAST_ROWS 64u
#define MOST_ROWS 65536u
#define MOST_DOCUMENT 1024u
#define WORD_SLOTS (2 * MT_COLUMN_WORDS)

#define BIT(type) (UINT32_C (1) << (type))
#define WHOLES (BIT (MT_INT32) | BIT (MT_INT64))
#define NUMBERS (WHOLES | BIT (MT_DOUBLE))
#define NONE (BIT (MT_MISSING) | BIT (MT_NULL))

typedef struct Field {
   const char *name;   /* borrowed from the documents */
   uint64_t mask, low; /* mask and value of the first 8 bytes of the name with its NUL */
   uint64_t last;      /* its last 8 bytes, if it is longer */
   size_t name_bytes;  /* with the NUL */
   uint32_t types;     /* a bit for each type of its values */
   bool lost;          /* it has values that a column can't hold */
   uint32_t *at;       /* the offset of each row's value in `data` */
   uint8_t *tags;      /* the type of each row's value */
} Field;

struct MtColumnMaker {
   Field fields[MT_COLUMNS_MOST];
   uint32_t count;
   bool more;           /* the documents have fields that are not in `fields` */
   uint32_t rows, room; /* rows of this block; rows for which the fields have memory */
   const uint8_t *data; /* the block's documents */
   MtBuf out;           /* the columns */
   MtBuf bodies;
   uint64_t *numbers;
   uint16_t slots[WORD_SLOTS]; /* the hash table of a field's words: number + 1; 0: free */
   struct {
      const uint8_t *p;
      uint32_t n;
   } words[MT_COLUMN_WORDS];
   uint32_t word_count;
};

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
   }
   free (m);
}

/* ---- finding the values ---- */

static bool is_named (const Field *f, const uint8_t *key)
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

static Field *add_field (MtColumnMaker *m, const uint8_t *key)
{
   if (m->count == MT_COLUMNS_MOST) {
      m->more = true;
      return NULL;
   }
   Field *f = &m->fields[m->count++];
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
   return f;
}

/* Returns the field with this key, which is probably number `at`. NULL: there are too many. */
static inline Field *field_of (MtColumnMaker *m, const uint8_t *key, uint32_t at)
{
   if (at < m->count && is_named (&m->fields[at], key))
      return &m->fields[at];
   for (uint32_t i = 0; i < m->count; i++)
      if (is_named (&m->fields[i], key))
         return &m->fields[i];
   return add_field (m, key);
}

static void take_document (MtColumnMaker *m, uint32_t row, const uint8_t *doc, size_t len)
{
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   for (uint32_t at = 0; p < end; at++) {
      uint8_t type = *p++;
      Field *f = field_of (m, p, at);
      p += f ? f->name_bytes : strlen ((const char *) p) + 1;
      if (f && f->tags[row] == MT_MISSING) { /* if a key occurs twice, its first value is used */
         f->tags[row] = type;
         f->at[row] = (uint32_t) (p - m->data);
      }
      p += mt_bson_size (type, p);
   }
}

static void find_types (MtColumnMaker *m, Field *f)
{
   const uint32_t kept = NONE | NUMBERS | BIT (MT_DATE) | BIT (MT_BOOL) | BIT (MT_STRING);
   uint32_t types = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      types |= BIT (f->tags[i] & 31);
      f->lost |= f->tags[i] >= 32;
   }
   f->types = types;
   f->lost |= (types & ~kept) != 0;
}

/* ---- making a column ---- */

typedef struct Made {
   MtColumnForm form;
   uint8_t type, width, scale;
   bool tagged;
   int64_t base;
   uint64_t step, most;
   uint32_t words;
} Made;

static inline MtVal value_of (const MtColumnMaker *m, const Field *f, uint32_t row)
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

static inline bool has_value (const Field *f, uint32_t row)
{
   return f->tags[row] != MT_MISSING && f->tags[row] != MT_NULL;
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

/* Makes numbers of the integers in m->numbers. */
static void set_base (MtColumnMaker *m, const Field *f, Made *out)
{
   int64_t least = INT64_MAX, greatest = INT64_MIN;
   for (uint32_t i = 0; i < m->rows; i++)
      if (has_value (f, i)) {
         int64_t v = (int64_t) m->numbers[i];
         least = v < least ? v : least;
         greatest = v > greatest ? v : greatest;
      }
   uint64_t step = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      m->numbers[i] = has_value (f, i) ? m->numbers[i] - (uint64_t) least : 0;
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

static void make_wholes (MtColumnMaker *m, const Field *f, Made *out)
{
   out->form = MT_COLUMN_WHOLE;
   for (uint32_t i = 0; i < m->rows; i++)
      m->numbers[i] = has_value (f, i) ? (uint64_t) value_of (m, f, i).i : 0;
   set_base (m, f, out);
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
static bool make_decimals (MtColumnMaker *m, const Field *f, Made *out)
{
   unsigned scale = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      int64_t whole = 0;
      while (has_value (f, i) && !is_decimal (value_of (m, f, i).d, scale, &whole))
         if (++scale > MT_COLUMN_SCALE)
            return false;
   }
   for (uint32_t i = 0; i < m->rows; i++) {
      int64_t whole = 0;
      if (has_value (f, i) && !is_decimal (value_of (m, f, i).d, scale, &whole))
         return false;
      m->numbers[i] = (uint64_t) whole;
   }
   out->form = MT_COLUMN_DECIMAL;
   out->scale = (uint8_t) scale;
   set_base (m, f, out);
   return true;
}

static void make_bits (MtColumnMaker *m, const Field *f, Made *out)
{
   out->form = MT_COLUMN_BITS;
   out->width = 8;
   out->most = UINT64_MAX;
   for (uint32_t i = 0; i < m->rows; i++)
      m->numbers[i] = has_value (f, i) ? (uint64_t) value_of (m, f, i).i : 0;
}

/* Gets the number of a word. Returns false if there are too many words. */
static bool word_of (MtColumnMaker *m, MtVal v, uint64_t *number)
{
   uint32_t at = (uint32_t) XXH3_64bits (v.p, v.len) % WORD_SLOTS;
   for (; m->slots[at]; at = (at + 1) % WORD_SLOTS) {
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

static bool make_words (MtColumnMaker *m, const Field *f, Made *out)
{
   memset (m->slots, 0, sizeof m->slots);
   m->word_count = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      m->numbers[i] = 0;
      if (has_value (f, i) && !word_of (m, value_of (m, f, i), &m->numbers[i]))
         return false;
   }
   out->form = MT_COLUMN_WORD;
   out->words = m->word_count;
   out->most = m->word_count - 1;
   out->width = width_of (out->most);
   return true;
}

static bool make (MtColumnMaker *m, const Field *f, Made *out)
{
   uint32_t types = f->types & ~NONE;
   if (f->lost)
      return false;
   *out = (Made) {.type = types ? (uint8_t) __builtin_ctz (types) : MT_NULL,
                  .step = 1,
                  .tagged = (f->types & (f->types - 1)) != 0};
   if (!types) /* all values are null or missing */
      return true;
   if (types == BIT (MT_STRING))
      return make_words (m, f, out);
   if (types == BIT (MT_DOUBLE)) {
      if (!make_decimals (m, f, out))
         make_bits (m, f, out);
   } else if (!(types & ~WHOLES) || types == BIT (MT_DATE) || types == BIT (MT_BOOL)) {
      make_wholes (m, f, out);
   } else if (!(types & ~NUMBERS)) {
      make_bits (m, f, out);
   } else {
      return false;
   }
   return true;
}

/* ---- the bytes ---- */

static void pad (MtBuf *b)
{
   static const uint8_t zeros[8];
   mt_buf_add (b, zeros, mt_column_pad (b->n) - b->n);
}

static void put_numbers (MtColumnMaker *m, unsigned width)
{
   size_t bytes = (size_t) m->rows * width;
   if (!mt_buf_reserve (&m->bodies, bytes))
      return; /* put_column notices it */
   uint8_t *p = (uint8_t *) m->bodies.p + m->bodies.n;
   for (uint32_t i = 0; i < m->rows; i++) {
      uint64_t n = htole64 (m->numbers[i]);
      memcpy (p + (size_t) i * width, &n, width);
   }
   m->bodies.n += bytes;
}

/* Returns false if there is no memory. */
static bool put_column (MtColumnMaker *m, const Field *f, const Made *c)
{
   size_t end = m->bodies.n + mt_column_pad ((size_t) m->rows * c->width) +
                (c->tagged ? mt_column_pad (m->rows) : 0) + mt_column_pad (4 * (size_t) c->words);
   put_numbers (m, c->width);
   pad (&m->bodies);
   if (c->tagged)
      mt_buf_add (&m->bodies, f->tags, m->rows);
   pad (&m->bodies);
   for (uint32_t i = 0, to = 0; i < c->words; i++) {
      uint8_t le[4];
      mt_put32 (le, to += m->words[i].n + 1);
      mt_buf_add (&m->bodies, le, sizeof le);
   }
   pad (&m->bodies);
   bool whole = m->bodies.n == end;
   for (uint32_t i = 0; i < c->words; i++)
      whole = mt_buf_add (&m->bodies, m->words[i].p, m->words[i].n + 1) && whole;
   pad (&m->bodies);
   return whole && m->bodies.n % 8 == 0;
}

typedef struct Entry {
   Made made;
   const Field *field;
   size_t at, bytes; /* in `bodies` */
} Entry;

static void put_entry (MtColumnMaker *m, uint8_t *p, const Entry *e, size_t name, size_t bodies)
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

/* Writes the directory, and the columns behind it, into m->out. Returns the directory's size; 0:
 * there is no memory. */
static uint32_t put_all (MtColumnMaker *m, const Entry *entries, uint32_t count)
{
   uint8_t entry[MT_COLUMN_ENTRY] = {0}, head[MT_COLUMNS_HEAD] = MT_COLUMNS_MAGIC;
   size_t names = MT_COLUMNS_HEAD + (size_t) count * MT_COLUMN_ENTRY, end = names;
   for (uint32_t i = 0; i < count; i++)
      end += entries[i].field->name_bytes;
   mt_put32 (head + 4, count);
   mt_put32 (head + 8, m->rows);
   mt_put32 (head + 12, !m->more);
   mt_buf_clear (&m->out);
   mt_buf_add (&m->out, head, sizeof head);
   for (uint32_t i = 0; i < count; i++) {
      put_entry (m, entry, &entries[i], names, mt_column_pad (end));
      mt_buf_add (&m->out, entry, sizeof entry);
      names += entries[i].field->name_bytes;
   }
   for (uint32_t i = 0; i < count; i++)
      mt_buf_add (&m->out, entries[i].field->name, entries[i].field->name_bytes);
   pad (&m->out);
   mt_buf_add (&m->out, m->bodies.p, m->bodies.n);
   return m->out.n == mt_column_pad (end) + m->bodies.n ? (uint32_t) end : 0;
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
   m->more = false;
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

MtColumns mt_columns_make (MtColumnMaker **maker, const uint8_t *data, size_t n, uint32_t rows)
{
   Entry entries[MT_COLUMNS_MOST];
   uint32_t count = 0, row = 0;
   if (rows < LEAST_ROWS || rows > MOST_ROWS || n / rows > MOST_DOCUMENT)
      return (MtColumns) {0};
   MtColumnMaker *m = begin (maker, data, rows);
   if (!m)
      return (MtColumns) {0};
   for (size_t at = 0; at < n; row++) {
      uint32_t len = mt_get32 (data + at);
      take_document (m, row, data + at, len);
      at += len;
   }
   for (uint32_t i = 0; i < m->count; i++) {
      Entry *e = &entries[i];
      find_types (m, &m->fields[i]);
      *e = (Entry) {.field = &m->fields[i], .at = m->bodies.n};
      if (!make (m, e->field, &e->made))
         e->made = (Made) {.form = MT_COLUMN_NONE};
      else if (put_column (m, e->field, &e->made))
         count++;
      else
         return (MtColumns) {0};
      e->bytes = m->bodies.n - e->at;
   }
   uint32_t directory = count ? put_all (m, entries, m->count) : 0;
   if (!directory)
      return (MtColumns) {0};
   return (MtColumns) {.p = (const uint8_t *) m->out.p,
                       .bytes = (uint32_t) m->out.n,
                       .directory = directory,
                       .hash = XXH3_64bits (m->out.p, directory)};
}
