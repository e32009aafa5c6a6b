/* FROM: tables, views, sub-selects, VALUES, and common table expressions. */
#include "analyze/from/from.h"

#include "analyze/from/from_int.h"
#include "analyze/from/shared.h"
#include "analyze/names/joined.h"
#include "analyze/names/names.h"
#include "analyze/state/outer.h"
#include "engine/types.h"
#include "parser/parser.h"

#include <string.h>

static bool no_table (MtBinder *b, const MtFrom *f)
{
   size_t n = 0;
   const char *const *names = b->env->tables ? b->env->tables (b->env->ctx, &n) : NULL;
   const char *near = n ? mt_nearest (f->table.name.text, names, n) : NULL;
   if (f->table.schema.text)
      mt_error_at (b->err, f->table.schema.span, MT_E_UNDEFINED_TABLE,
                   "relation \"%s.%s\" does not exist", f->table.schema.text, f->table.name.text);
   else
      mt_error_at (b->err, f->table.name.span, MT_E_UNDEFINED_TABLE,
                   "relation \"%s\" does not exist", f->table.name.text);
   for (const MtCteBind *c = f->table.schema.text ? NULL : b->hidden; c; c = c->outer)
      if (strcmp (c->cte->name.text, f->table.name.text) == 0) {
         mt_error_detail (
            b->err,
            "There is a WITH item named \"%s\", but it cannot be referenced from this part of the "
            "query.",
            c->cte->name.text);
         return mt_error_hint (
            b->err, "Use WITH RECURSIVE, or re-order the WITH items to remove forward references.");
      }
   if (near)
      mt_error_hint (b->err, "Perhaps you meant \"%s\".", near);
   return false;
}

static int count_names (const MtNameList *list)
{
   int n = 0;
   for (; list; list = list->next)
      n++;
   return n;
}

/* Renames the first columns of rel by the column aliases of FROM t AS x (a, b). */
static bool rename_columns (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   int n = 0;
   for (const MtNameList *c = f->column_aliases; c; c = c->next, n++) {
      if (n >= rel->column_count)
         return mt_error_at (b->err, f->span, MT_E_INVALID_COLUMN_REF,
                             "table \"%s\" has %d columns available but %d columns specified",
                             rel->alias ? rel->alias : "", rel->column_count,
                             count_names (f->column_aliases));
      rel->columns[n].name = c->name.text;
   }
   return true;
}

void mt_bind_table_rel (MtBinder *b, const MtTable *t, MtRel *rel)
{
   rel->kind = MT_REL_TABLE;
   rel->table = t;
   rel->column_count = (int) t->column_count;
   rel->columns = MT_NEW_N (b->a, MtRelColumn, t->column_count + 1);
   /* as mt_table_id, which analysis may not call */
   const char *id = mt_printf (b->a, "%s%s", t->temporary ? MT_TEMPORARY : "", t->name);
   for (size_t i = 0; i < t->column_count; i++) {
      rel->columns[i] = mt_rel_column_stored (&t->columns[i]);
      rel->columns[i].origin = (MtOrigin) {id, (int) i + 1};
   }
   const MtSharing *all = mt_sharing (b);
   for (size_t i = 0; all->hides && i < t->column_count; i++)
      if (t->temporary == all->hides_in->temporary && strcmp (t->name, all->hides_in->name) == 0 &&
          strcmp (t->columns[i].name, all->hides) == 0)
         rel->columns[i].name = "\001"; /* no name in SQL */
   if (!t->column_count || !t->columns[t->column_count - 1].inner)
      return;
   rel->names = MT_NEW_N (b->a, MtRelName, t->column_count);
   for (; !t->columns[rel->name_count].inner; rel->name_count++)
      rel->names[rel->name_count] = (MtRelName) {t->columns[rel->name_count].name, rel->name_count,
                                                 NULL};
}

static void query_rel (MtBinder *b, MtQuery *q, MtRel *rel)
{
   rel->kind = MT_REL_QUERY;
   rel->query = q;
   rel->column_count = q->visible_count;
   rel->columns = MT_NEW_N (b->a, MtRelColumn, (size_t) q->visible_count + 1);
   for (int i = 0; i < q->visible_count; i++)
      rel->columns[i] = mt_rel_column_target (q, i);
}

static bool cte_rel (MtBinder *b, const MtCteBind *c, MtSpan at, MtRel *rel)
{
   MtQuery *q;
   if (!mt_bind_cte (b, c, at, &q))
      return false;
   query_rel (b, q, rel);
   MtFrom names = {.column_aliases = c->cte->columns, .span = c->cte->name.span};
   return rename_columns (b, &names, rel);
}

/* Returns `stored`, a table's name in the catalog, without the schema that the query writes before
 * the name. */
static const char *without_schema (const MtFrom *f, const char *stored)
{
   const char *schema = f->table.schema.text;
   size_t n = schema ? strlen (schema) : 0;
   return n && strncasecmp (stored, schema, n) == 0 && stored[n] == '.' ? stored + n + 1 : stored;
}

/* Makes *rel a sub-select with the query of view v. The query can't see WITH entries or outer
 * columns of the statement. It has only the columns that the view had when it was created. */
static bool view_rel (MtBinder *b, const MtFrom *f, const MtView *v, MtRel *rel)
{
   MtBindEnv *env = MT_NEW (b->a, MtBindEnv);
   *env = *b->env;
   env->stored = true;
   MtBinder inner = {.a = b->a,
                     .env = env,
                     .err = b->err,
                     .upper = b->upper,
                     .depth = b->depth,
                     .inline_depth = b->inline_depth,
                     .sharing = mt_sharing (b),
                     .expands = true};
   MtQuery *q;
   MtViewRead *read = mt_view_read (b, v->name, &q);
   if (!q && (!mt_enter (&inner, f->span) || !mt_bind_query (&inner, v->query, &q) ||
              !mt_share_view (&inner, read, &q))) {
      b->err->span = f->span; /* error positions in the view are not positions in the statement */
      return false;
   }
   query_rel (b, q, rel);
   const char *id = mt_strdup (b->a, v->name);
   for (int i = 0; i < rel->column_count; i++)
      rel->columns[i].origin = (MtOrigin) {id, i + 1};
   if (!f->alias.text)
      rel->alias = without_schema (f, v->name);
   if (!v->columns)
      return true;
   bool same = rel->column_count >= v->count;
   for (int i = 0; i < v->count && same; i++)
      same = strcmp (rel->columns[i].name, v->own[i]) == 0;
   if (!same) {
      mt_error_at (b->err, f->span, MT_E_FEATURE,
                   "the tables of view \"%s\" have changed since it was created", v->name);
      return mt_error_hint (b->err, "Use CREATE OR REPLACE VIEW.");
   }
   rel->column_count = v->count;
   for (int i = 0; i < v->count; i++)
      rel->columns[i].name = v->columns[i];
   return true;
}

static bool system_rel (MtBinder *b, const MtFrom *f, MtRel *rel, bool *found)
{
   MtSystemTable t = {0};
   *found = false;
   if (!b->env->system (b->env->ctx, b->a, &f->table.schema, &f->table.name, &t, b->err))
      return false;
   if (!t.name)
      return true;
   *found = true;
   rel->kind = MT_REL_SYSTEM;
   rel->work = t.name;
   rel->given = t.rows;
   rel->columns = t.columns;
   rel->column_count = t.count;
   rel->fields = MT_NEW_N (b->a, const char *, (size_t) t.count + 1);
   for (int i = 0; i < t.count; i++)
      rel->fields[i] = t.columns[i].name; /* an alias may rename columns */
   if (!f->alias.text)
      rel->alias = t.name;
   return true;
}

/* Finds a temporary table by the name of f, which must have no schema. *out is NULL if there is
 * none. */
static bool temporary_table (MtBinder *b, const MtFrom *f, const MtTable **out)
{
   MtName schema = {.text = "pg_temp", .span = f->table.name.span};
   *out = NULL;
   return b->env->stored || f->table.schema.text ||
          b->env->table (b->env->ctx, &schema, &f->table.name, out, b->err);
}

/* Fails with 0A000 if a VOLATILE SQL function reads table t, and the statement changes t, or the
 * query belongs to a cursor. The function should see the changes, but its query is planned before
 * them. */
static bool may_read (MtBinder *b, const MtTable *t)
{
   const MtTable *changed = b->env->changed;
   bool same = changed && changed->temporary == t->temporary &&
               strcmp (changed->name, t->name) == 0;
   if (!b->sees || !(same || b->env->outlives))
      return true;
   mt_error (b->err, MT_E_FEATURE, "a volatile function that reads \"%s\" is not supported %s",
             t->name, same ? "in a statement that changes it" : "in a cursor's query");
   return mt_error_hint (b->err, "Declare %s STABLE to read the rows from before the statement.",
                         b->sees->name);
}

static bool named_table (MtBinder *b, const MtFrom *f, const MtTable *t, MtRel *rel)
{
   mt_bind_table_rel (b, t, rel);
   if (!f->alias.text)
      rel->alias = without_schema (f, t->name);
   return may_read (b, t);
}

/* Returns the visible WITH entry of this name, or NULL. An entry with exactly this name is
 * preferred to one whose name differs in case. */
static const MtCteBind *named_cte (const MtBinder *b, const MtName *name)
{
   const MtCteBind *found = NULL;
   for (const MtCteBind *c = b->ctes; c; c = c->outer) {
      if (strcmp (c->cte->name.text, name->text) == 0)
         return c;
      if (!found && mt_same_name (c->cte->name.text, name))
         found = c;
   }
   return found;
}

/* Copies f to *out, and adds the schema in which the search path finds the table, if the query
 * names none. */
static bool place_named (MtBinder *b, const MtFrom *f, MtFrom *out, MtError *err)
{
   const char *schema = NULL;
   *out = *f;
   if (!f->table.schema.text && b->env->place && !b->env->stored &&
       !b->env->place (b->env->ctx, b->a, &f->table.name, &schema, err))
      return false;
   if (schema)
      out->table.schema = (MtName) {schema, mt_keyword_restricted (schema, strlen (schema)),
                                    f->table.name.span};
   if (schema && b->env->completes) {
      MtFrom *tree = (MtFrom *) (uintptr_t) f; /* a copy for this purpose */
      tree->table.schema = out->table.schema;
   }
   return true;
}

/* Adds a relation's name to MtSharing.reads. */
static void note_read (MtBinder *b, const char *name)
{
   MtNameList **reads = mt_sharing (b)->reads;
   if (!reads)
      return;
   MtNameList *n = MT_NEW (b->a, MtNameList);
   *n = (MtNameList) {{mt_strdup (b->a, name), true, MT_NO_SPAN}, *reads};
   *reads = n;
}

static bool bind_placed (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtView v = {0};
   const MtTable *t = NULL;
   bool found;
   if (!temporary_table (b, f, &t))
      return false;
   if (t)
      return named_table (b, f, t, rel);
   if (b->env->system && (!system_rel (b, f, rel, &found) || found))
      return found;
   if (b->env->view &&
       !b->env->view (b->env->ctx, b->a, &f->table.schema, &f->table.name, &v, b->err))
      return false;
   if (v.query) {
      note_read (b, v.name);
      return view_rel (b, f, &v, rel);
   }
   if (!b->env->table (b->env->ctx, &f->table.schema, &f->table.name, &t, b->err))
      return false;
   if (!t)
      return no_table (b, f);
   note_read (b, t->name);
   return named_table (b, f, t, rel);
}

/* Sets rel->full to the table's name with its schema, by which the query can refer to its columns:
 * schema.table.column. */
static void set_full (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   const char *schema = f->table.schema.text;
   if (f->alias.text)
      return;
   if (rel->kind == MT_REL_SYSTEM || (!schema && strncasecmp (f->table.name.text, "pg_", 3) == 0))
      schema = schema ? schema : "pg_catalog";
   else if (rel->kind == MT_REL_TABLE && rel->table->temporary)
      schema = "pg_temp";
   rel->full = mt_printf (b->a, "%s.%s", schema ? schema : "public", rel->alias);
}

static bool bind_named (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtFrom placed;
   rel->alias = f->alias.text ? f->alias.text : f->table.name.text;
   const MtCteBind *cte = f->table.schema.text ? NULL : named_cte (b, &f->table.name);
   if (cte)
      return cte_rel (b, cte, f->table.name.span, rel);
   if (!place_named (b, f, &placed, b->err) || !bind_placed (b, &placed, rel))
      return false;
   set_full (b, &placed, rel);
   return true;
}

static bool bind_table (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   return bind_named (b, f, rel) && (!f->table.sample || mt_bind_sample (b, f, rel));
}

static bool bind_subquery (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   MtQuery *q;
   if (!f->alias.text) {
      bool values = f->subquery->kind == MT_SELECT_VALUES;
      mt_error_at (b->err, f->span, MT_E_SYNTAX,
                   values ? "VALUES in FROM must have an alias"
                          : "subquery in FROM must have an alias");
      return mt_error_hint (b->err, values ? "For example, FROM (VALUES ...) [AS] foo."
                                           : "For example, FROM (SELECT ...) [AS] foo.");
   }
   MtOuter *outer = b->outer;
   const MtOuter *unseen = b->unseen;
   if (f->lateral)
      b->outer = b->lateral;
   else
      b->unseen = b->lateral;
   bool ok = mt_bind_query (b, f->subquery, &q);
   b->outer = outer;
   b->unseen = unseen;
   if (!ok)
      return false;
   rel->alias = f->alias.text;
   query_rel (b, q, rel);
   return true;
}

/* Applies the alias of a parenthesized join, (a JOIN b) AS x. Its tables a and b can then not be
 * named outside. */
static bool alias_join (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   int i = 0;
   for (const MtNameList *c = f->column_aliases; c; c = c->next, i++) {
      if (i >= rel->name_count)
         return mt_error_at (
            b->err, f->span, MT_E_INVALID_COLUMN_REF,
            "join expression \"%s\" has %d columns available but %d columns specified",
            f->alias.text, rel->name_count, count_names (f->column_aliases));
      rel->names[i].name = c->name.text;
   }
   if (!f->alias.text)
      return true;
   rel->alias = f->alias.text;
   rel->items = MT_NEW (b->a, MtRelItem);
   *rel->items = (MtRelItem) {
      .alias = rel->alias, .names = rel->names, .name_count = rel->name_count};
   rel->item_count = 1;
   return true;
}

bool mt_bind_from_item (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   bool ok = false;
   switch (f->kind) {
   case MT_FROM_TABLE: ok = bind_table (b, f, rel); break;
   case MT_FROM_SUBQUERY: ok = bind_subquery (b, f, rel); break;
   case MT_FROM_FUNCTION: ok = mt_bind_from_function (b, f, rel); break;
   case MT_FROM_JOIN: return mt_bind_join (b, f, rel) && alias_join (b, f, rel);
   }
   return ok && rename_columns (b, f, rel);
}

static bool bind_beside (MtBinder *b, MtRel *left, const MtFrom *f, MtRel *right)
{
   MtRel *before = b->beside;
   b->beside = f->kind == MT_FROM_FUNCTION ? left : NULL;
   bool ok = mt_bind_from_item (b, f, right);
   b->beside = before;
   return ok;
}

bool mt_bind_right (MtBinder *b, const MtFrom *f, MtRel *left, bool denied, MtRel *right,
                    int *apply)
{
   MtScope scope = {.rel = left, .clause = MT_CLAUSE_WHERE};
   MtOuter frame = {.scope = &scope, .next = b->lateral, .query = b->query, .denied = denied};
   b->lateral = &frame;
   bool ok = bind_beside (b, left, f, right);
   b->lateral = frame.next;
   *apply = frame.referred ? scope.id : 0;
   return ok;
}

/* Items of FROM separated by commas are joined without a condition. */
bool mt_bind_from (MtBinder *b, const MtFrom *f, MtRel *rel)
{
   if (!f) {
      rel->kind = MT_REL_NONE;
      return true;
   }
   if (!mt_bind_from_item (b, f, rel))
      return false;
   for (f = f->next; f; f = f->next) {
      MtRel *left = MT_NEW (b->a, MtRel), *right = MT_NEW (b->a, MtRel);
      int apply;
      *left = *rel;
      *rel = (MtRel) {.kind = MT_REL_NONE};
      if (!mt_bind_right (b, f, left, false, right, &apply) ||
          !mt_join_rels (b, left, right, f->span, rel) || !mt_join_unnest (b, f->span, rel))
         return false;
      if (apply)
         mt_join_apply (b, rel->join, apply);
   }
   return true;
}
