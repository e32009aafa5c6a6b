/* The state by which a session coordinates its statements with other writers. Private to
 * session/coordinate. README.md has a diagram of the states. */
#ifndef MT_SESSION_COORDINATE_INT_H
#define MT_SESSION_COORDINATE_INT_H

#include "session/coordinate/coordinate.h"

enum { MT_MAX_INTENTS = 64 };

/* How current the running statement's catalog is. */
typedef enum MtKnowledge {
   MT_CURRENT, /* the statement has read the catalog */
   /* The statement reads rows by the cached catalog. Its first command also returns the catalog's
    * version, for a check. */
   MT_ASSUMED,
   /* The statement writes by the cached catalog, and must read the catalog's version before it
    * ends. */
   MT_TRUSTED,
   MT_FED /* like MT_TRUSTED, but the writer has already received rows */
} MtKnowledge;

/* How other clients have interfered with the running statement. */
typedef enum MtInterference {
   MT_UNDISTURBED,
   MT_OUTRUN, /* others changed documents that the statement had read to change them */
   /* Others removed the statement's intent, because its writer counted as dead, or because the
    * table's rows were removed. */
   MT_DISPLACED
} MtInterference;

/* The session's lease: a catalog object by which the session may make short writes without reading
 * the catalog's version for each (lease.c). */
typedef struct MtLease {
   char name[25];       /* name of the catalog object; empty: the session never had a lease */
   bool held;           /* the version was read after the lease was saved, and was unchanged */
   uint64_t generation; /* mt_catalog_generation for which `held` and `looks` are valid */
   int looks;           /* number of consecutive reads of the version that found no change */
   int64_t looked_us;   /* time of the last read of the version, by the steady clock */
} MtLease;

typedef struct MtCoordination {
   /* ---- the running statement ---- */
   MtLook look;
   MtKnowledge knowledge;
   MtInterference interference;
   bool partitions_due; /* the cached list of partitions may be incomplete */
   bool announced;      /* an intent has announced the statement's change to other clients */

   /* ---- intents: of the statement, or, if a transaction's steps commit one by one, of all its
    * statements ---- */
   char intents[MT_MAX_INTENTS][25]; /* names of the intents' catalog objects */
   size_t intent_count;
   /* For each intent: whether other clients compute stored states from the table's records
    * (mt_store_joins), and the table's version and number of writes when the intent was saved. */
   struct {
      bool joins;
      int64_t version, writes;
   } intent_since[MT_MAX_INTENTS];
   bool intents_plain;       /* some intent is of a statement that can't be a transaction */
   const char *intent_table; /* name of the last intent's table, in the statement's arena */

   /* ---- the session ---- */
   struct MtDeadIntent *dead; /* other clients' intents whose writers count as dead (alive.c) */
   MtLease lease;
} MtCoordination;

/* ---- others.c ---- */

#define MT_INTENT_KIND "intent" /* kind of the catalog objects that are intents */

/* Returns the field `name` of an intent's body. Borrowed from the intent (a note of a planned
 * write). */
MtVal mt_intent_part (const MtCatalogObject *o, const char *name);
bool mt_intent_is_own (const MtSession *s, const char *name);
/* Returns whether `what`, an intent's purpose, is to create or drop the whole table. */
bool mt_intent_is_of_table (const char *what);
/* Returns whether another client has an intent (a note of a planned write) to rewrite or remove the
 * table's documents, rather than only to add rows. */
bool mt_others_remake (MtStatement *st, const MtTable *t);

#endif
