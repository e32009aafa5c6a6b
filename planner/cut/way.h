/* Ways and cuts. A way is the path of levels from a store's documents down to one level. A cut is a
 * way at whose last level a plan stops reading, plus how each cell (entry of that level) is counted
 * (docs/lemma.md, sections 3 and 4). */
#ifndef MT_WAY_H
#define MT_WAY_H

#include "planner/cut/range.h"

typedef enum MtCutMode {
   MT_CUT_AGGREGATE, /* use the pre-aggregates stored in each entry of the level */
   MT_CUT_SIZE,      /* use the length of each entry's array of records */
   MT_CUT_RECORDS    /* read each record */
} MtCutMode;

typedef struct MtWay {
   const MtTable *table;
   const MtLayout *layout;
   const MtStoreDesc *store;
   const MtStoreStats *stats;
   const MtNode *levels[MT_MAX_LEVELS + 1];
   int count;
   MtCutMode mode;
   const char *name; /* the name for EXPLAIN and SET cut */

   /* By column: the index of the level that gives the column's exact value. Equal to `count`: only
    * the records have the column. -1: the column is not stored. */
   int *bound_at;
   /* By column: where the level stores the value. NULL: no level does. */
   const MtBinding **bound;
   /* The index of the level with the most exact time. Equal to `count`: the records have the time.
    * -1: no level has a time. */
   int time_at;
   bool time_exact;
   MtUnit grain; /* unit of time at level time_at; valid if !time_exact && time_at >= 0 */
} MtWay;

/* Returns all *count cuts (levels at which a plan can stop reading) of a layout. In arena a. */
MtWay *mt_ways (MtArena *a, const MtTable *t, const MtLayout *l, int *count);

/* Returns a way that visits each document of a store and reads only the document's time. In arena
 * a. */
MtWay *mt_way_of_documents (MtArena *a, const MtTable *t, const MtLayout *l, size_t store);

/* The parts of a table that a query block needs: filters, times and columns. */
typedef struct MtNeed {
   const MtTable *table;
   const MtQuery *query;
   MtX **filters; /* the AND-parts of WHERE that `ranges` does not express */
   int filter_count;
   MtRangeSet ranges; /* the times of the rows that WHERE accepts */
   bool has_ranges;
   /* The times of `ranges` at which all filters can be true. Empty for LIMIT 0. */
   MtRangeSet within;
   /* MT_END_ bits (ends.h): reading from these ends of the time may stop early. 0: all records are
    * read. */
   unsigned ends;
   /* The engine skips blocks of documents by the ranges of their fields: the embedded store does. */
   bool skips;
   /* By column: the block uses the column elsewhere than in `ranges`. */
   bool *used;
   /* By column: the block uses the column elsewhere than in `ranges` and `filters`. */
   bool *beside;
   MtTextStyle style;
   bool skip_malformed; /* attached layouts: skip documents that do not match the descriptor */
   bool mergeable;      /* groups can be computed for each piece and then merged */
   bool apart;          /* they can be merged only if no two pieces overlap in time */
   /* By aggregate: the call that mt_state_call returns. NULL: there are none. */
   MtAggCall **state_calls;
} MtNeed;

/* Returns the filters, times and columns that a block over one table needs. The times exclude
 * expired rows. In arena a. */
MtNeed mt_need_of (MtArena *a, const MtQuery *q, const MtTextStyle *style);

/* Returns whether a column has no NULLs, because of NOT NULL or by statistics (docs/lemma.md,
 * section 4, rule 3). */
bool mt_has_no_nulls (const MtWay *w, int column);

/* Returns the column reference inside x, without casts between integer types that keep the value.
 * NULL: x is not a column. */
const MtX *mt_bare_measure (const MtX *x);
/* Returns whether g is a sum, average or count of a CASE that returns measures (columns with stored
 * sums), 0 or NULL. If the conditions are constant within a cell (entry of the level), the stored
 * sums answer g. */
bool mt_is_case_of_sums (const MtWay *w, const MtAggCall *g);
bool mt_x_is_zero (const MtX *x); /* x is the constant 0 */

/* Which documents a piece of a plan reads, by each document's stored first and last time. */
typedef enum MtDocMode {
   MT_DOCS_ALL,
   MT_DOCS_INSIDE, /* documents whose stored range lies inside the ranges */
   MT_DOCS_EDGE    /* documents whose stored range overlaps the ranges, but does not lie inside */
} MtDocMode;

/* One piece of a plan: a way to read, and the records that are read this way. */
typedef struct MtPiece {
   const MtWay *way;
   MtRangeSet ranges;
   MtDocMode docs;
} MtPiece;

/* Returns whether reading stopped at w's last level can answer the query for the times in `ranges`.
 * False: *reason, in arena a, explains why it can't. */
bool mt_cut_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                     MtDocMode docs, const char **reason);

/* The arguments of mt_cut_answers, as each of its rules takes them. */
typedef struct MtWayCheck {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   const char **reason;
} MtWayCheck;

/* Formats *c->reason (why the level can't answer) in arena c->a, and returns false. */
bool mt_way_no (const MtWayCheck *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
const char *mt_way_column (const MtWayCheck *c, int column); /* returns the column's name */
/* Returns whether x has the same value for all records below a cell (entry of the level). */
bool mt_way_knows (const MtWayCheck *c, const MtX *x);

/* Estimated cost of a read: visited cells (entries of the level), bytes, and a total of both. */
typedef struct MtCost {
   double cells, bytes, total;
   double rows; /* records, or entries that answer instead, that satisfy all filters */
} MtCost;
/* What the engine knows of reading a piece. */
typedef struct MtOpened {
   /* The least and the greatest share (0 to 1) of the documents that are opened in the partitions
    * to read. */
   double least, most;
   bool indexed; /* an index finds the first rows by mt_first_by */
   /* The number of fields that the query needs (mt_fields_needed), if all are kept as columns. */
   size_t columns;
} MtOpened;
/* Returns the column by which a query of single documents wants its first rows: the first key of
 * ORDER BY, with a LIMIT. It is a number or time in a field of the document, *field, whose ranges
 * the embedded store keeps. -1: there is none. */
int mt_first_by (const MtWay *w, const MtNeed *need, const char **field);
/* Gets the top-level fields of single documents that a query with groups or conditions needs, at
 * most MT_FIELDS_NEEDED. Returns false for other queries, and if it needs other fields too, or
 * none. */
#define MT_FIELDS_NEEDED 32
bool mt_fields_needed (const MtWay *w, const MtNeed *need, const char **fields, size_t *count);
/* Estimates the cost of reading a piece. */
MtCost mt_cut_cost (const MtPiece *piece, const MtNeed *need, MtOpened opened);

/* Returns the share (0 to 1) of the store's hours, days … (`unit`) that overlap `ranges`. A guess
 * if the store has no time statistics. */
double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit);

/* Returns whether g is min or max of the time, and each document stores its exact first and last
 * time. */
bool mt_reads_range (const MtWay *w, const MtAggCall *g);

/* Returns the state that the way's last level keeps with the partial results of aggregate g. NULL:
 * there is none. */
const struct MtCellState *mt_way_state (const MtWay *w, const MtAggCall *g);
/* Returns a call of the two-step aggregate from whose states g can be computed, if a level of the
 * table keeps such states; else NULL. In arena a. */
MtAggCall *mt_state_call (MtArena *a, const MtTable *t, const MtAggCall *g);

/* Where a state has the sum and the number of a column's values: paths within the state. */
typedef struct MtStateNumbers {
   const struct MtCellState *state;
   const char *sum, *count; /* sum NULL: the state has no exact sum */
} MtStateNumbers;

/* Returns whether a sum, average or count is read from a state, because the way's last level does
 * not store the numbers by themselves. */
bool mt_way_state_numbers (const MtWay *w, const MtAggCall *g, MtStateNumbers *out);
/* Returns whether the cells (entries of the last level) of each group are of different times. */
bool mt_way_cells_apart (const MtWay *w, const MtNeed *need);

/* Returns the index of the highest level that has all columns of x. w->count: x needs records. */
int mt_level_of (const MtWay *w, const MtX *x);

#endif
