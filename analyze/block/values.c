/* VALUES. Rows may have any expressions, also correlated sub-selects. */
#include "analyze/block/block_int.h"
#include "analyze/group/order.h"
#include "analyze/names/names.h"
#include "analyze/types/coerce.h"

static int row_width (const MtRowList *r)
{
   int n = mt_list_length (r->row);
   return n;
}

/* Analyzes the rows of VALUES into *rel. own: the FROM to which correlated sub-selects in the rows
 * are joined; NULL: such sub-selects are not allowed. */
static bool bind_rows (MtBinder *b, const MtSelect *s, MtRel *own, MtRel *rel)
{
   MtScope scope = {.own = own, .clause = MT_CLAUSE_VALUES};
   int width = row_width (s->values.rows);
   for (const MtRowList *r = s->values.rows; r; r = r->next)
      rel->row_count++;
   rel->rows = MT_NEW_N (b->a, MtX **, (size_t) rel->row_count);
   rel->column_count = width;
   int i = 0;
   for (const MtRowList *r = s->values.rows; r; r = r->next, i++) {
      if (row_width (r) != width)
         return mt_error_at (b->err, r->span, MT_E_SYNTAX,
                             "VALUES lists must all be the same length");
      rel->rows[i] = MT_NEW_N (b->a, MtX *, (size_t) width + 1);
      int j = 0;
      for (const MtExprList *l = r->row; l; l = l->next)
         if (!mt_bind_x (b, &scope, l->expr, &rel->rows[i][j++]))
            return false;
   }
   return true;
}

static bool unify_rows (MtBinder *b, MtRel *rel)
{
   MtX **column = MT_NEW_N (b->a, MtX *, (size_t) rel->row_count);
   rel->columns = MT_NEW_N (b->a, MtRelColumn, (size_t) rel->column_count + 1);
   for (int j = 0; j < rel->column_count; j++) {
      MtTypeId t;
      bool nullable = false, finite = true;
      for (int i = 0; i < rel->row_count; i++)
         column[i] = rel->rows[i][j];
      if (!mt_common_type (b, column, rel->row_count, "VALUES", &t))
         return false;
      MtType type = mt_common_modifier (column, rel->row_count, t);
      for (int i = 0; i < rel->row_count; i++) {
         if (!mt_coerce (b, column[i], type, MT_COERCE_IMPLICIT, &rel->rows[i][j]))
            return false;
         nullable |= rel->rows[i][j]->nullable;
         finite &= rel->rows[i][j]->finite;
      }
      rel->columns[j] = mt_column_computed (mt_printf (b->a, "column%d", j + 1), type, nullable,
                                            finite);
   }
   return true;
}

/* Copies the analyzed expressions of all rows, because the originals are cast to the common types
 * of the columns later. */
static MtX ***copy_rows (MtBinder *b, const MtRel *rel)
{
   MtX ***rows = MT_NEW_N (b->a, MtX **, (size_t) rel->row_count + 1);
   for (int i = 0; i < rel->row_count; i++) {
      rows[i] = MT_NEW_N (b->a, MtX *, (size_t) rel->column_count + 1);
      for (int k = 0; k < rel->column_count; k++)
         rows[i][k] = rel->rows[i][k];
   }
   return rows;
}

/* ---- rows with correlated sub-selects ---- */

/* Makes a SELECT without FROM that returns one row of VALUES, with casts to the common types of the
 * columns. bound: the row's analyzed expressions, which have their own types. */
static MtSelect *one_row (MtBinder *b, const MtSelect *s, const MtRowList *row, MtX *const *bound,
                          const MtRel *rel)
{
   MtSelect *one = MT_NEW (b->a, MtSelect);
   MtTarget **last = &one->plain.targets;
   int i = 0;
   one->kind = MT_SELECT_PLAIN;
   one->span = s->span;
   one->depth = s->depth;
   for (const MtExprList *l = row->row; l; l = l->next, i++) {
      MtTarget *t = *last = MT_NEW (b->a, MtTarget);
      t->expr = l->expr;
      t->alias = (MtName) {.text = rel->columns[i].name, .quoted = true, .span = l->expr->span};
      if (bound[i]->type.id != rel->columns[i].type.id) {
         MtTypeName *type = MT_NEW (b->a, MtTypeName);
         *type = (MtTypeName) {.name = {.text = mt_type_info (rel->columns[i].type.id)->name,
                                        .span = l->expr->span},
                               .modifiers = {-1, -1},
                               .span = l->expr->span};
         MtExpr *cast = MT_NEW (b->a, MtExpr);
         *cast = (MtExpr) {.kind = MT_EXPR_CAST,
                           .span = l->expr->span,
                           .outer = l->expr->outer,
                           .depth = l->expr->depth + 1};
         cast->cast.arg = l->expr;
         cast->cast.type = type;
         t->expr = cast;
      }
      last = &t->next;
   }
   return one;
}

static MtSelect *union_of (MtBinder *b, MtSelect *const *rows, int count)
{
   if (count == 1)
      return rows[0];
   MtSelect *both = MT_NEW (b->a, MtSelect);
   *both = (MtSelect) {.kind = MT_SELECT_SETOP, .span = rows[0]->span, .depth = rows[0]->depth};
   both->setop.op = MT_UNION;
   both->setop.all = true;
   both->setop.left = union_of (b, rows, count / 2);
   both->setop.right = union_of (b, rows + count / 2, count - count / 2);
   return both;
}

/* Converts VALUES with correlated sub-selects to a UNION ALL. In it, each row with such a
 * sub-select is a separate SELECT. bound: the rows' expressions before the casts. */
static bool bind_each (MtBinder *b, const MtSelect *s, MtRel *rel, MtX ***bound, MtQuery **out)
{
   MtSelect **rows = MT_NEW_N (b->a, MtSelect *, (size_t) rel->row_count + 1);
   int i = 0;
   for (const MtRowList *r = s->values.rows; r; r = r->next, i++)
      rows[i] = one_row (b, s, r, bound[i], rel);
   MtSelect *all = MT_NEW (b->a, MtSelect);
   *all = *union_of (b, rows, i);
   all->order = s->order;
   all->limit = s->limit;
   all->offset = s->offset;
   all->limit_with_ties = s->limit_with_ties;
   return mt_bind_query (b, all, out);
}

bool mt_bind_values (MtBinder *b, const MtSelect *s, MtQuery **out)
{
   MtQuery *q = *out;
   MtRel own = {.kind = MT_REL_NONE};
   q->rel.kind = MT_REL_VALUES;
   q->rel.alias = "*VALUES*";
   if (!bind_rows (b, s, &own, &q->rel))
      return false;
   MtX ***bound = own.kind == MT_REL_NONE ? NULL : copy_rows (b, &q->rel);
   if (!unify_rows (b, &q->rel))
      return false;
   if (own.kind != MT_REL_NONE)
      return bind_each (b, s, &q->rel, bound, out);
   MtNames all = mt_names_all (&q->rel);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) q->rel.column_count + 1);
   for (int j = 0; j < q->rel.column_count; j++)
      q->targets[j] = (MtTargetX) {q->rel.columns[j].name, mt_names_x (b, &all, j, s->span)};
   q->target_count = q->visible_count = q->rel.column_count;
   MtScope scope = {.rel = &q->rel, .clause = MT_CLAUSE_ORDER};
   return mt_bind_order (b, &scope, s->order, q) && mt_bind_limit (b, s, q);
}
