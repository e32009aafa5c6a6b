/* Analyzes UNION, INTERSECT and EXCEPT. A tree of set operations becomes one MtQuery with a flat
 * list of member queries (arms), as far as column types allow. If the tree has INTERSECT or EXCEPT,
 * MtTimes computes how many copies of a row are returned from the numbers of copies in the arms. */
#include "analyze/block/block_int.h"
#include "analyze/group/order.h"
#include "analyze/names/names.h"
#include "analyze/types/coerce.h"

/* The maximum height of a tree of set operations in one MtQuery. Higher trees become nested
 * queries. */
#define MOST_HEIGHT 16

typedef enum SideKind {
   SIDE_ARM,      /* one member query */
   SIDE_ALL,      /* UNION ALL of member queries */
   SIDE_DISTINCT, /* UNION (without ALL) of member queries */
   SIDE_TIMES     /* INTERSECT, EXCEPT, or a mixture of operations */
} SideKind;

/* The left or right operand of a set operation, or the operation's result. */
typedef struct Side {
   SideKind kind;
   MtQuery **arms;
   int count, cap;
   MtTimes *times; /* SIDE_TIMES: how often a row occurs in the result, depending on the arms */
   MtX **columns;  /* types and nullability of the columns; untyped literals are UNKNOWN */
   int width;
   MtSpan span;
} Side;

static void add_arm (MtBinder *b, Side *s, MtQuery *q)
{
   MT_GROW_IN (b->a, s->arms, s->count, s->cap, 2);
   s->arms[s->count++] = q;
}

static const char *op_name (MtSetOp op)
{
   switch (op) {
   case MT_UNION: return "UNION";
   case MT_INTERSECT: return "INTERSECT";
   case MT_EXCEPT: return "EXCEPT";
   }
   return "";
}

/* ---- arms ---- */

static MtX *column_x (MtBinder *b, int i, const MtX *from)
{
   MtX *c = mt_x_new (b->a, MT_X_COLUMN, from->type, from->span);
   c->column = i;
   mt_x_refers (c, from);
   return c;
}

/* Returns whether column x has no infinite times, even after it is cast to the common type of the
 * set operation. An untyped literal may become infinite. */
static bool stays_finite (const MtX *x) { return x->finite && x->type.id != MT_T_UNKNOWN; }

/* Wraps a member query in a sub-select. Casts that are added to the outer query are applied after
 * DISTINCT, ORDER BY and LIMIT of the member query. */
static MtQuery *wrap (MtBinder *b, MtQuery *arm)
{
   MtQuery *q = MT_NEW (b->a, MtQuery);
   int n = arm->visible_count;
   q->limit = -1;
   q->rel.kind = MT_REL_QUERY;
   q->rel.alias = "unnamed";
   q->rel.query = arm;
   q->rel.column_count = n;
   q->rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n + 1);
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   q->target_count = q->visible_count = n;
   for (int i = 0; i < n; i++) {
      const MtTargetX *t = &arm->targets[i];
      q->rel.columns[i] = mt_rel_column_of (t->name, t->expr);
      q->targets[i] = (MtTargetX) {t->name, column_x (b, i, t->expr)};
   }
   return q;
}

/* Returns whether a column of member query q is an untyped literal whose type is still open, so
 * that the other member queries decide it. If DISTINCT or ORDER BY has compared the literal, its
 * type is text. */
static bool is_literal (const MtQuery *q, const MtSelect *s, int column)
{
   if (!q->literals || !q->literals[column] || (s->kind == MT_SELECT_PLAIN && s->plain.distinct))
      return false;
   for (int i = 0; i < q->sort_count; i++)
      if (q->sort[i].expr->kind == MT_X_TARGET && q->sort[i].expr->index == column)
         return false;
   return true;
}

static bool bind_arm (MtBinder *b, const MtSelect *s, Side *out)
{
   MtQuery *q;
   if (!mt_bind_query (b, s, &q))
      return false;
   *out = (Side) {.kind = SIDE_ARM,
                  .width = q->visible_count,
                  .columns = MT_NEW_N (b->a, MtX *, (size_t) q->visible_count + 1)};
   add_arm (b, out, q);
   for (int i = 0; i < out->width; i++) {
      out->columns[i] = q->targets[i].expr;
      if (is_literal (q, s, i)) {
         out->columns[i] = MT_NEW (b->a, MtX);
         *out->columns[i] = *q->targets[i].expr;
         out->columns[i]->type = mt_type (MT_T_UNKNOWN);
         if (q->literals[i] > 0) { /* another member query decides the parameter's type */
            out->columns[i]->param = q->literals[i];
            b->env->params->types[q->literals[i] - 1] = mt_type (MT_T_UNKNOWN);
         }
      }
   }
   out->span = out->width ? out->columns[0]->span : s->span;
   return true;
}

static MtTimes *times_of (MtBinder *b, const Side *s)
{
   if (s->kind == SIDE_TIMES)
      return s->times;
   MtTimes *t = MT_NEW (b->a, MtTimes);
   *t = (MtTimes) {.kind = MT_TIMES_ARMS, .all = s->kind != SIDE_DISTINCT, .count = s->count};
   return t;
}

static bool counts_once (const MtTimes *t)
{
   return t->kind == MT_TIMES_ARMS || (!t->all && counts_once (t->left) && counts_once (t->right));
}

/* Makes q the query of a set operation that combines the arms (member queries) of s. */
static void fill_block (MtBinder *b, const Side *s, MtQuery *q)
{
   bool once = s->kind == SIDE_DISTINCT || (s->kind == SIDE_TIMES && counts_once (s->times));
   for (int i = 0; i < s->count && once; i++)
      if (s->arms[i]->limit < 0 && !s->arms[i]->offset)
         mt_distinct_as_groups (b, s->arms[i]);
   q->arms = s->arms;
   q->arm_count = s->count;
   q->times = s->times;
   q->distinct = s->kind == SIDE_DISTINCT;
   q->target_count = q->visible_count = s->width;
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) s->width + 1);
   for (int i = 0; i < s->width; i++) {
      q->targets[i] = (MtTargetX) {s->arms[0]->targets[i].name, column_x (b, i, s->columns[i])};
   }
}

/* If s has several member queries, combines them into one query, which becomes the only arm of
 * s. */
static void seal (MtBinder *b, Side *s)
{
   if (s->kind == SIDE_ARM)
      return;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   q->limit = -1;
   fill_block (b, s, q);
   Side one = {.kind = SIDE_ARM, .columns = s->columns, .width = s->width, .span = s->span};
   add_arm (b, &one, q);
   *s = one;
}

/* ---- types ---- */

static bool cast_column (MtBinder *b, Side *s, int column, MtTypeId t)
{
   for (int i = 0; i < s->count; i++) {
      MtQuery *arm = s->arms[i];
      MtX *from = s->kind == SIDE_ARM ? s->columns[column] : arm->targets[column].expr;
      bool literal = from->type.id == MT_T_UNKNOWN;
      if (arm->distinct || arm->sort_count || arm->limit >= 0 || arm->offset || arm->arm_count)
         s->arms[i] = arm = wrap (b, arm);
      /* A cast of a literal can be applied after DISTINCT and LIMIT, since all rows have the same
       * value. */
      if (!literal)
         from = arm->targets[column].expr;
      if (!mt_coerce (b, from, mt_type (t), MT_COERCE_IMPLICIT, &arm->targets[column].expr))
         return false;
   }
   return true;
}

/* Returns whether a column of a member query has type t. An untyped literal counts as text. */
static bool has_type (const MtX *column, MtTypeId t)
{
   return column->type.id == t || (column->type.id == MT_T_UNKNOWN && t == MT_T_TEXT);
}

/* Casts the columns of operand s to `types`. merges: the arms of s join the arms of the enclosing
 * operation, so the columns are cast in each arm. Otherwise the rows of s must first be compared in
 * their own types, so s becomes one sub-select, whose results are cast. */
static bool cast_side (MtBinder *b, Side *s, bool merges, const MtTypeId *types)
{
   bool same = true;
   for (int i = 0; i < s->width; i++)
      same &= has_type (s->columns[i], types[i]);
   if (same)
      return true;
   if (!merges)
      seal (b, s);
   for (int i = 0; i < s->width; i++)
      if (!has_type (s->columns[i], types[i]) && !cast_column (b, s, i, types[i]))
         return false;
   return true;
}

static bool merges (const Side *s, const MtSelect *op)
{
   return s->kind == SIDE_ARM || s->kind == SIDE_ALL ||
          (s->kind == SIDE_DISTINCT && op->setop.op == MT_UNION && !op->setop.all);
}

static bool unify (MtBinder *b, const MtSelect *op, Side *left, Side *right, Side *out)
{
   const char *what = op_name (op->setop.op);
   int n = left->width;
   if (n != right->width)
      return mt_error_at (b->err, right->span, MT_E_SYNTAX,
                          "each %s query must have the same number of columns", what);
   MtTypeId *types = MT_NEW_N (b->a, MtTypeId, (size_t) n + 1);
   *out = (Side) {
      .width = n, .columns = MT_NEW_N (b->a, MtX *, (size_t) n + 1), .span = left->span};
   for (int i = 0; i < n; i++) {
      MtX *pair[] = {left->columns[i], right->columns[i]};
      if (!mt_common_type (b, pair, 2, what, &types[i]))
         return false;
      for (int k = 0; k < 2; k++) {
         MtX *typed;
         if (pair[k]->type.id == MT_T_UNKNOWN && pair[k]->param &&
             !mt_coerce (b, pair[k], mt_type (types[i]), MT_COERCE_IMPLICIT, &typed))
            return false;
      }
      bool l = pair[0]->nullable, r = pair[1]->nullable;
      out->columns[i] = column_x (b, i, pair[0]);
      out->columns[i]->type = mt_common_modifier (pair, 2, types[i]);
      out->columns[i]->nullable = l;
      if (op->setop.op == MT_UNION)
         out->columns[i]->nullable = l || r;
      else if (op->setop.op == MT_INTERSECT)
         out->columns[i]->nullable = l && r;
      out->columns[i]->finite = stays_finite (pair[0]) && stays_finite (pair[1]);
   }
   return cast_side (b, left, merges (left, op), types) &&
          cast_side (b, right, merges (right, op), types);
}

/* ---- operations ---- */

static void shift (MtTimes *t, int by)
{
   if (t->kind == MT_TIMES_ARMS) {
      t->first += by;
      return;
   }
   shift (t->left, by);
   shift (t->right, by);
}

static void count_rows (MtBinder *b, const MtSelect *op, Side *left, Side *right, Side *out)
{
   static const MtTimesKind kinds[] = {[MT_UNION] = MT_TIMES_UNION,
                                       [MT_INTERSECT] = MT_TIMES_INTERSECT,
                                       [MT_EXCEPT] = MT_TIMES_EXCEPT};
   MtTimes *t = MT_NEW (b->a, MtTimes), *l, *r;
   if (left->kind == SIDE_TIMES && left->times->height >= MOST_HEIGHT)
      seal (b, left);
   if (right->kind == SIDE_TIMES && right->times->height >= MOST_HEIGHT)
      seal (b, right);
   l = times_of (b, left);
   r = times_of (b, right);
   shift (r, left->count);
   *t = (MtTimes) {.kind = kinds[op->setop.op],
                   .all = op->setop.all,
                   .left = l,
                   .right = r,
                   .height = 1 + (l->height > r->height ? l->height : r->height)};
   out->kind = SIDE_TIMES;
   out->times = t;
}

/* Combines the operands of a set operation, and stores the result in *left: left = left op
 * right. */
static bool combine (MtBinder *b, const MtSelect *op, Side *left, Side *right)
{
   Side out;
   bool all = op->setop.all;
   if (!unify (b, op, left, right, &out))
      return false;
   if (op->setop.op == MT_UNION && all) { /* no row is compared */
      if (left->kind != SIDE_ALL)
         seal (b, left);
      if (right->kind != SIDE_ALL)
         seal (b, right);
      out.kind = SIDE_ALL;
   } else if (op->setop.op == MT_UNION && left->kind != SIDE_TIMES && right->kind != SIDE_TIMES)
      out.kind = SIDE_DISTINCT;
   else
      count_rows (b, op, left, right, &out);
   out.arms = left->arms;
   out.count = left->count;
   out.cap = left->cap;
   for (int i = 0; i < right->count; i++)
      add_arm (b, &out, right->arms[i]);
   *left = out;
   return true;
}

static bool bind_side (MtBinder *b, const MtSelect *s, Side *out);

static bool is_part (const MtSelect *s)
{
   return s->kind == MT_SELECT_SETOP && !s->with && !s->order && !s->limit && !s->offset &&
          !s->limit_with_ties && !s->locking;
}

/* Returns the name of operation `op`, "EXCEPT" or "INTERSECT", if a recursive query must not refer
 * to itself in the right or left operand of `op`. Returns NULL if it may. */
static const char *context_of (const MtSelect *op, bool right)
{
   bool matters = op->setop.op == MT_EXCEPT ? right || op->setop.all
                                            : op->setop.op == MT_INTERSECT && op->setop.all;
   return matters ? op_name (op->setop.op) : NULL;
}

/* Analyzes query s, an operand of a set operation, into *out. op: the operation whose right operand
 * s is; NULL: s is the leftmost member query. chain: the n operations in whose left operand s
 * lies. */
static bool bind_part (MtBinder *b, const MtSelect *s, const MtSelect *op, const MtSelect **chain,
                       int n, Side *out)
{
   const char *was = b->binding ? b->binding->context : NULL,
              *context = op ? context_of (op, true) : NULL;
   for (int i = 0; i < n && !context; i++)
      context = context_of (chain[i], false);
   if (b->binding && context)
      b->binding->context = context;
   bool ok = op && is_part (s) ? bind_side (b, s, out) : bind_arm (b, s, out);
   if (b->binding)
      b->binding->context = was;
   return ok;
}

/* Analyzes a tree of set operations into *out. A loop, not recursion, walks down the left operands,
 * since chains such as a UNION b UNION c … can be long. */
static bool bind_side (MtBinder *b, const MtSelect *s, Side *out)
{
   int n = 1;
   for (const MtSelect *l = s->setop.left; is_part (l); l = l->setop.left)
      n++;
   const MtSelect **chain = MT_NEW_N (b->a, const MtSelect *, (size_t) n);
   for (int i = n; i > 0; i--, s = s->setop.left)
      chain[i - 1] = s;
   if (!mt_enter (b, s->span))
      return false;
   bool ok = bind_part (b, s, NULL, chain, n, out);
   for (int i = 0; i < n && ok; i++) {
      Side right;
      ok = bind_part (b, chain[i]->setop.right, chain[i], chain + i + 1, n - i - 1, &right) &&
           combine (b, chain[i], out, &right);
   }
   mt_leave (b);
   return ok;
}

/* ---- recursion ---- */

static bool bind_one (MtBinder *b, const MtSelect *s, Side *out)
{
   if (!(is_part (s) ? bind_side (b, s, out) : bind_arm (b, s, out)))
      return false;
   seal (b, out);
   return true;
}

/* Returns the name of a type with its modifier, such as varchar(3) or numeric(5,2). */
static const char *type_text (MtArena *a, MtType t)
{
   const char *name = mt_type_info (t.id)->display;
   if (t.mod1 < 0)
      return name;
   return t.mod2 < 0 ? mt_printf (a, "%s(%d)", name, t.mod1)
                     : mt_printf (a, "%s(%d,%d)", name, t.mod1, t.mod2);
}

/* Checks that base UNION [ALL] step of a recursive query keeps the column types of the base. Fails
 * with 42804 if the step would change a type. */
static bool check_types (MtBinder *b, const MtCte *cte, const Side *base, const Side *step)
{
   for (int i = 0; i < base->width && i < step->width; i++) {
      MtX *pair[] = {base->columns[i], step->columns[i]};
      MtType first = pair[0]->type, other = pair[1]->type;
      MtTypeId t;
      if (!mt_common_type (b, pair, 2, "UNION", &t))
         return false;
      bool limited = first.mod1 >= 0 &&
                     (other.id != first.id || other.mod1 != first.mod1 || other.mod2 != first.mod2);
      if (t == first.id && !limited)
         continue;
      mt_error_at (
         b->err, pair[0]->span, MT_E_DATATYPE_MISMATCH,
         "recursive query \"%s\" column %d has type %s in non-recursive term but type %s overall",
         cte->name.text, i + 1, type_text (b->a, first), mt_type_info (t)->display);
      return mt_error_hint (b->err,
                            "Cast the output of the non-recursive term to the correct type.");
   }
   return true;
}

bool mt_bind_recursion (MtBinder *b, const MtCte *cte, MtBeforeStep before, void *ctx,
                        MtQuery **out)
{
   const MtSelect *s = cte->query;
   const MtCteBind *ctes = b->ctes;
   Side base, step, whole;
   MtQuery *q = *out = MT_NEW (b->a, MtQuery);
   if (!mt_push_ctes (b, s) || !bind_one (b, s->setop.left, &base))
      return false;
   for (int i = 0; i < base.width; i++) { /* literals are text from here on */
      if (!mt_settle_unknown (b, &base.columns[i]))
         return false;
      base.columns[i] = base.arms[0]->targets[i].expr;
   }
   if (!before (b, ctx, base.arms[0]) || !bind_one (b, s->setop.right, &step) ||
       !check_types (b, cte, &base, &step) || !unify (b, s, &base, &step, &whole))
      return false;
   b->ctes = ctes;
   whole.kind = SIDE_ALL;
   add_arm (b, &whole, base.arms[0]);
   add_arm (b, &whole, step.arms[0]);
   for (int i = 0; i < whole.width; i++)
      mt_x_refers_column (whole.columns[i], &(MtRelColumn) {.nullable = true});
   q->limit = -1;
   fill_block (b, &whole, q);
   q->work_all = s->setop.all;
   return true;
}

/* ---- the entry point ---- */

/* Checks that ORDER BY of a set operation uses only result columns. */
static bool check_order (MtBinder *b, const MtSelect *s, const MtRel *rel)
{
   for (const MtOrderItem *o = s->order; o; o = o->next) {
      if (mt_order_is_all (o))
         continue;
      bool name = o->expr->kind == MT_EXPR_COLUMN && !o->expr->column.parts->next;
      if (name) {
         if (mt_rel_column (rel, &o->expr->column.parts->name) == -1)
            return mt_error_at (b->err, o->expr->span, MT_E_UNDEFINED_COLUMN,
                                "column \"%s\" does not exist", o->expr->column.parts->name.text) ||
                   mt_names_near (b, rel, o->expr->column.parts->name.text);
      } else if (o->expr->kind != MT_EXPR_INTEGER) {
         mt_error_at (b->err, o->expr->span, MT_E_FEATURE,
                      "invalid UNION/INTERSECT/EXCEPT ORDER BY clause");
         mt_error_detail (b->err,
                          "Only result column names can be used, not expressions or functions.");
         return mt_error_hint (
            b->err,
            "Add the expression/function to every SELECT, or move the UNION into a FROM clause.");
      }
   }
   return true;
}

bool mt_bind_setop (MtBinder *b, const MtSelect *s, MtQuery *q)
{
   Side whole;
   if (!bind_side (b, s, &whole))
      return false;
   fill_block (b, &whole, q);
   MtRel rel = {.kind = MT_REL_NONE, .column_count = whole.width};
   rel.columns = MT_NEW_N (b->a, MtRelColumn, (size_t) whole.width + 1);
   for (int i = 0; i < whole.width; i++)
      rel.columns[i] = mt_rel_column_of (q->targets[i].name, q->targets[i].expr);
   MtScope scope = {.rel = &rel, .clause = MT_CLAUSE_ORDER};
   return check_order (b, s, &rel) && mt_bind_order (b, &scope, s->order, q) &&
          mt_bind_limit (b, s, q);
}
