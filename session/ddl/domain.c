/* CREATE, ALTER and DROP DOMAIN. */
#include "session/core/core.h"
#include "session/core/domains.h"
#include "session/core/schemas.h"
#include "session/ddl/ddl.h"
#include "session/ddl/type.h"

#include <stdlib.h>
#include <string.h>

/* ---- constraints and defaults ---- */

static size_t find_check (const MtDomain *d, const char *name)
{
   size_t i = 0;
   while (i < d->check_count && strcmp (d->checks[i].name, name) != 0)
      i++;
   return i;
}

/* Returns a name for a constraint without one: "domain_check", with a number if the name is
 * taken. */
static const char *made_name (MtStatement *st, const MtDomain *d)
{
   const char *base = mt_printf (st->arena, "%s_check", d->name), *name = base;
   for (int i = 1; find_check (d, name) < d->check_count; i++)
      name = mt_printf (st->arena, "%s%d", base, i);
   return name;
}

static int by_name (const void *a, const void *b)
{
   const struct MtDomainCheck *x = a, *y = b;
   return strcmp (x->name, y->name);
}

static const char *text_of (MtStatement *st, const MtExpr *e)
{
   MtBuf text = {0};
   mt_print_expr (e, &text);
   const char *out = mt_strndup (st->arena, text.p, text.n);
   mt_buf_free (&text);
   return out;
}

static bool add_check (MtStatement *st, MtDomain *d, const MtCheckDef *c, MtError *err)
{
   const char *name = c->name.text ? c->name.text : made_name (st, d);
   if (!mt_bind_domain_condition (st->arena, &st->env, d, c->expr, err))
      return false;
   if (find_check (d, name) < d->check_count)
      return mt_error_at (err, c->span, MT_E_DUPLICATE_OBJECT,
                          "constraint \"%s\" for domain \"%s\" already exists", name, d->name);
   struct MtDomainCheck *more = MT_NEW_N (st->arena, struct MtDomainCheck, d->check_count + 2);
   memcpy (more, d->checks, d->check_count * sizeof *more);
   more[d->check_count++] = (struct MtDomainCheck) {name, text_of (st, c->expr), 0};
   qsort (more, d->check_count, sizeof *more, by_name);
   d->checks = more;
   return true;
}

static bool set_default (MtStatement *st, MtDomain *d, const MtExpr *e, MtError *err)
{
   MtX *x;
   if (e && !mt_bind_expr (st->arena, &st->env, e, d->base, &x, err))
      return false;
   d->default_sql = e && e->kind != MT_EXPR_NULL ? text_of (st, e) : NULL;
   return true;
}

/* ---- CREATE DOMAIN ---- */

bool mt_run_create_domain (MtStatement *st, MtError *err)
{
   const MtColumnDef *def = st->stmt->domain.def;
   MtDomain d = {.name = st->stmt->domain.name.text, .not_null = def->not_null};
   d.checks = MT_NEW (st->arena, struct MtDomainCheck);
   mt_result_set_tag (st->result, "CREATE DOMAIN");
   if (!mt_type_schema (&st->stmt->domain.schema, err) ||
       !mt_type_name_is_free (st, &st->stmt->domain.name, err) || !mt_may_write_types (st, err) ||
       !mt_bind_type (st->arena, &st->env, def->type, &d.base, err) ||
       !mt_can_store (d.base.id, def->type->span, err) ||
       !set_default (st, &d, def->default_value, err))
      return false;
   for (const MtCheckDef *c = def->checks; c; c = c->next)
      if (!add_check (st, &d, c, err))
         return false;
   return mt_domain_save (st, &d, err);
}

/* ---- dependencies on a domain ---- */

static const MtTable *table_with (MtStatement *st, const char *domain, const MtColumn **column)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < all[i]->column_count; k++) {
         *column = &all[i]->columns[k];
         if ((*column)->domain && mt_ieq ((*column)->domain, domain))
            return all[i];
      }
   return NULL;
}

/* Finds the domain `name`. found->name NULL: it does not exist, and IF EXISTS was given (with a
 * notice). */
static bool named (MtStatement *st, const MtName *schema, const MtName *name, bool if_exists,
                   MtDomain *found, MtError *err)
{
   MtTypeId id;
   if (!mt_type_schema (schema, err))
      return false;
   if (mt_domain_named (st->session, st->arena, name->text, found))
      return true;
   found->name = NULL;
   if (mt_type_by_name (mt_str (name->text), &id) || st->env.type (st->session, name->text, &id))
      return mt_error_at (err, name->span, MT_E_WRONG_OBJECT, "\"%s\" is not a domain", name->text);
   if (!if_exists)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT, "type \"%s\" does not exist",
                          name->text);
   mt_notice (st->session, "NOTICE", NULL, "type \"%s\" does not exist, skipping", name->text);
   return true;
}

/* ---- ALTER DOMAIN ---- */

static bool drop_check (MtStatement *st, MtDomain *d, MtError *err)
{
   const MtName *name = &st->stmt->domain.constraint;
   size_t at = find_check (d, name->text);
   if (at < d->check_count) {
      memmove (&d->checks[at], &d->checks[at + 1], (d->check_count - at - 1) * sizeof *d->checks);
      d->check_count--;
      return true;
   }
   if (!st->stmt->domain.if_exists)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                          "constraint \"%s\" of domain \"%s\" does not exist", name->text, d->name);
   mt_notice (st->session, "NOTICE", NULL,
              "constraint \"%s\" of domain \"%s\" does not exist, skipping", name->text, d->name);
   return true;
}

/* Fails if a column has the domain. Used for changes of a domain that would change defaults of
 * columns, or that rows which another client writes may violate. */
static bool not_used (MtStatement *st, const MtDomain *d, MtError *err)
{
   const MtColumn *column;
   const MtTable *used = table_with (st, d->name, &column);
   if (!used)
      return true;
   mt_error_at (err, st->stmt->domain.name.span, MT_E_FEATURE,
                "this change of domain %s is not supported, because column %s of table %s uses it",
                d->name, column->name, used->name);
   return mt_error_hint (err, "Use ALTER TABLE to change the column.");
}

/* Sets *any to whether the query gives a row. */
static bool any_row (MtStatement *st, const char *sql, bool *any, MtError *err)
{
   MtStmt *select;
   MtQuery *q;
   MtPlan *plan;
   MtPlanSettings settings = mt_plan_settings (st->session, &st->env.style);
   settings.layout = settings.cut = NULL;
   if (!mt_parse (st->arena, sql, strlen (sql), &select, err) ||
       !mt_bind_select (st->arena, &st->env, select->select, &q, err) ||
       !mt_plan_query (st->arena, q, &settings, &plan, err))
      return false;
   MtResult *r = mt_result_new (st->session, mt_arena_new ("any", NULL));
   bool ok = mt_result_run (r, plan, false, err) && mt_result_next (r, any, err);
   mt_result_free (r);
   return ok;
}

/* Fails with 23514 if rows violate `condition`, a new constraint of the domain; with 23502 if
 * condition is NULL and columns of the domain have NULLs. On a server the domain may not be used,
 * because other clients may write such rows at the same time. */
static bool rows_fit (MtStatement *st, const MtDomain *d, const char *condition, MtError *err)
{
   size_t n;
   MtArena *a = st->arena;
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   if (mt_engine_caps (st->session->engine)->unique_indexes)
      return not_used (st, d, err);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < all[i]->column_count; k++) {
         const MtColumn *c = &all[i]->columns[k];
         bool any = false;
         if (!c->domain || !mt_ieq (c->domain, d->name))
            continue;
         const char *sql = mt_printf (
            a, "SELECT 1 FROM (SELECT %s AS value FROM %s) s WHERE %s(%s) LIMIT 1",
            mt_quoted (a, c->name), mt_qualified (st->session, a, all[i]->name),
            condition ? "NOT " : "", condition ? condition : "value IS NULL");
         if (!any_row (st, sql, &any, err))
            return false;
         if (any)
            return mt_error (err, condition ? MT_E_CHECK : MT_E_NOT_NULL,
                             "column \"%s\" of table \"%s\" contains %s", c->name,
                             mt_unqualified (st->session, all[i]->name),
                             condition ? "values that violate the new constraint" : "null values");
      }
   return true;
}

bool mt_run_alter_domain (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtColumnDef *def = s->domain.def;
   MtDomain d;
   bool ok = true;
   mt_result_set_tag (st->result, "ALTER DOMAIN");
   if (!named (st, &s->domain.schema, &s->domain.name, false, &d, err) ||
       !mt_may_write_types (st, err))
      return false;
   switch (s->domain.change) {
   case MT_DOMAIN_ADD_CHECK:
      ok = add_check (st, &d, def->checks, err) &&
           rows_fit (st, &d, text_of (st, def->checks->expr), err);
      break;
   case MT_DOMAIN_DROP_CONSTRAINT: ok = drop_check (st, &d, err); break;
   case MT_DOMAIN_SET_NOT_NULL:
      ok = rows_fit (st, &d, NULL, err);
      d.not_null = true;
      break;
   case MT_DOMAIN_DROP_NOT_NULL: d.not_null = false; break;
   case MT_DOMAIN_SET_DEFAULT:
   case MT_DOMAIN_DROP_DEFAULT:
      ok = not_used (st, &d, err) && set_default (st, &d, def->default_value, err);
      break;
   }
   return ok && mt_domain_save (st, &d, err);
}

/* ---- DROP DOMAIN ---- */

static bool may_drop (MtStatement *st, const MtDomain *d, MtError *err)
{
   const MtColumn *column;
   const MtTable *used = table_with (st, d->name, &column);
   if (!used)
      return mt_type_not_in_text (st, d->name, "drop", err);
   if (st->stmt->drop.cascade) {
      mt_error (err, MT_E_FEATURE, "DROP DOMAIN ... CASCADE is not supported for types of columns");
      return mt_error_hint (err, "Drop column %s of table %s first.", column->name, used->name);
   }
   mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot drop type %s because other objects depend on it",
             d->name);
   mt_error_detail (err, "column %s of table %s depends on type %s", column->name, used->name,
                    d->name);
   return mt_error_hint (err, "Drop the column first.");
}

bool mt_run_drop_domain (MtStatement *st, MtError *err)
{
   const MtNameList *schema = st->stmt->drop.schemas;
   mt_result_set_tag (st->result, "DROP DOMAIN");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtName none = {0};
      MtDomain d;
      bool dropped;
      if (!named (st, schema ? &schema->name : &none, &n->name, st->stmt->drop.if_exists, &d, err))
         return false;
      schema = schema ? schema->next : NULL;
      if (d.name &&
          (!may_drop (st, &d, err) || !mt_may_write_types (st, err) ||
           !mt_catalog_drop_object (st->session->catalog, "domain", d.name, &dropped, err)))
         return false;
   }
   return true;
}
