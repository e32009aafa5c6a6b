/* Temporary collections. They are in a local store that an engine has in addition to its target. */
#include "engine/implement.h"

#include <stdlib.h>
#include <string.h>

bool mt_is_temporary (const char *collection)
{
   return collection && strncmp (collection, MT_TEMPORARY, sizeof MT_TEMPORARY - 1) == 0;
}

bool mt_is_streamed (const char *collection)
{
   return collection && strncmp (collection, MT_STREAMED, sizeof MT_STREAMED - 1) == 0;
}

void mt_doc_stream_close (MtDocStream *s)
{
   if (s)
      s->close (s);
}

void mt_engine_set_streams (MtEngine *e, const MtDocStreams *streams)
{
   e->streams = streams;
   mt_engine_set_alike (e);
}

MtEngine *mt_engine_of (MtEngine *e, const char *collection)
{
   return e->temporary && mt_is_temporary (collection) ? e->temporary : e;
}

MtEngine *mt_engine_temporary (MtEngine *e) { return e->temporary; }

const MtCaps *mt_engine_target_caps (const MtEngine *e) { return &e->caps; }

void mt_engine_set_alike (MtEngine *e)
{
   MtEngine *t = e->temporary;
   if (!t)
      return;
   t->cancel = e->cancel;
   t->progress = e->progress;
   t->streams = e->streams;
   t->work_mem = e->work_mem;
   t->threads = e->threads;
   t->reading = e->reading;
   t->ops = e->ops;
   t->op_tables = e->op_tables;
   t->op_index = e->op_index;
}

bool mt_engine_keep_temporary (MtEngine *e, MtError *err)
{
   if (e->temporary)
      return true;
   MtEngineOptions o = {.create = true, .threads = e->threads, .work_mem = e->work_mem};
   MtEngine *t;
   if (!mt_local_open (NULL, &o, &t, err))
      return false;
   t->target = e;
   t->in_txn = e->in_txn || e->in_pieces;
   e->temporary = t;
   mt_engine_set_alike (e);
   return true;
}

void mt_engine_aim_temporary (MtEngine *e, bool on) { e->aimed = on && e->temporary; }

static int by_name (const void *a, const void *b)
{
   return strcmp (*(const char *const *) a, *(const char *const *) b);
}

bool mt_add_temporary (MtEngine *e, MtArena *a, const char ***names, size_t *count, MtError *err)
{
   const char **more;
   size_t n;
   if (!e->temporary->vt->collections (e->temporary, a, &more, &n, err))
      return false;
   const char **all = MT_NEW_N (a, const char *, *count + n + 1);
   for (size_t i = 0; i < *count; i++)
      all[i] = (*names)[i];
   for (size_t i = 0; i < n; i++)
      all[*count + i] = more[i];
   *count += n;
   *names = all;
   qsort (all, *count, sizeof *all, by_name);
   return true;
}
