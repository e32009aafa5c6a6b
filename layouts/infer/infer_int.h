/* Private to layouts/infer: levels and fields of recognised documents. */
#ifndef MT_INFER_INT_H
#define MT_INFER_INT_H

#include "layouts/infer/infer.h"

#define MT_INFER_FIELDS 64
#define MT_INFER_MEASURES 16

/* The meaning of a field. */
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

/* A scalar in the cells of a level. */
typedef struct MtInferField {
   const char *path; /* in its level's value; "": the value itself */
   const MtSeen *seen;
   bool optional; /* missing in some cells */
   MtFieldUse use;
   MtUnit unit, of;
   int base;
   /* Of a time, dimension or measure: the table's column. Of a sum: the measure's number. */
   int column;
   /* What a document has disproved: it is the number of records below, the sum of their counts,
    * their earliest or their latest time. */
   bool not_count, not_weight, not_earliest, not_latest;
   /* Of an instant: records have times; some time is before it; some time is after it. */
   bool met_times, not_before, not_after;
   uint32_t not_sum; /* by measure: it is not the sum of the records' values */
} MtInferField;

typedef struct MtInferLevel {
   MtNodeKind kind;
   const char *at;       /* in the value of the level above */
   const MtSeen *value;  /* of a cell */
   const MtSeen *holder; /* the array or document that contains the cells */
   MtInferField key;     /* a map's name, or an index into slots */
   MtInferField fields[MT_INFER_FIELDS];
   int count;
   const MtNode *flat; /* of pairs and arrays: a node to read the cells with; else NULL */
} MtInferLevel;

struct MtInference {
   MtArena *a;
   MtInferLevel levels[MT_MAX_LEVELS];
   int depth;
   const char *unused;                        /* fields that took no part, as text; NULL: none */
   MtInferField *measures[MT_INFER_MEASURES]; /* of the last level */
   int measure_count;
   MtInferField *counter; /* of the last level: it may count records that are not kept */
   bool sums;             /* it does: the last level's cells are sums */
   const char *doubt;     /* a decision that the documents left open; NULL: none */
};

/* Adds a path to the fields that took no part. */
void mt_infer_leave_out (MtInference *f, const char *path);
bool mt_infer_is_number (const MtSeen *s);
/* Returns how a field's instants are stored. */
MtEncodingKind mt_infer_instant_encoding (const MtSeen *s);
/* Returns whether a path has a word for the end of a range, such as min or last. */
bool mt_infer_names_an_end (const char *path);
/* Returns whether a path ends with a word for a count. */
bool mt_infer_names_count (const char *path);
/* Decides the uses that were left open, after all documents were seen (look.c). */
void mt_infer_settle (MtInference *f);

#endif
