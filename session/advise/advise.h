/* ADVISE: which layouts would serve a workload best. Layouts that do not exist are described by
 * estimated statistics, so that the planner can compare them with real ones. */
#ifndef MT_SESSION_ADVISE_H
#define MT_SESSION_ADVISE_H

#include "session/core/core.h"

/* ---- profile.c: what one pass over a table's rows measures ---- */

/* The mean size of a column's values. */
typedef struct MtProfileSize {
   double bytes; /* as BSON, NULLs included, without the field's type and key */
   double text;  /* the length as text */
} MtProfileSize;

/* Some columns together, and the time. */
typedef struct MtProfileSet {
   uint64_t columns; /* a bit for each column; the time column's bit is never set */
   bool timed;
   MtUnit unit; /* if timed: the time truncated to this unit; MT_UNIT_MS: the exact time */
} MtProfileSet;

/* The different values of a set are counted with an error of 1.6%. */
#define MT_PROFILE_BITS 12

/* What the pass finds about the different values of a set. */
typedef struct MtProfileKey {
   MtProfileSet set;
   uint8_t seen[1 << MT_PROFILE_BITS]; /* base/hll.h */
   /* Mean sizes over a sample of the different values, not over the rows; by column. */
   MtProfileSize *sizes;
   double sampled; /* the number of values in the sample */
} MtProfileKey;

typedef struct MtProfile {
   MtArena *arena;
   const MtTable *table;
   double rows;
   MtProfileSize *sizes; /* by column, over the rows */
   uint64_t *nulls;      /* by column: the number of NULLs */
   bool has_time;
   int64_t min_ms, max_ms; /* the first and the last time */
   MtProfileKey **keys;
   size_t key_count, key_cap;
} MtProfile;

/* The number of columns that a profile can combine. */
#define MT_PROFILE_COLUMNS 64

/* Makes an empty profile of a table, in arena a. */
MtProfile *mt_profile_new (MtArena *a, const MtTable *t);
/* Makes the profile count what mt_estimate needs for this layout. Call it before
 * mt_profile_measure. */
void mt_profile_want (MtProfile *p, const MtLayout *l);
/* Makes the profile count the different values of a set. */
MtProfileKey *mt_profile_want_key (MtProfile *p, MtProfileSet set);
/* Reads all rows of the table once. 0A000 if the table has more than MT_PROFILE_COLUMNS columns. */
bool mt_profile_measure (MtStatement *st, MtProfile *p, MtError *err);
/* Returns what was found about a set that was wanted; NULL: it was not. */
MtProfileKey *mt_profile_key (const MtProfile *p, MtProfileSet set);
/* Returns the number of different values of a key; at most the number of rows. */
double mt_profile_count (const MtProfile *p, const MtProfileKey *k);

/* ---- estimate.c ---- */

/* Gives a layout the statistics that it would have after being filled from the profiled table. In
 * the profile's arena. */
void mt_estimate (const MtProfile *p, MtLayout *l);

/* Estimates those of a table's layouts that have no statistics, because a guess could not be
 * compared with an estimate. Reads all rows of the table once if there are such layouts. In the
 * statement's arena. Errors are those of mt_profile_measure. */
bool mt_estimate_missing (MtStatement *st, const MtTable *t, MtLayout *layouts, size_t count,
                          MtError *err);

/* ---- hypothetical.c ---- */

/* A table with layouts that do not exist. */
typedef struct MtHypothetical {
   const MtTable *real;
   MtTable *with; /* a copy of `real`, with further layouts */
   size_t first;  /* the index of the first layout that does not exist */
   struct MtHypothetical *next;
} MtHypothetical;

/* Reads ALTER TABLE … ADD LAYOUT statements, separated by ';', and adds estimated layouts to copies
 * of the tables. Errors have the span `place`. Nothing is written. */
bool mt_hypothetical_read (MtStatement *st, MtStr text, MtSpan place, MtHypothetical **out,
                           MtError *err);
/* Makes a bound query read the copies in place of the real tables. */
void mt_hypothetical_apply (MtArena *a, MtQuery *q, const MtHypothetical *list);
/* Returns whether a layout of a table exists only in the list. */
bool mt_hypothetical_has (const MtHypothetical *list, const char *table, const char *layout);

/* ---- candidates.c: layouts worth considering ---- */

/* A layout that ADVISE considers, alone in a copy of its table. */
typedef struct MtAdvised {
   const MtTable *real;
   MtTable *with;          /* `real` with this layout only */
   const char *name;       /* a name to propose, which may be taken; NULL: the layout exists */
   const char *definition; /* the text behind USING; NULL: the layout exists */
   int probes;             /* the dimension that it is a probe for (mt_advise_probes); -1: none */
   double bytes, documents;
   double *costs; /* by query: the cost of reading this table; INFINITY: it can't answer */
} MtAdvised;

typedef struct MtAdvisedList {
   MtAdvised *items;
   size_t count, cap;
} MtAdvisedList;

/* Adds candidates for a table: presets with options, over these dimensions (at most
 * MT_ADVISED_DIMENSIONS) in all orders that differ much. Other dimensions come last. Reads the
 * table once to estimate them. */
#define MT_ADVISED_DIMENSIONS 4
bool mt_advise_candidates (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                           MtAdvisedList *out, MtError *err);
/* Adds a few candidates that show which dimensions matter: each dimension once as the key of
 * documents, and once as the first level below the time. */
bool mt_advise_probes (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                       MtAdvisedList *out, MtError *err);

/* ---- advise.c ---- */

bool mt_run_advise (MtStatement *st, MtError *err);

#endif
