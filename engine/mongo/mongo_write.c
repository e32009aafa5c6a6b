/* Writing to a server, in batches, and undoing it.
 *
 * A step isn't atomic here: others see documents as they arrive. A rollback deletes what the step
 * inserted, puts back what it replaced or deleted, and drops what it created; drops wait for the
 * commit. What to undo is remembered: for documents without an _id one range of ObjectIds, because
 * they get consecutive ones behind nine bytes that belong to the step; other _ids one by one, up to
 * UNDO_BYTES. Beyond that, and when the process dies, documents stay; a rollback that knows of such
 * says so (mt_engine_leftover).
 *
 * Steps can be undone together (mt_mongo_pieces). Each begins with a mark in the list of what to
 * undo, and drops wait for the end of all. A collection that waits gets another name when its own
 * is needed. */
#include "engine/mongo/mongo_int.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#define BATCH_DOCUMENTS \
   1000u /* as mongoimport and mongorestore; with 10,000 SecantusDB takes a quarter longer */
#define BATCH_BYTES (8u << 20)
#define UNDO_BYTES ((size_t) 64 << 20)
#define UNDO_CHUNK (1u << 20) /* of _ids in one delete */
#define UNDO_IDS \
   10000u /* the same: DocumentDB takes 25,000 at most, and tells the driver of 100,000 */

/* ---- batches ---- */

MtMongoBatch *mt_mongo_batch (MtMongo *m, const char *name, bool increments)
{
   MtMongoBatch *b = m->batches;
   while (b && (b->increments != increments || strcmp (b->name, name) != 0))
      b = b->next;
   if (b)
      return b;
   b = mt_calloc ("connection", 1, sizeof *b);
   b->name = bson_strdup (name);
   b->increments = increments;
   b->coll = mongoc_database_get_collection (m->conn->db, name);
   b->next = m->batches;
   m->batches = b;
   return b;
}

bool mt_mongo_batch_full (const MtMongoBatch *b)
{
   return b->count >= BATCH_DOCUMENTS || b->bytes >= BATCH_BYTES;
}

/* ---- what to undo ---- */

/* Documents of this collection may stay after a rollback. */
void mt_mongo_leave (MtMongo *m, const char *name)
{
   MtBuf b = {0};
   mt_buf_printf (&b, "\"%s\"", name);
   const char *had = m->leftover.n ? strstr (m->leftover.p, b.p) : NULL;
   if (!had)
      mt_buf_printf (&m->leftover, "%s%s", m->leftover.n ? ", " : "", b.p);
   mt_buf_free (&b);
}

static void free_undo (MtUndo *u)
{
   bson_destroy (u->doc);
   bson_free (u->name);
   free (u);
}

bool mt_mongo_keeps (const MtMongo *m)
{
   return m->step != MT_STEP_TRANSACTION &&
          (!m->base.own_step || (m->base.in_pieces && !m->base.apart));
}

void mt_mongo_forget_undo (MtMongo *m)
{
   while (m->undo) {
      MtUndo *u = m->undo;
      m->undo = u->next;
      free_undo (u);
   }
   m->undo_bytes = 0;
   m->undo_full = false;
}

static MtUndo *undo_add (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = mt_calloc ("connection", 1, sizeof *u);
   u->kind = kind;
   u->name = bson_strdup (name);
   u->next = m->undo;
   m->undo = u;
   m->undo_bytes += sizeof *u;
   return u;
}

/* Of this step: what others did in between is undone before. */
static MtUndo *undo_find (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = m->undo;
   while (u && u->kind != MT_UNDO_STEP && !(u->kind == kind && strcmp (u->name, name) == 0))
      u = u->next;
   return u && u->kind == kind ? u : NULL;
}

/* Too much: the documents of this collection may stay. */
static void forgo_undo (MtMongo *m, const char *name)
{
   m->undo_full = true;
   mt_mongo_leave (m, name);
}

static bool too_much (MtError *err)
{
   mt_error (err, MT_E_LIMIT,
             "a transaction block changes more than %zu MB, which can't be undone on this server",
             UNDO_BYTES >> 20);
   return mt_error_hint (err, "A single statement outside of a block may change any amount.");
}

void mt_mongo_remember_oid (MtMongo *m, const char *name, const bson_oid_t *oid)
{
   if (m->step == MT_STEP_TRANSACTION)
      return;
   MtUndo *u = undo_find (m, MT_UNDO_OID_RANGE, name);
   if (!u || memcmp (u->from.bytes, oid->bytes, sizeof m->oid_prefix) != 0) {
      u = undo_add (m, MT_UNDO_OID_RANGE, name);
      u->from = *oid;
      u->fresh = true;
   }
   u->to = *oid;
}

bson_t *mt_mongo_undo_document (MtMongo *m, MtUndoKind kind, const char *name)
{
   MtUndo *u = undo_find (m, kind, name);
   if (u && u->doc->len <= UNDO_CHUNK)
      return u->doc;
   m->undo_bytes += u ? u->doc->len : 0;
   if (m->undo_bytes >= UNDO_BYTES) {
      forgo_undo (m, name);
      return NULL;
   }
   u = undo_add (m, kind, name);
   u->doc = bson_new ();
   return u->doc;
}

void mt_mongo_remember_id (MtMongo *m, const char *name, MtVal id, bool fresh)
{
   if (m->undo_bytes >= UNDO_BYTES) {
      forgo_undo (m, name);
      return;
   }
   MtUndo *u = undo_find (m, MT_UNDO_IDS, name);
   if (!u || u->doc->len > UNDO_CHUNK || u->count >= UNDO_IDS || u->fresh != fresh) {
      u = undo_add (m, MT_UNDO_IDS, name);
      u->doc = bson_new ();
      u->fresh = fresh;
   }
   size_t before = u->doc->len;
   char buf[16];
   const char *key;
   bson_uint32_to_string (u->count++, &key, buf, sizeof buf);
   mt_v_append (u->doc, key, -1, id);
   m->undo_bytes += u->doc->len - before;
}

void mt_mongo_remember_old (MtMongo *m, const char *name, bson_t *old)
{
   if (m->undo_bytes + old->len > UNDO_BYTES) {
      bson_destroy (old);
      forgo_undo (m, name);
      return;
   }
   undo_add (m, MT_UNDO_RESTORE, name)->doc = old;
   m->undo_bytes += old->len;
}

/* Remembers a document before it is replaced or deleted. */
static bool remember_old (MtMongo *m, const char *name, MtVal id, MtError *err)
{
   bson_t *old;
   if (!mt_mongo_keeps (m))
      return true;
   if (m->base.in_pieces && m->undo_bytes >= UNDO_BYTES)
      return too_much (err);
   if (!mt_mongo_find (m, name, id, &old, err))
      return false;
   if (old)
      mt_mongo_remember_old (m, name, old);
   else
      mt_mongo_remember_id (m, name, id, false);
   return true;
}

/* ---- undoing ---- */

static bool drop_now (MtMongo *m, const char *name, MtError *err)
{
   bson_error_t e;
   bson_t opts;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, name);
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_collection_drop_with_opts (coll, &opts, &e);
   bson_destroy (&opts);
   mongoc_collection_destroy (coll);
   m->knows_collations &= m->collated.n == 0; /* another one of its name may have none */
   if (ok || e.code == 26 || strstr (e.message, "ns not found"))
      return true;
   return mt_mongo_error (m, &e, true, err);
}

static bool delete_where (MtMongo *m, const char *name, const bson_t *filter)
{
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, name);
   bool ok = mongoc_collection_delete_many (coll, filter, NULL, NULL, NULL);
   mongoc_collection_destroy (coll);
   return ok;
}

/* Not as one $in, for which some servers look through all of them for each document. */
static bool delete_each (MtMongo *m, const MtUndo *u)
{
   bson_iter_t it;
   bson_t opts = BSON_INITIALIZER;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   BSON_APPEND_BOOL (&opts, "ordered", false);
   mongoc_bulk_operation_t *bulk = mongoc_collection_create_bulk_operation_with_opts (coll, &opts);
   bool ok = bson_iter_init (&it, u->doc);
   while (ok && bson_iter_next (&it)) {
      bson_t filter = BSON_INITIALIZER;
      mt_v_append (&filter, "_id", 3, mt_v_from_iter (&it));
      ok = mongoc_bulk_operation_remove_one_with_opts (bulk, &filter, NULL, NULL);
      bson_destroy (&filter);
   }
   ok = ok && mongoc_bulk_operation_execute (bulk, NULL, NULL) != 0;
   mongoc_bulk_operation_destroy (bulk);
   mongoc_collection_destroy (coll);
   bson_destroy (&opts);
   return ok;
}

static bool put_back (MtMongo *m, const MtUndo *u)
{
   bson_t filter = BSON_INITIALIZER, opts = BSON_INITIALIZER;
   bson_iter_t it;
   mongoc_collection_t *coll = mongoc_database_get_collection (m->conn->db, u->name);
   bool ok = bson_iter_init_find (&it, u->doc, "_id");
   if (ok) {
      mt_v_append (&filter, "_id", 3, mt_v_from_iter (&it));
      BSON_APPEND_BOOL (&opts, "upsert", true);
      BSON_APPEND_BOOL (&opts, "validate", false);
      ok = mongoc_collection_replace_one (coll, &filter, u->doc, &opts, NULL, NULL);
   }
   bson_destroy (&opts);
   bson_destroy (&filter);
   mongoc_collection_destroy (coll);
   return ok;
}

/* What waits under another name to be dropped. */
static void dropped_is (MtMongo *m, const char *name, const char *now)
{
   for (size_t i = 0; i < m->drop_count; i++)
      if (strcmp (m->drops[i], name) == 0) {
         bson_free (m->drops[i]);
         m->drops[i] = bson_strdup (now);
         return;
      }
}

static bool rename_now (MtMongo *m, const char *name, const char *to, MtError *err)
{
   bson_t cmd = BSON_INITIALIZER;
   bson_error_t e;
   const char *db = mongoc_database_get_name (m->conn->db);
   MtBuf from = {0}, target = {0};
   mt_buf_printf (&from, "%s.%s", db, name);
   mt_buf_printf (&target, "%s.%s", db, to);
   BSON_APPEND_UTF8 (&cmd, "renameCollection", from.p);
   BSON_APPEND_UTF8 (&cmd, "to", target.p);
   bool ok = mongoc_client_command_simple (m->conn->client, "admin", &cmd, NULL, NULL, &e) ||
             mt_mongo_error (m, &e, true, err);
   if (ok)
      dropped_is (m, name, to);
   mt_buf_free (&target);
   mt_buf_free (&from);
   bson_destroy (&cmd);
   return ok;
}

static const char *undo_text (const MtUndo *u, const char *field)
{
   bson_iter_t it;
   return bson_iter_init_find (&it, u->doc, field) && BSON_ITER_HOLDS_UTF8 (&it)
             ? bson_iter_utf8 (&it, NULL)
             : "";
}

static bool drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err);

static bool undo_one (MtMongo *m, const MtUndo *u)
{
   bson_t filter = BSON_INITIALIZER, in;
   bool ok = false;
   switch (u->kind) {
   case MT_UNDO_OID_RANGE:
      BSON_APPEND_DOCUMENT_BEGIN (&filter, "_id", &in);
      BSON_APPEND_OID (&in, "$gte", &u->from);
      BSON_APPEND_OID (&in, "$lte", &u->to);
      bson_append_document_end (&filter, &in);
      ok = delete_where (m, u->name, &filter);
      break;
   case MT_UNDO_IDS: ok = delete_each (m, u); break;
   case MT_UNDO_RESTORE: ok = put_back (m, u); break;
   case MT_UNDO_SAME: ok = mt_mongo_put_same_back (m, u); break;
   case MT_UNDO_INCREMENT: ok = mt_mongo_take_back (m, u); break;
   case MT_UNDO_MADE: /* what stays of it is no record */
      mt_mongo_unmake (m, u);
      ok = true;
      break;
   case MT_UNDO_NEWER: ok = mt_mongo_bring_back (m, u); break;
   case MT_UNDO_CREATE: ok = drop_now (m, u->name, NULL); break;
   case MT_UNDO_RENAME: ok = rename_now (m, undo_text (u, "to"), u->name, NULL); break;
   case MT_UNDO_INDEX: ok = drop_index_now (m, u->name, undo_text (u, "name"), NULL); break;
   case MT_UNDO_STEP: ok = true; break;
   }
   bson_destroy (&filter);
   return ok;
}

/* ---- sending ---- */

static void batch_over (MtMongoBatch *b)
{
   if (b->ids)
      bson_destroy (b->ids);
   mt_buf_free (&b->docs);
   b->ids = NULL;
   b->count = b->bytes = 0;
}

bool mt_mongo_send (MtMongo *m, MtMongoBatch *b, MtError *err)
{
   if (!b->ids)
      return true;
   bool ok = m->step == MT_STEP_TRANSACTION ? mt_mongo_send_adding (m, b, err)
             : b->increments                ? mt_mongo_send_increments (m, b, err)
                                            : mt_mongo_send_inserts (m, b, err);
   batch_over (b);
   return ok;
}

static bool is_waiting (const MtMongo *m)
{
   for (const MtMongoBatch *b = m->batches; b; b = b->next)
      if (b->ids)
         return true;
   return false;
}

bool mt_mongo_flush (MtMongo *m, MtError *err)
{
   if (!mt_mongo_settle (m, err) || (is_waiting (m) && !mt_txn_enter (m, err)))
      return false;
   for (MtMongoBatch *b = m->batches; b; b = b->next)
      if (!mt_mongo_send (m, b, err))
         return false;
   return true;
}

static void discard (MtMongo *m)
{
   for (MtMongoBatch *b = m->batches; b; b = b->next)
      if (b->ids)
         batch_over (b);
   mt_mongo_forget_sent (m);
}

/* ---- steps ---- */

enum { LAST_OID = 0xFFFFFF }; /* behind one prefix */

static void new_prefix (MtMongo *m)
{
   uint32_t now = (uint32_t) time (NULL);
   for (int i = 0; i < 4; i++)
      m->oid_prefix[i] = (uint8_t) (now >> (24 - 8 * i));
   if (getrandom (m->oid_prefix + 4, 5, 0) != 5) {
      bson_oid_t oid;
      bson_oid_init (&oid, NULL);
      memcpy (m->oid_prefix + 4, oid.bytes + 7, 5);
   }
   m->oid_next = 0;
}

bool mt_mongo_begin (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_mongo_ready (m, err))
      return false;
   if (m->base.in_pieces) {
      undo_add (m, MT_UNDO_STEP, "");
   } else {
      mt_mongo_forget_undo (m);
      m->leftover.n = 0;
   }
   m->drops_before = m->drop_count;
   m->made = 0;
   m->beat_gone = false;
   m->oid_next = LAST_OID + 1;
   mt_mongo_forget_outcome (m);
   mt_txn_begin_step (m);
   return true;
}

/* But for those of earlier steps. */
static void forget_drops (MtMongo *m, size_t kept)
{
   while (m->drop_count > kept)
      bson_free (m->drops[--m->drop_count]);
   if (kept)
      return;
   bson_free (m->drops);
   m->drops = NULL;
}

/* What waited for the end goes. */
static bool drop_all (MtMongo *m, MtError *err)
{
   bool ok = true;
   for (size_t i = 0; ok && i < m->drop_count; i++)
      ok = drop_now (m, m->drops[i], err);
   forget_drops (m, 0);
   mt_mongo_forget_undo (m);
   m->leftover.n = 0;
   return ok;
}

bool mt_mongo_commit (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bool ok = mt_mongo_flush (m, err) && mt_txn_commit (m, err) &&
             (!e->in_pieces || !m->undo_full || too_much (err));
   if (!ok) {
      mt_mongo_rollback (e);
      return false;
   }
   return e->in_pieces || drop_all (m, err);
}

static bool makes_collections (const MtMongo *m)
{
   const MtUndo *u = m->undo;
   while (u && u->kind != MT_UNDO_CREATE)
      u = u->next;
   return u != NULL;
}

bool mt_mongo_made_in_step (const MtMongo *m, const char *name)
{
   for (const MtUndo *u = m->undo; u; u = u->next)
      if (u->kind == MT_UNDO_CREATE && strcmp (u->name, name) == 0)
         return true;
   return false;
}

/* Documents under _ids that nobody else can have are this step's; of all else in such a collection
 * it isn't known. */
static void disown (MtMongo *m)
{
   MtUndo **at = &m->undo;
   while (*at) {
      MtUndo *u = *at;
      if (u->fresh ||
          !mt_mongo_made_in_step (
             m, u->name)) { /* that it was made comes last: the list begins with the newest */
         at = &u->next;
         continue;
      }
      if (u->kind != MT_UNDO_CREATE)
         mt_mongo_leave (m, u->name);
      *at = u->next;
      free_undo (u);
   }
}

/* Each is tried, whatever became of those before; what increments made goes when they are taken
 * back. */
static void undo_each (MtMongo *m, bool connected)
{
   for (int made = 0; made < 2; made++)
      for (const MtUndo *u = m->undo; u; u = u->next) {
         if ((u->kind == MT_UNDO_MADE) != made || (connected && undo_one (m, u)))
            continue;
         if (!made)
            mt_mongo_leave (m, u->name);
         connected = connected && mt_mongo_ready (m, NULL);
      }
}

void mt_mongo_undo_all (MtMongo *m, bool connected)
{
   mt_txn_abort (m);
   if (connected && makes_collections (m) && !mt_mongo_beats_stand (m))
      disown (m);
   undo_each (m, connected);
}

/* What the last step did is all that is to be undone now. Returns the rest. */
static MtUndo *cut_at_mark (MtMongo *m)
{
   MtUndo **at = &m->undo;
   for (; *at && (*at)->kind != MT_UNDO_STEP; at = &(*at)->next)
      if ((*at)->kind == MT_UNDO_RENAME)
         dropped_is (m, undo_text (*at, "to"), (*at)->name);
   MtUndo *mark = *at, *rest = mark ? mark->next : NULL;
   *at = NULL;
   if (mark)
      free_undo (mark);
   return rest;
}

static void remove_marks (MtMongo *m)
{
   MtUndo **at = &m->undo;
   while (*at) {
      MtUndo *u = *at;
      if (u->kind != MT_UNDO_STEP) {
         at = &u->next;
         continue;
      }
      *at = u->next;
      free_undo (u);
   }
}

/* What was undone of collections may come to be again under other rules of comparing. */
static void roll_back (MtMongo *m, bool all)
{
   MtUndo *rest = NULL;
   mt_mongo_settle (m, NULL);
   mt_mongo_forget_outcome (m);
   discard (m);
   m->knows_collations &= m->collated.n == 0 || !makes_collections (m);
   all |= !mt_cancel_check (
      m->base.cancel,
      NULL); /* the undoing may go on behind, and all is to be undone in its order */
   if (all)
      remove_marks (m);
   else
      rest = cut_at_mark (m);
   mt_mongo_undo (m);
   forget_drops (m, all ? 0 : m->drops_before);
   mt_mongo_forget_undo (m);
   m->undo = rest;
}

void mt_mongo_rollback (MtEngine *e) { roll_back ((MtMongo *) e, !e->in_pieces); }

/* ---- steps that are undone together ---- */

void mt_mongo_pieces (MtEngine *e)
{
   MtMongo *m = (MtMongo *) e;
   mt_mongo_forget_undo (m);
   m->leftover.n = 0;
}

bool mt_mongo_pieces_commit (MtEngine *e, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!m->drop_count || mt_mongo_ready (m, err))
      return drop_all (m, err);
   roll_back (m, true);
   return false;
}

void mt_mongo_pieces_rollback (MtEngine *e) { roll_back ((MtMongo *) e, true); }

const char *mt_mongo_leftover (const MtEngine *e)
{
   const MtMongo *m = (const MtMongo *) e;
   return m->leftover.n ? m->leftover.p : NULL;
}

void mt_mongo_forget_handles (MtMongo *m)
{
   discard (m);
   while (m->batches) {
      MtMongoBatch *b = m->batches;
      m->batches = b->next;
      mongoc_collection_destroy (b->coll);
      bson_free (b->name);
      free (b);
   }
}

void mt_mongo_write_fini (MtMongo *m)
{
   forget_drops (m, 0);
   mt_mongo_forget_undo (m);
   mt_mongo_forget_handles (m);
   mt_buf_free (&m->leftover);
}

/* ---- collections ---- */

bool mt_mongo_drop (MtEngine *e, const char *name, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_txn_no_definition (m, err) || !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) ||
       !mt_mongo_flush (m, err))
      return false;
   m->drops = bson_realloc (m->drops, (m->drop_count + 1) * sizeof *m->drops);
   m->drops[m->drop_count++] = bson_strdup (name);
   return true;
}

/* It waits on under another name. */
static bool put_aside (MtMongo *m, const char *name, MtError *err)
{
   bson_oid_t oid;
   char to[sizeof MT_MONGO_DROPPED + 24] = MT_MONGO_DROPPED;
   bool has;
   if (!mt_mongo_look_up (m, name, &has, err))
      return false;
   bson_oid_init (&oid, NULL);
   bson_oid_to_string (&oid, to + sizeof MT_MONGO_DROPPED - 1);
   if (!has) {
      dropped_is (m, name, to);
      return true;
   }
   MtUndo *u = undo_add (m, MT_UNDO_RENAME, name);
   u->doc = bson_new ();
   BSON_APPEND_UTF8 (u->doc, "to", to);
   undo_add (m, MT_UNDO_CREATE, name); /* what takes the name */
   return rename_now (m, name, to, err);
}

/* A collection that waits to be dropped is written to again: the drop can't wait then. */
bool mt_mongo_drop_before_use (MtMongo *m, const char *name, MtError *err)
{
   for (size_t i = 0; i < m->drop_count; i++)
      if (strcmp (m->drops[i], name) == 0) {
         if (!mt_mongo_settle (m, err))
            return false;
         if (m->base.in_pieces)
            return put_aside (m, name, err);
         if (!drop_now (m, name, err))
            return false;
         bson_free (m->drops[i]);
         m->drops[i] = m->drops[--m->drop_count];
         mt_mongo_leave (m, name); /* what was dropped can't be put back */
         return true;
      }
   return true;
}

static bool create_now (MtMongo *m, const char *name, const bson_t *opts, bson_error_t *error)
{
   mongoc_collection_t *coll;
   int tries = 0;
   do
      coll = mongoc_database_create_collection (m->conn->db, name, opts, error);
   while (!coll && mt_mongo_send_again (m, error, &tries));
   if (coll)
      mongoc_collection_destroy (coll);
   return coll != NULL;
}

bool mt_mongo_create_with (MtMongo *m, const char *name, const bson_t *options, bson_error_t *error,
                           MtError *err)
{
   bool has;
   /* newer servers take a second create with the same options for no error */
   if (!mt_txn_no_definition (m, err) || !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) ||
       !mt_mongo_drop_before_use (m, name, err) ||
       !mt_engine_has_collection (&m->base, name, &has, err))
      return false;
   if (has)
      return mt_error (err, MT_E_DUPLICATE_TABLE, "collection \"%s\" already exists", name);
   bson_t opts;
   mt_mongo_plain_opts (m, &opts);
   if (options)
      bson_concat (&opts, options);
   undo_add (m, MT_UNDO_CREATE, name); /* before: the answer may be lost */
   bool ok = create_now (m, name, &opts, error);
   bson_destroy (&opts);
   return ok;
}

void mt_mongo_own (MtEngine *e, const char *name)
{
   MtMongo *m = (MtMongo *) e;
   if (mt_mongo_keeps (m))
      undo_add (m, MT_UNDO_CREATE, name);
}

bool mt_mongo_create (MtEngine *e, const char *name, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   return mt_mongo_create_with (m, name, NULL, &error, err) ||
          (!mt_error_is_set (err) && mt_mongo_error (m, &error, true, err));
}

static bool admin_command (MtMongo *m, const char *command, const char *target, const bson_t *key,
                           MtError *err)
{
   bson_t cmd = BSON_INITIALIZER, reply;
   bson_error_t error;
   bson_append_utf8 (&cmd, command, -1, target, -1);
   if (key)
      BSON_APPEND_DOCUMENT (&cmd, "key", key);
   bool ok = mongoc_client_command_simple (m->conn->client, "admin", &cmd, NULL, &reply, &error) ||
             mt_mongo_error (m, &error, true, err);
   bson_destroy (&reply);
   bson_destroy (&cmd);
   return ok;
}

/* Of no use but before MongoDB 6.0, where a database has to be enabled first. */
bool mt_mongo_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   if (!mt_txn_no_definition (m, err) || !mt_txn_undoable (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_txn_plain (m, err))
      return false;
   const char *db = mongoc_database_get_name (m->conn->db);
   MtBuf name = {0};
   mt_buf_printf (&name, "%s.%s", db, collection);
   bool ok = admin_command (m, "enableSharding", db, NULL, err) &&
             admin_command (m, "shardCollection", name.p, key, err);
   mt_buf_free (&name);
   return ok;
}

static void index_name (const char *const *paths, size_t count, MtBuf *out)
{
   for (size_t i = 0; i < count; i++)
      mt_buf_printf (out, "%s%s_1", i ? "_" : "", paths[i]);
}

static bool drop_index_now (MtMongo *m, const char *collection, const char *name, MtError *err)
{
   enum { NO_INDEX = 27, NO_COLLECTION = 26 };
   bson_t cmd = BSON_INITIALIZER, opts;
   bson_error_t error;
   BSON_APPEND_UTF8 (&cmd, "dropIndexes", collection);
   BSON_APPEND_UTF8 (&cmd, "index", name);
   mt_mongo_plain_opts (m, &opts);
   bool ok = mongoc_database_write_command_with_opts (m->conn->db, &cmd, &opts, NULL, &error);
   bson_destroy (&opts);
   bson_destroy (&cmd);
   return ok || error.code == NO_INDEX || error.code == NO_COLLECTION ||
          mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                          size_t count, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   MtBuf name = {0};
   if (!mt_txn_no_definition (m, err) || !mt_txn_undoable (m, collection, err) ||
       !mt_mongo_ready (m, err) || !mt_txn_plain (m, err) || !mt_mongo_flush (m, err))
      return false;
   index_name (paths, count, &name);
   bool ok = drop_index_now (m, collection, name.p ? name.p : "", err);
   mt_buf_free (&name);
   return ok;
}

/* Unless it was there. */
static void remember_index (MtMongo *m, const char *collection, const char *name,
                            const bson_t *reply)
{
   if (!m->base.in_pieces || mt_mongo_reply_number (reply, "numIndexesAfter") <=
                                mt_mongo_reply_number (reply, "numIndexesBefore"))
      return;
   MtUndo *u = undo_add (m, MT_UNDO_INDEX, collection);
   u->doc = bson_new ();
   BSON_APPEND_UTF8 (u->doc, "name", name);
}

static bool send_index (MtMongo *m, const char *collection, const char *const *paths, size_t count,
                        bool unique, MtError *err)
{
   bson_t cmd = BSON_INITIALIZER, opts, indexes, index, key, reply = BSON_INITIALIZER;
   bson_error_t error;
   MtBuf name = {0};
   BSON_APPEND_UTF8 (&cmd, "createIndexes", collection);
   BSON_APPEND_ARRAY_BEGIN (&cmd, "indexes", &indexes);
   BSON_APPEND_DOCUMENT_BEGIN (&indexes, "0", &index);
   BSON_APPEND_DOCUMENT_BEGIN (&index, "key", &key);
   for (size_t i = 0; i < count; i++)
      BSON_APPEND_INT32 (&key, paths[i], 1);
   index_name (paths, count, &name);
   bson_append_document_end (&index, &key);
   BSON_APPEND_UTF8 (&index, "name", name.p ? name.p : "");
   if (unique)
      BSON_APPEND_BOOL (&index, "unique", true);
   bson_append_document_end (&indexes, &index);
   bson_append_array_end (&cmd, &indexes);
   mt_mongo_plain_opts (m, &opts);
   bool ok;
   int tries = 0;
   do {
      bson_destroy (&reply);
      ok = mongoc_database_write_command_with_opts (m->conn->db, &cmd, &opts, &reply, &error);
   } while (!ok && mt_mongo_send_again (m, &error, &tries));
   if (ok)
      remember_index (m, collection, name.p ? name.p : "", &reply);
   bson_destroy (&reply);
   bson_destroy (&opts);
   bson_destroy (&cmd);
   mt_buf_free (&name);
   return ok || mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_create_index (MtEngine *e, const char *collection, const char *const *paths,
                            size_t count, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   return mt_txn_no_definition (m, err) && mt_mongo_ready (m, err) && mt_txn_plain (m, err) &&
          mt_mongo_flush (m, err) && send_index (m, collection, paths, count, false, err);
}

bool mt_mongo_create_unique_index (MtEngine *e, const char *collection, const char *const *paths,
                                   size_t count, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   return mt_txn_no_definition (m, err) && mt_mongo_ready (m, err) && mt_txn_plain (m, err) &&
          mt_mongo_flush (m, err) && mt_mongo_may_change (m, collection, err) &&
          send_index (m, collection, paths, count, true, err);
}

bool mt_mongo_ensure (MtEngine *e, const char *name, const char *const *paths, size_t count,
                      bool unique, MtError *err)
{
   enum { COLLECTION_EXISTS = 48 };
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   bson_t opts;
   if (!mt_mongo_ready (m, err) || !mt_mongo_drop_before_use (m, name, err))
      return false;
   mt_mongo_plain_opts (m, &opts);
   bool made = create_now (m, name, &opts, &error);
   bson_destroy (&opts);
   if (!made && error.code != COLLECTION_EXISTS)
      return mt_mongo_error (m, &error, true, err);
   return !count || send_index (m, name, paths, count, unique, err);
}

/* ---- documents ---- */

void mt_mongo_next_id (MtMongo *m, bson_oid_t *oid)
{
   if (m->oid_next > LAST_OID)
      new_prefix (m);
   memcpy (oid->bytes, m->oid_prefix, sizeof m->oid_prefix);
   for (int i = 0; i < 3; i++)
      oid->bytes[9 + i] = (uint8_t) (m->oid_next >> (16 - 8 * i));
   m->oid_next++;
}

void mt_mongo_new_id (MtMongo *m, const char *collection, bson_oid_t *oid)
{
   mt_mongo_next_id (m, oid);
   mt_mongo_remember_oid (m, collection, oid);
}

void mt_mongo_comment_bulk (MtMongo *m, mongoc_bulk_operation_t *bulk)
{
   bson_value_t comment = {.value_type = BSON_TYPE_UTF8,
                           .value.v_utf8 = {m->comment, (uint32_t) strlen (m->comment)}};
   if (m->conn->write_comments)
      mongoc_bulk_operation_set_comment (bulk, &comment);
}

bool mt_mongo_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_iter_t it;
   bson_error_t error;
   if (!bson_iter_init_find (&it, doc, "_id"))
      return mt_error (err, MT_E_PARAMETER, "a document that replaces another needs an _id");
   MtVal id = mt_v_from_iter (&it);
   if (!mt_mongo_may_change (m, collection, err) || !mt_mongo_ready (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err) || !mt_txn_enter (m, err) ||
       !mt_mongo_flush (m, err) || !remember_old (m, collection, id, err))
      return false;
   bson_t filter = BSON_INITIALIZER, opts;
   mt_v_append (&filter, "_id", 3, id);
   mt_mongo_opts (m, &opts);
   BSON_APPEND_BOOL (&opts, "upsert", true);
   BSON_APPEND_BOOL (&opts, "validate", false);
   bool ok;
   int tries = 0;
   do
      ok = mongoc_collection_replace_one (mt_mongo_batch (m, collection, false)->coll, &filter, doc,
                                          &opts, NULL, &error);
   while (!ok && m->step == MT_STEP_PLAIN && mt_mongo_send_again (m, &error, &tries));
   bson_destroy (&opts);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}

bool mt_mongo_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted, MtError *err)
{
   MtMongo *m = (MtMongo *) e;
   bson_error_t error;
   bson_t reply;
   bson_iter_t it;
   if (!mt_mongo_may_change (m, collection, err) || !mt_mongo_ready (m, err) ||
       !mt_mongo_drop_before_use (m, collection, err) || !mt_txn_enter (m, err) ||
       !mt_mongo_flush (m, err) || !remember_old (m, collection, id, err))
      return false;
   bson_t filter = BSON_INITIALIZER, opts;
   mt_v_append (&filter, "_id", 3, id);
   mt_mongo_opts (m, &opts);
   bool ok = false, again = true;
   for (int tries = 0; !ok && again;) {
      ok = mongoc_collection_delete_one (mt_mongo_batch (m, collection, false)->coll, &filter,
                                         &opts, &reply, &error);
      again = !ok && m->step == MT_STEP_PLAIN && mt_mongo_send_again (m, &error, &tries);
      if (again)
         bson_destroy (&reply);
   }
   bson_destroy (&opts);
   *deleted = ok && bson_iter_init_find (&it, &reply, "deletedCount") &&
              bson_iter_as_int64 (&it) > 0;
   bson_destroy (&reply);
   bson_destroy (&filter);
   return ok || mt_mongo_error (m, &error, true, err);
}
