/* CHECK constraints: binds their conditions, checks rows, and returns their definitions. */
#include "planner/emit/eval.h"
#include "query/x.h"
#include "session/core/checks.h"
#include "session/core/domains.h"

#include <string.h>

/* The bound CHECK conditions of a table, which are kept until the statement ends. */
struct MtChecks {
   const MtTableCheck *of; /* the table's constraints */
   const MtColumn *columns;
   MtX **conditions;
   MtX **domains; /* conditions of the domains by which columns were declared */
   size_t domain_count;
   MtArena *row; /* memory for one row at a time */
};

/* ---- analysis of the conditions ---- */

bool mt_check_bind (MtStatement *st, const MtTable *t, const MtTableCheck *c, MtX **out,
                    MtError *err)
{
   MtExpr *e;
   if (mt_parse_expr (st->arena, c->sql, strlen (c->sql), &e, err) &&
       mt_bind_check (st->arena, &st->env, t, e, out, err))
      return true;
   err->span = MT_NO_SPAN;
   return false;
}

typedef struct Seen {
   bool columns[MT_MAX_COLUMNS];
} Seen;

static bool see_column (void *ctx, const MtX *x)
{
   Seen *s = ctx;
   if (x->kind == MT_X_COLUMN && x->column >= 0 && x->column < MT_MAX_COLUMNS)
      s->columns[x->column] = true;
   return false;
}

void mt_check_columns_of (MtArena *a, const MtTable *t, const MtX *x, MtTableCheck *out)
{
   Seen seen = {{false}};
   mt_x_find (x, see_column, &seen);
   out->columns = MT_NEW_N (a, const char *, t->column_count + 1);
   out->column_count = 0;
   for (size_t i = 0; i < t->column_count; i++)
      if (seen.columns[i])
         out->columns[out->column_count++] = t->columns[i].name;
}

bool mt_check_mentions (const MtTableCheck *c, const char *column)
{
   for (size_t i = 0; i < c->column_count; i++)
      if (strcmp (c->columns[i], column) == 0)
         return true;
   return false;
}

/* ---- rows ---- */

static bool has_domains (const MtTable *t)
{
   for (size_t i = 0; i < t->column_count; i++)
      if (t->columns[i].domain)
         return true;
   return false;
}

static bool bind_domains (MtStatement *st, const MtTable *t, struct MtChecks *c, MtError *err)
{
   c->domains = MT_NEW_N (st->arena, MtX *, t->column_count + 1);
   for (size_t i = 0; i < t->column_count; i++) {
      const char *name = t->columns[i].domain;
      MtDomain d;
      if (!name)
         continue;
      if (!mt_domain_named (st->session, st->arena, name, &d))
         return mt_error (err, MT_E_UNDEFINED_OBJECT, "type \"%s\" does not exist", name);
      if (!mt_bind_domain_column (st->arena, &st->env, &d, (int) i, &c->domains[c->domain_count++],
                                  err))
         return false;
   }
   return true;
}

static bool bind_all (MtStatement *st, const MtTable *t, MtError *err)
{
   struct MtChecks *c = MT_NEW (st->arena, struct MtChecks);
   *c = (struct MtChecks) {.of = t->checks,
                           .columns = t->columns,
                           .conditions = MT_NEW_N (st->arena, MtX *, t->check_count + 1),
                           .row = mt_arena_new ("checks", st->arena)};
   for (size_t i = 0; i < t->check_count; i++)
      if (!mt_check_bind (st, t, &t->checks[i], &c->conditions[i], err))
         return false;
   if (!bind_domains (st, t, c, err))
      return false;
   st->checks = c;
   return true;
}

bool mt_check_find_failed (MtStatement *st, const MtTable *t, const MtVal *row,
                           const MtTableCheck **failed, MtError *err)
{
   *failed = NULL;
   if (!t->check_count && !has_domains (t))
      return true;
   if ((!st->checks || st->checks->of != t->checks || st->checks->columns != t->columns) &&
       !bind_all (st, t, err))
      return false;
   struct MtChecks *c = st->checks;
   bool ok = true;
   for (size_t i = 0; i < c->domain_count && ok; i++) {
      MtVal v;
      ok = mt_eval_row (c->row, c->domains[i], row, &st->env, &v, err);
   }
   for (size_t i = 0; i < t->check_count && ok && !*failed; i++) {
      MtVal v;
      ok = mt_eval_row (c->row, c->conditions[i], row, &st->env, &v, err);
      if (ok && v.type == MT_BOOL && !v.i)
         *failed = &t->checks[i];
   }
   mt_arena_reset (c->row);
   return ok;
}

/* ---- definitions ---- */

const char *mt_check_condition (MtArena *a, const MtTableCheck *c)
{
   MtExpr *e;
   MtError ignored;
   bool simple = mt_parse_expr (a, c->sql, strlen (c->sql), &e, &ignored) &&
                 (e->kind == MT_EXPR_CALL || e->kind == MT_EXPR_COLUMN || e->kind == MT_EXPR_BOOL);
   return simple ? c->sql : mt_printf (a, "(%s)", c->sql);
}

const char *mt_check_shown (MtArena *a, const MtTableCheck *c)
{
   return mt_printf (a, "CHECK (%s)%s", mt_check_condition (a, c),
                     c->not_valid ? " NOT VALID" : "");
}
