/* Removes documents that a step's increments created. Once the increments are undone, such a
 * document has only zeros, which count as no record. Other clients may have added to it, so it is
 * read, and removed only if it is unchanged. */
#include "engine/mongo/undo/undo.h"

enum { AT_ONCE = 100 };

/* ---- documents that have only zeros ---- */

static bool is_nothing (MtVal v, MtBuf *path, MtVal first)
{
   MtDocIter it = mt_doc_iter (v);
   MtStr key;
   MtVal each;
   size_t n = path->n;
   bool ok = true;
   if (n && mt_doc_get (first, path->p, n).type != MT_MISSING)
      return true;
   if (v.type != MT_DOC && v.type != MT_ARRAY)
      return mt_is_nullish (v) ||
             (mt_is_number (v) && mt_v_compare_numbers (v, mt_v_int64 (0)) == 0);
   while (ok && mt_doc_next (&it, &key, &each)) {
      if (!n && mt_str_is (key, "_id"))
         continue;
      mt_buf_printf (path, "%s%.*s", n ? "." : "", (int) key.n, key.p);
      ok = is_nothing (each, path, first);
      path->n = n;
   }
   return ok;
}

static MtVal first_of (const MtVal *entries, size_t count, MtVal doc)
{
   MtVal id = mt_doc_field (doc, "_id");
   for (size_t i = 0; i < count; i++)
      if (mt_v_compare (mt_doc_field (entries[i], "id"), id) == 0)
         return mt_doc_field (entries[i], "first");
   return mt_v_missing ();
}

/* ---- removing ---- */

static void remove_if_nothing (mongoc_bulk_operation_t *bulk, const MtVal *entries, size_t count,
                               const bson_t *doc)
{
   MtBuf path = {0};
   MtVal first = first_of (entries, count, mt_v_doc (doc));
   bson_t filter = BSON_INITIALIZER;
   if (first.type != MT_MISSING && is_nothing (mt_v_doc (doc), &path, first) &&
       mt_mongo_same_as (doc, NULL, 0, &filter, NULL))
      mongoc_bulk_operation_remove_many_with_opts (bulk, &filter, NULL, NULL);
   bson_destroy (&filter);
   mt_buf_free (&path);
}

static mongoc_cursor_t *find_all (mongoc_collection_t *coll, const MtVal *entries, size_t count)
{
   bson_t filter = BSON_INITIALIZER;
   MtBson b = {0};
   mt_bson_start (&b);
   size_t id = mt_bson_doc (&b, "_id"), in = mt_bson_array (&b, "$in");
   for (uint32_t i = 0; i < count; i++)
      mt_bson_put_at (&b, i, mt_doc_field (entries[i], "id"));
   mt_bson_end (&b, in);
   mt_bson_end (&b, id);
   mt_bson_finish_into (&b, &filter);
   mongoc_cursor_t *found = mongoc_collection_find_with_opts (coll, &filter, NULL, NULL);
   bson_destroy (&filter);
   return found;
}

static void unmake_some (mongoc_collection_t *coll, const MtVal *entries, size_t count)
{
   const bson_t *doc;
   mongoc_cursor_t *found = find_all (coll, entries, count);
   mongoc_bulk_operation_t *bulk = mt_mongo_unordered (coll);
   while (mongoc_cursor_next (found, &doc))
      remove_if_nothing (bulk, entries, count, doc);
   mongoc_bulk_operation_execute (bulk, NULL, NULL); /* also fails if the bulk is empty */
   mongoc_bulk_operation_destroy (bulk);
   mongoc_cursor_destroy (found);
}

void mt_mongo_unmake (MtMongo *m, const MtUndo *u)
{
   MtVal entries[AT_ONCE];
   size_t n = 0;
   bson_iter_t it;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   bson_iter_init (&it, u->doc);
   while (bson_iter_next (&it)) {
      entries[n++] = mt_v_from_iter (&it);
      if (n == AT_ONCE) {
         unmake_some (coll, entries, n);
         n = 0;
      }
   }
   if (n)
      unmake_some (coll, entries, n);
   mongoc_collection_destroy (coll);
}
