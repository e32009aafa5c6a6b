/* Ways and cuts. A way is the path of levels from a store's documents down to one level. A cut is a
 * way at whose last level a plan stops reading, plus how each cell (entry of that level) is counted
 * (docs/lemma.md, sections 3 and 4). */
#ifndef MT_WAY_H
#define MT_WAY_H

#include "planner/cut/range.h"

typedef enum MtCutMode {
   MT_CUT_AGGREGATE, /* uses the pre-aggregates stored in each entry of the level */
   MT_CUT_SIZE,      /* uses the length of each entry's array of records */
   MT_CUT_RECORDS    /* reads each record */
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

   /* For each column: the index of the level that stores the column's exact value. Equal to
    * `count`: only the records store it. -1: it is not stored. */
   int *bound_at;
   /* For each column: the binding by which a level stores it. NULL: no level does. */
   const MtBinding **bound;
   /* Index of the level with the most exact time. Equal to `count`: the records have the time. -1:
    * the time is not stored. */
   int time_at;
   bool time_exact;
   MtUnit grain; /* unit of time at level time_at; valid if !time_exact && time_at >= 0 */
} MtWay;

/* Returns all *count cuts (levels at which a plan can stop reading) of a layout. In arena a. */
MtWay *mt_ways (MtArena *a, const MtTable *t, const MtLayout *l, int *count);

/* Returns a way that reads each document of a store only for the document's time. In arena a. */
MtWay *mt_way_of_documents (MtArena *a, const MtTable *t, const MtLayout *l, size_t store);

/* What a query block needs from a table: filters, times and columns. */
typedef struct MtNeed {
   const MtTable *table;
   const MtQuery *query;
   MtX **filters; /* the conditions of WHERE (combined by AND) that `ranges` does not express */
   int filter_count;
   /* the times at which WHERE can be true, as far as WHERE restricts the time column */
   MtRangeSet ranges;
   bool has_ranges;
   /* The times of `ranges` at which all filters can be true, too. Empty for LIMIT 0. */
   MtRangeSet within;
   /* MT_END_ bits (ends.h): the query needs only the oldest or newest rows, so that reading may
    * stop early. 0: it needs all rows. */
   unsigned ends;
   /* The engine skips blocks of documents whose field ranges exclude the filters, as the embedded
    * store does. */
   bool skips;
   /* For each column: the block uses it, not only in `ranges`. */
   bool *used;
   /* For each column: the block uses it, not only in `ranges` and `filters`. */
   bool *beside;
   MtTextStyle style;
   /* attached layouts: documents that don't have the layout's shape are skipped */
   bool skip_malformed;
   bool mergeable; /* groups can be computed for each piece and then merged */
   bool apart;     /* they can be merged only if no two pieces overlap in time */
   /* By aggregate: the call that mt_state_call returns. NULL: there are none. */
   MtAggCall **state_calls;
} MtNeed;

/* Returns what a query block over one table needs of it: filters, times and columns. The times
 * exclude expired rows. In arena a. */
MtNeed mt_need_of (MtArena *a, const MtQuery *q, const MtTextStyle *style);

/* Returns whether a column has no NULLs, as declared by NOT NULL or known from statistics
 * (docs/lemma.md, section 4, rule 3). */
bool mt_has_no_nulls (const MtWay *w, int column);

/* Returns x, without casts between integer types that keep the value, if it is a column; else
 * NULL. */
const MtX *mt_bare_measure (const MtX *x);
/* Returns whether g is a sum, average or count of a CASE whose results are measures, 0 or NULL. If
 * its conditions are constant within a cell (entry of the level), g can be computed from stored
 * sums. */
bool mt_is_case_of_sums (const MtWay *w, const MtAggCall *g);
bool mt_x_is_zero (const MtX *x); /* returns whether x is the constant 0 */

/* Which documents a piece (part) of a plan reads, selected by the time range that each document
 * stores. */
typedef enum MtDocMode {
   MT_DOCS_ALL,
   MT_DOCS_INSIDE, /* documents whose time range is inside the queried ranges */
   MT_DOCS_EDGE    /* documents whose time range overlaps the queried ranges, but is not inside */
} MtDocMode;

/* A piece of a plan: the way to read (a path of levels), and the time ranges and the documents that
 * are read in this way. A plan reads each record by exactly one of its pieces. */
typedef struct MtPiece {
   const MtWay *way;
   MtRangeSet ranges;
   MtDocMode docs;
} MtPiece;

/* Returns whether a plan that stops reading at w's last level can answer the query for the times in
 * `ranges`. If not, *reason is set to the explanation, in arena a. */
bool mt_cut_answers (MtArena *a, const MtWay *w, const MtNeed *need, MtRangeSet ranges,
                     MtDocMode docs, const char **reason);

/* The arguments of mt_cut_answers, for the functions that check one of its rules. */
typedef struct MtWayCheck {
   MtArena *a;
   const MtWay *w;
   const MtNeed *need;
   MtRangeSet ranges;
   const char **reason;
} MtWayCheck;

/* Sets *c->reason (why the nesting level can't answer) in arena c->a, and returns false. */
bool mt_way_no (const MtWayCheck *c, const char *fmt, ...) __attribute__ ((format (printf, 2, 3)));
const char *mt_way_column (const MtWayCheck *c, int column); /* returns the column's name */
/* Returns whether x can be computed at the level: it has the same value for all records in a cell
 * (entry of the level). */
bool mt_way_knows (const MtWayCheck *c, const MtX *x);

/* Estimated cost of a read: the number of visited cells (entries of levels), the bytes, and a total
 * of both. */
typedef struct MtCost {
   double cells, bytes, total;
   double rows; /* number of result rows of the filters: records, or entries whose sums are used */
} MtCost;
/* What the engine reports about reading a piece (part) of a plan. */
typedef struct MtOpened {
   /* Bounds (0 to 1) of the share of documents that are read in the piece's partitions. */
   double least, most;
   bool indexed; /* an index finds the first rows of ORDER BY … LIMIT (mt_first_by) */
   /* The number of fields that the query needs (mt_fields_needed), if all are in column storage;
    * else 0. */
   size_t columns;
} MtOpened;
/* For a query with ORDER BY and LIMIT over documents that are single rows: returns the column of
 * the first sort key, if it is a number or time in a top-level field, and sets *field. The embedded
 * store knows the ranges of such fields. -1: there is none. */
int mt_first_by (const MtWay *w, const MtNeed *need, const char **field);
/* Sets `fields` to the top-level fields that a query with groups or conditions needs, over
 * documents that are single rows; at most MT_FIELDS_NEEDED. Returns false for other queries, and if
 * the query needs other fields, or none. */
#define MT_FIELDS_NEEDED 32
bool mt_fields_needed (const MtWay *w, const MtNeed *need, const char **fields, size_t *count);
/* Estimates the cost of reading a piece (part of a plan). opened: what the engine reports about
 * it. */
MtCost mt_cut_cost (const MtPiece *piece, const MtNeed *need, MtOpened opened);

/* Returns the share (0 to 1) of the store's units of time (hours, days …) that overlap `ranges`. It
 * is a guess if the store has no statistics of times. */
double mt_time_share (const MtWay *w, MtRangeSet ranges, MtUnit unit);

/* Returns whether g is min or max of the time, and each document stores its exact earliest and
 * latest time. */
bool mt_reads_range (const MtWay *w, const MtAggCall *g);

/* Returns the stored state of the way's last nesting level that has the partial results of
 * aggregate g. NULL: there is none. */
const struct MtCellState *mt_way_state (const MtWay *w, const MtAggCall *g);
/* If g can be computed from the states of a two-step aggregate, and some nesting level of the table
 * stores these, returns the call of that aggregate, in arena a; else NULL. */
MtAggCall *mt_state_call (MtArena *a, const MtTable *t, const MtAggCall *g);

/* The paths, within a stored state, of the sum and the number of a column's values. */
typedef struct MtStateNumbers {
   const struct MtCellState *state;
   const char *sum, *count; /* sum NULL: the state has no exact sum */
} MtStateNumbers;

/* Returns whether a sum, average or count must be read from a stored aggregate state, and sets
 * *out. It must if the way's last nesting level does not store the column's sum and count as
 * pre-aggregates. */
bool mt_way_state_numbers (const MtWay *w, const MtAggCall *g, MtStateNumbers *out);
/* Returns whether in each group all cells (entries of the last level) have different times. */
bool mt_way_cells_apart (const MtWay *w, const MtNeed *need);

/* Returns the index of the first level, from the document down, at which all columns of x are
 * known. w->count: only records have them. */
int mt_level_of (const MtWay *w, const MtX *x);

#endif
