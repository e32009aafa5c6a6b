/* Private to catalog: the cache. */
#ifndef MT_CATALOG_INT_H
#define MT_CATALOG_INT_H

#include "catalog/catalog.h"

/* A cached document. */
typedef struct MtEntry {
   /* The arena of this entry. After the entry was replaced, its arena is freed at the second next
    * refresh. */
   MtArena *arena;
   const char *kind, *name;
   bson_t *doc;    /* the document as stored */
   MtTable *table; /* for tables that are not damaged; else NULL */
   /* If mt_catalog_count has added to the statistics in `table`: the stored statistics, by layout
    * and store. Otherwise NULL. */
   MtStoreStats **kept;
   /* If the stored statistics are in a document of their own: its number, and the arena of those in
    * `table`. 0: they are in the table's document. */
   int64_t counted;
   MtArena *counts;
   uint64_t looked; /* the statement (MtCatalog.statement) that last read that document */
   MtError damage;  /* for damaged tables: the reason */
   bson_t *body;    /* for objects other than tables: their content */
   bool temporary;
} MtEntry;

struct MtCatalog {
   MtEngine *e;
   const char *file;
   bool stored; /* the catalog is a collection of the engine, not a file or in memory */
   MtArena *arena;
   MtArena *lists;     /* has the arrays that were returned since the last refresh */
   int64_t assumed_us; /* when mt_catalog_assume began a statement, on the monotonic clock */
   int64_t looked_us;  /* when the version was last read, on the monotonic clock */
   MtEntry **entries;  /* sorted by kind and name */
   size_t count, cap;
   /* The arenas of entries that were replaced since the last refresh ([0]), and between the last
    * two refreshes ([1]). */
   MtArena *retired[2];
   int64_t version;
   bool loaded;
   uint64_t statement; /* changes whenever a statement begins */
   uint64_t generation;
   bool changed; /* this session changed something that other sessions rely on */
   bool stale;   /* the temporary catalog must be read again */
   const char (*own_intents)[25];
   const size_t *own_intent_count;
   bool met_intent;   /* the last mt_catalog_grow also checked the session's only intent */
   bool intent_stood; /* if met_intent: the intent was still stored */
};

/* Makes an entry from a stored document. Returns NULL if the document does not describe an object.
 * The caller owns MtEntry.arena, which contains the entry. */
MtEntry *mt_catalog_read_entry (const bson_t *stored);
/* Puts a document into the cache, and replaces an entry of the same name. write: also stores the
 * document. */
bool mt_catalog_keep_entry (MtCatalog *c, const bson_t *doc, bool write, MtEntry **out,
                            MtError *err);
/* Returns the document of this session's intent. NULL: the session has none, or several. */
const bson_t *mt_catalog_own_intent (MtCatalog *c);
/* Frees an arena at the second refresh from now. */
void mt_catalog_retire (MtCatalog *c, MtArena *a);
bool mt_catalog_read_version (MtCatalog *c, int64_t *version, MtError *err);
/* Increments the catalog's version: at once if caps.adjusts, otherwise as a write of the open
 * step. */
bool mt_catalog_bump (MtCatalog *c, MtError *err);
/* Changes one document of the catalog (mt_engine_adjust), and increments the version in the same
 * command. The version is incremented even if the document does not exist (*found is false). */
bool mt_catalog_adjust_telling (MtCatalog *c, MtVal id, const MtAdjust *how, bool *found,
                                MtError *err);
/* Saves at once the statistics that mt_catalog_count has added. The version stays the same, because
 * no plan relies on these numbers. */
bool mt_catalog_save_counts (MtCatalog *c, MtError *err);

/* ---- statistics.c ---- */

/* Returns whether statistics of permanent tables are saved in documents of their own. On a server
 * several writers add to the numbers in a table's document. */
bool mt_catalog_counts_apart (const MtCatalog *c);
/* Returns whether a document of the catalog is that of a table's statistics. */
bool mt_catalog_is_counts (const bson_t *doc);
/* Reads the statistics of a table again, once a statement. */
bool mt_catalog_read_counts (MtCatalog *c, MtEntry *en, MtError *err);
/* Saves the statistics of `now` as those of the table en->table, and puts them there. */
bool mt_catalog_write_counts (MtCatalog *c, MtEntry *en, const MtTable *now, MtError *err);
/* Returns whether the document of a table's statistics is missing. Then they are unknown. */
bool mt_catalog_lost_counts (const MtEntry *en);
/* Deletes the document of a table's statistics. */
bool mt_catalog_drop_counts (MtCatalog *c, const char *table, MtError *err);
/* Returns the table without statistics, in arena a. */
MtTable mt_catalog_uncounted (MtArena *a, const MtTable *t);

#endif
