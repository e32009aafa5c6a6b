/* Removes the collections that dead writers have left. */
#include "layouts/collections/partition.h"
#include "session/coordinate/coordinate_int.h"

#include <string.h>

static bool drop_unowned (MtSession *s, const char *collection, MtError *err)
{
   bool attached;
   return mt_collection_owner (s, collection, &attached) ||
          mt_engine_drop_collection (s->engine, collection, err);
}

static const struct {
   MtUnit unit;
   const char *suffix;
} PARTITIONS[] = {{MT_UNIT_MONTH, "_YYYY_MM"}, {MT_UNIT_DAY, "_YYYY_MM_DD"}};
#define PARTITION_KINDS (sizeof PARTITIONS / sizeof *PARTITIONS)

const char *mt_intended_name (MtArena *a, const MtStoreDesc *s)
{
   for (size_t i = 0; i < PARTITION_KINDS && s->parts; i++)
      if (s->parts->unit == PARTITIONS[i].unit)
         return mt_printf (a, "%s%s", s->collection, PARTITIONS[i].suffix);
   return s->collection;
}

/* Returns a store for a collection's name in an intent (a note of a planned write). calls_YYYY_MM
 * means all monthly partitions of a store, and sets *parts. */
static MtStoreDesc intended_store (MtArena *a, const char *name, MtPartitions *parts)
{
   size_t n = strlen (name);
   for (size_t i = 0; i < PARTITION_KINDS; i++) {
      size_t k = strlen (PARTITIONS[i].suffix);
      if (n <= k || strcmp (name + n - k, PARTITIONS[i].suffix))
         continue;
      *parts = (MtPartitions) {.unit = PARTITIONS[i].unit};
      return (MtStoreDesc) {.collection = mt_strndup (a, name, n - k), .parts = parts};
   }
   return (MtStoreDesc) {.collection = name};
}

/* Drops the collection, or all partitions, that an intent (a note of a planned write) names.
 * Collections that belong to a table in the catalog are kept. */
static bool drop_made (MtStatement *st, const char *name, MtError *err)
{
   const char **names;
   size_t n;
   MtPartitions parts;
   const MtStoreDesc made = intended_store (st->arena, name, &parts);
   if (!made.parts)
      return drop_unowned (st->session, name, err);
   if (!mt_engine_collections (st->session->engine, st->arena, &names, &n, err))
      return false;
   for (size_t i = 0; i < n; i++)
      if (mt_store_owns (&made, names[i]) && !drop_unowned (st->session, names[i], err))
         return false;
   return true;
}

bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count,
                       MtError *err)
{
   MtSession *s = st->session;
   for (size_t i = 0; i < count; i++) {
      bool dropped;
      MtDocIter it = mt_doc_iter (list[i].collections);
      MtStr key;
      MtVal name;
      while (list[i].collections.type == MT_ARRAY && mt_doc_next (&it, &key, &name))
         if (name.type == MT_STRING &&
             !drop_made (st, mt_strndup (st->arena, (const char *) name.p, name.len), err))
            return false;
      if (!mt_catalog_drop_object (s->catalog, MT_INTENT_KIND, list[i].name, &dropped, err))
         return false;
   }
   return true;
}

bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n, created = 0;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && !t->temporary; i++)
      created += mt_intent_is_of_table (list[i].what);
   return !created || (mt_no_live_intents (st, t, err) && mt_clear_intents (st, t, list, n, err));
}

bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err)
{
   size_t n, dead = 0;
   MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n && !t->temporary; i++)
      if (!mt_intent_may_live (st->session, &list[i]))
         list[dead++] = list[i];
   return mt_clear_intents (st, t, list, dead, err);
}

bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection,
                             MtError *err)
{
   size_t n;
   const MtIntent *list = mt_intents_of (st->session, st->arena, t, &n);
   for (size_t i = 0; i < n; i++) {
      MtDocIter it = mt_doc_iter (list[i].collections);
      MtStr key;
      MtVal name;
      while (list[i].collections.type == MT_ARRAY && mt_doc_next (&it, &key, &name))
         if (mt_v_is_text (name, collection)) {
            mt_error (
               err, MT_E_STATE,
               "collection \"%s\" is being filled by another statement, or was left half filled",
               collection);
            return mt_error_hint (
               err, "REPAIR TABLE %s removes it when that statement's writer has died.",
               mt_quoted (st->arena, t->name));
         }
   }
   return true;
}

bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err)
{
   size_t n;
   const MtCatalogObject *all = mt_catalog_objects (s->catalog, MT_INTENT_KIND, &n);
   for (size_t i = 0; i < n; i++) {
      MtVal what = mt_intent_part (&all[i], "what"), made = mt_intent_part (&all[i], "collections"),
            name;
      if (what.type != MT_STRING || made.type != MT_ARRAY ||
          !mt_intent_is_of_table (mt_strndup (a, (const char *) what.p, what.len)))
         continue;
      MtDocIter it = mt_doc_iter (made);
      MtStr key;
      while (mt_doc_next (&it, &key, &name)) {
         MtPartitions parts;
         MtStoreDesc store = {.collection = ""};
         if (name.type == MT_STRING)
            store = intended_store (a, mt_strndup (a, (const char *) name.p, name.len), &parts);
         if (!mt_store_owns (&store, collection))
            continue;
         mt_error (
            err, MT_E_STATE,
            "collection \"%s\" is being made or dropped by another statement, or was left by one "
            "that died",
            collection);
         return mt_error_hint (err, "CREATE TABLE of that table's name removes what was left.");
      }
   }
   return true;
}
