#include "planner/cut/ends.h"

#include "functions/agg.h"

#include <stdlib.h>
#include <string.h>

/* ---- queries that need only the oldest or newest rows ---- */

/* Returns whether g is first or last, whose partial result is a pair of a time and a value. */
static bool keeps_pair (const MtAggCall *g) { return mt_agg_is_first (g) || mt_agg_is_last (g); }

static unsigned end_of (const MtAggCall *g)
{
   bool pair = keeps_pair (g);
   if (pair)
      return mt_agg_is_first (g) ? MT_END_OLDEST : MT_END_NEWEST;
   if (g->agg->rule == MT_AGG_MIN)
      return MT_END_OLDEST;
   return g->agg->rule == MT_AGG_MAX ? MT_END_NEWEST : 0;
}

unsigned mt_ends_of (const MtQuery *q)
{
   unsigned ends = 0;
   if (!q->grouped || q->key_count || q->gapfill)
      return 0;
   for (int i = 0; i < q->agg_count; i++) {
      const MtAggCall *g = &q->aggs[i];
      unsigned end = end_of (g);
      const MtX *time = end && keeps_pair (g) ? g->arg->call.args[1] : g->arg;
      if (!end || time->kind != MT_X_COLUMN || time->column != q->rel.table->time_column)
         return 0;
      ends |= end;
   }
   return ends;
}

const char *mt_ends_name (unsigned ends)
{
   switch (ends) {
   case MT_END_NEWEST: return "newest first";
   case MT_END_OLDEST: return "oldest first";
   default: return "from both ends";
   }
}

/* ---- the order of reading ---- */

typedef struct Part {
   MtRange bounds;
   int at;
} Part;

static int by_time (const void *x, const void *y)
{
   const Part *a = x, *b = y;
   if (a->bounds.lo != b->bounds.lo)
      return a->bounds.lo < b->bounds.lo ? -1 : 1;
   if (a->bounds.hi != b->bounds.hi)
      return a->bounds.hi < b->bounds.hi ? -1 : 1;
   return a->at - b->at;
}

const int *mt_ends_order (MtArena *a, unsigned ends, const MtRange *bounds, int count)
{
   Part *parts = MT_NEW_N (a, Part, (size_t) count + 1);
   int *order = MT_NEW_N (a, int, (size_t) count + 1), first = 0, last = count - 1;
   for (int i = 0; i < count; i++)
      parts[i] = (Part) {bounds[i], i};
   qsort (parts, (size_t) count, sizeof *parts, by_time);
   for (int i = 0; i < count; i++) {
      bool newest = ends == MT_END_NEWEST || (ends != MT_END_OLDEST && i % 2 == 0);
      order[i] = parts[newest ? last-- : first++].at;
   }
   return order;
}

/* ---- when reading may stop ---- */

static const char *known_field (MtArena *a, int i) { return mt_printf (a, "z%d", i); }

/* Returns a condition (MQL) that is true if the value of aggregate i, such as `last`, is final:
 * records with times in `rest`, which are not read yet, can't change it. It is never true if `rest`
 * is unbounded on the aggregate's side. Infinite times are not used, because a server may reject
 * them. */
static const bson_t *known (MtArena *a, const MtAggCall *g, int i, MtRange rest)
{
   bool newest = end_of (g) == MT_END_NEWEST;
   if (newest ? rest.hi == MT_TIME_MAX : rest.lo == MT_TIME_MIN)
      return mt_doc_of (a, mt_v_bool (false));
   const bson_t *time = mt_mql_path (a, mt_printf (a, "a%d%s", i, keeps_pair (g) ? ".t" : ""));
   if (newest)
      return mt_mql_op (a, "$gte", time, mt_doc_of (a, mt_v_date (rest.hi)), NULL);
   return mt_mql_op (a, "$and", mt_mql_op (a, "$gt", time, mt_doc_of (a, mt_v_null ()), NULL),
                     mt_mql_op (a, "$lt", time, mt_doc_of (a, mt_v_date (rest.lo)), NULL), NULL);
}

void mt_ends_mark (const MtQuery *q, MtRange rest, MtPipe *pipe)
{
   bson_t *fields = mt_doc_new (pipe->a);
   for (int i = 0; i < q->agg_count; i++)
      mt_doc_add (fields, known_field (pipe->a, i),
                  mt_doc_value (known (pipe->a, &q->aggs[i], i, rest)));
   mt_pipe_add (pipe, "$addFields", fields);
}

void mt_ends_stop (const MtQuery *q, MtPipe *pipe)
{
   bson_t *names = mt_doc_new (pipe->a);
   for (int i = 0; i < q->agg_count; i++) {
      const char *name = known_field (pipe->a, i);
      mt_doc_add_text (names, mt_printf (pipe->a, "%d", i), name);
   }
   mt_pipe_add_value (pipe, "$_mtUntil", mt_v_array (names));
}
