/* CREATE, ALTER and DROP TYPE of enumerated types. */
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/domains.h"
#include "session/core/types.h"
#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/ddl/type.h"

#include <string.h>

enum { MOST_BYTES = 63 }; /* of a label, as in PostgreSQL */

/* ---- names ---- */

bool mt_type_schema (const MtName *schema, MtError *err)
{
   return !schema->text || mt_ieq (schema->text, "public") ||
          mt_error_at (err, schema->span, MT_E_SCHEMA, "schema \"%s\" does not exist",
                       schema->text);
}

/* Finds the type `name`. *out NULL: it does not exist, and IF EXISTS was given. */
static bool named (MtStatement *st, const MtName *schema, const MtName *name, bool if_exists,
                   MtOwnType **out, MtError *err)
{
   MtTypeId built_in;
   if (!mt_type_schema (schema, err) ||
       !mt_own_type_find (st->session, st->arena, name->text, out, err))
      return false;
   if (*out)
      return true;
   MtDomain domain;
   if (mt_domain_named (st->session, st->arena, name->text, &domain)) {
      mt_error_at (err, name->span, MT_E_WRONG_OBJECT, "\"%s\" is a domain", name->text);
      return mt_error_hint (err, "Use ALTER DOMAIN or DROP DOMAIN.");
   }
   if (mt_type_by_name (mt_str (name->text), &built_in))
      return mt_error_at (err, name->span, MT_E_WRONG_OBJECT, "type %s is built in", name->text);
   if (!if_exists)
      return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT, "type \"%s\" does not exist",
                          name->text);
   mt_notice (st->session, "NOTICE", NULL, "type \"%s\" does not exist, skipping", name->text);
   return true;
}

bool mt_type_name_is_free (MtStatement *st, const MtName *name, MtError *err)
{
   MtTypeId built_in;
   MtOwnType *same;
   MtDomain domain;
   if (!mt_own_type_find (st->session, st->arena, name->text, &same, err))
      return false;
   return (!same && !mt_domain_named (st->session, st->arena, name->text, &domain) &&
           !mt_type_by_name (mt_str (name->text), &built_in)) ||
          mt_error_at (err, name->span, MT_E_DUPLICATE_OBJECT, "type \"%s\" already exists",
                       name->text);
}

bool mt_may_write_types (MtStatement *st, MtError *err)
{
   return !mt_engine_caps (st->session->engine)->read_only ||
          mt_error (err, MT_E_READ_ONLY, "cannot change types: the target is read-only");
}

/* ---- labels ---- */

static size_t find_label (const MtOwnType *t, const char *text)
{
   size_t i = 0;
   while (i < t->count && strcmp (t->labels[i].text, text) != 0)
      i++;
   return i;
}

static bool read_label (MtStatement *st, const MtLabel *l, const char **out, MtError *err)
{
   *out = mt_strndup (st->arena, l->text.p, l->text.n);
   if (l->text.n <= MOST_BYTES)
      return true;
   mt_error_at (err, l->span, "42602", "invalid enum label \"%s\"", *out);
   return mt_error_detail (err, "Labels must be %d bytes or less.", MOST_BYTES);
}

/* ---- CREATE TYPE ---- */

bool mt_run_create_type (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   MtOwnType t = {.name = s->type.name.text};
   size_t n = 0;
   mt_result_set_tag (st->result, "CREATE TYPE");
   for (const MtLabel *l = s->type.labels; l; l = l->next)
      n++;
   t.labels = MT_NEW_N (st->arena, MtEnumLabel, n + 1);
   for (const MtLabel *l = s->type.labels; l; l = l->next) {
      MtEnumLabel *label = &t.labels[t.count];
      if (!read_label (st, l, &label->text, err))
         return false;
      if (find_label (&t, label->text) < t.count)
         return mt_error_at (err, l->span, MT_E_DUPLICATE_OBJECT,
                             "enum label \"%s\" is used more than once", label->text);
      mt_own_label (st, &t, label);
      label->order = (double) ++t.count;
   }
   return mt_type_schema (&s->type.schema, err) && mt_type_name_is_free (st, &s->type.name, err) &&
          mt_may_write_types (st, err) && mt_own_type_save (st, &t, err);
}

/* ---- dependencies on a type ---- */

/* Returns a table that has a column of the type or of its array type, and this column in *column;
 * NULL: there is none. */
static const MtTable *table_with (MtStatement *st, MtTypeId id, const MtColumn **column)
{
   size_t n;
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < all[i]->column_count; k++)
         if (mt_type_element (all[i]->columns[k].type.id) == id) {
            *column = &all[i]->columns[k];
            return all[i];
         }
   return NULL;
}

/* Returns the name of a view, function or alert whose SQL text contains the type's name, and in
 * *what its kind; NULL: there is none. */
static const char *text_with (MtStatement *st, const char *type, const char **what)
{
   static const struct {
      const char *kind, *field, *shown;
   } kinds[] = {{"view", "sql", "view"},
                {"matview", "sql", "materialized view"},
                {"function", "body", "function"},
                {"alert", "sql", "alert"}};
   for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
      size_t n;
      const MtCatalogObject *all = mt_catalog_objects (st->session->catalog, kinds[i].kind, &n);
      *what = kinds[i].shown;
      for (size_t k = 0; k < n; k++)
         if (mt_find_word (mt_field_text (all[k].body, kinds[i].field), type))
            return all[k].name;
   }
   return NULL;
}

static bool column_text_has (const MtTable *t, const char *type)
{
   bool has = false;
   for (size_t i = 0; i < t->column_count; i++)
      has |= t->columns[i].default_sql && mt_find_word (t->columns[i].default_sql, type);
   for (size_t i = 0; i < t->check_count; i++)
      has |= mt_find_word (t->checks[i].sql, type) != NULL;
   return has;
}

/* Fails if stored SQL text (of a view, function, default …) contains the type's name. */
bool mt_type_not_in_text (MtStatement *st, const char *type, const char *verb, MtError *err)
{
   size_t n;
   const char *what, *name = text_with (st, type, &what);
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &n);
   for (size_t i = 0; i < n && !name; i++)
      if (column_text_has (all[i], type)) {
         what = "a default or constraint of table";
         name = all[i]->name;
      }
   const MtDomain *domains = mt_domain_list (st->session, st->arena, &n);
   for (size_t i = 0; i < n && !name; i++)
      for (size_t k = 0; k < domains[i].check_count && !name; k++)
         if (mt_find_word (domains[i].checks[k].sql, type)) {
            what = "a constraint of domain";
            name = domains[i].name;
         }
   if (!name)
      return true;
   mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot %s type %s because other objects depend on it",
             verb, type);
   return mt_error_detail (err, "%s %s depends on type %s", what, name, type);
}

/* ---- ALTER TYPE ---- */

/* Returns the sort number (MtEnumLabel.order) for a new label that comes after the first `at`
 * labels: the mean of its neighbours. */
static double order_at (const MtOwnType *t, size_t at)
{
   if (at == t->count)
      return at ? t->labels[at - 1].order + 1 : 1;
   return at ? (t->labels[at - 1].order + t->labels[at].order) / 2 : t->labels[0].order - 1;
}

static bool no_label (const MtLabel *l, MtError *err)
{
   return mt_error_at (err, l->span, MT_E_PARAMETER, "\"%.*s\" is not an existing enum label",
                       (int) l->text.n, l->text.p);
}

static bool add_label (MtStatement *st, MtOwnType *t, MtError *err)
{
   const MtStmt *s = st->stmt;
   MtEnumLabel label = {0};
   const char *other;
   size_t at = t->count;
   if (!read_label (st, s->type.labels, &label.text, err))
      return false;
   if (find_label (t, label.text) < t->count) {
      if (!s->type.if_not_exists)
         return mt_error_at (err, s->type.labels->span, MT_E_DUPLICATE_OBJECT,
                             "enum label \"%s\" already exists", label.text);
      mt_notice (st->session, "NOTICE", NULL, "enum label \"%s\" already exists, skipping",
                 label.text);
      return true;
   }
   if (s->type.other) {
      if (!read_label (st, s->type.other, &other, err))
         return false;
      at = find_label (t, other);
      if (at == t->count)
         return no_label (s->type.other, err);
      at += !s->type.before;
   }
   mt_own_label (st, t, &label);
   label.order = order_at (t, at);
   MtEnumLabel *list = MT_NEW_N (st->arena, MtEnumLabel, t->count + 1);
   memcpy (list, t->labels, at * sizeof *list);
   list[at] = label;
   memcpy (list + at + 1, t->labels + at, (t->count - at) * sizeof *list);
   t->labels = list;
   t->count++;
   return mt_own_type_save (st, t, err);
}

/* Fails if a column has the type: stored values are the texts of labels, so a label that may be
 * stored keeps its name. */
static bool rename_label (MtStatement *st, MtOwnType *t, MtError *err)
{
   const MtStmt *s = st->stmt;
   const MtColumn *column;
   const char *from, *to;
   if (!read_label (st, s->type.labels, &from, err) || !read_label (st, s->type.other, &to, err))
      return false;
   size_t at = find_label (t, from);
   if (at == t->count)
      return no_label (s->type.labels, err);
   if (find_label (t, to) < t->count)
      return mt_error_at (err, s->type.other->span, MT_E_DUPLICATE_OBJECT,
                          "enum label \"%s\" already exists", to);
   const MtTable *used = table_with (st, t->id, &column);
   if (used) {
      mt_error_at (err, s->type.labels->span, MT_E_FEATURE,
                   "cannot rename a value of type %s because column %s of table %s uses it",
                   t->name, column->name, used->name);
      return mt_error_hint (err, "Add a value with ALTER TYPE ... ADD VALUE, and UPDATE the rows.");
   }
   t->labels[at].text = to;
   return mt_own_type_save (st, t, err);
}

static bool rename_type (MtStatement *st, MtOwnType *t, MtError *err)
{
   MtSession *s = st->session;
   MtOwnType next = *t;
   bool dropped;
   next.name = st->stmt->type.new_name.text;
   if (!mt_type_name_is_free (st, &st->stmt->type.new_name, err) ||
       !mt_type_not_in_text (st, t->name, "rename", err) || !mt_step_begin (s, err))
      return false;
   if (mt_catalog_drop_object (s->catalog, "type", t->name, &dropped, err) &&
       mt_own_type_save (st, &next, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

bool mt_run_alter_type (MtStatement *st, MtError *err)
{
   const MtStmt *s = st->stmt;
   MtOwnType *t;
   mt_result_set_tag (st->result, "ALTER TYPE");
   if (!named (st, &s->type.schema, &s->type.name, false, &t, err) || !mt_may_write_types (st, err))
      return false;
   switch (s->type.change) {
   case MT_TYPE_ADD_VALUE: return add_label (st, t, err);
   case MT_TYPE_RENAME_VALUE: return rename_label (st, t, err);
   case MT_TYPE_RENAME: return rename_type (st, t, err);
   }
   return false;
}

/* ---- DROP TYPE ---- */

static bool no_domain_of (MtStatement *st, const MtOwnType *t, MtError *err)
{
   size_t n;
   const MtDomain *all = mt_domain_list (st->session, st->arena, &n);
   for (size_t i = 0; i < n; i++)
      if (mt_type_element (all[i].base.id) == t->id) {
         mt_error (err, MT_E_DEPENDENT_OBJECTS,
                   "cannot drop type %s because other objects depend on it", t->name);
         return mt_error_detail (err, "type %s depends on type %s", all[i].name, t->name);
      }
   return true;
}

static bool may_drop (MtStatement *st, const MtOwnType *t, MtError *err)
{
   const MtColumn *column;
   if (!no_domain_of (st, t, err))
      return false;
   const MtTable *used = table_with (st, t->id, &column);
   if (!used)
      return mt_type_not_in_text (st, t->name, "drop", err);
   if (st->stmt->drop.cascade) {
      mt_error (err, MT_E_FEATURE, "DROP TYPE ... CASCADE is not supported for types of columns");
      return mt_error_hint (err, "Drop column %s of table %s first.", column->name, used->name);
   }
   mt_error (err, MT_E_DEPENDENT_OBJECTS, "cannot drop type %s because other objects depend on it",
             t->name);
   mt_error_detail (err, "column %s of table %s depends on type %s", column->name, used->name,
                    t->name);
   return mt_error_hint (err, "Drop the column first.");
}

bool mt_run_drop_type (MtStatement *st, MtError *err)
{
   const MtNameList *schema = st->stmt->drop.schemas;
   mt_result_set_tag (st->result, "DROP TYPE");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtName none = {0};
      MtOwnType *t;
      bool dropped;
      if (!named (st, schema ? &schema->name : &none, &n->name, st->stmt->drop.if_exists, &t, err))
         return false;
      schema = schema ? schema->next : NULL;
      if (t && (!may_drop (st, t, err) || !mt_may_write_types (st, err) ||
                !mt_catalog_drop_object (st->session->catalog, "type", t->name, &dropped, err)))
         return false;
   }
   return true;
}
