/* The scan of a block by its columns: what columns.c, column_plan.c, column_levels.c,
 * column_tests.c and top.c share. */
#ifndef MT_COLUMNS_INT_H
#define MT_COLUMNS_INT_H

#include "engine/local/documents/column.h"
#include "engine/local/exec/columns.h"

/* Rows whose conditions are tested together. */
#define MT_COLUMN_CHUNK 1024u
#define MT_COLUMN_FIELDS 64u
#define MT_COLUMN_MATCHES 8u
#define MT_COLUMN_LEVELS 12u

/* A $match at the beginning of the pipeline. */
typedef struct MtColumnMatch {
   const MtMatch *match;
   uint32_t node;  /* its number in MtExec.nodes */
   uint32_t level; /* how many $unwind are before it */
   uint32_t leaves;
   bool
      partly; /* only some of its conditions are tested on columns, and the $match itself follows */
} MtColumnMatch;

/* A field that the pipeline reads. */
typedef struct MtColumnField {
   uint32_t level;
   uint32_t until; /* the deepest level where its values are needed */
   bool sized;     /* only the length of its lists is needed */
} MtColumnField;

/* How a pipeline reads columns. Its first nodes are $match and $unwind. Each $unwind reads the
 * lists of the level before. */
struct MtColumnPlan {
   MtExtract *fields; /* of all levels; the parts that lead to lists are left out */
   MtColumnField *field;
   uint32_t levels;
   const char
      *list[MT_COLUMN_LEVELS]; /* the field whose lists are the rows of a level; from 1 on */
   const MtExecNode *unwind[MT_COLUMN_LEVELS]; /* from 1 on */
   MtColumnMatch matches[MT_COLUMN_MATCHES];
   uint32_t match_count;
   uint32_t first; /* the node that gets the rows */
   /* the level of the $unwind that marks runs (MtExecNode.marks_runs); 0: none does */
   uint32_t runs;
};

typedef enum {
   MT_BY_ROW,     /* the test is called for each row */
   MT_BY_RANGE,   /* numbers from `low` to `high` pass */
   MT_BY_COMPARE, /* the doubles of the column are compared with `with` */
   MT_BY_NUMBER   /* the test of each number is in `table` */
} MtColumnTestKind;

/* A condition on one column, prepared for the block that is read. */
typedef struct MtColumnTest {
   MtColumnTestKind kind;
   const MtStoredColumn *column;
   const MtMatch *match;
   uint64_t low, high; /* low > high: none passes */
   double with;
   bool null_passes, missing_passes;
   uint8_t *table; /* MT_COLUMN_WORDS bytes; NULL: not needed yet */
} MtColumnTest;

/* Which rows of a block are needed for a $sort that keeps only first rows (top.c). */
typedef enum { MT_PICK_NONE, MT_PICK_SOME, MT_PICK_ALL } MtColumnPick;

/* The rows of a level in a block. */
typedef struct MtScanLevel {
   MtColumnLevel level;
   MtStoredColumn list; /* the lists in the level above; from level 1 on */
   uint32_t *starts;    /* for each row above, its first row here, and the end; from level 1 on */
   uint8_t *passes;     /* a byte for each row; unused at the last level if it is the only one */
} MtScanLevel;

struct MtColumnScan {
   /* by the number of the field in the plan; repeated for the rows of the level that is read */
   MtStoredColumn columns[MT_COLUMN_FIELDS];
   MtScanLevel levels[MT_COLUMN_LEVELS];
   uint8_t *memory; /* of the levels; owned by `w->scan` */
   size_t room, used;
   bool grouped;        /* the first node takes the block's rows by columns */
   MtColumnTest *tests; /* of the leaves of the plan's matches, in the order of a walk */
   uint32_t test_count, test_at;
   uint32_t first_test[MT_COLUMN_MATCHES]; /* of each of the plan's matches */
   MtColumnPick pick;
   MtColumnTest picking; /* of the rows of the last level, if `pick` is MT_PICK_SOME */
   uint64_t bounds;      /* how many bounds MtTop had when `picking` was made */
   uint64_t row_bytes;   /* bytes of a row in the needed columns of the last level */
   uint64_t row_size;    /* average bytes of a document, or of a row of the last level */
   uint32_t chunk;       /* rows of the next chunk; the first ones are small, for LIMIT */
   uint32_t row, rows;   /* the next row that is not in the chunk; rows of the last level */
   uint32_t base;        /* first row of the chunk */
   uint32_t at, count;   /* position in `picked`, and its length */
   uint32_t run;         /* the row of the level above plan->runs in which the last row was */
   bool run_open;        /* there was such a row */
   uint32_t *run_ends;   /* for each of those rows, the end of its rows in the last level */
   uint16_t picked[MT_COLUMN_CHUNK];
};

/* ---- column_tests.c ---- */

/* Returns the number of the field whose match slot the condition tests, or -1. */
int mt_column_tested (const MtExtract *fields, const MtMatch *m);
/* Returns whether the whole condition can be tested on columns. */
bool mt_column_testable (const MtExtract *fields, const MtMatch *m);
uint32_t mt_column_leaves (const MtMatch *m);
/* Returns whether the condition reads this slot. */
bool mt_column_reads (const MtMatch *m, uint32_t slot);
/* Prepares the conditions of a level, for which the columns in w->columns are repeated. */
bool mt_column_prepare (MtWork *w, uint32_t level);
/* Leaves out rows that fail a prepared condition on a column whose numbers ascend: they are before
 * w->columns->row, or from w->columns->rows on. The plan must have one level. */
void mt_column_narrow (MtWork *w);
/* Tests the conditions of a level for n rows, from w->columns->base on, and counts the rows for
 * each $match. Clears `passes`, which has MT_COLUMN_CHUNK bytes, for rows that fail. */
bool mt_column_test (MtWork *w, uint32_t level, uint32_t n, uint8_t *passes);
/* Tests one condition for n rows, from w->columns->base on; `out` has MT_COLUMN_CHUNK bytes. */
bool mt_column_test_one (const MtColumnTest *t, MtWork *w, uint32_t n, uint8_t *out);
uint32_t mt_column_sum (const uint8_t *bytes, uint32_t n);

/* ---- column_levels.c ---- */

/* Finds the columns of all levels of the block. *yes: it has them. */
bool mt_column_find (MtWork *w, bool *yes);
/* Tests the conditions of all levels but the last one, and repeats the columns for its rows. hits:
 * the only documents that are wanted; NULL: all. */
bool mt_column_descend (MtWork *w, const MtHit *hits, size_t hit_count);

#endif
