/* Increments: upserts with $inc, in unordered bulks, since they add up in any order.
 *
 * They are undone by their opposites; a document that they made stays, with zeros, because others may have counted on it meanwhile. Of a bulk
 * whose answer was lost nobody knows which were applied: it isn't sent again (but by the driver, where the server knows repeated
 * writes by their number), the error says so (08007), and the collection is among what may remain. */
#include "engine/mongo/mongo_int.h"

#include <math.h>
#include <string.h>

static bool view (MtVal doc, bson_t *out) { return doc.type == MT_DOC && bson_init_static (out, doc.p, doc.len); }

/* The opposite of a number. */
static bool append_opposite (bson_t *to, const bson_iter_t *it)
{
   MtVal v = mt_v_from_iter (it);
   uint8_t bytes[16];
   if (v.type == MT_DECIMAL) {
      memcpy (bytes, v.p, 16);
      bytes[15] ^= 0x80;
      v.p = bytes;
   } else if (v.type == MT_DOUBLE) {
      v.d = -v.d;
   } else {
      v.i = -v.i;
      v.type = v.i > INT32_MAX ? MT_INT64 : v.type;
   }
   return mt_v_append (to, bson_iter_key (it), -1, v);
}

static bool has_opposite (MtVal v)
{
   bson_decimal128_t d;
   switch (v.type) {
   case MT_DOUBLE:
      return isfinite (v.d);
   case MT_INT64:
      return v.i != INT64_MIN;
   case MT_DECIMAL:
      memcpy (&d.low, v.p, 8);
      memcpy (&d.high, v.p + 8, 8);
      return (d.high >> 59 & 15) != 15; /* infinity and NaN */
   default:
      return true;
   }
}

/* What could not be taken back isn't sent. */
static bool check_opposites (const char *collection, const bson_t *amounts, MtError *err)
{
   bson_iter_t it;
   bson_iter_init (&it, amounts);
   while (bson_iter_next (&it))
      if (!has_opposite (mt_v_from_iter (&it))) {
         mt_error (err, MT_E_FEATURE, "a server can't add to field \"%s\" of collection \"%s\" what couldn't be taken back", bson_iter_key (&it), collection);
         return mt_error_hint (err, "Infinity, NaN and the smallest bigint have no opposite. The in-process store adds them.");
      }
   return true;
}

static void opposite (const bson_t *amounts, bson_t *out)
{
   bson_iter_t it;
   bson_iter_init (&it, amounts);
   while (bson_iter_next (&it))
      append_opposite (out, &it);
}

static bool add_update (mongoc_bulk_operation_t *bulk, MtVal id, const bson_t *amounts, const bson_t *first, bson_error_t *e)
{
   bson_t filter = BSON_INITIALIZER, update = BSON_INITIALIZER, opts = BSON_INITIALIZER;
   mt_v_append (&filter, "_id", 3, id);
   if (!bson_empty (amounts)) /* servers before 5.0 take no empty one */
      BSON_APPEND_DOCUMENT (&update, "$inc", amounts);
   if (first && !bson_empty (first))
      BSON_APPEND_DOCUMENT (&update, "$setOnInsert", first);
   BSON_APPEND_BOOL (&opts, "upsert", first != NULL);
   bool ok = mongoc_bulk_operation_update_one_with_opts (bulk, &filter, &update, &opts, e);
   bson_destroy (&opts);
   bson_destroy (&update);
   bson_destroy (&filter);
   return ok;
}

static mongoc_bulk_operation_t *unordered (mongoc_collection_t *coll)
{
   bson_t opts = BSON_INITIALIZER;
   BSON_APPEND_BOOL (&opts, "ordered", false);
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (coll, &opts);
   bson_destroy (&opts);
   return bulk;
}

/* b->ids has {id, amounts} for each that waits. */
bool mt_mongo_increment (MtEngine *e, const char *collection, MtVal id, const bson_t *amounts, const bson_t *first, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t one;
   bson_error_t error;
   bool wait;
   if (!check_opposites (collection, amounts, err) || !mt_mongo_ready (m, err) || !mt_mongo_drop_before_use (m, collection, err))
      return false;
   MtMongoBatch *b = mt_mongo_batch (m, collection, true);
   if (!b->bulk)
      mt_mongo_begin_batch (m, b, unordered (b->coll));
   BSON_APPEND_DOCUMENT_BEGIN (b->ids, "", &one);
   mt_v_append (&one, "id", 2, id);
   BSON_APPEND_DOCUMENT (&one, "amounts", amounts);
   bson_append_document_end (b->ids, &one);
   b->count++;
   b->bytes += amounts->len + first->len;
   if (!add_update (b->bulk, id, amounts, first, &error))
      return mt_mongo_error (m, &error, false, err);
   if (!mt_txn_gathered (m, amounts->len + first->len, &wait, err))
      return false;
   return wait || !mt_mongo_batch_full (b) || (mt_mongo_send (m, b, err) && mt_cancel_check (e->cancel, err));
}

bool mt_mongo_incremented (MtEngine *e, uint64_t *made, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_flush (m, err))
      return false;
   *made = m->made;
   return true;
}

/* Whether the bulk's answer says that its operation `index` failed. */
static bool failed (const bson_t *reply, uint32_t index)
{
   MtWriteErrors errors = mt_mongo_write_errors (reply);
   while (mt_mongo_next_write_error (&errors))
      if (errors.index == index)
         return true;
   return false;
}

/* A document that may have come to be, of zeros, stays. */
static bool adds_nothing (const bson_iter_t *entry)
{
   bson_iter_t one;
   bson_t amounts;
   return bson_iter_recurse (entry, &one) && bson_iter_find (&one, "amounts") && view (mt_v_from_iter (&one), &amounts) && bson_empty (&amounts);
}

void mt_mongo_remember_increments (MtMongo *m, const MtMongoBatch *b, const bson_t *reply, bool known)
{
   bson_iter_t it, one;
   bson_iter_init (&it, b->ids);
   if (!known) {
      mt_mongo_leave (m, b->name);
      return;
   }
   for (uint32_t i = 0; bson_iter_next (&it); i++) {
      bson_t amounts, *undo = failed (reply, i) || adds_nothing (&it) ? NULL : mt_mongo_undo_document (m, MT_UNDO_INCREMENT, b->name);
      if (!undo || !bson_iter_recurse (&it, &one))
         continue;
      bson_t entry, negative;
      BSON_APPEND_DOCUMENT_BEGIN (undo, "", &entry);
      bson_iter_find (&one, "id");
      mt_v_append (&entry, "id", 2, mt_v_from_iter (&one));
      bson_iter_find (&one, "amounts");
      view (mt_v_from_iter (&one), &amounts);
      BSON_APPEND_DOCUMENT_BEGIN (&entry, "amounts", &negative);
      opposite (&amounts, &negative);
      bson_append_document_end (&entry, &negative);
      bson_append_document_end (undo, &entry);
   }
}

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it, one;
   bson_error_t e;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   mongoc_bulk_operation_t *bulk = unordered (coll);
   bson_iter_init (&it, u->doc);
   bool ok = true;
   while (ok && bson_iter_next (&it) && bson_iter_recurse (&it, &one)) {
      bson_t amounts;
      bson_iter_find (&one, "id");
      MtVal id = mt_v_from_iter (&one);
      bson_iter_find (&one, "amounts");
      ok = view (mt_v_from_iter (&one), &amounts) && add_update (bulk, id, &amounts, NULL, &e);
   }
   ok = ok && mongoc_bulk_operation_execute (bulk, NULL, &e) != 0;
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}
