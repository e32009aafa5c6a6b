/* Finds the TIME column of FROM. */
#include "analyze/names/time_column.h"

#include "analyze/names/names.h"

static bool is_time (const MtRel *rel, int column);

static bool is_time_of (const MtQuery *q, int target)
{
   bool all = q->arm_count > 0;
   if (target < 0 || target >= q->target_count)
      return false;
   for (int i = 0; i < q->arm_count && all; i++)
      all = is_time_of (q->arms[i], target);
   if (q->arm_count)
      return all;
   const MtX *x = q->targets[target].expr;
   if (x->kind == MT_X_KEY)
      x = q->keys[x->index];
   if (x->kind == MT_X_CALL && x->call.fn->step == MT_STEP_BUCKET)
      x = x->call.args[1];
   return x->kind == MT_X_COLUMN && is_time (&q->rel, x->column);
}

/* Returns whether a column of FROM is a table's TIME column. It may come through sub-selects, and
 * may be the time bucket that a SAMPLE BY in a sub-select made of it. */
static bool is_time (const MtRel *rel, int column)
{
   int left;
   switch (rel->kind) {
   case MT_REL_TABLE:
      return (size_t) column < rel->table->column_count &&
             rel->table->columns[column].role == MT_COL_TIME;
   case MT_REL_QUERY: return is_time_of (rel->query, rel->targets ? rel->targets[column] : column);
   case MT_REL_SHARED: return is_time_of (rel->shared->query, column);
   case MT_REL_JOIN:
      left = rel->join->left->column_count;
      return column < left ? is_time (rel->join->left, column)
                           : column - left < rel->join->right->column_count &&
                                is_time (rel->join->right, column - left);
   case MT_REL_UNNEST:
      return column < rel->unnest->input->column_count && is_time (rel->unnest->input, column);
   case MT_REL_NONE:
   case MT_REL_VALUES:
   case MT_REL_SERIES:
   case MT_REL_WORK:
   case MT_REL_SYSTEM: break;
   }
   return false;
}

/* Returns the column's name preceded by its table, for an error message. */
static const char *qualified (MtBinder *b, const MtRel *rel, int column)
{
   const char *table = mt_column_table (rel, column), *name = rel->columns[column].name;
   return table ? mt_printf (b->a, "%s.%s", table, name) : name;
}

bool mt_find_time (MtBinder *b, const MtRel *rel, const MtTimeUse *use, MtX **out)
{
   int found = -1;
   for (int i = 0; i < rel->column_count; i++) {
      if (!rel->columns[i].name || !is_time (rel, i))
         continue;
      if (found >= 0) {
         mt_error_at (b->err, use->span, MT_E_AMBIGUOUS_COLUMN,
                      "%s finds several TIME columns: %s and %s", use->clause,
                      qualified (b, rel, found), qualified (b, rel, i));
         return mt_error_hint (b->err, "Put FROM into a sub-select that has one of them.");
      }
      found = i;
   }
   if (found < 0) {
      mt_error_at (b->err, use->span, MT_E_UNDEFINED_COLUMN, "%s needs a TIME column %s",
                   use->clause, use->where);
      return mt_error_hint (b->err, "%s", use->hint);
   }
   *out = mt_x_new (b->a, MT_X_COLUMN, rel->columns[found].type, use->span);
   (*out)->column = found;
   mt_x_refers_column (*out, &rel->columns[found]);
   return true;
}
