/* Private to layouts/infer: levels and fields of recognised documents. */
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

/* A scalar field that the cells (elements) of a level have. */
typedef struct MtInferField {
   const char *path; /* path in a cell of the level; "": the cell itself */
   const MtSeen *seen;
   bool optional; /* missing in some cells */
   MtFieldUse use;
   MtUnit unit, of;
   int base;
   /* For a time, dimension or measure: the index of the table's column. For a sum: the number of
    * the summed measure. */
   int column;
   /* Some document has disproved that the field is: the number of records below it; the sum of
    * their counts; their earliest time; their latest time. */
   bool not_count, not_weight, not_earliest, not_latest;
   /* For a field with a time: some records had times; some of these were before the field's time;
    * some were after it. */
   bool met_times, not_before, not_after;
   uint32_t not_sum; /* a bit for each measure: the field is not the measure's sum */
} MtInferField;

typedef struct MtInferLevel {
   MtNodeKind kind;
   const char *at;       /* path in the value of the level above */
   const MtSeen *value;  /* the form of one cell (element) */
   const MtSeen *holder; /* the form of the array or document that contains the cells */
   MtInferField key;     /* the field that is the key: a map's field name, or an index into slots */
   MtInferField fields[MT_INFER_FIELDS];
   int count;
   /* For pairs and parallel arrays: the node by which cells are read; else NULL. */
   const MtNode *flat;
} MtInferLevel;

struct MtInference {
   MtArena *a;
   MtInferLevel levels[MT_MAX_LEVELS];
   int depth;
   const char *unused;                        /* unused fields, as text; NULL: none */
   MtInferField *measures[MT_INFER_MEASURES]; /* fields of the last level that are measures */
   int measure_count;
   /* A field of the last level that may count records that are not stored; or NULL. */
   MtInferField *counter;
   bool sums;         /* `counter` counts such records, so the last level's cells are sums */
   const char *doubt; /* text on a decision that the documents don't settle; NULL: none */
};

/* Adds a path to the list of unused fields. */
void mt_infer_leave_out (MtInference *f, const char *path);
/* Returns the encoding of a field with times: date, or a number of seconds or milliseconds. */
MtEncodingKind mt_infer_instant_encoding (const MtSeen *s);
/* Returns whether a path contains a word for the first or last of a range, such as min or last. */
bool mt_infer_names_an_end (const char *path);
/* Returns whether a path ends with a word for a count. */
bool mt_infer_names_count (const char *path);
/* Decides the use of fields that were still open, after all documents were read (look.c). */
void mt_infer_settle (MtInference *f);

#endif
