#include "base/bson.h"
#include "layouts/read/patch.h"
#include "layouts/stats.h"
#include "layouts/read/decode.h"
#include "planner/plan/affected.h"
#include "session/core/core.h"
#include "session/dml/change.h"
#include "session/dml/dml.h"

#include <string.h>

enum { BATCH_ROWS = 4096, BATCH_BYTES = 8 << 20 };

/* ---- computing WHERE and SET ---- */

void mt_batch_init (MtBatch *b, MtStoreChange *s)
{
   *b = (MtBatch) {.s = s, .a = mt_arena_new ("changed rows", s->c->st->arena)};
}

void mt_batch_add (MtBatch *b, MtVal *row)
{
   MT_GROW_IN (b->a, b->rows, b->count, b->capacity, 1024);
   b->rows[b->count++] = row;
}

void mt_batch_reset (MtBatch *b)
{
   mt_arena_reset (b->a);
   b->rows = NULL;
   b->count = b->capacity = 0;
}

static bool make_new_row (MtBatch *b, size_t i, const MtVal *values, MtError *err)
{
   const MtChange *c = b->s->c;
   size_t width = c->table->column_count;
   MtVal *row = MT_NEW_N (b->a, MtVal, width + 1);
   memcpy (row, b->rows[i], width * sizeof *row);
   for (size_t k = 0; k < c->count; k++) {
      MtVal v;
      if (!mt_value_normalize (b->a, c->table->columns[c->columns[k]].type, values[k], &v, err))
         return false;
      row[c->columns[k]] = mt_v_copy (b->a, v);
   }
   b->changed[i] = row;
   return true;
}

static bool take_verdict (void *ctx, size_t i, const bson_t *doc, MtError *err)
{
   MtBatch *b = ctx;
   const MtChange *c = b->s->c;
   MtVal *values = MT_NEW_N (b->a, MtVal, c->count + 2);
   mt_row_read (doc, c->count + 1, values);
   b->hit[i] = values[0].type == MT_BOOL && values[0].i;
   return !b->hit[i] || !c->update || make_new_row (b, i, values + 1, err);
}

static bool find_new_values (MtBatch *b, MtError *err)
{
   const MtChange *c = b->s->c;
   for (size_t i = 0; i < b->count; i++) {
      const MtVal *values = mt_row_map_find (c->map, b->rows[i]);
      b->hit[i] = values != NULL;
      if (values && c->update && !make_new_row (b, i, values, err))
         return false;
   }
   return true;
}

static void see_time (const MtTable *t, const MtVal *row, bool *any, int64_t *first_ms,
                      int64_t *last_ms)
{
   if (t->time_column < 0 || row[t->time_column].type != MT_DATE)
      return;
   int64_t ms = row[t->time_column].i;
   *first_ms = !*any || ms < *first_ms ? ms : *first_ms;
   *last_ms = !*any || ms > *last_ms ? ms : *last_ms;
   *any = true;
}

static bool see_times (MtChange *c, const MtVal *old, const MtVal *changed, MtError *err)
{
   see_time (c->table, old, &c->any_time, &c->first_ms, &c->last_ms);
   if (changed)
      see_time (c->table, changed, &c->any_new_time, &c->new_first_ms, &c->new_last_ms);
   int at = c->table->time_column;
   return !c->touch || (mt_touch_time (c->touch, old[at], err) &&
                        (!changed || mt_touch_time (c->touch, changed[at], err)));
}

bool mt_batch_judge (MtBatch *b, MtError *err)
{
   MtStoreChange *s = b->s;
   MtChange *c = s->c;
   bool first = s == &c->stores[0];
   b->hit = MT_NEW_N (b->a, bool, b->count + 1);
   b->changed = MT_NEW_N (b->a, MtVal *, b->count + 1);
   MtGivenRows rows = {c->verdict, b->rows, b->count, c->table->column_count};
   if (c->joined ? !find_new_values (b, err) : !mt_rows_run (c->st, &rows, take_verdict, b, err))
      return false;
   for (size_t i = 0; i < b->count; i++) {
      if (!b->hit[i])
         continue;
      s->rows++;
      if (!first)
         continue;
      if (c->update && (!mt_check_constraints (c->st, c->table, b->changed[i], err) ||
                        !mt_key_can_be_told (c->st, c->table, mt_keys_since (c->st, c->table),
                                             b->changed[i], err)))
         return false;
      if (c->update)
         mt_keys_bounds_add (c->st->arena, c->table, c->bounds, b->changed[i]);
      if (!see_times (c, b->rows[i], c->update ? b->changed[i] : NULL, err) ||
          !mt_change_see_key (c, b->rows[i], c->update ? b->changed[i] : NULL, err))
         return false;
      if (!mt_returning_add (&c->returning, c->update ? b->changed[i] : b->rows[i], err))
         return false;
   }
   return true;
}

/* ---- documents ---- */

typedef struct Doc {
   MtVal doc;
   size_t first, count; /* the rows of the document in the batch: `count` rows from `first` on */
   /* the leaves (sums) from which the rows were made; NULL: the rows are records */
   MtLeaf *leaves;
   MtStoreStats seen;
   struct Doc *next;
} Doc;

typedef struct Docs {
   MtBatch b;
   MtPartChange *part;
   Doc *first, **last;
   size_t bytes;
} Docs;

bool mt_change_take_out (MtStoreChange *s, MtPartChange *p, const bson_t *doc,
                         const MtStoreStats *seen, MtError *err)
{
   bson_t id = BSON_INITIALIZER;
   bson_iter_t it;
   bool ok = bson_iter_init_find (&it, doc, "_id");
   if (ok)
      mt_doc_add (&id, "_id", mt_v_from_iter (&it));
   ok = ok ? mt_spool_add (p->deleted, &id, err)
           : mt_error (err, MT_E_CORRUPT, "a document of collection \"%s\" has no _id",
                       p->desc.collection);
   if (ok && p->ids)
      mt_row_map_keep (p->ids, (MtVal[]) {mt_v_from_iter (&it), mt_v_bool (false),
                                          mt_v_int64 (s->guarded ? mt_change_mark (doc) : 0)});
   bson_destroy (&id);
   mt_stats_add (s->c->st->arena, s->desc, &s->removed, seen);
   return ok;
}

bool mt_change_add_later (MtStoreChange *s, const MtVal *row, MtError *err)
{
   bson_t doc = BSON_INITIALIZER;
   bool ok = mt_row_write (row, s->c->table->column_count, &doc, err) &&
             mt_spool_add (s->added, &doc, err);
   bson_destroy (&doc);
   return ok;
}

/* Changes a row that is a document of its own: deletes the document, patches it in place, or
 * deletes it and adds the changed row as a new document. Does nothing if WHERE is not true for the
 * row. */
static bool change_row (Docs *d, const Doc *x, const bson_t *doc, MtError *err)
{
   MtStoreChange *s = d->b.s;
   const MtChange *c = s->c;
   if (!d->b.hit[x->first])
      return true;
   if (!c->update)
      return mt_change_take_out (s, d->part, doc, &x->seen, err);
   const MtVal *row = d->b.changed[x->first];
   if (!s->patches)
      return mt_change_take_out (s, d->part, doc, &x->seen, err) &&
             mt_change_add_later (s, row, err);
   bson_t out = BSON_INITIALIZER;
   bool ok = mt_writer_check (s->writer, row, err) &&
             mt_patch (c->table, s->desc, &(MtRowPatch) {c->columns, c->count, row}, doc, &out,
                       err);
   s->removed.bytes += (double) doc->len - (double) out.len;
   ok = ok && mt_spool_add (d->part->replaced, &out, err);
   bson_destroy (&out);
   return ok;
}

static bool refuse_foreign (const MtStoreChange *s, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "%s of attached packed documents is not supported", s->c->verb);
   return mt_error_hint (
      err,
      "Layout \"%s\" is attached to collection \"%s\". Writing its documents again could lose "
      "fields that the layout does not describe.",
      s->l->name, s->desc->collection);
}

/* Changes a document of several rows if WHERE is true for one of them: deletes the document, and
 * passes its remaining rows and its changed rows to the writer. */
static bool change_packed (Docs *d, const Doc *x, const bson_t *doc, MtError *err)
{
   MtStoreChange *s = d->b.s;
   size_t hits = 0;
   for (size_t i = x->first; i < x->first + x->count; i++)
      hits += d->b.hit[i];
   if (!hits)
      return true;
   if (s->l->attached && (s->c->update || hits < x->count))
      return refuse_foreign (s, err);
   for (size_t i = x->first; i < x->first + x->count; i++) {
      const MtVal *row = d->b.hit[i] ? d->b.changed[i] : d->b.rows[i];
      const MtLeaf *leaf = x->leaves ? &x->leaves[i - x->first] : NULL;
      if (row &&
          !(leaf ? mt_writer_add_leaf (s->writer, leaf, err) : mt_writer_add (s->writer, row, err)))
         return false;
      /* the batch counted this leaf as one record, but it is the sum of several */
      s->rows += leaf && d->b.hit[i] ? mt_leaf_records (leaf) - 1 : 0;
   }
   return mt_change_take_out (s, d->part, doc, &x->seen, err);
}

static bool change_batch (Docs *d, MtError *err)
{
   bool ok = mt_batch_judge (&d->b, err);
   for (const Doc *x = d->first; x && ok; x = x->next) {
      bson_t doc;
      ok = bson_init_static (&doc, x->doc.p, x->doc.len);
      ok = ok && (mt_store_is_rows (d->b.s->desc) ? change_row (d, x, &doc, err)
                                                  : change_packed (d, x, &doc, err));
   }
   mt_batch_reset (&d->b);
   d->first = NULL;
   d->last = &d->first;
   d->bytes = 0;
   return ok;
}

/* Adds the rows (records or leaves) of a document to the batch. The document must live as long as
 * the batch's arena. */
static bool add_doc (Docs *d, MtVal doc, MtError *err)
{
   MtStoreChange *s = d->b.s;
   MtArena *a = d->b.a;
   Doc *x = MT_NEW (a, Doc);
   MtRecords records;
   MtLeaves leaves = {0};
   if (!mt_decode_records (a, &(MtTableStore) {s->c->table, s->l, s->desc}, doc, &records, err))
      return false;
   if (!s->records) {
      MtLeafWay way = {.l = s->l, .s = s->desc, .leaf = s->c->leaf->leaf};
      if (!mt_decode_leaves (a, s->c->table, &way, doc, &leaves, err))
         return false;
   }
   *x = (Doc) {.doc = doc,
               .first = d->b.count,
               .count = s->records ? records.count : leaves.count,
               .leaves = leaves.list,
               .seen = records.seen};
   for (size_t i = 0; i < x->count; i++)
      mt_batch_add (&d->b, s->records ? records.rows[i] : leaves.list[i].row);
   *d->last = x;
   d->last = &x->next;
   d->bytes += doc.len;
   return (d->b.count < BATCH_ROWS && d->bytes < BATCH_BYTES) || change_batch (d, err);
}

static bool add_found (Docs *d, const bson_t *found, MtError *err)
{
   MtStoreChange *s = d->b.s;
   bson_iter_t it;
   bson_t *doc = NULL;
   if (mt_store_is_rows (s->desc))
      return add_doc (d, mt_v_copy (d->b.a, mt_v_doc (found)), err);
   if (!bson_iter_init_find (&it, found, "_id"))
      return true;
   MtVal id = mt_v_copy (d->b.a, mt_v_from_iter (&it));
   if (!mt_engine_find_id (s->c->st->session->engine, d->b.a, d->part->desc.collection, id, &doc,
                           err))
      return false;
   return !doc || add_doc (d, mt_v_doc (doc), err);
}

static bool change_part (MtStoreChange *s, MtPartChange *part, MtError *err)
{
   MtStatement *st = s->c->st;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   MtPlan *plan;
   const bson_t *found;
   Docs d = {.part = part};
   settings.skip_malformed = st->malformed;
   MtAffected of = {s->c->query, &part->layout, &part->desc, s->records ? NULL : s->c->leaf->leaf};
   if (!mt_plan_affected (st->arena, &of, &settings, &plan, err))
      return false;
   mt_batch_init (&d.b, s);
   d.last = &d.first;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("affected", NULL));
   bool ok = mt_result_run (r, plan, false, err);
   while (ok && (ok = mt_result_next_doc (r, &found, err)) && found)
      ok = add_found (&d, found, err) && mt_cancel_check (&st->session->cancel, err);
   mt_result_free (r);
   ok = ok && change_batch (&d, err);
   mt_arena_free (d.b.a);
   return ok;
}

bool mt_change_records (MtStoreChange *s, MtError *err)
{
   for (size_t i = 0; i < s->part_count; i++) {
      MtPartChange *p = &s->parts[i];
      bool meets = mt_change_meets (s, i, s->c->times);
      if (meets && !(p->drop ? mt_change_drop (s, i, err) : change_part (s, p, err)))
         return false;
   }
   return true;
}
