/* Ways and cuts. A way goes from a store's root down to a level; a cut is a way and how its
 * cells count (docs/lemma.md, sections 3 and 4). */
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
   const char *name; /* the cut's name */

   /* By column: the index of the level that binds it exactly. `count`: it is in the records. -1:
    * nowhere. */
   int *bound_at;
   /* By column. NULL: it is in the records, or nowhere. */
   const MtBinding **bound;
   /* The level at which the time is as exact as it gets. `count`: in the records. -1: the way
    * has no time. */
   int time_at;
   bool time_exact;
   MtUnit grain; /* valid if !time_exact && time_at >= 0 */
} MtWay;

/* All cuts of a layout. In arena a. */
MtWay *mt_ways (MtArena *a, const MtTable *t, const MtLayout *l, int *count);

/* The documents of a store, with each document as one cell that gives nothing but its time. In
 * arena a. */
MtWay *mt_way_of_documents (MtArena *a, const MtTable *t, const MtLayout *l, size_t store);

/* The needs of a query block over a table. */
typedef struct MtNeed {
   const MtTable *table;
   const MtQuery *query;
   MtX **filters; /* the parts of WHERE that are not in `ranges` */
   int filter_count;
   MtRangeSet ranges; /* the times of the rows that WHERE accepts */
   bool has_ranges;
   /* The part of `ranges` for which all filters together can be true. Empty for LIMIT 0. */
   MtRangeSet within;
   /* The ends of the time from which the query is answered (ends.h). 0: all records are read. */
   unsigned ends;
   /* By column: the block uses it, apart from the ranges. */
   bool *used;
   /* By column: the block uses it, apart from the ranges and the filters. */
   bool *beside;
   MtTextStyle style;
   bool skip_malformed; /* documents of another shape are left out (attached layouts) */
   bool mergeable;      /* partial groups of several pieces can be merged */
} MtNeed;

/* Reads the needs of a block over one table. In arena a. Expired rows are outside its ranges. */
MtNeed mt_need_of (MtArena *a, const MtQuery *q, const MtTextStyle *style);

/* Whether the column has no NULL: it is NOT NULL, or the writer counted no NULL (docs/lemma.md,
 * section 4, rule 3). */
bool mt_has_no_nulls (const MtWay *w, int column);

/* The column that x is, below casts between integer types that keep the value. NULL: x is
 * another expression. */
const MtX *mt_bare_measure (const MtX *x);
/* Whether g is a sum, average or count of a CASE over measures below the cut. The results of the
 * CASE are such measures, 0 or NULL, with at least one measure. If its conditions are the same
 * for a whole cell, g follows from the cell's sums. */
bool mt_is_case_of_sums (const MtWay *w, const MtAggCall *g);
bool mt_x_is_zero (const MtX *x); /* x is the constant 0 */

/* Which documents of a cut belong to a piece. */
typedef enum MtDocMode {
   MT_DOCS_ALL,
   MT_DOCS_INSIDE, /* documents whose stored range lies inside the ranges */
   MT_DOCS_EDGE    /* documents whose stored range overlaps the ranges, but does not lie inside */
} MtDocMode;

/* One part of an answer: a cut, and the records that it covers. */
typedef struct MtPiece {
   const MtWay *way;
   MtRangeSet ranges;
   MtDocMode docs;
} MtPiece;

/* Whether the cut can answer for the records whose time is in `ranges`. False: *reason (in arena
 * a) says why not. */
bool mt_cut_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                     MtDocMode docs, const char **reason);

/* The input of mt_cut_answers' rules. */
typedef struct MtWayCheck {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   const char **reason;
} MtWayCheck;

/* Sets *c->reason (in arena c->a) and returns false. */
bool mt_way_no (const MtWayCheck *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
const char *mt_way_column (const MtWayCheck *c, int column); /* the column's name */
/* Whether x has one value for all records of a cell of the cut. */
bool mt_way_knows (const MtWayCheck *c, const MtX *x);

/* Estimates: cells that are visited, bytes that are read, and one cost from both. */
typedef struct MtCost {
   double cells, bytes, total;
} MtCost;
/* Estimates the cost of reading these times by a cut. */
MtCost mt_cut_cost (const MtWay *w, const MtNeed *need, MtRangeSet ranges);

/* The share of the store's units of time that the ranges meet. An estimate when the store's
 * times are unknown. */
double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit);

/* Whether g is min or max of the time, and the cut's documents store their exact range of times. */
bool mt_reads_range (const MtWay *w, const MtAggCall *g);

/* The highest level at which all columns of x are known. `count` of the way: x needs records. */
int mt_level_of (const MtWay *w, const MtX *x);

#endif
