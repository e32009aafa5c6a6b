/* The views, defaults and constraints that use a column, function or sequence which is dropped.
 * DROP FUNCTION. */
#include "analyze/bind.h"
#include "session/core/checks.h"
#include "session/core/domains.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/ddl/constraint.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"

#include <string.h>

typedef struct Users {
   MtStatement *st;
   MtStatement look; /* as st, but the dropped object is not found */
   MtSharing sharing;
   const MtDropped *dropped;
   MtRelationRefs views;
   MtBuf lines;         /* "view v depends on function f(integer)" */
   size_t others;       /* how many defaults and constraints use it */
   const char *cascade; /* the last of them, as the notice names it */
} Users;

/* ---- finding ---- */

static bool binds (Users *u, const char *sql)
{
   MtStmt *stmt;
   MtQuery *q;
   MtError ignored;
   bool before = mt_look_begin (&u->look);
   bool ok = mt_parse (u->st->arena, sql, strlen (sql), &stmt, &ignored) && stmt &&
             stmt->kind == MT_STMT_SELECT &&
             mt_bind_select (u->st->arena, &u->look.env, stmt->select, &q, &ignored);
   mt_look_end (&u->look, before);
   return ok;
}

/* Returns whether a view uses the object. sql: the view's query. select: a query that fails without
 * the object if the view uses it. */
static bool uses (Users *u, const char *sql, const char *select)
{
   const MtDropped *d = u->dropped;
   if (d->word)
      return mt_find_word (sql, d->word) != NULL;
   u->look.env.sharing = NULL;
   u->look.env.user_functions = u->st->env.user_functions;
   if (!binds (u, select)) /* also without the change */
      return false;
   u->sharing = (MtSharing) {.hides_in = d->table, .hides = d->column};
   u->look.env.sharing = &u->sharing;
   u->look.env.user_functions = d->functions ? d->functions : u->st->env.user_functions;
   return !binds (u, select);
}

static void add_line (Users *u, const char *what)
{
   mt_buf_printf (&u->lines, "%s%s depends on %s", u->lines.n ? "\n" : "", what, u->dropped->shown);
}

static void find_views (Users *u, MtRelationKind kind)
{
   size_t n;
   MtArena *a = u->st->arena;
   MtSession *s = u->st->session;
   const MtCatalogObject *o = mt_catalog_objects (
      s->catalog, kind == MT_RELATION_VIEW ? "view" : "matview", &n);
   for (size_t i = 0; i < n; i++) {
      const char *name = mt_strdup (a, o[i].name),
                 *sql = mt_strdup (a, mt_field_text (o[i].body, "sql"));
      const char *all = mt_printf (a, "SELECT * FROM %s", mt_qualified (s, a, name));
      if (!uses (u, sql, kind == MT_RELATION_VIEW ? all : sql))
         continue;
      add_line (u, mt_printf (a, "%s %s", mt_relation_word (kind), name));
      mt_relations_add (a, &u->views, kind, name);
   }
}

static bool default_uses (Users *u, const MtColumn *c)
{
   const MtDropped *d = u->dropped;
   if (d->default_sql && c->default_sql)
      return strcmp (d->default_sql, c->default_sql) == 0;
   return d->functions && c->default_sql &&
          uses (u, c->default_sql, mt_printf (u->st->arena, "SELECT %s", c->default_sql));
}

static bool check_uses (Users *u, const MtTable *t, const MtTableCheck *c)
{
   const MtDropped *d = u->dropped;
   return d->functions &&
          uses (u, c->sql,
                mt_printf (u->st->arena, "SELECT 1 FROM %s WHERE %s",
                           mt_qualified (u->st->session, u->st->arena, t->name), c->sql));
}

static void add_other (Users *u, const char *what)
{
   add_line (u, what);
   u->others++;
   u->cascade = what;
}

/* Finds the defaults and constraints of table t. *next is the table without them. Returns whether
 * any was found. */
static bool find_in_table (Users *u, const MtTable *t, MtTable *next)
{
   MtArena *a = u->st->arena;
   size_t before = u->others;
   *next = *t;
   next->columns = MT_NEW_N (a, MtColumn, t->column_count + 1);
   memcpy (next->columns, t->columns, t->column_count * sizeof (MtColumn));
   for (size_t i = 0; i < t->column_count; i++)
      if (default_uses (u, &t->columns[i])) {
         next->columns[i].default_sql = NULL;
         add_other (u, mt_printf (a, "default value for column %s of table %s", t->columns[i].name,
                                  t->name));
      }
   for (size_t i = 0; i < t->check_count; i++)
      if (check_uses (u, t, &t->checks[i])) {
         mt_without_check (u->st, next, t->checks[i].name, NULL);
         add_other (u, mt_printf (a, "constraint %s on table %s", t->checks[i].name, t->name));
      }
   return u->others > before;
}

/* Fails with 2BP01 if an alert, a domain's constraint or a partial index names the function. */
static bool no_other_text (Users *u, MtError *err)
{
   const char *name = u->dropped->name, *what = NULL;
   size_t n;
   if (!name)
      return true;
   const MtCatalogObject *o = mt_catalog_objects (u->st->session->catalog, "alert", &n);
   for (size_t i = 0; i < n; i++)
      if (mt_find_word (mt_field_text (o[i].body, "sql"), name))
         what = mt_printf (u->st->arena, "alert %s", o[i].name);
   const MtDomain *domains = mt_domain_list (u->st->session, u->st->arena, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < domains[i].check_count; k++)
         if (mt_find_word (domains[i].checks[k].sql, name))
            what = mt_printf (u->st->arena, "type %s", domains[i].name);
   const MtTable *const *all = mt_catalog_tables (u->st->session->catalog, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < all[i]->unique_count; k++)
         if (all[i]->keys[k].where && mt_find_word (all[i]->keys[k].where->sql, name))
            what = mt_printf (u->st->arena, "index %s", all[i]->keys[k].name);
   if (!what)
      return true;
   mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot drop %s because other objects depend on it",
             u->dropped->shown);
   mt_error_detail (err, "%s depends on %s", what, u->dropped->shown);
   return mt_error_hint (err, "Drop or change this object first.");
}

/* ---- dropping ---- */

static bool report (Users *u, MtError *err)
{
   mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot drop %s because other objects depend on it",
             u->dropped->shown);
   mt_error_detail (err, "%s", u->lines.p);
   return mt_error_hint (err, "Use DROP ... CASCADE to drop the dependent objects too.");
}

static bool find_all (Users *u, MtTable *changed, size_t *count, MtError *err)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (u->st->session->catalog, &n);
   if (!no_other_text (u, err))
      return false;
   find_views (u, MT_RELATION_VIEW);
   find_views (u, MT_RELATION_MATVIEW);
   mt_add_readers (u->st, &u->views, &u->lines);
   for (size_t i = 0; i < n; i++)
      *count += find_in_table (u, all[i], &changed[*count]);
   return true;
}

bool mt_drop_users (MtStatement *st, const MtDropped *d, bool cascade, MtError *err)
{
   Users u = {.st = st, .look = *st, .dropped = d};
   size_t tables, count = 0;
   mt_catalog_tables (st->session->catalog, &tables);
   MtTable *changed = MT_NEW_N (st->arena, MtTable, tables + 1);
   bool ok = find_all (&u, changed, &count, err);
   size_t all = u.views.count + u.others;
   ok = ok && (!all || cascade || report (&u, err));
   mt_buf_free (&u.lines);
   if (!ok || !all)
      return ok;
   if (all > 1)
      mt_notice (st->session, "NOTICE", NULL, "drop cascades to %zu other objects", all);
   else if (u.others)
      mt_notice (st->session, "NOTICE", NULL, "drop cascades to %s", u.cascade);
   else
      mt_report_cascade (st, &u.views);
   for (size_t i = 0; i < count; i++)
      if (!mt_catalog_save (st->session->catalog, &changed[i], NULL, err))
         return false;
   return mt_drop_relations (st, &u.views, err);
}

/* ---- DROP FUNCTION ---- */

static bool drop_function (MtStatement *st, const MtDroppedFunction *f, MtError *err)
{
   bool dropped;
   MtDropped d = {.shown = mt_printf (st->arena, "function %s", f->shown), .name = f->name};
   size_t n = st->env.user_function_count;
   const MtFunc **list = MT_NEW_N (st->arena, const MtFunc *, n + 1);
   MtFunc *broken = MT_NEW (st->arena, MtFunc);
   for (size_t i = 0; i < n; i++) {
      list[i] = st->env.user_functions[i];
      if (list[i] != f->function)
         continue;
      *broken = *f->function;
      broken->sql = ")";
      list[i] = broken;
      d.functions = list;
   }
   return mt_drop_users (st, &d, st->stmt->drop.cascade, err) &&
          mt_catalog_drop_object (st->session->catalog, "function", f->key, &dropped, err);
}

bool mt_run_drop_function (MtStatement *st, MtError *err)
{
   const MtDropArgs *args = st->stmt->drop.args;
   mt_result_set_tag (st->result, "DROP FUNCTION");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next, args = args->next) {
      MtDroppedFunction f;
      if (!mt_function_dropped (st, &n->name, args, &f, err))
         return false;
      if (f.key) {
         if (!drop_function (st, &f, err))
            return false;
      } else if (st->stmt->drop.if_exists) {
         mt_notice (st->session, "NOTICE", NULL, "function %s does not exist, skipping", f.shown);
      } else if (args->given) {
         return mt_error_at (err, n->name.span, MT_E_UNDEFINED_FUNCTION,
                             "function %s does not exist", f.shown);
      } else {
         return mt_error_at (err, n->name.span, MT_E_UNDEFINED_FUNCTION,
                             "could not find a function named \"%s\"", n->name.text);
      }
   }
   return true;
}
