/* DROP TABLE. */
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate.h"
#include "session/core/core.h"
#include "session/core/objects.h"
#include "session/continuous/continuous.h"
#include "session/ddl/ddl.h"
#include "session/ddl/dependents.h"

#include <string.h>

bool mt_drop_collections (MtSession *s, const MtLayout *l, MtError *err)
{
   MtArena *a = mt_arena_new ("collections", NULL);
   bool ok = true;
   for (size_t i = 0; i < l->store_count && !l->attached; i++) {
      size_t n;
      const char *const *names = mt_store_collections_of (a, &l->stores[i], &n);
      for (size_t k = 0; k < n && ok; k++)
         ok = mt_engine_drop_collection (s->engine, names[k], err);
   }
   mt_arena_free (a);
   return ok;
}

/* A server drops the collections after the table's entry in the catalog is gone. Until then the
 * intent (a note in the catalog) prevents a new table or layout of the same name from using the old
 * collections. */
bool mt_begin_drop (MtStatement *st, const MtTable *t, const MtLayout *layouts, size_t count,
                    const char *what, MtError *err)
{
   const char **names;
   size_t n = 0, stores = 0;
   for (size_t i = 0; i < count; i++)
      stores += layouts[i].store_count;
   names = MT_NEW_N (st->arena, const char *, stores + 1);
   for (size_t i = 0; i < count; i++)
      for (size_t k = 0; k < layouts[i].store_count && !layouts[i].attached; k++)
         names[n++] = mt_intended_name (st->arena, &layouts[i].stores[k]);
   if (n && !mt_intend (st, t, what, names, n, err))
      return false;
   if (mt_step_begin (st->session, err))
      return true;
   mt_intents_end (st->session);
   return false;
}

bool mt_drop_one_table (MtStatement *st, const MtTable *t, MtError *err)
{
   MtSession *s = st->session;
   if (!mt_begin_drop (st, t, t->layouts, t->layout_count, MT_INTENDS_DROP, err))
      return false;
   bool dropped, ok = true;
   for (size_t i = 0; i < t->layout_count && ok; i++)
      ok = mt_drop_collections (s, &t->layouts[i], err);
   const char *id = mt_table_id (st->arena, t);
   if (ok && mt_clear_dead_intents (st, t, err) && mt_intents_break (st, t, err) &&
       mt_indexes_drop (s, st->arena, id, err) && mt_sequences_drop (st, id, err) &&
       mt_comments_drop (s, id, err) && mt_matview_forget (s, id, err) &&
       mt_catalog_drop (s->catalog, id, &dropped, err) && mt_step_commit (s, err))
      return true;
   mt_step_rollback (s);
   return false;
}

static bool find_table (MtStatement *st, const MtName *name, const char **out, MtError *err)
{
   const MtTable *t;
   if (!mt_catalog_find (st->session->catalog, name->text, mt_name_is_exact (name), &t, err))
      return false;
   if (t) {
      *out = mt_table_id (st->arena, t);
      return true;
   }
   if (mt_is_view (st->session, name->text)) {
      mt_error (err, MT_E_WRONG_OBJECT, "\"%s\" is not a table", name->text);
      return mt_error_hint (err, "Use DROP VIEW to remove a view.");
   }
   if (st->stmt->drop.if_exists) {
      mt_notice (st->session, "NOTICE", NULL, "table \"%s\" does not exist, skipping", name->text);
      return true;
   }
   mt_error_at (err, name->span, MT_E_UNDEFINED_TABLE, "table \"%s\" does not exist", name->text);
   return mt_table_near (st, name->text, err);
}

bool mt_run_drop_table (MtStatement *st, MtError *err)
{
   mt_result_set_tag (st->result, "DROP TABLE");
   return mt_drop_named (st, MT_RELATION_TABLE, find_table, err);
}
