/* The chunk: the rows that the writer has in memory, stored column by column. Each column without
 * fixed-size values has a dictionary, which numbers its distinct values. */
#include "layouts/pack/pack_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Returns the BSON type of the values of SQL type t if they have a fixed size; else 0. */
static uint8_t fixed_type (MtTypeId t)
{
   switch (t) {
   case MT_T_BOOL: return MT_BOOL;
   case MT_T_INT2:
   case MT_T_INT4: return MT_INT32;
   case MT_T_INT8:
   case MT_T_TIME: return MT_INT64;
   case MT_T_FLOAT4:
   case MT_T_FLOAT8: return MT_DOUBLE;
   case MT_T_DATE:
   case MT_T_TIMESTAMP:
   case MT_T_TIMESTAMPTZ: return MT_DATE;
   case MT_T_UNKNOWN:
   case MT_T_NUMERIC:
   case MT_T_TEXT:
   case MT_T_VARCHAR:
   case MT_T_BPCHAR:
   case MT_T_INTERVAL:
   case MT_T_UUID:
   case MT_T_BYTEA:
   case MT_T_JSON:
   case MT_T_JSONB:
   case MT_T_OBJECTID:
   case MT_T_DOCUMENT:
   case MT_T_OID:
   case MT_T_REGCLASS:
   case MT_T_REGTYPE:
   case MT_T_REGPROC:
   case MT_T_REGPROCEDURE:
   case MT_T_REGNAMESPACE:
   case MT_T_REGROLE:
   case MT_ANY_STATE:
   case MT_T_RECORD:
   case MT_T_COUNT: return 0;
   }
   return 0;
}

/* ---- dictionaries ---- */

enum { FIRST_ROWS = 64, FIRST_WORDS = 64 };

static void dict_init (MtDict *d)
{
   d->slot_mask = 2 * FIRST_WORDS - 1;
   d->slots = mt_calloc ("writer", d->slot_mask + 1, sizeof *d->slots);
   d->cap = FIRST_WORDS;
   d->entries = mt_malloc ("writer", d->cap * sizeof *d->entries);
   d->entries[0] = (MtDictEntry) {.v = mt_v_null ()};
   d->count = 1;
   d->bytes = mt_arena_new ("dictionary", NULL);
}

static void dict_reset (MtDict *d)
{
   memset (d->slots, 0, (d->slot_mask + 1) * sizeof *d->slots);
   d->count = 1;
   d->used = 0;
   free (d->rank);
   free (d->by_rank);
   d->rank = d->by_rank = NULL;
   mt_arena_reset (d->bytes);
}

static void dict_grow (MtDict *d)
{
   uint32_t mask = d->slot_mask * 2 + 1;
   free (d->slots);
   d->slots = mt_calloc ("writer", (size_t) mask + 1, sizeof *d->slots);
   d->slot_mask = mask;
   for (uint32_t id = 1; id < d->count; id++) {
      uint32_t h = d->entries[id].hash & mask;
      while (d->slots[h])
         h = (h + 1) & mask;
      d->slots[h] = id;
   }
}

/* Returns the bytes that distinguish value v from other values of its type; *n is set to their
 * number. */
static inline const void *value_bytes (const MtVal *v, size_t *n)
{
   if (v->type == MT_STRING) {
      *n = v->len;
      return v->p;
   }
   bool has = mt_v_has_bytes (v->type);
   *n = has ? mt_v_size (*v) : 8;
   return has ? (const void *) v->p : &v->i;
}

static uint32_t dict_add (MtDict *d, MtVal v)
{
   size_t n;
   const void *p = value_bytes (&v, &n);
   uint32_t hash = (uint32_t) XXH3_64bits (p, n), h = hash & d->slot_mask, id;
   for (; (id = d->slots[h]); h = (h + 1) & d->slot_mask) {
      const MtDictEntry *e = &d->entries[id];
      size_t m;
      const void *q;
      if (e->hash == hash && e->v.type == v.type && e->v.sub == v.sub &&
          (q = value_bytes (&e->v, &m), m == n) && !memcmp (q, p, n))
         return id;
   }
   MT_GROW ("writer", d->entries, d->count, d->cap, 16);
   id = d->count++;
   d->entries[id] = (MtDictEntry) {.v = mt_v_copy (d->bytes, v), .hash = hash};
   d->slots[h] = id;
   d->used += sizeof *d->entries + 24 + n;
   if (d->count > (d->slot_mask + 1) / 2)
      dict_grow (d);
   return id;
}

static int compare_values (MtVal a, MtVal b)
{
   if (a.type == MT_STRING && b.type == MT_STRING) {
      int c = memcmp (a.p, b.p, a.len < b.len ? a.len : b.len);
      return c ? c : (a.len > b.len) - (a.len < b.len);
   }
   return mt_v_compare (a, b);
}

static int compare_ids (const void *a, const void *b, void *ctx)
{
   const MtDict *d = ctx;
   uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
   int c = compare_values (d->entries[x].v, d->entries[y].v);
   return c ? c : (x > y) - (x < y);
}

void mt_dict_rank (MtDict *d)
{
   if (d->rank)
      return;
   uint32_t *order = mt_malloc ("writer", d->count * sizeof *order);
   d->rank = mt_malloc ("writer", d->count * sizeof *order);
   for (uint32_t i = 0; i < d->count; i++)
      order[i] = i;
   qsort_r (order + 1, d->count - 1, sizeof *order, compare_ids, d);
   for (uint32_t i = 0; i < d->count; i++)
      d->rank[order[i]] = i;
   d->by_rank = order;
}

/* ---- columns ---- */

bool mt_col_init (MtColChunk *c, const MtColumn *column)
{
   c->used = true;
   c->type = fixed_type (column->type.id);
   c->dict_kind = c->type == 0;
   c->min = INT64_MAX;
   c->max = INT64_MIN;
   if (c->dict_kind)
      dict_init (&c->dict);
   return true;
}

static void make_room (MtColChunk *c, size_t row, size_t cap)
{
   if (row < c->room)
      return;
   size_t room = c->room ? 2 * c->room : FIRST_ROWS;
   room = room < cap ? room : cap;
   if (c->dict_kind)
      c->ids = mt_realloc ("writer", c->ids, room * sizeof *c->ids);
   else
      c->fixed = mt_realloc ("writer", c->fixed, room * sizeof *c->fixed);
   if (c->nulls) {
      c->nulls = mt_realloc ("writer", c->nulls, room);
      memset (c->nulls + c->room, 0, room - c->room);
   }
   c->room = room;
}

bool mt_writer_mistyped (const MtColumn *c, MtVal v, MtError *err)
{
   return mt_error (err, MT_E_DATATYPE_MISMATCH,
                    "column \"%s\" is of type %s but its value is of BSON type %s", c->name,
                    mt_type_info (c->type.id)->display, mt_v_type_name (v));
}

static bool fixed_add (MtColChunk *c, const MtColumn *column, size_t row, MtVal v, MtError *err)
{
   if (mt_is_nullish (v)) {
      if (!c->nulls)
         c->nulls = mt_calloc ("writer", c->room, 1);
      c->nulls[row] = 1;
      c->fixed[row] = 0;
      c->any_null = true;
      return true;
   }
   if (v.type != c->type)
      return mt_writer_mistyped (column, v, err);
   int64_t i = v.type == MT_DOUBLE ? mt_order_double (v.i) : v.i;
   if (c->nulls)
      c->nulls[row] = 0;
   c->fixed[row] = i;
   c->min = i < c->min ? i : c->min;
   c->max = i > c->max ? i : c->max;
   return true;
}

bool mt_col_add (MtColChunk *c, const MtColumn *column, size_t row, size_t cap, MtVal v,
                 MtError *err)
{
   make_room (c, row, cap);
   if (!c->dict_kind)
      return fixed_add (c, column, row, v, err);
   if (mt_is_nullish (v)) {
      c->ids[row] = 0;
      c->any_null = true;
      return true;
   }
   c->ids[row] = dict_add (&c->dict, v);
   return true;
}

void mt_col_reset (MtColChunk *c)
{
   c->any_null = false;
   c->min = INT64_MAX;
   c->max = INT64_MIN;
   free (c->nulls);
   c->nulls = NULL;
   if (c->dict_kind && c->used)
      dict_reset (&c->dict);
}

void mt_col_keep (MtColChunk *c, MtColChunk *kept)
{
   *kept = *c;
   kept->fixed = NULL;
   kept->ids = NULL;
   kept->nulls = NULL;
   if (c->dict_kind && c->used) {
      c->dict = (MtDict) {0};
      dict_init (&c->dict);
      free (kept->dict.slots); /* only values are looked up from now on */
      free (kept->dict.rank);
      kept->dict.slots = kept->dict.rank = NULL;
   }
   mt_col_reset (c);
}

void mt_col_free (MtColChunk *c)
{
   free (c->fixed);
   free (c->ids);
   free (c->nulls);
   if (!c->dict_kind || !c->used)
      return;
   free (c->dict.slots);
   free (c->dict.entries);
   free (c->dict.rank);
   free (c->dict.by_rank);
   mt_arena_free (c->dict.bytes);
}
