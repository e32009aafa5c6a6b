/* Sends inserts in ordered bulk writes. A document that met another client's write was not
 * inserted; then the bulk is sent again from that document on. */
#include "engine/mongo/write/write.h"

#include <string.h>

/* ---- recording inserts for a rollback ---- */

/* Records inserted documents for a rollback, if the caller gave their _ids (generated ones are
 * recorded before). An ordered bulk stops at the first failure, so the first `inserted` documents
 * behind `from` are stored. If the reply was lost (`known` is false), all _ids are recorded if no
 * other client can have them; otherwise the collection is added to m->leftover. */
static void remember_sent (MtMongo *m, const MtMongoBatch *b, size_t from, size_t inserted,
                           bool known)
{
   bson_iter_t it;
   if (!mt_mongo_keeps (m) || !bson_iter_init (&it, b->ids))
      return;
   for (size_t i = 0; (known ? i < from + inserted : true) && bson_iter_next (&it); i++) {
      if (i < from || BSON_ITER_HOLDS_NULL (&it))
         continue;
      if (known || b->fresh)
         mt_mongo_remember_id (m, b->name, mt_v_from_iter (&it), b->fresh);
      else
         mt_mongo_leave (m, b->name);
   }
}

static uint32_t size_at (const MtMongoBatch *b, size_t at)
{
   uint32_t size;
   memcpy (&size, b->docs.p + at, sizeof size);
   return BSON_UINT32_FROM_LE (size);
}

/* Records, before the batch is sent, the _ids that the step generated, for a rollback. Each is the
 * first field of its document. */
static void remember_given (MtMongo *m, const MtMongoBatch *b)
{
   enum { ID_OFFSET = 4 + 1 + sizeof "_id" };
   bson_iter_t it;
   bson_oid_t oid;
   bson_iter_init (&it, b->ids);
   for (size_t at = 0; bson_iter_next (&it); at += size_at (b, at))
      if (BSON_ITER_HOLDS_NULL (&it)) {
         memcpy (oid.bytes, b->docs.p + at + ID_OFFSET, sizeof oid.bytes);
         mt_mongo_remember_oid (m, b->name, &oid);
      }
}

/* ---- sending ---- */

static bool add_document (mongoc_bulk_operation_t *bulk, const uint8_t *bytes, uint32_t size,
                          bson_error_t *e)
{
   bson_t doc, opts = BSON_INITIALIZER;
   mt_doc_add (&opts, "validate", mt_v_bool (false)); /* allows field names with dots and dollars */
   bool ok = bson_init_static (&doc, bytes, size) &&
             mongoc_bulk_operation_insert_with_opts (bulk, &doc, &opts, e);
   bson_destroy (&opts);
   return ok;
}

/* Returns a bulk write of the batch's documents except the first `from`. *ok is false if one can't
 * be added. */
static mongoc_bulk_operation_t *bulk_of (MtMongo *m, const MtMongoBatch *b, size_t from, bool *ok,
                                         bson_error_t *e)
{
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (
      b->coll, NULL); /* ordered */
   mt_mongo_comment_bulk (m, bulk);
   mt_mongo_bulk_session (m, bulk);
   size_t n = 0;
   *ok = true;
   for (size_t at = 0; at < b->docs.n && *ok; at += size_at (b, at), n++)
      *ok = n < from || add_document (bulk, (const uint8_t *) b->docs.p + at, size_at (b, at), e);
   return bulk;
}

typedef struct Sent {
   size_t inserted;
   /* gave_way: a document met another client's write; conflict: the server ended the transaction
    * for that reason */
   bool gave_way, conflict;
} Sent;

static bool execute (MtMongo *m, const MtMongoBatch *b, size_t from, Sent *out, MtError *err)
{
   bson_t reply;
   bson_error_t e = {0};
   bool ok;
   mongoc_bulk_operation_t *bulk = bulk_of (m, b, from, &ok, &e);
   *out = (Sent) {.inserted = b->count - from};
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, &reply, &e) != 0;
      if (!ok) {
         MtWriteErrors errors = mt_mongo_write_errors (&reply);
         out->inserted = (size_t) mt_mongo_reply_number (&reply, "nInserted");
         out->conflict = mt_mongo_conflict (&reply, &e);
         if (mt_mongo_next_write_error (&errors))
            out->gave_way = errors.index == out->inserted &&
                            mt_mongo_gave_way ((uint32_t) errors.code, errors.message);
         else
            out->gave_way = !out->inserted && mt_mongo_gave_way (e.code, e.message);
      }
      bson_destroy (&reply);
   } else {
      out->inserted = 0;
   }
   mongoc_bulk_operation_destroy (bulk);
   return ok || mt_mongo_error (m, &e, true, err);
}

bool mt_mongo_insert_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err)
{
   Sent sent;
   bool ok = execute (m, b, 0, &sent, err);
   *conflict = sent.conflict;
   return ok;
}

bool mt_mongo_send_inserts (MtMongo *m, const MtMongoBatch *b, MtError *err)
{
   size_t done = 0;
   int tries = 0;
   remember_given (m, b);
   for (;;) {
      Sent sent;
      bool ok = execute (m, b, done, &sent, err);
      remember_sent (m, b, done, sent.inserted, ok || !m->lost);
      if (ok || m->lost || !sent.gave_way)
         return ok;
      mt_error_clear (err);
      done += sent.inserted;
      tries = sent.inserted ? 0 : tries + 1;
      if (!mt_mongo_wait_turn (m, tries, err))
         return false;
   }
}
