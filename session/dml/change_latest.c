#include "layouts/read/decode.h"
#include "session/dml/change.h"

#include <string.h>

/* UPDATE and DELETE for layouts that keep the newest record of each key. If the newest record of a
 * key does not change, only new rows are written. Otherwise the key's document is deleted, and its
 * newest remaining record is found in the records of the whole table. */

enum { MOST_KEYS = 1000 }; /* the largest number of keys named in a condition */

/* ---- keys of changed rows ---- */

/* Fills `out` with the values of the row's key columns, followed by the row's time, and returns
 * it. */
static MtVal *key_and_time (const MtStoreChange *s, const MtVal *row, MtVal *out)
{
   for (size_t i = 0; i < s->l->key_count; i++)
      out[i] = row[s->l->key[i]];
   out[s->l->key_count] = row[s->c->table->time_column];
   return out;
}

static void see_key (MtStoreChange *s, const MtVal *old)
{
   MtVal key[MT_MAX_COLUMNS + 1], *time, at = old[s->c->table->time_column];
   time = mt_row_map_find (s->keys, key_and_time (s, old, key));
   if (!time)
      mt_row_map_keep (s->keys, key);
   else if (at.type == MT_DATE && (time->type != MT_DATE || time->i < at.i))
      *time = at;
}

bool mt_change_see_key (MtChange *c, const MtVal *old, const MtVal *changed, MtError *err)
{
   for (size_t i = 0; i < c->store_count; i++) {
      MtStoreChange *s = &c->stores[i];
      if (!s->keys)
         continue;
      see_key (s, old);
      if (changed && !mt_change_add_later (s, changed, err))
         return false;
   }
   return true;
}

/* ---- keys whose newest record changes ---- */

/* Reads the document with the newest record of a key. If this record may be among the changed ones,
 * deletes the document and sets *lost. */
static bool look_at_key (MtStoreChange *s, MtArena *a, const MtVal *key, bool *lost, MtError *err)
{
   const MtTable *t = s->c->table;
   MtVal *row = MT_NEW_N (a, MtVal, t->column_count + 1), id, time = key[s->l->key_count];
   MtRecords old;
   bson_t *doc = NULL;
   for (size_t i = 0; i < s->l->key_count; i++)
      row[s->l->key[i]] = key[i];
   *lost = false;
   if (!mt_writer_id (s->writer, row, &id, err) ||
       !mt_engine_find_id (s->c->st->session->engine, a, s->desc->collection, id, &doc, err))
      return false;
   if (!doc)
      return true;
   if (!mt_decode_records (a, &(MtTableStore) {t, s->l, s->desc}, mt_v_doc (doc), &old, err))
      return false;
   MtVal newest = old.count ? old.rows[0][t->time_column] : mt_v_null ();
   *lost = newest.type != MT_DATE || time.type != MT_DATE || newest.i <= time.i;
   return !*lost || mt_change_take_out (s, &s->parts[0], doc, &old.seen, err);
}

/* Calls look_at_key for each key in s->keys, and counts in *lost the keys that lost their newest
 * record. Replaces the time after each key in the map by a Boolean: whether the key lost its
 * record. */
static bool look_at_keys (MtStoreChange *s, size_t *lost, MtError *err)
{
   MtArena *a = mt_arena_new ("newest records", s->c->st->arena);
   bool ok = true, one;
   size_t at = 0;
   *lost = 0;
   for (MtVal *key; ok && (key = mt_row_map_next (s->keys, &at));) {
      ok = look_at_key (s, a, key, &one, err) && mt_cancel_check (&s->c->st->session->cancel, err);
      key[s->l->key_count] = mt_v_bool (ok && one);
      *lost += ok && one;
      mt_arena_reset (a);
   }
   mt_arena_free (a);
   return ok;
}

/* ---- the new newest records ---- */

/* Sets *out to the condition that a row's first key column has a value of one of the lost keys;
 * NULL: there are too many. It selects rows that of_lost_key then checks by the whole key. */
static bool keys_condition (MtStoreChange *s, size_t lost, MtExpr **out, MtError *err)
{
   MtStatement *st = s->c->st;
   const MtColumn *c = &s->c->table->columns[s->l->key[0]];
   size_t at = 0;
   *out = NULL;
   if (lost > MOST_KEYS)
      return true;
   MtExpr *in = *out = MT_NEW (st->arena, MtExpr);
   MtExprList **last = &in->in.list;
   in->kind = MT_EXPR_IN;
   in->span = st->stmt->span;
   in->in.value = mt_column_expr (st->arena, c, in->span);
   for (MtVal *key; (key = mt_row_map_next (s->keys, &at));) {
      if (!key[s->l->key_count].i)
         continue;
      *last = MT_NEW (st->arena, MtExprList);
      if (!((*last)->expr = mt_change_constant (st, c, key[0], err)))
         return false;
      last = &(*last)->next;
   }
   return true;
}

/* Returns whether the row was not changed, but its key lost its newest record, so that the row is a
 * candidate for it. (Changed rows were already passed to the writer.) */
static bool of_lost_key (MtStoreChange *s, const MtVal *row, bool changed)
{
   MtVal key[MT_MAX_COLUMNS + 1];
   const MtVal *lost = changed ? NULL : mt_row_map_find (s->keys, key_and_time (s, row, key));
   return lost && lost->type == MT_BOOL && lost->i;
}

bool mt_change_latest (MtStoreChange *s, MtError *err)
{
   size_t lost;
   MtExpr *where;
   if (!look_at_keys (s, &lost, err) || (lost && (!keys_condition (s, lost, &where, err) ||
                                                  !mt_change_feed (s, where, of_lost_key, err))))
      return false;
   s->rows = s->c->rows; /* not all changed rows were read here */
   return true;
}
