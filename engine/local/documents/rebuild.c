/* Rebuilds documents from the columns of a block. column_int.h describes the format.
 *
 * Documents are rebuilt in groups. The offset of each group's first document is stored. So reading
 * a single document rebuilds one group, and a scan rebuilds all groups one by one. */
#include "engine/local/documents/rebuild.h"

#include "base/memory.h"
#include "engine/local/documents/column_int.h"

#include <stdlib.h>

/* Short field names and texts are copied with this fixed number of bytes, since that is faster. The
 * next value overwrites the surplus bytes. */
#define WIDE 16u

/* A field of the documents, and its column. */
typedef struct Part {
   MtStoredColumn column;
   const char *name;    /* the field's name; borrowed from the columns */
   uint32_t name_bytes; /* length of the name with its NUL */
   uint32_t word_bytes; /* the sum of the sizes of the column's distinct texts */
   uint8_t head[WIDE];  /* how the field begins in BSON: type byte, then the name's first bytes */
} Part;

/* Rows that have the same fields. */
typedef struct Level {
   uint32_t rows;            /* 0: there is no such level */
   uint32_t first, end;      /* of its parts */
   uint32_t row;             /* the next row, if there is a level above */
   const MtStoredColumn *of; /* the lists that the rows are from */
   uint8_t above;
   uint32_t *starts; /* the first row of each group; owned */
} Level;

struct MtRebuilt {
   MtColumns columns;
   MtColumnsSeen *ok; /* a bit for each verified part of the columns; borrowed */
   uint32_t rows, size;
   bool open;     /* the members below are filled in for `columns` */
   uint8_t *data; /* the rebuilt documents: `room` bytes, and WIDE more */
   size_t room;
   const uint8_t *places; /* for each group of rows, the offset of its first document: 4 bytes */
   uint32_t group_rows, groups, group_room;
   bool *done; /* for each group of rows, whether its documents are rebuilt */
   uint32_t part_count;
   Part parts[MT_COLUMNS_MOST];
   Level levels[MT_LEVELS_MOST];
};

void mt_rebuilt_free (MtRebuilt *m)
{
   if (m) {
      free (m->data);
      free (m->done);
      for (uint32_t i = 0; i < MT_LEVELS_MOST; i++)
         free (m->levels[i].starts);
   }
   free (m);
}

const uint8_t *mt_rebuilt_data (const MtRebuilt *m) { return m->data; }

/* ---- opening the columns ---- */

/* Adds the level of a list, whose entry was just read. */
static bool take_level (MtRebuilt *m, uint8_t above, const MtStoredColumn *list)
{
   Level *l = &m->levels[list->below.number];
   if (list->below.number <= above || l->rows || !list->below.rows)
      return false;
   *l = (Level) {.rows = list->below.rows, .of = list, .above = above, .starts = l->starts};
   return true;
}

static bool take_entry (MtRebuilt *m, uint32_t i)
{
   Part *f = &m->parts[m->part_count];
   const uint8_t *entry = m->columns.p + MT_COLUMNS_HEAD + (size_t) i * MT_COLUMN_ENTRY;
   uint8_t level = entry[MT_ENTRY_LEVEL];
   if (level >= MT_LEVELS_MOST || !m->levels[level].rows)
      return false;
   f->column = (MtStoredColumn) {.rows = m->levels[level].rows};
   if (!mt_column_open (&m->columns, i, m->ok, &f->column))
      return false;
   uint32_t name = mt_get32 (entry), end = mt_get32 (entry + 4) + mt_get32 (entry + 8);
   if (f->column.form == MT_COLUMN_PLACES) {
      m->places = f->column.word_ends;
      m->group_rows = (uint32_t) f->column.step;
      m->groups = f->column.word_count;
      return m->group_rows > 0 && m->groups == (m->rows - 1) / m->group_rows + 1;
   }
   if (name >= m->columns.directory)
      return false;
   f->name = (const char *) m->columns.p + name;
   f->name_bytes = (uint32_t) strlen (f->name) + 1;
   f->word_bytes = (uint32_t) (m->columns.p + end - f->column.words);
   memcpy (f->head + 1, f->name, f->name_bytes < WIDE ? f->name_bytes : WIDE - 1);
   if (f->column.form == MT_COLUMN_LIST && !take_level (m, level, &f->column))
      return false;
   Level *l = &m->levels[level];
   if (l->end != m->part_count || l->end == l->first)
      l->first = m->part_count;
   l->end = ++m->part_count;
   return true;
}

/* Finds the first row of each group in a level. The levels above are done. */
static bool find_starts (MtRebuilt *m, Level *l)
{
   const Level *above = &m->levels[l->above];
   uint32_t *starts = mt_try_realloc ("documents", l->starts, m->groups * sizeof *starts);
   uint64_t sum = 0;
   if (!starts)
      return false;
   l->starts = starts;
   for (uint32_t i = 0, row = 0; i < m->groups; i++) {
      uint32_t to = l->above ? above->starts[i] : i * m->group_rows;
      for (; row < to && row < above->rows; row++)
         sum += mt_stored_length (l->of, row);
      if (sum > l->rows)
         return false;
      starts[i] = (uint32_t) sum;
   }
   return true;
}

bool mt_rebuild_begin (MtRebuilt **at, const MtColumns *c, uint32_t rows, uint32_t size,
                       MtColumnsSeen *ok)
{
   if (!*at)
      *at = mt_try_calloc ("documents", 1, sizeof **at);
   MtRebuilt *m = *at;
   if (!m)
      return false;
   m->ok = ok;
   if (m->rows == rows && m->size == size && m->columns.p == c->p && m->columns.hash == c->hash)
      return true;
   m->open = false;
   m->rows = rows;
   m->size = size;
   m->columns = *c;
#ifdef __SANITIZE_ADDRESS__
   m->room = 0; /* a new allocation lets the sanitizer find uses of an earlier block's bytes */
#endif
   if (m->size > m->room) {
      free (m->data);
      m->data = mt_try_malloc ("documents", (size_t) m->size + WIDE);
      m->room = m->data ? m->size : 0;
   }
   return m->room > 0;
}

/* Reads the columns' directory (the list at the beginning of their bytes), and opens all columns.
 * Their hashes are verified. Returns false if they are damaged, or if memory is exhausted. */
static bool open_all (MtRebuilt *m)
{
   if (!m->columns.p || !m->rows || !mt_columns_directory_ok (&m->columns, m->rows, m->ok))
      return false;
   uint32_t count = mt_get32 (m->columns.p + 4);
   m->part_count = 0;
   m->places = NULL;
   for (uint32_t i = 0; i < MT_LEVELS_MOST; i++)
      m->levels[i] = (Level) {.rows = i ? 0 : m->rows, .starts = m->levels[i].starts};
   for (uint32_t i = 0; i < count; i++)
      if (!take_entry (m, i))
         return false;
   if (m->groups > m->group_room) {
      free (m->done);
      m->done = mt_try_malloc ("documents", m->groups * sizeof *m->done);
      m->group_room = m->done ? m->groups : 0;
   }
   if (!m->places || !m->done)
      return false;
   memset (m->done, 0, m->groups * sizeof *m->done);
   for (uint32_t i = 1; i < MT_LEVELS_MOST; i++)
      if (m->levels[i].rows && !find_starts (m, &m->levels[i]))
         return false;
   return m->open = true;
}

/* ---- rebuilding ---- */

/* Copies n bytes from q to p. Returns the end of the copy, or NULL if it would go beyond `end`. */
static inline uint8_t *put (uint8_t *p, const uint8_t *end, const uint8_t *q, size_t n)
{
   if ((size_t) (end - p) < n)
      return NULL;
   return (uint8_t *) memcpy (p, q, n) + n;
}

static uint8_t *put_word (const Part *f, uint64_t number, uint8_t *p, const uint8_t *end)
{
   const MtStoredColumn *c = &f->column;
   if (number >= c->word_count)
      return NULL;
   uint32_t from = number ? mt_get32 (c->word_ends + 4 * (number - 1)) : 0;
   uint32_t to = mt_get32 (c->word_ends + 4 * number), n = to - from;
   if (to <= from || to > f->word_bytes || (size_t) (end - p) < 4 + (size_t) n)
      return NULL;
   mt_put32 (p, n);
   if (n <= WIDE && f->word_bytes - from >= WIDE)
      memcpy (p + 4, c->words + from, WIDE);
   else
      memcpy (p + 4, c->words + from, n);
   return p + 4 + n;
}

static uint8_t *put_id (const Part *f, uint32_t row, uint8_t *p, const uint8_t *end)
{
   const MtStoredColumn *c = &f->column;
   if (end - p < 12)
      return NULL;
   uint64_t n = (uint64_t) c->base + c->step * mt_stored_number (c, row);
   uint32_t seconds = htobe32 ((uint32_t) (n >> 24)), counter = mt_id_counter (c->words) + row;
   counter = htobe32 ((counter + (uint32_t) n) << 8);
   memcpy (p, &seconds, 4);
   memcpy (p + 4, c->words, 5);
   memcpy (p + 9, &counter, 3);
   return p + 12;
}

static uint8_t *put_bytes (const Part *f, uint32_t row, uint8_t *p, const uint8_t *end)
{
   const MtStoredColumn *c = &f->column;
   if (c->most) /* then all values have c->most bytes */
      return put (p, end, c->words + row * c->most, c->most);
   uint32_t from = row ? mt_get32 (c->word_ends + 4 * (size_t) (row - 1)) : 0;
   uint32_t to = mt_get32 (c->word_ends + 4 * (size_t) row);
   return to < from || to > f->word_bytes ? NULL : put (p, end, c->words + from, to - from);
}

static uint8_t *put_row (MtRebuilt *m, const Level *l, uint32_t row, uint8_t *doc,
                         const uint8_t *end);

/* Writes a list, whose documents are the next rows of the level below. */
static uint8_t *put_list (MtRebuilt *m, const Part *f, uint32_t row, uint8_t *array,
                          const uint8_t *end)
{
   Level *below = &m->levels[f->column.below.number];
   uint8_t *p = array + 4;
   uint32_t count = mt_stored_length (&f->column, row);
   MtListKey key = mt_list_key ();
   if (end - array < 5 || count > below->rows - below->row)
      return NULL;
   for (uint32_t i = 0; i < count; i++, mt_list_key_next (&key)) {
      if ((size_t) (end - p) < 1 + (size_t) key.bytes)
         return NULL;
      *p = MT_DOC;
      memcpy (p + 1, key.text, sizeof key.text); /* there are WIDE bytes behind the end */
      p = put_row (m, below, below->row++, p + 1 + key.bytes, end);
      if (!p)
         return NULL;
   }
   if (p == end)
      return NULL;
   *p++ = 0;
   mt_put32 (array, (uint32_t) (p - array));
   return p;
}

static inline uint8_t *put_value (const Part *f, uint8_t type, uint32_t row, uint8_t *p,
                                  const uint8_t *end)
{
   const MtStoredColumn *c = &f->column;
   switch (c->form) {
   case MT_COLUMN_WORD: return put_word (f, mt_stored_number (c, row), p, end);
   case MT_COLUMN_ID: return put_id (f, row, p, end);
   case MT_COLUMN_BYTES: return put_bytes (f, row, p, end);
   default: break;
   }
   uint64_t n = (uint64_t) mt_stored_value (c, type, mt_stored_number (c, row)).i;
   size_t size = type == MT_INT32 ? 4 : 8;
   if (type == MT_BOOL)
      size = 1;
   if ((size_t) (end - p) < size)
      return NULL;
   n = htole64 (n);
   memcpy (p, &n, 8); /* may write more than `size`: WIDE bytes follow `end` */
   return p + size;
}

/* Writes the document of a row of a level. Returns its end, or NULL if it does not end before
 * `end`. */
static uint8_t *put_row (MtRebuilt *m, const Level *l, uint32_t row, uint8_t *doc,
                         const uint8_t *end)
{
   uint8_t *p = doc + 4;
   if (end - doc < 5)
      return NULL;
   for (uint32_t i = l->first; i < l->end; i++) {
      const Part *f = &m->parts[i];
      uint8_t type = f->column.tags ? f->column.tags[row] : f->column.type;
      if (type == MT_MISSING)
         continue;
      if ((size_t) (end - p) < 1 + (size_t) f->name_bytes)
         return NULL;
      memcpy (p, f->head, WIDE);
      if (f->name_bytes >= WIDE)
         memcpy (p + 1, f->name, f->name_bytes);
      *p = type;
      p += 1 + f->name_bytes;
      if (f->column.form == MT_COLUMN_LIST && type == MT_ARRAY)
         p = put_list (m, f, row, p, end);
      else if (type != MT_NULL)
         p = put_value (f, type, row, p, end);
      if (!p)
         return NULL;
   }
   if (p == end)
      return NULL;
   *p++ = 0;
   mt_put32 (doc, (uint32_t) (p - doc));
   return p;
}

static size_t place_of (const MtRebuilt *m, uint32_t group)
{
   return group < m->groups ? mt_get32 (m->places + 4 * (size_t) group) : m->size;
}

static bool rebuild_group (MtRebuilt *m, uint32_t group)
{
   size_t from = place_of (m, group), to = place_of (m, group + 1);
   uint32_t row = group * m->group_rows, left = m->rows - row;
   uint8_t behind[WIDE];
   if (from >= to || to > m->size)
      return false;
   uint8_t *p = m->data + from, *end = m->data + to;
   memcpy (behind, end, WIDE); /* the next group may be rebuilt already */
   for (uint32_t i = 1; i < MT_LEVELS_MOST; i++)
      if (m->levels[i].rows)
         m->levels[i].row = m->levels[i].starts[group];
   for (uint32_t n = left < m->group_rows ? left : m->group_rows; p && n > 0; n--)
      p = put_row (m, &m->levels[0], row++, p, end);
   memcpy (end, behind, WIDE);
   return m->done[group] = p == end;
}

/* Returns the number of the group that contains the byte at `offset`. */
static uint32_t group_at (const MtRebuilt *m, size_t offset)
{
   uint32_t lo = 0, hi = m->groups;
   while (hi - lo > 1) {
      uint32_t mid = lo + (hi - lo) / 2;
      if (place_of (m, mid) <= offset)
         lo = mid;
      else
         hi = mid;
   }
   return lo;
}

bool mt_rebuild (MtRebuilt *m, size_t *from, size_t *to)
{
   if (!m->open && !open_all (m))
      return false;
   uint32_t first = group_at (m, *from), last = group_at (m, *to - 1);
   for (uint32_t i = first; i <= last; i++)
      if (!m->done[i] && !rebuild_group (m, i))
         return false;
   while (last + 1 < m->groups && m->done[last + 1])
      last++;
   *from = place_of (m, first);
   *to = place_of (m, last + 1);
   return *from < *to && *to <= m->size;
}
