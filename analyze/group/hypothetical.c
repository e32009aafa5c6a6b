/* Hypothetical-set aggregates compute the rank that a given row would have in a group. They are
 * rewritten to counts of the rows before the given row:
 *
 *    rank          1 + count of rows before
 *    dense_rank    1 + count of different rows before
 *    percent_rank  count of rows before / count of rows, 0 without rows
 *    cume_dist     (1 + count of rows before, and of its peers) / (1 + count of rows) */
#include "analyze/group/aggregate.h"
#include "analyze/group/sets.h"
#include "parser/parser.h"

typedef enum Kind { NONE, RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST } Kind;

typedef struct Hypothetical {
   Kind kind;
   MtBuf before, peers; /* SQL conditions: a row sorts before the hypothetical row; equals it */
   /* The arguments of the call that are not literals, as SQL text. They are also analyzed outside
    * of the aggregate, to check that they use only grouped columns. */
   MtBuf grouped;
   MtBuf first;  /* SQL text of the first sort key */
   MtBuf filter; /* SQL text of the FILTER condition; empty: no FILTER */
} Hypothetical;

static Kind kind_of (const MtExpr *e)
{
   static const char *const names[] = {[RANK] = "rank",
                                       [DENSE_RANK] = "dense_rank",
                                       [PERCENT_RANK] = "percent_rank",
                                       [CUME_DIST] = "cume_dist"};
   const char *name = mt_last_name (e->call.name)->text;
   for (Kind k = RANK; k <= CUME_DIST; k++)
      if (mt_ieq (name, names[k]))
         return k;
   return NONE;
}

bool mt_is_hypothetical (const MtExpr *e)
{
   return e->call.within_group && !e->call.over && kind_of (e) != NONE;
}

static const char *text_of (MtBinder *b, const MtExpr *e)
{
   MtBuf buf = {0};
   mt_print_expr (e, &buf);
   const char *s = mt_printf (b->a, "(%.*s)", (int) buf.n, buf.p);
   mt_buf_free (&buf);
   return s;
}

static bool is_literal (const MtExpr *e)
{
   return e->kind == MT_EXPR_INTEGER || e->kind == MT_EXPR_DECIMAL || e->kind == MT_EXPR_STRING ||
          e->kind == MT_EXPR_TYPED_STRING;
}

/* Adds a sort key to h->before, the SQL condition that a row sorts before the given one. The new
 * part: all earlier keys are equal, and this key sorts before `value`. */
static void add_key (MtBinder *b, Hypothetical *h, const MtOrderItem *o, const MtExpr *value)
{
   const char *x = text_of (b, o->expr), *plain = text_of (b, value), *v = plain;
   const char *less = o->descending ? ">" : "<";
   if (o->using_op)
      less = o->using_op;
   bool descending = *less == '>', nulls_first = o->nulls ? o->nulls == 1 : descending;
   if (!is_literal (value))
      v = mt_printf (b->a, "\"" MT_GIVEN "\"%s", plain);
   mt_buf_printf (&h->before, "%s(%.*s%s(%s %s %s OR %s IS NULL AND %s IS NOT NULL))",
                  h->before.n ? " OR " : "", (int) h->peers.n, h->peers.n ? h->peers.p : "",
                  h->peers.n ? " AND " : "", x, less, v, nulls_first ? x : v, nulls_first ? v : x);
   mt_buf_printf (&h->peers, "%s%s IS NOT DISTINCT FROM %s", h->peers.n ? " AND " : "", x, v);
   if (!h->first.n)
      mt_buf_adds (&h->first, x);
   if (!is_literal (value))
      mt_buf_printf (&h->grouped, " + CASE WHEN %s IS NULL THEN 0 ELSE 0 END", plain);
}

static bool add_keys (MtBinder *b, Hypothetical *h, const MtExpr *e)
{
   const MtOrderItem *o = e->call.within_group;
   const MtExprList *l = e->call.args;
   int keys = 0, values = 0;
   for (const MtOrderItem *i = o; i; i = i->next)
      keys++;
   for (const MtExprList *i = l; i; i = i->next)
      values++;
   if (keys != values) {
      const char *name = e->call.name->name.text;
      mt_error_at (b->err, e->span, MT_E_UNDEFINED_FUNCTION, "function %s does not exist", name);
      return mt_error_hint (
         b->err,
         "To use the hypothetical-set aggregate %s, the number of hypothetical direct arguments "
         "(here %d) must match the number of ordering columns (here %d).",
         name, values, keys);
   }
   if (h->kind == DENSE_RANK && keys > 1)
      return mt_refuse (b, e->span, "dense_rank by several columns is");
   for (; o; o = o->next, l = l->next)
      add_key (b, h, o, l->expr);
   return true;
}

/* Appends the SQL of a count of `what` over the rows for which `condition` and the call's FILTER
 * are true. */
static void count (Hypothetical *h, const char *what, const char *condition, MtBuf *out)
{
   mt_buf_printf (out, "count(%s)", what);
   if (h->filter.n && *condition)
      mt_buf_printf (out, " FILTER (WHERE (%s) AND (%s))", h->filter.p, condition);
   else if (h->filter.n || *condition)
      mt_buf_printf (out, " FILTER (WHERE %s)", h->filter.n ? h->filter.p : condition);
}

static void write_call (MtBinder *b, Hypothetical *h, MtBuf *out)
{
   const char *null_before = mt_printf (b->a, "%s IS NULL AND (%s)", h->first.p, h->before.p);
   switch (h->kind) {
   case NONE: break;
   case RANK:
      mt_buf_adds (out, "1 + ");
      count (h, "*", h->before.p, out);
      break;
   case DENSE_RANK: /* NULL counts as one value */
      mt_buf_adds (out, "1 + ");
      count (h, mt_printf (b->a, "DISTINCT %s", h->first.p), h->before.p, out);
      mt_buf_adds (out, " + CASE WHEN ");
      count (h, "*", null_before, out);
      mt_buf_adds (out, " > 0 THEN 1 ELSE 0 END");
      break;
   case PERCENT_RANK:
      mt_buf_adds (out, "coalesce(");
      count (h, "*", h->before.p, out);
      mt_buf_adds (out, "::float8 / nullif(");
      count (h, "*", "", out);
      mt_buf_adds (out, ", 0), 0)");
      break;
   case CUME_DIST:
      mt_buf_adds (out, "(1 + ");
      count (h, "*", mt_printf (b->a, "%s OR (%s)", h->before.p, h->peers.p), out);
      mt_buf_adds (out, ")::float8 / (1 + ");
      count (h, "*", "", out);
      mt_buf_addc (out, ')');
      break;
   }
   mt_buf_printf (out, "%.*s", (int) h->grouped.n, h->grouped.n ? h->grouped.p : "");
}

/* Sets the error position of all nodes of x to that of the call, since the generated SQL text is
 * not part of the statement. */
static void at_call (MtX *x, MtSpan span)
{
   int n;
   MtX **kids = mt_x_children (x, &n);
   x->span = span;
   for (int i = 0; i < n; i++)
      at_call (kids[i], span);
}

static bool bind_text (MtBinder *b, MtScope *s, const MtExpr *e, const MtBuf *text, MtX **out)
{
   MtExpr *counts;
   bool outer = b->hypothetical;
   b->hypothetical = true;
   bool ok = mt_parse_expr (b->a, text->p, text->n, &counts, b->err) &&
             mt_bind_x (b, s, counts, out);
   b->hypothetical = outer;
   if (!ok) {
      b->err->span = e->span;
      return false;
   }
   at_call (*out, e->span);
   return true;
}

bool mt_bind_hypothetical (MtBinder *b, MtScope *s, const MtExpr *e, MtX **out)
{
   Hypothetical h = {.kind = kind_of (e)};
   MtBuf text = {0};
   if (e->call.distinct)
      return mt_error_at (b->err, e->span, MT_E_SYNTAX, "cannot use DISTINCT with WITHIN GROUP");
   if (e->call.filter)
      mt_buf_adds (&h.filter, text_of (b, e->call.filter));
   bool ok = add_keys (b, &h, e);
   if (ok)
      write_call (b, &h, &text);
   ok = ok && bind_text (b, s, e, &text, out);
   MtBuf *all[] = {&h.before, &h.peers, &h.grouped, &h.first, &h.filter, &text};
   for (size_t i = 0; i < sizeof all / sizeof *all; i++)
      mt_buf_free (all[i]);
   return ok;
}
