/* Finds the values of documents for columns: one pass notes where the values of each field are.
 *
 * Each array of documents is a list, whose documents are rows of a level of their own. If an array
 * of a field has other elements, the field is no list at all, and its level is dropped. */
#include "base/memory.h"
#include "engine/local/documents/maker_int.h"

#include <stdlib.h>

#define FIRST_ROOM 1024u

void mt_maker_free_fields (MtColumnMaker *m)
{
   for (uint32_t i = 0; i < MT_COLUMNS_MOST; i++) {
      MtMakerField *f = &m->fields[i];
      free (f->at);
      free (f->tags);
      free (f->lengths);
   }
}

/* ---- memory ---- */

/* Gives a field room for `room` rows. Rows from `from` on are missing. */
static bool make_room (MtMakerField *f, uint32_t from, uint32_t room)
{
   if (f->room < room) {
      uint32_t *at = mt_try_realloc ("store", f->at, room * sizeof *at);
      f->at = at ? at : f->at;
      uint8_t *tags = mt_try_realloc ("store", f->tags, room);
      f->tags = tags ? tags : f->tags;
      if (!at || !tags)
         return false;
      f->room = room;
   }
   memset (f->tags + from, MT_MISSING, room - from);
   return true;
}

/* Gives a list room for the lengths of `room` rows. Those from `from` on are 0. */
static bool make_list_room (MtMakerField *f, uint32_t from, uint32_t room)
{
   if (f->list_room < room) {
      uint32_t *lengths = mt_try_realloc ("store", f->lengths, room * sizeof *lengths);
      if (!lengths)
         return false;
      f->lengths = lengths;
      f->list_room = room;
   }
   memset (f->lengths + from, 0, (room - from) * sizeof *f->lengths);
   return true;
}

/* Makes room for another row of a level. */
static bool grow (MtColumnMaker *m, uint8_t level)
{
   MtMakerLevel *l = &m->levels[level];
   uint32_t room = l->room ? 2 * l->room : FIRST_ROOM;
   for (uint32_t i = 0; i < m->count; i++) {
      MtMakerField *f = &m->fields[i];
      if (f->level == level &&
          (!make_room (f, l->room, room) || (f->below && !make_list_room (f, l->room, room))))
         return false;
   }
   l->room = room;
   return true;
}

/* ---- fields ---- */

static inline bool is_named (const MtMakerField *f, const uint8_t *key)
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
static MtMakerField *add_field (MtColumnMaker *m, uint8_t level, const uint8_t *key, uint8_t before)
{
   if (m->count == MT_COLUMNS_MOST) {
      m->more = true;
      return NULL;
   }
   MtMakerField *f = &m->fields[m->count];
   f->name = (const char *) key;
   f->name_bytes = strlen (f->name) + 1;
   f->mask = f->name_bytes >= 8 ? UINT64_MAX : (UINT64_C (1) << 8 * f->name_bytes) - 1;
   memcpy (&f->low, key, 8);
   f->low &= f->mask;
   if (f->name_bytes > 8)
      memcpy (&f->last, f->name + f->name_bytes - 8, 8);
   f->lost = f->plain = false;
   f->types = 0;
   f->level = level;
   f->below = 0;
   if (!make_room (f, 0, m->levels[level].room)) {
      m->more = true;
      return NULL;
   }
   m->next[m->count] = m->next[before];
   m->next[before] = (uint8_t) m->count++;
   return f;
}

/* Returns the field with this key, which is probably the one behind field `before`. NULL: there are
 * too many. */
static inline MtMakerField *field_of (MtColumnMaker *m, uint8_t level, const uint8_t *key,
                                      uint8_t before)
{
   uint8_t guess = m->next[before];
   if (guess < m->count && is_named (&m->fields[guess], key))
      return &m->fields[guess];
   for (uint32_t i = 0; i < m->count; i++)
      if (m->fields[i].level == level && is_named (&m->fields[i], key))
         return &m->fields[i];
   return add_field (m, level, key, before);
}

/* ---- values ---- */

/* Makes a level for the lists of a field. */
static bool add_level (MtColumnMaker *m, MtMakerField *f)
{
   if (m->level_count == MT_LEVELS_MOST || !make_list_room (f, 0, m->levels[f->level].room))
      return false;
   f->below = m->level_count++;
   m->levels[f->below] = (MtMakerLevel) {.field = f};
   m->next[MT_COLUMNS_MOST + f->below] = MT_NO_FIELD;
   return true;
}

/* Compares a key with that of an element; there are 8 more bytes. */
static inline bool is_list_key (const MtListKey *k, const uint8_t *key)
{
   uint64_t a, b, mask = k->bytes >= 8 ? UINT64_MAX : (UINT64_C (1) << 8 * k->bytes) - 1;
   memcpy (&a, key, 8);
   memcpy (&b, k->text, 8);
   return ((a ^ b) & mask) == 0 &&
          (k->bytes <= 8 || memcmp (key + 8, k->text + 8, k->bytes - 8) == 0);
}

static void take_list (MtColumnMaker *m, MtMakerField *f, uint32_t row, const uint8_t *array)
{
   const uint8_t *p = array + 4, *end = array + mt_get32 (array) - 1;
   MtListKey key = mt_list_key ();
   uint32_t i = 0;
   if (p == end || f->plain)
      return;
   if (*p != MT_DOC || (!f->below && !add_level (m, f))) {
      f->plain = true;
      return;
   }
   for (; p < end; i++, mt_list_key_next (&key)) {
      if (*p != MT_DOC || !is_list_key (&key, p + 1)) {
         f->plain = true;
         return;
      }
      p += 1 + key.bytes;
      uint32_t len = mt_get32 (p);
      mt_maker_take (m, f->below, p, len);
      p += len;
   }
   f->lengths[row] = i;
}

void mt_maker_take (MtColumnMaker *m, uint8_t level, const uint8_t *doc, size_t len)
{
   MtMakerLevel *l = &m->levels[level];
   const uint8_t *p = doc + 4, *end = doc + len - 1;
   if (l->rows == l->room && !grow (m, level)) {
      m->odd = m->failed = true;
      return;
   }
   uint32_t row = l->rows++;
   for (uint8_t before = (uint8_t) (MT_COLUMNS_MOST + level); p < end;) {
      uint8_t type = *p++;
      MtMakerField *f = field_of (m, level, p, before);
      p += f ? f->name_bytes : strlen ((const char *) p) + 1;
      if (f && f->tags[row] == MT_MISSING) {
         f->tags[row] = type;
         f->at[row] = (uint32_t) (p - m->data);
         before = (uint8_t) (f - m->fields);
         if (type == MT_ARRAY)
            take_list (m, f, row, p);
      } else { /* if a key occurs twice, its first value is used */
         m->odd = true;
      }
      p += mt_bson_size (type, p);
   }
}
