/* Opens and closes the embedded store, and begins and rolls back steps (all writes between begin
 * and commit). */
#include "base/memory.h"
#include "base/sync_folder.h"
#include "engine/local/store/coll_int.h"
#include "engine/local/store/patch.h"
#include "engine/local/store/manifest_int.h"
#include "engine/local/store/events.h"
#include "engine/local/store/runs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Checks that a store can be created in the folder `path` later: the folder, or its parent if it
 * does not exist yet, must be writable. */
static bool can_make (const char *path, MtError *err)
{
   char *copy = mt_heap_strdup (path), *slash;
   size_t n = strlen (copy);
   while (n > 1 && copy[n - 1] == '/')
      copy[--n] = 0;
   const char *parent = copy;
   if (access (copy, F_OK) != 0) {
      slash = strrchr (copy, '/');
      if (!slash)
         parent = ".";
      else
         slash[slash == copy] = 0;
   }
   bool ok = access (parent, W_OK | X_OK) == 0 || mt_io_error (err, "create", path);
   free (copy);
   return ok;
}

/* Creates the folder of a store that was opened by mt_store_open_absent and does not exist yet. */
static bool make_absent (const MtStore *s, MtError *err)
{
   return !s->absent || mt_store_detect (s->path) || make_folder (s->path, err);
}

/* Returns the struct of a store without collections. A NULL path makes a temporary store. */
static MtStore *new_store (const char *path, bool read_only)
{
   MtStore *s = mt_calloc ("store", 1, sizeof *s);
   s->manifest_fd = s->lock_fd = s->bad_slot = -1;
   s->step_ids = MT_STORE_STEP_IDS;
   s->temporary = !path;
   s->read_only = read_only;
   s->next_id = s->committed_next_id = 1;
   s->path = path ? mt_heap_strdup (path) : NULL;
   return s;
}

bool mt_store_open (const char *path, bool create, bool read_only, MtStore **out, MtError *err)
{
   if (path && !mt_store_detect (path)) {
      if (!create || read_only)
         return mt_error (err, MT_E_UNDEFINED_FILE, "\"%s\" is not an mtsql store", path);
      if (!make_folder (path, err))
         return false;
   }
   MtStore *s = new_store (path, read_only);
   if (path && !mt_manifest_open (s, err)) {
      mt_store_close (s);
      return false;
   }
   *out = s;
   return true;
}

bool mt_store_open_absent (const char *path, MtStore **out, MtError *err)
{
   if (!can_make (path, err))
      return false;
   *out = new_store (path, false);
   (*out)->absent = true;
   return true;
}

void mt_store_remove_old (MtStore *s, int64_t age_ms)
{
   size_t kept = 0;
   mt_group_enter (s);
   uint64_t synced = s->synced_seq;
   mt_group_leave (s);
   for (size_t i = 0; i < s->removal_count; i++) {
      if (s->removals[i].seq > synced || mt_now_ms () - s->removals[i].since_ms < age_ms) {
         s->removals[kept++] = s->removals[i];
         continue;
      }
      unlink (s->removals[i].path);
      free (s->removals[i].path);
   }
   s->removal_count = kept;
}

void mt_store_remove_later (MtStore *s, char *path)
{
   if (!path)
      return;
   s->removals = mt_realloc ("store", s->removals, (s->removal_count + 1) * sizeof *s->removals);
   s->removals[s->removal_count++] = (MtRemoval) {path, mt_now_ms (), s->seq};
}

void mt_store_remove_files_later (MtStore *s, const MtColl *c)
{
   mt_store_remove_later (s, mt_heap_printf ("%s", c->path));
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (mt_run_info (c->runs->runs[i])->entries)
         mt_store_remove_later (s, mt_run_path (c, mt_run_info (c->runs->runs[i])->number));
}

void mt_store_close (MtStore *s)
{
   if (!s)
      return;
   /* Failures while closing are ignored. To learn of them, call mt_store_sync before. */
   MtError ignored;
   mt_error_clear (&ignored);
   mt_store_rollback (s);
   mt_store_pack_log (s);
   mt_group_flush (s, &ignored);
   mt_group_close (s);
   mt_store_remove_old (s, 0);
   for (size_t i = 0; i < s->removal_count; i++) /* the next writer removes these files */
      free (s->removals[i].path);
   free (s->removals);
   free (s->marks);
   while (s->coll_count)
      mt_store_forget (s, s->colls[s->coll_count - 1]);
   if (s->manifest_fd >= 0)
      close (s->manifest_fd);
   mt_store_unlock (s);
   mt_mates_leave (s);
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
   return c ? c->committed_length + c->logged_bytes : 0;
}

/* ---- steps ---- */

/* Returns whether `name` is a segment file or a run (file of sorted keys) to which the store does
 * not refer: its step was never committed, or a commit removed the file from the store. */
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

/* Removes, once for each open store, files to which the store does not refer, and temporary files
 * of an interrupted compaction of the manifest. */
static void tidy (MtStore *s)
{
   DIR *d = s->tidied ? NULL : opendir (s->path);
   MtError ignored;
   s->tidied = true;
   mt_error_clear (&ignored);
   if (!d)
      return;
   for (struct dirent *e; (e = readdir (d));) {
      if (!is_nobodys (s, e->d_name) && strncmp (e->d_name, "MANIFEST.", 9) != 0)
         continue;
      /* First sync the manifest: the commit that dropped the file may not be durable yet. */
      mt_group_enter (s);
      bool synced = mt_manifest_sync (s, s->seq, &ignored);
      mt_group_leave (s);
      if (!synced)
         break;
      char *path = mt_heap_printf ("%s/%s", s->path, e->d_name);
      unlink (path);
      free (path);
   }
   closedir (d);
}

/* Fails with 40001 if the store is frozen (it keeps reading one state) and another process has
 * committed since then. */
static bool still_newest (MtStore *s, MtError *err)
{
   bool newest = true, ok = true;
   /* Wait while the sync thread writes, because it changes the head slots. */
   mt_group_enter (s);
   if (s->frozen)
      ok = mt_manifest_is_newest (s, &newest, err);
   mt_group_leave (s);
   if (!ok)
      return false;
   return newest || mt_error_outrun (err);
}

/* Takes the writer's lock, and applies commits of other processes. If commits of this process wait
 * for their sync, it already holds the lock. */
static bool take_lock (MtStore *s, MtError *err)
{
   mt_group_enter (s);
   s->busy = true;
   bool held = s->lock_fd >= 0;
   mt_group_leave (s);
   return held || (make_absent (s, err) && mt_store_lock (s, err) && mt_manifest_refresh (s, err));
}

void mt_store_let_go (MtStore *s)
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
      mt_store_let_go (s);
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
   if (s->broken || atomic_load (&s->sync_failed))
      return mt_error (
         err, MT_E_IO,
         "store \"%s\" must be opened again: the outcome of an earlier commit is not known",
         s->path);
   if (!take_lock (s, err) || !still_newest (s, err) || !mt_manifest_heal (s, err)) {
      mt_store_let_go (s);
      return false;
   }
   if (!s->temporary)
      tidy (s);
   s->in_step = true;
   s->failed = s->packs = false;
   s->made = 0;
   mt_buf_clear (&s->record);
   return true;
}

void mt_store_undo_step (MtStore *s)
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
   mt_store_undo_step (s);
   mt_store_let_go (s);
}
