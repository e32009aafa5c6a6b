/* Indexes in the catalog, and finding the indexes that a pipeline uses. */
#include "session/core/index.h"
#include "session/core/keys.h"
#include "session/core/schemas.h"

#include "engine/pipe.h"
#include "layouts/collections/partition.h"

#include <stdlib.h>
#include <string.h>

/* ---- indexes as catalog objects ---- */

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
      mt_doc_add_text (array, mt_printf (a, "%zu", i), list[i]);
   mt_doc_add_array (body, field, array);
}

bool mt_index_save (MtStatement *st, const MtIndex *x, MtError *err)
{
   bson_t *body = mt_doc_new (st->arena);
   mt_doc_add_text (body, "table", x->table);
   add_texts (st->arena, body, "columns", x->columns, x->column_count);
   add_texts (st->arena, body, "had", x->had, x->had_count);
   return mt_catalog_save_object (st->session->catalog, "index", x->name, body, err);
}

MtIndex mt_index_load (MtArena *a, const MtCatalogObject *o)
{
   MtIndex x = {.name = mt_strdup (a, o->name),
                .table = mt_strdup (a, mt_field_text (o->body, "table"))};
   x.columns = texts_of (a, o->body, "columns", &x.column_count);
   x.had = texts_of (a, o->body, "had", &x.had_count);
   return x;
}

bool mt_index_table (MtSession *s, const char *id, const MtTable **out, MtError *err)
{
   bool own = mt_is_temporary (id);
   return mt_catalog_find_among (s->catalog, own ? MT_TEMPORARY_TABLES : MT_PERMANENT_TABLES,
                                 own ? id + sizeof MT_TEMPORARY - 1 : id, true, out, err);
}

MtIndex *mt_indexes_of (MtSession *s, MtArena *a, const char *table, size_t *count)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "index", &n);
   MtIndex *list = MT_NEW_N (a, MtIndex, n + 1);
   *count = 0;
   for (size_t i = 0; i < n; i++)
      if (strcmp (mt_field_text (all[i].body, "table"), table) == 0)
         list[(*count)++] = mt_index_load (a, &all[i]);
   return list;
}

/* ---- fields of columns ---- */

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

const char **mt_index_fields (MtArena *a, const MtTable *t, const MtStoreDesc *s, const MtIndex *x)
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

/* ---- \d and EXPLAIN ---- */

static const char *index_text (MtSession *s, MtArena *a, const MtIndex *x)
{
   const char *text = mt_printf (a, "%s (", mt_unqualified (s, x->name));
   for (size_t i = 0; i < x->column_count; i++)
      text = mt_printf (a, "%s%s%s", text, i ? ", " : "", x->columns[i]);
   return mt_printf (a, "%s)", text);
}

static const char *key_text (MtSession *s, MtArena *a, const MtTable *t, const MtTableKey *k)
{
   static const char *const words[] = {[MT_KEY_PRIMARY] = "PRIMARY KEY",
                                       [MT_KEY_UNIQUE] = "UNIQUE CONSTRAINT",
                                       [MT_KEY_INDEX] = "UNIQUE"};
   return mt_printf (a, "%s %s %s", mt_unqualified (s, k->name), words[k->kind],
                     mt_key_index_shown (a, t, k, true));
}

static int by_text (const void *a, const void *b)
{
   return strcmp (*(const char *const *) a, *(const char *const *) b);
}

const char **mt_index_texts (MtSession *s, MtArena *a, const MtTable *t, size_t *count)
{
   size_t n, first = mt_primary_key (t) != NULL;
   MtIndex *list = mt_indexes_of (s, a, mt_table_id (a, t), &n);
   const char **texts = MT_NEW_N (a, const char *, n + t->unique_count + 1);
   *count = 0;
   for (size_t i = 0; i < t->unique_count; i++)
      texts[(*count)++] = key_text (s, a, t, &t->keys[i]);
   for (size_t i = 0; i < n; i++)
      texts[(*count)++] = index_text (s, a, &list[i]);
   qsort (texts + first, *count - first, sizeof *texts, by_text);
   return texts;
}

const MtIndexInfo *mt_index_list (MtSession *s, MtArena *a, size_t *count)
{
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, "index", count);
   MtIndexInfo *list = MT_NEW_N (a, MtIndexInfo, *count + 1);
   for (size_t i = 0; i < *count; i++) {
      MtIndex x = mt_index_load (a, &all[i]);
      list[i] = (MtIndexInfo) {x.name, x.table, x.columns, x.column_count};
   }
   return list;
}

/* Returns whether a $match has a condition on the field, directly or in an $and. */
static bool has_condition_on (bson_iter_t *it, const char *field)
{
   bson_iter_t list, each;
   while (bson_iter_next (it)) {
      if (strcmp (bson_iter_key (it), field) == 0)
         return true;
      if (strcmp (bson_iter_key (it), "$and") == 0 && bson_iter_recurse (it, &list))
         while (bson_iter_next (&list))
            if (bson_iter_recurse (&list, &each) && has_condition_on (&each, field))
               return true;
   }
   return false;
}

static bool matches_field (const bson_t *stages, const char *field)
{
   bson_iter_t it, stage, match;
   return bson_iter_init (&it, stages) && bson_iter_next (&it) && bson_iter_recurse (&it, &stage) &&
          bson_iter_find (&stage, "$match") && bson_iter_recurse (&stage, &match) &&
          has_condition_on (&match, field);
}

/* Returns whether the first stage that is not a $match is a $sort by the field. */
static bool sorts_by (const bson_t *stages, const char *field)
{
   bson_iter_t it, stage, key;
   const char *name = "$match";
   for (bson_iter_init (&it, stages); strcmp (name, "$match") == 0 && bson_iter_next (&it) &&
                                      bson_iter_recurse (&it, &stage) && bson_iter_next (&stage);)
      name = bson_iter_key (&stage);
   return strcmp (name, "$sort") == 0 && bson_iter_recurse (&stage, &key) &&
          bson_iter_next (&key) && strcmp (bson_iter_key (&key), field) == 0;
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
   bool sorts = !mt_engine_caps (s->engine)->local_operators;
   *count = 0;
   for (size_t i = 0; i < n && collection; i++) {
      MtIndex x = mt_index_load (a, &all[i]);
      const MtTable *t;
      MtError ignored;
      if (!mt_index_table (s, x.table, &t, &ignored) || !t)
         continue;
      const MtStoreDesc *d = store_of (t, collection);
      const char **fields = d ? mt_index_fields (a, t, d, &x) : NULL;
      if (fields && matches_field (stages, fields[0]))
         texts[(*count)++] = index_text (s, a, &x);
      else if (fields && sorts && sorts_by (stages, fields[0]))
         texts[(*count)++] = mt_printf (a, "%s, for ORDER BY", index_text (s, a, &x));
   }
   return texts;
}
