/* TRUNCATE: removes all rows of tables in one step. */
#include "base/spool.h"
#include "layouts/expire.h"
#include "layouts/collections/partition.h"
#include "layouts/collections/collections.h"
#include "engine/pipe.h"
#include "session/coordinate/coordinate.h"
#include "session/core/objects.h"
#include "session/core/sequence.h"
#include "session/dml/dml.h"
#include "session/core/core.h"

#include <string.h>

static bool read_ids (MtStatement *st, const char *collection, MtSpool *spool, MtError *err)
{
   bson_t *project = mt_doc_new (st->arena);
   MtPipe *pipe = mt_pipe_new (st->arena);
   MtCursor *c;
   const bson_t *doc;
   bool ok;
   mt_doc_add_int (project, "_id", 1);
   mt_pipe_add (pipe, "$project", project);
   if (!mt_engine_aggregate (
          st->session->engine,
          &(MtAggregateArgs) {.collection = collection, .pipeline = pipe->stages}, &c, err))
      return false;
   while ((ok = mt_cursor_next (c, &doc, err)) && doc)
      if (!(ok = mt_spool_add (spool, doc, err)))
         break;
   mt_cursor_free (c);
   return ok && mt_spool_rewind (spool, err);
}

/* Deletes the documents of an attached collection one by one, so that the collection keeps its
 * indexes and options. */
static bool delete_all (MtStatement *st, const char *collection, MtError *err)
{
   MtSpool *spool = mt_spool_new (st->arena);
   const bson_t *doc;
   bson_iter_t it;
   bool ok, deleted;
   if (!read_ids (st, collection, spool, err))
      return false;
   while ((ok = mt_spool_next (spool, &doc, err)) && doc)
      if (bson_iter_init_find (&it, doc, "_id") &&
          !mt_engine_delete_id (st->session->engine, collection, mt_v_from_iter (&it), &deleted,
                                err))
         return false;
   return ok;
}

bool mt_empty_layout (MtStatement *st, const MtTable *t, const MtLayout *l, bool refill,
                      MtError *err)
{
   MtEngine *e = st->session->engine;
   /* On a server, a dropped collection disappears only at the end of the step. */
   bool one_by_one = l->attached || (refill && !mt_engine_caps (e)->local_operators);
   for (size_t i = 0; i < l->store_count; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (st->arena, &l->stores[i], &n);
      for (size_t k = 0; k < n; k++)
         if (one_by_one ? !delete_all (st, names[k], err)
                        : !mt_engine_drop_collection (e, names[k], err))
            return false;
   }
   for (size_t i = 0; i < l->store_count && !one_by_one; i++)
      if (!l->stores[i].parts && !mt_store_make_again (e, t, &l->stores[i], err))
         return false;
   return true;
}

static bool empty_layouts (MtStatement *st, const MtTable *t, bool attached, MtError *err)
{
   for (size_t i = 0; i < t->layout_count; i++)
      if (t->layouts[i].attached == attached &&
          !mt_empty_layout (st, t, &t->layouts[i], false, err))
         return false;
   return true;
}

/* Returns the expiry without the time before which rows are hidden; NULL: nothing else remains of
 * it. An empty table has no hidden rows that could become visible. */
static const MtExpiry *without_floor (MtArena *a, const MtExpiry *x)
{
   if (!x || !x->ended || !x->ages)
      return x && x->ages ? x : NULL;
   MtExpiry *ages = MT_NEW (a, MtExpiry);
   *ages = *x;
   ages->ended = false;
   return ages;
}

/* Saves the empty table's statistics and indexes. */
static bool save_empty (MtStatement *st, const MtTable *t, MtError *err)
{
   MtTable next = *t;
   next.layouts = MT_NEW_N (st->arena, MtLayout, t->layout_count);
   memcpy (next.layouts, t->layouts, t->layout_count * sizeof (MtLayout));
   next.expiry = without_floor (st->arena, t->expiry);
   for (size_t i = 0; i < t->layout_count; i++) {
      next.layouts[i].stats = MT_NEW_N (st->arena, MtStoreStats, next.layouts[i].store_count);
      next.layouts[i].expiry = without_floor (st->arena, t->layouts[i].expiry);
   }
   return mt_make_indexes (st, &next, err) &&
          mt_catalog_save (st->session->catalog, &next, NULL, err);
}

bool mt_truncate_table (MtStatement *st, const MtTable *t, MtError *err)
{
   return empty_layouts (st, t, true, err) && empty_layouts (st, t, false, err) &&
          save_empty (st, t, err);
}

static bool is_among (const MtTable *const *list, size_t n, const MtTable *t)
{
   while (n-- > 0)
      if (list[n] == t)
         return true;
   return false;
}

/* Fills `tables` with the tables that TRUNCATE names, each once, and sets *count. */
static bool find_tables (MtStatement *st, const MtTable **tables, size_t *count, MtError *err)
{
   *count = 0;
   for (const MtNameList *l = st->stmt->drop.names; l; l = l->next) {
      if (!mt_need_table (st, &l->name, &tables[*count], err)) {
         err->span = MT_NO_SPAN;
         return false;
      }
      *count += !is_among (tables, *count, tables[*count]);
   }
   return true;
}

/* Ends the intents (notes in the catalog) of concurrent writers, so that these writers fail. Call
 * it before the first collection is dropped, because a writer could otherwise commit rows into a
 * dropped collection. Call it again after the last one, for writers that began meanwhile. */
static bool end_writers (MtStatement *st, const MtTable **tables, size_t *count, MtError *err)
{
   MtSession *s = st->session;
   if (!mt_has_intents (s))
      return true;
   bool ok = mt_catalog_refresh (s->catalog, NULL, err) && find_tables (st, tables, count, err);
   for (size_t i = 0; ok && i < *count; i++)
      ok = mt_intents_break (st, tables[i], err);
   return ok;
}

/* Returns how long dropping the collections on a server may take in ms; used if the statement has a
 * deadline. */
static int64_t most_ms (MtStatement *st, const MtTable *const *tables, size_t count)
{
   enum { AT_LEAST_MS = 30000, EACH_MS = 1000 };
   int64_t ms = AT_LEAST_MS;
   for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < tables[i]->layout_count; k++)
         for (size_t j = 0; j < tables[i]->layouts[k].store_count; j++) {
            size_t n;
            mt_store_collections_of (st->arena, &tables[i]->layouts[k].stores[j], &n);
            ms += EACH_MS * (int64_t) n;
         }
   return ms;
}

bool mt_touch_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtTouch *touch;
   return mt_touch_open (st, t, &touch, err) && mt_touch_all (touch, err) &&
          mt_touch_save (touch, err);
}

/* Truncates the tables. A server cannot restore dropped collections, so all work that can be undone
 * comes first. Once collections are dropped, no timeout stops the statement. */
static bool truncate_all (MtStatement *st, const MtTable **tables, size_t count, MtError *err)
{
   MtSession *s = st->session;
   const char *first = mt_quoted (st->arena, tables[0]->name);
   bool ok = true;
   for (size_t i = 0; i < count && ok; i++)
      ok = mt_touch_table (st, tables[i], err) && empty_layouts (st, tables[i], true, err);
   if (!ok || !mt_cancel_check (&s->cancel, err))
      return false;
   MtSuspended h = mt_cancel_suspend (
      s, s->cancel.deadline_ms ? mt_now_ms () + most_ms (st, tables, count) : 0);
   for (size_t i = 0; i < count && ok; i++)
      ok = empty_layouts (st, tables[i], false, err);
   ok = ok && end_writers (st, tables, &count, err);
   for (size_t i = 0; i < count && ok; i++)
      ok = save_empty (st, tables[i], err) &&
           (!st->stmt->drop.restart ||
            mt_sequences_restart (st, mt_table_id (st->arena, tables[i]), err));
   ok = ok && mt_step_commit (s, err);
   mt_cancel_resume (s, h);
   if (!ok && !mt_engine_caps (s->engine)->savepoints && !mt_engine_in_txn (s->engine))
      mt_error_hint (
         err,
         "Some collections may be empty and others not. Run REPAIR TABLE %s, then run the "
         "statement again.",
         first);
   return ok;
}

bool mt_run_truncate (MtStatement *st, MtError *err)
{
   MtSession *s = st->session;
   size_t n = 0;
   for (const MtNameList *l = st->stmt->drop.names; l; l = l->next)
      n++;
   const MtTable **tables = MT_NEW_N (st->arena, const MtTable *, n);
   if (!find_tables (st, tables, &n, err))
      return false;
   mt_result_set_tag (st->result, "TRUNCATE TABLE");
   if (mt_engine_caps (s->engine)->read_only)
      return mt_error (err, MT_E_READ_ONLY, "cannot write to table \"%s\": the target is read-only",
                       tables[0]->name);
   bool ok = true;
   for (size_t i = 0; i < n && ok; i++)
      ok = mt_intend (st, tables[i], MT_INTENDS_TRUNCATE, NULL, 0, err);
   if (!ok || !end_writers (st, tables, &n, err) || !mt_step_begin (s, err)) {
      mt_intents_end (s);
      return false;
   }
   if (truncate_all (st, tables, n, err))
      return true;
   mt_step_rollback (s);
   return false;
}
