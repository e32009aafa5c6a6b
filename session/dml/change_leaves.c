/* DELETE for tables that keep only sums. It removes whole leaves (the finest stored sums), provided
 * that WHERE has the same value for all records of a leaf. */
#include "layouts/expire.h"
#include "layouts/read/decode.h"
#include "planner/plan/affected.h"
#include "session/core/core.h"
#include "session/dml/change.h"

bool mt_change_has_leaf (const MtStoreChange *s)
{
   const MtLeafWay *leaf = s->c->leaf;
   return leaf && s->layout == leaf->layout && s->store == leaf->store;
}

/* ---- finding the leaves ---- */

static bool report_no_records (const MtChange *c, bool sums, MtError *err)
{
   mt_error (err, MT_E_FEATURE,
             "%s of table \"%s\" is not supported: none of its layouts keeps records", c->verb,
             c->table->name);
   const char *why = sums ? "Sums cannot be split into records."
                          : "Only the newest records are stored.";
   return mt_error_hint (err, "%s Use TRUNCATE to remove all rows.", why);
}

static bool report_undecided (const MtChange *c, const char *what, const char *why, MtError *err)
{
   mt_error (err, MT_E_FEATURE,
             "DELETE of table \"%s\", which keeps sums only, is not supported with this %s",
             c->table->name, what);
   mt_error_detail (err, "Layout \"%s\": %s.", c->leaf->l->name, why);
   return mt_error_hint (
      err, "Use conditions on dimensions and times that include or exclude whole sums.");
}

/* Fails with 0A000 if another layout cannot be computed again from the leaves (sums) that
 * remain. */
static bool others_follow (const MtChange *c, MtError *err)
{
   const MtTable *t = c->table;
   int64_t now = c->st->env.style.now_ms, since = mt_layout_horizon (t, c->leaf->l, now);
   const char *why;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_leaf_gives (c->st->arena, t, c->leaf, &t->layouts[i], &why)) {
         mt_error (err, MT_E_FEATURE,
                   "DELETE of table \"%s\" is not supported: layout \"%s\" cannot be made again",
                   t->name, t->layouts[i].name);
         return mt_error_detail (err, "It cannot be computed from layout \"%s\": %s.",
                                 c->leaf->l->name, why);
      }
      if (mt_layout_horizon (t, &t->layouts[i], now) < since) {
         mt_error (
            err, MT_E_FEATURE,
            "DELETE of table \"%s\" is not supported: its layouts do not keep the same times",
            t->name);
         return mt_error_detail (
            err,
            "Layout \"%s\" would be made again from layout \"%s\", which has lost some of its "
            "times.",
            t->layouts[i].name, c->leaf->l->name);
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
      return report_no_records (c, sums, err);
   if (c->joined)
      return report_undecided (c, "condition", "its sums cannot be compared with other rows", err);
   if (c->returning.plan)
      return report_undecided (c, "RETURNING", "there are no rows to return", err);
   if (!mt_leaf_decides (c->st->arena, c->query, c->leaf, &c->st->env.style, &why))
      return report_undecided (c, "condition", why, err);
   c->whole =
      c->whole &&
      mt_engine_caps (c->st->session->engine)
         ->atomic_write; /* without atomic steps, an increment by another client could be lost */
   return others_follow (c, err);
}

/* ---- leaves ---- */

typedef struct Feed {
   MtStoreChange *s;
   MtRangeSet times;
   uint64_t records;
} Feed;

static bool decode_leaves (const Feed *f, MtArena *a, const bson_t *doc, MtLeaves *out,
                           MtError *err)
{
   return mt_decode_leaves (a, f->s->c->table, f->s->c->leaf, mt_v_doc (doc), out, err);
}

static bool is_within (const Feed *f, const MtLeaf *leaf)
{
   const MtTable *t = f->s->c->table;
   MtVal time = t->time_column >= 0 ? leaf->row[t->time_column] : mt_v_null ();
   return mt_ranges_is_all (f->times) ||
          (time.type == MT_DATE && mt_change_lies_in (f->times, time.i));
}

static bool add_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   MtLeaves leaves;
   MtBatch b;
   if (!decode_leaves (f, a, doc, &leaves, err))
      return false;
   mt_batch_init (&b, f->s);
   for (size_t i = 0; i < leaves.count; i++)
      mt_batch_add (&b, leaves.list[i].row);
   bool ok = !leaves.count || mt_batch_judge (&b, err);
   for (size_t i = 0; i < leaves.count && ok; i++)
      ok = b.hit[i] || !is_within (f, &leaves.list[i]) ||
           mt_writer_add_leaf (f->s->writer, &leaves.list[i], err);
   mt_arena_free (b.a);
   return ok;
}

bool mt_change_feed_leaves (MtStoreChange *s, MtRangeSet times, MtError *err)
{
   const MtStoreChange *from = &s->c->stores[0]; /* the store with the leaves */
   const char *what = mt_printf (s->c->st->arena, "adding up %s", s->l->name);
   Feed f = {.s = s, .times = times};
   MtDocumentVisit v = {what, add_document, &f};
   for (size_t i = 0; i < from->part_count; i++)
      if (!from->parts[i].drop && mt_change_meets (from, i, times) &&
          !mt_change_each (from, i, times, &v, err))
         return false;
   s->rows = s->c->rows; /* the changed rows of this store are those of the leaves */
   return true;
}

static bool count_document (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   MtLeaves leaves;
   if (!decode_leaves (f, a, doc, &leaves, err))
      return false;
   for (size_t i = 0; i < leaves.count; i++)
      f->records += mt_leaf_records (&leaves.list[i]);
   return true;
}

bool mt_change_count_leaves (MtStoreChange *s, const MtPartChange *p, uint64_t *n, MtError *err)
{
   Feed f = {.s = s};
   MtDocumentVisit v = {mt_printf (s->c->st->arena, "counting %s", s->l->name), count_document, &f};
   bool ok = mt_each_document (s->c->st, p->desc.collection, NULL, &v, err);
   *n = f.records;
   return ok;
}
