/* Set-returning functions in FROM. Each row of the items to their left is repeated for each row
 * that the functions return. Several functions, as in ROWS FROM, return their rows side by side. A
 * function without references to the items on its left is an independent item. */
#include "analyze/calls/set.h"
#include "analyze/from/from_int.h"
#include "analyze/names/names.h"
#include "analyze/types/coerce.h"

#include <string.h>

typedef struct Sets {
   MtX **calls;
   const char **names;   /* the names of the called functions */
   const MtType *fields; /* types of the columns that FROM declares (AS (…)); NULL: none declared */
   int count;
} Sets;

static const char *called (const MtExpr *e) { return mt_last_name (e->call.name)->text; }

/* ---- the calls ---- */

static void add_call (MtBinder *b, Sets *sets, const char *name, MtX *x)
{
   MtX **calls = MT_NEW_N (b->a, MtX *, (size_t) sets->count + 1);
   const char **names = MT_NEW_N (b->a, const char *, (size_t) sets->count + 1);
   if (sets->count) {
      memcpy (calls, sets->calls, (size_t) sets->count * sizeof *calls);
      memcpy (names, sets->names, (size_t) sets->count * sizeof *names);
   }
   if (!mt_is_set (x)) { /* a function that returns no set gives one row */
      MtX **one = MT_NEW_N (b->a, MtX *, 1);
      one[0] = x;
      x = mt_x_call (b->a, mt_hidden_func ("$array"), x->type, one, 1, x->span);
   }
   calls[sets->count] = x;
   names[sets->count++] = name;
   sets->calls = calls;
   sets->names = names;
}

static bool bind_call (MtBinder *b, MtScope *s, const MtExpr *e, Sets *sets)
{
   MtX *x;
   bool several = e->kind == MT_EXPR_CALL && mt_ieq (called (e), "unnest") && e->call.args &&
                  e->call.args->next;
   if (!several) {
      if (!mt_bind_x (b, s, e, &x) || !mt_settle_unknown (b, &x))
         return false;
      add_call (b, sets, mt_target_name (e), x);
      return true;
   }
   for (const MtExprList *l = e->call.args; l; l = l->next) {
      MtExpr *one = MT_NEW (b->a, MtExpr);
      MtExprList *arg = MT_NEW (b->a, MtExprList);
      *one = *e;
      *arg = (MtExprList) {.expr = l->expr};
      one->call.args = arg;
      if (!bind_call (b, s, one, sets))
         return false;
   }
   return true;
}

/* ---- columns ---- */

static MtStr word (const char **p)
{
   *p += strspn (*p, " ,");
   MtStr s = {*p, strcspn (*p, " ,")};
   *p += s.n;
   return s;
}

/* Adds the columns that function x declares to rel. The declaration is a text like "key text = k,
 * value jsonb": column name, type, and after "=" the name of the field in the function's value, if
 * it differs. */
static void declared_columns (MtBinder *b, const MtX *x, int call, MtRel *rel)
{
   MtUnnest *u = rel->unnest;
   const char *text = x->call.fn->columns;
   for (const char *p = text; *p;) {
      MtStr name = word (&p), type = word (&p), field = name;
      MtTypeId t = x->type.id; /* unless `type` names a type, as with anyelement */
      mt_type_by_name (type, &t);
      p += strspn (p, " ");
      if (*p == '=') {
         p++;
         field = word (&p);
      }
      u->columns[u->column_count++] = (MtUnnestColumn) {
         call, mt_str_is (field, "*") ? NULL : mt_strndup (b->a, field.p, field.n)};
      rel->columns[rel->column_count++] = mt_column_computed (mt_strndup (b->a, name.p, name.n),
                                                              mt_type (t), true, false);
   }
}

static int column_count (const MtX *x)
{
   int n = 1;
   for (const char *p = mt_is_set (x) && x->call.fn->columns ? x->call.fn->columns : ""; *p; p++)
      n += *p == ',';
   return n;
}

static void unnest_rel (MtBinder *b, const MtFrom *f, const Sets *sets, MtRel *rel)
{
   int n = 1;
   MtUnnest *u = MT_NEW (b->a, MtUnnest);
   for (int i = 0; i < sets->count; i++)
      n += column_count (sets->calls[i]);
   for (const MtFieldDef *d = f->function.fields; d; d = d->next)
      n++;
   *u = (MtUnnest) {.input = MT_NEW (b->a, MtRel),
                    .calls = sets->calls,
                    .count = sets->count,
                    .ordinality = f->with_ordinality};
   u->columns = MT_NEW_N (b->a, MtUnnestColumn, (size_t) n);
   *rel = (MtRel) {.kind = MT_REL_UNNEST,
                   .alias = f->alias.text ? f->alias.text : sets->names[0],
                   .unnest = u,
                   .columns = MT_NEW_N (b->a, MtRelColumn, (size_t) n)};
   for (int i = 0; i < sets->count; i++) {
      const MtX *x = sets->calls[i];
      if (f->function.fields) {
         mt_json_record_columns (b, f, sets->fields, rel);
         continue;
      }
      if (mt_is_set (x) && x->call.fn->columns) {
         declared_columns (b, x, i, rel);
         continue;
      }
      u->columns[u->column_count++] = (MtUnnestColumn) {i, NULL};
      rel->columns[rel->column_count++] = mt_column_computed (
         sets->count == 1 ? rel->alias : sets->names[i], x->type, true, x->finite);
   }
   if (f->with_ordinality)
      rel->columns[rel->column_count++] = mt_column_computed ("ordinality", mt_type (MT_T_INT8),
                                                              false, true);
}

bool mt_bind_from_function (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtRel none = {.kind = MT_REL_NONE};
   MtScope s = {.rel = b->beside ? b->beside : &none, .own = b->beside, .clause = MT_CLAUSE_FROM};
   Sets sets = {0};
   const MtExprList *list = f->function.rows_from;
   MtOuter *outer = b->outer;
   MtX *call = NULL;
   bool done = false;
   b->outer = b->beside ? b->lateral->next : b->lateral; /* the FROM items further to the left */
   b->beside = NULL; /* sub-selects in the arguments have FROM items of their own */
   bool ok = list ? !f->function.fields ||
                       mt_refuse (b, f->span, "a column definition list after ROWS FROM is")
                  : mt_bind_json_records (b, &s, f, &call, &sets.fields);
   if (ok && !call && !list)
      ok = mt_bind_file (b, &s, f, rel, &done);
   if (ok && !call && !list && !done)
      ok = mt_bind_series (b, &s, f, rel, &call, &done);
   if (ok && call)
      add_call (b, &sets, sets.fields ? mt_target_name (f->function.call) : call->call.fn->name,
                call);
   else if (ok && !done && !list)
      ok = bind_call (b, &s, f->function.call, &sets);
   for (; ok && list; list = list->next)
      ok = bind_call (b, &s, list->expr, &sets);
   b->outer = outer;
   if (ok && !done)
      unnest_rel (b, f, &sets, rel);
   return ok;
}

/* ---- joins with other items ---- */

/* Returns the first column of the join's left side that the functions in `right` use as an
 * argument. NULL: they use none. */
static const MtX *refers_left (const MtRel *right)
{
   const MtX *found = NULL;
   for (int i = 0; right->kind == MT_REL_UNNEST && right->unnest->input->kind == MT_REL_NONE &&
                   i < right->unnest->count && !found;
        i++)
      found = mt_x_first_column (right->unnest->calls[i]);
   return found;
}

bool mt_join_unnest (MtBinder *b, MtSpan span, MtRel *rel)
{
   MtJoin *j = rel->join;
   const MtX *x = refers_left (j->right);
   if (!x)
      return true;
   if (j->keep_right) {
      const char *table = mt_column_table (j->left, x->column);
      mt_error_at (b->err, x->span, MT_E_INVALID_COLUMN_REF,
                   "invalid reference to FROM-clause entry for table \"%s\"", table ? table : "");
      return mt_error_detail (
         b->err, "The combining JOIN type must be INNER or LEFT for a LATERAL reference.");
   }
   MtUnnest *u = j->right->unnest;
   u->input = j->left;
   u->keep = j->keep_left;
   u->on = j->keep_left ? NULL : j->on;
   rel->kind = MT_REL_UNNEST;
   rel->unnest = u;
   rel->join = NULL;
   return true;
}
