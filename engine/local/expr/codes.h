/* MongoDB's numbers of the errors that depend on the operator. Errors with one number have it where
 * they are made (mt_bad, MT_OP_FAIL). */
#ifndef MT_LOCAL_CODES_H
#define MT_LOCAL_CODES_H

#include <stdbool.h>
#include <stdint.h>

/* A condition, and MongoDB's number of the error if it holds. */
typedef struct MtCodeIf {
   bool holds;
   int32_t code;
} MtCodeIf;

/* Returns the number of the first condition that holds, or 0. */
int32_t mt_code_if (const MtCodeIf *list, int n);
#define MT_CODE_IF(...) \
   mt_code_if ((const MtCodeIf[]) {__VA_ARGS__}, \
               (int) (sizeof (MtCodeIf[]){__VA_ARGS__} / sizeof (MtCodeIf)))

/* The numbers of MongoDB's error_codes.yml that have a name and that several files use. */
#define MT_CODE_BAD_VALUE 2
#define MT_CODE_FAILED_TO_PARSE 9
#define MT_CODE_TYPE_MISMATCH 14
#define MT_CODE_OVERFLOW 15
#define MT_CODE_NO_COLLECTION 26 /* NamespaceNotFound */
#define MT_CODE_NAMESPACE 73     /* InvalidNamespace */
#define MT_CODE_MEMORY 146       /* ExceededMemoryLimit */
#define MT_CODE_OPERATOR 168     /* InvalidPipelineOperator */
#define MT_CODE_CONVERSION 241   /* ConversionFailure */

/* The argument of operator `op` is not an object. */
int32_t mt_code_not_object (const char *op);
/* The argument of `op` has a field that the operator does not have. */
int32_t mt_code_unknown (const char *op);
/* The argument of `op` has no field `name`. */
int32_t mt_code_missing (const char *op, const char *name);
/* Argument number `i` of `op`, from 0, is not a number, or not an array. */
int32_t mt_code_type (const char *op, int i);
/* The argument of `op` is not in the range of its function. */
int32_t mt_code_range (const char *op);

#endif
