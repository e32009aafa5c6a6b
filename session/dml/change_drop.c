/* DELETE of a range of time that contains whole partitions. Partitions inside the range are
 * dropped; only the partitions at its ends are read. */
#include "layouts/read/patch.h"
#include "layouts/stats.h"
#include "session/core/core.h"
#include "session/dml/change.h"

#include <string.h>

static bool first_number (MtStatement *st, MtPlan *plan, uint64_t *n, MtError *err)
{
   MtResult *r = mt_result_new (st->session, mt_arena_new ("count", NULL));
   bool more = true, ok = mt_result_run (r, plan, false, err) && mt_result_next (r, &more, err);
   *n = ok && more ? (uint64_t) r->values[0].i : 0;
   mt_result_free (r);
   return ok;
}

/* Sets *n to the number of records in a packed partition, by running count(*) over it. The plan
 * reads only as deep into the documents as it must. */
static bool count_packed (MtStoreChange *s, MtPartChange *p, uint64_t *n, MtError *err)
{
   MtStatement *st = s->c->st;
   MtTable *alone = MT_NEW (st->arena, MtTable);
   MtTarget *count = MT_NEW (st->arena, MtTarget);
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   *alone = s->alone;
   alone->layouts = &p->layout;
   if (!mt_parse_expr (st->arena, "count(*)", 8, &count->expr, err) ||
       !mt_bind_select (st->arena, &st->env, mt_rows_select (st, s->c->table, NULL, count, NULL),
                        &q, err))
      return false;
   q->rel.table = alone;
   return mt_plan_query (st->arena, q, &settings, &plan, err) && first_number (st, plan, n, err);
}

static bool count_partition (MtStoreChange *s, MtPartChange *p, uint64_t *n, MtError *err)
{
   const bson_t all = BSON_INITIALIZER;
   const char *first;
   if (s->c->leaf)
      return mt_change_count_leaves (s, p, n, err);
   return mt_store_is_rows (s->desc)
             ? mt_count_matching (s->c->st, p->desc.collection, &all, n, &first, err)
             : count_packed (s, p, n, err);
}

/* Adds the partition's documents and an estimate of its cells to s->removed. The estimate takes the
 * partition's share of the documents as its share of the cells. */
bool mt_change_forget (MtStoreChange *s, MtPartChange *p, double records, MtError *err)
{
   MtArena *a = s->c->st->arena;
   MtCollStats now;
   if (!mt_engine_stats (s->c->st->session->engine, p->desc.collection, &now, err))
      return false;
   const MtStoreStats *all = s->l->stats ? &s->l->stats[s->store] : NULL;
   if (!all || !all->present || !all->nodes || all->documents < 1)
      return true;
   double share = (double) now.documents / all->documents;
   MtStoreStats seen = {.present = true,
                        .documents = (double) now.documents,
                        .bytes = (double) now.bytes,
                        .records = records};
   seen.nodes = MT_NEW_N (a, MtNodeStats, s->desc->node_count);
   for (size_t i = 0; i < s->desc->node_count; i++)
      seen.nodes[i] = (MtNodeStats) {.cells = all->nodes[i].cells * share,
                                     .bytes = all->nodes[i].bytes * share};
   mt_stats_add (a, s->desc, &s->removed, &seen);
   return true;
}

static void see_bounds (MtChange *c, const MtPartition *p)
{
   c->first_ms = !c->any_time || p->start_ms < c->first_ms ? p->start_ms : c->first_ms;
   c->last_ms = !c->any_time || p->end_ms - 1 > c->last_ms ? p->end_ms - 1 : c->last_ms;
   c->any_time = true;
}

bool mt_change_drop (MtStoreChange *s, size_t part, MtError *err)
{
   MtPartChange *p = &s->parts[part];
   uint64_t n;
   if (!count_partition (s, p, &n, err) || !mt_change_forget (s, p, (double) n, err))
      return false;
   s->rows += n;
   if (!n || s != &s->c->stores[0])
      return true;
   const MtPartition *dropped = &s->desc->parts->list[part];
   see_bounds (s->c, dropped);
   return mt_touch_ranges (
      s->c->touch, mt_ranges_one (s->c->st->arena, dropped->start_ms, dropped->end_ms), err);
}
