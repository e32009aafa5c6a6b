/* Begins and ends the engine's write steps, and removes the session's intents when they end. The
 * writes of a step are committed or rolled back together. */
#include "session/coordinate/coordinate_int.h"

/* Begins a write step, unless the opened server, store or file is read-only. Then only the catalog
 * is written, which is a separate file, and needs no step. */
bool mt_step_begin (MtSession *s, MtError *err)
{
   return mt_engine_caps (s->engine)->read_only || mt_engine_begin (s->engine, err);
}

bool mt_step_commit (MtSession *s, MtError *err)
{
   if (!mt_engine_caps (s->engine)->read_only &&
       (!mt_intents_stand (s, err) || !mt_engine_commit (s->engine, err)))
      return false;
   /* If the steps of a transaction commit one by one, the intents stay until the whole transaction
    * ends. */
   if (!mt_engine_in_pieces (s->engine))
      mt_intents_end (s);
   return true;
}

void mt_step_rollback (MtSession *s)
{
   if (!mt_engine_caps (s->engine)->read_only)
      mt_engine_rollback (s->engine);
   mt_catalog_invalidate (s->catalog);
   if (mt_engine_in_pieces (s->engine))
      return;
   const char *left = mt_engine_leftover (s->engine);
   if (left)
      mt_notice (s, "WARNING", "Check these documents before you run the statement again.",
                 "the statement could not be undone completely: documents of it may remain in %s",
                 left);
   else if (!mt_undone_was_read (s))
      mt_intents_drop (s);
   mt_intents_leave (s);
}

/* ---- steps that change documents ---- */

enum { MOST_SHORT = 1000 }; /* greatest number of VALUES rows in a short statement */

/* Returns whether the statement may write rows long before it ends: COPY, INSERT … SELECT, or many
 * VALUES. Other clients see such rows, although the statement may still be undone. */
static bool takes_long (const MtStatement *st)
{
   const MtStmt *s = st->stmt;
   const MtSelect *source = s->kind == MT_STMT_INSERT ? s->insert.source : NULL;
   size_t n = 0;
   if (source && source->kind == MT_SELECT_VALUES)
      for (const MtRowList *r = source->values.rows; r && n <= MOST_SHORT; r = r->next)
         n++;
   return s->kind == MT_STMT_COPY || (source && source->kind != MT_SELECT_VALUES) || n > MOST_SHORT;
}

bool mt_table_step_begin (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   size_t stores = 0;
   for (size_t i = 0; i < t->layout_count; i++)
      stores += t->layouts[i].store_count;
   bool seen = !t->temporary && takes_long (st) && !mt_engine_caps (s->engine)->atomic_write;
   bool told = mt_leases_apply (s) && !t->temporary && mt_others_remake (st, t);
   if ((stores > 1 || seen || told) && !mt_intend (st, t, MT_INTENDS_WRITE, NULL, 0, err))
      return false;
   if (mt_step_begin (s, err))
      return true;
   mt_intents_end (s);
   return false;
}
