/* Sets numbers in stored documents by their paths. It is used to write increments into
 * documents. */
#ifndef MT_LOCAL_PATCH_H
#define MT_LOCAL_PATCH_H

#include "base/error.h"
#include "base/str.h"
#include "base/value.h"

/* The maximum number of components of a path. Longer paths fail with 54000. */
#define MT_PATCH_DEPTH 64

/* Sets *out to a + b by the rules of $inc: the result has the wider of the two types, and an int
 * that overflows becomes a long. Fails with 22003 if a long overflows. `room` stores the bytes of a
 * decimal result. */
bool mt_patch_add (MtVal a, MtVal b, uint8_t room[16], MtVal *out, MtError *err);

/* A document that is being changed. To begin, put the whole document into `doc`, and set all else
 * to zero. */
typedef struct MtPatch {
   MtBuf doc;
   size_t at[MT_PATCH_DEPTH + 1]; /* offsets of the nested documents along the last path */
   unsigned depth;
   /* The last path that was set, without its last component. Borrowed: the paths passed to
    * mt_patch_set must stay valid as long as the patch. */
   MtStr parent;
   size_t resume; /* offset of the end of the last value that was set */
} MtPatch;

/* Sets the number v at a path. Missing parent documents are created and appended. Every component
 * but the last must be a document or missing. With `absent`, the caller guarantees that the path
 * does not exist. */
void mt_patch_set (MtPatch *p, MtStr path, MtVal v, bool absent);
/* Sets all numbers of the document `fields`, {path: number, …}, which must be valid BSON and stay
 * valid as long as the patch. */
void mt_patch_set_all (MtPatch *p, const uint8_t *fields);
/* Adds each number of `amounts`, {path: number, …}, to the field at its path. Fails with 42804 (the
 * message names `collection`) if a field is not a number, and with 54000 if a path has too many
 * components. */
bool mt_patch_add_all (MtPatch *p, const uint8_t *amounts, const char *collection, MtError *err);
typedef struct MtPatchSum {
   MtVal value;
   bool absent;         /* the document had no number at the path */
   uint8_t decimal[16]; /* memory for the bytes of a decimal value */
} MtPatchSum;

/* Computes the field at `path` plus `amount`, without changing the document. Fails with 42804 if
 * the field is not a number, and with 54000 if the path has too many components. */
bool mt_patch_sum (const uint8_t *doc, MtStr path, MtVal amount, const char *collection,
                   MtPatchSum *out, MtError *err);

#endif
