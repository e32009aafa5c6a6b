/* The embedded store: steps, and what is done in them. */
#include "base/memory.h"
#include "base/sync_folder.h"
#include "engine/local/store/patch.h"
#include "engine/local/store/events.h"
#include "engine/local/store/runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOM_TO_WASTE \
   (16u << 20) /* a segment may be twice its documents and this much larger before it is written \
                  anew */
#define DOOMED_MS 1000
#define EVENTS_MEMORY ((size_t) 64 << 20) /* of increments that aren't in documents yet */
#define EVENT_BYTES 4096u                 /* a new document of more than this is written at once */
#define EVENT_MOST \
   (256u << 10) /* amounts of more than this are put into their document at once
                 * \ */

/* ---- opening ---- */

bool mt_store_detect (const char *path)
{
   char *p = mt_heap_printf ("%s/MANIFEST", path);
   struct stat st;
   bool is = stat (p, &st) == 0 && S_ISREG (st.st_mode);
   free (p);
   return is;
}

bool mt_store_is_read_only (const MtStore *s) { return s->read_only || s->lost_seq; }
const MtError *mt_store_warning (const MtStore *s)
{
   return s->warning.message[0] ? &s->warning : NULL;
}
void mt_store_set_cancel (MtStore *s, const MtCancel *cancel) { s->cancel = cancel; }
void mt_store_set_lock_timeout (MtStore *s, int64_t ms) { s->lock_timeout_ms = ms; }

static bool make_folder (const char *path, MtError *err)
{
   if (mkdir (path, 0777) != 0)
      return errno == EEXIST ? mt_manifest_make (path, err) : mt_io_error (err, "create", path);
   return mt_manifest_make (path, err) &&
          (mt_sync_folder_of (path) || mt_io_error (err, "sync", path));
}

bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err)
{
   if (path && !mt_store_detect (path)) {
      if (!create || read_only)
         return mt_error (err, MT_E_UNDEFINED_FILE, "\"%s\" is not an mtsql store", path);
      if (!make_folder (path, err))
         return false;
   }
   MtStore *s = mt_calloc ("store", 1, sizeof *s);
   s->manifest_fd = s->lock_fd = s->bad_slot = -1;
   s->step_ids = MT_STORE_STEP_IDS;
   s->temporary = !path;
   s->read_only = read_only;
   s->next_id = s->committed_next_id = 1;
   s->path = path ? mt_heap_strdup (path) : NULL;
   if (path && !mt_manifest_open (s, err)) {
      mt_store_close (s);
      return false;
   }
   *out = s;
   return true;
}

/* Removes segments that were dropped at least so long ago. */
static void remove_doomed (MtStore *s, int64_t age_ms)
{
   size_t kept = 0;
   for (size_t i = 0; i < s->doomed_count; i++) {
      if (mt_now_ms () - s->doomed[i].since_ms < age_ms) {
         s->doomed[kept++] = s->doomed[i];
         continue;
      }
      unlink (s->doomed[i].path);
      free (s->doomed[i].path);
   }
   s->doomed_count = kept;
}

void mt_store_doom (MtStore *s, char *path)
{
   if (!path)
      return;
   s->doomed = mt_realloc ("store", s->doomed, (s->doomed_count + 1) * sizeof *s->doomed);
   s->doomed[s->doomed_count++] = (MtDoomed) {path, mt_now_ms ()};
}

static void doom (MtStore *s, const MtColl *c)
{
   mt_store_doom (s, mt_heap_printf ("%s", c->path));
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (mt_run_info (c->runs->runs[i])->entries)
         mt_store_doom (s, mt_run_path (c, mt_run_info (c->runs->runs[i])->number));
}

void mt_store_close (MtStore *s)
{
   if (!s)
      return;
   MtError ignored; /* who wants to know whether the last increments were written flushes before */
   mt_error_clear (&ignored);
   mt_store_rollback (s);
   mt_group_flush (s, &ignored);
   mt_group_close (s);
   remove_doomed (s, 0);
   free (s->doomed);
   free (s->marks);
   while (s->coll_count)
      mt_store_forget (s, s->colls[s->coll_count - 1]);
   if (s->manifest_fd >= 0)
      close (s->manifest_fd);
   mt_store_unlock (s);
   mt_buf_free (&s->record);
   free (s->colls);
   free (s->path);
   free (s);
}

bool mt_store_collections (MtStore *s, MtArena *a, const char ***names, size_t *count, MtError *err)
{
   if (!mt_manifest_refresh (s, err))
      return false;
   const char **out = MT_NEW_N (a, const char *, s->coll_count);
   size_t n = 0;
   for (size_t i = 0; i < s->coll_count; i++) {
      if (s->colls[i]->dropped)
         continue;
      size_t k = n++;
      const char *name = mt_strdup (a, s->colls[i]->name);
      for (; k > 0 && strcmp (out[k - 1], name) > 0; k--)
         out[k] = out[k - 1];
      out[k] = name;
   }
   *names = out;
   *count = n;
   return true;
}

uint64_t mt_store_disk_bytes (MtStore *s, const char *collection)
{
   const MtColl *c = mt_store_coll (s, collection);
   return c ? c->committed_length : 0;
}

/* ---- steps ---- */

/* Whether the file is a segment's, or that of a run, that the store doesn't know. */
static bool is_nobodys (MtStore *s, const char *name)
{
   char *end;
   const MtColl *c = mt_store_coll_by_id (s, strtoull (name, &end, 16));
   if (end != name + 16)
      return false;
   if (strcmp (end, ".seg") == 0)
      return !c;
   const char *number = end + 1;
   unsigned long n = *end == '.' ? strtoul (number, &end, 16) : 0;
   if (end != number + 8 || strcmp (end, ".key") != 0)
      return false;
   for (uint32_t i = 0; c && c->runs && i < c->runs->count; i++)
      if (mt_run_info (c->runs->runs[i])->number == n)
         return false;
   return true;
}

/* Removes the segments of steps that never were committed, and what a killed compaction left. */
static void tidy (MtStore *s)
{
   DIR *d = s->tidied ? NULL : opendir (s->path);
   s->tidied = true;
   if (!d)
      return;
   for (struct dirent *e; (e = readdir (d));) {
      if (!is_nobodys (s, e->d_name) && strncmp (e->d_name, "MANIFEST.", 9) != 0)
         continue;
      char *path = mt_heap_printf ("%s/%s", s->path, e->d_name);
      unlink (path);
      free (path);
   }
   closedir (d);
}

/* What was read before must be what is written on. */
static bool still_newest (MtStore *s, MtError *err)
{
   bool newest = true, ok = true;
   mt_group_enter (s); /* what waits may be about to be written: by us */
   if (s->frozen)
      ok = mt_manifest_is_newest (s, &newest, err);
   mt_group_leave (s);
   if (!ok)
      return false;
   return newest || mt_error_outrun (err);
}

/* The lock, and what others committed; both are here already while commits of ours wait. */
static bool take_lock (MtStore *s, MtError *err)
{
   mt_group_enter (s);
   s->busy = true;
   bool held = s->lock_fd >= 0;
   mt_group_leave (s);
   return held || (mt_store_lock (s, err) && mt_manifest_refresh (s, err));
}

/* The lock stays while commits wait: nobody else may come between. */
static void let_go (MtStore *s)
{
   mt_group_enter (s);
   s->busy = false;
   if (!mt_group_waiting (s))
      mt_store_unlock (s);
   mt_group_leave (s);
}

void mt_store_set_delay (MtStore *s, int64_t ms) { s->delay_ms = ms; }
bool mt_store_sync (MtStore *s, MtError *err)
{
   if (!mt_group_flush (s, err))
      return false;
   if (!s->in_step)
      let_go (s);
   return true;
}

bool mt_store_begin (MtStore *s, MtError *err)
{
   if (s->in_step)
      return mt_error (err, MT_E_IN_USE, "a step of writing is open already");
   if (s->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write: store \"%s\" is read-only", s->path);
   if (s->lost_seq) {
      mt_error (err, MT_E_CORRUPT, "cannot write: the last commit of store \"%s\" is damaged",
                s->path);
      return mt_error_hint (err, "Save the rest as a new store: mtsql --salvage FOLDER NEWFOLDER.");
   }
   if (s->broken)
      return mt_error (
         err, MT_E_IO,
         "store \"%s\" has to be opened anew: the outcome of an earlier commit is not known",
         s->path);
   if (!take_lock (s, err) || !still_newest (s, err) || !mt_manifest_heal (s, err)) {
      let_go (s);
      return false;
   }
   if (!s->temporary)
      tidy (s);
   s->in_step = true;
   s->failed = false;
   s->made = 0;
   mt_buf_clear (&s->record);
   return true;
}

/* Remembers why a step can't be committed any more. */
static bool step_failed (MtStore *s, const MtError *err)
{
   s->failed = true;
   if (err)
      s->failure = *err;
   return false;
}

/* Files are left as they are when the commit's outcome isn't known: the next start may find that it
 * happened. */
static void undo_step (MtStore *s)
{
   s->last = NULL;
   mt_store_forget_marks (s, 0);
   for (size_t i = s->coll_count; i-- > 0;) {
      MtColl *c = s->colls[i];
      bool created = c->created;
      if (created && c->path && c->fd >= 0 && !s->broken)
         unlink (c->path);
      mt_coll_rollback (c, s->broken);
      if (created)
         mt_store_forget (s, c);
   }
   s->next_id = s->committed_next_id;
   s->in_step = false;
   mt_buf_clear (&s->record);
}

void mt_store_rollback (MtStore *s)
{
   if (!s->in_step)
      return;
   undo_step (s);
   let_go (s);
}

static int by_serial (const void *a, const void *b)
{
   const MtGone *x = a, *y = b;
   if (x->serial != y->serial)
      return x->serial < y->serial ? -1 : 1;
   return x->ordinal < y->ordinal ? -1 : x->ordinal > y->ordinal;
}

static void record_all_gone (MtStore *s, MtColl *c)
{
   qsort (c->gone, c->gone_count, sizeof *c->gone, by_serial);
   for (size_t i = 0, k; i < c->gone_count; i = k) {
      for (k = i + 1; k < c->gone_count && c->gone[k].serial == c->gone[i].serial; k++)
         ;
      mt_record_gone (s, c, c->gone + i, k - i);
   }
}

/* Everything that has to be on disk before the manifest says so. */
static bool prepare (MtStore *s, MtError *err)
{
   bool made = false;
   for (size_t i = 0; i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      if (c->dropped)
         continue;
      if (!mt_coll_flush (c, err))
         return false;
      if (c->gone_count)
         record_all_gone (s, c);
      bool steady = c->folded || !mt_events_any (c); /* increments know their documents by place */
      if (steady && (c->length > c->committed_length || c->gone_count) && !mt_coll_compact (c, err))
         return false;
      if (c->length == c->committed_length || s->temporary)
         continue;
      made |= c->committed_length == 0;
      if (!mt_io_sync (c->fd, c->path, err))
         return false;
   }
   return !made || mt_io_sync_dir (s->path, err);
}

static void apply_step (MtStore *s)
{
   s->last = NULL;
   mt_store_forget_marks (s, 0);
   for (size_t i = s->coll_count; i-- > 0;) {
      MtColl *c = s->colls[i];
      if (c->dropped) {
         if (c->path && c->length > 0)
            doom (s, c);
         mt_store_forget (s, c);
         continue;
      }
      for (size_t k = 0; k < c->gone_count; k++) {
         const MtGone *g = &c->gone[k];
         if (c->serials[g->serial])
            mt_coll_apply_gone (c->serials[g->serial], g->ordinal, g->bytes);
      }
      c->grown += c->length - c->committed_length;
      if (c->field_count > c->committed_fields)
         c->grown = UINT64_MAX;
      mt_coll_committed (c);
   }
   s->committed_next_id = s->next_id;
   s->in_step = false;
}

/* ---- taking back room ---- */

static bool is_wasteful (const MtColl *c)
{
   uint64_t live = 0;
   for (size_t i = 0; i < c->block_count; i++)
      live += c->blocks[i]->size - (c->blocks[i]->deleted ? c->blocks[i]->deleted->bytes : 0);
   return c->committed_length > 2 * live + ROOM_TO_WASTE &&
          !mt_events_any (c); /* increments know their documents by place */
}

/* Writes a collection's living documents into a new segment, which takes the old one's place at the
 * commit. */
static bool write_anew (MtStore *s, MtColl *old, MtError *err)
{
   MtColl *c = mt_coll_new (s, s->next_id++, old->name, strlen (old->name));
   c->created = true;
   mt_store_keep (s, c);
   for (; c->field_count < old->field_count; c->field_count++)
      c->fields[c->field_count] = mt_strdup (c->arena, old->fields[c->field_count]);
   mt_record_drop (s, old);
   mt_record_create (s, c);
   mt_record_fields (s, c);
   old->dropped = true;
   s->last = NULL;
   if (old->block_count > 0 && !mt_coll_map (old, old->committed_length, err))
      return false;
   for (size_t i = 0; i < old->block_count; i++)
      if (!mt_coll_copy_living (c, old, old->blocks[i], err))
         return false;
   return true;
}

/* Nothing is committed that was made of bytes that are lost. */
static bool is_whole (const MtStore *s, MtError *err)
{
   bool ok = true;
   for (size_t i = 0; ok && i < s->coll_count && mt_mapped_any_lost (); i++)
      ok = mt_mapped_check (s->colls[i]->map, err);
   return ok;
}

bool mt_store_commit_record (MtStore *s, bool *unknown, MtError *err)
{
   if (!is_whole (s, err))
      return false;
   mt_group_enter (s);
   MtBuf *waiting = mt_group_waiting (s), all = {0};
   if (waiting) {
      mt_buf_add (&all, waiting->p, waiting->n);
      mt_buf_add (&all, s->record.p, s->record.n);
   }
   bool ok = mt_manifest_commit (s, waiting ? &all : &s->record, unknown, err);
   if (ok && waiting)
      mt_buf_clear (waiting);
   mt_group_leave (s);
   mt_buf_free (&all);
   return ok;
}

/* What the step wrote, durable or among what soon will be. */
static bool make_durable (MtStore *s, bool *unknown, MtError *err)
{
   bool wait = s->record.n == 0 && s->delay_ms > 0 && !s->temporary;
   for (size_t i = 0; i < s->coll_count; i++) {
      const MtColl *c = s->colls[i];
      if (c->event_log.n && !c->folded && !c->dropped)
         mt_record_events (&s->record, c, c->event_log.p, c->event_log.n);
   }
   if (s->record.n == 0)
      return true;
   return wait ? is_whole (s, err) && mt_group_add (s, &s->record, err)
               : mt_store_commit_record (s, unknown, err);
}

/* The end of a step of the store's own, behind a commit and under its lock: what failed never
 * was. */
static void finish_own_step (MtStore *s, bool ok)
{
   MtError ignored;
   bool unknown = false;
   mt_error_clear (&ignored);
   if (ok && prepare (s, &ignored) && mt_store_commit_record (s, &unknown, &ignored)) {
      apply_step (s);
   } else {
      s->broken |= unknown;
      undo_step (s);
   }
   s->in_step = false;
}

/* That it fails (a full disk) leaves the collection as large as it was. */
static void take_back_room (MtStore *s)
{
   MtError ignored;
   bool any = false, ok = true;
   mt_error_clear (&ignored);
   mt_buf_clear (&s->record);
   s->in_step = true;
   for (size_t i = 0, n = s->coll_count; ok && i < n; i++)
      if (is_wasteful (s->colls[i])) {
         ok = write_anew (s, s->colls[i], &ignored);
         any = true;
      }
   if (any)
      finish_own_step (s, ok);
   s->in_step = false;
}

/* The same for increments, when they have become many. */
static void fold_many (MtStore *s)
{
   MtError ignored;
   bool ok = true;
   size_t bytes = 0;
   for (size_t i = 0; i < s->coll_count; i++)
      bytes += mt_events_bytes (s->colls[i]->events);
   if (bytes < EVENTS_MEMORY)
      return;
   mt_error_clear (&ignored);
   mt_buf_clear (&s->record);
   s->in_step = true;
   for (size_t i = 0; ok && i < s->coll_count; i++)
      ok = !mt_events_any (s->colls[i]) || mt_events_fold (s->colls[i], &ignored);
   finish_own_step (s, ok);
}

/* Writes the manifest anew when it has grown; one that can't be written leaves the old one in
 * place. */
static void compact_manifest (MtStore *s)
{
   MtError ignored;
   mt_error_clear (&ignored);
   if (!mt_manifest_compact_due (s) || !mt_group_flush (s, &ignored))
      return;
   mt_group_enter (s);
   mt_manifest_compact (s, &ignored);
   mt_group_leave (s);
}

bool mt_store_commit (MtStore *s, MtError *err)
{
   if (!s->in_step)
      return true;
   bool unknown = false;
   if (s->failed) {
      if (err)
         *err = s->failure;
      mt_store_rollback (s);
      return false;
   }
   if (!prepare (s, err) || !make_durable (s, &unknown, err)) {
      s->broken |= unknown;
      mt_store_rollback (s);
      if (unknown)
         mt_error_hint (err, "Whether the step was committed shows when the store is opened anew.");
      return false;
   }
   apply_step (s);
   fold_many (s);
   take_back_room (s);
   mt_store_make_runs (s);
   remove_doomed (s, DOOMED_MS);
   mt_buf_clear (&s->record);
   compact_manifest (s);
   let_go (s);
   return true;
}

/* ---- writing ---- */

static bool need_step (const MtStore *s, MtError *err)
{
   return s->in_step || mt_error (err, MT_E_INTERNAL, "writing to a store needs an open step");
}

static MtColl *create (MtStore *s, const char *name)
{
   MtColl *c = mt_coll_new (s, s->next_id++, name, strlen (name));
   c->created = true;
   mt_store_keep (s, c);
   mt_record_create (s, c);
   return c;
}

bool mt_store_create (MtStore *s, const char *collection, MtError *err)
{
   if (!need_step (s, err))
      return false;
   if (mt_store_coll (s, collection))
      return mt_error (err, MT_E_DUPLICATE_TABLE, "collection \"%s\" already exists", collection);
   create (s, collection);
   return true;
}

bool mt_store_drop (MtStore *s, const char *collection, MtError *err)
{
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (c) {
      mt_record_drop (s, c);
      c->dropped = true;
      s->last = NULL;
   }
   return true;
}

static bool check_doc (const uint8_t *doc, size_t len, MtError *err)
{
   size_t at;
   if (len > MT_MAX_DOC_BYTES)
      return mt_error (err, MT_E_LIMIT, "document of %zu bytes is larger than the limit of %u", len,
                       MT_MAX_DOC_BYTES);
   switch (mt_bson_check (doc, len, &at)) {
   case MT_BSON_OK: return true;
   case MT_BSON_DEEP:
      return mt_error (err, MT_E_LIMIT, "document is nested deeper than %d levels",
                       MT_MAX_BSON_DEPTH);
   case MT_BSON_NO_UTF8:
   case MT_BSON_BAD: break;
   }
   return mt_error (err, MT_E_TEXT_REPRESENTATION, "document is not valid BSON at offset %zu", at);
}

static bool append (MtStore *s, MtColl *c, const uint8_t *doc, size_t len,
                    const MtIdEntry *replaced, MtError *err)
{
   if (!mt_coll_append (c, doc, len, err))
      return step_failed (s, err);
   if (c->index) {
      uint32_t at = (uint32_t) (c->builder.n - len), ordinal = c->builder.documents - 1;
      if (replaced)
         mt_index_moved (c, replaced, c->serial_count, at, ordinal);
      else
         mt_index_added (c, mt_bson_field (doc, len, "_id"), c->serial_count, at, ordinal);
   }
   return true;
}

/* Beside the others: what increments have for these stays as it is. */
static bool has_document (MtColl *c, MtVal id, bool *has, MtError *err)
{
   MtIdEntry found;
   const uint8_t *old;
   size_t len;
   if (!mt_events_catch_up (c, err) || !mt_index_find (c, id, &found, &old, &len, err))
      return false;
   *has = old || mt_events_have (c, id);
   return true;
}

bool mt_store_insert (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                      bool check_id, MtError *err)
{
   if (!need_step (s, err) || !check_doc (doc, len, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   if (check_id) {
      bool there;
      MtVal id = mt_bson_field (doc, len, "_id");
      if (!has_document (c, id, &there, err))
         return false;
      if (there) {
         mt_error (err, MT_E_UNIQUE,
                   "duplicate key value violates unique constraint \"_id_\" of collection \"%s\"",
                   collection);
         MtBuf text = {0};
         mt_v_to_json (id, false, &text);
         mt_error_detail (err, "Key (_id)=(%s) already exists.", text.p ? text.p : "");
         mt_buf_free (&text);
         return false;
      }
   }
   return append (s, c, doc, len, NULL, err);
}

/* Marks a document as deleted in this step. */
static bool take_out (MtColl *c, const MtIdEntry *e, size_t len, MtError *err)
{
   bool building = e->serial == c->serial_count;
   uint8_t **bits = building ? &c->builder.pending : &c->serials[e->serial]->pending;
   size_t documents = building ? c->builder.cap / 5 : c->serials[e->serial]->documents;
   if (!*bits)
      *bits = mt_calloc ("store", 1, documents / 8 + 1);
   MT_GROW ("store", c->gone, c->gone_count, c->gone_cap, 64);
   (*bits)[e->ordinal / 8] |= (uint8_t) (1u << e->ordinal % 8);
   c->gone[c->gone_count++] = (MtGone) {e->serial, e->ordinal, (uint32_t) len};
   return true;
}

bool mt_store_put (MtColl *c, const uint8_t *doc, size_t len, MtError *err)
{
   MtIdEntry found;
   const uint8_t *old;
   size_t old_len;
   if (!mt_index_find (c, mt_bson_field (doc, len, "_id"), &found, &old, &old_len, err))
      return false;
   if (old && !take_out (c, &found, old_len, err))
      return step_failed (c->store, err);
   return append (c->store, c, doc, len, old ? &found : NULL, err);
}

bool mt_store_replace (MtStore *s, const char *collection, const uint8_t *doc, size_t len,
                       MtError *err)
{
   if (!need_step (s, err) || !check_doc (doc, len, err))
      return false;
   if (mt_bson_field (doc, len, "_id").type == MT_MISSING)
      return mt_error (err, MT_E_PARAMETER, "a document that replaces another needs an _id");
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   return mt_events_fold (c, err) ? mt_store_put (c, doc, len, err) : step_failed (s, err);
}

/* ---- increments ---- */

/* Where the step writes documents of the collection anyway, or the amounts are many. */
static bool increment_now (MtColl *c, const bson_t *id, const bson_t *amounts, const bson_t *first,
                           bool *made, MtError *err)
{
   MtIdEntry found;
   const uint8_t *old;
   size_t len;
   MtPatch p = {0};
   MtVal key = mt_bson_field (bson_get_data (id), id->len, "_id");
   if (!mt_index_find (c, key, &found, &old, &len, err))
      return false;
   bool fresh = !old && !mt_events_have (c, key);
   if (!fresh && (!mt_events_fold (c, err) || !mt_index_find (c, key, &found, &old, &len, err)))
      return step_failed (c->store, err);
   *made = !old;
   mt_buf_add (&p.doc, old ? old : bson_get_data (id), old ? len : id->len);
   if (!old)
      mt_patch_set_all (&p, bson_get_data (first));
   bool ok = mt_patch_add_all (&p, bson_get_data (amounts), c->name, err) &&
             check_doc ((const uint8_t *) p.doc.p, p.doc.n, err) &&
             mt_store_put (c, (const uint8_t *) p.doc.p, p.doc.n, err);
   mt_buf_free (&p.doc);
   return ok;
}

/* Whether the document is written now: where the step has written it before or changes others
 * anyway, where it is new and large, or where the amounts are very many. */
static bool writes_at_once (MtColl *c, MtVal id, const bson_t *amounts, const bson_t *first,
                            bool *now, MtError *err)
{
   MtIdEntry found;
   const uint8_t *old;
   size_t len;
   *now = true;
   if (!mt_events_catch_up (c, err))
      return false;
   if (c->created || c->folded || amounts->len > EVENT_MOST ||
       mt_events_bytes (c->events) > 2 * EVENTS_MEMORY)
      return true;
   *now = false;
   if (mt_events_have (c, id))
      return true;
   if (!mt_index_find (c, id, &found, &old, &len, err))
      return false;
   *now = old ? found.serial >= c->committed_serials : amounts->len + first->len > EVENT_BYTES;
   return true;
}

bool mt_store_increment (MtStore *s, const char *collection, MtVal id, const bson_t *amounts,
                         const bson_t *first, MtError *err)
{
   bson_t key = BSON_INITIALIZER;
   bool made = false;
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   mt_v_append (&key, "_id", 3, id);
   bool now, ok = writes_at_once (c, id, amounts, first, &now, err) &&
                  (now ? increment_now (c, &key, amounts, first, &made, err)
                       : mt_events_add (c, &key, amounts, first, &made, err));
   s->made += ok && made;
   bson_destroy (&key);
   return ok;
}

uint64_t mt_store_made (const MtStore *s) { return s->made; }

/* Whether the open step did nothing but increment. */
bool mt_store_only_increments (const MtStore *s)
{
   if (!s->in_step || s->record.n > 0)
      return false;
   for (size_t i = 0; i < s->coll_count; i++)
      if (s->colls[i]->folded || s->colls[i]->dropped || s->colls[i]->created ||
          s->colls[i]->builder.documents)
         return false;
   return true;
}

bool mt_store_find (MtStore *s, const char *collection, MtVal id, MtArena *a, const uint8_t **doc,
                    size_t *len, MtError *err)
{
   MtIdEntry found;
   const uint8_t *p;
   size_t n;
   if (!mt_manifest_refresh (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   *doc = NULL;
   *len = 0;
   if (!c)
      return true;
   if (!mt_index_find (c, id, &found, &p, &n, err))
      return false;
   if (p)
      p = (const uint8_t *) mt_strndup (a, (const char *) p, n);
   if (!mt_events_find (c, id, a, &p, &n, err))
      return false;
   *doc = p;
   *len = p ? n : 0;
   return true;
}

bool mt_store_delete (MtStore *s, const char *collection, MtVal id, bool *deleted, MtError *err)
{
   MtIdEntry found;
   const uint8_t *p;
   size_t n;
   *deleted = false;
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      return true;
   if (!mt_events_fold (c, err))
      return step_failed (s, err);
   if (!mt_index_find (c, id, &found, &p, &n, err))
      return false;
   if (!p)
      return true;
   if (!take_out (c, &found, n, err))
      return step_failed (s, err);
   *deleted = true;
   return true;
}

/* ---- ranges of further fields ---- */

static bool range_block (MtColl *c, MtStoreBlock *b, uint32_t first, MtError *err)
{
   const uint8_t *data = c->map->base + b->offset + b->data_at, *doc;
   size_t offset = 0, len;
   MtBlockRange ranges[MT_STORE_RANGES];
   bool any[MT_STORE_RANGES] = {false};
   for (;;) {
      if (!mt_block_next (c->name, b, data, &offset, &doc, &len, err))
         return false;
      if (!doc)
         break;
      for (uint32_t i = first; i < c->field_count; i++)
         mt_range_widen (&ranges[i], &any[i], mt_bson_field (doc, len, c->fields[i]));
   }
   MtBlockRange *all = MT_NEW_N (c->arena, MtBlockRange, c->field_count);
   if (first)
      memcpy (all, b->ranges, first * sizeof *all);
   for (uint32_t i = first; i < c->field_count; i++)
      all[i] = mt_range_keep (c->arena, ranges[i]);
   b->ranges = all;
   b->range_count = c->field_count;
   mt_record_ranges (c->store, c, b, first);
   return true;
}

static bool has_field (const MtColl *c, const char *name)
{
   for (uint32_t i = 0; i < c->field_count; i++)
      if (strcmp (c->fields[i], name) == 0)
         return true;
   return false;
}

bool mt_store_index (MtStore *s, const char *collection, const char *const *fields, size_t count,
                     MtError *err)
{
   if (!need_step (s, err))
      return false;
   MtColl *c = mt_store_coll (s, collection);
   if (!c)
      c = create (s, collection);
   if (!mt_events_fold (c, err) || !mt_coll_flush (c, err))
      return step_failed (s, err);
   uint32_t before = c->field_count;
   for (size_t i = 0; i < count; i++) {
      if (has_field (c, fields[i]))
         continue;
      if (c->field_count == MT_STORE_RANGES) {
         c->field_count = before;
         return mt_error (err, MT_E_LIMIT,
                          "collection \"%s\" can't keep ranges of more than %u fields", collection,
                          MT_STORE_RANGES);
      }
      c->fields[c->field_count++] = mt_strdup (c->arena, fields[i]);
   }
   if (c->field_count == before)
      return true;
   mt_record_fields (s, c);
   if (c->block_count > 0 && !mt_coll_map (c, c->length, err))
      return step_failed (s, err);
   for (size_t i = 0; i < c->block_count; i++)
      if (!mt_cancel_check (s->cancel, err) ||
          !range_block (c, c->blocks[i], c->blocks[i]->range_count, err))
         return step_failed (s, err);
   return true;
}
