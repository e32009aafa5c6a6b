/* Savepoints within an open step (an uncommitted batch). They implement SAVEPOINT, and the
 * statements of a transaction. The blocks of a step are already in the segment files when the
 * savepoint is set. So a savepoint only stores the lengths of all lists, and returning to it
 * shortens the lists. */
#include "engine/local/store/store_int.h"
#include "engine/local/store/runs.h"
#include "engine/local/store/manifest_int.h"

#include <stdlib.h>
#include <unistd.h>

static bool flush_all (MtStore *s, MtError *err)
{
   for (size_t i = 0; i < s->coll_count; i++)
      if (!s->colls[i]->dropped && !mt_coll_flush (s->colls[i], err)) {
         s->failed = true;
         if (err)
            s->failure = *err;
         return false;
      }
   return true;
}

bool mt_store_see (MtStore *s, MtError *err)
{
   if (!s->in_step)
      return true;
   if (!flush_all (s, err))
      return false;
   for (size_t i = 0; i < s->coll_count; i++)
      if (!s->colls[i]->dropped)
         mt_coll_see (s->colls[i]);
   return true;
}

/* ---- marks ---- */

void mt_store_forget_marks (MtStore *s, size_t kept)
{
   while (s->mark_count > kept)
      free (s->marks[--s->mark_count].colls);
}

bool mt_store_mark (MtStore *s, size_t *mark, MtError *err)
{
   if (!mt_store_see (s, err))
      return false;
   MtMarkColl *colls = mt_calloc ("store", s->coll_count + 1, sizeof *colls);
   s->marks = mt_realloc ("store", s->marks, (s->mark_count + 1) * sizeof *s->marks);
   for (size_t i = 0; i < s->coll_count; i++) {
      MtColl *c = s->colls[i];
      colls[i] = (MtMarkColl) {
         c,          c->block_count, c->gone_count, c->serial_count, c->field_count, c->length,
         c->dropped, c->folded,      c->undo_count, c->event_log.n,  c->path_refs};
   }
   s->marks[s->mark_count] = (MtStoreMark) {colls, s->coll_count, s->record.n};
   *mark = ++s->mark_count;
   return true;
}

void mt_store_return (MtStore *s, size_t mark)
{
   if (!s->in_step || mark == 0 || mark > s->mark_count)
      return;
   mt_store_forget_marks (s, mark);
   const MtStoreMark *m = &s->marks[mark - 1];
   /* remove the collections that were created after the savepoint */
   while (s->coll_count > m->coll_count) {
      MtColl *c = s->colls[s->coll_count - 1];
      if (c->path && c->fd >= 0)
         unlink (c->path);
      mt_runs_cut (c, 0);
      mt_store_forget (s, c);
   }
   for (size_t i = 0; i < m->coll_count; i++)
      mt_coll_return (m->colls[i].coll, &m->colls[i]);
   s->record.n = m->record_bytes;
   s->last = NULL;
   s->failed = false; /* the step had not failed yet when the mark was set */
}

void mt_store_unmark (MtStore *s, size_t mark)
{
   if (mark)
      mt_store_forget_marks (s, mark - 1);
}

/* ---- one snapshot for many reads ---- */

bool mt_store_freeze (MtStore *s, bool freeze, MtError *err)
{
   if (freeze && !s->frozen && !mt_manifest_refresh (s, err))
      return false;
   s->frozen = freeze;
   return true;
}
