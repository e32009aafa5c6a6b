/* CREATE INDEX and DROP INDEX, and the changes of indexes when their table changes. */
#include "engine/pipe.h"
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/schemas.h"
#include "session/core/core.h"
#include "session/core/index.h"
#include "session/core/keys.h"
#include "session/core/objects.h"

#include <string.h>

static bool has_index (MtStatement *st, const char *collection, const char *const *fields,
                       size_t count, bool *has, MtError *err)
{
   bson_t *list;
   bson_iter_t it, sub, key;
   *has = false;
   if (!mt_engine_indexes (st->session->engine, st->arena, collection, &list, err))
      return false;
   for (bool more = bson_iter_init (&it, list) && bson_iter_next (&it); more && !*has;
        more = bson_iter_next (&it)) {
      size_t n = 0;
      if (!bson_iter_recurse (&it, &sub) || !bson_iter_find (&sub, "key") ||
          !bson_iter_recurse (&sub, &key))
         continue;
      bool same = true;
      for (; bson_iter_next (&key); n++)
         same = same && n < count && strcmp (bson_iter_key (&key), fields[n]) == 0;
      *has = same && n == count;
   }
   return true;
}

typedef bool (*Each) (MtStatement *st, MtIndex *x, const char *collection,
                      const char *const *fields, MtError *err);

static bool each_collection (MtStatement *st, const MtTable *t, MtIndex *x, Each what, bool *any,
                             MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         const char **fields = mt_index_fields (st->arena, t, s, x);
         if (!fields)
            continue;
         size_t n;
         const char *const *names = mt_store_collections_of (st->arena, s, &n);
         *any = true;
         for (size_t k = 0; k < n; k++)
            if (!what (st, x, names[k], fields, err))
               return false;
      }
   return true;
}

static bool make_index (MtStatement *st, MtIndex *x, const char *collection,
                        const char *const *fields, MtError *err)
{
   return mt_engine_create_index (st->session->engine, collection, fields, x->column_count, err);
}

static bool make_new_index (MtStatement *st, MtIndex *x, const char *collection,
                            const char *const *fields, MtError *err)
{
   bool has;
   if (!has_index (st, collection, fields, x->column_count, &has, err))
      return false;
   if (has && x->had_count < 64)
      x->had[x->had_count++] = collection;
   return has || make_index (st, x, collection, fields, err);
}

static bool unmake_index (MtStatement *st, MtIndex *x, const char *collection,
                          const char *const *fields, MtError *err)
{
   for (size_t i = 0; i < x->had_count; i++)
      if (strcmp (x->had[i], collection) == 0)
         return true;
   return mt_engine_drop_index (st->session->engine, collection, fields, x->column_count, err);
}

bool mt_make_indexes (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n;
   bool any = false;
   MtIndex *list = mt_indexes_of (st->session, st->arena, mt_table_id (st->arena, t), &n);
   for (size_t i = 0; i < n; i++)
      if (!each_collection (st, t, &list[i], make_index, &any, err))
         return false;
   return true;
}

static bool has_store (const MtTable *t, const char *collection)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         if (strcmp (t->layouts[i].stores[j].collection, collection) == 0)
            return true;
   return false;
}

bool mt_partition_made (void *ctx, const MtStoreDesc *s, const char *collection, MtError *err)
{
   MtStatement *st = ctx;
   size_t tables, n;
   if (mt_intends_collection (st, mt_intended_name (st->arena, s)))
      mt_engine_own_collection (st->session->engine, collection);
   const MtTable *const *all = mt_catalog_tables (st->session->catalog, &tables);
   for (size_t i = 0; i < tables; i++) {
      if (!has_store (all[i], s->collection))
         continue;
      MtIndex *list = mt_indexes_of (st->session, st->arena, mt_table_id (st->arena, all[i]), &n);
      for (size_t k = 0; k < n; k++) {
         const char **fields = mt_index_fields (st->arena, all[i], s, &list[k]);
         if (fields && !mt_engine_ensure_collection (st->session->engine, collection, fields,
                                                     list[k].column_count, err))
            return false;
      }
   }
   return true;
}

/* ---- CREATE INDEX ---- */

/* Returns the default name of an index on columns a and b, "table_a_b_idx". If a relation has this
 * name, a number is appended. */
static const char *made_name (MtStatement *st, const MtTable *t, const MtIndex *x)
{
   const char *name = t->name;
   for (size_t i = 0; i < x->column_count; i++)
      name = mt_printf (st->arena, "%s_%s", name, x->columns[i]);
   const char *full = mt_printf (st->arena, "%s_idx", name);
   for (int i = 1; mt_is_relation_name (st->session, full, t->temporary); i++)
      full = mt_printf (st->arena, "%s_idx%d", name, i);
   return full;
}

static bool index_columns (MtStatement *st, const MtTable *t, MtIndex *x, MtError *err)
{
   size_t n = 0;
   for (const MtNameList *c = st->stmt->create_index.columns; c; c = c->next)
      n++;
   if (n > 32)
      return mt_error (err, MT_E_TOO_MANY_COLUMNS, "cannot use more than 32 columns in an index");
   x->columns = MT_NEW_N (st->arena, const char *, n + 1);
   x->had = MT_NEW_N (st->arena, const char *, 64);
   for (const MtNameList *c = st->stmt->create_index.columns; c; c = c->next) {
      int at = mt_table_column (t, c->name.text, mt_name_is_exact (&c->name));
      if (at < 0)
         return mt_error (err, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist",
                          c->name.text) ||
                mt_column_near (t, c->name.text, err);
      if (mt_type_element (t->columns[at].type.id) == MT_T_JSON)
         return mt_error (err, MT_E_UNDEFINED_OBJECT,
                          "data type json has no default operator class for access method "
                          "\"btree\"");
      x->columns[x->column_count++] = t->columns[at].name;
   }
   return true;
}

static bool create_index (MtStatement *st, const MtTable *t, MtIndex *x, MtError *err)
{
   bool any = false;
   if (!each_collection (st, t, x, make_new_index, &any, err))
      return false;
   if (!any) {
      mt_error (err, MT_E_FEATURE,
                "no layout of table \"%s\" has these columns as fields of its documents", t->name);
      return mt_error_hint (
         err,
         "Index columns that are fields of the document itself. The levels of a layout find deeper "
         "values.");
   }
   return mt_index_save (st, x, err);
}

/* Fails with 42704 for an operator class that PostgreSQL does not have for btree. Sends a notice
 * for one that is not its type's default. */
static bool check_class (MtStatement *st, const MtName *name, MtError *err)
{
   static const char *const others[] = {"text_pattern_ops", "varchar_pattern_ops",
                                        "bpchar_pattern_ops", NULL};
   static const char *const defaults[] = {
      "array_ops",       "bool_ops",    "bpchar_ops", "bytea_ops",    "char_ops",
      "date_ops",        "enum_ops",    "float4_ops", "float8_ops",   "int2_ops",
      "int4_ops",        "int8_ops",    "jsonb_ops",  "interval_ops", "name_ops",
      "oid_ops",         "numeric_ops", "record_ops", "text_ops",     "timestamp_ops",
      "timestamptz_ops", "time_ops",    "uuid_ops",   "varchar_ops",  NULL};
   for (size_t i = 0; others[i]; i++)
      if (mt_ieq (name->text, others[i])) {
         mt_notice (st->session, "NOTICE", NULL, "operator class \"%s\" has no effect", others[i]);
         return true;
      }
   for (size_t i = 0; defaults[i]; i++)
      if (mt_ieq (name->text, defaults[i]))
         return true;
   return mt_error_at (err, name->span, MT_E_UNDEFINED_OBJECT,
                       "operator class \"%s\" does not exist for access method \"btree\"",
                       name->text);
}

static bool check_method (MtStatement *st, MtError *err)
{
   static const char *const methods[] = {"btree", "hash", "gist", "spgist", "gin", "brin"};
   const MtName *method = &st->stmt->create_index.method;
   size_t i = 0;
   while (method->text && i < sizeof methods / sizeof *methods &&
          !mt_ieq (method->text, methods[i]))
      i++;
   if (i == sizeof methods / sizeof *methods)
      return mt_error_at (err, method->span, MT_E_UNDEFINED_OBJECT,
                          "access method \"%s\" does not exist", method->text);
   if (i > 1) {
      mt_error_at (err, method->span, MT_E_FEATURE, "access method \"%s\" is not supported",
                   method->text);
      return mt_error_hint (err,
                            "Leave the index out: queries do not need it. An index on fields of "
                            "documents is btree.");
   }
   if (i == 1 || st->stmt->create_index.ordered)
      mt_notice (st->session, "NOTICE", NULL, "the index is ascending: %s has no effect",
                 i == 1 ? "USING hash" : "an order");
   return true;
}

bool mt_check_index_clauses (MtStatement *st, MtError *err)
{
   if (!check_method (st, err))
      return false;
   for (const MtNameList *n = st->stmt->create_index.classes; n; n = n->next)
      if (!check_class (st, &n->name, err))
         return false;
   for (const MtNameList *n = st->stmt->create_index.ignored; n; n = n->next)
      mt_notice (st->session, "NOTICE", NULL, "%s has no effect on an index", n->name.text);
   return true;
}

/* Binds the condition of a partial index. The index has all rows, which a notice says. */
static bool check_condition (MtStatement *st, const MtTable *t, MtError *err)
{
   MtX *x;
   const MtExpr *where = st->stmt->create_index.where;
   if (where && !mt_bind_predicate (st->arena, &st->env, t, where, &x, err))
      return false;
   if (where)
      mt_notice (st->session, "NOTICE", NULL, "the index has all rows: WHERE has no effect");
   return true;
}

bool mt_run_create_index (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_index.name;
   const MtTable *t;
   MtIndex x = {0};
   mt_result_set_tag (st->result, "CREATE INDEX");
   if (!mt_check_index_clauses (st, err) ||
       !mt_need_table (st, &st->stmt->create_index.table, &t, err) ||
       !index_columns (st, t, &x, err) || !check_condition (st, t, err))
      return false;
   x.table = mt_table_id (st->arena, t);
   x.name = name->text ? name->text : made_name (st, t, &x);
   if (mt_is_relation_name (s, x.name, t->temporary) && st->stmt->create_index.if_not_exists) {
      mt_notice (s, "NOTICE", NULL, "relation \"%s\" already exists, skipping", x.name);
      return true;
   }
   if (mt_is_relation_name (s, x.name, t->temporary))
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", x.name);
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot create an index: the target is read-only");
   if (!mt_step_begin (s, err))
      return false;
   if (create_index (st, t, &x, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* ---- DROP INDEX ---- */

static bool drop_index (MtStatement *st, MtIndex *x, MtError *err)
{
   const MtTable *t;
   bool any = false, dropped;
   if (!mt_index_table (st->session, x->table, &t, err))
      return false;
   return (!t || each_collection (st, t, x, unmake_index, &any, err)) &&
          mt_catalog_drop_object (st->session->catalog, "index", x->name, &dropped, err);
}

static bool drop_unique (MtStatement *st, const MtTable *t, const MtTableKey *k, MtError *err)
{
   if (k->kind == MT_KEY_INDEX)
      return mt_drop_key (st, t, k, err);
   const char *key = mt_unqualified (st->session, k->name),
              *table = mt_unqualified (st->session, t->name);
   mt_error (err, MT_E_DEPENDENT_OBJECTS,
             "cannot drop index %s because constraint %s on table %s requires it", key, key, table);
   return mt_error_hint (err, "You can drop constraint %s on table %s instead.", key, table);
}

bool mt_run_drop_index (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   mt_result_set_tag (st->result, "DROP INDEX");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtCatalogObject *o;
      const MtTable *of;
      const MtTableKey *k = mt_find_key (s, &n->name, &of);
      if (k && !drop_unique (st, of, k, err))
         return false;
      if (k)
         continue;
      mt_catalog_find_object (s->catalog, "index", n->name.text, &o);
      if (!o && !st->stmt->drop.if_exists)
         return mt_error (err, MT_E_UNDEFINED_OBJECT, "index \"%s\" does not exist",
                          n->name.text) ||
                mt_object_near (st, "index", n->name.text, err);
      if (!o) {
         mt_notice (s, "NOTICE", NULL, "index \"%s\" does not exist, skipping", n->name.text);
         continue;
      }
      MtIndex x = mt_index_load (st->arena, o);
      if (!mt_step_begin (s, err))
         return false;
      if (!drop_index (st, &x, err) || !mt_step_commit (s, err)) {
         mt_step_rollback (s);
         return false;
      }
   }
   return true;
}

/* ---- changes of the table ---- */

bool mt_indexes_rename (MtStatement *st, const char *table, const char *to, MtError *err)
{
   size_t n;
   MtIndex *list = mt_indexes_of (st->session, st->arena, table, &n);
   for (size_t i = 0; i < n; i++) {
      list[i].table = to;
      if (!mt_index_save (st, &list[i], err))
         return false;
   }
   return true;
}

bool mt_indexes_rename_column (MtStatement *st, const char *table, const char *column,
                               const char *to, MtError *err)
{
   size_t n;
   MtIndex *list = mt_indexes_of (st->session, st->arena, table, &n);
   for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < list[i].column_count; k++) {
         if (strcmp (list[i].columns[k], column) != 0)
            continue;
         if (!to) {
            if (!drop_index (st, &list[i], err))
               return false;
            break;
         }
         list[i].columns[k] = to;
         if (!mt_index_save (st, &list[i], err))
            return false;
      }
   return true;
}

bool mt_indexes_drop (MtSession *s, MtArena *a, const char *table, MtError *err)
{
   size_t n;
   bool dropped;
   MtIndex *list = mt_indexes_of (s, a, table, &n);
   for (size_t i = 0; i < n; i++)
      if (!mt_catalog_drop_object (s->catalog, "index", list[i].name, &dropped, err))
         return false;
   return true;
}
