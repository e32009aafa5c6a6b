/* Sends increments in unordered bulk writes, because they add up in any order.
 *
 * If the reply to a bulk write is lost, it is unknown which increments were applied. Then the bulk
 * is not sent again, the error is 08007, and the collection is added to m->leftover (collections
 * that a rollback may not restore). (With retryWrites the driver resends a bulk if the server can
 * recognize it.) An increment that met another client's write was not applied, and is sent
 * again. */
#include "engine/mongo/write/write.h"

#include <string.h>

/* ---- recording increments for a rollback ---- */

static void remember (MtMongo *m, const char *collection, const MtMongoInc *op, bool made)
{
   if (!mt_mongo_keeps (m) ||
       (!mt_has_fields (op->amounts) && !mt_has_fields (op->fresh) && !mt_has_fields (op->slots)))
      return; /* a new document of zeros may stay, which is no record */
   if (made)
      mt_mongo_remember_made (m, collection, op->id, op->first);
   bson_t *undo = mt_mongo_undo_document (m, MT_UNDO_INCREMENT, collection);
   if (undo)
      mt_doc_add (undo, "", op->all);
}

/* ---- sending ---- */

typedef struct Sending {
   MtMongo *m;
   const char *collection;
   mongoc_collection_t *coll;
   MtMongoInc *ops;
   /* `count`: operations still to be sent; `applied`: operations that the last bulk write
    * applied */
   size_t count, applied;
   /* For each operation: `taken`: refused, because a field or array element already has a value;
    * `made`: it created its document. */
   bool *taken, *made;
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

static void note_made (void *ctx, size_t index) { ((Sending *) ctx)->made[index] = true; }

static bool execute (Sending *x, bson_t *reply, bson_error_t *e)
{
   MtMongo *m = x->m;
   mongoc_bulk_operation_t *bulk = mt_mongo_unordered (x->coll);
   mt_mongo_comment_bulk (m, bulk);
   mt_mongo_bulk_session (m, bulk);
   bool ok = true;
   for (size_t i = 0; i < x->count && ok; i++)
      ok = mt_increment_add (bulk, &x->ops[i], e);
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, reply, e) != 0;
      x->applied = (size_t) (mt_mongo_reply_number (reply, "nMatched") +
                             mt_mongo_reply_number (reply, "nUpserted"));
      m->made += (uint64_t) mt_mongo_reply_number (reply, "nUpserted");
      memset (x->made, 0, x->count);
      mt_mongo_each_upserted (reply, x->count, note_made, x);
   } else {
      bson_init (reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   return ok;
}

/* Reads the reply to a bulk write of increments. Operations that met a write conflict stay in x, to
 * be sent again; applied ones are recorded for a rollback. *other is true if an operation failed
 * for any other reason. Returns false if it is unknown which ones were applied. */
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

/* Sends the operations in x as one bulk write. Those that must be sent again stay in x. */
static bool try_plain (Sending *x, MtError *err)
{
   MtMongo *m = x->m;
   bson_error_t e = {0};
   bson_t reply;
   bool ok = execute (x, &reply, &e), other = false;
   if (ok || x->applied == x->count) { /* or all were applied, and only the write concern failed */
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
