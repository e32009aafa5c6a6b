/* MongoDB's error codes that depend on the operator. All other error codes are where the errors are
 * raised (mt_bad, MT_OP_FAIL). */
#ifndef MT_LOCAL_CODES_H
#define MT_LOCAL_CODES_H

#include <stdbool.h>
#include <stdint.h>

/* A condition, and MongoDB's error code if it is true. */
typedef struct MtCodeIf {
   bool holds;
   int32_t code;
} MtCodeIf;

/* Returns the code of the first of n conditions that is true, or 0. */
int32_t mt_code_if (const MtCodeIf *list, int n);
#define MT_CODE_IF(...) \
   mt_code_if ((const MtCodeIf[]) {__VA_ARGS__}, \
               (int) (sizeof (MtCodeIf[]){__VA_ARGS__} / sizeof (MtCodeIf)))

/* Error codes that have a name in MongoDB's error_codes.yml, and that several files use. */
#define MT_CODE_BAD_VALUE 2
#define MT_CODE_FAILED_TO_PARSE 9
#define MT_CODE_TYPE_MISMATCH 14
#define MT_CODE_OVERFLOW 15
#define MT_CODE_NO_COLLECTION 26 /* NamespaceNotFound */
#define MT_CODE_NAMESPACE 73     /* InvalidNamespace */
#define MT_CODE_MEMORY 146       /* ExceededMemoryLimit */
#define MT_CODE_OPERATOR 168     /* InvalidPipelineOperator */
#define MT_CODE_CONVERSION 241   /* ConversionFailure */

/* Returns the error code if the argument of operator `op` is not an object. */
int32_t mt_code_not_object (const char *op);
/* Returns the error code if the argument of `op` has an unknown field. */
int32_t mt_code_unknown (const char *op);
/* Returns the error code if the argument of `op` has no field `name`. */
int32_t mt_code_missing (const char *op, const char *name);
/* Returns the error code if argument number `i` of `op`, counted from 0, is not a number, or not an
 * array, as `op` requires. */
int32_t mt_code_type (const char *op, int i);
/* Returns the error code if the argument of `op` is outside of the valid range of its function. */
int32_t mt_code_range (const char *op);

#endif
