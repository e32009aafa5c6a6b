/* Statistics of tables in documents of their own. In the embedded store every INSERT changes them,
 * and nothing else of the catalog. So the catalog's version stays, other sessions keep their
 * cached catalog, and read the small document of a table when a statement uses the table.
 *
 * The document of a table's statistics is {_id: {kind: "statistics", name: TABLE}, kind, name,
 * body: {version, n, stores: […]}}. It counts only for the table's document of the same version.
 * If it is lost, the statistics are unknown until ANALYZE. */
#include "catalog/catalog_int.h"

#include "base/bson.h"
#include "base/memory.h"
#include "layouts/descriptor/stored_table.h"

#include <string.h>

#define KIND "statistics"

bool mt_catalog_counts_apart (const MtCatalog *c)
{
   return c->stored && !mt_engine_caps (c->e)->adjusts;
}

/* Returns whether a table's statistics can be apart. A read-only target may have such a table. */
static bool may_be_apart (const MtCatalog *c, const MtEntry *en)
{
   return en->table && !en->temporary && !c->file && !mt_engine_caps (c->e)->adjusts;
}

bool mt_catalog_is_counts (const bson_t *doc)
{
   return mt_v_is_text (mt_doc_field (mt_v_doc (doc), "kind"), KIND);
}

/* Gives the cached table the statistics of a document. NULL: they are unknown. */
static void take (MtCatalog *c, MtEntry *en, const bson_t *body, int64_t n)
{
   if (en->counts)
      mt_catalog_retire (c, en->counts);
   en->counts = mt_arena_new ("catalog statistics", NULL);
   mt_statistics_read (en->counts, body, en->table);
   en->counted = n;
   en->kept = NULL;
}

static int64_t number (const bson_t *body, const char *name)
{
   MtVal v = mt_doc_field (mt_v_doc (body), name);
   return v.type == MT_INT64 ? v.i : -1;
}

/* Gets the statistics of this version of the table. False if the document has others. */
static bool body_of (const MtEntry *en, const bson_t *doc, bson_t *body)
{
   MtVal v = mt_doc_field (mt_v_doc (doc), "body");
   return v.type == MT_DOC && bson_init_static (body, v.p, v.len) &&
          number (body, "version") == en->table->version;
}

bool mt_catalog_read_counts (MtCatalog *c, MtEntry *en, MtError *err)
{
   if (en->looked == c->statement || !may_be_apart (c, en))
      return true;
   MtArena *a = mt_arena_new ("catalog statistics", NULL);
   bson_t *doc = NULL, body;
   bool ok = mt_engine_find_id (c->e, a, MT_CATALOG_COLLECTION,
                                mt_catalog_object_id (a, KIND, en->name), &doc, err);
   if (ok && doc && body_of (en, doc, &body)) {
      if (number (&body, "n") != en->counted)
         take (c, en, &body, number (&body, "n"));
   } else if (en->counted) {
      take (c, en, NULL, 0);
   }
   en->looked = ok ? c->statement : 0;
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_write_counts (MtCatalog *c, MtEntry *en, const MtTable *now, MtError *err)
{
   MtArena *a = mt_arena_new ("catalog statistics", NULL);
   MtBson b = {0};
   bson_t doc, body;
   mt_bson_start (&b);
   mt_bson_put (&b, "_id", mt_catalog_object_id (a, KIND, en->name));
   mt_bson_put (&b, "kind", mt_v_cstr (KIND));
   mt_bson_put (&b, "name", mt_v_cstr (en->name));
   size_t at = mt_bson_doc (&b, "body");
   mt_bson_put (&b, "version", mt_v_int64 (en->table->version));
   mt_bson_put (&b, "n", mt_v_int64 (en->counted + 1));
   mt_statistics_put (&b, now);
   mt_bson_end (&b, at);
   bool ok = mt_bson_finish (&b, &doc) &&
             mt_engine_replace (c->e, MT_CATALOG_COLLECTION, &doc, err);
   if (ok && body_of (en, &doc, &body))
      take (c, en, &body, en->counted + 1);
   en->looked = c->statement;
   mt_bson_free (&b);
   mt_arena_free (a);
   return ok;
}

bool mt_catalog_lost_counts (const MtEntry *en)
{
   MtVal layouts = mt_doc_field (mt_v_doc (en->doc), "layouts");
   return !en->counted && mt_doc_field (mt_doc_at (layouts, 0), "stats").type == MT_MISSING;
}

bool mt_catalog_drop_counts (MtCatalog *c, const char *table, MtError *err)
{
   bool gone;
   MtArena *a = mt_arena_new ("catalog statistics", NULL);
   bool ok = mt_engine_delete_id (c->e, MT_CATALOG_COLLECTION,
                                  mt_catalog_object_id (a, KIND, table), &gone, err);
   mt_arena_free (a);
   return ok;
}

MtTable mt_catalog_uncounted (MtArena *a, const MtTable *t)
{
   MtTable none = *t;
   none.layouts = MT_NEW_N (a, MtLayout, t->layout_count + 1);
   memcpy (none.layouts, t->layouts, t->layout_count * sizeof *none.layouts);
   for (size_t i = 0; i < t->layout_count; i++)
      none.layouts[i].stats = NULL;
   return none;
}
