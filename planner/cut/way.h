/* Ways and cuts: from a store's root down to a level, and what is known there (docs/lemma.md,
 * sections 3 and 4). */
#ifndef MT_WAY_H
#define MT_WAY_H

#include "planner/cut/range.h"

typedef enum MtCutMode {
   MT_CUT_AGGREGATE, /* a cell counts with its stored numbers */
   MT_CUT_SIZE,      /* a cell counts with the length of its array of records */
   MT_CUT_RECORDS    /* each record counts */
} MtCutMode;

typedef struct MtWay {
   const MtTable *table;
   const MtLayout *layout;
   const MtStoreDesc *store;
   const MtStoreStats *stats;
   const MtNode *levels[MT_MAX_LEVELS + 1];
   int count;
   MtCutMode mode;
   const char *name; /* of the cut */

   int *bound_at; /* by column: index of the level that binds it exactly; count when it is in the
                     records; -1 */
   const MtBinding **bound; /* by column; NULL: in the records, or not at all */
   int time_at; /* level at which the time is as fine as it gets; count: in the records; -1: no time
                   on the way */
   bool time_exact;
   MtUnit grain; /* when !time_exact && time_at >= 0 */
} MtWay;

/* All cuts of a layout; in arena a. */
MtWay *mt_ways (MtArena *a, const MtTable *t, const MtLayout *l, int *count);

/* The documents of a store, as one cell each of which nothing but the time is asked; in arena a. */
MtWay *mt_way_of_documents (MtArena *a, const MtTable *t, const MtLayout *l, size_t store);

/* What a query block needs of a table. */
typedef struct MtNeed {
   const MtTable *table;
   const MtQuery *query; /* NULL rel parts aren't looked at */
   MtX **filters;        /* conjuncts of WHERE besides the time's ranges */
   int filter_count;
   MtRangeSet ranges; /* of the time column */
   bool has_ranges;
   MtRangeSet
      within; /* those of them that all filters together can be true of, at most; of LIMIT 0 none */
   unsigned ends; /* from which ends of all times the query is answered (ends.h), no further than
                     needed; 0: all is read */
   bool *used;    /* by column: occurs anywhere in the block (ranges left out) */
   bool *beside;  /* the same, but for the filters */
   MtTextStyle style;
   bool skip_malformed; /* leave out documents of another shape (attached layouts) */
} MtNeed;

MtNeed mt_need_of (MtArena *a, const MtQuery *q, const MtTextStyle *style);

/* NOT NULL, or the writer, which counts them, never wrote one (docs/lemma.md, section 4, rule
 * 3). */
bool mt_has_no_nulls (const MtWay *w, int column);

/* A column, under casts of whole numbers that change no value; NULL: x is something else. */
const MtX *mt_bare_measure (const MtX *x);
/* A sum, average or count of a CASE whose results are measures below the cut, 0 or NULL, at least
 * one a measure: where its conditions are the same for a whole cell, it follows from the cell's
 * sums. */
bool mt_is_case_of_sums (const MtWay *w, const MtAggCall *g);
bool mt_x_is_zero (const MtX *x); /* the constant 0; neither NULL nor -0 of another kind */

/* How the documents of a piece are told from those of its sibling. */
typedef enum MtDocMode {
   MT_DOCS_ALL,
   MT_DOCS_INSIDE, /* the document's stored range lies wholly inside the ranges */
   MT_DOCS_EDGE    /* it meets them without lying inside */
} MtDocMode;

/* Whether the cut can answer for records whose time is in `ranges`; *reason (in arena a) says why
 * not. */
bool mt_cut_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                     MtDocMode docs, const char **reason);

/* What the rules of mt_cut_answers look at. */
typedef struct MtWayCheck {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   const char **reason;
} MtWayCheck;

/* Sets *c->reason (in arena c->a) and returns false. */
bool mt_way_no (const MtWayCheck *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
const char *mt_way_column (const MtWayCheck *c, int column); /* its name */
/* Whether x has one value for all that a cell of the cut sums up. */
bool mt_way_knows (const MtWayCheck *c, const MtX *x);

/* Estimates: cells that will be visited, bytes that will be touched, and both as one cost. */
typedef struct MtCost {
   double cells, bytes, total;
} MtCost;
MtCost mt_cut_cost (const MtWay *w, const MtNeed *need, MtRangeSet ranges);

/* Of all units of time that the store's records span, the share that the ranges meet; a guess where
 * that isn't known. */
double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit);

/* min or max of the time, answered by the exact range that the cut's documents keep. */
bool mt_reads_range (const MtWay *w, const MtAggCall *g);

/* The highest level at which every column of x is known; `count` of the way when records are
 * needed. */
int mt_level_of (const MtWay *w, const MtX *x);

#endif
