/* What the catalog's files share. */
#ifndef MT_CATALOG_INT_H
#define MT_CATALOG_INT_H

#include "catalog/catalog.h"

typedef struct MtEntry {
   MtArena *arena; /* the entry's own: freed a refresh after it was replaced */
   const char *kind, *name;
   bson_t *doc;         /* as stored */
   MtTable *table;      /* tables that could be read */
   MtStoreStats **kept; /* by layout and store: bounds and NULLs as others know them, where `table`
                           has counted on; NULL: it hasn't */
   MtError damage;      /* why one couldn't */
   bson_t *body;        /* other objects */
   bool temporary;
} MtEntry;

struct MtCatalog {
   MtEngine *e;
   const char *file;
   bool stored;        /* in the engine */
   MtArena *arena;     /* the catalog's */
   MtArena *lists;     /* arrays given out since the last refresh */
   int64_t assumed_us; /* when a statement began without asking, on the same clock */
   int64_t looked_us;  /* when the last one asked for the version, on the monotonic clock */
   MtEntry **entries;
   size_t count, cap;
   MtArena *retired[2]; /* parents of what was replaced: in this statement, and in the one before */
   int64_t version;
   bool loaded;
   uint64_t generation; /* of what was read */
   bool told;           /* others go by what was changed here */
   bool stale;          /* what there is in the temporary store has to be read again */
   const char (*own_intents)[25];
   const size_t *own_intent_count;
   bool met_intent; /* a growth looked at the one that there is */
   bool intent_stood;
};

/* A stored document; NULL when it is none of the catalog's. Owned by the caller: its arena. */
MtEntry *mt_catalog_read_entry (const bson_t *stored);
/* Among what is known, in place of what had its name. write: it isn't where it is kept yet. */
bool mt_catalog_keep_entry (MtCatalog *c, const bson_t *doc, bool write, MtEntry **out,
                            MtError *err);
/* The document of this session's one intent; NULL: there is none, or more. */
const bson_t *mt_catalog_own_intent (MtCatalog *c);
bool mt_catalog_read_version (MtCatalog *c, int64_t *version, MtError *err);
/* Others are to read again: in the step, or at once, where numbers can be adjusted. */
bool mt_catalog_bump (MtCatalog *c, MtError *err);
/* mt_engine_adjust of one of the catalog's documents, and others are to read again, by one command;
 * told are they in any case. then: what else it does, behind that; NULL: nothing. */
bool mt_catalog_adjust_telling (MtCatalog *c, MtVal id, const MtAdjust *how, MtVal then_id,
                                const MtAdjust *then, bool *found, MtError *err);
/* Saves what was counted, beside others. Nobody relies on how many there are: nobody is told. */
bool mt_catalog_save_counts (MtCatalog *c, MtError *err);

#endif
