/* TRUNCATE: all rows of tables, in one step. */
#include "base/spool.h"
#include "layouts/partition.h"
#include "planner/pipe.h"
#include "session/maintain.h"

#include <string.h>

static bool ids_of (MtStatement *st, const char *collection, MtSpool *spool, MtError *err)
{
   bson_t *project = mt_doc_new (st->arena);
   MtPipe *pipe = mt_pipe_new (st->arena);
   MtCursor *c;
   const bson_t *doc;
   bool ok;
   mt_doc_add_int (project, "_id", 1);
   mt_pipe_add (pipe, "$project", project);
   if (!mt_engine_aggregate (st->session->engine, &(MtAggregateArgs){.collection = collection, .pipeline = pipe->stages}, &c, err))
      return false;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc)
      if (!(ok = mt_spool_add (spool, doc, err)))
         break;
   mt_cursor_free (c);
   return ok && mt_spool_rewind (spool, err);
}

/* A collection that others made keeps its indexes and options: its documents go one by one. */
static bool delete_all (MtStatement *st, const char *collection, MtError *err)
{
   MtSpool *spool = mt_spool_new (st->arena);
   const bson_t *doc;
   bson_iter_t it;
   bool ok, deleted;
   if (!ids_of (st, collection, spool, err))
      return false;
   while ((ok = mt_spool_next (spool, &doc, err)) && doc)
      if (bson_iter_init_find (&it, doc, "_id") && !mt_engine_delete_id (st->session->engine, collection, mt_v_from_iter (&it), &deleted, err))
         return false;
   return ok;
}

bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill, MtError *err)
{
   MtEngine *e = st->session->engine;
   /* A server drops collections when the step ends. */
   bool one_by_one = l->attached || (refill && !mt_engine_caps (e)->local_operators);
   for (size_t i = 0; i < l->store_count; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (st->arena, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++)
         if (one_by_one ? !delete_all (st, names[k], err) : !mt_engine_drop_collection (e, names[k], err))
            return false;
   }
   return one_by_one || mt_layout_create_collections (e, t, l, err);
}

bool mt_truncate_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtTable next = *t;
   next.layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   memcpy (next.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   for (size_t i = 0; i < t->layout_count; i++) {
      if (!mt_empty_layout (st, t, &t->layouts[i], false, err))
         return false;
      next.layouts[i].stats = MT_NEW_N (st->arena, MtStoreStats, next.layouts[i].store_count);
   }
   return mt_intents_break (st, t, err) && mt_make_indexes (st, &next, err) && mt_catalog_save (st->session->catalog, &next, NULL, err);
}

static bool among (const MtTable *const *list, size_t n, const MtTable *t)
{
   while (n-- > 0)
      if (list[n] == t)
         return true;
   return false;
}

bool mt_run_truncate (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   size_t n = 0;
   for (const MtNameList *l = st->stmt->drop.names; l; l = l->next)
      n++;
   const MtTable **tables = MT_NEW_N (st->arena, const MtTable *, n);
   n = 0;
   for (const MtNameList *l = st->stmt->drop.names; l; l = l->next) {
      if (!mt_need_table (st, &l->name, &tables[n], err)) {
         err->span = MT_NO_SPAN;
         return false;
      }
      n += !among (tables, n, tables[n]);
   }
   mt_result_set_tag (st->result, "TRUNCATE TABLE");
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only", tables[0]->name);
   bool ok = true;
   for (size_t i = 0; i < n && ok; i++)
      ok = mt_intend (st, tables[i], MT_INTENDS_TRUNCATE, NULL, 0, err);
   if (!ok || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   for (size_t i = 0; i < n && ok; i++)
      ok = mt_truncate_table (st, tables[i], err);
   if (ok && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}
