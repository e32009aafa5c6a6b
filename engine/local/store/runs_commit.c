/* Writes runs (files of sorted keys) after a commit, and adds them to the manifest by a commit of
 * their own. */
#include "engine/local/store/record_int.h"
#include "engine/local/store/runs_int.h"

#include <stdlib.h>
#include <unistd.h>

static bool commit (MtColl *c, MtError *err)
{
   bool unknown = false, ok = mt_store_commit_record (c->store, &unknown, err);
   c->store->broken |= unknown;
   return ok;
}

/* Writes the file of a run, and commits the run to the manifest. Files of runs that it replaces are
 * removed later. */
static bool make_run (MtRunMaking *m, MtError *err)
{
   MtColl *c = m->c;
   int fd;
   if (!mt_run_build (m, c->committed_length, &fd, err))
      return false;
   mt_buf_clear (&c->store->record);
   mt_record_run (c->store, c, &m->info);
   if (!commit (c, err)) {
      if (!c->store->broken)
         mt_run_remove_file (c, &m->info);
      if (fd >= 0)
         close (fd);
      return false;
   }
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (c->runs->runs[i]->info.entries && mt_run_within (&c->runs->runs[i]->info, &m->info))
         mt_store_remove_later (c->store, mt_run_path (c, c->runs->runs[i]->info.number));
   mt_coll_add_run (c, &m->info, fd);
   return true;
}

/* Commits to the manifest the runs (files of sorted keys) that the preceding step wrote while it
 * was open. */
static bool commit_runs_of_step (MtColl *c, MtError *err)
{
   bool any = false;
   mt_buf_clear (&c->store->record);
   for (uint32_t i = 0; c->runs && i < c->runs->count; i++)
      if (!c->runs->runs[i]->committed) {
         mt_record_run (c->store, c, &c->runs->runs[i]->info);
         any = true;
      }
   if (any && !commit (c, err))
      return false;
   for (uint32_t i = 0; any && i < c->runs->count; i++)
      c->runs->runs[i]->committed = true;
   return true;
}

/* Writes runs (files of sorted keys) for a field until its blocks are covered, but at most two plus
 * one for each MT_RUN_LEAST_BYTES that the step added. Later commits write the rest. */
static bool make_runs (MtColl *c, uint32_t field, MtError *err)
{
   uint64_t most = 2 + c->grown / MT_RUN_LEAST_BYTES;
   for (MtRunMaking m; most-- > 0 && mt_run_next_part (c, field, &m);) {
      mt_run_take_smaller (&m);
      bool ok = make_run (&m, err);
      free (m.entries);
      if (!ok)
         return false;
   }
   return true;
}

void mt_store_make_runs (MtStore *s)
{
   MtError ignored;
   bool ok = !s->broken;
   mt_error_clear (&ignored);
   for (size_t i = 0; i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      ok = ok && commit_runs_of_step (c, &ignored);
      for (uint32_t f = 0; ok && c->grown && f < c->field_count; f++)
         ok = make_runs (c, f, &ignored);
      c->grown = 0;
   }
   mt_buf_clear (&s->record);
}
