/* Undoes a step (all writes between begin and commit) on a server: deletes inserted documents,
 * restores replaced and deleted ones, and drops new collections. */
#include "engine/mongo/undo/undo.h"

#include <string.h>

/* ---- each kind ---- */

static bool delete_where (MtMongo *m, const char *name, const bson_t *filter)
{
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, name);
   bool ok = mongoc_collection_delete_many (coll, filter, NULL, NULL, NULL);
   mongoc_collection_destroy (coll);
   return ok;
}

/* Deletes documents by _id, each by its own operation of one bulk write. With a long $in, some
 * servers read the whole list for each document. */
static bool delete_each (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   mongoc_bulk_operation_t *bulk = mt_mongo_unordered (coll);
   bool ok = bson_iter_init (&it, u->doc);
   while (ok && bson_iter_next (&it)) {
      bson_t filter = BSON_INITIALIZER;
      mt_doc_add (&filter, "_id", mt_v_from_iter (&it));
      ok = mongoc_bulk_operation_remove_many_with_opts (bulk, &filter, NULL, NULL);
      bson_destroy (&filter);
   }
   ok = ok && mongoc_bulk_operation_execute (bulk, NULL, NULL) != 0;
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}

static bool put_back (MtMongo *m, const MtUndo *u)
{
   bson_t filter = BSON_INITIALIZER, opts = BSON_INITIALIZER;
   bson_iter_t it;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   bool ok = bson_iter_init_find (&it, u->doc, "_id");
   if (ok) {
      mt_doc_add (&filter, "_id", mt_v_from_iter (&it));
      mt_doc_printf (&opts, "upsert: true, validate: false");
      ok = mongoc_collection_replace_one (coll, &filter, u->doc, &opts, NULL, NULL);
   }
   bson_destroy (&opts);
   bson_destroy (&filter);
   mongoc_collection_destroy (coll);
   return ok;
}

static bool undo_entry (mongoc_collection_t *coll, bson_iter_t *it)
{
   MtVal v = mt_v_from_iter (it), now = mt_doc_field (v, "now"), was = mt_doc_field (v, "was");
   bson_t filter, old;
   bool found;
   if (now.type != MT_DOC || !bson_init_static (&filter, now.p, now.len))
      return false;
   if (was.type != MT_DOC)
      return mt_mongo_delete_one (coll, &filter, NULL, &found, NULL);
   bson_t opts = BSON_INITIALIZER;
   mt_doc_add (&opts, "validate", mt_v_bool (false));
   bool ok = bson_init_static (&old, was.p, was.len) &&
             mongoc_collection_replace_one (coll, &filter, &old, &opts, NULL, NULL);
   bson_destroy (&opts);
   return ok;
}

static bool bring_back (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   bool ok = bson_iter_init (&it, u->doc);
   while (ok && bson_iter_next (&it))
      ok = undo_entry (coll, &it);
   mongoc_collection_destroy (coll);
   return ok;
}

static bool undo_one (MtMongo *m, const MtUndo *u)
{
   bson_t filter = BSON_INITIALIZER;
   MtVal from = mt_v_oid (&u->from), to = mt_v_oid (&u->to);
   bool ok = false;
   switch (u->kind) {
   case MT_UNDO_OID_RANGE:
      mt_doc_printf (&filter, "_id: {$gte: %p, $lte: %p}", (void *) &from, (void *) &to);
      ok = delete_where (m, u->name, &filter);
      break;
   case MT_UNDO_IDS: ok = delete_each (m, u); break;
   case MT_UNDO_RESTORE: ok = put_back (m, u); break;
   case MT_UNDO_SAME: ok = mt_mongo_put_same_back (m, u); break;
   case MT_UNDO_INCREMENT: ok = mt_mongo_take_back (m, u); break;
   case MT_UNDO_MADE: /* not left over: a document that stays has only zeros, and so no record */
      mt_mongo_unmake (m, u);
      ok = true;
      break;
   case MT_UNDO_NEWER: ok = bring_back (m, u); break;
   case MT_UNDO_CREATE: ok = mt_mongo_drop_now (m, u->name, NULL); break;
   case MT_UNDO_RENAME: ok = mt_mongo_rename_now (m, mt_undo_text (u, "to"), u->name, NULL); break;
   case MT_UNDO_INDEX:
      ok = mt_mongo_drop_index_now (m, u->name, mt_undo_text (u, "name"), NULL);
      break;
   case MT_UNDO_STEP: ok = true; break;
   }
   bson_destroy (&filter);
   return ok;
}

/* ---- all ---- */

/* Undoes all elements of m->undo, even if some fail; the collections of failed ones are added to
 * m->leftover, for an error message. Documents that increments created come last, after their
 * increments were undone. */
static void undo_each (MtMongo *m, bool connected)
{
   for (int made = 0; made < 2; made++)
      for (const MtUndo *u = m->undo; u; u = u->next) {
         if ((u->kind == MT_UNDO_MADE) != made || (connected && undo_one (m, u)))
            continue;
         if (!made)
            mt_mongo_leave (m, u->name);
         connected = connected && mt_mongo_connected (m, NULL);
      }
}

void mt_mongo_undo_all (MtMongo *m, bool connected)
{
   mt_txn_abort (m);
   if (connected && mt_undo_makes_collections (m) && !mt_mongo_beats_stand (m))
      mt_undo_disown (m);
   undo_each (m, connected);
}
