/* Increments: upserts with $inc, in unordered bulks, since they add up in any order. What has a
 * value from now on ($set) says in its filter that it has none.
 *
 * They are undone by their opposites; a document that they made goes, unless others have counted on
 * it meanwhile (mongo_made.c). Of a bulk whose answer was lost nobody knows which were applied: it
 * isn't sent again (but by the driver, where the server knows repeated writes by their number), the
 * error says so (08007), and the collection is among what may remain. Of what a server refused in
 * favour of another client it says that nothing was done: that is sent again (in a transaction:
 * mongo_replay.c). */
#include "engine/mongo/mongo_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool view (MtVal doc, bson_t *out)
{
   return doc.type == MT_DOC && bson_init_static (out, doc.p, doc.len);
}

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
   case MT_DOUBLE: return isfinite (v.d);
   case MT_INT64: return v.i != INT64_MIN;
   case MT_DECIMAL:
      memcpy (&d.low, v.p, 8);
      memcpy (&d.high, v.p + 8, 8);
      return (d.high >> 59 & 15) != 15; /* infinity and NaN */
   default: return true;
   }
}

/* What could not be taken back isn't sent. */
static bool check_opposites (const char *collection, const bson_t *amounts, MtError *err)
{
   MtDocIter it = mt_doc_iter (mt_v_doc (amounts));
   MtStr key;
   MtVal v;
   while (mt_doc_next (&it, &key, &v))
      if (!has_opposite (v)) {
         mt_error (
            err, MT_E_FEATURE,
            "a server can't add to field \"%.*s\" of collection \"%s\" what couldn't be taken back",
            (int) key.n, key.p, collection);
         return mt_error_hint (
            err,
            "Infinity, NaN and the smallest bigint have no opposite. The in-process store adds them.");
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

/* ---- one document's increments, as a batch keeps them ---- */

static bool has (MtVal doc) { return doc.len > 5; } /* an empty document's size */

static void append_some (bson_t *to, const char *op, const bson_t *values)
{
   if (values && !bson_empty (values))
      BSON_APPEND_DOCUMENT (to, op, values);
}

/* All that is sent of it is made now, and not while the server waits for it. Servers before 5.0
 * take no empty operators. */
void mt_mongo_keep_increment (bson_t *to, const char *name, MtVal id, const MtIncrement *what)
{
   bson_t one, update;
   BSON_APPEND_DOCUMENT_BEGIN (to, name, &one);
   mt_v_append (&one, "id", 2, id);
   BSON_APPEND_DOCUMENT_BEGIN (&one, "u", &update);
   append_some (&update, "$inc", what->amounts);
   append_some (&update, "$set", what->fresh);
   append_some (&update, "$setOnInsert", what->first);
   bson_append_document_end (&one, &update);
   append_some (&one, "slots", what->slots);
   bson_append_document_end (to, &one);
}

static bool add_update (mongoc_bulk_operation_t *bulk, const bson_t *filter, const bson_t *update,
                        bool upsert, bson_error_t *e)
{
   bson_t opts = BSON_INITIALIZER;
   BSON_APPEND_BOOL (&opts, "upsert", upsert);
   BSON_APPEND_BOOL (&opts, "validate", false); /* it is ours; looking at each byte of it again
                                                   would take as long as all the rest of sending */
   bool ok = mongoc_bulk_operation_update_one_with_opts (bulk, filter, update, &opts, e);
   bson_destroy (&opts);
   return ok;
}

static bool add_op (mongoc_bulk_operation_t *bulk, const MtMongoInc *op, bson_error_t *e)
{
   bson_t filter = BSON_INITIALIZER, update;
   bool slots = has (op->slots);
   mt_v_append (&filter, "_id", 3, op->id);
   mt_mongo_filter_places (&filter, op);
   if (slots) {
      bson_init (&update);
      mt_mongo_slots_pipeline (&update, op);
   }
   bool ok = (slots || view (op->update, &update)) && add_update (bulk, &filter, &update, true, e);
   if (slots)
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

bool mt_mongo_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                         MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   size_t size = what->amounts->len + what->first->len + (what->fresh ? what->fresh->len : 0) +
                 (what->slots ? what->slots->len : 0);
   bool wait;
   if (!check_opposites (collection, what->amounts, err) ||
       !mt_mongo_may_change (m, collection, err) || !mt_mongo_can_gather (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err))
      return false;
   MtMongoBatch *b = mt_mongo_batch (m, collection, true);
   if (!b->ids)
      b->ids = bson_new ();
   mt_mongo_keep_increment (b->ids, "", id, what);
   b->count++;
   b->bytes += size;
   if (!mt_txn_gathered (m, size, &wait, err))
      return false;
   return wait || mt_mongo_gathered (m, b, err);
}

bool mt_mongo_incremented (MtEngine *e, uint64_t *made, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_flush (m, err))
      return false;
   *made = m->made;
   return true;
}

/* ---- what to undo ---- */

static void remember (MtMongo *m, const char *collection, const MtMongoInc *op, bool made)
{
   if (!mt_mongo_keeps (m) || (!has (op->amounts) && !has (op->fresh) && !has (op->slots)))
      return; /* a document that may have come to be, of zeros, stays */
   if (made)
      mt_mongo_remember_made (m, collection, op->id, op->first);
   bson_t *undo = mt_mongo_undo_document (m, MT_UNDO_INCREMENT, collection);
   if (undo)
      mt_v_append (undo, "", 0, op->all);
}

typedef struct Opposite {
   bson_t filter, unset, null;
} Opposite;

static bool vacate (void *ctx, const char *path, MtVal v, bool slot)
{
   Opposite *x = ctx;
   mt_v_append (&x->filter, path, -1, v);
   return slot ? BSON_APPEND_NULL (&x->null, path) : BSON_APPEND_UTF8 (&x->unset, path, "");
}

/* Fields that were set go, where they are as they were set; elements of arrays become null. */
static bool add_opposite (mongoc_bulk_operation_t *bulk, const MtMongoInc *op)
{
   Opposite x = {BSON_INITIALIZER, BSON_INITIALIZER, BSON_INITIALIZER};
   bson_t update = BSON_INITIALIZER, negative = BSON_INITIALIZER, amounts;
   mt_v_append (&x.filter, "_id", 3, op->id);
   mt_mongo_each_place (op, vacate, &x);
   if (view (op->amounts, &amounts))
      opposite (&amounts, &negative);
   append_some (&update, "$inc", &negative);
   append_some (&update, "$unset", &x.unset);
   append_some (&update, "$set", &x.null);
   bool ok = add_update (bulk, &x.filter, &update, false, NULL);
   bson_destroy (&update);
   bson_destroy (&negative);
   bson_destroy (&x.filter);
   bson_destroy (&x.unset);
   bson_destroy (&x.null);
   return ok;
}

bool mt_mongo_take_back (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   bson_t reply;
   int64_t sent = 0;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   mongoc_bulk_operation_t *bulk = unordered (coll);
   bson_iter_init (&it, u->doc);
   bool ok = true;
   for (; ok && bson_iter_next (&it); sent++) {
      MtMongoInc op = mt_mongo_inc (mt_v_from_iter (&it));
      ok = add_opposite (bulk, &op);
   }
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, &reply, NULL) != 0 &&
           mt_mongo_reply_number (&reply, "nMatched") == sent;
      bson_destroy (&reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}

bool mt_mongo_give_back (MtMongo *m, const char *collection, const MtMongoInc *was,
                         const MtMongoInc *is)
{
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, collection);
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (coll, NULL);
   bool adds = has (was->amounts), takes = has (is->amounts);
   bool ok = (!adds || add_op (bulk, was, NULL)) && (!takes || add_opposite (bulk, is));
   ok = ok && ((!adds && !takes) || mongoc_bulk_operation_execute (bulk, NULL, NULL) != 0);
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   return ok;
}

/* ---- sending ---- */

typedef struct Sending {
   MtMongo *m;
   const char *collection;
   mongoc_collection_t *coll;
   MtMongoInc *ops;
   size_t count, applied; /* to be sent; applied by the last try */
   bool *taken, *made; /* parallel: an update that met a document that it wasn't to meet; one that
                          made its document */
} Sending;

static Sending sending (MtMongo *m, const MtMongoBatch *b)
{
   Sending x = {.m = m, .collection = b->name, .coll = b->coll};
   bson_iter_t it;
   x.ops = bson_malloc ((b->count + 1) * sizeof *x.ops);
   x.taken = bson_malloc0 (b->count + 1);
   x.made = bson_malloc0 (b->count + 1);
   bson_iter_init (&it, b->ids);
   while (bson_iter_next (&it))
      x.ops[x.count++] = mt_mongo_inc (mt_v_from_iter (&it));
   return x;
}

static void sending_over (Sending *x)
{
   bson_free (x->ops);
   bson_free (x->taken);
   bson_free (x->made);
}

static void note_made (Sending *x, const bson_t *reply)
{
   bson_iter_t it, list, at;
   memset (x->made, 0, x->count);
   if (!bson_iter_init_find (&it, reply, "upserted") || !BSON_ITER_HOLDS_ARRAY (&it) ||
       !bson_iter_recurse (&it, &list))
      return;
   while (bson_iter_next (&list))
      if (bson_iter_recurse (&list, &at) && bson_iter_find (&at, "index") &&
          (size_t) bson_iter_as_int64 (&at) < x->count)
         x->made[bson_iter_as_int64 (&at)] = true;
}

static bool execute (Sending *x, bson_t *reply, bson_error_t *e)
{
   MtMongo *m = x->m;
   mongoc_bulk_operation_t *bulk = unordered (x->coll);
   mongoc_client_session_t *session = m->step == MT_STEP_TRANSACTION ? m->conn->write_session
                                                                     : m->conn->session;
   mt_mongo_comment_bulk (m, bulk);
   if (session)
      mongoc_bulk_operation_set_client_session (bulk, session);
   bool ok = true;
   for (size_t i = 0; i < x->count && ok; i++)
      ok = add_op (bulk, &x->ops[i], e);
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, reply, e) != 0;
      x->applied = (size_t) (mt_mongo_reply_number (reply, "nMatched") +
                             mt_mongo_reply_number (reply, "nUpserted"));
      m->made += (uint64_t) mt_mongo_reply_number (reply, "nUpserted");
      note_made (x, reply);
   } else {
      bson_init (reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   return ok;
}

/* What the answer says of each: those that are to be sent again stay, those that were applied are
 * remembered. *other: something failed for good. False where it can't be told which were
 * applied. */
static bool sort_out (Sending *x, const bson_t *reply, bool *other)
{
   MtWriteErrors errors = mt_mongo_write_errors (reply);
   size_t kept = 0, failed = 0;
   bool more = mt_mongo_next_write_error (&errors);
   for (size_t i = 0; i < x->count; i++) {
      const MtMongoInc *op = &x->ops[i];
      if (!more || errors.index != i) {
         remember (x->m, x->collection, op, x->made[i]);
         continue;
      }
      bool duplicate = mt_mongo_is_duplicate (errors.code);
      failed++;
      if (duplicate || mt_mongo_gave_way ((uint32_t) errors.code, errors.message)) {
         x->taken[kept] = duplicate;
         x->ops[kept++] = *op;
      } else {
         *other = true;
      }
      more = mt_mongo_next_write_error (&errors);
   }
   bool known = !more && x->applied + failed == x->count;
   x->count = kept;
   return known;
}

/* One bulk; what is to be sent again stays in x. */
static bool try_plain (Sending *x, MtError *err)
{
   MtMongo *m = x->m;
   bson_error_t e = {0};
   bson_t reply;
   bool ok = execute (x, &reply, &e), other = false;
   if (ok || x->applied == x->count) { /* the latter: all but a concern about it */
      for (size_t i = 0; i < x->count; i++)
         remember (m, x->collection, &x->ops[i], x->made[i]);
      x->count = 0;
      ok = ok || mt_mongo_error (m, &e, true, err);
   } else if (!mt_mongo_error (m, &e, true, err) && m->lost) {
      mt_mongo_leave (m, x->collection);
   } else if (!mt_mongo_write_errors (&reply).any) {
      ok = !x->applied && mt_mongo_gave_way (e.code, e.message);
      if (x->applied)
         mt_mongo_leave (m, x->collection);
   } else {
      bool known = sort_out (x, &reply, &other);
      if (!known)
         mt_mongo_leave (m, x->collection);
      ok = known && !other;
   }
   bson_destroy (&reply);
   if (ok)
      mt_error_clear (err);
   for (size_t i = 0; ok && i < x->count; i++)
      ok = !x->taken[i] || mt_mongo_look_at_places (m, x->collection, &x->ops[i], err);
   return ok;
}

static bool send_plain (Sending *x, MtError *err)
{
   bool ok = true;
   for (int tries = 0; ok && x->count; tries++) {
      memset (x->taken, 0, x->count);
      ok = try_plain (x, err) && (!x->count || mt_mongo_wait_turn (x->m, tries, err));
   }
   return ok;
}

bool mt_mongo_increment_once (MtMongo *m, const MtMongoBatch *b, bool *conflict, MtError *err)
{
   Sending x = sending (m, b);
   bson_error_t e = {0};
   bson_t reply;
   bool ok = execute (&x, &reply, &e);
   *conflict = !ok && mt_mongo_conflict (&reply, &e);
   if (!ok)
      mt_mongo_error (m, &e, true, err);
   bson_destroy (&reply);
   sending_over (&x);
   return ok;
}

bool mt_mongo_send_increments (MtMongo *m, const MtMongoBatch *b, MtError *err)
{
   Sending x = sending (m, b);
   bool ok = send_plain (&x, err);
   sending_over (&x);
   return ok;
}
