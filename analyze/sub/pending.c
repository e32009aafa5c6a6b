/* Correlated sub-selects in the select list, HAVING and ORDER BY. They are collected, and joined
 * after the whole block was analyzed, because only then it is known whether the block is grouped.
 * Without grouping, they are joined to FROM, like those in WHERE. With grouping, the grouped block
 * becomes a sub-select in FROM, and they are joined to it; the outer expressions then refer to the
 * columns of this sub-select. */
#include "analyze/sub/pending.h"

#include "analyze/group/blocks.h"
#include "analyze/names/joined.h"
#include "parser/parser.h"
#include "query/condition.h"
#include "query/window.h"

#include <string.h>

typedef struct MtSameSub {
   const char *text;
   const MtX *guard;
   MtX *x;
   bool key; /* the expression may be a key of GROUP BY */
   struct MtSameSub *next;
} MtSameSub;

static bool is_aggregate (void *ctx, const MtX *x) { return x->kind == MT_X_AGG; }

static bool has_aggregate (const MtX *x) { return x && mt_x_find (x, is_aggregate, NULL); }

/* Returns whether the sub-selects from s->pending[first] on may be part of a GROUP BY key: none of
 * them refers to an aggregate. */
static bool may_be_key (const MtScope *s, int first)
{
   bool ok = true;
   for (int i = first; i < s->pending_count && ok; i++) {
      const MtJoin *j = s->pending[i].join;
      ok = !has_aggregate (j->on) && !has_aggregate (j->when);
      for (int k = 0; k < j->let_count && ok; k++)
         ok = !has_aggregate (j->lets[k].x);
   }
   return ok;
}

static bool same_guard (const MtX *a, const MtX *b) { return a && b ? mt_x_equal (a, b) : a == b; }

bool mt_bind_once (MtBinder *b, MtScope *s, const MtExpr *e,
                   bool (*bind) (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out), MtX **out)
{
   MtBuf text = {0};
   int before = s->pending_count;
   if (!s->defers || s->in_aggregate || s->clause == MT_CLAUSE_WHERE ||
       s->clause == MT_CLAUSE_FILTER)
      return bind (b, s, e, out);
   mt_print_expr (e, &text);
   for (const MtSameSub *k = s->same; k; k = k->next)
      if (strcmp (k->text, text.p) == 0 && same_guard (k->guard, s->guard) &&
          (k->key || s->clause != MT_CLAUSE_GROUP)) {
         mt_buf_free (&text);
         *out = k->x;
         return true;
      }
   const char *own = mt_strdup (b->a, text.p);
   mt_buf_free (&text);
   if (!bind (b, s, e, out))
      return false;
   if (s->pending_count > before && !(*out)->is_volatile) {
      MtSameSub *k = MT_NEW (b->a, MtSameSub);
      *k = (MtSameSub) {own, s->guard, *out, may_be_key (s, before), s->same};
      s->same = k;
   }
   return true;
}

MtPending *mt_pending_new (MtBinder *b, MtScope *s, MtRel *right, const MtJoin *how, MtSpan span)
{
   MT_GROW_IN (b->a, s->pending, s->pending_count, s->pending_cap, 4);
   MtPending *p = &s->pending[s->pending_count++];
   *p = (MtPending) {.right = right,
                     .join = MT_NEW (b->a, MtJoin),
                     .first = MT_PENDING_COLUMN + s->pending_columns,
                     .span = span};
   *p->join = *how;
   s->pending_columns += right->column_count + how->mark;
   return p;
}

/* ---- joins to FROM ---- */

typedef struct Settle {
   MtBinder *b;
   const MtScope *s;
   const MtPending *only; /* the sub-select that `mentions` looks for */
   bool found;
} Settle;

static MtX *settled_column (void *ctx, const MtX *column)
{
   const Settle *t = ctx;
   const MtPending *p = column->column >= MT_PENDING_COLUMN ? mt_pending_of (t->s, column->column)
                                                            : NULL;
   if (!p || !p->at)
      return (MtX *) column;
   MtX *x = MT_NEW (t->b->a, MtX);
   *x = *column;
   x->column = p->at - 1 + column->column - p->first;
   return x;
}

static bool settle_x (void *ctx, MtX **x)
{
   const Settle *t = ctx;
   if (*x)
      *x = mt_x_map_columns (t->b->a, *x, settled_column, ctx);
   return true;
}

static bool become_join (Settle *t, MtRel *rel, MtPending *p)
{
   int at = rel->column_count;
   if (!mt_join_unnamed (t->b, rel, p->right, p->join->mark, p->span))
      return false;
   MtJoin *j = rel->join;
   MtRel *left = j->left;
   p->at = at + 1;
   *j = *p->join;
   j->left = left;
   j->right = p->right;
   settle_x (t, &j->on);
   settle_x (t, &j->when);
   for (int i = 0; i < j->let_count; i++)
      settle_x (t, &j->lets[i].x);
   return true;
}

static void settle_block (Settle *t, MtScope *s, MtQuery *q)
{
   mt_results_each (q, settle_x, t);
   for (int i = 0; i < q->key_count; i++)
      settle_x (t, &q->keys[i]);
   settle_x (t, &q->having);
   settle_x (t, &q->where);
   mt_windows_each (s->windows, settle_x, t);
   for (int i = 0; i < s->pending_count; i++) {
      MtJoin *j = s->pending[i].join;
      settle_x (t, &j->on);
      settle_x (t, &j->when);
      for (int k = 0; k < j->let_count; k++)
         settle_x (t, &j->lets[k].x);
   }
}

static void see_pending (void *ctx, int column)
{
   Settle *t = ctx;
   t->found = t->found || (column >= MT_PENDING_COLUMN &&
                           (!t->only || mt_pending_of (t->s, column) == t->only));
}

static bool mentions (Settle *t, const MtX *x, const MtPending *only)
{
   t->only = only;
   t->found = false;
   if (x)
      mt_x_each_column (x, see_pending, t);
   return t->found;
}

bool mt_pending_below (MtBinder *b, MtScope *s, MtQuery *q)
{
   Settle t = {.b = b, .s = s};
   bool grouped = q->key_count || s->agg_count || q->having || q->grouped;
   int last = grouped ? -1 : s->pending_count - 1;
   for (int k = 0; k < q->key_count; k++) /* takes the sub-selects in keys, and all before them */
      for (int i = 0; i < s->pending_count; i++)
         if (mentions (&t, q->keys[k], &s->pending[i]))
            last = i > last ? i : last;
   for (int i = 0; i <= last; i++)
      if (!become_join (&t, &q->rel, &s->pending[i]))
         return false;
   if (last >= 0)
      settle_block (&t, s, q);
   return true;
}

/* ---- joins to the grouped rows ---- */

static void hide (MtQuery *q, MtTargetX *room, MtX *x)
{
   room[q->target_count++] = (MtTargetX) {"", x};
}

void mt_pending_hide (MtBinder *b, MtScope *s, MtQuery *q)
{
   int n = q->target_count;
   if (!s->pending_count)
      return;
   for (int i = 0; i < s->pending_count; i++)
      n += s->pending[i].join->let_count + 2;
   MtTargetX *room = MT_NEW_N (b->a, MtTargetX, (size_t) n + 1);
   if (q->target_count)
      memcpy (room, q->targets, (size_t) q->target_count * sizeof *room);
   for (int i = 0; i < s->pending_count; i++) {
      MtPending *p = &s->pending[i];
      p->target = q->target_count;
      for (int k = 0; !p->at && k < p->join->let_count; k++)
         hide (q, room, p->join->lets[k].x);
      if (!p->at && p->join->on)
         hide (q, room, p->join->on);
      if (!p->at && p->join->when)
         hide (q, room, p->join->when);
   }
   q->targets = room;
}

/* Copies the expressions of the join back from the hidden items of the select list, where grouping
 * has rewritten them. */
static void unhide (MtPending *p, const MtQuery *q)
{
   MtJoin *j = p->join;
   int t = p->target;
   for (int k = 0; k < j->let_count; k++)
      j->lets[k].x = q->targets[t++].expr;
   if (j->on)
      j->on = q->targets[t++].expr;
   if (j->when)
      j->when = q->targets[t++].expr;
}

/* Removes the conditions that use columns of unjoined sub-selects from *from, and returns them;
 * *count is their number. The caller applies them after the joins. */
static MtX **take_conditions (Settle *t, MtX **from, int *count)
{
   int n, rest = 0;
   MtX **parts = mt_conjuncts (t->b->a, *from, &n),
       **taken = MT_NEW_N (t->b->a, MtX *, (size_t) n + 1);
   *count = 0;
   for (int i = 0; i < n; i++)
      if (mentions (t, parts[i], NULL))
         taken[(*count)++] = parts[i];
      else
         parts[rest++] = parts[i];
   *from = mt_conjunction (t->b->a, parts, rest);
   return taken;
}

bool mt_pending_above (MtBinder *b, MtScope *s, MtQuery *q)
{
   Settle t = {.b = b, .s = s};
   int n, waiting = 0;
   for (int i = 0; i < s->pending_count; i++)
      waiting += !s->pending[i].at;
   if (!waiting)
      return true;
   if (q->gapfill)
      return mt_refuse (b, s->pending[0].span,
                        "a correlated sub-select in a query with time_bucket_gapfill is");
   MtX **conditions = take_conditions (&t, q->arm_count ? &q->where : &q->having, &n);
   if (!mt_lower_query (b, q, conditions, n))
      return false;
   for (int i = 0; i < s->pending_count; i++)
      if (!s->pending[i].at) {
         unhide (&s->pending[i], q);
         if (!become_join (&t, &q->rel, &s->pending[i]))
            return false;
      }
   q->target_count = s->pending[0].target;
   for (int i = 0; i < s->pending_count; i++)
      q->target_count = s->pending[i].target < q->target_count ? s->pending[i].target
                                                               : q->target_count;
   q->where = mt_conjunction (b->a, conditions, n);
   settle_block (&t, s, q);
   return true;
}
