/* $_mtWindow and $setWindowFields: window functions. */
#ifndef MT_WINDOW_STAGE_H
#define MT_WINDOW_STAGE_H

#include "engine/local/expr/core.h"

bool mt_stage_window (MtCompile *c, MtVal spec);

/* How the documents of $setWindowFields are partitioned and sorted. */
typedef struct MtWindowOrder {
   MtExecExpr *partition; /* the value of partitionBy; NULL: there is one partition */
   MtExecExpr **keys;     /* the sort keys. Documents with equal keys are peers. */
   uint32_t key_count;    /* 0: the documents are not sorted */
   const char *field;     /* the path of the first sort key */
   bool descending;       /* of the first sort key */
} MtWindowOrder;

/* A field that $setWindowFields adds, and the variable with its value. */
typedef struct MtWindowOutput {
   const char *path;
   MtExecVar *var;
} MtWindowOutput;

/* Compiles the option `output` of $setWindowFields: appends a window node, whose input must be
 * sorted. The fields are not added to the documents yet: *out has the *count fields with their
 * variables, allocated in the compilation's arena. */
bool mt_window_outputs (MtCompile *c, const MtWindowOrder *order, MtVal output,
                        MtWindowOutput **out, uint32_t *count);

#endif
