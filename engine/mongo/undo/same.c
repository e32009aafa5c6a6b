/* Replaces documents only if no other client has changed them, and undoes such replacements. One
 * command compares and replaces. */
#include "engine/mongo/undo/undo.h"

#include <string.h>

/* Adds to a filter the condition that a field equals a value. {$eq: v} would also match an array
 * that contains v, so such arrays are excluded. */
static void add_equal (MtBson *filter, const bson_iter_t *it)
{
   MtVal v = mt_v_from_iter (it);
   const char *name = bson_iter_key (it);
   if (v.type == MT_ARRAY)
      mt_bson_printf (filter, "%s: {$eq: %p, $not: {$elemMatch: {$eq: %p}}}", name, (void *) &v,
                      (void *) &v);
   else
      mt_bson_printf (filter, "%s: {$eq: %p, $not: {$type: 'array'}}", name, (void *) &v);
}

bool mt_mongo_same_as (const bson_t *doc, const char *const *fields, size_t field_count,
                       bson_t *filter, MtError *err)
{
   MtBson b = {0};
   bson_iter_t it;
   mt_bson_start (&b);
   for (bool more = bson_iter_init (&it, doc) && bson_iter_next (&it); more;
        more = bson_iter_next (&it)) {
      const char *key = bson_iter_key (&it);
      if (!*key || *key == '$' || strchr (key, '.')) {
         mt_bson_free (&b);
         return mt_error (err, MT_E_FEATURE,
                          "documents with a field \"%s\" can't be compared on a server", key);
      }
      if (strcmp (key, "_id") == 0)
         mt_bson_put (&b, "_id", mt_v_from_iter (&it));
      else
         add_equal (&b, &it);
   }
   for (size_t i = 0; i < field_count; i++)
      if (!bson_has_field (doc, fields[i]))
         mt_bson_printf (&b, "%s: {$exists: false}", fields[i]);
   return mt_bson_finish_into (&b, filter) ||
          mt_error (err, MT_E_LIMIT, "a document is too large to be compared on a server");
}

bool mt_mongo_replace_where (MtMongo *m, const char *collection, const bson_t *filter,
                             const bson_t *doc, bool *replaced, MtError *err)
{
   bson_t opts, reply;
   bson_error_t e;
   bool ok = false, again = true;
   int tries = 0;
   mt_mongo_plain_opts (m, &opts);
   if (doc)
      mt_doc_add (&opts, "validate", mt_v_bool (false));
   while (!ok && again) {
      mongoc_collection_t *coll = mt_mongo_batch (m, collection, false)->coll;
      if (doc) {
         ok = mongoc_collection_replace_one (coll, filter, doc, &opts, &reply, &e);
         *replaced = ok && mt_mongo_reply_number (&reply, "matchedCount") > 0;
         bson_destroy (&reply);
      } else
         ok = mt_mongo_delete_one (coll, filter, &opts, replaced, &e);
      again = !ok && mt_mongo_send_again (m, &e, &tries);
   }
   bson_destroy (&opts);
   return ok || mt_mongo_error (m, &e, true, err);
}

bool mt_mongo_insert_new (MtMongo *m, const char *collection, const bson_t *doc, bool *inserted,
                          MtError *err)
{
   bson_t opts;
   bson_error_t e;
   int tries = 0;
   mt_mongo_plain_opts (m, &opts);
   mt_doc_add (&opts, "validate", mt_v_bool (false));
   do
      *inserted = mongoc_collection_insert_one (mt_mongo_batch (m, collection, false)->coll, doc,
                                                &opts, NULL, &e);
   while (!*inserted && mt_mongo_send_again (m, &e, &tries));
   bson_destroy (&opts);
   return *inserted || mt_mongo_is_duplicate (e.code) || mt_mongo_error (m, &e, true, err);
}

/* ---- putting back ---- */

static bool view_of (const bson_iter_t *entry, const char *name, bson_t *out)
{
   bson_iter_t it;
   MtVal v;
   if (!bson_iter_recurse (entry, &it) || !bson_iter_find (&it, name))
      return false;
   v = mt_v_from_iter (&it);
   return bson_init_static (out, v.p, v.len);
}

/* Called when other clients have changed the document, too: undoes only this step's increments of
 * it, the difference between `was` and `is`. */
static bool give_back (MtMongo *m, const char *collection, const bson_iter_t *entry)
{
   MtVal v = mt_v_from_iter (entry), was = mt_doc_field (v, "was"), is = mt_doc_field (v, "is");
   MtMongoInc before = mt_mongo_inc (was), after = mt_mongo_inc (is);
   return (was.type != MT_MISSING || is.type != MT_MISSING) &&
          mt_mongo_give_back (m, collection, &before, &after);
}

static bool put_one_back (MtMongo *m, const char *collection, const bson_iter_t *entry)
{
   bson_t old, doc, list, filter = BSON_INITIALIZER;
   bson_iter_t it;
   bool replaced = false, there_was = view_of (entry, "old", &old);
   size_t n = 0;
   if (!view_of (entry, "fields", &list))
      return false;
   /* The step has deleted the document: insert it again, unless another client has inserted the
    * same _id. */
   if (!view_of (entry, "doc", &doc))
      return there_was && mt_mongo_insert_new (m, collection, &old, &replaced, NULL) &&
             (replaced || give_back (m, collection, entry));
   const char **fields = bson_malloc0 ((bson_count_keys (&list) + 1) * sizeof *fields);
   for (bool more = bson_iter_init (&it, &list) && bson_iter_next (&it); more;
        more = bson_iter_next (&it))
      fields[n++] = bson_iter_utf8 (&it, NULL);
   bool ok = mt_mongo_same_as (&doc, fields, n, &filter, NULL) &&
             mt_mongo_replace_where (m, collection, &filter, there_was ? &old : NULL, &replaced,
                                     NULL);
   bson_free (fields);
   bson_destroy (&filter);
   return ok && (replaced || give_back (m, collection, entry));
}

/* Undoes the replacements of documents listed in u->doc (MT_UNDO_SAME). If others have changed a
 * document in a way that can't be combined, it stays. Returns false if any document stays. */
bool mt_mongo_put_same_back (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   bool ok = true;
   for (bool more = bson_iter_init (&it, u->doc) && bson_iter_next (&it); more;
        more = bson_iter_next (&it))
      ok = put_one_back (m, u->name, &it) && ok;
   return ok;
}
