/* CREATE SCHEMA, ALTER SCHEMA and DROP SCHEMA. */
#include "engine/pipe.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/core/schemas.h"
#include "session/core/sequence.h"
#include "session/coordinate/coordinate.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"
#include "session/ddl/type.h"

#include <string.h>

/* ---- the relations of a schema ---- */

static bool is_of (const char *schema, const char *stored)
{
   size_t n = strlen (schema);
   return strncmp (stored, schema, n) == 0 && stored[n] == '.';
}

static void add_member (MtStatement *st, MtRelationRefs *r, MtRelationKind kind, const char *schema,
                        const char *stored)
{
   if (is_of (schema, stored))
      mt_relations_add (st->arena, r, kind, stored);
}

/* The relations of a schema. Indexes and owned sequences belong to their tables. */
static MtRelationRefs members_of (MtStatement *st, const char *schema)
{
   MtSession *s = st->session;
   size_t views, tables, sequences;
   const MtCatalogObject *v = mt_catalog_objects (s->catalog, "view", &views);
   const MtTable *const *t = mt_catalog_tables (s->catalog, &tables);
   const MtSequence *q = mt_sequence_list (s, st->arena, &sequences);
   MtRelationRefs m = {0};
   for (size_t i = 0; i < views; i++)
      add_member (st, &m, MT_RELATION_VIEW, schema, v[i].name);
   for (MtRelationKind k = MT_RELATION_MATVIEW; k <= MT_RELATION_TABLE; k++)
      for (size_t i = 0; i < tables; i++)
         if (!t[i]->temporary && mt_is_matview (s, t[i]->name) == (k == MT_RELATION_MATVIEW))
            add_member (st, &m, k, schema, t[i]->name);
   for (size_t i = 0; i < sequences; i++)
      if (!q[i].table)
         add_member (st, &m, MT_RELATION_SEQUENCE, schema, q[i].name);
   return m;
}

/* ---- CREATE ---- */

/* Returns the name of a relation or index that already begins with "schema."; NULL: there is none.
 * A new schema of this name would contain it. */
static const char *taken_prefix (MtStatement *st, const char *schema)
{
   static const char *const kinds[] = {"view", "sequence", "index"};
   MtCatalog *c = st->session->catalog;
   size_t n;
   const MtTable *const *t = mt_catalog_tables (c, &n);
   for (size_t i = 0; i < n; i++)
      if (is_of (schema, t[i]->name))
         return t[i]->name;
   for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
      const MtCatalogObject *o = mt_catalog_objects (c, kinds[k], &n);
      for (size_t i = 0; i < n; i++)
         if (is_of (schema, o[i].name))
            return o[i].name;
   }
   return NULL;
}

static bool is_fixed (const char *name)
{
   return mt_ieq (name, "public") || mt_ieq (name, "information_schema") ||
          mt_ieq (name, "pg_catalog");
}

static bool check_name (MtStatement *st, const MtName *name, MtError *err)
{
   const char *taken = taken_prefix (st, name->text);
   if (strncasecmp (name->text, "pg_", 3) == 0) {
      mt_error_at (err, name->span, MT_E_RESERVED_NAME, "unacceptable schema name \"%s\"",
                   name->text);
      return mt_error_detail (err, "The prefix \"pg_\" is reserved for system schemas.");
   }
   if (strncasecmp (name->text, "_mtsql_", 7) == 0)
      return mt_error_at (err, name->span, MT_E_RESERVED_NAME, "unacceptable schema name \"%s\"",
                          name->text);
   if (strchr (name->text, '.'))
      return mt_error_at (err, name->span, MT_E_FEATURE,
                          "a dot in the name of a schema is not supported");
   if (!taken)
      return true;
   mt_error_at (err, name->span, MT_E_FEATURE, "the name of relation \"%s\" begins with \"%s.\"",
                taken, name->text);
   return mt_error_hint (err, "Rename the relation, or choose another name for the schema.");
}

static bool exists (MtStatement *st, const MtName *name)
{
   MtName any_case = {name->text, false, name->span};
   return is_fixed (name->text) || mt_schema_named (st->session, st->arena, &any_case);
}

bool mt_run_create_schema (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->define_schema.name;
   mt_result_set_tag (st->result, "CREATE SCHEMA");
   if (exists (st, name)) {
      if (!st->stmt->define_schema.if_not_exists)
         return mt_error_at (err, name->span, MT_E_DUPLICATE_SCHEMA, "schema \"%s\" already exists",
                             name->text);
      mt_notice (s, "NOTICE", NULL, "schema \"%s\" already exists, skipping", name->text);
      return true;
   }
   if (!check_name (st, name, err))
      return false;
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot create a schema: the target is read-only");
   if (st->stmt->define_schema.owner.text)
      mt_notice (s, "NOTICE", NULL, "AUTHORIZATION has no effect, because there are no roles");
   return mt_catalog_save_object (s->catalog, MT_SCHEMA_KIND, name->text, mt_doc_new (st->arena),
                                  err);
}

/* ---- ALTER ---- */

static bool need_schema (MtStatement *st, const MtName *name, const char **out, MtError *err)
{
   *out = mt_schema_named (st->session, st->arena, name);
   if (*out)
      return true;
   if (is_fixed (name->text))
      return mt_error_at (err, name->span, MT_E_FEATURE,
                          "renaming or dropping schema \"%s\" is not supported", name->text);
   return mt_error_at (err, name->span, MT_E_SCHEMA, "schema \"%s\" does not exist", name->text) ||
          mt_object_near (st, MT_SCHEMA_KIND, name->text, err);
}

bool mt_run_alter_schema (MtStatement *st, MtError *err)
{
   MtCatalog *c = st->session->catalog;
   const MtName *to = &st->stmt->define_schema.new_name;
   const char *old;
   bool dropped;
   mt_result_set_tag (st->result, "ALTER SCHEMA");
   if (!need_schema (st, &st->stmt->define_schema.name, &old, err))
      return false;
   if (exists (st, to))
      return mt_error_at (err, to->span, MT_E_DUPLICATE_SCHEMA, "schema \"%s\" already exists",
                          to->text);
   if (!check_name (st, to, err))
      return false;
   if (members_of (st, old).count) {
      mt_error_at (err, st->stmt->define_schema.name.span, MT_E_FEATURE,
                   "renaming a schema that has relations is not supported");
      return mt_error_hint (err, "Create a schema, and move the tables with ALTER TABLE ... SET "
                                 "SCHEMA.");
   }
   return mt_catalog_save_object (c, MT_SCHEMA_KIND, to->text, mt_doc_new (st->arena), err) &&
          mt_catalog_drop_object (c, MT_SCHEMA_KIND, old, &dropped, err);
}

/* ---- DROP ---- */

static bool report_members (MtStatement *st, const char *schema, const MtRelationRefs *m,
                            MtError *err)
{
   MtBuf lines = {0};
   for (size_t i = 0; i < m->count; i++)
      mt_buf_printf (&lines, "%s%s %s depends on schema %s", i ? "\n" : "",
                     mt_relation_word (m->list[i].kind), m->list[i].name, schema);
   mt_error (err, MT_E_DEPENDENT_OBJECTS,
             "cannot drop schema %s because other objects depend on it", schema);
   mt_error_detail (err, "%s", lines.p);
   mt_buf_free (&lines);
   return mt_error_hint (err, "Use DROP ... CASCADE to drop the dependent objects too.");
}

static bool drop_schema (MtStatement *st, const char *schema, MtError *err)
{
   bool dropped;
   MtRelationRefs m = members_of (st, schema);
   if (m.count && !st->stmt->drop.cascade)
      return report_members (st, schema, &m, err);
   mt_add_readers (st, &m, NULL);
   mt_report_cascade (st, &m);
   return mt_drop_relations (st, &m, err) &&
          mt_catalog_drop_object (st->session->catalog, MT_SCHEMA_KIND, schema, &dropped, err);
}

bool mt_run_drop_schema (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP SCHEMA");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const char *schema = mt_schema_named (st->session, st->arena, &n->name);
      if (!schema && st->stmt->drop.if_exists && !is_fixed (n->name.text)) {
         mt_notice (st->session, "NOTICE", NULL, "schema \"%s\" does not exist, skipping",
                    n->name.text);
         continue;
      }
      if (!need_schema (st, &n->name, &schema, err) || !drop_schema (st, schema, err))
         return false;
      mt_result_set_tag (st->result, "DROP SCHEMA");
   }
   return true;
}
