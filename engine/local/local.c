/* The local engine: implements the engine interface in this process, without a server. Its data is
 * the embedded store or read-only files. The executor in this folder runs the pipelines. */
#include "base/bson.h"
#include "base/limits.h"
#include "engine/implement.h"
#include "engine/local/exec/exec.h"
#include "engine/local/expr/codes.h"
#include "engine/local/stage/stage.h"
#include "engine/local/stage/write.h"
#include "engine/local/store/files.h"
#include "engine/local/store/store.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct MtLocal {
   MtEngine base;
   /* Exactly one of `store` and `files` is set. */
   MtStore *store;
   MtFiles *files;
   MtBuf doc; /* memory for a document to which an _id is added */
   bson_oid_t next_oid;
} MtLocal;

/* ---- reading ---- */

static void set_cancel (MtLocal *l)
{
   if (l->store)
      mt_store_set_cancel (l->store, l->base.cancel);
   else
      mt_files_set_cancel (l->files, l->base.cancel);
}

bool mt_local_resolve (void *ctx, const char *collection, MtSource **out, MtError *err)
{
   MtLocal *l = (MtLocal *) mt_engine_of (ctx, collection);
   set_cancel (l);
   return l->store ? mt_store_source_seen (l->store, collection, out, err)
                   : mt_files_source (l->files, collection, out, err);
}

/* Reads commits of other processes from the store's manifest. It is called before each operation,
 * so that the operation sees the newest state of all collections. */
static bool refresh (MtEngine *e, MtError *err)
{
   MtLocal *l = (MtLocal *) e;
   return !l->store || mt_store_refresh (l->store, err);
}

static bool is_one (MtVal v)
{
   return v.type == MT_DOUBLE ? v.d == 1 : (v.type == MT_INT32 || v.type == MT_INT64) && v.i == 1;
}

/* Checks the `hint` option of an aggregate. Here the only index is the one on _id, so only _id and
 * $natural are accepted. */
static bool check_hint (MtVal hint, MtError *err)
{
   bool key = mt_doc_count (hint) == 1 &&
              (is_one (mt_doc_field (hint, "_id")) || is_one (mt_doc_field (hint, "$natural")));
   if (key || mt_v_is_text (hint, "_id_") || mt_v_is_text (hint, "$natural"))
      return true;
   mt_error_coded (err, MT_E_PARAMETER, MT_CODE_BAD_VALUE,
                   "hint provided does not correspond to an existing index");
   return mt_error_hint (err, "In process there is only the index on _id.");
}

/* Copies the aggregate's options "let", "hint" and "collation" into *x, and ignores the other
 * options. *let is set to the bytes of the let document without a copy. */
static bool take_options (const bson_t *options, MtExecArgs *x, bson_t *let, MtError *err)
{
   MtStr key;
   MtVal v;
   for (MtDocIter it = mt_doc_iter (mt_v_doc (options)); mt_doc_next (&it, &key, &v);) {
      if (mt_str_is (key, "let") && bson_init_static (let, v.p, v.len))
         x->let = let;
      else if (mt_str_is (key, "hint") && !check_hint (v, err))
         return false;
      else if (mt_str_is (key, "collation"))
         x->collation = v;
   }
   return true;
}

/* Opens a cursor with the explanation of a pipeline that ends with $out or $merge. The explained
 * pipeline lacks that last stage, so nothing is written. */
static bool explain_writes (const MtAggregateArgs *args, const MtExecArgs *x, MtCursor **out,
                            MtError *err)
{
   bson_t before = BSON_INITIALIZER;
   MtExecArgs reads = *x;
   MtVal stages = mt_v_array (args->pipeline), v;
   size_t n = mt_doc_count (stages);
   MtStr key;
   for (MtDocIter it = mt_doc_iter (stages); n-- > 1 && mt_doc_next (&it, &key, &v);)
      mt_doc_push (&before, v);
   reads.pipeline = &before;
   bool ok = mt_exec_open (&reads, out, err);
   bson_destroy (&before);
   if (ok)
      *out = mt_explain_new (*out, args);
   return ok;
}

static bool local_aggregate (MtEngine *e, const MtAggregateArgs *args, MtCursor **out, MtError *err)
{
   bson_t let;
   MtExecArgs x = {
      .collection = args->collection,
      .resolve = mt_local_resolve,
      .resolve_ctx = e,
      .pipeline = args->pipeline,
      .ops = e->op_index,
      .threads = e->threads,
      .streams = e->streams,
      .work_mem = e->work_mem,
      .reading = e->reading,
      .cancel = e->cancel,
      .progress = e->progress,
      .want_stats = args->want_stats || args->explain,
      .shared = args->shared,
   };
   if (e->target && !e->target->caps.local_operators) {
      x.remote = mt_engine_remote;
      x.remote_ctx = e->target;
   }
   if ((args->options && !take_options (args->options, &x, &let, err)) || !refresh (e, err))
      return false;
   if (mt_pipeline_writes (args->pipeline))
      return args->explain ? explain_writes (args, &x, out, err)
                           : mt_writing_open (e, &x, out, err);
   if (!mt_exec_open (&x, out, err))
      return false;
   if (args->explain)
      *out = mt_explain_new (*out, args);
   return true;
}

static bool local_collections (MtEngine *e, MtArena *a, const char ***names, size_t *count,
                               MtError *err)
{
   MtLocal *l = (MtLocal *) e;
   return l->store ? mt_store_collections (l->store, a, names, count, err)
                   : mt_files_collections (l->files, a, names, count, err);
}

static bool local_has_collection (MtEngine *e, const char *name, bool *has, MtError *err)
{
   MtArena *a = mt_arena_new ("collections", NULL);
   const char **names;
   size_t count;
   bool ok = local_collections (e, a, &names, &count, err);
   *has = false;
   for (size_t i = 0; ok && i < count && !*has; i++)
      *has = strcmp (names[i], name) == 0;
   mt_arena_free (a);
   return ok;
}

static const char *local_text_file (MtEngine *e, const char *name)
{
   MtLocal *l = (MtLocal *) e;
   return l->files ? mt_files_text (l->files, name) : NULL;
}

static bool local_stats (MtEngine *e, const char *collection, MtCollStats *out, MtError *err)
{
   MtSource *src;
   if (!refresh (e, err) || !mt_local_resolve (e, collection, &src, err))
      return false;
   mt_source_stats (src, out);
   mt_source_free (src);
   return true;
}

/* Reports in *out how many of the blocks that the pipeline reads must be opened. Returns false if
 * that is not known. That is the case for read-only files, because their blocks have no value
 * ranges. */
static bool local_opened (MtEngine *e, const char *collection, const bson_t *pipeline,
                          MtOpenedBlocks *out)
{
   MtExecArgs x = {.collection = collection,
                   .resolve = mt_local_resolve,
                   .resolve_ctx = e,
                   .pipeline = pipeline,
                   .ops = e->op_index,
                   .work_mem = e->work_mem};
   MtCursor *cursor;
   MtError ignored = {0};
   if (!((MtLocal *) e)->store || !mt_exec_open (&x, &cursor, &ignored))
      return false;
   bool known = mt_exec_opened (cursor, out);
   mt_cursor_free (cursor);
   return known;
}

static bool local_keeps_columns (MtEngine *e, const char *collection, const char *const *fields,
                                 size_t count)
{
   MtSource *src;
   MtError ignored = {0};
   if (!refresh (e, &ignored) || !mt_local_resolve (e, collection, &src, &ignored))
      return false;
   MtReader r = {.span = 0};
   size_t blocks = mt_source_blocks (src), i = blocks / 2;
   MtBlock b = {.columns = false};
   for (; i < blocks && !b.columns; i++)
      mt_source_block (src, i, &b);
   bool has = b.columns && mt_reader_init (&r, src, i - 1, &ignored);
   for (size_t k = 0; has && k < count; k++) {
      MtStoredColumn c;
      has = mt_reader_column (&r, mt_reader_level (&r), fields[k], &c, &has) && has;
   }
   mt_reader_end (&r);
   mt_source_free (src);
   return has;
}

static uint64_t local_disk_bytes (MtEngine *e, const char *collection)
{
   const MtLocal *l = (const MtLocal *) e;
   return l->store ? mt_store_disk_bytes (l->store, collection) : 0;
}

static bool damaged (const MtSource *src, MtError *err)
{
   return mt_source_whole (src, err) && mt_error (err, MT_E_CORRUPT, "malformed document");
}

/* Finds a document by _id in read-only files. They have no index, so every document is read. */
static bool scan_for (MtSource *src, MtVal id, MtArena *a, bson_t **doc, MtError *err)
{
   MtReader r = {.span = 0}; /* needs no memory, since files keep documents */
   for (size_t i = 0; i < mt_source_blocks (src); i++) {
      if (!mt_reader_init (&r, src, i, err))
         return false;
      for (const uint8_t *p = r.block.data, *end = p + r.block.size; p < end;) {
         bson_t b;
         bson_iter_t it;
         int32_t n;
         if (!mt_need (&r, p, 4))
            return false;
         memcpy (&n, p, 4);
         if (n < 5 ? !damaged (src, err) : !mt_need (&r, p, (size_t) n))
            return false;
         if (bson_init_static (&b, p, (size_t) n) && bson_iter_init_find (&it, &b, "_id") &&
             mt_v_compare (mt_v_from_iter (&it), id) == 0) {
            *doc = bson_copy (&b);
            mt_arena_defer (a, (void (*) (void *)) bson_destroy, *doc);
            return mt_source_whole (src, err);
         }
         p += n;
      }
   }
   return mt_source_whole (src, err);
}

static bool local_find_id (MtEngine *e, MtArena *a, const char *collection, MtVal id, bson_t **doc,
                           MtError *err)
{
   MtLocal *l = (MtLocal *) e;
   if (!l->store) {
      MtSource *src;
      if (!mt_local_resolve (l, collection, &src, err))
         return false;
      bool ok = scan_for (src, id, a, doc, err);
      mt_source_free (src);
      return ok;
   }
   MtVal found;
   set_cancel (l);
   if (!mt_store_find (l->store, collection, id, a, &found, err))
      return false;
   if (found.type == MT_DOC) {
      /* Allocate the bson_t separately, because it needs an alignment of 128 bytes. */
      *doc = bson_new_from_data (found.p, found.len);
      if (!*doc)
         return mt_error (err, MT_E_CORRUPT,
                          "collection \"%s\" is damaged: a document's length is wrong", collection);
      mt_arena_defer (a, (void (*) (void *)) bson_destroy, *doc);
   }
   return true;
}

/* ---- writing ---- */

/* Passes the engine's current cancel flag to the store, and returns the store. */
static MtStore *writable (MtEngine *e)
{
   set_cancel ((MtLocal *) e);
   return ((MtLocal *) e)->store;
}

static bool local_begin (MtEngine *e, MtError *err)
{
   MtStore *s = writable (e);
   mt_store_set_lock_timeout (s, e->lock_timeout_ms);
   return mt_store_begin (s, err);
}

static bool local_increment (MtEngine *e, const char *collection, MtVal id, const MtIncrement *what,
                             MtError *err)
{
   return mt_store_increment (writable (e), collection, id, what->amounts, what->first, err);
}

static bool local_incremented (MtEngine *e, uint64_t *made, MtError *err)
{
   *made = mt_store_made (((MtLocal *) e)->store);
   return true;
}

static void local_set_delay (MtEngine *e, int64_t ms)
{
   if (((MtLocal *) e)->store)
      mt_store_set_delay (((MtLocal *) e)->store, ms);
}

static bool local_sync (MtEngine *e, MtError *err)
{
   MtStore *s = ((MtLocal *) e)->store;
   return !s || mt_store_sync (s, err);
}

static bool local_pack (MtEngine *e, const char *const *collections, size_t count, MtError *err)
{
   return mt_store_pack (writable (e), collections, count, err);
}

static bool local_only_increments (const MtEngine *e)
{
   const MtStore *s = ((const MtLocal *) e)->store;
   return s && mt_store_only_increments (s);
}

static bool local_commit (MtEngine *e, MtError *err) { return mt_store_commit (writable (e), err); }
static void local_rollback (MtEngine *e) { mt_store_rollback (writable (e)); }
static bool local_mark (MtEngine *e, size_t *mark, MtError *err)
{
   return mt_store_mark (writable (e), mark, err);
}
static void local_return (MtEngine *e, size_t mark) { mt_store_return (writable (e), mark); }
static void local_unmark (MtEngine *e, size_t mark) { mt_store_unmark (writable (e), mark); }
static bool local_see (MtEngine *e, MtError *err) { return mt_store_see (writable (e), err); }

static bool local_freeze (MtEngine *e, bool freeze, MtError *err)
{
   MtStore *s = ((MtLocal *) e)->store;
   /* read-only files do not change, so they need no freeze */
   return !s || mt_store_freeze (s, freeze, err);
}

static bool local_create (MtEngine *e, const char *name, MtError *err)
{
   return mt_store_create (writable (e), name, err);
}
static bool local_drop (MtEngine *e, const char *name, MtError *err)
{
   return mt_store_drop (writable (e), name, err);
}

/* Writes the next ObjectId to out[]. All ids of a process share their first 7 bytes (time and
 * random part); the last 5 bytes are a counter. */
static void next_oid (MtLocal *l, uint8_t out[12])
{
   uint8_t *b = l->next_oid.bytes;
   if (!b[0] && !b[1] && !b[2] && !b[3]) {
      bson_oid_init (&l->next_oid, NULL);
      memset (b + 7, 0, 5);
   }
   memcpy (out, b, 12);
   for (int i = 11; i >= 7 && ++b[i] == 0; i--)
      ;
}

/* Returns the bytes of the document with _id as its first field, as a server would store it. *len
 * is their length. If the field must be added or moved, the bytes are a copy in l->doc, valid until
 * the next call; otherwise they are those of `doc`. */
static const uint8_t *with_id (MtLocal *l, const bson_t *doc, size_t *len)
{
   const uint8_t *p = bson_get_data (doc);
   bson_iter_t it;
   *len = doc->len;
   if (doc->len > 9 && memcmp (p + 5, "_id", 4) == 0)
      return p;
   uint8_t head[9 + 12] = {0, 0, 0, 0, MT_OID, '_', 'i', 'd', 0};
   mt_buf_clear (&l->doc);
   if (bson_iter_init_find (&it, doc, "_id")) {
      const uint8_t *end = p + doc->len, *start = it.raw + it.off, *next = it.raw + it.next_off;
      mt_buf_add (&l->doc, p, 4);
      mt_buf_add (&l->doc, start, (size_t) (next - start));
      mt_buf_add (&l->doc, p + 4, (size_t) (start - p - 4));
      mt_buf_add (&l->doc, next, (size_t) (end - next));
      return (const uint8_t *) l->doc.p;
   }
   uint32_t n = doc->len + 17;
   memcpy (head, &n, 4);
   next_oid (l, head + 9);
   mt_buf_add (&l->doc, head, sizeof head);
   mt_buf_add (&l->doc, p + 4, doc->len - 4);
   *len = n;
   return (const uint8_t *) l->doc.p;
}

static bool check_id_type (const uint8_t *doc, MtError *err)
{
   uint8_t t = doc[4];
   const char *wrong = NULL;
   switch (t) {
   case MT_ARRAY: wrong = "an array"; break;
   case MT_REGEX: wrong = "a regular expression"; break;
   case MT_UNDEFINED: wrong = "undefined"; break;
   default: break;
   }
   return !wrong || mt_error (err, MT_E_PARAMETER, "_id can't be %s", wrong);
}

static bool local_insert (MtEngine *e, const char *collection, const bson_t *doc, bool check_ids,
                          MtError *err)
{
   MtLocal *l = (MtLocal *) e;
   size_t len;
   const uint8_t *p = with_id (l, doc, &len);
   return check_id_type (p, err) &&
          mt_store_insert (writable (e), collection, p, len, check_ids, err);
}

static bool local_replace (MtEngine *e, const char *collection, const bson_t *doc, MtError *err)
{
   MtLocal *l = (MtLocal *) e;
   size_t len;
   const uint8_t *p = with_id (l, doc, &len);
   return check_id_type (p, err) && mt_store_replace (writable (e), collection, p, len, err);
}

static bool local_delete_id (MtEngine *e, const char *collection, MtVal id, bool *deleted,
                             MtError *err)
{
   return mt_store_delete (writable (e), collection, id, deleted, err);
}

/* Makes the store keep value ranges per block for the given top-level fields. Paths with dots are
 * ignored, because the store has ranges only for top-level fields. */
static bool local_create_index (MtEngine *e, const char *collection, const char *const *paths,
                                size_t count, MtError *err)
{
   const char **fields = mt_calloc ("store", count + 1, sizeof *fields);
   size_t n = 0;
   for (size_t i = 0; i < count; i++)
      if (!strchr (paths[i], '.'))
         fields[n++] = paths[i];
   bool ok = mt_store_index (writable (e), collection, fields, n, err);
   free (fields);
   return ok;
}

/* ---- opening ---- */

static void local_close (MtEngine *e)
{
   MtLocal *l = (MtLocal *) e;
   mt_store_close (l->store);
   mt_files_close (l->files);
   mt_buf_free (&l->doc);
   mt_engine_fini (e);
   free (l);
}

static const MtError *local_warning (const MtEngine *e)
{
   const MtLocal *l = (const MtLocal *) e;
   if (l->store)
      return mt_store_warning (l->store);
   return l->files ? mt_files_warning (l->files) : NULL;
}

static const MtEngineVt local_vt = {
   .close = local_close,
   .warning = local_warning,
   .aggregate = local_aggregate,
   .collections = local_collections,
   .has_collection = local_has_collection,
   .text_file = local_text_file,
   .stats = local_stats,
   .opened = local_opened,
   .disk_bytes = local_disk_bytes,
   .keeps_columns = local_keeps_columns,
   .begin = local_begin,
   .commit = local_commit,
   .rollback = local_rollback,
   .mark = local_mark,
   .return_to = local_return,
   .unmark = local_unmark,
   .see = local_see,
   .freeze = local_freeze,
   .create_collection = local_create,
   .drop_collection = local_drop,
   .insert = local_insert,
   .replace = local_replace,
   .increment = local_increment,
   .incremented = local_incremented,
   .set_delay = local_set_delay,
   .sync = local_sync,
   .pack = local_pack,
   .only_increments = local_only_increments,
   .find_id = local_find_id,
   .delete_id = local_delete_id,
   .create_index = local_create_index,
};

/* Returns whether the path is a folder without files, in which a new store may be created. */
static bool is_empty_folder (const char *path) { return mt_files_none (path); }

/* Returns whether the path ends in .bson, .json or .jsonl. If such a file does not exist, the user
 * mistyped its name and did not mean to create a store. */
static bool names_file (const char *path)
{
   const char *dot = strrchr (path, '.');
   return dot &&
          (strcmp (dot, ".bson") == 0 || strcmp (dot, ".json") == 0 || strcmp (dot, ".jsonl") == 0);
}

static bool open_target (MtLocal *l, const char *target, const MtEngineOptions *o, MtError *err)
{
   struct stat st;
   if (!target || mt_store_detect (target))
      return mt_store_open (target, true, o->read_only, &l->store, err);
   if (stat (target, &st) != 0) {
      if (errno != ENOENT)
         return mt_error (err, MT_E_IO, "could not open \"%s\": %s", target, strerror (errno));
      if (!o->create || o->read_only || names_file (target))
         return mt_error (err, MT_E_UNDEFINED_FILE, "\"%s\" does not exist", target);
      return mt_store_open_absent (target, &l->store, err);
   }
   if (S_ISDIR (st.st_mode) && o->create && !o->read_only && is_empty_folder (target))
      return mt_store_open_absent (target, &l->store, err);
   l->base.caps.read_only = true;
   return mt_files_open (target, &l->files, err);
}

bool mt_local_open (const char *target, const MtEngineOptions *options, MtEngine **out,
                    MtError *err)
{
   MtLocal *l = mt_calloc ("engine", 1, sizeof *l);
   mt_engine_init (&l->base, &local_vt, options);
   MtCaps *caps = &l->base.caps;
   caps->engine = "local";
   caps->atomic_write = caps->local_operators = caps->bytes_touched = caps->transactions =
      caps->savepoints = caps->snapshots = true;
   caps->exact_stats = true;
   caps->atomic_bytes = SIZE_MAX;
   caps->increment_bytes = 4096;
   if (!open_target (l, target, options, err)) {
      local_close (&l->base);
      return false;
   }
   if (l->store) {
      caps->read_only = mt_store_is_read_only (l->store);
      caps->increments = true;
   }
   *out = &l->base;
   return true;
}
