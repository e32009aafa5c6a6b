/* FROM with WINDOW JOINs: the left and right sides, ON and USING, the range of times around each
 * left row, and the prevailing row (the last right row before the range). */
#include "analyze/from/window_join.h"

#include "analyze/calls/call.h"
#include "analyze/from/from_int.h"
#include "analyze/names/joined.h"
#include "analyze/names/names.h"
#include "analyze/names/time_column.h"
#include "analyze/types/coerce.h"
#include "planner/emit/eval.h"
#include "types/datetime.h"

/* State of the analysis of one WINDOW JOIN. */
typedef struct Side {
   MtBinder *b;
   const MtFrom *f;
   MtWindowJoin *w;
   MtWindowSide *side;
   MtRel *rel;            /* the left side, to which the prevailing rows are joined */
   int scope;             /* the id of the left side's scope */
   MtX *left_time, *time; /* left_time: an MT_X_OUTER; time: the right side's column */
   MtX *on;               /* the ON condition; left columns are MT_X_OUTER; NULL: no ON */
   MtX *start, *end;      /* the ends of the time range around a left row */
   MtInterval low, high;  /* their distances from the left row's time */
} Side;

static bool refuse (MtBinder *b, MtSpan span, const char *what, const char *hint)
{
   mt_refuse (b, span, what);
   return mt_error_hint (b->err, "%s", hint);
}

/* ---- columns ---- */

static MtX *outer (const Side *s, const MtX *column)
{
   MtX *x = mt_x_new (s->b->a, MT_X_OUTER, column->type, column->span);
   x->outer.scope = s->scope;
   x->outer.column = column->column;
   const char *table = mt_column_table (s->rel, column->column),
              *name = s->rel->columns[column->column].name;
   x->outer.name = table ? mt_printf (s->b->a, "%s.%s", table, name) : name;
   mt_x_refers (x, column);
   return x;
}

static MtX *to_outer (void *ctx, const MtX *column) { return outer (ctx, column); }

static const char no_time[] = "Declare a column of the table as TIME, or use a sub-select in the "
                              "select list: (SELECT … FROM … WHERE time BETWEEN … AND …).";

static bool find_time (Side *s)
{
   MtTimeUse right = {"WINDOW JOIN", "on its right side", no_time, s->f->join.right->span};
   return mt_find_time (s->b, &s->side->rel, &right, &s->time);
}

/* ---- ON and USING ---- */

static bool bind_using (Side *s, const MtNameList *list)
{
   MtNames left = mt_names_all (s->rel), right = mt_names_all (&s->side->rel);
   for (const MtNameList *c = list; c; c = c->next) {
      int l = mt_names_find (&left, &c->name), r = mt_names_find (&right, &c->name);
      MtX *same;
      if (l < 0 || r < 0)
         return mt_error_at (
            s->b->err, c->name.span,
            l == -2 || r == -2 ? MT_E_AMBIGUOUS_COLUMN : MT_E_UNDEFINED_COLUMN,
            l == -2 || r == -2
               ? "common column name \"%s\" appears more than once in %s table"
               : "column \"%s\" specified in USING clause does not exist in %s table",
            c->name.text, l < 0 ? "left" : "right");
      if (!mt_bind_operator (s->b, "=", c->name.span,
                             mt_x_map_columns (s->b->a, mt_names_x (s->b, &left, l, c->name.span),
                                               to_outer, s),
                             mt_names_x (s->b, &right, r, c->name.span), &same))
         return false;
      s->on = mt_x_both (s->b->a, s->on, same);
   }
   return true;
}

static bool bind_on (Side *s)
{
   if (s->f->join.using_alias.text)
      return mt_refuse (s->b, s->f->join.using_alias.span, "an alias of USING in a WINDOW JOIN is");
   if (s->f->join.using_columns)
      return bind_using (s, s->f->join.using_columns);
   if (!s->f->join.on)
      return true;
   MtScope scope = {.rel = &s->side->rel, .clause = MT_CLAUSE_ON, .only_true = true};
   MtOuter left = s->w->left;
   left.next = s->b->outer;
   s->b->outer = &left;
   bool ok = mt_bind_bool (s->b, &scope, s->f->join.on, "JOIN/ON", &s->on);
   s->b->outer = left.next;
   return ok;
}

/* ---- the range ---- */

/* Analyzes a bound of the range. *out: the time of the bound, an expression over the left row's
 * time. *distance: the interval from the left row's time to the bound; it is negative for
 * PRECEDING. */
static bool bind_bound (Side *s, const MtJoinBound *bound, MtX **out, MtInterval *distance)
{
   MtX *width;
   *out = s->left_time;
   *distance = (MtInterval) {0};
   if (bound->unbounded)
      return refuse (s->b, bound->span, "UNBOUNDED in a WINDOW JOIN is",
                     "Use a wide interval, or a window function over a UNION ALL of both tables.");
   if (!bound->width)
      return true;
   if (!mt_bind_distance (s->b, bound->width, "a bound of a WINDOW JOIN", MT_T_INTERVAL, &width) ||
       !mt_bind_operator (s->b, bound->following ? "+" : "-", bound->span, s->left_time, width,
                          out))
      return false;
   MtInterval iv = mt_v_to_interval (width->value);
   int sign = bound->following ? 1 : -1;
   *distance = (MtInterval) {.days = sign * iv.days, .us = sign * iv.us};
   return true;
}

static double seconds (MtInterval iv) { return iv.days * 86400.0 + (double) iv.us / 1e6; }

static bool bind_range (Side *s)
{
   const MtJoinRange *r = s->f->join.range;
   if (!bind_bound (s, &r->from, &s->start, &s->low) || !bind_bound (s, &r->to, &s->end, &s->high))
      return false;
   if (seconds (s->low) <= seconds (s->high))
      return true;
   return mt_error_at (s->b->err, r->span, MT_E_PARAMETER,
                       "the range of a WINDOW JOIN must not end before it begins");
}

/* ---- the prevailing row: the last right row before the range ---- */

static MtX *of_pair (void *ctx, const MtX *leaf)
{
   const Side *s = ctx;
   if (leaf->kind == MT_X_OUTER)
      return leaf->outer.scope == s->scope ? mt_outer_value (s->b->a, leaf) : (MtX *) leaf;
   return mt_x_shift (s->b->a, leaf, s->rel->column_count);
}

/* Splits the ON condition into *keys, the conditions that also use left columns, and *own, those
 * that use only the right side. NULL: there are none. */
static void split_on (Side *s, MtX **keys, MtX **own)
{
   int n;
   MtX **parts = mt_conjuncts (s->b->a, s->on, &n);
   *keys = *own = NULL;
   for (int i = 0; i < n; i++) {
      MtX **to = mt_x_has_outer (parts[i], s->scope) ? keys : own;
      *to = mt_x_both (s->b->a, *to, parts[i]);
   }
}

/* Adds the prevailing row to the range: the right row with the last time at or before the start of
 * the range. An ASOF LEFT JOIN to the left side finds this time, and the range then starts at
 * it. */
static bool bind_prevailing (Side *s)
{
   static const char hint[] = "Join equalities between both sides, and conditions on the right "
                              "side, by AND. Or add EXCLUDE PREVAILING.";
   MtArena *a = s->b->a;
   MtX *keys, *own, *time, *on, **either = MT_NEW_N (a, MtX *, 2);
   MtRel *right = MT_NEW (a, MtRel);
   int columns = s->rel->column_count, count = s->side->rel.column_count;
   MtAsof parts;
   const char *why;
   split_on (s, &keys, &own);
   MtQuery *rows = mt_query_over (s->b, &s->side->rel, count, own);
   if (mt_query_is_volatile (rows))
      return refuse (s->b, s->f->span, "this WINDOW JOIN is",
                     "The right side must not have volatile functions.");
   if (!mt_coerce (s->b, s->time, s->start->type, MT_COERCE_IMPLICIT, &time) ||
       !mt_bind_operator (s->b, ">=", s->f->span, s->start, time, &on))
      return false;
   *right = s->side->rel;
   mt_become_query (right, mt_query_copy (a, rows));
   on = mt_x_map_leaves (a, keys ? mt_x_both (a, keys, on) : on, of_pair, s);
   if (!mt_join_unnamed (s->b, s->rel, right, false, s->f->span))
      return false;
   s->rel->join->on = on;
   s->rel->join->asof = true;
   if (!mt_asof_parts (a, s->rel->join, &parts, &why))
      return refuse (s->b, s->f->span,
                     "this condition of a WINDOW JOIN that includes the "
                     "prevailing row is",
                     hint);
   MtX *found = mt_x_new (a, MT_X_COLUMN, s->time->type, s->f->span);
   found->column = columns + s->time->column;
   mt_x_refers_column (found, &s->rel->columns[found->column]);
   if (!mt_coerce (s->b, outer (s, found), s->start->type, MT_COERCE_IMPLICIT, &either[0]))
      return false;
   either[1] = s->start;
   s->start = mt_x_list (a, MT_X_COALESCE, s->start->type, either, 2, s->f->span);
   return true;
}

/* ---- sides ---- */

static bool bind_side (Side *s)
{
   MtX *from, *to;
   if (!find_time (s) || !bind_on (s) || !bind_range (s) ||
       (!s->f->join.range->exclude && !bind_prevailing (s)) ||
       !mt_bind_operator (s->b, ">=", s->f->span, s->time, s->start, &from) ||
       !mt_bind_operator (s->b, "<=", s->f->span, s->time, s->end, &to))
      return false;
   s->side->where = mt_x_both (s->b->a, mt_x_both (s->b->a, s->on, from), to);
   return true;
}

/* Analyzes the leftmost item, then the right side of each WINDOW JOIN in order. */
static bool bind_items (MtBinder *b, const MtFrom *f, MtRel *rel, MtWindowJoin *w)
{
   if (f->kind != MT_FROM_JOIN || f->join.kind != MT_JOIN_WINDOW || f->alias.text)
      return mt_bind_from_item (b, f, rel);
   if (!bind_items (b, f->join.left, rel, w))
      return false;
   MtWindowSide *side = &w->sides[w->count];
   side->span = f->span;
   side->first = w->rel.column_count;
   if (!mt_bind_from_item (b, f->join.right, &side->rel))
      return false;
   MtRel *before = MT_NEW (b->a, MtRel), *right = MT_NEW (b->a, MtRel);
   *before = w->rel;
   *right = side->rel;
   w->rel = (MtRel) {.kind = MT_REL_NONE};
   if (w->count++)
      return mt_join_rels (b, before, right, f->span, &w->rel);
   w->rel = *right;
   return true;
}

static int count_sides (const MtFrom *f)
{
   int n = 0;
   for (; f->kind == MT_FROM_JOIN && f->join.kind == MT_JOIN_WINDOW; f = f->join.left)
      n++;
   return n;
}

/* Checks that no table on the left has the same name as a table on the right of a WINDOW JOIN. */
static bool check_names (MtBinder *b, const MtFrom *f, const MtRel *rel, const MtWindowJoin *w)
{
   MtRel left = *rel, right = w->rel, all = {.kind = MT_REL_NONE};
   return mt_join_rels (b, &left, &right, f->span, &all);
}

/* Returns the WINDOW JOIN whose right side is number i. For i == -1, returns the leftmost item of
 * FROM. */
static const MtFrom *item_of (const MtFrom *f, const MtWindowJoin *w, int i)
{
   for (int k = w->count - 1; k > i; k--)
      f = f->join.left;
   return f;
}

static bool bind_sides (MtBinder *b, int scope, const MtFrom *f, MtRel *rel, MtWindowJoin *w)
{
   MtTimeUse use = {"WINDOW JOIN", "on its left side", no_time, item_of (f, w, -1)->span};
   MtX *time;
   if (!mt_find_time (b, rel, &use, &time))
      return false;
   for (int i = 0; i < w->count; i++) {
      Side side = {
         .b = b, .f = item_of (f, w, i), .w = w, .side = &w->sides[i], .rel = rel, .scope = scope};
      side.left_time = outer (&side, time);
      if (!bind_side (&side))
         return false;
   }
   return true;
}

bool mt_bind_window_join (MtBinder *b, MtScope *s, const MtFrom *f, MtRel *rel, MtWindowJoin **out)
{
   int n = f && !f->alias.text ? count_sides (f) : 0;
   *out = NULL;
   if (!n)
      return true;
   if (f->next)
      return refuse (b, f->next->span, "a further item of FROM behind a WINDOW JOIN is",
                     "Put the WINDOW JOIN into a sub-select.");
   MtWindowJoin *w = *out = MT_NEW (b->a, MtWindowJoin);
   w->sides = MT_NEW_N (b->a, MtWindowSide, (size_t) n);
   w->scope.rel = &w->rel;
   w->left = (MtOuter) {.scope = s, .shares = true};
   if (!bind_items (b, f, rel, w) || !check_names (b, f, rel, w))
      return false;
   return bind_sides (b, mt_scope_id (b, s), f, rel, w);
}
