/* The state of coordination. Private to session/coordinate. README.md draws its changes. */
#ifndef MT_SESSION_COORDINATE_INT_H
#define MT_SESSION_COORDINATE_INT_H

#include "session/coordinate/coordinate.h"

enum { MT_MAX_INTENTS = 64 };

/* What the running statement knows of the catalog. */
typedef enum MtKnowledge {
   MT_CURRENT, /* it has read the catalog */
   MT_ASSUMED, /* it reads by the cached catalog, and its first command returns the version */
   MT_TRUSTED, /* it writes by the cached catalog, and has to look at the version before its end */
   MT_FED      /* as MT_TRUSTED, and the writer has rows of it */
} MtKnowledge;

/* What other clients have done to the running statement. */
typedef enum MtInterference {
   MT_UNDISTURBED,
   MT_OUTRUN,   /* they changed documents that it had read to change them */
   MT_DISPLACED /* they removed its intent: they took it for dead, or removed its rows */
} MtInterference;

/* A session's lease, an object of the catalog (lease.c). */
typedef struct MtLease {
   char name[25];       /* empty: it never had one */
   bool held;           /* a look since has found nothing new */
   uint64_t generation; /* of the catalog then, and of the looks below */
   int looks;           /* in a row that found nothing new */
   int64_t looked_us;   /* when the last of them was, on the steady clock */
} MtLease;

typedef struct MtCoordination {
   /* ---- the running statement ---- */
   MtLook look;
   MtKnowledge knowledge;
   MtInterference interference;
   bool partitions_due; /* its cached catalog may miss new partitions */
   bool announced;      /* others know of its change already */

   /* ---- intents: of the statement, or of all statements of a transaction in pieces ---- */
   char intents[MT_MAX_INTENTS][25]; /* names of catalog objects */
   size_t intent_count;
   bool intents_plain;       /* one at least is of a statement that can't be a transaction */
   const char *intent_table; /* of the last; in the statement's arena */

   /* ---- the session ---- */
   struct MtDeadIntent *dead; /* others' intents whose writers were found dead (alive.c) */
   MtLease lease;
} MtCoordination;

/* ---- others.c ---- */

#define MT_INTENT_KIND "intent" /* of the catalog's objects */

/* A value of an intent's body. Borrowed. */
MtVal mt_intent_part (const MtCatalogObject *o, const char *name);
bool mt_intent_is_own (const MtSession *s, const char *name);
/* Whether the intent creates or drops the table itself, to which nobody else writes then. */
bool mt_intent_is_of_table (const char *what);
/* Whether another statement rewrites or removes the table's documents. */
bool mt_others_remake (MtStatement *st, const MtTable *t);

#endif
