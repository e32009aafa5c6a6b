/* WITH whose entries are INSERT, UPDATE or DELETE. The entries run one after the other, then the
 * main statement. Each of them must see the tables as they were before the statement. So none may
 * read a table that an earlier one has changed. */
#include "base/bson.h"
#include "session/core/core.h"
#include "session/dml/dml.h"

#include <string.h>

/* Returns the name of the table that an INSERT, UPDATE or DELETE changes. */
static const MtName *target_of (const MtStmt *s)
{
   return s->kind == MT_STMT_INSERT ? &s->insert.table : &s->change.table;
}

bool mt_gives_rows (const MtStmt *s)
{
   if (s->kind == MT_STMT_SELECT)
      return true;
   return (s->kind == MT_STMT_INSERT ? s->insert.returning : s->change.returning) != NULL;
}

/* Returns a copy of an INSERT, UPDATE, DELETE or SELECT whose WITH clause is replaced by
 * `entries`. */
static MtStmt *with_entries (MtArena *a, const MtStmt *s, MtCte *entries, bool recursive)
{
   MtStmt *copy = MT_NEW (a, MtStmt);
   MtSelect *select = MT_NEW (a, MtSelect);
   *copy = *s;
   if (s->kind == MT_STMT_UPDATE || s->kind == MT_STMT_DELETE || s->kind == MT_STMT_MERGE) {
      copy->change.with = entries;
      copy->change.with_recursive = recursive;
      return copy;
   }
   const MtSelect *from = s->kind == MT_STMT_SELECT ? s->select : s->insert.source;
   bool read = s->kind == MT_STMT_SELECT || (from && from->kind != MT_SELECT_VALUES);
   for (const MtCte *c = entries; c; c = c->next)
      read |= c->uses > 0;
   if (!from)
      return copy;
   *select = *from;
   select->with = read ? entries : NULL; /* so that plain VALUES have no WITH */
   select->with_recursive = recursive;
   if (s->kind == MT_STMT_SELECT)
      copy->select = select;
   else
      copy->insert.source = select;
   return copy;
}

static bool has_own_with (const MtStmt *s)
{
   return s->kind == MT_STMT_INSERT ? s->insert.source && s->insert.source->with
                                    : s->change.with != NULL;
}

static bool is_recursive (const MtStmt *s)
{
   if (s->kind == MT_STMT_SELECT)
      return s->select->with_recursive;
   return s->kind == MT_STMT_INSERT ? s->insert.source && s->insert.source->with_recursive
                                    : s->change.with_recursive;
}

/* The progress of running a WITH: the entries that the next one can read, and the tables changed so
 * far. */
typedef struct Parts {
   MtStatement *st;
   MtCte *first, **last;
   MtChangedTables changed;
   size_t count; /* the parts that change rows, with the main statement */
} Parts;

static void add_entry (Parts *p, const MtCte *c, const MtCteRows *rows)
{
   MtCte *copy = MT_NEW (p->st->arena, MtCte);
   *copy = *c;
   copy->rows = rows;
   copy->next = NULL;
   *p->last = copy;
   p->last = &copy->next;
}

static MtStatement inner_of (const Parts *p, const MtStmt *stmt)
{
   MtStatement inner = *p->st;
   inner.stmt = stmt;
   return inner;
}

static bool open_parts (MtStatement *st, Parts *p, MtError *err)
{
   const MtStmt *main = st->stmt->with.main;
   *p = (Parts) {.st = st, .count = main->kind != MT_STMT_SELECT};
   p->last = &p->first;
   for (const MtCte *c = st->stmt->with.ctes; c; c = c->next) {
      if (!c->stmt)
         continue;
      p->count++;
      if (has_own_with (c->stmt))
         return mt_error_at (err, c->stmt->span, MT_E_FEATURE,
                             "WITH within a data-modifying entry of WITH is not supported");
   }
   p->changed.names = MT_NEW_N (st->arena, const MtName *, p->count + 1);
   return true;
}

/* Fails if s changes rows of a table that an earlier entry has changed. An INSERT into the same
 * table is allowed, because it reads none of its rows. */
static bool may_change (Parts *p, const MtStmt *s, MtError *err)
{
   bool reads = s->kind != MT_STMT_INSERT || s->insert.conflict;
   p->changed.own = s->span;
   return !reads || mt_is_unchanged (&p->changed, target_of (s), err);
}

static void was_changed (Parts *p, const MtStmt *s)
{
   p->changed.names[p->changed.count++] = target_of (s);
}

/* ---- running ---- */

/* Fails if several entries change rows on a server outside of a transaction block, because each
 * would be committed separately. */
static bool is_atomic (const Parts *p, MtError *err)
{
   MtEngine *e = p->st->session->engine;
   if (mt_engine_caps (e)->savepoints || p->count < 2 || mt_engine_in_txn (e))
      return true;
   mt_error_at (err, p->st->stmt->span, MT_E_FEATURE,
                "several changes in one statement are not supported on this server");
   return mt_error_hint (err, "Run the statement in a transaction block: BEGIN … COMMIT.");
}

bool mt_gather_entry (MtArena *a, MtResult *r, MtCteRows *out, MtError *err)
{
   MtVals rows = {0};
   const bson_t *doc;
   bool ok;
   while ((ok = mt_result_next_doc (r, &doc, err)) && doc)
      mt_vals_add (&rows, a, mt_v_copy (a, mt_v_doc (doc)));
   out->columns = MT_NEW_N (a, MtRelColumn, r->column_count + 1);
   for (size_t i = 0; i < r->column_count; i++) {
      out->columns[i] = r->columns[i];
      out->columns[i].name = mt_strdup (a, r->columns[i].name);
   }
   out->count = (int) r->column_count;
   return ok && mt_v_make_array (a, rows.v, rows.n, &out->rows, err);
}

/* Returns the query `WITH entries SELECT * FROM c`. c is the last of the entries. */
static MtSelect *all_of (MtArena *a, const MtCte *c, MtCte *entries, bool recursive)
{
   MtSelect *select = MT_NEW (a, MtSelect);
   MtTarget *target = MT_NEW (a, MtTarget);
   MtExpr *star = MT_NEW (a, MtExpr);
   MtFrom *from = MT_NEW (a, MtFrom);
   *star = (MtExpr) {.kind = MT_EXPR_STAR, .span = c->name.span};
   *target = (MtTarget) {.expr = star};
   *from = (MtFrom) {.kind = MT_FROM_TABLE, .span = c->name.span, .table.name = c->name};
   *select = (MtSelect) {.kind = MT_SELECT_PLAIN,
                         .span = c->name.span,
                         .with = entries,
                         .with_recursive = recursive,
                         .plain.targets = target,
                         .plain.from = from};
   return select;
}

/* Adds a WITH entry that is a query. If it calls volatile functions, it is run now, and all
 * statements that read the entry get the same rows. */
static bool add_query (Parts *p, const MtCte *c, MtError *err)
{
   MtStatement *st = p->st;
   MtCte **last = p->last;
   MtQuery *q;
   MtPlan *plan;
   add_entry (p, c, NULL);
   if (c->uses <= c->self)
      return true; /* no part reads it */
   int varied = st->env.sharing->varied;
   bool recursive = is_recursive (st->stmt->with.main);
   const MtSelect *select = all_of (st->arena, c, p->first, recursive);
   if (!mt_bind_select (st->arena, &st->env, select, &q, err))
      return false;
   if (st->env.sharing->varied == varied)
      return true;
   MtCteRows *rows = MT_NEW (st->arena, MtCteRows);
   MtResult *r = mt_result_new (st->session, mt_arena_new ("entry", NULL));
   r->style = st->env.style;
   bool ok = mt_plan_bound (st, q, &plan, err) && mt_result_run (r, plan, false, err) &&
             mt_gather_entry (st->arena, r, rows, err);
   mt_result_free (r);
   p->last = last;
   add_entry (p, c, rows);
   return ok;
}

static bool run_part (Parts *p, const MtCte *c, MtError *err)
{
   MtArena *a = p->st->arena;
   MtCteRows *rows = MT_NEW (a, MtCteRows);
   MtStmt *stmt = with_entries (a, c->stmt, p->first, is_recursive (p->st->stmt->with.main));
   MtStatement inner = inner_of (p, stmt);
   if (!may_change (p, stmt, err))
      return false;
   MtResult *r = inner.result = mt_result_new (p->st->session, mt_arena_new ("part", NULL));
   r->style = p->st->env.style;
   r->unprinted = true;
   rows->count = -1;
   bool ok = p->st->session->upper->run (&inner, err) &&
             (!mt_gives_rows (stmt) || mt_gather_entry (a, r, rows, err));
   mt_result_free (r);
   if (!ok)
      return false;
   was_changed (p, stmt);
   add_entry (p, c, rows);
   return true;
}

static bool run_main (Parts *p, MtError *err)
{
   MtStatement *st = p->st;
   const MtStmt *main = st->stmt->with.main;
   MtStatement inner = inner_of (p, with_entries (st->arena, main, p->first, is_recursive (main)));
   MtPlan *plan;
   if (main->kind != MT_STMT_SELECT)
      return may_change (p, main, err) && st->session->upper->run (&inner, err);
   if (!mt_plan_select (&inner, inner.stmt->select, &plan, err))
      return false;
   mt_result_set_tag (st->result, "SELECT");
   st->result->counts_rows = true;
   return mt_result_run (st->result, plan, false, err) &&
          mt_spool_rows (&inner, st->result, plan, err);
}

bool mt_run_with (MtStatement *st, MtError *err)
{
   Parts p;
   MtSession *s = st->session;
   if (!open_parts (st, &p, err) || !is_atomic (&p, err))
      return false;
   bool ok = true;
   s->changed = &p.changed;
   for (const MtCte *c = st->stmt->with.ctes; c && ok; c = c->next)
      if (c->stmt)
         ok = run_part (&p, c, err);
      else
         ok = add_query (&p, c, err);
   ok = ok && run_main (&p, err);
   s->changed = NULL;
   return ok;
}

/* ---- without running ---- */

static bool check_part (Parts *p, const MtCte *c, MtError *err)
{
   MtArena *a = p->st->arena;
   MtCteRows *rows = MT_NEW (a, MtCteRows);
   MtStmt *stmt = with_entries (a, c->stmt, p->first, is_recursive (p->st->stmt->with.main));
   MtStatement inner = inner_of (p, stmt);
   const MtPlan *returned = NULL;
   rows->count = -1;
   if (!may_change (p, stmt, err) ||
       !(stmt->kind == MT_STMT_INSERT ? mt_check_insert (&inner, &returned, err)
                                      : mt_check_change (&inner, &returned, err)))
      return false;
   if (returned) {
      rows->columns = returned->columns;
      rows->count = returned->column_count;
      if (!mt_v_make_array (a, NULL, 0, &rows->rows, err))
         return false;
   }
   was_changed (p, stmt);
   add_entry (p, c, rows);
   return true;
}

bool mt_check_with (MtStatement *st, MtStatement *main, MtError *err)
{
   Parts p;
   if (!open_parts (st, &p, err))
      return false;
   bool ok = true;
   for (const MtCte *c = st->stmt->with.ctes; c && ok; c = c->next)
      if (c->stmt)
         ok = check_part (&p, c, err);
      else
         add_entry (&p, c, NULL);
   const MtStmt *s = st->stmt->with.main;
   *main = inner_of (&p, with_entries (st->arena, s, p.first, is_recursive (s)));
   return ok;
}
