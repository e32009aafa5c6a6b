/* PREPARE, EXECUTE, DEALLOCATE. A prepared statement is its syntax tree and the types of its
 * parameters. Each EXECUTE binds and plans it again with the parameters' values as constants, so
 * that they prune partitions and choose cuts. */
#include "planner/emit/eval.h"
#include "session/core/core.h"
#include "session/core/held.h"
#include "session/dml/dml.h"
#include "session/run/run.h"

#include <string.h>

static MtPrepared **find_prepared (MtSession *s, const char *name)
{
   MtPrepared **at = &s->prepared;
   while (*at && !mt_ieq ((*at)->name, name))
      at = &(*at)->next;
   return at;
}

static bool need_prepared (MtSession *s, const MtName *name, MtPrepared ***out, MtError *err)
{
   *out = find_prepared (s, name->text);
   return **out || mt_error (err, MT_E_STATEMENT_NAME, "prepared statement \"%s\" does not exist",
                             name->text);
}

MtLook mt_prepared_look (MtSession *s, const MtName *name)
{
   const MtPrepared *p = *find_prepared (s, name->text);
   return p ? p->look : MT_LOOKS_FIRST;
}

/* ---- PREPARE ---- */

static bool given_types (MtStatement *st, MtParams *p, MtError *err)
{
   for (const MtTypeList *t = st->stmt->prepare.types; t; t = t->next)
      p->count++;
   p->types = MT_NEW_N (st->arena, MtType, (size_t) p->count + 1);
   int i = 0;
   for (const MtTypeList *t = st->stmt->prepare.types; t; t = t->next)
      if (!mt_bind_type (st->arena, &st->env, t->type, &p->types[i++], err))
         return false;
   p->most = p->count;
   return true;
}

bool mt_run_prepare (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const char *name = st->stmt->prepare.name.text;
   MtParams params = {0};
   MtColumnList columns;
   MtStatement inner = *st;
   mt_result_set_tag (st->result, "PREPARE");
   if (!given_types (st, &params, err))
      return false;
   inner.stmt = st->stmt->prepare.stmt;
   inner.env.params = &params;
   bool before = mt_look_begin (&inner), ok = mt_check_statement (&inner, &columns, err);
   mt_look_end (&inner, before);
   if (!ok)
      return false;
   for (int i = 0; i < params.most; i++)
      if (params.types[i].id == MT_T_UNKNOWN)
         return mt_error (err, MT_E_INDETERMINATE_TYPE,
                          "could not determine data type of parameter $%d", i + 1);
   if (*find_prepared (s, name))
      return mt_error (err, MT_E_DUPLICATE_PREPARED, "prepared statement \"%s\" already exists",
                       name);
   MtArena *a = mt_arena_new ("prepared", s->arena);
   MtPrepared *p = MT_NEW (a, MtPrepared);
   *p = (MtPrepared) {.arena = a,
                      .name = mt_strdup (a, name),
                      .sql = mt_strndup (a, st->sql, st->sql_len),
                      .sql_len = st->sql_len,
                      .count = params.most,
                      .look = mt_look_of (inner.stmt)};
   MtStmt *whole;
   /* the text was parsed before, so this cannot fail */
   if (!mt_parse (a, p->sql, p->sql_len, &whole, err)) {
      mt_arena_free (a);
      return false;
   }
   p->stmt = whole->prepare.stmt;
   p->types = MT_NEW_N (a, MtType, (size_t) p->count + 1);
   memcpy (p->types, params.types, (size_t) p->count * sizeof *p->types);
   p->next = s->prepared;
   s->prepared = p;
   return true;
}

/* ---- EXECUTE ---- */

static bool evaluate_arguments (MtStatement *st, const MtPrepared *p, const MtStmt *execute,
                                MtVal **out, MtError *err)
{
   int given = 0;
   for (const MtExprList *e = execute->execute.args; e; e = e->next)
      given++;
   if (p->count && given != p->count) {
      mt_error (err, MT_E_SYNTAX, "wrong number of parameters for prepared statement \"%s\"",
                p->name);
      return mt_error_detail (err, "Expected %d parameters but got %d.", p->count, given);
   }
   *out = MT_NEW_N (st->arena, MtVal, (size_t) given + 1);
   int i = 0;
   for (const MtExprList *e = execute->execute.args; e && i < p->count; e = e->next, i++) {
      MtX *x;
      if (!mt_bind_argument (st->arena, &st->env, e->expr, i + 1, p->types[i], &x, err) ||
          !mt_eval_const (st->arena, x, &st->env, &(*out)[i], err))
         return false;
   }
   return true;
}

bool mt_execute_begin (const MtStatement *st, const MtStmt *execute, MtStatement *out, MtError *err)
{
   MtPrepared **at;
   MtParams *params = MT_NEW (st->arena, MtParams);
   *out = *st;
   if (!need_prepared (st->session, &execute->execute.name, &at, err) ||
       !evaluate_arguments (out, *at, execute, &params->values, err))
      return false;
   params->count = (*at)->count;
   params->types = MT_NEW_N (st->arena, MtType, (size_t) params->count + 1);
   memcpy (params->types, (*at)->types, (size_t) params->count * sizeof (MtType));
   out->stmt = (*at)->stmt;
   out->env.params = params;
   return true;
}

bool mt_run_execute (MtStatement *st, MtError *err)
{
   MtStatement inner;
   if (!mt_execute_begin (st, st->stmt, &inner, err))
      return false;
   bool ok = mt_run_stmt (&inner, err);
   if (!ok)
      err->span = MT_NO_SPAN; /* the span is a place in the text of PREPARE, not of EXECUTE */
   return ok;
}

/* ---- DEALLOCATE ---- */

static void free_prepared (MtPrepared **at)
{
   MtPrepared *p = *at;
   *at = p->next;
   mt_arena_free (p->arena);
}

void mt_prepared_forget (MtSession *s)
{
   while (s->prepared)
      free_prepared (&s->prepared);
}

bool mt_run_deallocate (MtStatement *st, MtError *err)
{
   MtPrepared **at;
   const MtName *name = &st->stmt->execute.name;
   mt_result_set_tag (st->result, name->text ? "DEALLOCATE" : "DEALLOCATE ALL");
   if (!name->text)
      mt_prepared_forget (st->session);
   if (name->text && !need_prepared (st->session, name, &at, err))
      return false;
   if (name->text)
      free_prepared (at);
   return true;
}
