/* Private to layouts/infer: levels and fields of recognized documents. */
#ifndef MT_INFER_INT_H
#define MT_INFER_INT_H

#include "layouts/infer/infer.h"

#define MT_INFER_FIELDS 64
#define MT_INFER_MEASURES 16

/* What a field of the documents is used for. */
typedef enum MtFieldUse {
   MT_USE_UNUSED,
   MT_USE_TIME,
   MT_USE_TRUNC,
   MT_USE_PART,
   MT_USE_DIMENSION,
   MT_USE_MEASURE,
   MT_USE_COUNT,
   MT_USE_SUM,
   MT_USE_EARLIEST,
   MT_USE_LATEST
} MtFieldUse;

/* A scalar field of the cells (elements) of a nesting level. */
typedef struct MtInferField {
   const char *path; /* path in a cell; "": the cell itself is the scalar */
   const MtSeen *seen;
   bool optional; /* missing in some cells */
   MtFieldUse use;
   MtUnit unit, of;
   int base;
   /* For a time, dimension or measure: the index of the column in the table. For a sum: the index
    * in `measures` of the summed measure. */
   int column;
   /* Each flag is set when a document shows that the field is not: the number of records below it;
    * the sum of their counts; their earliest time; their latest time. */
   bool not_count, not_weight, not_earliest, not_latest;
   /* For a field with a time: met_times: records with times were seen below the field; not_before:
    * a record was before the field's time; not_after: a record was after it. */
   bool met_times, not_before, not_after;
   /* bit m is set when a document shows that the field is not the sum of measure m */
   uint32_t not_sum;
} MtInferField;

typedef struct MtInferLevel {
   MtNodeKind kind;
   const char *at;       /* path in a cell of the level above */
   const MtSeen *value;  /* the form of one cell (element) */
   const MtSeen *holder; /* the form of the array or document that contains the cells */
   MtInferField key;     /* the cells' key: a map's field name, or an index in an array of slots */
   MtInferField fields[MT_INFER_FIELDS];
   int count;
   /* For pairs and parallel arrays: the node by which cells are read; else NULL. */
   const MtNode *flat;
} MtInferLevel;

struct MtInference {
   MtArena *a;
   MtInferLevel levels[MT_MAX_LEVELS];
   int depth;
   /* text with the paths of all unused fields; NULL: none */
   const char *unused;
   /* fields of the last level's cells that are measures */
   MtInferField *measures[MT_INFER_MEASURES];
   int measure_count;
   /* A field of the last level that may be the count of records that are not stored themselves;
    * NULL: none. */
   MtInferField *counter;
   /* `counter` is a count of records that are not stored, so the last level's cells are sums */
   bool sums;
   const char *doubt; /* text about a decision that the documents could not confirm; NULL: none */
};

/* Adds a path to the list of unused fields. */
void mt_infer_leave_out (MtInference *f, const char *path);
/* Returns the encoding of a field with times: date, or a number of seconds or milliseconds. */
MtEncodingKind mt_infer_instant_encoding (const MtSeen *s);
/* Returns whether a path contains a word for an end of a range, such as min or last. */
bool mt_infer_names_an_end (const char *path);
/* Returns whether a path ends with a word for a count, such as "n" or "count". */
bool mt_infer_names_count (const char *path);
/* Decides the use of fields that are still undecided, after all documents of the sample were read
 * (look.c). */
void mt_infer_settle (MtInference *f);

#endif
