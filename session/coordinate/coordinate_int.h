/* The state by which a session coordinates its statements with other writers. Private to
 * session/coordinate. README.md has a diagram of the state's changes. */
#ifndef MT_SESSION_COORDINATE_INT_H
#define MT_SESSION_COORDINATE_INT_H

#include "session/coordinate/coordinate.h"

enum { MT_MAX_INTENTS = 64 };

/* How current the catalog is that the running statement uses. */
typedef enum MtKnowledge {
   MT_CURRENT, /* the statement has read the catalog */
   /* The statement reads rows by the cached catalog; its first command also returns the catalog's
    * version. */
   MT_ASSUMED,
   /* The statement writes by the cached catalog, and must read the catalog's version before it
    * ends. */
   MT_TRUSTED,
   MT_FED /* like MT_TRUSTED, and the writer has already received rows of the statement */
} MtKnowledge;

/* What other clients have done to the running statement. */
typedef enum MtInterference {
   MT_UNDISTURBED,
   MT_OUTRUN, /* others changed documents that the statement had read in order to change them */
   /* Others removed the statement's intent, because it seemed dead or its rows were removed. */
   MT_DISPLACED
} MtInterference;

/* The session's lease: a catalog object with which the session may write without reading the
 * catalog's version each time (lease.c). */
typedef struct MtLease {
   char name[25];       /* empty: the session never had a lease */
   bool held;           /* since the lease was saved, a read of the version has found no change */
   uint64_t generation; /* mt_catalog_generation for which `held` and `looks` are valid */
   int looks;           /* number of reads of the version in a row that found no change */
   int64_t looked_us;   /* time of the last such read, on the steady clock */
} MtLease;

typedef struct MtCoordination {
   /* ---- the running statement ---- */
   MtLook look;
   MtKnowledge knowledge;
   MtInterference interference;
   bool partitions_due; /* the cached catalog may miss new partitions */
   bool announced;      /* an intent has already announced the statement's change to others */

   /* ---- intents: of the statement, or of all statements of a transaction in pieces ---- */
   char intents[MT_MAX_INTENTS][25]; /* names of the intents' catalog objects */
   size_t intent_count;
   /* By intent: the table keeps states that others compute from its records (mt_store_joins), and
    * the table's version and number of writes when the intent was saved. */
   struct {
      bool joins;
      int64_t version, writes;
   } intent_since[MT_MAX_INTENTS];
   bool intents_plain;       /* at least one intent is of a statement that can't be a transaction */
   const char *intent_table; /* the table of the last intent; in the statement's arena */

   /* ---- the session ---- */
   struct MtDeadIntent *dead; /* list of other clients' intents whose writers are dead (alive.c) */
   MtLease lease;
} MtCoordination;

/* ---- others.c ---- */

#define MT_INTENT_KIND "intent" /* the kind of the catalog objects that are intents */

/* Returns a field of an intent's body. Borrowed from the intent. */
MtVal mt_intent_part (const MtCatalogObject *o, const char *name);
bool mt_intent_is_own (const MtSession *s, const char *name);
/* Returns whether an intent's `what` is to create or drop the whole table. */
bool mt_intent_is_of_table (const char *what);
/* Returns whether another client's intent is to rewrite or remove the table's documents, rather
 * than to add rows. */
bool mt_others_remake (MtStatement *st, const MtTable *t);

#endif
