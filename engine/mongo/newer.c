/* Stores documents only if no newer document with the same _id is stored, while other clients
 * write.
 *
 * Each round reads the stored documents and compares them with the new ones. Missing documents are
 * inserted. Older ones are replaced, under the condition that they are still as they were read.
 * Documents that another client has changed meanwhile are compared again in the next round. So the
 * result does not depend on the order of the writes. (An upsert with the comparison in its filter
 * would need one message less. But if two such inserts collide, the only error is "duplicate key",
 * and the refused document may be the newer one.)
 *
 * A rollback undoes a write only if its document is still stored: it restores the old document, or
 * deletes the new one. */
#include "engine/mongo/mongo_int.h"

#include <stdlib.h>
#include <string.h>

enum { ROUND_DOCUMENTS = 1000 };

typedef struct Round {
   MtMongo *m;
   const char *name;
   mongoc_collection_t *coll;
   const MtNewer *by;
   const bson_t **docs; /* the documents that are not stored yet, sorted by _id */
   bson_t **old;        /* for each of `docs`: the stored document of its _id; NULL: none */
   size_t count;
   size_t inserts, updates; /* number of operations in the round's bulk write */
   MtError *err;
} Round;

static MtVal id_of (const bson_t *doc) { return mt_doc_field (mt_v_doc (doc), "_id"); }

static int by_id (const void *a, const void *b)
{
   return mt_v_compare (id_of (*(const bson_t *const *) a), id_of (*(const bson_t *const *) b));
}

/* Adds to a filter the _id of `doc`, and the condition that the compared fields (by->paths) have
 * the values of `doc`. */
static void append_version (bson_t *filter, const bson_t *doc, const MtNewer *by)
{
   mt_doc_add (filter, "_id", id_of (doc));
   for (size_t i = 0; i < by->count; i++) {
      MtVal v = mt_path_get (mt_v_doc (doc), by->paths[i]);
      mt_doc_add (filter, by->paths[i], mt_is_nullish (v) ? mt_v_null () : v);
   }
}

/* ---- reading the stored documents ---- */

static size_t place_of (const Round *r, MtVal id)
{
   size_t lo = 0, hi = r->count;
   while (lo < hi) {
      size_t mid = (lo + hi) / 2;
      if (mt_v_compare (id_of (r->docs[mid]), id) < 0)
         lo = mid + 1;
      else
         hi = mid;
   }
   return lo < r->count && mt_v_compare (id_of (r->docs[lo]), id) == 0 ? lo : r->count;
}

static void forget_old (Round *r)
{
   for (size_t i = 0; i < r->count; i++) {
      if (r->old[i])
         bson_destroy (r->old[i]);
      r->old[i] = NULL;
   }
}

static void filter_of_ids (const Round *r, bson_t *filter)
{
   MtBson b = {0};
   mt_bson_start (&b);
   size_t in = mt_bson_doc (&b, "_id"), ids = mt_bson_array (&b, "$in");
   for (uint32_t i = 0; i < r->count; i++)
      mt_bson_put_at (&b, i, id_of (r->docs[i]));
   mt_bson_end (&b, ids);
   mt_bson_end (&b, in);
   mt_bson_finish_into (&b, filter);
}

/* Reads the stored documents into r->old. Reads from the primary, because a secondary may be far
 * behind. */
static bool read_old (Round *r)
{
   bson_t filter = BSON_INITIALIZER, opts;
   bson_error_t e;
   const bson_t *found;
   mongoc_read_prefs_t *primary = mongoc_read_prefs_new (MONGOC_READ_PRIMARY);
   forget_old (r);
   filter_of_ids (r, &filter);
   mt_mongo_opts (r->m, &opts);
   mt_doc_add_text (&opts, "comment", r->m->comment);
   mongoc_cursor_t *c = mongoc_collection_find_with_opts (r->coll, &filter, &opts, primary);
   while (mongoc_cursor_next (c, &found)) {
      size_t at = place_of (r, id_of (found));
      if (at < r->count && !r->old[at])
         r->old[at] = bson_copy (found);
   }
   bool ok = !mongoc_cursor_error (c, &e) || mt_mongo_error (r->m, &e, false, r->err);
   mongoc_cursor_destroy (c);
   mongoc_read_prefs_destroy (primary);
   bson_destroy (&opts);
   bson_destroy (&filter);
   return ok;
}

/* Removes from the round the documents that are not newer than the stored ones: nothing is to be
 * written for them. */
static void drop_done (Round *r)
{
   size_t kept = 0;
   for (size_t i = 0; i < r->count; i++) {
      bson_t *old = r->old[i];
      r->old[i] = NULL;
      if (old && mt_newer_compare (mt_v_doc (old), mt_v_doc (r->docs[i]), r->by) >= 0) {
         bson_destroy (old);
         continue;
      }
      r->docs[kept] = r->docs[i];
      r->old[kept++] = old;
   }
   r->count = kept;
}

/* ---- undoing ---- */

static void remember (Round *r)
{
   MtMongo *m = r->m;
   if (!mt_mongo_keeps (m))
      return;
   for (size_t i = 0; i < r->count; i++) {
      bson_t *undo = mt_mongo_undo_document (m, MT_UNDO_NEWER, r->name), entry, now;
      if (!undo)
         return;
      mt_doc_begin (undo, "", &entry);
      mt_doc_begin (&entry, "now", &now);
      append_version (&now, r->docs[i], r->by);
      mt_doc_end (&entry, &now);
      if (r->old[i])
         mt_doc_add_doc (&entry, "was", r->old[i]);
      mt_doc_end (undo, &entry);
   }
}

/* ---- a round ---- */

static bool add_one (Round *r, mongoc_bulk_operation_t *bulk, size_t i)
{
   bson_t opts = BSON_INITIALIZER, filter = BSON_INITIALIZER;
   bson_error_t e;
   bool ok;
   mt_doc_add (&opts, "validate", mt_v_bool (false));
   if (r->old[i]) {
      append_version (&filter, r->old[i], r->by);
      ok = mongoc_bulk_operation_replace_one_with_opts (bulk, &filter, r->docs[i], &opts, &e);
      r->updates++;
   } else {
      ok = mongoc_bulk_operation_insert_with_opts (bulk, r->docs[i], &opts, &e);
      r->inserts++;
   }
   bson_destroy (&filter);
   bson_destroy (&opts);
   return ok || mt_mongo_error (r->m, &e, false, r->err);
}

/* Returns whether all writes that failed did so because another client wrote the same document. */
static bool only_others (const bson_t *reply, const bson_error_t *e)
{
   MtWriteErrors errors = mt_mongo_write_errors (reply);
   while (mt_mongo_next_write_error (&errors))
      if (!mt_mongo_is_duplicate (errors.code) &&
          !mt_mongo_gave_way ((uint32_t) errors.code, errors.message))
         return false;
   return errors.any || mt_mongo_gave_way (e->code, e->message);
}

/* Executes the round's bulk write, and adds its effects to *counts. *all is true if all documents
 * of the round are stored now. */
static bool execute (Round *r, mongoc_bulk_operation_t *bulk, MtNewerCounts *counts, bool *all)
{
   bson_t reply;
   bson_error_t e;
   mt_mongo_bulk_session (r->m, bulk);
   bool ok = mongoc_bulk_operation_execute (bulk, &reply, &e) != 0;
   *all = ok && mt_mongo_reply_number (&reply, "nMatched") == (int64_t) r->updates &&
          mt_mongo_reply_number (&reply, "nInserted") == (int64_t) r->inserts;
   counts->made += (uint64_t) mt_mongo_reply_number (&reply, "nInserted");
   for (size_t i = 0; *all && i < r->count; i++)
      counts->bytes += (double) r->docs[i]->len - (r->old[i] ? (double) r->old[i]->len : 0);
   if (!ok && r->m->step != MT_STEP_TRANSACTION && only_others (&reply, &e))
      ok = true;
   else if (!ok)
      mt_mongo_error (r->m, &e, true, r->err);
   if (!ok && r->m->lost && r->m->step != MT_STEP_TRANSACTION)
      mt_mongo_leave (r->m, r->name);
   bson_destroy (&reply);
   return ok;
}

static bool one_round (Round *r, MtNewerCounts *counts, bool *all)
{
   bson_t opts = BSON_INITIALIZER;
   *all = true;
   if (!read_old (r))
      return false;
   drop_done (r);
   if (!r->count)
      return true;
   mt_doc_add (&opts, "ordered", mt_v_bool (r->m->step == MT_STEP_TRANSACTION));
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (r->coll,
                                                                                      &opts);
   bson_destroy (&opts);
   bool ok = true;
   r->inserts = r->updates = 0;
   for (int updates = 0; updates < 2;
        /* First the inserts, then the updates: the driver sends neighbours of the same kind as one
         * command. */
        updates++)
      for (size_t i = 0; i < r->count && ok; i++)
         if ((r->old[i] != NULL) == updates)
            ok = add_one (r, bulk, i);
   remember (r);
   ok = ok && execute (r, bulk, counts, all);
   mongoc_bulk_operation_destroy (bulk);
   return ok;
}

static bool some (MtMongo *m, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err)
{
   Round r = {.m = m, .name = n->collection, .by = n->by, .count = n->count, .err = err};
   r.coll = mt_mongo_batch (m, n->collection, false)->coll;
   r.docs = bson_malloc (n->count * sizeof *r.docs);
   r.old = bson_malloc0 (n->count * sizeof *r.old);
   memcpy (r.docs, n->docs, n->count * sizeof *n->docs);
   qsort (r.docs, n->count, sizeof *r.docs, by_id);
   bool all = false, ok = true;
   for (int i = 0; ok && !all; i++)
      ok = one_round (&r, counts, &all) &&
           (all ? mt_cancel_check (m->base.cancel, err) : mt_mongo_wait_turn (m, i, err));
   forget_old (&r);
   bson_free (r.old);
   bson_free (r.docs);
   return ok;
}

bool mt_mongo_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_may_change (m, n->collection, err) || !mt_mongo_ready (m, err) ||
       !mt_mongo_drop_before_use (m, n->collection, err) ||
       !(e->in_txn ? mt_txn_enter (m, err) : mt_txn_plain (m, err)) || !mt_mongo_flush (m, err))
      return false;
   bool ok = true;
   MtNewerDocs part = *n;
   for (size_t i = 0; i < n->count && ok; i += ROUND_DOCUMENTS) {
      part.docs = n->docs + i;
      part.count = n->count - i < ROUND_DOCUMENTS ? n->count - i : ROUND_DOCUMENTS;
      ok = some (m, &part, counts, err);
   }
   return ok;
}
