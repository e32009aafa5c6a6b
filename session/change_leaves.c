/* DELETE of a table that keeps nothing but sums: its finest leaves are what records are elsewhere, where WHERE can't tell apart what one of them sums up. */
#include "layouts/expire.h"
#include "layouts/patch.h"
#include "planner/affected.h"
#include "session/change.h"
#include "session/maintain.h"

bool mt_change_has_leaf (const MtStoreChange *s)
{
   const MtLeafWay *leaf = s->c->leaf;
   return leaf && s->layout == leaf->layout && s->store == leaf->store;
}

/* ---- which leaves ---- */

static bool refuse (const MtChange *c, bool sums, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "%s of table \"%s\" is not supported: none of its layouts keeps records", c->verb, c->table->name);
   const char *why = sums ? "Sums can't be taken apart." : "What was before the newest records is gone.";
   return mt_error_hint (err, "%s TRUNCATE removes all of them.", why);
}

static bool undecided (const MtChange *c, const char *what, const char *why, MtError *err)
{
   mt_error (err, MT_E_FEATURE, "DELETE of table \"%s\", which keeps nothing but sums, is not supported with this %s", c->table->name, what);
   mt_error_detail (err, "Layout \"%s\": %s.", c->leaf->l->name, why);
   return mt_error_hint (err, "What is summed up together goes together: ask by its dimensions and times.");
}

/* What other layouts keep must follow from what is left. */
static bool others_follow (const MtChange *c, MtError *err)
{
   const MtTable *t = c->table;
   int64_t now = c->st->env.style.now_ms, since = mt_layout_horizon (t, c->leaf->l, now);
   const char *why;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_leaf_gives (c->st->arena, t, c->leaf, &t->layouts[i], &why)) {
         mt_error (err, MT_E_FEATURE, "DELETE of table \"%s\" is not supported: layout \"%s\" can't be made again", t->name, t->layouts[i].name);
         return mt_error_detail (err, "It doesn't follow from layout \"%s\": %s.", c->leaf->l->name, why);
      }
      if (mt_layout_horizon (t, &t->layouts[i], now) < since) {
         mt_error (err, MT_E_FEATURE, "DELETE of table \"%s\" is not supported: its layouts don't keep the same times", t->name);
         return mt_error_detail (err, "Layout \"%s\" has sums of times that layout \"%s\", of which it would be made again, has no more.", t->layouts[i].name, c->leaf->l->name);
      }
   }
   return true;
}

bool mt_change_find_leaf (MtChange *c, MtError *err)
{
   const MtTable *t = c->table;
   bool sums = false;
   const char *why;
   size_t count;
   c->leaf = NULL;
   for (size_t i = 0; i < t->layout_count; i++) {
      sums = sums || t->layouts[i].keeps == MT_KEEPS_SUMS;
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         if (t->layouts[i].keeps == MT_KEEPS_RECORDS && mt_store_records (&t->layouts[i].stores[j]))
            return true;
   }
   const MtLeafWay *ways = mt_leaf_ways (c->st->arena, t, &count);
   c->leaf = mt_leaf_trusted (t, ways, count, -1);
   if (c->update || !c->leaf)
      return refuse (c, sums, err);
   if (c->joined)
      return undecided (c, "condition", "other rows can't be compared with its sums", err);
   if (c->returning.plan)
      return undecided (c, "RETURNING", "there are no rows to return", err);
   if (!mt_leaf_decides (c->st->arena, c->query, c->leaf, &c->st->env.style, &why))
      return undecided (c, "condition", why, err);
   c->whole = c->whole && mt_engine_caps (c->st->session->engine)->atomic_write; /* else what is counted into a partition meanwhile would go with it */
   return others_follow (c, err);
}

/* ---- leaves ---- */

typedef struct Feed {
   MtStoreChange *s;
   bool span;             /* only those of documents of this time */
   int64_t first, last;
   uint64_t records;
} Feed;

static bool decode (Feed *f, MtArena *a, const bson_t *doc, MtLeaf **out, size_t *count, MtError *err)
{
   const MtChange *c = f->s->c;
   int64_t start = 0, end;
   MtUnit unit;
   *count = 0;
   if (f->span && mt_document_time (a, c->table, c->leaf->s, mt_v_doc (doc), &start, &unit)) {
      end = start;
      mt_document_span (unit, &start, &end);
      if (end < f->first || start > f->last)
         return true;
   }
   return mt_decode_leaves (a, c->table, c->leaf->l, c->leaf->s, c->leaf->leaf, mt_v_doc (doc), out, count, err);
}

static bool add_kept (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   const MtTable *t = f->s->c->table;
   MtLeaf *leaves;
   size_t count;
   MtBatch b;
   if (!decode (f, a, doc, &leaves, &count, err))
      return false;
   mt_batch_init (&b, f->s);
   for (size_t i = 0; i < count; i++)
      mt_batch_add (&b, leaves[i].row);
   bool ok = !count || mt_batch_judge (&b, err);
   for (size_t i = 0; i < count && ok; i++) {
      MtVal time = t->time_column >= 0 ? leaves[i].row[t->time_column] : mt_v_null ();
      bool within = !f->span || (time.type == MT_DATE && time.i >= f->first && time.i <= f->last);
      ok = b.hit[i] || !within || mt_writer_add_leaf (f->s->writer, &leaves[i], err);
   }
   mt_arena_free (b.a);
   return ok;
}

bool mt_change_feed_leaves (MtStoreChange *s, int64_t first_ms, int64_t last_ms, MtError *err)
{
   MtStatement *st = s->c->st;
   Feed f = {.s = s, .span = first_ms != INT64_MIN || last_ms != INT64_MAX, .first = first_ms, .last = last_ms};
   bool ok = mt_each_of_store (st, s->c->leaf->s, mt_printf (st->arena, "adding up %s", s->l->name), add_kept, &f, err);
   s->rows = s->c->rows; /* it has no others than those that went */
   return ok;
}

static bool count_records (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   MtLeaf *leaves;
   size_t count;
   if (!decode (f, a, doc, &leaves, &count, err))
      return false;
   for (size_t i = 0; i < count; i++)
      f->records += mt_leaf_records (&leaves[i]);
   return true;
}

bool mt_change_count_leaves (MtStoreChange *s, const MtPartChange *p, uint64_t *n, MtError *err)
{
   Feed f = {.s = s};
   bool ok = mt_each_document (s->c->st, p->desc.collection, mt_printf (s->c->st->arena, "counting %s", s->l->name), count_records, &f, err);
   *n = f.records;
   return ok;
}
