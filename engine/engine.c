/* The functions of the engine interface. They do the checks that all engines have in common, and
 * then call the functions of the engine's table (MtEngineVt). */
#include "engine/implement.h"
#include "engine/local/exec/exec.h"
#include "engine/local/stage/stage.h"

#include "base/bson.h"
#include "base/limits.h"
#include "base/spool.h"

#include <string.h>
#include <unistd.h>

/* ---- opening ---- */

void mt_engine_init (MtEngine *e, const MtEngineVt *vt, const MtEngineOptions *options)
{
   e->vt = vt;
   e->arena = mt_arena_new ("engine", NULL);
   e->work_mem = options->work_mem;
   e->threads = options->threads;
   e->caps.read_only = options->read_only;
}

void mt_engine_fini (MtEngine *e)
{
   if (e->oids)
      bson_context_destroy (e->oids);
   mt_arena_free (e->arena);
}

/* Uses a context of its own. libbson's default context makes a system call for each id. */
void mt_engine_new_id (MtEngine *e, bson_oid_t *out)
{
   if (!e->oids)
      e->oids = bson_context_new (BSON_CONTEXT_NONE);
   bson_oid_init (out, e->oids);
}

static bool is_uri (const char *target)
{
   return strncmp (target, "mongodb://", 10) == 0 || strncmp (target, "mongodb+srv://", 14) == 0;
}

bool mt_engine_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                     MtError *err)
{
   MtEngineOptions o = options ? *options : (MtEngineOptions) {.create = true};
   if (o.work_mem == 0)
      o.work_mem = MT_DEFAULT_WORK_MEM;
   if (o.threads == 0) {
      long n = sysconf (_SC_NPROCESSORS_ONLN);
      o.threads = n > 0 ? (unsigned) n : 1;
   }
   if (target && is_uri (target))
      return mt_mongo_open (target, &o, out, err);
   return mt_local_open (target, &o, out, err);
}

void mt_engine_close (MtEngine *e)
{
   if (!e)
      return;
   mt_engine_close (e->temporary);
   e->temporary = NULL; /* vt->close may roll back, and must not use the closed store */
   e->aimed = false;
   e->vt->close (e);
}

const MtError *mt_engine_warning (const MtEngine *e)
{
   return e->vt->warning ? e->vt->warning (e) : NULL;
}

const MtCaps *mt_engine_caps (const MtEngine *e)
{
   return e->aimed ? &e->temporary->caps : &e->caps;
}

bool mt_caps_lack (const MtCaps *caps, const char *name)
{
   for (const char *const *p = caps->lacking; p && *p; p++)
      if ((*p)[0] == name[0] && (*p)[1] == name[1] && strcmp (*p, name) == 0)
         return true;
   return false;
}

void mt_engine_set_cancel (MtEngine *e, const MtCancel *cancel)
{
   e->cancel = cancel;
   mt_engine_set_alike (e);
}

void mt_engine_set_progress (MtEngine *e, const MtProgress *progress)
{
   e->progress = progress;
   mt_engine_set_alike (e);
}

void mt_engine_set_work_mem (MtEngine *e, size_t bytes)
{
   e->work_mem = bytes ? bytes : MT_DEFAULT_WORK_MEM;
   mt_engine_set_alike (e);
}

void mt_engine_set_threads (MtEngine *e, unsigned threads)
{
   e->threads = threads;
   mt_engine_set_alike (e);
}

void mt_engine_set_reading (MtEngine *e, MtReading how)
{
   e->reading = how;
   mt_engine_set_alike (e);
}

void mt_engine_set_lock_timeout (MtEngine *e, int64_t ms) { e->lock_timeout_ms = ms; }

bool mt_engine_register_ops (MtEngine *e, const MtOpRow *rows, MtError *err)
{
   const MtOpRow **ops = MT_NEW_N (e->arena, const MtOpRow *, e->op_tables + 1);
   ops[0] = rows;
   for (size_t i = 0; i < e->op_tables; i++)
      ops[i + 1] = e->ops[i];
   e->ops = ops;
   e->op_tables++;
   e->op_index = mt_op_index_new (e->arena, e->ops, e->op_tables);
   mt_engine_set_alike (e);
   return true;
}

/* ---- reading ---- */

/* If the target is local, one executor reads both the target and the temporary store. If the target
 * is a server, the executor of the temporary store reads the server's collections by
 * mt_engine_remote. */
bool mt_engine_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err)
{
   MtEngine *by = e->caps.local_operators ? e : mt_engine_of (e, args->collection);
   return mt_cancel_check (e->cancel, err) && by->vt->aggregate (by, args, out, err);
}

bool mt_cursor_next (MtCursor *c, const bson_t **doc, MtError *err)
{
   return c->vt->next (c, doc, err);
}

size_t mt_row_column (MtStr name)
{
   size_t at = 0;
   if (name.n < 2 || name.n > 9 || name.p[0] != 'c')
      return SIZE_MAX;
   for (size_t i = 1; i < name.n; i++) {
      if (name.p[i] < '0' || name.p[i] > '9')
         return SIZE_MAX;
      at = 10 * at + (size_t) (name.p[i] - '0');
   }
   return at;
}

void mt_row_read (const bson_t *doc, size_t n, MtVal *values)
{
   MtStr name;
   MtVal v;
   for (size_t i = 0; i < n; i++)
      values[i] = mt_v_null ();
   MtDocIter it = mt_doc_iter (mt_v_doc (doc));
   while (mt_doc_next (&it, &name, &v)) {
      size_t at = mt_row_column (name);
      if (at < n)
         values[at] = v;
   }
}

bool mt_row_of_next (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err)
{
   const bson_t *doc;
   *more = false;
   if (!c->vt->next (c, &doc, err))
      return false;
   *more = doc != NULL;
   if (doc)
      mt_row_read (doc, n, values);
   return true;
}

bool mt_cursor_row (MtCursor *c, MtVal *values, size_t n, bool *more, MtError *err)
{
   return (c->vt->row ? c->vt->row : mt_row_of_next) (c, values, n, more, err);
}

bool mt_cursor_beside (MtCursor *c, bool *known, const bson_t **doc, MtError *err)
{
   *known = false;
   *doc = NULL;
   return !c->vt->beside || c->vt->beside (c, known, doc, err);
}

void mt_cursor_stats (MtCursor *c, MtRunStats *out)
{
   *out = (MtRunStats) {0};
   if (c->vt->stats)
      c->vt->stats (c, out);
}

void mt_cursor_free (MtCursor *c)
{
   if (c)
      c->vt->free (c);
}

bool mt_engine_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                            MtError *err)
{
   return e->vt->collections (e, a, names, count, err) &&
          (!e->temporary || mt_add_temporary (e, a, names, count, err));
}

bool mt_engine_has_collection (MtEngine *e, const char *name, bool *has, MtError *err)
{
   e = mt_engine_of (e, name);
   return e->vt->has_collection (e, name, has, err);
}

const char *mt_engine_text_file (MtEngine *e, const char *collection)
{
   return e->vt->text_file ? e->vt->text_file (e, collection) : NULL;
}

bool mt_engine_is_collated (MtEngine *e, const char *collection)
{
   e = mt_engine_of (e, collection);
   return e->vt->collated && e->vt->collated (e, collection);
}

bool mt_engine_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err)
{
   *out = (MtCollStats) {0};
   e = mt_engine_of (e, collection);
   return e->vt->stats (e, collection, out, err);
}

bool mt_engine_opened (MtEngine *e, const char *collection, const bson_t *pipeline,
                       MtOpenedBlocks *out)
{
   e = mt_engine_of (e, collection);
   return e->vt->opened && !e->reading.all_blocks && e->vt->opened (e, collection, pipeline, out);
}

uint64_t mt_engine_disk_bytes (MtEngine *e, const char *collection)
{
   return e->vt->disk_bytes ? e->vt->disk_bytes (e, collection) : 0;
}

bool mt_engine_keeps_columns (MtEngine *e, const char *collection, const char *const *fields,
                              size_t count)
{
   e = mt_engine_of (e, collection);
   return e->vt->keeps_columns && !e->reading.documents &&
          e->vt->keeps_columns (e, collection, fields, count);
}

bool mt_engine_has_documents (MtEngine *e, const char *collection, bool *has, MtError *err)
{
   MtCollStats stats = {0};
   e = mt_engine_of (e, collection);
   if (e->vt->has_documents)
      return e->vt->has_documents (e, collection, has, err);
   bool ok = e->vt->stats (e, collection, &stats, err);
   *has = stats.documents > 0;
   return ok;
}

/* ---- writing ---- */

static bool may_write (const MtEngine *e, MtError *err)
{
   if (e->caps.read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write: the target is read-only");
   return mt_cancel_check (e->cancel, err);
}

bool mt_engine_begin (MtEngine *e, MtError *err)
{
   if (e->aimed)
      return mt_engine_begin (e->temporary, err);
   if (!may_write (e, err))
      return false;
   if (e->in_step)
      return mt_error (err, MT_E_IN_USE, "a step of writing is open already");
   if (!(e->in_txn ? mt_txn_step_begin (e, err) : e->vt->begin (e, err)))
      return false;
   e->in_step = true;
   return true;
}

bool mt_engine_in_step (const MtEngine *e) { return e->aimed ? e->temporary->in_step : e->in_step; }

static bool commit_own (MtEngine *e, MtError *err)
{
   if (!e->in_step)
      return true;
   e->in_step = false;
   return e->in_txn ? mt_txn_step_commit (e, err) : e->vt->commit (e, err);
}

bool mt_engine_commit (MtEngine *e, MtError *err)
{
   /* If memory was exhausted, some writes of the step may be missing, so it must not be
    * committed. */
   if (!e->target && !mt_memory_check (err)) {
      mt_engine_rollback (e);
      return false;
   }
   if (!e->aimed && !commit_own (e, err)) {
      if (e->temporary)
         mt_engine_rollback (e->temporary);
      return false;
   }
   return !e->temporary || mt_engine_commit (e->temporary, err);
}

void mt_engine_rollback (MtEngine *e)
{
   if (e->temporary)
      mt_engine_rollback (e->temporary);
   if (e->in_step && e->in_txn)
      mt_txn_step_rollback (e);
   else if (e->in_step)
      e->vt->rollback (e);
   e->in_step = false;
}

void mt_engine_own_collection (MtEngine *e, const char *name)
{
   e = mt_engine_of (e, name);
   if (e->vt->own_collection)
      e->vt->own_collection (e, name);
}

bool mt_engine_drop_index (MtEngine *e, const char *collection, const char *const *paths,
                           size_t count, MtError *err)
{
   e = mt_engine_of (e, collection);
   return !e->vt->drop_index || e->vt->drop_index (e, collection, paths, count, err);
}

bool mt_engine_indexes (MtEngine *e, MtArena *a, const char *collection, bson_t **out, MtError *err)
{
   bson_t *list = mt_doc_new (a);
   e = mt_engine_of (e, collection);
   if (e->vt->indexes && !e->vt->indexes (e, collection, list, err))
      return false;
   if (bson_empty (list))
      mt_doc_printf (list, "0: {v: 2, key: {_id: 1}, name: '_id_'}");
   *out = list;
   return true;
}

bool mt_engine_sent (MtEngine *e, MtError *err)
{
   return e->aimed || !e->vt->sent || e->vt->sent (e, err);
}
bool mt_engine_failed_late (const MtEngine *e)
{
   return !e->aimed && e->vt->failed_late && e->vt->failed_late (e);
}
const char *mt_engine_leftover (const MtEngine *e)
{
   return !e->aimed && e->vt->leftover ? e->vt->leftover (e) : NULL;
}

bool mt_engine_reconnect (MtEngine *e, MtError *err)
{
   return !e->vt->reconnect || e->vt->reconnect (e, err);
}

/* Begins a step (the writes up to a commit) if none is open. *own: this call began the step, so the
 * caller ends it by step_out. If e is a temporary store and its target has an open step, e's step
 * belongs to the target's step. */
static bool step_in (MtEngine *e, bool *own, MtError *err)
{
   if (!may_write (e, err) ||
       (e->target && e->target->in_step && !e->in_step && !mt_engine_begin (e, err)))
      return false;
   *own = !e->in_step;
   if (e->own_step != *own) /* the sending thread reads own_step, so write it only if it changes */
      e->own_step = *own;
   return e->in_step || mt_engine_begin (e, err);
}

static bool step_out (MtEngine *e, bool own, bool ok, MtError *err)
{
   if (own && ok)
      ok = mt_engine_commit (e, err);
   else if (own)
      mt_engine_rollback (e);
   if (own)
      e->own_step = false;
   return ok;
}

/* Checks that a collection's name is valid by MongoDB's rules. */
static bool check_name (const MtEngine *e, const char *name, MtError *err)
{
   if (mt_is_temporary (name) && !e->target)
      return mt_error (err, MT_E_PARAMETER,
                       "names of collections that begin with \"" MT_TEMPORARY
                       "\" are those of temporary tables");
   if (!*name || strlen (name) > MT_MAX_IDENTIFIER_BYTES || strchr (name, '$') || name[0] == '.' ||
       name[strlen (name) - 1] == '.')
      return mt_error (err, MT_E_PARAMETER, "\"%s\" can't be the name of a collection", name);
   return true;
}

bool mt_engine_create_collection (MtEngine *e, const char *name, MtError *err)
{
   bool own;
   e = mt_engine_of (e, name);
   if (!check_name (e, name, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->create_collection (e, name, err), err);
}

bool mt_engine_shard (MtEngine *e, const char *collection, const bson_t *key, MtError *err)
{
   bool own;
   return step_in (e, &own, err) && step_out (e, own, e->vt->shard (e, collection, key, err), err);
}

bool mt_engine_create_timeseries (MtEngine *e, const char *name, const MtTimeseries *t,
                                  MtError *err)
{
   bool own;
   e = mt_engine_of (e, name);
   if (!e->vt->create_timeseries && t->expire_after_s >= 0) {
      mt_error (err, MT_E_FEATURE, "documents that expire are not supported in process");
      return mt_error_hint (err, "DELETE removes old rows.");
   }
   if (!e->vt->create_timeseries)
      return mt_engine_create_collection (e, name, err);
   if (!check_name (e, name, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->create_timeseries (e, name, t, err), err);
}

bool mt_engine_timeseries (MtEngine *e, MtArena *a, const char *name, const MtTimeseries **out,
                           MtError *err)
{
   *out = NULL;
   e = mt_engine_of (e, name);
   return !e->vt->timeseries || e->vt->timeseries (e, a, name, out, err);
}

bool mt_engine_beside_transaction (MtEngine *e, MtError *err)
{
   return !e->vt->beside_txn || e->vt->beside_txn (e, err);
}

static bool make_missing (MtEngine *e, const char *name, const char *const *paths, size_t count,
                          MtError *err)
{
   bool has;
   if (e->vt->ensure_collection)
      return e->vt->ensure_collection (e, name, paths, count, err);
   return e->vt->has_collection (e, name, &has, err) &&
          (has || e->vt->create_collection (e, name, err)) &&
          (!count || e->vt->create_index (e, name, paths, count, err));
}

bool mt_engine_ensure_collection (MtEngine *e, const char *name, const char *const *paths,
                                  size_t count, MtError *err)
{
   bool own;
   e = mt_engine_of (e, name);
   if (!check_name (e, name, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, make_missing (e, name, paths, count, err), err);
}

bool mt_engine_drop_collection (MtEngine *e, const char *name, MtError *err)
{
   bool own;
   e = mt_engine_of (e, name);
   if (!step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->drop_collection (e, name, err), err);
}

static bool check_size (const bson_t *doc, MtError *err)
{
   if (doc->len > MT_MAX_DOC_BYTES)
      return mt_error (err, MT_E_LIMIT, "document of %u bytes is larger than the limit of %u",
                       doc->len, MT_MAX_DOC_BYTES);
   return true;
}

bool mt_engine_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                       MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   if (!check_size (doc, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->insert (e, collection, doc, check_ids, err), err);
}

bool mt_engine_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   if (!check_size (doc, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->replace (e, collection, doc, err), err);
}

bool mt_engine_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                          MtError *err)
{
   bool own;
   bool sets = what->fresh && !bson_empty (what->fresh),
        fills = what->slots && !bson_empty (what->slots);
   e = mt_engine_of (e, collection);
   if (!e->caps.increments || (sets && !e->caps.fresh_fields) || (fills && !e->caps.fresh_slots))
      return mt_error (err, MT_E_FEATURE, "increments are not supported");
   if (!check_size (what->amounts, err) || !check_size (what->first, err) ||
       (sets && !check_size (what->fresh, err)) || (fills && !check_size (what->slots, err)) ||
       !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->increment (e, collection, id, what, err), err);
}

bool mt_engine_incremented (MtEngine *e, uint64_t *made, MtError *err)
{
   *made = 0;
   e = e->aimed ? e->temporary : e;
   if (e->caps.increments && !e->vt->incremented (e, made, err))
      return false;
   *made -= e->in_txn ? e->made_before : 0;
   return true;
}

void mt_engine_beat (MtEngine *e, const char *collection, const char *path, const bson_t *ids)
{
   if (e->vt->beat)
      e->vt->beat (e, collection, path, ids);
}

void mt_engine_retire (MtEngine *e)
{
   if (e->vt->retire)
      e->vt->retire (e);
}

bool mt_engine_adjust (MtEngine *e, const char *collection, MtVal id, const MtAdjust *a,
                       bool *found, MtError *err)
{
   if (!e->caps.adjusts)
      return mt_error (err, MT_E_FEATURE,
                       "numbers of a document can't be changed by themselves here");
   return e->vt->adjust (e, collection, id, a, found, err);
}

/* Replaces the stored document with the same _id if `doc` is newer, or inserts `doc`. Correct only
 * if there are no other writers. Adds to *counts. */
static bool replace_older (MtEngine *e, MtArena *a, const MtNewerDocs *n, const bson_t *doc,
                           MtNewerCounts *counts, MtError *err)
{
   bson_t *old = NULL;
   MtVal v = mt_v_doc (doc);
   if (!e->vt->find_id (e, a, n->collection, mt_doc_field (v, "_id"), &old, err))
      return false;
   if (old && mt_newer_compare (mt_v_doc (old), v, n->by) >= 0)
      return true;
   counts->made += old == NULL;
   counts->bytes += (double) doc->len - (old ? (double) old->len : 0);
   return e->vt->replace (e, n->collection, doc, err);
}

static bool keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err)
{
   MtArena *a = mt_arena_new ("older documents", NULL);
   bool ok = true;
   for (size_t i = 0; i < n->count && ok; i++) {
      ok = check_size (n->docs[i], err) && replace_older (e, a, n, n->docs[i], counts, err);
      mt_arena_reset (a);
   }
   mt_arena_free (a);
   return ok;
}

bool mt_engine_keep_newer (MtEngine *e, const MtNewerDocs *n, MtNewerCounts *counts, MtError *err)
{
   bool own;
   e = mt_engine_of (e, n->collection);
   if (!step_in (e, &own, err))
      return false;
   bool ok = e->vt->keep_newer ? e->vt->keep_newer (e, n, counts, err)
                               : keep_newer (e, n, counts, err);
   return step_out (e, own, ok, err);
}

void mt_engine_set_commit_delay (MtEngine *e, int64_t ms)
{
   if (e->vt->set_delay)
      e->vt->set_delay (e, ms);
}

bool mt_engine_sync (MtEngine *e, MtError *err) { return !e->vt->sync || e->vt->sync (e, err); }

bool mt_engine_pack (MtEngine *e, const char *const *collections, size_t count, MtError *err)
{
   return !e->vt->pack || e->vt->pack (e, collections, count, err);
}
bool mt_engine_only_increments (const MtEngine *e)
{
   return !e->aimed && e->vt->only_increments && e->vt->only_increments (e);
}

bool mt_engine_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                        MtError *err)
{
   *doc = NULL;
   e = mt_engine_of (e, collection);
   return e->vt->find_id (e, a, collection, id, doc, err);
}

static bool delete_id (MtEngine *e, const char *collection, MtVal id, bool apart, bool *deleted,
                       MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   *deleted = false;
   if (!step_in (e, &own, err))
      return false;
   bool ok = apart && e->vt->delete_apart ? e->vt->delete_apart (e, collection, id, deleted, err)
                                          : e->vt->delete_id (e, collection, id, deleted, err);
   return step_out (e, own, ok, err);
}

bool mt_engine_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                          MtError *err)
{
   return delete_id (e, collection, id, false, deleted, err);
}

bool mt_engine_delete_apart (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                             MtError *err)
{
   return delete_id (e, collection, id, true, deleted, err);
}

bool mt_engine_create_index (MtEngine *e, const char *collection, const char *const *paths,
                             size_t count, MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   if (!step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->create_index (e, collection, paths, count, err), err);
}

bool mt_engine_expire (MtEngine *e, const char *collection, const char *path, int64_t after_s,
                       bool *does, MtError *err)
{
   *does = false;
   return !e->vt->expire || e->vt->expire (e, collection, path, after_s, does, err);
}

/* Stores the _ids of all documents that match `filter` in `ids`. The documents are deleted later,
 * because a collection must not change while a pipeline reads it. */
static bool spool_ids (MtEngine *e, const char *collection, const bson_t *filter, MtSpool *ids,
                       MtError *err)
{
   bson_t pipeline = BSON_INITIALIZER;
   const bson_t *doc;
   MtVal which = mt_v_doc (filter);
   MtCursor *c;
   mt_doc_printf (&pipeline, "0: {$match: %p}, 1: {$project: {_id: 1}}", (void *) &which);
   bool ok = mt_engine_aggregate (
      e, &(MtAggregateArgs) {.collection = collection, .pipeline = &pipeline}, &c, err);
   bson_destroy (&pipeline);
   if (!ok)
      return false;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc && (ok = mt_spool_add (ids, doc, err)))
      ;
   mt_cursor_free (c);
   return ok && mt_spool_rewind (ids, err);
}

static bool delete_one_by_one (MtEngine *e, const char *collection, const bson_t *filter,
                               uint64_t *count, MtError *err)
{
   MtArena *a = mt_arena_new ("deleted", NULL);
   MtSpool *ids = mt_spool_new (a);
   const bson_t *doc = NULL;
   bson_iter_t it;
   bool ok = spool_ids (e, collection, filter, ids, err);
   while (ok && (ok = mt_spool_next (ids, &doc, err)) && doc) {
      bool deleted = false;
      ok = !bson_iter_init_find (&it, doc, "_id") ||
           e->vt->delete_id (e, collection, mt_v_from_iter (&it), &deleted, err);
      *count += deleted;
   }
   mt_arena_free (a);
   return ok;
}

bool mt_engine_delete_matching (MtEngine *e, const char *collection, const bson_t *filter,
                                uint64_t *deleted, MtError *err)
{
   bool own;
   *deleted = 0;
   e = mt_engine_of (e, collection);
   if (e->vt->delete_matching)
      return may_write (e, err) && e->vt->delete_matching (e, collection, filter, deleted, err);
   if (!step_in (e, &own, err))
      return false;
   return step_out (e, own, delete_one_by_one (e, collection, filter, deleted, err), err);
}

static bool keeps_unique (const MtEngine *e, MtError *err)
{
   return e->caps.unique_indexes ||
          mt_error (err, MT_E_FEATURE, "unique indexes are not supported");
}

bool mt_engine_create_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                    MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   if (!keeps_unique (e, err) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->create_unique_index (e, collection, x, err), err);
}

bool mt_engine_drop_unique_index (MtEngine *e, const char *collection, const MtUniqueIndex *x,
                                  MtError *err)
{
   e = mt_engine_of (e, collection);
   return keeps_unique (e, err) && e->vt->drop_unique_index (e, collection, x, err);
}

bool mt_engine_insert_absent (MtEngine *e, const char *collection, const bson_t *const *docs,
                              size_t count, bool *refused, MtError *err)
{
   bool own;
   e = mt_engine_of (e, collection);
   if (!keeps_unique (e, err))
      return false;
   for (size_t i = 0; i < count; i++)
      if (!check_size (docs[i], err))
         return false;
   if (!step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->insert_absent (e, collection, docs, count, refused, err), err);
}

bool mt_engine_replace_same (MtEngine *e, const MtReplaceSame *r, bool *replaced, MtError *err)
{
   bool own;
   *replaced = false;
   if (!keeps_unique (e, err) || (r->doc && !check_size (r->doc, err)) || !step_in (e, &own, err))
      return false;
   return step_out (e, own, e->vt->replace_same (e, r, replaced, err), err);
}

/* Runs a pipeline on the engine ctx, a server, for stages of a local pipeline. It is the callback
 * MtExecArgs.remote. */
bool mt_engine_remote (void *ctx, const char *collection, const bson_t *pipeline, MtCursor **out,
                       MtError *err)
{
   MtAggregateArgs args = {.collection = collection, .pipeline = pipeline};
   return mt_engine_aggregate (ctx, &args, out, err);
}

bool mt_engine_aggregate_over (MtEngine *e, const MtOverArgs *over, MtCursor **out, MtError *err)
{
   MtExecArgs args = {.next = over->next,
                      .next_ctx = over->ctx,
                      .pipeline = over->pipeline,
                      .ops = e->op_index,
                      .threads = 1,
                      .remote = mt_engine_remote,
                      .remote_ctx = e,
                      .streams = e->streams,
                      .work_mem = e->work_mem,
                      .reading = e->reading,
                      .cancel = e->cancel,
                      .progress = e->progress,
                      .want_stats = over->want_stats,
                      .shared = over->shared};
   if (e->temporary && !e->caps.local_operators) {
      args.resolve = mt_local_resolve;
      args.resolve_ctx = e->temporary;
   }
   return mt_exec_open (&args, out, err);
}
