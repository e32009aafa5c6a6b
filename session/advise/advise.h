/* The statement ADVISE: finds the layouts with which a workload would be fastest. Layouts that do
 * not exist get estimated statistics, so that the planner can compare them with existing ones. */
#ifndef MT_SESSION_ADVISE_H
#define MT_SESSION_ADVISE_H

#include "session/core/core.h"

/* ---- profile.c: measuring a table's rows in one pass ---- */

/* The mean size of a column's values, in bytes. */
typedef struct MtProfileSize {
   double bytes; /* as BSON, NULLs included, without the field's type and name */
   double text;  /* as text */
} MtProfileSize;

/* A set of columns, perhaps with the time. A profile counts the different combinations of values in
 * such a set. */
typedef struct MtProfileSet {
   uint64_t columns; /* a bit for each column; the time column's bit is never set */
   bool timed;
   MtUnit unit; /* if timed: the time is truncated to this unit; MT_UNIT_MS: it is exact */
} MtProfileSet;

/* 2^12 registers for counting different values (HyperLogLog), with an error of 1.6%. */
#define MT_PROFILE_BITS 12

/* What was measured for a set of columns: the number and sizes of its different combinations of
 * values. */
typedef struct MtProfileKey {
   MtProfileSet set;
   uint8_t seen[1 << MT_PROFILE_BITS]; /* HyperLogLog registers (base/hll.h) */
   /* For each column: the mean size, over a sample of the different combinations (not over the
    * rows). */
   MtProfileSize *sizes;
   double sampled; /* number of combinations in the sample */
} MtProfileKey;

typedef struct MtProfile {
   MtArena *arena;
   const MtTable *table;
   double rows;
   MtProfileSize *sizes; /* for each column: the mean size over all rows */
   uint64_t *nulls;      /* for each column: the number of NULLs */
   bool has_time;
   int64_t min_ms, max_ms; /* earliest and latest time */
   MtProfileKey **keys;
   size_t key_count, key_cap;
} MtProfile;

/* Greatest number of columns of a table that can be profiled. */
#define MT_PROFILE_COLUMNS 64

/* Makes an empty profile of a table, in arena a. */
MtProfile *mt_profile_new (MtArena *a, const MtTable *t);
/* Registers the sets of columns that mt_estimate needs for layout l. Call it before
 * mt_profile_measure. */
void mt_profile_want (MtProfile *p, const MtLayout *l);
/* Registers a set of columns whose different combinations of values are to be counted. */
MtProfileKey *mt_profile_want_key (MtProfile *p, MtProfileSet set);
/* Reads all rows of the table once, and measures the registered sets. 0A000 if the table has more
 * than MT_PROFILE_COLUMNS columns. */
bool mt_profile_measure (MtStatement *st, MtProfile *p, MtError *err);
/* Returns the measurement for a registered set; NULL: it was not registered. */
MtProfileKey *mt_profile_key (const MtProfile *p, MtProfileSet set);
/* Returns the estimated number of different combinations of values in a set; at most the number of
 * rows. */
double mt_profile_count (const MtProfile *p, const MtProfileKey *k);

/* ---- estimate.c: statistics of layouts that do not exist ---- */

/* Sets the statistics of layout l to those that it would have with the rows of the profiled table.
 * In the profile's arena. */
void mt_estimate (const MtProfile *p, MtLayout *l);

/* Estimates the statistics of those layouts that have none, because the planner's guesses can't be
 * compared with estimates. If there are such layouts, reads all rows of the table once. In the
 * statement's arena. Errors are those of mt_profile_measure. */
bool mt_estimate_missing (MtStatement *st, const MtTable *t, MtLayout *layouts, size_t count,
                          MtError *err);

/* ---- hypothetical.c: layouts for EXPLAIN ---- */

/* A table with additional layouts that do not exist. */
typedef struct MtHypothetical {
   const MtTable *real;
   MtTable *with; /* a copy of `real`, with the additional layouts */
   size_t first;  /* index of the first layout that does not exist */
   struct MtHypothetical *next;
} MtHypothetical;

/* Reads statements ALTER TABLE … ADD LAYOUT, separated by ';', and adds these layouts, with
 * estimated statistics, to copies of the tables. Errors get the span `place`. Nothing is
 * written. */
bool mt_hypothetical_read (MtStatement *st, MtStr text, MtSpan place, MtHypothetical **out,
                           MtError *err);
/* Makes a bound query read the copies in `list` in place of the real tables. */
void mt_hypothetical_apply (MtArena *a, MtQuery *q, const MtHypothetical *list);
/* Returns whether a layout of a table does not exist, but is only in the list. */
bool mt_hypothetical_has (const MtHypothetical *list, const char *table, const char *layout);

/* ---- candidates.c: layouts to compare ---- */

/* A layout that ADVISE compares, in a copy of its table that has no other layouts. */
typedef struct MtAdvised {
   const MtTable *real;
   MtTable *with;          /* a copy of `real` with only this layout */
   const char *name;       /* the name to propose, if it is free; NULL: the layout exists */
   const char *definition; /* the text after USING; NULL: the layout exists */
   int probes; /* dimension whose importance the layout is to show (mt_advise_probes); -1: none */
   double bytes, documents;
   double *costs; /* for each query: cost of reading this table; INFINITY: it can't answer */
} MtAdvised;

typedef struct MtAdvisedList {
   MtAdvised *items;
   size_t count, cap;
} MtAdvisedList;

/* Adds candidates for a table: presets with different options, and the given dimensions (at most
 * MT_ADVISED_DIMENSIONS) as keys in those orders that differ much. Other dimensions are the last
 * nesting levels. Reads the table once, to estimate their statistics. */
#define MT_ADVISED_DIMENSIONS 4
bool mt_advise_candidates (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                           MtAdvisedList *out, MtError *err);
/* Adds a few candidates by which important dimensions are found: for each of the dimensions, a
 * layout with it as the key of documents, and one with it as the first level below the time. */
bool mt_advise_probes (MtStatement *st, const MtTable *t, const int *dimensions, size_t count,
                       MtAdvisedList *out, MtError *err);

/* ---- advise.c ---- */

bool mt_run_advise (MtStatement *st, MtError *err);

#endif
