/* Inserts documents unless a unique index refuses them, and replaces documents unless another
 * client has changed them. One command checks and writes.
 *
 * Both run outside of transactions, because a duplicate key would end a transaction. A rollback
 * undoes each write. */
#include "engine/mongo/mongo_int.h"

#include <string.h>

static bool outside (MtMongo *m, const char *collection, MtError *err)
{
   if (m->base.in_txn)
      return mt_error (err, MT_E_FEATURE,
                       "this is not supported in a transaction block on a server");
   return mt_mongo_may_change (m, collection, err) && mt_mongo_ready (m, err) &&
          mt_txn_plain (m, err) && mt_mongo_drop_before_use (m, collection, err) &&
          mt_mongo_flush (m, err);
}

/* ---- inserting documents whose keys are new ---- */

/* Documents to insert, except those whose key already exists. */
typedef struct Absent {
   MtMongo *m;
   const char *collection;
   const bson_t *const *docs;
   bson_oid_t *ids;
   size_t *pending, count; /* indexes of the documents that are still to be sent */
   bool *refused;
} Absent;

static bool add_document (mongoc_bulk_operation_t *bulk, const bson_t *doc, const bson_oid_t *id,
                          bson_error_t *e)
{
   bson_t with = BSON_INITIALIZER, opts = BSON_INITIALIZER;
   mt_doc_add (&with, "_id", mt_v_oid (id));
   bson_concat (&with, doc);
   mt_doc_add (&opts, "validate", mt_v_bool (false));
   bool ok = mongoc_bulk_operation_insert_with_opts (bulk, &with, &opts, e);
   bson_destroy (&opts);
   bson_destroy (&with);
   return ok;
}

/* Reads the errors of a bulk write's reply. A duplicate key marks the document as refused. A write
 * conflict keeps it in x->pending, to be sent again. Returns false if there is any other error. */
static bool sort_errors (Absent *x, const bson_t *reply)
{
   MtWriteErrors errors = mt_mongo_write_errors (reply);
   size_t again = 0;
   while (mt_mongo_next_write_error (&errors)) {
      if (errors.index >= x->count)
         return false;
      if (mt_mongo_is_duplicate (errors.code))
         x->refused[x->pending[errors.index]] = true;
      /* Overwriting x->pending in place is safe, because the errors are in the order of the
       * documents. */
      else if (mt_mongo_gave_way ((uint32_t) errors.code, errors.message))
         x->pending[again++] = x->pending[errors.index];
      else
         return false;
   }
   if (errors.any)
      x->count = again;
   return errors.any;
}

static bool send_absent (Absent *x, MtError *err)
{
   MtMongo *m = x->m;
   bson_t reply;
   bson_error_t e;
   mongoc_bulk_operation_t *bulk = mt_mongo_unordered (
      mt_mongo_batch (m, x->collection, false)->coll);
   if (m->conn->session)
      mongoc_bulk_operation_set_client_session (bulk, m->conn->session);
   bool ok = true;
   for (size_t i = 0; i < x->count && ok; i++)
      ok = add_document (bulk, x->docs[x->pending[i]], &x->ids[x->pending[i]], &e);
   if (ok) {
      ok = mongoc_bulk_operation_execute (bulk, &reply, &e) != 0;
      if (ok)
         x->count = 0;
      else
         ok = sort_errors (x, &reply) || mt_mongo_gave_way (e.code, e.message);
      bson_destroy (&reply);
   }
   mongoc_bulk_operation_destroy (bulk);
   return ok || mt_mongo_error (m, &e, true, err);
}

/* A document that was sent twice can be refused because its first copy was inserted. Looks for
 * these documents, and clears `refused` if one is stored under its _id. */
static bool look_again (Absent *x, const bool *again, size_t count, MtError *err)
{
   for (size_t i = 0; i < count; i++) {
      bson_t *own = NULL;
      if (!again[i] || !x->refused[i])
         continue;
      if (!mt_mongo_find (x->m, x->collection, mt_v_oid (&x->ids[i]), &own, err))
         return false;
      x->refused[i] = own == NULL;
      if (own)
         bson_destroy (own);
   }
   return true;
}

static bool insert_some (Absent *x, size_t first, size_t count, bool *again, MtError *err)
{
   x->count = count;
   for (size_t i = 0; i < count; i++) {
      x->pending[i] = first + i;
      mt_mongo_new_id (x->m, x->collection, &x->ids[first + i]);
   }
   for (int tries = 0; x->count; tries++) {
      if (!send_absent (x, err) || (x->count ? !mt_mongo_wait_turn (x->m, tries, err)
                                             : !mt_cancel_check (x->m->base.cancel, err)))
         return false;
      for (size_t i = 0; i < x->count; i++)
         again[x->pending[i]] = true;
   }
   return true;
}

bool mt_mongo_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                             size_t count, bool *refused, MtError *err)
{
   enum { AT_ONCE = 1000, BYTES_AT_ONCE = 8 << 20 };
   MtMongo *m = (MtMongo *) e;
   if (!outside (m, collection, err))
      return false;
   Absent x = {.m = m, .collection = collection, .docs = docs, .refused = refused};
   bool *again = bson_malloc0 ((count + 1) * sizeof *again), ok = true;
   x.ids = bson_malloc0 ((count + 1) * sizeof *x.ids);
   x.pending = bson_malloc0 ((count + 1) * sizeof *x.pending);
   memset (refused, 0, count * sizeof *refused);
   for (size_t i = 0, n; ok && i < count; i += n) {
      size_t bytes = docs[i]->len;
      for (n = 1; i + n < count && n < AT_ONCE && bytes + docs[i + n]->len < BYTES_AT_ONCE; n++)
         bytes += docs[i + n]->len;
      ok = insert_some (&x, i, n, again, err);
   }
   ok = ok && look_again (&x, again, count, err);
   bson_free (x.pending);
   bson_free (x.ids);
   bson_free (again);
   return ok;
}

/* ---- replacing documents that are unchanged ---- */

/* Records a replacement for a rollback, as {old, doc, fields, was, is}. A deletion has no doc, an
 * insertion no old. If the reply was lost, a rollback restores old only if doc is stored. */
static void remember_replaced (MtMongo *m, const MtReplaceSame *r)
{
   bson_t *undo = mt_mongo_undo_document (m, MT_UNDO_SAME, r->collection), one, fields;
   if (!undo)
      return;
   mt_doc_begin (undo, "", &one);
   if (r->old)
      mt_doc_add_doc (&one, "old", r->old);
   if (r->doc)
      mt_doc_add_doc (&one, "doc", r->doc);
   mt_array_begin (&one, "fields", &fields);
   for (size_t i = 0; i < r->field_count; i++)
      mt_doc_add_text (&fields, "", r->fields[i]);
   mt_array_end (&one, &fields);
   if (r->was)
      mt_mongo_keep_increment (&one, "was", mt_doc_field (mt_v_doc (r->old), "_id"), r->was);
   if (r->is)
      mt_mongo_keep_increment (&one, "is", mt_doc_field (mt_v_doc (r->doc), "_id"), r->is);
   mt_doc_end (undo, &one);
}

bool mt_mongo_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_t filter = BSON_INITIALIZER;
   bool ok = outside (m, r->collection, err) &&
             (!r->old || mt_mongo_same_as (r->old, r->fields, r->field_count, &filter, err));
   if (ok) {
      ok = r->old ? mt_mongo_replace_where (m, r->collection, &filter, r->doc, replaced, err)
                  : mt_mongo_insert_new (m, r->collection, r->doc, replaced, err);
      MtReplaceSame sent = *r;
      /* After a lost reply it is unknown whether the write was done, so a rollback must not
       * subtract the difference. */
      sent.was = m->lost ? NULL : r->was;
      sent.is = m->lost ? NULL : r->is;
      if (mt_mongo_keeps (m) && (*replaced || m->lost))
         remember_replaced (m, &sent);
   }
   bson_destroy (&filter);
   return ok;
}
