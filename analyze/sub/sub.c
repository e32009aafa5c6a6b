/* Sub-selects as expressions. An uncorrelated sub-select runs during analysis, and its result is a
 * constant. A correlated sub-select becomes a join to the enclosing query (correlated.c). */
#include "analyze/sub/sub.h"

#include "analyze/calls/call.h"
#include "analyze/calls/fold.h"
#include "analyze/state/outer.h"
#include "analyze/sub/row.h"
#include "analyze/sub/sub_int.h"
#include "parser/parser.h"
#include "planner/rewrite/push.h"

#include <string.h>

/* The maximum number of rows of a sub-select for IN, ANY and ALL that is computed during analysis.
 * A sub-select with more rows fails with 54000. */
#define MOST_ROWS 100000

/* Analyzes a sub-select. Sets *correlated if it refers to an enclosing query, or reads the newest
 * rows of an enclosing recursive query. */
static bool bind_query (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtQuery **out,
                        bool *correlated)
{
   MtOuter outer = {.scope = s, .next = b->outer};
   if (s->clause == MT_CLAUSE_EXECUTE)
      return mt_error_at (b->err, span, MT_E_FEATURE, "cannot use subquery in EXECUTE parameter");
   if (s->clause == MT_CLAUSE_DEFAULT)
      return mt_error_at (b->err, span, MT_E_FEATURE, "cannot use subquery in DEFAULT expression");
   if (s->clause == MT_CLAUSE_COPY)
      return mt_error_at (b->err, span, MT_E_FEATURE,
                          "cannot use subquery in COPY FROM WHERE condition");
   if (s->clause == MT_CLAUSE_CHECK)
      return mt_error_at (b->err, span, MT_E_FEATURE, "cannot use subquery in check constraint");
   if (s->clause == MT_CLAUSE_INDEX)
      return mt_error_at (b->err, span, MT_E_FEATURE, "cannot use subquery in index predicate");
   if (!b->env->run)
      return mt_refuse (b, span, "a sub-select in an expression is");
   int recursions = b->recursions, oldest = b->oldest;
   b->outer = &outer;
   b->oldest = INT32_MAX;
   bool ok = mt_bind_query (b, select, out);
   bool of_step = b->oldest <= recursions;
   b->oldest = oldest < b->oldest ? oldest : b->oldest;
   b->outer = outer.next;
   if (ok && b->reach)
      mt_reach_query (b->reach, *out);
   *correlated = outer.crossed || of_step;
   return ok;
}

/* Analyzes a sub-select. If it is not correlated, also computes its constant parts. */
static bool bind_sub (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtQuery **out,
                      bool *correlated)
{
   bool ok = bind_query (b, s, select, span, out, correlated);
   if (!ok || *correlated)
      return ok;
   if (!mt_fold_query (b, *out))
      return false;
   mt_push_query (b->a, *out);
   return true;
}

bool mt_bind_row_sub (MtBinder *b, MtScope *s, const MtSelect *select, MtSpan span, MtRow *out)
{
   MtQuery *q;
   bool correlated;
   return bind_query (b, s, select, span, &q, &correlated) &&
          mt_correlated_row (b, s, q, span, out);
}

static bool run_most (MtBinder *b, const MtQuery *q, size_t most, MtVals *out)
{
   MtSharing *all = mt_sharing (b);
   all->ran = true;
   all->varied += mt_query_is_volatile (q);
   return b->env->run (b->env->ctx, b->a, q, most, out, b->err);
}

/* Runs the uncorrelated sub-select q, and stores the values of its only column in *out. most: the
 * maximum number of rows. columns: the end of the message if q has several columns. */
static bool run (MtBinder *b, MtQuery *q, MtSpan span, size_t most, const char *columns,
                 MtVals *out)
{
   if (q->visible_count != 1)
      return mt_error_at (b->err, span, MT_E_SYNTAX, "subquery %s",
                          q->visible_count ? columns : "has too few columns");
   if (run_most (b, q, most, out))
      return true;
   if (b->err->span.start >= 0) /* the error's position is one in another text */
      b->err->span = span;
   return false;
}

bool mt_bind_scalar_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtQuery *q;
   MtVals rows;
   bool correlated;
   if (!bind_sub (b, s, e->subquery, e->span, &q, &correlated))
      return false;
   if (correlated)
      return mt_correlated_value (b, s, q, e->span, out);
   if (!run (b, q, e->span, 2, "must return only one column", &rows))
      return false;
   if (rows.n > 1)
      return mt_error (b->err, MT_E_CARDINALITY,
                       "more than one row returned by a subquery used as an expression");
   *out = mt_x_const (b->a, q->targets[0].expr->type, rows.n ? rows.v[0] : mt_v_null (), e->span);
   return true;
}

bool mt_bind_exists (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtQuery *q;
   MtVals values;
   bool correlated;
   if (!bind_sub (b, s, e->subquery, e->span, &q, &correlated))
      return false;
   if (correlated)
      return mt_correlated_exists (b, s, q, e->span, out);
   if (!run_most (b, q, 1, &values))
      return false;
   *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (values.n > 0), e->span);
   return true;
}

/* ---- IN, ANY, ALL ---- */

/* Analyzes ROW (…) op ANY (SELECT …) or ALL. The sub-select is joined to the enclosing query. */
static bool quantified_row (MtBinder *b, MtScope *s, const MtExpr *value, const MtQuantifier *how,
                            const MtSelect *select, MtX **out)
{
   MtRow left;
   MtQuery *q;
   bool correlated;
   return mt_bind_fields (b, s, value, &left) &&
          bind_query (b, s, select, how->span, &q, &correlated) &&
          mt_correlated_any (b, s, &left, how, q, out);
}

/* Analyzes `left op ANY (SELECT …)` and `left op ALL (SELECT …)`. For no rows, ANY is false and ALL
 * is true. */
static bool quantified (MtBinder *b, MtScope *s, const MtExpr *value, const MtQuantifier *how,
                        const MtSelect *select, MtX **out)
{
   MtSpan span = how->span;
   MtX *left, *probe;
   MtQuery *q;
   MtVals rows;
   bool correlated;
   if (mt_is_row (value))
      return quantified_row (b, s, value, how, select, out);
   if (!mt_bind_x (b, s, value, &left) || !bind_sub (b, s, select, span, &q, &correlated))
      return false;
   if (correlated)
      return mt_correlated_any (b, s, &(MtRow) {&left, 1}, how, q, out);
   if (!run (b, q, span, MOST_ROWS + 1, "has too many columns", &rows))
      return false;
   MtType t = q->targets[0].expr->type;
   if (!mt_bind_operator (b, how->op, span, left, mt_x_null (b->a, t, span), &probe))
      return false;
   if (probe->type.id != MT_T_BOOL)
      return mt_error_at (b->err, span, MT_E_DATATYPE_MISMATCH,
                          "row comparison operator must yield type boolean, not type %s",
                          mt_type_display (b->a, probe->type));
   if (rows.n > MOST_ROWS)
      return mt_error_at (b->err, span, MT_E_LIMIT,
                          "a sub-select in an expression gives more than %d rows", MOST_ROWS);
   if (rows.n == 0) {
      *out = mt_x_const (b->a, mt_type (MT_T_BOOL), mt_v_bool (how->all), span);
      return true;
   }
   MtX **list = MT_NEW_N (b->a, MtX *, rows.n);
   for (size_t i = 0; i < rows.n; i++)
      list[i] = mt_x_const (b->a, t, rows.v[i], span);
   return mt_compare_any (b, left, how, list, (int) rows.n, out);
}

bool mt_bind_in_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtQuantifier how = {e->in.negated ? "<>" : "=", e->in.negated, e->at};
   return quantified (b, s, e->in.value, &how, e->in.subquery, out);
}

bool mt_bind_quantified (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   static const char *const words[][2] = {
      {"!=", "<>"}, {"LIKE", "~~"}, {"NOT LIKE", "!~~"}, {"ILIKE", "~~*"}, {"NOT ILIKE", "!~~*"}};
   MtQuantifier how = {e->quantified.op, e->quantified.all, e->quantified.op_span};
   for (size_t i = 0; i < sizeof words / sizeof *words; i++)
      if (mt_ieq (how.op, words[i][0]))
         how.op = words[i][1];
   if (e->quantified.subquery)
      return quantified (b, s, e->quantified.left, &how, e->quantified.subquery, out);
   MtX *left, *array;
   return mt_bind_x (b, s, e->quantified.left, &left) &&
          mt_bind_x (b, s, e->quantified.array, &array) &&
          mt_bind_any_array (b, left, &how, array, out);
}

/* ---- ARRAY ---- */

/* Converts ARRAY (correlated sub-select) to array_agg over its rows. */
static bool gathered (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   static const char text[] = "(SELECT array_agg(x) FROM (SELECT NULL) AS s (x))";
   MtExpr *rows;
   MtX **list = MT_NEW_N (b->a, MtX *, 2);
   MtVal empty;
   if (!mt_parse_expr (b->a, text, strlen (text), &rows, b->err) ||
       !mt_v_make_array (b->a, NULL, 0, &empty, b->err))
      return false;
   rows->subquery->plain.from->subquery = e->subquery;
   if (!mt_bind_scalar_sub (b, s, rows, &list[0]))
      return false;
   list[1] = mt_x_const (b->a, list[0]->type, empty, e->span);
   *out = mt_x_list (b->a, MT_X_COALESCE, list[0]->type, list, 2, e->span);
   return true;
}

static bool array_of_arrays (MtBinder *b, const MtVal *values, int n, MtType t, MtSpan span,
                             MtX **out)
{
   MtX **list = MT_NEW_N (b->a, MtX *, (size_t) n + 1);
   for (int i = 0; i < n; i++)
      list[i] = mt_x_const (b->a, t, values[i], span);
   *out = mt_x_call (b->a, mt_hidden_func ("$array_of_arrays"), t, list, n, span);
   return mt_fold (b, out);
}

bool mt_bind_array_sub (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   MtQuery *q;
   MtVals rows;
   MtVal array;
   bool correlated;
   if (!bind_sub (b, s, e->subquery, e->span, &q, &correlated))
      return false;
   if (correlated)
      return gathered (b, s, e, out);
   if (!run (b, q, e->span, MOST_ROWS + 1, "must return only one column", &rows))
      return false;
   if (rows.n > MOST_ROWS)
      return mt_error_at (b->err, e->span, MT_E_LIMIT,
                          "a sub-select in an expression gives more than %d rows", MOST_ROWS);
   MtType t = q->targets[0].expr->type;
   if (mt_type_is_array (t.id))
      return array_of_arrays (b, rows.v, (int) rows.n, t, e->span, out);
   t = t.mod1 < 0 ? mt_type_flat (t.id) : (MtType) {mt_type_array (t.id), t.mod1, t.mod2};
   if (!mt_v_make_array (b->a, rows.v, rows.n, &array, b->err))
      return false;
   *out = mt_x_const (b->a, t, array, e->span);
   return true;
}
