/* Makes the columns that are used only to rebuild documents: ObjectIds, values that queries can't
 * read from columns, and the offsets of documents. */
#include "engine/local/documents/maker_int.h"

/* If the columns have at most this share of the documents' bytes, the documents are not stored. */
#define MOST_SHARE 0.75
/* The documents of this many rows are rebuilt at a time, or that of one row if documents have more
 * than LARGE_DOCUMENT bytes on average. Then keys need no rebuilt documents (mt_field_walk). */
#define GROUP_ROWS 32u
#define LARGE_DOCUMENT 512u

static uint32_t seconds_of (const uint8_t *id)
{
   uint32_t n;
   memcpy (&n, id, sizeof n);
   return be32toh (n);
}

/* Encodes ObjectIds as numbers: their time, and the difference of their counter from the expected
 * one. middle: the five bytes that all of them share, and the first counter. Returns false if the
 * middle bytes differ, so that they come from several programs. */
static bool make_ids (MtColumnMaker *m, const MtMakerField *f, MtMadeColumn *out, uint8_t middle[8])
{
   const uint8_t *first = NULL;
   uint32_t from = 0;
   if ((f->types & ~MT_TYPES_NONE) != MT_TYPE_BIT (MT_OID))
      return false;
   for (uint32_t i = 0; i < m->rows; i++) {
      const uint8_t *id = m->data + f->at[i];
      m->numbers[i] = 0;
      if (!mt_maker_has (f, i))
         continue;
      if (!first) {
         first = id;
         from = mt_id_counter (id + 4) - i;
      }
      if (memcmp (id + 4, first + 4, 5) != 0)
         return false;
      m->numbers[i] = (uint64_t) seconds_of (id) << 24 |
                      ((mt_id_counter (id + 4) - from - i) & 0xffffff);
   }
   memcpy (middle, first + 4, 5);
   for (int i = 0; i < 3; i++)
      middle[5 + i] = (uint8_t) (from >> (16 - 8 * i));
   *out = (MtMadeColumn) {.form = MT_COLUMN_ID, .type = MT_OID};
   mt_maker_set_base (m, f, out);
   return true;
}

static size_t size_at (const MtColumnMaker *m, const MtMakerField *f, uint32_t row)
{
   return f->tags[row] == MT_MISSING ? 0 : mt_bson_size (f->tags[row], m->data + f->at[row]);
}

static MtMadeColumn make_bytes (const MtColumnMaker *m, const MtMakerField *f, size_t *total)
{
   MtMadeColumn c = {.form = MT_COLUMN_BYTES, .type = f->tags[0], .step = 1};
   size_t first = size_at (m, f, 0);
   bool same = true;
   *total = 0;
   for (uint32_t i = 0; i < m->rows; i++) {
      size_t n = size_at (m, f, i);
      *total += n;
      same &= n == first;
   }
   c.most = same ? first : 0;
   c.words = c.most ? 0 : m->rows;
   *total += 4 * (size_t) c.words;
   return c;
}

static void put_bytes (MtColumnMaker *m, const MtMakerField *f, const MtMadeColumn *c)
{
   uint8_t le[4];
   for (uint32_t i = 0, to = 0; i < c->words; i++) {
      mt_put32 (le, to += (uint32_t) size_at (m, f, i));
      mt_maker_add (m, le, sizeof le);
   }
   mt_maker_pad (m);
   for (uint32_t i = 0; i < m->rows; i++)
      mt_maker_add (m, m->data + f->at[i], size_at (m, f, i));
}

/* Makes the column of a field whose values queries can't read from columns. Returns false if it
 * would have more than `most` bytes. */
static bool add_column (MtColumnMaker *m, MtMakerEntry *e, size_t most)
{
   const MtMakerField *f = e->field;
   uint8_t middle[8];
   size_t total;
   mt_maker_at (m, f->level);
   bool ids = make_ids (m, f, &e->made, middle);
   if (!ids)
      e->made = make_bytes (m, f, &total);
   e->made.tagged = (f->types & (f->types - 1)) != 0 || f->lost;
   if ((ids ? (size_t) m->rows * e->made.width : total) > most)
      return false;
   e->at = m->bodies.n;
   mt_maker_put_numbers (m, f, &e->made);
   if (ids)
      mt_maker_add (m, middle, sizeof middle);
   else
      put_bytes (m, f, &e->made);
   mt_maker_pad (m);
   e->bytes = m->bodies.n - e->at;
   return true;
}

static void add_places (MtColumnMaker *m, MtMakerEntry *e, size_t bytes)
{
   uint32_t rows = m->levels[0].rows, step = bytes / rows > LARGE_DOCUMENT ? 1 : GROUP_ROWS;
   static const MtMakerField nameless = {.name = "", .name_bytes = 1};
   *e = (MtMakerEntry) {
      .made = {.form = MT_COLUMN_PLACES, .step = step}, .field = &nameless, .at = m->bodies.n};
   const uint8_t *doc = m->data;
   for (uint32_t i = 0; i < rows; i++) {
      uint8_t le[4];
      mt_put32 (le, (uint32_t) (doc - m->data));
      if (i % step == 0) {
         mt_maker_add (m, le, sizeof le);
         e->made.words++;
      }
      doc += mt_get32 (doc);
   }
   mt_maker_pad (m);
   e->bytes = m->bodies.n - e->at;
}

bool mt_maker_add_rest (MtColumnMaker *m, size_t bytes)
{
   size_t most = (size_t) (MOST_SHARE * (double) bytes);
   uint32_t fields = m->entry_count;
   if (m->odd || fields == MT_COLUMNS_MOST)
      return false;
   for (uint32_t i = 0; i < fields && m->bodies.n <= most; i++)
      if (m->entries[i].made.form == MT_COLUMN_NONE &&
          !add_column (m, &m->entries[i], most - m->bodies.n))
         return false;
   add_places (m, &m->entries[m->entry_count++], bytes);
   return m->bodies.n <= most;
}

void mt_maker_cut (MtColumnMaker *m, MtMakerLength to)
{
   m->bodies.n = to.bodies;
   m->entry_count = to.entries;
   for (uint32_t i = 0; i < to.entries; i++)
      if (m->entries[i].made.form > MT_COLUMN_NONE) /* lists, too */
         m->entries[i].made = (MtMadeColumn) {.form = MT_COLUMN_NONE};
}

bool mt_maker_gives_back (MtColumnMaker *m, const MtColumns *c, size_t bytes)
{
   MtColumnsSeen ok = {0};
   size_t from = 0, to = bytes;
   return mt_rebuild_begin (&m->rebuilt, c, m->levels[0].rows, (uint32_t) bytes, &ok) &&
          mt_rebuild (m->rebuilt, &from, &to) &&
          memcmp (mt_rebuilt_data (m->rebuilt), m->data, bytes) == 0;
}
