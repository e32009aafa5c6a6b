/* Analyzes WITH entries. A recursive entry is `base UNION [ALL] step`. Only the step refers to the
 * entry itself. The reference reads the rows that the previous round of the step added
 * (MT_REL_WORK); they have the columns of the base. */
#include "analyze/block/block_int.h"
#include "analyze/from/shared.h"
#include "analyze/names/names.h"
#include "analyze/state/cte.h"

/* ---- references of a recursive entry to itself ---- */

static bool must_not (MtBinder *b, const MtCteBind *c, MtSpan at, const char *what)
{
   return mt_error_at (b->err, at, MT_E_RECURSION,
                       "recursive reference to query \"%s\" must not appear %s", c->cte->name.text,
                       what);
}

static bool check_reference (MtBinder *b, const MtCteBind *c, MtSpan at)
{
   const MtRecursion *r = c->recursion;
   if (b->binding != r && b->binding->scope == r->scope)
      return mt_error_at (b->err, c->cte->name.span, MT_E_FEATURE,
                          "mutual recursion between WITH items is not implemented");
   switch (r->part) {
   case MT_RECURSION_NONE:
      return mt_error_at (
         b->err, c->cte->name.span, MT_E_RECURSION,
         "recursive query \"%s\" does not have the form non-recursive-term UNION [ALL] "
         "recursive-term",
         c->cte->name.text);
   case MT_RECURSION_BASE: return must_not (b, c, at, "within its non-recursive term");
   case MT_RECURSION_STEP: break;
   }
   if (r->context)
      return must_not (b, c, at, mt_printf (b->a, "within %s", r->context));
   if (b->outer != r->outer)
      return must_not (b, c, at, "within a subquery");
   bool again = r->refs && r->ref.start == at.start && at.start >= 0;
   return !r->refs || again || must_not (b, c, at, "more than once");
}

/* Makes a query that reads the rows which the previous round of recursive entry c added. at: the
 * position of the reference, for errors. */
static MtQuery *work_rows (MtBinder *b, const MtCteBind *c, MtSpan at)
{
   const MtRecursion *r = c->recursion;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   q->limit = -1;
   q->rel = (MtRel) {.kind = MT_REL_WORK,
                     .alias = c->cte->name.text,
                     .columns = r->columns,
                     .column_count = r->column_count,
                     .work = r->work};
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) r->column_count + 1);
   q->target_count = q->visible_count = r->column_count;
   for (int i = 0; i < r->column_count; i++) {
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, r->columns[i].type, at);
      x->column = i;
      x->nullable = true;
      q->targets[i] = (MtTargetX) {r->columns[i].name, x};
   }
   return q;
}

/* ---- references in joins ---- */

static const MtFrom *find (const MtFrom *f, const MtName *name);

static const MtFrom *find_in_select (const MtSelect *s, const MtName *name)
{
   const MtFrom *found = s->kind == MT_SELECT_SETOP ? find_in_select (s->setop.left, name) : NULL;
   if (s->kind == MT_SELECT_SETOP)
      return found ? found : find_in_select (s->setop.right, name);
   for (const MtFrom *f = s->kind == MT_SELECT_PLAIN ? s->plain.from : NULL; f && !found;
        f = f->next)
      found = find (f, name);
   return found;
}

/* Finds a reference to table `name` in FROM. NULL: there is none. */
static const MtFrom *find (const MtFrom *f, const MtName *name)
{
   const MtFrom *found = NULL;
   if (f->kind == MT_FROM_TABLE)
      return !f->table.schema.text && mt_same_name (name->text, &f->table.name) ? f : NULL;
   if (f->kind == MT_FROM_SUBQUERY)
      return find_in_select (f->subquery, name);
   if (f->kind == MT_FROM_JOIN && !(found = find (f->join.left, name)))
      found = find (f->join.right, name);
   return found;
}

static const MtFrom *outer_joined_in_select (const MtSelect *s, const MtName *name);

/* Finds a reference to table `name` on the nullable side of an outer join, which is not allowed. */
static const MtFrom *outer_joined (const MtFrom *f, const MtName *name)
{
   if (f->kind == MT_FROM_SUBQUERY)
      return outer_joined_in_select (f->subquery, name);
   if (f->kind != MT_FROM_JOIN)
      return NULL;
   MtJoinKind k = f->join.kind;
   bool left = k == MT_JOIN_RIGHT || k == MT_JOIN_FULL,
        right = k == MT_JOIN_LEFT || k == MT_JOIN_FULL || k == MT_JOIN_WINDOW || f->join.asof_left;
   const MtFrom *found = left ? find (f->join.left, name) : NULL;
   if (!found && right)
      found = find (f->join.right, name);
   if (!found)
      found = outer_joined (f->join.left, name);
   return found ? found : outer_joined (f->join.right, name);
}

static const MtFrom *outer_joined_in_select (const MtSelect *s, const MtName *name)
{
   const MtFrom *found = s->kind == MT_SELECT_SETOP ? outer_joined_in_select (s->setop.left, name)
                                                    : NULL;
   if (s->kind == MT_SELECT_SETOP)
      return found ? found : outer_joined_in_select (s->setop.right, name);
   for (const MtFrom *f = s->kind == MT_SELECT_PLAIN ? s->plain.from : NULL; f && !found;
        f = f->next)
      found = outer_joined (f, name);
   return found;
}

/* ---- binding ---- */

static bool check_aliases (MtBinder *b, const MtCte *cte, const MtQuery *q)
{
   int n = 0;
   for (const MtNameList *l = cte->columns; l; l = l->next)
      n++;
   return n <= q->visible_count ||
          mt_error_at (b->err, cte->name.span, MT_E_INVALID_COLUMN_REF,
                       "WITH query \"%s\" has %d columns available but %d columns specified",
                       cte->name.text, q->visible_count, n);
}

static bool before_step (MtBinder *b, void *ctx, const MtQuery *base)
{
   const MtCteBind *c = ctx;
   MtRecursion *r = c->recursion;
   const MtNameList *alias = c->cte->columns;
   if (!check_aliases (b, c->cte, base))
      return false;
   r->columns = MT_NEW_N (b->a, MtRelColumn, (size_t) base->visible_count + 1);
   r->column_count = base->visible_count;
   for (int i = 0; i < base->visible_count; i++, alias = alias ? alias->next : NULL)
      r->columns[i] = mt_column_computed (alias ? alias->name.text : base->targets[i].name,
                                          base->targets[i].expr->type, true, false);
   r->work = mt_printf (b->a, "_mtsql_work_%d", ++b->work_count);
   r->part = MT_RECURSION_STEP;
   r->outer = b->outer;
   return true;
}

static bool check_whole (MtBinder *b, const MtCteBind *c)
{
   const MtSelect *s = c->cte->query;
   if (s->order)
      return mt_error_at (b->err, s->order->expr->span, MT_E_FEATURE,
                          "ORDER BY in a recursive query is not implemented");
   if (s->offset)
      return mt_error_at (b->err, s->offset->span, MT_E_FEATURE,
                          "OFFSET in a recursive query is not implemented");
   if (s->limit)
      return mt_error_at (b->err, s->limit->span, MT_E_FEATURE,
                          "LIMIT in a recursive query is not implemented");
   if (s->locking)
      return mt_error_at (b->err, s->span, MT_E_FEATURE,
                          "FOR UPDATE/SHARE in a recursive query is not implemented");
   const MtFrom *outer = outer_joined_in_select (s->setop.right, &c->cte->name);
   return !outer || must_not (b, c, outer->table.name.span, "within an outer join");
}

/* Analyzes an entry of WITH RECURSIVE: as a recursive query if it refers to itself, otherwise as
 * any other query. */
static bool bind_possibly (MtBinder *b, const MtCteBind *c, MtRecursion *around, MtQuery **out)
{
   MtRecursion *r = c->recursion;
   int refs = around ? around->refs : 0;
   const MtSelect *s = c->cte->query;
   r->part = MT_RECURSION_NONE;
   if (s->kind != MT_SELECT_SETOP || s->setop.op != MT_UNION || !c->cte->self)
      return mt_bind_query (b, s, out);
   r->part = MT_RECURSION_BASE;
   r->refs = 0;
   if (!mt_bind_recursion (b, c->cte, before_step, (void *) c, out))
      return false;
   if (!r->refs) {
      r->part = MT_RECURSION_NONE;
      if (around) /* the references of a repeated analysis don't count */
         around->refs = refs;
      return mt_bind_query (b, s, out);
   }
   (*out)->work = r->work;
   /* UNION removes duplicates by comparing BSON values. In some types, equal values can have
    * different BSON, so UNION refuses these types. */
   for (int i = 0; i < r->column_count && !s->setop.all; i++)
      if (mt_type_has_rank (r->columns[i].type.id))
         return mt_refuse (b, c->cte->name.span,
                           r->columns[i].type.id == MT_T_INTERVAL
                              ? "UNION of intervals in a recursive query is"
                              : "UNION of jsonb in a recursive query is");
   return check_whole (b, c);
}

/* Clears MtOuter.referred of all enclosing scopes. Returns the old flags. */
static bool *forget_references (MtArena *a, MtOuter *around)
{
   int n = 0;
   for (const MtOuter *o = around; o; o = o->next)
      n++;
   bool *referred = MT_NEW_N (a, bool, (size_t) n + 1);
   n = 0;
   for (MtOuter *o = around; o; o = o->next) {
      referred[n++] = o->referred;
      o->referred = false;
   }
   return referred;
}

/* Returns whether the code since forget_references referred to an enclosing query, which sets a
 * flag MtOuter.referred. Also restores the flags that forget_references cleared, given in
 * `referred`. */
static bool has_references (MtOuter *around, const bool *referred)
{
   bool any = false;
   int n = 0;
   for (MtOuter *o = around; o; o = o->next) {
      any = any || o->referred;
      o->referred = referred[n++] || o->referred;
   }
   return any;
}

/* Sets MtOuter.crossed in all scopes from `reader`, the query that reads WITH entry c, out to the
 * query with the WITH clause. */
static void cross (MtOuter *reader, const MtCteBind *c)
{
   for (MtOuter *o = reader; o && o != c->around; o = o->next)
      o->crossed = true;
}

/* Analyzes a reference to a recursive WITH entry from inside its own query. */
static bool read_itself (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out)
{
   MtRecursion *r = c->recursion;
   if (!check_reference (b, c, at))
      return false;
   r->refs++;
   r->ref = at;
   r->query = b->query;
   b->oldest = r->since < b->oldest ? r->since : b->oldest;
   *out = work_rows (b, c, at);
   return true;
}

/* Analyzes the query of WITH entry c again, for one more reference to the entry. Sets *alone if the
 * query does not refer to enclosing queries. */
static bool bind_reading (MtBinder *b, const MtCteBind *c, MtQuery **out, bool *alone)
{
   MtRecursion *r = c->recursion;
   const MtBinder was = *b;
   const char *context = was.binding ? was.binding->context : NULL;
   int since = ++b->recursions;
   b->expands = was.expands || c->state->reads > 1;
   b->oldest = INT32_MAX;
   bool *referred = forget_references (b->a, c->around);
   b->outer = c->around; /* a CTE's query sees the scopes around its WITH, not around its use */
   if (was.binding)
      was.binding->context = NULL;
   b->ctes = r ? r->scope : c->outer; /* without RECURSIVE, a CTE's query sees the CTEs before it */
   if (r) {
      r->busy = true;
      r->since = since;
      b->binding = r;
   } else
      b->hidden = was.ctes;
   bool ok = r ? bind_possibly (b, c, was.binding, out) : mt_bind_query (b, c->cte->query, out);
   if (r)
      r->busy = false;
   if (was.binding)
      was.binding->context = context;
   b->binding = was.binding;
   b->hidden = was.hidden;
   b->outer = was.outer;
   b->ctes = was.ctes;
   b->expands = was.expands;
   bool refers = has_references (c->around, referred);
   if (refers)
      cross (was.outer, c);
   *alone = !refers && b->oldest >= since;
   b->oldest = was.oldest < b->oldest ? was.oldest : b->oldest;
   return ok;
}

/* Makes a query over the rows that a data-modifying WITH entry (such as INSERT … RETURNING)
 * returned. Fails with 0A000 if the entry has no RETURNING. */
static bool read_returned (MtBinder *b, const MtCte *cte, MtSpan at, MtQuery **out)
{
   const MtCteRows *r = cte->rows;
   MtQuery *q = MT_NEW (b->a, MtQuery);
   *out = q;
   if (r->count < 0)
      return mt_error_at (b->err, at, MT_E_FEATURE,
                          "WITH query \"%s\" does not have a RETURNING clause", cte->name.text);
   q->limit = -1;
   q->rel = (MtRel) {.kind = MT_REL_SYSTEM,
                     .alias = cte->name.text,
                     .work = cte->name.text,
                     .given = r->rows,
                     .columns = r->columns,
                     .column_count = r->count,
                     .fields = MT_NEW_N (b->a, const char *, (size_t) r->count + 1)};
   q->targets = MT_NEW_N (b->a, MtTargetX, (size_t) r->count + 1);
   q->target_count = q->visible_count = r->count;
   for (int i = 0; i < r->count; i++) {
      MtX *x = mt_x_new (b->a, MT_X_COLUMN, r->columns[i].type, at);
      x->column = i;
      mt_x_refers_column (x, &r->columns[i]);
      q->rel.fields[i] = mt_printf (b->a, "c%d", i);
      q->targets[i] = (MtTargetX) {r->columns[i].name, x};
   }
   return check_aliases (b, cte, q);
}

bool mt_analyze_cte (MtBinder *b, const MtCteBind *c, MtSpan at, MtQuery **out)
{
   bool alone;
   if (c->cte->rows)
      return read_returned (b, c->cte, at, out);
   if (c->recursion && c->recursion->busy)
      return read_itself (b, c, at, out);
   MtSharing *all = mt_sharing (b);
   int varied = all->varied;
   if (c->state->shared) {
      all->varied += c->state->varies;
      *out = mt_shared_reading (b, c->state->shared, at);
      return true;
   }
   if (++c->state->reads > 1)
      all->copies++;
   if (!bind_reading (b, c, out, &alone) || !check_aliases (b, c->cte, *out))
      return false;
   c->state->varies |= mt_query_is_volatile (*out) || all->varied != varied;
   all->varied += c->state->varies;
   if (!alone && c->state->reads > 1 &&
       mt_query_is_volatile (*out)) /* a volatile query would give different rows at each use */
      return mt_refuse (
         b, at, "a correlated WITH query with volatile expressions that is read more than once is");
   return mt_share_cte (b, c, alone, out);
}

bool mt_bind_unread_ctes (MtBinder *b, const MtCteBind *outer)
{
   MtQuery *q;
   for (const MtCteBind *c = b->ctes; c != outer; c = c->outer)
      if (!c->state->reads && !c->cte->rows && !mt_bind_cte (b, c, c->cte->name.span, &q))
         return false;
   return true;
}

bool mt_check_step (MtBinder *b, const MtQuery *q)
{
   const MtRecursion *r = b->binding;
   if (!r || r->part != MT_RECURSION_STEP || !r->refs || r->query != b->query || !q->agg_count)
      return true;
   return mt_error_at (b->err, q->aggs[0].span, MT_E_RECURSION,
                       "aggregate functions are not allowed in a recursive query's recursive term");
}
