/* Finds the table to which a collection belongs. */
#include "layouts/collections/partition.h"
#include "session/state/session.h"

#include <string.h>

/* Returns whether two stores have a collection in common, or could get one when partitions are
 * created. */
static bool may_share_collection (const MtStoreDesc *a, const MtStoreDesc *b)
{
   if (a->parts && b->parts)
      return a->parts->unit == b->parts->unit && strcmp (a->collection, b->collection) == 0;
   return a->parts ? mt_store_owns (a, b->collection) : mt_store_owns (b, a->collection);
}

const MtTable *mt_store_owner (MtSession *s, const MtStoreDesc *store, bool *attached)
{
   size_t count;
   const MtTable *const *tables = mt_catalog_tables (s->catalog, &count);
   for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < tables[i]->layout_count; j++)
         for (size_t k = 0; k < tables[i]->layouts[j].store_count; k++)
            if (may_share_collection (&tables[i]->layouts[j].stores[k], store)) {
               *attached = tables[i]->layouts[j].attached;
               return tables[i];
            }
   return NULL;
}

const MtTable *mt_collection_owner (MtSession *s, const char *collection, bool *attached)
{
   return mt_store_owner (s, &(MtStoreDesc) {.collection = collection}, attached);
}
