/* CHECK, REPAIR, VACUUM and filling layouts: what their files share. */
#ifndef MT_MAINTAIN_H
#define MT_MAINTAIN_H

#include "layouts/leaves.h"
#include "session/state/session.h"

/* The documents of a collection that a pipeline yields (NULL: all), one by one, with progress under `what`; doc and what is made in arena a last until the call returns. */
typedef bool (*MtEachDocument) (void *ctx, MtArena *a, const bson_t *doc, MtError *err);
bool mt_each_document (MtStatement *st, const char *collection, const bson_t *pipeline, const char *what, MtEachDocument each, void *ctx, MtError *err);
/* Of all of a store's collections that there are. */
bool mt_each_of_store (MtStatement *st, const MtStoreDesc *s, const char *what, MtEachDocument each, void *ctx, MtError *err);

/* Of a document of a partition: *strays, whether it has rows of another one's time, *time. No condition on the time finds them there. */
typedef struct MtStray {
   bool strays;
   int64_t time;
} MtStray;
bool mt_document_strays (MtArena *a, const MtTable *t, const MtLeafWay *w, const MtPartition *p, const bson_t *doc, MtStray *out, MtError *err);
/* Whether REPAIR brings them to where they belong: it makes the store again, of the one that is right (NULL: there is none). Others' documents stay, and, in process, rows of which everything is made. */
bool mt_strays_move (const MtSession *s, const MtLeafWay *right, const MtLeafWay *w);
/* The way to a store's leaves; NULL: it has none. */
const MtLeafWay *mt_way_of_store (const MtLeafWay *ways, size_t count, size_t layout, size_t store);

/* A layout of a table by name; 42704. */
bool mt_need_layout (const MtTable *t, const MtName *name, size_t *out, MtError *err);

/* How many leaves differ between two ways, of which the first is right; each is given to `found` (NULL: not). stored and expected: text, NULL where nothing is. */
typedef struct MtDifference {
   const MtLeafWay *way;
   MtVal document;        /* _id of a document that has it; MT_MISSING: there is none */
   const char *cell, *what, *stored, *expected;
} MtDifference;
typedef void (*MtFoundDifference) (void *ctx, const MtDifference *d);
bool mt_compare_leaves (MtStatement *st, const MtTable *t, const MtLeafWay *right, const MtLeafWay *other, MtFoundDifference found, void *ctx, uint64_t *count,
                        MtError *err);
/* Whether two ways have enough in common to be compared. */
bool mt_comparable (const MtLeafWay *right, const MtLeafWay *other);

/* ---- intents (session/coordinate/intent.c) ---- */

#define MT_INTENT_LOOKS "looks" /* in an intent's body: its writer looks by himself whether others were faster */
typedef struct MtIntent {
   const char *name, *what; /* "write", "rewrite", "add layout", "rebuild", or of MT_INTENDS_… */
   int64_t at_ms;
   MtVal collections;       /* that are made, as an array */
} MtIntent;
/* Other writers' intents about a table, as the catalog had them when the statement began; in arena a. */
MtIntent *mt_intents_of (MtSession *s, MtArena *a, const MtTable *t, size_t *count);
/* Whose rows go with a table's, or with all that is in it, is to notice: other writers' intents end. */
bool mt_intents_break (MtStatement *st, const MtTable *t, MtError *err);
/* 40001 where that was done to this session's, or where it was taken for dead. */
bool mt_intents_stand (MtSession *s, MtError *err);
void mt_tell_intents (MtStatement *st, const MtTable *t); /* a notice for each */
/* A text of an intent's body, in arena a; NULL: there is none. */
const char *mt_intent_text (MtArena *a, const MtCatalogObject *o, const char *name);
/* Before a statement that makes, changes or removes what others may be writing to: where the catalog has intents about its tables, it is waited until each has gone, has
 * given a sign of life, or has given none for intent_timeout. The catalog is read again then: nothing of it may be held. */
bool mt_intents_await (MtStatement *st, MtError *err);
/* Whether an intent's writer may go on. */
bool mt_intent_may_live (const MtSession *s, const MtIntent *i);
/* Until nobody adds to the table any more who did when this was called; 55006 where one of them goes on. UPDATE and DELETE look by themselves whether others were faster, and
 * aren't waited for. The catalog isn't read again. */
bool mt_adders_end (MtStatement *st, const MtTable *t, MtError *err);
/* Whether statements have intents: others see what a step writes as it comes. */
bool mt_intents_apply (const MtSession *s);
/* 55006 while there are some whose writers weren't found dead. */
bool mt_no_live_intents (MtStatement *st, const MtTable *t, MtError *err);
/* Before what was made of a table's documents takes their place: 40001 where others wrote to it, as far as the catalog knows, 55006 where they do. */
bool mt_not_written_meanwhile (MtStatement *st, const MtTable *t, MtError *err);
/* Removes intents and the collections that they left. */
bool mt_clear_intents (MtStatement *st, const MtTable *t, const MtIntent *list, size_t count, MtError *err);
/* What a dead writer left of a table of that name that it was about to make or to drop, before one is made: 55006 where it may still be alive. */
bool mt_clear_creation (MtStatement *st, const MtTable *t, MtError *err);
/* Before a table is dropped: those of writers who are taken for dead. */
bool mt_clear_dead_intents (MtStatement *st, const MtTable *t, MtError *err);
/* 55000 where CREATE TABLE or DROP TABLE is at work on a collection that is no table's by the catalog, or died there: what it has is half of it. */
bool mt_collection_stays (MtSession *s, MtArena *a, const char *collection, MtError *err);
/* What an intent calls a store's collection, or all of its partitions: calls_YYYY_MM. In arena a where need be. */
const char *mt_intended_name (MtArena *a, const MtStoreDesc *s);
/* 55000 where another's intent is about to make that collection. */
bool mt_collection_intended (MtStatement *st, const MtTable *t, const char *collection, MtError *err);
/* A collection's name without the number that making it anew gave it. */
const char *mt_base_name (MtArena *a, const char *collection);

/* ---- stores made anew (session/ddl/rebuild.c) ---- */

/* Fills store `store` of layout `layout` of *next with the leaves of `from`, in place of what it has; *next gets its statistics, and on a server another
 * collection, which the catalog's entry brings into use. In the engine's open step; the caller saves *next. */
bool mt_rebuild_store (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout, size_t store, const char *what, MtError *err);
/* Into a layout that keeps `latest` the newest records of `from` come as they would by INSERT: what is there stays where it is as new. */
bool mt_bring_newest (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout, const char *what, MtError *err);
/* The same as mt_rebuild_store for a layout that has no documents yet. */
bool mt_fill_from_leaves (MtStatement *st, const MtLeafWay *from, MtTable *next, size_t layout, const char *what, MtError *err);
/* Gives a store another collection (or, of one with partitions, others), which nobody has: its name with another number at its end. */
bool mt_fresh_name (MtStatement *st, MtStoreDesc *s, MtError *err);
/* Tells the catalog that stores of *t are made anew under the names that they have in `next`; NULL: any that isn't attached, under names that are free now. Whoever finds
 * this one dead drops what of them, old or new, no table has. *t is then the table as the catalog has it behind that: the same, or 40001 where others wrote to it, 55006 where
 * they are about to (they may have found the same names). The caller ends intents that failed. */
bool mt_intend_moves (MtStatement *st, const MtTable **t, const MtTable *next, const char *what, MtError *err);
/* Drops a store's collections, on a server when the engine's open step ends. */
bool mt_drop_store (MtStatement *st, const MtStoreDesc *s, MtError *err);
/* A copy of t whose layouts, stores and statistics may be changed, with room for one layout more. */
MtTable mt_table_to_change (MtArena *a, const MtTable *t);

#endif
