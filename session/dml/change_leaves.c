/* DELETE of a table that keeps nothing but sums: its finest leaves are what records are elsewhere,
 * where WHERE can't tell apart what one of them sums up. */
#include "layouts/expire.h"
#include "layouts/patch.h"
#include "planner/plan/affected.h"
#include "session/core/core.h"
#include "session/dml/change.h"

bool mt_change_has_leaf (const MtStoreChange *s)
{
   const MtLeafWay *leaf = s->c->leaf;
   return leaf && s->layout == leaf->layout && s->store == leaf->store;
}

/* ---- which leaves ---- */

static bool refuse (const MtChange *c, bool sums, MtError *err)
{
   mt_error (err, MT_E_FEATURE,
             "%s of table \"%s\" is not supported: none of its layouts keeps records", c->verb,
             c->table->name);
   const char *why = sums ? "Sums can't be taken apart."
                          : "What was before the newest records is gone.";
   return mt_error_hint (err, "%s TRUNCATE removes all of them.", why);
}

static bool undecided (const MtChange *c, const char *what, const char *why, MtError *err)
{
   mt_error (err, MT_E_FEATURE,
             "DELETE of table \"%s\", which keeps nothing but sums, is not supported with this %s",
             c->table->name, what);
   mt_error_detail (err, "Layout \"%s\": %s.", c->leaf->l->name, why);
   return mt_error_hint (
      err, "What is summed up together goes together: ask by its dimensions and times.");
}

/* What other layouts keep must follow from what is left. */
static bool others_follow (const MtChange *c, MtError *err)
{
   const MtTable *t = c->table;
   int64_t now = c->st->env.style.now_ms, since = mt_layout_horizon (t, c->leaf->l, now);
   const char *why;
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_leaf_gives (c->st->arena, t, c->leaf, &t->layouts[i], &why)) {
         mt_error (err, MT_E_FEATURE,
                   "DELETE of table \"%s\" is not supported: layout \"%s\" can't be made again",
                   t->name, t->layouts[i].name);
         return mt_error_detail (err, "It doesn't follow from layout \"%s\": %s.", c->leaf->l->name,
                                 why);
      }
      if (mt_layout_horizon (t, &t->layouts[i], now) < since) {
         mt_error (err, MT_E_FEATURE,
                   "DELETE of table \"%s\" is not supported: its layouts don't keep the same times",
                   t->name);
         return mt_error_detail (
            err,
            "Layout \"%s\" has sums of times that layout \"%s\", of which it would be made again, has no more.",
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
      return refuse (c, sums, err);
   if (c->joined)
      return undecided (c, "condition", "other rows can't be compared with its sums", err);
   if (c->returning.plan)
      return undecided (c, "RETURNING", "there are no rows to return", err);
   if (!mt_leaf_decides (c->st->arena, c->query, c->leaf, &c->st->env.style, &why))
      return undecided (c, "condition", why, err);
   c->whole =
      c->whole &&
      mt_engine_caps (c->st->session->engine)
         ->atomic_write; /* else what is counted into a partition meanwhile would go with it */
   return others_follow (c, err);
}

/* ---- leaves ---- */

typedef struct Feed {
   MtStoreChange *s;
   MtRangeSet times;
   uint64_t records;
} Feed;

static bool decode (const Feed *f, MtArena *a, const bson_t *doc, MtLeaf **out, size_t *count,
                    MtError *err)
{
   const MtLeafWay *leaf = f->s->c->leaf;
   return mt_decode_leaves (a, f->s->c->table, leaf->l, leaf->s, leaf->leaf, mt_v_doc (doc), out,
                            count, err);
}

static bool is_within (const Feed *f, const MtLeaf *leaf)
{
   const MtTable *t = f->s->c->table;
   MtVal time = t->time_column >= 0 ? leaf->row[t->time_column] : mt_v_null ();
   return mt_ranges_is_all (f->times) ||
          (time.type == MT_DATE && mt_change_lies_in (f->times, time.i));
}

static bool add_kept (void *ctx, MtArena *a, const bson_t *doc, MtError *err)
{
   Feed *f = ctx;
   MtLeaf *leaves;
   size_t count;
   MtBatch b;
   if (!decode (f, a, doc, &leaves, &count, err))
      return false;
   mt_batch_init (&b, f->s);
   for (size_t i = 0; i < count; i++)
      mt_batch_add (&b, leaves[i].row);
   bool ok = !count || mt_batch_judge (&b, err);
   for (size_t i = 0; i < count && ok; i++)
      ok = b.hit[i] || !is_within (f, &leaves[i]) ||
           mt_writer_add_leaf (f->s->writer, &leaves[i], err);
   mt_arena_free (b.a);
   return ok;
}

bool mt_change_feed_leaves (MtStoreChange *s, MtRangeSet times, MtError *err)
{
   const MtStoreChange *from = &s->c->stores[0]; /* that has the leaves */
   const char *what = mt_printf (s->c->st->arena, "adding up %s", s->l->name);
   Feed f = {.s = s, .times = times};
   MtDocumentVisit v = {what, add_kept, &f};
   for (size_t i = 0; i < from->part_count; i++)
      if (!from->parts[i].drop && mt_change_meets (from, i, times) &&
          !mt_change_each (from, i, times, &v, err))
         return false;
   s->rows = s->c->rows; /* it has no others than those that went */
   return true;
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
   MtDocumentVisit v = {mt_printf (s->c->st->arena, "counting %s", s->l->name), count_records, &f};
   bool ok = mt_each_document (s->c->st, p->desc.collection, NULL, &v, err);
   *n = f.records;
   return ok;
}
