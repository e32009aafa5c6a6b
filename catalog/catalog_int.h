/* Private to catalog: the cache. */
#ifndef MT_CATALOG_INT_H
#define MT_CATALOG_INT_H

#include "catalog/catalog.h"

/* A cached document. */
typedef struct MtEntry {
   MtArena *arena; /* the entry's own; freed at the second refresh after the entry was replaced */
   const char *kind, *name;
   bson_t *doc;    /* as stored */
   MtTable *table; /* of tables, unless damaged */
   /* By layout and store: the statistics as they are stored, if `table` has counted more since;
    * NULL: it has not. */
   MtStoreStats **kept;
   MtError damage; /* of damaged tables */
   bson_t *body;   /* of other objects */
   bool temporary;
} MtEntry;

struct MtCatalog {
   MtEngine *e;
   const char *file;
   bool stored; /* in the engine */
   MtArena *arena;
   MtArena *lists;     /* arrays that were returned since the last refresh */
   int64_t assumed_us; /* when mt_catalog_assume began a statement, on the monotonic clock */
   int64_t looked_us;  /* when the version was last read, on the monotonic clock */
   MtEntry **entries;  /* sorted by kind and name */
   size_t count, cap;
   /* Arenas of entries that were replaced in this statement, and in the statement before. */
   MtArena *retired[2];
   int64_t version;
   bool loaded;
   uint64_t generation;
   bool told;  /* something changed that other sessions rely on */
   bool stale; /* the temporary catalog must be read again */
   const char (*own_intents)[25];
   const size_t *own_intent_count;
   bool met_intent;   /* a growth checked the session's only intent */
   bool intent_stood; /* and found it */
};

/* Reads a stored document. NULL if it is no object of the catalog. Owned by the caller: its
 * arena. */
MtEntry *mt_catalog_read_entry (const bson_t *stored);
/* Puts a document into the cache, in place of the entry with its name. write: also stores it. */
bool mt_catalog_keep_entry (MtCatalog *c, const bson_t *doc, bool write, MtEntry **out,
                            MtError *err);
/* Returns the document of this session's only intent; NULL: there is none, or several. */
const bson_t *mt_catalog_own_intent (MtCatalog *c);
bool mt_catalog_read_version (MtCatalog *c, int64_t *version, MtError *err);
/* Increments the version: at once if the engine can adjust numbers, else in the step. */
bool mt_catalog_bump (MtCatalog *c, MtError *err);
/* Adjusts one of the catalog's documents (mt_engine_adjust), and increments the version by the same
 * command, even if *found is false. then: another adjustment after that; NULL: none. */
bool mt_catalog_adjust_telling (MtCatalog *c, MtVal id, const MtAdjust *how, MtVal then_id,
                                const MtAdjust *then, bool *found, MtError *err);
/* Saves counted statistics at once, without incrementing the version, because no plan relies on
 * them. */
bool mt_catalog_save_counts (MtCatalog *c, MtError *err);

#endif
