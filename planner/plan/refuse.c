#include "planner/plan/refuse.h"

#include "planner/plan/split.h"
#include "query/x.h"

#include <string.h>

/* ---- finding the expression that needs an operator ---- */

typedef struct Search {
   const char *op;
   const MtX *found;
   const MtAggCall *agg;
   const MtQuery *of; /* the query that `found` belongs to */
} Search;

/* Returns whether the translation of x uses the operator s->op. */
static bool needs_op (void *ctx, const MtX *x)
{
   const Search *s = ctx;
   const MtFunc *f = x->kind == MT_X_CALL ? x->call.fn : NULL;
   if (!f)
      return false;
   bool like = f->kind == MT_FN_LIKE || f->kind == MT_FN_ILIKE;
   return (f->op && strcmp (f->op->name, s->op) == 0) || (f->mql && strstr (f->mql, s->op)) ||
          (f->step != MT_STEP_NONE && strcmp (s->op, "$dateTrunc") == 0) ||
          (like && strcmp (s->op, "$regexMatch") == 0);
}

static void search_list (Search *s, MtX *const *list, int count)
{
   for (int i = 0; i < count && !s->found; i++)
      if (list[i])
         s->found = mt_x_find (list[i], needs_op, s);
}

static void search_query (Search *s, const MtQuery *q);

static void search_rel (Search *s, const MtRel *rel)
{
   switch (rel->kind) {
   case MT_REL_QUERY: search_query (s, rel->query); break;
   case MT_REL_SHARED: search_query (s, rel->shared->query); break;
   case MT_REL_UNNEST: search_rel (s, rel->unnest->input); break;
   case MT_REL_JOIN:
      search_rel (s, rel->join->left);
      if (!s->of)
         search_rel (s, rel->join->right);
      break;
   default: break;
   }
}

/* Searches the aggregates' arguments. If nothing is found, and there is only one aggregate that can
 * use an accumulator of mtsql's own, it is that one. */
static void search_aggs (Search *s, const MtQuery *q)
{
   const MtAggCall *own = NULL;
   int count = 0;
   for (int i = 0; i < q->agg_count; i++) {
      search_list (s, &q->aggs[i].arg, 1);
      search_list (s, &q->aggs[i].filter, 1);
      if (q->aggs[i].agg->rule == MT_AGG_PARTS && ++count == 1)
         own = &q->aggs[i];
   }
   if (!s->found && count == 1 && strncmp (s->op, "$_mt", 4) == 0)
      s->agg = own;
}

static void search_query (Search *s, const MtQuery *q)
{
   for (int i = 0; i < q->arm_count && !s->of; i++)
      search_query (s, q->arms[i]);
   if (!s->of)
      search_rel (s, &q->rel);
   if (s->of)
      return;
   search_list (s, &q->where, 1);
   search_list (s, q->keys, q->key_count);
   search_aggs (s, q);
   search_list (s, &q->having, 1);
   for (int i = 0; i < q->target_count; i++)
      search_list (s, &q->targets[i].expr, 1);
   for (int i = 0; i < q->sort_count; i++)
      search_list (s, &q->sort[i].expr, 1);
   s->of = s->found || s->agg ? q : NULL;
}

/* ---- the message ---- */

/* Returns the reason why the server can't run a stage with `op`, as the end of a sentence. */
static const char *reason (MtArena *a, const char *op)
{
   if (strncmp (op, "$_mt", 4) == 0)
      return mt_printf (a, "only mtsql has %s", op);
   if (op[0] == '$')
      return mt_printf (a, "it lacks %s, or gets it wrong", op);
   return mt_printf (a, "it has no %s", op);
}

/* Returns the SQL text of the expression that needs the operator. NULL: it is not known. */
static const char *part_of (MtArena *a, const Search *s)
{
   MtBuf text = {0};
   if (s->agg)
      return mt_printf (a, "the aggregate %s", s->agg->agg->name);
   if (!s->found)
      return NULL;
   mt_x_print (s->found, s->of, &text);
   const char *copy = mt_strndup (a, text.p, text.n);
   mt_buf_free (&text);
   return copy;
}

bool mt_refuse_here (MtArena *a, const MtQuery *q, const MtCaps *caps, const bson_t *stages,
                     const MtOutline *outline, MtError *err)
{
   const char *op = mt_first_lacking (a, caps, stages), *why;
   Search s = {.op = op};
   mt_error (err, MT_E_FEATURE,
             "a part of this query can't run on the server, and require_full_pushdown is on");
   if (op)
      search_query (&s, q);
   if (s.found || s.agg)
      err->span = s.found ? s.found->span : s.agg->span;
   const char *part = part_of (a, &s),
              *step = outline ? mt_outline_first_here (a, outline, !part) : NULL;
   why = op ? mt_printf (a, ": %s", reason (a, op)) : "";
   if (part && step)
      mt_error_detail (err, "The server can't compute %s in the step %s%s.", part, step, why);
   else if (part || step)
      mt_error_detail (err, "The server can't %s %s%s.", part ? "compute" : "run the step",
                       part ? part : step, why);
   else if (op)
      mt_error_detail (err, "The server can't run all stages of the query%s.", why);
   return mt_error_hint (
      err, "Turn require_full_pushdown off and use EXPLAIN to see where each step runs.");
}
