#include "planner/plan/setop.h"

#include "functions/agg.h"
#include "planner/plan/plan_int.h"

#define CHUNK 1000 /* greatest length of an array by which $unwind repeats a row */

static const char *counter (MtArena *a, int arm) { return mt_printf (a, "n%d", arm); }

void mt_setop_mark (MtPipe *pipe, int arm)
{
   bson_t *fields = mt_doc_new (pipe->a);
   mt_doc_add_int (fields, counter (pipe->a, arm), 1);
   mt_pipe_add (pipe, "$addFields", fields);
}

/* Returns {"": {op: [elements of list]}}. */
static const bson_t *op_over (MtArena *a, const char *op, const bson_t *list)
{
   bson_t *body = mt_doc_new (a), *out = mt_doc_new (a);
   mt_doc_add_array (body, op, list);
   mt_doc_add_doc (out, "", body);
   return out;
}

static const bson_t *arms_count (MtArena *a, const MtTimes *t)
{
   bson_t *list = mt_doc_new (a);
   if (t->count == 1)
      return mt_mql_path (a, counter (a, t->first));
   for (int i = 0; i < t->count; i++)
      mt_doc_add_path (a, list, mt_printf (a, "%d", i), counter (a, t->first + i));
   return op_over (a, "$add", list);
}

/* Returns an expression for the number of times that a row is returned, from its counts in the
 * member queries. */
static const bson_t *times_expr (MtArena *a, const MtTimes *t)
{
   const bson_t *one = mt_mql_int (a, 1), *zero = mt_mql_int (a, 0);
   if (t->kind == MT_TIMES_ARMS)
      return t->all ? arms_count (a, t) : mt_mql_op (a, "$min", one, arms_count (a, t), NULL);
   const bson_t *l = times_expr (a, t->left), *r = times_expr (a, t->right);
   switch (t->kind) {
   case MT_TIMES_ARMS: break;
   case MT_TIMES_UNION: l = mt_mql_op (a, "$add", l, r, NULL); break;
   case MT_TIMES_INTERSECT: l = mt_mql_op (a, "$min", l, r, NULL); break;
   case MT_TIMES_EXCEPT:
      if (!t->all)
         return mt_mql_op (a, "$cond", mt_mql_op (a, "$gt", r, zero, NULL), zero,
                           mt_mql_op (a, "$min", one, l, NULL), NULL);
      return mt_mql_op (a, "$max", zero, mt_mql_op (a, "$subtract", l, r, NULL), NULL);
   }
   return t->all ? l : mt_mql_op (a, "$min", one, l, NULL);
}

static bson_t *both (MtArena *a, const char *op, const bson_t *l, const bson_t *r);

/* Returns the $match condition that a row is in the result (`wanted`) or is not. */
static bson_t *there (MtArena *a, const MtTimes *t, bool wanted)
{
   bson_t *d = mt_doc_new (a), *more = mt_doc_new (a);
   mt_doc_add_int (more, wanted ? "$gt" : "$lte", 0);
   switch (t->kind) {
   case MT_TIMES_UNION:
      return both (a, wanted ? "$or" : "$and", there (a, t->left, wanted),
                   there (a, t->right, wanted));
   case MT_TIMES_INTERSECT:
      return both (a, wanted ? "$and" : "$or", there (a, t->left, wanted),
                   there (a, t->right, wanted));
   case MT_TIMES_EXCEPT:
      if (t->all)
         break;
      return both (a, wanted ? "$and" : "$or", there (a, t->left, wanted),
                   there (a, t->right, !wanted));
   case MT_TIMES_ARMS:
      if (t->count > 1)
         break;
      mt_doc_add_doc (d, counter (a, t->first), more);
      return d;
   }
   mt_doc_add (d, "$expr",
               mt_doc_value (mt_mql_op (a, wanted ? "$gt" : "$lte", times_expr (a, t),
                                        mt_mql_int (a, 0), NULL)));
   return d;
}

static bson_t *both (MtArena *a, const char *op, const bson_t *l, const bson_t *r)
{
   bson_t *d = mt_doc_new (a), *list = mt_doc_new (a);
   mt_doc_add_doc (list, "0", l);
   mt_doc_add_doc (list, "1", r);
   mt_doc_add_array (d, op, list);
   return d;
}

void mt_row_key (MtArena *a, const MtTargetX *targets, int count, bson_t *group, bson_t *project)
{
   bson_t *id = mt_doc_new (a);
   for (int i = 0; i < count; i++) {
      const char *f = mt_target_field (a, i);
      bool ranked = mt_type_has_rank (targets[i].expr->type.id);
      if (ranked) {
         bson_t *first = mt_doc_new (a);
         mt_doc_add_path (a, first, "$first", f);
         mt_doc_add_doc (group, f, first);
         mt_doc_add (id, f,
                     mt_doc_value (mt_rank_of (a, targets[i].expr->type.id, mt_mql_path (a, f))));
      } else
         mt_doc_add_path (a, id, f, f);
      mt_doc_add_path (a, project, f, ranked ? f : mt_printf (a, "_id.%s", f));
   }
   mt_doc_add_doc (group, "_id", id);
}

/* Appends a $group of equal rows that counts them for each member query. Adds to `project` the
 * fields that restore the columns. */
static void group_rows (const MtQuery *q, MtPipe *pipe, bson_t *project)
{
   MtArena *a = pipe->a;
   bson_t *group = mt_doc_new (a);
   mt_doc_add_int (project, "_id", 0);
   mt_row_key (a, q->arms[0]->targets, q->arms[0]->visible_count, group, project);
   for (int i = 0; i < q->arm_count; i++) {
      bson_t *sum = mt_doc_new (a);
      mt_doc_add_path (a, sum, "$sum", counter (a, i));
      mt_doc_add_doc (group, counter (a, i), sum);
   }
   mt_pipe_add (pipe, "$group", group);
}

static void unwind_range (MtPipe *pipe, const char *name, const bson_t *range)
{
   MtArena *a = pipe->a;
   bson_t *fields = mt_doc_new (a);
   mt_doc_add (fields, name, mt_doc_value (range));
   mt_pipe_add (pipe, "$addFields", fields);
   mt_pipe_add_value (pipe, "$unwind", mt_doc_value (mt_mql_path (a, name)));
}

/* Appends stages that repeat each row. They do it in two steps, so that no array for $unwind has
 * more than CHUNK elements. */
static void repeat_rows (const MtTimes *t, MtPipe *pipe, const MtQuery *q, bson_t *columns)
{
   MtArena *a = pipe->a;
   const bson_t *times = mt_mql_path (a, "times"), *done = mt_mql_path (a, "done"),
                *chunk = mt_mql_int (a, CHUNK), *zero = mt_mql_int (a, 0);
   mt_doc_add (columns, "times", mt_doc_value (times_expr (a, t)));
   mt_pipe_add (pipe, "$project", columns);
   unwind_range (pipe, "done", mt_mql_op (a, "$range", zero, times, chunk, NULL));
   const bson_t *left = mt_mql_op (a, "$min", chunk, mt_mql_op (a, "$subtract", times, done, NULL),
                                   NULL);
   unwind_range (pipe, "times", mt_mql_op (a, "$range", zero, left, NULL));
   mt_keep_targets (pipe, q->arms[0]->visible_count);
}

void mt_setop_count (const MtQuery *q, MtPipe *pipe)
{
   bson_t *columns = mt_doc_new (pipe->a);
   group_rows (q, pipe, columns);
   if (q->times->all) {
      repeat_rows (q->times, pipe, q, columns);
      return;
   }
   mt_pipe_add (pipe, "$match", there (pipe->a, q->times, true));
   if (q->arms[0]->visible_count == 0)
      mt_doc_add_int (columns, "c", 1);
   mt_pipe_add (pipe, "$project", columns);
}
