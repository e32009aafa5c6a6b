#include "planner/plan/first.h"

#include "planner/plan/plan_int.h"

/* Returns {c0: "$c0", …}: all fields of a result row, with its sort keys and ranks, without other
 * fields of the document. */
static bson_t *whole_row (const MtQuery *q, const bson_t *ranks, MtPipe *pipe)
{
   MtArena *a = pipe->a;
   bson_t *row = mt_doc_new (a);
   bson_iter_t it;
   for (int i = 0; i < q->target_count; i++)
      mt_doc_add_path (a, row, mt_target_field (a, i), mt_target_field (a, i));
   for (int i = 0; i < q->sort_count; i++)
      if (q->sort[i].expr->kind != MT_X_TARGET)
         mt_doc_add_path (a, row, mt_sort_field (a, q, i), mt_sort_field (a, q, i));
   for (bson_iter_init (&it, ranks); bson_iter_next (&it);)
      mt_doc_add_path (a, row, bson_iter_key (&it), bson_iter_key (&it));
   return row;
}

/* Returns the accumulator that selects the first row of a group: {$top: {sortBy, output: row}}; or
 * $first if there is no sort key. */
static bson_t *first_of_group (const MtQuery *q, const bson_t *ranks, MtPipe *pipe)
{
   MtArena *a = pipe->a;
   bson_t *by = mt_doc_new (a), *top = mt_doc_new (a), *out = mt_doc_new (a),
          *row = whole_row (q, ranks, pipe);
   for (int i = q->on_count; i < q->sort_count; i++) {
      const char *rank = mt_printf (a, "n%d", i), *f = mt_sort_field (a, q, i);
      if (bson_has_field (ranks, rank))
         mt_doc_add_int (by, rank, mt_rank_direction (&q->sort[i]));
      if (!mt_type_order_has_rank (q->sort[i].expr->type.id) &&
          !bson_has_field (by, f)) /* if the rank alone decides, the value is no sort key */
         mt_doc_add_int (by, f, q->sort[i].descending ? -1 : 1);
   }
   mt_doc_add_doc (top, "sortBy", by);
   mt_doc_add_doc (top, "output", row);
   mt_doc_add_doc (out, bson_empty (by) ? "$first" : "$top", bson_empty (by) ? row : top);
   return out;
}

void mt_first_rows (const MtQuery *q, const bson_t *ranks, MtPipe *pipe)
{
   MtArena *a = pipe->a;
   bson_t *id = mt_doc_new (a), *group = mt_doc_new (a), *root = mt_doc_new (a);
   for (int i = 0; i < q->on_count; i++)
      mt_doc_add_path (a, id, mt_printf (a, "k%d", i),
                       mt_type_order_has_rank (q->sort[i].expr->type.id) ? mt_printf (a, "n%d", i)
                                                                         : mt_sort_field (a, q, i));
   mt_doc_add_doc (group, "_id", id);
   mt_doc_add_doc (group, "row", first_of_group (q, ranks, pipe));
   mt_pipe_add (pipe, "$group", group);
   mt_doc_add_path (a, root, "newRoot", "row");
   mt_pipe_add (pipe, "$replaceRoot", root);
}
