/* Appends the end of a block: HAVING, gap filling, the select list, DISTINCT, ORDER BY and LIMIT.
 * Adds sort ranks for values that MongoDB sorts differently from PostgreSQL. */
#include "planner/plan/plan_int.h"

#include "functions/agg.h"
#include "planner/plan/first.h"
#include "planner/plan/gapfill.h"
#include "planner/plan/stored_order.h"
#include "planner/plan/setop.h"

#include <string.h>

const char *mt_target_field (MtArena *a, int i) { return mt_printf (a, "c%d", i); }

const char *mt_sort_field (MtArena *a, const MtQuery *q, int key)
{
   const MtX *x = q->sort[key].expr;
   return x->kind == MT_X_TARGET ? mt_target_field (a, x->index) : mt_printf (a, "s%d", key);
}

void mt_keep_targets (MtPipe *pipe, int count)
{
   bson_t *project = mt_doc_new (pipe->a);
   mt_doc_add_int (project, "_id", 0);
   for (int i = 0; i < count; i++)
      mt_doc_add_int (project, mt_target_field (pipe->a, i), 1);
   if (count == 0)
      mt_doc_add_int (project, "c", 1);
   mt_pipe_add (pipe, "$project", project);
}

/* ---- sort ranks ---- */

static bool may_be_nan (const MtSortX *s)
{
   MtTypeId id = s->expr->type.id;
   if (s->never_nan)
      return false;
   return id == MT_T_FLOAT4 || id == MT_T_FLOAT8 || id == MT_T_NUMERIC;
}

/* Returns a sort rank for types whose values MongoDB sorts between null and true (documents, text
 * …). It sorts NULLs first or last, as ORDER BY says, and other values by their rank. */
static const bson_t *key_rank (MtArena *a, const MtSortX *s, const bson_t *value,
                               const bson_t *is_null)
{
   bool low = s->nulls_first == (mt_rank_direction (s) > 0);
   const bson_t *end = mt_doc_of (a, low ? mt_v_null () : mt_v_bool (true)),
                *key = mt_rank_of (a, s->expr->type.id, value);
   return s->expr->nullable ? mt_mql_op (a, "$cond", is_null, end, key, NULL) : key;
}

/* Returns the sort rank of an interval, which is its length; NULLs are sorted first or last, as
 * ORDER BY says. */
static const bson_t *interval_rank (MtArena *a, const MtSortX *s, const bson_t *value,
                                    const bson_t *is_null)
{
   const bson_t *length = mt_interval_length (a, value),
                *end = mt_doc_of (a, mt_v_double (s->nulls_first ? -__builtin_inf ()
                                                                 : __builtin_inf ()));
   if (s->descending)
      length = mt_mql_op (a, "$multiply", length, mt_mql_int (a, -1), NULL);
   return mt_mql_op (a, "$cond", is_null, end, length, NULL);
}

const bson_t *mt_sort_rank (MtArena *a, const MtSortX *s, const bson_t *value)
{
   bool mongo_first = !s->descending; /* in MongoDB, NULL is less than all values */
   bool needs_null = s->expr->nullable && s->nulls_first != mongo_first;
   if (!needs_null && !may_be_nan (s) && !mt_type_order_has_rank (s->expr->type.id))
      return NULL;
   const bson_t *null = mt_doc_of (a, mt_v_null ());
   const bson_t *is_null = mt_mql_op (a, "$lte", value, null, NULL);
   int rank_null = s->nulls_first ? -2 : 2;
   const bson_t *rank = mt_mql_int (a, 0);
   if (s->expr->type.id == MT_T_INTERVAL)
      return interval_rank (a, s, value, is_null);
   if (mt_type_order_has_rank (s->expr->type.id))
      return key_rank (a, s, value, is_null);
   if (may_be_nan (s)) {
      const bson_t *nan = mt_mql_op (a, "$eq", value,
                                     mt_doc_of (a, mt_v_double (__builtin_nan (""))), NULL);
      rank = mt_mql_op (a, "$cond", nan, mt_mql_int (a, s->descending ? -1 : 1), rank, NULL);
   }
   return s->expr->nullable ? mt_mql_op (a, "$cond", is_null, mt_mql_int (a, rank_null), rank, NULL)
                            : rank;
}

/* ---- the stages ---- */

typedef struct Ending {
   MtArena *a;
   const MtQuery *q;
   MtEmit *emit;
   MtPipe *pipe;
   MtError *err;
} Ending;

/* Appends the $project of the select list. sorted: the rows are already sorted, so sort keys need
 * not be kept. */
static bool project_targets (Ending *e, bool sorted)
{
   bson_t *project = mt_doc_new (e->a);
   mt_doc_add_int (project, "_id", 0);
   int count = e->q->distinct || sorted ? e->q->visible_count : e->q->target_count;
   for (int i = 0; i < count; i++)
      if (!mt_emit_value (e->emit, e->q->targets[i].expr, project, mt_target_field (e->a, i)))
         return false;
   /* Sort expressions that aren't select-list items are computed here, because the columns are not
    * available later. */
   for (int i = 0; i < e->q->sort_count && !sorted; i++)
      if (e->q->sort[i].expr->kind != MT_X_TARGET &&
          !mt_emit_value (e->emit, e->q->sort[i].expr, project, mt_sort_field (e->a, e->q, i)))
         return false;
   if (count == 0 && (sorted || e->q->sort_count == 0))
      mt_doc_add_int (project, "c", 1);
   mt_pipe_add (e->pipe, "$project", project);
   return true;
}

static void distinct_targets (Ending *e)
{
   MtArena *a = e->a;
   bson_t *group = mt_doc_new (a), *project = mt_doc_new (a);
   mt_doc_add_int (project, "_id", 0);
   mt_row_key (a, e->q->targets, e->q->visible_count, group, project);
   mt_pipe_add (e->pipe, "$group", group);
   if (e->q->visible_count == 0)
      mt_doc_add_int (project, "c", 1);
   mt_pipe_add (e->pipe, "$project", project);
}

static void sort_rows (Ending *e)
{
   MtArena *a = e->a;
   bson_t *ranks = mt_doc_new (a), *sort = mt_doc_new (a);
   for (int i = 0; i < e->q->sort_count; i++) {
      const MtSortX *s = &e->q->sort[i];
      const char *f = mt_sort_field (a, e->q, i);
      const bson_t *rank = mt_sort_rank (a, s, mt_mql_path (a, f));
      if (rank) {
         mt_doc_add (ranks, mt_printf (a, "n%d", i), mt_doc_value (rank));
         mt_doc_add_int (sort, mt_printf (a, "n%d", i), mt_rank_direction (s));
      }
      /* Values of equal rank are equal in SQL, so the value itself is not a further sort key. */
      bool decided = mt_type_order_has_rank (s->expr->type.id) && rank;
      if (!decided && !bson_has_field (sort, f))
         mt_doc_add_int (sort, f, s->descending ? -1 : 1);
   }
   if (!bson_empty (ranks))
      mt_pipe_add (e->pipe, "$addFields", ranks);
   if (e->q->on_count)
      mt_first_rows (e->q, ranks, e->pipe);
   mt_pipe_add (e->pipe, "$sort", sort);
}

static void limit_with_ties (Ending *e)
{
   MtArena *a = e->a;
   bson_t *spec = mt_doc_new (a), *by = mt_doc_new (a);
   for (int i = 0; i < e->q->sort_count; i++) {
      const char *f = mt_type_order_has_rank (e->q->sort[i].expr->type.id)
                         ? mt_printf (a, "n%d", i)
                         : mt_sort_field (a, e->q, i);
      mt_doc_add_text (by, mt_printf (a, "%d", i), f);
   }
   mt_doc_add_int (spec, "limit", e->q->limit);
   mt_doc_add_array (spec, "by", by);
   mt_pipe_add (e->pipe, "$_mtLimitTies", spec);
}

/* Appends a $project that removes all fields except the visible items of the select list. */
static void drop_helpers (Ending *e)
{
   MtArena *a = e->a;
   bool helpers = e->q->target_count > e->q->visible_count;
   for (int i = 0; i < e->q->sort_count && !helpers; i++) {
      const MtSortX *s = &e->q->sort[i];
      helpers = s->expr->kind != MT_X_TARGET || mt_sort_rank (a, s, mt_mql_path (a, "c0"));
   }
   if (helpers)
      mt_keep_targets (e->pipe, e->q->visible_count);
}

/* Appends HAVING, and then gap filling, so that HAVING does not remove filled rows. */
static bool choose_groups (Ending *e)
{
   const MtQuery *q = e->q;
   if (q->having) {
      bson_t *match = mt_doc_new (e->a);
      if (!mt_emit_match (e->emit, q->having, match))
         return false;
      if (!bson_empty (match))
         mt_pipe_add (e->pipe, "$match", match);
   }
   return !q->gapfill || mt_gapfill_emit (e->emit, q, e->pipe);
}

static void limit_rows (Ending *e)
{
   const MtQuery *q = e->q;
   if (q->offset > 0)
      mt_pipe_add_value (e->pipe, "$skip", mt_v_int64 (q->offset));
   if (q->limit > 0 && q->with_ties)
      limit_with_ties (e);
   else if (q->limit > 0)
      mt_pipe_add_value (e->pipe, "$limit", mt_v_int64 (q->limit));
   else if (q->limit == 0)
      mt_pipe_add_never (e->pipe);
}

/* Appends ORDER BY and LIMIT on stored fields, which can use an index, and then the select list. */
static bool end_by_stored (Ending *e, const bson_t *sort, MtOutline **o)
{
   mt_pipe_add (e->pipe, "$sort", sort);
   if (*o)
      *o = mt_outline_sort (e->a, e->q, e->pipe, *o);
   limit_rows (e);
   if (*o)
      *o = mt_outline_limit (e->a, e->q, e->pipe, *o);
   return project_targets (e, true);
}

/* Appends the select list, and then DISTINCT, ORDER BY and LIMIT on its values. */
static bool end_by_targets (Ending *e, MtOutline **o)
{
   const MtQuery *q = e->q;
   if (!project_targets (e, false))
      return false;
   if (*o && q->having)
      mt_outline_x (e->a, *o, "Filter", q->having, q);
   if (*o && q->gapfill)
      *o = mt_outline_step (e->a, "Gapfill", "", 0, e->pipe, *o);
   if (q->distinct)
      distinct_targets (e);
   if (*o && q->distinct)
      *o = mt_outline_step (e->a, "Unique", "", 0, e->pipe, *o);
   if (q->sort_count)
      sort_rows (e);
   if (*o && q->sort_count)
      *o = mt_outline_sort (e->a, q, e->pipe, *o);
   limit_rows (e);
   if (*o && (q->limit >= 0 || q->offset > 0))
      *o = mt_outline_limit (e->a, q, e->pipe, *o);
   drop_helpers (e);
   return true;
}

bool mt_end_block (MtArena *a, const MtQuery *q, MtEmit *emit, MtPipe *pipe, MtOutline **outline,
                   MtError *err)
{
   q = mt_narrow_sort (a, q, emit, pipe);
   Ending e = {a, q, emit, pipe, err};
   const bson_t *sort = mt_stored_sort (a, q, emit, pipe);
   return sort ? end_by_stored (&e, sort, outline)
               : choose_groups (&e) && end_by_targets (&e, outline);
}
