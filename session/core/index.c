/* CREATE INDEX, DROP INDEX. An index is an object of the catalog, {table, columns, had}, and an
 * index on the fields of those columns in each collection of the table whose documents have them as
 * fields of their own. `had`: collections that had it before. */
#include "engine/pipe.h"
#include "layouts/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"

#include <string.h>

/* ---- the catalog's form ---- */

static const char *text_of (const bson_t *body, const char *field)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, body, field) && BSON_ITER_HOLDS_UTF8 (&it)
             ? bson_iter_utf8 (&it, NULL)
             : "";
}

static const char **texts_of (MtArena *a, const bson_t *body, const char *field, size_t *count)
{
   bson_iter_t it, each;
   const char **list = MT_NEW_N (a, const char *, bson_count_keys (body) + 64);
   *count = 0;
   if (bson_iter_init_find (&it, body, field) && BSON_ITER_HOLDS_ARRAY (&it) &&
       bson_iter_recurse (&it, &each))
      while (bson_iter_next (&each) && *count < 64)
         list[(*count)++] = mt_strdup (a, bson_iter_utf8 (&each, NULL));
   return list;
}

static void add_texts (MtArena *a, bson_t *body, const char *field, const char *const *list,
                       size_t count)
{
   bson_t *array = mt_doc_new (a);
   for (size_t i = 0; i < count; i++)
      mt_doc_add (array, mt_printf (a, "%zu", i), mt_v_str (list[i], strlen (list[i])));
   mt_doc_add_array (body, field, array);
}

typedef struct Index {
   const char *name, *table;
   const char **columns, **had;
   size_t column_count, had_count;
} Index;

static bool save (MtStatement *st, const Index *x, MtError *err)
{
   bson_t *body = mt_doc_new (st->arena);
   mt_doc_add (body, "table", mt_v_str (x->table, strlen (x->table)));
   add_texts (st->arena, body, "columns", x->columns, x->column_count);
   add_texts (st->arena, body, "had", x->had, x->had_count);
   return mt_catalog_save_object (st->session->catalog, "index", x->name, body, err);
}

static Index load (MtArena *a, const MtCatalogObject *o)
{
   Index x = {.name = mt_strdup (a, o->name), .table = mt_strdup (a, text_of (o->body, "table"))};
   x.columns = texts_of (a, o->body, "columns", &x.column_count);
   x.had = texts_of (a, o->body, "had", &x.had_count);
   return x;
}

/* The table that an index is on, by what the catalog calls it; NULL: it is gone. */
static bool table_of (MtSession *s, const char *id, const MtTable **out, MtError *err)
{
   bool own = mt_is_temporary (id);
   return mt_catalog_find_among (s->catalog, own ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
                                 own ? id + sizeof MT_TEMPORARY - 1 : id, true, out, err);
}

/* A table's indexes, by mt_table_id. */
static Index *of_table (MtSession *s, MtArena *a, const char *table, size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "index", &n);
   Index *list = MT_NEW_N (a, Index, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++)
      if (strcmp (text_of (all[i].body, "table"), table) == 0)
         list[(*count)++] = load (a, &all[i]);
   return list;
}

/* ---- where the columns' fields are ---- */

static const char *field_of (const MtStoreDesc *s, int column)
{
   for (size_t i = 0; i < s->root->bind_count; i++) {
      const MtBinding *b = &s->root->binds[i];
      if (b->column == column && b->from == MT_FROM_FIELD && b->at && *b->at &&
          strcmp (b->at, "_id") != 0)
         return b->at;
   }
   for (size_t i = 0; i < s->root->raw.count && mt_store_is_rows (s); i++)
      if (s->root->raw.columns[i] == column && *s->root->raw.paths[i])
         return s->root->raw.paths[i];
   return NULL;
}

/* All of the index's fields in a store's documents; NULL: it doesn't have them. */
static const char **fields_of (MtArena *a, const MtTable *t, const MtStoreDesc *s, const Index *x)
{
   const char **fields = MT_NEW_N (a, const char *, x->column_count + 1);
   for (size_t i = 0; i < x->column_count; i++) {
      int c = mt_table_column (t, x->columns[i], true);
      fields[i] = c < 0 ? NULL : field_of (s, c);
      if (!fields[i])
         return NULL;
   }
   return fields;
}

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

typedef bool (*Each) (MtStatement *st, Index *x, const char *collection, const char *const *fields,
                      MtError *err);

static bool each_collection (MtStatement *st, const MtTable *t, Index *x, Each what, bool *any,
                             MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++) {
         const MtStoreDesc *s = &t->layouts[i].stores[j];
         const char **fields = fields_of (st->arena, t, s, x);
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

static bool make (MtStatement *st, Index *x, const char *collection, const char *const *fields,
                  MtError *err)
{
   return mt_engine_create_index (st->session->engine, collection, fields, x->column_count, err);
}

static bool make_new (MtStatement *st, Index *x, const char *collection, const char *const *fields,
                      MtError *err)
{
   bool has;
   if (!has_index (st, collection, fields, x->column_count, &has, err))
      return false;
   if (has && x->had_count < 64)
      x->had[x->had_count++] = collection;
   return has || make (st, x, collection, fields, err);
}

static bool unmake (MtStatement *st, Index *x, const char *collection, const char *const *fields,
                    MtError *err)
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
   Index *list = of_table (st->session, st->arena, mt_table_id (st->arena, t), &n);
   for (size_t i = 0; i < n; i++)
      if (!each_collection (st, t, &list[i], make, &any, err))
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
      Index *list = of_table (st->session, st->arena, mt_table_id (st->arena, all[i]), &n);
      for (size_t k = 0; k < n; k++) {
         const char **fields = fields_of (st->arena, all[i], s, &list[k]);
         if (fields && !mt_engine_ensure_collection (st->session->engine, collection, fields,
                                                     list[k].column_count, false, err))
            return false;
      }
   }
   return true;
}

/* ---- CREATE INDEX ---- */

static bool taken (MtSession *s, const char *name)
{
   const MtCatalogObject *o;
   mt_catalog_find_object (s->catalog, "index", name, &o);
   return o != NULL;
}

/* table_a_b_idx, with a number where there is one already. */
static const char *made_name (MtStatement *st, const MtTable *t, const Index *x)
{
   const char *name = t->name;
   for (size_t i = 0; i < x->column_count; i++)
      name = mt_printf (st->arena, "%s_%s", name, x->columns[i]);
   const char *full = mt_printf (st->arena, "%s_idx", name);
   for (int i = 1; taken (st->session, full); i++)
      full = mt_printf (st->arena, "%s_idx%d", name, i);
   return full;
}

static bool index_columns (MtStatement *st, const MtTable *t, Index *x, MtError *err)
{
   size_t n = 0;
   for (const MtNameList *c = st->stmt->create_index.columns; c; c = c->next)
      n++;
   if (n > 32)
      return mt_error (err, "54011", "cannot use more than 32 columns in an index");
   x->columns = MT_NEW_N (st->arena, const char *, n + 1);
   x->had = MT_NEW_N (st->arena, const char *, 64);
   for (const MtNameList *c = st->stmt->create_index.columns; c; c = c->next) {
      int at = mt_table_column (t, c->name.text, mt_name_is_exact (&c->name));
      if (at < 0)
         return mt_error (err, MT_E_UNDEFINED_COLUMN, "column \"%s\" does not exist", c->name.text);
      x->columns[x->column_count++] = t->columns[at].name;
   }
   return true;
}

static bool create (MtStatement *st, const MtTable *t, Index *x, MtError *err)
{
   bool any = false;
   if (!each_collection (st, t, x, make_new, &any, err))
      return false;
   if (!any) {
      mt_error (err, MT_E_FEATURE,
                "no layout of table \"%s\" has these columns as fields of its documents", t->name);
      return mt_error_hint (
         err,
         "An index is on fields of documents; what lies deeper is found by the levels above it.");
   }
   return save (st, x, err);
}

/* What is asked for, and what there is. */
static bool check_order (MtStatement *st, MtError *err)
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
   if (i > 1)
      return mt_error_at (err, method->span, MT_E_FEATURE, "access method \"%s\" is not supported",
                          method->text);
   if (i == 1 || st->stmt->create_index.ordered)
      mt_notice (st->session, "NOTICE", NULL, "the index is an ascending one: %s has no effect",
                 i == 1 ? "USING hash" : "an order");
   return true;
}

bool mt_run_create_index (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   const MtName *name = &st->stmt->create_index.name;
   const MtTable *t;
   Index x = {0};
   mt_result_set_tag (st->result, "CREATE INDEX");
   if (!check_order (st, err) || !mt_need_table (st, &st->stmt->create_index.table, &t, err) ||
       !index_columns (st, t, &x, err))
      return false;
   x.table = mt_table_id (st->arena, t);
   x.name = name->text ? name->text : made_name (st, t, &x);
   if (taken (s, x.name) && st->stmt->create_index.if_not_exists) {
      mt_notice (s, "NOTICE", NULL, "relation \"%s\" already exists, skipping", x.name);
      return true;
   }
   if (taken (s, x.name))
      return mt_error (err, MT_E_DUPLICATE_TABLE, "relation \"%s\" already exists", x.name);
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot make an index: the target is read-only");
   if (!mt_step_begin (s, err))
      return false;
   if (create (st, t, &x, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

/* ---- DROP INDEX ---- */

static bool drop_index (MtStatement *st, Index *x, MtError *err)
{
   const MtTable *t;
   bool any = false, dropped;
   if (!table_of (st->session, x->table, &t, err))
      return false;
   return (!t || each_collection (st, t, x, unmake, &any, err)) &&
          mt_catalog_drop_object (st->session->catalog, "index", x->name, &dropped, err);
}

bool mt_run_drop_index (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   mt_result_set_tag (st->result, "DROP INDEX");
   for (const MtNameList *n = st->stmt->drop.names; n; n = n->next) {
      const MtCatalogObject *o;
      mt_catalog_find_object (s->catalog, "index", n->name.text, &o);
      if (!o && !st->stmt->drop.if_exists)
         return mt_error (err, MT_E_UNDEFINED_OBJECT, "index \"%s\" does not exist", n->name.text);
      if (!o) {
         mt_notice (s, "NOTICE", NULL, "index \"%s\" does not exist, skipping", n->name.text);
         continue;
      }
      Index x = load (st->arena, o);
      if (!mt_step_begin (s, err))
         return false;
      if (!drop_index (st, &x, err) || !mt_step_commit (s, err)) {
         mt_step_rollback (s);
         return false;
      }
   }
   return true;
}

/* ---- with its table ---- */

bool mt_indexes_rename (MtStatement *st, const char *table, const char *to, MtError *err)
{
   size_t n;
   Index *list = of_table (st->session, st->arena, table, &n);
   for (size_t i = 0; i < n; i++) {
      list[i].table = to;
      if (!save (st, &list[i], err))
         return false;
   }
   return true;
}

bool mt_indexes_rename_column (MtStatement *st, const char *table, const char *column,
                               const char *to, MtError *err)
{
   size_t n;
   Index *list = of_table (st->session, st->arena, table, &n);
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
         if (!save (st, &list[i], err))
            return false;
      }
   return true;
}

bool mt_indexes_drop (MtSession *s, MtArena *a, const char *table, MtError *err)
{
   size_t n;
   bool dropped;
   Index *list = of_table (s, a, table, &n);
   for (size_t i = 0; i < n; i++)
      if (!mt_catalog_drop_object (s->catalog, "index", list[i].name, &dropped, err))
         return false;
   return true;
}

/* ---- \d and EXPLAIN ---- */

static const char *shown (MtArena *a, const Index *x)
{
   const char *text = mt_printf (a, "%s (", x->name);
   for (size_t i = 0; i < x->column_count; i++)
      text = mt_printf (a, "%s%s%s", text, i ? ", " : "", x->columns[i]);
   return mt_printf (a, "%s)", text);
}

const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count)
{
   Index *list = of_table (s, a, mt_table_id (a, t), count);
   const char **texts = MT_NEW_N (a, const char *, *count + 2);
   for (size_t i = 0; i < *count; i++)
      texts[i + t->unique] = shown (a, &list[i]);
   if (!t->unique)
      return texts;
   texts[0] = mt_printf (a, "%s_pkey PRIMARY KEY (", t->name);
   for (size_t i = 0; i < t->key_count; i++)
      texts[0] = mt_printf (a, "%s%s%s", texts[0], t->columns[t->key[i]].name,
                            i + 1 < t->key_count ? ", " : ")");
   ++*count;
   return texts;
}

const MtIndexInfo *mt_index_list (MtSession *s, MtArena *a, size_t *count)
{
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "index", count);
   MtIndexInfo *list = MT_NEW_N (a, MtIndexInfo, *count + 1);
   for (size_t i = 0; i < *count; i++) {
      Index x = load (a, &all[i]);
      list[i] = (MtIndexInfo) {x.name, x.table, x.columns, x.column_count};
   }
   return list;
}

/* Whether a condition of the match language looks at the field, by itself or beside others. */
static bool looks_at (bson_iter_t *it, const char *field)
{
   bson_iter_t list, each;
   while (bson_iter_next (it)) {
      if (strcmp (bson_iter_key (it), field) == 0)
         return true;
      if (strcmp (bson_iter_key (it), "$and") == 0 && bson_iter_recurse (it, &list))
         while (bson_iter_next (&list))
            if (bson_iter_recurse (&list, &each) && looks_at (&each, field))
               return true;
   }
   return false;
}

static bool match_looks_at (const bson_t *stages, const char *field)
{
   bson_iter_t it, stage, match;
   return bson_iter_init (&it, stages) && bson_iter_next (&it) && bson_iter_recurse (&it, &stage) &&
          bson_iter_find (&stage, "$match") && bson_iter_recurse (&stage, &match) &&
          looks_at (&match, field);
}

static const MtStoreDesc *store_of (const MtTable *t, const char *collection)
{
   for (size_t i = 0; i < t->layout_count; i++)
      for (size_t j = 0; j < t->layouts[i].store_count; j++)
         if (mt_store_owns (&t->layouts[i].stores[j], collection))
            return &t->layouts[i].stores[j];
   return NULL;
}

bool mt_field_indexed (MtSession *s, const char *collection, const char *field)
{
   bson_t *list = NULL;
   bson_iter_t it, key;
   MtError ignored;
   MtArena *a = mt_arena_new ("indexes", NULL);
   bool found = strcmp (field, "_id") == 0;
   mt_error_clear (&ignored);
   if (!found && mt_engine_indexes (s->engine, a, collection, &list, &ignored) &&
       bson_iter_init (&it, list))
      while (!found && bson_iter_next (&it))
         found = bson_iter_recurse (&it, &key) && bson_iter_find (&key, "key") &&
                 bson_iter_recurse (&key, &key) && bson_iter_next (&key) &&
                 strcmp (bson_iter_key (&key), field) == 0;
   mt_arena_free (a);
   return found;
}

const char **mt_index_used (MtSession *s, MtArena *a, const char *collection, const bson_t *stages,
                            size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "index", &n);
   const char **texts = MT_NEW_N (a, const char *, n + 1);
   *count = 0;
   for (size_t i = 0; i < n && collection; i++) {
      Index x = load (a, &all[i]);
      const MtTable *t;
      MtError ignored;
      if (!table_of (s, x.table, &t, &ignored) || !t)
         continue;
      const MtStoreDesc *d = store_of (t, collection);
      const char **fields = d ? fields_of (a, t, d, &x) : NULL;
      if (fields && match_looks_at (stages, fields[0]))
         texts[(*count)++] = shown (a, &x);
   }
   return texts;
}
