/* Creates the collections of layouts, with their indexes and shard keys. */
#ifndef MT_COLLECTIONS_H
#define MT_COLLECTIONS_H

#include "engine/engine.h"
#include "layouts/table.h"

/* Creates a collection of the store, with its shard key and the indexes that find its documents,
 * unless it exists. *made is true if this call has created it. On a server, a rollback keeps the
 * collection of a partition. */
bool mt_store_make_collection (MtEngine *e, const MtTable *t, const MtStoreDesc *s,
                               const char *collection, bool *made, MtError *err);
/* Creates or drops the unique index of a key in a store's collection, if a server's unique index
 * can keep the key there. */
bool mt_store_make_key (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                        const char *collection, MtError *err);
bool mt_store_drop_key (MtEngine *e, const MtTable *t, const MtTableKey *k, const MtStoreDesc *s,
                        const char *collection, MtError *err);
/* Creates the collection of a store without partitions again, after it was dropped. If an insert by
 * another client has already created it, only adds the indexes. */
bool mt_store_make_again (MtEngine *e, const MtTable *t, const MtStoreDesc *s, MtError *err);
/* Creates the missing collections of a layout, except partitions, which are created when their
 * first document is written. */
bool mt_layout_create_collections (MtEngine *e, const MtTable *t, const MtLayout *l, MtError *err);

#endif
