/* TOLERANCE and NEAREST of ASOF joins. A NEAREST join becomes two ASOF joins. The first finds the
 * last right row before the left row, the second the next right row after it. A sub-select over
 * both joins returns the nearer one of the two. */
#include "analyze/calls/call.h"
#include "analyze/from/from_int.h"
#include "analyze/types/coerce.h"
#include "planner/emit/eval.h"
#include "types/datetime.h"

#include <string.h>

/* ---- TOLERANCE ---- */

bool mt_bind_distance (MtBinder *b, const MtExpr *e, const char *what, MtTypeId type, MtX **out)
{
   MtScope s = {.clause = MT_CLAUSE_SAMPLE};
   MtX *x;
   MtVal v;
   if (!mt_bind_x (b, &s, e, &x) || !mt_coerce (b, x, mt_type (type), MT_COERCE_IMPLICIT, &x) ||
       !mt_eval_const (b->a, x, b->env, &v, b->err))
      return false;
   const char *bad = mt_is_nullish (v) ? "be NULL" : NULL;
   MtInterval iv = {0};
   if (!bad)
      iv = type == MT_T_INT8 ? (MtInterval) {.us = v.i} : mt_v_to_interval (v);
   if (iv.months)
      bad = "have months";
   else if (iv.days < 0 || iv.us < 0)
      bad = "be negative";
   *out = mt_x_const (b->a, x->type, v, e->span);
   return !bad || mt_error_at (b->err, e->span, MT_E_PARAMETER, "%s must not %s", what, bad);
}

bool mt_bind_tolerance (MtBinder *b, const MtExpr *e, const MtAsof *parts, MtRel *rel)
{
   bool whole = mt_type_is_integer (parts->left_time->type.id);
   MtX *x;
   if (parts->left_time->type.id == MT_T_TIME)
      return mt_refuse (b, e->span, "TOLERANCE for times of day is");
   if (!mt_bind_distance (b, e, "TOLERANCE", whole ? MT_T_INT8 : MT_T_INTERVAL, &x))
      return false;
   rel->join->tolerance = x;
   return true;
}

/* ---- NEAREST ---- */

typedef struct Nearest {
   MtBinder *b;
   const MtFrom *f;
   const MtAsof *parts;
   int left, right; /* the numbers of columns of the left and of the right side */
   MtRel pairs;     /* rows of: the left row, the last right row before it, the first after it */
} Nearest;

/* Makes the ON condition of one of the two ASOF joins, with the operator `op` for the times. The
 * right side's columns have the numbers from `first` on. */
static bool condition (Nearest *n, const char *op, int first, MtX **out)
{
   MtArena *a = n->b->a;
   const MtAsof *p = n->parts;
   MtX **list = MT_NEW_N (a, MtX *, (size_t) p->count + 1);
   for (int i = 0; i <= p->count; i++) {
      MtX *l = i < p->count ? p->left[i] : p->left_time,
          *r = mt_x_shift (a, i < p->count ? p->right[i] : p->right_time, first - n->left);
      if (!mt_bind_operator (n->b, i < p->count ? "=" : op, n->f->span, l, r, &list[i]))
         return false;
   }
   *out = mt_conjunction (a, list, p->count + 1);
   return true;
}

/* Makes *out an ASOF LEFT JOIN of `left` and a copy of `right`, with the operator `op` for the
 * times. */
static bool join (Nearest *n, const MtRel *left, const MtRel *right, const char *op, MtRel *out)
{
   MtArena *a = n->b->a;
   MtRel *sides = MT_NEW_N (a, MtRel, 2);
   int l = left->column_count, count = l + right->column_count;
   MtRelColumn *columns = MT_NEW_N (a, MtRelColumn, (size_t) count + 1);
   sides[0] = *left;
   sides[1] = *right;
   mt_become_query (&sides[1],
                    mt_query_copy (a, mt_query_over (n->b, right, right->column_count, NULL)));
   memcpy (columns, left->columns, (size_t) l * sizeof *columns);
   memcpy (columns + l, right->columns, (size_t) right->column_count * sizeof *columns);
   for (int i = l; i < count; i++)
      columns[i].nullable = true;
   *out = (MtRel) {.kind = MT_REL_JOIN, .columns = columns, .column_count = count};
   out->join = MT_NEW (a, MtJoin);
   *out->join = (MtJoin) {.left = &sides[0], .right = &sides[1], .asof = true, .keep_left = true};
   return condition (n, op, l, &out->join->on);
}

static MtX *column (Nearest *n, int i)
{
   MtX *x = mt_x_new (n->b->a, MT_X_COLUMN, n->pairs.columns[i].type, n->f->span);
   x->column = i;
   mt_x_refers_column (x, &n->pairs.columns[i]);
   return x;
}

/* Compares how far two right rows are from the left row: makes the expression (left time - before)
 * op (after - left time). */
static bool compare (Nearest *n, const char *op, MtX *before, MtX *after, MtX **out)
{
   MtX *back, *ahead, *time = n->parts->left_time;
   return mt_bind_operator (n->b, "-", n->f->span, time, before, &back) &&
          mt_bind_operator (n->b, "-", n->f->span, after, time, &ahead) &&
          mt_bind_operator (n->b, op, n->f->span, back, ahead, out);
}

/* Makes the condition that chooses the right row before the left row as the result, and not the
 * right row after it: no row follows, or the row before is nearer in time. If both are equally
 * near, the direction of the comparison in ON decides. */
static bool takes_before (Nearest *n, MtX *before, MtX *after, MtX **out)
{
   MtArena *a = n->b->a;
   MtX *nearer, **either = MT_NEW_N (a, MtX *, 2);
   if (!compare (n, n->parts->forward ? "<" : "<=", before, after, &nearer))
      return false;
   either[0] = mt_x_null_test (a, after, n->f->span);
   either[1] = mt_x_both (a, mt_x_not (a, mt_x_null_test (a, before, n->f->span)), nearer);
   *out = mt_x_list (a, MT_X_OR, mt_type (MT_T_BOOL), either, 2, n->f->span);
   return true;
}

/* Sets the select list of q: the columns of the left row, then the columns of the nearer right row.
 * before: the condition that the nearer one is the row before. */
static void choose (Nearest *n, MtX *before, MtQuery *q)
{
   for (int i = 0; i < n->right; i++) {
      MtX **list = MT_NEW_N (n->b->a, MtX *, 3), *x = column (n, n->left + i);
      list[0] = before;
      list[1] = x;
      list[2] = column (n, n->left + n->right + i);
      q->targets[n->left + i].expr = mt_x_list (n->b->a, MT_X_CASE, x->type, list, 3, x->span);
   }
}

static bool check (Nearest *n, const MtJoin *j)
{
   MtRel right = *j->right;
   MtQuery probe = {.rel = right, .limit = -1};
   bool is_volatile = mt_query_is_volatile (&probe),
        plain = n->parts->right_time->kind == MT_X_COLUMN;
   if (plain && !is_volatile)
      return true;
   mt_refuse (n->b, n->f->span, "this ASOF NEAREST JOIN is");
   return mt_error_hint (n->b->err, plain ? "The right side must not have volatile functions."
                                          : "The right side's time must be a column.");
}

bool mt_bind_nearest (MtBinder *b, const MtFrom *f, const MtAsof *parts, MtRel *rel)
{
   MtJoin *j = rel->join;
   Nearest n = {.b = b,
                .f = f,
                .parts = parts,
                .left = j->left->column_count,
                .right = j->right->column_count};
   MtRel first;
   MtX *take;
   if (!check (&n, j) || !join (&n, j->left, j->right, parts->strict ? ">" : ">=", &first) ||
       !join (&n, &first, j->right, parts->strict ? "<" : "<=", &n.pairs))
      return false;
   first.join->tolerance = n.pairs.join->tolerance = j->tolerance;
   MtX *before = column (&n, parts->right_time->column),
       *after = column (&n, parts->right_time->column + n.right), *where = NULL;
   if (!takes_before (&n, before, after, &take))
      return false;
   if (!j->keep_left)
      where = mt_x_not (b->a, mt_x_both (b->a, mt_x_null_test (b->a, before, f->span),
                                         mt_x_null_test (b->a, after, f->span)));
   MtQuery *q = mt_query_over (b, &n.pairs, n.left + n.right, where);
   choose (&n, take, q);
   mt_become_query (rel, q);
   return true;
}
